//! The event loop.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use elastiplan_model::{Cluster, Curves, JobId, Workload};
use elastiplan_scenario::{Conditions, ConditionsError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::absences::AbsenceLog;
use crate::capacity::{Capacity, Change};
use crate::carry_out::Changes;
use crate::faults::{self, Fate};
use crate::holdings::HoldingLog;
use crate::log::Log;
use crate::placer::{Placer, placer_of};
use crate::places::Places;
use crate::stall::Stall;
use crate::state::{Event, Foreseen, State};
use crate::timing::Timing;
use crate::{Action, BatchSizes, Decisions, HORIZON_S, Policy, Remarks, Run, Series, View};

/// A policy asked for something impossible.
#[derive(Clone, Debug, PartialEq, Error, Serialize, Deserialize)]
#[error("{policy} failed at {time_s} s deciding for {about}: {rule}")]
pub struct RunError {
    /// The policy's id.
    pub policy: String,
    /// What it decided about: `job` with the job's name, or its number if there is no such job; or the cluster.
    pub about: String,
    /// When, in seconds on the clock of the trace.
    pub time_s: f64,
    /// The rule that the action breaks.
    pub rule: String,
}

/// Whether there is more to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Something happened; call again.
    More,
    /// Nothing more can happen, or the time to stop was reached.
    Finished,
}

/// How far a simulation is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Now, in seconds on the clock of the trace.
    pub time_s: f64,
    /// When the last job is submitted, in seconds on the clock of the trace.
    pub last_submit_s: f64,
    /// Jobs that have ended, one way or the other.
    pub jobs_ended: usize,
    /// Jobs in all.
    pub jobs_total: usize,
}

/// Counts at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Counts {
    time_s: f64,
    gpus_present: u32,
    gpus_in_use: u32,
    running: u32,
    waiting: u32,
}

/// A decision that changed something.
#[derive(Clone, Copy, Debug)]
struct Decision {
    time_s: f64,
    started: u32,
    rescaled: u32,
    preempted: u32,
    dropped: u32,
}

/// One policy on one workload, at one moment.
///
/// A clone is a checkpoint: it goes on as the original does, to the bit. It shares the record so far with the original
/// and costs about 200 bytes a job.
#[derive(Clone)]
pub struct Simulation<'a> {
    pub(crate) workload: &'a Workload,
    pub(crate) cluster: Cluster,
    pub(crate) conditions: Arc<Conditions>,
    pub(crate) policy_id: String,
    pub(crate) policy: Box<dyn Policy + 'a>,
    pub(crate) placer: Box<dyn Placer>,
    /// Curves as policies see them, where that is not as they are.
    profiled: Option<Arc<Curves>>,
    pub(crate) state: State,
    pub(crate) capacity: Capacity,
    pub(crate) places: Places,
    pub(crate) holdings: HoldingLog,
    pub(crate) absences: AbsenceLog,
    pub(crate) time_s: f64,
    next_submission: usize,
    pub(crate) foreseen: BinaryHeap<Reverse<Foreseen>>,
    pub(crate) timing: Timing,
    stall: Stall,
    series: Log<Counts>,
    decisions: Log<Decision>,
    pub(crate) batch_sizes: BatchSizes,
    pub(crate) remarks: Log<(f64, JobId, Arc<str>)>,
    /// Jobs that lost GPUs since the policy was last asked.
    pub(crate) lost: Vec<JobId>,
    /// Nodes on which GPUs changed hands at this instant, if jobs disturb each other.
    pub(crate) nodes_changed: Vec<u32>,
    actions: Vec<Action>,
    finished: bool,
    failed: Option<RunError>,
}

impl<'a> Simulation<'a> {
    /// Binds everything; nothing has happened yet. `policy_id` is how errors name the policy.
    pub fn new(
        workload: &'a Workload,
        cluster: Cluster,
        conditions: impl Into<Arc<Conditions>>,
        policy_id: impl Into<String>,
        policy: Box<dyn Policy + 'a>,
    ) -> Result<Self, ConditionsError> {
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
        Ok(Self {
            workload,
            cluster,
            policy_id: policy_id.into(),
            policy,
            placer: placer_of(conditions.placement),
            profiled: (faults.profiling_noise > 0.0).then(profiled),
            state: State::new(workload, fates),
            capacity,
            holdings: HoldingLog::new(workload.jobs().len()),
            absences: AbsenceLog::new(&places, start_s),
            places,
            conditions,
            time_s: start_s,
            next_submission: 0,
            foreseen: BinaryHeap::new(),
            timing: Timing::default(),
            stall: Stall::default(),
            series: Log::default(),
            decisions: Log::default(),
            batch_sizes: BatchSizes::default(),
            remarks: Log::default(),
            lost: Vec::new(),
            nodes_changed: Vec::new(),
            actions: Vec::new(),
            finished: false,
            failed: None,
        })
    }

    /// Goes on from here with another policy, which is asked at once. What was decided so far stands: the policy finds
    /// jobs running that it never started. A job that was started with a batch size that was chosen for it, and needs more
    /// GPUs with its own than there can be, waits under a policy that does not choose batch sizes.
    pub fn with_policy(self, policy_id: impl Into<String>, policy: Box<dyn Policy + 'a>) -> Self {
        let timing = Timing::at_once(self.time_s);
        Self { policy_id: policy_id.into(), policy, timing, stall: Stall::default(), finished: false, ..self }
    }

    /// Continues with the costs of other conditions. Changes that are being paid for are paid as before.
    pub fn with_costs_of(mut self, other: &Conditions) -> Result<Self, ConditionsError> {
        let conditions = self.conditions.with_costs_of(other);
        conditions.validate_for(&self.cluster)?;
        self.conditions = Arc::new(conditions);
        Ok(self)
    }

    /// Steps until nothing more can happen.
    pub fn run_to_end(mut self) -> Result<Run, RunError> {
        while self.step()? == Step::More {}
        Ok(self.record())
    }

    /// Moves to the next instant at which something happens, and lets it happen. After an error it gives the same
    /// error again.
    pub fn step(&mut self) -> Result<Step, RunError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let Some(time_s) = self.next_s() else {
            self.finished = true;
            return Ok(Step::Finished);
        };
        self.time_s = time_s;
        let ended = self.state.jobs_ended();
        let certain = self.capacity.has_more_in_log();
        let (foreseen, nodes, submitted) = (self.let_happen(), self.change_capacity(), self.submit_jobs());
        let (running, waiting) = self.state.counts();
        let busy = running + waiting > 0;
        let happened = foreseen || submitted || (nodes && busy);
        let start_s = self.workload.trace().start_s();
        if self.timing.is_due(self.policy.cadence(), happened, busy, self.time_s, start_s) {
            self.failed = self.ask_policy().err();
        }
        self.settle_interference();
        self.note_counts();
        self.forget_void_events();
        let news = submitted || certain || self.state.jobs_ended() > ended;
        self.stall.note(news, self.time_s, &self.state);
        self.failed.clone().map_or(Ok(Step::More), Err)
    }

    /// When the next step is; `None` if there is none.
    pub fn next_s(&self) -> Option<f64> {
        let is_before_the_end = |time_s: &f64| self.conditions.until_s.is_none_or(|until_s| *time_s <= until_s);
        self.next_instant_s().filter(is_before_the_end)
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let jobs = self.workload.trace().jobs();
        Progress {
            time_s: self.time_s,
            last_submit_s: jobs.last().map_or(self.time_s, |job| job.submit_s),
            jobs_ended: self.state.jobs_ended(),
            jobs_total: jobs.len(),
        }
    }

    /// Events recorded so far: spans that have ended. For a person who waits, and for the spacing of checkpoints.
    pub fn spans_ended(&self) -> usize {
        self.state.log.len()
    }

    /// Why a job has what it has, in the policy's words; `None` if the policy has nothing to say.
    pub fn explain(&self, job: JobId) -> Option<String> {
        self.policy.explain(&self.view(), job)
    }

    /// The record up to now.
    pub fn record(&self) -> Run {
        let end_s = match self.conditions.until_s {
            Some(until_s) if self.finished && self.next_instant_s().is_some() => until_s.max(self.time_s),
            _ => self.time_s,
        };
        let (spans, jobs) = self.state.record(end_s);
        Run {
            gpus_total: self.cluster.gpus_total(),
            gpus_per_node: self.cluster.gpus_per_node(),
            price_per_gpu_hour: self.conditions.cloud.map(|cloud| cloud.price_per_gpu_hour),
            prices: self.conditions.prices.as_deref().cloned(),
            start_s: self.workload.trace().start_s(),
            end_s,
            finished: self.finished,
            spans,
            jobs,
            series: self.series_columns(),
            decisions: self.decision_columns(),
            holdings: self.holdings.record(&self.places, end_s),
            absences: self.absences.record(end_s),
            batch_sizes: self.batch_sizes.clone(),
            losses: self.state.loss_columns(),
            remarks: self.remark_columns(),
            stalled: self.stall.is_stalled(),
        }
    }

    fn series_columns(&self) -> Series {
        let mut series = Series::default();
        for counts in self.series.iter() {
            series.time_s.push(counts.time_s);
            series.gpus_present.push(counts.gpus_present);
            series.gpus_in_use.push(counts.gpus_in_use);
            series.jobs_running.push(counts.running);
            series.jobs_waiting.push(counts.waiting);
        }
        series
    }

    fn decision_columns(&self) -> Decisions {
        let mut decisions = Decisions::default();
        for decision in self.decisions.iter() {
            decisions.time_s.push(decision.time_s);
            decisions.started.push(decision.started);
            decisions.rescaled.push(decision.rescaled);
            decisions.preempted.push(decision.preempted);
            decisions.dropped.push(decision.dropped);
        }
        decisions
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
        let foreseen_s = self.foreseen.peek().map(|Reverse(foreseen)| foreseen.time_s);
        // Nodes and questions are of no interest once there is nobody left to run.
        let is_over = submission_s.is_none() && self.state.counts() == (0, 0);
        let others = if is_over { [None; 2] } else { [self.capacity.next_s(), self.timing.next_s()] };
        let next_s = [submission_s, foreseen_s].into_iter().chain(others).flatten().min_by(f64::total_cmp);
        next_s.filter(|next_s| *next_s <= HORIZON_S).map(|next_s| next_s.max(self.time_s))
    }

    /// Ends of jobs, and changes of their pace.
    fn let_happen(&mut self) -> bool {
        let mut happened = false;
        while let Some(Reverse(foreseen)) = self.foreseen.peek().copied() {
            if foreseen.time_s > self.time_s {
                break;
            }
            self.foreseen.pop();
            if !self.state.still_holds(&foreseen) {
                continue;
            }
            match foreseen.event {
                Event::End(outcome) => {
                    self.state.end(foreseen.job, outcome, self.time_s);
                    self.free_places_of(foreseen.job);
                    happened = true;
                }
                Event::Stage => {
                    self.state.reach_stage(foreseen.job, self.time_s);
                    self.renew_pace(foreseen.job);
                }
            }
        }
        happened
    }

    /// Takes events that no longer hold from the top of the heap: nothing happens at their time, so it is no instant,
    /// and the run does not last until then.
    fn forget_void_events(&mut self) {
        while self.foreseen.peek().is_some_and(|Reverse(foreseen)| !self.state.still_holds(foreseen)) {
            self.foreseen.pop();
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
        self.lost.sort_unstable();
        self.lost.dedup();
        // Taken out for as long as it decides: it changes itself while it looks at everything else.
        let mut policy = std::mem::replace(&mut self.policy, Box::new(Nobody));
        policy.decide(&self.view(), &mut actions);
        self.policy = policy;
        self.check(&actions)?;
        self.lost.clear();
        let changes = self.carry_out(&actions)?;
        if !changes.is_none() {
            let Changes { started, rescaled, preempted, dropped, .. } = changes;
            self.decisions.push(Decision { time_s: self.time_s, started, rescaled, preempted, dropped });
        }
        self.actions = actions;
        Ok(())
    }

    /// Adds a row to the series if the counts changed. A second row for the same time takes the place of the first.
    fn note_counts(&mut self) {
        let (running, waiting) = self.state.counts();
        let counts = Counts {
            time_s: self.time_s,
            gpus_present: self.places.gpus_present(),
            gpus_in_use: self.state.gpus_in_use(),
            running: running as u32,
            waiting: waiting as u32,
        };
        if self.series.last().is_some_and(|last| last.time_s == self.time_s) {
            self.series.pop();
        }
        if self.series.last().is_none_or(|last| (Counts { time_s: self.time_s, ..*last }) != counts) {
            self.series.push(counts);
        }
    }
}

/// Holds the place of a policy that is deciding.
#[derive(Clone)]
struct Nobody;

impl Policy for Nobody {
    fn decide(&mut self, _view: &View<'_>, _actions: &mut Vec<Action>) {}
}

impl Eq for Foreseen {}

impl Ord for Foreseen {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.time_s.total_cmp(&other.time_s).then(self.job.cmp(&other.job)).then(self.version.cmp(&other.version))
    }
}

impl PartialOrd for Foreseen {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
