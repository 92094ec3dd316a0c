//! `chronus[artifact=true]`: leases as in ElasticFlow's public source.
//!
//! Leases begin at multiples of their length on the clock of the trace, and a job that has arrived is booked from the
//! lease after the next decision on.

use elastiplan_engine::{Action, JobView, Policy, View};

use crate::chronus::book::LeaseBook;

/// The policy.
#[derive(Clone)]
pub(crate) struct Chronus {
    book: LeaseBook,
    /// Whether a job had been refused at the last decision that might still be in time.
    some_refused: bool,
}

impl Chronus {
    pub fn new(book: LeaseBook) -> Self {
        Self { book, some_refused: false }
    }
}

impl Policy for Chronus {
    fn explain(&self, _view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        self.book.explain(job)
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let (now_s, lease_s) = (view.time_s(), self.book.lease_s);
        let next_s = ((now_s / lease_s).floor() + 1.0) * lease_s;
        if next_s > now_s {
            actions.push(Action::WakeAt { time_s: next_s });
        }
        if (now_s / lease_s).round() * lease_s != now_s {
            return;
        }
        let lease = self.book.lease_at(now_s);
        let (jobs, arrived) = self.book.update_jobs(view, actions);
        let holders = self.book.lease_out(&jobs, lease, self.some_refused, view);
        self.book.answer(&arrived, lease + 1, lease, view);
        self.some_refused = self.book.is_some_refused();
        self.book.give_up(&jobs, view);
        self.book.fill(&jobs, &holders, view, actions);
    }
}
