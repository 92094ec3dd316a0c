//! A runner: makes the runs that the director deals to it, one after the other.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use elastiplan_engine::Step;
use elastiplan_planner::{PolicyRun, StartError, simulation};
use elastiplan_study::{Outcome, Unit};

use super::{Source, StudyOrder};
use crate::global::{now_ms, pause};

/// A cancel is heard after at most this long.
const SLICE_MS: f64 = 32.0;
/// Steps between two looks at the clock.
const STEPS: u32 = 32;
/// Outcomes are sent this often.
const SEND_EVERY_MS: f64 = 50.0;

/// Takes the outcomes of the next runs of a batch, each with its milliseconds, and whether the batch is over.
type Reply = dyn Fn(u32, Vec<(Outcome, f64)>, bool);

/// Makes runs of one study at a time.
pub struct Runner {
    source: RefCell<Option<Rc<Source>>>,
    batches: RefCell<VecDeque<(u32, Vec<Unit>)>>,
    is_busy: Cell<bool>,
    /// Counts cancellations.
    cancels: Cell<u32>,
    reply: Box<Reply>,
}

impl Runner {
    /// A runner that replies so.
    pub fn new(reply: impl Fn(u32, Vec<(Outcome, f64)>, bool) + 'static) -> Rc<Self> {
        Rc::new(Self {
            source: RefCell::default(),
            batches: RefCell::default(),
            is_busy: Cell::new(false),
            cancels: Cell::new(0),
            reply: Box::new(reply),
        })
    }

    /// Takes another study, for batches from now on.
    pub fn order(&self, order: StudyOrder) -> Result<(), String> {
        let source = Source::new(order).map_err(|error| error.to_string())?;
        *self.source.borrow_mut() = Some(Rc::new(source));
        Ok(())
    }

    /// Makes these runs after those of the batches before.
    pub fn make(self: &Rc<Self>, batch: u32, units: Vec<Unit>) {
        self.batches.borrow_mut().push_back((batch, units));
        if !self.is_busy.replace(true) {
            let own = Rc::clone(self);
            wasm_bindgen_futures::spawn_local(async move { own.work().await });
        }
    }

    /// Ends all batches with what they have.
    pub fn cancel(&self) {
        self.cancels.set(self.cancels.get() + 1);
        let batches = std::mem::take(&mut *self.batches.borrow_mut());
        batches.into_iter().for_each(|(batch, _)| (self.reply)(batch, Vec::new(), true));
    }

    async fn work(&self) {
        let slice = Slice::new(now_ms);
        loop {
            let next = self.batches.borrow_mut().pop_front();
            let source = self.source.borrow().clone();
            let Some(((batch, units), source)) = next.zip(source) else { break };
            self.work_off(&source, (batch, units), &slice).await;
        }
        self.is_busy.set(false);
    }

    async fn work_off(&self, source: &Source, (batch, units): (u32, Vec<Unit>), slice: &Slice) {
        let cancels = self.cancels.get();
        let is_cancelled = || self.cancels.get() != cancels;
        let (mut made, mut sent_ms) = (Vec::new(), now_ms());
        for unit in units {
            let (began_ms, paused_ms) = (now_ms(), slice.paused_ms.get());
            let Some(outcome) = outcome(source, unit, slice, &is_cancelled).await else { break };
            made.push((outcome, now_ms() - began_ms - (slice.paused_ms.get() - paused_ms)));
            if now_ms() - sent_ms >= SEND_EVERY_MS {
                sent_ms = now_ms();
                (self.reply)(batch, std::mem::take(&mut made), false);
            }
            slice.pause_if_over().await;
            if is_cancelled() {
                break;
            }
        }
        (self.reply)(batch, made, true);
    }
}

/// A stretch of work after which other messages are heard.
struct Slice {
    clock_ms: fn() -> f64,
    since_ms: Cell<f64>,
    /// How long all pauses took.
    paused_ms: Cell<f64>,
}

impl Slice {
    fn new(clock_ms: fn() -> f64) -> Self {
        Self { clock_ms, since_ms: Cell::new(clock_ms()), paused_ms: Cell::new(0.0) }
    }

    async fn pause_if_over(&self) {
        let from_ms = (self.clock_ms)();
        if from_ms - self.since_ms.get() >= SLICE_MS {
            pause().await;
            self.since_ms.set((self.clock_ms)());
            self.paused_ms.set(self.paused_ms.get() + self.since_ms.get() - from_ms);
        }
    }
}

/// Makes a run like `Study::run`; `None` if it was cancelled.
async fn outcome(source: &Source, unit: Unit, slice: &Slice, is_cancelled: &impl Fn() -> bool) -> Option<Outcome> {
    let failed = |message: String| Some(Outcome::Failed { message });
    let study = &source.study;
    let Some(policy) = study.policy(unit) else { return failed("there is no such policy in the study".into()) };
    let scenario = study.scenario(unit, |seed| source.with_seed(seed));
    if let Err(error) = scenario.validate() {
        return failed(error.to_string());
    }
    let (workload, _) = scenario.workload();
    let mut simulation = match simulation(&scenario, &workload, &policy) {
        Ok(simulation) => simulation,
        Err(error) => return failed(error.to_string()),
    };
    loop {
        for _ in 0..STEPS {
            match simulation.step() {
                Ok(Step::More) => {}
                Ok(Step::Finished) => {
                    return Some(Outcome::from(&PolicyRun::of(policy, simulation.record(), &workload)));
                }
                Err(error) => return failed(StartError::from(error).to_string()),
            }
        }
        slice.pause_if_over().await;
        if is_cancelled() {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use elastiplan_documents::{Document, GeneratedJobs, JobSource};
    use elastiplan_workloads::DrawnJobs;

    use super::*;

    const DOCUMENT: &str = r#"{
        "elastiplan": 1,
        "jobs": { "generated": { "generator": "elasticflow", "jobs": 20, "interarrival_s": 900 } },
        "curves": { "published": "elasticflow-a100" },
        "cluster": { "nodes": 2, "gpus_per_node": 8 },
        "policies": ["fixed", "elastic-dp"],
        "study": {
            "axes": { "cluster.nodes": [1, 4], "elastic-dp.delta_s": [60, 300], "jobs.share": [0.5, 1] },
            "seeds": [3, 5],
            "goals": [{ "metric": "deadline_satisfactory_ratio", "at_least": 0.5 }]
        }
    }"#;

    /// Nothing that is waited for takes time here.
    fn ended<T>(future: impl Future<Output = T>) -> T {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("it waits"),
        }
    }

    #[test]
    fn runs_and_keys_are_those_of_the_command_line() {
        let document = Document::parse(DOCUMENT).unwrap();
        let resolved = document.resolve(&|_| None).unwrap();
        let study = document.study().unwrap().unwrap();
        let JobSource::Generated(GeneratedJobs { spec, .. }) = &document.jobs else { unreachable!() };
        let order = StudyOrder {
            scenario: resolved.scenario.clone(),
            drawn: Some(DrawnJobs::Generated(spec.clone())),
            spec: document.study.clone().unwrap(),
            policies: study.policies.clone(),
            metrics: Vec::new(),
            runners: 1,
        };
        // As it comes to a worker.
        let order: StudyOrder = postcard::from_bytes(&postcard::to_allocvec(&order).unwrap()).unwrap();
        let source = Source::new(order).unwrap();
        let slice = Slice::new(|| 0.0);
        let units = study.next(&elastiplan_study::Results::default());
        assert_eq!(units.len(), (4 + 8) * 2, "points that concern the policies, and seeds");
        for unit in units {
            let key = study.key(unit, |seed| resolved.with_seed(seed));
            assert_eq!(source.study.key(unit, |seed| source.with_seed(seed)), key);
            let here = ended(outcome(&source, unit, &slice, &|| false)).unwrap();
            assert_eq!(here, study.run(unit, |seed| resolved.with_seed(seed)), "{unit:?}");
            assert!(here.metrics().is_some());
        }
    }
}
