//! `edf` by the letter: at every decision all jobs are sorted by deadline and looked at one after the other. The policy
//! keeps them in order instead, and must decide the same to the bit.

use elastiplan_engine::{Action, Cadence, JobView, OnLoss, Policy, Run, Simulation, View};
use elastiplan_model::{Cluster, JobId, Workload};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Conditions;
use proptest::prelude::*;

use crate::properties::{cases, detailed_workload, rough_cluster, rough_settings, workload};

#[derive(Clone)]
struct PlainEdf {
    interval_s: f64,
    met: u32,
}

impl Policy for PlainEdf {
    fn cadence(&self) -> Cadence {
        Cadence::AtMostEvery { interval_s: self.interval_s }
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let too_large = |job: &JobView<'_>| !job.started && job.bound.gpus_min > view.gpus_most();
        let new = (self.met..view.jobs_submitted()).filter_map(|job| view.job(JobId(job)));
        actions.extend(new.filter(too_large).map(|job| Action::Drop { job: job.id }));
        self.met = view.jobs_submitted();
        let mut jobs: Vec<JobView<'_>> = view.running().chain(view.waiting()).filter(|job| !too_large(job)).collect();
        let deadline_s = |job: &JobView<'_>| job.job.deadline_s.unwrap_or(f64::INFINITY);
        jobs.sort_by(|a, b| deadline_s(a).total_cmp(&deadline_s(b)).then(a.id.cmp(&b.id)));
        let mut free = view.gpus_total();
        for job in jobs {
            let gpus = widest(&job, view.gpus_total(), free);
            free -= gpus;
            if gpus != job.gpus {
                actions.push(Action::Allocate { job: job.id, gpus });
            }
        }
    }
}

/// The most of `free` GPUs that a job can use, up to the number at which its speed first stops growing.
fn widest(job: &JobView<'_>, total: u32, free: u32) -> u32 {
    let (least, most) = (job.bound.gpus_min, job.bound.gpus_max);
    let measured = job.curve.points().iter().map(|point| point.gpus).filter(|gpus| least < *gpus && *gpus <= most);
    let levels: Vec<u32> = [least].into_iter().chain(measured).filter(|gpus| *gpus <= total).collect();
    let speed = |gpus: u32| job.curve.samples_per_s(gpus);
    let slower = levels.windows(2).position(|pair| speed(pair[1]) < speed(pair[0]));
    let rising = &levels[..slower.map_or(levels.len(), |at| at + 1)];
    rising.iter().copied().filter(|gpus| *gpus <= free).max().unwrap_or(0)
}

fn check(workload: &Workload, cluster: Cluster, settings: &Conditions, interval_s: f64) {
    let run = |policy: Box<dyn Policy>| -> Result<Run, String> {
        let simulation = Simulation::new(workload, cluster, settings.clone(), "edf", policy).unwrap();
        simulation.run_to_end().map_err(|error| error.to_string())
    };
    let spec: PolicySpec = format!("edf[interval_s={interval_s}]").parse().unwrap();
    let kept = run(spec.build(settings.seed).unwrap());
    let plain = run(Box::new(PlainEdf { interval_s, met: 0 }));
    assert_eq!(kept.map(|run| run.digest()), plain.map(|run| run.digest()));
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn kept_queue_decides_as_a_sorted_one(
        (workload, cluster) in (prop_oneof![workload(), detailed_workload()], rough_cluster()),
        settings in rough_settings(),
        interval_s in prop::sample::select(vec![0.0, 5.0, 60.0]),
    ) {
        check(&workload, cluster, &settings, interval_s);
    }
}
