//! The state of one job.

use crate::{Outcome, Span, SpanState};

/// The phase of a job's life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    #[default]
    NotSubmitted,
    Waiting,
    Holding,
    Preempted,
    Ended(Outcome),
}

/// The speed of a job, and how long it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pace {
    pub samples_per_s: f64,
    /// Goodput: samples per second times statistical efficiency.
    pub work_per_s: f64,
    /// Work left at which the pace changes, in samples; 0 if it holds to the end.
    pub until_left: f64,
    /// Factor on the speed for interference from other jobs, contained in the speeds above.
    pub interference_factor: f64,
}

impl Pace {
    pub fn makes_progress(&self) -> bool {
        self.work_per_s > 0.0
    }
}

/// Training that is lost if a node leaves now.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unsaved {
    pub seconds: f64,
    pub work: f64,
}

/// The state of one job.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JobState {
    pub(super) phase: Phase,
    pub gpus: u32,
    pub curve: u32,
    pub batch_global: Option<u32>,
    pub(super) pace: Pace,
    /// Start of the present stretch.
    pub(super) since_s: f64,
    /// End of the pause for a node that left.
    pub(super) recover_until_s: f64,
    /// End of the pause for all changes: progress begins here.
    pub(super) progress_from_s: f64,
    /// Work left at `progress_from_s`, in samples.
    pub(super) work_left: f64,
    /// Training since the last checkpoint, before the present stretch. Only a change of interference leaves some: other
    /// changes begin with a checkpoint.
    pub(super) unsaved: Unsaved,
    /// Number of changes so far; an event scheduled under an older version is void.
    pub(super) version: u32,
    pub first_start_s: Option<f64>,
    pub admitted_s: Option<f64>,
    pub rescales: u32,
    pub preemptions: u32,
    /// How often a node that left took GPUs of the job.
    pub evictions: u32,
    /// Whether a node that left took all its GPUs: the whole pause at its resumption is recovery.
    pub(super) was_evicted: bool,
    /// Unpaid rest of a recovery when the policy suspended the job, in seconds; that part of the pause at its
    /// resumption is recovery.
    pub(super) owed_s: f64,
    /// Seconds of training before the present stretch.
    pub(super) ran_s: f64,
    /// Samples processed before the present stretch.
    pub(super) samples: f64,
    /// GPU-seconds held before the present stretch.
    pub(super) gpu_seconds: f64,
}

impl JobState {
    /// The state of a job before its submission.
    pub fn new(samples: f64, curve: u32) -> Self {
        Self { curve, work_left: samples, ..Self::default() }
    }

    /// How the job ended; `None` before its end.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Ended(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Start of the present stretch; the end of a job that has ended.
    pub fn since_s(&self) -> f64 {
        self.since_s
    }

    /// Seconds of training in the present stretch.
    pub(super) fn trained_s(&self, time_s: f64) -> f64 {
        match self.phase {
            Phase::Holding => (time_s - self.progress_from_s).max(0.0),
            _ => 0.0,
        }
    }

    /// Work left, in samples.
    pub fn work_left_at(&self, time_s: f64) -> f64 {
        match self.phase {
            Phase::Holding if time_s > self.progress_from_s => {
                (self.work_left - self.pace.work_per_s * (time_s - self.progress_from_s)).max(0.0)
            }
            _ => self.work_left,
        }
    }

    /// Factor on the speed for interference from other jobs, as of the last change.
    pub fn interference_factor(&self) -> f64 {
        self.pace.interference_factor
    }

    /// Training since the last checkpoint.
    pub(super) fn unsaved_at(&self, time_s: f64, checkpoint_interval_s: f64) -> Unsaved {
        let trained_s = self.trained_s(time_s);
        let since_s = self.unsaved.seconds + trained_s;
        if since_s < checkpoint_interval_s {
            return Unsaved { seconds: since_s, work: self.unsaved.work + trained_s * self.pace.work_per_s };
        }
        let seconds = since_s % checkpoint_interval_s;
        Unsaved { seconds, work: seconds * self.pace.work_per_s }
    }

    /// Samples processed.
    pub fn samples_at(&self, time_s: f64) -> f64 {
        self.samples + self.trained_s(time_s) * self.pace.samples_per_s
    }

    /// GPU-seconds held.
    pub fn gpu_seconds_at(&self, time_s: f64) -> f64 {
        self.gpu_seconds + f64::from(self.gpus) * (time_s - self.since_s).max(0.0)
    }

    /// Seconds until the job makes progress again.
    pub fn unpaid_s(&self, time_s: f64) -> f64 {
        match self.phase {
            Phase::Holding => (self.progress_from_s - time_s).max(0.0),
            _ => 0.0,
        }
    }

    /// Calls `push` for each span since the last change, up to `time_s`.
    pub fn spans_until(&self, time_s: f64, mut push: impl FnMut(Span)) {
        let gpus = self.gpus;
        let mut between = |start_s: f64, end_s: f64, state| {
            if end_s > start_s {
                let pace = if state == SpanState::Running { self.pace } else { Pace::default() };
                let Pace { samples_per_s, work_per_s, .. } = pace;
                push(Span { start_s, end_s, gpus, state, samples_per_s, work_per_s });
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
