//! The metrics table with runs as rows and chosen metrics as columns, those of the goal first.

mod pairs;
mod turned;
pub(crate) mod words;

use std::fmt;

use elastiplan_metrics::{Better, METRICS, MetricInfo, Metrics, PAIR_METRICS, PairMetricInfo};
use elastiplan_model::{JobId, Workload};
use elastiplan_text::format;

use crate::goal::standing::{Candidate, Standing};
use crate::goal::{Goal, GoalKind};
use crate::metric_text::Difference;
use crate::runs::{RunEntry, RunState};
use crate::verdict::names::Names;
use words::Written;

pub use turned::{TurnedRow, TurnedTable};

/// The columns that are there at first, after that of the goal.
const FIRST: [&str; 10] = [
    "deadline_satisfactory_ratio",
    "cost_dollars",
    "jobs_dropped",
    "jobs_failed",
    "jobs_cancelled",
    "jobs_unfinished",
    "avg_jct_s",
    "p99_jct_s",
    "p95_queueing_s",
    "rescale_gpu_s",
];

/// A metric as a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its key in the catalogue.
    pub key: &'static str,
    /// Its name, with the unit where values do not carry it.
    pub label: &'static str,
    /// Its definition.
    pub help: &'static str,
    /// Whether the goal is about it.
    pub is_goal: bool,
}

/// The value of a metric for a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunCell {
    /// As it is written; a dash where there is none.
    pub value: String,
    /// The jobs that it counts or is a share of; `None` for all but deadlines and declined jobs.
    pub of: Option<PartOf>,
    /// The difference from the baseline; `None` for the baseline itself.
    pub difference: Option<Difference>,
    /// Whether no run has a better one. While a run is on its way, none is best.
    pub is_best: bool,
    /// Whether it meets the goal; `None` in other columns, and where the goal has no limit.
    pub meets_goal: Option<bool>,
    /// Whether the run is still on its way.
    pub is_so_far: bool,
}

/// Some of so many jobs: `2,388 of 2,400`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartOf {
    /// The jobs counted.
    pub part: u64,
    /// All jobs of which they are.
    pub total: u64,
}

impl fmt::Display for PartOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", format::count(self.part), format::count(self.total))
    }
}

/// A run as a row.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    /// Its place in the whole list of runs, hidden ones included.
    pub slot: usize,
    /// Its name, unlike that of any other shown run.
    pub name: String,
    /// Whether the others are compared with it.
    pub is_baseline: bool,
    /// A cell for each column.
    pub cells: Vec<RunCell>,
}

/// The table.
#[derive(Clone, Debug, PartialEq)]
pub struct RunTable {
    /// The columns, those of the goal first.
    pub columns: Vec<Column>,
    /// The shown runs, in their order.
    pub rows: Vec<RunRow>,
}

impl RunTable {
    /// Makes it from runs of `workload`, hidden ones left out.
    ///
    /// `columns` are keys of the catalogue in their order; the column of the goal is always there, and first. Keys that
    /// are not in the catalogue are left out. Metrics are of all jobs, or of those in `only`.
    pub fn of(
        entries: &[RunEntry],
        workload: &Workload,
        goal: &Goal,
        columns: &[&str],
        only: Option<&[JobId]>,
    ) -> Self {
        let standing = Standing::of(entries, workload, only);
        let names = Names::of(entries.iter().filter(|entry| !entry.is_hidden));
        let goal_key = goal.kind.key();
        let others = columns.iter().filter(|key| **key != goal_key).copied();
        let of_key = |key: &str| match (Metrics::info(key), PairMetricInfo::named(key)) {
            (Some(info), _) => Some((heading(info, info.key == goal_key), column(&standing, info, goal))),
            (None, Some(info)) => Some((pairs::heading(info), pairs::column(&standing, info, only.is_none()))),
            (None, None) => None,
        };
        let (columns, cells): (Vec<Column>, Vec<Vec<RunCell>>) =
            std::iter::once(goal_key).chain(others).filter_map(of_key).unzip();
        let baseline = crate::comparable::baseline(entries);
        let row = |(place, candidate): (usize, &Candidate<'_>)| RunRow {
            slot: candidate.entry.slot,
            name: names.of_entry(candidate.entry),
            is_baseline: baseline.is_some_and(|baseline| std::ptr::eq(baseline, candidate.entry)),
            cells: cells.iter().filter_map(|column| column.get(place).cloned()).collect(),
        };
        let rows = standing.shown.iter().enumerate().map(row).collect();
        Self { columns, rows }
    }

    /// The columns that are there at first: those of the design that say something about the shown runs.
    pub fn default_columns(entries: &[RunEntry], goal: &Goal) -> Vec<&'static str> {
        let summaries = || {
            let shown = entries.iter().filter(|entry| !entry.is_hidden);
            shown.filter_map(|entry| entry.result.as_ref()).map(|result| &result.summary)
        };
        let ended =
            || entries.iter().filter(|entry| !entry.is_hidden).filter_map(RunEntry::whole).map(|run| &run.summary);
        let says_something = |key: &&'static str| match *key {
            "deadline_satisfactory_ratio" => summaries().any(|summary| summary.deadlines_total > 0),
            "cost_dollars" => summaries().any(|summary| summary.metrics.cost_dollars.is_some()),
            "jobs_dropped" => summaries().any(|summary| summary.metrics.jobs_dropped > 0),
            "jobs_failed" => summaries().any(|summary| summary.metrics.jobs_failed > 0),
            "jobs_cancelled" => summaries().any(|summary| summary.metrics.jobs_cancelled > 0),
            // Those of a run on its way are still to come.
            "jobs_unfinished" => ended().any(|summary| summary.metrics.jobs_unfinished > 0),
            _ => true,
        };
        let goal_key = goal.kind.key();
        let others = FIRST.into_iter().filter(|key| *key != goal_key).filter(says_something);
        std::iter::once(goal_key).chain(others).collect()
    }

    /// Every metric that may be a column for these runs, with its definition, in the order of the catalogue.
    pub fn choices(entries: &[RunEntry], goal: &Goal) -> Vec<Column> {
        let shown = || entries.iter().filter(|entry| !entry.is_hidden).filter_map(|entry| entry.result.as_ref());
        let applies = |info: &&MetricInfo| {
            info.key == goal.kind.key() || info.is_shown_for(shown().map(|result| &result.summary))
        };
        let of_runs = METRICS.iter().filter(applies).map(|info| heading(info, info.key == goal.kind.key()));
        let has_pairs = entries.iter().filter(|entry| !entry.is_hidden).count() > 1;
        of_runs.chain(PAIR_METRICS.iter().filter(|_| has_pairs).map(pairs::heading)).collect()
    }
}

fn heading(info: &'static MetricInfo, is_goal: bool) -> Column {
    Column { key: info.key, label: words::label(info), help: info.help, is_goal }
}

/// The goal by which values of a metric are rounded: the goal itself in its own column.
fn rounding_goal(info: &MetricInfo, goal: &Goal) -> Option<Goal> {
    if info.key == goal.kind.key() {
        return Some(*goal);
    }
    GoalKind::ALL.into_iter().find(|kind| kind.key() == info.key).map(Goal::best)
}

/// The cells of one metric, one for each shown run.
fn column(standing: &Standing<'_>, info: &MetricInfo, goal: &Goal) -> Vec<RunCell> {
    let written = Written { info, goal: rounding_goal(info, goal) };
    let is_goal = info.key == goal.kind.key();
    let values: Vec<Option<f64>> = standing.shown.iter().map(|candidate| value(info, candidate)).collect();
    let value_of = |place: usize| values.get(place).copied().flatten();
    let best = best(standing, info, &written, value_of);
    let cell = |(place, candidate): (usize, &Candidate<'_>)| {
        let text = format::or_dash(value_of(place), |value| written.value(value));
        RunCell {
            is_best: best.contains(&place),
            meets_goal: if is_goal { standing.meets(goal, place) } else { None },
            is_so_far: candidate.entry.is_running(),
            of: candidate
                .summary
                .as_ref()
                .filter(|_| text != format::DASH)
                .and_then(|summary| words::of(info, summary)),
            difference: difference(standing, &written, place, value_of),
            value: text,
        }
    };
    standing.shown.iter().enumerate().map(cell).collect()
}

/// The value, where there is one that may be shown: a stopped run has none of what needs all jobs.
fn value(info: &MetricInfo, candidate: &Candidate<'_>) -> Option<f64> {
    let is_stopped = matches!(candidate.entry.state, RunState::Cancelled | RunState::Failed(_));
    let metrics = candidate.metrics().filter(|_| !(is_stopped && info.needs_all_jobs))?;
    (info.value)(metrics)
}

/// The places of the best values: all that look alike. One run alone is not the best.
fn best(
    standing: &Standing<'_>,
    info: &MetricInfo,
    written: &Written<'_>,
    value_of: impl Fn(usize) -> Option<f64>,
) -> Vec<usize> {
    let values = standing.eligible(info.key).into_iter().filter_map(|place| Some((place, value_of(place)?)));
    let values: Vec<(usize, f64)> = values.collect();
    if standing.is_running() || standing.ranked().count() < 2 {
        return Vec::new();
    }
    let best = match info.better {
        Better::Lower => values.iter().min_by(|a, b| a.1.total_cmp(&b.1)),
        Better::Higher => values.iter().max_by(|a, b| a.1.total_cmp(&b.1)),
        Better::Neither => None,
    };
    let Some((_, best)) = best else { return Vec::new() };
    let best = written.value(*best);
    values.iter().filter(|(_, value)| written.value(*value) == best).map(|(place, _)| *place).collect()
}

/// The difference from the baseline: a dash where there is none to show.
fn difference(
    standing: &Standing<'_>,
    written: &Written<'_>,
    place: usize,
    value_of: impl Fn(usize) -> Option<f64>,
) -> Option<Difference> {
    let none = Difference { text: format::DASH.into(), is_better: None };
    let Some(baseline) = standing.baseline.filter(|baseline| *baseline != place) else {
        // Without a baseline that has come to its end there are no differences at all.
        let is_first = standing.baseline == Some(place);
        return if is_first { None } else { Some(none) };
    };
    let pair = standing.shown.get(place).zip(standing.shown.get(baseline)).filter(|(own, _)| own.is_ranked());
    let Some(((own, _), (value, from))) = pair.zip(value_of(place).zip(value_of(baseline))) else {
        return Some(none);
    };
    // Times over other jobs differ for that reason, too: a fact that is neither good nor bad.
    let is_over_completed = crate::goal::standing::OVER_COMPLETED.contains(&written.info.key);
    let is_judged = !is_over_completed || own.completes_as_baseline;
    Some(written.difference(value, from, is_judged).unwrap_or(none))
}

#[cfg(test)]
mod tests;
