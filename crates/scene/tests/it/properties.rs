//! What holds for every picture.

use elastiplan_engine::{Run, SpanState};
use elastiplan_model::{JobId, Trace};
use elastiplan_scene::{
    Banding, DrawList, Fill, Frame, GpuLane, Hit, Mark, ModelSlots, Paint, Phase, Pitch, Point, Rows, Series,
    SeriesLane, SeriesLine, Stack, StackBy, StackStrip, Strip, StripLayout, TimeScale, TimeWindow, fit_pitch,
};
use elastiplan_text::format;
use proptest::prelude::*;

use crate::fixture::{Preempted, Recovering, Rescaling, Running, Told, Waiting, job, told};

pub fn any_job() -> impl Strategy<Value = Told> {
    let state = prop_oneof![Just(Waiting), Just(Rescaling), Just(Running), Just(Preempted), Just(Recovering)];
    let span = (prop_oneof![0.01..3.0f64, 3.0..400.0f64], state, 1u32..64);
    let spans = prop::collection::vec(span, 0..30);
    (0u32..11, 0.0..1_000.0f64, spans, prop::option::of(0.0..3_000.0f64), 0..6u8).prop_map(
        |(model, submit_s, mut spans, deadline_s, ending)| {
            for span in &mut spans {
                span.2 = if matches!(span.1, Running | Rescaling | Recovering) { span.2 } else { 0 };
            }
            let told = Told { deadline_s, ..job(model, submit_s, &spans) };
            match ending {
                0 => told.dropped(),
                1 => told.unfinished(),
                2 => told.failed(),
                3 => told.cancelled(),
                _ => told,
            }
        },
    )
}

pub fn any_run() -> impl Strategy<Value = (Trace, Run)> {
    prop::collection::vec(any_job(), 1..40).prop_map(|mut jobs| {
        jobs.sort_by(|a, b| a.submit_s.total_cmp(&b.submit_s));
        told(64, &jobs)
    })
}

pub fn any_window() -> impl Strategy<Value = TimeWindow> {
    prop_oneof![
        Just(TimeWindow::new(0.0, 4_000.0)),
        (-500.0..4_000.0f64, 0.001..5_000.0f64)
            .prop_map(|(start_s, span_s)| TimeWindow::new(start_s, start_s + span_s)),
    ]
}

/// No coordinate is NaN, no size negative, and nothing lies outside: marks in the frame, texts also in the gutter.
pub fn check_inside(list: &DrawList, frame: &Frame) -> Result<(), TestCaseError> {
    let point = |at: &Point| {
        let inside = |value: f64, from: f64, to: f64| value >= from - 1e-6 && value <= to + 1e-6;
        inside(at.x, frame.left, frame.right()) && inside(at.y, frame.top, frame.bottom())
    };
    let rect = |rect: &Frame| {
        let corners = [Point { x: rect.left, y: rect.top }, Point { x: rect.right(), y: rect.bottom() }];
        rect.width > 0.0 && rect.height > 0.0 && corners.iter().all(point)
    };
    for mark in &list.marks {
        let good = match mark {
            Mark::Rect { frame, .. } | Mark::Outline { frame, .. } => rect(frame),
            Mark::Line { from, to, .. } => point(from) && point(to),
            Mark::Path { points, .. } | Mark::Area { points, .. } => points.len() > 1 && points.iter().all(point),
            Mark::Cross { at, reach, .. } => {
                let corner = |sign: f64| Point { x: at.x + sign * reach, y: at.y + sign * reach };
                point(&corner(1.0)) && point(&corner(-1.0))
            }
            Mark::Text { at, size, .. } => {
                let half = size.digits_px() / 2.0;
                let high_enough = frame.height >= 2.0 * half;
                (0.0..=frame.right()).contains(&at.x)
                    && (!high_enough || (at.y - half >= frame.top - 1e-6 && at.y + half <= frame.bottom() + 1e-6))
            }
        };
        prop_assert!(good, "{mark:?} is not inside {frame:?}");
    }
    Ok(())
}

fn any_pitch() -> impl Strategy<Value = Option<Pitch>> {
    prop_oneof![
        Just(None),
        prop::sample::select(vec![3u8, 4, 6, 10, 17]).prop_map(|row_px| Some(Pitch::Rows { row_px })),
        (3u8..20, 1u32..8).prop_map(|(band_px, rows)| Some(Pitch::Bands { band_px, rows })),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn marks_lie_inside(
        (trace, mut run) in any_run(),
        window in any_window(),
        pitch in any_pitch(),
        (width, height, scroll_px) in (1.0..900.0f64, 1.0..300.0f64, -10.0..500.0f64),
        phase in prop::sample::select(vec![Phase::Finished, Phase::Running, Phase::Stopped]),
        (selected, hovered) in (prop::option::of(0u32..50), prop::option::of(0u32..50)),
        (gpus_top, comings) in (0u32..100, 1usize..9),
    ) {
        run.finished = phase == Phase::Finished;
        // Nodes that come and go.
        run.series.gpus_present.iter_mut().step_by(comings).for_each(|gpus| *gpus /= 2);
        let frame = Frame { left: 48.0, top: 7.0, width, height };
        let (rows, slots) = (Rows::by_submission(&trace), ModelSlots::new(&trace));
        let pitch = pitch.unwrap_or_else(|| fit_pitch(rows.len(), height));
        let layout = StripLayout { rows: rows.len(), frame, window, pitch, scroll_px };
        let (selected, hovered) = (selected.map(JobId), hovered.map(JobId));
        let strip = Strip { run: &run, trace: &trace, slots: &slots, rows: &rows, layout, phase, selected, hovered, detail: None };
        check_inside(&strip.draw(), &frame)?;

        for by in StackBy::ALL {
            let banding = Banding::new(&trace, &slots, by, &[&run], rows.jobs());
            let stack = Stack::of(&run, &trace, &banding, rows.jobs());
            let strip = StackStrip { run: &run, trace: &trace, banding: &banding, stack: &stack, gpus_top, frame, window, phase, selected: None };
            check_inside(&strip.draw(), &frame)?;
        }
        let high = Frame { height: height + 20.0, ..frame };
        check_inside(&GpuLane { run: &run, policy: 2, gpus_top, frame: high, window }.draw(), &high)?;
    }

    /// A lane draws every value, wherever it is in view: at the middle of each pixel column its line is there.
    #[test]
    fn lanes_draw_what_is_there(
        corners in prop::collection::vec((0.0..1_000.0_f64, prop_oneof![9 => -50.0..50.0_f64, 1 => Just(f64::NAN)]), 0..60),
        is_steps in any::<bool>(),
        (start_s, span_s) in (-100.0..1_000.0_f64, 1.0..1_500.0_f64),
    ) {
        let mut corners = corners;
        corners.sort_by(|a, b| a.0.total_cmp(&b.0));
        let gaps: Vec<f64> = corners.iter().filter(|(_, value)| value.is_nan()).map(|(time_s, _)| *time_s).collect();
        let series = if is_steps { Series::steps(corners, 1_000.0) } else { Series::line(corners) };
        let frame = Frame { left: 40.0, top: 3.0, width: 200.0, height: 60.0 };
        let window = TimeWindow::new(start_s, start_s + span_s);
        let lines = [SeriesLine { series: &series, policy: 1, label: "B" }];
        let list = SeriesLane { lines: &lines, top: None, write: format::number, frame, window }.draw();
        check_inside(&list, &frame)?;
        let (least, most) = series.extent().map_or((0.0, 0.0), |(least, most)| (least.min(0.0), most.max(0.0)));
        let scale = TimeScale::over(window, &frame);
        let paths: Vec<&Vec<Point>> =
            list.marks.iter().filter_map(|mark| if let Mark::Path { points, .. } = mark { Some(points) } else { None }).collect();
        for column in 1..199 {
            let x = frame.left + f64::from(column) + 0.5;
            let Some(value) = series.at(scale.time_at(x)) else { continue };
            let y = frame.bottom() - 0.5 - (value - least) / (most - least).max(1e-9) * 59.0;
            let near = |pair: &[Point]| {
                let is_over = pair[0].x.min(pair[1].x) <= x + 1.0 && x - 1.0 <= pair[0].x.max(pair[1].x);
                let steep = (pair[1].y - pair[0].y).abs() / (pair[1].x - pair[0].x).abs().max(1.0);
                is_over && pair[0].y.min(pair[1].y) - 2.0 - steep <= y && y <= pair[0].y.max(pair[1].y) + 2.0 + steep
            };
            // A part that lies within one column has no length: nothing is drawn of it. It ends at the edge of what there
            // is, or lies between two gaps.
            let (before_s, at_s, after_s) = (scale.time_at(x - 1.5), scale.time_at(x), scale.time_at(x + 1.5));
            let is_gap_in = |from_s: f64, to_s: f64| gaps.iter().any(|gap_s| (from_s..=to_s).contains(gap_s));
            let is_between = is_gap_in(before_s, at_s) && is_gap_in(at_s, after_s);
            let is_short = is_between || series.at(before_s).zip(series.at(after_s)).is_none();
            prop_assert!(is_short || paths.iter().any(|points| points.windows(2).any(near)), "{value} at x {x}, y {y}: {paths:?}");
        }
    }

    /// Each pixel of a bar belongs to the row and state that a hit test finds there.
    #[test]
    fn hits_find_what_was_drawn((trace, run) in any_run(), window in any_window()) {
        let frame = Frame { left: 48.0, top: 7.0, width: 500.0, height: 40.0 * 6.0 };
        let (rows, slots) = (Rows::by_submission(&trace), ModelSlots::new(&trace));
        let layout = StripLayout { rows: rows.len(), frame, window, pitch: Pitch::Rows { row_px: 6 }, scroll_px: 0.0 };
        let phase = Phase::Finished;
        let strip = Strip { run: &run, trace: &trace, slots: &slots, rows: &rows, layout, phase, selected: None, hovered: None, detail: None };
        for mark in &strip.draw().marks {
            let (x, y, paint) = match mark {
                Mark::Rect { frame, paint, fill: Fill::Solid } if matches!(paint, Paint::Model(_)) => {
                    (frame.left + frame.width * 0.4, frame.top + 1.0, *paint)
                }
                Mark::Line { from, to, paint, .. } => (from.x * 0.6 + to.x * 0.4, from.y, *paint),
                _ => continue,
            };
            let Some(Hit::Job(hit)) = strip.hit(x, y) else { panic!("nothing at {x}, {y}") };
            let span = hit.span.expect("a mark is a span");
            let model = trace.jobs()[hit.job.index()].model;
            match paint {
                Paint::Model(slot) => {
                    prop_assert_eq!(slots.of(model), slot);
                    prop_assert!(matches!(span.state, Running | Rescaling | Recovering));
                }
                Paint::Wait => prop_assert_eq!(span.state, SpanState::Waiting),
                _ => prop_assert_eq!(span.state, SpanState::Preempted),
            }
        }
    }

    /// A column shows the state that takes most of it. Where many spans meet, the height of the bar is the share of time
    /// in which GPUs were held, to half a pixel and a thirty-second; the least is a pixel. The length of the whole job
    /// differs by at most one pixel besides.
    #[test]
    fn merging_conserves_area(job in any_job(), zoom in 1.0..40.0f64) {
        prop_assume!(!job.spans.is_empty() && job.outcome == elastiplan_engine::Outcome::Completed);
        let (trace, run) = told(64, &[job]);
        let frame = Frame { left: 0.0, top: 0.0, width: 1_000.0, height: 3.0 };
        let window = TimeWindow::new(run.start_s - 1.0, run.end_s + zoom);
        let (rows, slots) = (Rows::by_submission(&trace), ModelSlots::new(&trace));
        let layout = StripLayout::fit(rows.len(), frame, window);
        let phase = Phase::Finished;
        let strip = Strip { run: &run, trace: &trace, slots: &slots, rows: &rows, layout, phase, selected: None, hovered: None, detail: None };
        let (mut columns, mut merged) = (vec![None; 1_000], vec![None; 1_000]);
        for mark in &strip.draw().marks {
            let (left, right, state) = match mark {
                Mark::Rect { frame, paint: Paint::Model(_), fill: Fill::Solid } => (frame.left, frame.right(), Running),
                Mark::Rect { frame, paint: Paint::Model(_), fill: Fill::Share(70) } => {
                    merged[frame.left as usize..frame.right() as usize].fill(Some(frame.height / 3.0));
                    continue;
                }
                Mark::Rect { frame, paint: Paint::Model(_), .. } => (frame.left, frame.right(), Rescaling),
                Mark::Line { from, to, paint: Paint::Wait, .. } => (from.x, to.x, Waiting),
                Mark::Line { from, to, .. } => (from.x, to.x, Preempted),
                _ => continue,
            };
            for column in &mut columns[left as usize..right as usize] {
                prop_assert_eq!(*column, None, "a column is painted once");
                *column = Some(state);
            }
        }
        let scale = layout.scale();
        for (column, shown) in columns.iter().enumerate() {
            let (from_s, to_s) = (scale.time_at(column as f64), scale.time_at(column as f64 + 1.0));
            let mut taken = [0.0f64; 5];
            for span in run.spans.of(JobId(0)) {
                taken[span.state as usize] += (span.end_s.min(to_s) - span.start_s.max(from_s)).max(0.0);
            }
            let held = (taken[Running as usize] + taken[Rescaling as usize] + taken[Recovering as usize]) / (to_s - from_s);
            if let Some(height) = merged[column] {
                prop_assert!(shown.is_none(), "a column is painted once");
                let tolerance = if height <= 1.0 / 3.0 { 1.0 / 3.0 } else { 1.0 / 12.0 + 1.0 / 32.0 };
                prop_assert!((held - height).abs() <= tolerance + 1e-6, "column {column}: {height} for {held}");
            } else if let Some(state) = shown {
                let most = taken.iter().copied().fold(0.0, f64::max);
                // The bars of both are faint; a mark of its own tells them apart.
                let of_shown = match state {
                    Rescaling => taken[Rescaling as usize].max(taken[Recovering as usize]),
                    state => taken[*state as usize],
                };
                prop_assert!(of_shown >= most - 1e-6, "column {column} shows {state:?} of {taken:?}");
            }
        }
        let true_px = (run.end_s - trace.start_s()) / scale.s_per_px();
        let merged_px = merged.iter().flatten().count() as f64;
        let drawn_px = columns.iter().flatten().count() as f64 + merged_px;
        prop_assert!((drawn_px - true_px).abs() <= 1.0 + merged_px.min(1.0) + 1e-6, "{drawn_px} px for {true_px}");
    }
}
