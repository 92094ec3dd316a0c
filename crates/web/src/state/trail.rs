//! Where the user has been looking: back and forward through views.

/// Views that follow each other faster are one step: a wheel turned, a drag.
const ONE_STEP_MS: f64 = 500.0;
/// Steps that are remembered.
const STEPS_MAX: usize = 100;

/// Views before and after the present one.
#[derive(Clone, Debug)]
pub struct Trail<T> {
    past: Vec<T>,
    present: T,
    future: Vec<T>,
    changed_ms: f64,
}

impl<T: Clone + PartialEq> Trail<T> {
    /// Starts at a view.
    pub fn new(present: T) -> Self {
        Self { past: Vec::new(), present, future: Vec::new(), changed_ms: f64::NEG_INFINITY }
    }

    /// Notes what is seen now.
    pub fn note(&mut self, view: T, now_ms: f64) {
        if view == self.present {
            return;
        }
        let before = std::mem::replace(&mut self.present, view);
        let is_one_step = now_ms - self.changed_ms < ONE_STEP_MS;
        self.changed_ms = now_ms;
        if is_one_step {
            return;
        }
        self.future.clear();
        self.past.push(before);
        if self.past.len() > STEPS_MAX {
            self.past.remove(0);
        }
    }

    /// Goes a step back: what is seen then; `None` if there is none.
    pub fn back(&mut self) -> Option<T> {
        let before = self.past.pop()?;
        self.future.push(std::mem::replace(&mut self.present, before));
        self.rest()
    }

    /// Goes a step forward again.
    pub fn forward(&mut self) -> Option<T> {
        let after = self.future.pop()?;
        self.past.push(std::mem::replace(&mut self.present, after));
        self.rest()
    }

    /// Makes the next change a step of its own.
    fn rest(&mut self) -> Option<T> {
        self.changed_ms = f64::NEG_INFINITY;
        Some(self.present.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drag_is_one_step() {
        let mut trail = Trail::new(0);
        for (view, now_ms) in [(1, 0.0), (2, 100.0), (3, 200.0), (4, 5000.0)] {
            trail.note(view, now_ms);
        }
        assert_eq!((trail.back(), trail.back(), trail.back()), (Some(3), Some(0), None));
        assert_eq!((trail.forward(), trail.forward(), trail.forward()), (Some(3), Some(4), None));
    }

    #[test]
    fn a_new_view_ends_the_way_forward() {
        let mut trail = Trail::new(0);
        trail.note(1, 0.0);
        trail.back();
        trail.note(2, 10.0);
        assert_eq!((trail.forward(), trail.back()), (None, Some(0)));
    }

    #[test]
    fn what_does_not_change_is_no_step() {
        let mut trail = Trail::new(0);
        trail.note(0, 0.0);
        assert_eq!(trail.back(), None);
    }
}
