//! What a curve is given by, as it stands in a document.

use elastiplan_model::{CurvePoint, Origin, ThroughputModel};
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
    Throughput(ThroughputModel),
    /// Step times by placement and batch size.
    Steps(StepsPart),
}

/// Points by the number of GPUs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredPart {
    /// GPUs on as few nodes as possible, or on whatever nodes without the other list.
    pub points: Vec<CurvePoint>,
    /// GPUs on more nodes than are needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<Vec<CurvePoint>>,
    /// Whether it runs on more GPUs than were measured, as fast as on the most that were.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub runs_beyond: bool,
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
    /// Whether it was measured with as many weights as the model has: `measured`, `interpolated` or `assumed`.
    #[serde(default = "measured", skip_serializing_if = "is_measured")]
    pub origin: Origin,
}

/// Step times by placement, and by numbers of nodes and GPUs where no placement was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepsPart {
    /// The fewest samples on a GPU at a time; without it the fewest that were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch_per_gpu_min: Option<u32>,
    /// The most; without it the most that were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch_per_gpu_max: Option<u32>,
    /// The fewest passes of a batch above the base on a single GPU.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub passes_alone: u32,
    /// By the GPUs on each node, one after the other.
    #[serde(default)]
    pub placements: Vec<PlacementPart>,
    /// By the numbers of nodes and GPUs.
    #[serde(default)]
    pub counts: Vec<CountPart>,
}

/// What was measured with so many GPUs on each node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacementPart {
    /// GPUs on each node.
    pub gpus_on_nodes: Vec<u32>,
    /// Samples on each GPU, rising; seconds of a step; seconds of it that are spent synchronising.
    pub times: Vec<TimesPart>,
}

/// What was measured with GPUs spread over nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountPart {
    /// Nodes.
    pub nodes: u32,
    /// GPUs on all of them.
    pub gpus: u32,
    /// As for placements.
    pub times: Vec<TimesPart>,
}

/// Samples on each GPU, seconds of a step, and the part of them that is spent synchronising. Without names: there are
/// hundreds.
pub type TimesPart = [f64; 3];

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

/// A stage of the training: its noise, or gradients at several batch sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StagePart {
    /// The share of the work at which it ends; the last one holds on.
    pub until_share: f64,
    /// Gradient noise scale in samples, whatever the batch size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise_samples: Option<f64>,
    /// What was measured, batch sizes rising.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gradients: Option<Vec<GradientsPart>>,
}

/// Global batch size, squared norm of the mean gradient, variance of that of a sample, and optimiser steps by the end of
/// the stage, where they are known. Without names: there are hundreds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GradientsPart(pub u32, pub f64, pub f64, #[serde(default)] pub Option<f64>);

fn one() -> u32 {
    1
}

fn is_one(value: &u32) -> bool {
    *value == 1
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
            SpeedPart::Steps(_) => "steps",
        }
    }
}

fn measured() -> Origin {
    Origin::Measured
}

fn is_measured(value: &Origin) -> bool {
    *value == Origin::Measured
}
