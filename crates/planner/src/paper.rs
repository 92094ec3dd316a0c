//! Values of a paper beside our results.

use elastiplan_metrics::{MetricInfo, Metrics, PairMetricInfo, Unit};
use elastiplan_policies::PolicySpec;

use serde::{Deserialize, Serialize};

use crate::PolicyResult;

/// A number that a paper reports. What is missing is written nevertheless: presets are packed, where all fields count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PaperValue {
    /// Of which policy.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub policy: PolicySpec,
    /// Which metric, by its key.
    pub metric: String,
    /// What the paper says, in the unit of the metric; a share is 0 to 1.
    pub value: f64,
    /// The least and the greatest of a range that the paper prints instead; `value` is its middle.
    #[serde(default)]
    pub range: Option<[f64; 2]>,
    /// The value is so many times that of this policy; or, of a metric that compares two runs, the other one.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub relative_to: Option<PolicySpec>,
    /// Where it says so: "Table 3".
    #[serde(default)]
    pub source: String,
}

impl PaperValue {
    /// Ours minus the paper's: of a range, minus its nearer end, and nothing within.
    pub fn difference(&self, ours: f64) -> f64 {
        let [least, most] = self.range.unwrap_or([self.value; 2]);
        ours - ours.max(least).min(most)
    }
}

/// The quantity that a value of a paper is.
#[derive(Clone, Copy)]
pub enum Measure {
    /// A metric of one run.
    Metric(&'static MetricInfo),
    /// A metric of one run over that of another.
    Times(&'static MetricInfo),
    /// A number of one run beside another.
    Pair(&'static PairMetricInfo),
}

/// A value of a paper beside our results.
#[derive(Clone)]
pub struct PaperComparison<'a> {
    /// What the paper says.
    pub paper: &'a PaperValue,
    /// What it is.
    pub measure: Measure,
    /// Ours, one for each seed for which there is one.
    pub ours: Vec<f64>,
}

/// Our value, of the results of one seed.
fn ours(value: &PaperValue, measure: Measure, results: &[PolicyResult]) -> Option<f64> {
    let of = |policy: &PolicySpec| results.iter().find(|result| result.policy == *policy);
    let own = of(&value.policy)?;
    let other = value.relative_to.as_ref().and_then(of);
    match measure {
        Measure::Metric(info) => (info.value)(&own.summary.metrics),
        Measure::Times(info) => {
            let other = (info.value)(&other?.summary.metrics).filter(|other| *other != 0.0)?;
            (info.value)(&own.summary.metrics).map(|own| own / other)
        }
        Measure::Pair(info) => (info.value)(&own.completions, &other?.completions),
    }
}

impl Measure {
    /// What a value is; `None` where there is no such metric.
    pub fn of(value: &PaperValue) -> Option<Self> {
        if let Some(pair) = PairMetricInfo::named(&value.metric) {
            return Some(Self::Pair(pair));
        }
        let info = Metrics::info(&value.metric)?;
        Some(if value.relative_to.is_some() { Self::Times(info) } else { Self::Metric(info) })
    }

    /// The name of the metric for a person.
    pub fn label(self) -> &'static str {
        match self {
            Self::Metric(info) | Self::Times(info) => info.label,
            Self::Pair(info) => info.label,
        }
    }

    /// The unit of the value.
    pub fn unit(self) -> Unit {
        match self {
            Self::Metric(info) => info.unit,
            Self::Times(_) => Unit::Factor,
            Self::Pair(info) => info.unit,
        }
    }
}

impl<'a> PaperComparison<'a> {
    /// Compares the values of a paper whose metric exists; `results` are those of all seeds.
    pub fn of(paper: &'a [PaperValue], results: &[Vec<PolicyResult>]) -> Vec<Self> {
        let pair = |value: &'a PaperValue| {
            let measure = Measure::of(value)?;
            let ours = results.iter().filter_map(|results| ours(value, measure, results)).collect();
            Some(Self { paper: value, measure, ours })
        };
        paper.iter().filter_map(pair).collect()
    }

    /// Ours: the mean over the seeds.
    pub fn mean(&self) -> Option<f64> {
        let count = self.ours.len();
        (count > 0).then(|| self.ours.iter().sum::<f64>() / count as f64)
    }

    /// Ours minus the paper's: of a range, minus its nearer end, and nothing within.
    pub fn difference(&self) -> Option<f64> {
        self.mean().map(|ours| self.paper.difference(ours))
    }

    /// The difference as a share of the paper's value.
    pub fn relative_difference(&self) -> Option<f64> {
        self.difference().filter(|_| self.paper.value != 0.0).map(|difference| difference / self.paper.value.abs())
    }
}
