//! `elastiplan show`: a record that was written before, without simulating.

use std::path::PathBuf;

use clap::Args;
use elastiplan_documents::record;

use crate::CommandError;
use crate::figures::Figures;
use crate::output::{Format, Results, tell};
use crate::questions::Questions;

#[derive(Args)]
pub struct Arguments {
    /// A record that `simulate --out` or `run --out` wrote, or the folder that it is in.
    #[arg(value_name = "FILE|DIR")]
    path: PathBuf,
    /// How to print the metrics.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    questions: Questions,
    #[command(flatten)]
    figures: Figures,
}

pub fn show(arguments: &Arguments) -> Result<(), CommandError> {
    let given = &arguments.path;
    let path = if given.is_dir() { given.join(record::FILE_NAME) } else { given.clone() };
    let unusable = |error: &dyn std::error::Error| CommandError::Input(format!("{}: {error}", path.display()));
    let bytes = std::fs::read(&path).map_err(|error| unusable(&error))?;
    let record = record::read(&bytes).map_err(|error| unusable(&error))?;
    let (workload, diagnostics) = record.scenario.workload();
    if arguments.format != Format::Json {
        tell(&diagnostics);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (runs, workload, scenario) = (&record.runs, &workload, &record.scenario);
    let results = Results { name: &name, scenario, runs, workload, diagnostics: &diagnostics };
    results.present(&arguments.figures, &arguments.questions, arguments.format)
}
