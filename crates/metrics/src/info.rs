//! The entries of the tables of metrics.

use crate::{Completions, Metrics, Summary};

/// The unit of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A number of things.
    Count,
    /// A time in seconds.
    Seconds,
    /// GPUs times hours.
    GpuHours,
    /// Nodes times hours.
    NodeHours,
    /// GPUs times seconds.
    GpuSeconds,
    /// A number of nodes, not always whole.
    Nodes,
    /// A difference of numbers of jobs, above or below 0; not always whole, if it is a mean.
    Jobs,
    /// A share, 0 to 1.
    Ratio,
    /// A factor.
    Factor,
    /// Training samples.
    Samples,
    /// Training samples per second.
    SamplesPerSecond,
    /// US dollars.
    Dollars,
}

/// The better direction of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// The metric describes the run without rating it.
    Neither,
}

/// The subject of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Which jobs completed, and when.
    Completion,
    /// Whether jobs met their deadlines.
    Deadlines,
    /// Use of the resources that were present.
    Resources,
    /// Cost of changes.
    Changes,
    /// Samples processed, and their statistical efficiency.
    Progress,
    /// Equal treatment of jobs.
    Fairness,
}

impl Group {
    /// Label for display, in sentence case.
    pub fn label(self) -> &'static str {
        match self {
            Group::Completion => "Completion",
            Group::Deadlines => "Deadlines",
            Group::Resources => "Resources",
            Group::Changes => "Changes",
            Group::Progress => "Progress",
            Group::Fairness => "Fairness",
        }
    }
}

/// An entry of the table of metrics.
#[derive(Clone, Copy)]
pub struct MetricInfo {
    /// Key in JSON and CSV.
    pub key: &'static str,
    /// Label for display, in sentence case.
    pub label: &'static str,
    /// Unit.
    pub unit: Unit,
    /// Better direction.
    pub better: Better,
    /// Subject.
    pub group: Group,
    /// Whether it applies to a run: a table has a row for it if it applies to one of its runs. Files have every metric.
    pub applies: Option<fn(&Summary) -> bool>,
    /// Whether the metric is undefined until every job has ended: a stopped run shows a dash.
    pub needs_all_jobs: bool,
    /// Definition in one sentence.
    pub help: &'static str,
    /// Reads the value.
    pub value: fn(&Metrics) -> Option<f64>,
}

/// An entry of the table of metrics of two runs.
#[derive(Clone, Copy)]
pub struct PairMetricInfo {
    /// Key in documents.
    pub key: &'static str,
    /// Label for display, in sentence case.
    pub label: &'static str,
    /// Unit.
    pub unit: Unit,
    /// Better direction for the run.
    pub better: Better,
    /// Subject.
    pub group: Group,
    /// Definition in one sentence.
    pub help: &'static str,
    /// Computes the value for the run and the other one.
    pub value: fn(&Completions, &Completions) -> Option<f64>,
}

/// A metric that applies to every run and is defined when all jobs have ended.
pub(crate) const fn info(
    key: &'static str,
    label: &'static str,
    unit: Unit,
    group: Group,
    value: fn(&Metrics) -> Option<f64>,
) -> MetricInfo {
    MetricInfo {
        key,
        label,
        unit,
        better: Better::Neither,
        group,
        applies: None,
        needs_all_jobs: true,
        help: "",
        value,
    }
}

impl MetricInfo {
    pub(crate) const fn neither(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    pub(crate) const fn lower(self, help: &'static str) -> Self {
        Self { better: Better::Lower, help, ..self }
    }

    pub(crate) const fn higher(self, help: &'static str) -> Self {
        Self { better: Better::Higher, help, ..self }
    }

    pub(crate) const fn known_at_once(self) -> Self {
        Self { needs_all_jobs: false, ..self }
    }

    pub(crate) const fn where_it_applies(self, applies: fn(&Summary) -> bool) -> Self {
        Self { applies: Some(applies), ..self }
    }

    /// Whether a table of these runs has a row for it.
    pub fn is_shown_for<'a>(&self, summaries: impl IntoIterator<Item = &'a Summary>) -> bool {
        self.applies.is_none_or(|applies| summaries.into_iter().any(applies))
    }
}
