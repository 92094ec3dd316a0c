//! `gandiva`: nodes are grouped in classes by the number of GPUs that jobs ask for, and jobs of a class take turns.
//!
//! Gandiva's time slicing and grow-shrink (Xiao et al., "Gandiva: Introspective Cluster Scheduling for Deep Learning",
//! OSDI 2018, section 3), as ElasticFlow compares itself with it (section 6.1): every job runs on the GPUs it asked
//! for, nodes that serve jobs of one size form sets, and in a set with more jobs than places those at the head run and
//! go to the back after `slice_s`. Each class gets nodes in proportion to the GPUs its jobs ask for: it grows while
//! nodes are free and its jobs are too many, and shrinks where they are too few. There is no packing of several jobs on
//! one GPU: ElasticFlow's artifact has none either.
//!
//! With `artifact=true` it does what the published simulator of ElasticFlow does where that differs: see
//! docs/fidelity.md.
//!
//! ```text
//! 2 nodes of 2 GPUs, slices of 2 s; a and b ask for 2, c for 1, d for 2 later
//! a 22--22   b 2222   c waits until a node is free, d shares the node of a
//! ```

mod classes;

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_engine::{Action, Cadence, JobView, NodeGpus, Policy, View};
use elastiplan_model::JobId;

use crate::artifact::merged_events::{ARTIFACT, INTERVAL, LAST_SUBMIT, MergedEvents};
use crate::artifact::overheads::ArtifactOverheads;
use crate::parameters::{Entry, Parameter, Parameters, YEAR_S};
use crate::shared::arrivals::{Arrivals, gpus_rigid};
use classes::{Classes, NodeSet};

const SLICE_S: Parameter =
    Parameter::number("slice_s", "Seconds after which jobs that share GPUs take turns", 60.0, 10.0..=YEAR_S);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "gandiva",
    summary: "Jobs of one size share nodes and take turns there, on the GPUs each asked for",
    source: "Gandiva, section 3 (time slicing, grow-shrink), as the rival in ElasticFlow, section 6.1",
    is_elastic: false,
    has_program: false,
    parameters: &[INTERVAL, SLICE_S, ARTIFACT, LAST_SUBMIT],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let interval_s = parameters.number(&INTERVAL);
    let last_submit_s = parameters.number(&LAST_SUBMIT);
    let published = || (MergedEvents::of_submissions(interval_s, last_submit_s), ArtifactOverheads::new(interval_s));
    Box::new(Gandiva {
        interval_s,
        slice_s: parameters.number(&SLICE_S),
        merged: parameters.flag(&ARTIFACT).then(published),
        classes: Classes::new(parameters.flag(&ARTIFACT)),
        pending: Vec::new(),
        turns: BTreeMap::new(),
        debts_s: BTreeMap::new(),
        have_waited: BTreeSet::new(),
        turn_s: None,
        arrivals: Arrivals::new(),
    })
}

/// Jobs that have not trained for this long since they were last moved are not moved by the published rules either:
/// where changes cost much, nobody would get on.
const SETTLED_S: f64 = 10.0;

#[derive(Clone)]
struct Gandiva {
    interval_s: f64,
    slice_s: f64,
    /// As the published simulator: it decides at submissions, and after the last one at every interval.
    merged: Option<(MergedEvents, ArtifactOverheads)>,
    classes: Classes,
    /// Jobs that no set could take, in order of submission.
    pending: Vec<JobId>,
    /// The samples that each running job had done when its turn began.
    turns: BTreeMap<JobId, f64>,
    /// What jobs pay when they run next, as the published simulator charges it.
    debts_s: BTreeMap<JobId, f64>,
    /// As the published simulator: jobs that were pending once.
    have_waited: BTreeSet<JobId>,
    /// When the next turns begin.
    turn_s: Option<f64>,
    arrivals: Arrivals,
}

impl Policy for Gandiva {
    fn cadence(&self) -> Cadence {
        match self.merged {
            Some(_) => Cadence::OnEvents,
            None => Cadence::AtMostEvery { interval_s: self.interval_s },
        }
    }

    fn explain(&self, view: &View<'_>, job: JobId) -> Option<String> {
        let job = view.job(job)?;
        let gpus = gpus_rigid(&job, view.gpus_most());
        let Some((_, set)) = self.classes.find(job.id) else {
            return Some(format!("Waits until enough nodes are free for its {gpus}"));
        };
        let (places, jobs) = (set.places, set.jobs.len());
        Some(match (job.gpus, jobs > places) {
            (0, _) => format!("Waits for its turn: {jobs} jobs on {gpus} GPUs each share room for {places}"),
            (_, true) => format!("Has its turn on the {gpus} it asked for: {jobs} jobs share room for {places}"),
            (_, false) => format!("Has the {gpus} it asked for: {jobs} in room for {places}"),
        })
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        if let Some((merged, overheads)) = &mut self.merged {
            if !merged.is_due(view, self.turn_s, actions) {
                overheads.give(view, actions);
                return;
            }
            overheads.forget();
        }
        let arrived = self.arrivals.admit(view, |job| job.bound.gpus_requested, actions);
        let present = (0..view.nodes()).filter(|node| view.is_node_present(*node)).collect();
        let (mut displaced, new_nodes) = self.classes.see_nodes(view.gpus_per_node(), &present);
        displaced.retain(|job| view.job(*job).is_some());
        self.pending.extend(displaced);

        let settled = self.merged.is_none() || self.have_all_settled(view);
        let freed = self.take_turns(view, settled);
        if self.merged.is_some() {
            self.place_as_published(view, arrived, freed || new_nodes);
            if settled {
                self.classes.adjust_as_published(view.gpus_total());
            }
        } else {
            self.pending.extend(arrived.iter().map(|job| job.id));
            self.place_pending(view);
            if !self.pending.is_empty() || self.classes.has_overfull() {
                self.classes.shrink(view.gpus_total(), self.waiting_gpus(view));
                self.place_pending(view);
                self.classes.grow(view.gpus_total(), self.waiting_gpus(view));
            }
        }
        self.carry_out(view, settled, actions);
    }
}

impl Gandiva {
    fn size(view: &View<'_>, job: JobId) -> Option<u32> {
        view.job(job).map(|job| gpus_rigid(&job, view.gpus_most()))
    }

    /// What jobs without a set ask for.
    fn waiting_gpus(&self, view: &View<'_>) -> u64 {
        self.pending.iter().filter_map(|job| Self::size(view, *job)).map(u64::from).sum()
    }

    /// Seconds that a job has trained since its turn began, by its curve.
    fn trained_s(&self, view: &View<'_>, job: JobId) -> f64 {
        let (Some(began), Some(job)) = (self.turns.get(&job), view.job(job)) else { return f64::INFINITY };
        if job.gpus > 0 { (job.samples_done() - began) / job.curve.samples_per_s(job.gpus) } else { f64::INFINITY }
    }

    fn have_all_settled(&self, view: &View<'_>) -> bool {
        self.turns.keys().all(|job| self.trained_s(view, *job) >= SETTLED_S)
    }

    /// Lets jobs take turns where it is time, and forgets those that have ended; says whether nodes became free.
    fn take_turns(&mut self, view: &View<'_>, settled: bool) -> bool {
        let now_s = view.time_s();
        let is_time = match self.merged {
            // The minutes of the clock, whenever a decision falls on one.
            Some(_) => settled && now_s % self.slice_s == 0.0,
            None => self.turn_s.is_some_and(|turn_s| turn_s <= now_s),
        };
        let (artifact, half_s) = (self.merged.is_some(), 0.5 * self.slice_s);
        let mut classes = std::mem::replace(&mut self.classes, Classes::new(artifact));
        // A turn in which a job pays for its start lasts longer: nobody would get on otherwise.
        let has_had_it = |job: &JobId| artifact || self.trained_s(view, *job) >= half_s;
        let freed = classes.go_on(|set| is_time && set.running().iter().all(has_had_it), |job| view.job(job).is_none());
        self.classes = classes;
        freed
    }

    /// Finds places for those that wait, in order of submission.
    fn place_pending(&mut self, view: &View<'_>) {
        self.pending.sort_unstable();
        for job in std::mem::take(&mut self.pending) {
            if let Some(gpus) = Self::size(view, job)
                && !self.classes.place(job, gpus)
            {
                self.pending.push(job);
            }
        }
    }

    /// Those that arrived first; then, if nodes became free, those that wait, of whom the one after each that found a
    /// place is passed over.
    fn place_as_published(&mut self, view: &View<'_>, arrived: Vec<JobView<'_>>, freed: bool) {
        self.pending.retain(|job| view.job(*job).is_some());
        for job in arrived {
            if !self.classes.place(job.id, gpus_rigid(&job, view.gpus_most())) {
                self.pending.push(job.id);
                self.have_waited.insert(job.id);
            }
        }
        let mut at = 0;
        while freed && let Some(job) = self.pending.get(at).copied() {
            if Self::size(view, job).is_some_and(|gpus| self.classes.place(job, gpus)) {
                self.pending.remove(at);
            }
            at += 1;
        }
    }

    /// Puts the jobs whose turn it is where they belong, and suspends the others.
    fn carry_out(&mut self, view: &View<'_>, settled: bool, actions: &mut Vec<Action>) {
        let now_s = view.time_s();
        let next_s = self.merged.as_ref().map(|(merged, _)| match merged.is_past_last_submission(view) {
            true => now_s + self.interval_s.max(SETTLED_S),
            false => merged.last_submission_s(view),
        });
        // After the last submission it charges nothing.
        let before_last = self.merged.as_mut().filter(|(merged, _)| !merged.is_past_last_submission(view));
        let round = before_last.map(|(_, overheads)| overheads.next_round(view));
        let mut running = BTreeMap::new();
        // Whoever ran has paid; whoever waited still owes what the last decision before the last submission charged.
        // Those that once waited for a set owe nothing then.
        self.debts_s.retain(|job, _| !self.turns.contains_key(job) && !self.have_waited.contains(job));
        for (gpus, set) in self.classes.sets() {
            for job in set.running() {
                running.insert(*job, places(gpus, set, view.gpus_per_node()));
            }
            if let Some(round) = round {
                self.debts_s.extend(set.jobs.iter().map(|job| (*job, round.overhead_s(gpus, false))));
            }
        }
        for job in view.running().filter(|job| !running.contains_key(&job.id)) {
            actions.push(Action::Allocate { job: job.id, gpus: 0 });
        }
        let mut turns = BTreeMap::new();
        for (job, on) in &running {
            let Some(seen) = view.job(*job) else { continue };
            let is_there = view
                .place_of(*job)
                .iter()
                .map(|held| NodeGpus { node: held.node, gpus: held.gpus() })
                .eq(on.iter().copied());
            let place = Action::Place { job: *job, on: on.clone() };
            match (&mut self.merged, self.debts_s.get(job)) {
                (Some((_, overheads)), Some(debt_s)) => overheads.charge(view, *job, *debt_s, place, actions),
                _ if !is_there => actions.push(place),
                _ => {}
            }
            let began = self.turns.get(job).copied().filter(|_| is_there && !(self.merged.is_some() && settled));
            turns.insert(*job, began.unwrap_or(seen.samples_done()));
        }
        self.turns = turns;
        self.turn_s = match self.merged {
            Some(_) => next_s,
            None if !self.classes.has_overfull() => None,
            None => self.turn_s.filter(|turn_s| *turn_s > now_s).or(Some(now_s + self.slice_s)),
        };
        actions.extend(self.turn_s.map(|time_s| Action::WakeAt { time_s }));
        if let Some((merged, overheads)) = &mut self.merged {
            overheads.wake(actions);
            merged.decided(view, running.into_keys().collect(), 0);
        }
    }
}

/// The GPUs of one job of a set: as few nodes as it needs, in order.
fn places(gpus: u32, set: &NodeSet, gpus_per_node: u32) -> Vec<NodeGpus> {
    let mut left = gpus;
    let mut on: Vec<NodeGpus> = Vec::new();
    for node in &set.nodes {
        let gpus = left.min(gpus_per_node);
        left -= gpus;
        if gpus > 0 {
            on.push(NodeGpus { node: *node, gpus });
        }
    }
    on.sort_by_key(|place| place.node);
    on
}
