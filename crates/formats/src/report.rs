//! The result of reading files: the data, and a report on each file.

use elastiplan_model::{Availability, Curves, Diagnostic, Trace};
use elastiplan_text::format::count;
use serde::{Deserialize, Serialize};

use crate::mapping::{GuessedField, Mapping};
use crate::sources::{Known, sacct, sacct_json, swf};

/// The data of a set of files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Import {
    /// One report for each file, in the order they were given.
    pub files: Vec<FileReport>,
    /// The jobs; `None` if no file gave any.
    pub trace: Option<Trace>,
    /// The curves of all files together.
    pub curves: Curves,
    /// The availability of nodes; `None` if no file has it.
    pub availability: Option<Availability>,
    /// The findings, file by file; of each file those about data left out first.
    pub diagnostics: Vec<Diagnostic>,
}

/// The report on a file: its kind, and how many of its rows are used.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct FileReport {
    /// The path as it was given.
    pub path: String,
    /// The kind of file.
    pub kind: FileKind,
    /// The known source, in words: `Helios job log`. `None` where the format says it all.
    pub source: Option<String>,
    /// The certainty of the kind.
    pub confidence: Confidence,
    /// The reason why the file is not used; `None` for a file that is used.
    pub not_used: Option<String>,
    /// Bytes read.
    pub bytes: u64,
    /// Named columns in the header.
    pub columns: u32,
    /// Rows below the header. Empty rows and repeated headers are not counted.
    pub rows_read: u64,
    /// Rows in use in which a value was filled in or repaired.
    pub rows_defaulted: u64,
    /// Rows left out.
    pub rows_rejected: u64,
    /// Jobs that the file gave.
    pub jobs: u64,
    /// Curves that the file gave.
    pub curves: u64,
    /// Measured points on those curves.
    pub points: u64,
    /// Nodes whose availability the file gives.
    pub nodes: u64,
    /// Intervals in which one of them is available.
    pub intervals: u64,
    /// Values used for all rows because the file has no column for them.
    pub assumptions: Vec<Assumption>,
    /// The mapping that a table is read by; of a table that is not used, the one that its columns suggest.
    pub mapping: Option<Mapping>,
    /// What the mapping is guessed from, field by field; empty where it was given.
    pub guesses: Vec<GuessedField>,
    /// One line for users: "ElasticFlow job trace (published), 195 jobs".
    pub summary: String,
}

impl FileReport {
    /// Writes the summary anew from the other fields.
    pub(crate) fn summarize(&mut self) {
        self.summary = self.summary();
    }

    /// What the file is, in words: its known source, or its kind.
    pub fn words(&self) -> &str {
        self.source.as_deref().unwrap_or(self.kind.words())
    }

    fn summary(&self) -> String {
        let words = self.words();
        if let Some(reason) = &self.not_used {
            return match self.confidence {
                Confidence::Sure => format!("{words}. Not used. {reason}"),
                Confidence::Unsure => format!("{words}? Not used. {reason}"),
                Confidence::Refused => format!("Not used. {reason}"),
            };
        }
        match self.kind.role() {
            FileRole::Jobs => format!("{words}, {}", counted(self.jobs, "job")),
            FileRole::Availability => {
                format!("{words}, {}, {}", counted(self.nodes, "node"), counted(self.intervals, "interval"))
            }
            FileRole::Curves | FileRole::None => {
                let model = self.assumptions.iter().find(|assumption| assumption.column == "model");
                let of = model.map(|model| format!(" of {}", model.used)).unwrap_or_default();
                if self.kind.is_part() {
                    return format!("{words}{of}: {}", counted(self.points, "point"));
                }
                format!("{words}{of}: {}, {}", counted(self.curves, "curve"), counted(self.points, "point"))
            }
        }
    }
}

impl std::fmt::Display for FileReport {
    /// `195job.csv: ElasticFlow job trace (published), 195 jobs; 195 rows read, 3 with values filled in, 1 left out`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path, self.summary)?;
        if self.rows_read > 0 {
            let Self { rows_read, rows_defaulted, rows_rejected, .. } = self;
            write!(f, "; {} read", counted(*rows_read, "row"))?;
            let parts = [(rows_defaulted, "with values filled in"), (rows_rejected, "left out")];
            for (rows, words) in parts.into_iter().filter(|(rows, _)| **rows > 0) {
                write!(f, ", {} {words}", count(*rows))?;
            }
        }
        Ok(())
    }
}

/// A log of jobs in which results can be written as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Slurm's accounting, as `sacct -P` writes it.
    Sacct,
    /// The Standard Workload Format.
    StandardWorkloadFormat,
}

impl FileReport {
    /// The dialect that the file is in, if results can be written in it.
    pub fn dialect(&self) -> Option<Dialect> {
        let source = self.source.as_deref()?;
        let is = |known: &Known| known.name == source;
        match () {
            () if is(&sacct::TABLE) || is(&sacct_json::LIST) => Some(Dialect::Sacct),
            () if is(&swf::LOG) => Some(Dialect::StandardWorkloadFormat),
            () => None,
        }
    }
}

/// A value that is used for every row of a file because the file has no column for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    /// The column that would say it, named as in the plain format.
    pub column: String,
    /// The value in use: "1 is used".
    pub used: String,
    /// For how many rows.
    pub rows: u64,
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum FileKind {
    /// The plain job trace of this project.
    JobsPlain,
    /// Any other table, read as a job trace by a mapping.
    JobsMapped,
    /// A log of jobs of a known source that is no plain table.
    JobsKnown,
    /// A job trace of ElasticFlow.
    JobsElasticFlow(ElasticFlowDialect),
    /// A workload of Pollux.
    JobsPollux,
    /// Trainers of BFTrainer: bounds, work and costs.
    JobsBfTrainer,
    /// The plain throughput curves of this project.
    CurvesPlain,
    /// A throughput profile of ElasticFlow: one model, a row for each batch size, a column for each GPU count.
    CurvesElasticFlow,
    /// ElasticFlow's profiles in one long table.
    CurvesElasticFlowLong,
    /// Throughputs of a known source that are no plain table.
    CurvesKnown,
    /// Trainers of BFTrainer: speeds.
    CurvesBfTrainer,
    /// Part of a profile of Pollux: step times by placement.
    StepsByPlacement,
    /// Part of a profile of Pollux: step times by numbers of nodes and GPUs.
    StepsByCount,
    /// Part of a profile of Pollux: a training at one batch size.
    Validation,
    /// Measurements of a job scalability analyzer: the time one GPU takes for a number of samples of a model.
    ScalabilityProcessing,
    /// Measurements of a job scalability analyzer: the time GPUs take for an all-reduce of a number of weights.
    ScalabilityAllReduce,
    /// Availability of nodes: a row for each interval in which one is available.
    AvailabilityIntervals,
    /// Availability of nodes: a row for each change of one.
    AvailabilityEvents,
    /// Availability of nodes: a row for each moment, a column for each node.
    AvailabilityMatrix,
    /// Availability of nodes: how many are available, not which.
    AvailabilityCounts,
    /// None of them.
    #[default]
    Unrecognised,
}

/// The two headers of ElasticFlow's traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ElasticFlowDialect {
    /// The published cluster traces: `submission_time`, `num_iteration`, `deadline`.
    Published,
    /// The simulator's own: `submit_time`, `iteration`, `ddl`.
    Simulator,
}

/// The role of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FileRole {
    /// It holds jobs.
    Jobs,
    /// It holds throughput curves.
    Curves,
    /// It holds the availability of nodes.
    Availability,
    /// It holds nothing that can be used.
    None,
}

impl FileKind {
    /// The role of the file.
    pub fn role(self) -> FileRole {
        self.role_and_words().0
    }

    /// Whether it takes other files to make a curve of it.
    pub fn is_part(self) -> bool {
        let of_profile = matches!(self, FileKind::StepsByPlacement | FileKind::StepsByCount | FileKind::Validation);
        of_profile || matches!(self, FileKind::ScalabilityProcessing | FileKind::ScalabilityAllReduce)
    }

    /// The kind as text: "ElasticFlow job trace".
    pub fn words(self) -> &'static str {
        self.role_and_words().1
    }

    fn role_and_words(self) -> (FileRole, &'static str) {
        use FileRole::{Availability, Curves, Jobs};
        match self {
            FileKind::JobsPlain => (Jobs, "Plain job trace"),
            FileKind::JobsMapped => (Jobs, "Job table by a mapping"),
            FileKind::JobsKnown => (Jobs, "Job log"),
            FileKind::CurvesKnown => (Curves, "Throughputs"),
            FileKind::JobsElasticFlow(ElasticFlowDialect::Published) => (Jobs, "ElasticFlow job trace (published)"),
            FileKind::JobsElasticFlow(ElasticFlowDialect::Simulator) => (Jobs, "ElasticFlow job trace (simulator)"),
            FileKind::JobsPollux => (Jobs, "Pollux workload"),
            FileKind::JobsBfTrainer => (Jobs, "BFTrainer Trainers"),
            FileKind::CurvesBfTrainer => (Curves, "BFTrainer speeds of Trainers"),
            FileKind::CurvesPlain => (Curves, "Plain throughput curves"),
            FileKind::CurvesElasticFlow => (Curves, "ElasticFlow throughput profile"),
            FileKind::CurvesElasticFlowLong => (Curves, "ElasticFlow throughput table"),
            FileKind::StepsByPlacement => (Curves, "Pollux step times by placement"),
            FileKind::StepsByCount => (Curves, "Pollux step times by nodes and GPUs"),
            FileKind::Validation => (Curves, "Pollux validation run"),
            FileKind::ScalabilityProcessing => (Curves, "Processing times of models"),
            FileKind::ScalabilityAllReduce => (Curves, "All-reduce times"),
            FileKind::AvailabilityIntervals => (Availability, "Node availability (intervals)"),
            FileKind::AvailabilityEvents => (Availability, "Node availability (events)"),
            FileKind::AvailabilityMatrix => (Availability, "Node availability (matrix)"),
            FileKind::AvailabilityCounts => (Availability, "Node availability (counts)"),
            FileKind::Unrecognised => (FileRole::None, "Not recognised"),
        }
    }
}

/// The certainty of a file's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Confidence {
    /// The file has every needed column, and only one format fits.
    Sure,
    /// It looks like this kind, but a column is missing, or another format fits too.
    Unsure,
    /// It is of no format that can be read.
    #[default]
    Refused,
}

/// `1 job`, `12,699 jobs`.
fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}
