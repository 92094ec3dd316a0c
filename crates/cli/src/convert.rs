//! `elastiplan convert`: whatever was read, as our own files.

use std::path::PathBuf;

use clap::Args;
use elastiplan_documents::{CurveSource, Document};
use elastiplan_formats::Import;
use elastiplan_formats::export::{write_availability, write_curves, write_jobs};
use elastiplan_formats::mapping::Mapping;
use elastiplan_model::{Availability, Cluster, Trace};
use elastiplan_policies::{PolicySpec, SpecError};
use elastiplan_scenario::Scenario;
use elastiplan_text::words::counted;

use crate::output::{json, tell};
use crate::{CommandError, files, print};

#[derive(Args)]
pub struct Arguments {
    /// Job traces, throughput curves and an availability log of any format or source; of a folder, everything in it.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read the first file as a job trace by this mapping: 'submit_s=start duration_s=end-start gpus=num_gpus'.
    #[arg(long, value_name = "MAPPING")]
    map: Option<Mapping>,
    /// The folder for jobs.csv, curves.csv and log.csv, as far as there are such data; and for scenario.json, where a
    /// table cannot hold the curves.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// A file to be written, with what is in it.
struct Written {
    name: &'static str,
    content: String,
    bytes: Vec<u8>,
}

/// Writes the files, and says what is in each.
pub fn convert(arguments: &Arguments) -> Result<(), CommandError> {
    let found = files::import_first_mapped(&arguments.files, arguments.map.as_ref())?;
    tell(&found.diagnostics);
    let written = written(&found)?;
    if written.is_empty() {
        let files: Vec<String> = found.files.iter().map(ToString::to_string).collect();
        return Err(CommandError::Input(format!("Nothing can be used of {}", files.join("; "))));
    }
    let line = |file: &Written| format!("{}: {}\n", file.name, file.content);
    let lines: String = written.iter().map(line).collect();
    let bytes: Vec<(&str, Vec<u8>)> = written.into_iter().map(|file| (file.name, file.bytes)).collect();
    files::write_all(&arguments.out, &bytes)?;
    print(&lines)
}

fn written(found: &Import) -> Result<Vec<Written>, CommandError> {
    let mut written = Vec::new();
    let trace = found.trace.as_ref().filter(|trace| !trace.jobs().is_empty());
    if let Some(trace) = trace {
        let content = counted(trace.jobs().len() as u64, "job", "jobs");
        written.push(Written { name: "jobs.csv", content, bytes: write_jobs(trace) });
    }
    if !found.curves.is_empty() {
        written.push(curves(found, trace)?);
    }
    if let Some(log) = &found.availability {
        let content = counted(log.nodes().into(), "node", "nodes");
        written.push(Written { name: "log.csv", content, bytes: write_availability(log) });
    }
    Ok(written)
}

/// The curves as a table. Where a table would lose something, a scenario with them and everything else; without jobs, which
/// a scenario needs, the objects that stand in one.
fn curves(found: &Import, trace: Option<&Trace>) -> Result<Written, CommandError> {
    let content = counted(found.curves.as_slice().len() as u64, "curve", "curves");
    let objects = match CurveSource::of(&found.curves) {
        CurveSource::Inline(_) => {
            return Ok(Written { name: "curves.csv", content, bytes: write_curves(&found.curves) });
        }
        objects => objects,
    };
    let because = format!("{content}, as objects, since a table of points would lose something");
    let Some(trace) = trace else {
        let content = format!("{because}; they go into a scenario as its \"curves\"");
        return Ok(Written { name: "curves.json", content, bytes: json(&objects)?.into_bytes() });
    };
    let scenario = scenario(found, trace)?;
    let content = format!(
        "everything together, with {because}; assumed are {} with {} GPUs each and the policies to compare: change them there",
        counted(scenario.cluster.nodes().into(), "node", "nodes"),
        scenario.cluster.gpus_per_node()
    );
    let document = Document::of("", &scenario, policies().map_err(|error| CommandError::Output(error.to_string()))?);
    Ok(Written { name: "scenario.json", content, bytes: document.to_json().into_bytes() })
}

/// GPUs of a node, where nothing says how many there are.
const GPUS_PER_NODE: u32 = 8;

/// The scenario of what was read, on the nodes of its log, or on as few nodes as the largest job asks for.
fn scenario(found: &Import, trace: &Trace) -> Result<Scenario, CommandError> {
    let asked = trace.jobs().iter().map(|job| job.gpus_requested).max().unwrap_or(1);
    let in_log = found.availability.as_ref().map(Availability::nodes);
    let nodes = in_log.unwrap_or(asked.div_ceil(GPUS_PER_NODE));
    // A log counts nodes.
    let gpus_per_node = if in_log.is_some() { 1 } else { GPUS_PER_NODE };
    let cluster = Cluster::new(nodes, gpus_per_node).map_err(|error| CommandError::Input(error.to_string()))?;
    let mut scenario = Scenario::new(trace.clone(), found.curves.clone(), cluster);
    scenario.conditions.availability = found.availability.clone().map(Into::into);
    Ok(scenario)
}

fn policies() -> Result<Vec<PolicySpec>, SpecError> {
    ["fixed", "equal-share", "elastic-dp"].iter().map(|policy| policy.parse()).collect()
}
