//! `chronus`: deadlines are promised where leases can be booked for them; which jobs hold a lease now is optimised.
//!
//! Chronus (Gao et al., SoCC 2021), as ElasticFlow's public artifact models it. Time is cut into leases of `lease_s`,
//! and jobs run on the GPUs they ask for or not at all. How long a job will hold GPUs is estimated with a margin of a
//! tenth, and with what its resumptions cost. A job with a deadline is promised to meet it if its leases can be booked
//! before the deadline beside those of all jobs promised before; it then runs on its leases only. Other jobs run on
//! unleased GPUs, the shortest first, and last those that are late whatever happens.
//!
//! At the beginning of each lease all promised jobs are booked again, so that as many GPUs as possible are used now; or
//! as few as possible if refused jobs could still be in time on the rest.
//!
//! `artifact=true` begins and books leases as the public source does: `artifact/chronus.rs`.
//!
//! ```text
//! 2 GPUs, leases of 2 s; a needs both for 4 s and has no deadline; b comes at 2 and needs both for 2 s before 10
//! a 22--22     runs on unleased GPUs
//! b   22       its leases are booked as late as can be, but used at once: no job was refused
//! ```

pub(crate) mod book;

use elastiplan_engine::{Action, Cadence, JobView, Policy, View};

use crate::artifact::chronus::Chronus as PublishedChronus;
use crate::parameters::{Entry, Parameter, Parameters, YEAR_S};
use book::LeaseBook;

const LEASE_S: Parameter = Parameter::number("lease_s", "Seconds of a lease", 240.0, 1.0..=YEAR_S);
const ARTIFACT: Parameter =
    Parameter::flag("artifact", "Leases begin and jobs are booked as in ElasticFlow's public source", false);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "chronus",
    summary: "Leases for the deadlines that can be promised; the other jobs have what is left over",
    source: "Chronus (Gao et al., SoCC 2021), as ElasticFlow compares with it, section 6.1",
    is_elastic: true,
    parameters: &[LEASE_S, ARTIFACT],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let book = LeaseBook::new(parameters.number(&LEASE_S));
    if parameters.flag(&ARTIFACT) {
        return Box::new(PublishedChronus::new(book));
    }
    Box::new(Chronus { book, origin_s: None })
}

#[derive(Clone)]
struct Chronus {
    book: LeaseBook,
    /// When the first lease began.
    origin_s: Option<f64>,
}

impl Policy for Chronus {
    fn cadence(&self) -> Cadence {
        Cadence::Ticks { interval_s: self.book.lease_s }
    }

    fn explain(&self, _view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        self.book.explain(job)
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let origin_s = *self.origin_s.get_or_insert(view.time_s());
        let lease = self.book.lease_at(view.time_s() - origin_s);
        let (jobs, arrived) = self.book.update_jobs(view, actions);
        self.book.answer(&arrived, lease, lease, view);
        self.book.give_up(&jobs, view);
        let some_refused = self.book.is_some_refused();
        let holders = self.book.lease_out(&jobs, lease, some_refused, view);
        self.book.give_up(&jobs, view);
        self.book.fill(&jobs, &holders, view, actions);
    }
}
