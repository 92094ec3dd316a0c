//! No policy's work grows much faster than the jobs that it has to place.
//!
//! Work is counted by the bytes that a run allocates in all, which are the same on every machine: what walks a queue at
//! every decision collects it, and what plans all jobs anew keeps the plans. Two sizes, at a load that the cluster
//! serves and at one that it does not; `cargo bench -p elastiplan-cli --bench growth` measures time.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // An exponent is no part of a run.
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use elastiplan_model::Cluster;
use elastiplan_planner::run;
use elastiplan_policies::REGISTRY;
use elastiplan_scenario::Scenario;
use elastiplan_workloads::generate::GeneratorSpec;
use elastiplan_workloads::published::Published;

/// Counts what the thread allocates.
struct Counting;

thread_local! {
    static ALLOCATED: Cell<u64> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    let _ = ALLOCATED.try_with(|allocated| allocated.set(allocated.get() + bytes as u64));
}

// SAFETY: memory is the system's; only its size is noted.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const JOBS: [u32; 2] = [250, 1_000];
/// Seconds between submissions: at 128 GPUs, 90 % load and twice as much as there is.
const GAPS_S: [(&str, u32); 2] = [("served", 660), ("overloaded", 300)];
/// The exponent of growth that is allowed. One is linear; a queue that is walked at every event is two.
const MOST: f64 = 1.35;
/// Policies that look at more than what changed at a decision, each with what it is allowed until that is mended: none
/// of them may become worse.
const EXCEPTIONS: [(&str, f64); 11] = [
    ("elastic-dp", 1.5),
    ("elasticflow", 1.6),
    ("equal-share", 1.45),
    ("gandiva", 3.4),
    ("modelarts-greedy", 1.6),
    ("optimus", 1.55),
    ("pollux", 1.7),
    ("spot", 2.0),
    ("themis", 1.55),
    ("throughput-autoscaling", 1.6),
    ("tiresias", 1.9),
];

/// Bytes that a run of a policy allocates.
fn allocated(policy: &str, jobs: u32, gap_s: u32) -> u64 {
    let spec: GeneratorSpec = format!("elasticflow[jobs={jobs},interarrival_s={gap_s}]").parse().unwrap();
    let curves = Published::named("elasticflow-a100").unwrap().curves();
    let scenario = Scenario::new(spec.trace(0), curves, Cluster::new(16, 8).unwrap());
    let (workload, _) = scenario.workload();
    let before = ALLOCATED.get();
    run(&scenario, &workload, &policy.parse().unwrap()).unwrap();
    ALLOCATED.get() - before
}

#[test]
fn work_does_not_outgrow_jobs() {
    let mut over = Vec::new();
    for policy in REGISTRY.iter().map(|entry| entry.name) {
        for (load, gap_s) in GAPS_S {
            let [few, many] = JOBS.map(|jobs| allocated(policy, jobs, gap_s) as f64);
            let exponent = (many / few).ln() / (f64::from(JOBS[1]) / f64::from(JOBS[0])).ln();
            let most = EXCEPTIONS.iter().find(|(name, _)| *name == policy).map_or(MOST, |(_, most)| *most);
            println!("{policy:<24} {load:<10} {:>9.1} MB {:>9.1} MB  {exponent:.2}", few / 1e6, many / 1e6);
            if exponent > most {
                over.push(format!("{policy}, {load}: {exponent:.2}, at most {most}"));
            }
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
}
