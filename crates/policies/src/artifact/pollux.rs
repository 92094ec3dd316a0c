//! `pollux[artifact=true]`: the rules of the published simulator.
//!
//! The fair share of a job is always on one node, jobs keep their weight, and a restart takes a factor from the
//! speed-up that falls with the restarts that a job has had.

use elastiplan_engine::{JobView, View};
use elastiplan_solvers::fit::FitRules;
use elastiplan_solvers::goodput::BatchSearch;
use elastiplan_solvers::placement_search::{Breeding, Mean, Restart};

use crate::pollux::agent::{Agent, AgentRules};
use crate::pollux::rules::Rules;

/// The duration of a restart that the simulator reckons with.
const RESTART_DURATION_S: f64 = 30.0;

const AGENTS: AgentRules = AgentRules { fit: FitRules::ARTIFACT, search: BatchSearch::Grid };

/// The rules of the published simulator.
pub(crate) const RULES: Rules = Rules {
    agents: AGENTS,
    breeding: Breeding::Artifact,
    mean: Mean::HARMONIC,
    weight_decay: 0.0,
    base_speed,
    restart,
};

fn base_speed(agent: &Agent, view: &View<'_>, job: &JobView<'_>, jobs: usize) -> f64 {
    let share = view.gpus_total().div_ceil(jobs.max(1) as u32).max(1);
    let scale = f64::from(view.gpus_total()) / f64::from(view.nodes().max(1));
    agent.speed(job, view, share, 1, &AGENTS) * scale
}

fn restart(view: &View<'_>, job: &JobView<'_>, _: f64) -> Restart {
    let age_s = view.time_s() - job.job.submit_s;
    let restarts_s = RESTART_DURATION_S * f64::from(job.rescales());
    Restart { factor: (age_s - restarts_s).max(0.0) / (age_s + RESTART_DURATION_S), minus: 0.0 }
}
