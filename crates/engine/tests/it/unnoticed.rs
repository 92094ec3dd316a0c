//! Faults that mutation testing put into the engine and that no other test detects.

use expect_test::expect;

use crate::{Script, check, drawing};
use elastiplan_engine::{
    Action, BatchSizes, Checkpoints, JobView, LossCause, Outcome, Policy, Remarks, Run, Simulation, SpanState, Step,
    View,
};
use elastiplan_model::{Curve, CurveKey, Curves, JobId, Workload};
use elastiplan_scenario::{Conditions, Faults};

fn simulation(case: &drawing::Case) -> Simulation<'_> {
    let policy = Box::new(Script::new(&case.other_lines, &case.workload));
    Simulation::new(&case.workload, case.cluster, case.settings.clone(), "script", policy).unwrap()
}

fn run(text: &str) -> Run {
    simulation(&drawing::parse(text)).run_to_end().unwrap()
}

/// A run with something in every column: faults, losses, batch sizes, absences, prices, remarks.
fn full_run() -> Run {
    let stages = "curve m 1:1 2:2\n stages m base=8 1:24";
    let text = format!(
        "2 x 2 GPUs\n node 0-3 5-\n node 0-\n prices 0:2 3:1\n checkpoint 10\n {stages}
        a work=8 curve=m batch=16\n b at=2 work=6\n c at=2 work=6\n 0: a=2\n 2: a=1 b=2\n 5: a=1 c=1"
    );
    let mut run = run(&text);
    run.batch_sizes = BatchSizes { time_s: vec![2.0], job: vec![1], batch_global: vec![16] };
    run.remarks = Remarks { time_s: vec![0.0], job: vec![0], text: vec!["a remark".into()] };
    run
}

#[test]
fn every_column_of_a_record_is_in_its_digest() {
    let run = full_run();
    let changes: [fn(&mut Run); 56] = [
        |run| run.gpus_total += 1,
        |run| run.gpus_per_node += 1,
        |run| run.price_per_gpu_hour = Some(1.0),
        |run| run.prices = None,
        |run| run.start_s += 0.5,
        |run| run.end_s += 0.5,
        |run| run.finished ^= true,
        |run| run.stalled ^= true,
        |run| run.spans.first[1] += 1,
        |run| run.spans.start_s[1] += 0.5,
        |run| run.spans.end_s[0] += 0.5,
        |run| run.spans.gpus[0] += 1,
        |run| run.spans.state[0] = SpanState::Recovering,
        |run| run.spans.samples_per_s[0] += 0.5,
        |run| run.spans.work_per_s[0] += 0.5,
        |run| run.jobs.outcome[0] = Outcome::Failed,
        |run| run.jobs.start_s[0] = None,
        |run| run.jobs.admitted_s[0] = None,
        |run| run.jobs.end_s[0] = None,
        |run| run.jobs.queueing_s[0] += 0.5,
        |run| run.jobs.gpu_seconds[0] += 0.5,
        |run| run.jobs.rescale_gpu_seconds[0] += 0.5,
        |run| run.jobs.preemption_gpu_seconds[0] += 0.5,
        |run| run.jobs.samples[0] += 0.5,
        |run| run.jobs.work_lost[0] += 0.5,
        |run| run.jobs.work_left[0] += 0.5,
        |run| run.jobs.rescales[0] += 1,
        |run| run.jobs.preemptions[0] += 1,
        |run| run.jobs.evictions[0] += 1,
        |run| run.series.time_s[0] += 0.5,
        |run| run.series.gpus_present[0] += 1,
        |run| run.series.gpus_in_use[0] += 1,
        |run| run.series.jobs_running[0] += 1,
        |run| run.series.jobs_waiting[0] += 1,
        |run| run.decisions.time_s[0] += 0.5,
        |run| run.decisions.started[0] += 1,
        |run| run.decisions.rescaled[0] += 1,
        |run| run.decisions.preempted[0] += 1,
        |run| run.decisions.dropped[0] += 1,
        |run| run.holdings.first[1] += 1,
        |run| run.holdings.job[0] += 1,
        |run| run.holdings.mask[0] ^= 1,
        |run| run.holdings.start_s[0] += 0.5,
        |run| run.holdings.end_s[0] += 0.5,
        |run| run.absences.first[1] += 1,
        |run| run.absences.start_s[0] += 0.5,
        |run| run.absences.end_s[0] += 0.5,
        |run| run.batch_sizes.time_s[0] += 0.5,
        |run| run.batch_sizes.job[0] += 1,
        |run| run.batch_sizes.batch_global[0] += 1,
        |run| run.losses.time_s[0] += 0.5,
        |run| run.losses.job[0] += 1,
        |run| run.losses.gpu_seconds[0] += 0.5,
        |run| run.losses.samples[0] += 0.5,
        |run| run.losses.work[0] += 0.5,
        |run| run.losses.cause[0] = LossCause::Rescale,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut other = run.clone();
        change(&mut other);
        assert_ne!(other.digest(), run.digest(), "change {number}");
    }
    assert_eq!(run.spans.len(), run.spans.end_s.len());
    assert!(run.spans.len() > 2);
}

#[test]
fn the_wording_of_remarks_is_not_in_the_digest() {
    let run = full_run();
    let reworded = Run { remarks: Remarks::default(), ..run.clone() };
    assert_eq!(reworded.digest(), run.digest());
    assert_eq!(run.digest().len(), 16);
}

#[test]
fn a_decision_that_only_orders_nodes_is_recorded() {
    let run = run("2 x 4 GPUs\n cloud 1 of 2 after 5\n a work=20\n 0: a=2\n b at=3 work=1\n 3: cluster=2");
    assert!(run.decisions.time_s.contains(&3.0), "{:?}", run.decisions.time_s);
}

#[test]
fn a_batch_size_without_progress_ends_the_run() {
    let mut case = drawing::parse("a work=8 batch=8\n b at=2 work=1 batch=8\n 0: a=1\n 2: a=batch16");
    let at = |batch: u32, gpus: u32| {
        let key = CurveKey { model: "linear".into(), batch_global: Some(batch) };
        Curve::new(key, [(gpus, 1.0)]).unwrap()
    };
    // The larger batch needs four GPUs, the job holds one.
    case.workload = Workload::bind(case.workload.trace(), &Curves::from_iter([at(8, 1), at(16, 4)])).0;
    let error = simulation(&case).run_to_end().unwrap_err();
    assert_eq!(error.to_string(), "script failed at 2 s deciding for job a: it makes no progress there");
}

#[test]
fn a_batch_size_changes_the_speed_from_then_on() {
    let mut case = drawing::parse("a work=8 batch=8\n b at=2 work=1 batch=8\n until 9\n 0: a=1\n 2: a=batch16");
    let at = |batch: u32, samples_per_s: f64| {
        let key = CurveKey { model: "linear".into(), batch_global: Some(batch) };
        Curve::new(key, [(1, samples_per_s)]).unwrap()
    };
    case.workload = Workload::bind(case.workload.trace(), &Curves::from_iter([at(8, 1.0), at(16, 3.0)])).0;
    let run = simulation(&case).run_to_end().unwrap();
    assert_eq!(run.jobs.end_s[0], Some(2.0 + 6.0 / 3.0));
}

#[test]
fn statistical_efficiency_changes_at_the_stage() {
    let run = run("curve m 1:1\n stages m base=8 0.5:8 1:24\n a work=8 curve=m batch=16\n 0: a=1");
    // Half of the work at (8 + 8) / (8 + 16) of a sample each, the other half at (24 + 8) / (24 + 16).
    assert_eq!(run.jobs.end_s[0], Some(4.0 * 1.5 + 4.0 * 1.25));
}

#[test]
fn holdings_of_no_length_are_not_recorded() {
    let case = drawing::parse("a work=8\n b at=4 work=2\n 0: a=1\n 4: b=1");
    let mut simulation = simulation(&case);
    while simulation.progress().time_s < 4.0 {
        simulation.step().unwrap();
    }
    let holdings = simulation.record().holdings;
    assert!(holdings.start_s.iter().zip(&holdings.end_s).all(|(start_s, end_s)| start_s < end_s), "{holdings:?}");
    assert!(!holdings.start_s.is_empty());
}

#[test]
fn nodes_still_fail_after_the_last_change_of_the_log() {
    let text = "2 x 4 GPUs\n node 0-50 100-\n a work=100000\n 0: a=1";
    let mut case = drawing::parse(text);
    case.settings.until_s = Some(20_000.0);
    case.settings.faults = Faults { node_mtbf_s: Some(500.0), node_repair_s: 50.0, ..Faults::default() };
    let run = simulation(&case).run_to_end().unwrap();
    let rows = run.series.time_s.iter().zip(&run.series.gpus_present);
    let drops = |from_s: f64| rows.clone().filter(|(time_s, gpus)| **time_s > from_s && **gpus < 8).count();
    assert!(drops(1_000.0) > 20, "{}", drops(1_000.0));
    // All eight are there now and then: the first node comes back from its failures too.
    assert!(run.series.gpus_present.iter().filter(|gpus| **gpus == 8).count() > 20);
    let times_both_away = run.series.gpus_present.iter().filter(|gpus| **gpus == 0).count();
    assert!(times_both_away > 0, "each of the two fails by itself");
}

#[test]
fn checkpoints_are_counted() {
    let case = drawing::parse("a work=20\n b at=3 work=4\n c at=6 work=8\n 0: a=1\n 3: b=1\n 6: c=1");
    let mut checkpoints = Checkpoints::new(simulation(&case), 100);
    let mut steps = 1;
    while checkpoints.step().unwrap() == Step::More {
        steps += 1;
    }
    assert!((2..=steps + 1).contains(&checkpoints.len()), "{} of {steps}", checkpoints.len());
}

#[test]
fn intervals_of_checkpoints_and_repairs_have_their_ranges() {
    let case = drawing::parse("a work=2\n 0: a=1");
    let start = |settings: Conditions| {
        let policy = Box::new(Script::new(&case.other_lines, &case.workload));
        Simulation::new(&case.workload, case.cluster, settings, "script", policy).map(|_| ())
    };
    for (interval_s, is_good) in [(-1.0, false), (0.0, false), (1e300, false), (1.0, true)] {
        let costs = Conditions { checkpoint_interval_s: Some(interval_s), ..case.settings.clone() };
        assert_eq!(start(costs).is_ok(), is_good, "{interval_s}");
    }
    // How long a repair would take is nothing that goes wrong.
    assert!(Faults { node_repair_s: 7.0, bug_within_s: 9.0, ..Faults::default() }.is_none());
    assert!(!Faults { node_mtbf_s: Some(1e6), ..Faults::default() }.is_none());
}

/// Asks for more than there is, and says why.
#[derive(Clone)]
struct Greedy;

impl Policy for Greedy {
    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        actions.push(Action::Allocate { job: JobId(0), gpus: view.gpus_total() + 1 });
    }

    fn explain(&self, _view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        (job.id == JobId(0)).then(|| "it asked for all".into())
    }
}

#[test]
fn a_policy_that_takes_over_answers_under_its_own_name() {
    let case = drawing::parse("a work=8\n b at=4 work=2\n 0: a=1");
    let mut simulation = simulation(&case);
    simulation.step().unwrap();
    assert_eq!(simulation.explain(JobId(0)), None, "a script has nothing to say");
    let other = simulation.with_policy("greedy", Box::new(Greedy));
    assert_eq!(other.explain(JobId(0)).as_deref(), Some("it asked for all"));
    let error = other.run_to_end().unwrap_err();
    assert!(error.to_string().contains("greedy"), "{error}");
}

#[test]
fn a_second_departure_keeps_the_rest_of_the_first_pause_as_recovery() {
    check(
        "
        3 x 1 GPUs
        shrink
        rescale up=6 down=0
        node 0-2
        node 0-7
        a work=4
        b at=3 work=1
        c at=5 work=1
        until 20
        0: a=0:1
        3: a=1:1
        5: a=1:1,2:1
        ",
        expect![[r#"
            a 11-^^^^^^~~~~~~11
            b    ..............?
            c      ............?
        "#]],
    );
}
