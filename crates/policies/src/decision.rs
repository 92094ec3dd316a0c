//! Decisions as mathematical programs, of the policies that solve one: `bftrainer`, `modelarts` and `elastic-dp`.
//!
//! [`PolicySpec::build_keeping_decisions`](crate::PolicySpec::build_keeping_decisions) builds such a policy so that it
//! keeps the instance of its last decision; [`Decision::last_of`] reads it from the simulation.

use std::any::Any;

use elastiplan_engine::Simulation;
use elastiplan_model::JobId;
pub use elastiplan_solvers::counts_program::Program;
use elastiplan_solvers::{counts_program, division_program, horizon_program};
use thiserror::Error;

use crate::parameters::Parameters;

/// The instance of one decision, before it was solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// When, in seconds on the clock of the trace.
    pub time_s: f64,
    /// The numbers of the program. A GPU is a node of the paper.
    pub instance: Instance,
    /// The jobs that take part, with the GPUs that they held.
    pub jobs: Vec<(JobId, u32)>,
}

/// The numbers of a program, by what is chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum Instance {
    /// A number of nodes for each Trainer: BFTrainer.
    Counts(counts_program::Instance),
    /// A number of nodes for each job and step: ModelArts.
    Horizon(horizon_program::Instance),
    /// A number of GPUs for each job: IBM's optimizer.
    Division(division_program::Instance),
}

/// A decision that cannot be written as a program.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ProgramError {
    /// One of BFTrainer's.
    #[error(transparent)]
    Counts(#[from] counts_program::ProgramError),
    /// One of ModelArts'.
    #[error(transparent)]
    Horizon(#[from] horizon_program::ProgramError),
    /// One of IBM's.
    #[error(transparent)]
    Division(#[from] division_program::ProgramError),
}

/// The last decision of a policy, if the policy was built to keep it.
#[derive(Clone)]
pub(crate) struct LastDecision {
    is_kept: bool,
    last: Option<Decision>,
}

impl LastDecision {
    pub fn new(parameters: &Parameters) -> Self {
        Self { is_kept: parameters.keeps_decisions, last: None }
    }

    /// Whether the policy is to call [`Self::keep`]; an instance takes time to write down.
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Keeps a decision, unless no job takes part.
    pub fn keep(&mut self, decision: Decision) {
        if !decision.jobs.is_empty() {
            self.last = Some(decision);
        }
    }

    /// The value of [`Policy::last_decision`](elastiplan_engine::Policy::last_decision).
    pub fn get(&self) -> Option<&dyn Any> {
        self.last.as_ref().map(|last| last as &dyn Any)
    }
}

impl Decision {
    /// The last decision in which jobs took part, if the policy of the simulation keeps it.
    pub fn last_of<'s>(simulation: &'s Simulation<'_>) -> Option<&'s Self> {
        simulation.last_decision()?.downcast_ref()
    }

    /// Writes the decision as a program: of BFTrainer's over counts, or as in the paper, node by node; of ModelArts' as
    /// in the paper; of IBM's with the table of the dynamic program.
    pub fn program(&self, node_by_node: bool) -> Result<Program, ProgramError> {
        Ok(match &self.instance {
            Instance::Counts(instance) if node_by_node => counts_program::by_node(instance)?,
            Instance::Counts(instance) => counts_program::by_count(instance)?,
            Instance::Horizon(instance) => horizon_program::by_step(instance)?,
            Instance::Division(instance) => division_program::by_count(instance)?,
        })
    }

    /// The optimal value, and the GPUs of each job in the first step.
    pub fn best(&self) -> (f64, Vec<u32>) {
        match &self.instance {
            Instance::Counts(instance) => {
                let best = instance.best();
                (best.value, best.units)
            }
            Instance::Horizon(instance) => {
                let best = instance.best();
                (best.value, best.units.iter().map(|steps| steps.first().copied().unwrap_or(0)).collect())
            }
            Instance::Division(instance) => {
                let best = instance.best().unwrap_or_default();
                (best.value, best.units)
            }
        }
    }
}
