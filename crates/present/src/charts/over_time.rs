//! A quantity of whole runs over time, a line for each policy.

use elastiplan_model::Workload;
use elastiplan_text::format;

use crate::charts::lines::{Quantity, RunLine, lines};
use crate::course::Course;
use crate::figure::Figure;
use crate::runs::{RunEntry, shown};

/// A line for every run that has a record.
pub fn over_time(course: Course, runs: &[RunEntry], workload: &Workload) -> Figure {
    let zero_s = workload.trace().start_s();
    let quantity = Quantity {
        name: course.name().into(),
        title: course.title().into(),
        scale: course.scale(),
        is_restless: matches!(course, Course::Throughput | Course::Goodput) || course.is_share(),
    };
    let run_lines = shown(runs).filter_map(|entry| {
        let run = &entry.result.as_ref()?.run;
        Some(RunLine::new(&quantity, entry, course.of(run, entry.workload(workload)), (run.start_s, run.end_s)))
    });
    let run_lines: Vec<RunLine> = run_lines.collect();
    let gpus = if course == Course::GpusInUse { capacity(runs) } else { None };
    lines(&quantity, &run_lines, (zero_s, zero_s), gpus.map(|gpus| (f64::from(gpus), format::gpus(gpus))))
}

/// The GPUs there are, where that never changes.
fn capacity(runs: &[RunEntry]) -> Option<u32> {
    let mut present = shown(runs).filter_map(|entry| Some(&entry.result.as_ref()?.run.series.gpus_present)).flatten();
    let first = present.next()?;
    present.all(|gpus| gpus == first).then_some(*first)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use elastiplan_engine::SpanState;

    use super::*;
    use crate::figure::Shape;
    use crate::testing::{sample_runs, trained_runs};

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
    fn every_quantity_has_a_picture_and_a_table() {
        let (plain, trained) = (sample_runs(&["fixed", "elastic-dp"]), trained_runs(&["fixed", "equal-share"]));
        let check = |(runs, workload): &(Vec<RunEntry>, Rc<Workload>), expected: usize| {
            assert_eq!(Course::all_of(workload).count(), expected);
            for course in Course::all_of(workload) {
                let figure = over_time(course, runs, workload);
                assert_eq!((figure.is_empty(), figure.table.rows.len()), (false, 21), "{course:?}");
            }
        };
        check(&plain, Course::ALL.len() - 2);
        check(&trained, Course::ALL.len());
    }
}
