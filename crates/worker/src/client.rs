//! The page's side: a worker, and what it answers.

use thiserror::Error;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, MessageEvent, Worker};

use crate::Module;
use crate::messages::{Failure, MessageError, Request, Response, from_js, to_js};

/// A running worker. It is terminated when this is dropped.
pub struct Client {
    worker: Worker,
    // The browser calls these for as long as the worker lives.
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

/// What a worker sends: the number of the request, its response, and the bytes of the worker's memory.
pub type Answer = (Option<u32>, Response, u32);

/// Why a worker cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ClientError {
    /// The browser refused to start it.
    #[error("the browser could not start a worker: {0}")]
    Start(String),
    /// The browser refused to hand a message over.
    #[error("the browser could not hand a message to a worker: {0}")]
    Post(String),
    /// The message cannot be written.
    #[error(transparent)]
    Message(#[from] MessageError),
}

impl Client {
    /// Gets a worker of this module from www/boot.js, which has its code compiled already if there was one before, and
    /// hands everything it answers to `answer`, with the bytes of its memory. A worker that cannot load or that dies
    /// answers with a fatal [`Response::Failed`].
    pub fn start(module: Module, answer: impl Fn(Answer) + Clone + 'static) -> Result<Self, ClientError> {
        let worker = start_worker(module).map_err(|error| ClientError::Start(words(&error)))?;
        let on_answer = answer.clone();
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            on_answer(from_js(event.data()).unwrap_or_else(|error| stopped(error.to_string())));
        });
        let on_error = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
            event.prevent_default();
            // An error while loading the script carries no text of its own.
            let text = js_sys::Reflect::get(&event, &"message".into()).ok().and_then(|text| text.as_string());
            answer(match text {
                Some(text) if text.contains("could not start") => not_loaded(text),
                Some(text) => stopped(text),
                None => not_loaded(String::new()),
            });
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Self { worker, _on_message: on_message, _on_error: on_error })
    }

    /// Asks the worker something; its responses carry the number.
    pub fn send(&self, id: u32, request: &Request) -> Result<(), ClientError> {
        let message = to_js(&(id, request))?;
        self.worker.post_message(&message).map_err(|error| ClientError::Post(words(&error)))
    }
}

fn start_worker(module: Module) -> Result<Worker, JsValue> {
    let start = js_sys::Reflect::get(&js_sys::global(), &"elastiplanWorker".into())?;
    let is_full = JsValue::from(module == Module::Full);
    start.dyn_into::<js_sys::Function>()?.call1(&JsValue::UNDEFINED, &is_full)?.dyn_into()
}

impl Drop for Client {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

fn stopped(detail: String) -> Answer {
    failed("A background worker stopped", detail)
}

fn not_loaded(detail: String) -> Answer {
    failed("Could not load worker-boot.js (offline?). Reload when connected", detail)
}

fn failed(message: &str, detail: String) -> Answer {
    (None, Response::Failed(Failure { message: message.into(), detail, is_fatal: true }), 0)
}

fn words(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(|| format!("{error:?}"), |error| String::from(error.message()))
}
