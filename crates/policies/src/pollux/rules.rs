//! Rules that the paper and its published simulator do not share.

use elastiplan_engine::{JobView, View};
use elastiplan_solvers::fit::FitRules;
use elastiplan_solvers::goodput::BatchSearch;
use elastiplan_solvers::placement_search::{Breeding, Mean, Restart};

use super::agent::{Agent, AgentRules};

/// How allocations are rated and searched.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    pub agents: AgentRules,
    /// Operators of the genetic search.
    pub breeding: Breeding,
    /// The mean of speed-ups that is to be largest.
    pub mean: Mean,
    /// Lambda in eq. 16.
    pub weight_decay: f64,
    /// The speed of a job that counts as a speed-up of 1, in a cluster of so many jobs.
    pub base_speed: fn(&Agent, &View<'_>, &JobView<'_>, usize) -> f64,
    /// What a change takes from a job's speed-up, with the penalty that was set.
    pub restart: fn(&View<'_>, &JobView<'_>, f64) -> Restart,
}

impl Rules {
    /// The rules of the paper, with the mean of this power.
    pub fn of_paper(power: f64, weight_decay: f64) -> Self {
        Self {
            agents: PAPER,
            breeding: Breeding::Paper,
            mean: if power > 0.0 { Mean { power, offset: 0.0 } } else { Mean { power, ..Mean::HARMONIC } },
            weight_decay,
            base_speed: |agent, view, job, _| {
                agent.speed(job, view, job.bound.gpus_min, 1, &PAPER) / f64::from(job.bound.gpus_min)
            },
            restart: |_, job, penalty| Restart { factor: 1.0, minus: if job.started { penalty } else { 0.0 } },
        }
    }
}

const PAPER: AgentRules = AgentRules { fit: FitRules::PAPER, search: BatchSearch::GoldenSection };
