//! A quantity over time, all policies over each other.

use elastiplan_engine::Run;
use elastiplan_metrics::{Line, Steps};
use elastiplan_model::Workload;
use elastiplan_scene::format;

use super::axis::{Axis, Scale};
use super::figure::{Figure, Guide, Series, Shape, corners, label_of, tone_of};
use super::table::{Cell, Column, Table};
use crate::course::{self, Course};
use crate::runs::RunEntry;
use crate::timeline::picture::short_name;

/// Rows of the table.
const ROWS: u32 = 20;
/// What changes with every change of every job is averaged over so many stretches of the run, where it would otherwise
/// be a block of ink.
const STRETCHES: u32 = 120;

impl Course {
    /// Its files, and the option of the menu.
    pub fn name(self) -> &'static str {
        match self {
            Course::GpusInUse => "gpus-in-use",
            Course::JobsWaiting => "jobs-waiting",
            Course::JobsRunning => "jobs-running",
            Course::JobsSubmitted => "jobs-submitted",
            Course::JobsAdmitted => "jobs-admitted",
            Course::JobsDropped => "jobs-dropped",
            Course::JobsCompleted => "jobs-completed",
            Course::Throughput => "throughput",
            Course::Efficiency => "cluster-efficiency",
            Course::RescaleCost => "rescale-cost",
            Course::PreemptionCost => "preemption-cost",
        }
    }

    fn scale(self) -> Scale {
        match self {
            Course::GpusInUse | Course::JobsWaiting | Course::JobsRunning => Scale::Count,
            Course::JobsSubmitted | Course::JobsAdmitted | Course::JobsDropped | Course::JobsCompleted => Scale::Count,
            Course::Efficiency => Scale::Percent,
            Course::Throughput | Course::RescaleCost | Course::PreemptionCost => Scale::Number,
        }
    }

    fn cell(self, value: f64) -> Cell {
        if self == Course::Efficiency { Cell::Percent(value) } else { Cell::Number(value) }
    }

    /// Whether it changes with every change of every job.
    fn is_restless(self) -> bool {
        matches!(self, Course::Throughput | Course::Efficiency)
    }
}

/// Steps as they are where they are few, else their means over stretches of the run.
fn averaged(steps: Steps<Option<f64>>, run: &Run) -> Values {
    if steps.time_s.len() <= STRETCHES as usize {
        return Values::Steps(steps);
    }
    Values::Means(means(&steps, run.start_s, run.end_s))
}

/// The mean over each stretch of the time for which there is a value.
fn means(steps: &Steps<Option<f64>>, from_s: f64, to_s: f64) -> Steps<Option<f64>> {
    let length_s = (to_s - from_s) / f64::from(STRETCHES);
    let ends = steps.time_s.iter().skip(1).copied().chain([to_s]);
    let mut held = steps.time_s.iter().copied().zip(ends).zip(&steps.value).peekable();
    let mean = |nth: u32| {
        let (start_s, end_s) = (from_s + f64::from(nth) * length_s, from_s + f64::from(nth + 1) * length_s);
        let (mut sum, mut known_s) = (0.0, 0.0);
        while let Some(((since_s, until_s), value)) = held.peek().copied() {
            let inside_s = (until_s.min(end_s) - since_s.max(start_s)).max(0.0);
            if let Some(value) = value {
                sum += value * inside_s;
                known_s += inside_s;
            }
            // What goes on belongs to the next stretch too.
            if until_s > end_s {
                break;
            }
            held.next();
        }
        (start_s, (known_s > 0.0).then(|| sum / known_s))
    };
    Steps::from_rows((0..STRETCHES).map(mean).collect::<Vec<_>>())
}

/// What a run has over time.
enum Values {
    /// Values that hold, some of them missing.
    Steps(Steps<Option<f64>>),
    /// The same, averaged.
    Means(Steps<Option<f64>>),
    /// A line.
    Line(Line),
}

impl Values {
    fn of(course: Course, run: &Run, workload: &Workload) -> Self {
        let steps = match course.of(run, workload) {
            course::Values::Line(line) => return Values::Line(line),
            course::Values::Steps(steps) => steps,
        };
        let unit = if course.scale() == Scale::Percent { 100.0 } else { 1.0 };
        let value = steps.value.into_iter().map(|value| value.map(|value| value * unit)).collect();
        let steps = Steps { time_s: steps.time_s, value };
        if course.is_restless() { averaged(steps, run) } else { Values::Steps(steps) }
    }

    fn at(&self, time_s: f64) -> Option<f64> {
        match self {
            Values::Steps(steps) | Values::Means(steps) => steps.at(time_s).flatten(),
            Values::Line(line) => line.at(time_s),
        }
    }

    fn most(&self) -> f64 {
        match self {
            Values::Steps(steps) | Values::Means(steps) => steps.value.iter().flatten().copied().fold(0.0, f64::max),
            Values::Line(line) => line.value.iter().copied().fold(0.0, f64::max),
        }
    }

    /// Corners from the first submission on, in pieces where values are missing.
    fn pieces(&self, zero_s: f64, end_s: f64) -> Vec<Vec<(f64, f64)>> {
        match self {
            Values::Line(line) => {
                let corners = line.time_s.iter().zip(&line.value);
                vec![corners.map(|(time_s, value)| (time_s - zero_s, *value)).collect()]
            }
            Values::Steps(steps) | Values::Means(steps) => {
                let rows: Vec<(f64, Option<f64>)> =
                    steps.time_s.iter().copied().zip(steps.value.iter().copied()).collect();
                let mut pieces = Vec::new();
                let mut begun = 0;
                for (at, (time_s, value)) in rows.iter().enumerate() {
                    if value.is_none() {
                        pieces.extend(piece(rows.get(begun..at), *time_s, zero_s));
                        begun = at + 1;
                    }
                }
                pieces.extend(piece(rows.get(begun..), end_s, zero_s));
                pieces
            }
        }
    }
}

/// The corners of values that follow each other.
fn piece(rows: Option<&[(f64, Option<f64>)]>, end_s: f64, zero_s: f64) -> Option<Vec<(f64, f64)>> {
    let (first, rest) = rows?.split_first()?;
    let steps = rest.iter().filter_map(|(time_s, value)| Some((time_s - zero_s, (*value)?)));
    Some(corners((first.0 - zero_s, first.1?), steps, end_s - zero_s))
}

/// What one run has.
struct Told<'a> {
    entry: &'a RunEntry,
    values: Values,
    start_s: f64,
    end_s: f64,
}

impl<'a> Told<'a> {
    fn of(course: Course, entry: &'a RunEntry, workload: &Workload) -> Option<Self> {
        let run = &entry.result.as_ref()?.run;
        Some(Self { entry, values: Values::of(course, run, workload), start_s: run.start_s, end_s: run.end_s })
    }
}

/// A line for every run that has a record.
pub fn over_time(course: Course, runs: &[RunEntry], workload: &Workload) -> Figure {
    let zero_s = workload.trace().start_s();
    let told: Vec<Told> = runs.iter().filter_map(|entry| Told::of(course, entry, workload)).collect();
    let most = told.iter().map(|told| told.values.most()).fold(0.0, f64::max);
    let end_s = told.iter().map(|told| told.end_s - zero_s).fold(0.0, f64::max);
    let gpus = if course == Course::GpusInUse { capacity(runs) } else { None };
    let series = |told: &Told| Series {
        label: label_of(told.entry),
        tone: tone_of(told.entry),
        shape: Shape::Line(told.values.pieces(zero_s, told.end_s)),
    };
    let peak = |told: &Told| format!("{} {}", label_of(told.entry), course.cell(told.values.most()).words());
    let peaks: Vec<String> = told.iter().map(peak).collect();
    Figure {
        name: course.name().into(),
        title: course.title().into(),
        summary: format!("{} over time, at most: {}", course.title(), peaks.join(", ")),
        x: Axis { to: end_s.max(1.0), ..Axis::from_zero(Scale::Time, end_s) },
        y: Axis::from_zero(course.scale(), most.max(gpus.unwrap_or(0.0))),
        series: told.iter().map(series).collect(),
        guides: gpus.map(|value| Guide::Level { value, label: format::gpus(value as u32) }).into_iter().collect(),
        paper: Vec::new(),
        notes: note(&told).into_iter().collect(),
        table: table(course, &told, zero_s, end_s),
    }
}

/// Over what lines are averaged, where one is.
fn note(told: &[Told]) -> Option<String> {
    let averaged = told.iter().filter(|told| matches!(told.values, Values::Means(_)));
    let lengths = averaged.map(|told| (told.end_s - told.start_s) / f64::from(STRETCHES));
    lengths.reduce(f64::max).map(|length_s| format!("Means over at most {}", format::duration(length_s)))
}

/// The GPUs there are, where that never changes.
fn capacity(runs: &[RunEntry]) -> Option<f64> {
    let mut present = runs.iter().filter_map(|entry| Some(&entry.result.as_ref()?.run.series.gpus_present)).flatten();
    let first = present.next()?;
    present.all(|gpus| gpus == first).then(|| f64::from(*first))
}

/// The values at times that are equally far from each other.
fn table(course: Course, told: &[Told], zero_s: f64, end_s: f64) -> Table {
    let heads = told.iter().map(|told| Column::new(label_of(told.entry), short_name(told.entry)));
    let row = |nth: u32| {
        let since_s = end_s * f64::from(nth) / f64::from(ROWS);
        let cell = |told: &Told| {
            let value = told.values.at(zero_s + since_s).filter(|_| zero_s + since_s <= told.end_s);
            value.map_or(Cell::Missing, |value| course.cell(value))
        };
        std::iter::once(Cell::Time(since_s)).chain(told.iter().map(cell)).collect()
    };
    Table {
        columns: std::iter::once(Column::new("Time", "time_s")).chain(heads).collect(),
        rows: if told.is_empty() { Vec::new() } else { (0..=ROWS).map(row).collect() },
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_engine::SpanState;

    use super::super::testing::sample_runs;
    use super::*;

    /// The height of a line, from its corners: the last one at or before.
    fn height(figure: &Figure, line: usize, at: f64) -> f64 {
        let Shape::Line(pieces) = &figure.series[line].shape else { panic!("not a line") };
        pieces.iter().flatten().take_while(|(x, _)| *x <= at).last().unwrap().1
    }

    #[test]
    fn counts_are_those_of_the_spans() {
        let (runs, workload) = sample_runs(&["fixed", "elastic-dp"]);
        let zero_s = workload.trace().start_s();
        let check = |course: Course, counted: fn(&elastiplan_engine::Span) -> f64| {
            let figure = over_time(course, &runs, &workload);
            for (line, entry) in runs.iter().enumerate() {
                let run = &entry.result.as_ref().unwrap().run;
                for at in (0..50).map(|part| (run.end_s - zero_s) * (f64::from(part) + 0.37) / 50.0) {
                    let spans = (0..run.spans.len()).filter_map(|at| run.spans.get(at));
                    let now = spans.filter(|span| (span.start_s..span.end_s).contains(&(zero_s + at)));
                    assert_eq!(
                        height(&figure, line, at),
                        now.map(|span| counted(&span)).sum::<f64>(),
                        "{course:?} {at}"
                    );
                }
            }
        };
        check(Course::GpusInUse, |span| f64::from(span.gpus));
        check(Course::JobsWaiting, |span| f64::from(u8::from(span.gpus == 0)));
        check(Course::JobsRunning, |span| f64::from(u8::from(span.gpus > 0)));
    }

    #[test]
    fn the_rescale_cost_ends_at_the_metric() {
        let (runs, workload) = sample_runs(&["elastic-dp"]);
        let figure = over_time(Course::RescaleCost, &runs, &workload);
        let Shape::Line(pieces) = &figure.series[0].shape else { panic!("not a line") };
        let spans = &runs[0].result.as_ref().unwrap().run.spans;
        let rescaling =
            (0..spans.len()).filter_map(|at| spans.get(at)).filter(|span| span.state == SpanState::Rescaling);
        let naive: f64 = rescaling.map(|span| f64::from(span.gpus) * (span.end_s - span.start_s) / 3600.0).sum();
        assert!((pieces[0].last().unwrap().1 - naive).abs() < 1e-9 * naive);
    }

    #[test]
    fn what_is_missing_leaves_a_gap() {
        let steps = Steps { time_s: vec![10.0, 20.0, 30.0, 40.0], value: vec![Some(1.0), Some(2.0), None, Some(3.0)] };
        let pieces = Values::Steps(steps).pieces(10.0, 50.0);
        assert_eq!(pieces, [vec![(0.0, 1.0), (10.0, 1.0), (10.0, 2.0), (20.0, 2.0)], vec![(30.0, 3.0), (40.0, 3.0)],]);
    }

    #[test]
    fn means_weigh_by_time_and_skip_what_is_missing() {
        let value = vec![Some(4.0), Some(8.0), None, Some(2.0)];
        let steps = Steps { time_s: vec![0.0, 0.25, 0.75, 2.5], value };
        let means = means(&steps, 0.0, f64::from(STRETCHES));
        assert_eq!(means.value, [Some((4.0 * 0.25 + 8.0 * 0.5) / 0.75), None, Some(2.0)]);
        assert_eq!(means.time_s, [0.0, 1.0, 2.0]);
    }

    #[test]
    fn every_quantity_has_a_picture_and_a_table() {
        let (runs, workload) = sample_runs(&["fixed", "elastic-dp"]);
        for course in Course::ALL {
            let figure = over_time(course, &runs, &workload);
            assert_eq!((figure.is_empty(), figure.table.rows.len()), (false, 21), "{course:?}");
        }
    }
}
