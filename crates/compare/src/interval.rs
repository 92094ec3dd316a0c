//! Statistics of an interval of time.

mod buckets;
mod counts;
mod in_view;
mod moments;

use buckets::{Buckets, Integrals, Moments, Rise};
use counts::Counts;
use elastiplan_engine::{Run, SpanState};
use elastiplan_model::Workload;
pub use in_view::InView;
use moments::Times;

/// Things in a bucket, about: a scan of so many costs less than a microsecond.
const IN_A_BUCKET: usize = 128;
/// Buckets times levels in each, at most: 16 MB.
const EDGES_MOST: usize = 1 << 20;

/// An index that makes statistics of any interval of a run cheap. Made once for a run; it holds nothing of the run
/// itself.
#[derive(Clone, Debug)]
pub struct IntervalIndex {
    counts: Counts,
    /// GPUs held, model by model, and then those of jobs that are being rescaled.
    gpus: Integrals,
    models: usize,
    arrived: Moments,
    started: Moments,
    completed: Moments,
    missed: Moments,
    rescaled: Moments,
    preempted: Moments,
}

/// Statistics from one time until before another. An interval that reaches the end of the run holds what happened at
/// the end: that of the whole run has the numbers of its summary, integrals up to rounding.
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalStats {
    /// From, in seconds on the clock of the trace; not before the run.
    pub from_s: f64,
    /// Until; not after the run.
    pub to_s: f64,
    /// GPU time held over GPU time there was; `None` where there was none.
    pub gpu_utilization: Option<f64>,
    /// GPUs held, times seconds.
    pub gpu_seconds: f64,
    /// The same, model by model.
    pub gpu_seconds_by_model: Vec<f64>,
    /// GPU-seconds without progress because of changes that the policy chose.
    pub rescale_gpu_seconds: f64,
    /// Jobs waiting, mean over the time; `None` if no time passed.
    pub mean_waiting: Option<f64>,
    /// The most jobs that waited at one time.
    pub peak_waiting: u32,
    /// Jobs submitted.
    pub arrived: u64,
    /// Jobs that got their first GPUs.
    pub started: u64,
    /// Jobs completed.
    pub completed: u64,
    /// Jobs of which it became certain that they miss their deadline: it passed, or they ended otherwise.
    pub missed: u64,
    /// Changes of GPUs, and resumptions.
    pub rescales: u64,
    /// Jobs that lost all their GPUs, each time.
    pub preemptions: u64,
}

impl IntervalIndex {
    /// Goes through a run of `workload`.
    pub fn of(run: &Run, workload: &Workload) -> Self {
        let models = workload.trace().models().len();
        let many = (run.spans.len() / IN_A_BUCKET).clamp(1, 1 + EDGES_MOST / (models + 1));
        let buckets = Buckets::new(run.start_s, run.end_s, many);
        let times = Times::of(run, workload);
        let moments = |times_s: Vec<f64>| Moments::new(buckets, times_s);
        Self {
            counts: Counts::of(run),
            gpus: Integrals::new(buckets, models + 1, rises(run, workload)),
            models,
            arrived: moments(times.arrived),
            started: moments(times.started),
            completed: moments(times.completed),
            missed: moments(times.missed),
            rescaled: moments(times.rescaled),
            preempted: moments(times.preempted),
        }
    }

    /// Statistics of a stretch of the run that the index is of.
    pub fn between(&self, run: &Run, from_s: f64, to_s: f64) -> IntervalStats {
        let clamped = |time_s: f64| time_s.max(run.start_s).min(run.end_s);
        let (from_s, end_s) = (clamped(from_s), clamped(to_s));
        let to_s = end_s.max(from_s);
        let length_s = to_s - from_s;
        let sums = self.counts.between(&run.series, from_s, to_s);
        let mut held: Vec<f64> =
            self.gpus.until(to_s).iter().zip(self.gpus.until(from_s)).map(|(to, from)| (to - from).max(0.0)).collect();
        let rescaling = held.get(self.models).copied().unwrap_or(0.0);
        held.truncate(self.models);
        let until_s = if to_s >= run.end_s { f64::INFINITY } else { to_s };
        let count = |moments: &Moments| moments.before(until_s) - moments.before(from_s);
        IntervalStats {
            from_s,
            to_s,
            gpu_utilization: (sums.present > 0.0).then(|| sums.in_use / sums.present),
            gpu_seconds: sums.in_use,
            gpu_seconds_by_model: held,
            rescale_gpu_seconds: rescaling,
            mean_waiting: (length_s > 0.0).then(|| sums.waiting / length_s),
            peak_waiting: self.counts.peak_waiting(&run.series, from_s, to_s),
            arrived: count(&self.arrived),
            started: count(&self.started),
            completed: count(&self.completed),
            missed: count(&self.missed),
            rescales: count(&self.rescaled),
            preemptions: count(&self.preempted),
        }
    }
}

/// Every change of what the jobs of a model hold, and of what is being rescaled.
fn rises(run: &Run, workload: &Workload) -> Vec<Rise> {
    let rescaling = workload.trace().models().len() as u32;
    let mut rises = Vec::with_capacity(run.spans.len());
    let mut add = |time_s: f64, channel: u32, from: u32, to: u32| {
        if from != to {
            rises.push(Rise { time_s, channel, by: to as i32 - from as i32 });
        }
    };
    for (id, job) in workload.trace().iter() {
        let (mut held, mut rescaled, mut end_s) = (0, 0, 0.0);
        for span in run.spans.of(id) {
            let rescales = if span.state == SpanState::Rescaling { span.gpus } else { 0 };
            add(span.start_s, job.model.0, held, span.gpus);
            add(span.start_s, rescaling, rescaled, rescales);
            (held, rescaled, end_s) = (span.gpus, rescales, span.end_s);
        }
        add(end_s, job.model.0, held, 0);
        add(end_s, rescaling, rescaled, 0);
    }
    rises
}
