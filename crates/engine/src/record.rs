//! The record of a run, made from the state and its logs.

use elastiplan_model::JobId;

use crate::log::Log;
use crate::state::State;
use crate::{JobRecords, LossCause, Losses, Outcome, Span, SpanState, Spans};

impl State {
    /// Spans and job records up to `time_s`.
    pub fn record(&self, time_s: f64) -> (Spans, JobRecords) {
        let spans = self.span_columns(time_s);
        let records = self.job_records(&spans, time_s);
        (spans, records)
    }

    /// The same at the end of a run: the log of spans is dropped before the records of jobs are made.
    pub fn into_record(mut self, time_s: f64) -> (Spans, JobRecords) {
        let spans = self.span_columns(time_s);
        self.log = Log::default();
        let records = self.job_records(&spans, time_s);
        (spans, records)
    }

    /// Visits all spans up to `time_s`, those of each job in order of time.
    fn each_span(&self, time_s: f64, mut visit: impl FnMut(JobId, Span)) {
        self.log.iter().for_each(|(job, span)| visit(*job, *span));
        for (job, state) in (0..).map(JobId).zip(self.jobs()) {
            state.spans_until(time_s, |span| visit(job, span));
        }
    }

    /// All spans in order of jobs. They are counted first and then put in their places: a long log is not copied twice.
    fn span_columns(&self, time_s: f64) -> Spans {
        let mut next = vec![0_u32; self.jobs().len() + 1];
        let mut has_efficiency = false;
        self.each_span(time_s, |job, span| {
            has_efficiency |= span.work_per_s != span.samples_per_s;
            if let Some(count) = next.get_mut(job.index() + 1) {
                *count += 1;
            }
        });
        let mut total = 0;
        for count in &mut next {
            total += *count;
            *count = total;
        }
        let len = total as usize;
        let mut spans = Spans {
            first: next.clone(),
            start_s: vec![0.0; len],
            end_s: vec![0.0; len],
            gpus: vec![0; len],
            state: vec![SpanState::Waiting; len],
            samples_per_s: vec![0.0; len],
            work_per_s: vec![0.0; if has_efficiency { len } else { 0 }],
        };
        self.each_span(time_s, |job, span| {
            let Some(at) = next.get_mut(job.index()) else { return };
            spans.put(*at as usize, &span);
            *at += 1;
        });
        spans
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

    fn job_records(&self, spans: &Spans, time_s: f64) -> JobRecords {
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
        let jobs = (0..).map(JobId).take(self.jobs().len());
        for (job, span) in jobs.flat_map(|job| spans.of(job).map(move |span| (job, span))) {
            let length_s = span.end_s - span.start_s;
            let gpu_seconds = length_s * f64::from(span.gpus);
            match span.state {
                SpanState::Waiting | SpanState::Preempted => add(&mut records.queueing_s, job, length_s),
                _ => add(&mut records.gpu_seconds, job, gpu_seconds),
            }
            match span.state {
                SpanState::Rescaling => add(&mut records.rescale_gpu_seconds, job, gpu_seconds),
                SpanState::Recovering => add(&mut records.preemption_gpu_seconds, job, gpu_seconds),
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

impl Spans {
    /// Writes a span into a row that is there.
    fn put(&mut self, at: usize, span: &Span) {
        put(&mut self.start_s, at, span.start_s);
        put(&mut self.end_s, at, span.end_s);
        put(&mut self.gpus, at, span.gpus);
        put(&mut self.state, at, span.state);
        put(&mut self.samples_per_s, at, span.samples_per_s);
        put(&mut self.work_per_s, at, span.work_per_s);
    }
}

/// Writes a value into a row of a column, if it has such a row.
pub(crate) fn put<T>(column: &mut [T], at: usize, value: T) {
    if let Some(place) = column.get_mut(at) {
        *place = value;
    }
}
