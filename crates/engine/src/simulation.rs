//! The event loop.

use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use elastiplan_model::{Cluster, Curves, Job, JobId, Workload, order};
use elastiplan_scenario::{Conditions, ConditionsError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::absences::AbsenceLog;
use crate::capacity::{Capacity, Change};
use crate::decisions::{self, Changes};
use crate::faults::{self, Fate};
use crate::fork::{ForkError, Forked, Forks};
use crate::holdings::HoldingLog;
use crate::invariants::Invariants;
use crate::log::Log;
use crate::places::Places;
use crate::series::{Counts, SeriesLog};
use crate::stall::Stall;
use crate::state::{Event, ScheduledEvent, State};
use crate::timing::Timing;
use crate::{Action, BatchSizes, HORIZON_S, Policy, Remarks, Run, RunError, View};

/// The reason why a simulation cannot begin.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StartError {
    /// The conditions cannot be used.
    #[error(transparent)]
    Conditions(#[from] ConditionsError),
    /// A fork cannot be made.
    #[error(transparent)]
    Fork(#[from] ForkError),
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Something happened; more may happen.
    More,
    /// Nothing more can happen, or the time to stop was reached.
    Finished,
}

/// The progress of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Now, in seconds on the clock of the trace.
    pub time_s: f64,
    /// Submission of the last job, in seconds on the clock of the trace.
    pub last_submit_s: f64,
    /// Jobs that have ended, with any outcome.
    pub jobs_ended: usize,
    /// Jobs in all.
    pub jobs_total: usize,
}

/// One policy on one workload, at one moment.
///
/// A clone is a checkpoint: it continues as the original does, to the bit. It shares the record so far with the
/// original and costs about 200 bytes a job.
#[derive(Clone)]
pub struct Simulation<'a> {
    pub(crate) workload: &'a Workload,
    pub(crate) cluster: Cluster,
    pub(crate) conditions: Arc<Conditions>,
    pub(crate) policy_id: String,
    pub(crate) policy: Box<dyn Policy + 'a>,
    /// Curves as policies see them; `None` if these are the true ones.
    profiled: Option<Arc<Curves>>,
    pub(crate) state: State,
    pub(crate) capacity: Capacity,
    pub(crate) places: Places,
    pub(crate) holdings: HoldingLog,
    pub(crate) absences: AbsenceLog,
    pub(crate) time_s: f64,
    next_submission: usize,
    pub(crate) events: BinaryHeap<Reverse<ScheduledEvent>>,
    pub(crate) timing: Timing,
    pub(crate) stall: Stall,
    pub(crate) forks: Forks<'a>,
    /// Jobs that a fork has changed, as policies see them.
    pub(crate) changed_jobs: BTreeMap<JobId, Arc<Job>>,
    series: SeriesLog,
    /// Decisions that changed something, with their times.
    decisions: Log<(f64, Changes)>,
    pub(crate) batch_sizes: BatchSizes,
    pub(crate) remarks: Log<(f64, JobId, Arc<str>)>,
    /// Jobs that lost GPUs since the policy was last asked.
    pub(crate) lost: Vec<JobId>,
    /// Jobs that have paid in work for a node that left, and the instant: for more nodes that leave then, to several
    /// forks or to a fork and the log, they do not pay again.
    pub(crate) paid: (f64, Vec<JobId>),
    /// Nodes on which GPUs changed hands at this instant, if jobs interfere.
    pub(crate) nodes_changed: Vec<u32>,
    actions: Vec<Action>,
    finished: bool,
    failed: Option<RunError>,
    pub(crate) invariants: Invariants,
}

impl<'a> Simulation<'a> {
    /// A simulation before its first step. `policy_id` is how errors name the policy.
    pub fn new(
        workload: &'a Workload,
        cluster: Cluster,
        conditions: impl Into<Arc<Conditions>>,
        policy_id: impl Into<String>,
        policy: Box<dyn Policy + 'a>,
    ) -> Result<Self, StartError> {
        let conditions = conditions.into();
        conditions.validate_for(&cluster)?;
        let Conditions { seed, faults, .. } = *conditions;
        let start_s = workload.trace().start_s();
        let log = conditions.availability.clone();
        let capacity = Capacity::new(&cluster, log, conditions.cloud.as_ref(), &faults, seed, start_s);
        let mut places = Places::new(&cluster, workload.jobs().len());
        capacity.present().for_each(|node| places.add_node(node));
        let fate = |(job, work): (u32, f64)| {
            let fate = faults::fate(&faults, seed, JobId(job));
            Fate { cancelled_with_left: fate.cancelled_with_left.map(|share| share * work), ..fate }
        };
        let work = workload.jobs().iter().map(|job| job.samples);
        let fates = (!faults.is_none()).then(|| (0..).zip(work).map(fate).collect());
        let profile = |(index, curve)| faults::profiled(&faults, seed, index, curve);
        let profiled = || Arc::new(workload.curves().iter().enumerate().map(profile).collect());
        let mut simulation = Self {
            workload,
            cluster,
            policy_id: policy_id.into(),
            policy,
            profiled: (faults.profiling_noise > 0.0).then(profiled),
            state: State::new(workload, fates),
            capacity,
            holdings: HoldingLog::new(workload.jobs().len()),
            absences: AbsenceLog::new(&places, start_s),
            places,
            conditions,
            time_s: start_s,
            next_submission: 0,
            events: BinaryHeap::new(),
            timing: Timing::default(),
            stall: Stall::default(),
            forks: Forks::default(),
            changed_jobs: BTreeMap::new(),
            series: SeriesLog::default(),
            decisions: Log::default(),
            batch_sizes: BatchSizes::default(),
            remarks: Log::default(),
            lost: Vec::new(),
            paid: (f64::NEG_INFINITY, Vec::new()),
            nodes_changed: Vec::new(),
            actions: Vec::new(),
            finished: false,
            failed: None,
            invariants: Invariants::default(),
        };
        simulation.plan_forks()?;
        Ok(simulation)
    }

    /// Continues from here with another policy, which decides at once. Earlier decisions stand: the policy finds jobs
    /// running that it never started. A job that was started with a chosen batch size, and needs more GPUs with its own
    /// than the cluster can have, waits under a policy that does not choose batch sizes.
    pub fn with_policy(self, policy_id: impl Into<String>, policy: Box<dyn Policy + 'a>) -> Self {
        let timing = Timing::at_once(self.time_s);
        Self { policy_id: policy_id.into(), policy, timing, stall: Stall::default(), finished: false, ..self }
    }

    /// Continues with the costs of other conditions. Pauses that have begun keep their length.
    pub fn with_costs_of(mut self, other: &Conditions) -> Result<Self, ConditionsError> {
        let conditions = self.conditions.with_costs_of(other);
        conditions.validate_for(&self.cluster)?;
        self.conditions = Arc::new(conditions);
        Ok(self)
    }

    /// Steps until nothing more can happen.
    pub fn run_to_end(mut self) -> Result<Run, RunError> {
        while self.step()? == Step::More {}
        Ok(self.into_record())
    }

    /// Moves to the next instant at which something happens, and handles it. After an error it returns the same error
    /// again.
    pub fn step(&mut self) -> Result<Step, RunError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let Some(time_s) = self.next_s() else {
            self.failed = self.fork_never_reached();
            self.finished = self.failed.is_none();
            return self.failed.clone().map_or(Ok(Step::Finished), Err);
        };
        let before_s = std::mem::replace(&mut self.time_s, time_s);
        let ended = self.state.jobs_ended();
        let forked = self.apply_forks().inspect_err(|error| self.failed = Some(error.clone()))?;
        if forked == (Forked { due: true, ..Forked::default() }) && self.next_instant_s() != Some(time_s) {
            // Nothing changed and nothing else happens: no instant, and no trace of it.
            self.time_s = before_s;
            return Ok(Step::More);
        }
        let certain = self.capacity.has_more_in_log();
        let (events, nodes, submitted) = (self.handle_events(), self.change_capacity(), self.submit_jobs());
        let (running, waiting) = self.state.counts();
        let busy = running + waiting > 0;
        let happened = events || submitted || forked.ended || ((nodes || forked.changed) && busy);
        let start_s = self.workload.trace().start_s();
        if self.timing.is_due(self.policy.cadence(), happened, busy, self.time_s, start_s) {
            self.failed = self.ask_policy().err();
        }
        self.settle_interference();
        self.record_counts();
        self.discard_void_events();
        let news = submitted || certain || self.state.jobs_ended() > ended;
        self.stall.count_instant(news, self.time_s, &self.state);
        self.failed = self.internal_error().or(self.failed.take());
        self.failed.clone().map_or(Ok(Step::More), Err)
    }

    /// Time of the next step; `None` if there is none.
    pub fn next_s(&self) -> Option<f64> {
        let is_before_the_end = |time_s: &f64| self.conditions.until_s.is_none_or(|until_s| *time_s <= until_s);
        self.next_instant_s().filter(is_before_the_end)
    }

    /// How far the simulation is.
    pub fn progress(&self) -> Progress {
        let jobs = self.workload.trace().jobs();
        Progress {
            time_s: self.time_s,
            last_submit_s: jobs.last().map_or(self.time_s, |job| job.submit_s),
            jobs_ended: self.state.jobs_ended(),
            jobs_total: jobs.len(),
        }
    }

    /// The policy's explanation of a job's allocation; `None` if it has none.
    pub fn explain(&self, job: JobId) -> Option<String> {
        let view = self.view();
        self.policy.explain(&view, &view.job(job)?)
    }

    /// The problem of the last decision, if the policy was built to keep it: see [`Policy::last_decision`].
    pub fn last_decision(&self) -> Option<&dyn std::any::Any> {
        self.policy.last_decision()
    }

    /// The record up to now.
    pub fn record(&self) -> Run {
        let end_s = self.recorded_until_s();
        let (spans, jobs) = self.state.record(end_s);
        Run {
            spans,
            jobs,
            series: self.series.columns(),
            decisions: decisions::columns(&self.decisions),
            holdings: self.holdings.record(&self.places, end_s),
            losses: self.state.loss_columns(),
            ..self.record_of_cluster(end_s)
        }
    }

    /// The same at the end: every log is dropped as soon as its columns are made, so that a long record is in memory
    /// once.
    fn into_record(mut self) -> Run {
        let end_s = self.recorded_until_s();
        let rest = self.record_of_cluster(end_s);
        let series = std::mem::take(&mut self.series).columns();
        let decisions = decisions::columns(&std::mem::take(&mut self.decisions));
        let holdings = std::mem::replace(&mut self.holdings, HoldingLog::new(0)).record(&self.places, end_s);
        let losses = self.state.loss_columns();
        let (spans, jobs) = self.state.into_record(end_s);
        Run { spans, jobs, series, decisions, holdings, losses, ..rest }
    }

    /// The time until which a record is made now.
    fn recorded_until_s(&self) -> f64 {
        match self.conditions.until_s {
            Some(until_s) if self.finished && self.next_instant_s().is_some() => until_s.max(self.time_s),
            _ => self.time_s,
        }
    }

    /// The record without what is made from logs of jobs.
    fn record_of_cluster(&self, end_s: f64) -> Run {
        Run {
            gpus_total: self.places.nodes_ever() * self.cluster.gpus_per_node(),
            gpus_per_node: self.cluster.gpus_per_node(),
            node_names: self.conditions.availability.as_ref().map_or_else(Vec::new, |log| log.names().to_vec()),
            price_per_gpu_hour: self.conditions.cloud.map(|cloud| cloud.price_per_gpu_hour),
            prices: self.conditions.prices.as_deref().cloned(),
            list_price_per_gpu_hour: self.conditions.price_per_gpu_hour,
            start_s: self.workload.trace().start_s(),
            end_s,
            finished: self.finished,
            absences: self.absences.record(end_s),
            batch_sizes: self.batch_sizes.clone(),
            remarks: self.remark_columns(),
            stalled: self.stall.is_stalled(),
            ..Run::default()
        }
    }

    fn remark_columns(&self) -> Remarks {
        let mut remarks = Remarks::default();
        for (time_s, job, text) in self.remarks.iter() {
            remarks.time_s.push(*time_s);
            remarks.job.push(job.0);
            remarks.text.push(text.to_string());
        }
        remarks
    }

    fn next_instant_s(&self) -> Option<f64> {
        if self.stall.is_stalled() {
            return None;
        }
        let submission_s = self.workload.trace().jobs().get(self.next_submission).map(|job| job.submit_s);
        let event_s = self.events.peek().map(|Reverse(scheduled)| scheduled.time_s.0);
        // Once no job is left, neither nodes nor decisions matter.
        let is_over = submission_s.is_none() && self.state.counts() == (0, 0);
        let others = || [self.capacity.next_s(), self.timing.next_s(), self.next_fork_s()];
        let others = if is_over { [None; 3] } else { others() };
        let next_s = [submission_s, event_s].into_iter().chain(others).flatten().min_by(f64::total_cmp);
        next_s.filter(|next_s| *next_s <= HORIZON_S).map(|next_s| next_s.max(self.time_s))
    }

    /// Handles due events: ends of jobs, and changes of their pace. Returns whether a job ended.
    fn handle_events(&mut self) -> bool {
        let mut ended = false;
        while let Some(Reverse(scheduled)) = self.pop_due_event() {
            if !self.state.is_valid(&scheduled) {
                continue;
            }
            match scheduled.event {
                Event::End(outcome) => {
                    self.state.end(scheduled.job, outcome, self.time_s);
                    self.release_places_of(scheduled.job);
                    ended = true;
                }
                Event::Stage => {
                    self.state.reach_stage(scheduled.job, self.time_s);
                    self.renew_pace(scheduled.job);
                }
            }
        }
        ended
    }

    fn pop_due_event(&mut self) -> Option<Reverse<ScheduledEvent>> {
        let next = self.events.peek_mut()?;
        if next.0.time_s.0 > self.time_s {
            return None;
        }
        Some(PeekMut::pop(next))
    }

    /// Removes void events from the top of the queue: nothing happens at their times, so these are no instants and do
    /// not prolong the run.
    fn discard_void_events(&mut self) {
        while self.events.peek().is_some_and(|Reverse(scheduled)| !self.state.is_valid(scheduled)) {
            self.events.pop();
        }
    }

    fn change_capacity(&mut self) -> bool {
        if self.capacity.next_s().is_none_or(|next_s| next_s > self.time_s) {
            return false;
        }
        let mut changes: Vec<Change> = Vec::new();
        self.capacity.advance(self.time_s, &mut changes);
        self.change_nodes(&changes);
        !changes.is_empty()
    }

    fn submit_jobs(&mut self) -> bool {
        let first = self.next_submission;
        while let Some(job) = self.workload.trace().jobs().get(self.next_submission) {
            if job.submit_s > self.time_s {
                break;
            }
            self.state.submit(JobId(self.next_submission as u32), self.time_s);
            self.next_submission += 1;
        }
        self.next_submission > first
    }

    fn view(&self) -> View<'_> {
        View {
            workload: self.workload,
            profiled: self.profiled.as_deref().unwrap_or(self.workload.curve_set()),
            state: &self.state,
            places: &self.places,
            conditions: &self.conditions,
            changed_jobs: &self.changed_jobs,
            lost: &self.lost,
            nodes_ordered: self.capacity.nodes_ordered(),
            nodes_coming: self.conditions.cloud.map_or(0, |_| self.capacity.nodes_coming()),
            time_s: self.time_s,
            jobs_submitted: self.next_submission as u32,
        }
    }

    fn ask_policy(&mut self) -> Result<(), RunError> {
        let mut actions = std::mem::take(&mut self.actions);
        actions.clear();
        self.lost.retain(|job| self.state.is_present(*job));
        order::sort_by_rank(&mut self.lost, |job| u64::from(job.0));
        self.lost.dedup();
        // Deciding changes the policy, while its view borrows the simulation: it is taken out meanwhile.
        let mut policy = std::mem::replace(&mut self.policy, Box::new(Placeholder));
        policy.decide(&self.view(), &mut actions);
        self.policy = policy;
        self.check(&actions)?;
        self.lost.clear();
        let changes = self.carry_out(&actions)?;
        if !changes.is_none() {
            self.decisions.push((self.time_s, changes));
        }
        self.actions = actions;
        Ok(())
    }

    fn record_counts(&mut self) {
        let (running, waiting) = self.state.counts();
        self.series.record(Counts {
            time_s: self.time_s,
            gpus_present: self.places.gpus_present(),
            gpus_in_use: self.state.gpus_in_use(),
            running: running as u32,
            waiting: waiting as u32,
        });
    }
}

/// Stands in for the policy while that decides.
#[derive(Clone)]
struct Placeholder;

impl Policy for Placeholder {
    fn decide(&mut self, _view: &View<'_>, _actions: &mut Vec<Action>) {}
}
