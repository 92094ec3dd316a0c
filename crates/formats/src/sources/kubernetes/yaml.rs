//! YAML by its events, as the values that JSON has.

use elastiplan_model::{Diagnostic, Severity};
use saphyr_parser::{Event, Parser, ScalarStyle};

use super::Visit;
use crate::text::findings::Findings;
use crate::text::json::Json;
use crate::text::records::Records;

/// The most values within each other.
const DEPTH_MAX: usize = 128;

/// Calls `visit` with each document and its number; of documents that have a list of this name, with each of its
/// elements instead. Of objects only members with these names are kept. Where the text is broken, what came before has
/// been visited, and a finding says where it broke.
pub(super) fn for_each_document(
    records: &mut Records<'_, '_>,
    list: &'static str,
    names: &'static [&'static str],
    findings: &mut Findings,
    visit: &mut Visit<'_>,
) {
    let mut bytes = Vec::new();
    let mut chunk = [0; 1 << 13];
    loop {
        let read = records.read(&mut chunk);
        let Some(read) = chunk.get(..read).filter(|read| !read.is_empty()) else { break };
        bytes.extend_from_slice(read);
    }
    let text = String::from_utf8_lossy(&bytes);
    let mut builder =
        Builder { list, names, open: Vec::new(), skipped: 0, number: 0, visited: false, has_alias: false };
    for event in Parser::new_from_str(&text) {
        let problem = match event {
            Ok((event, _)) => builder.event(event, findings, visit),
            Err(error) => Err(error.to_string()),
        };
        if let Err(problem) = problem {
            let outcome = "Read up to there; the rest left out";
            let repair = "Check that the file was saved to the end";
            return findings.file(Diagnostic::new(Severity::Error, format!("YAML: {problem}"), outcome, repair));
        }
    }
    if builder.has_alias {
        let repair = "Write the value in its place, or write the objects by kubectl";
        findings.file(Diagnostic::new(Severity::Warning, "YAML without aliases", "Taken as missing", repair));
    }
}

/// A value that is not complete.
enum Open {
    List(Vec<Json>),
    Object {
        members: Vec<(String, Json)>,
        /// The name of the member that comes next, once it has been read.
        name: Option<String>,
    },
}

/// Makes values of events.
struct Builder {
    list: &'static str,
    names: &'static [&'static str],
    open: Vec<Open>,
    /// Values within each other that are open and not kept.
    skipped: usize,
    number: u64,
    /// Whether elements of the document's list have been visited.
    visited: bool,
    has_alias: bool,
}

impl Builder {
    fn event(&mut self, event: Event<'_>, findings: &mut Findings, visit: &mut Visit<'_>) -> Result<(), String> {
        let ends = matches!(event, Event::SequenceEnd | Event::MappingEnd);
        let starts = matches!(event, Event::SequenceStart(..) | Event::MappingStart(..));
        if self.skipped > 0 {
            self.skipped = self.skipped + usize::from(starts) - usize::from(ends);
            if self.skipped == 0 {
                self.forget_name();
            }
            return Ok(());
        }
        if starts && self.open.len() >= DEPTH_MAX {
            return Err(format!("more than {DEPTH_MAX} values within each other"));
        }
        if starts && !self.is_kept() {
            self.skipped = 1;
            return Ok(());
        }
        match event {
            Event::SequenceStart(..) => self.open.push(Open::List(Vec::new())),
            Event::MappingStart(..) => self.open.push(Open::Object { members: Vec::new(), name: None }),
            Event::SequenceEnd | Event::MappingEnd => {
                let value = match self.open.pop() {
                    Some(Open::List(elements)) => Json::List(elements),
                    Some(Open::Object { members, .. }) => Json::Object(members),
                    None => Json::Missing,
                };
                self.value(value, findings, visit);
            }
            Event::Scalar(text, style, ..) => self.value(scalar(&text, style), findings, visit),
            Event::Alias(_) => {
                self.has_alias = true;
                self.value(Json::Missing, findings, visit);
            }
            Event::DocumentStart(_) => self.visited = false,
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    /// Whether the value that begins is kept. Names that are no text are not.
    fn is_kept(&self) -> bool {
        match self.open.last() {
            Some(Open::Object { name: Some(name), .. }) => {
                self.names.contains(&name.as_str()) || self.open.len() == 1 && name == self.list
            }
            Some(Open::Object { name: None, .. }) => false,
            Some(Open::List(_)) | None => true,
        }
    }

    fn forget_name(&mut self) {
        if let Some(Open::Object { name, .. }) = self.open.last_mut() {
            // What is skipped is a value, or a name that is no text, whose value comes next.
            *name = if name.is_some() { None } else { Some(String::new()) };
        }
    }

    /// Whether the list that is open is the one whose elements are visited.
    fn is_in_list(&self) -> bool {
        matches!(self.open.as_slice(), [Open::Object { name: Some(name), .. }, Open::List(_)] if name == self.list)
    }

    /// Puts a value where it belongs.
    fn value(&mut self, value: Json, findings: &mut Findings, visit: &mut Visit<'_>) {
        if self.is_in_list() {
            self.visited = true;
            return self.visit(value, findings, visit);
        }
        let names = self.names;
        match self.open.last_mut() {
            None => {
                let is_list = value.member("kind").cell().ends_with("List");
                if !self.visited && !is_list && value != Json::Missing {
                    self.visit(value, findings, visit);
                }
            }
            Some(Open::List(elements)) => elements.push(value),
            Some(Open::Object { members, name }) => match name.take() {
                None => *name = Some(value.cell()),
                Some(own) if names.contains(&own.as_str()) => members.push((own, value)),
                Some(_) => {}
            },
        }
    }

    fn visit(&mut self, value: Json, findings: &mut Findings, visit: &mut Visit<'_>) {
        self.number += 1;
        findings.begin_row(self.number);
        visit(self.number, value, findings);
    }
}

/// A scalar as the core schema has it.
fn scalar(text: &str, style: ScalarStyle) -> Json {
    if style != ScalarStyle::Plain {
        return Json::Text(text.into());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Json::Missing,
        "true" | "True" | "TRUE" => Json::Number(1.0),
        "false" | "False" | "FALSE" => Json::Number(0.0),
        // Names such as `1e5` would not be themselves any more: only what is written back alike is a number.
        _ => match elastiplan_text::number(text).filter(|number| number.is_finite() && number.to_string() == text) {
            Some(number) => Json::Number(number),
            None => Json::Text(text.into()),
        },
    }
}
