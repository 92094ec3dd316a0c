//! Errors of documents.

use elastiplan_model::{ClusterError, CurveError};
use elastiplan_scenario::ConditionsError;
use elastiplan_scenario::fields::{FIELDS, OutOfRange};
use thiserror::Error;

use super::line::line_of;
use super::reading::Misfit;
use super::{FileHash, VERSION};

/// The reason why a document cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DocumentError {
    /// It is not JSON.
    #[error("line {line}, column {column}: not JSON: {message}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// The error of the JSON parser.
        message: String,
    },
    /// It is JSON, but no scenario.
    #[error("not a scenario: those are an object with \"elastiplan\": {VERSION}")]
    NotADocument,
    /// A later build wrote it.
    #[error("the scenario has version {0}, this build reads up to {VERSION}: use a newer build")]
    Newer(u64),
    /// A version that no build wrote.
    #[error("\"elastiplan\": {0} is not a version of scenarios: write {VERSION}")]
    UnknownVersion(String),
    /// A field that is unknown, missing, or of another type.
    #[error("{}{place}: {message}", in_line(*line))]
    Field {
        /// Counted from 1; 0 where the text is not known.
        line: usize,
        /// The field: `conditions.faults`, `policies[1]`.
        place: String,
        /// The problem.
        message: String,
    },
    /// A value that breaks a rule.
    #[error("{place}: {value} is not {rule}")]
    Value {
        /// The field.
        place: String,
        /// The value.
        value: String,
        /// The rule for it.
        rule: String,
    },
    /// A curve whose values are good one by one, but not together.
    #[error("{place}: {error}")]
    Curve {
        /// The curve.
        place: String,
        /// The reason.
        error: CurveError,
    },
    /// What-ifs out of range.
    #[error("what_if: {0}")]
    WhatIf(OutOfRange),
    /// Conditions out of range.
    #[error("conditions: {0}")]
    Conditions(ConditionsError),
    /// A cluster that is not valid.
    #[error("cluster: {0}")]
    Cluster(#[from] ClusterError),
    /// Neither nodes nor a log of nodes.
    #[error("cluster.nodes: there are no nodes; say how many are always there, or give an availability log")]
    NoNodes,
    /// A file that is not there.
    #[error("{place}: the file {name} is not there; files are looked up beside the scenario")]
    NoFile {
        /// The field that names it.
        place: &'static str,
        /// Its name.
        name: String,
    },
    /// Another file of the same name.
    #[error(
        "files.{name}: this is another {name}; the scenario needs the one with the hash {expected}, this has {found}"
    )]
    OtherFile {
        /// Its name.
        name: String,
        /// The hash that the document gives.
        expected: FileHash,
        /// The hash of the file.
        found: FileHash,
    },
    /// Files that hold something else.
    #[error("{place}: no {wanted} in {found}")]
    NoData {
        /// The field that names them.
        place: &'static str,
        /// The data that were looked for.
        wanted: &'static str,
        /// The files by their kinds.
        found: String,
    },
}

impl DocumentError {
    pub(super) fn syntax(error: &serde_json::Error) -> Self {
        let message = without_position(error);
        Self::Syntax { line: error.line(), column: error.column(), message }
    }

    /// A value that does not fit; `text` is empty where nobody has the text.
    pub(super) fn field(misfit: &Misfit, text: &str) -> Self {
        let place = Some(misfit.place()).filter(|place| !place.is_empty()).unwrap_or("the scenario".into());
        let line = if text.is_empty() { 0 } else { line_of(text, misfit.way()) };
        Self::Field { line, place, message: misfit.message.clone() }
    }

    /// The field that is at fault, where there is one: `conditions.faults`, `policies[1]`.
    pub(crate) fn place(&self) -> Option<String> {
        match self {
            Self::Field { place, .. } | Self::Value { place, .. } | Self::Curve { place, .. } => Some(place.clone()),
            Self::WhatIf(error) => Some(format!("what_if.{}", error.name)),
            Self::Conditions(_) => Some("conditions".into()),
            Self::Cluster(_) | Self::NoNodes => Some("cluster".into()),
            _ => None,
        }
    }

    /// Places a value of `what_if` or `conditions`. Names with their unit are those of members of `conditions`.
    pub(super) fn out_of_range(error: OutOfRange) -> Self {
        let field = FIELDS.iter().find(|field| field.name == error.name);
        match field.map(|field| field.place()) {
            Some(("what_if", _)) => Self::WhatIf(error),
            Some(("conditions", name)) if name == error.name && name.ends_with("_s") => Self::of_member(error),
            Some(_) => Self::Conditions(error.into()),
            None => Self::of_member(error),
        }
    }

    fn of_member(OutOfRange { name, value, rule }: OutOfRange) -> Self {
        Self::value(format!("conditions.{name}"), value, rule)
    }

    pub(super) fn value(place: impl Into<String>, value: impl ToString, rule: impl Into<String>) -> Self {
        Self::Value { place: place.into(), value: value.to_string(), rule: rule.into() }
    }
}

/// The line in front of a place.
fn in_line(line: usize) -> String {
    if line == 0 { String::new() } else { format!("line {line}, ") }
}

/// The message without the position that it ends with.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&position).unwrap_or(&text).to_string()
}
