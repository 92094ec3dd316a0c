//! Forks of runs of every policy: until its time a fork is its origin, to the bit; after it the engine's rules hold.

use elastiplan_engine::{Run, RunErrorKind, Simulation, Step};
use elastiplan_model::{Cluster, JobId, Workload};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::{Conditions, Fork, ForkChange};
use proptest::prelude::*;

use crate::naive_metrics::assert_metrics_are_naive;
use crate::properties::{cases, detailed_workload, rough_cluster, rough_settings, simulation, specs_up_to};
use crate::sound::assert_sound;

/// A kind of change with its numbers; the job is one of those of the workload.
#[derive(Clone, Debug)]
enum Draw {
    Nodes(u32),
    OtherPolicy,
    EndJob(usize),
    Priority(usize, f64),
    NodeFails(u32, f64),
}

fn draw() -> impl Strategy<Value = Draw> {
    prop_oneof![
        3 => (0..9u32).prop_map(Draw::Nodes),
        2 => Just(Draw::OtherPolicy),
        2 => (0..12usize).prop_map(Draw::EndJob),
        1 => (0..12usize, 0.2..5.0f64).prop_map(|(job, priority)| Draw::Priority(job, priority)),
        2 => (0..6u32, 0.5..90.0f64).prop_map(|(node, for_s)| Draw::NodeFails(node, for_s)),
    ]
}

/// At whole seconds, when most jobs are submitted and nodes come and go, and between them.
fn forks() -> impl Strategy<Value = Vec<(f64, Draw)>> {
    let time_s = prop_oneof![(0..120u32).prop_map(f64::from), 0.0..200.0f64];
    prop::collection::vec((time_s, draw()), 1..4)
}

fn fork_of(after_start_s: f64, draw: &Draw, other: &PolicySpec, workload: &Workload) -> Fork {
    let job = |at: &usize| {
        let jobs = workload.trace().jobs();
        jobs.get(at % jobs.len().max(1)).map_or_else(|| "none".into(), |job| job.name.clone())
    };
    let change = match draw {
        Draw::Nodes(nodes) => ForkChange::Nodes(*nodes),
        Draw::OtherPolicy => ForkChange::Policy(other.to_string()),
        Draw::EndJob(at) => ForkChange::EndJob { job: job(at) },
        Draw::Priority(at, priority) => ForkChange::Priority { job: job(at), priority: *priority },
        Draw::NodeFails(node, for_s) => ForkChange::NodeFails { node: *node, for_s: *for_s },
    };
    Fork { after_start_s, change }
}

/// The columns of a record up to a time. Nodes that never came before have no rows but their absence.
fn until(run: &Run, time_s: f64, nodes: u32) -> Vec<String> {
    let mut rows = Vec::new();
    for job in run.job_ids() {
        for span in run.spans.of(job).filter(|span| span.start_s < time_s) {
            let cut = (span.end_s.min(time_s), span.gpus, span.state, span.samples_per_s, span.work_per_s);
            rows.push(format!("{job:?} {} {cut:?}", span.start_s));
        }
        let before = |time: Option<f64>| time.filter(|time| *time < time_s);
        let jobs = &run.jobs;
        let at = job.index();
        rows.push(format!(
            "{:?} {:?} {:?}",
            before(jobs.start_s[at]),
            before(jobs.admitted_s[at]),
            before(jobs.end_s[at])
        ));
        rows.extend(before(jobs.end_s[at]).map(|_| format!("{:?} {}", jobs.outcome[at], jobs.samples[at])));
    }
    for node in 0..nodes {
        let holdings = &run.holdings;
        for at in holdings.range_of(node).filter(|at| holdings.start_s[*at] < time_s) {
            let held = (holdings.job[at], holdings.mask[at], holdings.start_s[at], holdings.end_s[at].min(time_s));
            rows.push(format!("{node} {held:?}"));
        }
        // Rows of a node are in order of their ends, which may come later.
        rows.sort();
        let absences = run.absences.of(node).filter(|(start_s, _)| *start_s < time_s);
        rows.extend(absences.map(|(start_s, end_s)| format!("{node} away {start_s} {}", end_s.min(time_s))));
    }
    let (series, decisions, losses, batches) = (&run.series, &run.decisions, &run.losses, &run.batch_sizes);
    for at in (0..series.time_s.len()).filter(|at| series.time_s[*at] < time_s) {
        let counts =
            (series.gpus_present[at], series.gpus_in_use[at], series.jobs_running[at], series.jobs_waiting[at]);
        rows.push(format!("{} {counts:?}", series.time_s[at]));
    }
    for at in (0..decisions.time_s.len()).filter(|at| decisions.time_s[*at] < time_s) {
        let counts = (decisions.started[at], decisions.rescaled[at], decisions.preempted[at], decisions.dropped[at]);
        rows.push(format!("{} {counts:?}", decisions.time_s[at]));
    }
    for at in (0..losses.time_s.len()).filter(|at| losses.time_s[*at] < time_s) {
        rows.push(format!("{} {} {} {}", losses.time_s[at], losses.job[at], losses.gpu_seconds[at], losses.work[at]));
    }
    for at in (0..batches.time_s.len()).filter(|at| batches.time_s[*at] < time_s) {
        rows.push(format!("{} {} {}", batches.time_s[at], batches.job[at], batches.batch_global[at]));
    }
    rows
}

fn check_prefix(fork: &Run, origin: &Run, time_s: f64) {
    let nodes = origin.gpus_total / origin.gpus_per_node;
    let (fork, origin) = (until(fork, time_s, nodes), until(origin, time_s, nodes));
    let rows = fork.iter().zip(&origin);
    rows.for_each(|(fork, origin)| assert_eq!(fork, origin, "until {time_s} s"));
    assert_eq!(fork.len(), origin.len(), "until {time_s} s");
}

fn start_with<'a>(
    spec: &PolicySpec,
    workload: &'a Workload,
    cluster: Cluster,
    settings: &Conditions,
    forks: Vec<Fork>,
) -> Result<Simulation<'a>, elastiplan_engine::StartError> {
    let settings = Conditions { forks, ..settings.clone() };
    let build = |id: &str| id.parse::<PolicySpec>().unwrap().build(settings.seed);
    let made =
        Simulation::new(workload, cluster, settings.clone(), spec.to_string(), build(&spec.to_string()).unwrap());
    Ok(made?.with_fork_policies(&build)?)
}

/// Runs a fork to its end, or to the fork that cannot be made.
fn finish(mut simulation: Simulation<'_>) -> (Run, bool) {
    loop {
        match simulation.step() {
            Ok(Step::More) => {}
            Ok(Step::Finished) => return (simulation.record(), true),
            Err(error) => {
                assert!(matches!(error.kind, RunErrorKind::Fork(_)), "{error}");
                return (simulation.record(), false);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn a_fork_is_its_origin_until_its_time_and_sound_after_it(
        specs in specs_up_to(3000.0), workload in detailed_workload(), cluster in rough_cluster(),
        settings in rough_settings(), draws in forks(),
    ) {
        for (at, spec) in specs.iter().enumerate() {
            let other = &specs[(at + 1) % specs.len()];
            let mut forks: Vec<Fork> = draws.iter().map(|(at_s, draw)| fork_of(*at_s, draw, other, &workload)).collect();
            forks.sort_by(|a, b| a.after_start_s.total_cmp(&b.after_start_s));
            let origin = finish(simulation(spec, &workload, cluster, &settings)).0;
            let Ok(forked) = start_with(spec, &workload, cluster, &settings, forks.clone()) else { continue };
            let (run, is_whole) = finish(forked);
            let first_s = workload.trace().start_s() + forks[0].after_start_s;
            check_prefix(&run, &origin, if is_whole { first_s } else { first_s.min(run.end_s) });
            // A fork of a fork has the first one for its origin.
            if let [.., last] = forks.as_slice() && forks.len() > 1 {
                let before = start_with(spec, &workload, cluster, &settings, forks[..forks.len() - 1].to_vec()).unwrap();
                let (before, _) = finish(before);
                let last_s = (workload.trace().start_s() + last.after_start_s).min(run.end_s).min(before.end_s);
                check_prefix(&run, &before, last_s);
            }
            if is_whole && !run.stalled {
                let cluster = cluster.resized(run.gpus_total / run.gpus_per_node, run.gpus_per_node).unwrap();
                assert_sound(&run, &workload, &cluster, &Conditions { forks, ..settings.clone() });
                // The naive metrics know one currency of rescale costs in a run.
                if !draws.iter().any(|(_, draw)| matches!(draw, Draw::OtherPolicy)) {
                    assert_metrics_are_naive(&run, &workload);
                }
            }
        }
    }

    #[test]
    fn a_fork_that_changes_nothing_is_its_origin(
        specs in specs_up_to(3000.0), workload in detailed_workload(), cluster in rough_cluster(),
        settings in rough_settings(), share in 0.0..1.0f64,
    ) {
        for spec in &specs {
            let origin = finish(simulation(spec, &workload, cluster, &settings)).0;
            let after_start_s = (origin.end_s - origin.start_s) * share;
            let in_log = settings.availability.as_ref().map_or(0, |log| log.nodes());
            let same = [ForkChange::Nodes(cluster.nodes() - in_log), ForkChange::Policy(spec.to_string())];
            for change in same {
                let forks = vec![Fork { after_start_s, change }];
                let Ok(forked) = start_with(spec, &workload, cluster, &settings, forks) else { continue };
                let (run, is_whole) = finish(forked);
                if is_whole {
                    prop_assert_eq!(run.digest(), origin.digest(), "{}", spec);
                }
            }
        }
    }

    /// A cluster that changes at the first submission is one that was so from the beginning.
    #[test]
    fn a_fork_at_the_start_is_another_cluster(
        specs in specs_up_to(3000.0), workload in detailed_workload(), cluster in rough_cluster(),
        settings in rough_settings(), nodes in 1..9u32,
    ) {
        let in_log = settings.availability.as_ref().map_or(0, |log| log.nodes());
        let other = cluster.resized(nodes + in_log, cluster.gpus_per_node()).unwrap();
        for spec in &specs {
            let forks = vec![Fork { after_start_s: 0.0, change: ForkChange::Nodes(nodes) }];
            let Ok(forked) = start_with(spec, &workload, cluster, &settings, forks) else { continue };
            let (run, is_whole) = finish(forked);
            let expected = finish(simulation(spec, &workload, other, &settings)).0;
            if is_whole {
                let held = |run: &Run| (run.holdings.job.clone(), run.holdings.mask.clone(), run.holdings.start_s.clone());
                prop_assert_eq!(held(&run), held(&expected), "{}", spec);
                prop_assert_eq!(&run.spans, &expected.spans, "{}", spec);
                prop_assert_eq!((&run.jobs, &run.series), (&expected.jobs, &expected.series), "{}", spec);
                prop_assert_eq!((&run.decisions, run.end_s), (&expected.decisions, expected.end_s), "{}", spec);
                prop_assert!(run.job_ids().all(|job| run.spans.of(job).all(|span| span.gpus <= other.gpus_total())));
            }
        }
    }
}

/// A job with the most priority gets the GPUs: the policy sees the change.
#[test]
fn a_priority_is_seen_by_the_policy() {
    let case = crate::drawing::parse(
        "
        4 GPUs
        curve m 1:1 2:1.9 4:3.4
        a gpus=2 work=4000 curve=m
        b gpus=2 work=4000 curve=m
        ",
    );
    let spec: PolicySpec = "elastic-dp".parse().unwrap();
    let gpus_of_a = |forks: Vec<Fork>| {
        let run = finish(start_with(&spec, &case.workload, case.cluster, &case.settings, forks).unwrap()).0;
        run.spans.of(JobId(0)).map(|span| span.gpus).max()
    };
    assert_eq!(gpus_of_a(vec![]), Some(2));
    assert_eq!(gpus_of_a(vec!["at=5 priority=50 job=a".parse().unwrap()]), Some(3));
}
