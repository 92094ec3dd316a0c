//! What differs between two runs: by hand, and against plain recounts.

use elastiplan_compare::{Divergence, Doing, Quantity, difference_over_time, ranked};
use elastiplan_engine::{Outcome, Run, SpanState};
use elastiplan_metrics::{JobDifference, over_time};
use elastiplan_model::{JobId, Workload};
use proptest::prelude::*;

use crate::runs::{random, sampled};
use crate::stories::{job, record, three_jobs};
use Outcome::{Completed, Dropped, Unfinished};
use SpanState::{Running, Waiting};

/// The three jobs under another policy: the first as before, the second sooner, the third runs and is not dropped.
fn other() -> Run {
    let jobs = [
        job(0.0, Some(20.0), &[(Running, 1, 20.0)], Completed),
        job(0.0, Some(30.0), &[(Waiting, 0, 4.0), (Running, 3, 16.5)], Completed),
        job(10.0, None, &[(Running, 1, 5.0)], Completed),
    ];
    record(4, &jobs).0
}

#[test]
fn runs_part_where_one_starts_a_job_and_the_other_does_not() {
    let ((baseline, workload), run) = (three_jobs(), other());
    let divergence = Divergence::of(&run, &baseline, &workload).unwrap();
    assert_eq!(divergence.time_s, 4.0);
    let [job] = divergence.jobs.as_slice() else { panic!("{:?}", divergence.jobs) };
    assert_eq!(
        (job.job, job.here.words(), job.in_baseline.words()),
        (JobId(1), "3 GPUs, 24 samples/s".into(), "waiting".into())
    );
    assert_eq!(Divergence::of(&run, &run.clone(), &workload), None);
}

#[test]
fn a_job_that_is_dropped_at_once_parts_the_runs_too() {
    let story = [(Waiting, 0, 9.0), (Running, 1, 3.0)];
    let (baseline, workload) = record(4, &[job(0.0, None, &story, Completed)]);
    let (run, _) = record(4, &[job(0.0, None, &[], Dropped)]);
    let divergence = Divergence::of(&run, &baseline, &workload).unwrap();
    assert_eq!((divergence.time_s, divergence.jobs[0].here), (0.0, Doing::Ended(Dropped)));
    assert_eq!(divergence.jobs[0].here.words(), "declined");
}

#[test]
fn what_a_run_on_its_way_has_not_come_to_is_no_difference() {
    let (baseline, workload) = three_jobs();
    let (mut run, _) = record(
        4,
        &[
            job(0.0, Some(20.0), &[(Running, 1, 15.0)], Unfinished),
            job(0.0, Some(30.0), &[(Waiting, 0, 10.0), (Running, 2, 5.0)], Unfinished),
            job(10.0, None, &[], Dropped),
        ],
    );
    assert!(Divergence::of(&run, &baseline, &workload).is_some());
    run.finished = false;
    assert_eq!(Divergence::of(&run, &baseline, &workload), None);
}

#[test]
fn jobs_by_how_much_they_differ() {
    let ((baseline, workload), run) = (three_jobs(), other());
    let ranked = ranked(&run, &baseline, &workload);
    let jobs: Vec<(u32, JobDifference)> = ranked.iter().map(|ranked| (ranked.job.0, ranked.difference)).collect();
    let both = |difference_s| JobDifference::Both { difference_s };
    assert_eq!(jobs, [(2, JobDifference::OnlyHere), (1, both(-10.5)), (0, both(0.0))]);
}

#[test]
fn differences_over_time_by_hand() {
    let ((baseline, _), run) = (three_jobs(), other());
    let at = |quantity, time_s| difference_over_time(&run, &baseline, quantity).at(time_s);
    assert_eq!(
        (at(Quantity::GpusInUse, 3.0), at(Quantity::GpusInUse, 5.0), at(Quantity::GpusInUse, 31.0)),
        (Some(0.0), Some(3.0), Some(0.0))
    );
    assert_eq!((at(Quantity::JobsWaiting, 5.0), at(Quantity::JobsCompleted, 15.0)), (Some(-1.0), Some(1.0)));
}

#[test]
fn the_sample_differs_as_the_page_says() {
    let (runs, workload) = sampled(&["fixed", "elastic-dp"]);
    let divergence = Divergence::of(&runs[1], &runs[0], &workload).unwrap();
    assert!(divergence.decided.is_some() || divergence.decided_in_baseline.is_some());
    assert!(!divergence.jobs.is_empty());
    let ranked = ranked(&runs[1], &runs[0], &workload);
    assert_eq!(ranked.len(), 48);
    let sizes: Vec<f64> = ranked.iter().filter_map(|ranked| ranked.difference.seconds()).map(f64::abs).collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b));
}

/// What a job does, looked up span by span.
fn doing(run: &Run, job: JobId, time_s: f64) -> Option<(u32, SpanState, f64)> {
    let span = run.spans.of(job).find(|span| span.start_s <= time_s && time_s < span.end_s)?;
    Some((span.gpus, span.state, span.samples_per_s))
}

/// Every time at which any span begins or ends.
fn moments(runs: &[Run]) -> Vec<f64> {
    let mut times_s: Vec<f64> =
        runs.iter().flat_map(|run| run.spans.start_s.iter().chain(&run.spans.end_s)).copied().collect();
    #[allow(clippy::disallowed_methods)]
    times_s.sort_by(f64::total_cmp);
    times_s.dedup();
    times_s
}

fn assert_parts(runs: &[Run], workload: &Workload) {
    let (run, baseline) = (&runs[1], &runs[0]);
    let until_s = runs.iter().filter(|run| !run.finished).map(|run| run.end_s).fold(f64::INFINITY, f64::min);
    let differs =
        |time_s: &f64| workload.trace().iter().any(|(id, _)| doing(run, id, *time_s) != doing(baseline, id, *time_s));
    let expected = moments(runs).into_iter().filter(|time_s| *time_s < until_s).find(differs);
    let divergence = Divergence::of(run, baseline, workload);
    assert_eq!(divergence.as_ref().map(|divergence| divergence.time_s), expected);
    let Some(divergence) = divergence else { return };
    for (id, _) in workload.trace().iter() {
        let is_told = divergence.jobs.iter().any(|job| job.job == id);
        let is_other = doing(run, id, divergence.time_s) != doing(baseline, id, divergence.time_s);
        assert!(is_told || !is_other, "{id:?} at {}", divergence.time_s);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(700) })]

    #[test]
    fn differences_equal_a_recount((runs, workload) in random(2), shares in prop::collection::vec(0.0..1.0_f64, 1..6)) {
        assert_parts(&runs, &workload);
        let (run, baseline) = (&runs[1], &runs[0]);
        let open_s = runs.iter().filter(|run| !run.finished).map(|run| run.end_s).min_by(f64::total_cmp);
        let end_s = open_s.unwrap_or(run.end_s.max(baseline.end_s));
        for quantity in [Quantity::GpusInUse, Quantity::JobsWaiting, Quantity::JobsCompleted] {
            let line = difference_over_time(run, baseline, quantity);
            let value = |run: &Run, time_s| match quantity {
                Quantity::GpusInUse => over_time::gpus_in_use(run).at(time_s),
                Quantity::JobsWaiting => over_time::jobs_waiting(run).at(time_s),
                _ => over_time::jobs_completed(run).at(time_s),
            }.unwrap_or(0.0);
            let times_s = shares.iter().map(|share| run.start_s + share * (end_s - run.start_s));
            // A run of no steps has no counts.
            for time_s in times_s.filter(|time_s| *time_s < end_s) {
                prop_assert_eq!(line.at(time_s), Some(value(run, time_s) - value(baseline, time_s)), "{:?} {}", quantity, time_s);
            }
        }
    }
}
