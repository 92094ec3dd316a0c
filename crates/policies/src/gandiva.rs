//! `gandiva`: nodes are grouped in classes by the number of GPUs that jobs ask for, and jobs of a class take turns.
//!
//! Gandiva's time slicing and grow-shrink (Xiao et al., "Gandiva: Introspective Cluster Scheduling for Deep Learning",
//! OSDI 2018, section 3), as ElasticFlow compares itself with it (section 6.1): every job runs on the GPUs it asked
//! for, nodes that serve jobs of one size form sets, and in a set with more jobs than places those at the head run and
//! move to the back after `slice_s`. Each class gets nodes in proportion to the GPUs its jobs request: it grows while
//! nodes are free and its jobs are too many, and shrinks where they are too few. There is no packing of several jobs on
//! one GPU: ElasticFlow's artifact has none either.
//!
//! `artifact=true` is the published simulator of ElasticFlow where that differs: `artifact/gandiva.rs`.
//!
//! ```text
//! 2 nodes of 2 GPUs, slices of 2 s; a and b ask for 2, c for 1, d for 2 later
//! a 22--22   b 2222   c waits until a node is free, d shares the node of a
//! ```

pub(crate) mod classes;
mod growth;
pub(crate) mod turns;

use std::collections::BTreeMap;

use elastiplan_engine::{Action, Cadence, JobView, NodeGpus, Policy, View};
use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_rank;

use crate::artifact::gandiva::Gandiva as PublishedGandiva;
use crate::parameters::{Entry, Parameter, Parameters, YEAR_S};
use crate::shared::arrivals::Arrivals;
use crate::shared::places::{holds, present_nodes};
use crate::shared::rivals::{ARTIFACT, INTERVAL, LAST_SUBMIT};
use classes::Classes;
use turns::{Turns, explain, gpus_of, places_of_running, suspend_others};

const SLICE_S: Parameter =
    Parameter::number("slice_s", "Seconds after which jobs that share GPUs take turns", 60.0, 10.0..=YEAR_S);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "gandiva",
    summary: "Jobs of one size share nodes and take turns there, on the GPUs each asked for",
    source: "Gandiva, section 3 (time slicing, grow-shrink), as the rival in ElasticFlow, section 6.1",
    is_elastic: false,
    parameters: &[INTERVAL, SLICE_S, ARTIFACT, LAST_SUBMIT],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let (interval_s, slice_s) = (parameters.number(&INTERVAL), parameters.number(&SLICE_S));
    if parameters.flag(&ARTIFACT) {
        return Box::new(PublishedGandiva::new(interval_s, slice_s, parameters.number(&LAST_SUBMIT)));
    }
    Box::new(Gandiva { interval_s, slice_s, ..Gandiva::default() })
}

#[derive(Clone, Default)]
struct Gandiva {
    interval_s: f64,
    slice_s: f64,
    classes: Classes,
    /// Jobs without a set.
    pending: Vec<JobId>,
    turns: Turns,
    /// When the next turns begin.
    turn_s: Option<f64>,
    arrivals: Arrivals,
}

impl Policy for Gandiva {
    fn cadence(&self) -> Cadence {
        Cadence::AtMostEvery { interval_s: self.interval_s }
    }

    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        explain(&self.classes, view, job)
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let arrived = self.arrivals.admit(view, |job| job.bound.gpus_requested, actions);
        let (displaced, _) = self.classes.update_nodes(view.gpus_per_node(), &present_nodes(view).collect());
        self.pending.extend(displaced);
        self.take_turns(view);
        self.pending.extend(arrived.iter().map(|job| job.id));
        self.place_pending(view);
        if !self.pending.is_empty() || self.classes.has_overfull() {
            self.classes.shrink(view.gpus_total(), self.waiting_gpus(view));
            self.place_pending(view);
            self.classes.grow(view.gpus_total(), self.waiting_gpus(view));
        }
        let running = places_of_running(&self.classes, view.gpus_per_node());
        suspend_others(view, &running, actions);
        self.place_running(view, &running, actions);
        let now_s = view.time_s();
        self.turn_s = match self.classes.has_overfull() {
            true => self.turn_s.filter(|turn_s| *turn_s > now_s).or(Some(now_s + self.slice_s)),
            false => None,
        };
        actions.extend(self.turn_s.map(|time_s| Action::WakeAt { time_s }));
    }
}

impl Gandiva {
    /// GPUs requested by jobs without a set.
    fn waiting_gpus(&self, view: &View<'_>) -> u64 {
        self.pending.iter().filter_map(|job| gpus_of(view, *job)).map(u64::from).sum()
    }

    /// Ends turns when it is time, and removes the jobs that have ended.
    fn take_turns(&mut self, view: &View<'_>) {
        let is_time = self.turn_s.is_some_and(|turn_s| turn_s <= view.time_s());
        // A turn in which a job pays for its start lasts longer: jobs would make no progress otherwise.
        let has_had_turn = |job: &JobId| self.turns.trained_s(view, *job) >= 0.5 * self.slice_s;
        self.classes.advance(|set| is_time && set.running().iter().all(has_had_turn), |job| view.job(job).is_none());
        self.classes.update_loads();
    }

    /// Places pending jobs in order of submission.
    fn place_pending(&mut self, view: &View<'_>) {
        sort_by_rank(&mut self.pending, |job| job.0.into());
        for job in std::mem::take(&mut self.pending) {
            if let Some(gpus) = gpus_of(view, job)
                && !self.classes.place(job, gpus)
            {
                self.pending.push(job);
            }
        }
    }

    /// Moves running jobs to their places; a job that is moved begins a new turn.
    fn place_running(&mut self, view: &View<'_>, running: &BTreeMap<JobId, Vec<NodeGpus>>, actions: &mut Vec<Action>) {
        let mut turns = Turns::default();
        for (job, on) in running {
            let stays = holds(view, *job, on);
            if !stays {
                actions.push(Action::Place { job: *job, on: on.clone() });
            }
            turns.begin(view, *job, if stays { Some(&self.turns) } else { None });
        }
        self.turns = turns;
    }
}
