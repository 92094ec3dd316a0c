//! Step lines: a count over time as corners, thinned to what pixels can show.

use elastiplan_engine::Run;

use crate::draw::{Frame, Point};
use crate::time::TimeScale;

/// The highest value.
pub(crate) fn peak(values: &[u32]) -> u32 {
    values.iter().copied().max().unwrap_or(0)
}

/// The corners of a count of a run, as far as it is in view and known. It was `before` until its first row. Of the
/// changes within a pixel column the lowest, the highest and the last are kept: the last holds on, so a line without it
/// would tell a lie until the next change.
pub(crate) fn corners(
    run: &Run,
    values: &[u32],
    before: u32,
    top_value: u32,
    scale: &TimeScale,
    frame: &Frame,
) -> Vec<Point> {
    let window = scale.window();
    let end_s = run.end_s.min(window.end_s());
    let times_s = run.series.time_s.get(..values.len().min(run.series.time_s.len())).unwrap_or_default();
    let first = times_s.partition_point(|&time_s| time_s < window.start_s());
    let end = times_s.partition_point(|&time_s| time_s <= end_s);
    let steps_px = (frame.height - 1.0).max(0.0);
    let y_of = |value: u32| {
        let share = (f64::from(value) / f64::from(top_value.max(1))).min(1.0);
        frame.bottom() - 0.5 - (share * steps_px).round()
    };
    let x_of = |time_s: f64| column_middle(scale.x_within(time_s), frame);

    let mut points = Vec::new();
    let mut held = first.checked_sub(1).and_then(|before| values.get(before)).copied();
    if let Some(value) = held {
        points.push(Point { x: frame.left, y: y_of(value) });
    }
    let mut at = first;
    while at < end {
        let x = times_s.get(at).map_or(frame.left, |&time_s| x_of(time_s));
        let column_end_s = scale.time_at(x + 0.5);
        let later = times_s.get(at + 1..end).unwrap_or_default();
        let next = at + 1 + later.iter().take_while(|&&time_s| time_s < column_end_s).count();
        let of_column = values.get(at..next).unwrap_or_default();
        points.push(Point { x, y: y_of(held.unwrap_or(before)) });
        let extent = of_column.iter().zip(0..);
        let lowest = extent.clone().min_by_key(|(value, _)| **value);
        let highest = extent.max_by_key(|(value, _)| **value);
        let (Some(lowest), Some(highest), Some(&last)) = (lowest, highest, of_column.last()) else { break };
        let in_order = if lowest.1 <= highest.1 { [lowest.0, highest.0] } else { [highest.0, lowest.0] };
        for value in in_order.into_iter().chain([&last]) {
            let point = Point { x, y: y_of(*value) };
            if points.last() != Some(&point) {
                points.push(point);
            }
        }
        held = Some(last);
        at = next;
    }
    if let (Some(value), true) = (held, end_s >= window.start_s()) {
        points.push(Point { x: x_of(end_s), y: y_of(value) });
    }
    if end_s < window.start_s() {
        points.clear();
    }
    points
}

/// The middle of a pixel column, where a line of 1 px is crisp.
fn column_middle(x: f64, frame: &Frame) -> f64 {
    (x.floor() + 0.5).clamp(frame.left, frame.right().max(frame.left))
}
