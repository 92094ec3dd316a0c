//! `throughput-autoscaling`: as many cloud nodes as are used well, measured by throughput.
//!
//! The rival that Pollux is compared with in the cloud (Qiao et al., "Pollux", section 5.3.3): Or et al., "Resource
//! elasticity in distributed deep learning" (MLSys 2020), as Pollux describes it. The batch grows with the GPUs, and
//! the value of more GPUs is measured in samples/s, regardless of statistical efficiency. As throughput does not change
//! in the course of a training, the cluster grows at once to the size beyond which nodes would not be used well, and
//! keeps it.
//!
//! Utility is Pollux's (eq. 17), with throughput in the place of goodput: the sum over jobs of how much faster each is
//! than on one GPU, divided by all GPUs. Where that leaves the band from `low_utility` to `high_utility`, the number of
//! nodes whose utility is nearest to the middle is ordered. GPUs are divided so that the sum of speed-ups is greatest.
//! Where the size of the cluster is fixed, that is all that happens.
//!
//! ```text
//! 4 GPUs a node; a job that is 4, 7.2, 9 and 10 times as fast on 1, 2, 3 and 4 nodes as on one GPU
//! utility 1, .9, .75, .63        band .5 to .7: 4 nodes
//! ```

mod places;
mod scaling;

use std::rc::Rc;

use elastiplan_engine::{Action, JobView, OnLoss, Policy, View};
use elastiplan_model::JobId;
use elastiplan_solvers::{Allocation, Bidder, allocate};

use crate::parameters::{Entry, Parameters};
use crate::shared::actions::{set_batch, take};
use crate::shared::arrivals::Arrivals;
use crate::shared::node_count::{Band, HIGH_UTILITY, LOW_UTILITY, kept_nodes, resize};
use crate::shared::places::holds;
use crate::shared::scaling::Scaling;
use crate::shared::words;

use places::places;
use scaling::{Scalings, scaling};

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "throughput-autoscaling",
    summary: "As many nodes of a cloud as are used well by throughput, with batches that grow along",
    source: "Or et al. (MLSys 2020), as the rival in Pollux, section 5.3.3",
    is_elastic: true,
    parameters: &[LOW_UTILITY, HIGH_UTILITY],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    Box::new(ThroughputAutoscaling {
        band: Band { low: parameters.number(&LOW_UTILITY), high: parameters.number(&HIGH_UTILITY) },
        scalings: Scalings::default(),
        arrivals: Arrivals::default(),
    })
}

#[derive(Clone)]
struct ThroughputAutoscaling {
    band: Band,
    scalings: Scalings,
    arrivals: Arrivals,
}

impl Policy for ThroughputAutoscaling {
    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        let scaling = scaling(job, view);
        let Some(speedup) = scaling.speedup(job.gpus) else {
            let least = words::gpus(job.bound.gpus_min);
            return Some(format!("Waits for {least}: the least that others need leaves fewer"));
        };
        let batch = scaling.batch_global(job.gpus).map(|batch| format!(" with a batch of {batch}"));
        let utility = speedup / f64::from(job.gpus);
        let batch = batch.unwrap_or_default();
        Some(format!("{speedup:.2} times the throughput of one GPU{batch}: utility {utility:.2}"))
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        self.arrivals.admit(view, |job| job.bound.gpus_min, actions);
        let can_start = |job: &JobView<'_>| job.bound.gpus_min <= view.gpus_most();
        let jobs: Vec<JobView<'_>> = view.running().chain(view.waiting().filter(can_start)).collect();
        let scalings: Vec<Rc<Scaling>> = jobs.iter().map(|job| self.scalings.of(job, view)).collect();
        let bidders: Vec<Bidder<'_>> = scalings.iter().map(|scaling| scaling.bidder()).collect();
        let nodes = self.resize(view, &jobs, &bidders, actions);
        let divided = divide(&bidders, nodes.len() as u32 * view.gpus_per_node());
        let wanted: Vec<(JobId, u32)> = jobs.iter().map(|job| job.id).zip(divided.units).collect();
        let placed = places(view, &nodes, &wanted);
        for (((job, scaling), (_, gpus)), on) in jobs.iter().zip(&scalings).zip(wanted).zip(placed) {
            set_batch(job, scaling.batch_global(gpus), actions);
            if !holds(view, job.id, &on) {
                actions.push(Action::Place { job: job.id, on });
            }
        }
    }
}

impl ThroughputAutoscaling {
    /// Orders or releases nodes in a cloud. Returns the present nodes that stay.
    fn resize(
        &self,
        view: &View<'_>,
        jobs: &[JobView<'_>],
        bidders: &[Bidder<'_>],
        actions: &mut Vec<Action>,
    ) -> Vec<u32> {
        let Some(cloud) = view.cloud() else { return kept_nodes(view, 0) };
        let first = jobs.first().map_or(0, |job| job.bound.gpus_min);
        let utility = |nodes: u32| {
            let gpus = nodes.saturating_mul(view.gpus_per_node());
            divide(bidders, gpus).value / f64::from(gpus)
        };
        resize(view, cloud.nodes_min, jobs, first, self.band, utility, actions)
    }
}

/// The division of so many GPUs with the greatest sum of speed-ups, among the first jobs whose minima fit.
fn divide(bidders: &[Bidder<'_>], gpus: u32) -> Allocation {
    let mut left = gpus;
    let count = bidders.iter().take_while(|bidder| take(&mut left, bidder.minimum)).count();
    bidders.get(..count).and_then(|bidders| allocate(bidders, gpus)).unwrap_or_default()
}
