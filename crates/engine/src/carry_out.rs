//! Applying actions to the cluster, and the effect of leaving nodes on jobs.

use std::cmp::Reverse;

use elastiplan_model::{Configuration, JobId, order};

use crate::capacity::Change;
use crate::decisions::Changes;
use crate::placer::{grow, place, shrink};
use crate::places::{Held, choose_gpus};
use crate::simulation::Simulation;
use crate::state::{ChangeReason, JobState, Pace, ScheduledEvent};
use crate::{Action, Charging, HORIZON_S, LossCause, NodeGpus, OnLoss, Outcome, RunError, RunErrorKind};

impl Simulation<'_> {
    /// Applies checked actions.
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
            if !self.renew_pace(job) {
                return Err(self.job_error(job, RunErrorKind::NoProgress));
            }
        }
        for action in actions {
            if let Action::ResizeCluster { nodes } = action {
                changes.other |= self.resize_cluster(*nodes);
            }
        }
        Ok(changes)
    }

    /// Sets the batch size of a job; returns whether that is a change.
    fn set_batch(&mut self, job: JobId, batch_global: u32) -> bool {
        if self.state.get(job).is_some_and(|state| state.batch_global == Some(batch_global)) {
            return false;
        }
        let curve = self.workload.curve_at(job, batch_global);
        let Some(curve) = self.invariants.require(curve, "a curve for the batch size", Some(job)) else { return false };
        self.state.set_batch(job, curve, batch_global);
        self.batch_sizes.time_s.push(self.time_s);
        self.batch_sizes.job.push(job.0);
        self.batch_sizes.batch_global.push(batch_global);
        true
    }

    /// Resets a job to its own batch size if it does not run with the one chosen for it.
    fn keep_batch_possible(&mut self, job: JobId, gpus: u32, nodes: u32) {
        if let Some(own) = self.own_batch(job).filter(|_| !self.runs_with(job, gpus, nodes, None)) {
            self.set_batch(job, own);
        }
    }

    /// Changes the places of jobs. Places chosen by the policy come first; the other jobs take what is left, without
    /// the placer, which might move jobs that the policy has placed.
    fn choose_places(&mut self, wanted: &[(JobId, u32)], placed: &[(JobId, &[NodeGpus])]) -> Result<(), RunError> {
        if placed.is_empty() {
            if !wanted.is_empty() {
                place(self.conditions.placement, &mut self.places, wanted);
            }
        } else {
            for (job, gpus) in wanted {
                shrink(&mut self.places, *job, *gpus);
            }
            self.place_as_requested(placed)?;
            for (job, gpus) in wanted {
                grow(&mut self.places, *job, *gpus);
            }
        }
        for (job, gpus) in wanted {
            let placed = self.places.gpus_of(*job) == *gpus;
            self.invariants.check(placed, "a place for each of the GPUs", Some(*job));
        }
        Ok(())
    }

    /// Gives jobs the GPUs that the policy chose. First, all of them release what they do not keep.
    fn place_as_requested(&mut self, placed: &[(JobId, &[NodeGpus])]) -> Result<(), RunError> {
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
                let available = mask.count_ones() + has;
                if available < gpus {
                    return Err(self.job_error(*job, RunErrorKind::NodeOccupied { node, available }));
                }
                self.places.take(*job, Held { node, mask });
            }
        }
        Ok(())
    }

    /// Turns changed places into starts, changes and preemptions of jobs.
    fn settle_places(&mut self, changes: &mut Changes) -> Result<(), RunError> {
        for (job, before) in self.places.take_touched() {
            let after = self.places.of(job).to_vec();
            if before == after {
                continue;
            }
            self.holdings.change(job, &before, &after, self.time_s);
            self.record_changed_nodes(&before, &after);
            let gpus: u32 = after.iter().map(Held::gpus).sum();
            let pay_s = self.charge(job, gpus, LossCause::Rescale);
            if gpus == 0 {
                self.state.preempt(job, self.time_s, ChangeReason::Decision);
                changes.preempted += 1;
                continue;
            }
            match before.is_empty() {
                true => changes.started += 1,
                false => changes.rescaled += 1,
            }
            self.keep_batch_possible(job, gpus, after.len() as u32);
            let pace = self.pace(job, gpus);
            if !pace.makes_progress() {
                return Err(self.job_error(job, RunErrorKind::NoProgress));
            }
            let next = self.state.allocate(job, gpus, pace, self.time_s, pay_s, ChangeReason::Decision);
            self.schedule(next);
        }
        Ok(())
    }

    /// Charges a job for a change to `gpus_after`; returns its pause in seconds, 0 if it is charged in work at once.
    fn charge(&mut self, job: JobId, gpus_after: u32, cause: LossCause) -> f64 {
        let pay_s = self.pay_s(job, self.state.gpus(job), gpus_after);
        if self.policy.charging() == Charging::Time {
            return pay_s;
        }
        if cause == LossCause::Rescale || self.pays_first(job) {
            self.state.charge(job, self.time_s, pay_s, cause);
        }
        0.0
    }

    /// Whether a job that loses a node pays for the first one at this instant. A pause would begin again at the same
    /// instant and be no longer either.
    fn pays_first(&mut self, job: JobId) -> bool {
        let (time_s, jobs) = &mut self.paid;
        if *time_s != self.time_s {
            *time_s = self.time_s;
            jobs.clear();
        }
        let first = !jobs.contains(&job);
        jobs.push(job);
        first
    }

    /// The cost of a change to `gpus_after`, in seconds.
    fn pay_s(&self, job: JobId, gpus_before: u32, gpus_after: u32) -> f64 {
        let costs = &self.conditions;
        if !self.state.has_started(job) {
            return costs.first_start_s(gpus_after);
        }
        let in_trace = self.in_trace(job);
        let model = in_trace.map_or("", |job| self.workload.trace().model_name(job.model));
        costs.rescale_s(in_trace, model, gpus_before, gpus_after)
    }

    /// The pace of a job on `gpus` GPUs at its present place.
    pub(crate) fn pace(&self, job: JobId, gpus: u32) -> Pace {
        self.pace_with(job, gpus, self.interference_factor(job))
    }

    /// The same with a given factor for interference.
    fn pace_with(&self, job: JobId, gpus: u32, interference_factor: f64) -> Pace {
        let (state, held) = (self.state.get(job), self.places.of(job));
        let curve = state.and_then(|state| self.workload.curves().get(state.curve as usize));
        let curve = self.invariants.require(curve, "a curve of the job", Some(job));
        let (Some(state), Some(curve), Some(bound)) = (state, curve, self.bound(job)) else { return Pace::default() };
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
        samples_per_s *= interference_factor;
        let batch = batch_global.or(curve.key().batch_global);
        let batch = batch.or_else(|| self.in_trace(job)?.batch_global);
        let left = state.work_left_at(self.time_s);
        match curve.efficiency().zip(batch) {
            Some((efficiency, batch)) => {
                let batch = curve.batch_on(gpus, batch);
                let (worth, until_left) = efficiency.at(batch, left, bound.samples);
                Pace { samples_per_s, work_per_s: samples_per_s * worth, until_left, interference_factor }
            }
            None => Pace { samples_per_s, work_per_s: samples_per_s, until_left: 0.0, interference_factor },
        }
    }

    /// Updates the pace of a job at its present place. Returns false if it holds GPUs and makes no progress on them.
    pub(crate) fn renew_pace(&mut self, job: JobId) -> bool {
        let gpus = self.state.gpus(job);
        if gpus == 0 {
            return true;
        }
        // Interference is updated at the end of the instant, so that it writes no checkpoint whatever the order of
        // actions.
        let interference_factor = self.state.get(job).map_or(1.0, JobState::interference_factor);
        let pace = self.pace_with(job, gpus, interference_factor);
        let next = self.state.set_pace(job, pace, self.time_s);
        self.schedule(next);
        pace.makes_progress()
    }

    /// Queues an event, unless it lies beyond the end of time.
    pub(crate) fn schedule(&mut self, next: Option<ScheduledEvent>) {
        self.events.extend(next.filter(|next| next.time_s.0 <= HORIZON_S).map(Reverse));
    }

    /// Releases the GPUs of a job that has ended.
    pub(crate) fn release_places_of(&mut self, job: JobId) {
        let before = self.places.release(job);
        self.holdings.change(job, &before, &[], self.time_s);
        self.record_changed_nodes(&before, &[]);
        self.places.take_touched();
    }

    /// Applies the departures and arrivals of nodes.
    pub(crate) fn change_nodes(&mut self, changes: &[Change]) {
        let leaving: Vec<u32> = changes.iter().filter(|change| !change.present).map(|change| change.node).collect();
        if let Some(interval_s) = self.conditions.checkpoint_interval_s {
            let mut hit: Vec<JobId> = leaving.iter().flat_map(|node| self.places.jobs_on(*node)).copied().collect();
            order::sort_by_rank(&mut hit, |job| u64::from(job.0));
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
            self.absences.leave(node, self.time_s);
        }
        for (job, before) in self.places.take_touched() {
            self.handle_lost_gpus(job, &before);
        }
        for change in changes.iter().filter(|change| change.present) {
            self.places.add_node(change.node);
            self.absences.join(change.node, self.time_s);
        }
    }

    /// Shrinks a job to the GPUs that a leaving node has left it, or preempts it.
    fn handle_lost_gpus(&mut self, job: JobId, before: &[Held]) {
        self.lost.push(job);
        let gpus: u32 = self.places.of(job).iter().map(Held::gpus).sum();
        let may_shrink = gpus > 0 && self.policy.on_loss() == OnLoss::Shrink;
        let nodes = self.places.of(job).len() as u32;
        let pay_s = self.charge(job, gpus, LossCause::NodeLeft);
        let pace = (may_shrink && self.runs_on(job, gpus, nodes, None)).then(|| {
            self.keep_batch_possible(job, gpus, nodes);
            self.pace(job, gpus)
        });
        let pace = pace.filter(Pace::makes_progress);
        if pace.is_none() {
            self.places.release(job);
            self.places.take_touched();
        }
        let after = self.places.of(job).to_vec();
        self.holdings.change(job, before, &after, self.time_s);
        self.record_changed_nodes(before, &after);
        if let Some(pace) = pace {
            let next = self.state.allocate(job, gpus, pace, self.time_s, pay_s, ChangeReason::NodeLeft);
            self.schedule(next);
        } else {
            self.state.preempt(job, self.time_s, ChangeReason::NodeLeft);
        }
    }

    /// Orders nodes, or returns some; returns whether their number changed.
    fn resize_cluster(&mut self, nodes: u32) -> bool {
        let cloud = self.invariants.require(self.conditions.cloud, "a cloud", None);
        let Some(cloud) = cloud else { return false };
        let ordered = self.capacity.nodes_ordered();
        if nodes >= ordered {
            self.capacity.order(nodes, self.time_s + cloud.provisioning_s);
            return nodes > ordered;
        }
        let fewer = ordered - nodes;
        let fewer = fewer - self.capacity.cancel_orders(fewer);
        let in_use = |node: u32| self.places.gpus_per_node() - self.places.free_mask(node).count_ones();
        let mut given_up: Vec<u32> = self.capacity.present().collect();
        order::sort_by_key(&mut given_up, |node| (in_use(*node), Reverse(*node)));
        given_up.truncate(fewer as usize);
        for node in &given_up {
            self.capacity.give_up(*node);
        }
        let gone: Vec<Change> = given_up.into_iter().map(|node| Change { node, present: false }).collect();
        self.change_nodes(&gone);
        true
    }
}
