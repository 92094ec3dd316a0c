//! Undo and redo: steps, in which one drag or one burst of typing counts once.

/// The most steps kept.
const STEPS_MAX: usize = 200;

/// A value with its past and its undone future.
#[derive(Clone, Debug)]
pub struct History<T> {
    present: T,
    past: Vec<T>,
    future: Vec<T>,
    /// The last edit with its time; `None` closes the step.
    last_edit: Option<(&'static str, f64)>,
    /// Edits of one thing this close together are one step.
    burst_ms: f64,
}

impl<T: Clone + PartialEq> History<T> {
    /// Starts with no past. Edits of one thing less than `burst_ms` apart are one step.
    pub fn new(present: T, burst_ms: f64) -> Self {
        Self { present, past: Vec::new(), future: Vec::new(), last_edit: None, burst_ms }
    }

    /// The value now.
    pub fn present(&self) -> &T {
        &self.present
    }

    /// Sets the value. Edits of the same `what` in quick succession become one step. Returns whether it is another.
    pub fn edit(&mut self, what: &'static str, now_ms: f64, value: T) -> bool {
        if value == self.present {
            return false;
        }
        let goes_on = self.last_edit.is_some_and(|(last, at_ms)| last == what && now_ms - at_ms < self.burst_ms);
        let before = std::mem::replace(&mut self.present, value);
        if !goes_on {
            self.past.push(before);
            if self.past.len() > STEPS_MAX {
                self.past.remove(0);
            }
        }
        self.future.clear();
        self.last_edit = Some((what, now_ms));
        true
    }

    /// Closes the step: the next edit is a new one.
    pub fn seal(&mut self) {
        self.last_edit = None;
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
}
