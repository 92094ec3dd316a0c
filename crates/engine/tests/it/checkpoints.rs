//! Going back in a run.

use elastiplan_engine::{Checkpoints, Simulation, Step};
use elastiplan_scenario::Conditions;

use crate::{Script, drawing};

const CASE: &str = "
    rescale 1
    a work=20
    b at=3 work=4
    c at=6 work=8
    d at=9 work=3
    e at=30 work=2
    0: a=4
    3: a=2 b=2
    6: a=1 c=1
    9: a=1 d=1
    30: e=1
";

fn simulation(case: &drawing::Case) -> Simulation<'_> {
    let policy = Box::new(Script::new(&case.other_lines, &case.workload));
    Simulation::new(&case.workload, case.cluster, case.settings.clone(), "script", policy).unwrap()
}

#[test]
fn a_run_continues_from_any_time() {
    let case = drawing::parse(CASE);
    let run = simulation(&case).run_to_end().unwrap();
    for count in [2, 3, 4, 100] {
        let mut checkpoints = Checkpoints::new(simulation(&case), count);
        while checkpoints.step().unwrap() == Step::More {}
        assert!(checkpoints.len() <= count && !checkpoints.is_empty());
        assert_eq!(checkpoints.now().record(), run);
        for half_seconds in 0..80 {
            let time_s = f64::from(half_seconds) / 2.0;
            let at = checkpoints.at(time_s).unwrap();
            assert!(at.progress().time_s <= time_s);
            assert!(at.next_s().is_none_or(|next_s| next_s > time_s));
            assert_eq!(at.run_to_end().unwrap(), run, "{count} checkpoints, {time_s} s");
        }
    }
}

#[test]
fn times_after_the_last_step_mean_the_last_step() {
    let case = drawing::parse(CASE);
    let mut checkpoints = Checkpoints::new(simulation(&case), 4);
    for _ in 0..4 {
        checkpoints.step().unwrap();
    }
    let now_s = checkpoints.now().progress().time_s;
    assert_eq!(checkpoints.at(1000.0).unwrap().progress().time_s, now_s);
}

#[test]
fn a_checkpoint_continues_with_other_costs() {
    let case = drawing::parse(CASE);
    let mut checkpoints = Checkpoints::new(simulation(&case), 8);
    while checkpoints.step().unwrap() == Step::More {}
    let dear = checkpoints
        .at(5.0)
        .unwrap()
        .with_costs_of(&Conditions::with_rescale_cost_s(5.0))
        .unwrap()
        .run_to_end()
        .unwrap();
    let cheap = simulation(&case).run_to_end().unwrap();
    let in_all = |run: &elastiplan_engine::Run| run.jobs.rescale_gpu_seconds.iter().sum::<f64>();
    assert!(in_all(&dear) > in_all(&cheap));
    let until = |run: &elastiplan_engine::Run| run.decisions.time_s.iter().filter(|s| **s <= 5.0).count();
    assert_eq!(until(&dear), until(&cheap));
    assert!(checkpoints.at(5.0).unwrap().with_costs_of(&Conditions::with_rescale_cost_s(-1.0)).is_err());
}
