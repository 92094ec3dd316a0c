//! The event loop.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use elastiplan_model::{Cluster, JobId, Workload};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::state::{Foreseen, State};
use crate::{Action, Cadence, Policy, Run, Series, View};

/// The end of time: 30,000 years. A job that would complete later never completes. Beyond this, seconds lose so many
/// of their digits that neighbouring events fall together.
const HORIZON_S: f64 = 1e12;

/// How much too late an event may come, in intervals, and still be answered in its round. A completion that falls on
/// a round by the numbers of a trace may miss it by a rounding error, and would wait for a whole interval.
const ROUND_TOLERANCE: f64 = 1e-9;

/// What holds for every policy of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Seconds without progress after a running job's GPUs change or a preempted job resumes.
    pub rescale_cost_s: f64,
    /// The seed for policies that draw random numbers.
    pub seed: u64,
    /// Stop at this time, in seconds on the clock of the trace.
    pub until_s: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { rescale_cost_s: 30.0, seed: 0, until_s: None }
    }
}

/// Why settings cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SettingsError {
    /// Negative, not a number, or beyond a year.
    #[error("rescale cost: {0} is not a number of seconds from 0 to 31,536,000")]
    RescaleCost(f64),
    /// Negative, not a number, or infinite.
    #[error("time to stop: {0} is not a number of seconds from 0 to 1e12")]
    Until(f64),
}

impl Settings {
    /// Checks the values.
    pub fn validate(&self) -> Result<(), SettingsError> {
        if !(0.0..=31_536_000.0).contains(&self.rescale_cost_s) {
            return Err(SettingsError::RescaleCost(self.rescale_cost_s));
        }
        match self.until_s {
            Some(until_s) if !(0.0..=HORIZON_S).contains(&until_s) => Err(SettingsError::Until(until_s)),
            _ => Ok(()),
        }
    }
}

/// A policy asked for something impossible.
#[derive(Clone, Debug, PartialEq, Error, Serialize, Deserialize)]
#[error("{policy} failed at {time_s} s deciding for job {job}: {rule}")]
pub struct RunError {
    /// The policy's id.
    pub policy: String,
    /// The job's name, or its number if there is no such job.
    pub job: String,
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
    /// Jobs completed or dropped.
    pub jobs_ended: usize,
    /// Jobs in all.
    pub jobs_total: usize,
}

/// One policy on one workload, at one moment.
///
/// A clone is a checkpoint: it goes on as the original does, to the bit. It costs as much memory as the record so far.
#[derive(Clone)]
pub struct Simulation<'a> {
    workload: &'a Workload,
    cluster: Cluster,
    settings: Settings,
    policy_id: String,
    policy: Box<dyn Policy + 'a>,
    state: State,
    time_s: f64,
    next_submission: usize,
    foreseen: BinaryHeap<Reverse<Foreseen>>,
    next_round_s: Option<f64>,
    series: Series,
    decisions_s: Vec<f64>,
    actions: Vec<Action>,
    finished: bool,
    failed: Option<RunError>,
}

impl<'a> Simulation<'a> {
    /// Binds everything; nothing has happened yet. `policy_id` is how errors name the policy.
    pub fn new(
        workload: &'a Workload,
        cluster: Cluster,
        settings: Settings,
        policy_id: impl Into<String>,
        policy: Box<dyn Policy + 'a>,
    ) -> Result<Self, SettingsError> {
        settings.validate()?;
        Ok(Self {
            workload,
            cluster,
            settings,
            policy_id: policy_id.into(),
            policy,
            state: State::new(workload),
            time_s: workload.trace().start_s(),
            next_submission: 0,
            foreseen: BinaryHeap::new(),
            next_round_s: None,
            series: Series::default(),
            decisions_s: Vec::new(),
            actions: Vec::new(),
            finished: false,
            failed: None,
        })
    }

    /// Goes on from here with another policy, which is asked at once. What was decided so far stands: the policy finds
    /// jobs running that it never started.
    pub fn with_policy(self, policy_id: impl Into<String>, policy: Box<dyn Policy + 'a>) -> Self {
        Self { policy_id: policy_id.into(), policy, next_round_s: Some(self.time_s), finished: false, ..self }
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
        let Some(time_s) = self.next_instant_s().filter(|&time_s| self.settings.until_s.is_none_or(|s| time_s <= s))
        else {
            self.finished = true;
            return Ok(Step::Finished);
        };
        self.time_s = time_s;
        let happened = self.complete_jobs() | self.submit_jobs();
        if self.is_policy_due(happened) {
            self.failed = self.ask_policy().err();
        }
        self.note_counts();
        self.forget_void_completions();
        self.failed.clone().map_or(Ok(Step::More), Err)
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

    /// The record up to now.
    pub fn record(&self) -> Run {
        let end_s = match self.settings.until_s {
            Some(until_s) if self.finished && self.next_instant_s().is_some() => until_s.max(self.time_s),
            _ => self.time_s,
        };
        let (spans, jobs) = self.state.record(end_s);
        Run {
            gpus_total: self.cluster.gpus_total(),
            start_s: self.workload.trace().start_s(),
            end_s,
            finished: self.finished,
            spans,
            jobs,
            series: self.series.clone(),
            decisions_s: self.decisions_s.clone(),
        }
    }

    fn next_instant_s(&self) -> Option<f64> {
        let submission_s = self.workload.trace().jobs().get(self.next_submission).map(|job| job.submit_s);
        let completion_s = self.foreseen.peek().map(|Reverse(foreseen)| foreseen.time_s);
        [submission_s, completion_s, self.next_round_s].into_iter().flatten().min_by(f64::total_cmp)
    }

    fn complete_jobs(&mut self) -> bool {
        let mut happened = false;
        while let Some(Reverse(foreseen)) = self.foreseen.peek().copied() {
            if foreseen.time_s > self.time_s {
                break;
            }
            self.foreseen.pop();
            if self.state.still_holds(&foreseen) {
                self.state.complete(foreseen.job, self.time_s);
                happened = true;
            }
        }
        happened
    }

    /// Takes completions that no longer hold from the top of the heap: nothing happens at their time, so it is no
    /// instant, and the run does not last until then.
    fn forget_void_completions(&mut self) {
        while self.foreseen.peek().is_some_and(|Reverse(foreseen)| !self.state.still_holds(foreseen)) {
            self.foreseen.pop();
        }
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

    /// Whether to ask the policy now. A policy that decides in rounds is asked at the next round after something
    /// happened, so that quiet times cost nothing; and not about an empty cluster, or a run would last until the round
    /// after its last completion.
    fn is_policy_due(&mut self, happened: bool) -> bool {
        let interval_s = match self.policy.cadence() {
            Cadence::OnEvents => return self.next_round_s.take().is_some() || happened,
            Cadence::Every { interval_s } => interval_s,
        };
        if self.state.counts() == (0, 0) {
            self.next_round_s = None;
        } else if happened && self.next_round_s.is_none() {
            let start_s = self.workload.trace().start_s();
            let rounds = ((self.time_s - start_s) / interval_s - ROUND_TOLERANCE).ceil();
            self.next_round_s = Some((start_s + rounds * interval_s).max(self.time_s));
        }
        let due = self.next_round_s.is_some_and(|round_s| round_s <= self.time_s);
        if due {
            self.next_round_s = None;
        }
        due
    }

    fn ask_policy(&mut self) -> Result<(), RunError> {
        let mut actions = std::mem::take(&mut self.actions);
        actions.clear();
        let view = View {
            workload: self.workload,
            cluster: &self.cluster,
            state: &self.state,
            time_s: self.time_s,
            jobs_submitted: self.next_submission as u32,
        };
        self.policy.decide(&view, &mut actions);
        self.check(&actions)?;
        let mut changed = false;
        for &action in &actions {
            changed |= self.carry_out(action);
        }
        if changed {
            self.decisions_s.push(self.time_s);
        }
        self.actions = actions;
        Ok(())
    }

    /// Refuses actions that are impossible alone or together, before any of them takes effect.
    fn check(&self, actions: &[Action]) -> Result<(), RunError> {
        let mut named = BTreeSet::new();
        let mut gpus_after = i64::from(self.state.gpus_in_use());
        let mut last = JobId(0);
        for action in actions {
            let (Action::Allocate { job, .. } | Action::Drop { job }) = *action;
            last = job;
            if !self.state.is_present(job) {
                return Err(self.refusal(job, "the job is not in the cluster".into()));
            }
            if !named.insert(job) {
                return Err(self.refusal(job, "two actions for one job".into()));
            }
            match *action {
                Action::Drop { .. } if self.state.has_started(job) => {
                    return Err(self.refusal(job, "only a job that never started can be dropped".into()));
                }
                Action::Drop { .. } => {}
                Action::Allocate { gpus, .. } => {
                    if gpus > 0 && !self.runs_on(job, gpus) {
                        return Err(self.refusal(job, format!("it does not run on {}", gpus_in_words(gpus))));
                    }
                    gpus_after += i64::from(gpus) - i64::from(self.state.gpus(job));
                }
            }
        }
        let total = self.cluster.gpus_total();
        if gpus_after > i64::from(total) {
            return Err(self.refusal(last, format!("{gpus_after} GPUs would be held, the cluster has {total}")));
        }
        Ok(())
    }

    /// Carries out one checked action; false if it changes nothing.
    fn carry_out(&mut self, action: Action) -> bool {
        match action {
            Action::Drop { job } => self.state.drop_job(job, self.time_s),
            Action::Allocate { job, gpus } if gpus == self.state.gpus(job) => return false,
            Action::Allocate { job, gpus } => {
                let samples_per_s = self.samples_per_s(job, gpus);
                let cost_s = self.settings.rescale_cost_s;
                let foreseen = self.state.allocate(job, gpus, samples_per_s, self.time_s, cost_s);
                self.foreseen.extend(foreseen.filter(|foreseen| foreseen.time_s <= HORIZON_S).map(Reverse));
            }
        }
        true
    }

    fn runs_on(&self, job: JobId, gpus: u32) -> bool {
        let gpus_min = self.workload.jobs().get(job.index()).map_or(1, |bound| bound.gpus_min);
        gpus >= gpus_min && self.samples_per_s(job, gpus) > 0.0
    }

    fn samples_per_s(&self, job: JobId, gpus: u32) -> f64 {
        self.workload.curve_of(job).map_or(0.0, |curve| curve.samples_per_s(gpus))
    }

    fn refusal(&self, job: JobId, rule: String) -> RunError {
        let name = self.workload.trace().jobs().get(job.index()).map(|job| job.name.clone());
        let job = name.unwrap_or_else(|| format!("number {}", job.0));
        RunError { policy: self.policy_id.clone(), job, time_s: self.time_s, rule }
    }

    /// Adds a row to the series if the counts changed. A second row for the same time takes the place of the first.
    fn note_counts(&mut self) {
        let (running, waiting) = self.state.counts();
        let row = (self.state.gpus_in_use(), running as u32, waiting as u32);
        let series = &mut self.series;
        if series.time_s.last() == Some(&self.time_s) {
            series.time_s.pop();
            series.gpus_in_use.pop();
            series.jobs_running.pop();
            series.jobs_waiting.pop();
        }
        let last = (series.gpus_in_use.last(), series.jobs_running.last(), series.jobs_waiting.last());
        if last == (Some(&row.0), Some(&row.1), Some(&row.2)) {
            return;
        }
        series.time_s.push(self.time_s);
        series.gpus_in_use.push(row.0);
        series.jobs_running.push(row.1);
        series.jobs_waiting.push(row.2);
    }
}

fn gpus_in_words(gpus: u32) -> String {
    format!("{gpus} GPU{}", if gpus == 1 { "" } else { "s" })
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
