//! `elastiplan program`: a decision as the mixed-integer program that it solves.

use clap::Args;
use elastiplan_planner::{DecisionError, program_at};
use elastiplan_policies::PolicySpec;

use crate::inputs::{Inputs, Read};
use crate::output::tell;
use crate::{CommandError, print};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    /// The policy: bftrainer, modelarts or elastic-dp, with or without parameters.
    #[arg(long, value_name = "SPEC", default_value = "bftrainer")]
    policy: PolicySpec,
    /// Which decision: the last one until this time, on the clock of the trace.
    #[arg(long, value_name = "SECONDS")]
    at: f64,
    /// Of bftrainer: node by node, as the paper has it, for up to 1000 pairs of a job and a GPU; else by numbers of GPUs.
    #[arg(long)]
    by_node: bool,
}

pub fn program(arguments: &Arguments) -> Result<(), CommandError> {
    let Arguments { inputs, policy, at, by_node } = arguments;
    let Read { scenario, workload, diagnostics, .. } = inputs.read(std::slice::from_ref(policy))?;
    tell(&diagnostics);
    let found = program_at(&scenario, &workload, policy, *at, *by_node).map_err(|error| match error {
        DecisionError::Run(error) => CommandError::Output(error.to_string()),
        error => CommandError::Usage(error.to_string()),
    });
    print(&found?.1.to_lp())
}
