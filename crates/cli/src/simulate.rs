//! `elastiplan simulate`: policies on a trace, side by side.

use std::path::PathBuf;

use clap::Args;
use elastiplan_formats::Import;
use elastiplan_model::{Availability, Cluster, Curves, Diagnostic, Trace};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Scenario;

use crate::files::{self, without};
use crate::options::Options;
use crate::output::{Format, Shown, in_file, tell};
use crate::questions::Questions;
use crate::{CommandError, output, print};

#[derive(Args)]
pub struct Arguments {
    /// The job trace.
    #[arg(long, value_name = "FILE")]
    jobs: PathBuf,
    /// Throughput curves: a file, or a folder with all its files. May be given several times.
    #[arg(long, value_name = "PATH", required = true)]
    curves: Vec<PathBuf>,
    /// Nodes that are always there. May be left out where an availability log is given.
    #[arg(long, required_unless_present = "availability", requires = "gpus_per_node")]
    nodes: Option<u32>,
    /// When which nodes are there: they come in addition to --nodes.
    #[arg(long, value_name = "FILE")]
    availability: Option<PathBuf>,
    /// GPUs in each node. 1 if it is left out where only an availability log is given, as such a log counts nodes.
    #[arg(long, required_unless_present = "availability")]
    gpus_per_node: Option<u32>,
    /// A policy, as `elastiplan policies` lists them; the first is what the others are compared to.
    #[arg(long = "policy", value_name = "SPEC", required = true)]
    policies: Vec<PolicySpec>,
    #[command(flatten)]
    options: Options,
    /// How to print the metrics.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    questions: Questions,
    /// Write tables and runs.elastiplan, which `elastiplan show` reads, to this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn simulate(arguments: &Arguments) -> Result<(), CommandError> {
    let usage = |error: &dyn std::error::Error| CommandError::Usage(error.to_string());
    arguments.options.what_if().validate().map_err(|error| usage(&error))?;
    if arguments.availability.is_none() {
        arguments.cluster(0)?;
    }
    let (scenario, mut diagnostics) = read(arguments)?;
    scenario.validate().map_err(|error| usage(&error))?;
    diagnostics.extend(scenario.advice(&arguments.policies));
    let (workload, found) = scenario.workload();
    let jobs = arguments.jobs.display().to_string();
    diagnostics.extend(found.into_iter().map(|finding| in_file(finding, &jobs)));
    if arguments.format != Format::Json || workload.jobs().is_empty() {
        tell(&diagnostics);
    }
    let runs = output::run_all(&scenario, &workload, &arguments.policies)?;
    if let Some(folder) = &arguments.out {
        output::write_results(folder, &scenario, &workload, &runs)?;
    }
    if let Some(answers) = arguments.questions.answers(&runs, &workload)? {
        return print(&answers);
    }
    let shown = Shown { runs: &runs, workload: &workload, cluster: scenario.cluster, diagnostics: &diagnostics };
    print(&shown.text(arguments.format)?)
}

impl Arguments {
    /// The cluster with the nodes of the log.
    fn cluster(&self, in_log: u32) -> Result<Cluster, CommandError> {
        let nodes = self.nodes.unwrap_or_default().saturating_add(in_log);
        let cluster = Cluster::new(nodes, self.gpus_per_node.unwrap_or(1));
        cluster.map_err(|error| CommandError::Usage(error.to_string()))
    }
}

/// The jobs of `--jobs` with the curves of `--curves`. A file that holds another kind is named, not guessed at.
fn read(arguments: &Arguments) -> Result<(Scenario, Vec<Diagnostic>), CommandError> {
    let mut diagnostics = Vec::new();
    let trace = read_jobs(arguments, &mut diagnostics)?;
    let curves = read_curves(arguments, &mut diagnostics)?;
    let availability = read_availability(arguments, &mut diagnostics)?;
    let cluster = arguments.cluster(availability.as_ref().map_or(0, Availability::nodes))?;
    let (what_if, conditions) = (arguments.options.what_if(), arguments.options.conditions());
    Ok((Scenario { trace, curves, cluster, what_if, availability, conditions }, diagnostics))
}

fn read_jobs(arguments: &Arguments, told: &mut Vec<Diagnostic>) -> Result<Trace, CommandError> {
    let found = import(std::slice::from_ref(&arguments.jobs), told)?;
    let trace = found.trace.clone().filter(|trace| !trace.jobs().is_empty());
    trace.ok_or_else(|| unusable(&found, "job trace"))
}

fn read_curves(arguments: &Arguments, told: &mut Vec<Diagnostic>) -> Result<Curves, CommandError> {
    let found = import(&arguments.curves, told)?;
    if found.curves.is_empty() {
        return Err(unusable(&found, "throughput curves"));
    }
    for file in files::of_another_kind(&found) {
        eprintln!("warning: {}: a job trace among the curves is not used", file.path);
    }
    Ok(found.curves)
}

fn read_availability(arguments: &Arguments, told: &mut Vec<Diagnostic>) -> Result<Option<Availability>, CommandError> {
    let Some(path) = &arguments.availability else { return Ok(None) };
    let found = import(std::slice::from_ref(path), told)?;
    found.availability.clone().map(Some).ok_or_else(|| unusable(&found, "availability log"))
}

fn import(paths: &[PathBuf], told: &mut Vec<Diagnostic>) -> Result<Import, CommandError> {
    let found = files::import(paths)?;
    told.extend(found.diagnostics.iter().cloned());
    Ok(found)
}

fn unusable(found: &Import, wanted: &str) -> CommandError {
    tell(&found.diagnostics);
    without(found, wanted)
}
