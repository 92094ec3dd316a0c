//! Plans of ModelArts' rolling horizon against all plans one by one, against an integer program over plans, and against
//! themselves where the search is cut short.

#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.

mod bound;
mod input;
mod one_hot;
mod plain;
mod sample;

use elastiplan_solvers::horizon::{Demand, HorizonPlan, StepOption};

/// A job of a test, which owns its options.
#[derive(Clone, Debug, PartialEq)]
struct Job {
    work: f64,
    options: Vec<StepOption>,
}

impl Job {
    fn new(work: f64, options: &[(u32, f64)]) -> Self {
        Self { work, options: options.iter().map(|(units, work)| StepOption { units: *units, work: *work }).collect() }
    }
}

fn plan(jobs: &[Job], units: u32, steps: usize, work_cap: u64) -> HorizonPlan {
    let demands: Vec<Demand<'_>> = jobs.iter().map(|job| Demand { work: job.work, options: &job.options }).collect();
    elastiplan_solvers::horizon::plan(&demands, units, steps, work_cap)
}

/// How many jobs, from the first on, can hold their least.
fn fitting(jobs: &[Job], units: u32) -> usize {
    let least = |job: &Job| job.options.first().map_or(0, |option| option.units);
    let fit = |count: &usize| jobs[..*count].iter().map(least).sum::<u32>() <= units;
    (0..=jobs.len()).rev().find(fit).unwrap()
}

/// The progress of a job on so many units by step: eqs. 2 to 4, summed up as in eq. 1. What it holds must be options.
fn progress(job: &Job, units: &[u32]) -> f64 {
    let (mut served, mut progress) = (0.0, 0.0);
    for held in units {
        let option = job.options.iter().find(|option| option.units == *held);
        let work = if job.options.is_empty() && *held == 0 { 0.0 } else { option.unwrap().work };
        served = job.work.min(served + work);
        progress += served / job.work;
    }
    progress
}

/// Everything that a plan promises: the value is that of what is held, no job holds what it may not, and the units do.
fn assert_holds(found: &HorizonPlan, jobs: &[Job], units: u32, steps: usize) {
    let fitting = fitting(jobs, units);
    assert_eq!(found.units.len(), jobs.len());
    assert!(found.units.iter().all(|held| held.len() == steps), "{found:?}");
    assert!(found.units[fitting..].iter().flatten().all(|held| *held == 0), "{found:?}");
    for step in 0..steps {
        let used: u32 = found.units.iter().map(|held| held[step]).sum();
        assert!(used <= units, "{used} of {units} in step {step}: {found:?}");
    }
    let value: f64 = jobs.iter().zip(&found.units).take(fitting).map(|(job, held)| progress(job, held)).sum();
    assert_close(found.value, value, 1e-9);
    assert!(found.bound >= found.value, "{found:?}");
}

fn assert_close(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within * expected.abs().max(1.0), "{found} for {expected}");
}
