//! Strips, seen.

use elastiplan_engine::Run;
use elastiplan_model::{JobId, Trace};
use elastiplan_scene::{
    Frame, Mark, ModelSlots, Phase, Pitch, RowGroup, Rows, Strip, StripLayout, TimeWindow, fit_pitch,
};
use expect_test::{Expect, expect};

use crate::ascii::paint;
use crate::fixture::{Recovering, Rescaling, Running, every_state, job, many, stopped_at, told};

/// What a test changes of a strip.
struct Case<'a> {
    run: &'a Run,
    trace: &'a Trace,
    rows: Rows,
    frame: Frame,
    window: TimeWindow,
    pitch: Option<Pitch>,
    scroll_px: f64,
    phase: Phase,
    selected: Option<JobId>,
    hovered: Option<JobId>,
}

/// 360 px for 360 s, a gutter of 56 px.
fn case<'a>(trace: &'a Trace, run: &'a Run, height: f64) -> Case<'a> {
    Case {
        run,
        trace,
        rows: Rows::by_submission(trace),
        frame: Frame { left: 56.0, top: 0.0, width: 360.0, height },
        window: TimeWindow::new(run.start_s, run.start_s + 360.0),
        pitch: None,
        scroll_px: 0.0,
        phase: Phase::Finished,
        selected: None,
        hovered: None,
    }
}

impl Case<'_> {
    /// A letter is 4 px wide, and as high as half a row.
    fn check(&self, expect: Expect) {
        let fitted = fit_pitch(self.rows.len(), self.frame.height);
        let pitch = self.pitch.unwrap_or(fitted);
        let (frame, window, scroll_px) = (self.frame, self.window, self.scroll_px);
        let layout = StripLayout { rows: self.rows.len(), frame, window, pitch, scroll_px };
        let slots = ModelSlots::new(self.trace);
        let (phase, selected, hovered) = (self.phase, self.selected, self.hovered);
        let strip = Strip {
            run: self.run,
            trace: self.trace,
            slots: &slots,
            rows: &self.rows,
            layout,
            phase,
            selected,
            hovered,
            detail: None,
        };
        let cell = (4.0, pitch.px().min(8.5));
        expect.assert_eq(&paint(&strip.draw(), (frame.right() + 4.0, frame.height), cell));
    }
}

#[test]
fn high_rows_show_names_numbers_and_every_state() {
    let (trace, run) = every_state();
    case(&trace, &run, 102.0).check(expect![[r#"
        |     train-1  1111111111111111111111114111111111111111111111111]
        |              1111111111111111111111111111111111111111111111111]
        |     train-2       ---------------2222222222222222222222222%%%%%22222224222222]
        |                                  2222222222222222222222222%%%%%22222222222222]
        |     train-3            3333133333~~~~~~~~~~~~~~~~~~~~%%%%%33333332333333]
        |                        3333333333                    %%%%%33333333333333]
        |     train-4                 -----------------------111111111121111111111] X
        |                                                   11111111_______________
        |     train-5                           x-------
        |
        |     train-6                                --------------------33333333333333333331333333333333333%%%%%
        |                                                                33333333333333333333333333333333333%%%%%
    "#]]);
}

#[test]
fn recovering_and_ends_before_the_work_is_done_are_told_apart() {
    let (trace, run) = told(
        8,
        &[
            job(0, 0.0, &[(100.0, Running, 4), (60.0, Recovering, 2), (60.0, Running, 2)]),
            job(1, 0.0, &[(100.0, Running, 4), (60.0, Rescaling, 2), (60.0, Running, 2)]).failed(),
            job(2, 0.0, &[(220.0, Running, 4)]).due(100.0).cancelled(),
        ],
    );
    case(&trace, &run, 51.0).check(expect![[r#"
        |     train-1  1111111111114111111111111"""""""""""""""11111112111111]
        |              1111111111111111111111111"""""""""""""""11111111111111]
        |     train-2  2222222222224222222222222%%%%%%%%%%%%%%%222222222222222 F
        |              2222222222222222222222222%%%%%%%%%%%%%%%222222222222222
        |     train-3  3333333333333333333333333334333333333333333333333333333 C
        |              3333333333333333333333333333333333333333333333333333333
    "#]]);
    case(&trace, &run, 9.0).check(expect![[r#"
        |              1111111111111111111111111===============111111111111111
        |              2222222222222222222222222%%%%%%%%%%%%%%%222222222222222 F
        |              3333333333333333333333333333333333333333333333333333333 C
    "#]]);
}

#[test]
fn low_rows_show_the_silhouette() {
    let (trace, run) = every_state();
    case(&trace, &run, 38.0).check(expect![[r#"
        |       job 1  11111111111111111111111111111111111111111111111111
        |                   ---------------2222222222222222222222222%%%%%222222222222222
        |                        3333333333~~~~~~~~~~~~~~~~~~~~%%%%%333333333333333
        |                             -----------------------1111111_______________ X
        |                                       x-------
        |       job 6                                --------------------33333333333333333333333333333333333%%%%%
        |
    "#]]);
    case(&trace, &run, 24.0).check(expect![[r#"
        |              11111111111111111111111111111111111111111111111111
        |       job 1       ---------------2222222222222222222222222%%%%%222222222222222
        |                        3333333333~~~~~~~~~~~~~~~~~~~~%%%%%333333333333333
        |                             -----------------------1111111111111111111111 X
        |       job 6                           x-------
        |                                            --------------------33333333333333333333333333333333333%%%%%
    "#]]);
}

#[test]
fn rows_that_do_not_fit_merge_into_bands() {
    let (trace, run) = every_state();
    case(&trace, &run, 9.0).check(expect![[r#"
        |              aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbb
        |                        cccccccccc------------------aaaaaaaaaaaaaaaaaaaaaa
        |                                       -------------------------cccccccccccccccccccccccccccccccccccccccc
    "#]]);
    let mut high = case(&trace, &run, 20.0);
    high.pitch = Some(Pitch::bands(6, 20.0, 10));
    high.check(expect![[r#"
        |       job 1  aaaaaaaaaaaaaaaaaaaaaaaa×3aaaaaaaaaaaaaaaaaaaaaaaabbbbbb×3bbbbbbb
        |                             -----------------------aaaaaaaaa×3aaaaaaaaaaacccccccccccccc×3cccccccccccccc
        |
    "#]]);
}

#[test]
fn a_selected_job_is_tinted_and_its_deadline_runs_through_the_strip() {
    let (trace, run) = every_state();
    let mut case = case(&trace, &run, 60.0);
    case.selected = Some(JobId(3));
    case.hovered = Some(JobId(1));
    case.check(expect![[r#"
        |     train-1  111111111111111111111111411111111111111111111:111]
        |              +    ---------------2222222222222222222222222:%%%%22222224222222]                        +
        |     train-3            3333133333~~~~~~~~~~~~~~~~~~~~%%%%%:3333332333333]
        |              +....................................11111111:1111111111111].............................+
        |     train-4  +..............-----------------------1111111:__2___________.X...........................+
        |     train-5                           x-------            :    33333333333333333333333333333333333%%%%%
        |     train-6                                ---------------:----33333333333333333331333333333333333%%%%%
        |
    "#]]);
}

#[test]
fn a_selected_job_stays_in_view_when_scrolled() {
    let (trace, run) = every_state();
    let mut case = case(&trace, &run, 51.0);
    case.pitch = Some(Pitch::Rows { row_px: 17 });
    case.scroll_px = 51.0;
    case.selected = Some(JobId(0));
    case.check(expect![[r#"
        |     train-1  +111111111111111111111114111111111111111111111111].......................................+
        |              +111111111111111111111111111111111111111111111111].......................................+
        |     train-5                           x-------
        |
        |     train-6                                --------------------33333333333333333331333333333333333%%%%%
        |                                                                33333333333333333333333333333333333%%%%%
    "#]]);
}

#[test]
fn a_stopped_run_is_hatched_after_the_stop() {
    let (trace, run) = every_state();
    let run = stopped_at(&run, 210.0);
    let mut stopped = case(&trace, &run, 60.0);
    stopped.phase = Phase::Stopped;
    stopped.selected = Some(JobId(3));
    stopped.check(expect![[r#"
        |     train-1  111111111111111111111111411111111111111111111:111]  |/////////////////////////////////////
        |                   ---------------2222222222222222222222222:%%%%%%|/////////////////////////////////////
        |     train-3            3333133333~~~~~~~~~~~~~~~~~~~~%%%%%:3%%%%%|/////////////////////////////////////
        |              +....................................11111111:1%%%%%%....................................+
        |     train-4  +..............-----------------------1111112:_______X...................................+
        |     train-5                           x-------            :    %%|/////////////////////////////////////
        |     train-6                                ---------------:----%%|/////////////////////////////////////
        |
    "#]]);
}

#[test]
fn other_orders_and_fewer_models() {
    let (trace, run) = every_state();
    let mut sorted = case(&trace, &run, 24.0);
    let end_s = |job: &JobId| run.jobs.end_s[job.index()].unwrap_or(f64::INFINITY);
    let mut jobs: Vec<JobId> = trace.iter().map(|(job, _)| job).collect();
    elastiplan_model::order::sort_by(&mut jobs, |a, b| end_s(a).total_cmp(&end_s(b)));
    sorted.rows = Rows::from_jobs(&trace, jobs);
    sorted.check(expect![[r#"
        |                                       x-------
        |       job 5  11111111111111111111111111111111111111111111111111
        |                        3333333333~~~~~~~~~~~~~~~~~~~~%%%%%333333333333333
        |                             -----------------------1111111111111111111111 X
        |       job 6       ---------------2222222222222222222222222%%%%%222222222222222
        |                                            --------------------33333333333333333333333333333333333%%%%%
    "#]]);
    let mut filtered = case(&trace, &run, 24.0);
    filtered.rows = Rows::by_submission(&trace).of_models(&trace, |model| model.0 != 1);
    filtered.check(expect![[r#"
        |       job 1  11111111111111111111111111111111111111111111111111
        |                        3333333333~~~~~~~~~~~~~~~~~~~~%%%%%333333333333333
        |                             -----------------------1111111_______________ X
        |       job 6                                --------------------33333333333333333333333333333333333%%%%%
    "#]]);
}

#[test]
fn a_thousand_jobs_still_have_a_shape() {
    let (trace, run) = many(1_000, 4);
    let mut all = case(&trace, &run, 60.0);
    all.window = TimeWindow::fit(run.start_s, run.end_s);
    all.check(expect![[r#"
        |              -hhiiiii
        |       job 1      -hiiiidb~
        |                      -biiiidhhc
        |                          -iaeefcffb
        |                              -iiiieeii~
        |                                  -ggbiiiii~
        |                                       -bfbiccggg
        |                                           -bfiiihi~
        |                                               -hhiiiiih
        |                                                   -gihiihffaa
        |                                                       -iiiiiihh
        |                                                            -fieeeiiaa
        |                                                                -fhiiiiahb
        |                                                                    --ciiiiie
        |                                                                        --iiifachi
        |                                                                            -hiiiiiidd
        |                                                                                 -iiiiifffa
        |                                                                                     -ahbiiihh~
        |       1,000                                                                             -igiiiiiih~
        |                                                                                             -iicdhaha~
    "#]]);
}

#[test]
fn a_run_in_progress_has_a_hairline() {
    let (trace, run) = every_state();
    let run = stopped_at(&run, 210.0);
    let mut running = case(&trace, &run, 38.0);
    running.phase = Phase::Running;
    running.check(expect![[r#"
        |       job 1  11111111111111111111111111111111111111111111111111  |
        |                   ---------------2222222222222222222222222%%%%%22|
        |                        3333333333~~~~~~~~~~~~~~~~~~~~%%%%%3333333|
        |                             -----------------------1111111_______|
        |                                       x-------                   |
        |       job 6                                --------------------33|
        |
    "#]]);
}

#[test]
fn spans_narrower_than_a_pixel_merge() {
    let (trace, run) = many(3, 60);
    let mut narrow = case(&trace, &run, 12.0);
    narrow.window = TimeWindow::new(run.start_s, run.start_s + 200_000.0);
    narrow.check(expect![[r#"
        |              -5%55%5~~~%%55%~%5~~~~~~~~5~555%~~%~~~~5 X
        |       job 1  -~~~5%~~~%~~5~%5~~~~55~%~~~55~5~~~55~~~~
        |              -9~~99%%~99%%9%%~~%~%9~~~~%~~%99~%%99~~~%
    "#]]);
    narrow.window = TimeWindow::new(run.start_s, run.start_s + 1e8);
    narrow.check(expect![[r#"
        |              eX
        |       job 1  e
        |              i
    "#]]);
}

/// Jobs of each group, the height of the plot, and the names that are seen: none of them lies on another, and all lie
/// over the lines between groups.
#[test]
fn every_group_has_its_name_where_there_is_room() {
    let check = |sizes: &[usize], height: f64, expected: &[&str]| {
        let jobs: Vec<_> = (0..sizes.iter().sum::<usize>()).map(|_| job(0, 0.0, &[(300.0, Running, 1)])).collect();
        let (trace, run) = told(64, &jobs);
        let mut groups = Vec::new();
        for (nth, size) in sizes.iter().enumerate() {
            let first = groups.last().map_or(0, |last: &RowGroup| last.first + sizes[nth - 1]);
            assert!(*size > 0);
            groups.push(RowGroup { name: format!("g{nth}"), first });
        }
        let rows = Rows::by_submission(&trace).in_groups(groups);
        let slots = ModelSlots::new(&trace);
        let frame = Frame { left: 56.0, top: 0.0, width: 360.0, height };
        let layout = StripLayout::fit(rows.len(), frame, TimeWindow::new(0.0, 360.0));
        let (phase, selected, hovered, detail) = (Phase::Finished, None, None, None);
        let strip =
            Strip { run: &run, trace: &trace, slots: &slots, rows: &rows, layout, phase, selected, hovered, detail };
        let marks = strip.draw().marks;
        let is_name = |text: &String| text.contains(" · ");
        let names: Vec<(usize, f64, &str)> = marks
            .iter()
            .enumerate()
            .filter_map(|(at, mark)| match mark {
                Mark::Text { text, at: place, .. } if is_name(text) => Some((at, place.y, text.as_str())),
                _ => None,
            })
            .collect();
        assert_eq!(names.iter().map(|(_, _, name)| *name).collect::<Vec<_>>(), expected, "{sizes:?} in {height}");
        assert!(names.windows(2).all(|pair| pair[1].1 - pair[0].1 >= 11.0), "names lie on each other: {names:?}");
        let last_line = marks.iter().rposition(|mark| matches!(mark, Mark::Line { .. }));
        assert!(
            names.first().zip(last_line).is_none_or(|((first, ..), line)| *first > line),
            "a name is struck through"
        );
    };
    check(&[20, 1, 1, 1, 20], 180.0, &["g0 · 20", "g1 · 1", "g2 · 1", "g3 · 1", "g4 · 20"]);
    check(&[1, 1, 1, 47], 150.0, &["g0 · 1", "g1 · 1", "g2 · 1", "g3 · 47"]);
    // Three names fit: the smallest groups have none.
    check(&[9, 2, 8, 1, 7], 40.0, &["g0 · 9", "g2 · 8", "g4 · 7"]);
}
