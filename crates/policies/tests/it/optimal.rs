//! The decisions of `elastic-dp` against trying everything.

use elastiplan_engine::{Action, Cadence, JobView, Policy, Simulation, View};
use elastiplan_model::{
    BatchRange, Cluster, Curve, CurveKey, Curves, Job, Law, ModelId, ScalingTimes, Trace, Work, Workload,
};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Conditions;
use proptest::prelude::*;

/// Lets a policy decide, and checks each decision.
#[derive(Clone)]
struct Checked {
    policy: Box<dyn Policy>,
    queue: bool,
    gpus_max: u32,
    batch: &'static str,
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

        // Arrivals join in order until one would leave a job without its least number of GPUs; where that one is
        // dropped, the next is tried.
        let mut least: u32 = view.running().map(|job| self.least(&job)).sum();
        let mut is_full = false;
        for job in view.waiting() {
            let own_least = self.least(&job);
            let can_start = own_least <= view.gpus_total();
            let fits = least + own_least <= view.gpus_total();
            is_full |= can_start && !fits && self.queue;
            let joins = can_start && fits && !is_full;
            assert_eq!(gpus_after(&job) > 0, joins);
            least += if joins { own_least } else { 0 };
            assert_eq!(dropped(&job), !can_start || !joins && !self.queue);
        }

        // The sum of their scaling factors is the greatest there is.
        let in_cluster: Vec<JobView<'_>> =
            view.running().chain(view.waiting()).filter(|job| gpus_after(job) > 0).collect();
        let found: f64 = in_cluster.iter().map(|job| self.factor(job, gpus_after(job))).sum();
        let best = self.best_sum(&in_cluster, view.gpus_total()).unwrap();
        assert!((found - best).abs() <= 1e-9 * best.max(1.0), "{found} for {best}");
        assert!(in_cluster.iter().all(|job| gpus_after(job) <= self.most(job)));

        // And each has a batch size with which it is that fast.
        for job in &in_cluster {
            let named = actions.iter().find_map(|action| match *action {
                Action::SetBatch { job: named, batch_global } if named == job.id => Some(batch_global),
                _ => None,
            });
            let gpus = gpus_after(job);
            let speed = named.or(job.batch_global()).map(|batch| job.curve.samples_per_s_with(gpus, batch));
            let expected = self.fastest(job, gpus);
            assert!(speed.is_none_or(|speed| (speed - expected).abs() <= 1e-9 * expected), "{speed:?} for {expected}");
        }
    }
}

impl Checked {
    /// The batch sizes that a job may get: all that there are between the limits.
    fn batches(&self, job: &JobView<'_>) -> Option<Vec<u32>> {
        let range = job.bound.batches?;
        Some(match self.batch {
            "best" => (range.least..=range.most).collect(),
            // The largest of them that fits somewhere.
            "max" => (range.least..=range.most).rev().find(|batch| speed(job, 8, *batch) > 0.0).into_iter().collect(),
            "min" => vec![range.least],
            "own" => vec![job.curve.key().batch_global.unwrap()],
            other => panic!("{other}"),
        })
    }

    /// Throughput with the fastest batch size.
    fn fastest(&self, job: &JobView<'_>, gpus: u32) -> f64 {
        match self.batches(job) {
            Some(batches) => batches.into_iter().map(|batch| speed(job, gpus, batch)).fold(0.0, f64::max),
            None => job.curve.samples_per_s(gpus),
        }
    }

    /// Eq. 1 of the paper.
    fn factor(&self, job: &JobView<'_>, gpus: u32) -> f64 {
        let single = match (job.bound.batches, job.curve.scaling_times()) {
            (Some(range), Some(times)) => speed(job, 1, range.most.min(times.batch_per_gpu_max())),
            _ => job.curve.samples_per_s(job.curve.gpus_smallest()) / f64::from(job.curve.gpus_smallest()),
        };
        self.fastest(job, gpus) / single
    }

    /// The fewest GPUs that it runs on, and at least as many as it says.
    fn least(&self, job: &JobView<'_>) -> u32 {
        match job.bound.batches {
            Some(_) => (job.job.gpus_min.unwrap()..).find(|gpus| self.fastest(job, *gpus) > 0.0).unwrap(),
            None => job.bound.gpus_min,
        }
    }

    fn most(&self, job: &JobView<'_>) -> u32 {
        let own = if job.bound.batches.is_some() { job.job.gpus_max.unwrap().min(8) } else { job.bound.gpus_max };
        own.min(self.gpus_max).max(self.least(job))
    }

    /// Tries every division.
    fn best_sum(&self, jobs: &[JobView<'_>], gpus: u32) -> Option<f64> {
        let Some((job, others)) = jobs.split_first() else { return Some(0.0) };
        let takes = self.least(job)..=self.most(job).min(gpus);
        let sum = |taken| Some(self.factor(job, taken) + self.best_sum(others, gpus - taken)?);
        takes.filter_map(sum).max_by(f64::total_cmp)
    }
}

fn speed(job: &JobView<'_>, gpus: u32, batch_global: u32) -> f64 {
    job.curve.samples_per_s_with(gpus, batch_global)
}

/// Submission, curve, samples, GPU limits, batch sizes.
type PlainJob = (u32, u32, u32, (u32, u32), (u32, u32));

/// What `elastic-dp` is set to: rounds, queue, the most GPUs, batch sizes.
type Set = (u32, bool, u32, &'static str);

fn check(curves: Curves, jobs: &[PlainJob], gpus_total: u32, (delta_s, queue, gpus_max, batch): Set) {
    let job = |(index, &(submit_s, model, samples, (gpus_min, more), (least, span)))| Job {
        name: format!("{index}"),
        source_row: 0,
        submit_s: f64::from(submit_s),
        model: ModelId(model),
        batch_global: (least > 0).then_some(least + span / 2),
        gpus_requested: gpus_min,
        gpus_min: Some(gpus_min),
        gpus_max: Some(gpus_min + more),
        work: Work::Samples(f64::from(samples)),
        deadline_s: None,
        user: None,
        rescale: None,
        batch_range: (least > 0).then_some(BatchRange { least, most: least + span }),
        priority: None,
    };
    let models = ["0", "1", "2"].map(String::from).to_vec();
    let trace = Trace::new(models, jobs.iter().enumerate().map(|(index, plain)| job((index as u32, plain))).collect());
    let (workload, _) = Workload::bind(&trace.unwrap(), &curves);
    assert_eq!(workload.jobs().len(), jobs.len());

    let id = format!("elastic-dp[delta_s={delta_s},queue={queue},gpus_max={gpus_max},batch={batch}]");
    let policy = id.parse::<PolicySpec>().unwrap().build(0).unwrap();
    let gpus_max = if gpus_max == 0 { u32::MAX } else { gpus_max };
    let checked = Checked { policy, queue, gpus_max, batch };
    let cluster = Cluster::new(1, gpus_total).unwrap();
    let simulation = Simulation::new(&workload, cluster, Conditions::default(), id, Box::new(checked)).unwrap();
    simulation.run_to_end().unwrap_or_else(|error| panic!("{error}"));
}

/// Speeds on 1, 2, 3... GPUs; the models run on at least 1, 2 and 3.
fn measured(curves: &[Vec<f64>]) -> Curves {
    let curve = |(model, speeds): (usize, &Vec<f64>)| {
        let key = CurveKey { model: model.to_string(), batch_global: None };
        Curve::new(key, (1 + model as u32..).zip(speeds.iter().copied())).unwrap()
    };
    curves.iter().enumerate().map(curve).collect()
}

/// Processing times at 4, 9 and 16 samples and all-reduce times on 2, 5 and 8 GPUs.
fn by_times(times: &[(Vec<f64>, Vec<f64>)]) -> Curves {
    let curve = |(model, (processing, all_reduce)): (usize, &(Vec<f64>, Vec<f64>))| {
        let key = CurveKey { model: model.to_string(), batch_global: Some(16) };
        let times = ScalingTimes {
            processing_s: [4.0, 9.0, 16.0].into_iter().zip(processing.iter().copied()).collect(),
            all_reduce_s: [2, 5, 8].into_iter().zip(all_reduce.iter().copied()).collect(),
            ..ScalingTimes::default()
        };
        Curve::from_law(key, Law::Scaling(times)).unwrap()
    };
    times.iter().enumerate().map(curve).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn every_division_has_the_greatest_sum_of_scaling_factors(
        curves in prop::collection::vec(prop::collection::vec(0.2..4.0f64, 1..7), 3),
        jobs in prop::collection::vec((0..40u32, 0..3u32, 1..99u32, (1..4u32, 0..6u32), Just((0, 0))), 1..7),
        gpus_total in 1..9u32,
        (delta_s, queue, gpus_max) in (0..30u32, any::<bool>(), 0..5u32),
    ) {
        check(measured(&curves), &jobs, gpus_total, (delta_s, queue, gpus_max, "best"));
    }

    #[test]
    fn every_job_has_the_batch_size_with_the_greatest_scaling_factor(
        times in prop::collection::vec((prop::collection::vec(0.2..4.0f64, 3), prop::collection::vec(0.0..6.0f64, 3)), 3),
        jobs in prop::collection::vec(
            (0..40u32, 0..3u32, 1..999u32, (1..3u32, 0..6u32), (1..80u32, 0..60u32)), 1..6),
        gpus_total in 1..9u32,
        (delta_s, queue, gpus_max) in (0..30u32, any::<bool>(), 0..5u32),
        batch in prop::sample::select(vec!["best", "max", "min"]),
    ) {
        check(by_times(&times), &jobs, gpus_total, (delta_s, queue, gpus_max, batch));
    }
}
