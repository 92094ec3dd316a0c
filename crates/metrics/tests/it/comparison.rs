//! Comparisons and distributions by hand, and random stories against the slow computation.

use elastiplan_engine::{Outcome, SpanState};
use elastiplan_metrics::{Comparison, Completions, completion_distribution, first_difference_s, waiting_distribution};
use proptest::prelude::*;

use crate::naive_metrics::assert_metrics_are_naive;
use crate::stories::{JobStory, job, record, three_jobs};
use Outcome::{Completed, Unfinished};
use SpanState::{Preempted, Recovering, Rescaling, Running, Waiting};

#[test]
fn distributions_count_all_jobs() {
    let (run, workload) = three_jobs();
    let completion = completion_distribution(&run, workload.trace());
    assert_eq!(completion.values, [20.0, 31.0]);
    assert_eq!(completion.shares, [1.0 / 3.0, 2.0 / 3.0]);
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

/// Jobs submitted at once that each run alone on one GPU for so long.
fn completions(lengths_s: &[f64]) -> Completions {
    let stories: Vec<JobStory> =
        lengths_s.iter().map(|length_s| job(0.0, None, &[(Running, 1, *length_s)], Completed)).collect();
    Completions::of(&record(100, &stories).0)
}

#[test]
fn additional_jobs_are_counted_when_the_other_run_has_so_many() {
    let (run, rival) = (completions(&[5.0, 10.0, 19.0, 20.0, 90.0]), completions(&[10.0, 40.0, 20.0, 30.0]));
    // The rival's second job is done at 20 s: by then four are done here.
    assert_eq!(run.additional_to(&rival, 2), Some(2.0));
    assert_eq!(rival.additional_to(&run, 2), Some(-1.0));
    // The rival completes four jobs in all, the last at 40 s.
    assert_eq!(run.additional_to(&rival, 100), Some(0.0));
    assert_eq!(rival.additional_to(&run, 100), Some(-1.0));
    let (other, _) = record(4, &[job(0.0, None, &[(Running, 1, 5.0)], Unfinished)]);
    assert_eq!(run.additional_to(&Completions::of(&other), 1), None, "the rival never completes a job");
    assert_eq!(Completions::of(&other).additional_to(&run, 1), Some(-1.0));
}

fn stories() -> impl Strategy<Value = Vec<JobStory>> {
    let span = (0..5_u8, 1..=8_u32, 0.1..500.0_f64).prop_map(|(kind, gpus, length_s)| match kind {
        0 => (Preempted, 0, length_s),
        1 => (Rescaling, gpus, length_s),
        2 => (Recovering, gpus, length_s),
        _ => (Running, gpus, length_s),
    });
    let outcome = prop_oneof![4 => Just(Completed), 1 => Just(Unfinished)];
    let story = (0.0..1000.0_f64, prop::option::of(0.0..3000.0_f64), prop::collection::vec(span, 1..6), outcome)
        .prop_map(|(submit_s, deadline_s, story, outcome)| JobStory { submit_s, deadline_s, story, outcome });
    prop::collection::vec(story, 1..12).prop_map(|mut jobs| {
        jobs.sort_by(|a, b| a.submit_s.total_cmp(&b.submit_s));
        jobs
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn metrics_equal_a_second_computation(jobs in stories()) {
        let (run, workload) = record(8 * jobs.len() as u32, &jobs);
        assert_metrics_are_naive(&run, &workload);
    }

    #[test]
    fn additional_jobs_are_those_of_a_walk_through_time(
        own in prop::collection::vec(1..40_u32, 0..30), other in prop::collection::vec(1..40_u32, 1..30), jobs in 1..40_usize,
    ) {
        let of = |lengths: &[u32]| completions(&lengths.iter().copied().map(f64::from).collect::<Vec<_>>());
        // Second by second, until the other has done as many as are asked for, or all.
        let (mut second, mut here, mut there) = (0, 0, 0);
        while there < jobs.min(other.len()) {
            second += 1;
            here += own.iter().filter(|length| **length == second).count();
            there += other.iter().filter(|length| **length == second).count();
        }
        let found = of(&own).additional_to(&of(&other), jobs);
        prop_assert_eq!(found, Some(here as f64 - there as f64));
        prop_assert_eq!(of(&own).additional_to(&of(&own), jobs), (!own.is_empty()).then_some(0.0));
    }

    #[test]
    fn a_comparison_turned_round_is_its_mirror(pairs in prop::collection::vec((0.0..500.0_f64, 0.1..900.0_f64, 0.1..900.0_f64), 1..20)) {
        let run_of = |end: fn(&(f64, f64, f64)) -> f64| {
            let story = |pair: &(f64, f64, f64)| job(0.0, Some(300.0), &[(Waiting, 0, pair.0), (Running, 1, end(pair))], Completed);
            record(100, &pairs.iter().map(story).collect::<Vec<_>>())
        };
        let (a, workload) = run_of(|pair| pair.1);
        let (b, _) = run_of(|pair| pair.2);
        let there = Comparison::between(&a, &b, &workload, 60.0);
        let back = Comparison::between(&b, &a, &workload, 60.0);
        prop_assert_eq!((there.sooner, there.equal, there.later), (back.later, back.equal, back.sooner));
        prop_assert_eq!((there.deadlines_gained, there.deadlines_lost), (back.deadlines_lost, back.deadlines_gained));
        prop_assert_eq!(there.sooner + there.equal + there.later, pairs.len() as u64);
        let shares = completion_distribution(&a, workload.trace()).shares;
        prop_assert_eq!(shares.last(), Some(&1.0));
    }
}
