//! The page's side: a worker, and what it answers.

use thiserror::Error;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::Module;
use crate::messages::{Failure, MessageError, Request, Response, from_js, to_js};

/// A running worker. It is terminated when this is dropped.
pub struct Client {
    worker: Worker,
    // The browser calls these for as long as the worker lives.
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

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
    /// Takes over a worker of this module that was started with the page, or starts one, and
    /// hands everything it answers to `answer`. A worker that cannot load or that dies answers with a fatal
    /// [`Response::Failed`].
    pub fn start(
        module: Module,
        build_id: &str,
        answer: impl Fn((Option<u32>, Response)) + Clone + 'static,
    ) -> Result<Self, ClientError> {
        let started = if module == Module::Sample { started_with_the_page() } else { None };
        let worker = match started {
            Some(worker) => worker,
            None => start_worker(&module.script(build_id)).map_err(|error| ClientError::Start(words(&error)))?,
        };
        let on_answer = answer.clone();
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            on_answer(from_js(event.data()).unwrap_or_else(|error| failed(error.to_string())));
        });
        let on_error = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
            event.prevent_default();
            // An error while loading carries no text of its own.
            let text = js_sys::Reflect::get(&event, &"message".into()).ok().and_then(|text| text.as_string());
            answer(failed(text.unwrap_or_else(|| "it could not be loaded".into())));
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

fn start_worker(script: &str) -> Result<Worker, JsValue> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    Worker::new_with_options(script, &options)
}

/// One of the workers that www/boot.js started while the app was loading, if one is left that works.
fn started_with_the_page() -> Option<Worker> {
    let get = |object: &JsValue, name: &str| js_sys::Reflect::get(object, &name.into()).ok();
    let workers: js_sys::Array = get(&js_sys::global(), "elastiplanWorkers")?.dyn_into().ok()?;
    let taken = std::iter::from_fn(|| (workers.length() > 0).then(|| workers.pop()));
    let mut usable = taken.filter(|worker| get(worker, "elastiplanError").is_some_and(|error| error.is_undefined()));
    usable.next()?.dyn_into().ok()
}

impl Drop for Client {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

fn failed(detail: String) -> (Option<u32>, Response) {
    let message = "A background worker stopped".into();
    (None, Response::Failed(Failure { message, detail, is_fatal: true }))
}

fn words(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(|| format!("{error:?}"), |error| String::from(error.message()))
}
