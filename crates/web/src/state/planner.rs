//! Inputs and results together: what is shown, what is coming, what is stale.

use elastiplan_model::Diagnostic;
use elastiplan_policies::PolicySpec;
use elastiplan_present::runs::RunState;
use elastiplan_worker::PACKED_SAMPLE;

use super::data::Bound;
use super::edit::Edit;
use super::history::History;
use super::inputs::Inputs;
use super::run_set::RunSet;

/// Sets of whole runs that are kept, so that undo brings results back at once.
const PAST_MAX: usize = 6;
/// Edits of one field this close together are one step of undo.
const BURST_MS: f64 = 1000.0;
/// Runs that took no longer start by themselves after an edit.
const AUTO_RUN_MAX_MS: f64 = 1000.0;

/// The inputs and their runs.
#[derive(Clone, Debug)]
pub struct Planner {
    history: History<Inputs>,
    /// The runs that are shown. They may be of earlier inputs.
    pub shown: Option<RunSet>,
    /// Runs that have been started and take the place of the shown ones as soon as there is something to see.
    pub coming: Option<RunSet>,
    past: Vec<RunSet>,
    /// The jobs as they were bound last.
    pub bound: Bound,
    /// How long the last runs took in all.
    last_wall_ms: Option<f64>,
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
        let bound = Bound::of(&inputs, PACKED_SAMPLE.1.into(), Vec::new());
        let bound = bound.unwrap_or_else(|error| unreachable!("the build packs the sample: {error}"));
        let history = History::new(inputs, BURST_MS);
        Self { history, shown: None, coming: None, past: Vec::new(), bound, last_wall_ms: None }
    }

    /// The inputs as they are now.
    pub fn inputs(&self) -> &Inputs {
        self.history.present()
    }

    /// The steps.
    pub fn history(&self) -> &History<Inputs> {
        &self.history
    }

    /// Changes the inputs.
    pub fn edit(&mut self, edit: Edit, now_ms: f64) -> After {
        let (what, is_one_step) = (edit.what(), edit.is_one_step());
        let mut inputs = self.inputs().clone();
        edit.apply(&mut inputs);
        if is_one_step {
            self.history.seal();
        }
        let is_other = self.history.edit(what, now_ms, inputs);
        if is_one_step {
            self.history.seal();
        }
        if is_other { self.after_change(now_ms) } else { After::Nothing }
    }

    /// Ends a drag or a burst of typing.
    pub fn seal(&mut self) {
        self.history.seal();
    }

    /// Goes a step back.
    pub fn undo(&mut self, now_ms: f64) -> After {
        if self.history.undo() { self.after_change(now_ms) } else { After::Nothing }
    }

    /// Goes a step forward.
    pub fn redo(&mut self, now_ms: f64) -> After {
        if self.history.redo() { self.after_change(now_ms) } else { After::Nothing }
    }

    fn after_change(&mut self, now_ms: f64) -> After {
        if !self.is_stale() {
            return After::Nothing;
        }
        if self.show_known(now_ms) {
            return After::Nothing;
        }
        let is_quick = self.last_wall_ms.is_none_or(|wall_ms| wall_ms < AUTO_RUN_MAX_MS);
        if is_quick && self.inputs().warning().is_none() { After::RunSoon } else { After::Wait }
    }

    /// The warning before the present inputs run; `None` once they have.
    pub fn warning(&self) -> Option<Diagnostic> {
        let has_run = !self.is_stale() && self.shown.as_ref().is_some_and(RunSet::is_whole);
        if has_run || self.has_nothing_to_run() { None } else { self.inputs().warning() }
    }

    /// Shows runs of the present inputs that were made before, if all are there.
    fn show_known(&mut self, now_ms: f64) -> bool {
        let known = self.known();
        let Some(bound) = known.iter().find(|set| set.inputs.same_scenario(self.inputs())).map(|set| set.bound.clone())
        else {
            return false;
        };
        let set = RunSet::new(self.inputs().clone(), bound, &known, now_ms);
        if !set.is_whole() {
            return false;
        }
        self.bound = set.bound.clone();
        self.shown = Some(set);
        true
    }

    fn known(&self) -> Vec<&RunSet> {
        self.shown.iter().chain(self.past.iter().rev()).collect()
    }

    /// Prepares runs of the present inputs. Those that are known are taken over, unless everything is up to date and is
    /// asked for again.
    pub fn prepare(&self, now_ms: f64) -> RunSet {
        let known = if self.is_stale() || self.coming.is_some() { self.known() } else { Vec::new() };
        RunSet::new(self.inputs().clone(), self.bound.clone(), &known, now_ms)
    }

    /// Takes over the present jobs as they were bound to the present curves before. Returns whether they were.
    pub fn use_known_binding(&mut self) -> bool {
        let known = [&self.bound].into_iter().chain(self.known().into_iter().map(|set| &set.bound));
        let same = known.into_iter().find(|bound| bound.is_of(self.inputs())).cloned();
        let is_known = same.is_some();
        self.bound = same.unwrap_or_else(|| self.bound.clone());
        is_known
    }

    /// Starts to wait for these runs.
    pub fn launched(&mut self, set: RunSet) {
        self.coming = Some(set);
        let has_something = self.shown.as_ref().is_some_and(RunSet::has_results);
        if !has_something || self.coming.as_ref().is_some_and(|set| !set.is_running()) {
            self.show_coming();
        }
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
        if set.is_running() {
            return;
        }
        // After a stop, an edit must not start runs by itself.
        let is_stopped = set.entries.iter().any(|entry| entry.state == RunState::Cancelled);
        self.last_wall_ms = if is_stopped { Some(f64::INFINITY) } else { set.wall_ms() };
        if is_coming { self.show_coming() } else { self.keep_if_whole() }
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

    /// The request of one policy's run.
    pub fn request_of(&self, policy: &PolicySpec) -> Option<u32> {
        self.coming.iter().chain(&self.shown).find_map(|set| set.request_of(policy))
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
}

#[cfg(test)]
mod tests {
    use elastiplan_planner::run;

    use elastiplan_scenario::fields::Value;

    use super::*;
    use crate::state::testing::many_jobs;

    fn launch(planner: &mut Planner) -> usize {
        if !planner.use_known_binding() {
            planner.bound = planner.inputs().bind();
        }
        let set = planner.prepare(0.0);
        let started = set.to_start();
        let scenario = planner.inputs().scenario();
        let mut set = set;
        for (slot, _) in &started {
            set.started(*slot, 1 + *slot as u32);
        }
        planner.launched(set);
        for (slot, policy) in &started {
            let result = run(&scenario, &planner.bound.workload, policy).unwrap();
            planner.update(1 + *slot as u32, |set| set.ended(1 + *slot as u32, result, 5.0, 20.0));
        }
        started.len()
    }

    #[test]
    fn an_edit_makes_results_stale_and_undo_brings_them_back() {
        let mut planner = Planner::new();
        assert_eq!(launch(&mut planner), 3);
        assert!(!planner.is_stale() && !planner.is_running());
        assert_eq!(planner.edit(Edit::Field("what_if.rescale_cost_s", Value::Number(60.0)), 0.0), After::RunSoon);
        assert!(planner.is_stale());
        assert_eq!(launch(&mut planner), 3);
        assert_eq!(planner.undo(1.0), After::Nothing);
        assert!(!planner.is_stale(), "the earlier runs are shown again");
        assert_eq!(planner.redo(2.0), After::Nothing);
        assert_eq!(planner.shown.as_ref().unwrap().inputs.conditions.rescale_cost_s, 60.0);
    }

    #[test]
    fn unticking_needs_no_run_and_ticking_again_neither() {
        let mut planner = Planner::new();
        launch(&mut planner);
        assert_eq!(planner.edit(Edit::Tick(0, false), 0.0), After::Nothing);
        assert_eq!(planner.shown.as_ref().unwrap().entries.len(), 2);
        assert_eq!(planner.edit(Edit::Tick(0, true), 0.0), After::Nothing);
        assert_eq!(planner.shown.as_ref().unwrap().entries[2].policy.name(), "fixed");
        assert_eq!(launch(&mut planner), 3, "asked for again, all run again");
    }

    #[test]
    fn runs_that_may_need_too_much_memory_start_only_when_asked_for() {
        let mut planner = Planner::new();
        launch(&mut planner);
        assert_eq!(planner.warning(), None);
        let edit = many_jobs(planner.inputs());
        assert_eq!(planner.edit(edit, 0.0), After::Wait);
        assert!(planner.warning().unwrap().rule.contains("up to 1.1 GB"));
        let equal_share = planner.inputs().specs().iter().position(|spec| spec.name() == "equal-share").unwrap();
        assert_eq!(
            planner.edit(Edit::Tick(equal_share, false), 1.0),
            After::RunSoon,
            "one that resizes jobs is not too much"
        );
        assert_eq!(planner.warning(), None);
        planner.undo(2.0);
        planner.undo(3.0);
        assert_eq!(planner.redo(4.0), After::Wait);
    }

    #[test]
    fn stopped_runs_start_again_only_when_asked_for() {
        let mut planner = Planner::new();
        let mut set = planner.prepare(0.0);
        (0..3).for_each(|slot| set.started(slot, slot as u32));
        planner.launched(set);
        for request in 0..3 {
            planner.update(request, |set| set.cancelled(request, 5.0));
        }
        assert_eq!(planner.edit(Edit::Nodes(20), 0.0), After::Wait);
    }
}
