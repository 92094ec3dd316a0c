//! Small runs, written by hand.

use elastiplan_engine::{JobRecords, Outcome, Run, Series, SpanState, Spans};
use elastiplan_model::{Job, JobId, ModelId, Trace, Work};

pub use SpanState::{Preempted, Recovering, Rescaling, Running, Waiting};

/// One job: model, deadline, outcome, when it was submitted, and spans as (seconds, state, GPUs).
#[derive(Debug)]
pub struct Told {
    pub model: u32,
    pub deadline_s: Option<f64>,
    pub outcome: Outcome,
    pub submit_s: f64,
    pub spans: Vec<(f64, SpanState, u32)>,
}

pub fn job(model: u32, submit_s: f64, spans: &[(f64, SpanState, u32)]) -> Told {
    Told { model, deadline_s: None, outcome: Outcome::Completed, submit_s, spans: spans.to_vec() }
}

impl Told {
    pub fn due(self, deadline_s: f64) -> Self {
        Self { deadline_s: Some(deadline_s), ..self }
    }

    pub fn dropped(self) -> Self {
        Self { outcome: Outcome::Dropped, ..self }
    }

    pub fn failed(self) -> Self {
        Self { outcome: Outcome::Failed, ..self }
    }

    pub fn cancelled(self) -> Self {
        Self { outcome: Outcome::Cancelled, ..self }
    }

    pub fn unfinished(self) -> Self {
        Self { outcome: Outcome::Unfinished, ..self }
    }
}

/// The trace and run that such jobs make; they must be told in order of submission.
pub fn told(gpus_total: u32, jobs: &[Told]) -> (Trace, Run) {
    let models = jobs.iter().map(|job| job.model + 1).max().unwrap_or(1);
    let of_trace = jobs.iter().zip(1u64..).map(|(told, number)| Job {
        name: format!("train-{number}"),
        source_row: number,
        submit_s: told.submit_s,
        model: ModelId(told.model),
        batch_global: None,
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(1.0),
        deadline_s: told.deadline_s,
        user: None,
        rescale: None,
        batch_range: None,
        priority: None,
    });
    let trace = Trace::new((0..models).map(|model| format!("model{model}")).collect(), of_trace.collect()).unwrap();

    let mut spans = Spans { first: vec![0], ..Spans::default() };
    let mut records = JobRecords::default();
    for told in jobs {
        let mut time_s = told.submit_s;
        for &(seconds, state, gpus) in &told.spans {
            spans.start_s.push(time_s);
            time_s += seconds;
            spans.end_s.push(time_s);
            spans.gpus.push(gpus);
            spans.state.push(state);
            spans.samples_per_s.push(0.0);
        }
        spans.first.push(spans.len() as u32);
        records.outcome.push(told.outcome);
        records.end_s.push((told.outcome != Outcome::Unfinished).then_some(time_s));
        records.queueing_s.push(0.0);
        records.gpu_seconds.push(told.spans.iter().map(|span| span.0 * f64::from(span.2)).sum());
    }
    let end_s = spans.end_s.iter().copied().fold(trace.start_s(), f64::max);
    let series = counts(&spans, gpus_total);
    let start_s = trace.start_s();
    let run = Run { gpus_total, start_s, end_s, finished: true, spans, jobs: records, series, ..Run::default() };
    (trace, run)
}

/// Counts over time, from spans.
fn counts(spans: &Spans, gpus_present: u32) -> Series {
    let mut times_s: Vec<f64> = spans.start_s.iter().chain(&spans.end_s).copied().collect();
    times_s.sort_by(f64::total_cmp);
    times_s.dedup();
    let mut changes = vec![(0i64, 0i64, 0i64); times_s.len()];
    for at in 0..spans.len() {
        let span = spans.get(at).unwrap();
        let holds = matches!(span.state, Running | Rescaling | Recovering);
        for (time_s, sign) in [(span.start_s, 1), (span.end_s, -1)] {
            let change = &mut changes[times_s.partition_point(|&t| t < time_s)];
            change.0 += sign * i64::from(span.gpus);
            change.1 += sign * i64::from(holds);
            change.2 += sign * i64::from(!holds);
        }
    }
    let mut series = Series { time_s: times_s, ..Series::default() };
    let mut now = (0, 0, 0);
    for change in changes {
        now = (now.0 + change.0, now.1 + change.1, now.2 + change.2);
        series.gpus_present.push(gpus_present);
        series.gpus_in_use.push(now.0 as u32);
        series.jobs_running.push(now.1 as u32);
        series.jobs_waiting.push(now.2 as u32);
    }
    series
}

/// Six jobs in which every state occurs; 360 s.
pub fn every_state() -> (Trace, Run) {
    told(
        8,
        &[
            job(0, 0.0, &[(200.0, Running, 4)]),
            job(1, 20.0, &[(60.0, Waiting, 0), (100.0, Running, 2), (20.0, Rescaling, 4), (60.0, Running, 4)]),
            job(2, 40.0, &[(40.0, Running, 1), (80.0, Preempted, 0), (20.0, Rescaling, 2), (60.0, Running, 2)]),
            job(0, 60.0, &[(90.0, Waiting, 0), (90.0, Running, 2)]).due(180.0),
            job(1, 100.0, &[(30.0, Waiting, 0)]).dropped(),
            job(2, 120.0, &[(80.0, Waiting, 0), (160.0, Running, 1)]).unfinished(),
        ],
    )
}

/// The run as it was known at a time.
pub fn stopped_at(run: &Run, stop_s: f64) -> Run {
    let mut stopped = Run { finished: false, end_s: stop_s, spans: Spans::default(), ..run.clone() };
    stopped.spans.first.push(0);
    for job in 0..run.jobs.outcome.len() {
        for span in run.spans.of(JobId(job as u32)).filter(|span| span.start_s < stop_s) {
            stopped.spans.start_s.push(span.start_s);
            stopped.spans.end_s.push(span.end_s.min(stop_s));
            stopped.spans.gpus.push(span.gpus);
            stopped.spans.state.push(span.state);
            stopped.spans.samples_per_s.push(span.samples_per_s);
        }
        stopped.spans.first.push(stopped.spans.len() as u32);
        if run.jobs.end_s[job].is_none_or(|end_s| end_s > stop_s) {
            stopped.jobs.outcome[job] = Outcome::Unfinished;
            stopped.jobs.end_s[job] = None;
        }
    }
    stopped.series = counts(&stopped.spans, run.gpus_total);
    stopped
}

/// A run of many jobs with many spans, of pseudo-random lengths.
pub fn many(jobs: usize, spans_per_job: usize) -> (Trace, Run) {
    let mut state = 1u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let states = [Waiting, Running, Rescaling, Preempted];
    let told_jobs: Vec<Told> = (0..jobs)
        .map(|nth| {
            let spans: Vec<_> = (0..spans_per_job)
                .map(|at| {
                    let state = if at == 0 { Waiting } else { states[1 + random(3) as usize] };
                    let gpus = if matches!(state, Running | Rescaling) { 1 << random(6) } else { 0 };
                    (10.0 + random(3_000) as f64, state, gpus)
                })
                .collect();
            let submit_s = nth as f64 * 140.0;
            let told = job(random(11) as u32, submit_s, &spans);
            if nth % 3 == 0 { told.due(submit_s + 9_000.0) } else { told }
        })
        .collect();
    told(128, &told_jobs)
}

/// The run with its jobs on nodes of so many GPUs: each takes the first that are free, and more nodes if need be.
pub fn placed(mut run: Run, gpus_per_node: u32) -> Run {
    let gpus = |at: usize| (run.spans.start_s[at], run.spans.end_s[at], run.spans.gpus[at]);
    let mut holding: Vec<(f64, f64, u32, u32)> = Vec::new();
    for job in 0..run.jobs.outcome.len() {
        let spans = run.spans.range_of(JobId(job as u32)).map(gpus).filter(|span| span.2 > 0);
        holding.extend(spans.map(|(start_s, end_s, gpus)| (start_s, end_s, gpus, job as u32)));
    }
    holding.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free_from_s: Vec<f64> = Vec::new();
    let mut rows: Vec<(u32, u32, u64, f64, f64)> = Vec::new();
    for (start_s, end_s, gpus, job) in holding {
        for _ in 0..gpus {
            let gpu = free_from_s.iter().position(|&free_s| free_s <= start_s).unwrap_or(free_from_s.len());
            free_from_s.resize(free_from_s.len().max(gpu + 1), 0.0);
            free_from_s[gpu] = end_s;
            let (node, bit) = (gpu as u32 / gpus_per_node, 1 << (gpu as u32 % gpus_per_node));
            match rows.iter_mut().rev().take(64).find(|row| (row.0, row.1, row.3, row.4) == (node, job, start_s, end_s))
            {
                Some(row) => row.2 |= bit,
                None => rows.push((node, job, bit, start_s, end_s)),
            }
        }
    }
    rows.sort_by(|a, b| a.0.cmp(&b.0).then(a.4.total_cmp(&b.4)));
    let nodes = (free_from_s.len() as u32).div_ceil(gpus_per_node);
    run.gpus_per_node = gpus_per_node;
    run.holdings.first = (0..=nodes).map(|node| rows.partition_point(|row| row.0 < node) as u32).collect();
    run.holdings.job = rows.iter().map(|row| row.1).collect();
    run.holdings.mask = rows.iter().map(|row| row.2).collect();
    run.holdings.start_s = rows.iter().map(|row| row.3).collect();
    run.holdings.end_s = rows.iter().map(|row| row.4).collect();
    run
}
