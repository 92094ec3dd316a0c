//! Gestures of fingers and mouse buttons. This does not know the DOM: it receives where pointers are, in the
//! stage's pixels, and says what is to be done.

use elastiplan_scene::{TimeScale, TimeWindow};

use super::overview::Part;

/// Less than this is a click.
const CLICK_PX: f64 = 4.0;

/// The gesture that a pressed pointer starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// Mouse or pen: a click, or a range of time.
    Main,
    /// Mouse with `Shift`, or its middle button: time is dragged.
    Pan,
    /// A finger: it moves the cursor, two zoom and pan.
    Touch,
    /// Mouse or pen on the scrollbar of a strip, which shows this run: its rows are scrolled.
    Scroll(usize),
    /// On a part of the frame in the overview.
    Overview(Part),
}

/// A pointer in the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
    /// Which pointer.
    pub id: i32,
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// An action that follows from a gesture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Nothing is down: the pointer hovers.
    Hover,
    /// Nothing.
    None,
    /// Move the cursor to where the finger is.
    Cursor,
    /// A click or tap.
    Click,
    /// Show another part of time.
    Show(TimeWindow),
    /// Scroll the rows of a run's strip: the pointer has moved its scrollbar down by so many pixels.
    Scroll(usize, f64),
    /// Select a range of time, in seconds; its ends may be in any order.
    Range(f64, f64),
    /// Drag a part of the frame in the overview to the right by so many pixels.
    Overview(Part, f64),
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    #[default]
    Idle,
    Pressed {
        id: i32,
        x: f64,
    },
    Ranging {
        id: i32,
        from_s: f64,
    },
    Panning {
        id: i32,
        x: f64,
    },
    Scrolling {
        id: i32,
        y: f64,
        run: usize,
    },
    Overview {
        id: i32,
        x: f64,
        part: Part,
    },
    Finger {
        down: At,
        is_moved: bool,
    },
    /// Two fingers, and the times that stay under them.
    Pinch {
        a: At,
        b: At,
        a_s: f64,
        b_s: f64,
    },
    /// Cancelled; waits until everything is up.
    Spent,
}

/// Pointers that are down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gesture {
    state: State,
}

impl Gesture {
    /// A pointer went down.
    pub fn down(&mut self, press: Press, at: At, scale: &TimeScale) -> Action {
        self.state = match (press, self.state) {
            (Press::Main, _) => State::Pressed { id: at.id, x: at.x },
            (Press::Pan, _) => State::Panning { id: at.id, x: at.x },
            (Press::Scroll(run), _) => State::Scrolling { id: at.id, y: at.y, run },
            (Press::Overview(part), _) => State::Overview { id: at.id, x: at.x, part },
            (Press::Touch, State::Finger { down, .. }) if down.id != at.id => {
                State::Pinch { a: down, b: at, a_s: scale.time_at(down.x), b_s: scale.time_at(at.x) }
            }
            (Press::Touch, State::Pinch { .. }) => self.state,
            (Press::Touch, _) => State::Finger { down: at, is_moved: false },
        };
        Action::None
    }

    /// A pointer moved.
    pub fn moved(&mut self, at: At, scale: &TimeScale) -> Action {
        match self.state {
            State::Idle => Action::Hover,
            State::Pressed { id, x } if id == at.id => {
                if (at.x - x).abs() < CLICK_PX {
                    return Action::None;
                }
                let from_s = time_within(scale, x);
                self.state = State::Ranging { id, from_s };
                Action::Range(from_s, time_within(scale, at.x))
            }
            State::Ranging { id, from_s } if id == at.id => Action::Range(from_s, time_within(scale, at.x)),
            State::Panning { id, x } if id == at.id => {
                self.state = State::Panning { id, x: at.x };
                Action::Show(scale.dragged(at.x - x))
            }
            State::Scrolling { id, y, run } if id == at.id => {
                self.state = State::Scrolling { id, y: at.y, run };
                Action::Scroll(run, at.y - y)
            }
            State::Overview { id, x, part } if id == at.id => {
                self.state = State::Overview { id, x: at.x, part };
                Action::Overview(part, at.x - x)
            }
            State::Finger { down, is_moved } if down.id == at.id => {
                let is_moved = is_moved || (at.x - down.x).abs() >= CLICK_PX || (at.y - down.y).abs() >= CLICK_PX;
                // Where the finger is now is where a second one finds it.
                let down = if is_moved { at } else { down };
                self.state = State::Finger { down, is_moved };
                if is_moved { Action::Cursor } else { Action::None }
            }
            State::Pinch { mut a, mut b, a_s, b_s } => {
                if at.id == a.id {
                    a = at;
                } else if at.id == b.id {
                    b = at;
                }
                self.state = State::Pinch { a, b, a_s, b_s };
                pinched(scale, a.x, b.x, a_s, b_s).map_or(Action::None, Action::Show)
            }
            _ => Action::None,
        }
    }

    /// A pointer went up.
    pub fn up(&mut self, at: At, scale: &TimeScale) -> Action {
        let state = std::mem::take(&mut self.state);
        match state {
            State::Pressed { id, .. } if id == at.id => Action::Click,
            State::Finger { down, is_moved } if down.id == at.id => {
                if is_moved {
                    Action::None
                } else {
                    Action::Click
                }
            }
            State::Ranging { id, from_s } if id == at.id => Action::Range(from_s, time_within(scale, at.x)),
            // The finger that stays down goes on as the only one.
            State::Pinch { a, b, .. } => {
                self.state = State::Finger { down: if at.id == a.id { b } else { a }, is_moved: true };
                Action::None
            }
            _ => Action::None,
        }
    }

    /// The browser took the pointer away, or `Esc` was pressed. Whether there was something to cancel.
    pub fn cancel(&mut self) -> bool {
        let was_down = !matches!(self.state, State::Idle | State::Spent);
        self.state = if was_down { State::Spent } else { State::Idle };
        was_down
    }

    /// All pointers are gone.
    pub fn reset(&mut self) {
        self.state = State::Idle;
    }

    /// Whether a range is being marked or time dragged: then there is no tooltip.
    pub fn is_dragging(&self) -> bool {
        !matches!(self.state, State::Idle | State::Pressed { .. })
    }
}

fn time_within(scale: &TimeScale, x: f64) -> f64 {
    scale.time_at(x.clamp(scale.left_px(), scale.right_px()))
}

/// The window in which two times lie under two fingers.
fn pinched(scale: &TimeScale, a_x: f64, b_x: f64, a_s: f64, b_s: f64) -> Option<TimeWindow> {
    let s_per_px = (b_s - a_s) / (b_x - a_x);
    if !(s_per_px > 0.0 && s_per_px.is_finite()) {
        return None;
    }
    let start_s = a_s - (a_x - scale.left_px()) * s_per_px;
    Some(TimeWindow::new(start_s, start_s + scale.width_px() * s_per_px))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale() -> TimeScale {
        TimeScale::new(TimeWindow::new(0.0, 100.0), 0.0, 100.0)
    }

    fn at(id: i32, x: f64) -> At {
        At { id, x, y: 10.0 }
    }

    #[test]
    fn a_press_that_stays_is_a_click() {
        let mut gesture = Gesture::default();
        gesture.down(Press::Main, at(1, 20.0), &scale());
        assert_eq!(gesture.moved(at(1, 22.0), &scale()), Action::None);
        assert_eq!(gesture.up(at(1, 22.0), &scale()), Action::Click);
        assert_eq!(gesture.moved(at(1, 30.0), &scale()), Action::Hover);
    }

    #[test]
    fn a_drag_zooms_to_its_range_within_the_plot() {
        let mut gesture = Gesture::default();
        gesture.down(Press::Main, at(1, 20.0), &scale());
        assert_eq!(gesture.moved(at(1, 60.0), &scale()), Action::Range(20.0, 60.0));
        assert_eq!(gesture.up(at(1, 500.0), &scale()), Action::Range(20.0, 100.0));
    }

    #[test]
    fn a_scrollbar_follows_the_pointer() {
        let mut gesture = Gesture::default();
        gesture.down(Press::Scroll(2), at(1, 99.0), &scale());
        let lower = At { y: 25.0, ..at(1, 90.0) };
        assert_eq!(gesture.moved(lower, &scale()), Action::Scroll(2, 15.0));
        assert_eq!(gesture.moved(lower, &scale()), Action::Scroll(2, 0.0));
        assert_eq!(gesture.up(lower, &scale()), Action::None);
    }

    #[test]
    fn the_overview_follows_the_pointer() {
        let mut gesture = Gesture::default();
        gesture.down(Press::Overview(Part::End), at(1, 20.0), &scale());
        assert_eq!(gesture.moved(at(1, 32.0), &scale()), Action::Overview(Part::End, 12.0));
        assert_eq!(gesture.moved(at(1, 30.0), &scale()), Action::Overview(Part::End, -2.0));
        assert_eq!(gesture.up(at(1, 30.0), &scale()), Action::None);
    }

    #[test]
    fn a_cancelled_drag_does_nothing() {
        let mut gesture = Gesture::default();
        gesture.down(Press::Main, at(1, 20.0), &scale());
        gesture.moved(at(1, 60.0), &scale());
        assert!(gesture.cancel());
        assert_eq!(gesture.moved(at(1, 70.0), &scale()), Action::None);
        assert_eq!(gesture.up(at(1, 70.0), &scale()), Action::None);
        assert!(!gesture.cancel());
    }

    #[test]
    fn two_fingers_keep_their_times() {
        let mut gesture = Gesture::default();
        gesture.down(Press::Touch, at(1, 40.0), &scale());
        gesture.down(Press::Touch, at(2, 60.0), &scale());
        let Action::Show(window) = gesture.moved(at(2, 80.0), &scale()) else { panic!("no pinch") };
        let after = TimeScale::new(window, 0.0, 100.0);
        assert!((after.time_at(40.0) - 40.0).abs() < 1e-9 && (after.time_at(80.0) - 60.0).abs() < 1e-9);
        // Fingers that cross are no zoom.
        assert_eq!(gesture.moved(at(2, 40.0), &after), Action::None);
        gesture.up(at(2, 40.0), &after);
        assert_eq!(gesture.moved(at(1, 45.0), &after), Action::Cursor);
    }
}
