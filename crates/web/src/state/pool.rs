//! Workers: one for each thing that goes on at the same time, kept for the next.

use elastiplan_worker::Module;
use elastiplan_worker::messages::{Request, Response};

/// Idle workers kept: four runs and a reading of files.
const IDLE_MAX: usize = 5;

/// A worker with more memory is not kept once it has responded, since its memory never shrinks. Another one is started
/// in its place when there is time.
const MEMORY_BYTES_MAX: u32 = 32 << 20;

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
    /// The memory of its module.
    pub memory_bytes: u32,
}

/// Starts a worker of a module that sends its responses with this key.
type Start<C> = Box<dyn Fn(Module, u32) -> Result<C, String>>;

/// All workers of the page.
pub struct Pool<C> {
    start: Start<C>,
    workers: Vec<PoolWorker<C>>,
    workers_started: u32,
    requests_sent: u32,
    /// Modules of workers that were ended for their memory.
    ended: Vec<Module>,
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
        Self { start: Box::new(start), workers: Vec::new(), workers_started: 0, requests_sent: 0, ended: Vec::new() }
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

    /// Starts workers ahead of need: one for each that was ended for its memory, and one that can do everything if there
    /// is none. One that is busy will be idle again; a second one would be fetched for nothing.
    pub fn start_ahead(&mut self) {
        for module in std::mem::take(&mut self.ended) {
            self.start_spare(module);
        }
        if !self.workers.iter().any(|worker| worker.module == Module::Full) {
            self.start_spare(Module::Full);
        }
    }

    fn start_spare(&mut self, module: Module) {
        if self.workers.iter().filter(|worker| worker.is_idle()).count() < IDLE_MAX {
            // What cannot start is reported when it is needed.
            let _ = self.start(module);
        }
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
        let (is_end, is_spent) = match &received.response {
            Response::ImportProgress { .. }
            | Response::RunProgress(_)
            | Response::RunPartial(_)
            | Response::KeptDeleted { .. } => (false, false),
            Response::Failed(failure) => (true, failure.is_fatal),
            _ => (true, received.memory_bytes > MEMORY_BYTES_MAX),
        };
        if is_end && request.is_some() {
            worker.request = None;
        }
        if is_spent {
            self.ended.extend((received.memory_bytes > MEMORY_BYTES_MAX).then_some(worker.module));
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

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use elastiplan_worker::Packed;
    use elastiplan_worker::messages::BoundScenario;

    use super::*;

    struct Silent;

    impl Client for Silent {
        fn send(&self, _: u32, _: &Request) -> Result<(), String> {
            Ok(())
        }

        fn end(self) {}
    }

    fn run(policy: &str) -> Request {
        let nothing: Packed = [].as_slice().into();
        Request::Run {
            scenario: BoundScenario { scenario: nothing.clone(), workload: nothing, later_policies: Vec::new() },
            policy: policy.into(),
        }
    }

    /// The modules of the workers that were started after one run whose worker then had so much memory, and after time
    /// for more.
    fn check(policy: &str, memory_bytes: u32, expected: [&[Module]; 2]) {
        let started = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&started);
        let mut pool = Pool::new(move |module, _| {
            log.borrow_mut().push(module);
            Ok(Silent)
        });
        let request = pool.send(run(policy)).unwrap();
        let response = Response::Presets([].as_slice().into());
        assert_eq!(pool.settle(&Received { worker: 1, id: Some(request), response, memory_bytes }), Some(request));
        assert_eq!(*started.borrow(), expected[0], "{policy}, {memory_bytes} B");
        pool.start_ahead();
        // Asked again, it has nothing left to do.
        pool.start_ahead();
        assert_eq!(*started.borrow(), expected[1], "{policy}, {memory_bytes} B, later");
    }

    #[test]
    fn a_worker_with_much_memory_is_replaced_when_there_is_time() {
        use Module::{Full, Sample};
        check("fixed", 1 << 20, [&[Sample], &[Sample, Full]]);
        check("fixed", 1 << 30, [&[Sample], &[Sample, Sample, Full]]);
        check("pollux", 1 << 20, [&[Full], &[Full]]);
        check("pollux", 1 << 30, [&[Full], &[Full, Full]]);
    }

    #[test]
    fn a_busy_worker_that_can_do_everything_is_enough() {
        let mut pool = Pool::new(|_, _| Ok(Silent));
        pool.send(run("pollux")).unwrap();
        pool.start_ahead();
        assert_eq!(pool.workers.len(), 1);
    }

    #[test]
    fn no_more_workers_are_started_ahead_than_are_kept() {
        let mut pool = Pool::new(|_, _| Ok(Silent));
        let requests: Vec<u32> = (0..20).map(|_| pool.send(run("fixed")).unwrap()).collect();
        for (worker, id) in (1..).zip(requests) {
            let response = Response::Presets([].as_slice().into());
            pool.settle(&Received { worker, id: Some(id), response, memory_bytes: u32::MAX });
        }
        pool.start_ahead();
        assert_eq!(pool.workers.len(), IDLE_MAX);
    }
}
