//! The data of one of the two kinds of files that a job scalability analyzer writes.

/// The measurements of a file.
pub(crate) enum ScalabilityPart {
    /// Processing times of models.
    Processing(Vec<MeasuredModel>),
    /// All-reduce times of the cluster.
    AllReduce(Vec<MeasuredAllReduce>),
}

/// A model with its measurements; at least one point.
pub(crate) struct MeasuredModel {
    /// The first row that could be used.
    pub line: u64,
    pub model: String,
    pub weights: f64,
    /// (Samples on the GPU, seconds), in the order of the rows.
    pub points: Vec<(u32, f64)>,
}

/// The time of an all-reduce and its line.
#[derive(Clone, Copy)]
pub(crate) struct MeasuredAllReduce {
    pub line: u64,
    pub weights: f64,
    pub gpus: u32,
    pub time_s: f64,
}

impl ScalabilityPart {
    /// The number of measurements that can be used.
    pub fn points(&self) -> u64 {
        match self {
            ScalabilityPart::Processing(models) => models.iter().map(|model| model.points.len() as u64).sum(),
            ScalabilityPart::AllReduce(rows) => rows.len() as u64,
        }
    }
}
