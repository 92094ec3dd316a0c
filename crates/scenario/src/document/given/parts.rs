//! What a curve is given by, as it stands in a document.

use serde::{Deserialize, Serialize};

/// How fast a model trains: as it was measured, or by a formula.
#[derive(Clone, Debug, PartialEq)]
pub enum SpeedPart {
    /// Points by the number of GPUs.
    Measured(MeasuredPart),
    /// Points by the numbers of GPUs and nodes.
    ByNodes(ByNodesPart),
    /// Every doubling of the GPUs multiplies the throughput per GPU.
    Power(PowerPart),
    /// Processing time by batch per GPU, plus all-reduce time by GPUs.
    Scaling(ScalingPart),
    /// Gradient time and synchronisation time that partly overlap.
    Throughput(ThroughputPart),
}

/// Points by the number of GPUs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredPart {
    /// GPUs on as few nodes as possible, or on whatever nodes without the other list.
    pub points: Vec<PointPart>,
    /// GPUs on more nodes than are needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<Vec<PointPart>>,
    /// Whether it runs on more GPUs than were measured, as fast as on the most that were.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub runs_beyond: bool,
}

/// A measured point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointPart {
    /// GPUs used.
    pub gpus: u32,
    /// Samples processed in a second by all of them together.
    pub samples_per_s: f64,
}

/// Points by the numbers of GPUs and nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByNodesPart {
    /// The points.
    pub points: Vec<NodesPointPart>,
    /// Whether it runs on more GPUs than were measured, as fast as on the most that were.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub runs_beyond: bool,
}

/// A point that says on how many nodes it was measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodesPointPart {
    /// GPUs used.
    pub gpus: u32,
    /// Nodes that they were on.
    pub nodes: u32,
    /// Samples processed in a second by all of them together.
    pub samples_per_s: f64,
}

/// k GPUs are k x factor^log2(k) as fast as one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerPart {
    /// Throughput of one GPU.
    pub samples_per_s: f64,
    /// What a doubling of the GPUs multiplies the throughput per GPU by.
    pub factor: f64,
    /// The most GPUs it runs on.
    pub gpus_max: u32,
}

/// What the job scalability analyzer measures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScalingPart {
    /// Samples rising. More than the last do not fit on a GPU.
    pub processing: Vec<ProcessingPart>,
    /// GPUs rising. It runs on no more than the last; on one GPU if there is none.
    #[serde(default)]
    pub all_reduce: Vec<AllReducePart>,
}

/// How long a GPU takes for its part of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessingPart {
    /// Samples of the batch on one GPU.
    pub samples_per_gpu: f64,
    /// Seconds to process them.
    pub time_s: f64,
}

/// How long an all-reduce takes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllReducePart {
    /// GPUs that take part.
    pub gpus: u32,
    /// Seconds of one.
    pub time_s: f64,
}

/// The seven parameters of Pollux's throughput model, and what bounds its use.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThroughputPart {
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
    /// How much computing and synchronising overlap: 1 not at all, 10 almost wholly.
    pub overlap: f64,
    /// The most samples that fit on one GPU at a time.
    pub batch_per_gpu_max: u32,
    /// GPUs on a node where it was measured.
    pub gpus_per_node: u32,
    /// The most GPUs it runs on.
    pub gpus_max: u32,
}

/// What samples are worth, by batch size and stage of the training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EfficiencyPart {
    /// The batch size at which a sample counts 1.
    pub batch_base: u32,
    /// The largest batch size that the model is trained with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch_max: Option<u32>,
    /// What a whole training takes, in samples of the base batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples_total: Option<f64>,
    /// In the order in which they come.
    pub stages: Vec<StagePart>,
}

/// A stage of the training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StagePart {
    /// The share of the work at which it ends; the last one holds on.
    pub until_share: f64,
    /// Gradient noise scale in samples.
    pub noise_samples: f64,
}

fn yes() -> bool {
    true
}

fn is_yes(value: &bool) -> bool {
    *value
}

impl SpeedPart {
    /// The name of its field.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            SpeedPart::Measured(_) => "measured",
            SpeedPart::ByNodes(_) => "by_nodes",
            SpeedPart::Power(_) => "power",
            SpeedPart::Scaling(_) => "scaling",
            SpeedPart::Throughput(_) => "throughput",
        }
    }
}
