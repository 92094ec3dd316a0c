//! `elastiplan simulate`: policies on a trace, side by side.

use std::path::PathBuf;

use clap::Args;
use elastiplan_policies::PolicySpec;

use crate::figures::Figures;
use crate::inputs::{Inputs, Read};
use crate::output::{Format, Results, tell};
use crate::questions::Questions;
use crate::{CommandError, output};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    /// A policy, as `elastiplan policies` lists them; the first is what the others are compared to.
    #[arg(long = "policy", value_name = "SPEC", required = true)]
    policies: Vec<PolicySpec>,
    /// How to print the metrics.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    questions: Questions,
    /// Write tables and runs.elastiplan, which `elastiplan show` reads, to this folder; where the jobs are of sacct or in
    /// the Standard Workload Format, the jobs of each run as such a log, too.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    figures: Figures,
}

pub fn simulate(arguments: &Arguments) -> Result<(), CommandError> {
    let Read { scenario, workload, diagnostics, dialect } = arguments.inputs.read(&arguments.policies)?;
    if arguments.format != Format::Json || workload.jobs().is_empty() {
        tell(&diagnostics);
    }
    let uses_records = arguments.out.is_some() || arguments.figures.folder.is_some() || arguments.questions.is_any();
    let run_all = if uses_records { output::run_all } else { output::run_for_metrics };
    let runs = run_all(&scenario, &workload, &arguments.policies)?;
    let name = arguments.inputs.name();
    let (runs, workload, scenario) = (&runs, &workload, &scenario);
    let results = Results { name: &name, scenario, runs, workload, diagnostics: &diagnostics };
    if let Some(folder) = &arguments.out {
        results.write(folder)?;
        if let Some(dialect) = dialect {
            results.write_in_dialect(folder, dialect)?;
        }
    }
    results.present(&arguments.figures, &arguments.questions, arguments.format)
}
