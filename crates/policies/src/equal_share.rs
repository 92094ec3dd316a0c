//! `equal-share`: every job in the cluster gets as nearly the same number of GPUs as its limits allow, recomputed at
//! every submission and completion.
//!
//! The heuristic that BFTrainer is measured against (Liu et al., "BFTrainer: Low-Cost Training of Neural Networks on
//! Unfillable Supercomputer Nodes", section 5.1: "distributes nodes equally to Trainers"). It ignores curves and the
//! cost of changes. Jobs are admitted in order of submission while their minima fit; GPUs that do not divide evenly go
//! to the jobs that came first. A job whose minimum is more than the cluster is dropped at submission.
//!
//! `share=replayer` is the heuristic in the authors' published replayer: `artifact/equal_share.rs`.
//!
//! ```text
//! 8 GPUs; a takes at most 2, b and c any number      a aa   b bbb   c ccc
//! ```

use elastiplan_engine::{Action, JobView, OnLoss, Policy, View};

use crate::artifact::equal_share::ReplayedShare;
use crate::parameters::{Entry, Parameter, Parameters};
use crate::shared::actions::{allocate_changed, take};
use crate::shared::arrivals::Arrivals;
use crate::shared::trainers::max_trainers;

const SHARE: Parameter =
    Parameter::choice("share", "As the paper says it, or as its published replayer does it", &["paper", "replayer"]);

const MAX_TRAINERS: Parameter =
    max_trainers(0.0, "Jobs that share the cluster at a time; 0: as many as their minima allow");

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "equal-share",
    summary: "The same number of GPUs for every job, within its limits",
    source: "BFTrainer, section 5.1, the heuristic rival",
    is_elastic: true,
    parameters: &[SHARE, MAX_TRAINERS],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let most = parameters.limit(&MAX_TRAINERS);
    if parameters.choice(&SHARE) == "replayer" {
        return Box::new(ReplayedShare::new(most));
    }
    Box::new(EqualShare { most: most as usize, arrivals: Arrivals::default() })
}

#[derive(Clone)]
struct EqualShare {
    /// The most jobs that share the cluster at a time.
    most: usize,
    arrivals: Arrivals,
}

impl Policy for EqualShare {
    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        let total = view.gpus_total();
        let running = view.running().count();
        let (least, most) = (job.bound.gpus_min, job.bound.gpus_max);
        let limit = match job.gpus {
            0 if running >= self.most => return Some(format!("Waits: no more than {} share the cluster", self.most)),
            0 => return Some(format!("Waits: needs {least}, and the least that others need leaves fewer")),
            gpus if gpus == most => format!(", at most {most} for it"),
            gpus if gpus == least => format!(", at least {least} for it"),
            _ => String::new(),
        };
        Some(format!("{total} GPUs shared by {running}{limit}"))
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let total = view.gpus_total();
        self.arrivals.admit(view, |job| job.bound.gpus_min, actions);
        // Running jobs were submitted before waiting ones, and keep their minima.
        let mut jobs: Vec<JobView<'_>> = view.running().collect();
        let mut left = total.saturating_sub(jobs.iter().map(|job| job.bound.gpus_min).sum());
        let places = self.most.saturating_sub(jobs.len());
        let waiting = view.waiting().filter(|job| job.bound.gpus_min <= view.gpus_most()).take(places);
        jobs.extend(waiting.take_while(|job| take(&mut left, job.bound.gpus_min)));
        let shares = equal_shares(&jobs, total);
        allocate_changed(jobs.into_iter().zip(shares), actions);
    }
}

/// The largest level at which all jobs fit, each within its limits. GPUs left over go one by one to the first jobs that
/// could take more.
fn equal_shares(jobs: &[JobView<'_>], total: u32) -> Vec<u32> {
    let share = |job: &JobView<'_>, level: u32| level.clamp(job.bound.gpus_min, job.bound.gpus_max);
    let held = |level: u32| jobs.iter().map(|job| u64::from(share(job, level))).sum::<u64>();
    let (mut fits, mut beyond) = (0, total + 1);
    while beyond - fits > 1 {
        let middle = fits + (beyond - fits) / 2;
        match held(middle) <= u64::from(total) {
            true => fits = middle,
            false => beyond = middle,
        }
    }
    let mut left = u64::from(total).saturating_sub(held(fits));
    let mut more = |job: &JobView<'_>| {
        let one = u32::from(left > 0 && share(job, fits + 1) > share(job, fits));
        left -= u64::from(one);
        share(job, fits) + one
    };
    jobs.iter().map(&mut more).collect()
}
