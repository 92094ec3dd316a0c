//! Jobs that were started a moment ago: interrupting them before they made progress would cost more than it gains.

use elastiplan_engine::JobView;

/// The last start of a job.
///
/// In rounds that are shorter than what a start costs, jobs that take turns would never do any work. A job is therefore
/// left alone until it has worked, and for as long as the start took where that was longer than a round.
#[derive(Clone, Copy, Default)]
pub(crate) struct Start {
    at_s: f64,
    samples_done: f64,
    settled_s: f64,
}

impl Start {
    /// A start at `now_s`.
    pub fn of(job: &JobView<'_>, now_s: f64) -> Self {
        Self { at_s: now_s, samples_done: job.samples_done(), settled_s: now_s }
    }

    /// Whether a running job is to be left alone. Call in every round.
    pub fn is_settling(&mut self, job: &JobView<'_>, now_s: f64) -> bool {
        let unpaid_s = job.rescale_left_s();
        if unpaid_s > 0.0 {
            let paid_s = now_s + unpaid_s;
            self.settled_s = paid_s + (paid_s - self.at_s);
        }
        now_s < self.settled_s || job.samples_done() <= self.samples_done
    }
}
