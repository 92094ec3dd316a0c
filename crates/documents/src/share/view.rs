//! What is shown of a scenario.

use serde::{Deserialize, Serialize};

/// What the page shows of a scenario, by the keys that links have. What a key may hold is the page's to say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShownView {
    /// The screen: `compare`, `jobs`, `study`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
    /// The chart, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chart: Option<String>,
    /// The selected job, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// The selected time, in seconds after the first submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t: Option<f64>,
    /// The start of the time that is shown, in seconds after the first submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// The end of the time that is shown, in seconds after the first submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
}
