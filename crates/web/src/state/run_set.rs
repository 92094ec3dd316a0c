//! The runs of one set of inputs.

use std::rc::Rc;

use elastiplan_engine::Progress;
use elastiplan_planner::PolicyRun;
use elastiplan_policies::PolicySpec;
use elastiplan_present::runs::{RunEntry, RunFailure, RunState};

use elastiplan_worker::Packed;
use elastiplan_worker::messages::{BoundScenario, MessageError};

use super::data::Bound;
use super::inputs::Inputs;

/// One run for each ticked policy, and what they were made from.
#[derive(Clone, Debug)]
pub struct RunSet {
    /// The inputs.
    pub inputs: Inputs,
    /// The jobs that run.
    pub bound: Bound,
    /// The runs, in the order ticked.
    pub entries: Vec<RunEntry>,
    /// The request that each run answers to while it is on its way.
    requests: Vec<Option<u32>>,
    started_ms: f64,
    ended_ms: Option<f64>,
}

impl RunSet {
    /// Runs that are about to start. Those that `known` has already, of the same scenario and whole, are taken over.
    pub fn new(inputs: Inputs, bound: Bound, known: &[&RunSet], now_ms: f64) -> Self {
        let of_same_scenario = || known.iter().filter(|set| set.inputs.same_scenario(&inputs));
        let taken_over = |spec: &PolicySpec| {
            let mut whole = of_same_scenario().flat_map(|set| &set.entries);
            whole.find(|entry| entry.state == RunState::Finished && entry.policy == *spec).cloned()
        };
        let entry = |(slot, policy): (usize, PolicySpec)| match taken_over(&policy) {
            Some(entry) => RunEntry { slot, ..entry },
            None => RunEntry::new(slot, policy),
        };
        let entries: Vec<RunEntry> = inputs.policies().into_iter().enumerate().map(entry).collect();
        let mut set =
            Self { requests: vec![None; entries.len()], entries, bound, inputs, started_ms: now_ms, ended_ms: None };
        set.record_end(now_ms);
        set
    }

    /// The runs that have to be started: their places and policies.
    pub fn to_start(&self) -> Vec<(usize, PolicySpec)> {
        let new = |entry: &&RunEntry| entry.state == RunState::Started;
        self.entries.iter().filter(new).map(|entry| (entry.slot, entry.policy.clone())).collect()
    }

    /// The scenario as workers take it. Nothing is bound or packed again that is bound already.
    pub fn packed(&self) -> Result<BoundScenario, MessageError> {
        let scenario = Packed::of(&self.inputs.scenario().without_data())?;
        Ok(BoundScenario { scenario, workload: self.bound.packed.clone() })
    }

    /// Notes which request a run answers to.
    pub fn started(&mut self, slot: usize, request: u32) {
        if let Some(place) = self.requests.get_mut(slot) {
            *place = Some(request);
        }
    }

    /// The requests that are on their way.
    pub fn requests(&self) -> Vec<u32> {
        self.requests.iter().copied().flatten().collect()
    }

    /// The request of one policy, if it is on its way.
    pub fn request_of(&self, policy: &PolicySpec) -> Option<u32> {
        let slot = self.entries.iter().position(|entry| entry.policy == *policy)?;
        self.requests.get(slot).copied().flatten()
    }

    /// Whether a run counts as stopped and has yet to tell its last record.
    pub fn is_stopped(&self, request: u32) -> bool {
        let of_request = self.requests.iter().zip(&self.entries).find(|(known, _)| **known == Some(request));
        of_request.is_some_and(|(_, entry)| entry.state == RunState::Cancelled)
    }

    /// The runs that answer to these requests, by their places.
    pub fn places_of(&self, requests: &[u32]) -> Vec<usize> {
        let is_meant = |known: &Option<u32>| known.is_some_and(|known| requests.contains(&known));
        let known = self.requests.iter().enumerate();
        known.filter(|(_, known)| is_meant(known)).map(|(place, _)| place).collect()
    }

    /// Whether a request belongs to this set.
    pub fn has(&self, request: u32) -> bool {
        self.requests.contains(&Some(request))
    }

    /// A run has come so far.
    pub fn progress(&mut self, request: u32, progress: Progress) {
        self.change(request, |entry| {
            if entry.is_running() {
                entry.state = RunState::Running(progress);
            }
        });
    }

    /// The record of a run so far.
    pub fn partial(&mut self, request: u32, result: PolicyRun) {
        self.change(request, |entry| entry.result = Some(Rc::new(result)));
    }

    /// A run has ended.
    pub fn ended(&mut self, request: u32, result: PolicyRun, wall_ms: f64, now_ms: f64) {
        self.change(request, |entry| {
            entry.state = if result.run.finished { RunState::Finished } else { RunState::Cancelled };
            entry.result = Some(Rc::new(result));
            entry.wall_ms = Some(wall_ms);
        });
        self.forget(request, now_ms);
    }

    /// A run could not go on; what was recorded of it stands.
    pub fn failed(&mut self, request: u32, failure: RunFailure, now_ms: f64) {
        self.change(request, |entry| entry.state = RunState::Failed(failure));
        self.forget(request, now_ms);
    }

    /// A run that could not even be started.
    pub fn failed_to_start(&mut self, slot: usize, message: String, now_ms: f64) {
        if let Some(entry) = self.entries.get_mut(slot) {
            entry.state = RunState::Failed(RunFailure { message, detail: String::new() });
        }
        self.record_end(now_ms);
    }

    /// A run is asked to stop. It counts as stopped from now on; its last record, which is on its way, will be shown.
    pub fn stopping(&mut self, request: u32, now_ms: f64) {
        self.change(request, |entry| entry.state = RunState::Cancelled);
        self.record_end(now_ms);
    }

    /// A run was ended from outside; what was recorded of it stands.
    pub fn cancelled(&mut self, request: u32, now_ms: f64) {
        self.change(request, |entry| entry.state = RunState::Cancelled);
        self.forget(request, now_ms);
    }

    /// Whether a run is on its way.
    pub fn is_running(&self) -> bool {
        self.entries.iter().any(RunEntry::is_running)
    }

    /// Whether there is something to look at of any run.
    pub fn has_results(&self) -> bool {
        self.entries.iter().any(|entry| entry.result.is_some())
    }

    /// Whether every run came to its own end.
    pub fn is_whole(&self) -> bool {
        self.entries.iter().all(|entry| entry.state == RunState::Finished)
    }

    /// How long the runs took side by side, in milliseconds: the longest, where each wall time is known.
    pub fn wall_ms(&self) -> Option<f64> {
        let ended_ms = self.ended_ms?;
        let wall_ms = self.entries.iter().map(|entry| entry.wall_ms);
        let longest_ms = wall_ms.collect::<Option<Vec<f64>>>().map(|all| all.into_iter().fold(0.0, f64::max));
        Some(longest_ms.unwrap_or(ended_ms - self.started_ms))
    }

    fn change(&mut self, request: u32, change: impl FnOnce(&mut RunEntry)) {
        let slot = self.requests.iter().position(|known| *known == Some(request));
        if let Some(entry) = slot.and_then(|slot| self.entries.get_mut(slot)) {
            change(entry);
        }
    }

    fn forget(&mut self, request: u32, now_ms: f64) {
        for known in self.requests.iter_mut().filter(|known| **known == Some(request)) {
            *known = None;
        }
        self.record_end(now_ms);
    }

    fn record_end(&mut self, now_ms: f64) {
        if !self.is_running() {
            self.ended_ms = Some(now_ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_planner::run;

    use super::*;

    fn set(inputs: &Inputs, known: &[&RunSet]) -> RunSet {
        let bound = inputs.bind();
        RunSet::new(inputs.clone(), bound, known, 0.0)
    }

    fn finish_all(set: &mut RunSet) {
        let scenario = set.inputs.scenario();
        for (slot, policy) in set.to_start() {
            let request = 10 + slot as u32;
            set.started(slot, request);
            let result = run(&scenario, &set.bound.workload, &policy).unwrap();
            set.ended(request, result, 1.0, 40.0);
        }
    }

    #[test]
    fn a_run_goes_from_started_to_finished() {
        let mut set = set(&Inputs::sample(), &[]);
        assert!(set.is_running() && !set.has_results());
        finish_all(&mut set);
        assert!(set.is_whole() && set.has_results());
        assert_eq!(set.wall_ms(), Some(1.0));
    }

    #[test]
    fn whole_runs_of_the_same_scenario_are_taken_over_in_their_new_places() {
        let mut inputs = Inputs::sample();
        let mut before = set(&inputs, &[]);
        finish_all(&mut before);
        inputs.tick(0, false);
        let after = set(&inputs, &[&before]);
        assert!(after.is_whole());
        let places: Vec<(usize, &str)> = after.entries.iter().map(|entry| (entry.slot, entry.policy.name())).collect();
        assert_eq!(places, [(0, "equal-share"), (1, "elastic-dp")]);
        inputs.conditions.rescale_cost_s = 60.0;
        assert_eq!(set(&inputs, &[&before]).to_start().len(), 2, "another scenario has to be run");
    }

    #[test]
    fn a_cancelled_run_keeps_what_it_had() {
        let mut set = set(&Inputs::sample(), &[]);
        set.started(0, 7);
        set.progress(7, Progress { time_s: 1.0, last_submit_s: 2.0, jobs_ended: 0, jobs_total: 48 });
        set.cancelled(7, 5.0);
        assert_eq!(set.entries[0].state, RunState::Cancelled);
        assert!(set.is_running(), "the others go on");
        set.progress(7, Progress { time_s: 2.0, last_submit_s: 2.0, jobs_ended: 0, jobs_total: 48 });
        assert_eq!(set.entries[0].state, RunState::Cancelled, "a late answer changes nothing");
    }

    #[test]
    fn a_run_asked_to_stop_is_stopped_at_once_and_shows_its_last_record_later() {
        let inputs = Inputs::sample();
        let mut set = set(&inputs, &[]);
        set.started(0, 7);
        set.stopping(7, 5.0);
        set.progress(7, Progress { time_s: 2.0, last_submit_s: 2.0, jobs_ended: 0, jobs_total: 48 });
        assert_eq!(set.entries[0].state, RunState::Cancelled);
        let scenario = inputs.scenario();
        let mut last = run(&scenario, &set.bound.workload, &set.entries[0].policy).unwrap();
        last.run.finished = false;
        set.ended(7, last, 1.0, 60.0);
        assert_eq!(set.entries[0].state, RunState::Cancelled);
        assert!(set.entries[0].result.is_some());
    }
}
