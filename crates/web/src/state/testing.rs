//! What tests of the state share: workers that record what they are sent, and what a worker would do, done here.

use std::cell::RefCell;
use std::rc::Rc;

use elastiplan_worker::Packed;
use elastiplan_worker::messages::{Failure, Request, Response};
use yew::Callback;

use super::data::Bound;
use super::drawing::DrawnEdit;
use super::inputs::Inputs;
use super::page::Page;
use super::pool::{Client, Pool, Received};
use super::preset::Presets;
use crate::theme::Choice;

/// A worker that records what it is sent: a line for each request and for its end.
pub struct Fake {
    worker: u32,
    log: Rc<RefCell<Vec<String>>>,
}

impl Client for Fake {
    fn send(&self, request: &Request) -> Result<(), String> {
        let line = match request {
            Request::Run { id, policy, .. } => format!("{}: run {id} {policy}", self.worker),
            Request::Draw { id, .. } => format!("{}: draw {id}", self.worker),
            Request::Bind { id, .. } => format!("{}: bind {id}", self.worker),
            Request::Cancel { id } => format!("{}: cancel {id}", self.worker),
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

/// The failure of a worker that is lost with it, received by the pool.
pub fn fail(pool: &mut Pool<Fake>, worker: u32, id: u32) -> String {
    let failure = Failure { message: "A background worker stopped".into(), detail: String::new(), is_fatal: true };
    let message = failure.message.clone();
    assert_eq!(pool.settle(&Received { worker, response: Response::Failed { id: Some(id), failure } }), Some(id));
    message
}

/// The workload and the diagnostics of these inputs as a worker sends them, received by the pool.
pub fn bind(pool: &mut Pool<Fake>, (worker, id): (u32, u32), inputs: &Inputs) -> (Packed, Packed) {
    let received = Received { worker, response: Response::bound(id, &inputs.scenario()).unwrap() };
    assert_eq!(pool.settle(&received), Some(id));
    let Response::Bound { workload, diagnostics, .. } = received.response else { unreachable!() };
    (workload, diagnostics)
}

impl Inputs {
    /// The jobs bound to the curves, as a worker does it.
    pub fn bind(&self) -> Bound {
        let (workload, diagnostics) = self.scenario().workload();
        Bound::of(self, Packed::of(&workload).unwrap(), diagnostics).unwrap()
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
