//! Updates of runs that have arrived but are not shown yet. They are applied together, so that the page never spends
//! all of its time on them: painting a large run takes longer than its next update takes to arrive.

use std::collections::BTreeMap;

use elastiplan_engine::Progress;
use elastiplan_worker::Packed;

/// After updates were painted, none are applied for this many times as long as that took.
const REST: f64 = 3.0;
/// The longest time that updates wait.
const WAIT_MAX_MS: f64 = 5000.0;

/// The latest update of each run, by request.
#[derive(Default)]
pub struct Updates {
    /// Progress.
    pub progress: BTreeMap<u32, Progress>,
    /// Records so far, packed.
    pub partials: BTreeMap<u32, Packed>,
    /// Final records of stopped runs, packed, with their wall-clock time in milliseconds.
    pub ended: BTreeMap<u32, (Packed, f64)>,
}

/// Updates from workers that have not been applied yet.
#[derive(Default)]
pub struct PendingUpdates {
    updates: Updates,
    /// Whether they will be applied without a further request.
    is_scheduled: bool,
    not_before_ms: f64,
}

impl PendingUpdates {
    /// Adds the progress of a run.
    pub fn progress(&mut self, request: u32, progress: Progress) {
        self.updates.progress.insert(request, progress);
    }

    /// Adds the record of a run so far.
    pub fn partial(&mut self, request: u32, packed: Packed) {
        if let Some(before) = self.updates.partials.insert(request, packed) {
            before.free();
        }
    }

    /// Adds the final record of a stopped run.
    pub fn ended(&mut self, request: u32, packed: Packed, wall_ms: f64) {
        self.forget(request);
        self.updates.ended.insert(request, (packed, wall_ms));
    }

    /// Whether the final record of a stopped run is among the updates.
    pub fn has_ended(&self, request: u32) -> bool {
        self.updates.ended.contains_key(&request)
    }

    /// Whether there are no updates.
    pub fn is_empty(&self) -> bool {
        let Updates { progress, partials, ended } = &self.updates;
        progress.is_empty() && partials.is_empty() && ended.is_empty()
    }

    /// In how many milliseconds the updates are to be applied; `None` if that is scheduled already.
    pub fn schedule(&mut self, now_ms: f64) -> Option<u32> {
        let is_scheduled = std::mem::replace(&mut self.is_scheduled, true);
        (!is_scheduled).then(|| (self.not_before_ms - now_ms).clamp(0.0, WAIT_MAX_MS) as u32)
    }

    /// Takes all updates. Nothing is scheduled again until they are painted.
    pub fn take(&mut self) -> Updates {
        std::mem::take(&mut self.updates)
    }

    /// Reports that the updates taken at `since_ms` have been painted.
    pub fn painted(&mut self, since_ms: f64, now_ms: f64) {
        self.not_before_ms = now_ms + REST * (now_ms - since_ms);
        self.is_scheduled = false;
    }

    /// Drops the updates of a run that has ended; returns its last record.
    pub fn forget(&mut self, request: u32) -> Option<Packed> {
        self.updates.progress.remove(&request);
        self.updates.partials.remove(&request)
    }
}
