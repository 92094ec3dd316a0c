//! A study that was checked against its policies.

use std::sync::Arc;

use elastiplan_metrics::{MetricInfo, Metrics};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Scenario;
use elastiplan_statistics::feasibility::Limit;
use elastiplan_statistics::{Looks, VALUES_MIN};
use elastiplan_text::words;

use crate::days::{DAYS_MIN, days, days_resampled};
use crate::goal::Goal;
use crate::same_jobs::lacks_limit_on_declined;
use crate::schedule::SEEDS_EARLY;
use crate::{Axis, Draws, Find, Grid, Inputs, Key, Outcome, POINTS_MAX, Seeds, Spec, StudyError, Unit};

/// The confidence of each interval, and of the answers for all policies together.
pub const CONFIDENCE: f64 = 0.95;

/// A study: what is varied, under which policies, with which seeds, and what is asked.
#[derive(Clone)]
pub struct Study {
    /// What is varied.
    pub axes: Vec<Axis>,
    /// The points.
    pub grid: Grid,
    /// The policies as they are compared, without what is varied; the first is the baseline.
    pub policies: Vec<PolicySpec>,
    /// The seeds of each point.
    pub seeds: Seeds,
    /// What a seed draws.
    pub draws: Draws,
    /// The axis on which the smallest or the largest value is looked for, by its place.
    pub find: Option<usize>,
    /// Whether the largest is, up to which all smaller ones meet the goals.
    pub is_largest: bool,
    /// What is asked of each point.
    pub goals: Vec<Goal>,
    pub(crate) looks: Looks,
    /// All points, coarse to fine, and how many make the first picture.
    pub(crate) order: (Vec<usize>, usize),
    first_seed: u64,
}

impl Study {
    /// Checks a study of these policies; `first_seed` is the scenario's own.
    pub fn new(spec: &Spec, policies: &[PolicySpec], first_seed: u64) -> Result<Self, StudyError> {
        if spec.axes.is_empty() {
            return Err(StudyError::new("axes", "an empty list", "at least one field or parameter with its values"));
        }
        let axes = spec.axes.iter().map(|(key, values)| Axis::new(key, values, policies));
        let axes: Vec<Axis> = axes.collect::<Result<_, _>>()?;
        let grid = Grid::new(axes.iter().map(|axis| axis.values.len()).collect())
            .map_err(|points| StudyError::new("axes", format!("a grid of {points:.0} points"), too_large()))?;
        spec.seeds.check()?;
        let goals = spec.goals.iter().enumerate().map(|(at, goal)| goal.check(at));
        let goals: Vec<Goal> = goals.collect::<Result<_, _>>()?;
        if let Some(budget_s) = spec.time_budget_s.filter(|seconds| seconds.is_nan() || *seconds <= 0.0) {
            return Err(StudyError::new("time_budget_s", budget_s, "a number of seconds above 0"));
        }
        let find = find(spec, &axes)?;
        let is_largest = matches!(spec.find, Some(Find::Largest(_)));
        let order = grid.coarse_to_fine();
        let (policies, seeds) = (policies.to_vec(), spec.seeds.clone());
        let looks = seeds.looks(confidence_each(policies.len()));
        Ok(Self { axes, grid, policies, seeds, draws: spec.draws, find, is_largest, goals, looks, order, first_seed })
    }

    /// The confidence of what is said of one policy, so that all that is said of all of them holds together with
    /// [`CONFIDENCE`]: each has its part of the error (Bonferroni).
    pub fn confidence_each(&self) -> f64 {
        confidence_each(self.policies.len())
    }

    /// That a goal is over completed jobs and none limits how many are declined, in a sentence.
    pub fn note_on_declined(&self) -> Option<String> {
        let metric = lacks_limit_on_declined(self.goals.iter().map(|goal| goal.metric.key))?;
        let declined = Metrics::info("job_drop_ratio")?.label.to_lowercase();
        Some(format!(
            "{} is over completed jobs: a policy that declines jobs looks better than it is. Add a goal on the {declined}",
            metric.label
        ))
    }

    /// What else is worth knowing before it runs, in sentences.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.seeds.most() < VALUES_MIN && !self.goals.is_empty() {
            notes.push(format!(
                "With fewer than {VALUES_MIN} seeds nothing is said with confidence, unless seeds make no difference"
            ));
        }
        for axis in &self.axes {
            let ignored = self.policies.iter().filter(|policy| !axis.concerns(policy));
            let ignored: Vec<String> = ignored.map(ToString::to_string).collect();
            if !ignored.is_empty() {
                let names: Vec<&str> = ignored.iter().map(String::as_str).collect();
                notes.push(format!(
                    "The {} changes nothing for {}: run once for all its values",
                    axis.label,
                    words::list(&names)
                ));
            }
        }
        notes
    }

    /// The unit whose run this one is: an axis that does not concern the policy has its first value.
    pub fn canonical(&self, unit: Unit) -> Unit {
        let Some(policy) = self.policies.get(unit.policy as usize) else { return unit };
        if self.axes.iter().all(|axis| axis.concerns(policy)) {
            return unit;
        }
        let places = self.grid.places(unit.point as usize);
        let concerns = |axis: &Axis, place| if axis.concerns(policy) { place } else { 0 };
        let places: Vec<usize> = self.axes.iter().zip(places).map(|(axis, place)| concerns(axis, place)).collect();
        Unit { point: self.grid.point(&places) as u32, ..unit }
    }

    /// Whether a unit is a run of its own, and not that of another point.
    pub fn is_own(&self, unit: Unit) -> bool {
        self.canonical(unit) == unit
    }

    /// The policies at all points, as units of the first seed, without those whose runs are those of another point: policy
    /// by policy.
    pub fn own_units(&self) -> impl Iterator<Item = Unit> + '_ {
        let points = self.grid.points() as u32;
        let policies = 0..self.policies.len() as u32;
        let units = policies.flat_map(move |policy| (0..points).map(move |point| Unit { point, policy, seed: 0 }));
        units.filter(|unit| self.is_own(*unit))
    }

    /// The policy of a unit, with the parameters of its point.
    pub fn policy(&self, unit: Unit) -> Option<PolicySpec> {
        let policy = self.policies.get(unit.policy as usize)?.clone();
        Some(self.values(unit.point).fold(policy, |policy, (axis, value)| axis.target.policy(policy, value)))
    }

    /// What is worth knowing of its seeds, in a sentence, where `are_drawn` says whether the seed draws the jobs of
    /// `scenario`.
    pub fn note_on_draws(&self, scenario: &Scenario, are_drawn: bool) -> Option<String> {
        let days = days(&scenario.trace);
        let days_text = words::counted(days as u64, "day", "days");
        match self.draws {
            Draws::Days if days < DAYS_MIN => Some(format!(
                "The trace has {days_text}, too few to be drawn anew: {DAYS_MIN} at least. Its jobs are as recorded with every \
                 seed"
            )),
            Draws::Days if are_drawn => {
                Some("Each seed draws its own jobs already; then their days are drawn anew, too".into())
            }
            Draws::Seeds if are_drawn || self.draws_of_jobs(scenario) || !scenario.conditions.faults.is_none() => None,
            Draws::Seeds => Some("One draw: the jobs are the same with every seed".into()),
            Draws::Days => None,
        }
    }

    /// Whether a seed draws something that the jobs of a scenario lack, at one of the points at least.
    fn draws_of_jobs(&self, scenario: &Scenario) -> bool {
        scenario.conditions.draws_of_jobs() || self.axes.iter().any(Axis::draws_of_jobs)
    }

    /// Whether drawing whole days anew would give each seed jobs of its own, where nothing does so now.
    pub fn could_draw_days(&self, scenario: &Scenario, are_drawn: bool) -> bool {
        self.draws == Draws::Seeds && !are_drawn && days(&scenario.trace) >= DAYS_MIN
    }

    /// The scenario of a unit: `with_seed` gives that of a seed, with the jobs that are drawn by it.
    pub fn scenario(&self, unit: Unit, with_seed: impl Fn(u64) -> Scenario) -> Scenario {
        let seed = self.seed(unit);
        let mut scenario = with_seed(seed);
        if self.draws == Draws::Days
            && let Some(trace) = days_resampled(&scenario.trace, seed)
        {
            scenario.trace = Arc::new(trace);
        }
        for (axis, value) in self.values(unit.point) {
            axis.target.change(&mut scenario, value);
        }
        scenario
    }

    /// The seed of a unit.
    pub fn seed(&self, unit: Unit) -> u64 {
        self.seed_at(unit.seed as usize)
    }

    /// The seed at a place.
    pub(crate) fn seed_at(&self, place: usize) -> u64 {
        self.seeds.seed(self.first_seed, place)
    }

    /// The points of the first picture, which are run before all others.
    pub fn coarse_points(&self) -> &[usize] {
        let (order, coarse) = &self.order;
        order.get(..*coarse).unwrap_or(order)
    }

    /// How many seeds the first picture has, and how many all points have.
    pub fn first_seeds(&self) -> (usize, usize) {
        let all = self.looks.seeds().first().copied().unwrap_or(1);
        (all.min(SEEDS_EARLY), all)
    }

    /// The metric of each goal, in their order, with its limit.
    pub fn goal_limits(&self) -> impl Iterator<Item = (&'static MetricInfo, Limit)> {
        self.goals.iter().map(|goal| (goal.metric, goal.limit))
    }

    /// Each axis with its value at a point.
    pub fn values(&self, point: u32) -> impl Iterator<Item = (&Axis, &str)> {
        let places = self.grid.places(point as usize);
        self.axes.iter().zip(places).filter_map(|(axis, place)| Some((axis, axis.values.get(place)?.text.as_str())))
    }

    /// All that decides a unit's run; `None` if the study has no such policy.
    pub fn inputs(&self, unit: Unit, with_seed: impl Fn(u64) -> Scenario) -> Option<Inputs> {
        Some(Inputs { policy: self.policy(unit)?, scenario: self.scenario(unit, with_seed) })
    }

    /// The key of a unit's run.
    pub fn key(&self, unit: Unit, with_seed: impl Fn(u64) -> Scenario) -> Option<Key> {
        Some(self.inputs(unit, with_seed)?.key())
    }

    /// Runs a unit to its end.
    pub fn run(&self, unit: Unit, with_seed: impl Fn(u64) -> Scenario) -> Outcome {
        let no_policy = || Outcome::Failed { message: "there is no such policy in the study".into() };
        self.inputs(unit, with_seed).map_or_else(no_policy, |inputs| inputs.outcome())
    }
}

fn confidence_each(policies: usize) -> f64 {
    1.0 - (1.0 - CONFIDENCE) / policies.max(1) as f64
}

fn too_large() -> String {
    format!("at most {POINTS_MAX} points: vary less at a time, or take larger steps")
}

/// The axis of the question: that which is named, or the first where goals are there.
fn find(spec: &Spec, axes: &[Axis]) -> Result<Option<usize>, StudyError> {
    let Some(find) = &spec.find else {
        return Ok((!spec.goals.is_empty() && axes.first().is_some_and(Axis::is_of_numbers)).then_some(0));
    };
    let rule = "one of the axes, with numbers for values";
    let found = axes.iter().position(|axis| axis.key == find.axis() && axis.is_of_numbers());
    if spec.goals.is_empty() {
        let wanted = if matches!(find, Find::Largest(_)) { "largest" } else { "smallest" };
        let rule = format!("at least one goal for the {wanted} value to meet");
        return Err(StudyError::new("goals", "an empty list", rule));
    }
    let place = if matches!(find, Find::Largest(_)) { "find.largest" } else { "find.smallest" };
    found.map(Some).ok_or_else(|| StudyError::new(place, find.axis(), rule))
}
