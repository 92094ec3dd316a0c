//! The parts of a document.

use elastiplan_formats::export::{write_availability, write_curves, write_jobs};
use elastiplan_formats::{Options, Source, import};
use elastiplan_model::{Availability, Cluster, ClusterError, Curves, Topology, Trace};
use elastiplan_scenario::sample;
use elastiplan_workloads::generate::IdleNodesSpec;
use serde::{Deserialize, Serialize};

use super::generated::{GeneratedJobs, PublishedName};
use super::given::CurvePart;

/// The source of the jobs. A further way to make jobs is a variant here; one that draws them by the seed of the run
/// also has an arm in [`JobSource::drawn`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobSource {
    /// The built-in sample.
    Sample(SampleJobs),
    /// Jobs drawn by a generator.
    Generated(GeneratedJobs),
    /// A job trace beside the document.
    File(String),
    /// A job trace as text.
    Inline(String),
}

/// The built-in sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SampleJobs {
    /// The seed that the jobs are drawn with; without it, each run's seed draws its own.
    pub seed: Option<u64>,
}

impl JobSource {
    pub(super) fn of(trace: &Trace) -> Self {
        Self::Inline(text(write_jobs(trace)))
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        match self {
            JobSource::Sample(_) => "jobs.sample",
            JobSource::Generated(_) => "jobs.generated",
            JobSource::File(name) => name,
            JobSource::Inline(_) => "jobs.inline",
        }
    }

    /// The jobs of a run with this seed, where they do not come from a file.
    pub(super) fn drawn(&self, seed: u64) -> Option<Trace> {
        match self {
            JobSource::Sample(SampleJobs { seed: own }) => Some(sample::trace(own.unwrap_or(seed))),
            JobSource::Generated(GeneratedJobs { spec, seed: own }) => Some(spec.trace(own.unwrap_or(seed))),
            JobSource::File(_) | JobSource::Inline(_) => None,
        }
    }
}

/// The source of the throughput curves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum CurveSource {
    /// Those of the built-in sample.
    Sample {},
    /// A table that is built in, by its name.
    Published(PublishedName),
    /// Files beside the document.
    Files(Vec<String>),
    /// A table of curves as text.
    Inline(String),
    /// Curves as objects, for what a table cannot say.
    Given(Vec<CurvePart>),
}

impl CurveSource {
    /// The curves as a table, which is shorter, or as objects if a table would lose something.
    pub fn of(curves: &Curves) -> Self {
        let table = write_curves(curves);
        let read = import(vec![Source::from_bytes("", &table)], &Options::default(), &mut |_| {});
        match read.curves == *curves {
            true => Self::Inline(text(table)),
            false => Self::Given(curves.as_slice().iter().map(CurvePart::of).collect()),
        }
    }
}

/// The source of the availability log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AvailabilitySource {
    /// A file beside the document.
    File(String),
    /// A log as text.
    Inline(String),
    /// Idle nodes of a supercomputer, drawn.
    IdleNodes(IdleNodesSpec),
}

impl AvailabilitySource {
    pub(super) fn of(log: &Availability) -> Self {
        Self::Inline(text(write_availability(log)))
    }
}

/// The machines.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterPart {
    /// Nodes that are always there; those of the availability log come in addition.
    #[serde(default)]
    pub nodes: u32,
    /// GPUs in each node.
    pub gpus_per_node: u32,
    /// The connections of GPUs, if speed depends on them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topology: Option<Topology>,
}

impl ClusterPart {
    pub(super) fn of(cluster: &Cluster, in_log: u32) -> Self {
        Self {
            nodes: cluster.nodes().saturating_sub(in_log),
            gpus_per_node: cluster.gpus_per_node(),
            topology: cluster.topology().copied(),
        }
    }

    /// The cluster with the nodes of the log.
    pub(super) fn cluster(&self, in_log: u32) -> Result<Cluster, ClusterError> {
        let cluster = Cluster::new(self.nodes.saturating_add(in_log), self.gpus_per_node)?;
        match self.topology {
            Some(topology) => cluster.with_topology(topology),
            None => Ok(cluster),
        }
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
