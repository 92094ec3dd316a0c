//! The ends of the ranges: nothing to do, no time, all the time there is. Nothing may loop for ever or go backwards.

use elastiplan_engine::{Action, Cadence, Outcome, Policy, Run, Simulation, Step, View};
use elastiplan_model::{Cluster, Curve, CurveKey, Curves, Job, JobId, ModelId, Trace, Work, Workload, limits};
use elastiplan_scenario::{Conditions, Faults};

/// Shares the GPUs one each, first come first served; resizes every running job at every decision.
#[derive(Clone)]
struct Restless {
    cadence: Cadence,
    decisions: u32,
}

impl Policy for Restless {
    fn cadence(&self) -> Cadence {
        self.cadence
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        self.decisions += 1;
        let gpus = 1 + self.decisions % 2;
        let present = view.running().chain(view.waiting());
        for job in present.take(view.gpus_total() as usize / 2) {
            assert!(job.samples_left >= 0.0 && job.samples_left <= job.bound.samples);
            actions.push(Action::Allocate { job: job.id, gpus });
        }
        // Those that are not among the first give back what they have.
        for job in view.running().skip(view.gpus_total() as usize / 2) {
            actions.push(Action::Allocate { job: job.id, gpus: 0 });
        }
    }
}

fn workload(jobs: &[(f64, f64)], samples_per_s: f64) -> Workload {
    let job = |(index, &(submit_s, samples)): (usize, &(f64, f64))| Job {
        name: index.to_string(),
        source_row: 0,
        submit_s,
        model: ModelId(0),
        batch_global: None,
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(samples),
        deadline_s: None,
        user: None,
        rescale: None,
        batch_range: None,
        priority: None,
    };
    let trace = Trace::new(vec!["m".into()], jobs.iter().enumerate().map(job).collect()).unwrap();
    let key = CurveKey { model: "m".into(), batch_global: None };
    let curve = Curve::new(key, [(1, samples_per_s), (2, samples_per_s / 3.0)]).unwrap();
    Workload::bind(&trace, &Curves::from_iter([curve])).0
}

/// Runs to the end within a bound that only grows with the number of jobs; gives the steps it took.
fn check(jobs: &[(f64, f64)], samples_per_s: f64, cadence: Cadence) -> (Run, usize) {
    let workload = workload(jobs, samples_per_s);
    let policy = Restless { cadence, decisions: 0 };
    let cluster = Cluster::new(1, 4).unwrap();
    let simulation = Simulation::new(&workload, cluster, Conditions::default(), "restless", Box::new(policy));
    let mut simulation = simulation.unwrap();
    let mut steps = 0;
    let mut time_s = 0.0;
    while simulation.step().unwrap() == Step::More {
        steps += 1;
        // A submission, a completion and a round for each.
        assert!(steps <= 4 * jobs.len(), "it goes on and on");
        assert!(simulation.progress().time_s >= time_s);
        time_s = simulation.progress().time_s;
    }
    let run = simulation.record();
    assert!(run.end_s.is_finite());
    assert!(run.spans.start_s.iter().zip(&run.spans.end_s).all(|(start_s, end_s)| start_s < end_s));
    assert!(run.series.time_s.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(run.jobs.queueing_s.iter().chain(&run.jobs.gpu_seconds).all(|value| value.is_finite() && *value >= 0.0));
    (run, steps)
}

/// The last four are no intervals: a policy that gives one is asked at every event.
const CADENCES: [Cadence; 8] = [
    Cadence::OnEvents,
    Cadence::Every { interval_s: 1e-6 },
    Cadence::Every { interval_s: 1.0 },
    Cadence::Every { interval_s: 1e9 },
    Cadence::Every { interval_s: 0.0 },
    Cadence::Every { interval_s: -1.0 },
    Cadence::Every { interval_s: f64::NAN },
    Cadence::Every { interval_s: f64::INFINITY },
];

#[test]
fn a_run_without_jobs_ends_at_once() {
    for cadence in CADENCES {
        let (run, steps) = check(&[], 1.0, cadence);
        assert_eq!(steps, 0);
        assert_eq!((run.start_s, run.end_s, run.finished), (0.0, 0.0, true));
        assert_eq!((run.spans.first, run.series.time_s.len()), (vec![0], 0));
    }
}

#[test]
fn one_job() {
    for cadence in CADENCES {
        let (run, _) = check(&[(5.0, 90.0)], 1.0, cadence);
        assert_eq!((run.start_s, run.end_s), (5.0, 275.0)); // The first answer gives 2 GPUs, and a third of the speed.
        assert_eq!((run.jobs.start_s, run.jobs.end_s), (vec![Some(5.0)], vec![Some(275.0)]));
    }
}

#[test]
fn tiny_work_at_huge_times_completes_though_no_time_passes() {
    // At 1e11 s neighbouring numbers are 1.5e-5 s apart: the work is done before the next one.
    let jobs = [(limits::TIME_MAX_S, 1e-9), (limits::TIME_MAX_S, 1e-300), (limits::TIME_MAX_S, 1.0)];
    for cadence in CADENCES {
        let (run, _) = check(&jobs, 1.0, cadence);
        assert_eq!(run.jobs.outcome, [Outcome::Completed; 3]);
        assert!(run.end_s >= limits::TIME_MAX_S);
    }
}

#[test]
fn many_jobs_without_length_at_one_time() {
    let jobs = [(limits::TIME_MAX_S, 1e-300); 200];
    for cadence in CADENCES {
        let (run, _) = check(&jobs, 1e18, cadence);
        assert_eq!(run.jobs.outcome, [Outcome::Completed; 200]);
    }
}

#[test]
fn quiet_times_cost_nothing() {
    // 1e11 rounds of a second lie between the two.
    let (run, steps) = check(&[(0.0, 1.0), (limits::TIME_MAX_S, 1.0)], 1.0, Cadence::Every { interval_s: 1.0 });
    assert_eq!(run.jobs.outcome, [Outcome::Completed; 2]);
    assert!(steps <= 6, "{steps} steps");
}

#[test]
fn a_job_that_would_last_beyond_all_time_never_completes() {
    for cadence in CADENCES {
        let (run, _) = check(&[(0.0, limits::WORK_MAX), (7.0, 1.0)], 1e-300, cadence);
        assert_eq!(run.jobs.outcome, [Outcome::Unfinished; 2]);
        let (run, _) = check(&[(0.0, limits::WORK_MAX), (7.0, 1.0)], 1.0, cadence);
        assert_eq!(run.jobs.outcome, [Outcome::Unfinished, Outcome::Completed]);
        assert!(run.end_s < 2e9);
    }
}

#[test]
fn a_job_of_all_the_work_at_all_the_speed() {
    let (run, _) = check(&[(0.0, limits::WORK_MAX)], limits::WORK_MAX, Cadence::OnEvents);
    assert_eq!(run.jobs.end_s, [Some(3.0)]);
}

#[test]
fn an_event_that_misses_its_round_by_a_rounding_error_is_answered_in_it() {
    /// Gives every job one GPU.
    #[derive(Clone)]
    struct OneEach;
    impl Policy for OneEach {
        fn cadence(&self) -> Cadence {
            Cadence::Every { interval_s: 0.1 }
        }
        fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
            let waiting = view.waiting().take(view.gpus_free() as usize);
            actions.extend(waiting.map(|job| Action::Allocate { job: job.id, gpus: 1 }));
        }
    }
    // In floating point a ends at 0.1 + 0.2 = 0.30000000000000004, not at 0.3.
    let workload = workload(&[(0.0, 0.1), (0.05, 0.2), (0.06, 5.0)], 1.0);
    let cluster = Cluster::new(1, 1).unwrap();
    let run = Simulation::new(&workload, cluster, Conditions::default(), "one each", Box::new(OneEach)).unwrap();
    let run = run.run_to_end().unwrap();
    assert!((run.jobs.start_s[2].unwrap() - 0.3).abs() < 1e-9, "{:?}", run.jobs.start_s);
}

#[test]
fn a_stop_before_the_first_submission_leaves_everything_unfinished() {
    let workload = workload(&[(50.0, 1.0)], 1.0);
    let settings = Conditions { until_s: Some(20.0), ..Conditions::default() };
    let policy = Restless { cadence: Cadence::OnEvents, decisions: 0 };
    let simulation = Simulation::new(&workload, Cluster::new(1, 4).unwrap(), settings, "restless", Box::new(policy));
    let run = simulation.unwrap().run_to_end().unwrap();
    assert_eq!((run.jobs.outcome, run.spans.of(JobId(0)).count()), (vec![Outcome::Unfinished], 0));
}

/// Is asked every second, and does nothing, or gives one job now one GPU and now two.
#[derive(Clone)]
struct Idler {
    resizes: bool,
}

impl Policy for Idler {
    fn cadence(&self) -> Cadence {
        Cadence::Ticks { interval_s: 1.0 }
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let job = view.running().chain(view.waiting()).next().filter(|_| self.resizes);
        actions.extend(job.map(|job| Action::Allocate { job: job.id, gpus: job.gpus % 2 + 1 }));
    }
}

#[test]
fn runs_without_progress_are_ended_as_stalled() {
    let workload = workload(&[(0.0, 9.0), (3.0, 9.0)], 1.0);
    for resizes in [false, true] {
        let cluster = Cluster::new(1, 2).unwrap();
        // Changes cost more than there is time between them: the job never comes to train.
        let settings = Conditions::with_rescale_cost_s(2.0);
        let policy = Box::new(Idler { resizes });
        let run = Simulation::new(&workload, cluster, settings, "idler", policy).unwrap().run_to_end().unwrap();
        assert!(run.stalled && run.finished);
        assert_eq!(run.jobs.outcome, [Outcome::Unfinished; 2]);
        assert!(run.end_s < 500_000.0);
    }
    // With cheaper ones it does, little by little.
    let settings = Conditions::with_rescale_cost_s(0.99);
    let policy = Box::new(Idler { resizes: true });
    let run = Simulation::new(&workload, Cluster::new(1, 2).unwrap(), settings, "idler", policy).unwrap();
    let run = run.run_to_end().unwrap();
    assert!(!run.stalled);
    assert_eq!(run.jobs.outcome, [Outcome::Completed; 2]);
}

/// Gives the first job whatever one GPU there is.
#[derive(Clone)]
struct Taker;

impl Policy for Taker {
    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let job = view.waiting().next().filter(|_| view.gpus_free() > 0);
        actions.extend(job.map(|job| Action::Allocate { job: job.id, gpus: 1 }));
    }
}

#[test]
fn departed_nodes_do_not_fail_forever() {
    let workload = workload(&[(0.0, 1000.0)], 1.0);
    let nodes = vec![("a".to_string(), vec![(0.0, Some(50.0))]), ("b".to_string(), vec![(0.0, Some(90.0))])];
    let log = elastiplan_model::Availability::from_intervals(nodes, 100.0).unwrap();
    let faults = Faults { node_mtbf_s: Some(40.0), node_repair_s: 5.0, ..Faults::default() };
    let settings = Conditions { availability: Some(std::sync::Arc::new(log)), faults, ..Conditions::default() };
    let cluster = Cluster::new(2, 1).unwrap();
    let run = Simulation::new(&workload, cluster, settings, "taker", Box::new(Taker)).unwrap().run_to_end().unwrap();
    assert!(run.end_s <= 90.0 && !run.stalled, "{} s", run.end_s);
    assert_eq!(run.jobs.outcome, [Outcome::Unfinished]);
}
