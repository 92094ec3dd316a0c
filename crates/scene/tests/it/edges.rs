//! Pictures of what is easily drawn wrong, as text: a letter is 4 px wide. `UPDATE_EXPECT=1 cargo test` draws them again.

use elastiplan_engine::{Absences, Outcome, Run};
use elastiplan_model::Trace;
use elastiplan_scene::{
    Detail, DrawList, Frame, GpuLane, ModelSlots, Phase, Pitch, PlaceStrip, Rows, Strip, StripLayout, Tenancy,
    TimeScale, TimeWindow, Unit, axis, fit_pitch,
};
use expect_test::{Expect, expect};

use crate::ascii::paint;
use crate::fixture::{Preempted, Running, Waiting, every_state, job, placed, stopped_at, told};

const GUTTER_PX: f64 = 48.0;
const WIDTH_PX: f64 = 240.0;

fn frame(height: f64) -> Frame {
    Frame { left: GUTTER_PX, top: 0.0, width: WIDTH_PX, height }
}

fn as_text(list: &DrawList, height: f64, row_px: f64) -> String {
    paint(list, (GUTTER_PX + WIDTH_PX + 4.0, height), (4.0, row_px.min(8.5)))
}

/// The rows of jobs, in rows of 3 px if nothing else is said.
fn jobs((trace, run): &(Trace, Run), window: TimeWindow, row_px: u8, phase: Phase) -> String {
    let rows = Rows::by_submission(trace);
    let height = f64::from(row_px) * rows.len() as f64;
    let pitch = Pitch::Rows { row_px };
    let layout = StripLayout { rows: rows.len(), frame: frame(height), window, pitch, scroll_px: 0.0 };
    let slots = ModelSlots::new(trace);
    let (selected, hovered) = (None, None);
    let strip = Strip { run, trace, slots: &slots, rows: &rows, layout, phase, selected, hovered, detail: None };
    let mut detail = Detail::default();
    assert!(strip.prepare(&mut detail, |_| true));
    as_text(&Strip { detail: Some(&detail), ..strip }.draw(), height, f64::from(row_px))
}

/// The rows of nodes or GPUs.
fn places((trace, run): &(Trace, Run), unit: Unit, window: TimeWindow, height: f64) -> String {
    let (tenancy, slots) = (Tenancy::of(run, trace), ModelSlots::new(trace));
    let rows = unit.rows(&tenancy);
    let pitch = fit_pitch(rows, height);
    let layout = StripLayout { rows, frame: frame(height), window, pitch, scroll_px: 0.0 };
    let (phase, selected, hovered, detail) = (Phase::Finished, None, None, None);
    let (tenancy, slots) = (&tenancy, &slots);
    let strip = PlaceStrip { run, tenancy, trace, slots, unit, layout, phase, selected, hovered, detail };
    as_text(&strip.draw(), height, pitch.px())
}

fn check(drawn: &str, expect: &Expect) {
    expect.assert_eq(drawn);
}

fn all_of(run: &Run) -> TimeWindow {
    TimeWindow::fit(run.start_s, run.end_s)
}

#[test]
fn one_span_narrower_than_a_pixel() {
    let told = told(8, &[job(0, 1_000.0, &[(0.01, Running, 4)])]);
    check(
        &jobs(&told, TimeWindow::new(0.0, 2_400.0), 6, Phase::Finished),
        &expect![[r#"
        |                                     1
    "#]],
    );
}

#[test]
fn a_million_spans_in_a_row() {
    let spans: Vec<_> = (0..1_000_000)
        .map(|at| match (at / 250_000, at % 4) {
            (0, _) => (1.0, Running, 1 + at % 2),
            (1, 0) => (1.0, Running, 1),
            (2, 0 | 1) => (1.0, Running, 1),
            _ => (1.0, Preempted, 0),
        })
        .collect();
    let told = told(8, &[job(0, 0.0, &spans)]);
    check(
        &jobs(&told, all_of(&told.1), 17, Phase::Finished),
        &expect![[r#"
        |    tr…n-1  aaaaaaaaaaaaaaa          ×999,424aaaaaaaaaaa~~~~~~~~~~~~~~~
        |            aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    "#]],
    );
}

#[test]
fn a_span_without_length() {
    let told = told(8, &[job(0, 100.0, &[(0.0, Waiting, 0), (200.0, Running, 4), (0.0, Running, 2)])]);
    check(
        &jobs(&told, TimeWindow::new(0.0, 480.0), 6, Phase::Finished),
        &expect![[r#"
        |                        11111111111111111111111111
    "#]],
    );
}

#[test]
fn a_span_past_both_ends_of_what_is_shown() {
    let told = told(8, &[job(0, 0.0, &[(1e6, Running, 4)])]);
    check(
        &jobs(&told, TimeWindow::new(4_000.0, 4_240.0), 10, Phase::Finished),
        &expect![[r#"
        |    tr…n-1  111111111111111111111111111114111111111111111111111111111111
        |
    "#]],
    );
}

#[test]
fn a_job_that_never_started() {
    let told = told(8, &[job(0, 0.0, &[(240.0, Running, 8)]), job(1, 60.0, &[(180.0, Waiting, 0)]).unfinished()]);
    check(
        &jobs(&told, TimeWindow::new(0.0, 240.0), 6, Phase::Finished),
        &expect![[r#"
        |     job 1  111111111111111111111111111111111111111111111111111111111111
        |                           ---------------------------------------------
    "#]],
    );
}

#[test]
fn a_cluster_that_shrinks_and_a_node_that_leaves_and_comes_back() {
    let jobs =
        [job(0, 0.0, &[(240.0, Running, 4)]), job(1, 0.0, &[(80.0, Running, 4)]), job(2, 0.0, &[(150.0, Running, 4)])];
    let (trace, run) = told(12, &jobs);
    let mut run = placed(run, 4);
    run.absences = Absences { first: vec![0, 0, 1, 2], start_s: vec![80.0, 150.0], end_s: vec![170.0, 240.0] };
    run.series.gpus_present = run.series.time_s.iter().map(|time_s| if *time_s < 80.0 { 12 } else { 8 }).collect();
    let told = (trace, run);
    let window = TimeWindow::new(0.0, 240.0);
    check(
        &places(&told, Unit::Node, window, 51.0),
        &expect![[r#"
        |    node 0  111111111111111111111111111111111111111111111111111111111111
        |            111111111111111111111111111111111111111111111111111111111111
        |    node 1  22222222222222222222\\\\\\\\\\\\\\\\\\\\\\\,,,,,,,,,,,,,,,,,
        |            22222222222222222222\\\\\\\\\\\\\\\\\\\\\\\,,,,,,,,,,,,,,,,,
        |    node 2  33333333333333333333333333333333333333\\\\\\\\\\\\\\\\\\\\\\
        |            33333333333333333333333333333333333333\\\\\\\\\\\\\\\\\\\\\\
    "#]],
    );
    check(
        &places(&told, Unit::Gpu, window, 36.0),
        &expect![[r#"
        |            111111111111111111111111111111111111111111111111111111111111
        |    node 0  111111111111111111111111111111111111111111111111111111111111
        |            111111111111111111111111111111111111111111111111111111111111
        |            ____________________________________________________________
        |            22222222222222222222\\\\\\\\\\\\\\\\\\\\\\\,,,,,,,,,,,,,,,,,
        |            22222222222222222222\\\\\\\\\\\\\\\\\\\\\\\,,,,,,,,,,,,,,,,,
        |            22222222222222222222\\\\\\\\\\\\\\\\\\\\\\\,,,,,,,,,,,,,,,,,
        |            ____________________________________________________________
        |    node 2  33333333333333333333333333333333333333\\\\\\\\\\\\\\\\\\\\\\
        |            33333333333333333333333333333333333333\\\\\\\\\\\\\\\\\\\\\\
        |            33333333333333333333333333333333333333\\\\\\\\\\\\\\\\\\\\\\
        |            33333333333333333333333333333333333333\\\\\\\\\\\\\\\\\\\\\\
    "#]],
    );
    let lane = GpuLane { run: &told.1, policy: 0, gpus_top: 12, frame: frame(34.0), window };
    check(
        &as_text(&lane.draw(), 34.0, 8.5),
        &expect![[r#"
        |        12  *********************
        |            *'''''''''''''''''''*****************************************
        |            *''''''''''''''''''''''''''''''''''''************************
        |      GPUs  *'''''''''''''''''''''''''''''''''''''''''''''''''''''''''''*
    "#]],
    );
}

#[test]
fn from_a_millisecond_to_a_year() {
    let labels = |start_s: f64, span_s: f64| {
        let scale = TimeScale::new(TimeWindow::new(start_s, start_s + span_s), 0.0, 500.0);
        let words: Vec<String> = axis::ticks(&scale, 0.0, 70.0).into_iter().map(|tick| tick.label).collect();
        words.join(" | ")
    };
    check(&labels(3_600.0, 0.001), &expect!["1h | 1h 001ms"]);
    check(&labels(3_600.0, 0.02), &expect!["1h | 1h 005ms | 1h 010ms | 1h 015ms | 1h 020ms"]);
    check(&labels(0.0, 365.25 * 86_400.0), &expect!["0d | 60d | 120d | 180d | 240d | 300d | 360d"]);
    check(&labels(0.0, 10.0 * 365.25 * 86_400.0), &expect!["0d | 720d | 1,440d | 2,160d | 2,880d | 3,600d"]);
    let told = every_state();
    check(
        &jobs(&told, TimeWindow::new(180.0, 180.001), 6, Phase::Finished),
        &expect![[r#"
        |     job 1  111111111111111111111111111111111111111111111111111111111111
        |            %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
        |            333333333333333333333333333333333333333333333333333333333333
        |            ____________________________________________________________
        |
        |     job 6  ------------------------------------------------------------
    "#]],
    );
    check(
        &jobs(&told, TimeWindow::new(0.0, 365.25 * 86_400.0), 6, Phase::Finished),
        &expect![[r#"
        |     job 1  1
        |            -
        |            ~
        |            1X
        |            x
        |     job 6  %
    "#]],
    );
}

#[test]
fn four_runs_of_which_none_is_finished() {
    let (trace, run) = every_state();
    let drawn = [20.0, 90.0, 180.0, 270.0].map(|stop_s| {
        let run = stopped_at(&run, stop_s);
        assert!(run.jobs.outcome.contains(&Outcome::Unfinished));
        jobs(&(trace.clone(), run), TimeWindow::new(0.0, 360.0), 3, Phase::Running)
    });
    check(
        &drawn.join("\n"),
        &expect![[r#"
        |            111|
        |     job 1     |
        |               |
        |               |
        |               |
        |               |

        |            111111111111111|
        |     job 1     ----------22|
        |                  3333333~~|
        |                      -----|
        |                           |
        |                           |

        |            111111111111111111111111111111|
        |     job 1     ----------22222222222222222|
        |                  3333333~~~~~~~~~~~~~~%%%|
        |                      ---------------11111|
        |                            x-----        |
        |                                ----------|

        |            111111111111111111111111111111111            |
        |     job 1     ----------22222222222222222%%%2222222222  |
        |                  3333333~~~~~~~~~~~~~~%%%3333333333     |
        |                      ---------------111111111111111 X   |
        |                            x-----                       |
        |                                -------------333333333333|
    "#]],
    );
}
