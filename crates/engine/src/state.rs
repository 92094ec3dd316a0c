//! Where every job stands at one moment, and the log of what it did before.

use std::collections::BTreeSet;

use elastiplan_model::{JobId, Workload};

use crate::{JobRecords, Outcome, SpanState, Spans};

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
struct Stretch {
    job: JobId,
    start_s: f64,
    end_s: f64,
    gpus: u32,
    state: SpanState,
}

/// What the engine keeps of one job.
#[derive(Clone, Copy, Debug)]
struct JobState {
    phase: Phase,
    gpus: u32,
    /// Throughput on `gpus` GPUs.
    samples_per_s: f64,
    /// When the present stretch began.
    since_s: f64,
    /// When progress begins: later than `since_s` while a change is being paid for.
    progress_from_s: f64,
    /// Samples left at `progress_from_s`.
    samples_left: f64,
    /// Counts the changes, so that a completion foreseen before a change is recognised as void.
    version: u32,
    first_start_s: Option<f64>,
    rescales: u32,
    preemptions: u32,
}

/// All jobs at one moment.
#[derive(Clone, Debug)]
pub(crate) struct State {
    jobs: Vec<JobState>,
    holding: BTreeSet<JobId>,
    waiting: BTreeSet<JobId>,
    gpus_in_use: u32,
    ended: usize,
    log: Vec<Stretch>,
}

/// A completion that will happen unless the job is changed before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Foreseen {
    pub time_s: f64,
    pub job: JobId,
    pub version: u32,
}

impl State {
    pub fn new(workload: &Workload) -> Self {
        let job_state = |samples: f64| JobState {
            phase: Phase::NotSubmitted,
            gpus: 0,
            samples_per_s: 0.0,
            since_s: 0.0,
            progress_from_s: 0.0,
            samples_left: samples,
            version: 0,
            first_start_s: None,
            rescales: 0,
            preemptions: 0,
        };
        Self {
            jobs: workload.jobs().iter().map(|job| job_state(job.samples)).collect(),
            holding: BTreeSet::new(),
            waiting: BTreeSet::new(),
            gpus_in_use: 0,
            ended: 0,
            log: Vec::new(),
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

    pub fn is_present(&self, job: JobId) -> bool {
        let state = self.jobs.get(job.index());
        state.is_some_and(|state| matches!(state.phase, Phase::Waiting | Phase::Holding | Phase::Preempted))
    }

    pub fn gpus(&self, job: JobId) -> u32 {
        self.jobs.get(job.index()).map_or(0, |state| state.gpus)
    }

    pub fn has_started(&self, job: JobId) -> bool {
        self.jobs.get(job.index()).is_some_and(|state| state.first_start_s.is_some())
    }

    pub fn samples_left(&self, job: JobId, time_s: f64) -> f64 {
        self.jobs.get(job.index()).map_or(0.0, |state| state.samples_left_at(time_s))
    }

    /// Whether a foreseen completion still holds.
    pub fn still_holds(&self, foreseen: &Foreseen) -> bool {
        let state = self.jobs.get(foreseen.job.index());
        state.is_some_and(|state| state.phase == Phase::Holding && state.version == foreseen.version)
    }

    pub fn submit(&mut self, job: JobId, time_s: f64) {
        let Some(state) = self.jobs.get_mut(job.index()) else { return };
        state.phase = Phase::Waiting;
        state.since_s = time_s;
        self.waiting.insert(job);
    }

    pub fn complete(&mut self, job: JobId, time_s: f64) {
        self.close_stretch(job, time_s);
        if let Some(state) = self.jobs.get_mut(job.index()) {
            state.samples_left = 0.0;
        }
        self.end(job, Outcome::Completed, time_s);
    }

    pub fn drop_job(&mut self, job: JobId, time_s: f64) {
        self.close_stretch(job, time_s);
        self.end(job, Outcome::Dropped, time_s);
    }

    fn end(&mut self, job: JobId, outcome: Outcome, time_s: f64) {
        let Some(state) = self.jobs.get_mut(job.index()) else { return };
        self.gpus_in_use -= state.gpus;
        state.gpus = 0;
        state.phase = Phase::Ended(outcome);
        state.since_s = time_s;
        self.holding.remove(&job);
        self.waiting.remove(&job);
        self.ended += 1;
    }

    /// Gives a job `gpus` GPUs from `time_s` on, and says when it would complete. The caller has checked that they are
    /// there, that it runs on them, and that it is a change.
    pub fn allocate(
        &mut self,
        job: JobId,
        gpus: u32,
        samples_per_s: f64,
        time_s: f64,
        rescale_cost_s: f64,
    ) -> Option<Foreseen> {
        self.close_stretch(job, time_s);
        let state = self.jobs.get_mut(job.index())?;
        self.gpus_in_use = self.gpus_in_use - state.gpus + gpus;
        let resumed = state.first_start_s.is_some();
        state.gpus = gpus;
        state.samples_per_s = samples_per_s;
        state.version += 1;
        if gpus == 0 {
            state.phase = Phase::Preempted;
            state.preemptions += 1;
            self.holding.remove(&job);
            self.waiting.insert(job);
            return None;
        }
        state.phase = Phase::Holding;
        state.first_start_s.get_or_insert(time_s);
        if resumed {
            state.rescales += 1;
            state.progress_from_s = time_s + rescale_cost_s;
        } else {
            state.progress_from_s = time_s;
        }
        self.waiting.remove(&job);
        self.holding.insert(job);
        let time_s = state.progress_from_s + state.samples_left / samples_per_s;
        Some(Foreseen { time_s, job, version: state.version })
    }

    /// Writes the present stretch to the log and starts the next one at `time_s`.
    fn close_stretch(&mut self, job: JobId, time_s: f64) {
        let Some(state) = self.jobs.get_mut(job.index()) else { return };
        state.stretches_until(time_s, |start_s, end_s, span_state| {
            self.log.push(Stretch { job, start_s, end_s, gpus: state.gpus, state: span_state });
        });
        state.samples_left = state.samples_left_at(time_s);
        state.since_s = time_s;
        state.progress_from_s = state.progress_from_s.max(time_s);
    }

    /// The spans and job records up to `time_s`.
    pub fn record(&self, time_s: f64) -> (Spans, JobRecords) {
        let mut stretches = self.log.clone();
        for (job, state) in (0..).map(JobId).zip(&self.jobs) {
            state.stretches_until(time_s, |start_s, end_s, span_state| {
                stretches.push(Stretch { job, start_s, end_s, gpus: state.gpus, state: span_state });
            });
        }
        // Stable: within a job the log is in order of time already.
        stretches.sort_by_key(|stretch| stretch.job);
        (spans_of(&stretches, self.jobs.len()), self.job_records(&stretches))
    }

    fn job_records(&self, stretches: &[Stretch]) -> JobRecords {
        let mut records = JobRecords {
            queueing_s: vec![0.0; self.jobs.len()],
            gpu_seconds: vec![0.0; self.jobs.len()],
            rescale_gpu_seconds: vec![0.0; self.jobs.len()],
            ..JobRecords::default()
        };
        for state in &self.jobs {
            let ended = match state.phase {
                Phase::Ended(outcome) => Some(outcome),
                _ => None,
            };
            records.outcome.push(ended.unwrap_or(Outcome::Unfinished));
            records.start_s.push(state.first_start_s);
            records.end_s.push(ended.map(|_| state.since_s));
            records.rescales.push(state.rescales);
            records.preemptions.push(state.preemptions);
        }
        for stretch in stretches {
            let add = |column: &mut Vec<f64>, amount: f64| {
                if let Some(sum) = column.get_mut(stretch.job.index()) {
                    *sum += amount;
                }
            };
            let length_s = stretch.end_s - stretch.start_s;
            let gpu_seconds = length_s * f64::from(stretch.gpus);
            match stretch.state {
                SpanState::Waiting | SpanState::Preempted => add(&mut records.queueing_s, length_s),
                SpanState::Rescaling => {
                    add(&mut records.gpu_seconds, gpu_seconds);
                    add(&mut records.rescale_gpu_seconds, gpu_seconds);
                }
                SpanState::Running => add(&mut records.gpu_seconds, gpu_seconds),
            }
        }
        records
    }
}

impl JobState {
    fn samples_left_at(&self, time_s: f64) -> f64 {
        match self.phase {
            Phase::Holding if time_s > self.progress_from_s => {
                (self.samples_left - self.samples_per_s * (time_s - self.progress_from_s)).max(0.0)
            }
            _ => self.samples_left,
        }
    }

    /// Calls `stretch(start_s, end_s, state)` for what the job has been doing since its last change.
    fn stretches_until(&self, time_s: f64, mut stretch: impl FnMut(f64, f64, SpanState)) {
        let mut between = |start_s: f64, end_s: f64, state| {
            if end_s > start_s {
                stretch(start_s, end_s, state);
            }
        };
        match self.phase {
            Phase::NotSubmitted | Phase::Ended(_) => {}
            Phase::Waiting => between(self.since_s, time_s, SpanState::Waiting),
            Phase::Preempted => between(self.since_s, time_s, SpanState::Preempted),
            Phase::Holding => {
                let paid_s = self.progress_from_s.min(time_s);
                between(self.since_s, paid_s, SpanState::Rescaling);
                between(paid_s.max(self.since_s), time_s, SpanState::Running);
            }
        }
    }
}

fn spans_of(stretches: &[Stretch], jobs: usize) -> Spans {
    let mut spans = Spans::default();
    let mut next = stretches.iter().peekable();
    for job in (0..).map(JobId).take(jobs) {
        spans.first.push(spans.start_s.len() as u32);
        while let Some(stretch) = next.next_if(|stretch| stretch.job == job) {
            spans.start_s.push(stretch.start_s);
            spans.end_s.push(stretch.end_s);
            spans.gpus.push(stretch.gpus);
            spans.state.push(stretch.state);
        }
    }
    spans.first.push(spans.start_s.len() as u32);
    spans
}
