//! The log of which jobs held which GPUs.

use elastiplan_model::{JobId, order};

use crate::Holdings;
use crate::invariants::Invariants;
use crate::log::Log;
use crate::places::{Held, Places};

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

    /// The log as columns, with what is still held recorded up to `end_s`.
    pub fn record(&self, places: &Places, end_s: f64) -> Holdings {
        let mut rows: Vec<Holding> = self.log.iter().copied().collect();
        for (job, since_s) in (0..).map(JobId).zip(&self.since_s).filter(|(_, since_s)| !since_s.is_empty()) {
            let open = places.of(job).iter().zip(since_s).filter(|(_, start_s)| end_s > **start_s);
            rows.extend(open.map(|(held, start_s)| Holding {
                node: held.node,
                job,
                mask: held.mask,
                start_s: *start_s,
                end_s,
            }));
        }
        // Within a node the log is in order of time already, and stays so.
        let rows = order::by_index(rows, places.nodes_ever() as usize, |row| row.node as usize);
        let mut next = rows.iter().peekable();
        let mut holdings = Holdings::default();
        for node in 0..places.nodes_ever() {
            holdings.first.push(holdings.job.len() as u32);
            while let Some(row) = next.next_if(|row| row.node == node) {
                holdings.job.push(row.job.0);
                holdings.mask.push(row.mask);
                holdings.start_s.push(row.start_s);
                holdings.end_s.push(row.end_s);
            }
        }
        holdings.first.push(holdings.job.len() as u32);
        holdings
    }
}
