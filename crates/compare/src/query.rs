//! Searching jobs by text: `model:bert gpus>4 missed later:C`. docs/search.md has the language.
//!
//! [`Query`] parses and writes it, [`Query::find`] gives the jobs, [`complete`] says what may come next. [`TERMS`] is
//! the list of everything that a query may say; parser, completions and documentation are made from it.

mod ast;
mod complete;
mod error;
mod find;
mod parse;
mod terms;
mod value;
mod words;
mod write;

pub use ast::{Clause, Compare, Condition, NumberField, Query, State, Term, TextField};
pub use complete::{Completion, Completions, Vocabulary, complete};
pub use error::{ParseError, Problem};
pub use terms::{Kind, TERMS, TermInfo};

/// A time as queries have it, in seconds: `90s`, `1.5h`, `1h30m`.
pub fn time_s(text: &str) -> Result<f64, Problem> {
    value::time_s(text, "2h10m")
}
