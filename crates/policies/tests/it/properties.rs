//! Every policy of the registry, with many settings, on random small clusters whose nodes come and go, fail and are
//! repaired, under jobs with bugs and users who change their minds.

use std::collections::BTreeSet;
use std::sync::Arc;

use elastiplan_engine::{Run, Simulation, Step};
use elastiplan_model::{
    Availability, BatchRange, Cluster, Curve, CurveKey, CurvePoint, Curves, Efficiency, Job, Law, ModelId, Prices,
    ScalingTimes, Topology, Trace, Work, Workload, WorkloadJob,
};
use elastiplan_policies::{AUTO, Entry, Kind, Parameter, PolicySpec, REGISTRY};
use elastiplan_scenario::{Conditions, Faults, Placement};
use proptest::prelude::*;

use crate::naive_metrics::{assert_bounds_hold, assert_metrics_are_naive};
use crate::sound::assert_sound;
use crate::undone::{assert_undone, may_be_undone};

/// Values worth trying: the ends of the range, what is set if nothing is said, and some between.
fn values(parameter: &Parameter, most: f64) -> Vec<String> {
    match parameter.kind {
        Kind::Flag { .. } => vec!["true".into(), "false".into()],
        Kind::Choice { words } => words.iter().map(|word| word.to_string()).collect(),
        Kind::Number { default, min, max, .. } => numbers(default, min, max, most),
        Kind::NumberOrAuto { default, min, max } => [numbers(default, min, max, most), vec![AUTO.into()]].concat(),
    }
}

fn numbers(default: f64, min: f64, max: f64, most: f64) -> Vec<String> {
    let value = |value: f64| value.clamp(min, max).min(most.max(min)).to_string();
    [default, min, max, 2.0, 7.0, 40.0].map(value).into()
}

/// A policy with some of its parameters set.
fn spec(entry: &'static Entry, most: f64) -> impl Strategy<Value = PolicySpec> {
    prop::collection::vec(prop::option::of(any::<prop::sample::Index>()), entry.parameters.len()).prop_map(
        move |choices| {
            let bare: PolicySpec = entry.name.parse().unwrap();
            entry.parameters.iter().zip(choices).fold(bare, |spec, (parameter, choice)| match choice {
                // How long a search goes on changes what it finds, not what must hold, but takes the time of all others.
                _ if parameter.name == "rounds" => spec.with("rounds", "1").unwrap(),
                _ if parameter.name == "population" => spec.with("population", "3").unwrap(),
                Some(_) if entry.name == "pollux" && parameter.name == "interval_s" => {
                    spec.with("interval_s", "40").unwrap()
                }
                Some(choice) => spec.with(parameter.name, choice.get::<String>(&values(parameter, most))).unwrap(),
                None => spec,
            })
        },
    )
}

/// Each policy twice.
fn specs() -> impl Strategy<Value = Vec<PolicySpec>> {
    specs_up_to(f64::INFINITY)
}

/// The same with no value above `most`: nodes that fail every few minutes fail too often in a year.
pub fn specs_up_to(most: f64) -> impl Strategy<Value = Vec<PolicySpec>> {
    REGISTRY.iter().flat_map(|entry| [spec(entry, most), spec(entry, most)]).collect::<Vec<_>>()
}

/// Speeds of any shape, on 1, 2 or 4 GPUs and more, with gaps between measured points; a third of the models run on
/// no more GPUs than were measured.
fn curve(model: usize) -> impl Strategy<Value = Curve> {
    let points = prop::collection::vec((1..4u32, 0.3..9.0f64), 1..6);
    (prop::sample::select(vec![1, 2, 4]), points, prop::bool::weighted(0.3)).prop_map(move |(first, points, ends)| {
        let key = CurveKey { model: model.to_string(), batch_global: None };
        let mut gpus = first;
        let points = points.into_iter().map(|(step, speed)| {
            gpus += step;
            (gpus - step, speed)
        });
        let curve = Curve::new(key, points).unwrap();
        if ends { curve.ending_at_last_point() } else { curve }
    })
}

/// The same, for a model whose speed depends on places or whose samples are worth less as training goes on.
fn detailed(curve: Curve, (slower, detail): (f64, u32)) -> Curve {
    let slow = |point: &CurvePoint| CurvePoint { samples_per_s: point.samples_per_s * slower, ..*point };
    match detail {
        0 => {
            let points = curve.points().iter().map(slow).collect();
            curve.with_spread(points).unwrap()
        }
        1 => {
            let several = curve.points().iter().filter(|point| point.gpus > 1).map(|point| (2, slow(point)));
            let rows: Vec<_> = curve.points().iter().map(|point| (1, *point)).chain(several).collect();
            Curve::by_nodes(curve.key().clone(), rows).unwrap()
        }
        2 => {
            let stages = vec![(slower * 0.5, 3.0), (slower, 30.0), (1.0, 300.0)];
            curve.with_efficiency(Efficiency::of_noise(8, stages)).unwrap()
        }
        3 => {
            let processing_s = vec![(8.0, 3.0 * slower), (32.0, 5.0), (64.0, 5.0 + 9.0 * slower)];
            let all_reduce_s = vec![(2, slower), (3, 4.0), (8, 6.0 * slower)];
            let key = CurveKey { batch_global: Some(64), ..curve.key().clone() };
            Curve::from_law(key, Law::Scaling(ScalingTimes { processing_s, all_reduce_s, ..ScalingTimes::default() }))
                .unwrap()
        }
        _ => curve,
    }
}

fn job() -> impl Strategy<Value = Job> {
    let submit_s = prop_oneof![Just(5.0), (0..12u32).prop_map(f64::from), 0.0..90.0f64];
    let gpus = prop_oneof![4 => 1..6u32, 1 => 6..40u32];
    let limits = (prop::option::of(1..9u32), prop::option::weighted(0.6, 0..9u32));
    let work = prop_oneof![
        (1..300u32).prop_map(|samples| Work::Samples(f64::from(samples))),
        (0.1..300.0f64).prop_map(Work::DurationOnRequested),
    ];
    let deadline_s = prop::option::of(0.0..400.0f64);
    // Batch sizes may be chosen from the few on one GPU to more than fit on eight.
    let batches = (prop::sample::select(vec![20u32, 64, 200]), prop::option::of((1..=20u32, 200..700u32)));
    let priority = prop::option::of(0.2..5.0f64);
    (submit_s, 0..3u32, gpus, limits, work, deadline_s, (batches, priority)).prop_map(
        |(submit_s, model, gpus_requested, (gpus_min, more), work, deadline_s, ((batch, range), priority))| Job {
            name: String::new(),
            source_row: 0,
            submit_s,
            model: ModelId(model),
            batch_global: Some(batch),
            gpus_requested,
            gpus_min,
            gpus_max: more.map(|more| gpus_min.unwrap_or(1) + more),
            work,
            deadline_s,
            user: None,
            rescale: None,
            batch_range: range.map(|(least, most)| BatchRange { least, most }),
            priority,
        },
    )
}

/// Up to 12 jobs of 3 models.
pub fn workload() -> impl Strategy<Value = Workload> {
    workload_of(Just((1.0, 9)))
}

/// The same with speeds that depend on more than the number of GPUs.
pub fn detailed_workload() -> impl Strategy<Value = Workload> {
    workload_of((0.1..1.0f64, 0..6u32))
}

fn workload_of(detail: impl Strategy<Value = (f64, u32)> + Clone + 'static) -> impl Strategy<Value = Workload> {
    let curve = |model: usize| (curve(model), detail.clone()).prop_map(|(curve, detail)| detailed(curve, detail));
    let curves = [curve(0).boxed(), curve(1).boxed(), curve(2).boxed()];
    (curves, prop::collection::vec(job(), 0..12)).prop_map(|(curves, mut jobs)| {
        for (index, job) in jobs.iter_mut().enumerate() {
            job.name = index.to_string();
        }
        let models = (0..3).map(|model: u32| model.to_string()).collect();
        let trace = Trace::new(models, jobs).unwrap();
        let (workload, _) = Workload::bind(&trace, &Curves::from_iter(curves));
        assert_eq!(workload.jobs().len(), trace.jobs().len());
        workload
    })
}

fn settings() -> impl Strategy<Value = Conditions> {
    let rescale_cost_s = prop_oneof![Just(0.0), Just(30.0), 0.0..9.0f64];
    let until_s = prop::option::weighted(0.2, 0.0..200.0f64);
    (rescale_cost_s, until_s).prop_map(|(rescale_cost_s, until_s)| {
        let settings = Conditions::with_rescale_cost_s(rescale_cost_s);
        Conditions { seed: 1, until_s, ..settings }
    })
}

/// When up to three nodes are there; afterwards they are there for good, so that no job waits in vain.
fn availability() -> impl Strategy<Value = Option<Arc<Availability>>> {
    let gaps = prop::collection::vec((0..9u32, 1..40u32, prop::bool::weighted(0.2)), 0..6);
    prop::option::of(prop::collection::vec(gaps, 1..4)).prop_map(|nodes| {
        let node = |(number, gaps): (usize, Vec<(u32, u32, bool)>)| {
            let (mut time, mut intervals) = (0.0, Vec::new());
            for (away, there, fraction) in gaps {
                let start = time + f64::from(away) + if fraction { 0.3 } else { 0.0 };
                time = start + f64::from(there);
                intervals.push((start, Some(time)));
            }
            intervals.push((time + 1.0, None));
            (number.to_string(), intervals)
        };
        let nodes: Vec<_> = nodes?.into_iter().enumerate().map(node).collect();
        Some(Arc::new(Availability::from_intervals(nodes, 1000.0).unwrap()))
    })
}

fn faults() -> impl Strategy<Value = Faults> {
    let share = || prop_oneof![Just(0.0), 0.0..0.6f64];
    let nodes = prop::option::weighted(0.4, (300.0..3000.0f64, 1.0..30.0f64));
    (nodes, share(), 0.0..60.0f64, share(), share(), share()).prop_map(
        |(nodes, bugs, within_s, cancels, error, noise)| {
            let (mtbf_s, repair_s) = nodes.unzip();
            Faults {
                node_mtbf_s: mtbf_s,
                node_repair_s: repair_s.unwrap_or(0.0),
                bug_share: bugs,
                bug_within_s: within_s,
                cancel_share: cancels,
                estimate_error: error,
                profiling_noise: noise,
            }
        },
    )
}

fn costs() -> impl Strategy<Value = Conditions> {
    let seconds = || prop_oneof![2 => Just(0.0), 1 => Just(4.0), 2 => 0.0..12.0f64];
    (seconds(), seconds(), seconds(), seconds(), prop::option::of(1.0..40.0f64)).prop_map(
        |(up_s, down_s, per_doubling_s, start_s, checkpoint_interval_s)| Conditions {
            rescale_cost_s: up_s,
            rescale_down_s: Some(down_s),
            rescale_per_doubling_s: per_doubling_s,
            start_delay_s: start_s,
            checkpoint_interval_s,
            ..Conditions::default()
        },
    )
}

/// Prices that change now and then. In the end GPUs are free, so that no job waits for ever until they are cheaper.
fn prices() -> impl Strategy<Value = Option<Arc<Prices>>> {
    let price = prop_oneof![2 => 0.1..5.0f64, 1 => (0..4u32).prop_map(f64::from)];
    prop::option::of(prop::collection::vec((0.5..60.0f64, price), 0..12)).prop_map(|steps| {
        let mut time_s = 0.0;
        let mut prices = Vec::new();
        for (length_s, price) in steps? {
            prices.push((time_s, price));
            time_s += length_s;
        }
        prices.push((time_s, 0.0));
        Some(Arc::new(Prices::new(prices).unwrap()))
    })
}

/// Everything that a run can meet.
pub fn rough_settings() -> impl Strategy<Value = Conditions> {
    let placement = prop::sample::select(Placement::ALL);
    let until_s = prop::option::weighted(0.2, 0.0..200.0f64);
    let slowdown = prop_oneof![2 => Just(0.0), 1 => 0.0..0.95f64];
    (any::<u64>(), until_s, costs(), placement, availability(), faults(), slowdown, prices()).prop_map(
        |(seed, until_s, costs, placement, availability, faults, interference_slowdown, prices)| Conditions {
            seed,
            until_s,
            placement,
            availability,
            faults,
            cloud: None,
            prices,
            interference_slowdown,
            ..costs
        },
    )
}

pub fn rough_cluster() -> impl Strategy<Value = Cluster> {
    let topology = (1..5u32, 1..3u32, 0.1..1.0f64).prop_map(|(gpus_per_socket, nodes_per_rack, slower)| {
        let speed = [1.0, 1.0 - slower * 0.1, 1.0 - slower * 0.3, 1.0 - slower * 0.8];
        Topology { gpus_per_socket, nodes_per_rack, speed }
    });
    (3..6u32, 1..9u32, prop::option::weighted(0.3, topology)).prop_map(|(nodes, gpus, topology)| {
        let cluster = Cluster::new(nodes, gpus).unwrap();
        topology.map_or(cluster, |topology| cluster.with_topology(topology).unwrap())
    })
}

pub fn simulation<'a>(
    spec: &PolicySpec,
    workload: &'a Workload,
    cluster: Cluster,
    settings: &Conditions,
) -> Simulation<'a> {
    let policy = spec.build(settings.seed).unwrap();
    let simulation = Simulation::new(workload, cluster, settings.clone(), spec.to_string(), policy).unwrap();
    let build = |id: &str| id.parse::<PolicySpec>().unwrap().build(settings.seed);
    simulation.with_fork_policies(&build).unwrap()
}

/// Runs a policy, and takes a record on the way every so many steps.
pub fn check(spec: &PolicySpec, workload: &Workload, cluster: Cluster, settings: &Conditions, record_every: usize) {
    let run = simulation(spec, workload, cluster, settings).run_to_end().unwrap_or_else(|error| panic!("{error}"));
    if run.stalled && may_be_undone(spec, settings) {
        assert_undone(&run, workload, workload.trace().start_s());
        return check(spec, workload, cluster, &the_first_of(settings), record_every);
    }
    assert_sound(&run, workload, &cluster, settings);
    if spec.entry().is_some_and(|entry| !entry.is_elastic) {
        for (job, _) in workload.trace().iter() {
            let held: BTreeSet<u32> = run.spans.of(job).map(|span| span.gpus).filter(|gpus| *gpus > 0).collect();
            assert!(held.len() <= 1, "{spec} says that jobs keep as many GPUs as they started with: {held:?}");
        }
    }
    assert_metrics_are_naive(&run, workload);
    assert_bounds_hold(&run, workload);
    if settings.until_s.is_none() {
        assert!(!run.stalled, "{spec} got nowhere");
        assert_eq!(run.jobs.end_s.iter().position(Option::is_none), None, "a job was forgotten: {run:?}");
    }

    // A record may be taken at any step, and the last one is the run.
    let mut stepwise = simulation(spec, workload, cluster, settings);
    let mut spans = stepwise.record().spans.len();
    for step in 1.. {
        if stepwise.step().unwrap() != Step::More {
            break;
        }
        if step % record_every == 0 {
            let record = stepwise.record();
            assert!(!record.finished && record.spans.len() >= spans);
            spans = record.spans.len();
        }
    }
    let record = stepwise.record();
    assert_eq!(record, run);
    assert_eq!(record.digest(), run.digest());
}

/// The beginning of a run that gets nowhere: all of it takes minutes to go through span by span.
fn the_first_of(settings: &Conditions) -> Conditions {
    Conditions { until_s: Some(2000.0), ..settings.clone() }
}

/// A clone taken after some steps goes on as the original did, and taking it changes nothing.
fn check_checkpoint(spec: &PolicySpec, workload: &Workload, cluster: Cluster, settings: &Conditions, steps: usize) {
    let mut original = simulation(spec, workload, cluster, settings);
    for _ in 0..steps {
        original.step().unwrap();
    }
    let checkpoint = original.clone();
    let run = original.run_to_end().unwrap();
    assert_eq!(checkpoint.clone().run_to_end().unwrap(), run);
    assert_eq!(checkpoint.run_to_end().unwrap(), run);
}

/// So many cases, or as many as `ELASTIPLAN_CASES` says. Each is run under every policy twice. A smaller example of a
/// failure is looked for no longer than a minute: runs that get nowhere are long.
pub fn cases(usual: u32) -> ProptestConfig {
    let wanted = std::env::var("ELASTIPLAN_CASES").map_or(usual, |cases| cases.parse().unwrap());
    ProptestConfig { failure_persistence: None, max_shrink_time: 60_000, ..ProptestConfig::with_cases(wanted) }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn every_run_is_sound(
        specs in specs(), workload in workload(), nodes in 1..4u32, gpus in 1..7u32, settings in settings(),
        record_every in 1..20usize,
    ) {
        for spec in &specs {
            check(spec, &workload, Cluster::new(nodes, gpus).unwrap(), &settings, record_every);
        }
    }

}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn every_run_is_sound_whatever_happens(
        specs in specs_up_to(3000.0), workload in detailed_workload(), cluster in rough_cluster(), settings in rough_settings(),
        record_every in 1..20usize,
    ) {
        for spec in &specs {
            check(spec, &workload, cluster, &settings, record_every);
        }
    }

    #[test]
    fn checkpoints_go_on_as_the_original(
        specs in specs_up_to(3000.0), workload in detailed_workload(), cluster in rough_cluster(), settings in rough_settings(),
        steps in 0..40usize,
    ) {
        for spec in &specs {
            check_checkpoint(spec, &workload, cluster, &settings, steps);
        }
    }

}

/// Whether a policy gives jobs batch sizes of the range that the trace allows.
fn chooses_batches(spec: &PolicySpec) -> bool {
    spec.name() == "elastic-dp"
}

/// Whether a job that was started with a batch size that was chosen for it needs more GPUs with its own than there can
/// be: a policy that does not choose can only let it wait, and others behind it, as from the beginning.
fn waits_for_another_batch(run: &Run, workload: &Workload, cluster: Cluster) -> bool {
    let most = cluster.gpus_total();
    let waits = |(at, bound): (usize, &WorkloadJob)| {
        let is_left = run.jobs.start_s[at].is_some() && run.jobs.end_s[at].is_none();
        is_left && bound.gpus_least <= most && most < bound.gpus_min
    };
    workload.jobs().iter().enumerate().any(waits)
}

proptest! {
    #![proptest_config(cases(80))]

    /// Another policy may take over at any moment: it copes with what it finds, and nothing is lost.
    #[test]
    fn any_policy_takes_over_from_any_other(
        specs in specs_up_to(3000.0), workload in detailed_workload(), cluster in rough_cluster(), settings in rough_settings(),
        steps in 0..40usize,
    ) {
        let there_and_back: Vec<&PolicySpec> = specs.iter().chain(specs.iter().rev()).collect();
        for pair in there_and_back.windows(2) {
            let fork = |settings: &Conditions| {
                let mut simulation = simulation(pair[0], &workload, cluster, settings);
                for _ in 0..steps {
                    simulation.step().unwrap();
                }
                let from_s = simulation.progress().time_s;
                let forked = simulation.with_policy(pair[1].to_string(), pair[1].build(settings.seed).unwrap());
                (forked.run_to_end().unwrap_or_else(|error| panic!("{error}")), from_s)
            };
            let (run, from_s) = fork(&settings);
            if run.stalled && may_be_undone(pair[1], &settings) {
                assert_undone(&run, &workload, from_s);
                assert_sound(&fork(&the_first_of(&settings)).0, &workload, &cluster, &the_first_of(&settings));
                continue;
            }
            assert_sound(&run, &workload, &cluster, &settings);
            if settings.until_s.is_none() && (chooses_batches(pair[1]) || !waits_for_another_batch(&run, &workload, cluster)) {
                prop_assert!(run.jobs.end_s.iter().all(Option::is_some), "{} then {} forgot a job: {:?}", pair[0], pair[1], run);
            }
        }
    }
}
