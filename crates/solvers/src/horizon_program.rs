//! The decision of [`horizon::plan`] as the mixed-integer program of the paper, with all its constraints in sight: for
//! readers, or for a solver.
//!
//! Hu et al., "An Optimal Resource Allocator of Elastic Training for Deep Learning Jobs on Cloud", section 4.4. Nothing
//! here is solved: every variable has its value in the plan that `horizon::plan` finds.
//!
//! ```
//! use elastiplan_solvers::horizon::StepOption;
//! use elastiplan_solvers::horizon_program::{Instance, Job, by_step};
//!
//! let options = [(1, 1.0), (2, 1.6)].map(|(units, work)| StepOption { units, work }).to_vec();
//! let jobs = vec![Job { name: "a".into(), work: 4.0, options }];
//! let program = by_step(&Instance { units: 2, steps: 2, jobs })?;
//! assert_eq!(program.optimum(), (1.6 + 3.2) / 4.0);
//! assert!(program.to_lp().contains("c18_1_1: dm_1_1_1 + dm_1_1_2 + dp_1_1_1 + dp_1_1_2 = 3"));
//! # Ok::<(), elastiplan_solvers::horizon_program::ProgramError>(())
//! ```

mod rows;

use thiserror::Error;

use crate::horizon::{self, Demand, HorizonPlan, STEPS_MAX, StepOption};
use crate::program::without_controls;
pub use crate::program::{Constraint, Kind, Program, Section, Sense, Term, Variable};
use rows::Row;

/// Pairs of binaries, at most: jobs times steps times numbers of nodes. Beyond this it is too long to read, and a small
/// solver takes minutes.
pub const PAIRS_MAX: usize = 1000;

/// A decision that is to be taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instance {
    /// N: nodes.
    pub units: u32,
    /// Steps to look ahead, from 1 to [`STEPS_MAX`].
    pub steps: usize,
    /// The jobs to decide about, in the order in which they wait.
    pub jobs: Vec<Job>,
}

/// The work of a job, and the nodes that it may hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Job {
    /// Its name, for readers of the program.
    pub name: String,
    /// d_i: work left, above 0.
    pub work: f64,
    /// K, from n_min to n_max, with the work done on so many in a step, p * k * 0.8^(log2 k): rising in both.
    pub options: Vec<StepOption>,
}

/// The reason why a decision cannot be written as a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// There is nothing to decide.
    #[error("there is no job to decide about, or not even the first can hold its least")]
    NoJobs,
    /// The horizon has no length that is planned for.
    #[error("{0} steps are too few or too many: from 1 to {STEPS_MAX}")]
    Steps(usize),
    /// A program of this size is not read, and hardly solved.
    #[error("{0} choices of a number of nodes for a job in a step are too many to write down: at most {PAIRS_MAX}")]
    TooLarge(usize),
    /// The paper divides by it.
    #[error("the work of {0} is no number above 0")]
    Work(String),
    /// The paper knows a set K of numbers, from the fewest to the most.
    #[error("what {0} may hold is nothing, or does not rise")]
    Options(String),
}

const OBJECTIVE: &str = "(1) The share of its work that a job has done, summed up over jobs and steps";
const OTHERWISE_15: &str =
    "jobs whose n_min no longer fits wait and are left out: with them there would be no solution";
const OTHERWISE_16: &str = "M is the job's own n_max. The print says no more than that it is large enough: it must be \
                            n_max - n_min or more, as n differs from k by that much";

/// The program of section 4.4:
///
/// | variable | paper | is |
/// |---|---|---|
/// | `n_i_t` | n_i^t | nodes of job `i` in step `t` |
/// | `s_i_t` | s_i^t | how much of its work is done by the end of the step |
/// | `dm_i_t_k` | delta_{i,k}^{t,-} | 1 if it has at most `k` nodes |
/// | `dp_i_t_k` | delta_{i,k}^{t,+} | 1 if it has at least `k` nodes |
///
/// Constraints are called after the number of their equation, job, step and number of nodes: `c16a_i_t_k`, where `a` is
/// the left one of two that are printed in one line.
pub fn by_step(instance: &Instance) -> Result<Program, ProgramError> {
    instance.check()?;
    let best = instance.best();
    let jobs = instance.jobs.get(..instance.fitting()).unwrap_or_default();
    let mut program = Program { about: instance.about(&best), objective_says: OBJECTIVE, ..Program::default() };
    let rows: Vec<Row<'_>> = (1..)
        .zip(jobs.iter().zip(&best.units))
        .map(|(number, (job, held))| Row::add(&mut program, number, job, held))
        .collect();
    program.objective = rows.iter().flat_map(Row::progress).collect();
    let all = |of: &dyn Fn(&Row<'_>) -> Vec<Constraint>| rows.iter().flat_map(of).collect::<Vec<_>>();
    let pool = |step: usize| {
        let held = rows.iter().filter_map(|row| Some((1.0, row.steps.get(step)?.nodes)));
        Constraint::new(format!("c6_{}", step + 1), held, Sense::AtMost, f64::from(instance.units))
    };
    program.section("2", "No more is done than there is to do", "", all(&|row| row.work()));
    program.section("5", "No more nodes than n_max", "", all(&|row| row.most()));
    program.section("6", "No more nodes than there are", "", (0..instance.steps).map(pool).collect());
    program.section("15", "No fewer nodes than n_min, also when it is done", OTHERWISE_15, all(&|row| row.least()));
    program.section("16", "dm is 1 if n <= k, and 0 if n > k, by 1/M or more", OTHERWISE_16, all(&|row| row.at_most()));
    program.section("17", "dp is 1 if n >= k, and 0 if n < k", "M as in (16)", all(&|row| row.at_least()));
    program.section("18", "One more than there are numbers: n is one of them", "", all(&|row| row.one()));
    program.section("19, 20", "What is done by a step: what was, and what is done on n", "", all(&|row| row.done()));
    Ok(program)
}

impl Instance {
    /// The plan of which the program has the values.
    pub fn best(&self) -> HorizonPlan {
        horizon::plan(&self.demands(), self.units, self.steps, horizon::WORK_CAP)
    }

    fn demands(&self) -> Vec<Demand<'_>> {
        self.jobs.iter().map(|job| Demand { work: job.work, options: &job.options }).collect()
    }

    /// How many of the jobs can hold their least.
    fn fitting(&self) -> usize {
        horizon::fitting(&self.demands(), self.units).0
    }

    /// What makes it no decision at all.
    fn check(&self) -> Result<(), ProgramError> {
        if !(1..=STEPS_MAX).contains(&self.steps) {
            return Err(ProgramError::Steps(self.steps));
        }
        for job in &self.jobs {
            let begins = job.options.first().is_some_and(|option| option.work >= 0.0);
            let rise = |two: &[StepOption]| matches!(two, [a, b] if a.units < b.units && a.work < b.work);
            let is_finite = job.options.last().is_some_and(|option| option.work.is_finite());
            if !(begins && is_finite && job.options.windows(2).all(rise)) {
                return Err(ProgramError::Options(job.name.clone()));
            }
            if !(job.work.is_finite() && job.work > 0.0) {
                return Err(ProgramError::Work(job.name.clone()));
            }
        }
        let fitting = self.jobs.iter().take(self.fitting());
        let pairs = fitting.map(|job| job.options.len().saturating_mul(self.steps)).fold(0, usize::saturating_add);
        match pairs {
            0 => Err(ProgramError::NoJobs),
            _ if pairs > PAIRS_MAX => Err(ProgramError::TooLarge(pairs)),
            _ => Ok(()),
        }
    }

    /// The meaning of names, as text.
    fn about(&self, best: &HorizonPlan) -> Vec<String> {
        let fitting = self.fitting();
        let mut lines = vec![format!("Nodes: {}, steps: {}", self.units, self.steps)];
        for (number, (job, held)) in (1..).zip(self.jobs.iter().zip(&best.units)) {
            let name = without_controls(&job.name);
            let held: Vec<String> = held.iter().map(u32::to_string).collect();
            lines.push(match number <= fitting {
                true => format!("Job {number}: {name}, has {} to do; best on {}", job.work, held.join(", ")),
                false => format!("Job {number}: {name}, waits: there are too few nodes"),
            });
        }
        lines.push(match best.is_optimal() {
            true => format!("Optimum {}", best.value),
            false => format!("Best known {}, the optimum is at most {}", best.value, best.bound),
        });
        lines
    }
}

impl Job {
    fn nodes_min(&self) -> u32 {
        self.options.first().map_or(0, |option| option.units)
    }

    fn nodes_max(&self) -> u32 {
        self.options.last().map_or(0, |option| option.units)
    }
}
