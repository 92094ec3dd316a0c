//! Stacked GPUs, against a sum over all spans.

use elastiplan_engine::{Run, SpanState};
use elastiplan_model::{JobId, Trace};
use elastiplan_scene::{
    Banding, Frame, Mark, ModelSlots, Paint, Phase, Rows, Stack, StackBy, StackStrip, TimeScale, TimeWindow,
};
use proptest::prelude::*;

use crate::fixture::{Preempted, Running, Told, Waiting, every_state, job, many, told};
use crate::properties::{any_run, any_window, check_inside};

/// GPU-time that the jobs of a band hold within an interval, by its length: the slow way.
fn naive_mean(run: &Run, trace: &Trace, banding: &Banding, band: usize, from_s: f64, to_s: f64) -> f64 {
    let jobs = (0..trace.jobs().len() as u32).map(JobId);
    let spans = jobs.filter(|&job| banding.band_of(job, run, trace) == Some(band)).flat_map(|job| run.spans.of(job));
    let holds = |state| matches!(state, SpanState::Running | SpanState::Rescaling | SpanState::Recovering);
    let held = spans.filter(|span| holds(span.state));
    let area: f64 =
        held.map(|span| (span.end_s.min(to_s) - span.start_s.max(from_s)).max(0.0) * f64::from(span.gpus)).sum();
    area / (to_s - from_s)
}

fn any_grouping() -> impl Strategy<Value = StackBy> {
    prop::sample::select(StackBy::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn means_are_those_of_all_spans(
        (trace, run) in any_run(),
        by in any_grouping(),
        intervals in prop::collection::vec((-100.0..4_000.0_f64, prop_oneof![1e-3..1.0_f64, 1.0..3_000.0_f64]), 1..8),
    ) {
        let (slots, rows) = (ModelSlots::new(&trace), Rows::by_submission(&trace));
        let banding = Banding::new(&trace, &slots, by, &[&run], rows.jobs());
        let stack = Stack::of(&run, &trace, &banding, rows.jobs());
        for (from_s, length_s) in intervals {
            let to_s = from_s + length_s;
            for band in 0..banding.bands().len() {
                let expected = naive_mean(&run, &trace, &banding, band, from_s, to_s);
                let mean = stack.mean_gpus(band, from_s, to_s);
                prop_assert!((mean - expected).abs() < 1e-6, "band {band}, {from_s} to {to_s}: {mean}, not {expected}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The top of each band in each pixel column is the sum of the means below it, to half a pixel; where a band is
    /// seen, it is hit.
    #[test]
    fn columns_are_means_and_bands_are_hit(
        (trace, run) in any_run(),
        by in any_grouping(),
        window in any_window(),
        (width, height) in (1.0..160.0_f64, 1.0..90.0_f64),
    ) {
        let (slots, rows) = (ModelSlots::new(&trace), Rows::by_submission(&trace));
        let banding = Banding::new(&trace, &slots, by, &[&run], rows.jobs());
        let stack = Stack::of(&run, &trace, &banding, rows.jobs());
        let frame = Frame { left: 48.0, top: 3.0, width: width.floor(), height: height.floor() };
        let gpus_top = run.series.gpus_in_use.iter().max().copied().unwrap_or(0).max(1);
        let phase = Phase::Finished;
        let strip = StackStrip { run: &run, trace: &trace, banding: &banding, stack: &stack, gpus_top, frame, window, phase, selected: None };
        let list = strip.draw();
        check_inside(&list, &frame)?;
        let scale = TimeScale::over(window, &frame);
        let rects: Vec<(Frame, Paint)> = list.marks.iter().filter_map(|mark| match mark {
            Mark::Rect { frame, paint, .. } => Some((*frame, *paint)),
            _ => None,
        }).collect();
        for column in 0..frame.width as usize {
            let x = frame.left + column as f64;
            let (from_s, to_s) = (scale.time_at(x), scale.time_at(x + 1.0));
            let (mut sum, mut seen_px) = (0.0, 0.0);
            for (at, band) in banding.bands().iter().enumerate() {
                sum += naive_mean(&run, &trace, &banding, at, from_s, to_s);
                let here = rects.iter().find(|(rect, paint)| rect.contains(x, rect.top) && *paint == band.paint);
                if let Some((rect, _)) = here {
                    prop_assert_eq!(rect.bottom(), frame.bottom() - seen_px, "bands touch");
                    seen_px += rect.height;
                    let hit = strip.hit(x + 0.5, rect.top + 0.5).expect("the point is in the plot");
                    prop_assert_eq!(hit.band, Some(at));
                }
                let expected_px = sum / f64::from(gpus_top) * frame.height;
                prop_assert!((seen_px - expected_px).abs() <= 0.5 + 1e-6, "column {column}: {seen_px}, not {expected_px}");
            }
        }
    }
}

/// Long runs: many steps in a pixel are summed from what is kept, few one by one.
#[test]
fn means_of_a_long_run_are_those_of_all_spans() {
    let (trace, run) = many(400, 60);
    let (slots, rows) = (ModelSlots::new(&trace), Rows::by_submission(&trace));
    let banding = Banding::new(&trace, &slots, StackBy::Model, &[&run], rows.jobs());
    let stack = Stack::of(&run, &trace, &banding, rows.jobs());
    let length_s = run.end_s - run.start_s;
    for nth in 0..40 {
        let from_s = run.start_s + length_s * f64::from(nth) / 45.0;
        for share in [1e-6, 1e-4, 1e-2, 0.1] {
            let to_s = from_s + length_s * share;
            for band in 0..banding.bands().len() {
                let expected = naive_mean(&run, &trace, &banding, band, from_s, to_s);
                let mean = stack.mean_gpus(band, from_s, to_s);
                assert!((mean - expected).abs() < 1e-6, "{mean}, not {expected}");
            }
        }
    }
}

fn check_bands(jobs: &[Told], by: StackBy, expected: &[(&str, &str)]) {
    let (trace, run) = told(64, jobs);
    let (slots, rows) = (ModelSlots::new(&trace), Rows::by_submission(&trace));
    let banding = Banding::new(&trace, &slots, by, &[&run], rows.jobs());
    let bands: Vec<(String, String)> =
        banding.bands().iter().map(|band| (band.name.clone(), band.query("C"))).collect();
    let bands: Vec<(&str, &str)> = bands.iter().map(|(name, query)| (name.as_str(), query.as_str())).collect();
    assert_eq!(bands, expected);
}

#[test]
fn most_gpu_hours_lie_lowest() {
    let run = |model: u32, seconds: f64| job(model, 0.0, &[(seconds, Running, 2)]);
    check_bands(
        &[run(0, 10.0), run(1, 50.0), run(2, 30.0), run(0, 30.0), job(3, 0.0, &[(9.0, Waiting, 0)])],
        StackBy::Model,
        &[("model1", "model:model1"), ("model0", "model:model0"), ("model2", "model:model2")],
    );
}

#[test]
fn the_ninth_model_and_later_ones_share_a_band_on_top() {
    let jobs: Vec<Told> = (0..10).map(|model| job(model, 0.0, &[(f64::from(model + 1), Running, 1)])).collect();
    let (trace, run) = told(64, &jobs);
    let (slots, rows) = (ModelSlots::new(&trace), Rows::by_submission(&trace));
    let banding = Banding::new(&trace, &slots, StackBy::Model, &[&run], rows.jobs());
    let names: Vec<&str> = banding.bands().iter().map(|band| band.name.as_str()).collect();
    let expected = ["model7", "model6", "model5", "model4", "model3", "model2", "model1", "model0", "2 other"];
    assert_eq!(names, expected);
    let query = banding.bands()[8].query("A");
    assert!(query.starts_with("-model:model7 -model:model6") && query.ends_with("-model:model0"), "{query}");
}

#[test]
fn outcomes_are_those_of_the_run_that_is_shown() {
    let run = |seconds: f64| job(0, 0.0, &[(seconds, Running, 1)]);
    check_bands(
        &[run(90.0).due(100.0), run(80.0).due(50.0), run(70.0), run(60.0).failed(), run(50.0).unfinished()],
        StackBy::Outcome,
        &[
            ("met deadline", "met:C"),
            ("missed deadline", "missed:C -failed:C -cancelled:C -dropped:C"),
            ("completed", "completed:C -met:C -missed:C"),
            ("failed", "failed:C"),
            ("unfinished", "unfinished:C -missed:C"),
        ],
    );
}

#[test]
fn jobs_of_a_size_share_a_band() {
    check_bands(&[job(0, 0.0, &[(9.0, Running, 4)])], StackBy::Size, &[("1 GPU", "gpus=1")]);
    check_bands(&[job(0, 0.0, &[(9.0, Running, 4)])], StackBy::User, &[("no user", "-user~\"\"")]);
}

fn by_model(run: &Run, trace: &Trace) -> (Banding, Stack) {
    let (slots, rows) = (ModelSlots::new(trace), Rows::by_submission(trace));
    let banding = Banding::new(trace, &slots, StackBy::Model, &[run], rows.jobs());
    let stack = Stack::of(run, trace, &banding, rows.jobs());
    (banding, stack)
}

/// The strip of a finished run on eight GPUs: a second is a pixel, and a GPU ten.
fn strip_of<'a>(run: &'a Run, trace: &'a Trace, banding: &'a Banding, stack: &'a Stack) -> StackStrip<'a> {
    let frame = Frame { left: 0.0, top: 0.0, width: 400.0, height: 80.0 };
    let (window, phase) = (TimeWindow::new(0.0, 400.0), Phase::Finished);
    StackStrip { run, trace, banding, stack, gpus_top: 8, frame, window, phase, selected: None }
}

#[test]
fn the_tooltip_lists_bands_as_they_lie() {
    let (trace, run) = every_state();
    let (banding, stack) = by_model(&run, &trace);
    let strip = strip_of(&run, &trace, &banding, &stack);
    let hit = strip.hit(70.0, 75.0).unwrap();
    assert_eq!(strip.tooltip(&hit), ["1m 10s: 5 of 8 GPUs", "model2: 1", "▸ model0: 4"]);
    assert_eq!(strip.hit(70.0, 3.0).unwrap().band, None);
    assert_eq!(strip.hit(401.0, 3.0), None);
}

/// A run, the selected job, and the marks of it: where it holds GPUs, and where it waits.
fn check_selected(jobs: &[Told], selected: u32, shares: &[(f64, f64)], waits: &[(f64, f64)]) {
    let (trace, run) = told(8, jobs);
    let (banding, stack) = by_model(&run, &trace);
    let plain = strip_of(&run, &trace, &banding, &stack);
    let strip = StackStrip { selected: Some(JobId(selected)), ..plain };
    let list = strip.draw();
    let rects = |wanted: Paint| -> Vec<(f64, f64)> {
        let of = list.marks.iter().filter_map(|mark| match mark {
            Mark::Rect { frame, paint, .. } if *paint == wanted => Some((frame.left, frame.right())),
            _ => None,
        });
        of.collect()
    };
    assert_eq!(rects(Paint::Ink1), shares);
    let dashed = list.marks.iter().filter_map(|mark| match mark {
        Mark::Line { from, to, paint: Paint::Ink1, .. } => Some((from.x, to.x)),
        _ => None,
    });
    assert_eq!(dashed.collect::<Vec<_>>(), waits);
    let deadline = list.marks.iter().any(|mark| matches!(mark, Mark::Line { paint: Paint::Bad, .. }));
    assert_eq!(deadline, jobs[selected as usize].deadline_s.is_some());
    assert!(plain.draw().marks.iter().all(|mark| !matches!(mark, Mark::Rect { paint: Paint::Ink1, .. })));
}

#[test]
fn the_selected_job_is_marked_where_it_runs_and_waits() {
    let long = || job(0, 0.0, &[(400.0, Running, 4)]);
    let other = || job(1, 50.0, &[(50.0, Waiting, 0), (100.0, Running, 2), (30.0, Preempted, 0), (20.0, Running, 1)]);
    check_selected(
        &[long(), other().due(300.0)],
        1,
        &[(100.0, 200.0), (230.0, 250.0)],
        &[(50.0, 100.0), (200.0, 230.0)],
    );
    check_selected(&[long(), other()], 0, &[(0.0, 400.0)], &[]);
    // Too short to be seen at its true width.
    check_selected(&[long(), job(1, 100.2, &[(0.1, Running, 1)])], 1, &[(99.0, 102.0)], &[]);
    // Never held anything.
    check_selected(&[long(), job(1, 100.0, &[(9.0, Waiting, 0)])], 1, &[], &[(100.0, 109.0)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The selected job's share lies in its band wherever it holds GPUs for as much as a pixel, and all lies inside.
    #[test]
    fn shares_of_the_selected_job_lie_in_the_plot(
        (trace, run) in any_run(),
        by in any_grouping(),
        window in any_window(),
        nth in 0..64_usize,
    ) {
        let (slots, rows) = (ModelSlots::new(&trace), Rows::by_submission(&trace));
        let banding = Banding::new(&trace, &slots, by, &[&run], rows.jobs());
        let stack = Stack::of(&run, &trace, &banding, rows.jobs());
        let frame = Frame { left: 48.0, top: 3.0, width: 150.0, height: 60.0 };
        let gpus_top = run.series.gpus_in_use.iter().max().copied().unwrap_or(0).max(1);
        let selected = JobId((nth % trace.jobs().len().max(1)) as u32);
        let phase = Phase::Finished;
        let strip = StackStrip { run: &run, trace: &trace, banding: &banding, stack: &stack, gpus_top, frame, window, phase, selected: Some(selected) };
        check_inside(&strip.draw(), &frame)?;
        let scale = TimeScale::over(window, &frame);
        let shares = strip.outlines(selected);
        for column in 0..150 {
            let x = frame.left + f64::from(column);
            let (from_s, to_s) = (scale.time_at(x), scale.time_at(x + 1.0));
            let is_held = run.spans.of(selected).any(|span| span.gpus > 0 && span.start_s < to_s && span.end_s > from_s);
            let is_marked = shares.iter().any(|share| (share.left..share.right()).contains(&x));
            let is_widened = shares.len() == 1 && shares[0].width <= 3.0;
            prop_assert!(is_held == is_marked || is_widened, "column {}: held {}, marked {}", column, is_held, is_marked);
        }
    }
}
