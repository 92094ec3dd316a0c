//! The log of which jobs held which GPUs.

use elastiplan_model::JobId;

use crate::Holdings;
use crate::invariants::Invariants;
use crate::log::Log;
use crate::places::{Held, Places};
use crate::record::put;

/// GPUs of one node that a job held for a while.
#[derive(Clone, Copy, Debug)]
struct Holding {
    node: u32,
    job: JobId,
    mask: u64,
    start_s: f64,
    end_s: f64,
}

/// What jobs hold, since when, and what they held before.
#[derive(Clone, Debug)]
pub(crate) struct HoldingLog {
    log: Log<Holding>,
    /// For each job, since when it holds each of its places, in the order of [`Places::of`].
    since_s: Vec<Vec<f64>>,
    pub invariants: Invariants,
}

impl HoldingLog {
    pub fn new(jobs: usize) -> Self {
        Self { log: Log::default(), since_s: vec![Vec::new(); jobs], invariants: Invariants::default() }
    }

    /// Records that a job that held `before` holds `after` from `time_s` on.
    pub fn change(&mut self, job: JobId, before: &[Held], after: &[Held], time_s: f64) {
        let since_s = self.since_s.get_mut(job.index());
        let Some(since_s) = self.invariants.require(since_s, "the holdings of the job", Some(job)) else { return };
        let started: Vec<f64> = std::mem::take(since_s);
        let same = |held: &Held| before.iter().position(|other| other == held).and_then(|at| started.get(at));
        *since_s = after.iter().map(|held| same(held).copied().unwrap_or(time_s)).collect();
        for (held, start_s) in before.iter().zip(&started).filter(|(held, _)| !after.contains(held)) {
            if time_s > *start_s {
                let (node, mask, start_s) = (held.node, held.mask, *start_s);
                self.log.push(Holding { node, job, mask, start_s, end_s: time_s });
            }
        }
    }

    /// Visits what was held, and what is still held up to `end_s`; what was held of a node in order of time.
    fn each(&self, places: &Places, end_s: f64, mut visit: impl FnMut(&Holding)) {
        self.log.iter().for_each(&mut visit);
        for (job, since_s) in (0..).map(JobId).zip(&self.since_s).filter(|(_, since_s)| !since_s.is_empty()) {
            let open = places.of(job).iter().zip(since_s).filter(|(_, start_s)| end_s > **start_s);
            for (&Held { node, mask }, &start_s) in open {
                visit(&Holding { node, job, mask, start_s, end_s });
            }
        }
    }

    /// The log as columns, with what is still held recorded up to `end_s`. Rows are counted first and then put in their
    /// places: a long log is not copied twice.
    pub fn record(&self, places: &Places, end_s: f64) -> Holdings {
        let mut first = vec![0_u32; places.nodes_ever() as usize + 1];
        self.each(places, end_s, |holding| {
            if let Some(count) = first.get_mut(holding.node as usize + 1) {
                *count += 1;
            }
        });
        let mut total = 0;
        for count in &mut first {
            total += *count;
            *count = total;
        }
        let (mut next, len) = (first.clone(), total as usize);
        let mut holdings =
            Holdings { first, job: vec![0; len], mask: vec![0; len], start_s: vec![0.0; len], end_s: vec![0.0; len] };
        self.each(places, end_s, |holding| {
            let Some(at) = next.get_mut(holding.node as usize) else { return };
            holdings.put(*at as usize, holding);
            *at += 1;
        });
        holdings
    }
}

impl Holdings {
    /// Writes a row that is there.
    fn put(&mut self, at: usize, holding: &Holding) {
        let Self { first: _, job, mask, start_s, end_s } = self;
        put(job, at, holding.job.0);
        put(mask, at, holding.mask);
        put(start_s, at, holding.start_s);
        put(end_s, at, holding.end_s);
    }
}
