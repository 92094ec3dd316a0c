//! The part of time that is in view, and how it maps to pixels. A window is never inverted, empty or infinite: every
//! change that would make it so is limited.

use crate::draw::Frame;

/// The shortest window: 1 ms.
const SPAN_MIN_S: f64 = 1e-3;
/// The longest window: 10 years.
const SPAN_MAX_S: f64 = 10.0 * 365.25 * 86_400.0;
/// As far as anyone may pan. Here a second is still divided into a thousand.
const TIME_MAX_S: f64 = 2e11;

/// The part of time that is in view, in seconds on the clock of the trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeWindow {
    start_s: f64,
    end_s: f64,
}

impl TimeWindow {
    /// From `start_s` to `end_s`, in either order; limited to 1 ms to 10 years about its middle.
    pub fn new(start_s: f64, end_s: f64) -> Self {
        let start_s = usable(start_s);
        let end_s = usable(end_s);
        Self::about((start_s + end_s) / 2.0, (end_s - start_s).abs())
    }

    /// All of a range, with 1.5 % of room at its end so that what ends there is seen to end. A range longer than
    /// 10 years is shown from its start.
    pub fn fit(start_s: f64, end_s: f64) -> Self {
        let start_s = usable(start_s);
        let span_s = ((usable(end_s) - start_s) * 1.015).clamp(SPAN_MIN_S, SPAN_MAX_S);
        Self { start_s, end_s: start_s + span_s }
    }

    /// Its begin.
    pub fn start_s(&self) -> f64 {
        self.start_s
    }

    /// Its end.
    pub fn end_s(&self) -> f64 {
        self.end_s
    }

    /// How long it is.
    pub fn span_s(&self) -> f64 {
        self.end_s - self.start_s
    }

    /// Zoomed in by a factor (out below 1), so that `about_s` stays where it is on the screen.
    pub fn zoomed(&self, about_s: f64, factor: f64) -> Self {
        if !(factor > 0.0 && factor.is_finite() && about_s.is_finite()) {
            return *self;
        }
        let span_s = (self.span_s() / factor).clamp(SPAN_MIN_S, SPAN_MAX_S);
        let share = ((about_s - self.start_s) / self.span_s()).clamp(0.0, 1.0);
        Self::about(self.start_s + share * self.span_s() + (0.5 - share) * span_s, span_s)
    }

    /// Moved later by some seconds (earlier if negative).
    pub fn panned(&self, by_s: f64) -> Self {
        Self::about((self.start_s + self.end_s) / 2.0 + usable(by_s), self.span_s())
    }

    fn about(middle_s: f64, span_s: f64) -> Self {
        let span_s = span_s.clamp(SPAN_MIN_S, SPAN_MAX_S);
        let start_s = middle_s.clamp(-TIME_MAX_S, TIME_MAX_S) - span_s / 2.0;
        Self { start_s, end_s: start_s + span_s }
    }
}

fn usable(time_s: f64) -> f64 {
    if time_s.is_nan() { 0.0 } else { time_s.clamp(-TIME_MAX_S, TIME_MAX_S) }
}

/// Carries times to pixels and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeScale {
    window: TimeWindow,
    left_px: f64,
    width_px: f64,
}

impl TimeScale {
    /// A window laid over a plot from `left_px`, `width_px` wide.
    pub fn new(window: TimeWindow, left_px: f64, width_px: f64) -> Self {
        let width_px = if width_px >= 1.0 && width_px.is_finite() { width_px } else { 1.0 };
        Self { window, left_px: if left_px.is_finite() { left_px } else { 0.0 }, width_px }
    }

    /// A window laid over a frame.
    pub fn over(window: TimeWindow, frame: &Frame) -> Self {
        Self::new(window, frame.left, frame.width)
    }

    /// The window.
    pub fn window(&self) -> TimeWindow {
        self.window
    }

    /// Where the plot begins.
    pub fn left_px(&self) -> f64 {
        self.left_px
    }

    /// Where the plot ends.
    pub fn right_px(&self) -> f64 {
        self.left_px + self.width_px
    }

    /// How wide the plot is; at least 1.
    pub fn width_px(&self) -> f64 {
        self.width_px
    }

    /// Seconds in a pixel.
    pub fn s_per_px(&self) -> f64 {
        self.window.span_s() / self.width_px
    }

    /// Where a time lies; outside the plot if it is not in view.
    pub fn x_of(&self, time_s: f64) -> f64 {
        self.left_px + (time_s - self.window.start_s) / self.window.span_s() * self.width_px
    }

    /// As `x_of`, but at the plot's edge for a time that is not in view.
    pub fn x_within(&self, time_s: f64) -> f64 {
        self.x_of(time_s).clamp(self.left_px, self.right_px())
    }

    /// Which time lies at a pixel.
    pub fn time_at(&self, x: f64) -> f64 {
        self.window.start_s + (x - self.left_px) / self.width_px * self.window.span_s()
    }

    /// Whether a time is in view.
    pub fn shows(&self, time_s: f64) -> bool {
        (self.window.start_s..=self.window.end_s).contains(&time_s)
    }

    /// The window after zooming by a factor about a pixel.
    pub fn zoomed_at(&self, x: f64, factor: f64) -> TimeWindow {
        self.window.zoomed(self.time_at(x), factor)
    }

    /// The window after dragging its content by some pixels: to the right shows earlier times.
    pub fn dragged(&self, by_px: f64) -> TimeWindow {
        self.window.panned(-by_px * self.s_per_px())
    }
}
