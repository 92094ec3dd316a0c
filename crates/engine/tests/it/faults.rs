//! What goes wrong is drawn from the seed: the same for every policy, with the shares that were asked for.

use elastiplan_engine::{Action, Outcome, Policy, Run, Simulation, View};
use elastiplan_model::{Cluster, Curve, CurveKey, Curves, Job, ModelId, Trace, Work, Workload};
use elastiplan_scenario::{Conditions, Faults};

/// Gives every job one GPU, the earliest or the latest job first, and records the estimates that it sees.
#[derive(Clone)]
struct OneEach {
    latest_first: bool,
}

impl Policy for OneEach {
    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let mut waiting: Vec<_> = view.waiting().map(|job| job.id).collect();
        if self.latest_first {
            waiting.reverse();
        }
        let starting = waiting.into_iter().take(view.gpus_free() as usize);
        actions.extend(starting.map(|job| Action::Allocate { job, gpus: 1 }));
    }
}

const JOBS: usize = 2000;

/// Jobs of 1000 s each, all there at once.
fn workload() -> Workload {
    let job = |number: usize| Job {
        name: number.to_string(),
        source_row: 0,
        submit_s: 0.0,
        model: ModelId(0),
        batch_global: None,
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(1000.0),
        deadline_s: None,
        user: None,
        rescale: None,
        batch_range: None,
        priority: None,
    };
    let trace = Trace::new(vec!["m".into()], (0..JOBS).map(job).collect()).unwrap();
    let curve = Curve::new(CurveKey { model: "m".into(), batch_global: None }, [(1, 1.0)]).unwrap();
    Workload::bind(&trace, &Curves::from_iter([curve])).0
}

fn run(nodes: u32, seed: u64, faults: Faults, latest_first: bool) -> Run {
    let workload = workload();
    let settings = Conditions { seed, faults, rescale_cost_s: 0.0, ..Conditions::default() };
    let cluster = Cluster::new(nodes, 4).unwrap();
    let policy = Box::new(OneEach { latest_first });
    Simulation::new(&workload, cluster, settings, "one each", policy).unwrap().run_to_end().unwrap()
}

fn share(run: &Run, outcome: Outcome) -> f64 {
    run.jobs.outcome.iter().filter(|o| **o == outcome).count() as f64 / JOBS as f64
}

#[test]
fn bugs_and_users_end_the_given_share_of_jobs() {
    let faults = Faults { bug_share: 0.15, bug_within_s: 300.0, cancel_share: 0.1, ..Faults::default() };
    let run = run(500, 7, faults, false);
    assert!((share(&run, Outcome::Failed) - 0.15).abs() < 0.02);
    // A job with an early bug is not cancelled later: about 0.1 x (1 - 0.15 + a little).
    assert!((share(&run, Outcome::Cancelled) - 0.09).abs() < 0.02);
    let ended = |outcome: Outcome| {
        let is = move |at: &usize| run.jobs.outcome[*at] == outcome;
        (0..JOBS).filter(is).map(|at| run.jobs.end_s[at].unwrap()).collect::<Vec<f64>>()
    };
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
    let failed = ended(Outcome::Failed);
    assert!(failed.iter().all(|end_s| *end_s <= 300.0) && (mean(&failed) - 150.0).abs() < 20.0);
}

#[test]
fn every_policy_meets_the_same_fate() {
    let faults = Faults { bug_share: 0.3, bug_within_s: 500.0, cancel_share: 0.2, ..Faults::default() };
    let (first, last) = (run(50, 3, faults, false), run(50, 3, faults, true));
    assert_eq!(first.jobs.outcome, last.jobs.outcome);
    // Processed until then: the same, up to the digits that a later start costs.
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-6;
    assert!(first.jobs.samples.iter().zip(&last.jobs.samples).all(close));
    assert_ne!(first.jobs.end_s, last.jobs.end_s);
    assert_ne!(first.jobs.outcome, run(50, 4, faults, false).jobs.outcome);
    // A share that is changed changes the fate of no other job.
    let more = Faults { cancel_share: 0.9, ..faults };
    let with_more = run(50, 3, more, false);
    let failed = |run: &Run| run.jobs.outcome.iter().map(|o| *o == Outcome::Failed).collect::<Vec<bool>>();
    let both = failed(&first).into_iter().zip(failed(&with_more));
    assert!(both.filter(|(before, after)| *after && !before).count() == 0);
}

/// GPU-seconds of the nodes that were present.
fn gpu_seconds_present(run: &Run) -> f64 {
    let ends = run.series.time_s.iter().skip(1).copied().chain([run.end_s]);
    let rows = run.series.time_s.iter().zip(ends).zip(&run.series.gpus_present);
    rows.map(|((start_s, end_s), gpus)| (end_s.min(run.end_s) - start_s).max(0.0) * f64::from(*gpus)).sum()
}

#[test]
fn nodes_fail_at_the_given_rate_and_return() {
    let faults = Faults { node_mtbf_s: Some(5000.0), node_repair_s: 100.0, ..Faults::default() };
    let (a, b) = (run(50, 1, faults, false), run(50, 1, faults, true));
    let there = |run: &Run| gpu_seconds_present(run) / (f64::from(run.gpus_total) * (run.end_s - run.start_s));
    assert!((there(&a) - 5000.0 / 5100.0).abs() < 0.01, "{}", there(&a));
    assert!(a.jobs.evictions.iter().sum::<u32>() > 100);
    // The capacity is the same for both, wherever jobs ran.
    let until_s = a.end_s.min(b.end_s);
    let capacity = |run: &Run, time_s: f64| run.series.gpus_present[run.series.row_at(time_s).unwrap()];
    for step in 0..200 {
        let time_s = until_s * f64::from(step) / 200.0;
        assert_eq!(capacity(&a, time_s), capacity(&b, time_s));
    }
    assert!(a.jobs.outcome.iter().all(|outcome| *outcome == Outcome::Completed));
}

/// Records the estimates that it sees.
#[derive(Clone)]
struct Recorder(std::rc::Rc<std::cell::RefCell<Vec<(f64, f64)>>>);

impl Policy for Recorder {
    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let estimates = view.waiting().map(|job| (job.samples_left, job.curve.samples_per_s(1)));
        self.0.borrow_mut().extend(estimates);
        actions.extend(view.waiting().map(|job| Action::Drop { job: job.id }));
    }
}

#[test]
fn estimation_errors_are_within_their_limits() {
    let workload = workload();
    let estimates = |seed| {
        let faults = Faults { estimate_error: 0.1, profiling_noise: 0.2, ..Faults::default() };
        let seen = std::rc::Rc::default();
        let settings = Conditions { seed, faults, ..Conditions::default() };
        let policy = Box::new(Recorder(std::rc::Rc::clone(&seen)));
        let cluster = Cluster::new(1, 1).unwrap();
        Simulation::new(&workload, cluster, settings, "recorder", policy).unwrap().run_to_end().unwrap();
        seen.take()
    };
    let seen = estimates(1);
    let left: Vec<f64> = seen.iter().map(|estimate| estimate.0).collect();
    assert!(left.iter().all(|left| (900.0..=1100.0).contains(left)));
    assert!((left.iter().sum::<f64>() / JOBS as f64 - 1000.0).abs() < 10.0);
    assert!(left.iter().any(|left| *left < 920.0) && left.iter().any(|left| *left > 1080.0));
    let speed = seen[0].1;
    assert!((0.8..=1.2).contains(&speed) && speed != 1.0 && seen.iter().all(|estimate| estimate.1 == speed));
    assert_eq!(seen, estimates(1));
    assert_ne!(seen, estimates(2));
}

#[test]
fn faults_that_cannot_be_are_refused() {
    let check = |faults: Faults, expected: &str| {
        let error = Conditions { faults, ..Conditions::default() }.validate().unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    let none = Faults::default();
    check(Faults { node_mtbf_s: Some(0.0), node_repair_s: 9.0, ..none }, "node_mtbf_s: 0 is not at least 1 s");
    check(Faults { node_mtbf_s: Some(99.0), ..none }, "node_repair_s: 0 is not at least 1 s where nodes fail");
    check(Faults { bug_share: 1.5, ..none }, "bug_share: 1.5 is not a number from 0 to 1");
    check(Faults { bug_within_s: f64::NAN, ..none }, "bug_within_s: NaN is not a number of seconds from 0 to 1e11");
    check(Faults { cancel_share: -0.1, ..none }, "cancel_share: -0.1 is not a number from 0 to 1");
    check(Faults { estimate_error: 1.0, ..none }, "estimate_error: 1 is not a number from 0 to 0.99");
    check(Faults { profiling_noise: 2.0, ..none }, "profiling_noise: 2 is not a number from 0 to 0.99");
}
