//! `elastiplan inspect`: what files are, without running anything.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use elastiplan_formats::mapping::{Mapping, Survey};
use elastiplan_formats::{FileReport, FileRole};
use elastiplan_model::Diagnostic;
use serde::Serialize;

use crate::idle_nodes::Document;
use crate::output::json;
use crate::{CommandError, files, mapping, print, survey};

#[derive(Args)]
pub struct Arguments {
    /// Job traces, throughput curves and an availability log; of a folder, everything in it.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read each file as a job trace by this mapping, and show what it makes of each column and of the first rows:
    /// 'submit_s=start duration_s=end-start gpus=num_gpus'.
    #[arg(long, value_name = "MAPPING")]
    map: Option<Mapping>,
    /// How to print.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// One line a file, one line a finding, and what an availability log amounts to.
    Text,
    /// Everything, for other programs.
    Json,
}

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Inspection<'a> {
    version: u32,
    files: &'a [FileReport],
    diagnostics: &'a [Diagnostic],
    /// What the availability log amounts to.
    idle_nodes: Option<Document>,
    /// What the mapping makes of each file, where one is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    surveys: Vec<Survey>,
}

pub fn inspect(arguments: &Arguments) -> Result<(), CommandError> {
    let found = files::import_mapped(&arguments.files, arguments.map.as_ref())?;
    let idle_nodes = found.availability.as_ref().map(Document::of);
    let surveys = match &arguments.map {
        Some(mapping) => survey::surveys(&arguments.files, mapping)?,
        None => Vec::new(),
    };
    match arguments.format {
        Format::Text => {
            let files = found.files.iter().map(|file| format!("{file}\n"));
            let diagnostics = found.diagnostics.iter().map(|diagnostic| format!("{diagnostic}\n"));
            let is_log = |file: &&FileReport| file.kind.role() == FileRole::Availability && file.not_used.is_none();
            let log = found.files.iter().find(is_log).zip(idle_nodes);
            let log = log.map(|(file, idle_nodes)| idle_nodes.text(&file.path));
            let mappings = found.files.iter().map(|file| mapping::text(file, &found));
            let mappings = mappings.collect::<Result<Vec<_>, _>>()?;
            let surveys = surveys.iter().map(survey::text);
            print(&files.chain(diagnostics).chain(log).chain(mappings).chain(surveys).collect::<String>())?;
        }
        Format::Json => {
            let (files, diagnostics) = (&found.files, &found.diagnostics);
            let document = Inspection { version: 1, files, diagnostics, idle_nodes, surveys };
            print(&json(&document)?)?;
        }
    }
    let unused: Vec<&str> =
        found.files.iter().filter(|file| file.not_used.is_some()).map(|file| file.path.as_str()).collect();
    if unused.len() < found.files.len() {
        return Ok(());
    }
    Err(CommandError::Input(format!("Nothing can be used of {}", unused.join(", "))))
}
