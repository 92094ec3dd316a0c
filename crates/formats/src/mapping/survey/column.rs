//! Columns: their values, what they look like, and what follows from their use.

use serde::{Deserialize, Serialize};

use crate::mapping::Sureness;

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurveyColumn {
    /// Its name as the file spells it; `column 3` where it has none.
    pub name: String,
    /// The first different values, at most 3, shortened if long.
    pub first_values: Vec<String>,
    /// What most of its cells are.
    pub content: Content,
    /// The share of the filled cells that are so, from 0 to 1.
    pub content_share: f64,
    /// The least and the greatest number; of dates, seconds since 1970.
    pub range: Option<(f64, f64)>,
    /// The number of different values.
    pub distinct: Distinct,
    /// The values with their counts, the most frequent first; empty where there are more than a condition would name.
    pub values: Vec<ValueCount>,
    /// Rows in which it is empty.
    pub empty: u64,
    /// How surely its use is guessed; `None` where it is unused or was chosen.
    pub sureness: Option<Sureness>,
    /// Why it is used so: "By its name; dates". Empty where it is unused or was chosen.
    pub reason: String,
    /// What follows from its use, in a few words: "0 to 32, so GPUs and not nodes".
    pub follows: String,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Content {
    /// Nothing: all cells are empty.
    #[default]
    Empty,
    /// Numbers.
    Numbers,
    /// Dates, with or without a time.
    Dates,
    /// Durations as hours, minutes and seconds.
    Durations,
    /// Text.
    Text,
}

impl Content {
    /// Its word: "dates".
    pub fn word(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Numbers => "numbers",
            Self::Dates => "dates",
            Self::Durations => "durations",
            Self::Text => "text",
        }
    }
}

/// A number of different values, counted up to a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Distinct {
    /// The values that were counted.
    pub count: u32,
    /// Whether there are more.
    pub has_more: bool,
}

/// A value with the number of rows that have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueCount {
    /// The value, unshortened.
    pub value: String,
    /// Rows with it.
    pub rows: u64,
    /// Whether the mapping keeps such rows, as far as this column decides.
    pub is_kept: bool,
}
