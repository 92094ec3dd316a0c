//! Studies by runners that answer, die and are cancelled in any order, beside the same runs one after the other.

use std::cell::Cell;
use std::rc::Rc;

use elastiplan_metrics::Metrics;
use elastiplan_present::study::{Progress, Stage};
use elastiplan_scenario::sample;
use elastiplan_study::{GoalPart, RangePart, Seeds, Spec, Study, ValuesPart};

use super::*;

/// Random numbers: a linear congruence is random enough for orders of events.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }

    fn is_one_in(&mut self, count: usize) -> bool {
        count > 0 && self.below(count) == 0
    }
}

/// Nodes from 1 to so many, two policies, five to ten seeds, and a goal that the larger clusters meet.
fn order(nodes_most: u32, at_least: f64) -> StudyOrder {
    let nodes = ValuesPart::Range(RangePart { from: 1.0, to: f64::from(nodes_most), step: None, times: None });
    let goal = GoalPart { metric: "deadline_satisfactory_ratio".into(), at_least: Some(at_least), at_most: None };
    let spec = Spec {
        axes: vec![("cluster.nodes".into(), nodes)],
        seeds: Seeds::Until { at_least: 5, at_most: 10, half_width: None },
        goals: vec![goal],
        ..Spec::default()
    };
    StudyOrder {
        scenario: sample::scenario(sample::SEED),
        drawn: None,
        spec,
        policies: vec!["fixed".parse().unwrap(), "equal-share".parse().unwrap()],
        metrics: vec!["deadline_satisfactory_ratio".into(), "avg_jct_s".into(), "p95_jct_s".into()],
        runners: 3,
    }
}

/// A made-up outcome that follows from what decides the run.
fn outcome(study: &Study, unit: Unit) -> Outcome {
    let nodes: f64 = study.values(unit.point).next().unwrap().1.parse().unwrap();
    let (policy, seed) = (study.policy(unit).unwrap().to_string(), study.seed(unit));
    let mut noise = Random(seed ^ (nodes as u64) << 20 ^ policy.len() as u64);
    noise.below(2);
    let noise = noise.below(1000) as f64 / 1000.0;
    let ratio = (0.4 + 0.04 * nodes + 0.02 * policy.len() as f64 + 0.1 * noise).min(1.0);
    let metrics = Metrics {
        deadline_satisfactory_ratio: Some(ratio),
        avg_jct_s: Some(1000.0 / nodes + noise),
        p95_jct_s: Some(3000.0 / nodes + noise),
        ..Metrics::default()
    };
    Outcome::Ended { digest: format!("{policy} {nodes} {seed}"), metrics: Box::new(metrics) }
}

/// The runs one after the other, as the command line makes them with one thread.
fn one_after_the_other(order: &StudyOrder) -> Results {
    let source = Source::new(order.clone()).unwrap();
    let mut results = Results::default();
    loop {
        let units = source.study.next(&results);
        if units.is_empty() {
            return results;
        }
        for unit in units {
            results.add(unit, outcome(&source.study, unit)).unwrap();
        }
    }
}

#[derive(Default)]
struct FakeRunner {
    is_started: bool,
    batches: VecDeque<(u32, Vec<Unit>)>,
}

/// A director with its runners.
struct World {
    director: Director,
    clock_ms: Rc<Cell<f64>>,
    random: Random,
    order: StudyOrder,
    study: Study,
    runners: BTreeMap<u32, FakeRunner>,
    wakes: Vec<f64>,
    load: bool,
    views: Vec<StudyView>,
    saved: Vec<(Key, Outcome)>,
    failures: Vec<String>,
    /// Runs that were made, in their order.
    made: Vec<(String, String, u64)>,
    /// One of so many steps kills a runner.
    dies_once_in: usize,
    /// A run that ends its runner.
    panics: Option<Unit>,
    can_start: bool,
    /// What the store holds.
    stored: Vec<(Key, Outcome)>,
}

impl World {
    fn new(seed: u64, order: StudyOrder) -> Self {
        let clock_ms = Rc::new(Cell::new(0.0));
        let of_director = Rc::clone(&clock_ms);
        let study = Source::new(order.clone()).unwrap().study;
        Self {
            director: Director::new(move || of_director.get()),
            clock_ms,
            random: Random(seed),
            order,
            study,
            runners: BTreeMap::new(),
            wakes: Vec::new(),
            load: false,
            views: Vec::new(),
            saved: Vec::new(),
            failures: Vec::new(),
            made: Vec::new(),
            dies_once_in: 0,
            panics: None,
            can_start: true,
            stored: Vec::new(),
        }
    }

    fn order(&mut self, order: StudyOrder) {
        (self.order, self.study) = (order.clone(), Source::new(order.clone()).unwrap().study);
        self.handle(Event::Ordered(Box::new(order)));
    }

    fn handle(&mut self, event: Event) {
        for command in self.director.handle(event) {
            match command {
                Command::Start(runner) => {
                    self.runners.insert(runner, FakeRunner { is_started: runner == HERE, ..FakeRunner::default() });
                }
                Command::Order(_) => {}
                Command::Deal { runner, batch, units } => {
                    self.runners.get_mut(&runner).unwrap().batches.push_back((batch, units));
                }
                Command::Cancel(runner) => {
                    // What it has begun is given up; its replies come later.
                    for (_, units) in &mut self.runners.get_mut(&runner).unwrap().batches {
                        units.clear();
                    }
                }
                Command::End(runner) => drop(self.runners.remove(&runner)),
                Command::Load(_) => self.load = true,
                Command::Save(_, runs) => self.saved.extend(runs),
                Command::View(view) => self.views.push(*view),
                Command::Fail(message) => self.failures.push(message),
                Command::Wake(ms) => self.wakes.push(self.clock_ms.get() + ms),
            }
        }
    }

    /// Something that can happen happens. Returns whether there was anything.
    fn step(&mut self) -> bool {
        self.clock_ms.set(self.clock_ms.get() + self.random.below(5) as f64);
        if self.load && self.random.is_one_in(3) {
            self.load = false;
            let stored = self.stored.clone();
            self.handle(Event::Loaded(Ok(LoadedRuns { runs: stored, chunks_damaged: 0 })));
            return true;
        }
        let busy: Vec<u32> =
            self.runners.iter().filter(|(_, it)| !it.is_started || !it.batches.is_empty()).map(|(&id, _)| id).collect();
        if busy.is_empty() || self.random.is_one_in(10) {
            let Some(at_ms) = self.wakes.iter().copied().reduce(f64::min) else { return !busy.is_empty() || self.load };
            self.wakes.retain(|&other_ms| other_ms != at_ms);
            self.clock_ms.set(self.clock_ms.get().max(at_ms));
            self.handle(Event::Woken);
            return true;
        }
        let runner = busy[self.random.below(busy.len())];
        let is_started = self.runners[&runner].is_started;
        if runner != HERE && (self.random.is_one_in(self.dies_once_in) || (!is_started && !self.can_start)) {
            self.handle(Event::Died { runner, message: "it died".into() });
        } else if !is_started {
            self.runners.get_mut(&runner).unwrap().is_started = true;
            self.handle(Event::Ready(runner));
        } else {
            self.make(runner);
        }
        true
    }

    /// A runner makes some of the runs of its first batch.
    fn make(&mut self, runner: u32) {
        let fake = self.runners.get_mut(&runner).unwrap();
        let (batch, mut units) = fake.batches.pop_front().unwrap();
        let some: Vec<Unit> = units.drain(..(1 + self.random.below(5)).min(units.len())).collect();
        let is_end = units.is_empty();
        if !is_end {
            self.runners.get_mut(&runner).unwrap().batches.push_front((batch, units));
        }
        let mut outcomes = Vec::new();
        for unit in some {
            if self.panics == Some(unit) {
                self.handle(Event::Made { batch, outcomes, is_end: false });
                return self.handle(Event::Died { runner, message: "it panicked".into() });
            }
            let ms = [3.0, 30.0][unit.policy as usize];
            self.clock_ms.set(self.clock_ms.get() + ms);
            let values = self.study.values(unit.point).next().unwrap().1.to_string();
            self.made.push((self.study.policy(unit).unwrap().to_string(), values, self.study.seed(unit)));
            outcomes.push((outcome(&self.study, unit), ms));
        }
        self.handle(Event::Made { batch, outcomes, is_end });
    }

    fn run_to_end(&mut self) {
        for _ in 0..100_000 {
            if !self.step() {
                return;
            }
        }
        panic!("the study never ends");
    }

    fn last(&self) -> &StudyView {
        self.views.last().unwrap()
    }

    fn is_over(&self) -> bool {
        matches!(self.last().progress.stage, Stage::Over(_))
    }

    /// Runs that were made twice.
    fn twice(&self) -> usize {
        self.made.len() - self.made.iter().collect::<BTreeSet<_>>().len()
    }
}

/// What the runs say, without how long it took.
fn without_times(view: &StudyView) -> StudyView {
    let Progress { stage, settled, open, runs, .. } = view.progress;
    let progress = Progress { stage, settled, open, runs, ..Progress::default() };
    let mut view = StudyView { progress, ..view.clone() };
    view.words = Default::default();
    view
}

/// The last view is that of the same runs made one after the other.
fn check(world: &World, order: &StudyOrder) {
    let expected = one_after_the_other(order);
    let source = Source::new(order.clone()).unwrap();
    let (_, results) = world.director.study().unwrap();
    assert!(results.iter().eq(expected.iter()), "{} and {} runs", results.len(), expected.len());
    let progress = Progress {
        stage: Stage::Over(Ended::Complete),
        runs: expected.len() as u32,
        runs_wanted: expected.len() as u32,
        ..Progress::default()
    };
    let expected = StudyView::of(&source.study, &expected, &order.metrics, progress);
    assert_eq!(without_times(world.last()), without_times(&expected));
    assert_eq!(world.failures, [""; 0]);
}

#[test]
fn any_order_of_answers_gives_the_same_study() {
    let order = order(12, 0.85);
    for seed in 0..8 {
        let mut world = World::new(seed, order.clone());
        world.order(StudyOrder { runners: 1 + seed as u32 % 4, ..order.clone() });
        world.run_to_end();
        check(&world, &order);
        assert_eq!(world.twice(), 0);
        assert_eq!(world.saved.len(), world.made.len(), "all are kept");
    }
}

#[test]
fn runners_that_die_are_replaced() {
    let order = order(12, 0.85);
    for seed in 0..8 {
        let mut world = World::new(seed, order.clone());
        world.dies_once_in = 25;
        world.order(order.clone());
        world.run_to_end();
        // A run that was alone in its runner is said to have failed; all others are there.
        let (source, results) = world.director.study().unwrap();
        assert!(world.is_over() && results.len() > 100);
        for (unit, found) in results.iter() {
            let is_failed = matches!(found, Outcome::Failed { message } if message == "it died");
            assert!(is_failed || *found == outcome(&source.study, unit));
        }
        assert!(world.saved.iter().all(|(_, outcome)| outcome.metrics().is_some()), "what died is not kept");
    }
}

#[test]
fn a_run_that_ends_its_runner_is_found_and_the_rest_stands() {
    let order = order(12, 0.85);
    let panics = Unit { point: 5, policy: 1, seed: 2 };
    let mut world = World::new(7, order.clone());
    world.panics = Some(panics);
    world.order(order);
    world.run_to_end();
    let (source, results) = world.director.study().unwrap();
    for (unit, found) in results.iter() {
        let expected = match unit == panics {
            true => Outcome::Failed { message: "it panicked".into() },
            false => outcome(&source.study, unit),
        };
        assert_eq!(*found, expected, "{unit:?}");
    }
    let failed: Vec<_> = world.last().failed.iter().map(|it| (it.policy, it.point, it.runs)).collect();
    assert_eq!(failed, [(1, 5, 1)]);
}

#[test]
fn what_was_stopped_goes_on_and_makes_nothing_twice() {
    let order = order(12, 0.85);
    for seed in 0..8 {
        let mut world = World::new(seed, order.clone());
        world.order(order.clone());
        (0..10 * seed).for_each(|_| _ = world.step());
        world.handle(Event::Stopped);
        assert_eq!(world.last().progress.stage, Stage::Over(Ended::Stopped));
        let Progress { runs: there, runs_wanted: wanted, .. } = world.last().progress;
        assert!(seed < 2 || wanted > there, "{there} of {wanted}: those that were not made are still wanted");
        (0..3 * seed).for_each(|_| _ = world.step());
        world.order(order.clone());
        world.run_to_end();
        check(&world, &order);
        assert_eq!(world.twice(), 0);
        assert!(world.last().progress.runs_kept >= there);
    }
}

#[test]
fn a_changed_study_uses_the_runs_that_it_shares() {
    let (small, large) = (order(8, 0.85), order(12, 0.8));
    let mut world = World::new(3, small.clone());
    world.order(small);
    world.run_to_end();
    let of_small = world.made.len();
    world.order(large.clone());
    world.run_to_end();
    check(&world, &large);
    assert_eq!(world.twice(), 0);
    let kept = world.last().progress.runs_kept as usize;
    assert!(kept > 70 && world.made.len() - of_small == world.last().progress.runs as usize - kept, "{kept} kept");
}

#[test]
fn kept_runs_are_not_made_again() {
    let order = order(12, 0.85);
    let mut first = World::new(1, order.clone());
    first.order(order.clone());
    first.run_to_end();
    let mut second = World::new(2, order.clone());
    second.stored = first.saved.clone();
    second.order(order.clone());
    second.run_to_end();
    check(&second, &order);
    assert_eq!((second.made.len(), second.saved.len()), (0, 0));
    let progress = &second.last().progress;
    assert_eq!(progress.runs_kept, progress.runs);
}

#[test]
fn two_results_of_one_run_stop_the_study() {
    let order = order(12, 0.85);
    let mut first = World::new(1, order.clone());
    first.order(order.clone());
    first.run_to_end();
    let mut second = World::new(2, order.clone());
    second.order(order);
    (0..40).for_each(|_| _ = second.step());
    let other = |(key, _): &(Key, Outcome)| (*key, Outcome::Failed { message: "another".into() });
    let runs = first.saved.iter().map(other).collect();
    second.handle(Event::Loaded(Ok(LoadedRuns { runs, chunks_damaged: 0 })));
    assert!(second.failures[0].starts_with("The same run gave another result before"), "{:?}", second.failures);
    assert!(second.is_over());
}

#[test]
fn without_other_workers_it_makes_the_runs_itself() {
    let order = order(8, 0.85);
    let mut world = World::new(5, order.clone());
    world.can_start = false;
    world.order(order.clone());
    world.run_to_end();
    check(&world, &order);
    assert_eq!(world.runners.keys().collect::<Vec<_>>(), [&HERE]);
}

#[test]
fn a_store_that_does_not_answer_is_not_waited_for_and_its_fault_is_said() {
    let order = order(8, 0.85);
    let mut world = World::new(5, order.clone());
    world.order(order.clone());
    world.load = false;
    world.run_to_end();
    check(&world, &order);
    world.order(order);
    world.load = false;
    world.handle(Event::Loaded(Err("Runs cannot be kept".into())));
    world.run_to_end();
    assert!(world.last().notes.iter().any(|note| note == "Runs cannot be kept"));
}

#[test]
fn a_full_store_is_said_and_the_study_goes_on() {
    let order = order(8, 0.85);
    let mut world = World::new(5, order.clone());
    world.order(order.clone());
    world.handle(Event::NotKept("Not kept: no more room".into()));
    world.run_to_end();
    assert_eq!(world.last().progress.runs as usize, one_after_the_other(&order).len());
    assert!(world.last().notes.iter().any(|note| note == "Not kept: no more room"));
    assert!(world.saved.is_empty(), "{} runs are given to a full store", world.saved.len());
    // The next study tries again.
    world.order(order);
    world.run_to_end();
    assert!(!world.last().notes.iter().any(|note| note.starts_with("Not kept")));
}

#[test]
fn damaged_runs_are_made_again_and_counted() {
    let order = order(8, 0.85);
    let mut world = World::new(5, order.clone());
    world.order(order.clone());
    world.load = false;
    world.handle(Event::Loaded(Ok(LoadedRuns { runs: Vec::new(), chunks_damaged: 2 })));
    world.run_to_end();
    assert_eq!(world.last().progress.runs as usize, one_after_the_other(&order).len());
    let note = "2 parts of the kept runs were damaged: their runs are made again";
    assert!(world.last().notes.iter().any(|known| known == note), "{:?}", world.last().notes);
}

#[test]
fn a_goal_that_no_run_has_a_value_for_is_said_before_any_is_made() {
    let mut order = order(8, 0.85);
    order.spec.goals[0].metric = "cost_dollars".into();
    let mut director = Director::new(|| 0.0);
    let commands = director.handle(Event::Ordered(Box::new(order)));
    assert!(matches!(&commands[..], [Command::Fail(message)] if message.contains("no price is set")), "{commands:?}");
}

#[test]
fn the_time_budget_ends_a_study_with_what_is_there() {
    let mut order = order(12, 0.85);
    order.spec.time_budget_s = Some(1.0);
    let mut world = World::new(5, order.clone());
    world.order(order);
    world.run_to_end();
    let progress = &world.last().progress;
    assert_eq!(progress.stage, Stage::Over(Ended::BudgetUsed));
    assert!(progress.runs > 0 && progress.elapsed_s >= 1.0 && progress.elapsed_s < 1.5, "{progress:?}");
}

#[test]
fn the_first_picture_is_shown_as_soon_as_each_policy_has_its_values() {
    let order = order(12, 0.85);
    for seed in 0..8 {
        let mut world = World::new(seed, order.clone());
        world.order(order.clone());
        assert_eq!(world.views.len(), 1, "what is varied is shown at once");
        world.run_to_end();
        let first = world.views.iter().find(|view| view.progress.first_picture_s.is_some()).unwrap();
        let coarse = world.study.coarse_points().len() as u32;
        assert!((2 * coarse..2 * coarse + 25).contains(&first.progress.runs), "{}", first.progress.runs);
        for policy in 0..2 {
            let known = |point: &&usize| first.estimate("avg_jct_s", policy, **point).is_some();
            assert_eq!(world.study.coarse_points().iter().filter(known).count(), coarse as usize);
        }
        assert_eq!(world.last().progress.first_picture_s, first.progress.first_picture_s);
    }
}

#[test]
fn a_study_that_cannot_be_made_is_said() {
    let mut world = World::new(0, order(8, 0.85));
    let mut wrong = order(8, 0.85);
    wrong.spec.axes.clear();
    world.director.handle(Event::Ordered(Box::new(order(8, 0.85))));
    let commands = world.director.handle(Event::Ordered(Box::new(wrong)));
    assert!(matches!(&commands[..], [.., Command::Fail(message)] if message.contains("axes")), "{commands:?}");
}
