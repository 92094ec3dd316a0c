//! The worker that directs a study, and what it answers.

use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_present::study::{Ended, SMALL, Stage, StudyView};
use elastiplan_study::{Size, Spec, Unit, cut, size};
use elastiplan_worker::messages::{Failure, Request, Response};
use elastiplan_worker::{Packed, StudyOrder};

use super::edit::Edit;
use super::page::Page;
use super::pool::{Client, Pool, Received};
use super::study::{MadeOf, Shown};
use super::study_progress;

/// The status line shows progress at most this often.
const SAY_EVERY_MS: f64 = 2000.0;

/// Starts a worker that sends its responses with this key.
type Start<C> = Box<dyn Fn(u32) -> Result<C, String>>;

/// The worker that directs the study: one of its own, which is never given anything else to do.
pub struct StudyWorker<C> {
    start: Start<C>,
    client: Option<C>,
    /// The key of the worker.
    worker: u32,
    requests: u32,
    /// The request for the study.
    study: u32,
    /// The runs that were asked for, by request.
    units: BTreeMap<u32, Unit>,
    /// The request for the reason why a point is worse.
    why: Option<u32>,
}

impl<C: Client> StudyWorker<C> {
    /// Without a worker, which is started when it is needed.
    pub fn new(start: impl Fn(u32) -> Result<C, String> + 'static) -> Self {
        let (units, why) = (BTreeMap::new(), None);
        Self { start: Box::new(start), client: None, worker: 0, requests: 0, study: 0, units, why }
    }

    /// Starts the worker and its runners ahead of the first study, and asks how many runs are kept.
    pub fn start_ahead(&mut self, runners: usize) {
        if self.client.is_none() {
            // What cannot start is reported when it is needed.
            let _ = self.send(&Request::StudyAhead(runners as u32));
        }
    }

    /// Sends a request to the worker, which is started if there is none. Returns the number of the request.
    fn send(&mut self, request: &Request) -> Result<u32, String> {
        self.requests += 1;
        if self.client.is_none() {
            self.worker += 1;
            self.client = Some((self.start)(self.worker)?);
        }
        let client = self.client.as_ref().ok_or("There is no worker")?;
        client.send(self.requests, request).map(|()| self.requests)
    }

    /// Lets go of a worker that died.
    fn end(&mut self) {
        self.units.clear();
        self.why = None;
        if let Some(client) = self.client.take() {
            client.end();
        }
    }
}

impl Page {
    /// Makes the runs of the study of the inputs.
    pub(super) fn run_study<C: Client>(&mut self, worker: &mut StudyWorker<C>, pool: &mut Pool<C>) {
        let spec = self.study_spec();
        if self.planner.inputs().study.is_none() {
            self.edit(pool, Edit::Study(Some(spec.clone())));
        }
        let inputs = self.planner.inputs();
        let policies = inputs.study_policies();
        if policies.is_empty() {
            self.study.obstacle =
                Some("No run follows the inputs: show or add one, and the study compares its policy".into());
            return;
        }
        if let Some(words) = self.too_many_runs(&spec) {
            self.study.obstacle = Some(words);
            return;
        }
        let world = inputs.world();
        let order = StudyOrder {
            scenario: world.scenario(),
            drawn: world.data.redrawing(world.conditions.seed).and_then(|drawing| drawing.jobs).map(|(jobs, _)| jobs),
            metrics: self.metrics_of_study(spec.goals.iter().map(|goal| goal.metric.clone())),
            runners: self.study_runs_at_once as u32,
            spec: spec.clone(),
            policies: policies.clone(),
        };
        let sent = Packed::of(&order).map_err(String::from).and_then(|packed| worker.send(&Request::Study(packed)));
        match sent {
            Ok(request) => {
                worker.study = request;
                self.study.made_of = Some(MadeOf { world, spec, policies });
                self.study.is_running = true;
                (self.study.obstacle, self.study.why) = (None, None);
                self.say("Running the study");
            }
            Err(message) => self.study.obstacle = Some(message),
        }
    }

    /// That a study has more runs than a page keeps; `None` if it has not.
    fn too_many_runs(&self, spec: &Spec) -> Option<String> {
        let size = size(spec, &self.study_times(), self.runs_at_once).filter(Size::is_too_many)?;
        let smaller = cut(spec, &self.study_times(), self.runs_at_once);
        let smaller = smaller.map_or("Vary less at a time", |_| "Take the smaller study that is offered");
        Some(format!("{}: too many for a page. {smaller}, or run it on the command line", size.warning()?))
    }

    /// The metrics that a view has: those of the goals, that of the large curve, and those of the small ones.
    fn metrics_of_study(&self, goals: impl Iterator<Item = String>) -> Vec<String> {
        let mut keys: Vec<String> = Vec::new();
        let small = SMALL.iter().map(|key| key.to_string());
        for key in goals.chain(self.study.metric.clone()).chain(["avg_jct_s".into()]).chain(small) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }

    /// Asks for the metric of the large curve, if the view does not have it.
    pub(super) fn look_at_metrics<C: Client>(&mut self, worker: &mut StudyWorker<C>) {
        let (Some(shown), Some(key)) = (&self.study.shown, &self.study.metric) else { return };
        if shown.view.metric(key).is_none() && worker.client.is_some() {
            let goals = shown.view.goals.iter().map(|goal| goal.metric.clone());
            // If the worker cannot be reached, the curve stays as it is, which says that there are no values.
            let _ = worker.send(&Request::StudyLook(self.metrics_of_study(goals)));
        }
    }

    /// Stops the study; what is there stays.
    pub(super) fn stop_study<C: Client>(&mut self, worker: &mut StudyWorker<C>) {
        if let Some(client) = worker.client.as_ref().filter(|_| self.study.is_running) {
            // A worker that cannot be reached says so by itself.
            let _ = client.send(worker.study, &Request::Cancel);
            self.say("Stopping the study");
        }
    }

    /// Asks for the runs of points, so that they can be put into the list.
    pub(super) fn open_points<C: Client>(&mut self, worker: &mut StudyWorker<C>, points: &[(u32, u32)]) {
        let units = self.begin_opening(points);
        self.ask_for_units(worker, units);
    }

    /// Asks for these runs.
    pub(super) fn ask_for_units<C: Client>(&mut self, worker: &mut StudyWorker<C>, units: Vec<Unit>) {
        worker.units.clear();
        for unit in units {
            match worker.send(&Request::StudyUnit(unit)) {
                Ok(request) => drop(worker.units.insert(request, unit)),
                Err(message) => return self.opening_failed(&message),
            }
        }
    }

    /// Asks why a run is worse than that of its left neighbour.
    pub(super) fn ask_why<C: Client>(&mut self, worker: &mut StudyWorker<C>, units: [Unit; 2]) {
        let [here, there] = units;
        let sent = worker.send(&Request::StudyWhy { here, there });
        worker.why = sent.as_ref().ok().copied();
        self.study.why = Some((units, sent.err().map(|message| vec![message])));
    }

    /// Deletes all kept runs.
    pub(super) fn forget_runs<C: Client>(&mut self, worker: &mut StudyWorker<C>) {
        match worker.send(&Request::StudyForget) {
            Ok(_) => self.say("Kept runs of studies are deleted"),
            Err(message) => self.say(message),
        }
    }

    /// Applies a response of the study's worker. Returns whether there is something else to show.
    pub(super) fn study_received<C: Client>(
        &mut self,
        worker: &mut StudyWorker<C>,
        pool: &mut Pool<C>,
        received: Received,
    ) -> bool {
        if received.worker != worker.worker || worker.client.is_none() {
            return false;
        }
        let is_of_study = received.id == Some(worker.study);
        match received.response {
            Response::StudyView(packed) if is_of_study => self.study_viewed(&packed),
            Response::StudyUnit(packed) => {
                let Some(unit) = received.id.and_then(|id| worker.units.remove(&id)) else { return false };
                self.unit_sent(pool, unit, &packed);
            }
            Response::StudyWhy(words) if received.id == worker.why => self.reason_found(words),
            Response::StudyKept(kept) => self.study.kept = Some(kept),
            Response::Failed(failure) => self.study_failed(worker, received.id, failure),
            _ => return false,
        }
        true
    }

    fn study_viewed(&mut self, packed: &Packed) {
        let view = packed.unpack::<StudyView>();
        packed.free();
        match view {
            Ok(view) => {
                let ended = match view.progress.stage {
                    Stage::Over(ended) => Some(ended),
                    _ => None,
                };
                self.study.is_running = ended.is_none();
                self.say_study(&view, ended);
                let of = self.study.made_of.as_ref();
                let runs = self.planner.inputs().study_runs();
                let id = |policy: &String| runs.iter().find(|run| run.policy.to_string() == *policy).map(|run| run.id);
                let before = self.study.shown.as_ref().filter(|shown| shown.view.policies == view.policies);
                let runs = match before {
                    Some(shown) => shown.runs.clone(),
                    None => view.policies.iter().filter_map(id).collect(),
                };
                let is_stale = of.is_some_and(|of| self.is_other_study(of));
                self.study.shown = Some(Shown { view: Rc::new(view), runs, is_stale });
            }
            Err(error) => self.study.obstacle = Some(error.to_string()),
        }
    }

    fn say_study(&mut self, view: &StudyView, ended: Option<Ended>) {
        let runs = study_progress::runs(&view.progress);
        let time = study_progress::time(&view.progress, ended.is_none());
        match ended {
            Some(Ended::Complete) => self.say(format!("The study is complete: {runs}{time}")),
            Some(Ended::Stopped) => self.say(format!("The study was stopped: {runs} are kept")),
            Some(Ended::BudgetUsed) => self.say(format!("The time of the study is used up: {runs}{time}")),
            None if self.now_ms - self.status.at_ms >= SAY_EVERY_MS => self.say(format!("Study: {runs}{time}")),
            None => {}
        }
    }

    fn reason_found(&mut self, words: Vec<String>) {
        if let Some((_, found)) = &mut self.study.why {
            *found = Some(words);
        }
    }

    fn study_failed<C: Client>(&mut self, worker: &mut StudyWorker<C>, id: Option<u32>, failure: Failure) {
        let Failure { message, is_fatal, .. } = failure;
        if is_fatal {
            worker.end();
            if !self.study.is_running {
                return;
            }
            self.study.is_running = false;
            let then = "What is shown stays. Run the study again: it goes on with the runs that are kept";
            self.study.obstacle = Some(format!("{message}. {then}"));
            return self.say(message);
        }
        if id == Some(worker.study) {
            self.study.is_running = false;
            self.study.obstacle = Some(message);
        } else if id.is_some() && id == worker.why {
            self.reason_found(vec![message]);
        } else if id.is_some_and(|id| worker.units.remove(&id).is_some()) {
            self.opening_failed(&message);
        }
    }

    /// Notes whether inputs have changed since the study was run. Returns whether that is new.
    pub fn note_stale_study(&mut self) -> bool {
        let is_stale = self.study.made_of.as_ref().is_some_and(|of| self.is_other_study(of));
        let Some(shown) = self.study.shown.as_mut() else { return false };
        std::mem::replace(&mut shown.is_stale, is_stale) != is_stale
    }

    fn is_other_study(&self, of: &MadeOf) -> bool {
        let inputs = self.planner.inputs();
        inputs.study.as_ref() != Some(&of.spec) || inputs.study_policies() != of.policies || inputs.world() != of.world
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_present::study::{MetricView, Progress};
    use elastiplan_scenario::fields::Value;
    use elastiplan_worker::KeptRuns;

    use super::*;
    use crate::state::study::StudyMsg;
    use crate::state::testing::{Fake, page_with_pool, study_worker};

    struct World {
        page: Page,
        pool: Pool<Fake>,
        worker: StudyWorker<Fake>,
        log: Rc<std::cell::RefCell<Vec<String>>>,
    }

    impl World {
        fn new() -> Self {
            let (page, pool, _) = page_with_pool();
            let (worker, log) = study_worker();
            Self { page, pool, worker, log }
        }

        fn send(&mut self, msg: StudyMsg) {
            self.page.study_message(&mut self.worker, &mut self.pool, msg);
        }

        fn receive(&mut self, worker: u32, id: u32, response: Response) {
            self.send(StudyMsg::Received(Received { worker, id: Some(id), response, memory_bytes: 0 }));
        }

        fn view(&mut self, (worker, id): (u32, u32), runs: u32, stage: Stage) {
            let view = StudyView {
                progress: Progress { runs, runs_wanted: 100, stage, ..Progress::default() },
                policies: vec!["fixed".into(), "equal-share".into(), "elastic-dp".into()],
                metrics: vec![MetricView { key: "avg_jct_s".into(), estimates: Vec::new() }],
                ..StudyView::default()
            };
            self.receive(worker, id, Response::StudyView(Packed::of(&view).unwrap()));
        }

        fn log(&self) -> Vec<String> {
            std::mem::take(&mut *self.log.borrow_mut())
        }

        fn runs(&self) -> Option<u32> {
            Some(self.page.study.shown.as_ref()?.view.progress.runs)
        }
    }

    #[test]
    fn a_study_is_run_shown_and_stopped() {
        let mut world = World::new();
        world.worker.start_ahead(2);
        world.send(StudyMsg::Run);
        assert_eq!(world.log(), ["1: ahead 1 2", "1: study 2"]);
        assert!(world.page.study.is_running && world.page.planner.inputs().study.is_some());
        world.view((1, 2), 7, Stage::Coarse);
        assert_eq!(world.runs(), Some(7));
        assert_eq!(world.page.study.shown.as_ref().unwrap().runs, [1, 2, 3]);
        world.view((1, 1), 9, Stage::Coarse);
        assert_eq!(world.runs(), Some(7), "a view of another request");
        world.send(StudyMsg::Stop);
        assert_eq!(world.log(), ["1: cancel 2"]);
        world.view((1, 2), 8, Stage::Over(Ended::Stopped));
        assert!(!world.page.study.is_running && world.page.status.text.contains("was stopped"));
        world.send(StudyMsg::Run);
        assert_eq!(world.log(), ["1: study 3"]);
    }

    #[test]
    fn what_is_shown_is_stale_once_inputs_differ() {
        let mut world = World::new();
        world.send(StudyMsg::Run);
        world.view((1, 1), 7, Stage::Over(Ended::Complete));
        let mut check = |edit: Edit, expected: bool| {
            let _ = world.page.planner.edit(edit, 0.0);
            world.page.note_stale_study();
            assert_eq!(world.page.study.shown.as_ref().unwrap().is_stale, expected);
        };
        check(Edit::Rename(1, "Other".into()), false);
        check(Edit::Field("what_if.rescale_cost_s", Value::Number(60.0)), true);
        check(Edit::Field("what_if.rescale_cost_s", Value::Number(30.0)), false);
        check(Edit::Add("edf".parse().unwrap()), true);
    }

    #[test]
    fn a_worker_that_dies_leaves_what_is_shown_and_another_goes_on() {
        let mut world = World::new();
        world.send(StudyMsg::Run);
        world.view((1, 1), 7, Stage::Points);
        let failure = Failure { message: "A background worker stopped".into(), detail: String::new(), is_fatal: true };
        world.receive(1, 1, Response::Failed(failure));
        assert_eq!((world.runs(), world.page.study.is_running), (Some(7), false));
        assert!(world.page.study.obstacle.as_ref().unwrap().contains("goes on with the runs that are kept"));
        world.send(StudyMsg::Run);
        assert_eq!(world.log(), ["1: study 1", "1: end", "2: study 2"]);
        assert_eq!(world.page.study.obstacle, None);
        world.view((1, 2), 50, Stage::Points);
        assert_eq!(world.runs(), Some(7), "a message of the dead worker");
        world.view((2, 2), 9, Stage::Points);
        assert_eq!(world.runs(), Some(9));
    }

    #[test]
    fn questions_about_a_study_go_to_its_worker() {
        let mut world = World::new();
        world.send(StudyMsg::Run);
        world.view((1, 1), 7, Stage::Over(Ended::Complete));
        world.send(StudyMsg::Metric("avg_jct_s".into()));
        let units = [1, 0].map(|point| Unit { point, policy: 1, seed: 2 });
        world.send(StudyMsg::Why(units));
        assert_eq!(world.log(), ["1: study 1", "1: why 2 1 2: 1 and 0"], "the metric is there");
        world.receive(1, 2, Response::StudyWhy(vec!["Seed 3".into()]));
        assert_eq!(world.page.study.why, Some((units, Some(vec!["Seed 3".into()]))));
        world.send(StudyMsg::Metric("makespan_s".into()));
        assert!(world.log()[0].starts_with("1: look 3 ") && world.page.study.metric.as_deref() == Some("makespan_s"));
        world.send(StudyMsg::ForgetRuns);
        assert_eq!(world.log(), ["1: forget 4"]);
        let kept = KeptRuns { runs: 0.0, bytes: 0.0, bytes_max: 2e8 };
        world.receive(1, 4, Response::StudyKept(kept));
        assert_eq!(world.page.study.kept, Some(kept));
    }

    #[test]
    fn a_study_with_a_million_points_is_not_begun_but_offered_smaller() {
        let mut world = World::new();
        let steps = |from: f64, to: f64, step: f64| {
            elastiplan_study::ValuesPart::Range(elastiplan_study::RangePart { from, to, step: Some(step), times: None })
        };
        let axes = vec![
            ("cluster.nodes".to_string(), steps(1.0, 1000.0, 1.0)),
            ("what_if.arrival_rate".to_string(), steps(1.0, 1.999, 0.001)),
        ];
        let spec = Spec { axes, seeds: elastiplan_study::Seeds::Count(1), ..Spec::default() };
        let _ = world.page.planner.edit(Edit::Study(Some(spec)), 0.0);
        world.send(StudyMsg::Run);
        let words = world.page.study.obstacle.clone().unwrap();
        assert!(words.starts_with("3,000,000 runs, about "), "{words}");
        assert!(words.contains("too many for a page. Take the smaller study that is offered"), "{words}");
        assert!(!world.page.study.is_running && world.log().is_empty());
    }

    #[test]
    fn a_study_without_policies_says_so() {
        let mut world = World::new();
        for id in 1..=3 {
            let _ = world.page.planner.edit(Edit::Remove(id), 0.0);
        }
        world.send(StudyMsg::Run);
        assert!(world.page.study.obstacle.as_ref().unwrap().starts_with("No run follows the inputs"));
        assert!(!world.page.study.is_running && world.log().is_empty());
    }
}
