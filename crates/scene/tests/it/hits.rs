//! What lies under a pointer, and what the tooltip says.

use elastiplan_model::JobId;
use elastiplan_scene::{
    Frame, Hit, ModelSlot, ModelSlots, Phase, Pitch, Rows, Strip, StripLayout, TimeWindow, fit_pitch,
};

use crate::fixture::{Recovering, Rescaling, every_state, job, told};

const FRAME: Frame = Frame { left: 56.0, top: 20.0, width: 360.0, height: 102.0 };

#[test]
fn rows_spans_edges_and_words() {
    let (trace, run) = every_state();
    let (rows, slots) = (Rows::by_submission(&trace), ModelSlots::new(&trace));
    let layout = StripLayout::fit(rows.len(), FRAME, TimeWindow::new(0.0, 360.0));
    let strip = Strip {
        run: &run,
        trace: &trace,
        slots: &slots,
        rows: &rows,
        layout,
        phase: Phase::Finished,
        selected: None,
        hovered: None,
        detail: None,
    };

    let hit = strip.hit(56.0 + 190.0, 20.0 + 17.0 + 8.0).unwrap();
    let Hit::Job(under) = hit else { panic!("rows are not merged") };
    assert_eq!((under.job, under.span.unwrap().state, under.span.unwrap().gpus), (JobId(1), Rescaling, 4));
    assert_eq!(
        strip.tooltip(&hit),
        ["train-2 · model1", "Rescaling to 4 GPUs", "3m 00s to 3m 20s, 20s", "Completed after 4m 00s"]
    );
    let missed = strip.hit(56.0 + 200.0, 20.0 + 51.0).unwrap();
    assert_eq!(strip.tooltip(&missed)[3], "Completed after 3m 00s, 1m 00s past its deadline");
    let dropped = strip.hit(56.0 + 110.0, 20.0 + 68.0).unwrap();
    assert_eq!(strip.tooltip(&dropped)[3], "Declined at 2m 10s");
    let before = strip.hit(56.0 + 5.0, 20.0 + 68.0).unwrap();
    assert_eq!(strip.tooltip(&before)[1], "Submitted at 1m 40s");

    assert_eq!(strip.hit(55.0, 30.0), None, "left of the plot");
    assert_eq!(strip.hit(100.0, 20.0 + 102.0), None, "below the plot");

    assert_eq!(strip.snap(56.0 + 184.0, 40.0, 6.0), Some(180.0));
    assert_eq!(strip.snap(56.0 + 190.0, 40.0, 6.0), None, "ten pixels from either edge");
    assert_eq!(strip.snap(56.0 + 264.0, 40.0, 6.0), Some(260.0), "the end of the last span");
}

#[test]
fn ends_before_the_work_is_done_in_words() {
    let spans = [(100.0, Rescaling, 4), (60.0, Recovering, 2)];
    let (trace, run) = told(8, &[job(0, 0.0, &spans).failed(), job(1, 0.0, &spans).cancelled()]);
    let (rows, slots) = (Rows::by_submission(&trace), ModelSlots::new(&trace));
    let layout = StripLayout::fit(rows.len(), FRAME, TimeWindow::new(0.0, 360.0));
    let (phase, selected, hovered) = (Phase::Finished, None, None);
    let strip =
        Strip { run: &run, trace: &trace, slots: &slots, rows: &rows, layout, phase, selected, hovered, detail: None };
    let words = |x: f64, row: f64| strip.tooltip(&strip.hit(56.0 + x, 20.0 + 17.0 * row + 8.0).unwrap());
    assert_eq!(words(150.0, 0.0)[1], "Recovering on 2 GPUs: a node left");
    assert_eq!(words(150.0, 0.0)[3], "Failed at 2m 40s: a bug");
    assert_eq!(words(50.0, 1.0)[3], "Cancelled by its user at 2m 40s");
}

#[test]
fn bands_say_how_many() {
    let (trace, run) = every_state();
    let (rows, slots) = (Rows::by_submission(&trace), ModelSlots::new(&trace));
    let frame = Frame { height: 6.0, ..FRAME };
    let layout = StripLayout::fit(rows.len(), frame, TimeWindow::new(0.0, 360.0));
    assert_eq!(layout.pitch, Pitch::Bands { band_px: 3, rows: 3 });
    let strip = Strip {
        run: &run,
        trace: &trace,
        slots: &slots,
        rows: &rows,
        layout,
        phase: Phase::Finished,
        selected: None,
        hovered: None,
        detail: None,
    };
    let hit = strip.hit(56.0 + 70.0, 21.0).unwrap();
    assert_eq!(hit.job(), Some(JobId(0)));
    assert_eq!(
        strip.tooltip(&hit),
        ["3 jobs, job 1 to job 3", "2 on 5 GPUs, 1 waiting", "Most GPUs: model0", "At 1m 10s"]
    );
}

#[test]
fn the_pitch_is_the_largest_that_fits() {
    let fitted =
        [(6, 102.0), (6, 101.0), (48, 150.0), (50, 150.0), (51, 150.0), (76, 150.0), (12_699, 150.0), (0, 150.0)];
    let fitted = fitted.map(|(rows, height)| fit_pitch(rows, height));
    assert_eq!(
        fitted,
        [
            Pitch::Rows { row_px: 17 },
            Pitch::Rows { row_px: 10 },
            Pitch::Rows { row_px: 3 },
            Pitch::Rows { row_px: 3 },
            Pitch::Rows { row_px: 2 },
            Pitch::Bands { band_px: 3, rows: 2 },
            Pitch::Bands { band_px: 3, rows: 254 },
            Pitch::Rows { row_px: 17 },
        ]
    );
    assert_eq!(Pitch::Rows { row_px: 6 }.stepped(true), Pitch::Rows { row_px: 10 });
    assert_eq!(Pitch::Rows { row_px: 17 }.stepped(true), Pitch::Rows { row_px: 17 });
    assert_eq!(Pitch::Bands { band_px: 10, rows: 9 }.stepped(true), Pitch::Rows { row_px: 2 });
}

#[test]
fn the_ninth_model_shares_a_slot() {
    let (trace, _) = crate::fixture::many(200, 2);
    let slots = ModelSlots::new(&trace);
    let of = |slots: &ModelSlots, model| slots.of(elastiplan_model::ModelId(model));
    assert_eq!((of(&slots, 7).index(), of(&slots, 8), of(&slots, 99)), (7, ModelSlot::OTHER, ModelSlot::OTHER));
}
