//! What a paper says, beside what comes out here.

use elastiplan_metrics::{MetricInfo, Metrics};
use elastiplan_policies::PolicySpec;

use crate::{PaperValue, PolicyResult};

/// A value of a paper with ours.
#[derive(Clone)]
pub struct Beside<'a> {
    /// What the paper says.
    pub paper: &'a PaperValue,
    /// The metric.
    pub info: &'static MetricInfo,
    /// Ours, one for each seed for which there is one.
    pub ours: Vec<f64>,
}

/// The values of a paper with ours; `results` are those of all seeds.
pub fn beside<'a>(paper: &'a [PaperValue], results: &[Vec<PolicyResult>]) -> Vec<Beside<'a>> {
    let pair = |value: &'a PaperValue| {
        let info = Metrics::info(&value.metric)?;
        let ours = results.iter().filter_map(|results| ours(value, info, results)).collect();
        Some(Beside { paper: value, info, ours })
    };
    paper.iter().filter_map(pair).collect()
}

/// Our value, of the results of one seed.
fn ours(value: &PaperValue, info: &MetricInfo, results: &[PolicyResult]) -> Option<f64> {
    let of = |policy: &PolicySpec| {
        let result = results.iter().find(|result| result.policy == *policy)?;
        (info.value)(&result.summary)
    };
    let own = of(&value.policy)?;
    match &value.relative_to {
        None => Some(own),
        Some(other) => of(other).filter(|other| *other != 0.0).map(|other| own / other),
    }
}

impl Beside<'_> {
    /// Ours: the mean over the seeds.
    pub fn mean(&self) -> Option<f64> {
        let count = self.ours.len();
        (count > 0).then(|| self.ours.iter().sum::<f64>() / count as f64)
    }

    /// Ours minus the paper's.
    pub fn difference(&self) -> Option<f64> {
        self.mean().map(|ours| ours - self.paper.value)
    }

    /// The difference as a share of the paper's value.
    pub fn relative_difference(&self) -> Option<f64> {
        self.difference().filter(|_| self.paper.value != 0.0).map(|difference| difference / self.paper.value.abs())
    }
}
