//! The worker's side: listens, and passes each request to what handles it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::MessageEvent;

use crate::global::{post, report_panic, scope, working_on};
use crate::messages::{Failure, Request, Response, from_js};
use crate::module::Abilities;
use crate::run;

thread_local! {
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
                finish(id, run::run(id, scenario, &policy, abilities, &is_cancelled).await.map(Some));
                RUNS.with_borrow_mut(|runs| runs.remove(&id));
            });
        }
        Request::Cancel
            if RUNS.with_borrow(|runs| runs.get(&id).map(|is_cancelled| is_cancelled.set(true)).is_some()) => {}
        request => {
            working_on(id);
            finish(id, (abilities.handle)(id, request));
        }
    }
}

/// Sends the last response to a request. If it could not be done, the worker goes on.
fn finish(id: u32, response: Result<Option<Response>, String>) {
    match response {
        Ok(Some(response)) => post(Some(id), &response),
        Ok(None) => {}
        Err(message) => fail(Some(id), message),
    }
}

/// Reports that a request could not be done.
fn fail(id: Option<u32>, message: String) {
    post(id, &Response::Failed(Failure { message, detail: String::new(), is_fatal: false }));
}
