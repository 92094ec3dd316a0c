//! What is shown of a scenario.

use serde::{Deserialize, Serialize};

/// What the page shows of a scenario, by the keys that links have. What a key may hold is the page's to say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShownView {
    /// The screen: `compare`, `jobs`, `study`.
    pub view: Option<String>,
    /// The chart: `all`, `each`, `groups`, `more`.
    pub chart: Option<String>,
    /// The selected job, by its name.
    pub job: Option<String>,
    /// Where the cursor stands, in seconds after the first submission.
    pub t: Option<f64>,
    /// The start of the selected time, in seconds after the first submission.
    pub from: Option<f64>,
    /// The end of the selected time, in seconds after the first submission.
    pub to: Option<f64>,
}
