//! Speed as a formula rather than a table.

use serde::{Deserialize, Serialize};

use crate::limits::{LAW_GPUS_MAX, LAW_TIME_MAX_S, WORK_MAX};
use crate::order::sort_by_rank;
use crate::{BatchRange, Origin};

/// A formula for the throughput of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Law {
    /// Every doubling of the GPUs multiplies the throughput per GPU by `factor`: k GPUs are k x factor^log2(k) as fast
    /// as one (ModelArts, section 5, with 0.8).
    Power(PowerLaw),
    /// Processing time by batch per GPU, plus all-reduce time by GPUs (IBM elastic scaling, section III-B).
    Scaling(ScalingTimes),
    /// Gradient time and synchronisation time that partly overlap (Pollux, eq. 8 to 12).
    Throughput(ThroughputModel),
}

/// The parameters of a power law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "struct PowerPart")]
pub struct PowerLaw {
    /// Throughput of one GPU.
    pub samples_per_s: f64,
    /// From 0.5, with which more GPUs are no faster, to 1.
    pub factor: f64,
    /// The most GPUs it runs on.
    pub gpus_max: u32,
}

/// Times measured by a job scalability analyzer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScalingTimes {
    /// (samples per GPU, seconds to process them), samples rising. More samples than the last do not fit on a GPU;
    /// fewer than the first take as long as the first.
    pub processing_s: Vec<(f64, f64)>,
    /// (GPUs, seconds of one all-reduce), GPUs rising; straight between, nothing for one GPU.
    pub all_reduce_s: Vec<(u32, f64)>,
    /// Those GPUs, rising, whose all-reduce was not measured with as many weights as the model has, and what its time
    /// is instead.
    #[serde(default)]
    pub all_reduce_estimated: Vec<(u32, Origin)>,
}

/// The seven parameters of Pollux's throughput model, and what bounds its use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "struct ThroughputPart")]
pub struct ThroughputModel {
    /// Seconds of gradient computation that do not depend on the batch.
    pub gradient_s: f64,
    /// Seconds of gradient computation for each sample on one GPU.
    pub gradient_s_per_sample: f64,
    /// Seconds to synchronise two GPUs on one node.
    pub local_sync_s: f64,
    /// Seconds more for each further GPU on that node.
    pub local_sync_s_per_gpu: f64,
    /// Seconds to synchronise two GPUs on different nodes.
    pub node_sync_s: f64,
    /// Seconds more for each further GPU.
    pub node_sync_s_per_gpu: f64,
    /// The overlap of computing and synchronising: 1 is none, 10 almost all.
    pub overlap: f64,
    /// The most samples that fit on one GPU at a time; more are done in several passes before synchronising.
    pub batch_per_gpu_max: u32,
    /// GPUs on a node where it was measured: more are packed on several nodes.
    pub gpus_per_node: u32,
    /// The most GPUs it runs on.
    pub gpus_max: u32,
}

impl Law {
    /// The rule that the parameters break, if any.
    pub(crate) fn validate(&self) -> Result<(), &'static str> {
        let positive = |value: f64| value > 0.0 && value <= WORK_MAX;
        let seconds = |value: f64| (0.0..=LAW_TIME_MAX_S).contains(&value);
        if !(1..=LAW_GPUS_MAX).contains(&self.gpus_max()) {
            return Err("a formula is for 1 to 4,096 GPUs");
        }
        let (holds, rule) = match self {
            Law::Power(law) => {
                let holds = positive(law.samples_per_s) && (0.5..=1.0).contains(&law.factor);
                (holds, "speed must be above 0, the factor from 0.5 to 1")
            }
            Law::Scaling(times) => {
                let rising = times.processing_s.windows(2).all(|pair| pair[0].0 < pair[1].0)
                    && times.all_reduce_s.windows(2).all(|pair| pair[0].0 < pair[1].0);
                let processing = times.processing_s.iter().all(|(batch, time_s)| positive(*batch) && positive(*time_s));
                let all_reduce = times.all_reduce_s.iter().all(|(gpus, time_s)| *gpus > 0 && seconds(*time_s));
                let holds = rising && processing && all_reduce && !times.processing_s.is_empty();
                (holds, "measured batches and GPUs must rise, with times above 0")
            }
            Law::Throughput(model) => {
                let times = [model.gradient_s, model.gradient_s_per_sample, model.local_sync_s];
                let more = [model.local_sync_s_per_gpu, model.node_sync_s, model.node_sync_s_per_gpu];
                let good = times.into_iter().chain(more).all(seconds) && (1.0..=10.0).contains(&model.overlap);
                let takes_time = model.gradient_s + model.gradient_s_per_sample > 0.0;
                let holds = good && takes_time && model.batch_per_gpu_max > 0 && model.gpus_per_node > 0;
                (holds, "times must be from 0 to 1e9 s and not all 0, the overlap from 1 to 10")
            }
        };
        if holds { Ok(()) } else { Err(rule) }
    }

    /// The most GPUs it runs on.
    pub fn gpus_max(&self) -> u32 {
        match self {
            Law::Power(law) => law.gpus_max,
            Law::Scaling(times) => times.gpus_max(),
            Law::Throughput(model) => model.gpus_max,
        }
    }

    /// The fewest nodes that have so many GPUs, where it was measured.
    pub(crate) fn nodes_packed(&self, gpus: u32) -> u32 {
        match self {
            Law::Throughput(model) => gpus.div_ceil(model.gpus_per_node),
            Law::Power(_) | Law::Scaling(_) => 1,
        }
    }

    /// Throughput in samples per second; 0 where it does not run.
    pub fn samples_per_s(&self, gpus: u32, nodes: u32, batch_global: Option<u32>) -> f64 {
        if gpus == 0 || gpus > self.gpus_max() {
            return 0.0;
        }
        match self {
            Law::Power(law) => {
                let gpus = f64::from(gpus);
                law.samples_per_s * gpus * libm::pow(law.factor, libm::log2(gpus))
            }
            Law::Scaling(times) => batch_global.map_or(0.0, |batch| times.samples_per_s(gpus, batch)),
            Law::Throughput(model) => batch_global.map_or(0.0, |batch| model.samples_per_s(gpus, nodes, batch)),
        }
    }
}

impl ScalingTimes {
    /// The most samples that fit on a GPU.
    pub fn batch_per_gpu_max(&self) -> u32 {
        self.processing_s.last().map_or(0, |(samples, _)| *samples as u32)
    }

    /// The most GPUs it was measured on.
    pub fn gpus_max(&self) -> u32 {
        self.all_reduce_s.last().map_or(1, |(gpus, _)| *gpus)
    }

    /// The processing rate T(b, k): a batch is divided into whole samples, and the GPU with most of them is waited for.
    /// 0 where it does not fit.
    pub fn samples_per_s(&self, gpus: u32, batch_global: u32) -> f64 {
        let batch_per_gpu = batch_global.div_ceil(gpus.max(1));
        match self.processing(batch_per_gpu).zip(self.all_reduce(gpus)) {
            Some((processing, all_reduce)) => f64::from(batch_global) / (processing.time_s + all_reduce.time_s),
            None => 0.0,
        }
    }

    /// Throughput on one GPU with as much as fits of a batch of up to so many samples: the baseline of scaling factors
    /// (eq. 1).
    pub fn samples_per_s_single(&self, batch_most: u32) -> f64 {
        self.samples_per_s(1, batch_most.min(self.batch_per_gpu_max()))
    }

    /// The times with every speed multiplied by a factor from `factor`.
    pub(crate) fn disturbed(&self, factor: &mut impl FnMut() -> f64) -> Self {
        Self {
            processing_s: self.processing_s.iter().map(|(samples, time_s)| (*samples, time_s / factor())).collect(),
            all_reduce_s: self.all_reduce_s.iter().map(|(gpus, time_s)| (*gpus, time_s / factor())).collect(),
            all_reduce_estimated: self.all_reduce_estimated.clone(),
        }
    }

    /// The batch size of a range with the highest throughput on so many GPUs (eq. 2), of equals the smallest; `None`
    /// where none fits.
    ///
    /// With m samples on each GPU the largest batch is fastest. Between two measured m, throughput only rises or only
    /// falls: it is the quotient of two straight lines. So only the ends and the measured m need be looked at.
    pub fn best_batch(&self, range: BatchRange, gpus: u32) -> Option<BatchSpeed> {
        if gpus == 0 {
            return None;
        }
        let fewest = range.least.div_ceil(gpus).max(1);
        let most = range.most.div_ceil(gpus).min(self.batch_per_gpu_max());
        let measured =
            self.processing_s.iter().flat_map(|(samples, _)| [samples.floor() as u32, samples.ceil() as u32]);
        let mut batches: Vec<u32> = measured
            .chain([fewest, range.most / gpus, most])
            .filter(|per_gpu| (fewest..=most).contains(per_gpu))
            .map(|per_gpu| per_gpu.saturating_mul(gpus).min(range.most))
            .collect();
        sort_by_rank(&mut batches, |batch| u64::from(*batch));
        let speed = |batch_global| BatchSpeed { batch_global, samples_per_s: self.samples_per_s(gpus, batch_global) };
        BatchSpeed::fastest(batches.into_iter().map(speed))
    }
}

/// The speed of a job with a batch size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchSpeed {
    /// In samples, on all GPUs together.
    pub batch_global: u32,
    /// Samples per second.
    pub samples_per_s: f64,
}

impl BatchSpeed {
    /// The fastest, of equals the first; `None` where none runs.
    pub(crate) fn fastest(all: impl Iterator<Item = Self>) -> Option<Self> {
        let faster = |best: Self, next: Self| if next.samples_per_s > best.samples_per_s { next } else { best };
        all.reduce(faster).filter(|best| best.samples_per_s > 0.0)
    }
}

impl ThroughputModel {
    /// Seconds of computing gradients of so many samples on each GPU (eq. 9).
    pub fn pass_s(&self, batch_per_gpu: f64) -> f64 {
        self.gradient_s + self.gradient_s_per_sample * batch_per_gpu
    }

    /// Seconds of synchronising (eq. 10).
    pub fn sync_s(&self, gpus: u32, nodes: u32) -> f64 {
        let further = f64::from(gpus.saturating_sub(2));
        match (gpus, nodes) {
            (0 | 1, _) => 0.0,
            (_, 0 | 1) => self.local_sync_s + self.local_sync_s_per_gpu * further,
            _ => self.node_sync_s + self.node_sync_s_per_gpu * further,
        }
    }

    /// Seconds of one step: so many passes, at least one, of which only the last overlaps with synchronising (eq. 11).
    pub fn step_s(&self, gpus: u32, nodes: u32, batch_per_gpu: f64, passes: f64) -> f64 {
        let (pass_s, sync_s) = (self.pass_s(batch_per_gpu), self.sync_s(gpus, nodes));
        let overlapped = libm::pow(pass_s, self.overlap) + libm::pow(sync_s, self.overlap);
        (passes - 1.0) * pass_s + libm::pow(overlapped, 1.0 / self.overlap)
    }

    /// The seven parameters of eq. 12: of computing, of synchronising between nodes and on one, and the overlap.
    pub fn parameters(&self) -> [f64; 7] {
        [
            self.gradient_s,
            self.gradient_s_per_sample,
            self.node_sync_s,
            self.node_sync_s_per_gpu,
            self.local_sync_s,
            self.local_sync_s_per_gpu,
            self.overlap,
        ]
    }

    /// The model with other parameters, in the order of [`ThroughputModel::parameters`].
    pub fn with_parameters(&self, parameters: [f64; 7]) -> Self {
        let [gradient_s, gradient_s_per_sample, node_sync_s, node_sync_s_per_gpu, ..] = parameters;
        let [.., local_sync_s, local_sync_s_per_gpu, overlap] = parameters;
        let computing = Self { gradient_s, gradient_s_per_sample, overlap, ..*self };
        Self { node_sync_s, node_sync_s_per_gpu, local_sync_s, local_sync_s_per_gpu, ..computing }
    }

    fn samples_per_s(&self, gpus: u32, nodes: u32, batch_global: u32) -> f64 {
        let per_gpu = f64::from(batch_global) / f64::from(gpus);
        let passes = libm::ceil(per_gpu / f64::from(self.batch_per_gpu_max)).max(1.0);
        f64::from(batch_global) / self.step_s(gpus, nodes, per_gpu / passes, passes)
    }
}
