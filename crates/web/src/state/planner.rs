//! Inputs and results together: what is shown, what is coming, what is stale.

use elastiplan_model::Diagnostic;
use elastiplan_policies::PolicySpec;
use elastiplan_present::runs::RunState;
use elastiplan_worker::PACKED_SAMPLE;

use super::data::Bound;
use super::differences::{WhatChanged, what_changed};
use super::edit::{Edit, Topic};
use super::history::History;
use super::inputs::Inputs;
use super::run_set::RunSet;
use super::world::World;

/// Sets of whole runs that are kept, so that undo brings results back at once.
const PAST_MAX: usize = 6;
/// Edits of one field this close together are one step of undo.
const BURST_MS: f64 = 1000.0;
/// Runs that took no longer start by themselves after an edit.
const AUTO_RUN_MAX_MS: f64 = 1000.0;

/// The inputs and their runs.
#[derive(Clone, Debug)]
pub struct Planner {
    history: History<Inputs, Topic>,
    /// The runs that are shown. They may be of earlier inputs.
    pub shown: Option<RunSet>,
    /// Runs that have been started and take the place of the shown ones as soon as there is something to see.
    pub coming: Option<RunSet>,
    past: Vec<RunSet>,
    /// The jobs of the inputs as they were bound last.
    pub bound: Bound,
    /// Jobs of runs that differ from the inputs in what changes jobs.
    own_bounds: Vec<Bound>,
    /// Whether the user stopped the last runs: none start by themselves until some are asked for.
    is_stopped: bool,
    /// Requests of runs that nobody wants any more.
    unwanted: Vec<u32>,
}

/// The consequence of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Nothing: results are up to date.
    Nothing,
    /// New runs, soon and by themselves.
    RunSoon,
    /// New runs, when the user asks for them.
    Wait,
}

impl Planner {
    /// The sample, not run yet.
    pub fn new() -> Self {
        let inputs = Inputs::sample();
        let bound = Bound::of(&inputs.world(), PACKED_SAMPLE.1.into(), Vec::new());
        let bound = bound.unwrap_or_else(|error| unreachable!("the build packs the sample: {error}"));
        Self {
            history: History::new(inputs, BURST_MS),
            shown: None,
            coming: None,
            past: Vec::new(),
            bound,
            own_bounds: Vec::new(),
            is_stopped: false,
            unwanted: Vec::new(),
        }
    }

    /// The inputs as they are now.
    pub fn inputs(&self) -> &Inputs {
        self.history.present()
    }

    /// The steps.
    pub fn history(&self) -> &History<Inputs, Topic> {
        &self.history
    }

    /// Changes the inputs.
    pub fn edit(&mut self, edit: Edit, now_ms: f64) -> After {
        let (what, is_one_step, is_choice) = (edit.what(self.inputs()), edit.is_one_step(), edit.is_choice());
        let mut inputs = self.inputs().clone();
        edit.apply(&mut inputs);
        if is_one_step {
            self.history.seal();
        }
        let is_other = self.history.edit(what, now_ms, inputs);
        if is_one_step {
            self.history.seal();
        }
        if is_other { self.after_change(is_choice, now_ms) } else { After::Nothing }
    }

    /// Calls the scenario by another name, as an edit.
    pub fn rename(&mut self, name: &str, now_ms: f64) {
        let mut inputs = self.inputs().clone();
        inputs.name = name.into();
        self.history.edit(("scenario name", None), now_ms, inputs);
        self.history.seal();
    }

    /// Goes a step back.
    pub fn undo(&mut self, now_ms: f64) -> After {
        if self.history.undo() { self.after_change(false, now_ms) } else { After::Nothing }
    }

    /// Goes a step forward.
    pub fn redo(&mut self, now_ms: f64) -> After {
        if self.history.redo() { self.after_change(false, now_ms) } else { After::Nothing }
    }

    /// Goes to the inputs of a number, back or forward.
    pub fn go_to(&mut self, number: u32, now_ms: f64) -> After {
        if self.history.go_to(number) { self.after_change(false, now_ms) } else { After::Nothing }
    }

    /// Ends the step: a field has been left.
    pub fn end_step(&mut self) {
        self.history.seal();
    }

    /// Notes that a pointer is held down on a field, or let go.
    pub fn hold(&mut self, is_held: bool, now_ms: f64) {
        self.history.hold(is_held, now_ms);
    }

    /// Sets of whole runs that are kept, the earliest first.
    pub fn kept(&self) -> &[RunSet] {
        &self.past
    }

    fn after_change(&mut self, is_choice: bool, now_ms: f64) -> After {
        let prepared = self.prepared(&self.known(), now_ms);
        if let Some(set) = prepared.as_ref().filter(|set| self.shown.is_some() && set.to_ask().next().is_none()) {
            self.adopt(set.clone());
            return After::Nothing;
        }
        if !self.is_stale() {
            return After::Nothing;
        }
        let starts = is_choice || (!self.is_stopped && self.longest_ms(prepared.as_ref()) < AUTO_RUN_MAX_MS);
        if starts && self.inputs().warning().is_none() { After::RunSoon } else { After::Wait }
    }

    /// How long the runs of the present inputs that are not known will take, going by how long the same policies took.
    fn longest_ms(&self, prepared: Option<&RunSet>) -> f64 {
        let to_ask: Vec<PolicySpec> = match prepared {
            Some(set) => set.to_ask().map(|entry| entry.policy.clone()).collect(),
            None => self.inputs().policies(),
        };
        let known = self.known();
        let took = |policy: &PolicySpec| known.iter().find_map(|set| set.wall_ms_of(policy));
        // One that has not run takes as long as the longest did.
        let longest = || known.iter().find_map(|set| set.wall_ms());
        to_ask.iter().filter_map(|policy| took(policy).or_else(longest)).fold(0.0, f64::max)
    }

    /// How many runs of the present inputs have not come to an end, and would be made if they were asked for now.
    pub fn missing(&self) -> usize {
        match self.prepared(&self.known(), 0.0) {
            Some(set) => set.to_ask().count(),
            None => self.inputs().runs().len(),
        }
    }

    /// The warning before the present inputs run; `None` once they have.
    pub fn warning(&self) -> Option<Diagnostic> {
        let has_run = !self.is_stale() && self.shown.as_ref().is_some_and(RunSet::is_whole);
        if has_run || self.has_nothing_to_run() { None } else { self.inputs().warning() }
    }

    /// Shows runs of the present inputs, all of which are made already or on their way.
    fn adopt(&mut self, set: RunSet) {
        let kept = set.requests();
        self.unwanted.extend(self.requests().into_iter().filter(|request| !kept.contains(request)));
        self.bound = set.bound.clone();
        self.coming = None;
        self.shown = Some(set);
        self.keep_if_whole();
    }

    /// The requests of runs that nobody wants any more.
    pub fn take_unwanted(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.unwanted)
    }

    fn known(&self) -> Vec<&RunSet> {
        self.coming.iter().chain(&self.shown).chain(self.past.iter().rev()).collect()
    }

    fn prepared(&self, known: &[&RunSet], now_ms: f64) -> Option<RunSet> {
        RunSet::new(self.inputs().clone(), &self.bounds(), known, now_ms)
    }

    /// Prepares runs of the present inputs. Those that are known are taken over; if everything is up to date and is asked
    /// for again, only pinned ones are. `None` if jobs have not been bound.
    pub fn prepare(&mut self, now_ms: f64) -> Option<RunSet> {
        self.is_stopped = false;
        let is_again = !self.is_stale() && self.coming.is_none();
        let mut set = self.prepared(&self.known(), now_ms)?;
        if is_again && !set.is_running() {
            set.make_again(now_ms);
        }
        set.ask();
        Some(set)
    }

    fn bounds(&self) -> Vec<&Bound> {
        let own = [&self.bound].into_iter().chain(&self.own_bounds);
        own.chain(self.known().into_iter().flat_map(RunSet::bounds)).collect()
    }

    /// The inputs of a run whose jobs have not been bound; those of all runs first. Takes over bindings that are known.
    pub fn next_unbound(&mut self) -> Option<World> {
        let world = self.inputs().world();
        let bounds = self.bounds();
        let known = bounds.iter().find(|bound| bound.is_of(&world)).map(|bound| (*bound).clone());
        let is_unbound = |world: &World| !bounds.iter().any(|bound| bound.is_of(world));
        let Some(bound) = known else { return Some(world) };
        let unbound = self.inputs().worlds().into_iter().find(is_unbound);
        self.bound = bound;
        unbound
    }

    /// Takes over jobs as a worker has bound them, if a run needs them.
    pub fn add_bound(&mut self, mut bound: Bound) {
        let (world, worlds) = (self.inputs().world(), self.inputs().worlds());
        self.bounds().into_iter().for_each(|known| bound.share_with(known));
        self.own_bounds.retain(|known| worlds.iter().any(|world| known.is_of(world)));
        if bound.is_of(&world) {
            self.bound = bound;
        } else if worlds.iter().any(|world| bound.is_of(world)) {
            self.own_bounds.push(bound);
        }
    }

    /// Takes over the jobs of a run with inputs of its own, unless they are known.
    pub fn add_own_bound(&mut self, world: &World, bound: Bound) {
        if !self.bounds().iter().any(|known| known.is_of(world)) {
            self.add_bound(bound);
        }
    }

    /// Starts to wait for these runs. Requests that they have taken over are theirs from now on; returns those that
    /// nobody waits for any more.
    pub fn launched(&mut self, set: RunSet) -> Vec<u32> {
        let kept = set.requests();
        let unwanted = self.requests().into_iter().filter(|request| !kept.contains(request)).collect();
        self.shown.iter_mut().for_each(|shown| shown.leave(&kept));
        self.coming = Some(set);
        let has_something = self.shown.as_ref().is_some_and(RunSet::has_results);
        if !has_something || self.coming.as_ref().is_some_and(|set| !set.is_running()) {
            self.show_coming();
        }
        unwanted
    }

    /// The set in which runs wait for workers.
    pub fn current(&mut self) -> Option<&mut RunSet> {
        self.coming.as_mut().or(self.shown.as_mut())
    }

    /// Shows the coming runs from now on.
    pub fn show_coming(&mut self) {
        if let Some(set) = self.coming.take() {
            self.shown = Some(set);
            self.keep_if_whole();
        }
    }

    /// Applies an update to the set with this request, and shows or keeps the set when its runs have ended.
    pub fn update(&mut self, request: u32, apply: impl FnOnce(&mut RunSet)) {
        let is_coming = self.coming.as_ref().is_some_and(|set| set.has(request));
        let set = if is_coming { &mut self.coming } else { &mut self.shown };
        let Some(set) = set.as_mut().filter(|set| set.has(request)) else { return };
        apply(set);
        self.end_if_over(is_coming);
    }

    /// Whether a request is for one of the runs.
    pub fn is_of_run(&self, request: u32) -> bool {
        [&self.coming, &self.shown].into_iter().flatten().any(|set| set.has(request))
    }

    /// Shows or keeps a set whose runs have ended.
    pub fn end_if_over(&mut self, is_coming: bool) {
        let set = if is_coming { &self.coming } else { &self.shown };
        let Some(set) = set.as_ref().filter(|set| !set.is_running()) else { return };
        // After a stop, an edit must not start runs by itself.
        self.is_stopped = set.entries.iter().any(|entry| entry.state == RunState::Cancelled);
        if is_coming { self.show_coming() } else { self.keep_if_whole() }
    }

    /// Runs that wait for a worker will not be made: that of a place, or all.
    pub fn cancel_waiting(&mut self, only: Option<usize>, now_ms: f64) {
        for is_coming in [false, true] {
            let set = if is_coming { &mut self.coming } else { &mut self.shown };
            if let Some(set) = set.as_mut().filter(|set| set.is_running()) {
                set.cancel_waiting(only, now_ms);
                self.end_if_over(is_coming);
            }
        }
    }

    fn keep_if_whole(&mut self) {
        let Some(set) = self.shown.as_ref().filter(|set| set.is_whole()) else { return };
        let set = set.clone();
        self.past.retain(|past| !past.inputs.same_runs(&set.inputs));
        self.past.push(set);
        if self.past.len() > PAST_MAX {
            self.past.remove(0);
        }
    }

    /// The requests of all runs on their way.
    pub fn requests(&self) -> Vec<u32> {
        self.shown.iter().chain(&self.coming).flat_map(RunSet::requests).collect()
    }

    /// The request of one run.
    pub fn request_of(&self, slot: usize) -> Option<u32> {
        self.coming.as_ref().or(self.shown.as_ref())?.request_of(slot)
    }

    /// Whether a run counts as stopped and has yet to tell its last record.
    pub fn is_stopped(&self, request: u32) -> bool {
        self.coming.iter().chain(&self.shown).any(|set| set.is_stopped(request))
    }

    /// Whether a run is on its way.
    pub fn is_running(&self) -> bool {
        self.shown.iter().chain(&self.coming).any(RunSet::is_running)
    }

    /// Whether what is shown was made from other inputs.
    pub fn is_stale(&self) -> bool {
        self.shown.as_ref().is_some_and(|set| !set.inputs.same_runs(self.inputs()))
    }

    /// Whether jobs are loaded of which none has a curve, or the other way round.
    pub fn has_nothing_to_run(&self) -> bool {
        self.bound.jobs_bound() == 0
    }

    /// What changed from the baseline, if that is pinned, to the first other run that is shown.
    pub fn what_changed(&self) -> Option<WhatChanged> {
        let inputs = self.inputs();
        let baseline = inputs.runs().first().filter(|run| run.is_pinned())?;
        let other = inputs.runs().iter().skip(1).find(|run| !run.is_hidden)?;
        let rail = inputs.world();
        let (a, b) = (baseline.world(&rail), other.world(&rail));
        Some(what_changed((&a, &baseline.policy), (&b, &other.policy)))
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::fields::Value;

    use super::*;
    use crate::state::data::Data;
    use crate::state::testing::{launch, many_jobs};
    use elastiplan_present::runs::RunEntry;

    #[test]
    fn an_edit_makes_results_stale_and_undo_brings_them_back() {
        let mut planner = Planner::new();
        assert_eq!(launch(&mut planner), 3);
        assert!(!planner.is_stale() && !planner.is_running());
        assert_eq!(planner.edit(Edit::Field("what_if.rescale_cost_s", Value::Number(60.0)), 0.0), After::RunSoon);
        assert!(planner.is_stale());
        assert_eq!(planner.missing(), 3);
        assert_eq!(launch(&mut planner), 3);
        assert_eq!(planner.missing(), 0);
        assert_eq!(planner.undo(1.0), After::Nothing);
        assert!(!planner.is_stale(), "the earlier runs are shown again");
        assert_eq!(planner.redo(2.0), After::Nothing);
        assert_eq!(planner.shown.as_ref().unwrap().inputs.conditions.rescale_cost_s, 60.0);
    }

    /// The steps as the values of their first field: nodes, rescale cost, settings of the third run, name of the first.
    fn steps(planner: &Planner) -> Vec<String> {
        let words = |inputs: &Inputs| {
            let name = inputs.runs()[0].name.clone().unwrap_or_default();
            let (nodes, cost_s) = (inputs.cluster.nodes(), inputs.conditions.rescale_cost_s);
            format!("{nodes} {cost_s} {} {name}", inputs.policies()[2])
        };
        planner.history().steps().map(|step| words(&step.value)).collect()
    }

    #[test]
    fn one_step_is_a_burst_of_keys_in_one_field_of_one_run() {
        let mut planner = Planner::new();
        let cost = |cost_s| Edit::Field("what_if.rescale_cost_s", Value::Number(cost_s));
        let spec = |text: &str| Edit::Spec(3, text.parse().unwrap());
        let edits = [
            // Typed: 120.
            (cost(1.0), 0.0),
            (cost(12.0), 300.0),
            (cost(120.0), 600.0),
            // An arrow held down.
            (Edit::Nodes(17), 700.0),
            (Edit::Nodes(18), 1200.0),
            (Edit::Nodes(19), 1250.0),
            // Two settings of one policy are two steps, however quickly.
            (spec("elastic-dp[delta_s=6]"), 2000.0),
            (spec("elastic-dp[delta_s=60]"), 2200.0),
            (spec("elastic-dp[delta_s=60,queue=false]"), 2400.0),
            (Edit::Rename(1, "a".into()), 3000.0),
            (Edit::Rename(1, "as today".into()), 3300.0),
            (Edit::Rename(2, "b".into()), 3400.0),
        ];
        for (edit, now_ms) in edits {
            planner.edit(edit, now_ms);
        }
        let expected = [
            "16 30 elastic-dp ",
            "16 120 elastic-dp ",
            "19 120 elastic-dp ",
            "19 120 elastic-dp[delta_s=60] ",
            "19 120 elastic-dp[delta_s=60,queue=false] ",
            "19 120 elastic-dp[delta_s=60,queue=false] as today",
            "19 120 elastic-dp[delta_s=60,queue=false] as today",
        ];
        assert_eq!(steps(&planner), expected);
    }

    #[test]
    fn a_drag_is_one_step_and_a_field_that_is_left_ends_one() {
        let mut planner = Planner::new();
        planner.hold(true, 0.0);
        planner.edit(Edit::Nodes(17), 10.0);
        planner.edit(Edit::Nodes(18), 2500.0);
        planner.hold(false, 3000.0);
        assert_eq!(planner.history().steps().count(), 2);
        planner.end_step();
        planner.edit(Edit::Nodes(19), 3100.0);
        assert_eq!(planner.history().steps().count(), 3);
        planner.edit(Edit::Differ(2, "cluster.nodes", Some(Value::Whole(30))), 3200.0);
        planner.edit(Edit::Differ(3, "cluster.nodes", Some(Value::Whole(30))), 3300.0);
        assert_eq!(planner.history().steps().count(), 5, "the same field of two runs");
    }

    #[test]
    fn going_to_a_step_shows_its_runs_at_once() {
        let mut planner = Planner::new();
        launch(&mut planner);
        let numbers: Vec<u32> = [20, 24, 28]
            .map(|nodes| {
                planner.edit(Edit::Nodes(nodes), f64::from(nodes) * 2000.0);
                assert_eq!(launch(&mut planner), 3);
                planner.history().number()
            })
            .into();
        assert_eq!(planner.go_to(numbers[0], 1.0), After::Nothing);
        assert_eq!(planner.shown.as_ref().unwrap().inputs.cluster.nodes(), 20);
        assert_eq!(planner.go_to(numbers[2], 2.0), After::Nothing);
        assert_eq!((planner.inputs().cluster.nodes(), planner.is_stale()), (28, false));
        assert!(!planner.history().can_redo() && planner.history().steps().count() == 4);
    }

    #[test]
    fn what_changes_no_run_starts_none_and_is_shown_at_once() {
        let mut planner = Planner::new();
        launch(&mut planner);
        let mut check = |edit: Edit, expected: &[&str]| {
            assert_eq!(planner.edit(edit, 0.0), After::Nothing);
            let set = planner.shown.as_ref().unwrap();
            let entries = &set.entries;
            let words = |entry: &RunEntry| {
                let hidden = if entry.is_hidden { "hidden " } else { "" };
                format!("{hidden}{} {}", entry.letter(), entry.label.as_deref().unwrap_or(entry.name()))
            };
            assert_eq!(entries.iter().map(words).collect::<Vec<_>>(), expected);
            assert!(set.is_whole());
        };
        check(Edit::Remove(1), &["A equal-share", "B elastic-dp"]);
        check(Edit::Add("fixed".parse().unwrap()), &["A equal-share", "B elastic-dp", "C fixed"]);
        check(Edit::Hide(3, true), &["A equal-share", "hidden B elastic-dp", "C fixed"]);
        check(Edit::Move(4, 0), &["A fixed", "B equal-share", "hidden C elastic-dp"]);
        check(Edit::Rename(4, "today".into()), &["A today", "B equal-share", "hidden C elastic-dp"]);
        check(Edit::Pin(3, true), &["A elastic-dp", "B today", "C equal-share"]);
        assert_eq!(launch(&mut planner), 2, "asked for again, all but the pinned one run again");
    }

    #[test]
    fn before_and_after() {
        let mut planner = Planner::new();
        launch(&mut planner);
        planner.edit(Edit::Remove(1), 0.0);
        planner.edit(Edit::Remove(2), 0.0);
        planner.edit(Edit::Pin(3, true), 0.0);
        assert_eq!(planner.what_changed(), None, "nothing has yet");
        assert_eq!(planner.edit(Edit::Nodes(20), 0.0), After::RunSoon);
        assert_eq!(launch(&mut planner), 1);
        let set = planner.shown.as_ref().unwrap();
        let told = set.entries.iter().map(|entry| (entry.is_pinned, entry.differs.join(", ")));
        assert_eq!(told.collect::<Vec<_>>(), [(true, "16 nodes".to_string()), (false, String::new())]);
        assert!(set.entries.iter().all(|entry| entry.own_workload.is_none()), "they are compared job by job");
        let changed = planner.what_changed().unwrap();
        assert!(changed.words.starts_with("Nodes 16 → 20. The other"), "{}", changed.words);
        assert_eq!(planner.edit(Edit::BackTo(3), 0.0), After::Nothing, "it is known");
        assert_eq!(planner.inputs().cluster.nodes(), 16);
    }

    /// A slow preset after a slow preset: what is chosen always runs, what is tried waits.
    #[test]
    fn what_is_chosen_runs_however_long_the_last_runs_took() {
        let mut planner = Planner::new();
        launch(&mut planner);
        let (inputs, slow) = (planner.inputs().clone(), planner.shown.as_mut().unwrap());
        slow.entries[2].wall_ms = Some(90_000.0);
        planner.past.clear();
        let cost = |cost_s| Edit::Field("what_if.rescale_cost_s", Value::Number(cost_s));
        assert_eq!(planner.edit(cost(60.0), 0.0), After::Wait);
        assert_eq!(planner.edit(Edit::Remove(3), 1.0), After::RunSoon, "without the slow one it is quick");
        assert_eq!(planner.edit(Edit::Add("elastic-dp".parse().unwrap()), 2.0), After::RunSoon);
        assert_eq!(planner.edit(cost(90.0), 3.0), After::Wait);
        let data = Data { trace: std::sync::Arc::new((*inputs.data.trace).clone()), ..inputs.data.clone() };
        assert_eq!(planner.edit(Edit::Load(data, None), 4.0), After::RunSoon);
        let mut preset = inputs;
        preset.name = "preset".into();
        assert_eq!(planner.edit(Edit::Preset(Box::new(preset)), 5.0), After::Nothing, "it is known");
    }

    #[test]
    fn runs_that_may_need_too_much_memory_start_only_when_asked_for() {
        let mut planner = Planner::new();
        launch(&mut planner);
        assert_eq!(planner.warning(), None);
        let edit = many_jobs(planner.inputs());
        assert_eq!(planner.edit(edit, 0.0), After::Wait);
        assert!(planner.warning().unwrap().rule.contains("up to 1.1 GB"));
        assert_eq!(planner.edit(Edit::Remove(2), 1.0), After::RunSoon, "one that resizes jobs is not too much");
        assert_eq!(planner.warning(), None);
        planner.undo(2.0);
        planner.undo(3.0);
        assert_eq!(planner.redo(4.0), After::Wait);
    }

    #[test]
    fn stopped_runs_start_again_only_when_asked_for() {
        let mut planner = Planner::new();
        let mut set = planner.prepare(0.0).unwrap();
        (0..3).for_each(|slot| set.started(slot, slot as u32, 0.0));
        planner.launched(set);
        for request in 0..3 {
            planner.update(request, |set| set.cancelled(request, 5.0));
        }
        assert_eq!(planner.edit(Edit::Nodes(20), 0.0), After::Wait);
        assert_eq!(planner.edit(Edit::Add("edf".parse().unwrap()), 1.0), After::RunSoon, "what is chosen is asked for");
    }
}
