//! Jobs that were started a moment ago: interrupting them before they got anywhere would cost more than it gives.

use elastiplan_engine::JobView;

/// A job's last start, as the policy that started it remembers it.
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
    /// The job starts now.
    pub fn of(job: &JobView<'_>, now_s: f64) -> Self {
        Self { at_s: now_s, samples_done: job.samples_done(), settled_s: now_s }
    }

    /// Whether a running job is to be left alone. To be asked in every round.
    pub fn is_settling(&mut self, job: &JobView<'_>, now_s: f64) -> bool {
        let unpaid_s = job.rescale_left_s();
        if unpaid_s > 0.0 {
            let paid_s = now_s + unpaid_s;
            self.settled_s = paid_s + (paid_s - self.at_s);
        }
        now_s < self.settled_s || job.samples_done() <= self.samples_done
    }
}
