//! When two runs part, and what each of them does then.

use elastiplan_engine::{Outcome, Run, Span, SpanState};
use elastiplan_metrics::first_difference_s;
use elastiplan_model::{JobId, Workload};
use elastiplan_text::format;

use crate::story::outcome_word;

/// The first time at which two runs treat some job differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// When, in seconds on the clock of the trace.
    pub time_s: f64,
    /// The decision of the run's policy then; `None` if it changed nothing.
    pub decided: Option<Decided>,
    /// The decision of the baseline then.
    pub decided_in_baseline: Option<Decided>,
    /// The jobs that are treated differently from then on, in order of submission; never none.
    pub jobs: Vec<JobAtDivergence>,
}

/// How many jobs a decision changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// Jobs that got GPUs and had none.
    pub started: u32,
    /// Jobs that got more, fewer or other GPUs.
    pub rescaled: u32,
    /// Jobs that lost all.
    pub preempted: u32,
    /// Jobs that were refused.
    pub dropped: u32,
}

/// The states of a job from the divergence on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobAtDivergence {
    /// The job.
    pub job: JobId,
    /// Under the run.
    pub here: Doing,
    /// Under the baseline.
    pub in_baseline: Doing,
}

/// The state of a job at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doing {
    /// It has not been submitted.
    NotThere,
    /// It waits for its first GPUs.
    Waiting,
    /// It holds GPUs.
    Holding {
        /// How many.
        gpus: u32,
        /// Its throughput; 0 while it makes no progress.
        samples_per_s: f64,
        /// The reason that it makes no progress, if it does not: `Rescaling` or `Recovering`.
        pays_for: Option<SpanState>,
    },
    /// It holds nothing any more.
    Preempted,
    /// It has ended.
    Ended(Outcome),
}

impl Divergence {
    /// Finds it. `None` if the runs are the same for as long as both are recorded.
    pub fn of(run: &Run, baseline: &Run, workload: &Workload) -> Option<Self> {
        let time_s = first_difference_s(run, baseline)?;
        let ids = workload.trace().iter().map(|(job, _)| job);
        let at = |job| JobAtDivergence {
            job,
            here: Doing::at(run, job, time_s),
            in_baseline: Doing::at(baseline, job, time_s),
        };
        let jobs = ids.map(at).filter(|job| job.here != job.in_baseline).collect();
        Some(Self {
            time_s,
            decided: Decided::at(run, time_s),
            decided_in_baseline: Decided::at(baseline, time_s),
            jobs,
        })
    }
}

impl Decided {
    /// All that was decided at a time; `None` if nothing was.
    pub fn at(run: &Run, time_s: f64) -> Option<Self> {
        let decisions = &run.decisions;
        let first = decisions.time_s.partition_point(|decision_s| *decision_s < time_s);
        let next = decisions.time_s.partition_point(|decision_s| *decision_s <= time_s);
        let sum = |column: &[u32]| column.get(first..next).unwrap_or_default().iter().sum();
        (next > first).then(|| Self {
            started: sum(&decisions.started),
            rescaled: sum(&decisions.rescaled),
            preempted: sum(&decisions.preempted),
            dropped: sum(&decisions.dropped),
        })
    }
}

impl Doing {
    /// The state of a job from a time on.
    pub fn at(run: &Run, job: JobId, time_s: f64) -> Self {
        let range = run.spans.range_of(job);
        let starts_s = run.spans.start_s.get(range.clone()).unwrap_or_default();
        let next = starts_s.partition_point(|start_s| *start_s <= time_s);
        let last = next.checked_sub(1).and_then(|last| run.spans.get(range.start + last));
        match last {
            Some(span) if time_s < span.end_s => Self::of_span(&span),
            last => {
                let end_s = run.jobs.end_s.get(job.index()).copied().flatten();
                let outcome = run.jobs.outcome.get(job.index()).filter(|_| end_s.is_some_and(|end_s| end_s <= time_s));
                outcome
                    .map(|outcome| Self::Ended(*outcome))
                    .or(last.as_ref().map(Self::of_span))
                    .unwrap_or(Self::NotThere)
            }
        }
    }

    fn of_span(span: &Span) -> Self {
        match span.state {
            SpanState::Waiting => Self::Waiting,
            SpanState::Preempted => Self::Preempted,
            SpanState::Running | SpanState::Rescaling | SpanState::Recovering => Self::Holding {
                gpus: span.gpus,
                samples_per_s: span.samples_per_s,
                pays_for: Some(span.state).filter(|state| *state != SpanState::Running),
            },
        }
    }

    /// In a few words: `8 GPUs`, `waiting`.
    pub fn words(&self) -> String {
        match self {
            Self::NotThere => "not there".into(),
            Self::Waiting => "waiting".into(),
            Self::Holding { gpus, pays_for: Some(state), .. } => format!("{}, {}", format::gpus(*gpus), state.word()),
            Self::Holding { gpus, samples_per_s, .. } => {
                format!("{}, {}", format::gpus(*gpus), format::samples_per_s(*samples_per_s))
            }
            Self::Preempted => "preempted".into(),
            Self::Ended(outcome) => outcome_word(*outcome).into(),
        }
    }
}
