//! Random interleavings of what the user does, what workers send and which timers fire. Whatever the order, no run waits
//! for ever, no worker is left busy, and what is shown in the end is what was asked for.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_engine::Progress;
use elastiplan_planner::PolicyRun;
use elastiplan_present::runs::RunState;
use elastiplan_scenario::fields::Value;
use elastiplan_worker::Packed;
use elastiplan_worker::messages::{Failure, Request, Response};
use yew::Callback;

use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::pool::{Client, Pool, Received};
use crate::theme::Choice;

const SEEDS: u64 = 150;
const STEPS: u32 = 60;
const RESCALE_COSTS_S: [f64; 2] = [30.0, 60.0];
/// More steps than a page needs to come to rest.
const REST_STEPS: u32 = 1000;

/// A request that a worker is busy with.
#[derive(Clone)]
struct Job {
    id: u32,
    policy: String,
    is_cancelled: bool,
}

/// What the workers are busy with, by worker.
type Busy = Rc<RefCell<BTreeMap<u32, Job>>>;

struct FakeWorker {
    key: u32,
    busy: Busy,
}

impl Client for FakeWorker {
    fn send(&self, request: &Request) -> Result<(), String> {
        let mut busy = self.busy.borrow_mut();
        match request {
            Request::Run { id, policy, .. } => {
                let job = Job { id: *id, policy: policy.clone(), is_cancelled: false };
                assert!(busy.insert(self.key, job).is_none(), "worker {} was busy", self.key);
            }
            Request::Cancel { id } => {
                if let Some(job) = busy.get_mut(&self.key).filter(|job| job.id == *id) {
                    job.is_cancelled = true;
                }
            }
            _ => {}
        }
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
    /// The rescale cost that each request was sent with.
    costs: BTreeMap<u32, f64>,
    results: Rc<Results>,
    state: u64,
}

/// The runs of the sample by policy, for each rescale cost.
type Results = Vec<(f64, BTreeMap<String, PolicyRun>)>;

fn results() -> Results {
    let mut page = page();
    let of_cost = |&cost_s: &f64| {
        page.planner.edit(Edit::Field("what_if.rescale_cost_s", Value::Number(cost_s)), 0.0);
        let inputs = page.planner.inputs();
        let (scenario, workload) = (inputs.scenario(), inputs.bind().workload);
        let runs = inputs.policies().into_iter().map(|spec| {
            let run = elastiplan_planner::run(&scenario, &workload, &spec).unwrap();
            (spec.to_string(), run)
        });
        (cost_s, runs.collect())
    };
    RESCALE_COSTS_S.iter().map(of_cost).collect()
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
        let mut world = Self { page: page(), pool, busy, costs: BTreeMap::new(), results: Rc::clone(results), state };
        world.launch();
        world
    }

    /// A random number below a bound.
    fn random(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 33) as usize % bound
    }

    fn launch(&mut self) {
        self.page.launch(&mut self.pool);
        let cost_s = self.page.planner.inputs().conditions.rescale_cost_s;
        for job in self.busy.borrow().values() {
            self.costs.entry(job.id).or_insert(cost_s);
        }
    }

    fn step(&mut self) {
        self.page.now_ms += self.random(40) as f64;
        match self.random(12) {
            0 => self.launch(),
            1 => self.page.cancel_runs(&self.pool),
            2 => {
                let policies = self.page.planner.inputs().policies();
                let policy = &policies[self.random(policies.len())];
                self.page.stop(&self.pool, policy);
            }
            3 => {
                let cost_s = RESCALE_COSTS_S[self.random(RESCALE_COSTS_S.len())];
                let after = self
                    .page
                    .planner
                    .edit(Edit::Field("what_if.rescale_cost_s", Value::Number(cost_s)), self.page.now_ms);
                self.page.after(after);
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
            Msg::AutoRun(edit) if page.runs_after(edit) => self.launch(),
            Msg::ShowComing(launch) => page.show_coming(launch),
            Msg::Terminate(requests) => drop(page.terminate(&mut self.pool, &requests)),
            Msg::Stopped => page.settle(&self.pool),
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
        let (worker, Job { id, policy, is_cancelled }) = busy[self.random(busy.len())].clone();
        let mut result = self.result(id, &policy).clone();
        let kind = if is_last { 3 } else { self.random(8) };
        let response = match kind {
            0 | 1 => {
                let progress = Progress { time_s: 1.0, last_submit_s: 2.0, jobs_ended: 0, jobs_total: 48 };
                Response::RunProgress { id, progress }
            }
            2 => {
                result.run.finished = false;
                Response::RunPartial { id, result: Packed::of(&result).unwrap() }
            }
            7 => {
                let is_fatal = self.random(2) == 0;
                let failure = Failure { message: "failed".into(), detail: String::new(), is_fatal };
                Response::Failed { id: Some(id), failure }
            }
            _ => {
                result.run.finished = !is_cancelled;
                Response::RunEnded { id, result: Packed::of(&result).unwrap(), wall_ms: 5.0 }
            }
        };
        if matches!(response, Response::RunEnded { .. } | Response::Failed { .. }) {
            self.busy.borrow_mut().remove(&worker);
        }
        let received = Received { worker, response };
        if let Some(request) = self.pool.settle(&received) {
            self.page.receive(request, received.response);
        }
        true
    }

    fn result(&self, request: u32, policy: &str) -> &PolicyRun {
        let cost_s = self.costs[&request];
        let (_, runs) = self.results.iter().find(|(of, _)| *of == cost_s).unwrap();
        &runs[policy]
    }

    /// Every run that is on its way has a worker that is busy with it, or an update that will end it.
    fn check(&self) {
        for request in self.page.planner.requests() {
            let is_awaited = self.pool.is_busy_with(request)
                || self.page.pending.has_ended(request)
                || self.page.stopping.contains(&request);
            assert!(is_awaited, "request {request} will never be answered");
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
        let cost_s = shown.inputs.conditions.rescale_cost_s;
        let (_, runs) = self.results.iter().find(|(of, _)| *of == cost_s).unwrap();
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
        world.launch();
        world.come_to_rest();
        world.check_at_rest();
        assert!(world.page.planner.shown.as_ref().unwrap().is_whole() && !world.page.planner.is_stale(), "seed {seed}");
    }
}
