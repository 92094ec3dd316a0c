//! `elastiplan show`: a record that was written before, without simulating.

use std::path::PathBuf;

use clap::Args;
use elastiplan_documents::record;
use elastiplan_present::paper::Paper;

use crate::figures::{Drawn, Figures};
use crate::output::{Format, Shown, tell};
use crate::questions::Questions;
use crate::{CommandError, print};

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
    if let Some(folder) = &arguments.figures.folder {
        let (name, scenario) = (path.file_name().unwrap_or_default().to_string_lossy(), &record.scenario);
        let (paper, job) = (Paper::default(), arguments.questions.job(&workload)?);
        let (runs, workload) = (&record.runs, &workload);
        Drawn { name: &name, scenario, workload, runs, paper: &paper, job }.write(folder)?;
    }
    if let Some(answers) = arguments.questions.answers(&record.runs, &workload)? {
        return print(&answers);
    }
    let cluster = record.scenario.cluster;
    let shown = Shown { runs: &record.runs, workload: &workload, cluster, diagnostics: &diagnostics };
    print(&shown.text(arguments.format)?)
}
