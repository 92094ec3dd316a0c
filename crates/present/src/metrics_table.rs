//! The metrics table as text: values, differences from the baseline, and which are best.

use elastiplan_metrics::{
    Better, Completions, Group, METRICS, MetricInfo, Metrics, PAIR_METRICS, PairMetricInfo, Summary, Unit,
};
use elastiplan_planner::PolicyRun;
use elastiplan_text::format;

use crate::comparable::{baseline, complete_the_same};
use crate::goal::standing::OVER_COMPLETED;
use crate::runs::{RunEntry, RunState};

/// The rows that are there at first, by key; some of them only where nodes come and go, fail or cost something.
const FIRST: [&str; 15] = [
    "avg_jct_s",
    "p50_jct_s",
    "p99_jct_s",
    "avg_queueing_s",
    "makespan_s",
    "deadline_satisfactory_ratio",
    "deadline_ratio_bound",
    "gpu_utilization",
    "equivalent_nodes",
    "cost_dollars",
    "rescale_gpu_s",
    "rescale_count",
    "preemption_count",
    "eviction_count",
    "lost_gpu_s",
];
/// The rows that come forward where a job did not complete.
const OUTCOMES: [&str; 5] = ["jobs_completed", "jobs_dropped", "jobs_failed", "jobs_cancelled", "jobs_unfinished"];

/// A difference from the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// As it is written.
    pub text: String,
    /// Whether it is good; `None` where it is neither good nor bad.
    pub is_better: Option<bool>,
}

/// One policy's value of one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// As it is written.
    pub value: String,
    /// Missing in the baseline's column.
    pub difference: Option<Difference>,
    /// Whether no policy has a better one.
    pub is_best: bool,
    /// Whether the run is still on its way.
    pub is_so_far: bool,
}

/// One metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub label: &'static str,
    /// Its definition.
    pub help: &'static str,
    /// One cell a policy.
    pub cells: Vec<Cell>,
}

/// The table: what is there at first, and everything, behind "All metrics". Metrics that tell of nothing in these runs
/// are in neither.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The rows that are there at first.
    pub first: Vec<Row>,
    /// All rows, by what they are about.
    pub groups: Vec<(Group, Vec<Row>)>,
}

impl Table {
    /// Makes it from runs of one workload. Hidden runs are left out.
    pub fn of(entries: &[RunEntry]) -> Self {
        let baseline = baseline(entries);
        let entries: Vec<&RunEntry> = entries.iter().filter(|entry| !entry.is_hidden).collect();
        let entries = Shown { entries: &entries, baseline };
        let Shown { entries: runs, .. } = entries;
        let results = || runs.iter().filter_map(|entry| entry.result.as_ref());
        let has_losses = results().any(|result| {
            let metrics = &result.summary.metrics;
            result.run.finished && metrics.jobs_completed < metrics.jobs_total
        });
        let outcomes = if has_losses { OUTCOMES.as_slice() } else { &[] };
        let shown: Vec<&str> = outcomes.iter().chain(&FIRST).copied().collect();
        let applies = |info: &&MetricInfo| info.is_shown_for(results().map(|result| &result.summary));
        let first = shown.iter().filter_map(|key| Metrics::info(key)).filter(applies).map(|info| row(info, entries));
        let all: Vec<&MetricInfo> = METRICS.iter().filter(applies).collect();
        let of_group = |infos: &[&MetricInfo]| {
            let group = infos.first()?.group;
            let pairs = PAIR_METRICS.iter().filter(|info| info.group == group && runs.len() > 1);
            let rows = infos.iter().map(|info| row(info, entries));
            Some((group, rows.chain(pairs.map(|info| pair_row(info, entries))).collect()))
        };
        let groups = all.chunk_by(|a, b| a.group == b.group).filter_map(of_group).collect();
        Self { first: first.collect(), groups }
    }
}

/// The runs that are not hidden, and the one with which the others are compared.
#[derive(Clone, Copy)]
struct Shown<'a> {
    entries: &'a [&'a RunEntry],
    baseline: Option<&'a RunEntry>,
}

impl<'a> Shown<'a> {
    fn is_baseline(&self, entry: &RunEntry) -> bool {
        self.baseline.is_some_and(|baseline| baseline.slot == entry.slot)
    }

    /// The record of the baseline, if it has finished.
    fn baseline_run(&self) -> Option<&'a PolicyRun> {
        self.baseline?.whole()
    }
}

/// The name, with the unit where the values do not carry it.
pub fn label(info: &MetricInfo) -> &'static str {
    match info.key {
        "gpu_hours" => "GPU-h held",
        "resource_integral_gpu_h" => "Resource integral, GPU-h",
        "resource_integral_node_h" => "Resource integral, node-h",
        "rescale_gpu_s" => "Rescale GPU-h",
        "preemption_gpu_s" => "Preemption GPU-h",
        "lost_gpu_s" => "Lost GPU-h",
        "rescale_cost_samples" => "Rescale cost, samples",
        "preemption_cost_samples" => "Preemption cost, samples",
        "throughput_samples_per_s" => "Throughput, samples/s",
        "goodput_samples_per_s" => "Goodput, samples/s",
        "cost_dollars" => "Cost, $",
        _ => info.label,
    }
}

fn row(info: &MetricInfo, shown: Shown<'_>) -> Row {
    let values: Vec<Option<f64>> = shown.entries.iter().map(|entry| value(info, entry)).collect();
    let best = best(info, shown, &values);
    let cell = |(place, entry): (usize, &&RunEntry)| {
        let summary = entry.result.as_ref().map(|result| &result.summary);
        let own = values.get(place).copied().flatten();
        let text = match (own, summary) {
            (Some(value), Some(summary)) => written(info, value, summary),
            _ => format::DASH.into(),
        };
        let is_whole = entry.state == RunState::Finished;
        let pair = shown.baseline_run().zip(entry.result.as_ref());
        let difference = match (shown.is_baseline(entry), pair) {
            (true, _) => None,
            (false, Some((baseline, result))) if is_whole => Some(difference(info, result, baseline)),
            _ => Some(Difference { text: format::DASH.into(), is_better: None }),
        };
        let is_best = is_whole && best.as_ref().is_some_and(|(best, places)| *best == text && places.contains(&place));
        Cell { value: text, difference, is_best, is_so_far: entry.is_running() }
    };
    Row { label: label(info), help: info.help, cells: shown.entries.iter().enumerate().map(cell).collect() }
}

/// The row of a metric that compares a run with the baseline: a dash for the baseline itself, and until both have
/// finished.
fn pair_row(info: &PairMetricInfo, shown: Shown<'_>) -> Row {
    let completions = |entry: &RunEntry| entry.whole().map(|whole| Completions::of(&whole.run));
    let baseline = shown.baseline.and_then(completions);
    let cell = |entry: &&RunEntry| {
        let is_baseline = shown.is_baseline(entry);
        let pair = baseline.as_ref().filter(|_| !is_baseline).zip(completions(entry));
        let value = pair.and_then(|(baseline, own)| (info.value)(&own, baseline));
        let difference = (!is_baseline).then(|| Difference { text: format::DASH.into(), is_better: None });
        let value = format::or_dash(value, |value| format::signed_count(value as i64));
        Cell { value, difference, is_best: false, is_so_far: entry.is_running() }
    };
    Row { label: info.label, help: info.help, cells: shown.entries.iter().map(cell).collect() }
}

/// The value, where there is one that may be shown: a stopped run has none of what needs all jobs.
pub fn value(info: &MetricInfo, entry: &RunEntry) -> Option<f64> {
    let is_stopped = matches!(entry.state, RunState::Cancelled | RunState::Failed(_));
    let result = entry.result.as_ref().filter(|_| !(is_stopped && info.needs_all_jobs))?;
    (info.value)(&result.summary.metrics)
}

/// The best value as it is written, so that what looks the same counts as the same, and the places of the runs that may
/// have it.
fn best(info: &MetricInfo, shown: Shown<'_>, values: &[Option<f64>]) -> Option<(String, Vec<usize>)> {
    let whole = || shown.entries.iter().enumerate().filter_map(|(place, entry)| Some((place, entry.whole()?)));
    let completed = |run: &PolicyRun| run.summary.metrics.jobs_completed;
    let (_, most) = whole().max_by_key(|(place, run)| (completed(run), std::cmp::Reverse(*place)))?;
    let counts = |run: &PolicyRun| !OVER_COMPLETED.contains(&info.key) || complete_the_same(&most.run, &run.run);
    let value = |place: usize| values.get(place).copied().flatten();
    let counted = whole().filter(|(_, run)| counts(run));
    let candidates: Vec<(f64, usize, &PolicyRun)> =
        counted.filter_map(|(place, run)| Some((value(place)?, place, run))).collect();
    if candidates.len() < 2 {
        return None;
    }
    let places = candidates.iter().map(|(_, place, _)| *place).collect();
    let (value, _, run) = match info.better {
        Better::Lower => candidates.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))?,
        Better::Higher => candidates.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?,
        Better::Neither => return None,
    };
    Some((written(info, value, &run.summary), places))
}

/// A value as it is written.
pub fn written(info: &MetricInfo, value: f64, summary: &Summary) -> String {
    // Of how many is the same for all policies, and stands in the verdict.
    match (info.key, summary.deadlines_possible) {
        ("deadline_satisfactory_ratio", _) => return format::count(summary.deadlines_met),
        ("deadline_ratio_bound", Some(most)) => return format::count(most),
        _ => {}
    }
    match info.unit {
        Unit::Count => format::count(value as u64),
        Unit::Seconds => format::duration(value),
        Unit::GpuHours | Unit::NodeHours | Unit::Nodes | Unit::Jobs => format::number(value),
        Unit::Samples | Unit::SamplesPerSecond | Unit::Factor | Unit::Dollars => format::number(value),
        Unit::GpuSeconds => format::number(value / 3600.0),
        Unit::Ratio => format::percent(value),
    }
}

fn difference(info: &MetricInfo, result: &PolicyRun, base: &PolicyRun) -> Difference {
    let (summary, baseline) = (&result.summary, &base.summary);
    let none = || Difference { text: format::DASH.into(), is_better: None };
    let (Some(value), Some(from)) = ((info.value)(&summary.metrics), (info.value)(&baseline.metrics)) else {
        return none();
    };
    let text = match (info.key, info.unit, info.better) {
        (_, _, Better::Neither) => return none(),
        (key, ..) if OVER_COMPLETED.contains(&key) && !complete_the_same(&result.run, &base.run) => return none(),
        ("deadline_satisfactory_ratio", ..) => {
            format::signed_count(summary.deadlines_met as i64 - baseline.deadlines_met as i64)
        }
        (_, Unit::Ratio, _) => format::points(value - from),
        (_, Unit::Count, _) => format::signed_count(value as i64 - from as i64),
        _ => format::change(value, from),
    };
    let is_nothing = !text.contains(|c: char| ('1'..='9').contains(&c));
    if is_nothing {
        return none();
    }
    let is_better = (value != from).then_some((value < from) == (info.better == Better::Lower));
    Difference { text, is_better }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use elastiplan_planner::run;
    use elastiplan_scenario::sample;

    use super::*;

    fn entries(policies: &[&str]) -> Vec<RunEntry> {
        let scenario = sample::scenario(sample::SEED);
        let (workload, _) = scenario.workload();
        let entry = |(slot, policy): (usize, &&str)| {
            let policy: elastiplan_policies::PolicySpec = policy.parse().unwrap();
            RunEntry::finished(slot, run(&scenario, &workload, &policy).unwrap())
        };
        policies.iter().enumerate().map(entry).collect()
    }

    #[test]
    fn the_baseline_has_values_only_and_the_others_differences() {
        let table = Table::of(&entries(&["fixed", "elastic-dp"]));
        assert_eq!(table.first.len(), 11, "every job completes on nodes that stay: no rows about anything else");
        let all: Vec<&Row> = table.groups.iter().flat_map(|(_, rows)| rows).collect();
        assert!(table.first.iter().all(|row| all.contains(&row)));
        assert!(!all.iter().any(|row| row.label == "Evictions"), "no node left");
        let headings: Vec<&str> = table.groups.iter().map(|(group, _)| group.label()).collect();
        assert_eq!(headings, ["Completion", "Deadlines", "Resources", "Changes", "Progress", "Fairness"]);
        let mean = &table.first[0];
        assert_eq!(mean.cells[0].difference, None);
        assert_eq!(mean.cells[1].difference.as_ref().unwrap().is_better, Some(true));
        assert!(mean.cells[1].is_best && !mean.cells[0].is_best);
        let rescales = &table.first[9];
        assert_eq!(rescales.cells[1].difference.as_ref().unwrap().text, format::DASH);
    }

    #[test]
    fn additional_jobs_are_of_the_others_beside_the_baseline() {
        let row = |entries: &[RunEntry]| {
            let table = Table::of(entries);
            let mut all = table.groups.into_iter().flat_map(|(_, rows)| rows);
            all.find(|row| row.label == "Additional jobs")
        };
        let mut runs = entries(&["fixed", "elastic-dp", "fixed"]);
        let values = |row: Row| row.cells.into_iter().map(|cell| cell.value).collect::<Vec<_>>();
        let shown = values(row(&runs).unwrap());
        // The sample has 48 jobs: it is counted when the last one ends.
        let run = |slot: usize| Completions::of(&runs[slot].result.as_ref().unwrap().run);
        let wanted = run(1).additional_to(&run(0), 100).unwrap();
        assert_eq!(shown, [format::DASH.to_string(), format::signed_count(wanted as i64), "0".into()]);
        runs[1].state = RunState::Cancelled;
        assert_eq!(values(row(&runs).unwrap())[1], format::DASH);
        assert!(row(&runs[..1]).is_none());
    }

    #[test]
    fn ties_are_all_best_and_one_policy_has_no_best() {
        let table = Table::of(&entries(&["fixed", "fixed"]));
        assert!(table.first[0].cells.iter().all(|cell| cell.is_best));
        let table = Table::of(&entries(&["fixed"]));
        assert!(table.first[0].cells.iter().all(|cell| !cell.is_best && cell.difference.is_none()));
    }

    #[test]
    fn a_stopped_run_shows_dashes() {
        let mut entries = entries(&["fixed", "elastic-dp"]);
        entries[1].state = RunState::Cancelled;
        let table = Table::of(&entries);
        let runs = table.first.iter().filter(|row| row.label != "Deadlines achievable (upper bound)");
        assert!(runs.clone().count() > 0, "what holds for any policy is known all the same");
        assert!(runs.clone().all(|row| row.cells[1].value == format::DASH && !row.cells[1].is_best));
    }

    #[test]
    fn times_of_other_jobs_are_not_compared() {
        let mut entries = entries(&["fixed", "elastic-dp"]);
        let mut dropping = PolicyRun::clone(entries[0].result.as_ref().unwrap());
        dropping.summary.metrics.jobs_completed = 40;
        dropping.run.jobs.outcome[..8].fill(elastiplan_engine::Outcome::Dropped);
        dropping.summary.metrics.avg_jct_s = Some(1.0);
        entries[0].result = Some(Rc::new(dropping));
        let table = Table::of(&entries);
        let mean = table.first.iter().find(|row| row.label == "Mean completion").unwrap();
        assert_eq!(mean.cells[1].difference.as_ref().unwrap().text, format::DASH);
        assert!(!mean.cells[0].is_best, "a mean over fewer jobs wins nothing");
        assert_eq!(table.first[0].label, "Completed");
    }

    #[test]
    fn hidden_runs_are_left_out_and_slots_are_no_places() {
        let mut runs = entries(&["elastic-dp", "fixed", "equal-share"]);
        let alone = Table::of(&[runs[0].clone(), RunEntry { slot: 1, ..runs[2].clone() }]);
        runs[1].is_hidden = true;
        assert_eq!(Table::of(&runs), alone);
    }
}
