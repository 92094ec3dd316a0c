//! Every policy of the registry, with many settings, on random small clusters.

use elastiplan_engine::{Settings, Simulation, Step};
use elastiplan_model::{Cluster, Curve, CurveKey, Curves, Job, ModelId, Trace, Work, Workload};
use elastiplan_policies::{Entry, Kind, Parameter, PolicySpec, REGISTRY};
use proptest::prelude::*;

use crate::sound::assert_sound;

/// Values worth trying: the ends of the range, what is set if nothing is said, and some between.
fn values(parameter: &Parameter) -> Vec<String> {
    match parameter.kind {
        Kind::Flag { .. } => vec!["true".into(), "false".into()],
        Kind::Number { default, min, max, .. } => {
            [default, min, max, 2.0, 7.0, 40.0].map(|value| value.clamp(min, max).to_string()).into()
        }
    }
}

/// A policy with some of its parameters set.
fn spec(entry: &'static Entry) -> impl Strategy<Value = PolicySpec> {
    prop::collection::vec(prop::option::of(any::<prop::sample::Index>()), entry.parameters.len()).prop_map(|choices| {
        let bare: PolicySpec = entry.name.parse().unwrap();
        entry.parameters.iter().zip(choices).fold(bare, |spec, (parameter, choice)| match choice {
            Some(choice) => spec.with(parameter.name, choice.get::<String>(&values(parameter))).unwrap(),
            None => spec,
        })
    })
}

/// Each policy twice.
fn specs() -> impl Strategy<Value = Vec<PolicySpec>> {
    REGISTRY.iter().flat_map(|entry| [spec(entry), spec(entry)]).collect::<Vec<_>>()
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

fn job() -> impl Strategy<Value = Job> {
    let submit_s = prop_oneof![Just(5.0), (0..12u32).prop_map(f64::from), 0.0..90.0f64];
    let gpus = prop_oneof![4 => 1..6u32, 1 => 6..40u32];
    let limits = (prop::option::of(1..9u32), prop::option::weighted(0.6, 0..9u32));
    let work = prop_oneof![
        (1..300u32).prop_map(|samples| Work::Samples(f64::from(samples))),
        (0.1..300.0f64).prop_map(Work::DurationOnRequested),
    ];
    let deadline_s = prop::option::of(0.0..400.0f64);
    (submit_s, 0..3u32, gpus, limits, work, deadline_s).prop_map(
        |(submit_s, model, gpus_requested, (gpus_min, more), work, deadline_s)| Job {
            name: String::new(),
            source_row: 0,
            submit_s,
            model: ModelId(model),
            batch_global: None,
            gpus_requested,
            gpus_min,
            gpus_max: more.map(|more| gpus_min.unwrap_or(1) + more),
            work,
            deadline_s,
            user: None,
        },
    )
}

/// Up to 12 jobs of 3 models.
pub fn workload() -> impl Strategy<Value = Workload> {
    let curves = [curve(0), curve(1), curve(2)];
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

fn settings() -> impl Strategy<Value = Settings> {
    let rescale_cost_s = prop_oneof![Just(0.0), Just(30.0), 0.0..9.0f64];
    let until_s = prop::option::weighted(0.2, 0.0..200.0f64);
    (rescale_cost_s, until_s).prop_map(|(rescale_cost_s, until_s)| Settings { rescale_cost_s, seed: 1, until_s })
}

fn check(spec: &PolicySpec, workload: &Workload, cluster: Cluster, settings: Settings) {
    let simulation = || {
        let policy = spec.build(settings.seed).unwrap();
        Simulation::new(workload, cluster, settings, spec.to_string(), policy).unwrap()
    };
    let run = simulation().run_to_end().unwrap_or_else(|error| panic!("{error}"));
    assert_sound(&run, workload, &cluster, &settings);
    if settings.until_s.is_none() {
        assert_eq!(run.jobs.end_s.iter().position(Option::is_none), None, "a job was forgotten: {run:?}");
    }

    // A record may be taken at any step, and the last one is the run.
    let mut stepwise = simulation();
    let mut spans = stepwise.record().spans.len();
    while stepwise.step().unwrap() == Step::More {
        let record = stepwise.record();
        assert!(!record.finished && record.spans.len() >= spans);
        spans = record.spans.len();
    }
    assert_eq!(stepwise.record(), run);
    assert_eq!(stepwise.record().digest(), run.digest());
}

/// A clone taken after some steps goes on as the original did, and taking it changes nothing.
fn check_checkpoint(spec: &PolicySpec, workload: &Workload, cluster: Cluster, settings: Settings, steps: usize) {
    let policy = spec.build(settings.seed).unwrap();
    let mut original = Simulation::new(workload, cluster, settings, spec.to_string(), policy).unwrap();
    for _ in 0..steps {
        original.step().unwrap();
    }
    let checkpoint = original.clone();
    let run = original.run_to_end().unwrap();
    assert_eq!(checkpoint.clone().run_to_end().unwrap(), run);
    assert_eq!(checkpoint.run_to_end().unwrap(), run);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2500) })]

    #[test]
    fn every_run_is_sound(
        specs in specs(), workload in workload(), nodes in 1..4u32, gpus in 1..7u32, settings in settings(),
    ) {
        for spec in &specs {
            check(spec, &workload, Cluster::new(nodes, gpus).unwrap(), settings);
        }
    }

    #[test]
    fn checkpoints_go_on_as_the_original(
        specs in specs(), workload in workload(), gpus in 1..7u32, settings in settings(), steps in 0..40usize,
    ) {
        for spec in &specs {
            check_checkpoint(spec, &workload, Cluster::new(2, gpus).unwrap(), settings, steps);
        }
    }

    /// Another policy may take over at any moment: it copes with what it finds, and nothing is lost.
    #[test]
    fn any_policy_takes_over_from_any_other(
        specs in specs(), workload in workload(), gpus in 1..7u32, settings in settings(), steps in 0..40usize,
    ) {
        let cluster = Cluster::new(2, gpus).unwrap();
        let there_and_back: Vec<&PolicySpec> = specs.iter().chain(specs.iter().rev()).collect();
        for pair in there_and_back.windows(2) {
            let first = pair[0].build(settings.seed).unwrap();
            let mut simulation = Simulation::new(&workload, cluster, settings, pair[0].to_string(), first).unwrap();
            for _ in 0..steps {
                simulation.step().unwrap();
            }
            let forked = simulation.with_policy(pair[1].to_string(), pair[1].build(settings.seed).unwrap());
            let run = forked.run_to_end().unwrap_or_else(|error| panic!("{error}"));
            prop_assert!(run.series.gpus_in_use.iter().all(|&gpus| gpus <= cluster.gpus_total()));
            if settings.until_s.is_none() {
                prop_assert!(run.jobs.end_s.iter().all(Option::is_some), "a job was forgotten: {:?}", run);
            }
        }
    }
}
