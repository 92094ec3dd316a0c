//! Everything a person can set: what undo goes back to, and what makes results stale.

use std::rc::Rc;

use elastiplan_model::{Cluster, Diagnostic, Severity};
use elastiplan_planner::advice;
use elastiplan_policies::{PolicySpec, SAMPLE};
use elastiplan_scenario::fields::{Field, Value};
use elastiplan_scenario::{Conditions, Fork, Scenario, sample};
use elastiplan_study::Spec;

use crate::state::controls::default_conditions;
use crate::state::data::{Data, Origin, sample_scenario};
use crate::state::run_spec::{Pinned, RunSpec};
use crate::state::study_open::OpenedRun;
use crate::state::world::World;

/// The inputs. Cheap to clone: data are shared.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// What the scenario is called.
    pub name: String,
    /// The kept work that they are (`state::kept`).
    pub work: u32,
    /// Jobs, curves and the log of nodes.
    pub data: Data,
    /// The machines: with a log, its nodes and those that are always there.
    pub cluster: Cluster,
    /// The machines as they were before there was a log.
    cluster_before_log: Option<Cluster>,
    /// Conditions of the runs. The availability log is with the data.
    pub conditions: Conditions,
    /// What is varied, and what is asked; it changes no run of the list.
    pub study: Option<Spec>,
    /// The runs, in the order of their badges.
    runs: Vec<RunSpec>,
    /// The id of the run that was added last.
    last_id: u32,
}

impl Inputs {
    /// What is there before anybody has done anything: the sample and its policies.
    pub fn sample() -> Self {
        let Scenario { trace, curves, cluster, conditions } = sample_scenario();
        let mut inputs = Self {
            name: sample::NAME.into(),
            work: 0,
            data: Data::new(trace, Origin::Sample, curves, Origin::Sample, None),
            cluster,
            cluster_before_log: None,
            conditions: Conditions { seed: conditions.seed, ..default_conditions() },
            study: None,
            runs: Vec::new(),
            last_id: 0,
        };
        SAMPLE.iter().filter_map(|name| name.parse().ok()).for_each(|policy| inputs.add(policy));
        inputs
    }

    /// The same inputs as another work.
    pub fn of_work(&self, work: u32) -> Self {
        let mut inputs = self.clone();
        inputs.work = work;
        inputs
    }

    /// The runs, in the order of their badges.
    pub fn runs(&self) -> &[RunSpec] {
        &self.runs
    }

    /// A run.
    pub fn run(&self, id: u32) -> Option<&RunSpec> {
        self.runs.iter().find(|run| run.id == id)
    }

    /// The policies of all runs.
    pub fn policies(&self) -> Vec<PolicySpec> {
        self.runs.iter().map(|run| run.policy.clone()).collect()
    }

    /// Adds a run at the end of the list.
    pub fn add(&mut self, policy: PolicySpec) {
        self.last_id += 1;
        self.runs.push(RunSpec::new(self.last_id, policy));
    }

    /// Puts a copy of a run after it; one of a pinned run follows the inputs.
    pub fn duplicate(&mut self, id: u32) {
        let Some(at) = self.place(id) else { return };
        self.last_id += 1;
        let copy = self.runs.get(at).map(|run| RunSpec {
            id: self.last_id,
            name: None,
            is_hidden: false,
            is_set_aside: false,
            pinned: None,
            ..run.clone()
        });
        copy.into_iter().for_each(|copy| self.runs.insert(at + 1, copy));
    }

    /// Puts a run after this one that is the same until the fork.
    pub fn fork(&mut self, id: u32, fork: Fork) {
        let Some(at) = self.place(id) else { return };
        self.last_id += 1;
        let forked = self.runs.get(at).map(|run| run.forked(self.last_id, fork));
        forked.into_iter().for_each(|run| self.runs.insert(at + 1, run));
    }

    /// Takes over a list of runs.
    pub fn set_runs(&mut self, runs: Vec<RunSpec>) {
        self.last_id = runs.iter().map(|run| run.id).max().unwrap_or_default();
        self.runs = runs;
        self.show_baseline();
    }

    /// Takes a run away.
    pub fn remove(&mut self, id: u32) {
        self.runs.retain(|run| run.id != id);
        self.show_baseline();
    }

    /// Moves a run to a place in the list.
    pub fn move_run(&mut self, id: u32, to: usize) {
        let Some(at) = self.place(id) else { return };
        let run = self.runs.remove(at);
        self.runs.insert(to.min(self.runs.len()), run);
        self.show_baseline();
    }

    /// Changes a run.
    pub fn change_run(&mut self, id: u32, change: impl FnOnce(&mut RunSpec)) {
        if let Some(run) = self.runs.iter_mut().find(|run| run.id == id) {
            change(run);
        }
        self.show_baseline();
    }

    /// Hides all runs but this one and the baseline; with `None` none.
    pub fn show_only(&mut self, id: Option<u32>) {
        for run in &mut self.runs {
            (run.is_hidden, run.is_set_aside) = (id.is_some_and(|id| id != run.id), false);
        }
        self.show_baseline();
    }

    /// Gives a field another value for a run than in the inputs; or the same again. What cannot be is not applied.
    pub fn differ(&mut self, id: u32, key: &'static str, value: Option<Value>) {
        let inputs = self.world();
        self.change_run(id, |run| {
            let before = run.overrides.clone();
            run.override_field(key, value);
            let is_set = |value: Value| Field::named(key).is_some_and(|field| field.get(&run.world(&inputs)) == value);
            if !value.is_none_or(is_set) {
                run.overrides = before;
            }
        });
    }

    /// Freezes a run with its inputs and makes it the baseline; or lets it follow the inputs again.
    pub fn pin(&mut self, id: u32, is_pinned: bool) {
        let (inputs, name) = (self.world(), self.name.clone());
        self.change_run(id, |run| {
            let world = run.world(&inputs);
            run.pinned = is_pinned.then(|| Rc::new(Pinned { world, name, wants_twin: true, from_study: None }));
        });
        if is_pinned {
            self.move_run(id, 0);
        }
    }

    /// Puts beside pinned runs, which stay as they are, runs of the same policies that follow the inputs: what is
    /// changed is to be seen.
    pub fn add_twins(&mut self) {
        let wanting = |run: &RunSpec| run.pinned.as_ref().is_some_and(|pinned| pinned.wants_twin);
        let waiting: Vec<u32> = self.runs.iter().filter(|run| wanting(run)).map(|run| run.id).collect();
        for id in waiting {
            let Some(run) = self.run(id) else { continue };
            let has_twin = self.runs.iter().any(|other| !other.is_pinned() && other.policy == run.policy);
            if !has_twin {
                self.duplicate(id);
            }
            self.change_run(id, |run| {
                run.pinned = run.pinned.take().map(|pinned| Rc::new(Pinned { wants_twin: false, ..(*pinned).clone() }));
            });
        }
    }

    /// Sets the inputs to those of a pinned run.
    pub fn restore(&mut self, id: u32) {
        let Some((pinned, forks)) = self.run(id).and_then(|run| Some((run.pinned.clone()?, run.forks.clone()))) else {
            return;
        };
        let World { data, cluster, mut conditions } = pinned.world.clone();
        // Forks are the run's own.
        conditions.forks.retain(|fork| !forks.contains(fork));
        (self.data, self.cluster, self.conditions) = (data, cluster, conditions);
        self.name = pinned.name.clone();
    }

    fn place(&self, id: u32) -> Option<usize> {
        self.runs.iter().position(|run| run.id == id)
    }

    /// What the others are compared with is always shown.
    fn show_baseline(&mut self) {
        self.runs.iter_mut().take(1).for_each(|run| (run.is_hidden, run.is_set_aside) = (false, false));
    }

    /// What decides runs that differ in nothing.
    pub fn world(&self) -> World {
        World { data: self.data.clone(), cluster: self.cluster, conditions: self.conditions.clone() }
    }

    /// What decides each run beside its policy, in the order of the list.
    pub fn worlds(&self) -> Vec<World> {
        let world = self.world();
        self.runs.iter().map(|run| run.world(&world)).collect()
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
        if let Ok(cluster) = self.cluster.resized(nodes, gpus_per_node) {
            self.cluster = cluster;
        }
    }

    /// Takes machines over as they are, those of a log included.
    pub fn set_machines(&mut self, cluster: Cluster) {
        self.cluster_before_log = self.data.log.as_ref().map(|_| self.cluster);
        self.cluster = cluster;
    }

    /// Runs of these policies in place of all that are not pinned.
    pub fn set_policies(&mut self, policies: &[PolicySpec]) {
        self.runs.retain(RunSpec::is_pinned);
        policies.iter().for_each(|policy| self.add(policy.clone()));
    }

    /// Takes over the pinned runs of other inputs, in front of its own; those of a study after them.
    pub fn keep_pinned(&mut self, other: &Self) {
        let pinned = |of_study: bool| {
            let is_meant = move |run: &&RunSpec| run.is_pinned() && run.study_point().is_some() == of_study;
            other.runs.iter().filter(is_meant).cloned()
        };
        let own = std::mem::take(&mut self.runs);
        self.last_id = self.last_id.max(other.last_id);
        self.runs = pinned(false).collect();
        own.into_iter().for_each(|run| self.add(run.policy));
        self.runs.extend(pinned(true));
        self.show_baseline();
    }

    /// Puts runs of a study into the list, each once. Two of them are put side by side, the first as the baseline, and all
    /// others are set aside.
    pub fn open(&mut self, runs: &[OpenedRun]) {
        let mut ids: Vec<u32> = Vec::new();
        for run in runs {
            let id = self.opened(run).unwrap_or_else(|| {
                self.add(run.policy.clone());
                self.last_id
            });
            let pinned = Rc::clone(&run.pinned);
            self.change_run(id, |run| (run.pinned, run.is_hidden, run.is_set_aside) = (Some(pinned), false, false));
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        if ids.len() < 2 {
            return;
        }
        for run in self.runs.iter_mut().filter(|run| !ids.contains(&run.id) && !run.is_hidden) {
            (run.is_hidden, run.is_set_aside) = (true, true);
        }
        ids.into_iter().enumerate().for_each(|(at, id)| self.move_run(id, at));
    }

    /// The run of the list that a run of a study is.
    pub fn opened(&self, run: &OpenedRun) -> Option<u32> {
        let is_same = |known: &&RunSpec| {
            let world = known.pinned.as_ref().filter(|pinned| pinned.from_study.is_some()).map(|pinned| &pinned.world);
            known.policy == run.policy && world == Some(&run.pinned.world)
        };
        self.runs.iter().find(is_same).map(|run| run.id)
    }

    /// Pins the shown runs of other inputs in front of these, the first of them as the baseline, each once however often
    /// this is done. Those that are the same as a run of these are left out, but for the baseline.
    pub fn compare_with(&mut self, other: &Self) {
        let (own, others) = (self.world(), other.world());
        let mut ids: Vec<u32> = Vec::new();
        for run in other.runs.iter().filter(|run| !run.is_hidden) {
            let world = run.world(&others);
            let is_same = |known: &RunSpec| known.policy == run.policy && known.world(&own) == world;
            let known = self.runs.iter().find(|known| known.is_pinned() && is_same(known)).map(|known| known.id);
            if known.is_none() && !ids.is_empty() && self.runs.iter().any(is_same) {
                continue;
            }
            let id = known.unwrap_or_else(|| {
                self.last_id += 1;
                let pinned = Pinned { world, name: other.name.clone(), wants_twin: false, from_study: None };
                let copy = RunSpec { id: self.last_id, origin: None, pinned: Some(Rc::new(pinned)), ..run.clone() };
                self.runs.push(copy);
                self.last_id
            });
            self.change_run(id, |run| (run.is_hidden, run.is_set_aside) = (false, false));
            ids.push(id);
        }
        ids.into_iter().enumerate().for_each(|(at, id)| self.move_run(id, at));
    }

    /// Shows the runs again that were set aside, and puts those of a study behind them.
    pub fn end_side_by_side(&mut self) {
        if !self.runs.iter().any(|run| run.is_set_aside) {
            return;
        }
        let of_study = |run: &RunSpec| run.study_point().is_some();
        let (last, mut first): (Vec<RunSpec>, Vec<RunSpec>) =
            std::mem::take(&mut self.runs).into_iter().partition(of_study);
        first.extend(last);
        for run in first.iter_mut().filter(|run| run.is_set_aside) {
            (run.is_hidden, run.is_set_aside) = (false, false);
        }
        self.runs = first;
        self.show_baseline();
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
        self.world().scenario()
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

    /// Whether runs of the one are runs of the other, in the same order.
    pub fn same_runs(&self, other: &Self) -> bool {
        self.policies() == other.policies() && self.worlds() == other.worlds()
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::sync::Arc;

    use elastiplan_model::{Availability, Job, Trace};

    use super::*;
    use crate::state::data::{Log, Reading};
    use crate::state::drawn_edit::DrawnEdit;

    fn listed(inputs: &Inputs) -> Vec<String> {
        let words = |run: &RunSpec| {
            let marks = [(run.is_hidden, " hidden"), (run.is_pinned(), " pinned")];
            let marks: String = marks.iter().filter(|(is_so, _)| *is_so).map(|(_, mark)| *mark).collect();
            format!("{} {}{marks}", run.id, run.policy)
        };
        inputs.runs().iter().map(words).collect()
    }

    #[test]
    fn runs_are_added_copied_moved_hidden_and_taken_away() {
        let mut inputs = Inputs::sample();
        assert_eq!(listed(&inputs), ["1 fixed", "2 equal-share", "3 elastic-dp"]);
        inputs.add("tiresias".parse().unwrap());
        inputs.duplicate(2);
        inputs.change_run(5, |run| run.override_field("cluster.nodes", Some(Value::Whole(20))));
        inputs.change_run(1, |run| run.is_hidden = true);
        inputs.change_run(3, |run| run.is_hidden = true);
        let expected = ["1 fixed", "2 equal-share", "5 equal-share", "3 elastic-dp hidden", "4 tiresias"];
        assert_eq!(listed(&inputs), expected, "the baseline cannot be hidden");
        assert_eq!(inputs.worlds().map_nodes(), [16, 16, 20, 16, 16]);
        inputs.show_only(Some(4));
        let expected = ["1 fixed", "2 equal-share hidden", "5 equal-share hidden", "3 elastic-dp hidden", "4 tiresias"];
        assert_eq!(listed(&inputs), expected);
        inputs.show_only(None);
        assert!(listed(&inputs).iter().all(|run| !run.contains("hidden")));
        inputs.move_run(3, 0);
        assert_eq!(listed(&inputs)[..2], ["3 elastic-dp", "1 fixed"]);
        inputs.move_run(1, 99);
        inputs.remove(3);
        inputs.remove(77);
        assert_eq!(listed(&inputs), ["2 equal-share", "5 equal-share", "4 tiresias", "1 fixed"]);
        inputs.change_run(5, |run| run.override_field("cluster.nodes", None));
        assert_eq!(inputs.worlds().map_nodes(), [16; 4]);
    }

    trait MapNodes {
        fn map_nodes(&self) -> Vec<u32>;
    }

    impl MapNodes for Vec<World> {
        fn map_nodes(&self) -> Vec<u32> {
            self.iter().map(|world| world.cluster.nodes()).collect()
        }
    }

    #[test]
    fn a_pinned_run_keeps_its_inputs_and_the_next_edit_puts_another_beside_it() {
        let mut inputs = Inputs::sample();
        inputs.pin(3, true);
        assert_eq!(listed(&inputs), ["3 elastic-dp pinned", "1 fixed", "2 equal-share"]);
        inputs.set_cluster(20, 8);
        inputs.add_twins();
        assert_eq!(listed(&inputs), ["3 elastic-dp pinned", "4 elastic-dp", "1 fixed", "2 equal-share"]);
        assert_eq!(inputs.worlds().map_nodes(), [16, 20, 20, 20]);
        inputs.remove(4);
        inputs.add_twins();
        assert_eq!(inputs.runs().len(), 3, "once");
        inputs.set_policies(&["edf".parse().unwrap()]);
        assert_eq!(listed(&inputs), ["3 elastic-dp pinned", "5 edf"]);
        inputs.restore(3);
        assert_eq!(inputs.cluster.nodes(), 16);
        inputs.set_cluster(20, 8);
        let mut preset = Inputs::sample();
        preset.keep_pinned(&inputs);
        assert_eq!(listed(&preset), ["3 elastic-dp pinned", "6 fixed", "7 equal-share", "8 elastic-dp"]);
        inputs.pin(3, false);
        assert_eq!(inputs.worlds().map_nodes(), [20, 20]);
    }

    #[test]
    fn runs_of_other_inputs_are_pinned_in_front_once() {
        let mut before = Inputs::sample();
        before.change_run(2, |run| run.is_hidden = true);
        let mut inputs = Inputs::sample();
        inputs.set_cluster(20, 8);
        inputs.compare_with(&before);
        let expected = ["4 fixed pinned", "5 elastic-dp pinned", "1 fixed", "2 equal-share", "3 elastic-dp"];
        assert_eq!(listed(&inputs), expected);
        assert_eq!(inputs.worlds().map_nodes(), [16, 16, 20, 20, 20]);
        let once = inputs.clone();
        inputs.compare_with(&before);
        assert_eq!(inputs, once);
        let mut inputs = Inputs::sample();
        let mut other = inputs.clone();
        other.change_run(3, |run| run.policy = "elastic-dp[delta_s=60]".parse().unwrap());
        inputs.compare_with(&other);
        let expected =
            ["4 fixed pinned", "5 elastic-dp[delta_s=60] pinned", "1 fixed", "2 equal-share", "3 elastic-dp"];
        assert_eq!(listed(&inputs), expected, "the baseline is pinned though it is the same; equal-share is not");
        inputs.set_cluster(20, 8);
        inputs.add_twins();
        assert_eq!(inputs.runs().len(), 5, "all of them have runs beside them already");
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
    fn another_name_makes_nothing_stale() {
        let before = Inputs::sample();
        let mut after = before.clone();
        after.name = "other".into();
        after.change_run(2, |run| (run.name, run.is_hidden) = (Some("mine".into()), true));
        assert!(after.same_runs(&before));
        after.remove(3);
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
    fn a_fork_stands_after_its_origin_and_survives_it() {
        let mut inputs = Inputs::sample();
        let fork = |text: &str| text.parse::<Fork>().unwrap();
        inputs.fork(2, fork("at=1h nodes=20"));
        inputs.fork(4, fork("at=2h nodes=8"));
        inputs.pin(2, true);
        inputs.fork(2, fork("at=3h end=alexnet-1"));
        let expected = [
            "2 equal-share pinned",
            "6 equal-share pinned",
            "1 fixed",
            "4 equal-share",
            "5 equal-share",
            "3 elastic-dp",
        ];
        assert_eq!(listed(&inputs), expected);
        let forks = |inputs: &Inputs| -> Vec<String> {
            let texts = |world: &World| world.conditions.forks.iter().map(ToString::to_string).collect::<Vec<_>>();
            inputs.worlds().iter().map(|world| texts(world).join(", ")).collect()
        };
        let expected = ["", "at=3h end=alexnet-1", "", "at=1h nodes=20", "at=1h nodes=20, at=2h nodes=8", ""];
        assert_eq!(forks(&inputs), expected);
        inputs.remove(2);
        inputs.duplicate(6);
        assert_eq!(
            forks(&inputs),
            ["at=3h end=alexnet-1", "at=3h end=alexnet-1", "", "at=1h nodes=20", "at=1h nodes=20, at=2h nodes=8", ""]
        );
        inputs.restore(6);
        assert!(inputs.conditions.forks.is_empty());
        inputs.pin(6, false);
        assert_eq!(forks(&inputs)[0], "at=3h end=alexnet-1");
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
