//! Throughput of a job whose batch grows with its GPUs.

use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_engine::{JobView, View};
use elastiplan_model::Configuration;

use crate::shared::scaling::Scaling;

/// Speed-ups of a job with batches that grow with its GPUs.
pub(super) fn scaling(job: &JobView<'_>, view: &View<'_>) -> Scaling {
    let (fewest, most) = range(job, view);
    let nodes = |gpus: u32| gpus.div_ceil(view.gpus_per_node());
    let all = (fewest..=most).map(|gpus| fastest(job, gpus, nodes(gpus)));
    let all: Vec<Fastest> = all.take_while(|fastest| fastest.samples_per_s > 0.0).collect();
    let single = all.first().map_or(1.0, |first| first.samples_per_s / f64::from(fewest));
    Scaling::new(fewest, all.into_iter().map(|fastest| (fastest.samples_per_s / single, fastest.batch_global)))
}

/// Speed-ups by curve, batch size (where it is fixed) and range of GPUs: jobs that are alike share them.
#[derive(Clone, Default)]
pub(super) struct Scalings(BTreeMap<(u32, Option<u32>, u32, u32), Rc<Scaling>>);

impl Scalings {
    pub fn of(&mut self, job: &JobView<'_>, view: &View<'_>) -> Rc<Scaling> {
        let batch_fixed = job.batch_global().filter(|_| job.curve.batch_limits().is_none());
        let (fewest, most) = range(job, view);
        let key = (job.bound.curve, batch_fixed, fewest, most);
        self.0.entry(key).or_insert_with(|| Rc::new(scaling(job, view))).clone()
    }
}

/// The fewest and the most GPUs of a job: with a larger batch it may run on more than with the one in its trace.
fn range(job: &JobView<'_>, view: &View<'_>) -> (u32, u32) {
    let most = match job.curve.batch_limits() {
        Some(limits) => (limits.most / limits.per_gpu_least.max(1)).min(job.job.gpus_max.unwrap_or(u32::MAX)),
        None => job.bound.gpus_max,
    };
    (job.bound.gpus_min, most.min(view.gpus_most()).max(job.bound.gpus_min))
}

#[derive(Clone, Copy)]
struct Fastest {
    batch_global: Option<u32>,
    samples_per_s: f64,
}

/// The batch size with the highest throughput, of equals the smallest. It grows with the GPUs: gradients are
/// accumulated only where the first batch needs it.
fn fastest(job: &JobView<'_>, gpus: u32, nodes: u32) -> Fastest {
    let at = |batch_global: Option<u32>| Fastest {
        batch_global,
        samples_per_s: job.curve.samples_per_s_in(&Configuration {
            gpus,
            nodes,
            packed: true,
            batch_global: batch_global.or(job.batch_global()),
            shape: &[],
        }),
    };
    let Some(limits) = job.curve.batch_limits() else { return at(None) };
    let least = limits.base.max(limits.per_gpu_least.saturating_mul(gpus));
    let most = limits.per_gpu_most.saturating_mul(gpus).min(limits.most).max(least);
    let doublings = (0..32).map_while(|doubling| least.checked_mul(1 << doubling)).take_while(|batch| *batch < most);
    let candidates = doublings.chain([most]).filter(|batch| *batch <= limits.most);
    let faster = |best: Fastest, next: Fastest| if next.samples_per_s > best.samples_per_s { next } else { best };
    let best = candidates.map(|batch| at(Some(batch))).reduce(faster);
    best.filter(|best| best.samples_per_s > 0.0).unwrap_or_else(|| at(None))
}
