//! The workers: one for each thing that goes on at the same time, kept for the next.

use elastiplan_worker::Client;
use elastiplan_worker::messages::{Request, Response};
use gloo::timers::callback::Timeout;
use yew::Callback;

/// Idle workers kept: four runs and a reading of files.
const IDLE_MAX: usize = 5;

/// A worker that told of more than so many bytes is not kept: its memory, about eight times as much, would never shrink
/// again.
const TOLD_MAX: usize = 2 << 20;

/// Something that a worker said.
pub struct Heard {
    /// The worker.
    pub worker: u32,
    /// What it said.
    pub response: Response,
}

/// All workers of the page.
pub struct Pool {
    script: String,
    listener: Callback<Heard>,
    workers: Vec<PoolWorker>,
    workers_started: u32,
    requests_sent: u32,
}

struct PoolWorker {
    key: u32,
    client: Client,
    /// The request it is busy with.
    request: Option<u32>,
}

impl Pool {
    /// A pool without workers. What they say goes to `listener`.
    pub fn new(build_id: &str, listener: Callback<Heard>) -> Self {
        let script = format!("worker-boot.js?v={build_id}");
        Self { script, listener, workers: Vec::new(), workers_started: 0, requests_sent: 0 }
    }

    /// Hands a request, made with its number, to an idle worker or a new one. Gives the number.
    pub fn send(&mut self, request: impl FnOnce(u32) -> Request) -> Result<u32, String> {
        self.requests_sent += 1;
        let id = self.requests_sent;
        if !self.workers.iter().any(|worker| worker.request.is_none()) {
            self.start()?;
        }
        let idle = self.workers.iter_mut().find(|worker| worker.request.is_none());
        let worker = idle.ok_or("no worker is free")?;
        worker.client.send(&request(id)).map_err(|error| error.to_string())?;
        worker.request = Some(id);
        Ok(id)
    }

    /// Starts a worker ahead of its first request.
    pub fn start(&mut self) -> Result<(), String> {
        self.workers_started += 1;
        let key = self.workers_started;
        let listener = self.listener.clone();
        let client = Client::start(&self.script, move |response| listener.emit(Heard { worker: key, response }));
        let client = client.map_err(|error| error.to_string())?;
        self.workers.push(PoolWorker { key, client, request: None });
        Ok(())
    }

    /// Asks the worker to stop a request. It answers in its own time.
    pub fn cancel(&self, request: u32) {
        if let Some(worker) = self.workers.iter().find(|worker| worker.request == Some(request)) {
            // A worker that cannot be told is terminated later, like one that does not listen.
            let _ = worker.client.send(&Request::Cancel { id: request });
        }
    }

    /// Whether a worker is busy with a request.
    pub fn is_busy_with(&self, request: u32) -> bool {
        self.workers.iter().any(|worker| worker.request == Some(request))
    }

    /// Ends the worker that is busy with a request. Returns whether there was one.
    pub fn terminate(&mut self, request: u32) -> bool {
        let place = self.workers.iter().position(|worker| worker.request == Some(request));
        if let Some(place) = place {
            self.remove(place);
        }
        place.is_some()
    }

    /// Notes what an answer means for its worker, and tells which request it is about. `None` if nobody waits for it.
    pub fn settle(&mut self, heard: &Heard) -> Option<u32> {
        let place = self.workers.iter().position(|worker| worker.key == heard.worker)?;
        let worker = self.workers.get_mut(place)?;
        let request = worker.request.filter(|&request| heard.response.id().is_none_or(|id| id == request));
        let (is_end, is_spent) = match &heard.response {
            Response::Imported { import: told, .. } => (true, told.len() > TOLD_MAX),
            Response::RunEnded { result: told, .. } => (true, told.len() > TOLD_MAX),
            Response::Excerpt { .. } | Response::Program { .. } => (true, false),
            Response::Failed { failure, .. } => (true, failure.is_fatal),
            _ => (false, false),
        };
        if is_end && request.is_some() {
            worker.request = None;
        }
        let idle = self.workers.iter().filter(|worker| worker.request.is_none()).count();
        if is_spent || (is_end && idle > IDLE_MAX) {
            self.remove(place);
        }
        request
    }

    /// The worker may be in the middle of telling something: it is ended after it has.
    fn remove(&mut self, place: usize) {
        let worker = self.workers.remove(place);
        Timeout::new(0, move || drop(worker)).forget();
    }
}
