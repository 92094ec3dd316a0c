//! The worker's side: listens, and passes each request to what handles it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use crate::messages::{Failure, Request, Response, from_js, to_js};
use crate::module::Abilities;
use crate::{Packed, run};

thread_local! {
    /// The request that is being worked on: a panic is reported under its number.
    static CURRENT: Cell<Option<u32>> = const { Cell::new(None) };
    /// Runs that can be cancelled.
    static RUNS: RefCell<BTreeMap<u32, Rc<Cell<bool>>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Listens to the page from now on.
pub fn serve(abilities: Abilities) {
    std::panic::set_hook(Box::new(|panic| report_panic(&panic.to_string())));
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| match from_js(event.data()) {
        Ok((id, request)) => answer(id, request, abilities),
        Err(error) => fail(None, error.to_string()),
    });
    let listening = scope().add_event_listener_with_callback("message", listener.as_ref().unchecked_ref());
    if listening.is_err() {
        fail(None, "The worker cannot listen to the page".into());
    }
    // It listens for as long as the worker lives.
    listener.forget();
}

fn answer(id: u32, request: Request, abilities: Abilities) {
    match request {
        Request::Run { scenario, policy } => {
            let is_cancelled = Rc::new(Cell::new(false));
            RUNS.with_borrow_mut(|runs| runs.insert(id, Rc::clone(&is_cancelled)));
            wasm_bindgen_futures::spawn_local(async move {
                finish(id, run::run(id, scenario, &policy, abilities, &is_cancelled).await);
                RUNS.with_borrow_mut(|runs| runs.remove(&id));
            });
        }
        Request::Cancel => RUNS.with_borrow(|runs| {
            if let Some(is_cancelled) = runs.get(&id) {
                is_cancelled.set(true);
            }
        }),
        request => {
            working_on(id);
            finish(id, (abilities.handle)(id, request));
        }
    }
}

/// Sends the last response to a request. If it could not be done, the worker goes on.
fn finish(id: u32, response: Result<Response, String>) {
    match response {
        Ok(response) => post(Some(id), &response),
        Err(message) => fail(Some(id), message),
    }
}

/// Notes which request a panic from here on belongs to.
pub(crate) fn working_on(id: u32) {
    CURRENT.set(Some(id));
}

/// Sends an answer to the page; its large values are handed over without being copied.
pub(crate) fn post(id: Option<u32>, response: &Response) {
    // Nobody is left to tell if the page cannot be reached.
    if let Ok(message) = to_js(&(id, response)) {
        let buffers: Array = response.payloads().into_iter().map(Packed::buffer).collect();
        let _ = scope().post_message_with_transfer(&message, &buffers);
    }
}

/// Reports that a request could not be done.
fn fail(id: Option<u32>, message: String) {
    post(id, &Response::Failed(Failure { message, detail: String::new(), is_fatal: false }));
}

/// The time on the worker's own clock, in milliseconds.
pub(crate) fn now_ms() -> f64 {
    scope().performance().map_or(0.0, |performance| performance.now())
}

fn report_panic(detail: &str) {
    let message = "The planner stopped with an error of its own".into();
    let failure = Failure { message, detail: detail.into(), is_fatal: true };
    post(CURRENT.get(), &Response::Failed(failure));
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}
