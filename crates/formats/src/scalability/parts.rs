//! What one file tells of the two that a job scalability analyzer writes.

/// What a file tells.
pub(crate) enum ScalabilityPart {
    /// Processing times of models.
    Processing(Vec<MeasuredModel>),
    /// All-reduce times of the cluster.
    AllReduce(Vec<MeasuredAllReduce>),
}

/// A model with what was measured of it; at least one point.
pub(crate) struct MeasuredModel {
    /// The first row that could be used.
    pub line: u64,
    pub model: String,
    pub weights: f64,
    /// (Samples on the GPU, seconds), in the order of the rows.
    pub points: Vec<(u32, f64)>,
}

/// An all-reduce and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct MeasuredAllReduce {
    pub line: u64,
    pub weights: f64,
    pub gpus: u32,
    pub time_s: f64,
}

impl ScalabilityPart {
    /// How many measurements can be used.
    pub fn points(&self) -> u64 {
        match self {
            ScalabilityPart::Processing(models) => models.iter().map(|model| model.points.len() as u64).sum(),
            ScalabilityPart::AllReduce(rows) => rows.len() as u64,
        }
    }
}
