//! Errors of studies.

use thiserror::Error;

/// A part of a study that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {value} is not {rule}")]
pub struct StudyError {
    /// The part: `study.axes.cluster.nodes`.
    pub place: String,
    /// What stands there.
    pub value: String,
    /// What may stand there.
    pub rule: String,
}

impl StudyError {
    pub(crate) fn new(place: impl Into<String>, value: impl ToString, rule: impl Into<String>) -> Self {
        Self { place: format!("study.{}", place.into()), value: value.to_string(), rule: rule.into() }
    }
}
