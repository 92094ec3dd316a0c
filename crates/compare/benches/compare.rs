//! What a comparison of two large runs costs.
//!
//! `cargo bench -p elastiplan-compare`. 82,000 jobs with 12 spans each, twice, made up rather than simulated: what
//! counts is their number. Printed as a table, not by criterion: the slowest takes a tenth of a second.

use std::hint::black_box;
use std::time::Instant;

use elastiplan_compare::{
    Arrangement, Badge, Direction, Divergence, GROUPED_WITHIN_S, GroupBy, IntervalIndex, Jobs, OrderBy, Quantity,
    Query, Story, Vocabulary, complete, difference_over_time, ranked,
};
use elastiplan_engine::{JobRecords, Outcome, Run, Series, SpanState, Spans};
use elastiplan_metrics::{Comparison, EQUAL_WITHIN_S};
use elastiplan_model::{Curve, CurveKey, Curves, Job, JobId, ModelId, Trace, Work, Workload};

const JOBS: u32 = 82_000;
const MODELS: u32 = 40;
const SPANS: u32 = 12;
/// From submission to submission.
const GAP_S: f64 = 30.0;

fn workload() -> Option<Workload> {
    let models: Vec<String> = (0..MODELS).map(|number| format!("model-{number}")).collect();
    let job = |number: u32| Job {
        name: format!("application_1506638472019_{number}"),
        source_row: 0,
        submit_s: f64::from(number) * GAP_S,
        model: ModelId(number * 7 % MODELS),
        batch_global: None,
        gpus_requested: 1 + number % 8,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(1e5),
        deadline_s: (!number.is_multiple_of(3)).then(|| f64::from(number) * GAP_S + 5_000.0),
        user: Some(format!("user-{}", number * 13 % 300)),
        rescale: None,
        batch_range: None,
        priority: None,
    };
    let curve = |model: &String| {
        let key = CurveKey { model: model.clone(), batch_global: None };
        Curve::new(key, (1..=16).map(|gpus| (gpus, f64::from(gpus) * 10.0))).ok()
    };
    let curves: Curves = models.iter().filter_map(curve).collect();
    let trace = Trace::new(models, (0..JOBS).map(job).collect()).ok()?;
    Some(Workload::bind(&trace, &curves).0)
}

/// Every job waits, runs, is resized again and again, and completes; `seed` makes runs differ.
fn run(workload: &Workload, seed: u32) -> Run {
    let mut spans = Spans::default();
    let mut jobs = JobRecords::default();
    for (id, job) in workload.trace().iter() {
        let dice = |number: u32| (id.0 + number).wrapping_mul(2_654_435_761).wrapping_add(seed * (id.0 % 97)) >> 16;
        let mut time_s = job.submit_s;
        spans.first.push(spans.start_s.len() as u32);
        for number in 0..SPANS {
            let state = match number {
                0 => SpanState::Waiting,
                number if number % 2 == 0 => SpanState::Rescaling,
                _ => SpanState::Running,
            };
            let gpus = if number == 0 { 0 } else { 1 + dice(number / 2) % 16 };
            spans.start_s.push(time_s);
            time_s += f64::from(1 + dice(number) % 600);
            spans.end_s.push(time_s);
            spans.gpus.push(gpus);
            spans.state.push(state);
            spans.samples_per_s.push(if state == SpanState::Running { f64::from(gpus) * 10.0 } else { 0.0 });
        }
        jobs.outcome.push(Outcome::Completed);
        jobs.start_s.push(spans.end_s.get(spans.end_s.len() - SPANS as usize).copied());
        jobs.admitted_s.push(None);
        jobs.end_s.push(Some(time_s));
        jobs.queueing_s.push(f64::from(1 + dice(0) % 600));
        jobs.gpu_seconds.push(1.0);
        jobs.rescale_gpu_seconds.push(0.0);
        jobs.rescales.push(SPANS / 2 - 1);
        jobs.preemptions.push(0);
        jobs.evictions.push(0);
    }
    spans.first.push(spans.start_s.len() as u32);
    let mut times_s = spans.start_s.clone();
    #[allow(clippy::disallowed_methods)]
    times_s.sort_by(f64::total_cmp);
    times_s.dedup();
    let counts = |most: u32| -> Vec<u32> { (0..times_s.len() as u32).map(|row| row * 31 % most).collect() };
    let series = Series {
        gpus_present: vec![2400; times_s.len()],
        gpus_in_use: counts(2400),
        jobs_running: counts(300),
        jobs_waiting: counts(500),
        time_s: times_s,
    };
    let end_s = spans.end_s.iter().copied().fold(0.0, f64::max);
    Run { gpus_total: 2400, gpus_per_node: 8, end_s, finished: true, spans, jobs, series, ..Run::default() }
}

/// Prints the middle of so many times.
fn time<T>(what: &str, times: usize, mut work: impl FnMut() -> T) {
    let mut taken_ms: Vec<f64> = (0..times)
        .map(|_| {
            let started = Instant::now();
            black_box(work());
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    #[allow(clippy::disallowed_methods)]
    taken_ms.sort_by(f64::total_cmp);
    let middle_ms = taken_ms.get(times / 2).copied().unwrap_or(f64::NAN);
    println!("{middle_ms:>10.4} ms  {what}");
}

fn main() {
    let Some(workload) = workload() else { return };
    let (a, b) = (run(&workload, 0), run(&workload, 1));
    println!("{} jobs, {} spans, {} rows of counts", JOBS, a.spans.len(), a.series.time_s.len());
    let runs = [Some(&a), Some(&b)];
    let jobs = Jobs::new(&workload, &runs, EQUAL_WITHIN_S);
    let second = Badge::of_slot(1).unwrap_or(Badge::BASELINE);
    for text in ["model:model-3 gpus>4 missed later:B", "1234 or user-77", "-completed", "jct>2h diff:B>10m"] {
        let Ok(query) = text.parse::<Query>() else { continue };
        time(&format!("find {text}: {} jobs", query.find(&jobs).len()), 21, || query.find(&jobs));
    }
    let vocabulary = Vocabulary::of(workload.trace(), vec!["a".into(), "b".into()]);
    time("names for completions", 11, || Vocabulary::of(workload.trace(), Vec::new()));
    time("completions of user:", 21, || complete("user:", 5, &vocabulary, 9));
    let found: Vec<JobId> = jobs.ids().collect();
    for (group, order) in [(GroupBy::Model, OrderBy::Jct(second)), (GroupBy::User, OrderBy::Difference(second))] {
        let arrange = || Arrangement::of(&jobs, &found, group, order, Direction::Falling);
        time(&format!("arrange {group:?} {order:?}"), 11, arrange);
    }
    time("story of one job", 101, || Story::of(&a, &workload, JobId(JOBS / 2), GROUPED_WITHIN_S));
    time("index of a run", 11, || IntervalIndex::of(&a, &workload));
    let index = IntervalIndex::of(&a, &workload);
    let third_s = a.end_s / 3.0;
    time("statistics of a third of a run", 1001, || index.between(&a, third_s, 2.0 * third_s));
    time("jobs sooner and later", 11, || Comparison::between(&b, &a, &workload, EQUAL_WITHIN_S));
    time("first difference", 11, || Divergence::of(&b, &a, &workload));
    time("first difference of a run from itself", 11, || Divergence::of(&a, &a, &workload));
    time("jobs by difference", 11, || ranked(&b, &a, &workload));
    for quantity in [Quantity::GpusInUse, Quantity::JobsCompleted] {
        time(&format!("{quantity:?} over time"), 11, || difference_over_time(&b, &a, quantity));
    }
}
