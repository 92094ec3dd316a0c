//! How long a large strip takes, best of twenty; printed, not asserted: machines differ. `cargo test --release -- speed --nocapture`

use std::time::Instant;

use elastiplan_scene::{
    Frame, GpuLane, ModelSlots, Phase, Pitch, Rows, Shares, Strip, StripLayout, TimeWindow, fit_pitch,
};

use crate::fixture::many;

#[test]
fn speed_of_a_large_strip() {
    let (trace, run) = many(12_699, 8);
    let rows = Rows::by_submission(&trace);
    let slots = ModelSlots::new(&trace);
    let frame = Frame { left: 48.0, top: 0.0, width: 742.0, height: 150.0 };
    let whole = TimeWindow::fit(run.start_s, run.end_s);
    let time = |what: &str, draw: &dyn Fn() -> usize| {
        let timed = || {
            let begin = Instant::now();
            let marks = draw();
            (begin.elapsed(), marks)
        };
        let repeats = if cfg!(debug_assertions) { 1 } else { 20 };
        let (best, marks) = (0..repeats).map(|_| timed()).min().unwrap();
        println!("{what}: {:.2} ms, {marks} marks", best.as_secs_f64() * 1e3);
    };
    println!("{} jobs, {} spans", rows.len(), run.spans.len());
    let strip = |window, pitch| {
        let layout = StripLayout { rows: rows.len(), frame, window, pitch, scroll_px: 3_000.0 };
        let (run, trace, slots) = (&run, &trace, &slots);
        Strip {
            run,
            trace,
            slots,
            rows: &rows,
            layout,
            phase: Phase::Finished,
            selected: None,
            hovered: None,
            detail: None,
        }
        .draw()
        .len()
    };
    let bands = fit_pitch(rows.len(), frame.height);
    time("bands, all of time", &|| strip(whole, bands));
    time("bands, a tenth of time", &|| strip(whole.zoomed(run.end_s / 2.0, 10.0), bands));
    time("50 rows, all of time", &|| strip(whole, Pitch::Rows { row_px: 3 }));
    let window = whole;
    time("GPU lane", &|| {
        GpuLane { run: &run, policy: 0, gpus_top: run.gpus_total, frame, window, cursor_s: None }.draw().len()
    });
    time("stacked shares", &|| {
        Shares { run: &run, trace: &trace, slots: &slots, rows: &rows, gpus_top: run.gpus_total, frame, window }
            .draw()
            .len()
    });
}
