//! `themis[artifact=true]`: ratio and priority of ElasticFlow's public source.
//!
//! The time alone is in samples instead of seconds, time passes only when a job arrives or ends, and rounds do not
//! count.

use elastiplan_engine::{Action, Cadence, JobView, Policy, View};

use crate::themis::shares::TimeShares;

/// The policy.
#[derive(Clone)]
pub(crate) struct Themis {
    interval_s: f64,
    shares: TimeShares,
    /// The last round before which a job arrived or ended.
    changed_s: f64,
}

impl Themis {
    pub fn new(interval_s: f64) -> Self {
        Self { interval_s, shares: TimeShares::default(), changed_s: 0.0 }
    }
}

impl Policy for Themis {
    fn cadence(&self) -> Cadence {
        Cadence::Ticks { interval_s: self.interval_s }
    }

    fn explain(&self, _view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        self.shares.explain(job)
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let (jobs, changed) = self.shares.update_jobs(view, actions);
        if changed {
            self.changed_s = view.time_s();
        }
        self.shares.share_time(&jobs, view, self.changed_s, |part, _| part);
        self.shares.fill(&jobs, view, |standing| standing.share, actions);
    }
}
