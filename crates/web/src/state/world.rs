//! What decides a run beside its policy.

use std::sync::Arc;

use elastiplan_model::Cluster;
use elastiplan_scenario::fields::{Field, Settings, Value};
use elastiplan_scenario::{Conditions, Scenario};

use super::data::Data;

/// Data, machines and conditions. Cheap to clone and to compare: data are shared.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// Jobs, curves and the log of nodes.
    pub data: Data,
    /// The machines, those of the log included.
    pub cluster: Cluster,
    /// Conditions. The availability log is with the data.
    pub conditions: Conditions,
}

impl Settings for World {
    fn cluster(&self) -> Option<&Cluster> {
        Some(&self.cluster)
    }

    fn cluster_mut(&mut self) -> Option<&mut Cluster> {
        Some(&mut self.cluster)
    }

    fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    fn conditions_mut(&mut self) -> &mut Conditions {
        &mut self.conditions
    }
}

impl World {
    /// The scenario. Data are shared with it.
    pub fn scenario(&self) -> Scenario {
        let Data { trace, curves, log, .. } = &self.data;
        let availability = log.as_ref().map(|log| Arc::clone(&log.availability));
        let conditions = Conditions { availability, ..self.conditions.clone() };
        Scenario { conditions, ..Scenario::new(Arc::clone(trace), Arc::clone(curves), self.cluster) }
    }

    /// Sets a field. What cannot be is not applied.
    pub fn set(&mut self, field: &Field, value: Value) {
        let mut changed = self.clone();
        let is_set = field.set(&mut changed, value).is_ok() && changed.conditions.validate().is_ok();
        let nodes_in_log = self.data.log.as_ref().map_or(0, |log| log.availability.nodes());
        if is_set && changed.cluster.nodes() >= nodes_in_log {
            *self = changed;
        }
    }
}
