//! The record of a run, made from the state and its logs.

use elastiplan_model::{JobId, order};

use crate::state::State;
use crate::{JobRecords, LossCause, Losses, Outcome, Span, SpanState, Spans};

impl State {
    /// Spans and job records up to `time_s`.
    pub fn record(&self, time_s: f64) -> (Spans, JobRecords) {
        let mut spans: Vec<(JobId, Span)> = self.log.iter().copied().collect();
        for (job, state) in (0..).map(JobId).zip(self.jobs()) {
            state.spans_until(time_s, |span| spans.push((job, span)));
        }
        // Within a job the log is in order of time already, and stays so.
        let spans = order::by_index(spans, self.jobs().len(), |(job, _)| job.index());
        (columns(&spans, self.jobs().len()), self.job_records(&spans, time_s))
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

    fn job_records(&self, spans: &[(JobId, Span)], time_s: f64) -> JobRecords {
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
        for (job, span) in spans {
            let length_s = span.end_s - span.start_s;
            let gpu_seconds = length_s * f64::from(span.gpus);
            match span.state {
                SpanState::Waiting | SpanState::Preempted => add(&mut records.queueing_s, *job, length_s),
                _ => add(&mut records.gpu_seconds, *job, gpu_seconds),
            }
            match span.state {
                SpanState::Rescaling => add(&mut records.rescale_gpu_seconds, *job, gpu_seconds),
                SpanState::Recovering => add(&mut records.preemption_gpu_seconds, *job, gpu_seconds),
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

/// Spans in order of jobs as columns.
fn columns(rows: &[(JobId, Span)], jobs: usize) -> Spans {
    let mut spans = Spans::default();
    let has_efficiency = rows.iter().any(|(_, span)| span.work_per_s != span.samples_per_s);
    let mut next = rows.iter().peekable();
    for job in (0..).map(JobId).take(jobs) {
        spans.first.push(spans.start_s.len() as u32);
        while let Some((_, span)) = next.next_if(|(of, _)| *of == job) {
            spans.start_s.push(span.start_s);
            spans.end_s.push(span.end_s);
            spans.gpus.push(span.gpus);
            spans.state.push(span.state);
            spans.samples_per_s.push(span.samples_per_s);
            spans.work_per_s.extend(has_efficiency.then_some(span.work_per_s));
        }
    }
    spans.first.push(spans.start_s.len() as u32);
    spans
}
