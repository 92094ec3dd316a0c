//! Conditions of a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use elastiplan_model::{Availability, Cluster, Prices, RescaleSeconds, SpeedupLaw, limits};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::fields::{FIELDS, OutOfRange};
use crate::{Faults, Fork, Interval, ModelMix, Placement, Users};

/// What every policy of a comparison meets: costs of changes, faults, placement, prices, limits. By default nothing
/// special happens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// Seed of policies that draw random numbers, and of faults.
    pub seed: u64,
    /// Seconds without progress after a running job's GPUs change or a preempted job resumes.
    pub rescale_cost_s: f64,
    /// Seconds without progress after a change to fewer GPUs; `None`: the rescale cost.
    pub rescale_down_s: Option<f64>,
    /// Rescale costs of single models, by name.
    pub rescale_by_model: BTreeMap<String, RescaleSeconds>,
    /// Added to the rescale cost for every doubling of the GPUs that the job has after the change.
    pub rescale_per_doubling_s: f64,
    /// Seconds without progress at the first start of a job.
    pub start_delay_s: f64,
    /// Seconds of training between checkpoints: progress since the last one is lost when a node leaves. `None`: nothing
    /// is lost. A change that the policy asks for begins with a checkpoint.
    pub checkpoint_interval_s: Option<f64>,
    /// Where GPUs are taken for policies that decide only how many.
    pub placement: Placement,
    /// Random faults.
    pub faults: Faults,
    /// Slowdown of jobs on several nodes that share one of them with another such job, as a share: from 0, no slower, to
    /// below 1.
    pub interference_slowdown: f64,
    /// Bounds and price of a cluster whose size a policy may change; `None`: its size is fixed.
    pub cloud: Option<Cloud>,
    /// Price of a GPU over time. GPUs are paid for while jobs hold them; where a policy sizes the cluster, while their
    /// nodes are there, and these prices stand for the one of the cloud.
    pub prices: Option<Arc<Prices>>,
    /// Dollars for one GPU and hour at a fixed price; `None`: the price of the cloud, or none. [`Conditions::prices`] stand
    /// for it. No policy decides by it.
    pub price_per_gpu_hour: Option<f64>,
    /// When the first nodes of the cluster are there; further nodes always are. `None`: all nodes always are.
    pub availability: Option<Arc<Availability>>,
    /// Instant at which the run stops, in seconds on the clock of the trace; `None`: when nothing more can happen.
    pub until_s: Option<f64>,
    /// Factor by which jobs arrive faster: gaps between submissions shrink by it.
    pub arrival_rate: f64,
    /// Factor of the time from submission to deadline.
    pub deadline_slack: f64,
    /// Factor of every job's work.
    pub work: f64,
    /// Changes in the middle of the run; of several at one time, in this order.
    pub forks: Vec<Fork>,
    /// The law for the speed of jobs whose model has no throughput curve; `None`: such jobs are left out.
    pub law: Option<SpeedupLaw>,
    /// Deadlines drawn for jobs without one: between two factors of the run time on the GPUs that they ask for. `None`:
    /// such jobs are best-effort.
    pub deadline_tightness: Option<Interval>,
    /// The models that are drawn for jobs without one; `None`: they are of the model [`elastiplan_model::Trace::NO_MODEL`].
    pub model_mix: Option<ModelMix>,
    /// Batch sizes that jobs with a single one may have: from one factor of it to another. `None`: that one only.
    pub batch_range: Option<Interval>,
    /// Users that are drawn for jobs without one.
    pub users: Option<Users>,
}

/// A cluster whose size a policy may change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cloud {
    /// Nodes at the start.
    pub nodes_start: u32,
    /// The fewest nodes; the most are those of the cluster.
    pub nodes_min: u32,
    /// Seconds from ordering a node until it is there.
    pub provisioning_s: f64,
    /// Dollars for one GPU and hour.
    pub price_per_gpu_hour: f64,
}

/// The reason why conditions cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ConditionsError {
    /// A field is out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The log has more nodes than the cluster.
    #[error("The availability log has {in_log} nodes, the cluster {in_cluster}")]
    LogNodes {
        /// Nodes in the log.
        in_log: u32,
        /// Nodes of the cluster.
        in_cluster: u32,
    },
    /// The cloud does not fit the cluster, or its numbers are out of range.
    #[error(
        "cloud: nodes at least and at the start must be from 0 to {nodes}, provisioning from 0 to 1e6 s, the price from 0"
    )]
    Cloud {
        /// Nodes of the cluster.
        nodes: u32,
    },
}

impl Default for Conditions {
    fn default() -> Self {
        Self {
            seed: 0,
            rescale_cost_s: 30.0,
            rescale_down_s: None,
            rescale_by_model: BTreeMap::new(),
            rescale_per_doubling_s: 0.0,
            start_delay_s: 0.0,
            checkpoint_interval_s: None,
            placement: Placement::default(),
            faults: Faults::default(),
            interference_slowdown: 0.0,
            cloud: None,
            prices: None,
            price_per_gpu_hour: None,
            availability: None,
            until_s: None,
            arrival_rate: 1.0,
            deadline_slack: 1.0,
            work: 1.0,
            forks: Vec::new(),
            law: None,
            deadline_tightness: None,
            model_mix: None,
            batch_range: None,
            users: None,
        }
    }
}

impl Conditions {
    /// Default conditions with one cost for every change.
    pub fn with_rescale_cost_s(rescale_cost_s: f64) -> Self {
        Self { rescale_cost_s, ..Self::default() }
    }

    /// Checks everything that does not depend on the cluster.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        // The machines have been checked when they were made.
        FIELDS.iter().filter(|field| !field.access.is_of_cluster()).try_for_each(|field| field.check(self))?;
        self.check_models()?;
        self.forks.iter().try_for_each(Fork::validate)?;
        match self.faults.node_mtbf_s {
            Some(_) if self.faults.node_repair_s < 1.0 => {
                let (name, value) = ("node_repair_s".into(), self.faults.node_repair_s.to_string());
                Err(OutOfRange { name, value, rule: "at least 1 s where nodes fail" })
            }
            _ => Ok(()),
        }
    }

    fn check_models(&self) -> Result<(), OutOfRange> {
        let seconds = self.rescale_by_model.iter().flat_map(|(model, RescaleSeconds { up_s, down_s })| {
            [("up_s", *up_s), ("down_s", *down_s)].map(|(name, value)| (model, name, value))
        });
        let mut wrong = seconds.filter(|(.., value)| !(0.0..=limits::RESCALE_MAX_S).contains(value));
        wrong.next().map_or(Ok(()), |(model, name, value)| {
            let name = format!("rescale_by_model.{model}.{name}");
            Err(OutOfRange { name, value: value.to_string(), rule: "a number of seconds from 0 to 31,536,000" })
        })
    }

    /// Checks everything.
    pub fn validate_for(&self, cluster: &Cluster) -> Result<(), ConditionsError> {
        self.validate()?;
        let nodes = cluster.nodes();
        let in_log = self.availability.as_ref().map_or(0, |log| log.nodes());
        if in_log > nodes {
            return Err(ConditionsError::LogNodes { in_log, in_cluster: nodes });
        }
        let is_good = |cloud: &Cloud| {
            cloud.nodes_start.max(cloud.nodes_min) <= nodes
                && (0.0..=1e6).contains(&cloud.provisioning_s)
                && (0.0..=1e6).contains(&cloud.price_per_gpu_hour)
        };
        match self.cloud.as_ref().is_none_or(is_good) {
            true => Ok(()),
            false => Err(ConditionsError::Cloud { nodes }),
        }
    }
}
