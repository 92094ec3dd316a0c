//! Mappings of tables as text for people: as an option of the command line, with reasons, and what comes of them.

use std::path::PathBuf;

use elastiplan_formats::export::write_jobs;
use elastiplan_formats::mapping::{GuessedField, Sureness};
use elastiplan_formats::{FileReport, Import};
use elastiplan_model::Trace;

use crate::{CommandError, files};

/// Jobs that are shown as examples.
const JOBS: u64 = 5;

/// The mapping of a file: its text as an option, the reasons for it, and the first jobs; of a file that is not used for
/// doubts about the mapping, what it would give.
pub fn text(file: &FileReport, found: &Import) -> Result<String, CommandError> {
    let Some(mapping) = &file.mapping else { return Ok(String::new()) };
    let mut text = format!("\n{}: --map {}\n", file.path, in_quotes(&mapping.to_string()));
    text.extend(file.guesses.iter().map(reason));
    if file.guesses.is_empty() && file.source.is_none() {
        // It was given: its survey says more.
        return Ok(text);
    }
    if file.not_used.is_none() {
        return Ok(text + &first_jobs(found.trace.as_ref()));
    }
    if !mapping.missing().is_empty() {
        return Ok(text);
    }
    let tried = files::import_mapped(&[PathBuf::from(&file.path)], Some(mapping))?;
    text.extend(tried.files.iter().map(|file| format!("With it: {file}\n")));
    text.extend(tried.diagnostics.iter().map(|diagnostic| format!("{diagnostic}\n")));
    Ok(text + &first_jobs(tried.trace.as_ref()))
}

/// A field with its reason: `  guessed  submit_s=start_time  By its name; dates, but there is no time of submission`.
fn reason(GuessedField { field, value, sureness, reason, others }: &GuessedField) -> String {
    let sureness = match sureness {
        Sureness::Sure => "sure",
        Sureness::Guessed => "guessed",
    };
    let others = if others.is_empty() { String::new() } else { format!(". Or {}", others.join(", ")) };
    format!("  {sureness:7}  {field}={value}  {reason}{others}\n")
}

/// The jobs of the first rows, as a plain job trace.
fn first_jobs(trace: Option<&Trace>) -> String {
    let Some(trace) = trace else { return String::new() };
    let mut rows: Vec<u64> = trace.jobs().iter().map(|job| job.source_row).collect();
    let at = (rows.len() as u64).min(JOBS).saturating_sub(1) as usize;
    if rows.is_empty() {
        return String::new();
    }
    let last = *rows.select_nth_unstable(at).1;
    let shown = trace.filtered(|_, job| job.source_row <= last);
    format!("First jobs as they are read:\n{}", String::from_utf8_lossy(&write_jobs(&shown)))
}

/// A mapping as one argument of a shell.
fn in_quotes(mapping: &str) -> String {
    format!("'{}'", mapping.replace('\'', "'\\''"))
}
