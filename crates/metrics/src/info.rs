//! What there is to know about a metric.

use crate::{Completions, METRICS, Metrics, PAIR_METRICS, Summary};

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
    /// A difference of jobs: above or below 0, not always whole where it is a mean.
    Jobs,
    /// A share, 0 to 1.
    Ratio,
    /// So many times as much.
    Factor,
    /// Training samples.
    Samples,
    /// Training samples in a second.
    SamplesPerSecond,
    /// US dollars.
    Dollars,
}

/// Which direction a planner wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// It says what happened, not how good that is.
    Neither,
}

/// What a metric is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Which jobs completed, and when.
    Completion,
    /// Whether they were in time.
    Deadlines,
    /// What was used of what there was.
    Resources,
    /// What changes cost.
    Changes,
    /// What the samples were worth.
    Progress,
    /// Whether jobs were treated alike.
    Fairness,
}

impl Group {
    /// Its name for a person, in sentence case.
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

/// When a table for people has a row for a metric. Files have every metric.
#[derive(Clone, Copy)]
pub enum Shown {
    /// In any case.
    Always,
    /// If one of the runs has something of which the metric tells.
    WhereItApplies(fn(&Summary) -> bool),
}

/// What there is to know about a metric.
#[derive(Clone, Copy)]
pub struct MetricInfo {
    /// Its key in JSON and CSV.
    pub key: &'static str,
    /// Its name for a person, in sentence case.
    pub label: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// Which direction is better.
    pub better: Better,
    /// What it is about.
    pub group: Group,
    /// When a table has a row for it.
    pub shown: Shown,
    /// Whether it means something only when every job has ended: a stopped run shows a dash.
    pub needs_all_jobs: bool,
    /// What it is, in one sentence.
    pub help: &'static str,
    /// Takes it out of a summary.
    pub value: fn(&Summary) -> Option<f64>,
}

/// What there is to know about a number of a run beside another.
#[derive(Clone, Copy)]
pub struct PairMetricInfo {
    /// Its key in documents.
    pub key: &'static str,
    /// Its name for a person, in sentence case.
    pub label: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// Which direction is better for the run.
    pub better: Better,
    /// What it is about.
    pub group: Group,
    /// What it is, in one sentence.
    pub help: &'static str,
    /// Computes it: of the run, and of the other.
    pub value: fn(&Completions, &Completions) -> Option<f64>,
}

impl PairMetricInfo {
    /// The catalogue's entry for a key.
    pub fn named(key: &str) -> Option<&'static PairMetricInfo> {
        PAIR_METRICS.iter().find(|info| info.key == key)
    }
}

/// A metric that is neither good nor bad, always shown, and known when all jobs have ended.
pub(crate) const fn info(
    key: &'static str,
    label: &'static str,
    unit: Unit,
    group: Group,
    help: &'static str,
    value: fn(&Summary) -> Option<f64>,
) -> MetricInfo {
    let (better, shown) = (Better::Neither, Shown::Always);
    MetricInfo { key, label, unit, better, group, shown, needs_all_jobs: true, help, value }
}

impl MetricInfo {
    pub(crate) const fn lower(self) -> Self {
        Self { better: Better::Lower, ..self }
    }

    pub(crate) const fn higher(self) -> Self {
        Self { better: Better::Higher, ..self }
    }

    pub(crate) const fn known_at_once(self) -> Self {
        Self { needs_all_jobs: false, ..self }
    }

    pub(crate) const fn where_it_applies(self, applies: fn(&Summary) -> bool) -> Self {
        Self { shown: Shown::WhereItApplies(applies), ..self }
    }

    /// Whether a table of these runs has a row for it.
    pub fn is_shown_for<'a>(&self, summaries: impl IntoIterator<Item = &'a Summary>) -> bool {
        match self.shown {
            Shown::Always => true,
            Shown::WhereItApplies(applies) => summaries.into_iter().any(applies),
        }
    }
}

impl Metrics {
    /// The catalogue's entry for a key.
    pub fn info(key: &str) -> Option<&'static MetricInfo> {
        METRICS.iter().find(|info| info.key == key)
    }
}
