//! What a policy decided about at a time of its run.

use elastiplan_engine::Step;
use elastiplan_model::Workload;
use elastiplan_policies::PolicySpec;
use elastiplan_policies::decision::{Decision, Program, ProgramError};
use elastiplan_scenario::Scenario;
use thiserror::Error;

use crate::StartError;
use crate::runs::start;

/// Why there is no decision to be shown.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DecisionError {
    /// The run cannot be made, or fails before.
    #[error(transparent)]
    Run(#[from] StartError),
    /// There is nothing to be written down.
    #[error("{0} does not decide by a program: bftrainer, modelarts and elastic-dp do")]
    NoProgram(PolicySpec),
    /// This one cannot be written down.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// It was not asked before that time, or nobody was there.
    #[error("nothing was decided until {time_s} s: the run begins at {start_s} s")]
    NoneYet {
        /// When.
        time_s: f64,
        /// When the first job is submitted.
        start_s: f64,
    },
}

/// [`decision_at`] as a program, by counts or node by node, headed by policy and time.
pub fn program_at(
    scenario: &Scenario,
    workload: &Workload,
    policy: &PolicySpec,
    time_s: f64,
    node_by_node: bool,
) -> Result<(Decision, Program), DecisionError> {
    let decision = decision_at(scenario, workload, policy, time_s)?;
    let mut program = decision.program(node_by_node)?;
    program.about.insert(0, format!("{policy}, decision at {} s", decision.time_s));
    Ok((decision, program))
}

/// The last decision until a time, in seconds on the clock of the trace: that which holds then. The run is made anew up
/// to there. Decisions about nobody do not count.
pub fn decision_at(
    scenario: &Scenario,
    workload: &Workload,
    policy: &PolicySpec,
    time_s: f64,
) -> Result<Decision, DecisionError> {
    let seed = scenario.conditions.seed;
    let keeping = |policy: &PolicySpec| policy.build_keeping_decisions(seed);
    keeping(policy).ok_or_else(|| DecisionError::NoProgram(policy.clone()))?;
    let mut simulation = start(scenario, workload, policy, &|policy| keeping(policy).or_else(|| policy.build(seed)))?;
    while simulation.next_s().is_some_and(|next_s| next_s <= time_s) {
        if simulation.step().map_err(StartError::from)? == Step::Finished {
            break;
        }
    }
    let none_yet = DecisionError::NoneYet { time_s, start_s: workload.trace().start_s() };
    Decision::last_of(&simulation).cloned().ok_or(none_yet)
}
