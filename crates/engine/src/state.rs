//! The state of all jobs at one moment, and the log of what they did before.

mod job;

use std::collections::BTreeSet;
use std::sync::Arc;

use elastiplan_model::order::Number;
use elastiplan_model::{JobId, Workload};

use crate::faults::Fate;
use crate::invariants::Invariants;
use crate::log::Log;
use crate::{LossCause, Outcome, Span};

pub(crate) use job::{JobState, Pace};

use job::{Phase, Unsaved};

/// Work that was done and lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loss {
    pub time_s: f64,
    pub job: JobId,
    pub gpu_seconds: f64,
    pub samples: f64,
    pub work: f64,
    pub cause: LossCause,
}

/// The reason for a change of a job's GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeReason {
    /// A decision of the policy.
    Decision,
    /// A node left with some of them.
    NodeLeft,
}

/// The states of all jobs, by id.
#[derive(Clone, Debug, Default)]
struct Jobs {
    states: Vec<JobState>,
    invariants: Invariants,
}

impl Jobs {
    /// The state of a job that is known to exist.
    #[track_caller]
    fn get_mut(&mut self, job: JobId) -> Option<&mut JobState> {
        self.invariants.require(self.states.get_mut(job.index()), "the state of the job", Some(job))
    }
}

/// All jobs at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    jobs: Jobs,
    fates: Option<Arc<[Fate]>>,
    holding: BTreeSet<JobId>,
    waiting: BTreeSet<JobId>,
    gpus_in_use: u32,
    ended: usize,
    /// Spans that have ended.
    pub log: Log<(JobId, Span)>,
    pub losses: Log<Loss>,
}

/// What happens to a job at a scheduled time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Event {
    End(Outcome),
    /// Its pace changes.
    Stage,
}

/// An event in the queue; void if the job changes before its time. In order of time, then of submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScheduledEvent {
    pub time_s: Number,
    pub job: JobId,
    pub version: u32,
    pub event: Event,
}

impl State {
    pub fn new(workload: &Workload, fates: Option<Arc<[Fate]>>) -> Self {
        let states = workload.jobs().iter().map(|job| JobState::new(job.samples, job.curve)).collect();
        Self { jobs: Jobs { states, ..Jobs::default() }, fates, ..Self::default() }
    }

    pub fn invariants(&self) -> &Invariants {
        &self.jobs.invariants
    }

    pub fn gpus_in_use(&self) -> u32 {
        self.gpus_in_use
    }

    pub fn jobs_ended(&self) -> usize {
        self.ended
    }

    /// Jobs that hold GPUs, in order of submission.
    pub fn running(&self) -> impl Iterator<Item = JobId> {
        self.holding.iter().copied()
    }

    /// Jobs that are submitted and hold no GPUs, in order of submission.
    pub fn waiting(&self) -> impl Iterator<Item = JobId> {
        self.waiting.iter().copied()
    }

    /// Numbers of running and of waiting jobs.
    pub fn counts(&self) -> (usize, usize) {
        (self.holding.len(), self.waiting.len())
    }

    pub fn jobs(&self) -> &[JobState] {
        &self.jobs.states
    }

    /// The state of a job; `None` if there is no such job, as an action of a policy may name one.
    pub fn get(&self, job: JobId) -> Option<&JobState> {
        self.jobs.states.get(job.index())
    }

    pub fn is_submitted(&self, job: JobId) -> bool {
        self.get(job).is_some_and(|state| state.phase != Phase::NotSubmitted)
    }

    /// Whether a job is submitted and has not ended.
    pub fn is_present(&self, job: JobId) -> bool {
        let state = self.get(job);
        state.is_some_and(|state| matches!(state.phase, Phase::Waiting | Phase::Holding | Phase::Preempted))
    }

    /// GPUs that a job holds; 0 for an unknown job.
    pub fn gpus(&self, job: JobId) -> u32 {
        self.get(job).map_or(0, |state| state.gpus)
    }

    pub fn has_started(&self, job: JobId) -> bool {
        self.get(job).is_some_and(|state| state.first_start_s.is_some())
    }

    /// Factor from the true work left to the estimate that a policy sees.
    pub fn estimate_factor(&self, job: JobId) -> f64 {
        self.fate(job).map_or(1.0, |fate| fate.estimate_factor)
    }

    fn fate(&self, job: JobId) -> Option<&Fate> {
        self.fates.as_ref()?.get(job.index())
    }

    /// Whether a scheduled event is still valid.
    pub fn is_valid(&self, scheduled: &ScheduledEvent) -> bool {
        let state = self.get(scheduled.job);
        state.is_some_and(|state| state.phase == Phase::Holding && state.version == scheduled.version)
    }

    pub fn submit(&mut self, job: JobId, time_s: f64) {
        let Some(state) = self.jobs.get_mut(job) else { return };
        state.phase = Phase::Waiting;
        state.since_s = time_s;
        self.waiting.insert(job);
    }

    pub fn admit(&mut self, job: JobId, time_s: f64) {
        if let Some(state) = self.jobs.get_mut(job) {
            state.admitted_s.get_or_insert(time_s);
        }
    }

    pub fn set_batch(&mut self, job: JobId, curve: u32, batch_global: u32) {
        if let Some(state) = self.jobs.get_mut(job) {
            (state.curve, state.batch_global) = (curve, Some(batch_global));
        }
    }

    pub fn end(&mut self, job: JobId, outcome: Outcome, time_s: f64) {
        let Some(state) = self.close_stretch(job, time_s) else { return };
        if outcome == Outcome::Completed {
            state.work_left = 0.0;
        }
        let gpus = std::mem::take(&mut state.gpus);
        state.phase = Phase::Ended(outcome);
        self.gpus_in_use -= gpus;
        self.holding.remove(&job);
        self.waiting.remove(&job);
        self.ended += 1;
    }

    /// Takes all GPUs from a job.
    pub fn preempt(&mut self, job: JobId, time_s: f64, reason: ChangeReason) {
        let Some(state) = self.close_stretch(job, time_s) else { return };
        let gpus = std::mem::take(&mut state.gpus);
        state.version += 1;
        state.phase = Phase::Preempted;
        state.preemptions += 1;
        match reason {
            ChangeReason::Decision => state.owed_s = state.owed_s.max(state.recover_until_s - time_s),
            ChangeReason::NodeLeft => (state.was_evicted, state.evictions) = (true, state.evictions + 1),
        }
        self.gpus_in_use -= gpus;
        self.holding.remove(&job);
        self.waiting.insert(job);
    }

    /// Gives a job `gpus` GPUs from `time_s` on, after a pause of `pay_s` seconds; returns the job's next event. The
    /// caller has checked that they are free, that the job runs on them, and that it is a change.
    pub fn allocate(
        &mut self,
        job: JobId,
        gpus: u32,
        pace: Pace,
        time_s: f64,
        pay_s: f64,
        reason: ChangeReason,
    ) -> Option<ScheduledEvent> {
        let state = self.close_stretch(job, time_s)?;
        let gpus_before = std::mem::replace(&mut state.gpus, gpus);
        state.pace = pace;
        state.version += 1;
        state.phase = Phase::Holding;
        let resumed = state.first_start_s.is_some();
        state.first_start_s.get_or_insert(time_s);
        state.admitted_s.get_or_insert(time_s);
        let (was_evicted, owed_s) = (std::mem::take(&mut state.was_evicted), std::mem::take(&mut state.owed_s));
        if was_evicted || reason == ChangeReason::NodeLeft {
            // Departures during a pause do not add up: the job pauses for the longer of both.
            let (recovering_s, unpaid_s) =
                if was_evicted { (time_s, time_s) } else { (state.recover_until_s, state.progress_from_s) };
            state.recover_until_s = recovering_s.max(time_s + pay_s);
            state.progress_from_s = unpaid_s.max(time_s + pay_s);
            state.evictions += u32::from(reason == ChangeReason::NodeLeft);
        } else if owed_s > 0.0 {
            state.rescales += 1;
            state.recover_until_s = time_s + owed_s.min(pay_s);
            state.progress_from_s = time_s + pay_s;
        } else {
            state.rescales += u32::from(resumed);
            state.progress_from_s = state.recover_until_s.max(time_s) + pay_s;
        }
        self.gpus_in_use = self.gpus_in_use - gpus_before + gpus;
        self.waiting.remove(&job);
        self.holding.insert(job);
        self.next_event(job)
    }

    /// Sets the pace from `time_s` on, without a change of GPUs; returns the job's next event.
    pub fn set_pace(&mut self, job: JobId, pace: Pace, time_s: f64) -> Option<ScheduledEvent> {
        let mut state = self.jobs.get_mut(job)?;
        if pace.work_per_s != state.pace.work_per_s || pace.samples_per_s != state.pace.samples_per_s {
            state = self.close_stretch(job, time_s)?;
        }
        state.pace = pace;
        state.version += 1;
        self.next_event(job)
    }

    /// The same for a change of interference, which writes no checkpoint.
    pub fn set_pace_unsaved(
        &mut self,
        job: JobId,
        pace: Pace,
        time_s: f64,
        checkpoint_interval_s: Option<f64>,
    ) -> Option<ScheduledEvent> {
        let state = self.jobs.get_mut(job)?;
        let unsaved = checkpoint_interval_s.map(|interval_s| state.unsaved_at(time_s, interval_s)).unwrap_or_default();
        self.close_stretch(job, time_s);
        let next = self.set_pace(job, pace, time_s);
        self.jobs.get_mut(job)?.unsaved = unsaved;
        next
    }

    /// Sets the work left to exactly that at which the present pace ends.
    pub fn reach_stage(&mut self, job: JobId, time_s: f64) {
        if let Some(state) = self.close_stretch(job, time_s) {
            state.work_left = state.pace.until_left;
        }
    }

    /// Takes back the training since the last checkpoint, for a running job that is past its pause.
    pub fn lose_work(&mut self, job: JobId, time_s: f64, checkpoint_interval_s: f64) {
        let Some(state) = self.jobs.get_mut(job) else { return };
        if state.phase != Phase::Holding || time_s <= state.progress_from_s {
            return;
        }
        let unsaved = state.unsaved_at(time_s, checkpoint_interval_s);
        self.take_back(job, time_s, unsaved, LossCause::NodeLeft);
    }

    /// Takes back the progress of so many seconds at the present pace; nothing from a job without GPUs.
    pub fn charge(&mut self, job: JobId, time_s: f64, seconds: f64, cause: LossCause) {
        let Some(state) = self.jobs.get_mut(job).filter(|state| state.phase == Phase::Holding) else { return };
        let work = seconds * state.pace.work_per_s;
        self.take_back(job, time_s, Unsaved { seconds, work }, cause);
    }

    fn take_back(&mut self, job: JobId, time_s: f64, Unsaved { seconds, work }: Unsaved, cause: LossCause) {
        let Some(state) = self.close_stretch(job, time_s) else { return };
        state.work_left += work;
        let (gpu_seconds, samples) = (seconds * f64::from(state.gpus), seconds * state.pace.samples_per_s);
        if seconds > 0.0 {
            self.losses.push(Loss { time_s, job, gpu_seconds, samples, work, cause });
        }
    }

    /// The next event of a running job if nothing changes.
    fn next_event(&mut self, job: JobId) -> Option<ScheduledEvent> {
        let fate = self.fate(job).copied();
        let state = self.jobs.get_mut(job)?;
        let total = state.work_left;
        let reaches_s = |left: f64| state.progress_from_s + (total - left).max(0.0) / state.pace.work_per_s;
        let mut next = (reaches_s(0.0), Event::End(Outcome::Completed));
        if state.pace.until_left > 0.0 {
            next = (reaches_s(state.pace.until_left), Event::Stage);
        }
        if let Some(left) = fate.and_then(|fate| fate.cancelled_with_left)
            && reaches_s(left) <= next.0
        {
            next = (reaches_s(left), Event::End(Outcome::Cancelled));
        }
        if let Some(dies_after_s) = fate.and_then(|fate| fate.dies_after_s) {
            let dies_s = state.progress_from_s + (dies_after_s - state.ran_s).max(0.0);
            if dies_s < next.0 {
                next = (dies_s, Event::End(Outcome::Failed));
            }
        }
        Some(ScheduledEvent { time_s: Number(next.0), job, version: state.version, event: next.1 })
    }

    /// Writes the present stretch to the log and starts the next one at `time_s`; returns the state.
    fn close_stretch(&mut self, job: JobId, time_s: f64) -> Option<&mut JobState> {
        let state = self.jobs.get_mut(job)?;
        state.spans_until(time_s, |span| self.log.push((job, span)));
        state.work_left = state.work_left_at(time_s);
        state.samples += state.trained_s(time_s) * state.pace.samples_per_s;
        state.ran_s += state.trained_s(time_s);
        state.gpu_seconds = state.gpu_seconds_at(time_s);
        state.since_s = time_s;
        state.progress_from_s = state.progress_from_s.max(time_s);
        state.unsaved = Unsaved::default();
        Some(state)
    }
}
