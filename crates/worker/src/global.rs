//! The worker's global scope: its clock, and what it sends to the page.

use std::cell::Cell;

use js_sys::{Array, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel};

use crate::Packed;
use crate::messages::{Failure, Response, to_js};

thread_local! {
    /// The request that is being worked on: a panic is reported under its number.
    static CURRENT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Notes which request a panic from here on belongs to.
pub(crate) fn working_on(id: u32) {
    CURRENT.set(Some(id));
}

/// Sends an answer to the page; its large values are handed over without being copied.
pub(crate) fn post(id: Option<u32>, response: &Response) {
    // Nobody is left to tell if the page cannot be reached.
    if let Ok(message) = to_js(&(id, response, memory_bytes())) {
        let buffers: Array = response.payloads().into_iter().map(Packed::buffer).collect();
        let _ = scope().post_message_with_transfer(&message, &buffers);
    }
}

/// The memory of the module, which never shrinks.
fn memory_bytes() -> u32 {
    #[cfg(target_arch = "wasm32")]
    return (core::arch::wasm32::memory_size::<0>() as u32).saturating_mul(65_536);
    #[cfg(not(target_arch = "wasm32"))]
    0
}

/// The time on the worker's own clock, in milliseconds.
pub(crate) fn now_ms() -> f64 {
    scope().performance().map_or(0.0, |performance| performance.now())
}

/// Lets other messages be handled. Unlike a timer, it is not held back by the browser.
pub(crate) async fn pause() {
    let mut channel = None;
    let promise = Promise::new(&mut |resolve, _| match MessageChannel::new() {
        Ok(new) => {
            new.port1().set_onmessage(Some(&resolve));
            let _ = new.port2().post_message(&JsValue::NULL);
            channel = Some(new);
        }
        Err(_) => drop(resolve.call0(&JsValue::NULL)),
    });
    let _ = JsFuture::from(promise).await;
    // An open channel is never collected.
    if let Some(channel) = channel {
        channel.port1().close();
    }
}

/// Reports a panic.
pub(crate) fn report_panic(detail: &str) {
    let message = "The planner stopped with an error of its own".into();
    let failure = Failure { message, detail: detail.into(), is_fatal: true };
    post(CURRENT.get(), &Response::Failed(failure));
}

/// The global scope.
pub(crate) fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}
