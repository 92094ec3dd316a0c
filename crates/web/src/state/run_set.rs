//! The runs of one set of inputs.

use std::rc::Rc;

use elastiplan_engine::Progress;
use elastiplan_planner::PolicyRun;
use elastiplan_policies::PolicySpec;
use elastiplan_present::runs::{RunEntry, RunFailure, RunState, share_ended};
use elastiplan_scenario::ForkChange;

use elastiplan_worker::Packed;
use elastiplan_worker::messages::{BoundScenario, MessageError};

use super::data::Bound;
use super::differences::chips;
use super::inputs::Inputs;
use super::run_spec::RunSpec;
use super::world::World;

/// Before so much of a run is done, nobody can say how long it takes.
const SHARE_MIN: f64 = 0.01;

/// The runs of a list, hidden ones included, and what they were made from.
#[derive(Clone, Debug)]
pub struct RunSet {
    /// The inputs.
    pub inputs: Inputs,
    /// The jobs of runs that differ in nothing.
    pub bound: Bound,
    /// The runs, in the order of the list.
    pub entries: Vec<RunEntry>,
    places: Vec<Place>,
    started_ms: f64,
    ended_ms: Option<f64>,
}

/// What a run is made from, and how it stands with its worker.
#[derive(Clone, Debug)]
struct Place {
    world: World,
    bound: Bound,
    /// The request that the run answers to while it is on its way.
    request: Option<u32>,
    /// Whether it was asked for, and waits for a worker if it has no request.
    is_asked: bool,
    started_ms: f64,
}

impl Place {
    /// Whether another set may take the run over: it is whole, or it is on its way and will be answered.
    fn can_be_taken(&self, entry: &RunEntry) -> bool {
        match entry.state {
            RunState::Finished => true,
            RunState::Started => self.is_asked,
            RunState::Running(_) => self.request.is_some(),
            RunState::Cancelled | RunState::Failed(_) => false,
        }
    }
}

/// When forks change a run, or others of the list are forked from it, in seconds on the clock of the trace.
fn marks_s(inputs: &Inputs, run: &RunSpec, start_s: f64) -> Vec<f64> {
    let forked = inputs.runs().iter().filter(|other| other.origin == Some(run.id));
    let forks = run.forks.iter().chain(forked.filter_map(|other| other.forks.last()));
    forks.map(|fork| start_s + fork.after_start_s).collect()
}

impl RunSet {
    /// The runs of these inputs. What `known` sets have already, whole or on its way, is taken over: a run is known by
    /// what decides it, wherever it stands in the list. `None` if jobs have not been bound yet for a run that is not
    /// known.
    pub fn new(inputs: Inputs, bounds: &[&Bound], known: &[&RunSet], now_ms: f64) -> Option<Self> {
        let rail = inputs.world();
        let bound_of = |world: &World| bounds.iter().find(|bound| bound.is_of(world)).map(|bound| (*bound).clone());
        let bound = bound_of(&rail)?;
        let (mut entries, mut places) = (Vec::new(), Vec::new());
        for (slot, run) in inputs.runs().iter().enumerate() {
            let world = run.world(&rail);
            let place_of = |set: &&RunSet| {
                let same = |(place, entry): &(&Place, &RunEntry)| {
                    entry.policy == run.policy && place.can_be_taken(entry) && place.world == world
                };
                let found = set.places.iter().zip(&set.entries).find(same);
                found.map(|(place, entry)| (place.clone(), entry.clone()))
            };
            let found = known.iter().find_map(place_of);
            let (place, entry) = match found {
                Some(found) => found,
                None => {
                    let bound = bound_of(&world)?;
                    let place =
                        Place { world: world.clone(), bound, request: None, is_asked: false, started_ms: now_ms };
                    (place, RunEntry::new(slot, run.policy.clone()))
                }
            };
            let is_own = !Rc::ptr_eq(&place.bound.workload, &bound.workload);
            entries.push(RunEntry {
                slot,
                label: run.name.clone(),
                differs: chips(&world, &rail),
                marks_s: marks_s(&inputs, run, place.bound.workload.trace().start_s()),
                is_pinned: run.is_pinned(),
                is_hidden: run.is_hidden,
                own_workload: is_own.then(|| Rc::clone(&place.bound.workload)),
                ..entry
            });
            places.push(place);
        }
        let mut set = Self { inputs, bound, entries, places, started_ms: now_ms, ended_ms: None };
        set.record_end(now_ms);
        Some(set)
    }

    /// The runs that nobody has asked for yet, each once however often it stands in the list.
    pub fn to_ask(&self) -> impl Iterator<Item = &RunEntry> {
        let new = |(entry, place): &(&RunEntry, &Place)| entry.state == RunState::Started && !place.is_asked;
        self.entries.iter().zip(&self.places).filter(new).map(|(entry, _)| entry)
    }

    /// Forgets all runs but pinned ones, so that they are made again.
    pub fn make_again(&mut self, now_ms: f64) {
        for (entry, place) in self.entries.iter_mut().zip(&mut self.places).filter(|(entry, _)| !entry.is_pinned) {
            (entry.state, entry.result, entry.wall_ms) = (RunState::Started, None, None);
            (place.request, place.is_asked, place.started_ms) = (None, false, now_ms);
        }
        self.ended_ms = None;
    }

    /// Asks for all runs that have not been made.
    pub fn ask(&mut self) {
        self.places.iter_mut().for_each(|place| place.is_asked = true);
    }

    /// The place of the next run that waits for a worker: visible ones first, each once however often it stands in the
    /// list.
    pub fn next_waiting(&self) -> Option<usize> {
        let is_waiting = |entry: &&RunEntry| {
            entry.state == RunState::Started
                && self.places.get(entry.slot).is_some_and(|place| place.is_asked && place.request.is_none())
        };
        let waiting = || self.entries.iter().filter(is_waiting);
        let first = waiting().find(|entry| !entry.is_hidden).or_else(|| waiting().next());
        first.map(|entry| entry.slot)
    }

    /// The scenario of a run as workers take it. Nothing is bound or packed again that is bound already.
    pub fn packed(&self, slot: usize) -> Option<Result<BoundScenario, MessageError>> {
        let place = self.places.get(slot)?;
        let scenario = Packed::of(&place.world.scenario().without_data());
        let later = place.world.conditions.forks.iter().filter_map(|fork| match &fork.change {
            ForkChange::Policy(id) => Some(id.clone()),
            _ => None,
        });
        let (workload, later_policies) = (place.bound.packed.clone(), later.collect());
        Some(scenario.map(|scenario| BoundScenario { scenario, workload, later_policies }))
    }

    /// Notes which request a run answers to; the same run elsewhere in the list does too.
    pub fn started(&mut self, slot: usize, request: u32, now_ms: f64) {
        for twin in self.twins(slot) {
            if let Some(place) = self.places.get_mut(twin) {
                (place.request, place.is_asked, place.started_ms) = (Some(request), true, now_ms);
            }
        }
    }

    /// The places of a run that has not ended, and of the same run elsewhere in the list.
    fn twins(&self, slot: usize) -> Vec<usize> {
        let (Some(entry), Some(place)) = (self.entries.get(slot), self.places.get(slot)) else { return Vec::new() };
        let is_twin = |(other, at): &(&RunEntry, &Place)| {
            other.policy == entry.policy && other.state == entry.state && at.world == place.world
        };
        self.entries.iter().zip(&self.places).filter(is_twin).map(|(other, _)| other.slot).collect()
    }

    /// The jobs that runs of this set were bound to.
    pub fn bounds(&self) -> impl Iterator<Item = &Bound> {
        [&self.bound].into_iter().chain(self.places.iter().map(|place| &place.bound))
    }

    /// How long a policy took when it ran to its end, in milliseconds.
    pub fn wall_ms_of(&self, policy: &PolicySpec) -> Option<f64> {
        self.entries.iter().filter(|entry| entry.policy == *policy).find_map(|entry| entry.wall_ms)
    }

    /// The requests that are on their way, each once.
    pub fn requests(&self) -> Vec<u32> {
        let mut requests: Vec<u32> = Vec::new();
        for request in self.places.iter().filter_map(|place| place.request) {
            if !requests.contains(&request) {
                requests.push(request);
            }
        }
        requests
    }

    /// Requests that workers are busy with for runs that are wanted.
    pub fn busy(&self) -> usize {
        self.requests().into_iter().filter(|request| !self.is_stopped(*request)).count()
    }

    /// Leaves requests to another set that has taken them over.
    pub fn leave(&mut self, requests: &[u32]) {
        for place in &mut self.places {
            place.request = place.request.filter(|request| !requests.contains(request));
        }
    }

    /// The request of one run, if it is on its way.
    pub fn request_of(&self, slot: usize) -> Option<u32> {
        self.places.get(slot)?.request
    }

    /// Whether a run counts as stopped and has yet to tell its last record.
    pub fn is_stopped(&self, request: u32) -> bool {
        let of_request = self.places.iter().zip(&self.entries).find(|(place, _)| place.request == Some(request));
        of_request.is_some_and(|(_, entry)| entry.state == RunState::Cancelled)
    }

    /// The runs that answer to these requests, by their places.
    pub fn places_of(&self, requests: &[u32]) -> Vec<usize> {
        let is_meant = |place: &Place| place.request.is_some_and(|request| requests.contains(&request));
        let known = self.places.iter().enumerate();
        known.filter(|(_, place)| is_meant(place)).map(|(slot, _)| slot).collect()
    }

    /// Whether a request belongs to this set.
    pub fn has(&self, request: u32) -> bool {
        self.places.iter().any(|place| place.request == Some(request))
    }

    /// A run has come so far.
    pub fn progress(&mut self, request: u32, progress: Progress, now_ms: f64) {
        self.change(request, |entry, started_ms| {
            if entry.is_running() {
                entry.state = RunState::Running(progress);
                let share = share_ended(&progress);
                let is_known = share >= SHARE_MIN && progress.jobs_ended > 0;
                entry.left_s = is_known.then(|| (now_ms - started_ms) / 1000.0 * (1.0 - share) / share);
            }
        });
    }

    /// The record of a run so far.
    pub fn partial(&mut self, request: u32, result: PolicyRun) {
        let result = Rc::new(result);
        self.change(request, |entry, _| entry.result = Some(Rc::clone(&result)));
    }

    /// A run has ended.
    pub fn ended(&mut self, request: u32, result: PolicyRun, wall_ms: f64, now_ms: f64) {
        let result = Rc::new(result);
        self.change(request, |entry, _| {
            entry.state = if result.run.finished { RunState::Finished } else { RunState::Cancelled };
            entry.result = Some(Rc::clone(&result));
            (entry.wall_ms, entry.left_s) = (Some(wall_ms), None);
        });
        self.forget(request, now_ms);
    }

    /// A run could not go on; what was recorded of it stands.
    pub fn failed(&mut self, request: u32, failure: RunFailure, now_ms: f64) {
        self.change(request, |entry, _| entry.state = RunState::Failed(failure.clone()));
        self.forget(request, now_ms);
    }

    /// A run that could not even be started.
    pub fn failed_to_start(&mut self, slot: usize, message: String, now_ms: f64) {
        for twin in self.twins(slot) {
            if let Some(entry) = self.entries.get_mut(twin) {
                entry.state = RunState::Failed(RunFailure { message: message.clone(), detail: String::new() });
            }
        }
        self.record_end(now_ms);
    }

    /// A run is asked to stop. It counts as stopped from now on; its last record, which is on its way, will be shown.
    pub fn stopping(&mut self, request: u32, now_ms: f64) {
        self.change(request, |entry, _| entry.state = RunState::Cancelled);
        self.record_end(now_ms);
    }

    /// A run was ended from outside; what was recorded of it stands.
    pub fn cancelled(&mut self, request: u32, now_ms: f64) {
        self.change(request, |entry, _| entry.state = RunState::Cancelled);
        self.forget(request, now_ms);
    }

    /// Runs that wait for a worker will not be made: those at these places, or all.
    pub fn cancel_waiting(&mut self, only: Option<usize>, now_ms: f64) {
        for (entry, place) in self.entries.iter_mut().zip(&self.places) {
            if entry.is_running() && place.request.is_none() && only.is_none_or(|slot| slot == entry.slot) {
                entry.state = RunState::Cancelled;
            }
        }
        self.record_end(now_ms);
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

    fn change(&mut self, request: u32, change: impl Fn(&mut RunEntry, f64)) {
        for (entry, place) in self.entries.iter_mut().zip(&self.places) {
            if place.request == Some(request) {
                change(entry, place.started_ms);
            }
        }
    }

    fn forget(&mut self, request: u32, now_ms: f64) {
        for place in self.places.iter_mut().filter(|place| place.request == Some(request)) {
            place.request = None;
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
    use elastiplan_scenario::fields::Value;

    use super::*;
    use crate::state::edit::Edit;

    fn set(inputs: &Inputs, known: &[&RunSet]) -> RunSet {
        let mut bounds: Vec<Bound> = Vec::new();
        for world in [inputs.world()].into_iter().chain(inputs.worlds()) {
            let mut bound = world.bind();
            bounds.iter().for_each(|known| bound.share_with(known));
            bounds.push(bound);
        }
        let mut set = RunSet::new(inputs.clone(), &bounds.iter().collect::<Vec<_>>(), known, 0.0).unwrap();
        set.ask();
        set
    }

    fn finish_all(set: &mut RunSet) -> Vec<usize> {
        let mut started = Vec::new();
        while let Some(slot) = set.next_waiting() {
            let request = 10 + slot as u32;
            set.started(slot, request, 0.0);
            let scenario = set.places[slot].world.scenario();
            let result = run(&scenario, &set.places[slot].bound.workload, &set.entries[slot].policy).unwrap();
            set.ended(request, result, 1.0, 40.0);
            started.push(slot);
        }
        started
    }

    #[test]
    fn a_run_goes_from_started_to_finished() {
        let mut set = set(&Inputs::sample(), &[]);
        assert!(set.is_running() && !set.has_results());
        finish_all(&mut set);
        assert!(set.is_whole() && set.has_results());
        assert_eq!(set.wall_ms(), Some(1.0));
    }

    /// Whatever is done to the list, nothing starts that is known.
    #[test]
    fn runs_are_known_by_what_decides_them_wherever_they_stand() {
        let mut inputs = Inputs::sample();
        let mut last = set(&inputs, &[]);
        assert_eq!(finish_all(&mut last).len(), 3);
        let mut check = |edit: Edit, expected: &[usize]| {
            edit.apply(&mut inputs);
            let mut after = set(&inputs, &[&last]);
            assert_eq!(finish_all(&mut after), expected);
            assert!(after.is_whole() && after.entries.iter().enumerate().all(|(slot, entry)| entry.slot == slot));
            last = after;
        };
        let nodes = |nodes| Edit::Differ(4, "cluster.nodes", Some(Value::Whole(nodes)));
        check(Edit::Move(3, 0), &[]);
        check(Edit::Rename(3, "mine".into()), &[]);
        check(Edit::Hide(1, true), &[]);
        check(Edit::Duplicate(2), &[]);
        check(nodes(20), &[3]);
        check(nodes(16), &[]);
        check(Edit::Duplicate(4), &[]);
        check(Edit::Remove(2), &[]);
        check(Edit::Pin(4, true), &[]);
        check(Edit::Field("what_if.rescale_cost_s", Value::Number(60.0)), &[1, 3, 2]);
        check(Edit::Pin(4, false), &[]);
    }

    #[test]
    fn runs_tell_what_differs_and_share_jobs_that_are_the_same() {
        let mut inputs = Inputs::sample();
        Edit::Differ(2, "cluster.nodes", Some(Value::Whole(20))).apply(&mut inputs);
        Edit::Differ(3, "what_if.work", Some(Value::Number(2.0))).apply(&mut inputs);
        let set = set(&inputs, &[]);
        let told: Vec<(String, bool)> =
            set.entries.iter().map(|entry| (entry.differs.join(", "), entry.own_workload.is_some())).collect();
        let expected = [("", false), ("20 nodes", false), ("work × 2", true)];
        assert_eq!(told, expected.map(|(words, is_own)| (words.to_string(), is_own)));
    }

    #[test]
    fn the_same_run_twice_is_made_once() {
        let mut inputs = Inputs::sample();
        inputs.duplicate(2);
        let mut set = set(&inputs, &[]);
        assert_eq!(set.to_ask().count(), 0);
        assert_eq!(finish_all(&mut set), [0, 1, 3]);
        let of = |slot: usize| set.entries[slot].result.clone().unwrap();
        assert!(set.is_whole() && Rc::ptr_eq(&of(1), &of(2)));
    }

    #[test]
    fn visible_runs_start_first() {
        let mut inputs = Inputs::sample();
        Edit::Hide(2, true).apply(&mut inputs);
        assert_eq!(finish_all(&mut set(&inputs, &[])), [0, 2, 1]);
    }

    #[test]
    fn the_time_left_follows_the_share_of_jobs_that_have_ended() {
        let mut set = set(&Inputs::sample(), &[]);
        set.started(0, 7, 1000.0);
        let mut check = |jobs_ended, now_ms, expected| {
            set.progress(7, Progress { time_s: 1.0, last_submit_s: 2.0, jobs_ended, jobs_total: 48 }, now_ms);
            assert_eq!(set.entries[0].left_s, expected);
        };
        check(0, 2000.0, None);
        check(12, 3000.0, Some(6.0));
        check(48, 9000.0, Some(0.0));
    }

    #[test]
    fn a_cancelled_run_keeps_what_it_had() {
        let mut set = set(&Inputs::sample(), &[]);
        set.started(0, 7, 0.0);
        let progress = |time_s| Progress { time_s, last_submit_s: 2.0, jobs_ended: 0, jobs_total: 48 };
        set.progress(7, progress(1.0), 1.0);
        set.cancelled(7, 5.0);
        assert_eq!(set.entries[0].state, RunState::Cancelled);
        assert!(set.is_running(), "the others go on");
        set.progress(7, progress(2.0), 6.0);
        assert_eq!(set.entries[0].state, RunState::Cancelled, "a late answer changes nothing");
        set.cancel_waiting(Some(1), 7.0);
        assert!(set.is_running());
        set.cancel_waiting(None, 7.0);
        assert!(!set.is_running());
    }

    #[test]
    fn a_run_asked_to_stop_is_stopped_at_once_and_shows_its_last_record_later() {
        let inputs = Inputs::sample();
        let mut set = set(&inputs, &[]);
        set.started(0, 7, 0.0);
        set.stopping(7, 5.0);
        set.progress(7, Progress { time_s: 2.0, last_submit_s: 2.0, jobs_ended: 0, jobs_total: 48 }, 6.0);
        assert_eq!(set.entries[0].state, RunState::Cancelled);
        let scenario = inputs.scenario();
        let mut last = run(&scenario, &set.bound.workload, &set.entries[0].policy).unwrap();
        last.run.finished = false;
        set.ended(7, last, 1.0, 60.0);
        assert_eq!(set.entries[0].state, RunState::Cancelled);
        assert!(set.entries[0].result.is_some());
    }
}
