//! How a time spreads over jobs, or over decisions: for each run, the share of all at or below each value.

use elastiplan_metrics::{Distribution, JobMetrics, completion_distribution, waiting_distribution};
use elastiplan_model::{Workload, order};
use elastiplan_text::format;

use crate::figure::axis::{Axis, Scale, Spacing};
use crate::figure::table::{Cell, Column, Table};
use crate::figure::{Figure, PaperMark, Series, Shape, corners, label_of};
use crate::paper::{Paper, note};
use crate::runs::{RunEntry, shown};

/// The axis reaches to this share of the slowest policy's completed jobs, where its last few would squash the rest.
const TAIL_SHARE: f64 = 0.99;
/// But to the very last job if that is at most this much farther.
const TAIL_NEAR: f64 = 1.25;
/// From this ratio between the two on, values are shown on a logarithmic axis: the last of the shares below, of all
/// values above 0, over the first.
const WIDE: f64 = 24.0;
const SPREAD_SHARES: (f64, f64) = (0.1, 0.95);
/// A logarithmic axis begins where this share of all jobs has passed: a few jobs of no length do not stretch it.
const HEAD_SHARE: f64 = 0.005;
/// The rows of the table, in percent of all jobs: tenths, and the tail, which is what users are promised.
const PERCENT: [u32; 12] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100];
/// Metrics of papers that lie on the line, with their height.
const PERCENTILES: [(&str, f64); 3] = [("p50_jct_s", 50.0), ("p95_jct_s", 95.0), ("p99_jct_s", 99.0)];

/// The distributed quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// Completion minus submission.
    #[default]
    Completion,
    /// Time without GPUs.
    Waiting,
    /// Completion time over that on an equal share of the cluster.
    Fairness,
    /// The measured time of a decision, where decisions were timed. As in Figure 16 of ModelArts.
    Decision,
}

impl Spread {
    /// All of them, in the order of the menu.
    pub const ALL: [Spread; 4] = [Spread::Completion, Spread::Waiting, Spread::Fairness, Spread::Decision];

    /// The quantity with its unit.
    pub fn title(self) -> &'static str {
        match self {
            Spread::Completion => "Completion time, % of jobs",
            Spread::Waiting => "Waiting time, % of jobs",
            Spread::Fairness => "Finish-time fairness ρ, % of jobs",
            Spread::Decision => "Decision time in ms, % of decisions",
        }
    }

    /// The name of its files and of its option in the menu.
    pub fn name(self) -> &'static str {
        match self {
            Spread::Completion => "completion-times",
            Spread::Waiting => "waiting-times",
            Spread::Fairness => "finish-time-fairness",
            Spread::Decision => "decision-times",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Spread::Completion => "Half of the jobs complete within: ",
            Spread::Waiting => "Half of the jobs wait at most: ",
            Spread::Fairness => "Half of the jobs have a finish-time fairness of at most: ",
            Spread::Decision => "Half of the decisions took at most, in ms: ",
        }
    }

    fn scale(self, spacing: Spacing) -> Scale {
        match (self.is_time(), spacing) {
            (true, Spacing::Linear) => Scale::Time,
            (true, Spacing::Log) => Scale::LogTime,
            (false, Spacing::Linear) => Scale::Number,
            (false, Spacing::Log) => Scale::LogNumber,
        }
    }

    fn cell(self, value: f64) -> Cell {
        if self.is_time() { Cell::Time(value) } else { Cell::Number(value) }
    }

    fn key(self, entry: &RunEntry) -> String {
        let unit = match self {
            Spread::Completion | Spread::Waiting => "s",
            Spread::Fairness => "rho",
            Spread::Decision => "ms",
        };
        format!("{}_{unit}", entry.name())
    }

    /// Whether it is a time on the clock of the trace.
    fn is_time(self) -> bool {
        matches!(self, Spread::Completion | Spread::Waiting)
    }

    /// The column of the shares.
    fn of_what(self) -> Column {
        match self {
            Spread::Decision => ("Decisions", "decisions_percent").into(),
            _ => ("Jobs", "jobs_percent").into(),
        }
    }

    fn of(self, entry: &RunEntry, workload: &Workload) -> Option<Distribution> {
        let result = entry.result.as_ref()?;
        let (run, workload) = (&result.run, entry.workload(workload));
        Some(match self {
            Spread::Completion => completion_distribution(run, workload.trace()),
            Spread::Waiting => waiting_distribution(run),
            Spread::Fairness => stepped(JobMetrics::of(run, workload).rho),
            Spread::Decision => {
                let took_ms = &result.decision_times.as_ref()?.longest_ms;
                stepped(took_ms.iter().map(|ms| Some(f64::from(*ms))).collect())
            }
        })
    }
}

/// The shares of values, of which some are missing.
fn stepped(values: Vec<Option<f64>>) -> Distribution {
    let total = values.len() as f64;
    let mut known: Vec<f64> = values.into_iter().flatten().collect();
    order::sort_by_number(&mut known, |value| *value);
    let mut steps = Distribution::default();
    for (at, value) in known.iter().enumerate() {
        if known.get(at + 1) != Some(value) {
            steps.values.push(*value);
            steps.shares.push((at + 1) as f64 / total);
        }
    }
    steps
}

/// The value within which `share` of all jobs lie; `None` if fewer do.
fn value_at(steps: &Distribution, share: f64) -> Option<f64> {
    // Shares are quotients of counts: a little less is still all of them.
    let at = steps.shares.partition_point(|&reached| reached < share - 1e-9);
    steps.values.get(at).copied()
}

/// The end of the axis, which shows nearly all of every line. `None` if no job has completed.
fn reach(lines: &[(&RunEntry, Distribution)]) -> Option<f64> {
    let last = lines.iter().filter_map(|(_, steps)| steps.values.last().copied()).reduce(f64::max)?;
    let tails = lines.iter().filter_map(|(_, steps)| value_at(steps, steps.shares.last()? * TAIL_SHARE));
    let tail = tails.reduce(f64::max)?;
    Some(if last <= tail * TAIL_NEAR { last } else { tail })
}

/// A share of the values above 0 of a line.
fn positive_at(steps: &Distribution, share: f64) -> Option<f64> {
    let first = steps.values.partition_point(|value| *value <= 0.0);
    let below = first.checked_sub(1).and_then(|last| steps.shares.get(last)).unwrap_or(&0.0);
    value_at(steps, below + (steps.shares.last()? - below) * share)
}

/// Whether the values of some line spread so far that most of them would lie at the left end of a linear axis.
fn is_wide(lines: &[(&RunEntry, Distribution)]) -> bool {
    lines.iter().any(|(_, steps)| {
        let ends = positive_at(steps, SPREAD_SHARES.0).zip(positive_at(steps, SPREAD_SHARES.1));
        ends.is_some_and(|(low, high)| low > 0.0 && high >= low * WIDE)
    })
}

/// A logarithmic axis over nearly all values above 0; `None` where there are none.
fn log_axis(spread: Spread, lines: &[(&RunEntry, Distribution)]) -> Option<Axis> {
    let ends = |(_, steps): &(&RunEntry, Distribution)| {
        [positive_at(steps, HEAD_SHARE), steps.values.last().copied()].into_iter().flatten()
    };
    Axis::log(spread.scale(Spacing::Log), lines.iter().flat_map(ends))
}

/// The lines of all runs shown that have a record. `spacing`: of the axis across; `None` for a logarithmic one where
/// values spread far.
pub fn distribution(
    spread: Spread,
    runs: &[RunEntry],
    workload: &Workload,
    paper: &Paper,
    spacing: Option<Spacing>,
) -> Figure {
    let lines: Vec<(&RunEntry, Distribution)> =
        shown(runs).filter_map(|entry| Some((entry, spread.of(entry, workload)?))).collect();
    let reach = reach(&lines);
    let is_log = spacing.map_or_else(|| is_wide(&lines), |spacing| spacing == Spacing::Log);
    let log = is_log.then(|| log_axis(spread, &lines)).flatten();
    let x = log.unwrap_or_else(|| Axis::from_zero(spread.scale(Spacing::Linear), reach.unwrap_or(1.0)));
    let paper = if spread == Spread::Completion { paper_marks(paper, runs) } else { Vec::new() };
    let series = |(entry, steps): &(&RunEntry, Distribution)| {
        // What lies left of the axis is counted at its beginning.
        let first = steps.values.partition_point(|value| *value <= x.from);
        let start = first.checked_sub(1).and_then(|last| steps.shares.get(last)).unwrap_or(&0.0);
        let rises = steps.values.iter().zip(&steps.shares).map(|(value, share)| (*value, share * 100.0));
        let line = reach.map(|_| corners((x.from, start * 100.0), rises.skip(first), x.to));
        Series::of(entry, Shape::Line(line.into_iter().collect()))
    };
    let middle = |(entry, steps): &(&RunEntry, Distribution)| {
        let median = format::or_dash(value_at(steps, 0.5), |value| spread.cell(value).words());
        format!("{} {median}", label_of(entry))
    };
    let middles: Vec<String> = lines.iter().map(middle).collect();
    Figure {
        name: spread.name().into(),
        title: spread.title().into(),
        summary: format!("{}{}", spread.summary(), middles.join(", ")),
        series: lines.iter().map(series).collect(),
        notes: note(&paper).into_iter().collect(),
        paper,
        table: table(spread, &lines),
        x,
        y: Axis::percent(),
        ..Figure::default()
    }
}

fn paper_marks(paper: &Paper, runs: &[RunEntry]) -> Vec<PaperMark> {
    let marks = |entry| PERCENTILES.into_iter().filter_map(move |(metric, y)| paper.mark(metric, entry, runs, y));
    shown(runs).flat_map(marks).collect()
}

/// Within which value each tenth of all jobs lies, and all but the last 5 and 1 %.
fn table(spread: Spread, lines: &[(&RunEntry, Distribution)]) -> Table {
    let heads = lines.iter().map(|(entry, _)| (label_of(entry), spread.key(entry)).into());
    let row = |percent: u32| {
        let cell = |(_, steps): &(&RunEntry, Distribution)| {
            value_at(steps, f64::from(percent) / 100.0).map_or(Cell::Missing, |value| spread.cell(value))
        };
        let head = Cell::Written(percent.into(), format!("{percent}%"));
        std::iter::once(head).chain(lines.iter().map(cell)).collect()
    };
    Table::new(std::iter::once(spread.of_what()).chain(heads), PERCENT.into_iter().map(row))
}

#[cfg(test)]
mod tests {
    use elastiplan_engine::Outcome;
    use elastiplan_planner::DecisionTimes;

    use super::*;
    use crate::figure::Tone;
    use crate::figure::table::Copied;
    use crate::testing::{entries, sample_runs};

    fn of(spread: Spread) -> (Vec<RunEntry>, std::rc::Rc<Workload>, Figure) {
        let (runs, workload) = sample_runs(&["fixed", "elastic-dp"]);
        let figure = distribution(spread, &runs, &workload, &Paper::default(), Some(Spacing::Linear));
        (runs, workload, figure)
    }

    /// The share of jobs at or below `at`, counted one by one.
    fn counted(values: &[Option<f64>], at: f64) -> f64 {
        values.iter().filter(|value| value.is_some_and(|value| value <= at)).count() as f64 / values.len() as f64
            * 100.0
    }

    fn height(figure: &Figure, line: usize, at: f64) -> f64 {
        let Shape::Line(pieces) = &figure.series[line].shape else { panic!("not a line") };
        pieces[0].iter().take_while(|(x, _)| *x <= at).last().unwrap().1
    }

    #[test]
    fn lines_are_counts_of_jobs() {
        let values = |spread: Spread, entry: &RunEntry, workload: &Workload| -> Vec<Option<f64>> {
            let run = &entry.result.as_ref().unwrap().run;
            let metrics = JobMetrics::of(run, workload);
            match spread {
                Spread::Completion => metrics.jct_s,
                Spread::Fairness => metrics.rho,
                Spread::Waiting => {
                    let pairs = run.jobs.queueing_s.iter().zip(&run.jobs.outcome);
                    pairs.map(|(wait_s, outcome)| (*outcome == Outcome::Completed).then_some(*wait_s)).collect()
                }
                Spread::Decision => unreachable!("of decisions"),
            }
        };
        for spread in [Spread::Completion, Spread::Waiting, Spread::Fairness] {
            let (runs, workload, figure) = of(spread);
            for (line, entry) in runs.iter().enumerate() {
                let values = values(spread, entry, &workload);
                for at in (0..=20).map(|part| figure.x.to * f64::from(part) / 20.0) {
                    assert!((height(&figure, line, at) - counted(&values, at)).abs() < 1e-9, "{spread:?} {line} {at}");
                }
            }
        }
    }

    #[test]
    fn the_table_says_when_each_tenth_and_the_tail_have_completed() {
        let (_, _, figure) = of(Spread::Completion);
        let text = figure.table.copied(Copied::Tsv);
        assert!(text.starts_with("jobs_percent\tfixed_s\telastic-dp_s\n10\t"), "{text}");
        let percent: Vec<&str> = text.lines().skip(1).filter_map(|row| row.split('\t').next()).collect();
        assert_eq!(percent, ["10", "20", "30", "40", "50", "60", "70", "80", "90", "95", "99", "100"]);
        let of_label: Vec<&str> = figure.series.iter().map(|series| series.label.as_str()).collect();
        assert_eq!(of_label, ["A fixed", "B elastic-dp"]);
        assert!(figure.summary.starts_with("Half of the jobs complete within: A fixed "), "{}", figure.summary);
    }

    #[test]
    fn decisions_are_counted_where_they_were_timed() {
        let (mut runs, workload) = sample_runs(&["fixed", "elastic-dp"]);
        let timed = runs[1].result.as_mut().and_then(std::rc::Rc::get_mut).unwrap();
        let mut times = DecisionTimes::default();
        times.longest_ms = vec![0.5, 4.0, 0.5, 2.0];
        timed.decision_times = Some(times);
        let figure = distribution(Spread::Decision, &runs, &workload, &Paper::default(), Some(Spacing::Linear));
        assert_eq!(figure.summary, "Half of the decisions took at most, in ms: B elastic-dp 0.5");
        assert_eq!([0.5, 2.0, 4.0].map(|ms| height(&figure, 0, ms)), [50.0, 75.0, 100.0]);
        assert!(figure.table.copied(Copied::Tsv).starts_with("decisions_percent\telastic-dp_ms\n10\t0.5\n"));
    }

    #[test]
    fn a_logarithmic_axis_shows_the_same_shares() {
        for spread in [Spread::Completion, Spread::Waiting, Spread::Fairness] {
            let (runs, workload, linear) = of(spread);
            let log = distribution(spread, &runs, &workload, &Paper::default(), Some(Spacing::Log));
            assert_eq!(log.x.scale.spacing(), Spacing::Log, "{spread:?}");
            assert_eq!(log.table, linear.table);
            for line in 0..2 {
                // From where both axes have begun.
                for at in (1..=20).map(|part| linear.x.to.min(log.x.to) * f64::from(part) / 20.0) {
                    let at = at.max(log.x.from);
                    let apart = height(&log, line, at) - height(&linear, line, at);
                    assert!(apart.abs() < 1e-9, "{spread:?} {line} {at} {apart}");
                }
                let Shape::Line(pieces) = &log.series[line].shape else { panic!("not a line") };
                assert!(pieces[0].iter().all(|(x, _)| (log.x.from..=log.x.to).contains(x)), "{spread:?}");
            }
        }
    }

    #[test]
    fn the_axis_is_logarithmic_where_values_spread_far() {
        let check = |values: Vec<f64>, expected: bool| {
            let entries = entries(&["fixed"]);
            let steps = stepped(values.into_iter().map(Some).collect());
            assert_eq!(is_wide(&[(&entries[0], steps)]), expected);
        };
        check((1..=100).map(f64::from).collect(), false);
        check((1..=100).map(|at| f64::from(at).powi(3)).collect(), true);
        // Waiting times of 0 have no place on such an axis, and do not decide.
        check((0..=100).map(|at| if at < 50 { 0.0 } else { f64::from(at) }).collect(), false);
        check(vec![0.0; 9], false);
        check(Vec::new(), false);
    }

    #[test]
    fn hidden_runs_have_no_line_and_no_mark() {
        let (mut runs, workload, _) = of(Spread::Completion);
        runs[0].is_hidden = true;
        let figure = distribution(Spread::Completion, &runs, &workload, &Paper::default(), None);
        let labels: Vec<&str> = figure.series.iter().map(|series| series.label.as_str()).collect();
        assert_eq!((labels, figure.table.columns.len()), (vec!["B elastic-dp"], 2));
    }

    #[test]
    fn the_axis_ends_after_the_last_job_if_that_is_near() {
        let check = |values: Vec<f64>, expected: std::ops::Range<f64>| {
            let entries = entries(&["fixed"]);
            let steps = stepped(values.into_iter().map(Some).collect());
            let reach = reach(&[(&entries[0], steps)]).unwrap();
            assert!(expected.contains(&reach), "{reach}");
        };
        check(vec![600.0, 3500.0], 3500.0..3501.0);
        // A long tail does not squash the plot.
        check((1..=999).map(f64::from).chain([1e6]).collect(), 980.0..1500.0);
    }

    #[test]
    fn nothing_completed_is_empty() {
        let none = (entries(&["fixed"]), sample_runs(&[]).1);
        let figure = distribution(Spread::Completion, &none.0, &none.1, &Paper::default(), None);
        assert!(figure.is_empty() && figure.table.columns.len() == 1);
        assert_eq!(value_at(&Distribution::default(), 0.1), None);
    }

    #[test]
    fn percentiles_count_jobs_that_never_complete() {
        let half = Distribution { values: vec![60.0, 120.0], shares: vec![0.25, 0.5] };
        assert_eq!(value_at(&half, 0.5), Some(120.0));
        assert_eq!(value_at(&half, 0.6), None);
    }

    #[test]
    fn tones_are_those_of_the_policies() {
        let (_, _, figure) = of(Spread::Waiting);
        let tones: Vec<Tone> = figure.series.iter().map(|series| series.tone).collect();
        assert_eq!(tones, [Tone::Policy(0), Tone::Policy(1)]);
    }
}
