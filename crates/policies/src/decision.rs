//! What a policy that solves a program decides about, for whoever wants to look at it: `bftrainer`, `modelarts` and
//! `elastic-dp`.

use std::cell::RefCell;
use std::rc::Rc;

use elastiplan_model::JobId;
pub use elastiplan_solvers::counts_program::Program;
use elastiplan_solvers::{counts_program, division_program, horizon_program};
use thiserror::Error;

/// One decision, as it stood before it was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// When, in seconds on the clock of the trace.
    pub time_s: f64,
    /// What it was about. A GPU is a node of the paper.
    pub instance: Instance,
    /// The jobs that it was about, with the GPUs that they held.
    pub jobs: Vec<(JobId, u32)>,
}

/// What is decided about, by what is chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum Instance {
    /// A number of nodes for each Trainer: BFTrainer.
    Counts(counts_program::Instance),
    /// A number of nodes for each job and step: ModelArts.
    Horizon(horizon_program::Instance),
    /// A number of GPUs for each job: IBM's optimizer.
    Division(division_program::Instance),
}

/// Why a decision cannot be written as a program.
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

/// Where a policy that is watched leaves its last decision.
pub type DecisionShared = Rc<RefCell<Option<Decision>>>;

impl Decision {
    /// As a program: of BFTrainer's over counts, or as in the paper, node by node; of ModelArts' as in the paper; of
    /// IBM's with the table of the dynamic program.
    pub fn program(&self, node_by_node: bool) -> Result<Program, ProgramError> {
        Ok(match &self.instance {
            Instance::Counts(instance) if node_by_node => counts_program::by_node(instance)?,
            Instance::Counts(instance) => counts_program::by_count(instance)?,
            Instance::Horizon(instance) => horizon_program::by_step(instance)?,
            Instance::Division(instance) => division_program::by_count(instance)?,
        })
    }

    /// What it is worth, and the GPUs that each of the jobs gets.
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
