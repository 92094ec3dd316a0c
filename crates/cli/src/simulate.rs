//! `elastiplan simulate`: policies on a trace, side by side.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use elastiplan_formats::{FileRole, Import};
use elastiplan_metrics::Metrics;
use elastiplan_model::{Cluster, Diagnostic, Severity, Workload};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::{PolicyRun, Scenario, StartError, WhatIf, run, tables};
use serde::Serialize;

use crate::{CommandError, files, print, table};

#[derive(Args)]
pub struct Arguments {
    /// The job trace.
    #[arg(long, value_name = "FILE")]
    jobs: PathBuf,
    /// Throughput curves: a file, or a folder with all its files. May be given several times.
    #[arg(long, value_name = "PATH", required = true)]
    curves: Vec<PathBuf>,
    /// Nodes in the cluster.
    #[arg(long)]
    nodes: u32,
    /// GPUs in each node.
    #[arg(long)]
    gpus_per_node: u32,
    /// A policy, as `elastiplan policies` lists them; the first is what the others are compared to.
    #[arg(long = "policy", value_name = "SPEC", required = true)]
    policies: Vec<PolicySpec>,
    /// For policies that draw random numbers.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Seconds without progress when a running job's GPUs change or a preempted one resumes.
    #[arg(long, value_name = "SECONDS", default_value_t = WhatIf::default().rescale_cost_s)]
    rescale_cost_s: f64,
    /// Jobs arrive this many times as fast.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    arrival_rate: f64,
    /// The time from submission to deadline, times this.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    deadline_slack: f64,
    /// How to print the metrics.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Write jobs.csv, spans.csv and series.csv to this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a person.
    Table,
    /// Metrics and diagnostics, for other programs.
    Json,
    /// One row a policy.
    Csv,
}

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    runs: Vec<DocumentRun<'a>>,
    diagnostics: &'a [Diagnostic],
}

#[derive(Serialize)]
struct DocumentRun<'a> {
    policy: String,
    digest: &'a str,
    metrics: &'a Metrics,
}

impl<'a> DocumentRun<'a> {
    fn of(run: &'a PolicyRun) -> Self {
        Self { policy: run.policy.to_string(), digest: &run.digest, metrics: &run.summary.metrics }
    }
}

pub fn simulate(arguments: &Arguments) -> Result<(), CommandError> {
    let cluster = Cluster::new(arguments.nodes, arguments.gpus_per_node);
    let cluster = cluster.map_err(|error| CommandError::Usage(error.to_string()))?;
    let what_if = WhatIf {
        rescale_cost_s: arguments.rescale_cost_s,
        arrival_rate: arguments.arrival_rate,
        deadline_slack: arguments.deadline_slack,
        seed: arguments.seed,
    };
    what_if.validate().map_err(|error| CommandError::Usage(error.to_string()))?;

    let (scenario, mut diagnostics) = read(arguments, cluster, what_if)?;
    let (workload, found) = scenario.workload();
    diagnostics.extend(found.into_iter().map(|finding| in_file(finding, &arguments.jobs)));
    if arguments.format != Format::Json || workload.jobs().is_empty() {
        tell(&diagnostics);
    }
    if workload.jobs().is_empty() {
        return Err(CommandError::Input("No job can run: none has a throughput curve that fits".into()));
    }
    let runs: Result<Vec<PolicyRun>, StartError> =
        arguments.policies.iter().map(|policy| run(&scenario, &workload, policy)).collect();
    let runs = runs.map_err(|error| CommandError::Output(error.to_string()))?;
    if let Some(folder) = &arguments.out {
        write_tables(folder, &runs, &workload)?;
    }
    print(&match arguments.format {
        Format::Table => table::comparison(&runs) + &table::bounds(&workload, cluster.gpus_total()),
        Format::Csv => String::from_utf8_lossy(&tables::metrics(&runs)).into_owned(),
        Format::Json => json(&runs, &diagnostics)?,
    })
}

/// Names the file whose rows a finding counts: a scenario knows rows, but not where they came from.
fn in_file(mut finding: Diagnostic, jobs: &Path) -> Diagnostic {
    finding.place.file.get_or_insert_with(|| jobs.display().to_string());
    finding
}

fn tell(diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        let word = match diagnostic.severity {
            Severity::Info => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        eprintln!("{word}: {diagnostic}");
    }
}

/// The jobs of `--jobs` with the curves of `--curves`. A file that holds the other kind is named, not guessed at.
fn read(arguments: &Arguments, cluster: Cluster, what_if: WhatIf) -> Result<(Scenario, Vec<Diagnostic>), CommandError> {
    let jobs = files::import(std::slice::from_ref(&arguments.jobs))?;
    let curves = files::import(&arguments.curves)?;
    let mut diagnostics = jobs.diagnostics.clone();
    diagnostics.extend(curves.diagnostics.clone());
    let unusable = |found: &Import, wanted: &str| {
        tell(&found.diagnostics);
        let files: Vec<String> = found.files.iter().map(|file| format!("{file}")).collect();
        CommandError::Input(format!("No {wanted} in {}", files.join("; ")))
    };
    let Some(trace) = jobs.trace.clone().filter(|trace| !trace.jobs().is_empty()) else {
        return Err(unusable(&jobs, "job trace"));
    };
    if curves.curves.is_empty() {
        return Err(unusable(&curves, "throughput curves"));
    }
    for file in curves.files.iter().filter(|file| file.kind.role() == FileRole::Jobs) {
        eprintln!("warning: {}: a job trace among the curves is not used", file.path);
    }
    Ok((Scenario { what_if, ..Scenario::new(trace, curves.curves, cluster) }, diagnostics))
}

fn json(runs: &[PolicyRun], diagnostics: &[Diagnostic]) -> Result<String, CommandError> {
    let document = Document { version: 1, runs: runs.iter().map(DocumentRun::of).collect(), diagnostics };
    let text = serde_json::to_string_pretty(&document).map_err(|error| CommandError::Output(error.to_string()))?;
    Ok(text + "\n")
}

fn write_tables(folder: &Path, runs: &[PolicyRun], workload: &Workload) -> Result<(), CommandError> {
    let tables = [
        ("jobs.csv", tables::jobs(runs, workload)),
        ("spans.csv", tables::spans(runs, workload.trace())),
        ("series.csv", tables::series(runs)),
    ];
    files::write_all(folder, &tables)
}
