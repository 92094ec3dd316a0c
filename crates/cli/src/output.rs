//! What the commands that compare policies have in common: running, printing, writing.

use std::path::Path;

use clap::ValueEnum;
use elastiplan_documents::record;
use elastiplan_formats::Dialect;
use elastiplan_metrics::{Bounds, Metrics};
use elastiplan_model::{Diagnostic, Severity, Workload};
use elastiplan_planner::{PolicyResult, PolicyRun, StartError, in_dialect, run, tables, trace_events};
use elastiplan_policies::PolicySpec;
use elastiplan_present::findings;
use elastiplan_present::paper::Paper;
use elastiplan_scenario::Scenario;
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

    /// Writes every table, the trace events and the record to a folder.
    pub fn write(&self, folder: &Path) -> Result<(), CommandError> {
        files::write_all(folder, &tables::all(self.runs, self.workload))?;
        files::write_all(folder, &[("trace-events.json", trace_events(self.runs, self.workload))])?;
        let record = record::write(self.scenario, self.runs);
        let record = record.map_err(|error| CommandError::Output(error.to_string()))?;
        files::write_all(folder, &[(record::FILE_NAME, record)])
    }

    /// Writes the jobs of each run to a folder as a log of the dialect that they were read in.
    pub fn write_in_dialect(&self, folder: &Path, dialect: Dialect) -> Result<(), CommandError> {
        let ending = match dialect {
            Dialect::Sacct => "sacct.txt",
            Dialect::StandardWorkloadFormat => "swf",
        };
        let file = |(number, run): (usize, &PolicyRun)| {
            let policy = run.policy.to_string();
            let name = policy.split('[').next().unwrap_or_default();
            (format!("jobs-{number}-{name}.{ending}"), in_dialect(dialect, run, self.workload))
        };
        files::write_all(folder, &(1..).zip(self.runs).map(file).collect::<Vec<_>>())
    }

    fn text(&self, format: Format) -> Result<String, CommandError> {
        Ok(match format {
            Format::Table => {
                let column = |run: &'a PolicyRun| Column::new(run.policy.to_string(), [&run.summary]);
                let columns: Vec<Column<'_>> = self.runs.iter().map(column).collect();
                let bounds = Bounds::of(self.workload, gpus_most(self.scenario, self.runs));
                table::comparison(&columns, table::terminal_width())
                    + &bounds.as_ref().map(table::bounds).unwrap_or_default()
            }
            Format::Csv => String::from_utf8_lossy(&tables::metrics(self.runs, self.workload)).into_owned(),
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
    run_each(scenario, workload, policies, |run| run)
}

/// The same where nothing but metrics is asked for: each record is dropped once these are made.
pub fn run_for_metrics(
    scenario: &Scenario,
    workload: &Workload,
    policies: &[PolicySpec],
) -> Result<Vec<PolicyRun>, CommandError> {
    run_each(scenario, workload, policies, PolicyRun::without_record)
}

fn run_each(
    scenario: &Scenario,
    workload: &Workload,
    policies: &[PolicySpec],
    keep: fn(PolicyRun) -> PolicyRun,
) -> Result<Vec<PolicyRun>, CommandError> {
    if workload.jobs().is_empty() {
        let law = match scenario.conditions.law {
            None => ". Add curves, or assume a law for jobs that say how long they take: --law amdahl:0.05",
            Some(_) => "",
        };
        return Err(CommandError::Input(format!("No job can run: none has a throughput curve that fits{law}")));
    }
    let runs: Result<_, StartError> = policies.iter().map(|policy| run(scenario, workload, policy).map(keep)).collect();
    runs.map_err(|error| CommandError::Output(error.to_string()))
}

/// The most GPUs that the cluster of any run has: a fork may add some.
pub fn gpus_most(scenario: &Scenario, runs: &[PolicyRun]) -> u32 {
    runs.iter().map(|run| run.run.gpus_total).fold(scenario.cluster.gpus_total(), u32::max)
}

/// Prints findings to stderr.
pub fn tell(diagnostics: &[Diagnostic]) {
    for (severity, line) in findings::lines(diagnostics) {
        let word = match severity {
            Severity::Info => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        eprintln!("{word}: {line}");
    }
}

/// Names the file whose rows a finding counts: a scenario knows rows, but not where they came from.
pub fn in_file(mut finding: Diagnostic, jobs: &str) -> Diagnostic {
    finding.place.file.get_or_insert_with(|| jobs.to_string());
    finding
}
