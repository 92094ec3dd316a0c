//! The whole run above the axis, with the time in view as a frame that can be dragged. It does not know the DOM.

use elastiplan_scene::{Frame, TimeScale, TimeWindow};

/// Height of the strip.
pub const OVERVIEW_PX: f64 = 14.0;
/// From the top of the heading to the strip.
pub const OVERVIEW_TOP_PX: f64 = 4.0;
/// The frame is seen at least this wide.
const FRAME_MIN_PX: f64 = 8.0;
/// How near an end counts as that end.
const END_PX: f64 = 5.0;

/// What of the frame is dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its left end: the begin of the time in view.
    Begin,
    /// Its right end.
    End,
    /// All of it.
    Whole,
}

/// The strip: its place, and all time.
#[derive(Clone, Copy, Debug)]
pub struct Overview {
    /// Where it lies, in the stage.
    pub frame: Frame,
    /// All time.
    pub all: TimeWindow,
}

impl Overview {
    /// The frame of the time in view.
    pub fn frame_of(&self, window: TimeWindow) -> Frame {
        let scale = TimeScale::over(self.all, &self.frame);
        let (left, right) = (scale.x_within(window.start_s()).round(), scale.x_within(window.end_s()).round());
        let width = (right - left).max(FRAME_MIN_PX).min(self.frame.width);
        let middle = (left + right) / 2.0;
        let left =
            (middle - width / 2.0).round().clamp(self.frame.left, (self.frame.right() - width).max(self.frame.left));
        Frame { left, width, ..self.frame }
    }

    /// What a pointer drags from here. `None` beside the frame: then it goes there.
    pub fn part_at(&self, window: TimeWindow, x: f64) -> Option<Part> {
        let frame = self.frame_of(window);
        let near = |end: f64| (x - end).abs() <= END_PX.min(frame.width / 3.0);
        match x {
            _ if near(frame.left) => Some(Part::Begin),
            _ if near(frame.right()) => Some(Part::End),
            x if (frame.left..frame.right()).contains(&x) => Some(Part::Whole),
            _ => None,
        }
    }

    /// The time in view with its middle at a place.
    pub fn centred(&self, window: TimeWindow, x: f64) -> TimeWindow {
        let middle_s = (window.start_s() + window.end_s()) / 2.0;
        window.panned(TimeScale::over(self.all, &self.frame).time_at(x) - middle_s)
    }

    /// The time in view after a part was dragged to the right by some pixels. An end does not pass the other.
    pub fn dragged(&self, window: TimeWindow, part: Part, by_px: f64) -> TimeWindow {
        let s_per_px = self.all.span_s() / self.frame.width.max(1.0);
        let (by_s, least_s) = (by_px * s_per_px, s_per_px);
        let (start_s, end_s) = (window.start_s(), window.end_s());
        match part {
            Part::Whole => window.panned(by_s),
            Part::Begin => {
                TimeWindow::new((start_s + by_s).max(self.all.start_s()).min(start_s.max(end_s - least_s)), end_s)
            }
            Part::End => {
                TimeWindow::new(start_s, (end_s + by_s).min(self.all.end_s()).max(end_s.min(start_s + least_s)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 px for 1,000 s.
    fn overview() -> Overview {
        let frame = Frame { left: 50.0, top: 4.0, width: 100.0, height: 14.0 };
        Overview { frame, all: TimeWindow::new(0.0, 1_000.0) }
    }

    #[test]
    fn ends_and_all_of_the_frame_are_dragged() {
        let check = |part: Part, by_px: f64, expected: (f64, f64)| {
            let after = overview().dragged(TimeWindow::new(200.0, 400.0), part, by_px);
            assert_eq!((after.start_s().round(), after.end_s().round()), expected, "{part:?} by {by_px}");
        };
        check(Part::Whole, 10.0, (300.0, 500.0));
        check(Part::Begin, -5.0, (150.0, 400.0));
        check(Part::Begin, -50.0, (0.0, 400.0));
        check(Part::Begin, 50.0, (390.0, 400.0));
        check(Part::End, 5.0, (200.0, 450.0));
        check(Part::End, 90.0, (200.0, 1_000.0));
        check(Part::End, -90.0, (200.0, 210.0));
    }

    #[test]
    fn a_pointer_finds_ends_first_and_the_frame_is_never_too_narrow() {
        let check = |window: (f64, f64), x: f64, expected: Option<Part>| {
            assert_eq!(overview().part_at(TimeWindow::new(window.0, window.1), x), expected, "{window:?} at {x}");
        };
        check((200.0, 600.0), 70.0, Some(Part::Begin));
        check((200.0, 600.0), 90.0, Some(Part::Whole));
        check((200.0, 600.0), 112.0, Some(Part::End));
        check((200.0, 600.0), 130.0, None);
        check((500.0, 500.1), 100.0, Some(Part::Whole));
        let narrow = overview().frame_of(TimeWindow::new(999.9, 1_000.0));
        assert_eq!((narrow.left, narrow.width), (142.0, 8.0));
        let moved = overview().centred(TimeWindow::new(0.0, 100.0), 100.0);
        assert_eq!((moved.start_s(), moved.end_s()), (450.0, 550.0));
    }
}
