//! Workers: one for each thing that goes on at the same time, kept for the next.

use elastiplan_worker::messages::{Request, Response};
use elastiplan_worker::{Module, Packed};

/// Idle workers kept: four runs and a reading of files.
const IDLE_MAX: usize = 5;

/// A worker that sent a response of more bytes is not kept: its memory, about eight times as much, would never shrink.
const RESPONSE_MAX: usize = 2 << 20;

/// The page's end of a worker. Dropping it terminates the worker at once.
pub trait Client {
    /// Sends a request with its number.
    fn send(&self, id: u32, request: &Request) -> Result<(), String>;

    /// Terminates the worker after the response that it is sending, if any.
    fn end(self);
}

/// A response with the worker that sent it.
pub struct Received {
    /// The worker.
    pub worker: u32,
    /// The number of the request; `None` if the worker could not make it out.
    pub id: Option<u32>,
    /// Its response.
    pub response: Response,
}

/// Starts a worker of a module that sends its responses with this key.
type Start<C> = Box<dyn Fn(Module, u32) -> Result<C, String>>;

/// All workers of the page.
pub struct Pool<C> {
    start: Start<C>,
    workers: Vec<PoolWorker<C>>,
    workers_started: u32,
    requests_sent: u32,
}

struct PoolWorker<C> {
    key: u32,
    module: Module,
    client: C,
    /// The request it is busy with.
    request: Option<u32>,
}

impl<C> PoolWorker<C> {
    fn is_idle(&self) -> bool {
        self.request.is_none()
    }
}

impl<C: Client> Pool<C> {
    /// A pool without workers, which are started when they are needed.
    pub fn new(start: impl Fn(Module, u32) -> Result<C, String> + 'static) -> Self {
        Self { start: Box::new(start), workers: Vec::new(), workers_started: 0, requests_sent: 0 }
    }

    /// Sends a request to an idle worker of the smallest module that can handle it, or to a new one. Returns the number
    /// of the request.
    pub fn send(&mut self, request: Request) -> Result<u32, String> {
        self.requests_sent += 1;
        let id = self.requests_sent;
        let idle = self.workers.iter_mut().filter(|worker| worker.is_idle() && worker.module >= request.module());
        let worker = match idle.min_by_key(|worker| worker.module) {
            Some(worker) => worker,
            None => self.start(request.module())?,
        };
        worker.client.send(id, &request)?;
        worker.request = Some(id);
        Ok(id)
    }

    fn start(&mut self, module: Module) -> Result<&mut PoolWorker<C>, String> {
        self.workers_started += 1;
        let key = self.workers_started;
        let client = (self.start)(module, key)?;
        Ok(self.workers.push_mut(PoolWorker { key, module, client, request: None }))
    }

    /// Asks the worker to stop a request. The worker responds in its own time.
    pub fn cancel(&self, request: u32) {
        if let Some(worker) = self.workers.iter().find(|worker| worker.request == Some(request)) {
            // A worker that cannot be reached is terminated later, like one that does not respond.
            let _ = worker.client.send(request, &Request::Cancel);
        }
    }

    /// Whether a worker is busy with a request.
    pub fn is_busy_with(&self, request: u32) -> bool {
        self.workers.iter().any(|worker| worker.request == Some(request))
    }

    /// Terminates the worker that is busy with a request. Returns whether there was one.
    pub fn terminate(&mut self, request: u32) -> bool {
        let place = self.workers.iter().position(|worker| worker.request == Some(request));
        if let Some(place) = place {
            self.remove(place);
        }
        place.is_some()
    }

    /// Updates the worker of a response. Returns the request it responds to; `None` if that is no longer waited for.
    pub fn settle(&mut self, received: &Received) -> Option<u32> {
        let place = self.workers.iter().position(|worker| worker.key == received.worker)?;
        let worker = self.workers.get_mut(place)?;
        let request = worker.request.filter(|&request| received.id.is_none_or(|id| id == request));
        let is_large = || received.response.payloads().into_iter().map(Packed::bytes_len).sum::<usize>() > RESPONSE_MAX;
        let (is_end, is_spent) = match &received.response {
            Response::ImportProgress { .. } | Response::RunProgress(_) | Response::RunPartial(_) => (false, false),
            Response::Failed(failure) => (true, failure.is_fatal),
            _ => (true, is_large()),
        };
        if is_end && request.is_some() {
            worker.request = None;
        }
        if is_spent {
            self.remove(place);
        } else if is_end && self.workers.iter().filter(|worker| worker.is_idle()).count() > IDLE_MAX {
            let mut idle = (0..).zip(&self.workers).filter(|(_, worker)| worker.is_idle());
            let smallest = idle.by_ref().min_by_key(|(_, worker)| worker.module).map(|(place, _)| place);
            smallest.into_iter().for_each(|place| self.remove(place));
        }
        request
    }

    fn remove(&mut self, place: usize) {
        self.workers.remove(place).client.end();
    }
}
