//! Choose how many units each job holds in each of the next few steps, so that the progress of all is greatest: the
//! rolling horizon of ModelArts.
//!
//! Hu et al., "An Optimal Resource Allocator of Elastic Training for Deep Learning Jobs on Cloud", section 4. A job
//! that holds `n` units in a step does so much of its work, until all of it is done; every job holds one of its numbers
//! of units in every step, also when it is done. What is greatest is the share of its work that a job has done, summed
//! up over jobs and steps (eq. 1). The paper hands that to CBC as a program with a variable for each job, step and
//! number; here it is solved by duality:
//!
//! 1. A job that cannot be done within the horizon makes the same progress whenever it holds the same. All such jobs
//!    together are a function: the most progress in a step on so many units ([`free`]).
//! 2. The others choose plans, a number of units for each step. At a price for the units of each step, the best plan of
//!    each is found by itself ([`plans`]). The prices at which plans and function together gain least over the value of
//!    all units are an upper bound ([`prices`]).
//! 3. What any choice lies below that bound is a sum: what each plan lies below the best one of its job, and the price
//!    of units left over. All choices that lose less than a budget are gone through, job by job, and the budget is
//!    raised until there is one: it is the best ([`search`]). Where that would take too many, only the most promising
//!    are followed, and the bound says how much better the best could be.
//!
//! ```
//! use elastiplan_solvers::horizon::{self, Demand, StepOption};
//!
//! // 4 units, 2 steps; on 1, 2 and 4 units so much work is done in a step. The second job has twice as much to do.
//! let options = [(1, 1.0), (2, 1.6), (4, 2.56)].map(|(units, work)| StepOption { units, work });
//! let jobs = [3.0, 6.0].map(|work| Demand { work, options: &options });
//! let best = horizon::plan(&jobs, 4, 2, horizon::WORK_CAP);
//! assert_eq!(best.units, [[2, 2], [2, 2]]);
//! assert_eq!(best.value, 1.6 / 3.0 + 1.0 + 1.6 / 6.0 + 3.2 / 6.0);
//! ```

mod free;
mod master;
mod plans;
mod prices;
mod round;
mod search;

use free::Free;
use plans::{Job, Jobs};
use search::Found;

/// The most steps of a horizon.
pub const STEPS_MAX: usize = 8;

/// The most units that are looked at.
pub const UNITS_MAX: u32 = 1 << 20;

/// Choices that are gone through before the search turns to the most promising ones: what takes about a tenth of a
/// second.
pub const WORK_CAP: u64 = 300_000;

/// What rounding leaves of sums of shares that are around 1, however small their difference is.
const ROUNDING: f64 = 1e-13;

/// A number of units that a job may hold, with the work that it does on them in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepOption {
    /// Units.
    pub units: u32,
    /// Work done in a step, in any unit.
    pub work: f64,
}

/// The work of a job, and the units that it may hold.
#[derive(Clone, Copy, Debug)]
pub struct Demand<'a> {
    /// Work left, in the unit of the options. What is not above 0, or no number, counts as done: it makes the progress
    /// of a job that is done, and holds its least.
    pub work: f64,
    /// Rising in units and in work; one that is not above those before it is not looked at. The first is what it holds
    /// at least; without any it holds nothing.
    pub options: &'a [StepOption],
}

impl Demand<'_> {
    /// The share of the work that is done on this in a step; an infinite share of infinite work counts as none.
    fn share(&self, option: &StepOption) -> f64 {
        let share = if self.work > 0.0 { option.work / self.work } else { 1.0 };
        if share > 0.0 { share.min(1.0) } else { 0.0 }
    }
}

/// A plan for all jobs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HorizonPlan {
    /// Units by job and step.
    pub units: Vec<Vec<u32>>,
    /// The sum of the shares of work done, over jobs and steps.
    pub value: f64,
    /// No plan is worth more than this.
    pub bound: f64,
}

impl HorizonPlan {
    /// By how much the best could be better, as a share of the bound; what rounding leaves counts as 0.
    pub fn gap(&self) -> f64 {
        let better = self.bound - self.value;
        if better > 1e-9 * self.bound + ROUNDING { better / self.bound } else { 0.0 }
    }

    /// Whether no plan is better.
    pub fn is_optimal(&self) -> bool {
        self.gap() == 0.0
    }
}

/// The best plan for the next `steps` steps (from 1 to [`STEPS_MAX`]; fewer count as 1, and more are not looked at)
/// with `units` units (up to [`UNITS_MAX`]; more are not looked at either).
///
/// Jobs whose least units no longer fit hold none, from the first such job on in the order given. After `work_cap`
/// choices ([`WORK_CAP`]) the best plan found so far is returned; its bound says how good it is.
pub fn plan(jobs: &[Demand<'_>], units: u32, steps: usize, work_cap: u64) -> HorizonPlan {
    let steps = steps.clamp(1, STEPS_MAX);
    let units = units.min(most(jobs)).min(UNITS_MAX);
    let (fitting, spare) = fitting(jobs, units);
    let all: Vec<Job> = jobs.iter().take(fitting).map(|job| Job::new(job, steps, spare)).collect();
    let (unending, ending): (Vec<usize>, Vec<usize>) = (0..fitting).partition(|job| match all.get(*job) {
        Some(job) => !job.ends(),
        None => true,
    });
    let pick = |places: &[usize]| places.iter().filter_map(|job| all.get(*job).cloned()).collect::<Vec<_>>();
    let (free, ending_jobs) = (Free::new(&pick(&unending), units), Jobs::new(pick(&ending)));
    let prices = prices::find(&ending_jobs, &free, units, steps);
    let Found { plans, loss_least } = search::search(&ending_jobs, &free, &prices, units, work_cap);

    let mut chosen = vec![vec![0; steps]; jobs.len()];
    let mut used = vec![0u32; steps];
    for (job, plan) in ending.iter().zip(&plans) {
        used.iter_mut().zip(plan).for_each(|(used, units)| *used += units);
        if let Some(chosen) = chosen.get_mut(*job) {
            chosen.clone_from(plan);
        }
    }
    for (step, used) in used.iter().enumerate() {
        for (job, units) in unending.iter().zip(free.divide(units.saturating_sub(*used))) {
            if let Some(chosen) = chosen.get_mut(*job).and_then(|job| job.get_mut(step)) {
                *chosen = units;
            }
        }
    }
    let value: f64 = all.iter().zip(&chosen).map(|(job, units)| job.value(units)).sum();
    HorizonPlan { units: chosen, value, bound: (prices.bound - loss_least).max(value) }
}

/// The most units that the jobs could hold together: more are not needed, and tables would be longer.
fn most(jobs: &[Demand<'_>]) -> u32 {
    let most = |job: &Demand<'_>| job.options.iter().map(|option| option.units).max().unwrap_or(0);
    jobs.iter().fold(0, |sum, job| sum.saturating_add(most(job)))
}

/// How many of the jobs, from the first on, fit with what they hold at least; and how many units are left then.
pub(crate) fn fitting(jobs: &[Demand<'_>], units: u32) -> (usize, u32) {
    let mut left = units;
    let least = |job: &Demand<'_>| job.options.first().map_or(0, |option| option.units);
    let fits = |job: &&Demand<'_>| left.checked_sub(least(job)).inspect(|rest| left = *rest).is_some();
    let fitting = jobs.iter().take_while(fits).count();
    (fitting, left)
}
