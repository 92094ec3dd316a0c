//! The scenario.

use std::collections::BTreeMap;
use std::sync::Arc;

use elastiplan_engine::{Cloud, Costs, Faults, Placement, Settings, SettingsError};
use elastiplan_metrics::IdleNodes;
use elastiplan_model::{
    Availability, Cluster, Curves, Diagnostic, Job, Prices, RescaleSeconds, Trace, TraceError, Workload, limits,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Everything that decides the outcome of a run, but for the policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// The jobs as they were loaded.
    pub trace: Trace,
    /// How fast each model trains.
    pub curves: Curves,
    /// The machines.
    pub cluster: Cluster,
    /// What is asked to be different from the files.
    pub what_if: WhatIf,
    /// When the first nodes of the cluster are there; `None`: all are, always.
    pub availability: Option<Availability>,
    /// What runs meet.
    pub conditions: Conditions,
}

/// What runs meet: costs beside the rescale cost, places, faults, interference, prices, limits. By default nothing
/// special. A document says where the prices are from, a scenario has them: that is what `P` is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Conditions<P = Prices> {
    /// Seconds without progress after a change to fewer GPUs, if that is not the rescale cost.
    pub rescale_down_s: Option<f64>,
    /// Rescale costs of single models, by name.
    pub rescale_by_model: BTreeMap<String, RescaleSeconds>,
    /// Added to the rescale cost for every doubling of the GPUs that the job has after the change.
    pub rescale_per_doubling_s: f64,
    /// Seconds without progress at the first start.
    pub start_delay_s: f64,
    /// Seconds of training between checkpoints: what was done since is lost when a node leaves. `None`: nothing is.
    pub checkpoint_interval_s: Option<f64>,
    /// Where GPUs are taken for policies that decide only how many.
    pub placement: Placement,
    /// What goes wrong.
    pub faults: Faults,
    /// How much slower jobs on several nodes are that share one of them with another such job, as a share.
    pub interference_slowdown: f64,
    /// If a policy may change the number of nodes.
    pub cloud: Option<Cloud>,
    /// What a GPU costs when.
    pub prices: Option<P>,
    /// Stop at this time, in seconds on the clock of the trace.
    pub until_s: Option<f64>,
}

impl<P> Default for Conditions<P> {
    fn default() -> Self {
        Self {
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
            until_s: None,
        }
    }
}

impl<P> Conditions<P> {
    /// The same with these prices.
    pub fn with_prices<Q>(&self, prices: Option<Q>) -> Conditions<Q> {
        Conditions {
            rescale_down_s: self.rescale_down_s,
            rescale_by_model: self.rescale_by_model.clone(),
            rescale_per_doubling_s: self.rescale_per_doubling_s,
            start_delay_s: self.start_delay_s,
            checkpoint_interval_s: self.checkpoint_interval_s,
            placement: self.placement,
            faults: self.faults,
            interference_slowdown: self.interference_slowdown,
            cloud: self.cloud,
            prices,
            until_s: self.until_s,
        }
    }

    /// The first number of seconds that is out of range, by its name, with its rule.
    pub fn out_of_range(&self) -> Option<(String, f64, &'static str)> {
        const RULE: &str = "a number of seconds from 0 to 31,536,000";
        let own = [
            ("rescale_down_s", self.rescale_down_s.unwrap_or_default()),
            ("rescale_per_doubling_s", self.rescale_per_doubling_s),
            ("start_delay_s", self.start_delay_s),
        ];
        let own = own.into_iter().map(|(name, value)| (name.to_string(), value));
        let models = self.rescale_by_model.iter().flat_map(|(model, RescaleSeconds { up_s, down_s })| {
            let place = |name: &str| format!("rescale_by_model.{model}.{name}");
            [(place("up_s"), *up_s), (place("down_s"), *down_s)]
        });
        let is_wrong = |(_, value): &(String, f64)| !(0.0..=limits::RESCALE_MAX_S).contains(value);
        if let Some((name, value)) = own.chain(models).find(is_wrong) {
            return Some((name, value, RULE));
        }
        let interval_s = self.checkpoint_interval_s.filter(|s| !(*s > 0.0 && *s <= limits::TIME_MAX_S));
        interval_s.map(|value| ("checkpoint_interval_s".into(), value, "a number of seconds above 0, at most 1e11"))
    }
}

impl Conditions {
    /// Checks the values, but for what depends on the cluster.
    pub fn validate(&self) -> Result<(), SettingsError> {
        self.settings(&WhatIf::default()).validate()
    }

    fn settings(&self, what_if: &WhatIf) -> Settings {
        let up_s = what_if.rescale_cost_s;
        let costs = Costs {
            rescale: RescaleSeconds { up_s, down_s: self.rescale_down_s.unwrap_or(up_s) },
            by_model: self.rescale_by_model.clone(),
            per_doubling_s: self.rescale_per_doubling_s,
            start_s: self.start_delay_s,
            checkpoint_interval_s: self.checkpoint_interval_s,
            factor: 1.0,
        };
        let Conditions { placement, faults, interference_slowdown, cloud, until_s, .. } = *self;
        let (seed, availability) = (what_if.seed, None);
        let prices = self.prices.clone().map(Arc::new);
        Settings { seed, until_s, costs, placement, availability, faults, cloud, prices, interference_slowdown }
    }
}

/// What a planner may want to be different from the files.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WhatIf {
    /// Seconds without progress after a running job's GPUs change or a preempted job resumes.
    pub rescale_cost_s: f64,
    /// Jobs arrive this many times as fast; gaps between submissions shrink by it.
    pub arrival_rate: f64,
    /// The time from submission to deadline, times this.
    pub deadline_slack: f64,
    /// The seed for policies that draw random numbers.
    pub seed: u64,
}

impl Default for WhatIf {
    fn default() -> Self {
        Self { rescale_cost_s: Costs::default().rescale.up_s, arrival_rate: 1.0, deadline_slack: 1.0, seed: 0 }
    }
}

/// Why what-ifs cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum WhatIfError {
    /// The rescale cost.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The arrival rate.
    #[error("arrival rate: {0} is not a number from 0.01 to 100")]
    ArrivalRate(f64),
    /// The deadlines.
    #[error("deadlines: {0} is not a number from 0.01 to 100")]
    DeadlineSlack(f64),
}

impl WhatIf {
    /// Checks the values.
    pub fn validate(&self) -> Result<(), WhatIfError> {
        self.settings().validate()?;
        let factor = 0.01..=100.0;
        if !factor.contains(&self.arrival_rate) {
            return Err(WhatIfError::ArrivalRate(self.arrival_rate));
        }
        if !factor.contains(&self.deadline_slack) {
            return Err(WhatIfError::DeadlineSlack(self.deadline_slack));
        }
        Ok(())
    }

    fn settings(&self) -> Settings {
        Settings { seed: self.seed, ..Settings::with_rescale_cost_s(self.rescale_cost_s) }
    }

    /// The job as it would be, in a trace that begins at `start_s`.
    fn apply(&self, job: &Job, start_s: f64) -> Job {
        let mut changed = job.clone();
        // Left alone where nothing is asked: dividing and multiplying would cost the last bit.
        if self.arrival_rate != 1.0 {
            changed.submit_s = start_s + (job.submit_s - start_s) / self.arrival_rate;
        }
        if self.arrival_rate != 1.0 || self.deadline_slack != 1.0 {
            let moved = |deadline_s: f64| changed.submit_s + (deadline_s - job.submit_s) * self.deadline_slack;
            changed.deadline_s = job.deadline_s.map(moved).map(|deadline_s| deadline_s.clamp(0.0, limits::TIME_MAX_S));
        }
        changed.submit_s = changed.submit_s.min(limits::TIME_MAX_S);
        changed
    }
}

impl Scenario {
    /// With nothing special: no what-ifs, all nodes always there.
    pub fn new(trace: Trace, curves: Curves, cluster: Cluster) -> Self {
        let (what_if, conditions) = (WhatIf::default(), Conditions::default());
        Self { trace, curves, cluster, what_if, availability: None, conditions }
    }

    /// What the engine is told.
    pub fn settings(&self) -> Settings {
        let availability = self.availability.clone().map(Arc::new);
        Settings { availability, ..self.conditions.settings(&self.what_if) }
    }

    /// Checks everything but the data, which cannot be wrong.
    pub fn validate(&self) -> Result<(), WhatIfError> {
        self.what_if.validate()?;
        Ok(self.settings().validate_for(&self.cluster)?)
    }

    /// The jobs that will run, with the what-ifs applied, and what was left out or assumed on the way.
    pub fn workload(&self) -> (Workload, Vec<Diagnostic>) {
        let changed = self.changed_trace();
        let (workload, mut diagnostics) = Workload::bind(changed.as_ref().unwrap_or(&self.trace), &self.curves);
        diagnostics.extend(workload.check_against(&self.cluster, self.nodes_at_once()));
        (workload, diagnostics)
    }

    /// The most nodes that are ever there at once: those of the log, and those that always are.
    fn nodes_at_once(&self) -> u32 {
        let nodes = self.cluster.nodes();
        let logged = self.availability.as_ref().map(|log| (log.nodes(), IdleNodes::of(log).nodes_most));
        logged.map_or(nodes, |(all, most)| nodes.saturating_sub(all) + most)
    }

    /// The trace with the what-ifs applied. They cannot make a good trace bad: times stay in order and in range.
    fn changed_trace(&self) -> Result<Trace, TraceError> {
        let start_s = self.trace.start_s();
        let jobs = self.trace.jobs().iter().map(|job| self.what_if.apply(job, start_s)).collect();
        Trace::new(self.trace.models().to_vec(), jobs)
    }
}
