//! The decision of [`choose_counts`](crate::choose_counts) as a mixed-integer program, with all its constraints in
//! sight: for whoever wants to read it, or to hand it to a solver.
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
mod lp;

pub use by_count::by_count;
pub use by_node::{PAIRS_MAX, by_node};
pub use instance::{Instance, Trainer};

use thiserror::Error;

/// A program with its optimum: find values of the variables that keep all constraints and make the objective greatest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// What it decides, and who is who: a line each.
    pub about: Vec<String>,
    /// The sum that is to be greatest.
    pub objective: Vec<Term>,
    /// What the objective is, and which equation of the paper.
    pub objective_says: &'static str,
    /// What must hold, by the equation from which it is.
    pub sections: Vec<Section>,
    /// What is to be found.
    pub variables: Vec<Variable>,
}

/// Constraints of one kind: one equation of the paper.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The number of the equation; of several, all of them.
    pub equation: &'static str,
    /// What it says, in words.
    pub says: &'static str,
    /// Where it is not as printed: what is otherwise, and why. Empty where it is.
    pub otherwise: &'static str,
    /// One or more for each Trainer, or for each node.
    pub constraints: Vec<Constraint>,
}

/// A sum that is to be at most, at least or exactly a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// Its name in the program.
    pub name: String,
    /// The sum.
    pub terms: Vec<Term>,
    /// How it is to compare.
    pub sense: Sense,
    /// The number.
    pub right: f64,
}

/// So many times a variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// How many times.
    pub factor: f64,
    /// The place of the variable in [`Program::variables`].
    pub variable: usize,
}

/// How a sum compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// It is not more.
    AtMost,
    /// It is not less.
    AtLeast,
    /// It is the same.
    Exactly,
}

/// One thing to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name in the program.
    pub name: String,
    /// What values it takes.
    pub kind: Kind,
    /// Its value in the optimum.
    pub value: f64,
}

/// What values a variable takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 0 or 1.
    Binary,
    /// Any number from 0 on.
    Positive,
    /// Any number.
    Free,
}

/// Why a decision cannot be written as a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// There is nothing to decide.
    #[error("there is no Trainer to decide about")]
    Nobody,
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

impl Program {
    /// The objective in the optimum.
    pub fn optimum(&self) -> f64 {
        self.sum(&self.objective)
    }

    /// What a sum comes to in the optimum.
    pub fn sum(&self, terms: &[Term]) -> f64 {
        let value =
            |term: &Term| self.variables.get(term.variable).map_or(0.0, |variable| term.factor * variable.value);
        terms.iter().map(value).sum()
    }

    /// The variable's name; empty for one that is not there.
    pub fn name_of(&self, term: &Term) -> &str {
        self.variables.get(term.variable).map_or("", |variable| &variable.name)
    }

    fn add(&mut self, name: String, kind: Kind, value: f64) -> usize {
        self.variables.push(Variable { name, kind, value });
        self.variables.len() - 1
    }

    /// Nothing is added without constraints.
    fn section(
        &mut self,
        equation: &'static str,
        says: &'static str,
        otherwise: &'static str,
        constraints: Vec<Constraint>,
    ) {
        if !constraints.is_empty() {
            self.sections.push(Section { equation, says, otherwise, constraints });
        }
    }
}

impl Constraint {
    fn new(name: String, terms: impl IntoIterator<Item = (f64, usize)>, sense: Sense, right: f64) -> Self {
        let terms = terms.into_iter().filter(|(factor, _)| *factor != 0.0);
        Self { name, terms: terms.map(|(factor, variable)| Term { factor, variable }).collect(), sense, right }
    }
}
