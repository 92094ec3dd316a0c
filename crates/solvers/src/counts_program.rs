//! The decision of [`choose_counts`](crate::choose_counts) as a mixed-integer program, with all its constraints in
//! sight: to be read, or to be passed to a solver.
//!
//! Nothing here is solved. A [`Program`] is plain data, every variable with its value in the optimum that
//! `choose_counts` finds, and [`Program::to_lp`] writes it in the LP format of CPLEX, which Gurobi, HiGHS, CBC and SCIP
//! read. There are two of them, with one optimum:
//!
//! - [`by_count`]: a binary for each number of nodes that a Trainer could have. What it gains is part of its value.
//! - [`by_node`]: that of the paper (Liu et al., "BFTrainer: Low-Cost Training of Neural Networks on Unfillable
//!   Supercomputer Nodes", section 3), a binary for each Trainer and node, mended where the print is wrong.
//!
//! ```
//! use elastiplan_solvers::counts_program::{Instance, Trainer, by_count};
//!
//! let change_s = vec![0.0, 30.0, 30.0];
//! let trainer = Trainer { name: "a".into(), holds: vec![], gains: vec![0.0, 1.0, 1.8], change_s };
//! let instance = Instance { t_fwd_s: 100.0, nodes: vec!["n0".into(), "n1".into()], trainers: vec![trainer] };
//! let program = by_count(&instance)?;
//! assert_eq!(program.optimum(), 180.0);
//! assert!(program.to_lp().contains("one_1: y_1_0 + y_1_1 + y_1_2 = 1"));
//! # Ok::<(), elastiplan_solvers::counts_program::ProgramError>(())
//! ```

mod by_count;
mod by_node;
mod instance;

pub use by_count::by_count;
pub use by_node::{PAIRS_MAX, by_node};
pub use instance::{Instance, Trainer};

use thiserror::Error;

pub use crate::program::{Constraint, Kind, Program, Section, Sense, Term, Variable};

/// The reason why a decision cannot be written as a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// There is nothing to decide.
    #[error("there is no Trainer to decide about")]
    NoJobs,
    /// A program of this size is not read, and hardly solved.
    #[error("{trainers} Trainers on {nodes} nodes are too many to write node by node: at most {PAIRS_MAX} pairs")]
    TooLarge {
        /// How many Trainers.
        trainers: usize,
        /// How many nodes.
        nodes: usize,
    },
    /// The paper knows one R_up and one R_dw for a Trainer.
    #[error("what a change costs {0} depends on how many nodes it has afterwards: the paper's program cannot say that")]
    Costs(String),
    /// The paper knows one smallest and one largest number of nodes for a Trainer.
    #[error("{0} runs on some numbers of nodes, but not on all in between: the paper's program cannot say that")]
    Gaps(String),
    /// A node that is held by two Trainers, or is none.
    #[error("{0} holds a node that is not there, or is another's")]
    Holds(String),
    /// A name that cannot be part of a variable's.
    #[error("a node is called {0:?}: it takes letters, digits and underscores, and each name once")]
    NodeName(String),
}
