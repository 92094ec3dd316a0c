//! Random policies and workloads on clusters whose nodes join and leave, with all faults.

use std::sync::Arc;

use elastiplan_engine::{Action, Cadence, JobView, OnLoss, Policy, View};
use elastiplan_model::{
    Availability, Curve, CurveKey, Curves, Efficiency, Job, ModelId, Prices, Trace, Work, Workload,
};
use elastiplan_scenario::{Cloud, Conditions, Faults};
use proptest::prelude::*;

/// Random answers that are always possible.
#[derive(Clone, Debug)]
pub struct Gambler {
    numbers: Vec<u32>,
    next: usize,
    on_loss: OnLoss,
    batches: bool,
}

impl Gambler {
    fn roll(&mut self, sides: u32) -> u32 {
        self.next += 1;
        self.numbers[self.next % self.numbers.len()] / (1 + self.next as u32 % 7) % sides
    }
}

impl Policy for Gambler {
    fn cadence(&self) -> Cadence {
        Cadence::OnEventsAndTicks { interval_s: 9.0 }
    }

    fn on_loss(&self) -> OnLoss {
        self.on_loss
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let jobs: Vec<JobView<'_>> = view.running().chain(view.waiting()).collect();
        let mut free = view.gpus_free();
        for view in jobs {
            let (job, most) = (view.id, free + view.gpus);
            match self.roll(9) {
                0 if !view.started => actions.push(Action::Drop { job }),
                1 => actions.push(Action::Admit { job }),
                2..=5 => {
                    let gpus = self.roll(most + 1);
                    actions.push(Action::Allocate { job, gpus });
                    free = most - gpus;
                }
                6 if self.batches => {
                    actions.push(Action::SetBatch { job, batch_global: [8, 32][self.roll(2) as usize] })
                }
                _ => {}
            }
        }
        if self.roll(9) == 0 && view.nodes_ordered() < view.nodes() {
            actions.push(Action::ResizeCluster { nodes: 1 + self.roll(view.nodes()) });
        }
    }
}

/// Two models, each measured at two batch sizes, with gaps between the points; the second is worth less at the larger.
fn curves() -> impl Strategy<Value = Vec<Curve>> {
    let speeds = || prop::collection::vec((1..4_u32, 0.5..9.0_f64), 1..7);
    let stages = (0.1..0.5_f64, 0.0..40.0_f64, 0.0..90.0_f64);
    (speeds(), speeds(), speeds(), speeds(), stages).prop_map(|(a, b, c, d, (until, early, late))| {
        let curve = |model: &str, batch: u32, speeds: Vec<(u32, f64)>| {
            let key = CurveKey { model: model.into(), batch_global: Some(batch) };
            let mut gpus = 1;
            let points = speeds.into_iter().map(|(step, speed)| {
                gpus += step;
                (gpus - step, speed)
            });
            Curve::new(key, points).unwrap()
        };
        let worth = Efficiency::of_noise(8, [(until, early), (0.6, 20.0), (1.0, late)]);
        let less = |curve: Curve| curve.with_efficiency(worth.clone()).unwrap();
        vec![curve("a", 8, a), curve("a", 32, b), less(curve("b", 8, c)), less(curve("b", 32, d))]
    })
}

pub fn workload() -> impl Strategy<Value = Workload> {
    let job = (0.0..90.0_f64, 0..2_u32, any::<bool>(), 1..400_u32, prop::option::of(0.0..300.0_f64), 1..7_u32);
    (curves(), prop::collection::vec(job, 1..9)).prop_map(|(curves, jobs)| {
        let job = |(number, (submit_s, model, large, samples, deadline_s, gpus))| Job {
            name: format!("{number}"),
            source_row: 0,
            submit_s,
            model: ModelId(model),
            batch_global: Some(if large { 32 } else { 8 }),
            gpus_requested: gpus,
            gpus_min: None,
            gpus_max: None,
            work: Work::Samples(f64::from(samples)),
            deadline_s,
            user: (number % 3 > 0).then(|| format!("user-{}", number % 2)),
            rescale: None,
            batch_range: None,
            priority: None,
        };
        let jobs = jobs.into_iter().enumerate().map(job).collect();
        let trace = Trace::new(vec!["a".into(), "b".into()], jobs).unwrap();
        Workload::bind(&trace, &Curves::from_iter(curves)).0
    })
}

pub fn settings() -> impl Strategy<Value = Conditions> {
    let intervals = prop::collection::vec((0.0..9.0_f64, 1.0..50.0_f64), 0..4);
    let log = prop::option::of(intervals.prop_map(|intervals| {
        let mut time_s = 0.0;
        let mut there = Vec::new();
        for (away_s, length_s) in intervals {
            there.push((time_s + away_s, Some(time_s + away_s + length_s)));
            time_s += away_s + length_s;
        }
        there.push((time_s + 1.0, None));
        Arc::new(Availability::from_intervals(vec![("n".to_string(), there)], 1000.0).unwrap())
    }));
    let cloud = prop::option::of((1..4_u32, 0.0..20.0_f64)).prop_map(|cloud| {
        let (nodes_start, provisioning_s) = cloud?;
        Some(Cloud { nodes_start, nodes_min: 1, provisioning_s, price_per_gpu_hour: 1.0 })
    });
    let faults = (prop::option::of(20.0..300.0_f64), 0.0..0.3_f64).prop_map(|(node_mtbf_s, share)| Faults {
        node_mtbf_s,
        node_repair_s: 11.0,
        bug_share: share,
        bug_within_s: 40.0,
        cancel_share: share,
        ..Faults::default()
    });
    let costs = (0.0..5.0_f64, 0.0..3.0_f64, prop::option::of(1.0..40.0_f64));
    let costs = costs.prop_map(|(rescale_cost_s, start_delay_s, checkpoint_interval_s)| {
        let rescale_down_s = Some(1.0);
        Conditions { rescale_cost_s, rescale_down_s, start_delay_s, checkpoint_interval_s, ..Conditions::default() }
    });
    let slowdown = prop_oneof![Just(0.0), 0.0..0.9_f64];
    let prices = prop::option::of(prop::collection::vec(0.0..5.0_f64, 1..9)).prop_map(|prices| {
        let steps = (1..).zip(prices?).map(|(step, price)| (f64::from(step) * 70.0, price));
        Some(Arc::new(Prices::new(steps).unwrap()))
    });
    (any::<u64>(), 0.0..700.0_f64, log, cloud, faults, costs, slowdown, prices).prop_map(
        |(seed, until_s, availability, cloud, faults, costs, interference_slowdown, prices)| Conditions {
            seed,
            until_s: Some(until_s),
            availability,
            faults,
            cloud,
            prices,
            interference_slowdown,
            ..costs
        },
    )
}

pub fn gambler() -> impl Strategy<Value = Gambler> {
    let on_loss = prop_oneof![Just(OnLoss::Shrink), Just(OnLoss::Preempt)];
    (prop::collection::vec(any::<u32>(), 1..40), on_loss, any::<bool>())
        .prop_map(|(numbers, on_loss, batches)| Gambler { numbers, next: 0, on_loss, batches })
}
