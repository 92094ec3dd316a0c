//! Packed rows: which job lies where, against what must hold, and how they look.

use elastiplan_engine::Run;
use elastiplan_model::JobId;
use elastiplan_scene::{
    Frame, Hit, Mark, ModelSlots, PackedRows, PackedStrip, Paint, Phase, RowGroup, Rows, TimeWindow,
};
use expect_test::expect;
use proptest::prelude::*;

use crate::ascii::paint;
use crate::fixture::{Rescaling, Running, Waiting};
use crate::fixture::{every_state, job, told};
use crate::properties::{any_run, any_window};

const WIDTH_PX: f64 = 300.0;

fn gap_s(window: TimeWindow) -> f64 {
    6.0 * window.span_s() / WIDTH_PX
}

fn life_s(run: &Run, job: JobId) -> (f64, f64) {
    let spans: Vec<_> = run.spans.of(job).collect();
    (spans[0].start_s, spans[spans.len() - 1].end_s)
}

fn is_in(window: TimeWindow, (start_s, end_s): (f64, f64)) -> bool {
    start_s < window.end_s() && end_s > window.start_s()
}

/// Jobs that hold GPUs in a window, and how many only wait there: the slow way.
fn holding(run: &Run, window: TimeWindow) -> (Vec<JobId>, usize) {
    let jobs = (0..run.jobs.outcome.len() as u32).map(JobId);
    let present: Vec<JobId> =
        jobs.filter(|&job| run.spans.of(job).next().is_some() && is_in(window, life_s(run, job))).collect();
    let holds = |job: &JobId| run.spans.of(*job).any(|span| span.gpus > 0 && is_in(window, (span.start_s, span.end_s)));
    let holding: Vec<JobId> = present.iter().copied().filter(holds).collect();
    let waiting = present.len() - holding.len();
    (holding, waiting)
}

/// Each job that holds GPUs in view has exactly one row, no other job has one, and jobs of a row are a gap apart.
fn check_rows(packed: &PackedRows, run: &Run, window: TimeWindow, gap_s: f64) -> Result<(), TestCaseError> {
    let (holding, waiting) = holding(run, window);
    prop_assert_eq!((packed.holding(), packed.only_waiting()), (holding.len(), waiting));
    let mut seen = Vec::new();
    for row in 0..packed.len() {
        let jobs: Vec<JobId> = packed.jobs_in(row).collect();
        for (&before, &after) in jobs.iter().zip(jobs.iter().skip(1)) {
            let free_s = life_s(run, before).1 + gap_s;
            prop_assert!(free_s <= life_s(run, after).0 + 1e-9, "{before:?} and {after:?} meet in row {row}");
        }
        for &job in &jobs {
            prop_assert_eq!(packed.row_of(job), Some(row));
        }
        seen.extend(jobs);
    }
    seen.sort();
    prop_assert_eq!(seen, holding);
    Ok(())
}

/// Jobs in the order of some keys, in groups of some sizes; both are used again where they are too few.
fn shuffled(trace: &elastiplan_model::Trace, keys: &[u32], sizes: &[usize]) -> Rows {
    let mut jobs: Vec<JobId> = (0..trace.jobs().len() as u32).map(JobId).collect();
    jobs.sort_by_key(|job| (keys[job.index() % keys.len()], job.index() % 7));
    let mut groups = Vec::new();
    let mut first = 0;
    for (nth, size) in sizes.iter().cycle().enumerate() {
        if first >= jobs.len() {
            break;
        }
        groups.push(RowGroup { name: format!("group {nth}"), first });
        first += size;
    }
    Rows::from_jobs(trace, jobs).in_groups(groups)
}

fn group_of(rows: &Rows, job: JobId) -> usize {
    let row = rows.row_of(job).unwrap();
    rows.groups().iter().rposition(|group| group.first <= row).unwrap()
}

/// The rows of a group follow each other, and groups lie in their order.
fn check_groups(packed: &PackedRows, rows: &Rows) -> Result<(), TestCaseError> {
    let groups: Vec<usize> = (0..packed.len())
        .flat_map(|row| packed.jobs_in(row).map(|job| group_of(rows, job)).collect::<Vec<_>>())
        .collect();
    prop_assert!(groups.is_sorted(), "{groups:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn rows_are_as_few_as_can_be((trace, run) in any_run(), window in any_window()) {
        let rows = Rows::by_submission(&trace);
        let packed = PackedRows::pack(&run, &rows, window, WIDTH_PX);
        let gap_s = gap_s(window);
        check_rows(&packed, &run, window, gap_s)?;
        // Jobs present at once, each with the gap after it: the most of them at any begin.
        let (holding, _) = holding(&run, window);
        let lives: Vec<(f64, f64)> = holding.iter().map(|&job| life_s(&run, job)).collect();
        let at_once = |at_s: f64| lives.iter().filter(|(start_s, end_s)| *start_s <= at_s && at_s < end_s + gap_s).count();
        let most = lives.iter().map(|(start_s, _)| at_once(*start_s)).max().unwrap_or(0);
        prop_assert_eq!(packed.len(), most);
    }

    #[test]
    fn rows_stay_while_panning(
        (trace, run) in any_run(),
        window in any_window(),
        pans in prop::collection::vec(-0.7..0.7_f64, 1..12),
    ) {
        let rows = Rows::by_submission(&trace);
        let (mut packed, mut window) = (PackedRows::pack(&run, &rows, window, WIDTH_PX), window);
        for pan in pans {
            let before: Vec<(JobId, usize)> =
                rows.jobs().iter().filter_map(|&job| Some((job, packed.row_of(job)?))).collect();
            window = window.panned(window.span_s() * pan);
            packed.follow(&run, &rows, window, WIDTH_PX);
            check_rows(&packed, &run, window, gap_s(window) - 1e-6)?;
            let (holding, _) = holding(&run, window);
            for (job, row) in before {
                let after = packed.row_of(job);
                prop_assert_eq!(after, holding.contains(&job).then_some(row), "the row of {:?}", job);
            }
        }
    }

    /// Jobs in any order and in any groups: each gets the first row of its group in which it meets no job before it.
    #[test]
    fn rows_follow_order_and_groups(
        (trace, run) in any_run(),
        window in any_window(),
        keys in prop::collection::vec(0..1_000_u32, 1..80),
        sizes in prop::collection::vec(1..9_usize, 1..6),
        pan in -0.7..0.7_f64,
    ) {
        let rows = shuffled(&trace, &keys, &sizes);
        let mut packed = PackedRows::pack(&run, &rows, window, WIDTH_PX);
        check_rows(&packed, &run, window, gap_s(window))?;
        check_groups(&packed, &rows)?;
        let (holding, _) = holding(&run, window);
        let mut first_free: Vec<(JobId, usize)> = Vec::new();
        let mut above = 0;
        for group in 0..rows.groups().len() {
            let mut of_group: Vec<Vec<JobId>> = Vec::new();
            for &job in rows.jobs().iter().filter(|job| holding.contains(job) && group_of(&rows, **job) == group) {
                let meets = |other: &JobId| {
                    let ((start_s, end_s), (from_s, to_s)) = (life_s(&run, job), life_s(&run, *other));
                    start_s < to_s + gap_s(window) && from_s < end_s + gap_s(window)
                };
                let row = of_group.iter().position(|row| !row.iter().any(meets)).unwrap_or(of_group.len());
                of_group.resize(of_group.len().max(row + 1), Vec::new());
                of_group[row].push(job);
                first_free.push((job, above + row));
            }
            above += of_group.len();
        }
        for (job, row) in first_free {
            // As jobs begin, any row that is free will do.
            let is_as_they_begin = {
                let of_group = rows.jobs().iter().filter(|other| holding.contains(other));
                let starts: Vec<f64> = of_group
                    .filter(|other| group_of(&rows, **other) == group_of(&rows, job))
                    .map(|other| life_s(&run, *other).0)
                    .collect();
                starts.is_sorted()
            };
            prop_assert!(is_as_they_begin || packed.row_of(job) == Some(row), "{job:?} is not in row {row}");
        }
        let panned = window.panned(window.span_s() * pan);
        packed.follow(&run, &rows, panned, WIDTH_PX);
        check_rows(&packed, &run, panned, gap_s(panned) - 1e-6)?;
        check_groups(&packed, &rows)?;
    }

    /// While something runs, something is drawn; what is drawn is hit.
    #[test]
    fn bars_are_drawn_and_hit((trace, run) in any_run(), window in any_window()) {
        let (rows, slots) = (Rows::by_submission(&trace), ModelSlots::new(&trace));
        let packed = PackedRows::pack(&run, &rows, window, WIDTH_PX);
        let frame = Frame { left: 10.0, top: 5.0, width: WIDTH_PX, height: 14.0 * 40.0 };
        let strip = PackedStrip::new((&run, &trace, &slots), &packed, (frame, window, 0.0), Phase::Finished, None);
        let list = strip.draw();
        let mut bars = 0;
        for mark in &list.marks {
            let Mark::Rect { frame: bar, paint: Paint::Model(slot), .. } = mark else { continue };
            bars += 1;
            let Some(Hit::Job(hit)) = strip.hit(bar.left + bar.width / 2.0, bar.top + bar.height / 2.0) else {
                panic!("nothing at {bar:?}")
            };
            prop_assert_eq!(slots.of(trace.jobs()[hit.job.index()].model), *slot);
        }
        // A job that holds GPUs for less than half a pixel may show what it does for the rest of it.
        let px_s = window.span_s() / WIDTH_PX;
        let is_seen = |job: &JobId| run.spans.of(*job).any(|span| {
            span.gpus > 0 && span.end_s.min(window.end_s()) - span.start_s.max(window.start_s()) >= 2.0 * px_s
        });
        let seen = holding(&run, window).0.iter().filter(|job| is_seen(job)).count();
        prop_assert!(bars >= seen, "{bars} bars of {seen} jobs");
    }
}

#[test]
fn a_run_on_its_way_keeps_its_rows() {
    let (trace, run) = every_state();
    let rows = Rows::by_submission(&trace);
    let window = TimeWindow::new(0.0, 400.0);
    let mut packed = PackedRows::pack(&crate::fixture::stopped_at(&run, 90.0), &rows, window, WIDTH_PX);
    let row = packed.row_of(JobId(1));
    packed.follow(&run, &rows, window, WIDTH_PX);
    check_rows(&packed, &run, window, 0.0).unwrap();
    assert_eq!(packed.row_of(JobId(1)), row);
}

#[test]
fn packed_rows_say_names_gpus_and_waits() {
    let (trace, run) = told(
        64,
        &[
            job(0, 0.0, &[(150.0, Running, 16)]),
            job(
                1,
                0.0,
                &[
                    (60.0, Running, 4),
                    (2.0, Rescaling, 8),
                    (178.0, Running, 8),
                    (1.0, Rescaling, 2),
                    (59.0, Running, 2),
                ],
            ),
            job(2, 170.0, &[(70.0, Waiting, 0), (60.0, Running, 2)]),
            job(0, 200.0, &[(200.0, Waiting, 0)]).unfinished(),
        ],
    );
    let (rows, slots) = (Rows::by_submission(&trace), ModelSlots::new(&trace));
    let frame = Frame { left: 0.0, top: 0.0, width: 400.0, height: 28.0 };
    let window = TimeWindow::new(0.0, 320.0);
    let packed = PackedRows::pack(&run, &rows, window, frame.width);
    let strip = PackedStrip::new((&run, &trace, &slots), &packed, (frame, window, 0.0), Phase::Finished, None);
    assert_eq!(strip.words(), "3 jobs hold GPUs, 1 only waits");
    expect![[r#"
        |1111111111111111111111111111111111111111111111]                            333333333333333333]
        |1model0 train-11111111111111111111111111111116]      ----waiting 1m 10s----3train-33333333323]
        |1111111111111111111111111111111111111111111111]                            333333333333333333]
        |222222222222222222%%2222222222222222222222222222222222222222222222222222222%22222222222222222]
        |222222222222222222%%2222222222222222222222222222222222222222222222222222222%22222222222222222]
        |222222224222222222%%model1 train-222222222222222222222222222222222222222282%22222222222222222]
        |222222222222222222%%2222222222222222222222222222222222222222222222222222222%22222222222222222]
    "#]]
    .assert_eq(&paint(&strip.draw(), (420.0, 28.0), (4.0, 4.0)));
    let hatches: Vec<f64> = strip
        .draw()
        .marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Rect { frame, paint: Paint::Panel, .. } => Some(frame.width),
            _ => None,
        })
        .collect();
    assert_eq!(hatches, [4.5, 4.5], "pauses of 2.5 and 1.25 px are seen");
}

#[test]
fn rows_that_do_not_fit_are_scrolled() {
    let jobs: Vec<_> = (0..12).map(|_| job(0, 0.0, &[(100.0, Running, 1)])).collect();
    let (trace, run) = told(64, &jobs);
    let (rows, slots) = (Rows::by_submission(&trace), ModelSlots::new(&trace));
    let frame = Frame { left: 0.0, top: 0.0, width: 400.0, height: 56.0 };
    let window = TimeWindow::new(0.0, 100.0);
    let packed = PackedRows::pack(&run, &rows, window, frame.width);
    let check = |scroll_px: f64, words: &str, top: f64| {
        let strip =
            PackedStrip::new((&run, &trace, &slots), &packed, (frame, window, scroll_px), Phase::Finished, None);
        assert_eq!((strip.words().as_str(), strip.thumb().unwrap().top), (words, top));
    };
    check(0.0, "12 jobs hold GPUs, rows 1–4 of 12", 0.0);
    check(56.0, "12 jobs hold GPUs, rows 5–8 of 12", 18.0);
    check(999.0, "12 jobs hold GPUs, rows 9–12 of 12", 36.0);
}

#[test]
fn groups_of_packed_rows_have_names() {
    let (trace, run) = every_state();
    let slots = ModelSlots::new(&trace);
    let group = |name: &str, first: usize| RowGroup { name: name.into(), first };
    let rows = Rows::by_submission(&trace).in_groups(vec![group("early", 0), group("late", 2), group("never", 5)]);
    let window = TimeWindow::new(0.0, 400.0);
    let frame = Frame { left: 10.0, top: 2.0, width: 480.0, height: 140.0 };
    let packed = PackedRows::pack(&run, &rows, window, frame.width);
    let strip = PackedStrip::new((&run, &trace, &slots), &packed, (frame, window, 0.0), Phase::Finished, None);
    let marks = strip.draw().marks;
    let names: Vec<&str> = marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Text { text, .. } if text.contains(" · ") => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let held =
        |range: std::ops::Range<u32>| holding(&run, window).0.iter().filter(|job| range.contains(&job.0)).count();
    let mut expected = vec![format!("early · {}", held(0..2)), format!("late · {}", held(2..5))];
    if held(5..6) > 0 {
        expected.push(format!("never · {}", held(5..6)));
    }
    assert_eq!(names, expected);
}
