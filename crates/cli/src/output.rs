//! What the commands that compare policies have in common: running, printing, writing.

use std::path::Path;

use clap::ValueEnum;
use elastiplan_documents::record;
use elastiplan_formats::Dialect;
use elastiplan_metrics::{Bounds, Metrics};
use elastiplan_model::{Diagnostic, Place, Severity, Workload};
use elastiplan_planner::{PolicyResult, PolicyRun, StartError, in_dialect, run, tables, trace_events};
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
    if workload.jobs().is_empty() {
        let law = match scenario.conditions.law {
            None => ". Add curves, or assume a law for jobs that say how long they take: --law amdahl:0.05",
            Some(_) => "",
        };
        return Err(CommandError::Input(format!("No job can run: none has a throughput curve that fits{law}")));
    }
    let runs: Result<_, StartError> = policies.iter().map(|policy| run(scenario, workload, policy)).collect();
    runs.map_err(|error| CommandError::Output(error.to_string()))
}

/// The most GPUs that the cluster of any run has: a fork may add some.
pub fn gpus_most(scenario: &Scenario, runs: &[PolicyRun]) -> u32 {
    runs.iter().map(|run| run.run.gpus_total).fold(scenario.cluster.gpus_total(), u32::max)
}

/// Prints findings to stderr.
pub fn tell(diagnostics: &[Diagnostic]) {
    lines(diagnostics).iter().for_each(|line| eprintln!("{line}"));
}

/// A line for each finding. Columns that a file does not have are told in one, and so are columns of which the same is
/// to be said.
fn lines(diagnostics: &[Diagnostic]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut told: Vec<&Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        if told.contains(&diagnostic) {
            continue;
        }
        let alike = |is_alike: fn(&Diagnostic, &Diagnostic) -> bool| -> Vec<&Diagnostic> {
            diagnostics.iter().filter(|other| is_alike(diagnostic, other)).collect()
        };
        let (missing, same) = (alike(are_missing_columns), alike(say_the_same));
        let line = match (missing.len() > 1, same.len() > 1) {
            (true, _) => missing_columns(&missing),
            (false, true) => of_columns(diagnostic, &same).to_string(),
            (false, false) => diagnostic.to_string(),
        };
        told.extend(if missing.len() > 1 { missing } else { same });
        let word = match diagnostic.severity {
            Severity::Info => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        lines.push(format!("{word}: {line}"));
    }
    lines
}

/// The column that the file of a finding does not have, if that is what it says.
fn missing_column(diagnostic: &Diagnostic) -> Option<&str> {
    let column = diagnostic.place.column.as_deref()?;
    let is_missing = diagnostic.severity == Severity::Info && diagnostic.rule == format!("No {column} column");
    is_missing.then_some(column)
}

/// Whether both findings are about columns that a file does not have.
fn are_missing_columns(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.place.file == other.place.file && missing_column(one).is_some() && missing_column(other).is_some()
}

/// Whether two findings differ in their column at most.
fn say_the_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    let in_same_column = |finding: &Diagnostic| Diagnostic {
        place: Place { column: one.place.column.clone(), ..finding.place.clone() },
        ..finding.clone()
    };
    one.place.column.is_some() && other.place.column.is_some() && in_same_column(other) == *one
}

/// A finding about several columns: `columns 16, 32 and 64`.
fn of_columns(finding: &Diagnostic, alike: &[&Diagnostic]) -> Diagnostic {
    let columns: Vec<&str> = alike.iter().filter_map(|other| other.place.column.as_deref()).collect();
    finding.clone().in_column(format!("columns {}", words::list(&columns)))
}

/// `jobs.csv has no columns gpus_min (1 is used) and user (jobs cannot be grouped by user). Add a column to say
/// otherwise`.
fn missing_columns(findings: &[&Diagnostic]) -> String {
    let file = findings.first().and_then(|finding| finding.place.file.as_deref()).unwrap_or("The file");
    let column = |finding: &&Diagnostic| {
        let mut letters = finding.outcome.chars();
        let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
        format!("{} ({first}{})", missing_column(finding).unwrap_or_default(), letters.as_str())
    };
    let columns: Vec<String> = findings.iter().map(column).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    // Some formats have no such columns, and say so.
    let mut repairs = findings.iter().map(|finding| finding.repair.as_str());
    let repair = repairs.next().filter(|first| repairs.all(|other| other == *first) && *first != ADD_THE_COLUMN);
    format!("{file} has no columns {}. {}", words::list(&columns), repair.unwrap_or("Add a column to say otherwise"))
}

/// The advice about one column of a plain file.
const ADD_THE_COLUMN: &str = "Add the column to say otherwise";

/// Names the file whose rows a finding counts: a scenario knows rows, but not where they came from.
pub fn in_file(mut finding: Diagnostic, jobs: &str) -> Diagnostic {
    finding.place.file.get_or_insert_with(|| jobs.to_string());
    finding
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(column: &str, rule: &str, outcome: &str, repair: &str) -> Diagnostic {
        Diagnostic::new(Severity::Info, rule, outcome, repair).in_file("x.csv").in_column(column)
    }

    fn check(findings: &[Diagnostic], expected: &[&str]) {
        assert_eq!(lines(findings), expected);
    }

    #[test]
    fn missing_columns_are_one_line_with_the_advice_of_their_format() {
        let missing =
            |column: &str, used: &str, repair: &str| finding(column, &format!("No {column} column"), used, repair);
        let of_format = "The format has none; the plain format does";
        check(
            &[missing("gpus_min", "1 is used", ADD_THE_COLUMN), missing("user", "Jobs have no user", ADD_THE_COLUMN)],
            &[
                "note: x.csv has no columns gpus_min (1 is used) and user (jobs have no user). Add a column to say otherwise",
            ],
        );
        check(
            &[missing("gpus_min", "1 is used", of_format), missing("gpus_max", "All are used", of_format)],
            &[
                "note: x.csv has no columns gpus_min (1 is used) and gpus_max (all are used). The format has none; the plain format does",
            ],
        );
        check(
            &[missing("user", "Jobs have no user", ADD_THE_COLUMN)],
            &["note: x.csv, user. No user column. Jobs have no user. Add the column to say otherwise"],
        );
    }

    #[test]
    fn columns_of_which_the_same_is_said_are_one_line() {
        let zero = |column: &str| finding(column, "Above 0", "Left out", "Fill it in");
        check(
            &[zero("16"), finding("8", "Above 0", "Used", "Fill it in"), zero("32"), zero("64")],
            &[
                "note: x.csv, columns 16, 32 and 64. Above 0. Left out. Fill it in",
                "note: x.csv, 8. Above 0. Used. Fill it in",
            ],
        );
        // Another finding in a column that was told is told too.
        check(
            &[zero("16"), zero("32"), finding("32", "Below 9", "Used", "Look")],
            &["note: x.csv, columns 16 and 32. Above 0. Left out. Fill it in", "note: x.csv, 32. Below 9. Used. Look"],
        );
    }
}
