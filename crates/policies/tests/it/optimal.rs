//! The decisions of `elastic-dp` against trying everything.

use elastiplan_engine::{Action, Cadence, JobView, Policy, Settings, Simulation, View};
use elastiplan_model::{Cluster, Curve, CurveKey, Curves, Job, ModelId, Trace, Work, Workload};
use elastiplan_policies::PolicySpec;
use proptest::prelude::*;

/// Lets a policy decide, and checks each decision.
#[derive(Clone)]
struct Checked {
    policy: Box<dyn Policy>,
    queue: bool,
    gpus_max: u32,
}

impl Policy for Checked {
    fn cadence(&self) -> Cadence {
        self.policy.cadence()
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        self.policy.decide(view, actions);
        let gpus_after = |job: &JobView<'_>| {
            let named = actions.iter().find_map(|action| match *action {
                Action::Allocate { job: named, gpus } if named == job.id => Some(gpus),
                _ => None,
            });
            named.unwrap_or(job.gpus)
        };
        let dropped = |job: &JobView<'_>| actions.contains(&Action::Drop { job: job.id });

        // Arrivals join in order until one would leave somebody without its least number of GPUs.
        let mut least: u32 = view.running().map(|job| job.bound.gpus_min).sum();
        let mut is_full = false;
        for job in view.waiting() {
            let can_start = job.bound.gpus_min <= view.gpus_total();
            is_full |= can_start && least + job.bound.gpus_min > view.gpus_total();
            let joins = can_start && !is_full;
            assert_eq!(gpus_after(&job) > 0, joins);
            least += if joins { job.bound.gpus_min } else { 0 };
            assert_eq!(dropped(&job), !can_start || !joins && !self.queue);
        }

        // The sum of their scaling factors is the greatest there is.
        let in_cluster: Vec<JobView<'_>> =
            view.running().chain(view.waiting()).filter(|job| gpus_after(job) > 0).collect();
        let found: f64 = in_cluster.iter().map(|job| factor(job, gpus_after(job))).sum();
        let best = self.best_sum(&in_cluster, view.gpus_total()).unwrap();
        assert!((found - best).abs() <= 1e-9 * best.max(1.0), "{found} for {best}");
        assert!(in_cluster.iter().all(|job| gpus_after(job) <= self.most(job)));
    }
}

/// Eq. 1 of the paper.
fn factor(job: &JobView<'_>, gpus: u32) -> f64 {
    let single = job.curve.samples_per_s(job.curve.gpus_smallest()) / f64::from(job.curve.gpus_smallest());
    job.curve.samples_per_s(gpus) / single
}

impl Checked {
    fn most(&self, job: &JobView<'_>) -> u32 {
        job.bound.gpus_max.min(self.gpus_max).max(job.bound.gpus_min)
    }

    /// Tries every division.
    fn best_sum(&self, jobs: &[JobView<'_>], gpus: u32) -> Option<f64> {
        let Some((job, others)) = jobs.split_first() else { return Some(0.0) };
        let takes = job.bound.gpus_min..=self.most(job).min(gpus);
        takes.filter_map(|taken| Some(factor(job, taken) + self.best_sum(others, gpus - taken)?)).max_by(f64::total_cmp)
    }
}

/// Submission, curve, samples, GPU limits.
type PlainJob = (u32, u32, u32, (u32, u32));

fn check(curves: &[Vec<f64>], jobs: &[PlainJob], gpus_total: u32, (delta_s, queue, gpus_max): (u32, bool, u32)) {
    let key = |model: usize| CurveKey { model: model.to_string(), batch_global: None };
    let curves = curves.iter().enumerate().map(|(model, speeds)| {
        let first = 1 + model as u32; // The models run on at least 1, 2 and 3 GPUs.
        Curve::new(key(model), (first..).zip(speeds.iter().copied())).unwrap()
    });
    let job = |(index, &(submit_s, model, samples, (gpus_min, more))): (usize, &PlainJob)| Job {
        name: index.to_string(),
        source_row: 0,
        submit_s: f64::from(submit_s),
        model: ModelId(model),
        batch_global: None,
        gpus_requested: gpus_min,
        gpus_min: Some(gpus_min),
        gpus_max: Some(gpus_min + more),
        work: Work::Samples(f64::from(samples)),
        deadline_s: None,
        user: None,
        rescale: None,
    };
    let models = ["0", "1", "2"].map(String::from).to_vec();
    let trace = Trace::new(models, jobs.iter().enumerate().map(job).collect()).unwrap();
    let (workload, _) = Workload::bind(&trace, &curves.collect::<Curves>());

    let id = format!("elastic-dp[delta_s={delta_s},queue={queue},gpus_max={gpus_max}]");
    let policy = id.parse::<PolicySpec>().unwrap().build(0).unwrap();
    let checked = Checked { policy, queue, gpus_max: if gpus_max == 0 { u32::MAX } else { gpus_max } };
    let cluster = Cluster::new(1, gpus_total).unwrap();
    let simulation = Simulation::new(&workload, cluster, Settings::default(), id, Box::new(checked)).unwrap();
    simulation.run_to_end().unwrap_or_else(|error| panic!("{error}"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn every_division_has_the_greatest_sum_of_scaling_factors(
        curves in prop::collection::vec(prop::collection::vec(0.2..4.0f64, 1..7), 3),
        jobs in prop::collection::vec((0..40u32, 0..3u32, 1..99u32, (1..4u32, 0..6u32)), 1..7),
        gpus_total in 1..9u32,
        parameters in (1..30u32, any::<bool>(), 0..5u32),
    ) {
        check(&curves, &jobs, gpus_total, parameters);
    }
}
