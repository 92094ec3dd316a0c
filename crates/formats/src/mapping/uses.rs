//! A mapping as roles of columns, for a form with one row for each column: job name, submitted, end of run, ….
//!
//! A role gives a field of the mapping by itself (`user=team`) or together with another (`duration_s=end-start`,
//! `gpus=nodes*per_node`). What fits no role stays a formula, word for word. [`Uses::of`] and [`Uses::mapping`] are
//! inverse to each other, and what is not changed keeps its place and its text.

mod build;
mod extract;
mod words;

use serde::{Deserialize, Serialize};

use super::expression::{Test, Unit};
use super::survey::MappingIssue;
use super::{Reading, Zone};

/// The roles of the columns of a table, and what of a mapping is none.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Uses {
    /// For each column its use, in the order of the table.
    pub columns: Vec<ColumnUse>,
    /// Fields whose values no role gives: `gpus=1`.
    pub formulas: Vec<FieldFormula>,
    /// Conditions on more than one column's values: `gpus>0`.
    pub conditions: Vec<String>,
    /// The zone of dates that name none; `None` for UTC, as an assumption.
    pub zone: Option<Zone>,
}

/// A column with its use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnUse {
    /// Its name, by which a mapping names it: as the file spells it, or `column 3` where it has none of its own.
    pub name: String,
    /// What it is used for.
    pub role: Role,
    /// How its cells are read.
    pub read_as: ReadAs,
}

/// What a column is used for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Role {
    /// The job's name.
    JobName,
    /// When it was submitted.
    Submitted,
    /// When its run began, where that is not the submission.
    Start,
    /// When its run ended: the run time is from the start to it.
    End,
    /// How long it ran.
    RunTime,
    /// The GPUs that it asks for.
    Gpus,
    /// The nodes that it asks for.
    Nodes,
    /// The GPUs of each of these nodes.
    GpusPerNode,
    /// Its work in another measure.
    Work(WorkMeasure),
    /// The model that it trains.
    Model,
    /// Its global batch size.
    BatchSize,
    /// When it has to be done.
    Deadline,
    /// The user.
    User,
    /// Its priority.
    Priority,
    /// Rows with some of its values are kept.
    KeepIf,
    /// A further field of a job, by its name: `gpus_max`.
    Field(String),
    /// Part of a formula.
    Formula,
    /// Not used.
    #[default]
    NotUsed,
}

/// A measure of work beside time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WorkMeasure {
    /// Samples.
    Samples,
    /// Iterations.
    Iterations,
    /// GPUs times seconds.
    GpuSeconds,
    /// Epochs.
    Epochs,
    /// Whole trainings.
    Trainings,
}

impl WorkMeasure {
    /// All measures.
    pub const ALL: [Self; 5] = [Self::Samples, Self::Iterations, Self::GpuSeconds, Self::Epochs, Self::Trainings];

    /// The field of a mapping that gives it.
    pub fn field(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Iterations => "iterations",
            Self::GpuSeconds => "gpu_seconds",
            Self::Epochs => "epochs",
            Self::Trainings => "trainings",
        }
    }

    /// Its words: "GPU time".
    pub fn label(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Iterations => "iterations",
            Self::GpuSeconds => "GPU time",
            Self::Epochs => "epochs",
            Self::Trainings => "whole trainings",
        }
    }
}

impl Role {
    /// The roles that a column can be given, in the order of a list of choices.
    pub const CHOICES: [Self; 20] = [
        Self::JobName,
        Self::Submitted,
        Self::Start,
        Self::End,
        Self::RunTime,
        Self::Gpus,
        Self::Nodes,
        Self::GpusPerNode,
        Self::Work(WorkMeasure::Samples),
        Self::Work(WorkMeasure::Iterations),
        Self::Work(WorkMeasure::GpuSeconds),
        Self::Work(WorkMeasure::Epochs),
        Self::Work(WorkMeasure::Trainings),
        Self::Model,
        Self::BatchSize,
        Self::Deadline,
        Self::User,
        Self::Priority,
        Self::KeepIf,
        Self::NotUsed,
    ];

    /// Its words in a list of choices: "End of run".
    pub fn label(&self) -> String {
        match self {
            Self::JobName => "Job name".into(),
            Self::Submitted => "Submitted".into(),
            Self::Start => "Start".into(),
            Self::End => "End of run".into(),
            Self::RunTime => "Run time".into(),
            Self::Gpus => "GPUs asked for".into(),
            Self::Nodes => "Nodes asked for".into(),
            Self::GpusPerNode => "GPUs per node".into(),
            Self::Work(measure) => format!("Work: {}", measure.label()),
            Self::Model => "Model".into(),
            Self::BatchSize => "Batch size".into(),
            Self::Deadline => "Deadline".into(),
            Self::User => "User".into(),
            Self::Priority => "Priority".into(),
            Self::KeepIf => "Keep only if".into(),
            Self::Field(field) => field.clone(),
            Self::Formula => "Formula".into(),
            Self::NotUsed => "Not used".into(),
        }
    }
}

/// How the cells of a column are read.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ReadAs {
    /// The way in which dates or numbers are written, where cells do not tell.
    pub reading: Option<Reading>,
    /// The unit of time of plain numbers; `None` for seconds.
    pub unit: Option<Unit>,
    /// What becomes of the value.
    pub form: ReadForm,
}

/// What becomes of the value of a cell.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub enum ReadForm {
    /// Nothing: it is the value.
    #[default]
    Plain,
    /// It is rounded up, as parts of a GPU are.
    RoundedUp,
    /// It is in per cent of a GPU: 800 means 8.
    PerCent,
    /// The same, rounded up.
    PerCentRoundedUp,
    /// It is multiplied: nodes of so many GPUs.
    Times(f64),
    /// The number after this text in it is the value: `gres/gpu=`.
    NumberAfter(String),
    /// It counts from the submission, as some deadlines do.
    AfterSubmission,
    /// Only rows that pass are kept.
    Keep(Test),
}

/// A field with a value that no role gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldFormula {
    /// One of [`super::FIELDS`].
    pub field: String,
    /// Its value, as a mapping writes it.
    pub formula: String,
}

impl Uses {
    /// Gives a column another use. A formula for the same field goes; other columns keep theirs, so that a role can be
    /// taken twice for a while ([`Uses::issues`]).
    pub fn set(&mut self, column: usize, role: Role, read_as: ReadAs) {
        let Some(own) = self.columns.get_mut(column) else { return };
        (own.role, own.read_as) = (role, read_as);
        let own = self.column_fields();
        self.formulas.retain(|formula| !own.contains(&formula.field.as_str()));
    }

    /// The roles that cannot be as they are: those taken twice, and those that mean nothing without another.
    pub fn issues(&self) -> Vec<MappingIssue> {
        build::issues(self)
    }
}
