//! Points at which goals cannot be judged: runs failed, or a metric has no value; and goals that no run can have a value
//! for, which is known before any is made.

use elastiplan_metrics::MetricInfo;
use elastiplan_scenario::{Conditions, Scenario};

use crate::results::sample;
use crate::schedule::SEEDS_EARLY;
use crate::{Goal, Outcome, Results, Study, StudyError};

/// Why goals cannot be judged at a point.
#[derive(Clone)]
pub enum Gap {
    /// Runs failed.
    Failed {
        /// How many.
        runs: usize,
        /// Of how many.
        of: usize,
        /// The reason that the first of them gives.
        message: String,
    },
    /// The metric of a goal has no value.
    NoValue {
        /// The metric of the first such goal.
        metric: &'static MetricInfo,
        /// In how many runs.
        runs: usize,
        /// Of how many.
        of: usize,
    },
}

impl Study {
    /// Why goals cannot be judged for a policy at a point; `None` where they can, or no run is there.
    pub fn gap(&self, results: &Results, point: u32, policy: u32) -> Option<Gap> {
        let outcomes = self.outcomes_of_point(results, point, policy);
        let of = outcomes.len();
        let mut messages = outcomes.iter().filter_map(|outcome| match outcome {
            Outcome::Failed { message } => Some(message),
            Outcome::Ended { .. } => None,
        });
        if let Some(message) = messages.next() {
            return Some(Gap::Failed { runs: 1 + messages.count(), of, message: message.clone() });
        }
        let without = |metric| sample(&outcomes, metric).values.iter().filter(|value| value.is_none()).count();
        let mut goals = self.goals.iter().map(|goal| (goal.metric, without(goal.metric)));
        goals.find(|(_, runs)| *runs > 0).map(|(metric, runs)| Gap::NoValue { metric, runs, of })
    }

    /// Checks that each goal's metric has a value in some run: no job of a recorded trace without deadlines meets one.
    /// `with_seed` gives the scenario of a seed, with the jobs that are drawn by it.
    pub fn check_goals(&self, with_seed: impl Fn(u64) -> Scenario) -> Result<(), StudyError> {
        let seeds = 0..self.seeds.most().min(SEEDS_EARLY);
        let scenarios: Vec<Scenario> = seeds.map(|place| with_seed(self.seed_at(place))).collect();
        scenarios.first().map_or(Ok(()), |first| self.check_prices(&first.conditions))?;
        self.goals.iter().enumerate().try_for_each(|(at, goal)| {
            let (why, instead) = match goal.metric.key {
                "deadline_satisfactory_ratio" | "deadline_ratio_bound" if !any_job(&scenarios, true) => (
                    goal.metric.reason_absent(),
                    "Use jobs with deadlines (a column deadline_s, or a best-effort share below 1), or another goal",
                ),
                "best_effort_avg_jct_s" if !any_job(&scenarios, true) => ("no job has a deadline", SOME_WITH_DEADLINES),
                "best_effort_avg_jct_s" if !any_job(&scenarios, false) => {
                    ("every job has a deadline", SOME_WITH_DEADLINES)
                }
                _ => return Ok(()),
            };
            Err(fault(at, goal, why, instead))
        })
    }

    /// Checks that goals about costs have prices, which no seed draws.
    pub fn check_prices(&self, conditions: &Conditions) -> Result<(), StudyError> {
        let is_varied = self.axes.iter().any(|axis| axis.key.contains("price") || axis.key.contains("cloud"));
        let is_set =
            conditions.price_per_gpu_hour.is_some() || conditions.prices.is_some() || conditions.cloud.is_some();
        let of_costs = self.goals.iter().enumerate().find(|(_, goal)| goal.metric.key == "cost_dollars");
        match of_costs.filter(|_| !is_varied && !is_set) {
            Some((at, goal)) => {
                Err(fault(at, goal, goal.metric.reason_absent(), "Set a price per GPU-hour, or another goal"))
            }
            None => Ok(()),
        }
    }
}

const SOME_WITH_DEADLINES: &str = "Use jobs of which some have a deadline and some have none, or another goal";

/// The error of a goal, by its place in the list: why no run can have a value for it, and what to do.
fn fault(at: usize, goal: &Goal, why: &str, instead: &str) -> StudyError {
    let rule = format!("a goal for these jobs: {why}. {instead}");
    StudyError::new(format!("goals[{at}]"), goal.metric.label.to_lowercase(), rule)
}

/// Whether some job has a deadline, or none.
fn any_job(scenarios: &[Scenario], has_deadline: bool) -> bool {
    let mut jobs = scenarios.iter().flat_map(|scenario| scenario.trace.jobs());
    jobs.any(|job| job.deadline_s.is_some() == has_deadline)
}
