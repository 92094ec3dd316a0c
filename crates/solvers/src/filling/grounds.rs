//! The inputs of a plan, so that it is not computed again while they are unchanged.

use super::{FreeGpus, Plan};

/// From one time until another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Since when, in seconds.
    pub from_s: f64,
    /// Until when.
    pub until_s: f64,
}

/// What [`minimum_share_after`](super::minimum_share_after) looked at of what is free without the job. Most plans wait
/// until a few GPUs are enough to the deadline, and what is free before then does not matter, but for its first change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grounds {
    pub(super) now_s: f64,
    pub(super) first_change_s: Option<f64>,
    /// After its beginning and before its end, it was looked at how many are free.
    pub(super) looked_at: Stretch,
}

/// No time at all.
pub(super) const NEVER: Stretch = Stretch { from_s: f64::INFINITY, until_s: f64::NEG_INFINITY };

impl Grounds {
    /// Also what is free from a time on, and whether that changes then, before another.
    pub fn and_from(self, from_s: f64, until_s: f64) -> Self {
        let from_s = self.looked_at.from_s.min(from_s.next_down());
        let until_s = self.looked_at.until_s.max(until_s);
        Self { looked_at: Stretch { from_s, until_s }, ..self }
    }

    /// Whether the plan would be the same again. Of the job, `plan` is what it goes by; of what all plans leave `free`,
    /// `changed` is where that has changed in the meantime.
    pub fn hold(&self, free: &FreeGpus, plan: &Plan, changed: &[Stretch]) -> bool {
        let Stretch { from_s, until_s } = self.looked_at;
        let untouched = changed.iter().all(|changed| changed.until_s <= from_s || changed.from_s >= until_s);
        untouched && free.next_after_without(self.now_s, plan) == self.first_change_s
    }
}
