//! What tests of the state share: workers that record what they are sent, and what a worker would do, done here.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use elastiplan_model::Trace;
use elastiplan_planner::run;
use elastiplan_worker::Packed;
use elastiplan_worker::messages::{Failure, Request, Response};
use yew::Callback;

use super::data::Bound;
use super::drawn_edit::DrawnEdit;
use super::edit::Edit;
use super::inputs::Inputs;
use super::page::Page;
use super::planner::Planner;
use super::pool::{Client, Pool, Received};
use super::preset::Presets;
use super::study_worker::StudyWorker;
use super::world::World;
use crate::theme::Choice;

/// A worker that records what it is sent: a line for each request and for its end.
pub struct Fake {
    worker: u32,
    log: Rc<RefCell<Vec<String>>>,
}

impl Client for Fake {
    fn send(&self, id: u32, request: &Request) -> Result<(), String> {
        let line = match request {
            Request::Run { policy, .. } => format!("{}: run {id} {policy}", self.worker),
            Request::Draw(_) => format!("{}: draw {id}", self.worker),
            Request::Bind(_) => format!("{}: bind {id}", self.worker),
            Request::Study(_) => format!("{}: study {id}", self.worker),
            Request::StudyLook(metrics) => format!("{}: look {id} {}", self.worker, metrics.join(" ")),
            Request::StudyUnit(_) => format!("{}: unit {id}", self.worker),
            Request::StudyWhy { here, there } => {
                format!("{}: why {id} {} {}: {} and {}", self.worker, here.policy, here.seed, here.point, there.point)
            }
            Request::StudyAhead(runners) => format!("{}: ahead {id} {runners}", self.worker),
            Request::StudyForget => format!("{}: forget {id}", self.worker),
            Request::Cancel => format!("{}: cancel {id}", self.worker),
            _ => format!("{}: other", self.worker),
        };
        self.log.borrow_mut().push(line);
        Ok(())
    }

    fn end(self) {
        self.log.borrow_mut().push(format!("{}: end", self.worker));
    }
}

/// A page with its workers and their log.
pub fn page_with_pool() -> (Page, Pool<Fake>, Rc<RefCell<Vec<String>>>) {
    let log = Rc::new(RefCell::new(Vec::new()));
    let of_workers = Rc::clone(&log);
    let pool = Pool::new(move |_, worker| Ok(Fake { worker, log: Rc::clone(&of_workers) }));
    (Page::new(Callback::noop(), "0".into(), (Choice::System, "light")), pool, log)
}

/// A worker for the study, with its log.
pub fn study_worker() -> (StudyWorker<Fake>, Rc<RefCell<Vec<String>>>) {
    let log = Rc::new(RefCell::new(Vec::new()));
    let of_worker = Rc::clone(&log);
    (StudyWorker::new(move |worker| Ok(Fake { worker, log: Rc::clone(&of_worker) })), log)
}

/// The failure of a worker that is lost with it, received by the pool.
pub fn fail(pool: &mut Pool<Fake>, worker: u32, id: u32) -> String {
    let failure = Failure { message: "A background worker stopped".into(), detail: String::new(), is_fatal: true };
    let message = failure.message.clone();
    assert_eq!(
        pool.settle(&Received { worker, id: Some(id), response: Response::Failed(failure), memory_bytes: 0 }),
        Some(id)
    );
    message
}

/// The workload and the diagnostics of these inputs as a worker sends them, received by the pool.
pub fn bind(pool: &mut Pool<Fake>, (worker, id): (u32, u32), inputs: &Inputs) -> (Packed, Packed) {
    let received =
        Received { worker, id: Some(id), response: Response::bound(&inputs.scenario()).unwrap(), memory_bytes: 0 };
    assert_eq!(pool.settle(&received), Some(id));
    let Response::Bound { workload, diagnostics } = received.response else { unreachable!() };
    (workload, diagnostics)
}

/// Makes the runs of the present inputs that are not known, as workers would. Returns how many.
pub fn launch(planner: &mut Planner) -> usize {
    while let Some(world) = planner.next_unbound() {
        planner.add_bound(world.bind());
    }
    let set = planner.prepare(0.0).unwrap();
    planner.launched(set);
    let mut started = 0;
    while let Some(set) = planner.current()
        && let Some(slot) = set.next_waiting()
    {
        let request = 1 + slot as u32;
        let world = set.inputs.worlds().swap_remove(slot);
        set.started(slot, request, 0.0);
        let result = run(&world.scenario(), &world.bind().workload, &set.entries[slot].policy).unwrap();
        planner.update(request, |set| set.ended(request, result, 5.0, 20.0));
        started += 1;
    }
    started
}

/// Makes the runs of a page, and does what the page does once they have ended.
pub fn run_all(page: &mut Page) {
    launch(&mut page.planner);
    page.note_steps();
}

/// Loads jobs that would need more memory than a tab has.
pub fn many_jobs(inputs: &Inputs) -> Edit {
    let mut data = inputs.data.clone();
    let jobs = (0..1400).flat_map(|round| {
        data.trace.jobs().iter().cloned().map(move |mut job| {
            job.name = format!("{}-{round}", job.name);
            job
        })
    });
    data.trace = Arc::new(Trace::new(data.trace.models().to_vec(), jobs.collect()).unwrap());
    Edit::Load(data, None)
}

impl World {
    /// The jobs bound to the curves, as a worker does it.
    pub fn bind(&self) -> Bound {
        let (workload, diagnostics) = self.scenario().workload();
        Bound::of(self, Packed::of(&workload).unwrap(), diagnostics).unwrap()
    }
}

impl Inputs {
    /// The jobs of all runs bound to the curves.
    pub fn bind(&self) -> Bound {
        self.world().bind()
    }

    /// Makes an edit for which a worker draws something.
    pub fn draw(&mut self, edit: &DrawnEdit) {
        let presets = Presets::default();
        let drawing = edit.drawing(self, &presets).unwrap();
        edit.edit(self, &presets, &drawing, drawing.draw()).unwrap().apply(self);
    }
}

impl Presets {
    /// The inputs of a preset, drawn here.
    pub fn drawn(&self, name: &str) -> Inputs {
        let drawn = self.named(name).unwrap().drawing.draw();
        self.make(name, drawn).unwrap()
    }
}
