//! Lanes, stacked GPUs and the axis, seen.

use elastiplan_engine::Run;
use elastiplan_scene::{
    Banding, Counts, DrawList, Frame, GpuLane, Mark, ModelSlots, Phase, Rows, Series, SeriesLane, SeriesLine, Stack,
    StackBy, StackStrip, TimeScale, TimeWindow, axis, most_present,
};
use elastiplan_text::format;
use expect_test::{Expect, expect};

use crate::ascii::paint;
use crate::fixture::{Running, every_state, job, many, told};

const FRAME: Frame = Frame { left: 40.0, top: 0.0, width: 360.0, height: 32.0 };

/// Jobs waiting over time.
fn waiting(run: &Run) -> Series {
    let rows = run.series.time_s.iter().zip(&run.series.jobs_waiting);
    Series::steps(rows.map(|(time_s, jobs)| (*time_s, f64::from(*jobs))), run.end_s)
}

fn line<'a>(series: &'a Series, policy: u8, label: &'a str) -> SeriesLine<'a> {
    SeriesLine { series, policy, label }
}

fn check(list: &DrawList, expect: Expect) {
    expect.assert_eq(&paint(list, (FRAME.right() + 40.0, FRAME.height), (4.0, 4.0)));
}

#[test]
fn gpus_in_use_with_a_readout() {
    let (_, run) = every_state();
    let window = TimeWindow::new(0.0, 400.0);
    let lane = GpuLane { run: &run, policy: 0, gpus_top: 8, frame: FRAME, window };
    check(
        &lane.draw(),
        expect![[r#"
            |          .................................**********************...................................
            |       8                                   *''''''''''''''''''''*
            |                            ****************''''''''''''''''''''*
            |          ******************''''''''''''''''''''''''''''''''''''*****
            |          *'''''''''''''''''''''''''''''''''''''''''''''''''''''''''*
            |          *'''''''''''''''''''''''''''''''''''''''''''''''''''''''''*
            |    GPUs  *'''''''''''''''''''''''''''''''''''''''''''''''''''''''''************************
            |          *''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''*
        "#]],
    );
    assert_eq!(Counts::at(&run, 150.0).unwrap().readout(), "8 of 8 GPUs · 2 waiting");
    assert_eq!(Counts::at(&run, -1.0), None);
}

#[test]
fn capacity_that_changes_is_a_step_line() {
    let (_, mut run) = every_state();
    let present = &mut run.series.gpus_present;
    let rows = present.len();
    present[..rows / 2].fill(12);
    present[0] = 6;
    let window = TimeWindow::new(0.0, 400.0);
    let lane = GpuLane { run: &run, policy: 0, gpus_top: 12, frame: FRAME, window };
    check(
        &lane.draw(),
        expect![[r#"
            |              **************************          ******
            |      12      *''''''''''''''''''''''''*      *****''''*
            |              *''''''''''''''''''''''''********''''''''*************************************
            |          *****'''''''''''''****************''''''''''''''''''''*'''''''''''''''''''''''''''
            |          '''''''''**********'''''''''''''''''''''''''''''''''''*****'''''''''''''''''''''''
            |          *********'''''''''''''''''''''''''''''''''''''''''''''''''*'''''''''''''''''''''''
            |    GPUs  *'''''''''''''''''''''''''''''''''''''''''''''''''''''''''*'''''''''''''''''''''''
            |          *'''''''''''''''''''''''''''''''''''''''''''''''''''''''''************************
        "#]],
    );
    assert_eq!(most_present(&run), 12);
    let counts = Counts::at(&run, 250.0).unwrap();
    assert_eq!((counts.gpus_present, counts.readout().as_str()), (8, "5 of 8 GPUs · 0 waiting"));
}

#[test]
fn jobs_waiting_of_two_runs() {
    let (_, run) = every_state();
    let (_, quick) = told(8, &[job(0, 0.0, &[(300.0, Running, 1)])]);
    let (fixed, other) = (waiting(&run), waiting(&quick));
    let lines = [line(&fixed, 0, "A fixed, peak 4"), line(&other, 1, "B never queues")];
    let window = TimeWindow::new(0.0, 400.0);
    let frame = Frame { height: 60.0, ..FRAME };
    let lane = SeriesLane { lines: &lines, top: None, write: format::number, frame, window };
    expect![[r#"
        |                                     ***
        |       4  A fixed, peak 4            * *
        |                                     * *
        |                                ****** *****
        |                                *          *
        |                                *          *
        |                                *          *
        |                       **********          ****
        |                       *                      *
        |                       *                      *B never queues
        |                       *                      *
        |              **********                      **********
        |              *                                        *
        |       0      *                                        *
        |          *********************************************************************************_________
    "#]]
    .assert_eq(&paint(&lane.draw(), (FRAME.right() + 40.0, 60.0), (4.0, 4.0)));
    assert_eq!((fixed.at(110.0), other.at(110.0)), (Some(3.0), Some(0.0)));
}

#[test]
fn gpus_stacked_by_model() {
    let (trace, run) = every_state();
    let (slots, rows) = (ModelSlots::new(&trace), Rows::by_submission(&trace));
    let window = TimeWindow::new(0.0, 400.0);
    let banding = Banding::new(&trace, &slots, StackBy::Model, &[&run], rows.jobs());
    let stack = Stack::of(&run, &trace, &banding, rows.jobs());
    let (run, trace, banding, stack, phase) = (&run, &trace, &banding, &stack, Phase::Finished);
    let strip = StackStrip { run, trace, banding, stack, gpus_top: 8, frame: FRAME, window, phase, selected: None };
    check(
        &strip.draw(),
        expect![[r#"
            |          ..........................................................................................
            |                                           222222222222333333333                             8 GPUs
            |                            222222222222222211111111111222222222
            |                   33333333322222222222222221111111111122222222233333
            |          11111111111111111111111111111111111111111111122222222222222
            |          11111111111111111111111111111111111111111111122222222222222
            |          11111111111111111111111111111111111111111111111111111122222
            |          111111111111111111111111111111111111111111111111111111222233333333333333333333333
        "#]],
    );
}

#[test]
fn axis_labels_say_only_what_changes() {
    let labels = |start_s: f64, end_s: f64| {
        let scale = TimeScale::new(TimeWindow::new(start_s, end_s), 0.0, 742.0);
        let labels: Vec<String> = axis::ticks(&scale, 0.0, 70.0).into_iter().map(|tick| tick.label).collect();
        labels.join(" | ")
    };
    expect!["0h | 1h | 2h | 3h | 4h | 5h | 6h"].assert_eq(&labels(0.0, 22_500.0));
    expect!["2h | 2h 10m | 2h 20m | 2h 30m | 2h 40m | 2h 50m | 3h | 3h 10m | 3h 20m"]
        .assert_eq(&labels(7_000.0, 12_000.0));
    expect!["13m 20s | 13m 30s | 13m 40s | 13m 50s | 2h 14m | 14m 10s | 14m 20s | 14m 30s"]
        .assert_eq(&labels(8_000.0, 8_070.0));
    expect!["59s 995ms | 59s 996ms | 59s 997ms | 59s 998ms | 59s 999ms | 1m | 1m 001ms | 1m 002ms | 1m 003ms | 1m 004ms | 1m 005ms"].assert_eq(&labels(59.995, 60.005));
    expect!["0h | 2h | 4h | 6h | 8h | 10h"].assert_eq(&labels(-3_600.0, 40_000.0));
    expect!["0d | 2d | 4d | 6d | 8d | 10d | 12d | 14d | 16d | 18d | 20d"].assert_eq(&labels(0.0, 21.0 * 86_400.0));
    expect!["0d | 360d | 720d | 1,080d | 1,440d | 1,800d | 2,160d | 2,520d | 2,880d | 3,240d"]
        .assert_eq(&labels(0.0, 3e8));
}

#[test]
fn traces_on_unix_time_get_a_calendar_axis() {
    // The first submission is 12 March 2021, 14:30:00 UTC; ticks are at round times of day, not of the run.
    let zero_s = 1_615_559_400.0;
    let frame = Frame { left: 0.0, top: 0.0, width: 742.0, height: 20.0 };
    let labels = |start_s: f64, end_s: f64| {
        let scale = TimeScale::over(TimeWindow::new(zero_s + start_s, zero_s + end_s), &frame);
        let ticks = axis::ticks(&scale, zero_s, 70.0);
        let text = |mark: &Mark| if let Mark::Text { text, .. } = mark { text.clone() } else { String::new() };
        axis::labels(&ticks, &frame, None).marks.iter().map(text).collect::<Vec<_>>().join(" | ")
    };
    expect!["12 Mar 2021 15:00 UTC | 16:00 | 17:00 | 18:00 | 19:00 | 20:00"].assert_eq(&labels(0.0, 22_500.0));
    expect!["12 Mar 2021 18:00 UTC | 13 Mar | 06:00 | 12:00 | 18:00 | 14 Mar | 06:00"]
        .assert_eq(&labels(0.0, 150_000.0));
    expect!["14 Mar 2021 UTC | 18 Mar | 20 Mar | 22 Mar | 24 Mar | 26 Mar | 28 Mar | 30 Mar | 1 Apr"]
        .assert_eq(&labels(0.0, 21.0 * 86_400.0));
    expect!["12 Mar 2021 14:30:00 UTC | 14:30:20 | 14:30:30 | 14:30:40 | 14:30:50 | 14:31:00 | 14:31:10"]
        .assert_eq(&labels(-1.0, 70.0));
}

#[test]
fn the_cursor_hides_labels_under_its_readout() {
    let frame = Frame { left: 0.0, top: 0.0, width: 742.0, height: 20.0 };
    let scale = TimeScale::over(TimeWindow::new(0.0, 22_500.0), &frame);
    let ticks = axis::ticks(&scale, 0.0, 70.0);
    assert_eq!(axis::labels(&ticks, &frame, None).len(), 7);
    assert_eq!(axis::labels(&ticks, &frame, Some(ticks[2].x + 20.0)).len(), 6);
    assert_eq!(axis::grid(&ticks, &frame).len(), 7);
}

#[test]
fn a_long_series_is_thinned_and_keeps_its_extremes() {
    let (_, run) = many(2_000, 20);
    assert!(run.series.time_s.len() > 30_000);
    let window = TimeWindow::fit(run.start_s, run.end_s);
    let peak = *run.series.jobs_waiting.iter().max().unwrap();
    let (busy, label) = (waiting(&run), format!("C busy, peak {peak}"));
    let lines = [line(&busy, 2, &label)];
    let lane = SeriesLane { lines: &lines, top: None, write: format::number, frame: FRAME, window };
    let list = lane.draw();
    let points =
        list.marks.iter().find_map(|mark| if let Mark::Path { points, .. } = mark { Some(points) } else { None });
    let points = points.unwrap();
    assert!(points.len() <= 4 * 360 + 2, "{} points", points.len());
    assert_eq!(points.iter().map(|point| point.y).fold(f64::INFINITY, f64::min), FRAME.top + 0.5, "the peak");
    assert!(list.marks.iter().any(|mark| matches!(mark, Mark::Text { text, .. } if *text == label)));
}
