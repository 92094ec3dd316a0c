//! Carries out what a policy asked for, and what leaving nodes do to jobs.

use std::cmp::Reverse;

use elastiplan_model::{Configuration, JobId};

use crate::capacity::Change;
use crate::placer::{grow, shrink};
use crate::places::{Held, choose_gpus};
use crate::simulation::Simulation;
use crate::state::{Foreseen, JobState, Pace, Why};
use crate::{Action, Charging, HORIZON_S, LossCause, NodeGpus, OnLoss, Outcome, RunError};

/// What a decision changed.
#[derive(Default)]
pub(crate) struct Changes {
    pub started: u32,
    pub rescaled: u32,
    pub preempted: u32,
    pub dropped: u32,
    /// Something else: a batch size, the size of the cluster.
    pub other: bool,
}

impl Changes {
    pub fn is_none(&self) -> bool {
        self.started + self.rescaled + self.preempted + self.dropped == 0 && !self.other
    }
}

impl Simulation<'_> {
    /// Carries out checked actions.
    pub(crate) fn carry_out(&mut self, actions: &[Action]) -> Result<Changes, RunError> {
        let mut changes = Changes::default();
        let mut wanted: Vec<(JobId, u32)> = Vec::new();
        let mut placed: Vec<(JobId, &[NodeGpus])> = Vec::new();
        let mut new_batches: Vec<JobId> = Vec::new();
        for action in actions {
            match action {
                Action::Drop { job } => {
                    self.state.end(*job, Outcome::Dropped, self.time_s);
                    changes.dropped += 1;
                }
                Action::Admit { job } => self.state.admit(*job, self.time_s),
                Action::SetBatch { job, batch_global } if self.set_batch(*job, *batch_global) => new_batches.push(*job),
                Action::SetBatch { .. } | Action::ResizeCluster { .. } => {}
                Action::Remark { job, text } => self.remarks.push((self.time_s, *job, text.as_str().into())),
                Action::WakeAt { time_s } => self.timing.wake_at(*time_s),
                Action::Allocate { job, gpus } if *gpus != self.state.gpus(*job) => wanted.push((*job, *gpus)),
                Action::Allocate { .. } => {}
                Action::Place { job, on } => placed.push((*job, on)),
            }
        }
        self.choose_places(&wanted, &placed)?;
        self.settle_places(&mut changes)?;
        for job in new_batches {
            changes.other = true;
            self.renew_pace(job);
        }
        for action in actions {
            if let Action::ResizeCluster { nodes } = action {
                changes.other |= self.resize_cluster(*nodes)?;
            }
        }
        Ok(changes)
    }

    fn set_batch(&mut self, job: JobId, batch_global: u32) -> bool {
        let known = self.state.get(job).is_some_and(|state| state.batch_global == Some(batch_global));
        let Some(curve) = self.workload.curve_at(job, batch_global).filter(|_| !known) else { return false };
        self.state.set_batch(job, curve, batch_global);
        self.batch_sizes.time_s.push(self.time_s);
        self.batch_sizes.job.push(job.0);
        self.batch_sizes.batch_global.push(batch_global);
        true
    }

    /// A job that does not run with the batch size that was chosen for it takes its own again.
    fn keep_batch_possible(&mut self, job: JobId, gpus: u32, nodes: u32) {
        if let Some(own) = self.own_batch(job).filter(|_| !self.runs_with_its_batch(job, gpus, nodes)) {
            self.set_batch(job, own);
        }
    }

    /// Changes the places. Where the policy chooses some itself, those come first and the others take what is left,
    /// whatever the placer: it must not move what the policy has put somewhere.
    fn choose_places(&mut self, wanted: &[(JobId, u32)], placed: &[(JobId, &[NodeGpus])]) -> Result<(), RunError> {
        if placed.is_empty() {
            if !wanted.is_empty() {
                self.placer.place(&mut self.places, wanted);
            }
            return Ok(());
        }
        for (job, gpus) in wanted {
            shrink(&mut self.places, *job, *gpus);
        }
        self.place_as_told(placed)?;
        for (job, gpus) in wanted {
            grow(&mut self.places, *job, *gpus);
        }
        Ok(())
    }

    /// Gives jobs the GPUs that the policy chose; all of them give back first what they do not keep.
    fn place_as_told(&mut self, placed: &[(JobId, &[NodeGpus])]) -> Result<(), RunError> {
        let gpus_on = |on: &[NodeGpus], node: u32| on.iter().find(|place| place.node == node).map_or(0, |p| p.gpus);
        for (job, on) in placed {
            for held in self.places.of(*job).to_vec() {
                let kept = choose_gpus(held.mask, gpus_on(on, held.node).min(held.gpus()));
                self.places.give_back(*job, Held { mask: held.mask & !kept, ..held });
            }
        }
        for (job, on) in placed {
            for NodeGpus { node, gpus } in on.iter().copied() {
                let has = self.places.of(*job).iter().find(|held| held.node == node).map_or(0, Held::gpus);
                let free = self.places.free_mask(node);
                let mask = choose_gpus(free, gpus - has.min(gpus));
                if mask.count_ones() + has < gpus {
                    let rule = format!("node {node} has only {} free for it", mask.count_ones() + has);
                    return Err(self.refusal(*job, rule));
                }
                self.places.take(*job, Held { node, mask });
            }
        }
        Ok(())
    }

    /// Makes of changed places starts, changes and preemptions.
    fn settle_places(&mut self, changes: &mut Changes) -> Result<(), RunError> {
        for (job, before) in self.places.take_touched() {
            let after = self.places.of(job).to_vec();
            if before == after {
                continue;
            }
            self.holdings.change(job, &before, &after, self.time_s);
            self.note_nodes(&before, &after);
            let gpus: u32 = after.iter().map(Held::gpus).sum();
            let pay_s = self.charge(job, gpus, LossCause::Rescale);
            if gpus == 0 {
                self.state.preempt(job, self.time_s, Why::Decision);
                changes.preempted += 1;
                continue;
            }
            match before.is_empty() {
                true => changes.started += 1,
                false => changes.rescaled += 1,
            }
            self.keep_batch_possible(job, gpus, after.len() as u32);
            let pace = self.pace(job, gpus);
            if pace.work_per_s.is_nan() || pace.work_per_s <= 0.0 {
                return Err(self.refusal(job, "it makes no progress there".into()));
            }
            let foreseen = self.state.allocate(job, gpus, pace, self.time_s, pay_s, Why::Decision);
            self.expect(foreseen);
        }
        Ok(())
    }

    /// What a job pays for a change to `gpus_after`: the seconds without progress that are left to pay, after what is
    /// taken away at once.
    fn charge(&mut self, job: JobId, gpus_after: u32, cause: LossCause) -> f64 {
        let pay_s = self.pay_s(job, self.state.gpus(job), gpus_after);
        if self.policy.charging() == Charging::Time {
            return pay_s;
        }
        self.state.charge(job, self.time_s, pay_s, cause);
        0.0
    }

    /// Seconds that a change to `gpus_after` costs.
    fn pay_s(&self, job: JobId, gpus_before: u32, gpus_after: u32) -> f64 {
        let costs = &self.conditions;
        if !self.state.has_started(job) {
            return costs.first_start_s(gpus_after);
        }
        let trace = self.workload.trace();
        let in_trace = trace.jobs().get(job.index());
        let model = in_trace.map_or("", |job| trace.model_name(job.model));
        costs.rescale_s(in_trace, model, gpus_before, gpus_after)
    }

    /// How fast a job is on `gpus` GPUs where it is now.
    pub(crate) fn pace(&self, job: JobId, gpus: u32) -> Pace {
        self.pace_beside(job, gpus, self.undisturbed_share(job))
    }

    /// The same, with what others leave of its speed.
    fn pace_beside(&self, job: JobId, gpus: u32, undisturbed_share: f64) -> Pace {
        let (Some(state), held) = (self.state.get(job), self.places.of(job)) else { return Pace::default() };
        let Some(curve) = self.workload.curves().get(state.curve as usize) else { return Pace::default() };
        let nodes = held.len() as u32;
        let packed = nodes == self.places.nodes_needed(gpus);
        let batch_global = state.batch_global;
        let shape: Vec<u32> = held.iter().map(Held::gpus).collect();
        let configuration = Configuration { gpus, nodes, packed, batch_global, shape: &shape };
        let mut samples_per_s = curve.samples_per_s_in(&configuration);
        if let Some(topology) = self.cluster.topology() {
            let held: Vec<(u32, u64)> = held.iter().map(|held| (held.node, held.mask)).collect();
            samples_per_s *= topology.speed_at(topology.level(&held));
        }
        samples_per_s *= undisturbed_share;
        let batch = batch_global.or(curve.key().batch_global);
        let batch = batch.or_else(|| self.workload.trace().jobs().get(job.index())?.batch_global);
        let total = self.workload.jobs().get(job.index()).map_or(1.0, |bound| bound.samples);
        let left = state.work_left_at(self.time_s);
        match curve.efficiency().zip(batch) {
            Some((efficiency, batch)) => {
                let batch = curve.batch_on(gpus, batch);
                let (worth, until_left) = efficiency.at(batch, left, total);
                Pace { samples_per_s, work_per_s: samples_per_s * worth, until_left, undisturbed_share }
            }
            None => Pace { samples_per_s, work_per_s: samples_per_s, until_left: 0.0, undisturbed_share },
        }
    }

    /// A job goes on with a new pace where it is.
    pub(crate) fn renew_pace(&mut self, job: JobId) {
        let gpus = self.state.gpus(job);
        if gpus == 0 {
            return;
        }
        // What others do at this instant is settled at its end: whatever the order of actions, it writes no checkpoint.
        let undisturbed_share = self.state.get(job).map_or(1.0, JobState::undisturbed_share);
        let pace = self.pace_beside(job, gpus, undisturbed_share);
        let foreseen = self.state.set_pace(job, pace, self.time_s);
        self.expect(foreseen);
    }

    pub(crate) fn expect(&mut self, foreseen: Option<Foreseen>) {
        self.foreseen.extend(foreseen.filter(|foreseen| foreseen.time_s <= HORIZON_S).map(Reverse));
    }

    /// Takes everything from a job that has ended.
    pub(crate) fn free_places_of(&mut self, job: JobId) {
        let before = self.places.release(job);
        self.holdings.change(job, &before, &[], self.time_s);
        self.note_nodes(&before, &[]);
        self.places.take_touched();
    }

    /// Lets nodes appear and go.
    pub(crate) fn change_nodes(&mut self, changes: &[Change]) {
        let leaving: Vec<u32> = changes.iter().filter(|change| !change.present).map(|change| change.node).collect();
        if let Some(interval_s) = self.conditions.checkpoint_interval_s {
            let mut hit: Vec<JobId> = leaving.iter().flat_map(|node| self.places.jobs_on(*node)).copied().collect();
            hit.sort_unstable();
            hit.dedup();
            for job in hit {
                self.state.lose_work(job, self.time_s, interval_s);
            }
        }
        for node in leaving {
            for job in self.places.jobs_on(node).to_vec() {
                self.places.give_back(job, Held { node, mask: u64::MAX });
            }
            self.places.remove_node(node);
            self.absences.leaves(node, self.time_s);
        }
        for (job, before) in self.places.take_touched() {
            self.take_losses(job, &before);
        }
        for change in changes.iter().filter(|change| change.present) {
            self.places.add_node(change.node);
            self.absences.comes(change.node, self.time_s);
        }
    }

    /// A job goes on with what is left to it, or loses that too.
    fn take_losses(&mut self, job: JobId, before: &[Held]) {
        self.lost.push(job);
        let gpus: u32 = self.places.of(job).iter().map(Held::gpus).sum();
        let goes_on = gpus > 0 && self.policy.on_loss() == OnLoss::Shrink;
        let nodes = self.places.of(job).len() as u32;
        let pay_s = self.charge(job, gpus, LossCause::NodeLeft);
        if goes_on && self.runs_on(job, gpus, nodes) {
            let after = self.places.of(job).to_vec();
            self.holdings.change(job, before, &after, self.time_s);
            self.note_nodes(before, &after);
            self.keep_batch_possible(job, gpus, nodes);
            let pace = self.pace(job, gpus);
            let foreseen = self.state.allocate(job, gpus, pace, self.time_s, pay_s, Why::NodeLeft);
            self.expect(foreseen);
        } else {
            self.places.release(job);
            self.places.take_touched();
            self.holdings.change(job, before, &[], self.time_s);
            self.note_nodes(before, &[]);
            self.state.preempt(job, self.time_s, Why::NodeLeft);
        }
    }

    /// Orders nodes, or gives some back.
    fn resize_cluster(&mut self, nodes: u32) -> Result<bool, RunError> {
        let Some(cloud) = self.conditions.cloud else { return Ok(false) };
        let ordered = self.capacity.nodes_ordered();
        if nodes >= ordered {
            self.capacity.order(nodes, self.time_s + cloud.provisioning_s);
            return Ok(nodes > ordered);
        }
        let fewer = ordered - nodes;
        let fewer = fewer - self.capacity.cancel_orders(fewer);
        let in_use = |node: u32| self.places.gpus_per_node() - self.places.free_mask(node).count_ones();
        let mut there: Vec<u32> = self.capacity.present().collect();
        there.sort_by_key(|node| (in_use(*node), Reverse(*node)));
        there.truncate(fewer as usize);
        for node in &there {
            self.capacity.give_up(*node);
        }
        let gone: Vec<Change> = there.into_iter().map(|node| Change { node, present: false }).collect();
        self.change_nodes(&gone);
        Ok(true)
    }
}
