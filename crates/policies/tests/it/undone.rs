//! What charging changes in work can come to: where nodes fail, a job may lose more by changes than it gains between
//! them, for ever. The only policies that a run may be given up with are those that follow BFTrainer's replayer.

use elastiplan_engine::{Charging, LossCause, Run, Simulation, SpanState};
use elastiplan_model::{JobId, Workload};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::{Conditions, Faults};

use crate::drawing;

/// Whether it takes work back for changes, in a scenario in which changes never end.
pub fn may_be_undone(spec: &PolicySpec, settings: &Conditions) -> bool {
    let charging = spec.build(settings.seed).unwrap().charging();
    charging == Charging::Work && settings.faults.node_mtbf_s.is_some()
}

/// The run was given up, and since `from_s`, or since a job was last submitted or ended, changes took from each job that
/// is left all that it did, but for less than a thousandth.
pub fn assert_undone(run: &Run, workload: &Workload, from_s: f64) {
    assert!(run.stalled);
    let submitted_s = workload.trace().jobs().last().map(|job| job.submit_s);
    let news_s = run.jobs.end_s.iter().copied().flatten().chain(submitted_s).fold(from_s, f64::max);
    let left: Vec<JobId> =
        workload.trace().iter().map(|(job, _)| job).filter(|job| run.jobs.end_s[job.index()].is_none()).collect();
    assert!(left.iter().any(|job| done_since(run, *job, news_s) > 0.0), "no job trained: {run:?}");
    for job in left {
        let (done, lost) = (done_since(run, job, news_s), lost_since(run, job, news_s));
        assert!(done <= lost * 1.001, "{job:?} did {done} and lost {lost}");
    }
}

fn done_since(run: &Run, job: JobId, from_s: f64) -> f64 {
    let training = run.spans.of(job).filter(|span| span.state == SpanState::Running);
    training.map(|span| (span.end_s - span.start_s.max(from_s)).max(0.0) * span.work_per_s).sum()
}

fn lost_since(run: &Run, job: JobId, from_s: f64) -> f64 {
    let losses = &run.losses;
    let own = (0..losses.time_s.len()).filter(|&row| losses.job[row] == job.0 && losses.time_s[row] >= from_s);
    own.map(|row| losses.work[row]).sum()
}

/// A job that trains 22 times as fast on 24 GPUs as on 32, on 4 nodes of 8. Whenever one of them fails it is on 24 for
/// the seconds of the repair, and then pays for the way back to 32 at the speed that it had there.
#[test]
fn changes_that_are_charged_in_work_can_undo_more_than_is_done() {
    let case = drawing::parse(
        "
        4 x 8 GPUs
        curve odd 24:4.4 32:0.2
        a gpus=32 work=1000 curve=odd
        ",
    );
    let faults = Faults { node_mtbf_s: Some(1800.0), node_repair_s: 5.0, ..Faults::default() };
    let settings = Conditions { faults, rescale_cost_s: 60.0, ..Conditions::default() };
    let run = |policy: &str| {
        let spec: PolicySpec = policy.parse().unwrap();
        let policy = spec.build(0).unwrap();
        Simulation::new(&case.workload, case.cluster, settings.clone(), "", policy).unwrap().run_to_end().unwrap()
    };

    let undone = run("equal-share[share=replayer]");
    assert_undone(&undone, &case.workload, 0.0);
    assert!(undone.jobs.work_left[0] > 1000.0, "more is left than there was: {}", undone.jobs.work_left[0]);
    let costs: Vec<(LossCause, f64)> =
        undone.losses.cause.iter().copied().zip(undone.losses.work.iter().copied()).take(4).collect();
    let (away, back) = ((LossCause::NodeLeft, 60.0 * 0.2), (LossCause::Rescale, 60.0 * 4.4));
    assert_eq!(costs, [away, back, away, back]);

    // Charged in time, as the paper has it, the same changes end.
    assert!(!run("equal-share").stalled);
}
