//! What stands between a table and its jobs.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::mapping::{Reading, Role};
use crate::text::values::short;

/// A reason why nothing can be loaded yet, or why what is loaded is in doubt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MappingIssue {
    /// Several columns have one role.
    TakenTwice {
        /// The role.
        role: Role,
        /// The columns.
        columns: Vec<u32>,
    },
    /// Something that every job needs is not given.
    Missing {
        /// The role that would give it.
        role: Role,
        /// The value that every job could have instead, as a field with its expression.
        for_every_job: Option<(String, String)>,
    },
    /// A role that means something only together with another.
    Alone {
        /// The role.
        role: Role,
        /// The column that has it.
        column: u32,
    },
    /// The mapping names a column that is not there.
    NoColumn {
        /// The name.
        name: String,
        /// The column that may be meant.
        nearest: Option<String>,
    },
    /// Dates or numbers that can be read in two ways.
    Ambiguous {
        /// The column.
        column: u32,
        /// The column's name.
        name: String,
        /// A value: `03/04/2026`.
        value: String,
        /// The ways to read it.
        readings: Vec<Reading>,
    },
    /// A formula that is none.
    Formula {
        /// What is wrong, with its place.
        message: String,
    },
    /// There is no row below the header.
    NoRows,
    /// All rows are left out.
    NoJobs {
        /// The reason of most of them.
        reason: String,
    },
}

/// A sentence: "Submitted is taken twice".
impl fmt::Display for MappingIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TakenTwice { role, columns } => match columns.len() {
                0..=2 => write!(f, "{} is taken twice", role.label()),
                times => write!(f, "{} is taken {times} times", role.label()),
            },
            Self::Missing { role, for_every_job } => {
                let noun = match role {
                    Role::Gpus => "GPUs".into(),
                    role => role.label(),
                };
                match (role, for_every_job) {
                    (Role::RunTime, _) => write!(f, "{noun}: choose a column, or the end of the run"),
                    (Role::Submitted, Some((_, value))) => {
                        write!(f, "{noun}: choose a column, or {value} s for every job")
                    }
                    (_, Some((_, value))) => write!(f, "{noun}: choose a column, or {value} for every job"),
                    (_, None) => write!(f, "{noun}: choose a column"),
                }
            }
            Self::Alone { role, .. } => f.write_str(match role {
                Role::Start => "Start: choose the end of the run too",
                Role::End => "End of run: choose the start of the run, or the submission, too",
                Role::Nodes => "Nodes asked for: choose the GPUs of each node too",
                Role::GpusPerNode => "GPUs per node: choose the nodes asked for too",
                _ => "Choose the column that belongs to this one too",
            }),
            Self::NoColumn { name, nearest: Some(nearest) } => {
                write!(f, "There is no column {}. Did you mean {}?", short(name), short(nearest))
            }
            Self::NoColumn { name, nearest: None } => write!(f, "There is no column {}", short(name)),
            Self::Ambiguous { name, value, readings, .. } => {
                let ways: Vec<&str> = readings.iter().map(|reading| reading.label()).collect();
                write!(f, "{}: choose how {} is read, {}", short(name), short(value), ways.join(" or "))
            }
            Self::Formula { message } => f.write_str(message),
            Self::NoRows => f.write_str("There are no rows below the header"),
            Self::NoJobs { reason } if reason.is_empty() => f.write_str("No row becomes a job"),
            Self::NoJobs { reason } => write!(f, "No row becomes a job. Most often: {reason}"),
        }
    }
}
