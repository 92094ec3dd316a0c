//! Points at which goals cannot be judged: runs failed, or a metric has no value; and goals that no run can have a value
//! for, which is known before any is made.

use elastiplan_metrics::MetricInfo;
use elastiplan_scenario::Scenario;

use crate::results::sample;
use crate::schedule::SEEDS_EARLY;
use crate::{Outcome, Results, Study, StudyError};

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
        self.goals.iter().enumerate().try_for_each(|(at, goal)| {
            let instead = match goal.metric.key {
                "deadline_satisfactory_ratio" | "deadline_ratio_bound" if !any_job(&scenarios, true) => {
                    "Use jobs with deadlines (a column deadline_s, or a best-effort share below 1), or another goal"
                }
                "best_effort_avg_jct_s" if !any_job(&scenarios, true) || !any_job(&scenarios, false) => {
                    "Use jobs of which some have a deadline and some have none, or another goal"
                }
                "cost_dollars" if !self.has_prices(&scenarios) => "Set a price per GPU-hour, or another goal",
                _ => return Ok(()),
            };
            let why = match goal.metric.key {
                "best_effort_avg_jct_s" if any_job(&scenarios, true) => "every job has a deadline",
                "best_effort_avg_jct_s" => "no job has a deadline",
                _ => goal.metric.reason_absent(),
            };
            let rule = format!("a goal for these jobs: {why}. {instead}");
            Err(StudyError::new(format!("goals[{at}]"), goal.metric.label.to_lowercase(), rule))
        })
    }

    fn has_prices(&self, scenarios: &[Scenario]) -> bool {
        let is_priced = |scenario: &Scenario| {
            let conditions = &scenario.conditions;
            conditions.price_per_gpu_hour.is_some() || conditions.prices.is_some() || conditions.cloud.is_some()
        };
        let varies_prices = self.axes.iter().any(|axis| axis.key.contains("price") || axis.key.contains("cloud"));
        varies_prices || scenarios.iter().any(is_priced)
    }
}

/// Whether some job has a deadline, or none.
fn any_job(scenarios: &[Scenario], has_deadline: bool) -> bool {
    let mut jobs = scenarios.iter().flat_map(|scenario| scenario.trace.jobs());
    jobs.any(|job| job.deadline_s.is_some() == has_deadline)
}
