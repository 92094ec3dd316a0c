//! The decision of [`allocate`] as an integer program, and as the table of the dynamic program: for
//! readers, or for a solver.
//!
//! Saxena et al., "Effective Elastic Scaling of Deep Learning Workloads", section III-C. The paper says that "a mixed
//! integer program can be formulated" and does not print it; the table is that of eq. 4 and Algorithm 1. Nothing here
//! is solved but for the table: every variable has its value in the division that `allocate` finds.
//!
//! ```
//! use elastiplan_solvers::division_program::{Instance, Job, by_count};
//!
//! let job = |name: &str, values: [f64; 2]| Job { name: name.into(), minimum: 1, values: values.to_vec() };
//! let instance = Instance { units: 3, jobs: vec![job("a", [1.0, 1.9]), job("b", [1.0, 1.3])] };
//! let program = by_count(&instance)?;
//! assert_eq!(program.optimum(), 2.9);
//! assert!(program.to_lp().contains("c_gpus: x_1_1 + 2 x_1_2 + x_2_1 + 2 x_2_2 <= 3"));
//! assert_eq!(program.picture.last().map(String::as_str), Some(" 2 |    -     -  2.00 [2.90]"));
//! # Ok::<(), elastiplan_solvers::division_program::ProgramError>(())
//! ```

use thiserror::Error;

use crate::program::{Constraint, Program, Sense, Term, without_controls};
use crate::{Allocation, AllocationTable, Bidder, allocate, allocation_table};

/// The most binaries: beyond this it is too long to read.
pub const BINARIES_MAX: usize = 1000;

/// A decision that is to be taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instance {
    /// K: GPUs.
    pub units: u32,
    /// The jobs among which they are divided, in order.
    pub jobs: Vec<Job>,
}

/// The values of GPUs to a job.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Job {
    /// Its name, for readers of the program.
    pub name: String,
    /// The fewest GPUs that it must get.
    pub minimum: u32,
    /// Its scaling factor on so many and on each number above.
    pub values: Vec<f64>,
}

/// The reason why a decision cannot be written as a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// There is nothing to decide.
    #[error("there is no job to decide about")]
    NoJobs,
    /// The autoscaler never asks so.
    #[error("{0} GPUs are fewer than the jobs need together")]
    Infeasible(u32),
    /// A program of this size is not read.
    #[error("{0} choices of a number of GPUs for a job are too many to write down: at most {BINARIES_MAX}")]
    TooLarge(usize),
}

/// The program, with a binary `x_j_g` that is 1 where job `j` gets `g` GPUs. Above it stands the table of the dynamic
/// program, where it is small enough to be looked at.
pub fn by_count(instance: &Instance) -> Result<Program, ProgramError> {
    let best = instance.check()?;
    let mut program = Program {
        about: instance.about(&best),
        picture: instance.table().map(|table| picture(&table)).unwrap_or_default(),
        objective_says: "(3) The sum of the jobs' throughput scaling factors",
        ..Program::default()
    };
    let (mut one_each, mut held) = (Vec::new(), Vec::new());
    for (number, (job, units)) in (1..).zip(instance.jobs.iter().zip(&best.units)) {
        let counts = (job.minimum..).zip(&job.values);
        let first = program.variables.len();
        for (gpus, value) in counts {
            let variable = program.add_binary(format!("x_{number}_{gpus}"), gpus == *units);
            program.objective.push(Term { factor: *value, variable });
            held.push((f64::from(gpus), variable));
        }
        let own = (first..program.variables.len()).map(|variable| (1.0, variable));
        one_each.push(Constraint::new(format!("c_one_{number}"), own, Sense::Exactly, 1.0));
    }
    let gpus = Constraint::new("c_gpus".into(), held, Sense::AtMost, f64::from(instance.units));
    program.section("4", "One number of GPUs for each job", "", one_each);
    program.section("4", "No more GPUs than there are", "", vec![gpus]);
    Ok(program)
}

impl Instance {
    /// The division of which the program has the values; `None` if there is none.
    pub fn best(&self) -> Option<Allocation> {
        allocate(&self.bidders(), self.units)
    }

    /// The table of the dynamic program; `None` if it is too large to be looked at.
    pub fn table(&self) -> Option<AllocationTable> {
        allocation_table(&self.bidders(), self.units)
    }

    fn bidders(&self) -> Vec<Bidder<'_>> {
        self.jobs.iter().map(|job| Bidder { minimum: job.minimum, values: &job.values }).collect()
    }

    /// The division, if it can be written down.
    fn check(&self) -> Result<Allocation, ProgramError> {
        let binaries = self.jobs.iter().map(|job| job.values.len()).sum();
        match binaries {
            0 => Err(ProgramError::NoJobs),
            _ if binaries > BINARIES_MAX => Err(ProgramError::TooLarge(binaries)),
            _ => self.best().ok_or(ProgramError::Infeasible(self.units)),
        }
    }

    /// The meaning of names, as text, and the table.
    fn about(&self, best: &Allocation) -> Vec<String> {
        let mut lines = vec![format!("GPUs: {}", self.units)];
        for (number, (job, units)) in (1..).zip(self.jobs.iter().zip(&best.units)) {
            let name = without_controls(&job.name);
            lines.push(format!("Job {number}: {name}, {} GPUs or more; best on {units}", job.minimum));
        }
        lines.push(format!("Optimum {}", best.value));
        if self.table().is_some() {
            lines.push(TABLE_SAYS.into());
        }
        lines
    }
}

const TABLE_SAYS: &str = "The table of eq. 4, a row for each j and a column for each k: P(j, k) is the most that the \
                          first j jobs are worth on k GPUs; - where they do not fit. In brackets the way back from all \
                          jobs: what k falls by is what job j gets";

/// The table, a row for each number of jobs; in brackets what is traced back.
fn picture(table: &AllocationTable) -> Vec<String> {
    let columns = table.best.first().map_or(0, Vec::len);
    let head: String = (0..columns).map(|units| format!("{units:>5} ")).collect();
    let row = |(jobs, best): (usize, &Vec<Option<f64>>)| {
        let cell = |(units, value): (usize, &Option<f64>)| {
            let text = value.map_or("-".into(), in_four_letters);
            match table.path.contains(&(jobs, units)) {
                true => format!("{:>6}", format!("[{text}]")),
                false => format!("{text:>5} "),
            }
        };
        let cells: String = best.iter().enumerate().map(cell).collect();
        format!("{jobs:>2} |{}", cells.trim_end())
    };
    let head = format!("   |{}", head.trim_end());
    std::iter::once(head).chain(table.best.iter().enumerate().map(row)).collect()
}

/// With as many decimals as there is room for.
fn in_four_letters(value: f64) -> String {
    let decimals = match value {
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}")
}
