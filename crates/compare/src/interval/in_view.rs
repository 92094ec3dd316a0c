//! What jobs do in a stretch of time that is looked at.

use elastiplan_engine::{Outcome, Run, SpanState};
use elastiplan_metrics::completion_s;
use elastiplan_model::{JobId, Workload};

use super::moments::missed_s;

/// What some jobs of a run do from one time until before another. Times are seconds on the clock of the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InView {
    /// Jobs that hold GPUs at any time of it.
    pub holding: u64,
    /// Jobs that are there and hold none.
    pub only_waiting: u64,
    /// Jobs that complete in it.
    pub completed: u64,
    /// Jobs of which it becomes certain in it that they miss their deadline.
    pub missed: u64,
    /// Times that a job gets more GPUs than it holds.
    pub grown: u64,
    /// Times that a job keeps fewer GPUs than it holds.
    pub shrunk: u64,
    /// Times that a job loses all its GPUs.
    pub preempted: u64,
    /// Times that a job that had lost its GPUs gets some.
    pub resumed: u64,
    /// Jobs that the policy declines or drops in it.
    pub dropped: u64,
    /// The job that waits longest of those that wait in it, and how long, in seconds: all of that wait, also what lies
    /// outside.
    pub longest_wait: Option<(JobId, f64)>,
}

impl InView {
    /// Looks at the spans of these jobs that lie in the stretch.
    pub fn of(run: &Run, workload: &Workload, jobs: &[JobId], (from_s, to_s): (f64, f64)) -> Self {
        let mut found = Self::default();
        for &job in jobs {
            found.add(run, workload, job, (from_s, to_s));
        }
        found
    }

    /// Changes of GPUs of all kinds.
    pub fn changes(&self) -> u64 {
        self.grown + self.shrunk + self.preempted + self.resumed
    }

    fn add(&mut self, run: &Run, workload: &Workload, job: JobId, (from_s, to_s): (f64, f64)) {
        let is_within = |time_s: &f64| (from_s..to_s).contains(time_s);
        let ended_s = run.jobs.end_s.get(job.index()).copied().flatten();
        let is_dropped = run.jobs.outcome.get(job.index()) == Some(&Outcome::Dropped);
        self.dropped += u64::from(is_dropped && ended_s.as_ref().is_some_and(is_within));
        self.missed += u64::from(missed_s(run, workload, job).as_ref().is_some_and(is_within));
        let range = run.spans.range_of(job);
        let ends_s = run.spans.end_s.get(range.clone()).unwrap_or_default();
        let first = range.start + ends_s.partition_point(|&end_s| end_s <= from_s);
        // The span before the first in view says what the job held.
        let before = first.checked_sub(1).filter(|before| range.contains(before));
        let mut held = before.and_then(|before| run.spans.get(before)).map_or(0, |before| before.gpus);
        let mut has_held = run.spans.gpus.get(range.start..first).is_some_and(|gpus| gpus.iter().any(|gpus| *gpus > 0));
        let (mut is_there, mut holds) = (false, false);
        for span in (first..range.end).filter_map(|at| run.spans.get(at)) {
            if span.start_s >= to_s {
                break;
            }
            is_there = true;
            holds |= span.gpus > 0;
            if is_within(&span.start_s) {
                match (held, span.gpus) {
                    (from, to) if from == to => {}
                    (0, _) => self.resumed += u64::from(has_held),
                    (_, 0) => self.preempted += 1,
                    (from, to) if to > from => self.grown += 1,
                    _ => self.shrunk += 1,
                }
            }
            if matches!(span.state, SpanState::Waiting | SpanState::Preempted) {
                let waits_s = span.end_s - span.start_s;
                if self.longest_wait.is_none_or(|(_, longest_s)| waits_s > longest_s) {
                    self.longest_wait = Some((job, waits_s));
                }
            }
            held = span.gpus;
            has_held |= held > 0;
        }
        self.holding += u64::from(holds);
        self.only_waiting += u64::from(is_there && !holds);
        self.completed += u64::from(completion_s(run, job).as_ref().is_some_and(is_within));
    }
}
