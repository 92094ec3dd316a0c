//! Random interleavings of what the user does, what workers send and which timers fire. Whatever the order, no run waits
//! for ever, no worker is left busy, and what is shown in the end is what was asked for.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_engine::Progress;
use elastiplan_model::Workload;
use elastiplan_planner::PolicyRun;
use elastiplan_present::runs::RunState;
use elastiplan_scenario::fields::Value;
use elastiplan_scenario::{Conditions, Scenario};
use elastiplan_worker::Packed;
use elastiplan_worker::messages::{BoundScenario, Failure, Request, Response};
use elastiplan_workloads::{Drawing, Drawn};
use yew::Callback;

use crate::state::drawn_edit::DrawnEdit;
use crate::state::edit::Edit;
use crate::state::inputs::Inputs;
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::pool::{Client, Pool, Received};
use crate::theme::Choice;

const SEEDS: u64 = 150;
const STEPS: u32 = 60;
const RESCALE_COSTS_S: [f64; 2] = [30.0, 60.0];
const ARRIVAL_RATES: [f64; 2] = [1.0, 2.0];
const SEEDS_OF_JOBS: [u64; 2] = [3, 4];
/// More steps than a page needs to come to rest.
const REST_STEPS: u32 = 1000;

/// A request that a worker is busy with.
#[derive(Clone)]
struct Job {
    id: u32,
    work: Work,
    is_cancelled: bool,
}

/// What a request asks for.
#[derive(Clone)]
enum Work {
    Draw(Packed),
    Bind(Packed),
    Run(BoundScenario, String),
}

/// What the workers are busy with, by worker.
type Busy = Rc<RefCell<BTreeMap<u32, Job>>>;

struct FakeWorker {
    key: u32,
    busy: Busy,
}

impl Client for FakeWorker {
    fn send(&self, id: u32, request: &Request) -> Result<(), String> {
        let mut busy = self.busy.borrow_mut();
        let work = match request {
            Request::Draw(drawing) => Work::Draw(drawing.clone()),
            Request::Bind(scenario) => Work::Bind(scenario.clone()),
            Request::Run { scenario, policy } => Work::Run(scenario.clone(), policy.clone()),
            Request::Cancel => {
                if let Some(job) = busy.get_mut(&self.key).filter(|job| job.id == id) {
                    job.is_cancelled = true;
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        let job = Job { id, work, is_cancelled: false };
        assert!(busy.insert(self.key, job).is_none(), "worker {} was busy", self.key);
        Ok(())
    }

    fn end(self) {
        self.busy.borrow_mut().remove(&self.key);
    }
}

/// A page whose workers and clock are driven by random numbers.
struct World {
    page: Page,
    pool: Pool<FakeWorker>,
    busy: Busy,
    results: Rc<Results>,
    state: u64,
}

/// The workload and the runs by policy, for each set of conditions.
type Results = BTreeMap<[u64; 3], (Rc<Workload>, BTreeMap<String, PolicyRun>)>;

/// What runs depend on here.
fn key(conditions: &Conditions) -> [u64; 3] {
    [conditions.rescale_cost_s.to_bits(), conditions.arrival_rate.to_bits(), conditions.seed]
}

fn results() -> Results {
    let mut inputs = Inputs::sample();
    let mut results = Results::new();
    for (seed, cost_s, rate) in SEEDS_OF_JOBS
        .into_iter()
        .flat_map(|seed| RESCALE_COSTS_S.map(|cost_s| (seed, cost_s)))
        .flat_map(|(seed, cost_s)| ARRIVAL_RATES.map(|rate| (seed, cost_s, rate)))
    {
        inputs.draw(&DrawnEdit::Seed(seed));
        Edit::Field("what_if.rescale_cost_s", Value::Number(cost_s)).apply(&mut inputs);
        Edit::Field("what_if.arrival_rate", Value::Number(rate)).apply(&mut inputs);
        let (scenario, workload) = (inputs.scenario(), inputs.bind().workload);
        let runs = inputs.policies().into_iter().map(|spec| {
            let run = elastiplan_planner::run(&scenario, &workload, &spec).unwrap();
            (spec.to_string(), run)
        });
        let runs = runs.collect();
        results.insert(key(&scenario.conditions), (workload, runs));
    }
    results
}

fn page() -> Page {
    Page::new(Callback::noop(), "0".into(), (Choice::System, "light"))
}

impl World {
    fn new(seed: u64, results: &Rc<Results>) -> Self {
        let busy = Busy::default();
        let of_workers = Rc::clone(&busy);
        let pool = Pool::new(move |_, key| Ok(FakeWorker { key, busy: Rc::clone(&of_workers) }));
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut world = Self { page: page(), pool, busy, results: Rc::clone(results), state };
        world.apply(Msg::Run);
        world
    }

    /// A random number below a bound.
    fn random(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 33) as usize % bound
    }

    /// Applies what the user does, as the app does.
    fn apply(&mut self, message: Msg) {
        match self.page.keep_waiting(message) {
            Some(Msg::Edit(edit)) => self.page.edit(&mut self.pool, edit),
            Some(Msg::Run) => self.page.launch(&mut self.pool),
            Some(Msg::AutoRun(edit)) if self.page.runs_after(edit) => self.page.launch(&mut self.pool),
            _ => {}
        }
    }

    fn apply_all(&mut self, messages: Vec<Msg>) {
        messages.into_iter().for_each(|message| self.apply(message));
    }

    fn step(&mut self) {
        self.page.now_ms += self.random(40) as f64;
        match self.random(12) {
            0 => self.apply(Msg::Run),
            1 => {
                let waiting = self.page.stop_drawing(&mut self.pool);
                self.apply_all(waiting);
                self.page.cancel_runs(&self.pool);
            }
            2 => {
                let policies = self.page.planner.inputs().policies();
                let policy = &policies[self.random(policies.len())];
                self.page.stop(&self.pool, policy);
            }
            3 => {
                let (key, value) = match self.random(3) {
                    0 => ("what_if.rescale_cost_s", Value::Number(RESCALE_COSTS_S[self.random(2)])),
                    1 => ("what_if.arrival_rate", Value::Number(ARRIVAL_RATES[self.random(2)])),
                    _ => ("seed", Value::Whole(SEEDS_OF_JOBS[self.random(2)])),
                };
                self.apply(Msg::Edit(Edit::Field(key, value)));
            }
            4..8 => drop(self.fire_timer()),
            _ => drop(self.respond(false)),
        }
        self.check();
    }

    /// Fires one timer of the page, as the app does. Returns whether there was one.
    fn fire_timer(&mut self) -> bool {
        if self.page.timers.is_empty() {
            return false;
        }
        let place = self.random(self.page.timers.len());
        let page = &mut self.page;
        match page.timers.remove(place).1 {
            message @ Msg::AutoRun(_) => self.apply(message),
            Msg::ShowComing(launch) => page.show_coming(launch),
            Msg::Terminate(requests) => drop(page.terminate(&mut self.pool, &requests)),
            Msg::Stopped => page.settle(&self.pool),
            Msg::StartWorkers => self.pool.start_ahead(),
            Msg::ApplyUpdates => drop(page.apply_updates()),
            Msg::UpdatesPainted(since_ms) => page.updates_painted(since_ms),
            _ => {}
        }
        true
    }

    /// Lets a busy worker respond; to the end if `is_last`. Returns whether one was busy.
    fn respond(&mut self, is_last: bool) -> bool {
        let busy: Vec<(u32, Job)> = self.busy.borrow().iter().map(|(key, job)| (*key, job.clone())).collect();
        if busy.is_empty() {
            return false;
        }
        let (worker, Job { id, work, is_cancelled }) = busy[self.random(busy.len())].clone();
        let kind = if is_last { 3 } else { self.random(8) };
        let is_run = matches!(work, Work::Run(..));
        let response = match work {
            _ if kind == 7 => {
                let is_fatal = self.random(2) == 0;
                let failure = Failure { message: "failed".into(), detail: String::new(), is_fatal };
                Response::Failed(failure)
            }
            Work::Draw(drawing) => {
                let drawn = drawing.unpack::<Drawing>().unwrap().draw();
                Response::Drawn(Packed::of(&drawn).unwrap())
            }
            Work::Bind(scenario) => Response::bound(&scenario.unpack().unwrap()).unwrap(),
            Work::Run(..) if kind < 2 => {
                let progress = Progress { time_s: 1.0, last_submit_s: 2.0, jobs_ended: 0, jobs_total: 48 };
                Response::RunProgress(progress)
            }
            Work::Run(scenario, policy) => {
                let mut result = self.result(&scenario, &policy);
                result.run.finished = kind != 2 && !is_cancelled;
                let result = Packed::of(&result).unwrap();
                if kind == 2 { Response::RunPartial(result) } else { Response::RunEnded { result, wall_ms: 5.0 } }
            }
        };
        if !matches!(response, Response::RunProgress(_) | Response::RunPartial(_)) {
            self.busy.borrow_mut().remove(&worker);
        }
        let memory_bytes = if self.random(4) == 0 { u32::MAX } else { 0 };
        let received = Received { worker, id: Some(id), response, memory_bytes };
        let Some(request) = self.pool.settle(&received) else { return true };
        match received.response {
            Response::Drawn(drawn) => self.drawn(request, Ok(drawn.unpack().unwrap())),
            Response::Bound { workload, diagnostics } => {
                self.page.bound(&mut self.pool, request, (workload, &diagnostics));
            }
            Response::Failed(_) if !is_run => {
                if !self.page.binding_failed(request, "failed") {
                    self.drawn(request, Err("failed".into()));
                }
            }
            response => drop(self.page.receive(request, response)),
        }
        true
    }

    fn drawn(&mut self, request: u32, drawn: Result<Drawn, String>) {
        let waiting = self.page.drawn(&mut self.pool, request, drawn);
        self.apply_all(waiting.unwrap());
    }

    /// The run of a policy. The workload that the worker was sent has to be that of the scenario.
    fn result(&self, scenario: &BoundScenario, policy: &str) -> PolicyRun {
        let conditions = scenario.scenario.unpack::<Scenario>().unwrap().conditions;
        let (workload, runs) = &self.results[&key(&conditions)];
        assert!(scenario.workload.unpack::<Workload>().unwrap() == **workload);
        runs[policy].clone()
    }

    /// Every run that is on its way has a worker that is busy with it, or an update that will end it.
    fn check(&self) {
        for request in self.page.planner.requests() {
            let is_awaited = self.pool.is_busy_with(request)
                || self.page.pending.has_ended(request)
                || self.page.stopping.contains(&request);
            assert!(is_awaited, "request {request} will never be answered");
        }
        let bound = self.page.binding.pending.as_ref().map(|(request, _)| *request);
        for request in bound.into_iter().chain(self.page.drawing.as_ref().map(|pending| pending.request)) {
            assert!(self.pool.is_busy_with(request), "request {request} will never be answered");
        }
    }

    /// Lets everything happen that is still to happen, in any order.
    fn come_to_rest(&mut self) {
        for _ in 0..REST_STEPS {
            self.page.now_ms += 1.0;
            let is_over = match self.random(2) {
                0 => !self.fire_timer() && !self.respond(true),
                _ => !self.respond(true) && !self.fire_timer(),
            };
            self.check();
            if is_over {
                return;
            }
        }
        panic!("the page does not come to rest");
    }

    fn check_at_rest(&self) {
        let planner = &self.page.planner;
        assert!(!self.page.is_running() && self.busy.borrow().is_empty());
        assert_eq!(planner.requests(), [0_u32; 0], "runs without an end");
        assert!(planner.coming.is_none() && self.page.stopping.is_empty());
        let shown = planner.shown.as_ref().unwrap();
        let (workload, runs) = &self.results[&key(&shown.inputs.conditions)];
        assert!(shown.bound.workload == *workload);
        for entry in &shown.entries {
            assert!(!entry.is_running(), "{:?}", entry.state);
            if entry.state == RunState::Finished {
                let result = entry.result.as_ref().unwrap();
                assert_eq!(result.run.digest(), runs[&entry.policy.to_string()].run.digest());
            }
        }
    }
}

#[test]
fn any_order_of_events_comes_to_rest_with_what_was_asked_for() {
    let results = Rc::new(results());
    for seed in 1..=SEEDS {
        let mut world = World::new(seed, &results);
        for _ in 0..STEPS {
            world.step();
        }
        world.come_to_rest();
        world.check_at_rest();
        // What is asked for now is shown, whatever happened before.
        world.apply(Msg::Run);
        world.come_to_rest();
        world.check_at_rest();
        assert!(world.page.planner.shown.as_ref().unwrap().is_whole() && !world.page.planner.is_stale(), "seed {seed}");
    }
}
