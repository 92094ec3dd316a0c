//! What is asked of a point.

use elastiplan_metrics::{METRICS, MetricInfo, Metrics};
use elastiplan_statistics::feasibility::Limit;
use elastiplan_text::nearest;
use serde::{Deserialize, Serialize};

use crate::StudyError;

/// A metric whose mean over the seeds has a limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a goal")]
pub struct GoalPart {
    /// Its key, as docs/metrics.md lists it.
    pub metric: String,
    /// This or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// This or less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
}

/// A goal that was checked.
#[derive(Clone, Copy)]
pub struct Goal {
    /// The metric.
    pub metric: &'static MetricInfo,
    /// What its mean is to be.
    pub limit: Limit,
}

impl GoalPart {
    pub(crate) fn check(&self, at: usize) -> Result<Goal, StudyError> {
        let place = |member: &str| format!("goals[{at}]{member}");
        let metric = Metrics::info(&self.metric).ok_or_else(|| {
            let meant = nearest(&self.metric, METRICS.iter().map(|info| info.key));
            let rule = meant.map_or("a metric".into(), |key| format!("a metric; did you mean {key}?"));
            StudyError::new(place(".metric"), &self.metric, rule)
        })?;
        let limit = match (self.at_least, self.at_most) {
            (Some(limit), None) => Limit::AtLeast(limit),
            (None, Some(limit)) => Limit::AtMost(limit),
            (found, _) => {
                let value = if found.is_some() { "both of at_least and at_most" } else { "no limit" };
                return Err(StudyError::new(place(""), value, "one of at_least and at_most"));
            }
        };
        let (Limit::AtLeast(number) | Limit::AtMost(number)) = limit;
        match number.is_finite() {
            true => Ok(Goal { metric, limit }),
            false => Err(StudyError::new(place(""), number, "a number")),
        }
    }
}
