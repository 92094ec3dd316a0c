//! The metrics table with runs as rows and chosen metrics as columns, those of the goal first.

mod pairs;
mod turned;
pub(crate) mod words;

use std::fmt;

use elastiplan_metrics::{Better, METRICS, MetricInfo, Metrics, PAIR_METRICS, PairMetricInfo};
use elastiplan_model::{Workload, order};
use elastiplan_text::format;

use crate::goal::Goal;
use crate::goal::standing::{Candidate, Standing};
use crate::metric_text::{Difference, label};
use crate::of_jobs::OfJobs;
use crate::quantity::Quantity;
use crate::runs::{RunEntry, RunState};
use crate::verdict::names::Names;

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

/// Those for two runs, where metrics are rows and there is room for more.
const FIRST_OF_TWO: [&str; 14] = [
    "avg_jct_s",
    "p50_jct_s",
    "p99_jct_s",
    "p95_queueing_s",
    "deadline_satisfactory_ratio",
    "jobs_dropped",
    "jobs_failed",
    "jobs_cancelled",
    "jobs_unfinished",
    "makespan_s",
    "gpu_utilization",
    "cost_dollars",
    "rescale_gpu_s",
    "rescale_count",
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
    /// Which way is better.
    pub better: Better,
    /// Whether the goal is about it.
    pub is_goal: bool,
}

/// The value of a metric for a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunCell {
    /// As it is written; a dash where there is none.
    pub value: String,
    /// The value in the unit of its metric, by which runs are ordered; `None` where there is none.
    pub number: Option<f64>,
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
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// are not in the catalogue are left out. Metrics are of all jobs, or of some.
    pub fn of(entries: &[RunEntry], workload: &Workload, goal: &Goal, columns: &[&str], only: Option<&OfJobs>) -> Self {
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

    /// The slots of the runs, ordered by a column: the best first, or the worst. Runs without a value come last; without
    /// such a column, runs are in the order of their list.
    pub fn order(&self, key: &str, is_best_first: bool) -> Vec<usize> {
        let found = self.columns.iter().enumerate().find(|(_, column)| column.key == key);
        let number = |row: &RunRow| {
            let (at, column) = found?;
            let number = row.cells.get(at)?.number?;
            Some(if (column.better == Better::Lower) == is_best_first { number } else { -number })
        };
        let mut rows: Vec<(usize, f64)> =
            self.rows.iter().map(|row| (row.slot, number(row).unwrap_or(f64::INFINITY))).collect();
        if found.is_some() {
            order::sort_by_number(&mut rows, |(_, rank)| *rank);
        }
        rows.into_iter().map(|(slot, _)| slot).collect()
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
        let is_pair = entries.iter().filter(|entry| !entry.is_hidden).count() == 2;
        let first = if is_pair { &FIRST_OF_TWO[..] } else { &FIRST };
        let others = first.iter().copied().filter(|key| *key != goal_key).filter(says_something);
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
    Column { key: info.key, label: label(info), help: info.help, better: info.better, is_goal }
}

/// The cells of one metric, one for each shown run.
fn column(standing: &Standing<'_>, info: &MetricInfo, goal: &Goal) -> Vec<RunCell> {
    let quantity = Quantity::of_metric(info, Some(goal));
    let is_goal = info.key == goal.kind.key();
    let values: Vec<Option<f64>> = standing.shown.iter().map(|candidate| value(info, candidate)).collect();
    let value_of = |place: usize| values.get(place).copied().flatten();
    let best = best(standing, info, &quantity, value_of);
    let cell = |((place, candidate), text): ((usize, &Candidate<'_>), String)| RunCell {
        is_best: best.contains(&place),
        meets_goal: if is_goal { standing.meets(goal, place) } else { None },
        is_so_far: candidate.entry.is_running(),
        of: candidate.summary.filter(|_| text != format::DASH).and_then(|summary| words::of(info, summary)),
        difference: difference(standing, info, place, value_of),
        value: text,
        number: value_of(place),
    };
    standing.shown.iter().enumerate().zip(quantity.told_apart(&values)).map(cell).collect()
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
    quantity: &Quantity,
    value_of: impl Fn(usize) -> Option<f64>,
) -> Vec<usize> {
    if standing.is_running() || standing.ranked().count() < 2 {
        return Vec::new();
    }
    let values = standing.eligible(info.key).into_iter().filter_map(|place| Some((place, value_of(place)?)));
    quantity.best(&values.collect::<Vec<_>>(), info.better)
}

/// The difference from the baseline: a dash where there is none to show.
fn difference(
    standing: &Standing<'_>,
    info: &MetricInfo,
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
    let is_over_completed = elastiplan_metrics::OVER_COMPLETED.contains(&info.key);
    let is_judged = !is_over_completed || own.completes_as_baseline;
    Some(words::difference(info, value, from, is_judged).unwrap_or(none))
}

#[cfg(test)]
mod tests;
