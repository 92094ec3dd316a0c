//! Ticks of the time axis: at round steps, labelled with what changes. Traces whose clock is Unix time get dates, all
//! others the time since the first submission.

use elastiplan_text::{calendar, format};

use crate::draw::{Anchor, Dash, DrawList, Frame, Paint, TextSize, caption, vertical};
use crate::time::TimeScale;

/// The steps that people count in: multiples of units in milliseconds.
const STEPS_MS: [(u64, &[u64]); 5] = [
    (1, &[1, 2, 5, 10, 20, 50, 100, 200, 500]),
    (1_000, &[1, 2, 5, 10, 15, 30]),
    (60_000, &[1, 2, 5, 10, 15, 30]),
    (3_600_000, &[1, 2, 3, 6, 12]),
    (86_400_000, &[1, 2, 7, 14, 28, 60, 120, 360, 720, 1_800, 3_600]),
];

/// Half of what the cursor's readout takes on the axis, with a little room.
const READOUT_HALF_PX: f64 = 38.0;
/// The least room between two labels.
const LABELS_APART_PX: f64 = 6.0;

/// A labelled time.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// When, in seconds on the clock of the trace.
    pub time_s: f64,
    /// Where.
    pub x: f64,
    /// "3h", "2h 15m"; on a calendar "14:30", "12 Mar".
    pub label: String,
}

/// The step between ticks that are at least `apart_px` from one another, in seconds.
pub fn step_s(scale: &TimeScale, apart_px: f64) -> f64 {
    let at_least_ms = scale.s_per_px() * apart_px * 1e3;
    let mut steps_ms = STEPS_MS.iter().flat_map(|(unit_ms, counts)| counts.iter().map(move |count| unit_ms * count));
    let longest_ms = steps_ms.clone().last().unwrap_or(1_000);
    steps_ms.find(|&step_ms| step_ms as f64 >= at_least_ms).unwrap_or(longest_ms) as f64 / 1e3
}

/// The ticks in view, at least `apart_px` from one another (70 is good). `first_submit_s` is the run's first submission,
/// which is labelled 0; if it is Unix time, ticks are labelled with dates and times of day in UTC, the first in full.
pub fn ticks(scale: &TimeScale, first_submit_s: f64, apart_px: f64) -> Vec<Tick> {
    let is_calendar = calendar::is_unix_time(first_submit_s);
    let zero_s = if first_submit_s.is_finite() && !is_calendar { first_submit_s } else { 0.0 };
    let step_s = step_s(scale, apart_px);
    let window = scale.window();
    let first = ((window.start_s() - zero_s) / step_s).ceil();
    // A plot a few pixels wide may have no room for two ticks at the longest step.
    let most = (scale.width_px() / apart_px.max(1.0)).floor() as usize + 1;
    let tick = |nth: usize| {
        let since_zero_s = (first + nth as f64) * step_s;
        let time_s = zero_s + since_zero_s;
        let label = match (is_calendar, nth) {
            (false, _) => format::axis_label(since_zero_s, step_s),
            (true, 0) => calendar::first_label(time_s, step_s),
            (true, _) => calendar::axis_label(time_s, step_s),
        };
        Tick { time_s, x: scale.x_of(time_s), label }
    };
    (0..most).map(tick).take_while(|tick| tick.time_s <= window.end_s()).collect()
}

/// The labels of ticks, each in the vertical middle of `frame`; without those that the cursor's readout at `cursor_x`
/// or the label before them would cover.
pub fn labels(ticks: &[Tick], frame: &Frame, cursor_x: Option<f64>) -> DrawList {
    let y = frame.top + frame.height / 2.0;
    let free = |tick: &&Tick| {
        let half_px = TextSize::Caption.width_px(&tick.label) / 2.0;
        cursor_x.is_none_or(|cursor_x| (tick.x - cursor_x).abs() > READOUT_HALF_PX + half_px)
    };
    let mut end_px = f64::NEG_INFINITY;
    let mut label = |tick: &Tick| {
        let width_px = TextSize::Caption.width_px(&tick.label);
        let (x, anchor, left_px) = if tick.x - width_px / 2.0 < frame.left {
            (frame.left, Anchor::Start, frame.left)
        } else if tick.x + width_px / 2.0 > frame.right() {
            (frame.right(), Anchor::End, frame.right() - width_px)
        } else {
            (tick.x, Anchor::Middle, tick.x - width_px / 2.0)
        };
        if left_px < end_px {
            return None;
        }
        end_px = left_px + width_px + LABELS_APART_PX;
        Some(caption(x, y, anchor, Paint::Ink3, tick.label.clone()))
    };
    DrawList { marks: ticks.iter().filter(free).filter_map(&mut label).collect() }
}

/// Gridlines through a plot at ticks. Painted first: everything else lies on them.
pub fn grid(ticks: &[Tick], frame: &Frame) -> DrawList {
    DrawList { marks: ticks.iter().map(|tick| vertical(tick.x, frame, Paint::Grid, Dash::Solid)).collect() }
}
