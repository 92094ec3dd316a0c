//! What the commands that compare policies have in common: running, printing, writing.

use std::path::Path;

use clap::ValueEnum;
use elastiplan_documents::record;
use elastiplan_metrics::{Bounds, Metrics};
use elastiplan_model::{Diagnostic, Place, Severity, Workload};
use elastiplan_planner::{PolicyResult, PolicyRun, StartError, run, tables};
use elastiplan_policies::PolicySpec;
use elastiplan_present::paper::Paper;
use elastiplan_scenario::Scenario;
use elastiplan_text::words;
use serde::Serialize;

use crate::figures::Figures;
use crate::questions::Questions;
use crate::table::{self, Column};
use crate::{CommandError, files, print};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person.
    Table,
    /// Metrics and diagnostics, for other programs.
    Json,
    /// One row a run.
    Csv,
}

/// Runs of a scenario with everything that their output names.
pub struct Results<'a> {
    /// The name of the scenario.
    pub name: &'a str,
    pub scenario: &'a Scenario,
    pub runs: &'a [PolicyRun],
    pub workload: &'a Workload,
    pub diagnostics: &'a [Diagnostic],
}

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    runs: Vec<DocumentRun<'a>>,
    diagnostics: &'a [Diagnostic],
}

/// One run in a document.
#[derive(Serialize)]
pub struct DocumentRun<'a> {
    policy: &'a PolicySpec,
    digest: &'a str,
    metrics: &'a Metrics,
}

impl<'a> From<&'a PolicyResult> for DocumentRun<'a> {
    fn from(result: &'a PolicyResult) -> Self {
        Self { policy: &result.policy, digest: &result.digest, metrics: &result.summary.metrics }
    }
}

impl<'a> Results<'a> {
    /// Writes figures where a folder is given, and prints answers to questions, or metrics where nothing is asked.
    pub fn present(&self, figures: &Figures, questions: &Questions, format: Format) -> Result<(), CommandError> {
        if let Some(folder) = &figures.folder {
            self.write_figures(folder, &Paper::default(), questions.job(self.workload)?)?;
        }
        match questions.answers(self.runs, self.workload)? {
            Some(answers) => print(&answers),
            None => print(&self.text(format)?),
        }
    }

    /// Writes every table and the record to a folder.
    pub fn write(&self, folder: &Path) -> Result<(), CommandError> {
        files::write_all(folder, &tables::all(self.runs, self.workload))?;
        let record = record::write(self.scenario, self.runs);
        let record = record.map_err(|error| CommandError::Output(error.to_string()))?;
        files::write_all(folder, &[(record::FILE_NAME, record)])
    }

    fn text(&self, format: Format) -> Result<String, CommandError> {
        Ok(match format {
            Format::Table => {
                let column = |run: &'a PolicyRun| Column::new(run.policy.to_string(), [&run.summary]);
                let columns: Vec<Column<'_>> = self.runs.iter().map(column).collect();
                let bounds = Bounds::of(self.workload, self.scenario.cluster.gpus_total());
                table::comparison(&columns, table::terminal_width())
                    + &bounds.as_ref().map(table::bounds).unwrap_or_default()
            }
            Format::Csv => String::from_utf8_lossy(&tables::metrics(self.runs)).into_owned(),
            Format::Json => self.json()?,
        })
    }

    fn json(&self) -> Result<String, CommandError> {
        let results: Vec<PolicyResult> = self.runs.iter().map(PolicyResult::from).collect();
        let runs = results.iter().map(DocumentRun::from).collect();
        json(&Document { version: 1, runs, diagnostics: self.diagnostics })
    }
}

/// A document as text.
pub fn json(document: &impl Serialize) -> Result<String, CommandError> {
    let text = serde_json::to_string_pretty(document).map_err(|error| CommandError::Output(error.to_string()))?;
    Ok(text + "\n")
}

/// Runs every policy to its end.
pub fn run_all(
    scenario: &Scenario,
    workload: &Workload,
    policies: &[PolicySpec],
) -> Result<Vec<PolicyRun>, CommandError> {
    if workload.jobs().is_empty() {
        return Err(CommandError::Input("No job can run: none has a throughput curve that fits".into()));
    }
    let runs: Result<_, StartError> = policies.iter().map(|policy| run(scenario, workload, policy)).collect();
    runs.map_err(|error| CommandError::Output(error.to_string()))
}

/// Prints findings to stderr. Columns that a file does not have are told in one line.
pub fn tell(diagnostics: &[Diagnostic]) {
    let mut told: Vec<&Place> = Vec::new();
    for diagnostic in diagnostics {
        if told.contains(&&diagnostic.place) {
            continue;
        }
        let alike: Vec<&Diagnostic> = diagnostics.iter().filter(|other| is_alike(diagnostic, other)).collect();
        if alike.len() > 1 {
            told.extend(alike.iter().map(|other| &other.place));
            eprintln!("note: {}", missing_columns(&alike));
            continue;
        }
        let word = match diagnostic.severity {
            Severity::Info => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        eprintln!("{word}: {diagnostic}");
    }
}

/// The column that the file of a finding does not have, if that is what it says.
fn missing_column(diagnostic: &Diagnostic) -> Option<&str> {
    let column = diagnostic.place.column.as_deref()?;
    let is_missing = diagnostic.severity == Severity::Info && diagnostic.rule == format!("No {column} column");
    is_missing.then_some(column)
}

/// Whether both findings are about columns that a file does not have.
fn is_alike(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.place.file == other.place.file && missing_column(one).is_some() && missing_column(other).is_some()
}

/// `jobs.csv has no gpus_min (1 is used), no user (jobs cannot be grouped by user)`.
fn missing_columns(findings: &[&Diagnostic]) -> String {
    let file = findings.first().and_then(|finding| finding.place.file.as_deref()).unwrap_or("The file");
    let column = |finding: &&Diagnostic| {
        let mut letters = finding.outcome.chars();
        let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
        format!("{} ({first}{})", missing_column(finding).unwrap_or_default(), letters.as_str())
    };
    let columns: Vec<String> = findings.iter().map(column).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    format!("{file} has no columns {}. Add a column to say otherwise", words::list(&columns))
}

/// Names the file whose rows a finding counts: a scenario knows rows, but not where they came from.
pub fn in_file(mut finding: Diagnostic, jobs: &str) -> Diagnostic {
    finding.place.file.get_or_insert_with(|| jobs.to_string());
    finding
}
