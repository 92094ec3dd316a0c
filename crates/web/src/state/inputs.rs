//! Everything a person can set: what undo goes back to, and what makes results stale.

use std::sync::Arc;

use elastiplan_model::{Cluster, Diagnostic, Severity, order};
use elastiplan_planner::advice;
use elastiplan_policies::{AUTO, Kind, PolicySpec, REGISTRY};
use elastiplan_scenario::{Conditions, Scenario, sample};

use crate::state::controls::default_conditions;
use crate::state::data::{Data, Origin, sample_scenario};

/// The most policies in one comparison: there are four badges.
pub const SLOTS_MAX: usize = 4;

/// The inputs. Cheap to clone: data are shared.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// What the scenario is called.
    pub name: String,
    /// Jobs, curves and the log of nodes.
    pub data: Data,
    /// The machines: with a log, its nodes and those that are always there.
    pub cluster: Cluster,
    /// The machines as they were before there was a log.
    cluster_before_log: Option<Cluster>,
    /// Conditions of the runs. The availability log is with the data.
    pub conditions: Conditions,
    /// Every policy of the registry with its parameters, ticked or not; one that is there twice has other parameters.
    specs: Vec<PolicySpec>,
    /// The ticked ones by their places, in the order ticked.
    ticked: Vec<usize>,
}

impl Inputs {
    /// What is there before anybody has done anything: the sample, and every policy that there is a badge for.
    pub fn sample() -> Self {
        let Scenario { trace, curves, cluster, conditions } = sample_scenario();
        let specs: Vec<PolicySpec> = REGISTRY.iter().filter_map(|entry| entry.name.parse().ok()).collect();
        let first = ["fixed", "equal-share", "elastic-dp"];
        let ticked = (0..specs.len()).filter(|at| specs.get(*at).is_some_and(|spec| first.contains(&spec.name())));
        Self {
            name: sample::NAME.into(),
            data: Data { trace, trace_origin: Origin::Sample, curves, curves_origin: Origin::Sample, log: None },
            cluster,
            cluster_before_log: None,
            conditions: Conditions { seed: conditions.seed, ..default_conditions() },
            ticked: ticked.collect(),
            specs,
        }
    }

    /// Every policy, as it is set.
    pub fn specs(&self) -> &[PolicySpec] {
        &self.specs
    }

    /// The ticked policies, in the order ticked.
    pub fn policies(&self) -> Vec<PolicySpec> {
        self.ticked.iter().filter_map(|at| self.specs.get(*at).cloned()).collect()
    }

    /// Whether a policy is there more than once.
    fn is_variant(&self, at: usize) -> bool {
        self.specs.get(at).is_some_and(|spec| self.specs.iter().filter(|other| other.name() == spec.name()).count() > 1)
    }

    /// Whether another policy can be ticked.
    pub fn has_free_slot(&self) -> bool {
        self.ticked.len() < SLOTS_MAX
    }

    /// Ticks or unticks the policy at a place.
    pub fn tick(&mut self, at: usize, is_ticked: bool) {
        self.ticked.retain(|ticked| *ticked != at);
        if is_ticked && self.has_free_slot() && at < self.specs.len() {
            self.ticked.push(at);
        }
    }

    /// Changes the parameters of the policy at a place. Two that are the same would be one: that is not applied.
    pub fn set_spec(&mut self, at: usize, spec: PolicySpec) {
        let is_elsewhere = self.specs.contains(&spec);
        if let Some(place) = self.specs.get_mut(at).filter(|known| known.name() == spec.name() && !is_elsewhere) {
            *place = spec;
        }
    }

    /// Puts the policy of a place there once more, with the first other parameters that nobody has; ticked, if there is
    /// room.
    pub fn add_variant(&mut self, at: usize) {
        let Some(spec) = self.specs.get(at) else { return };
        let Some(variant) = variants(spec).find(|variant| !self.specs.contains(variant)) else { return };
        self.insert(at + 1, variant);
        self.tick(at + 1, true);
    }

    /// Takes away a policy that is there more than once.
    pub fn remove_variant(&mut self, at: usize) {
        if !self.is_variant(at) {
            return;
        }
        self.specs.remove(at);
        self.ticked.retain(|ticked| *ticked != at);
        for ticked in self.ticked.iter_mut().filter(|ticked| **ticked > at) {
            *ticked -= 1;
        }
    }

    fn insert(&mut self, at: usize, spec: PolicySpec) {
        self.specs.insert(at, spec);
        for ticked in self.ticked.iter_mut().filter(|ticked| **ticked >= at) {
            *ticked += 1;
        }
    }

    /// Replaces the data. The time to stop keeps its distance to the first submission.
    pub fn set_data(&mut self, data: Data) {
        let moved_s = data.trace.start_s() - self.data.trace.start_s();
        self.conditions.until_s = self.conditions.until_s.map(|until_s| until_s + moved_s);
        self.data = data;
    }

    /// Nodes that a log tells the comings and goings of.
    pub fn nodes_in_log(&self) -> u32 {
        self.data.log.as_ref().map_or(0, |log| log.availability.nodes())
    }

    /// Nodes that are always there.
    pub fn nodes_always(&self) -> u32 {
        self.cluster.nodes().saturating_sub(self.nodes_in_log())
    }

    /// Sets how many nodes are always there, and GPUs in each node. What cannot be is not applied.
    pub fn set_cluster(&mut self, nodes_always: u32, gpus_per_node: u32) {
        let nodes = self.nodes_in_log().saturating_add(nodes_always);
        if let Ok(cluster) = Cluster::new(nodes, gpus_per_node) {
            self.cluster = cluster;
        }
    }

    /// Takes machines over as they are, those of a log included.
    pub fn set_machines(&mut self, cluster: Cluster) {
        self.cluster_before_log = self.data.log.as_ref().map(|_| self.cluster);
        self.cluster = cluster;
    }

    /// Sets these policies and ticks them, as far as there are badges, and no others.
    pub fn set_policies(&mut self, policies: &[PolicySpec]) {
        let others = self.specs.iter().filter(|spec| policies.iter().all(|other| other.name() != spec.name())).cloned();
        let specs = others.chain(policies.iter().cloned());
        // In the order of the registry, and of the list where one is there twice.
        let place = |spec: &PolicySpec| REGISTRY.iter().position(|entry| entry.name == spec.name());
        let mut specs: Vec<PolicySpec> = specs.collect();
        order::sort_by_key(&mut specs, |spec| place(spec));
        let places = policies.iter().filter_map(|policy| specs.iter().position(|spec| spec == policy));
        self.ticked = places.take(SLOTS_MAX).collect();
        self.specs = specs;
    }

    /// Takes data over. A new log brings its nodes in the place of those that were set: whoever has a log plans with
    /// what it tells. It counts nodes, and curves that belong to it do so too; hence one GPU in each, unless somebody
    /// has said otherwise.
    pub fn load(&mut self, data: Data) {
        let is_other_log = data.log.is_some() && data.log != self.data.log;
        let is_first_log = self.cluster_before_log.is_none();
        self.set_data(data);
        if !is_other_log {
            return;
        }
        let before = *self.cluster_before_log.get_or_insert(self.cluster);
        let is_untouched = is_first_log && before.gpus_per_node() == Self::sample().cluster.gpus_per_node();
        self.set_cluster(0, if is_untouched { 1 } else { self.cluster.gpus_per_node() });
    }

    /// Does without the log: the cluster is what it was before.
    pub fn remove_log(&mut self) {
        self.data.log = None;
        self.cluster = self.cluster_before_log.take().unwrap_or(self.cluster);
    }

    /// The scenario of these inputs. Data are shared with it.
    pub fn scenario(&self) -> Scenario {
        let Data { trace, curves, log, .. } = &self.data;
        let availability = log.as_ref().map(|log| Arc::clone(&log.availability));
        let conditions = Conditions { availability, ..self.conditions.clone() };
        Scenario { conditions, ..Scenario::new(Arc::clone(trace), Arc::clone(curves), self.cluster) }
    }

    /// Advice before these inputs run. The log's file is named, where it came from one.
    pub fn advice(&self) -> Vec<Diagnostic> {
        let mut advice = advice(&self.scenario(), &self.policies());
        let file = self.data.log.as_ref().and_then(|log| log.file()).map(|file| &file.path);
        for found in advice.iter_mut().filter(|found| found.severity == Severity::Info) {
            found.place.file = file.cloned();
        }
        advice
    }

    /// What speaks against running them: they may need more memory than a browser tab has.
    pub fn warning(&self) -> Option<Diagnostic> {
        self.advice().into_iter().find(|found| found.severity == Severity::Warning)
    }

    /// Whether everything but the policies is the same.
    pub fn same_scenario(&self, other: &Self) -> bool {
        let is_same_world = self.cluster == other.cluster && self.conditions == other.conditions;
        self.data == other.data && is_same_world
    }

    /// Whether runs of the one are runs of the other.
    pub fn same_runs(&self, other: &Self) -> bool {
        self.same_scenario(other) && self.policies() == other.policies()
    }
}

/// The policy with one other parameter: a flag turned round, another word, a number halved or made larger.
fn variants(spec: &PolicySpec) -> impl Iterator<Item = PolicySpec> + '_ {
    let parameters = spec.entry().map_or(&[] as &[_], |entry| entry.parameters);
    let others = parameters.iter().flat_map(|known| {
        let value = spec.value(known.name).unwrap_or_default();
        let others: Vec<String> = match known.kind {
            Kind::Flag { .. } => vec![(value != "true").to_string()],
            Kind::Choice { words } => words.iter().map(|word| word.to_string()).collect(),
            Kind::NumberOrAuto { .. } if value == AUTO => vec![known.kind.default_text()],
            Kind::Number { .. } | Kind::NumberOrAuto { .. } => {
                let value = value.parse::<f64>().unwrap_or_default();
                let times = [2.0, 0.5, 4.0, 0.25].map(|factor| value * factor);
                times.into_iter().chain([value + 1.0]).map(|value| value.to_string()).collect()
            }
        };
        others.into_iter().map(|value| (known.name, value))
    });
    others.filter_map(|(name, value)| spec.with(name, &value).ok()).filter(move |other| other != spec)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use elastiplan_model::{Availability, Job, Trace};

    use super::*;
    use crate::state::data::{Log, Reading};
    use crate::state::drawn_edit::DrawnEdit;

    fn place(inputs: &Inputs, name: &str) -> usize {
        inputs.specs().iter().position(|spec| spec.name() == name).unwrap()
    }

    #[test]
    fn one_policy_can_be_there_twice_with_other_parameters() {
        let mut inputs = Inputs::sample();
        let at = place(&inputs, "elastic-dp");
        inputs.add_variant(at);
        let names = |inputs: &Inputs| inputs.policies().iter().map(ToString::to_string).collect::<Vec<_>>();
        let [.., own, other] = &names(&inputs)[..] else { panic!("two of them") };
        assert!(own == "elastic-dp" && other.starts_with("elastic-dp["), "{own}, {other}");
        assert!(inputs.is_variant(at) && inputs.is_variant(at + 1) && !inputs.is_variant(0));
        inputs.set_spec(at + 1, "elastic-dp".parse().unwrap());
        assert_ne!(names(&inputs)[3], "elastic-dp", "two that are the same would be one");
        inputs.set_spec(at + 1, "elastic-dp[delta_s=60]".parse().unwrap());
        assert_eq!(names(&inputs)[3], "elastic-dp[delta_s=60]");
        inputs.remove_variant(at);
        assert_eq!(names(&inputs), ["fixed", "equal-share", "elastic-dp[delta_s=60]"]);
        inputs.remove_variant(at);
        assert_eq!(inputs.policies().len(), 3, "the last one stays");
    }

    #[test]
    fn policies_of_a_preset_keep_their_order_and_the_others_are_a_tick_away() {
        let mut inputs = Inputs::sample();
        let texts = ["fixed[backfill=true]", "equal-share", "fixed", "elastic-dp", "shortest-first"];
        let policies: Vec<PolicySpec> = texts.iter().map(|text| text.parse().unwrap()).collect();
        inputs.set_policies(&policies);
        assert_eq!(inputs.policies(), policies[..SLOTS_MAX]);
        assert_eq!(inputs.specs().len(), REGISTRY.len() + 1);
        inputs.set_policies(&policies[2..4]);
        assert_eq!((inputs.policies().as_slice(), inputs.specs().len()), (&policies[2..4], REGISTRY.len()));
    }

    #[test]
    fn drawn_jobs_bring_their_curves_and_follow_the_seed() {
        let mut inputs = Inputs::sample();
        inputs.draw(&DrawnEdit::Generate("elasticflow[jobs=20]".parse().unwrap(), 3));
        assert_eq!(inputs.bind().jobs_bound(), 20);
        let before = inputs.data.trace.clone();
        inputs.draw(&DrawnEdit::Seed(9));
        assert!(*inputs.data.trace != *before && inputs.bind().jobs_bound() == 20);
    }

    #[test]
    fn policies_keep_the_order_in_which_they_were_ticked() {
        let mut inputs = Inputs::sample();
        inputs.tick(0, false);
        inputs.tick(0, true);
        let names: Vec<String> = inputs.policies().iter().map(ToString::to_string).collect();
        assert_eq!(names, ["equal-share", "elastic-dp", "fixed"]);
    }

    #[test]
    fn parameters_outlive_unticking() {
        let mut inputs = Inputs::sample();
        let at = place(&inputs, "elastic-dp");
        inputs.set_spec(at, "elastic-dp[delta_s=60]".parse().unwrap());
        inputs.tick(at, false);
        assert_eq!(inputs.policies().len(), 2);
        inputs.tick(at, true);
        assert_eq!(inputs.policies()[2].to_string(), "elastic-dp[delta_s=60]");
    }

    #[test]
    fn another_name_or_an_unticked_parameter_makes_nothing_stale() {
        let before = Inputs::sample();
        let mut after = before.clone();
        after.name = "other".into();
        assert!(after.same_runs(&before));
        after.tick(place(&before, "elastic-dp"), false);
        assert!(!after.same_runs(&before) && after.same_scenario(&before));
        after.draw(&DrawnEdit::Seed(4));
        assert!(!after.same_scenario(&before), "the seed draws other jobs");
    }

    #[test]
    fn a_log_brings_its_nodes_and_takes_them_away_again() {
        let log = |name: &str| {
            let nodes = vec![(name.into(), vec![(0.0, None)]), ("b".into(), vec![(5.0, Some(9.0))])];
            let reading = Rc::new(Reading { number: 1, files: Vec::new(), diagnostics: Vec::new(), wall_ms: 1.0 });
            Log { availability: Arc::new(Availability::from_intervals(nodes, 10.0).unwrap()), reading }
        };
        let mut inputs = Inputs::sample();
        let before = inputs.clone();
        let first = Data { log: Some(log("a")), ..inputs.data.clone() };
        inputs.load(first.clone());
        assert!(!inputs.same_scenario(&before));
        assert_eq!((inputs.cluster.nodes(), inputs.nodes_always(), inputs.cluster.gpus_per_node()), (2, 0, 1));
        inputs.set_cluster(3, 4);
        assert_eq!((inputs.cluster.nodes(), inputs.nodes_always()), (5, 3));
        inputs.load(first);
        assert_eq!(inputs.cluster.nodes(), 5, "the same log changes nothing");
        inputs.load(Data { log: Some(log("c")), ..inputs.data.clone() });
        assert_eq!((inputs.cluster.nodes(), inputs.cluster.gpus_per_node()), (2, 4), "set by hand: kept");
        assert_eq!(inputs.scenario().validate(), Ok(()));
        inputs.remove_log();
        assert!(inputs.same_scenario(&before));
    }

    #[test]
    fn the_time_to_stop_follows_the_first_submission() {
        let mut inputs = Inputs::sample();
        inputs.conditions.until_s = Some(60.0);
        assert_eq!(inputs.scenario().conditions.until_s, Some(60.0));
        assert!(!inputs.same_runs(&Inputs::sample()));
        let later = |job: &Job| Job { submit_s: job.submit_s + 600.0, ..job.clone() };
        let jobs = inputs.data.trace.jobs().iter().map(later).collect();
        let trace = Arc::new(Trace::new(inputs.data.trace.models().to_vec(), jobs).unwrap());
        inputs.load(Data { trace, ..inputs.data.clone() });
        assert_eq!(inputs.scenario().conditions.until_s, Some(660.0));
    }
}
