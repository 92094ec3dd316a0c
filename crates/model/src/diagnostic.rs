//! Diagnostics: what was found in a user's data and where, the rule it breaks, its outcome, and how to repair it.

use serde::{Deserialize, Serialize};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something was filled in, as the format allows.
    Info,
    /// Something was repaired or assumed.
    Warning,
    /// Something was left out.
    Error,
}

/// The place of a finding. Parts that do not apply are missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file, as the user named it.
    pub file: Option<String>,
    /// The line in the file, counted from 1 with the header as line 1: the first, where there are several.
    pub row: Option<u64>,
    /// The column, by its name in the file.
    pub column: Option<String>,
    /// The next few rows of the same kind, rising; how many there are in all is the diagnostic's count.
    pub more_rows: Vec<u64>,
}

/// A finding. Findings of one kind share a diagnostic, which counts the rows they concern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// The first place where it was found.
    pub place: Place,
    /// The number of rows or jobs that it concerns.
    pub count: u64,
    /// The value that was found, shortened if long.
    pub value: Option<String>,
    /// The rule that the value breaks: "Whole number from 1 to 65,536".
    pub rule: String,
    /// The outcome: "Row left out".
    pub outcome: String,
    /// The advice to the user: "Correct the row and load the file again".
    pub repair: String,
}

impl Diagnostic {
    /// Rows that a diagnostic names after the first.
    const MORE_ROWS: usize = 3;

    /// A finding without a place or a value, about one row or job.
    pub fn new(
        severity: Severity,
        rule: impl Into<String>,
        outcome: impl Into<String>,
        repair: impl Into<String>,
    ) -> Self {
        let (rule, outcome, repair) = (rule.into(), outcome.into(), repair.into());
        Self { severity, place: Place::default(), count: 1, value: None, rule, outcome, repair }
    }

    /// The finding, about a file.
    pub fn in_file(mut self, path: &str) -> Self {
        self.place.file = Some(path.into());
        self
    }

    /// The finding, about a column.
    pub fn in_column(mut self, name: impl Into<String>) -> Self {
        self.place.column = Some(name.into());
        self
    }

    /// The finding, with a value.
    pub fn with_value(self, value: impl Into<String>) -> Self {
        Self { value: Some(value.into()), ..self }
    }

    /// Counts one more row or job, and names its row if it is among the first few.
    pub fn add_row(&mut self, row: impl Into<Option<u64>>) {
        self.count += 1;
        if self.place.row.is_none() {
            self.place.row = row.into();
        } else if self.place.more_rows.len() < Self::MORE_ROWS {
            self.place.more_rows.extend(row.into());
        }
    }

    /// The finding, about so many rows or jobs.
    pub fn with_count(self, count: u64) -> Self {
        Self { count, ..self }
    }
}

impl std::fmt::Display for Diagnostic {
    /// One line: `jobs.csv, row 212, gpus: 1e300. Whole number from 1 to 65,536. Row left out. Correct the value`.
    /// Several rows read `rows 90, 91, 1102` or `rows 90, 91, 1102, 1103 and 12 more`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut separator = "";
        if let Some(file) = &self.place.file {
            write!(f, "{file}")?;
            separator = ", ";
        }
        if let Some(row) = self.place.row {
            write!(f, "{separator}row{} {row}", if self.place.more_rows.is_empty() { "" } else { "s" })?;
            for row in &self.place.more_rows {
                write!(f, ", {row}")?;
            }
            let named = 1 + self.place.more_rows.len() as u64;
            if self.count > named {
                write!(f, " and {} more", self.count - named)?;
            }
            separator = ", ";
        }
        if let Some(column) = &self.place.column {
            write!(f, "{separator}{column}")?;
            separator = ", ";
        }
        if let Some(value) = &self.value {
            write!(f, "{}{value}", if separator.is_empty() { "" } else { ": " })?;
            separator = ", ";
        }
        let stop = if separator.is_empty() { "" } else { ". " };
        write!(f, "{stop}{}. {}. {}", self.rule, self.outcome, self.repair)
    }
}
