//! Ticks of the time axis: at round steps, labelled with what changes.

use elastiplan_text::format;

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

/// A labelled time.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// When, in seconds on the clock of the trace.
    pub time_s: f64,
    /// Where.
    pub x: f64,
    /// "3h", "2h 15m".
    pub label: String,
}

/// The step between ticks that are at least `apart_px` from one another, in seconds.
pub fn step_s(scale: &TimeScale, apart_px: f64) -> f64 {
    let at_least_ms = scale.s_per_px() * apart_px * 1e3;
    let mut steps_ms = STEPS_MS.iter().flat_map(|(unit_ms, counts)| counts.iter().map(move |count| unit_ms * count));
    let longest_ms = steps_ms.clone().last().unwrap_or(1_000);
    steps_ms.find(|&step_ms| step_ms as f64 >= at_least_ms).unwrap_or(longest_ms) as f64 / 1e3
}

/// The ticks in view, at least `apart_px` from one another (70 is good). `zero_s` is the time that is labelled 0: the
/// run's first submission.
pub fn ticks(scale: &TimeScale, zero_s: f64, apart_px: f64) -> Vec<Tick> {
    let zero_s = if zero_s.is_finite() { zero_s } else { 0.0 };
    let step_s = step_s(scale, apart_px);
    let window = scale.window();
    let first = ((window.start_s() - zero_s) / step_s).ceil();
    // A plot a few pixels wide may have no room for two ticks at the longest step.
    let most = (scale.width_px() / apart_px.max(1.0)).floor() as usize + 1;
    let tick = |nth: usize| {
        let since_zero_s = (first + nth as f64) * step_s;
        let time_s = zero_s + since_zero_s;
        Tick { time_s, x: scale.x_of(time_s), label: format::axis_label(since_zero_s, step_s) }
    };
    (0..most).map(tick).take_while(|tick| tick.time_s <= window.end_s()).collect()
}

/// The labels of ticks, each in the vertical middle of `frame`; without those that the cursor's readout at `cursor_x`
/// would cover.
pub fn labels(ticks: &[Tick], frame: &Frame, cursor_x: Option<f64>) -> DrawList {
    let y = frame.top + frame.height / 2.0;
    let free = |tick: &&Tick| {
        let half_px = TextSize::Caption.width_px(&tick.label) / 2.0;
        cursor_x.is_none_or(|cursor_x| (tick.x - cursor_x).abs() > READOUT_HALF_PX + half_px)
    };
    let label = |tick: &Tick| {
        let half_px = TextSize::Caption.width_px(&tick.label) / 2.0;
        if tick.x - half_px < frame.left {
            caption(frame.left, y, Anchor::Start, Paint::Ink3, tick.label.clone())
        } else if tick.x + half_px > frame.right() {
            caption(frame.right(), y, Anchor::End, Paint::Ink3, tick.label.clone())
        } else {
            caption(tick.x, y, Anchor::Middle, Paint::Ink3, tick.label.clone())
        }
    };
    DrawList { marks: ticks.iter().filter(free).map(label).collect() }
}

/// Gridlines through a plot at ticks. Painted first: everything else lies on them.
pub fn grid(ticks: &[Tick], frame: &Frame) -> DrawList {
    DrawList { marks: ticks.iter().map(|tick| vertical(tick.x, frame, Paint::Grid, Dash::Solid)).collect() }
}
