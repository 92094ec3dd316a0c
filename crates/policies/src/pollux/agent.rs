//! The model of one job that is fitted while it trains, and its speed on more GPUs (Pollux, section 4.1).

use std::collections::BTreeSet;
use std::rc::Rc;

use elastiplan_engine::{JobView, View};
use elastiplan_model::{Configuration, ThroughputModel};
use elastiplan_solvers::fit::{FitRules, Measured};
use elastiplan_solvers::goodput::{Batch, BatchSearch, Goodput};

use super::fits::{Fits, Fitted};

/// How agents learn and choose.
#[derive(Clone, Copy)]
pub(crate) struct AgentRules {
    pub fit: FitRules,
    pub search: BatchSearch,
}

/// Speeds by GPUs, from none on: 0 where the job does not run or may not go yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Speeds {
    pub on_one_node: Vec<f64>,
    pub on_several: Vec<f64>,
}

/// Measurements of one job, and the model fitted to them.
#[derive(Clone, Default)]
pub(crate) struct Agent {
    measured: Vec<Measured>,
    known: BTreeSet<(u32, u32, u32)>,
    fitted: Rc<Fitted>,
    /// The most GPUs it has ever held.
    gpus_seen: u32,
    /// What `speeds` were computed from.
    computed_for: Option<Basis>,
    speeds: Speeds,
}

/// What speeds depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Basis {
    fits: usize,
    noise_scale: f64,
    gpus_max: u32,
    gpus_per_node: u32,
}

impl Agent {
    /// Records what a training job measures. Fits the model again when the measurement is new.
    pub fn observe(&mut self, job: &JobView<'_>, rules: &AgentRules, fits: &Fits) {
        if job.gpus == 0 {
            return;
        }
        self.gpus_seen = self.gpus_seen.max(job.gpus);
        if job.rescale_left_s() > 0.0 {
            return;
        }
        let Some((split, times)) = job.steps() else { return };
        if !self.known.insert((job.nodes(), job.gpus, split.batch_per_gpu)) {
            return;
        }
        self.measured.push(Measured {
            gpus: job.gpus,
            nodes: job.nodes(),
            batch_per_gpu: f64::from(split.batch_per_gpu),
            pass_s: times.pass_s(),
            step_s: times.step_s,
        });
        self.fitted = fits.fit(&self.fitted, &self.measured, &rules.fit);
    }

    /// The most GPUs that it may be given: twice as many as it ever had, so that it is explored step by step.
    pub fn gpus_max(&self, job: &JobView<'_>, gpus_most: u32) -> u32 {
        let trace_max = job.job.gpus_max.unwrap_or(u32::MAX).max(job.bound.gpus_min);
        let most = match job.curve.batch_limits() {
            Some(limits) => {
                let explored = self.gpus_seen.saturating_mul(2).max(job.bound.gpus_min);
                limits.gpus_most.min(explored)
            }
            None => job.bound.gpus_max,
        };
        most.min(trace_max).min(gpus_most)
    }

    /// Its goodput function at this point of its training; `None` for a job with one batch size, or without
    /// measurements.
    pub fn goodput(&self, job: &JobView<'_>, gpus_per_node: u32) -> Option<Goodput> {
        let limits = job.curve.batch_limits()?;
        let times = ThroughputModel {
            batch_per_gpu_max: limits.per_gpu_most,
            gpus_per_node: gpus_per_node.max(1),
            gpus_max: u32::MAX,
            ..ThroughputModel::default()
        };
        let batch = job.batch_global().unwrap_or(limits.base);
        let noise_scale = job.gradients(batch)?.noise_scale();
        Some(Goodput {
            times: times.with_parameters(self.fitted.parameters?),
            noise_scale,
            batch_base: limits.base,
            batch_max: limits.most,
            batch_per_gpu_min: limits.per_gpu_least,
            passes_alone: limits.passes_alone,
        })
    }

    /// The batch size to train with on so many GPUs and nodes; `None` to leave it as it is.
    pub fn batch(&self, job: &JobView<'_>, view: &View<'_>, gpus: u32, nodes: u32, rules: &AgentRules) -> Option<u32> {
        let limits = job.curve.batch_limits()?;
        let best = match self.goodput(job, view.gpus_per_node()) {
            Some(goodput) => {
                self.fitted.best_batch(&goodput, gpus, nodes, rules.search).map(|best| batch_global(&best, gpus))
            }
            // Nothing measured yet: the batch that it was submitted with, or what so many GPUs need.
            None => {
                let first = limits.base.max(limits.per_gpu_least.saturating_mul(gpus));
                limits.split(gpus, first).map(|split| split.batch_global(gpus))
            }
        };
        best.filter(|batch| *batch != 0)
    }

    /// Speeds on up to `gpus_max` GPUs, on one node and on several.
    pub fn speeds(&mut self, job: &JobView<'_>, view: &View<'_>, gpus_max: u32, rules: &AgentRules) -> &Speeds {
        let gpus_per_node = view.gpus_per_node();
        let goodput = self.goodput(job, gpus_per_node);
        let noise_scale = goodput.map_or(0.0, |goodput| goodput.noise_scale);
        let basis = Basis { fits: self.measured.len(), noise_scale, gpus_max, gpus_per_node };
        if self.computed_for != Some(basis) {
            self.computed_for = Some(basis);
            let speed = |gpus: u32, nodes: u32| match &goodput {
                Some(goodput) => {
                    self.fitted.best_batch(goodput, gpus, nodes, rules.search).map_or(0.0, |best| best.samples_per_s)
                }
                None => known_speed(job, gpus, nodes, gpus_per_node),
            };
            let least = job.bound.gpus_min;
            let allowed = |gpus: u32, nodes: u32| if gpus < least { 0.0 } else { speed(gpus, nodes) };
            let on_one_node = (0..=gpus_max.min(gpus_per_node)).map(|gpus| allowed(gpus, 1)).collect();
            let nodes = |gpus: u32| gpus.div_ceil(gpus_per_node.max(1)).max(2);
            let several = |gpus: u32| if gpus < 2 { 0.0 } else { allowed(gpus, nodes(gpus)) };
            let on_several = (0..=gpus_max).map(several).collect();
            self.speeds = Speeds { on_one_node, on_several };
        }
        &self.speeds
    }

    /// Whether the job runs there, by the last result of `speeds`.
    pub fn runs_on(&self, gpus: u32, nodes: u32) -> bool {
        let Speeds { on_one_node, on_several } = &self.speeds;
        let speeds = if nodes > 1 { on_several } else { on_one_node };
        speeds.get(gpus as usize).is_some_and(|speed| *speed > 0.0)
    }

    /// The speed on any number of GPUs, whether the job may have so many or not.
    pub fn speed(&self, job: &JobView<'_>, view: &View<'_>, gpus: u32, nodes: u32, rules: &AgentRules) -> f64 {
        match self.goodput(job, view.gpus_per_node()) {
            Some(goodput) => {
                self.fitted.best_batch(&goodput, gpus, nodes, rules.search).map_or(0.0, |best| best.samples_per_s)
            }
            None => known_speed(job, gpus, nodes, view.gpus_per_node()),
        }
    }
}

fn batch_global(batch: &Batch, gpus: u32) -> u32 {
    batch.batch_per_gpu.saturating_mul(batch.passes).saturating_mul(gpus)
}

/// The speed of a job without a fitted model: that of its curve where it has one batch size. Where it has a choice and
/// nothing was measured, it is taken to be as many times faster as it has GPUs.
fn known_speed(job: &JobView<'_>, gpus: u32, nodes: u32, gpus_per_node: u32) -> f64 {
    if gpus == 0 {
        return 0.0;
    }
    if job.curve.batch_limits().is_some() {
        return f64::from(gpus);
    }
    let packed = nodes == gpus.div_ceil(gpus_per_node.max(1));
    let configuration = Configuration { gpus, nodes, packed, batch_global: job.batch_global(), shape: &[] };
    job.curve.samples_per_s_in(&configuration)
}
