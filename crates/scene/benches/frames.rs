//! How long a frame takes to lay out, from spans and from levels of detail, and how long those take to make.
//!
//! `cargo bench -p elastiplan-scene`.

#![allow(clippy::disallowed_methods)] // Tests need no small code: they sort as the standard library does.
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use elastiplan_scene::{
    Banding, Detail, Frame, GpuLane, ModelSlots, PackedRows, PackedStrip, Phase, Pitch, PlaceStrip, Rows, Stack,
    StackBy, StackStrip, Strip, StripLayout, Tenancy, TimeWindow, Unit, fit_pitch,
};

use fixture::{many, placed};

#[allow(dead_code, missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]
#[path = "../tests/it/fixture.rs"]
mod fixture;

/// Strips of a comparison of four runs on a large screen.
const PLOT: Frame = Frame { left: 48.0, top: 0.0, width: 1_200.0, height: 150.0 };

fn frames(criterion: &mut Criterion) {
    for (jobs, spans) in [(1_250, 8), (12_500, 8), (125_000, 8), (50, 20_000)] {
        let (trace, run) = many(jobs, spans);
        let run = placed(run, 8);
        let mut group = criterion.benchmark_group(format!("{} spans of {jobs} jobs", run.spans.len()));
        group.sample_size(10);
        let (rows, slots, tenancy) = (Rows::by_submission(&trace), ModelSlots::new(&trace), Tenancy::of(&run, &trace));
        let window = TimeWindow::fit(run.start_s, run.end_s);
        let layout = |rows: usize, pitch: Option<Pitch>| {
            let pitch = pitch.unwrap_or_else(|| fit_pitch(rows, PLOT.height));
            StripLayout { rows, frame: PLOT, window, pitch, scroll_px: 0.0 }
        };
        let (phase, selected, hovered) = (Phase::Finished, None, None);
        let strip = Strip {
            run: &run,
            trace: &trace,
            slots: &slots,
            rows: &rows,
            layout: layout(rows.len(), None),
            phase,
            selected,
            hovered,
            detail: None,
        };
        let mut detail = Detail::default();
        strip.prepare(&mut detail, |_| true);
        group.bench_function("jobs, from spans", |bencher| bencher.iter(|| black_box(strip.draw())));
        let fast = Strip { detail: Some(&detail), ..strip };
        group.bench_function("jobs, from levels", |bencher| bencher.iter(|| black_box(fast.draw())));
        group.bench_function("jobs, making levels", |bencher| {
            bencher.iter(|| strip.prepare(black_box(&mut Detail::default()), |_| true));
        });
        let tenth = StripLayout { window: window.zoomed(run.end_s / 2.0, 10.0), ..layout(rows.len(), None) };
        let zoomed = Strip { layout: tenth, ..strip };
        group.bench_function("jobs, a tenth of time", |bencher| bencher.iter(|| black_box(zoomed.draw())));
        let tall = Strip { layout: layout(rows.len(), Some(Pitch::Rows { row_px: 3 })), ..strip };
        group.bench_function("jobs, rows of 3 px", |bencher| bencher.iter(|| black_box(tall.draw())));
        let gpus_top = run.gpus_total;
        let lane = GpuLane { run: &run, policy: 0, gpus_top, frame: PLOT, window };
        group.bench_function("GPU lane", |bencher| bencher.iter(|| black_box(lane.draw())));
        let banding = Banding::new(&trace, &slots, StackBy::Model, &[&run], rows.jobs());
        let stack = Stack::of(&run, &trace, &banding, rows.jobs());
        let stacked = StackStrip {
            run: &run,
            trace: &trace,
            banding: &banding,
            stack: &stack,
            gpus_top,
            frame: PLOT,
            window,
            phase,
            selected: None,
        };
        group.bench_function("stack", |bencher| bencher.iter(|| black_box(stacked.draw())));
        let zoomed = StackStrip { window: window.zoomed(run.end_s / 2.0, 10.0), ..stacked };
        group.bench_function("stack, a tenth of time", |bencher| bencher.iter(|| black_box(zoomed.draw())));
        group.bench_function("stack, making it", |bencher| {
            bencher.iter(|| black_box(Stack::of(&run, &trace, &banding, rows.jobs())));
        });
        let packed = PackedRows::pack(&run, &rows, window, PLOT.width);
        let place = |window: TimeWindow| (PLOT, window, 0.0);
        let in_rows = PackedStrip::new((&run, &trace, &slots), &packed, place(window), phase, None);
        group.bench_function("packed rows", |bencher| bencher.iter(|| black_box(in_rows.draw())));
        let tenth = window.zoomed(run.end_s / 2.0, 10.0);
        let near = PackedRows::pack(&run, &rows, tenth, PLOT.width);
        let in_rows = PackedStrip::new((&run, &trace, &slots), &near, place(tenth), phase, None);
        group.bench_function("packed rows, a tenth of time", |bencher| bencher.iter(|| black_box(in_rows.draw())));
        group.bench_function("packed rows, packing", |bencher| {
            bencher.iter(|| black_box(PackedRows::pack(&run, &rows, window, PLOT.width)));
        });
        group.bench_function("packed rows, following a pan", |bencher| {
            let (mut packed, mut nth) = (near.clone(), 0);
            bencher.iter(|| {
                nth = (nth + 1) % 40;
                packed.follow(&run, &rows, tenth.panned(tenth.span_s() * 0.01 * f64::from(nth)), PLOT.width);
            });
        });
        group.bench_function("who held what", |bencher| bencher.iter(|| black_box(Tenancy::of(&run, &trace))));
        for unit in [Unit::Gpu, Unit::Node] {
            let name = if unit == Unit::Gpu { "GPUs" } else { "nodes" };
            let (tenancy, layout) = (&tenancy, layout(unit.rows(&tenancy), None));
            let (run, trace, slots) = (&run, &trace, &slots);
            let strip = PlaceStrip { run, tenancy, trace, slots, unit, layout, phase, selected, hovered, detail: None };
            let mut detail = Detail::default();
            strip.prepare(&mut detail, |_| true);
            group.bench_function(format!("{name}, from spans"), |bencher| bencher.iter(|| black_box(strip.draw())));
            let fast = PlaceStrip { detail: Some(&detail), ..strip };
            group.bench_function(format!("{name}, from levels"), |bencher| bencher.iter(|| black_box(fast.draw())));
            group.bench_function(format!("{name}, making levels"), |bencher| {
                bencher.iter(|| strip.prepare(black_box(&mut Detail::default()), |_| true));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, frames);
criterion_main!(benches);
