//! The files and options of which a run is made.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use elastiplan_formats::mapping::Mapping;
use elastiplan_formats::{Dialect, FileReport, FileRole, Import};
use elastiplan_model::{Availability, Cluster, Curves, Diagnostic, Trace, Workload};
use elastiplan_planner::advice;
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::{Conditions, Scenario};

use crate::CommandError;
use crate::files;
use crate::options::Options;
use crate::output::{in_file, tell};

#[derive(Args)]
pub struct Inputs {
    /// The job trace.
    #[arg(long, value_name = "FILE")]
    jobs: PathBuf,
    /// How the columns of the job trace are read, where it is of no known format: 'submit_s=start
    /// duration_s=end-start gpus=num_gpus'. `elastiplan inspect` guesses it.
    #[arg(long, value_name = "MAPPING")]
    map: Option<Mapping>,
    /// Throughput curves: a file, or a folder with all its files. May be given several times; may be left out with
    /// --law.
    #[arg(long, value_name = "PATH", required_unless_present = "law")]
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
    #[command(flatten)]
    options: Options,
}

/// What the files and options come to.
pub struct Read {
    pub scenario: Scenario,
    pub workload: Workload,
    pub diagnostics: Vec<Diagnostic>,
    /// The log that the jobs are of, where results can be written as such a log.
    pub dialect: Option<Dialect>,
}

impl Inputs {
    /// Everything that decides a run of these policies, with what there is to be said of it.
    pub fn read(&self, policies: &[PolicySpec]) -> Result<Read, CommandError> {
        if self.availability.is_none() {
            self.cluster(0)?;
        }
        let (scenario, mut diagnostics, dialect) = read(self)?;
        scenario.validate().map_err(|error| CommandError::Usage(error.to_string()))?;
        diagnostics.extend(advice(&scenario, policies));
        let (workload, found) = scenario.workload();
        let jobs = self.jobs.display().to_string();
        diagnostics.extend(found.into_iter().map(|finding| in_file(finding, &jobs)));
        Ok(Read { scenario, workload, diagnostics, dialect })
    }

    /// The name of the scenario: the file of its jobs.
    pub fn name(&self) -> String {
        self.jobs.file_name().unwrap_or(self.jobs.as_os_str()).to_string_lossy().into_owned()
    }

    /// The cluster with the nodes of the log.
    fn cluster(&self, in_log: u32) -> Result<Cluster, CommandError> {
        let nodes = self.nodes.unwrap_or_default().saturating_add(in_log);
        let cluster = Cluster::new(nodes, self.gpus_per_node.unwrap_or(1));
        cluster.map_err(|error| CommandError::Usage(error.to_string()))
    }
}

/// The jobs of `--jobs` with the curves of `--curves`. A file that holds another kind is named, not guessed at.
fn read(inputs: &Inputs) -> Result<(Scenario, Vec<Diagnostic>, Option<Dialect>), CommandError> {
    let mut diagnostics = Vec::new();
    let (trace, dialect) = read_jobs(inputs, &mut diagnostics)?;
    let curves = read_curves(inputs, &mut diagnostics)?;
    let availability = read_availability(inputs, &mut diagnostics)?;
    let cluster = inputs.cluster(availability.as_ref().map_or(0, Availability::nodes))?;
    let availability = availability.map(Arc::new);
    let conditions = Conditions { availability, ..inputs.options.conditions.clone() };
    Ok((Scenario { conditions, ..Scenario::new(trace, curves, cluster) }, diagnostics, dialect))
}

/// The jobs, with the dialect of the file that has them.
fn read_jobs(inputs: &Inputs, diagnostics: &mut Vec<Diagnostic>) -> Result<(Trace, Option<Dialect>), CommandError> {
    let found = files::import_mapped(std::slice::from_ref(&inputs.jobs), inputs.map.as_ref())?;
    diagnostics.extend(found.diagnostics.iter().cloned());
    let trace = found.trace.clone().filter(|trace| !trace.jobs().is_empty());
    let dialect = found.files.iter().find(|file| file.jobs > 0).and_then(FileReport::dialect);
    trace.map(|trace| (trace, dialect)).ok_or_else(|| unusable(&found, "job trace"))
}

fn read_curves(inputs: &Inputs, diagnostics: &mut Vec<Diagnostic>) -> Result<Curves, CommandError> {
    if inputs.curves.is_empty() {
        return Ok(Curves::default());
    }
    let found = import(&inputs.curves, diagnostics)?;
    if found.curves.is_empty() {
        return Err(unusable(&found, "throughput curves"));
    }
    for file in found.files.iter().filter(|file| file.kind.role() == FileRole::Jobs) {
        eprintln!("warning: {}: a job trace among the curves is not used", file.path);
    }
    Ok(found.curves)
}

fn read_availability(inputs: &Inputs, diagnostics: &mut Vec<Diagnostic>) -> Result<Option<Availability>, CommandError> {
    let Some(path) = &inputs.availability else { return Ok(None) };
    let found = import(std::slice::from_ref(path), diagnostics)?;
    found.availability.clone().map(Some).ok_or_else(|| unusable(&found, "availability log"))
}

fn import(paths: &[PathBuf], diagnostics: &mut Vec<Diagnostic>) -> Result<Import, CommandError> {
    let found = files::import(paths)?;
    diagnostics.extend(found.diagnostics.iter().cloned());
    Ok(found)
}

/// Files do not hold what they should.
fn unusable(found: &Import, wanted: &str) -> CommandError {
    tell(&found.diagnostics);
    let files: Vec<String> = found.files.iter().map(ToString::to_string).collect();
    CommandError::Input(format!("No {wanted} in {}", files.join("; ")))
}
