//! Rows of GPUs and nodes, seen, and held against the record.

use elastiplan_engine::{Absences, Run};
use elastiplan_model::{JobId, Trace};
use elastiplan_scene::{
    Detail, Fill, Frame, Hit, Mark, ModelSlots, Paint, Phase, Pitch, PlaceStrip, StripLayout, Tenancy, TimeWindow,
    Unit, fit_pitch,
};
use expect_test::{Expect, expect};
use proptest::prelude::*;

use crate::ascii::paint;
use crate::fixture::{Recovering, Rescaling, Running, every_state, job, many, placed, told};

const GUTTER_PX: f64 = 56.0;

struct Case<'a> {
    run: &'a Run,
    trace: &'a Trace,
    unit: Unit,
    height: f64,
    window: TimeWindow,
    pitch: Option<Pitch>,
    phase: Phase,
    selected: Option<JobId>,
}

/// 360 px for 360 s.
fn case<'a>(trace: &'a Trace, run: &'a Run, unit: Unit, height: f64) -> Case<'a> {
    let window = TimeWindow::new(run.start_s, run.start_s + 360.0);
    Case { run, trace, unit, height, window, pitch: None, phase: Phase::Finished, selected: None }
}

impl Case<'_> {
    fn with<R>(&self, ask: impl FnOnce(&PlaceStrip) -> R) -> R {
        let (run, trace, unit, window) = (self.run, self.trace, self.unit, self.window);
        let (tenancy, slots) = (Tenancy::of(run, trace), ModelSlots::new(trace));
        let rows = unit.rows(&tenancy);
        let frame = Frame { left: GUTTER_PX, top: 0.0, width: 360.0, height: self.height };
        let pitch = self.pitch.unwrap_or_else(|| fit_pitch(rows, self.height));
        let layout = StripLayout { rows, frame, window, pitch, scroll_px: 0.0 };
        let (phase, selected) = (self.phase, self.selected);
        ask(&PlaceStrip {
            run,
            tenancy: &tenancy,
            trace,
            slots: &slots,
            unit,
            layout,
            phase,
            selected,
            hovered: None,
            detail: None,
        })
    }

    /// A letter is 4 px wide, and as high as half a row.
    fn check(&self, expect: Expect) {
        let drawn = self.with(|strip| {
            let cell = (4.0, strip.layout.pitch.px().min(8.5));
            paint(&strip.draw(), (GUTTER_PX + 364.0, self.height), cell)
        });
        expect.assert_eq(&drawn);
    }
}

fn away(run: &mut Run, rows: &[(u32, f64, f64)]) {
    let nodes = run.holdings.first.len() as u32 - 1;
    let first = (0..=nodes).map(|node| rows.iter().filter(|row| row.0 < node).count() as u32).collect();
    let (start_s, end_s) = rows.iter().map(|row| (row.1, row.2)).unzip();
    run.absences = Absences { first, start_s, end_s };
}

#[test]
fn gpus_and_nodes_show_who_held_them() {
    let (trace, run) = every_state();
    let mut run = placed(run, 4);
    away(&mut run, &[(1, 240.0, 300.0)]);
    case(&trace, &run, Unit::Gpu, 8.0 * 10.0).check(expect![[r#"
        |      node 0  11111111111111111111111111111111111111111111111111222222222222222,,,,,,,,,,,,,,,,,,,,,,,,,
        |              11111111111111111111111111111111111111111111111111222222222222222,,,,,,,,,,,,,,,,,,,,,,,,,
        |              11111111111111111111111111111111111111111111111111222222222222222,,,,,,,,,,,,,,,,,,,,,,,,,
        |              __________________________________________________________________________________________
        |      node 1  ,,,,,,,,,,33333333332222222222222222222222222%%%%%3333333333333333333333333333333333333333
        |              ,,,,,,,,,,,,,,,,,,,,2222222222222222222222222%%%%%,,,,,,,,,,\\\\\\\\\\\\\\\,,,,,,,,,,,,,,,
        |              ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,11111111111111111111111\\\\\\\\\\\\\\\,,,,,,,,,,,,,,,
        |              __________________________________________________________________________________________
        |      node 2  ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,%%%%%%%%%%,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
        |              ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,%%%%%%%%%%,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
        |              ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,333333333333333,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
        |              ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,333333333333333,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
        |
        |
    "#]]);
    case(&trace, &run, Unit::Node, 2.0 * 17.0).check(expect![[r#"
        |      node 0  11111111111111111111111111111111111111111111111111222222222222222,,,,,,,,,,,,,,,,,,,,,,,,,
        |              ,,,,,,,,,,33333333332222222222222222221111111111111111111111\\\\\\\\\\\\\\\333333333333333
        |      node 2  ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,%%%%%222223333333333333333333333333,,,,,,,,,,,,,,,
        |
    "#]]);
    let mut selected = case(&trace, &run, Unit::Gpu, 8.0 * 6.0);
    selected.selected = Some(JobId(1));
    selected.check(expect![[r#"
        |              1111111111111111111111111111111111111111111111111+222222222222222+,,,,,,,,,,,,,,,,,,,,,,,,
        |      node 0  1111111111111111111111111111111111111111111111111+222222222222222+,,,,,,,,,,,,,,,,,,,,,,,,
        |              1111111111111111111111111111111111111111111111111+222222222222222+,,,,,,,,,,,,,,,,,,,,,,,,
        |              ___________________+_____________________________++______________+________________________
        |      node 1  ,,,,,,,,,,333333333+2222222222222222222222222%%%%%+333333333333333333333333333333333333333
        |              ,,,,,,,,,,,,,,,,,,,+2222222222222222222222222%%%%%+,,,,,,,,,\\\\\\\\\\\\\\\,,,,,,,,,,,,,,,
        |              ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,11111111111111111111111\\\\\\\\\\\\\\\,,,,,,,,,,,,,,,
        |              ____________________________________________+_____+_______________________________________
        |      node 2  ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,%%%%+%%%%%+,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
        |              ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,%%%%+%%%%%+,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
        |              ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,333333333333333,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
        |              ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,333333333333333,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
    "#]]);
}

#[test]
fn states_differ_by_pattern() {
    let spans = [(100.0, Running, 4), (60.0, Rescaling, 4), (60.0, Recovering, 4), (60.0, Running, 4)];
    let (trace, run) = told(4, &[job(0, 0.0, &spans)]);
    let run = placed(run, 4);
    case(&trace, &run, Unit::Gpu, 40.0).check(expect![[r#"
        |      node 0  1train-111111111111111111%%%%%%%%%%%%%%%"""""""""""""""1train-11111111
        |              1train-111111111111111111%%%%%%%%%%%%%%%"""""""""""""""1train-11111111
        |              1train-111111111111111111%%%%%%%%%%%%%%%"""""""""""""""1train-11111111
        |              1111111111111111111111111%%%%%%%%%%%%%%%"""""""""""""""111111111111111
        |              1train-111111111111111111%%%%%%%%%%%%%%%"""""""""""""""1train-11111111
    "#]]);
    case(&trace, &run, Unit::Node, 17.0).check(expect![[r#"
        |      node 0  1111111111111111111111111%%%%%%%%%%%%%%%"""""""""""""""111111111111111
        |              1111111111111111111111111%%%%%%%%%%%%%%%"""""""""""""""111111111111111
    "#]]);
}

#[test]
fn gpus_that_do_not_fit_merge_into_bands() {
    let (trace, run) = every_state();
    let run = placed(run, 4);
    case(&trace, &run, Unit::Gpu, 12.0).check(expect![[r#"
        |              aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbb,,,,,,,,,,,,,,,,,,,,,,,,,
        |      node 0  aaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbb%%%%%bbbbbbbbbbbbbbbccccccccccccccccccccccccc
        |              ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,aaaaaaaaaaaaaaaaaaaaaaa,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
        |              ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,%%%%%ccccccccccccccc,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
    "#]]);
}

/// Nodes have the names of the availability log, in rows and in words; nodes beyond it are numbered.
#[test]
fn nodes_of_a_log_keep_their_names() {
    let (trace, run) = every_state();
    let mut run = placed(run, 4);
    run.node_names = vec!["e30n13".into()];
    let case = case(&trace, &run, Unit::Node, 34.0);
    let words = |row: f64| {
        case.with(|strip| {
            let hit = strip.hit(GUTTER_PX + 150.0, (row + 0.5) * strip.layout.pitch.px()).unwrap();
            strip.tooltip(&hit).swap_remove(0)
        })
    };
    assert_eq!([words(0.0), words(1.0)], ["e30n13", "node 1"]);
    let labels: Vec<String> = case.with(|strip| {
        let marks = strip.draw().marks;
        let text =
            marks.into_iter().filter_map(|mark| if let Mark::Text { text, .. } = mark { Some(text) } else { None });
        text.collect()
    });
    assert_eq!(labels, ["e30n13", "node 2"]);
}

#[test]
fn what_lies_under_the_pointer() {
    let (trace, run) = every_state();
    let mut run = placed(run, 4);
    away(&mut run, &[(1, 240.0, 300.0)]);
    let words = |unit: Unit, x: f64, row: f64| {
        let case = case(&trace, &run, unit, if unit == Unit::Gpu { 80.0 } else { 34.0 });
        case.with(|strip| {
            let hit = strip.hit(GUTTER_PX + x, (row + 0.5) * strip.layout.pitch.px()).unwrap();
            (hit.job(), strip.tooltip(&hit).join(" | "))
        })
    };
    let told = |at: (Option<JobId>, String)| format!("{:?}: {}", at.0.map(|job| job.0), at.1);
    expect!["Some(0): train-1 · model0 | Running on 4 GPUs | 0s to 3m 20s, 3m 20s | Node 0, GPU 0"]
        .assert_eq(&told(words(Unit::Gpu, 50.0, 0.0)));
    expect!["None: Node 0, GPU 3 | Free | At 5m 50s"].assert_eq(&told(words(Unit::Gpu, 350.0, 3.0)));
    expect!["None: Node 1, GPU 3 | Away | At 4m 30s"].assert_eq(&told(words(Unit::Gpu, 270.0, 7.0)));
    expect!["Some(0): Node 0 | 4 of 4 GPUs in use | train-1 · model0 | At 2m 30s"].assert_eq(&told(words(
        Unit::Node,
        150.0,
        0.0,
    )));
    expect!["Some(5): Node 1 | Away | train-6 · model2 | At 4m 30s"].assert_eq(&told(words(Unit::Node, 270.0, 1.0)));
    let snapped = case(&trace, &run, Unit::Gpu, 80.0).with(|strip| strip.snap(GUTTER_PX + 198.0, 5.0, 6.0));
    assert_eq!(snapped, Some(200.0));
    let outside = case(&trace, &run, Unit::Gpu, 80.0).with(|strip| strip.hit(3.0, 5.0));
    assert_eq!(outside, None::<Hit>);
}

/// GPU-seconds held of some GPUs in a time, added up from the record.
fn held_gpu_seconds(run: &Run, gpus: std::ops::Range<u32>, from_s: f64, to_s: f64) -> f64 {
    let mut area = 0.0;
    for node in 0..run.holdings.first.len() as u32 - 1 {
        for at in run.holdings.range_of(node) {
            let (start_s, end_s) = (run.holdings.start_s[at].max(from_s), run.holdings.end_s[at].min(to_s));
            let held = (0..run.gpus_per_node).filter(|gpu| {
                run.holdings.mask[at] >> gpu & 1 == 1 && gpus.contains(&(node * run.gpus_per_node + gpu))
            });
            area += held.count() as f64 * (end_s - start_s).max(0.0);
        }
    }
    area
}

/// The bars of one line: how high they are in each pixel column, as a share of a bar.
fn heights(strip: &PlaceStrip) -> Vec<f64> {
    let frame = strip.layout.frame;
    let mut heights = vec![0.0; frame.width as usize];
    for mark in &strip.draw().marks {
        if let Mark::Rect { frame: rect, paint: Paint::Model(_), fill } = mark {
            assert!(!matches!(fill, Fill::Hatch | Fill::CrossHatch));
            let (from, to) = ((rect.left - frame.left) as usize, (rect.right() - frame.left) as usize);
            heights[from..to].fill(rect.height / strip.layout.pitch.bar_px());
        }
    }
    heights
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// What is drawn of a node has the area of what was held: in each column to a sixteenth of the bar, and half a column
    /// at edges.
    #[test]
    fn nodes_conserve_gpu_time(
        (jobs, spans) in (5usize..40, 20usize..120),
        (from, length) in (0.0..0.8f64, 0.1..1.2f64),
        unit in prop::sample::select(vec![Unit::Node, Unit::Gpu]),
        stretch in (0usize..200, 1usize..100),
    ) {
        let (trace, run) = many(jobs, spans);
        let run = placed(run, 8);
        let (tenancy, slots) = (Tenancy::of(&run, &trace), ModelSlots::new(&trace));
        let span_s = run.end_s - run.start_s;
        let window = TimeWindow::new(run.start_s + from * span_s, run.start_s + (from + length) * span_s);
        let frame = Frame { left: 0.0, top: 0.0, width: 300.0, height: 17.0 };
        let rows = unit.rows(&tenancy);
        // The first row only.
        let layout = StripLayout { rows, frame, window, pitch: Pitch::Rows { row_px: 17 }, scroll_px: 0.0 };
        let strip = PlaceStrip {
            run: &run, tenancy: &tenancy, trace: &trace, slots: &slots, unit, layout, phase: Phase::Finished,
            selected: None, hovered: None, detail: None,
        };
        let gpus = if unit == Unit::Node { 8 } else { 1 };
        let scale = layout.scale();
        let drawn = heights(&strip);
        let held = |from: usize, to: usize| {
            let (from_s, to_s) = (scale.time_at(from as f64), scale.time_at(to as f64));
            held_gpu_seconds(&run, 0..gpus, from_s, to_s) / f64::from(gpus) / scale.s_per_px()
        };
        if unit == Unit::Node {
            for (column, height) in drawn.iter().enumerate() {
                let truth = held(column, column + 1);
                // Where one height goes over into another, the column has that of which it has more.
                let beside = [column.wrapping_sub(1), column + 1].iter().any(|&side| drawn.get(side) == Some(height));
                let tolerance = if beside || *height == 0.0 { 0.5 } else { 0.0 } + 1.0 / 16.0;
                prop_assert!((truth - height).abs() <= tolerance + 1e-6, "column {column}: {height} for {truth}");
            }
        }
        let (from, to) = (stretch.0, (stretch.0 + stretch.1).min(300));
        let of_stretch = |heights: &[f64]| heights[from..to].iter().sum::<f64>();
        let truth = held(from, to);
        // Each edge may be off by half a column.
        let edges = 0.5 * (to - from) as f64 + 2.0;
        let rounding = (to - from) as f64 / 16.0;
        prop_assert!((of_stretch(&drawn) - truth).abs() <= rounding + edges + 1e-6);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whoever is pointed at held that GPU at that time, and did then what its span says, from the one change of that to
    /// the next.
    #[test]
    fn what_is_pointed_at_is_what_the_record_says((jobs, spans) in (2usize..30, 2usize..40), row in 0usize..24, at in 0.0..1.0f64) {
        let (trace, run) = many(jobs, spans);
        let run = placed(run, 8);
        let mut case = case(&trace, &run, Unit::Gpu, 24.0 * 6.0);
        // Less than a second a pixel: spans take at least ten.
        let from_s = run.start_s + at * (run.end_s - run.start_s);
        (case.window, case.pitch) = (TimeWindow::new(from_s, from_s + 36.0), Some(Pitch::Rows { row_px: 6 }));
        let Some(Hit::Place(hit)) = case.with(|strip| strip.hit(GUTTER_PX + 181.0, row as f64 * 6.0 + 1.0)) else {
            return Ok(());
        };
        let (node, bit) = (row as u32 / 8, row % 8);
        let log = &run.holdings;
        let is_held = |at: &usize| {
            log.mask[*at] >> bit & 1 == 1 && (log.start_s[*at]..log.end_s[*at]).contains(&hit.time_s)
        };
        let held = run.holdings.range_of(node).find(is_held);
        prop_assert_eq!(u32::from(held.is_some()), hit.held);
        // Where one follows another within the pixel, the one that has more of it is told of.
        let Some(held) = held.filter(|_| hit.jobs == 1) else { return Ok(()) };
        let piece = hit.piece.unwrap();
        prop_assert_eq!(piece.job.0, log.job[held]);
        let during = run.spans.of(piece.job).filter(|span| span.end_s > piece.start_s && span.start_s < piece.end_s);
        during.for_each(|span| assert_eq!(span.state, piece.state));
        for edge_s in [piece.start_s, piece.end_s] {
            let is_holding = edge_s == log.start_s[held] || edge_s == log.end_s[held];
            prop_assert!(is_holding || run.spans.of(piece.job).any(|span| span.start_s == edge_s));
        }
    }
}

/// Drawn from levels of detail, a line has the area of what was held over any stretch of time, to a sixteenth of the bar
/// in each column, half a column at each edge, and two columns at each end of the stretch.
#[test]
fn levels_conserve_gpu_time() {
    let (trace, run) = many(40, 1_500);
    let run = placed(run, 8);
    let (tenancy, slots) = (Tenancy::of(&run, &trace), ModelSlots::new(&trace));
    assert!(tenancy.len() > 40_000, "enough for levels");
    let span_s = run.end_s - run.start_s;
    for (unit, gpus) in [(Unit::Node, 8), (Unit::Gpu, 1)] {
        let rows = unit.rows(&tenancy);
        for (from, length) in [(0.0, 1.0), (-0.5, 2.0), (0.3, 0.4), (0.61, 0.11)] {
            let window = TimeWindow::new(run.start_s + from * span_s, run.start_s + (from + length) * span_s);
            let frame = Frame { left: 0.0, top: 0.0, width: 300.0, height: 17.0 };
            let layout = StripLayout { rows, frame, window, pitch: Pitch::Rows { row_px: 17 }, scroll_px: 0.0 };
            let (tenancy, trace, slots, run) = (&tenancy, &trace, &slots, &run);
            let (phase, selected, hovered) = (Phase::Finished, None, None);
            let strip = PlaceStrip { run, tenancy, trace, slots, unit, layout, phase, selected, hovered, detail: None };
            let mut detail = Detail::default();
            assert!(!strip.prepare(&mut detail, |_| false), "it takes time");
            assert!(strip.prepare(&mut detail, |_| true));
            let drawn = heights(&PlaceStrip { detail: Some(&detail), ..strip });
            let scale = layout.scale();
            for (from, to) in [(0, 300), (0, 90), (100, 130), (150, 299)] {
                let (from_s, to_s) = (scale.time_at(from as f64), scale.time_at(to as f64));
                let truth = held_gpu_seconds(run, 0..gpus, from_s, to_s) / f64::from(gpus) / scale.s_per_px();
                let sum: f64 = drawn[from..to].iter().sum();
                let tolerance = (to - from) as f64 / 16.0 + 4.0;
                assert!((sum - truth).abs() <= tolerance, "{unit:?} {from} to {to}: {sum} for {truth}");
            }
        }
    }
}

/// What is not made yet, or is of an earlier record, is drawn all the same.
#[test]
fn lines_without_levels_are_drawn_from_spans() {
    let (trace, run) = many(40, 1_500);
    let run = placed(run, 8);
    let (tenancy, slots) = (Tenancy::of(&run, &trace), ModelSlots::new(&trace));
    let window = TimeWindow::fit(run.start_s, run.end_s);
    let frame = Frame { left: 0.0, top: 0.0, width: 300.0, height: 17.0 * 4.0 };
    let rows = Unit::Node.rows(&tenancy);
    let layout = StripLayout { rows, frame, window, pitch: Pitch::Rows { row_px: 17 }, scroll_px: 0.0 };
    let strip = PlaceStrip {
        run: &run,
        tenancy: &tenancy,
        trace: &trace,
        slots: &slots,
        unit: Unit::Node,
        layout,
        phase: Phase::Finished,
        selected: None,
        hovered: None,
        detail: None,
    };
    let mut detail = Detail::default();
    let mut lines = 0;
    strip.prepare(&mut detail, |_| {
        lines += 1;
        lines <= 2
    });
    let some = PlaceStrip { detail: Some(&detail), ..strip }.draw();
    let rows_drawn = |list: &elastiplan_scene::DrawList| {
        let bars = list.marks.iter().filter_map(|mark| match mark {
            Mark::Rect { frame, paint: Paint::Model(_), .. } => Some((frame.bottom() / 17.0) as u32),
            _ => None,
        });
        bars.collect::<std::collections::BTreeSet<u32>>()
    };
    assert_eq!(rows_drawn(&some), rows_drawn(&strip.draw()));
    detail.outdate(|_| false);
    let stale = PlaceStrip { detail: Some(&detail), ..strip }.draw();
    assert_eq!(stale, some, "what is old is drawn until it is made again");
}
