//! From points of a study to runs of the list, and back.

use std::rc::Rc;
use std::sync::Arc;

use elastiplan_model::Workload;
use elastiplan_policies::PolicySpec;
use elastiplan_present::study::StudyView;
use elastiplan_scenario::{Conditions, Scenario};
use elastiplan_study::{JOBS_SHARE, POWER_FACTOR, Unit};
use elastiplan_worker::Packed;

use super::data::{Bound, Data, Derived};
use super::edit::Edit;
use super::inputs::Inputs;
use super::message::Screen;
use super::page::Page;
use super::pool::{Client, Pool};
use super::run_spec::{Pinned, StudyPoint};
use super::study_parts::Scale;
use super::world::World;

/// A run of a study as the list takes it: with inputs of its own, like a pinned one.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenedRun {
    /// Its policy, with the parameters of its point.
    pub policy: PolicySpec,
    /// Its inputs.
    pub pinned: Rc<Pinned>,
}

/// What decides a run of a study, as its worker sends it.
#[derive(Clone, Debug)]
pub struct UnitRun {
    /// The run.
    pub unit: Unit,
    /// Data, machines and conditions.
    pub scenario: Scenario,
    /// The jobs that can run.
    pub workload: Workload,
    /// The policy.
    pub policy: PolicySpec,
}

/// Runs of a study that are put into the list.
#[derive(Debug, Default)]
pub struct Opening {
    /// Those that the study's worker has been asked for, with those that it has sent.
    wanted: Vec<(Unit, Option<UnitRun>)>,
    /// The runs that were opened last, by their ids.
    opened: Vec<u32>,
}

impl Page {
    /// Begins to open points, each a policy and a point by their places. Returns the runs that the study's worker is to
    /// send.
    pub fn begin_opening(&mut self, points: &[(u32, u32)]) -> Vec<Unit> {
        let Some(shown) = &self.study.shown else { return Vec::new() };
        let metric = self.study.metric.clone();
        let metric = metric.or_else(|| shown.view.goals.first().map(|goal| goal.metric.clone()));
        let units = units(&shown.view, metric.as_deref().unwrap_or("avg_jct_s"), points);
        self.begin_opening_units(units)
    }

    /// The same of runs.
    pub fn begin_opening_units(&mut self, units: Vec<Unit>) -> Vec<Unit> {
        self.opening.wanted = units.iter().map(|unit| (*unit, None)).collect();
        units
    }

    /// Receives a run of the study. Once all are there that were asked for, they are put into the list and shown.
    pub fn unit_sent<C: Client>(&mut self, pool: &mut Pool<C>, unit: Unit, packed: &Packed) {
        let run = match packed.unpack::<(Scenario, Workload, PolicySpec)>() {
            Ok((scenario, workload, policy)) => UnitRun { unit, scenario, workload, policy },
            Err(error) => return self.opening_failed(&error.to_string()),
        };
        if let Some((_, sent)) = self.opening.wanted.iter_mut().find(|(wanted, _)| *wanted == unit) {
            *sent = Some(run);
        }
        let is_all = !self.opening.wanted.is_empty() && self.opening.wanted.iter().all(|(_, sent)| sent.is_some());
        if is_all {
            let runs = std::mem::take(&mut self.opening.wanted).into_iter().filter_map(|(_, sent)| sent).collect();
            self.open_units(pool, runs);
        }
    }

    /// Gives up opening points.
    pub fn opening_failed(&mut self, message: &str) {
        self.opening.wanted.clear();
        self.say(format!("The run of the study could not be opened: {message}"));
    }

    /// Puts runs of the study into the list, each once, and shows them; two of them side by side.
    fn open_units<C: Client>(&mut self, pool: &mut Pool<C>, runs: Vec<UnitRun>) {
        let Some(view) = self.study.shown.as_ref().map(|shown| Rc::clone(&shown.view)) else { return };
        let inputs = self.planner.inputs();
        let mut worlds = inputs.worlds();
        let (mut opened, mut bounds) = (Vec::new(), Vec::new());
        for UnitRun { unit, scenario, workload, policy } in runs {
            let axes = axes_of(&view, unit);
            let world = world_of(inputs, &worlds, scenario, &axes);
            let seed = world.conditions.seed;
            let from_study = Some(StudyPoint { values: point_words(&axes, &policy, &world), seed });
            // A worker has bound these jobs already.
            if let Ok(bound) = Packed::of(&workload).and_then(|packed| Bound::of(&world, packed, Vec::new())) {
                bounds.push((world.clone(), bound));
            }
            worlds.push(world.clone());
            let pinned = Pinned { world, name: inputs.name.clone(), wants_twin: false, from_study };
            opened.push(OpenedRun { policy, pinned: Rc::new(pinned) });
        }
        self.edit(pool, Edit::Open(opened.clone()));
        bounds.into_iter().for_each(|(world, bound)| self.planner.add_own_bound(&world, bound));
        let inputs = self.planner.inputs();
        self.opening.opened = opened.iter().filter_map(|run| inputs.opened(run)).collect();
        self.selected_run = self.opening.opened.first().copied().filter(|_| self.opening.opened.len() == 1);
        self.screen = Screen::Compare;
    }

    /// The runs of the study that were opened last, in words: `54 nodes, seed 7`; `None` if there are none, or not any
    /// more.
    pub fn opened_words(&self) -> Option<String> {
        let inputs = self.planner.inputs();
        let points = self.opening.opened.iter().filter_map(|id| inputs.run(*id)?.study_point());
        let points: Vec<&StudyPoint> = points.collect();
        let first = points.first()?;
        let is_one_seed = points.iter().all(|point| point.seed == first.seed);
        let mut words: Vec<String> = Vec::new();
        for StudyPoint { values, seed } in &points {
            let word = if is_one_seed { values.clone() } else { format!("{values}, seed {seed}") };
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let words = words.join(" and ");
        Some(if is_one_seed { format!("{words}, seed {}", first.seed) } else { words })
    }

    /// Shows the study again, and the runs that were set aside.
    pub fn back_to_study<C: Client>(&mut self, pool: &mut Pool<C>) {
        self.edit(pool, Edit::EndSideBySide);
        self.opening.opened.clear();
        self.screen = Screen::Study;
    }
}

/// The runs to open of points: with the seed that is nearest to the mean of a metric at the first of them, so that all have
/// the same jobs; of a point and a neighbour than which it is worse, with the seed in which it is worst.
fn units(view: &StudyView, metric: &str, points: &[(u32, u32)]) -> Vec<Unit> {
    let worse = view.worse.iter().find(|worse| {
        let pair = [worse.left, worse.point].map(|point| (worse.policy, point));
        points.len() == 2 && pair.iter().all(|point| points.contains(point))
    });
    let nearest = |&(policy, point): &(u32, u32)| {
        view.estimate(metric, policy as usize, point as usize).map(|estimate| estimate.nearest)
    };
    let seed = worse.map(|worse| worse.seed).or_else(|| points.iter().find_map(nearest)).unwrap_or_default();
    let mut units: Vec<Unit> = Vec::new();
    for &(policy, point) in points {
        let unit = Unit { point, policy, seed };
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    units
}

/// The key of each axis with the value at a unit's point, as documents write it.
fn axes_of(view: &StudyView, unit: Unit) -> Vec<(String, String)> {
    let places = view.places(unit.point as usize);
    let value = |(axis, place): (&elastiplan_present::study::AxisView, usize)| {
        Some((axis.key.clone(), axis.values.get(place)?.text.clone()))
    };
    view.axes.iter().zip(places).filter_map(value).collect()
}

/// The values of a point that concern a policy: `54 nodes, rescale cost 60 s`.
fn point_words(axes: &[(String, String)], policy: &PolicySpec, world: &World) -> String {
    let start_s = world.data.trace.start_s();
    let concerns = |key: &str| {
        let of_policy = key.strip_prefix(policy.name()).and_then(|rest| rest.strip_prefix('.'));
        elastiplan_scenario::fields::Field::named(key).is_some()
            || [JOBS_SHARE, POWER_FACTOR].contains(&key)
            || of_policy.is_some()
    };
    let own = axes.iter().filter(|(key, _)| concerns(key));
    let words: Vec<String> = own.map(|(key, text)| Scale::of(key, start_s).named(key, text)).collect();
    words.join(", ")
}

/// The scenario of a unit as the page holds it: data that are equal to known ones are those, so that runs can be compared
/// job by job.
fn world_of(inputs: &Inputs, known: &[World], scenario: Scenario, axes: &[(String, String)]) -> World {
    let Scenario { trace, curves, cluster, conditions } = scenario;
    let base = &inputs.data;
    let known_data = || std::iter::once(base).chain(known.iter().map(|world| &world.data));
    let same_trace = known_data().map(|data| &data.trace).find(|known| **known == trace).map(Arc::clone);
    let same_curves = known_data().map(|data| &data.curves).find(|known| **known == curves).map(Arc::clone);
    let (trace, curves) = (same_trace.unwrap_or(trace), same_curves.unwrap_or(curves));
    let log = base.log.clone().filter(|log| conditions.availability.as_ref() == Some(&log.availability));
    let words = |key: &str| {
        let (_, text) = axes.iter().find(|(known, _)| known == key)?;
        Some(Scale::of(key, base.trace.start_s()).named(key, text))
    };
    let is_other_seed = conditions.seed != inputs.conditions.seed;
    let jobs = words(JOBS_SHARE).or_else(|| (!is_other_seed).then(|| "other jobs".into()));
    let derived =
        Derived { trace: base.trace.clone(), curves: base.curves.clone(), jobs, changed_curves: words(POWER_FACTOR) };
    let data = Data { trace, curves, log, derived: Some(Rc::new(derived)), ..base.clone() };
    World { data, cluster, conditions: Conditions { availability: None, ..conditions } }
}

#[cfg(test)]
mod tests {
    use elastiplan_planner::run;
    use elastiplan_present::study::{AxisPlace, AxisView, WorseView};
    use elastiplan_scenario::fields::Value;
    use elastiplan_study::{Outcome, Seeds, Spec, Study};

    use super::*;
    use crate::state::differences::chips;
    use crate::state::drawn_edit::DrawnEdit;
    use crate::state::study::Shown;
    use crate::state::study_spec::with_values;
    use crate::state::testing::{Fake, page_with_pool};
    use elastiplan_study::{ValuePart, ValuesPart};

    /// A page with a study of these axes, made natively.
    struct Studied {
        page: Page,
        pool: Pool<Fake>,
        study: Study,
        inputs: Inputs,
    }

    impl Studied {
        fn of(axes: &[(&str, &[f64])]) -> Self {
            let (mut page, pool, _) = page_with_pool();
            let list = |values: &[f64]| ValuesPart::List(values.iter().copied().map(ValuePart::Number).collect());
            let axes = axes.iter().map(|&(key, values)| (key.to_string(), list(values))).collect();
            let spec = Spec { axes, seeds: Seeds::Count(3), ..Spec::default() };
            page.planner.edit(Edit::Study(Some(spec.clone())), 0.0);
            let inputs = page.planner.inputs().clone();
            let study = Study::new(&spec, &inputs.study_policies(), inputs.conditions.seed).unwrap();
            let place = |value: &elastiplan_study::AxisValue| AxisPlace {
                text: value.text.clone(),
                shown: value.text.clone(),
                number: value.number,
            };
            let axis = |axis: &elastiplan_study::Axis| AxisView {
                key: axis.key.clone(),
                label: axis.label.clone(),
                values: axis.values.iter().map(place).collect(),
                ignored_by: Vec::new(),
            };
            let view = StudyView { axes: study.axes.iter().map(axis).collect(), ..StudyView::default() };
            page.study.shown = Some(Shown { view: Rc::new(view), runs: Vec::new(), is_stale: false });
            Self { page, pool, study, inputs }
        }

        /// The scenario of a seed, as the study's worker draws it.
        fn with_seed(&self) -> impl Fn(u64) -> Scenario + '_ {
            |seed| {
                let mut inputs = self.inputs.clone();
                if seed != inputs.conditions.seed {
                    inputs.draw(&DrawnEdit::Seed(seed));
                }
                inputs.scenario()
            }
        }

        fn open(&mut self, points: &[(u32, u32)], seed: u32) {
            self.page.begin_opening(points);
            let units: Vec<Unit> = points.iter().map(|&(policy, point)| Unit { point, policy, seed }).collect();
            self.page.opening.wanted = units.iter().map(|unit| (*unit, None)).collect();
            for unit in units {
                let scenario = self.study.scenario(unit, self.with_seed());
                let (workload, _) = scenario.workload();
                let packed = Packed::of(&(scenario, workload, self.study.policy(unit).unwrap())).unwrap();
                self.page.unit_sent(&mut self.pool, unit, &packed);
            }
        }

        /// The list: names, chips, and what is said of the runs.
        fn listed(&self) -> Vec<String> {
            let inputs = self.page.planner.inputs();
            let rail = inputs.world();
            let words = |run: &crate::state::run_spec::RunSpec| {
                let mark = if run.is_hidden { "hidden " } else { "" };
                format!("{mark}{}: {}", run.policy, chips(&run.world(&rail), &rail).join(", "))
            };
            inputs.runs().iter().map(words).collect()
        }
    }

    #[test]
    fn an_opened_run_is_that_of_the_study_to_the_bit_and_named_by_what_differs() {
        let check = |axes: &[(&str, &[f64])], (policy, point, seed): (u32, u32, u32), expected: &str, words: &str| {
            let mut studied = Studied::of(axes);
            studied.open(&[(policy, point)], seed);
            assert_eq!(studied.listed().last().unwrap(), expected);
            assert_eq!(studied.page.opened_words().as_deref(), Some(words));
            let spec = studied.page.planner.inputs().runs().last().unwrap().clone();
            let world = spec.pinned.as_ref().unwrap().world.clone();
            let own = run(&world.scenario(), &world.bind().workload, &spec.policy).unwrap();
            let of_study = studied.study.run(Unit { point, policy, seed }, studied.with_seed());
            assert!(matches!(of_study, Outcome::Ended { digest, .. } if digest == own.digest), "{expected}");
            assert!(studied.page.planner.next_unbound().is_none(), "the jobs are bound already");
        };
        let nodes: (&str, &[f64]) = ("cluster.nodes", &[12.0, 16.0, 20.0]);
        check(&[nodes], (2, 2, 0), "elastic-dp: 20 nodes", "20 nodes, seed 3");
        check(&[nodes], (0, 0, 2), "fixed: seed 5, 12 nodes", "12 nodes, seed 5");
        check(&[nodes], (0, 1, 0), "fixed: ", "16 nodes, seed 3");
        check(&[(JOBS_SHARE, &[0.5, 1.0])], (1, 0, 0), "equal-share: 50% of the jobs", "50% of the jobs, seed 3");
        let both = "fixed: seed 4, 50% of the jobs";
        check(&[(JOBS_SHARE, &[0.5, 1.0])], (0, 0, 1), both, "50% of the jobs, seed 4");
        let law = "throughput per GPU × 0.7 at each doubling";
        let expected = format!("fixed: {law}");
        check(&[(POWER_FACTOR, &[0.7, 0.9])], (0, 0, 0), &expected, &format!("{law}, seed 3"));
        let own: (&str, &[f64]) = ("elastic-dp.delta_s", &[60.0, 600.0]);
        check(&[own], (2, 0, 0), "elastic-dp[delta_s=60]: ", "elastic-dp: delta 60 s, seed 3");
        check(&[own, nodes], (0, 2, 0), "fixed: 20 nodes", "20 nodes, seed 3");
    }

    #[test]
    fn a_point_opened_twice_is_one_run_which_keeps_its_inputs() {
        let mut studied = Studied::of(&[("cluster.nodes", &[12.0, 20.0])]);
        studied.open(&[(2, 1)], 0);
        studied.open(&[(2, 1)], 0);
        let expected = ["fixed: ", "equal-share: ", "elastic-dp: ", "elastic-dp: 20 nodes"];
        assert_eq!(studied.listed(), expected);
        assert!(studied.page.screen == Screen::Compare && studied.page.selected_run == Some(4));
        studied.page.edit(&mut studied.pool, Edit::Nodes(20));
        assert_eq!(studied.listed()[3], "elastic-dp: ", "frozen: now the inputs are the same");
        studied.page.edit(&mut studied.pool, Edit::Field("what_if.work", Value::Number(2.0)));
        assert_eq!(studied.listed()[3], "elastic-dp: work × 1");
        assert_eq!(studied.page.planner.inputs().study_policies().len(), 3);
        // Another scenario keeps it behind its own runs.
        let mut other = Inputs::sample();
        other.keep_pinned(studied.page.planner.inputs());
        assert!(other.runs().last().unwrap().study_point().is_some() && !other.runs()[0].is_pinned());
    }

    #[test]
    fn two_points_stand_side_by_side_until_the_user_goes_back() {
        let mut studied = Studied::of(&[("cluster.nodes", &[12.0, 20.0])]);
        studied.page.edit(&mut studied.pool, Edit::Hide(2, true));
        studied.open(&[(2, 0), (2, 1)], 1);
        let expected = [
            "elastic-dp: seed 4, 12 nodes",
            "elastic-dp: seed 4, 20 nodes",
            "hidden fixed: ",
            "hidden equal-share: ",
            "hidden elastic-dp: ",
        ];
        assert_eq!(studied.listed(), expected);
        assert_eq!(studied.page.opened_words().as_deref(), Some("12 nodes and 20 nodes, seed 4"));
        let policies = |studied: &Studied| studied.page.planner.inputs().study_policies().len();
        assert_eq!(policies(&studied), 2, "the study is that of before");
        studied.page.back_to_study(&mut studied.pool);
        let expected = [
            "fixed: ",
            "hidden equal-share: ",
            "elastic-dp: ",
            "elastic-dp: seed 4, 12 nodes",
            "elastic-dp: seed 4, 20 nodes",
        ];
        assert_eq!(studied.listed(), expected);
        assert!(studied.page.screen == Screen::Study && studied.page.opened_words().is_none());
        for _ in 0..2 {
            studied.page.planner.undo(0.0);
        }
        assert_eq!(studied.listed(), ["fixed: ", "hidden equal-share: ", "elastic-dp: "]);
        assert_eq!(policies(&studied), 2);
    }

    #[test]
    fn runs_of_one_seed_share_their_jobs_so_that_they_are_compared_job_by_job() {
        let mut studied = Studied::of(&[("cluster.nodes", &[12.0, 20.0])]);
        studied.open(&[(2, 0), (0, 1)], 1);
        let runs = studied.page.planner.inputs().runs();
        let trace = |at: usize| Arc::clone(&runs[at].pinned.as_ref().unwrap().world.data.trace);
        assert!(Arc::ptr_eq(&trace(0), &trace(1)));
        studied.open(&[(0, 0)], 0);
        let inputs = studied.page.planner.inputs();
        let last = inputs.runs().iter().rev().find(|run| run.study_point().is_some()).unwrap();
        assert!(Arc::ptr_eq(&last.pinned.as_ref().unwrap().world.data.trace, &inputs.data.trace));
    }

    #[test]
    fn the_seed_is_the_one_nearest_to_the_mean_or_the_one_that_got_worse() {
        use elastiplan_present::study::{MetricView, PointEstimate};
        let nearest = |nearest| {
            let estimate = PointEstimate { n: 5, missing: 0, mean: 1.0, interval: None, against: None, nearest };
            Some(estimate)
        };
        let axis = |text: &str| AxisPlace { text: text.into(), shown: text.into(), number: None };
        let values = vec![axis("58"), axis("60")];
        let worse = WorseView {
            policy: 0,
            point: 1,
            left: 0,
            metric: "avg_jct_s".into(),
            seeds_worse: 8,
            seeds: 10,
            seed: 7,
            seed_number: 0,
            words: String::new(),
        };
        let view = StudyView {
            axes: vec![AxisView { key: "cluster.nodes".into(), label: "nodes".into(), values, ignored_by: Vec::new() }],
            metrics: vec![MetricView {
                key: "avg_jct_s".into(),
                estimates: vec![nearest(4), nearest(2), None, nearest(1)],
            }],
            worse: vec![worse],
            ..StudyView::default()
        };
        let check = |points: &[(u32, u32)], expected: &[u32]| {
            let seeds: Vec<u32> = units(&view, "avg_jct_s", points).iter().map(|unit| unit.seed).collect();
            assert_eq!(seeds, expected, "{points:?}");
        };
        check(&[(0, 0)], &[4]);
        check(&[(0, 1), (1, 1)], &[2, 2]);
        check(&[(0, 0), (0, 1)], &[7, 7]);
        check(&[(1, 0)], &[0]);
        check(&[(0, 0), (0, 0)], &[4]);
    }

    #[test]
    fn what_cannot_be_opened_is_said_and_a_changed_study_is_no_other_scenario() {
        let mut studied = Studied::of(&[("cluster.nodes", &[12.0, 20.0])]);
        let units = studied.page.begin_opening(&[(0, 0)]);
        let broken = Packed::of(&7_u8).unwrap();
        studied.page.unit_sent(&mut studied.pool, units[0], &broken);
        assert!(studied.page.status.text.starts_with("The run of the study could not be opened"));
        assert_eq!(studied.listed().len(), 3);
        let spec = studied.inputs.study.clone().unwrap();
        let other = with_values(spec, "cluster.nodes", ValuesPart::List(vec![ValuePart::Number(9.0)]));
        studied.page.edit(&mut studied.pool, Edit::Study(Some(other)));
        assert!(studied.page.planner.inputs().same_runs(&studied.inputs));
    }
}
