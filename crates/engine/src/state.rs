//! Where every job stands at one moment, and the log of what it did before.

use std::collections::BTreeSet;
use std::sync::Arc;

use elastiplan_model::{JobId, Workload};

use crate::faults::Fate;
use crate::log::Log;
use crate::{LossCause, Outcome, SpanState};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    NotSubmitted,
    Waiting,
    Holding,
    Preempted,
    Ended(Outcome),
}

/// One finished stretch of one job's life.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub job: JobId,
    pub start_s: f64,
    pub end_s: f64,
    pub gpus: u32,
    pub state: SpanState,
    pub samples_per_s: f64,
    pub work_per_s: f64,
}

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

/// How fast a job goes, and until when that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pace {
    pub samples_per_s: f64,
    /// Samples as they count: times the statistical efficiency.
    pub work_per_s: f64,
    /// It holds until so much work is left.
    pub until_left: f64,
    /// What the speed was multiplied with for other jobs that are in the way.
    pub undisturbed_share: f64,
}

/// Why a job's GPUs change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The policy says so.
    Decision,
    /// A node left and took some of them away.
    NodeLeft,
}

/// Training that a node which leaves takes along.
#[derive(Clone, Copy, Debug, Default)]
struct Unsaved {
    seconds: f64,
    work: f64,
}

/// What the engine keeps of one job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JobState {
    phase: Phase,
    pub gpus: u32,
    pub curve: u32,
    pub batch_global: Option<u32>,
    pace: Pace,
    /// When the present stretch began.
    since_s: f64,
    /// Until then a node's departure is being paid for.
    recover_until_s: f64,
    /// When progress begins: later than `since_s` while a change is being paid for.
    progress_from_s: f64,
    /// Work left at `progress_from_s`, in samples.
    work_left: f64,
    /// Training since the last checkpoint, before the present stretch: only after a change of speed, which writes none.
    unsaved: Unsaved,
    /// Counts the changes, so that what was foreseen before a change is recognised as void.
    version: u32,
    pub first_start_s: Option<f64>,
    pub admitted_s: Option<f64>,
    pub rescales: u32,
    pub preemptions: u32,
    /// How often a node that left took GPUs from it.
    pub evictions: u32,
    /// The part of the price of coming back that nodes which left cost, in seconds: infinite, all of it, where they took
    /// all its GPUs; what was left to pay for them where the policy has suspended it before.
    owed_s: f64,
    /// Seconds of training, and samples processed, before the present stretch.
    ran_s: f64,
    pub samples: f64,
    /// GPU-seconds held before the present stretch.
    gpu_seconds: f64,
}

/// All jobs at one moment.
#[derive(Clone, Debug)]
pub(crate) struct State {
    jobs: Vec<JobState>,
    fates: Option<Arc<[Fate]>>,
    holding: BTreeSet<JobId>,
    waiting: BTreeSet<JobId>,
    gpus_in_use: u32,
    ended: usize,
    pub log: Log<Stretch>,
    pub losses: Log<Loss>,
}

/// What will happen to a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Event {
    End(Outcome),
    /// Its pace changes.
    Stage,
}

/// Something that will happen unless the job is changed before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Foreseen {
    pub time_s: f64,
    pub job: JobId,
    pub version: u32,
    pub event: Event,
}

impl State {
    pub fn new(workload: &Workload, fates: Option<Arc<[Fate]>>) -> Self {
        let job_state = |samples: f64, curve: u32| JobState {
            phase: Phase::NotSubmitted,
            gpus: 0,
            curve,
            batch_global: None,
            pace: Pace::default(),
            since_s: 0.0,
            recover_until_s: 0.0,
            progress_from_s: 0.0,
            work_left: samples,
            unsaved: Unsaved::default(),
            version: 0,
            first_start_s: None,
            admitted_s: None,
            rescales: 0,
            preemptions: 0,
            evictions: 0,
            owed_s: 0.0,
            ran_s: 0.0,
            samples: 0.0,
            gpu_seconds: 0.0,
        };
        Self {
            jobs: workload.jobs().iter().map(|job| job_state(job.samples, job.curve)).collect(),
            fates,
            holding: BTreeSet::new(),
            waiting: BTreeSet::new(),
            gpus_in_use: 0,
            ended: 0,
            log: Log::default(),
            losses: Log::default(),
        }
    }

    pub fn gpus_in_use(&self) -> u32 {
        self.gpus_in_use
    }

    pub fn jobs_ended(&self) -> usize {
        self.ended
    }

    pub fn running(&self) -> impl Iterator<Item = JobId> {
        self.holding.iter().copied()
    }

    pub fn waiting(&self) -> impl Iterator<Item = JobId> {
        self.waiting.iter().copied()
    }

    pub fn counts(&self) -> (usize, usize) {
        (self.holding.len(), self.waiting.len())
    }

    pub fn jobs(&self) -> &[JobState] {
        &self.jobs
    }

    pub fn get(&self, job: JobId) -> Option<&JobState> {
        self.jobs.get(job.index())
    }

    pub fn is_submitted(&self, job: JobId) -> bool {
        self.get(job).is_some_and(|state| state.phase != Phase::NotSubmitted)
    }

    pub fn is_present(&self, job: JobId) -> bool {
        let state = self.get(job);
        state.is_some_and(|state| matches!(state.phase, Phase::Waiting | Phase::Holding | Phase::Preempted))
    }

    pub fn gpus(&self, job: JobId) -> u32 {
        self.get(job).map_or(0, |state| state.gpus)
    }

    pub fn has_started(&self, job: JobId) -> bool {
        self.get(job).is_some_and(|state| state.first_start_s.is_some())
    }

    /// What a policy is told about the work left.
    pub fn estimate_factor(&self, job: JobId) -> f64 {
        self.fate(job).map_or(1.0, |fate| fate.estimate_factor)
    }

    fn fate(&self, job: JobId) -> Option<&Fate> {
        self.fates.as_ref()?.get(job.index())
    }

    /// Whether something foreseen still holds.
    pub fn still_holds(&self, foreseen: &Foreseen) -> bool {
        let state = self.get(foreseen.job);
        state.is_some_and(|state| state.phase == Phase::Holding && state.version == foreseen.version)
    }

    pub fn submit(&mut self, job: JobId, time_s: f64) {
        let Some(state) = self.jobs.get_mut(job.index()) else { return };
        state.phase = Phase::Waiting;
        state.since_s = time_s;
        self.waiting.insert(job);
    }

    pub fn admit(&mut self, job: JobId, time_s: f64) {
        if let Some(state) = self.jobs.get_mut(job.index()) {
            state.admitted_s.get_or_insert(time_s);
        }
    }

    pub fn set_batch(&mut self, job: JobId, curve: u32, batch_global: u32) {
        if let Some(state) = self.jobs.get_mut(job.index()) {
            (state.curve, state.batch_global) = (curve, Some(batch_global));
        }
    }

    pub fn end(&mut self, job: JobId, outcome: Outcome, time_s: f64) {
        self.close_stretch(job, time_s);
        let Some(state) = self.jobs.get_mut(job.index()) else { return };
        if outcome == Outcome::Completed {
            state.work_left = 0.0;
        }
        self.gpus_in_use -= state.gpus;
        state.gpus = 0;
        state.phase = Phase::Ended(outcome);
        self.holding.remove(&job);
        self.waiting.remove(&job);
        self.ended += 1;
    }

    /// Takes all GPUs from a job.
    pub fn preempt(&mut self, job: JobId, time_s: f64, why: Why) {
        self.close_stretch(job, time_s);
        let Some(state) = self.jobs.get_mut(job.index()) else { return };
        self.gpus_in_use -= state.gpus;
        state.gpus = 0;
        state.version += 1;
        state.phase = Phase::Preempted;
        state.preemptions += 1;
        match why {
            Why::Decision => state.owed_s = state.owed_s.max(state.recover_until_s - time_s),
            Why::NodeLeft => (state.owed_s, state.evictions) = (f64::INFINITY, state.evictions + 1),
        }
        self.holding.remove(&job);
        self.waiting.insert(job);
    }

    /// Gives a job `gpus` GPUs from `time_s` on, after `pay_s` seconds without progress, and says what will happen.
    /// The caller has checked that they are there, that it runs on them, and that it is a change.
    pub fn allocate(
        &mut self,
        job: JobId,
        gpus: u32,
        pace: Pace,
        time_s: f64,
        pay_s: f64,
        why: Why,
    ) -> Option<Foreseen> {
        self.close_stretch(job, time_s);
        let state = self.jobs.get_mut(job.index())?;
        self.gpus_in_use = self.gpus_in_use - state.gpus + gpus;
        state.gpus = gpus;
        state.pace = pace;
        state.version += 1;
        state.phase = Phase::Holding;
        let resumed = state.first_start_s.is_some();
        state.first_start_s.get_or_insert(time_s);
        state.admitted_s.get_or_insert(time_s);
        let was_evicted = state.owed_s == f64::INFINITY;
        if was_evicted || why == Why::NodeLeft {
            // Whoever is hit while still paying pays what is longer, for the departure before as for this one.
            let (recovering_s, unpaid_s) =
                if was_evicted { (time_s, time_s) } else { (state.recover_until_s, state.progress_from_s) };
            state.recover_until_s = recovering_s.max(time_s + pay_s);
            state.progress_from_s = unpaid_s.max(time_s + pay_s);
            state.evictions += u32::from(why == Why::NodeLeft);
        } else if state.owed_s > 0.0 {
            state.rescales += 1;
            state.recover_until_s = time_s + state.owed_s.min(pay_s);
            state.progress_from_s = time_s + pay_s;
        } else {
            state.rescales += u32::from(resumed);
            state.progress_from_s = state.recover_until_s.max(time_s) + pay_s;
        }
        state.owed_s = 0.0;
        self.waiting.remove(&job);
        self.holding.insert(job);
        self.foresee(job)
    }

    /// A new pace from `time_s` on, without a change of GPUs.
    pub fn set_pace(&mut self, job: JobId, pace: Pace, time_s: f64) -> Option<Foreseen> {
        let state = self.jobs.get_mut(job.index())?;
        if pace.work_per_s != state.pace.work_per_s || pace.samples_per_s != state.pace.samples_per_s {
            self.close_stretch(job, time_s);
        }
        let state = self.jobs.get_mut(job.index())?;
        state.pace = pace;
        state.version += 1;
        self.foresee(job)
    }

    /// The same where others get in the way or out of it: no reason to write a checkpoint.
    pub fn disturb(
        &mut self,
        job: JobId,
        pace: Pace,
        time_s: f64,
        checkpoint_interval_s: Option<f64>,
    ) -> Option<Foreseen> {
        let state = self.get(job)?;
        let unsaved = checkpoint_interval_s.map(|interval_s| state.unsaved_at(time_s, interval_s)).unwrap_or_default();
        self.close_stretch(job, time_s);
        let foreseen = self.set_pace(job, pace, time_s);
        self.jobs.get_mut(job.index())?.unsaved = unsaved;
        foreseen
    }

    /// The work left is exactly what the present pace was to last for.
    pub fn reach_stage(&mut self, job: JobId, time_s: f64) {
        self.close_stretch(job, time_s);
        if let Some(state) = self.jobs.get_mut(job.index()) {
            state.work_left = state.pace.until_left;
        }
    }

    /// Takes back what was done since the last checkpoint; nothing is recorded where nothing is lost.
    pub fn lose_work(&mut self, job: JobId, time_s: f64, checkpoint_interval_s: f64) {
        let Some(state) = self.jobs.get_mut(job.index()) else { return };
        if state.phase != Phase::Holding || time_s <= state.progress_from_s {
            return;
        }
        let Unsaved { seconds: lost_s, work } = state.unsaved_at(time_s, checkpoint_interval_s);
        let (gpu_seconds, samples) = (lost_s * f64::from(state.gpus), lost_s * state.pace.samples_per_s);
        self.close_stretch(job, time_s);
        if let Some(state) = self.jobs.get_mut(job.index()) {
            state.work_left += work;
        }
        if lost_s > 0.0 {
            self.losses.push(Loss { time_s, job, gpu_seconds, samples, work, cause: LossCause::NodeLeft });
        }
    }

    /// Takes away the progress of so many seconds at the present pace.
    pub fn charge(&mut self, job: JobId, time_s: f64, seconds: f64, cause: LossCause) {
        self.close_stretch(job, time_s);
        let Some(state) = self.jobs.get_mut(job.index()).filter(|state| state.phase == Phase::Holding) else { return };
        let work = seconds * state.pace.work_per_s;
        let (gpu_seconds, samples) = (seconds * f64::from(state.gpus), seconds * state.pace.samples_per_s);
        state.work_left += work;
        if seconds > 0.0 {
            self.losses.push(Loss { time_s, job, gpu_seconds, samples, work, cause });
        }
    }

    /// What will happen to a job that holds GPUs if nothing changes.
    fn foresee(&self, job: JobId) -> Option<Foreseen> {
        let state = self.get(job)?;
        let fate = self.fate(job);
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
        Some(Foreseen { time_s: next.0, job, version: state.version, event: next.1 })
    }

    /// Writes the present stretch to the log and starts the next one at `time_s`.
    fn close_stretch(&mut self, job: JobId, time_s: f64) {
        let Some(state) = self.jobs.get_mut(job.index()) else { return };
        state.stretches_until(time_s, |stretch| self.log.push(Stretch { job, ..stretch }));
        state.work_left = state.work_left_at(time_s);
        state.samples += state.trained_s(time_s) * state.pace.samples_per_s;
        state.ran_s += state.trained_s(time_s);
        state.gpu_seconds = state.gpu_seconds_at(time_s);
        state.since_s = time_s;
        state.progress_from_s = state.progress_from_s.max(time_s);
        state.unsaved = Unsaved::default();
    }
}

impl JobState {
    /// How it ended; `None` before.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Ended(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// When the present stretch began; when it ended, for a job that has.
    pub fn since_s(&self) -> f64 {
        self.since_s
    }

    fn trained_s(&self, time_s: f64) -> f64 {
        match self.phase {
            Phase::Holding => (time_s - self.progress_from_s).max(0.0),
            _ => 0.0,
        }
    }

    pub fn work_left_at(&self, time_s: f64) -> f64 {
        match self.phase {
            Phase::Holding if time_s > self.progress_from_s => {
                (self.work_left - self.pace.work_per_s * (time_s - self.progress_from_s)).max(0.0)
            }
            _ => self.work_left,
        }
    }

    /// What the speed was multiplied with for other jobs that are in the way.
    pub fn undisturbed_share(&self) -> f64 {
        self.pace.undisturbed_share
    }

    fn unsaved_at(&self, time_s: f64, checkpoint_interval_s: f64) -> Unsaved {
        let trained_s = self.trained_s(time_s);
        let since_s = self.unsaved.seconds + trained_s;
        if since_s < checkpoint_interval_s {
            return Unsaved { seconds: since_s, work: self.unsaved.work + trained_s * self.pace.work_per_s };
        }
        let seconds = since_s % checkpoint_interval_s;
        Unsaved { seconds, work: seconds * self.pace.work_per_s }
    }

    pub fn samples_at(&self, time_s: f64) -> f64 {
        self.samples + self.trained_s(time_s) * self.pace.samples_per_s
    }

    pub fn gpu_seconds_at(&self, time_s: f64) -> f64 {
        self.gpu_seconds + f64::from(self.gpus) * (time_s - self.since_s).max(0.0)
    }

    /// Seconds until it makes progress again.
    pub fn unpaid_s(&self, time_s: f64) -> f64 {
        match self.phase {
            Phase::Holding => (self.progress_from_s - time_s).max(0.0),
            _ => 0.0,
        }
    }

    /// Calls `stretch` for what the job has been doing since its last change. The job is left to the caller.
    pub fn stretches_until(&self, time_s: f64, mut stretch: impl FnMut(Stretch)) {
        let (job, gpus) = (JobId(0), self.gpus);
        let mut between = |start_s: f64, end_s: f64, state| {
            if end_s > start_s {
                let pace = if state == SpanState::Running { self.pace } else { Pace::default() };
                let Pace { samples_per_s, work_per_s, .. } = pace;
                stretch(Stretch { job, start_s, end_s, gpus, state, samples_per_s, work_per_s });
            }
        };
        match self.phase {
            Phase::NotSubmitted | Phase::Ended(_) => {}
            Phase::Waiting => between(self.since_s, time_s, SpanState::Waiting),
            Phase::Preempted => between(self.since_s, time_s, SpanState::Preempted),
            Phase::Holding => {
                let paid_s = self.progress_from_s.min(time_s).max(self.since_s);
                let recovered_s = self.recover_until_s.clamp(self.since_s, paid_s);
                between(self.since_s, recovered_s, SpanState::Recovering);
                between(recovered_s, paid_s, SpanState::Rescaling);
                between(paid_s, time_s, SpanState::Running);
            }
        }
    }
}
