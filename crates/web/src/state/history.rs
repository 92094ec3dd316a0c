//! Undo and redo: steps, in which one drag or one burst of keys counts once.

/// The most steps kept.
const STEPS_MAX: usize = 200;

/// A value that a step led to.
#[derive(Clone, Debug)]
pub struct Step<T> {
    /// The number of this very value: no other that was ever set has it.
    pub number: u32,
    /// When it was set, in milliseconds.
    pub at_ms: f64,
    /// The value.
    pub value: T,
}

/// A value with its past and its undone future. `W` is what an edit is about.
#[derive(Clone, Debug)]
pub struct History<T, W = &'static str> {
    present: Step<T>,
    past: Vec<Step<T>>,
    future: Vec<Step<T>>,
    /// The last edit with its time; `None` closes the step.
    last_edit: Option<(W, f64)>,
    /// Edits of one thing this close together are one step.
    burst_ms: f64,
    /// Whether a pointer is held down on a field: what it changes until it is let go is one step, pauses included.
    is_held: bool,
    /// Values set so far.
    numbers: u32,
}

impl<T: Clone + PartialEq, W: PartialEq> History<T, W> {
    /// Starts with no past. Edits of one thing less than `burst_ms` apart are one step.
    pub fn new(present: T, burst_ms: f64) -> Self {
        let present = Step { number: 0, at_ms: 0.0, value: present };
        let (past, future) = (Vec::new(), Vec::new());
        Self { present, past, future, last_edit: None, burst_ms, is_held: false, numbers: 0 }
    }

    /// The value now.
    pub fn present(&self) -> &T {
        &self.present.value
    }

    /// The number of the value now.
    pub fn number(&self) -> u32 {
        self.present.number
    }

    /// All values, the earliest first; after the present one come those that were undone.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = &Step<T>> {
        self.past.iter().chain([&self.present]).chain(self.future.iter().rev())
    }

    /// The value before the present one.
    pub fn before(&self) -> Option<&T> {
        self.past.last().map(|step| &step.value)
    }

    /// The value that redo goes to.
    pub fn after(&self) -> Option<&T> {
        self.future.last().map(|step| &step.value)
    }

    /// Sets the value. Edits of the same `what` in quick succession become one step; one that comes back to where it began
    /// is none. Returns whether the value is another.
    pub fn edit(&mut self, what: W, now_ms: f64, value: T) -> bool {
        if value == self.present.value {
            return false;
        }
        let is_close = |at_ms: f64| self.is_held || now_ms - at_ms < self.burst_ms;
        let goes_on = self.last_edit.as_ref().is_some_and(|(last, at_ms)| *last == what && is_close(*at_ms));
        self.future.clear();
        if let Some(before) = self.past.pop_if(|before| goes_on && before.value == value) {
            self.present = before;
            self.last_edit = None;
            return true;
        }
        self.numbers += 1;
        let before = std::mem::replace(&mut self.present, Step { number: self.numbers, at_ms: now_ms, value });
        if !goes_on {
            self.past.push(before);
            if self.past.len() > STEPS_MAX {
                self.past.remove(0);
            }
        }
        self.last_edit = Some((what, now_ms));
        true
    }

    /// Closes the step: the next edit is a new one.
    pub fn seal(&mut self) {
        self.last_edit = None;
    }

    /// Notes that a pointer is held down on a field, or let go.
    pub fn hold(&mut self, is_held: bool, now_ms: f64) {
        let was_held = std::mem::replace(&mut self.is_held, is_held);
        match self.last_edit.as_mut() {
            // Another press soon after continues a burst, a later one does not.
            Some((_, at_ms)) if was_held => *at_ms = now_ms,
            Some((_, at_ms)) if now_ms - *at_ms >= self.burst_ms => self.last_edit = None,
            _ => {}
        }
    }

    /// Goes back a step. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        self.seal();
        let Some(before) = self.past.pop() else { return false };
        self.future.push(std::mem::replace(&mut self.present, before));
        true
    }

    /// Goes forward a step. Returns whether there was one.
    pub fn redo(&mut self) -> bool {
        self.seal();
        let Some(after) = self.future.pop() else { return false };
        self.past.push(std::mem::replace(&mut self.present, after));
        true
    }

    /// Goes to the value of a number, back or forward; all others are kept. Returns whether that is another value.
    pub fn go_to(&mut self, number: u32) -> bool {
        if number == self.present.number || !self.steps().any(|step| step.number == number) {
            return false;
        }
        let is_back = self.past.iter().any(|step| step.number == number);
        while self.present.number != number && if is_back { self.undo() } else { self.redo() } {}
        true
    }

    /// Whether there is a step to go back.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is a step to go forward.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drag_is_one_step() {
        let mut history = History::new(0, 1000.0);
        for (at_ms, value) in [(0.0, 1), (100.0, 2), (200.0, 3)] {
            assert!(history.edit("rescale cost", at_ms, value));
        }
        assert!(history.edit("nodes", 250.0, 4));
        assert!(history.undo());
        assert_eq!(*history.present(), 3);
        assert!(history.undo());
        assert_eq!(*history.present(), 0);
        assert!(!history.undo());
        assert!(history.redo() && history.redo());
        assert_eq!(*history.present(), 4);
        assert!(!history.can_redo());
    }

    /// Three presses of an arrow key in a field are one step.
    #[test]
    fn presses_in_quick_succession_are_one_step() {
        let mut history = History::new(0, 1000.0);
        for (value, at_ms) in [(5, 0.0), (10, 300.0), (15, 900.0)] {
            history.edit("rescale cost", at_ms, value);
        }
        assert!(history.undo());
        assert_eq!(*history.present(), 0);
    }

    #[test]
    fn letting_go_or_waiting_ends_the_step() {
        let mut history = History::new(0, 1000.0);
        history.edit("a", 0.0, 1);
        history.seal();
        history.edit("a", 10.0, 2);
        history.edit("a", 2000.0, 3);
        let mut steps = 0;
        while history.undo() {
            steps += 1;
        }
        assert_eq!(steps, 3);
    }

    #[test]
    fn an_edit_after_undo_forgets_the_future_and_no_edit_is_no_step() {
        let mut history = History::new(0, 1000.0);
        history.edit("a", 0.0, 1);
        history.undo();
        assert!(!history.edit("a", 1.0, 0));
        assert!(history.can_redo());
        history.edit("b", 2.0, 5);
        assert!(!history.can_redo());
    }

    #[test]
    fn views_less_than_a_burst_apart_are_one_step() {
        let mut trail = History::new(0, 500.0);
        for (view, now_ms) in [(1, 0.0), (2, 100.0), (3, 200.0), (4, 5000.0)] {
            trail.edit("view", now_ms, view);
        }
        let mut seen = Vec::new();
        while trail.undo() {
            seen.push(*trail.present());
        }
        assert_eq!(seen, [3, 0]);
        seen.clear();
        while trail.redo() {
            seen.push(*trail.present());
        }
        assert_eq!(seen, [3, 4]);
    }

    #[test]
    fn a_new_view_ends_the_way_forward() {
        let mut trail = History::new(0, 500.0);
        assert!(!trail.edit("view", 0.0, 0) && !trail.can_undo());
        trail.edit("view", 0.0, 1);
        trail.undo();
        trail.edit("view", 10.0, 2);
        assert!(!trail.redo() && trail.undo());
        assert_eq!(*trail.present(), 0);
    }

    /// The values of all steps, the earliest first.
    fn values(history: &History<i32>) -> Vec<i32> {
        history.steps().map(|step| step.value).collect()
    }

    #[test]
    fn a_drag_with_a_pause_is_one_step_and_the_next_is_another() {
        let mut history = History::new(0, 1000.0);
        history.hold(true, 0.0);
        for (at_ms, value) in [(10.0, 1), (500.0, 2), (2500.0, 3), (3000.0, 4)] {
            history.edit("rescale cost", at_ms, value);
        }
        history.hold(false, 3100.0);
        assert_eq!(values(&history), [0, 4]);
        history.hold(true, 5000.0);
        history.edit("rescale cost", 5010.0, 5);
        history.hold(false, 5020.0);
        // The arrows of a field, pressed quickly with a pointer.
        for (at_ms, value) in [(5500.0, 6), (5900.0, 7)] {
            history.hold(true, at_ms - 10.0);
            history.edit("rescale cost", at_ms, value);
            history.hold(false, at_ms + 10.0);
        }
        assert_eq!(values(&history), [0, 4, 7]);
    }

    #[test]
    fn what_comes_back_to_where_it_began_is_no_step() {
        let mut history = History::new(16, 1000.0);
        history.edit("seed", 0.0, 15);
        // Typed: 1, then 15 again.
        history.edit("nodes", 100.0, 1);
        history.edit("nodes", 300.0, 15);
        assert_eq!(values(&history), [16, 15]);
        history.edit("nodes", 400.0, 20);
        assert_eq!(values(&history), [16, 15, 20]);
        // Slowly, both are wanted.
        history.edit("nodes", 4000.0, 15);
        assert_eq!(values(&history), [16, 15, 20, 15]);
    }

    #[test]
    fn going_to_a_step_keeps_the_others() {
        let mut history = History::new(0, 1000.0);
        let what = ["a", "b", "c", "d"];
        what.into_iter().zip(1..).for_each(|(what, value)| assert!(history.edit(what, 0.0, value)));
        let numbers: Vec<u32> = history.steps().map(|step| step.number).collect();
        let mut check = |at: usize, is_other: bool| {
            assert_eq!(history.go_to(numbers[at]), is_other);
            assert_eq!((*history.present(), history.number()), (at as i32, numbers[at]));
            assert_eq!(values(&history), [0, 1, 2, 3, 4]);
        };
        check(1, true);
        check(1, false);
        check(3, true);
        check(0, true);
        check(4, true);
        assert!(!history.go_to(99) && *history.present() == 4);
        history.go_to(numbers[2]);
        assert_eq!((history.before(), history.after()), (Some(&1), Some(&3)));
        history.edit("e", 0.0, 9);
        assert_eq!(values(&history), [0, 1, 2, 9]);
        assert_eq!(history.number(), 5, "a number is never given twice");
    }

    #[test]
    fn two_hundred_steps_are_kept() {
        let mut history = History::new(0, 1000.0);
        (1..=300).for_each(|value| {
            history.seal();
            history.edit("a", 0.0, value);
        });
        assert_eq!((values(&history).len(), values(&history)[0]), (201, 100));
    }
}
