//! `spot`: GPUs at prices that change; every job by its deadline at the least cost, or as much as possible for a
//! budget.
//!
//! IBM elastic scaling (Saxena et al., section VII) plans "to support spot pricing models to optimize the cost of job
//! execution" and says no more. The rest is our own; docs/fidelity.md lists the choices.
//!
//! `goal=deadline`: each job buys its remaining work at the least expected cost ([`elastiplan_solvers::purchase`]). A
//! price is known until it changes next, and `foresight_h` hours ahead; beyond that the mean of what is known is
//! expected. Jobs without a deadline are due `patience_h` hours after submission. Plans do not know each other: where
//! jobs request more GPUs than there are, the earliest deadline comes first. A job that cannot be in time any more runs
//! as fast as it can. A running job keeps its GPUs unless a change saves more than it costs.
//!
//! `goal=budget`: as many GPUs as `budget_per_h` dollars an hour buy at the price of now, divided so that the sum of
//! throughput scaling factors is greatest, as in `elastic-dp`. Jobs start in order of submission while their minima
//! fit; when the price rises, the last ones are suspended. A job that the budget will never buy is dropped.
//!
//! It decides at events and when the price changes. In a scenario without prices a GPU costs a dollar an hour, always.
//!
//! ```text
//! 4 GPUs, for 4 s at 2 dollars and then at 1; a has 8 samples to process in 10 s, one a second on each GPU
//! goal=deadline, foresight_h=1    a ....44
//! goal=budget, budget_per_h=4     a 2222
//! ```

mod budget;
mod deadline;
mod market;

use elastiplan_engine::{Action, JobView, OnLoss, Policy, View};
use elastiplan_model::{KnownPrices, Prices};

use crate::parameters::{Entry, Parameter, Parameters};
use crate::shared::arrivals::Arrivals;
use crate::shared::gpus_limit::GPUS_LIMIT;
use budget::Budget;
use deadline::Deadlines;

const HOUR_S: f64 = 3600.0;

const GOAL: Parameter = Parameter::choice(
    "goal",
    "Every job by its deadline at the least cost, or as much as possible for a budget",
    &["deadline", "budget"],
);
const BUDGET_PER_H: Parameter = Parameter::number("budget_per_h", "For goal=budget: dollars an hour", 50.0, 0.01..=1e9);
const FORESIGHT_H: Parameter =
    Parameter::number("foresight_h", "For goal=deadline: hours ahead for which prices are known", 0.0, 0.0..=8760.0);
const PATIENCE_H: Parameter = Parameter::number(
    "patience_h",
    "For goal=deadline: hours after submission in which a job without a deadline is to be done",
    24.0,
    0.0..=8760.0,
);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "spot",
    summary: "GPUs at prices that change: the least cost by the deadline, or the most for a budget",
    source: "IBM elastic scaling, section VII, which only plans it",
    is_elastic: true,
    parameters: &[GOAL, BUDGET_PER_H, FORESIGHT_H, PATIENCE_H, GPUS_LIMIT],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let gpus_max = parameters.limit(&GPUS_LIMIT);
    let goal = match parameters.choice(&GOAL).as_str() {
        "budget" => Goal::Budget(Budget::new(parameters.number(&BUDGET_PER_H), gpus_max)),
        _ => Goal::Deadline(Deadlines {
            foresight_s: parameters.number(&FORESIGHT_H) * HOUR_S,
            patience_s: parameters.number(&PATIENCE_H) * HOUR_S,
            gpus_max,
        }),
    };
    Box::new(Spot { goal, arrivals: Arrivals::default(), no_prices: Prices::unit() })
}

#[derive(Clone)]
struct Spot {
    goal: Goal,
    arrivals: Arrivals,
    /// The prices of a scenario without prices.
    no_prices: Prices,
}

#[derive(Clone)]
enum Goal {
    Deadline(Deadlines),
    Budget(Budget),
}

impl Spot {
    fn prices<'a>(&'a self, view: &View<'a>) -> KnownPrices<'a> {
        let foresight_s = match &self.goal {
            Goal::Deadline(deadlines) => deadlines.foresight_s,
            Goal::Budget(_) => 0.0,
        };
        let none = || KnownPrices::new(&self.no_prices, view.first_submit_s(), view.time_s(), 0.0);
        view.prices(foresight_s).unwrap_or_else(none)
    }
}

impl Policy for Spot {
    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        let prices = self.prices(view);
        Some(match &self.goal {
            Goal::Deadline(deadlines) => deadlines.explain(view, job, &prices),
            Goal::Budget(budget) => budget.explain(job, prices.now()),
        })
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        self.arrivals.admit(view, |job| job.bound.gpus_min, actions);
        if let Goal::Budget(budget) = &mut self.goal {
            budget.observe(view);
        }
        let prices = self.prices(view);
        actions.extend(prices.next_change_s().map(|time_s| Action::WakeAt { time_s }));
        match &self.goal {
            Goal::Deadline(deadlines) => deadlines.decide(view, &prices, actions),
            Goal::Budget(budget) => budget.decide(view, &prices, actions),
        }
    }
}

/// The most GPUs that a job may get.
fn most_of(job: &JobView<'_>, gpus_max: u32) -> u32 {
    job.bound.gpus_max.min(gpus_max).max(job.bound.gpus_min)
}

/// Whether the cluster can have enough GPUs for a job.
fn can_run(view: &View<'_>, job: &JobView<'_>) -> bool {
    job.bound.gpus_min <= view.gpus_most()
}
