//! The metrics against a second, slow computation, and on runs small enough to check by hand.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

use elastiplan_engine::{JobRecords, Outcome, Run, Series, SpanState, Spans};
use elastiplan_metrics::{
    Comparison, METRICS, Summary, completion_distribution, first_difference_s, percentile, waiting_distribution,
};
use elastiplan_model::{Curve, CurveKey, Curves, Job, ModelId, Trace, Work, Workload};
use proptest::prelude::*;

/// What one job does: (state, GPUs, seconds), from its submission on.
type Story = Vec<(SpanState, u32, f64)>;

#[derive(Debug)]
struct Told {
    submit_s: f64,
    deadline_s: Option<f64>,
    story: Story,
    outcome: Outcome,
}

fn job(submit_s: f64, deadline_s: Option<f64>, story: &[(SpanState, u32, f64)], outcome: Outcome) -> Told {
    Told { submit_s, deadline_s, story: story.to_vec(), outcome }
}

/// Speeds on 1, 2, 3, ... GPUs.
const SPEEDS: [f64; 8] = [10.0, 18.0, 24.0, 28.0, 31.0, 33.0, 34.0, 34.5];

fn speed(gpus: u32) -> f64 {
    SPEEDS[gpus as usize - 1]
}

/// The record that an engine would leave of these stories.
fn record(gpus_total: u32, jobs: &[Told]) -> (Run, Workload) {
    let mut spans = Spans { first: vec![0], ..Spans::default() };
    let mut records = JobRecords::default();
    let mut end_of_run_s: f64 = 0.0;
    for told in jobs {
        let mut time_s = told.submit_s;
        let mut sums = (0.0, 0.0, 0.0);
        let mut start_s = None;
        for &(state, gpus, length_s) in &told.story {
            spans.start_s.push(time_s);
            spans.end_s.push(time_s + length_s);
            spans.gpus.push(gpus);
            spans.state.push(state);
            if gpus == 0 {
                sums.0 += length_s;
            } else {
                start_s.get_or_insert(time_s);
            }
            sums.1 += f64::from(gpus) * length_s;
            sums.2 += if state == SpanState::Rescaling { f64::from(gpus) * length_s } else { 0.0 };
            time_s += length_s;
        }
        spans.first.push(spans.start_s.len() as u32);
        let changes = told.story.iter().filter(|span| span.0 == SpanState::Rescaling).count();
        records.outcome.push(told.outcome);
        records.start_s.push(start_s);
        records.end_s.push((told.outcome != Outcome::Unfinished).then_some(time_s));
        records.queueing_s.push(sums.0);
        records.gpu_seconds.push(sums.1);
        records.rescale_gpu_seconds.push(sums.2);
        records.rescales.push(changes as u32);
        records.preemptions.push(told.story.iter().filter(|span| span.0 == SpanState::Preempted).count() as u32);
        end_of_run_s = end_of_run_s.max(time_s);
    }
    let start_s = jobs.iter().map(|told| told.submit_s).fold(f64::INFINITY, f64::min);
    let run = Run {
        gpus_total,
        start_s: if jobs.is_empty() { 0.0 } else { start_s },
        end_s: end_of_run_s,
        finished: true,
        spans,
        jobs: records,
        series: Series::default(),
        decisions_s: Vec::new(),
    };
    (run, workload(jobs))
}

fn workload(jobs: &[Told]) -> Workload {
    let key = CurveKey { model: "m".into(), batch_global: None };
    let curve = Curve::new(key, (1..).zip(SPEEDS)).unwrap();
    let job = |(number, told): (usize, &Told)| Job {
        name: format!("job-{number}"),
        source_row: 0,
        submit_s: told.submit_s,
        model: ModelId(0),
        batch_global: None,
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(1.0),
        deadline_s: told.deadline_s,
        user: None,
    };
    let trace = Trace::new(vec!["m".into()], jobs.iter().enumerate().map(job).collect()).unwrap();
    Workload::bind(&trace, &Curves::from_iter([curve])).0
}

use Outcome::{Completed, Dropped, Unfinished};
use SpanState::{Preempted, Rescaling, Running, Waiting};

/// Three jobs on 4 GPUs:
///
/// ```text
/// time   0         10        20        30        40
/// job-0  1111111111 1111111111                        deadline 20, met
/// job-1  .......... 2222222222 ~~333333333            deadline 30, missed
/// job-2  (submitted at 10) dropped at once
/// ```
fn three_jobs() -> (Run, Workload) {
    record(
        4,
        &[
            job(0.0, Some(20.0), &[(Running, 1, 20.0)], Completed),
            job(
                0.0,
                Some(30.0),
                &[(Waiting, 0, 10.0), (Running, 2, 10.0), (Rescaling, 3, 2.0), (Running, 3, 9.0)],
                Completed,
            ),
            job(10.0, None, &[], Dropped),
        ],
    )
}

#[test]
fn three_jobs_by_hand() {
    let (run, workload) = three_jobs();
    let summary = Summary::of(&run, &workload);
    let metrics = &summary.metrics;
    let counts = (metrics.jobs_total, metrics.jobs_completed, metrics.jobs_dropped, metrics.jobs_unfinished);
    assert_eq!(counts, (3, 2, 1, 0));
    assert_eq!(metrics.avg_jct_s, Some((20.0 + 31.0) / 2.0));
    assert_eq!(metrics.p50_jct_s, Some(25.5));
    assert_eq!(metrics.avg_queueing_s, Some(5.0));
    assert_eq!(metrics.makespan_s, Some(31.0));
    let gpu_seconds = 20.0 + 2.0 * 10.0 + 3.0 * 11.0;
    assert_eq!(metrics.gpu_hours, gpu_seconds / 3600.0);
    assert_eq!(metrics.gpu_utilization, Some(gpu_seconds / (4.0 * 31.0)));
    assert_eq!((metrics.rescale_count, metrics.rescale_gpu_s), (1, 6.0));
    assert_eq!((summary.deadlines_met, summary.deadlines_total), (1, 2));
    assert_eq!(metrics.deadline_satisfactory_ratio, Some(0.5));
    // On one GPU job-0's work takes 20 s, job-1's (180 + 216 samples at 10 a second) 39.6 s.
    let single_gpu_seconds = 20.0 + 39.6;
    assert_eq!(metrics.cluster_efficiency, Some(single_gpu_seconds / (4.0 * 31.0)));
    assert_eq!(metrics.sjs_efficiency, Some(single_gpu_seconds / gpu_seconds));
    assert_eq!(metrics.job_drop_ratio, Some(1.0 / 3.0));
}

#[test]
fn what_does_not_apply_is_missing() {
    let (run, workload) = record(4, &[]);
    let none = Summary::of(&run, &workload);
    for info in METRICS {
        let value = (info.value)(&none);
        assert!(value.is_none_or(|value| value == 0.0), "{}: {value:?}", info.key);
    }
    assert_eq!(none.metrics.avg_jct_s, None);
    assert_eq!(none.metrics.deadline_satisfactory_ratio, None);

    let (run, workload) = record(4, &[job(0.0, None, &[(Waiting, 0, 50.0)], Unfinished)]);
    let waiting = Summary::of(&run, &workload).metrics;
    assert_eq!((waiting.avg_jct_s, waiting.makespan_s, waiting.sjs_efficiency), (None, None, None));
    assert_eq!(waiting.gpu_utilization, Some(0.0));
}

#[test]
fn the_catalogue_has_the_keys_of_the_json() {
    let keys: Vec<&str> = METRICS.iter().map(|info| info.key).collect();
    let expected = "jobs_total jobs_completed jobs_dropped jobs_unfinished avg_jct_s p50_jct_s p95_jct_s p99_jct_s \
        avg_queueing_s makespan_s gpu_hours gpu_utilization rescale_count rescale_gpu_s deadline_satisfactory_ratio \
        cluster_efficiency sjs_efficiency job_drop_ratio preemption_count";
    assert_eq!(keys.join(" "), expected);
}

#[test]
fn percentiles_lie_on_the_line_between_neighbours() {
    let check = |values: &[f64], share, expected| assert_eq!(percentile(values, share), expected);
    check(&[], 0.5, None);
    check(&[7.0], 0.99, Some(7.0));
    check(&[1.0, 2.0], 0.5, Some(1.5));
    check(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.25, Some(2.0));
    // numpy.percentile([10, 20, 30, 40], 90)
    check(&[10.0, 20.0, 30.0, 40.0], 0.9, Some(37.0));
    check(&[10.0, 20.0], 1.0, Some(20.0));
}

#[test]
fn distributions_count_all_jobs() {
    let (run, workload) = three_jobs();
    let completion = completion_distribution(&run, workload.trace());
    assert_eq!(completion.values, [20.0, 31.0]);
    assert_eq!(completion.shares, [1.0 / 3.0, 2.0 / 3.0]);
    assert_eq!(
        (completion.share_at(19.9), completion.share_at(20.0), completion.share_at(1e9)),
        (0.0, 1.0 / 3.0, 2.0 / 3.0)
    );
    assert_eq!(waiting_distribution(&run).values, [0.0, 10.0]);
}

#[test]
fn comparison_counts_jobs_and_deadlines() {
    let (run, workload) = three_jobs();
    // The same jobs: the first 15 s later, which costs its deadline; the second 0.5 s later; the third not dropped.
    let (other, _) = record(
        4,
        &[
            job(0.0, Some(20.0), &[(Waiting, 0, 15.0), (Running, 1, 20.0)], Completed),
            job(0.0, Some(30.0), &[(Waiting, 0, 10.0), (Running, 2, 21.5)], Completed),
            job(10.0, None, &[(Running, 1, 5.0)], Completed),
        ],
    );
    let comparison = Comparison::between(&other, &run, &workload, 1.0);
    assert_eq!((comparison.sooner, comparison.equal, comparison.later), (1, 1, 1));
    assert_eq!((comparison.deadlines_gained, comparison.deadlines_lost), (0, 1));
    assert_eq!(first_difference_s(&run, &other), Some(0.0));
    assert_eq!(first_difference_s(&run, &run.clone()), None);
}

fn stories() -> impl Strategy<Value = Vec<Told>> {
    let span = (0..4_u8, 1..=8_u32, 0.1..500.0_f64).prop_map(|(kind, gpus, length_s)| match kind {
        0 => (Preempted, 0, length_s),
        1 => (Rescaling, gpus, length_s),
        _ => (Running, gpus, length_s),
    });
    let outcome = prop_oneof![4 => Just(Completed), 1 => Just(Unfinished)];
    let told = (0.0..1000.0_f64, prop::option::of(0.0..3000.0_f64), prop::collection::vec(span, 1..6), outcome)
        .prop_map(|(submit_s, deadline_s, story, outcome)| Told { submit_s, deadline_s, story, outcome });
    prop::collection::vec(told, 1..12).prop_map(|mut jobs| {
        jobs.sort_by(|a, b| a.submit_s.total_cmp(&b.submit_s));
        jobs
    })
}

/// The integrals, summed over the pieces between any two moments at which anything changes.
fn integrals(run: &Run) -> (f64, f64) {
    let mut moments: Vec<f64> = run.spans.start_s.iter().chain(&run.spans.end_s).copied().collect();
    moments.sort_by(f64::total_cmp);
    let (mut gpu_seconds, mut single_gpu_seconds) = (0.0, 0.0);
    for pair in moments.windows(2) {
        let (from_s, length_s) = (pair[0], pair[1] - pair[0]);
        for at in 0..run.spans.len() {
            let span = run.spans.get(at).unwrap();
            if span.start_s <= from_s && from_s < span.end_s {
                gpu_seconds += f64::from(span.gpus) * length_s;
                if span.state == Running {
                    single_gpu_seconds += speed(span.gpus) / speed(1) * length_s;
                }
            }
        }
    }
    (gpu_seconds, single_gpu_seconds)
}

fn nearly(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn metrics_equal_a_second_computation(jobs in stories()) {
        let gpus_total = 8 * jobs.len() as u32;
        let (run, workload) = record(gpus_total, &jobs);
        let summary = Summary::of(&run, &workload);
        let metrics = &summary.metrics;
        let (gpu_seconds, single_gpu_seconds) = integrals(&run);
        let available = f64::from(gpus_total) * (run.end_s - run.start_s);
        prop_assert!(nearly(metrics.gpu_hours * 3600.0, gpu_seconds));
        prop_assert!(nearly(metrics.gpu_utilization.unwrap(), gpu_seconds / available));
        prop_assert!(nearly(metrics.cluster_efficiency.unwrap(), single_gpu_seconds / available));
        if gpu_seconds > 0.0 {
            prop_assert!(nearly(metrics.sjs_efficiency.unwrap(), single_gpu_seconds / gpu_seconds));
        }

        let end_s = |told: &Told| told.submit_s + told.story.iter().map(|span| span.2).sum::<f64>();
        let completed: Vec<&Told> = jobs.iter().filter(|told| told.outcome == Completed).collect();
        let total_jct_s: f64 = completed.iter().map(|told| end_s(told) - told.submit_s).sum();
        prop_assert_eq!(metrics.avg_jct_s.is_some(), !completed.is_empty());
        if let Some(avg_jct_s) = metrics.avg_jct_s {
            prop_assert!(nearly(avg_jct_s, total_jct_s / completed.len() as f64));
            let last_s = completed.iter().map(|told| end_s(told)).fold(0.0, f64::max);
            prop_assert!(nearly(metrics.makespan_s.unwrap(), last_s - jobs[0].submit_s));
        }
        let asked = jobs.iter().filter(|told| told.deadline_s.is_some()).count() as u64;
        prop_assert_eq!(summary.deadlines_total, asked);
    }

    #[test]
    fn a_comparison_turned_round_is_its_mirror(pairs in prop::collection::vec((0.0..500.0_f64, 0.1..900.0_f64, 0.1..900.0_f64), 1..20)) {
        let run_of = |end: fn(&(f64, f64, f64)) -> f64| {
            let told = |pair: &(f64, f64, f64)| job(0.0, Some(300.0), &[(Waiting, 0, pair.0), (Running, 1, end(pair))], Completed);
            record(100, &pairs.iter().map(told).collect::<Vec<_>>())
        };
        let (a, workload) = run_of(|pair| pair.1);
        let (b, _) = run_of(|pair| pair.2);
        let there = Comparison::between(&a, &b, &workload, 60.0);
        let back = Comparison::between(&b, &a, &workload, 60.0);
        prop_assert_eq!((there.sooner, there.equal, there.later), (back.later, back.equal, back.sooner));
        prop_assert_eq!((there.deadlines_gained, there.deadlines_lost), (back.deadlines_lost, back.deadlines_gained));
        prop_assert_eq!(there.sooner + there.equal + there.later, pairs.len() as u64);
        let share = completion_distribution(&a, workload.trace()).share_at(f64::INFINITY);
        prop_assert!(nearly(share, 1.0));
    }
}
