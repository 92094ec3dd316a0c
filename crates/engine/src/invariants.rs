//! Checks of what the engine takes for granted: a check that fails is a defect of the engine, whatever the input.

#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::panic::Location;

use elastiplan_model::JobId;

/// An invariant that did not hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BrokenInvariant {
    /// The check that failed.
    pub place: &'static Location<'static>,
    /// What should have held.
    pub expected: &'static str,
    /// The job concerned, if there is one.
    pub job: Option<JobId>,
}

/// The checks of one part of a simulation.
///
/// A failed check panics in debug builds, at the place of the check. In release builds the first one is kept; the part
/// falls back to doing nothing, and the simulation ends with an error after the step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Invariants {
    first_broken: Cell<Option<BrokenInvariant>>,
    /// Whether debug builds keep a failed check too, for tests of what follows.
    #[cfg(test)]
    pub never_panic: bool,
}

impl Invariants {
    /// Passes on a value that must be there; reports if it is missing.
    #[track_caller]
    #[inline]
    pub fn require<T>(&self, value: Option<T>, expected: &'static str, job: Option<JobId>) -> Option<T> {
        if value.is_none() {
            self.report(expected, job);
        }
        value
    }

    /// Passes on whether a condition holds that must; reports if it does not.
    #[track_caller]
    #[inline]
    pub fn check(&self, holds: bool, expected: &'static str, job: Option<JobId>) -> bool {
        if !holds {
            self.report(expected, job);
        }
        holds
    }

    /// The first check that failed.
    pub fn first_broken(&self) -> Option<BrokenInvariant> {
        self.first_broken.get()
    }

    #[track_caller]
    #[cold]
    #[inline(never)]
    fn report(&self, expected: &'static str, job: Option<JobId>) {
        #[cfg(test)]
        let panics = !self.never_panic;
        #[cfg(not(test))]
        let panics = true;
        debug_assert!(!panics, "broken invariant of the engine: {expected} expected ({job:?})");
        let broken = BrokenInvariant { place: Location::caller(), expected, job };
        self.first_broken.set(self.first_broken.get().or(Some(broken)));
    }
}
