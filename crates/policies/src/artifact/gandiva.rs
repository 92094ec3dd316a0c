//! `gandiva[artifact=true]`: Gandiva in the published simulator of ElasticFlow.
//!
//! It decides at submissions, and after the last one at every interval; until then every job of a set owes a start at
//! every decision, which it pays when it runs next. Turns change when a decision falls on a multiple of the slice on
//! the clock. docs/fidelity.md lists the departures from the paper.

mod growth;

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_engine::{Action, JobView, NodeGpus, Policy, View};
use elastiplan_model::JobId;

use super::merged_events::MergedEvents;
use super::overheads::ArtifactOverheads;
use crate::gandiva::classes::Classes;
use crate::gandiva::turns::{Turns, explain, gpus_of, places_of_running, suspend_others};
use crate::shared::arrivals::{Arrivals, gpus_rigid};
use crate::shared::places::{holds, present_nodes};

/// Seconds that all jobs must have trained since they were last moved before sets change: where changes cost much, jobs
/// would make no progress otherwise.
const SETTLED_S: f64 = 10.0;

/// The policy.
#[derive(Clone, Default)]
pub(crate) struct Gandiva {
    interval_s: f64,
    slice_s: f64,
    merged: MergedEvents,
    overheads: ArtifactOverheads,
    classes: Classes,
    /// Jobs without a set.
    pending: Vec<JobId>,
    /// Jobs that had no set when they arrived.
    have_waited: BTreeSet<JobId>,
    /// What jobs pay when they run next.
    debts_s: BTreeMap<JobId, f64>,
    turns: Turns,
    /// When to decide next if nothing happens before.
    alarm_s: Option<f64>,
    arrivals: Arrivals,
}

impl Gandiva {
    pub fn new(interval_s: f64, slice_s: f64, last_submit_s: f64) -> Self {
        Self {
            interval_s,
            slice_s,
            merged: MergedEvents::of_submissions(interval_s, last_submit_s),
            overheads: ArtifactOverheads::new(interval_s),
            ..Self::default()
        }
    }
}

impl Policy for Gandiva {
    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        explain(&self.classes, view, job)
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        if !self.merged.is_due(view, self.alarm_s, actions) {
            self.overheads.give(view, actions);
            return;
        }
        self.overheads.forget();
        let arrived = self.arrivals.admit(view, |job| job.bound.gpus_requested, actions);
        let (displaced, joined) = self.classes.update_nodes(view.gpus_per_node(), &present_nodes(view).collect());
        self.pending.extend(displaced);
        let settled = self.turns.jobs().all(|job| self.turns.trained_s(view, job) >= SETTLED_S);
        let is_turn = settled && view.time_s() % self.slice_s == 0.0;
        let freed = self.classes.advance(|_| is_turn, |job| view.job(job).is_none());
        self.place(view, arrived, freed || joined);
        if settled {
            self.classes.adjust_as_published(view.gpus_total());
        }
        let running = places_of_running(&self.classes, view.gpus_per_node());
        self.update_debts(view);
        suspend_others(view, &running, actions);
        self.place_running(view, &running, settled, actions);
        let now_s = view.time_s();
        let alarm_s = match self.merged.is_past_last_submission(view) {
            true => now_s + self.interval_s.max(SETTLED_S),
            false => self.merged.last_submission_s(view),
        };
        self.alarm_s = Some(alarm_s);
        actions.push(Action::WakeAt { time_s: alarm_s });
        self.overheads.wake(actions);
        self.merged.decided(view, running.into_keys().collect(), 0);
    }
}

impl Gandiva {
    /// Places the jobs that arrived, then, if nodes became free, pending jobs, where the job after each one placed is
    /// passed over.
    fn place(&mut self, view: &View<'_>, arrived: Vec<JobView<'_>>, freed: bool) {
        self.pending.retain(|job| view.job(*job).is_some());
        for job in arrived {
            if !self.classes.place_as_published(job.id, gpus_rigid(&job, view.gpus_most())) {
                self.pending.push(job.id);
                self.have_waited.insert(job.id);
            }
        }
        let mut at = 0;
        while freed && let Some(job) = self.pending.get(at).copied() {
            if gpus_of(view, job).is_some_and(|gpus| self.classes.place_as_published(job, gpus)) {
                self.pending.remove(at);
            }
            at += 1;
        }
    }

    /// Removes the debts of jobs that ran, and so have paid, and of those that once had no set. Before the last
    /// submission, every job of a set owes a start.
    fn update_debts(&mut self, view: &View<'_>) {
        self.debts_s.retain(|job, _| !self.turns.has(*job) && !self.have_waited.contains(job));
        if self.merged.is_past_last_submission(view) {
            return;
        }
        let round = self.overheads.next_round(view);
        for (gpus, set) in self.classes.sets() {
            self.debts_s.extend(set.jobs.iter().map(|job| (*job, round.overhead_s(gpus, false))));
        }
    }

    /// Places the jobs whose turn it is, once they have paid what they owe.
    fn place_running(
        &mut self,
        view: &View<'_>,
        running: &BTreeMap<JobId, Vec<NodeGpus>>,
        settled: bool,
        actions: &mut Vec<Action>,
    ) {
        let mut turns = Turns::default();
        for (job, on) in running {
            let stays = holds(view, *job, on);
            let place = Action::Place { job: *job, on: on.clone() };
            match self.debts_s.get(job) {
                Some(debt_s) => self.overheads.charge(view, *job, *debt_s, place, actions),
                None if !stays => actions.push(place),
                None => {}
            }
            turns.begin(view, *job, if stays && !settled { Some(&self.turns) } else { None });
        }
        self.turns = turns;
    }
}
