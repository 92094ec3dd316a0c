//! The record of a run, made from the state and its logs.

use elastiplan_model::{JobId, order};

use crate::state::{State, Stretch};
use crate::{JobRecords, LossCause, Losses, Outcome, SpanState, Spans};

impl State {
    /// Spans and job records up to `time_s`.
    pub fn record(&self, time_s: f64) -> (Spans, JobRecords) {
        let mut stretches: Vec<Stretch> = self.log.iter().copied().collect();
        for (job, state) in (0..).map(JobId).zip(self.jobs()) {
            state.stretches_until(time_s, |stretch| stretches.push(Stretch { job, ..stretch }));
        }
        // Within a job the log is in order of time already, and stays so.
        let stretches = order::by_index(stretches, self.jobs().len(), |stretch| stretch.job.index());
        (spans_of(&stretches, self.jobs().len()), self.job_records(&stretches, time_s))
    }

    /// The log of losses as columns.
    pub fn loss_columns(&self) -> Losses {
        let mut losses = Losses::default();
        for loss in self.losses.iter() {
            losses.time_s.push(loss.time_s);
            losses.job.push(loss.job.0);
            losses.gpu_seconds.push(loss.gpu_seconds);
            losses.samples.push(loss.samples);
            losses.work.push(loss.work);
            losses.cause.push(loss.cause);
        }
        losses
    }

    fn job_records(&self, stretches: &[Stretch], time_s: f64) -> JobRecords {
        let none = || vec![0.0; self.jobs().len()];
        let mut records = JobRecords {
            queueing_s: none(),
            gpu_seconds: none(),
            rescale_gpu_seconds: none(),
            preemption_gpu_seconds: none(),
            work_lost: none(),
            ..JobRecords::default()
        };
        for state in self.jobs() {
            let ended = state.outcome();
            records.outcome.push(ended.unwrap_or(Outcome::Unfinished));
            records.start_s.push(state.first_start_s);
            records.admitted_s.push(state.admitted_s);
            records.end_s.push(ended.map(|_| state.since_s()));
            records.rescales.push(state.rescales);
            records.preemptions.push(state.preemptions);
            records.evictions.push(state.evictions);
            records.samples.push(state.samples_at(time_s));
            records.work_left.push(state.work_left_at(time_s));
        }
        for stretch in stretches {
            let length_s = stretch.end_s - stretch.start_s;
            let gpu_seconds = length_s * f64::from(stretch.gpus);
            match stretch.state {
                SpanState::Waiting | SpanState::Preempted => add(&mut records.queueing_s, stretch.job, length_s),
                _ => add(&mut records.gpu_seconds, stretch.job, gpu_seconds),
            }
            match stretch.state {
                SpanState::Rescaling => add(&mut records.rescale_gpu_seconds, stretch.job, gpu_seconds),
                SpanState::Recovering => add(&mut records.preemption_gpu_seconds, stretch.job, gpu_seconds),
                SpanState::Waiting | SpanState::Preempted | SpanState::Running => {}
            }
        }
        for loss in self.losses.iter() {
            let column = match loss.cause {
                LossCause::NodeLeft => &mut records.preemption_gpu_seconds,
                LossCause::Rescale => &mut records.rescale_gpu_seconds,
            };
            add(column, loss.job, loss.gpu_seconds);
            add(&mut records.work_lost, loss.job, loss.work);
        }
        records
    }
}

fn add(column: &mut [f64], job: JobId, amount: f64) {
    if let Some(sum) = column.get_mut(job.index()) {
        *sum += amount;
    }
}

fn spans_of(stretches: &[Stretch], jobs: usize) -> Spans {
    let mut spans = Spans::default();
    let has_efficiency = stretches.iter().any(|stretch| stretch.work_per_s != stretch.samples_per_s);
    let mut next = stretches.iter().peekable();
    for job in (0..).map(JobId).take(jobs) {
        spans.first.push(spans.start_s.len() as u32);
        while let Some(stretch) = next.next_if(|stretch| stretch.job == job) {
            spans.start_s.push(stretch.start_s);
            spans.end_s.push(stretch.end_s);
            spans.gpus.push(stretch.gpus);
            spans.state.push(stretch.state);
            spans.samples_per_s.push(stretch.samples_per_s);
            spans.work_per_s.extend(has_efficiency.then_some(stretch.work_per_s));
        }
    }
    spans.first.push(spans.start_s.len() as u32);
    spans
}
