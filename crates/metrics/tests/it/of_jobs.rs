//! Metrics of some jobs, against those of a record from which all other jobs are struck out.

use elastiplan_engine::{JobRecords, Run, SpanState, Spans};
use elastiplan_engine::{Outcome, Simulation};
use elastiplan_metrics::{METRICS, Summary};
use elastiplan_model::{Cluster, Curves, JobId, Trace, Workload};
use proptest::prelude::*;

use crate::gamble::{gambler, settings, workload};
use crate::stories::{job, nodes_that_come_and_go, record, three_jobs};

/// The jobs in these places as a record and a workload of their own, on the same cluster at the same times.
fn struck_out(run: &Run, workload: &Workload, places: &[usize]) -> (Run, Workload) {
    let mut spans = Spans { first: vec![0], ..Spans::default() };
    for span in places.iter().flat_map(|&at| {
        let mut of_job: Vec<_> = run.spans.of(JobId(at as u32)).map(Some).collect();
        of_job.push(None);
        of_job
    }) {
        let Some(span) = span else {
            spans.first.push(spans.start_s.len() as u32);
            continue;
        };
        spans.start_s.push(span.start_s);
        spans.end_s.push(span.end_s);
        spans.gpus.push(span.gpus);
        spans.state.push(span.state);
        spans.samples_per_s.push(span.samples_per_s);
        spans.work_per_s.push(span.work_per_s);
    }
    fn rows<T: Clone>(column: &[T], places: &[usize]) -> Vec<T> {
        places.iter().map(|&at| column[at].clone()).collect()
    }
    let all = &run.jobs;
    let jobs = JobRecords {
        outcome: rows(&all.outcome, places),
        start_s: rows(&all.start_s, places),
        admitted_s: rows(&all.admitted_s, places),
        end_s: rows(&all.end_s, places),
        queueing_s: rows(&all.queueing_s, places),
        gpu_seconds: rows(&all.gpu_seconds, places),
        rescale_gpu_seconds: rows(&all.rescale_gpu_seconds, places),
        preemption_gpu_seconds: rows(&all.preemption_gpu_seconds, places),
        samples: rows(&all.samples, places),
        work_lost: rows(&all.work_lost, places),
        work_left: rows(&all.work_left, places),
        rescales: rows(&all.rescales, places),
        preemptions: rows(&all.preemptions, places),
        evictions: rows(&all.evictions, places),
    };
    let mut part = Run { spans, jobs, ..run.clone() };
    let place_of = |job: u32| places.iter().position(|&at| at == job as usize);
    part.losses = Default::default();
    for at in 0..run.losses.job.len() {
        let Some(place) = place_of(run.losses.job[at]) else { continue };
        part.losses.time_s.push(run.losses.time_s[at]);
        part.losses.job.push(place as u32);
        part.losses.gpu_seconds.push(run.losses.gpu_seconds[at]);
        part.losses.samples.push(run.losses.samples[at]);
        part.losses.work.push(run.losses.work[at]);
        part.losses.cause.push(run.losses.cause[at]);
    }
    part.batch_sizes = Default::default();
    for at in 0..run.batch_sizes.job.len() {
        let Some(place) = place_of(run.batch_sizes.job[at]) else { continue };
        part.batch_sizes.time_s.push(run.batch_sizes.time_s[at]);
        part.batch_sizes.job.push(place as u32);
        part.batch_sizes.batch_global.push(run.batch_sizes.batch_global[at]);
    }
    let trace = workload.trace();
    let trace = Trace::new(trace.models().to_vec(), rows(trace.jobs(), places)).unwrap();
    (part, Workload::bind(&trace, &Curves::from_iter(workload.curves().iter().cloned())).0)
}

/// The cost of every second in which one of the jobs holds GPUs.
fn naive_cost(run: &Run, places: &[usize]) -> Option<f64> {
    let spans = || places.iter().flat_map(|&at| run.spans.of(JobId(at as u32)));
    let Some(prices) = &run.prices else {
        let held: f64 = spans().map(|span| f64::from(span.gpus) * (span.end_s - span.start_s)).sum();
        return run.list_price_per_gpu_hour.or(run.price_per_gpu_hour).map(|price| held / 3600.0 * price);
    };
    let steps: Vec<(f64, f64)> = prices.steps().collect();
    let mut dollars = 0.0;
    for (at, (from_s, price)) in steps.iter().enumerate() {
        let from_s = if at == 0 { f64::NEG_INFINITY } else { *from_s };
        let until_s = steps.get(at + 1).map_or(f64::INFINITY, |step| step.0);
        let part = |start_s: f64, end_s: f64| (end_s.min(until_s) - start_s.max(from_s)).max(0.0);
        let held: f64 = spans().map(|span| f64::from(span.gpus) * part(span.start_s, span.end_s)).sum();
        dollars += held / 3600.0 * price;
    }
    Some(dollars)
}

fn check(run: &Run, workload: &Workload, places: &[usize]) {
    // In any order, with repetitions and with a job that there is not.
    let named = places.iter().rev().chain(places).copied().chain([run.jobs.outcome.len()]);
    let named: Vec<JobId> = named.map(|at| JobId(at as u32)).collect();
    let ours = Summary::of_jobs(run, workload, &named);
    let (part, of_part) = struck_out(run, workload, places);
    let expected = Summary::of(&part, &of_part);
    assert_eq!(
        (ours.deadlines_met, ours.deadlines_total, ours.deadlines_possible),
        (expected.deadlines_met, expected.deadlines_total, None)
    );
    let first_s = places.iter().map(|&at| workload.trace().jobs()[at].submit_s).fold(f64::INFINITY, f64::min);
    for info in METRICS {
        let (value, expected) = ((info.value)(&ours.metrics), (info.value)(&expected.metrics));
        let expected = match info.key {
            "deadline_ratio_bound" => None,
            "makespan_s" => expected.map(|length_s| run.start_s + length_s - first_s),
            "cost_dollars" => naive_cost(run, places),
            _ => expected,
        };
        let is_close = match (value, expected) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0),
            (None, None) => true,
            _ => false,
        };
        assert!(is_close, "{}: {value:?}, and by hand {expected:?}", info.key);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn metrics_of_some_jobs_are_those_of_a_record_without_the_others(
        workload in workload(), gambler in gambler(), mut settings in settings(), gpus in 1..5_u32,
        chosen in prop::collection::vec(any::<bool>(), 9), price in prop::option::of(0.0..5.0_f64),
    ) {
        settings.price_per_gpu_hour = price;
        let cluster = Cluster::new(3, gpus).unwrap();
        let simulation = Simulation::new(&workload, cluster, settings, "gambler", Box::new(gambler)).unwrap();
        let run = simulation.run_to_end().unwrap();
        let places: Vec<usize> = (0..run.jobs.outcome.len()).filter(|&at| chosen[at]).collect();
        check(&run, &workload, &places);
    }
}

#[test]
fn by_hand() {
    let (run, workload) = three_jobs();
    for places in [&[][..], &[0], &[1, 2], &[0, 1, 2]] {
        check(&run, &workload, places);
    }
    let second = Summary::of_jobs(&run, &workload, &[JobId(1)]);
    assert_eq!((second.metrics.avg_jct_s, second.metrics.p99_queueing_s), (Some(31.0), Some(10.0)));
    assert_eq!((second.deadlines_met, second.deadlines_total), (0, 1));
    let (run, workload) = nodes_that_come_and_go();
    check(&run, &workload, &[0]);
}

#[test]
fn all_jobs_have_the_metrics_of_the_run() {
    let (run, workload) = three_jobs();
    let all: Vec<JobId> = run.job_ids().collect();
    let (whole, part) = (Summary::of(&run, &workload), Summary::of_jobs(&run, &workload, &all));
    for info in METRICS.iter().filter(|info| info.key != "deadline_ratio_bound") {
        assert_eq!((info.value)(&whole.metrics), (info.value)(&part.metrics), "{}", info.key);
    }
}

#[test]
fn idle_time_is_no_jobs_cost() {
    let stories = [
        job(0.0, None, &[(SpanState::Running, 2, 1800.0)], Outcome::Completed),
        job(0.0, None, &[(SpanState::Running, 1, 3600.0)], Outcome::Completed),
    ];
    let (run, workload) = record(4, &stories);
    let cost = |run: &Run, jobs: &[u32]| {
        let jobs: Vec<JobId> = jobs.iter().copied().map(JobId).collect();
        Summary::of_jobs(run, &workload, &jobs).metrics.cost_dollars
    };
    assert_eq!(cost(&run, &[0]), None, "no price is known");
    let run = Run { list_price_per_gpu_hour: Some(2.0), ..run };
    assert_eq!(Summary::of(&run, &workload).metrics.cost_dollars, Some(8.0), "4 GPUs for an hour");
    assert_eq!((cost(&run, &[0]), cost(&run, &[1]), cost(&run, &[])), (Some(2.0), Some(2.0), Some(0.0)));
}
