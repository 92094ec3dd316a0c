//! What an event costs, from a thousand jobs to a million.
//!
//! `cargo bench -p elastiplan-engine`. A load on one GPU (a queue of one server), where nothing but the event loop
//! counts, and one on 300 nodes of 8 GPUs, where places are looked for. An event is a submission or a completion; the
//! record is made at the end. Printed as a table, not by criterion: the largest run takes a second.

use std::time::Instant;

use elastiplan_engine::{Action, Policy, Simulation, View};
use elastiplan_model::{Cluster, Curve, CurveKey, Curves, Job, JobId, ModelId, Trace, Work, Workload};
use elastiplan_scenario::Conditions;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// First come, first served, looking at no more of the queue than can start.
#[derive(Clone)]
struct FirstCome;

impl Policy for FirstCome {
    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let mut free = view.gpus_free();
        if free == 0 {
            return;
        }
        for job in view.waiting() {
            let gpus = job.bound.gpus_requested;
            if gpus > free {
                return;
            }
            free -= gpus;
            actions.push(Action::Allocate { job: job.id, gpus });
        }
    }
}

/// Random arrivals and run times that keep nine tenths of the GPUs busy.
fn workload(jobs: usize, gpus: u32, most: u32) -> Option<Workload> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut exponential = |mean: f64| -mean * libm::log(1.0 - random.random::<f64>());
    let mean_gpus = f64::from(1 + most) / 2.0;
    let mut submit_s = 0.0;
    let job = |number: usize| {
        submit_s += exponential(100.0 * mean_gpus / (0.9 * f64::from(gpus)));
        Job {
            name: number.to_string(),
            source_row: 0,
            submit_s,
            model: ModelId(0),
            batch_global: None,
            gpus_requested: 1 + (number as u32 * 7) % most,
            gpus_min: None,
            gpus_max: None,
            work: Work::DurationOnRequested(exponential(100.0).max(0.001)),
            deadline_s: None,
            user: None,
            rescale: None,
            batch_range: None,
            priority: None,
        }
    };
    let trace = Trace::new(vec!["m".into()], (0..jobs).map(job).collect()).ok()?;
    let points = (1..=most).map(|gpus| (gpus, f64::from(gpus)));
    let curve = Curve::new(CurveKey { model: "m".into(), batch_global: None }, points).ok()?;
    Some(Workload::bind(&trace, &Curves::from_iter([curve])).0)
}

/// Seconds of the fastest of three runs, and whether all jobs completed.
fn run(workload: &Workload, cluster: Cluster) -> Option<(f64, usize)> {
    let mut fastest = f64::INFINITY;
    let mut completed = 0;
    for _ in 0..3 {
        let started = Instant::now();
        let policy = Box::new(FirstCome);
        let simulation = Simulation::new(workload, cluster, Conditions::default(), "first come", policy).ok()?;
        let run = simulation.run_to_end().ok()?;
        fastest = fastest.min(started.elapsed().as_secs_f64());
        completed = (0..workload.jobs().len() as u32).filter(|job| run.spans.of(JobId(*job)).count() > 0).count();
    }
    Some((fastest, completed))
}

fn main() {
    for (name, nodes, gpus_per_node, most) in [("1 GPU", 1, 1, 1), ("300 x 8 GPUs", 300, 8, 16)] {
        println!("{name}: jobs, seconds, million events a second");
        for jobs in [1_000, 10_000, 100_000, 1_000_000] {
            let Ok(cluster) = Cluster::new(nodes, gpus_per_node) else { continue };
            let Some(workload) = workload(jobs, cluster.gpus_total(), most) else { continue };
            let Some((seconds, completed)) = run(&workload, cluster) else { continue };
            let events = 2.0 * jobs as f64;
            println!("{completed:>9} {seconds:>9.4} {:>6.2}", events / seconds / 1e6);
        }
    }
}
