//! The parts of a document.

use elastiplan_formats::export::{write_availability, write_curves, write_jobs};
use elastiplan_formats::mapping::Mapping;
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
#[serde(try_from = "JobFields", into = "JobFields")]
pub enum JobSource {
    /// The built-in sample.
    Sample(SampleJobs),
    /// Jobs drawn by a generator.
    Generated(GeneratedJobs),
    /// A job trace beside the document.
    File(String),
    /// A job trace as text.
    Inline(String),
    /// Any table, read by a mapping.
    Mapped(TableSource, Mapping),
}

/// A table of jobs.
#[derive(Clone, Debug, PartialEq)]
pub enum TableSource {
    /// A file beside the document.
    File(String),
    /// The table as text.
    Inline(String),
}

/// The same, flat: the mapping stands beside the table.
#[derive(Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Jobs", transform = super::schema::one_source))]
#[serde(default, deny_unknown_fields)]
pub(super) struct JobFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<SampleJobs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generated: Option<GeneratedJobs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inline: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    map: Option<Mapping>,
}

impl TryFrom<JobFields> for JobSource {
    type Error = &'static str;

    fn try_from(fields: JobFields) -> Result<Self, &'static str> {
        let JobFields { sample, generated, file, inline, map } = fields;
        match (sample, generated, file, inline, map) {
            (Some(sample), None, None, None, None) => Ok(Self::Sample(sample)),
            (None, Some(generated), None, None, None) => Ok(Self::Generated(generated)),
            (None, None, Some(name), None, None) => Ok(Self::File(name)),
            (None, None, None, Some(text), None) => Ok(Self::Inline(text)),
            (None, None, Some(name), None, Some(map)) => Ok(Self::Mapped(TableSource::File(name), map)),
            (None, None, None, Some(text), Some(map)) => Ok(Self::Mapped(TableSource::Inline(text), map)),
            (.., Some(_)) => Err("a mapping is for a table: map stands beside file or inline"),
            _ => Err("one of sample, generated, file and inline is needed"),
        }
    }
}

impl From<JobSource> for JobFields {
    fn from(source: JobSource) -> Self {
        let none = Self::default();
        match source {
            JobSource::Sample(sample) => Self { sample: Some(sample), ..none },
            JobSource::Generated(generated) => Self { generated: Some(generated), ..none },
            JobSource::File(name) => Self { file: Some(name), ..none },
            JobSource::Inline(text) => Self { inline: Some(text), ..none },
            JobSource::Mapped(TableSource::File(name), map) => Self { file: Some(name), map: Some(map), ..none },
            JobSource::Mapped(TableSource::Inline(text), map) => Self { inline: Some(text), map: Some(map), ..none },
        }
    }
}

/// The built-in sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
            JobSource::File(name) | JobSource::Mapped(TableSource::File(name), _) => name,
            JobSource::Inline(_) | JobSource::Mapped(TableSource::Inline(_), _) => "jobs.inline",
        }
    }

    /// The jobs of a run with this seed, where they do not come from a file.
    pub(super) fn drawn(&self, seed: u64) -> Option<Trace> {
        match self {
            JobSource::Sample(SampleJobs { seed: own }) => Some(sample::trace(own.unwrap_or(seed))),
            JobSource::Generated(GeneratedJobs { spec, seed: own }) => Some(spec.trace(own.unwrap_or(seed))),
            JobSource::File(_) | JobSource::Inline(_) | JobSource::Mapped(..) => None,
        }
    }
}

/// The source of the throughput curves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// None: jobs are as fast as `conditions.law` says.
    None {},
}

impl CurveSource {
    /// The curves as a table, which is shorter, or as objects if a table would lose something.
    pub fn of(curves: &Curves) -> Self {
        if curves.is_empty() {
            return Self::None {};
        }
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClusterPart {
    /// Nodes that are always there; those of the availability log come in addition.
    #[serde(default)]
    pub nodes: u32,
    /// GPUs in each node.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::gpus_per_node"))]
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
