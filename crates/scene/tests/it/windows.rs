//! Zooming and panning.

use elastiplan_scene::{TimeScale, TimeWindow, axis};
use proptest::prelude::*;

#[test]
fn windows_have_limits() {
    assert!((TimeWindow::new(5.0, 5.0).span_s() - 1e-3).abs() < 1e-12);
    assert!((TimeWindow::new(0.0, 1e11).span_s() - 315_576_000.0).abs() < 1e-3);
    assert_eq!(TimeWindow::new(20.0, 10.0), TimeWindow::new(10.0, 20.0));
    let window = TimeWindow::fit(100.0, 300.0);
    assert_eq!((window.start_s(), window.end_s()), (100.0, 303.0));
    let unchanged = TimeWindow::new(0.0, 10.0);
    for factor in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        assert_eq!(unchanged.zoomed(5.0, factor), unchanged);
    }
    assert_eq!(unchanged.panned(f64::NAN), unchanged);
}

proptest! {
    #[test]
    fn times_and_pixels_round_trip(start in 0.0..1e9f64, span in 1.0..1e8f64, share in 0.0..1.0f64, width in 100.0..4e3) {
        let scale = TimeScale::new(TimeWindow::new(start, start + span), 48.0, width);
        let x = 48.0 + share * width;
        prop_assert!((scale.x_of(scale.time_at(x)) - x).abs() < 1e-3);
    }

    #[test]
    fn the_point_zoomed_about_stays(start in 0.0..1e9f64, span in 1.0..1e7f64, share in 0.0..1.0f64, factor in 0.1..10.0f64) {
        let scale = TimeScale::new(TimeWindow::new(start, start + span), 0.0, 700.0);
        let x = share * 700.0;
        let zoomed = TimeScale::new(scale.zoomed_at(x, factor), 0.0, 700.0);
        prop_assert!((zoomed.x_of(scale.time_at(x)) - x).abs() < 1e-3);
        let back = TimeScale::new(zoomed.zoomed_at(x, 1.0 / factor), 0.0, 700.0);
        prop_assert!((back.window().start_s() - start).abs() < 1e-5 * span.max(1.0));
        let there = TimeScale::new(scale.dragged(33.0), 0.0, 700.0);
        prop_assert!((there.dragged(-33.0).start_s() - start).abs() < 1e-5 * span.max(1.0));
    }

    #[test]
    fn no_change_makes_a_window_unusable(
        changes in prop::collection::vec((any::<f64>(), any::<f64>(), any::<bool>()), 1..20),
    ) {
        let mut window = TimeWindow::new(0.0, 100.0);
        for (a, b, zoom) in changes {
            window = if zoom { window.zoomed(a, b) } else { window.panned(a) };
            prop_assert!(window.start_s().is_finite() && window.end_s().is_finite());
            prop_assert!(window.end_s() > window.start_s());
            prop_assert!((0.9e-3..3.2e8).contains(&window.span_s()), "{window:?}");
        }
    }
}

proptest! {
    #[test]
    fn ticks_are_apart_and_in_view(start in -1e6..1e9f64, span in 1e-3..3e8f64, width in 50.0..4e3, zero in 0.0..1e9f64) {
        let scale = TimeScale::new(TimeWindow::new(start, start + span), 48.0, width);
        let ticks = axis::ticks(&scale, zero, 70.0);
        prop_assert!(ticks.iter().all(|tick| (47.9..=48.1 + width).contains(&tick.x)), "{ticks:?}");
        for pair in ticks.windows(2) {
            // 10 years have no step longer than the longest.
            prop_assert!(pair[1].x - pair[0].x >= 69.9 || span > 1e8, "{pair:?}");
            prop_assert!(pair[1].label != pair[0].label, "{pair:?}");
        }
    }
}
