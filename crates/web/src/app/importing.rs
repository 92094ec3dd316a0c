//! Reading files: sending them to a worker, and taking in what it found.

use std::rc::Rc;

use elastiplan_formats::{Excerpt, Import};
use elastiplan_text::words;
use elastiplan_worker::Packed;
use elastiplan_worker::messages::Request;
use js_sys::Array;
use web_sys::File;

use super::App;
use crate::dom;
use crate::files::NamedFile;
use crate::state::data::Reading;
use crate::state::edit::Edit;
use crate::state::merge::Merge;
use crate::state::message::Screen;
use crate::state::opened::Asked;
use crate::state::page::{AsLastTime, Importing, Mapped};

/// Larger files are refused: a table of jobs takes seven times its size in the worker, whose memory ends at 4 GB.
const BYTES_MAX: f64 = 400_000_000.0;
/// The looks of the mapping step and of what follows reading.
const STYLE: &str = "mapping.css";
/// Lines shown before and after the one that a finding is about.
const AROUND: u32 = 4;

/// What was read last.
pub(super) struct Loaded {
    reading: Rc<Reading>,
    /// Whether a log of nodes was among it.
    has_log: bool,
    /// Whether the user has seen what would be loaded.
    was_seen: bool,
}

impl App {
    /// Reads files, after those that are being read: a trace and its curves may come one right after the other.
    pub(super) fn read(&mut self, files: Vec<NamedFile>) {
        self.page.is_drag_over = false;
        if files.is_empty() {
            return self.page.say("There were no files in what was dropped");
        }
        if self.page.importing.is_some() || self.page.mapping.is_some() {
            return self.to_read.push_back(files);
        }
        self.read_by(files, None);
    }

    /// Reads files, one of them as a user said it, if that is known.
    pub(super) fn read_by(&mut self, files: Vec<NamedFile>, mapped: Option<Mapped>) {
        dom::add_stylesheet(STYLE);
        // Files may belong to a scenario that waits for them.
        let (link, files) = match self.page.asked.get::<Asked>() {
            Some(asked) if mapped.is_none() => (asked.link.clone(), asked.files.iter().cloned().chain(files).collect()),
            _ => (None, files),
        };
        let paths = files.iter().map(|named| named.path.clone()).collect();
        let blobs: Array = files.iter().map(|named| &named.file).collect();
        let mappings = mapped.iter().map(|mapped| mapped.mapping.clone()).collect();
        match self.pool.send(Request::Import { paths, blobs, bytes_max: BYTES_MAX, mappings, link }) {
            Ok(request) => {
                let files_words = words::counted(files.len() as u64, "file", "files");
                self.page.say(format!("Reading {files_words}"));
                self.page.importing = Some(Importing { request, files, share: 0.0, mapped });
            }
            Err(message) => self.page.say(message),
        }
    }

    pub(super) fn read_next(&mut self) {
        if self.page.importing.is_none()
            && !self.page.mapping.is_some()
            && let Some(files) = self.to_read.pop_front()
        {
            self.read(files);
        }
    }

    /// Gives up reading.
    pub(super) fn stop_import(&mut self) {
        self.to_read.clear();
        self.undecided.clear();
        self.page.asked.clear();
        self.end_opening();
        if let Some(importing) = self.page.importing.take() {
            self.pool.terminate(importing.request);
            self.page.say("Stopped reading. What was loaded stays");
        }
    }

    pub(super) fn import_progress(&mut self, request: u32, bytes_read: f64, bytes_total: Option<f64>) {
        let share = bytes_total.filter(|&total| total > 0.0).map_or(0.0, |total| bytes_read / total);
        match self.page.importing.as_mut().filter(|importing| importing.request == request) {
            Some(importing) => importing.share = share,
            None => self.survey_progress(request, share),
        }
    }

    pub(super) fn import_failed(&mut self, request: u32, message: &str) {
        if self.page.importing.take_if(|importing| importing.request == request).is_some() {
            self.end_opening();
            self.page.say(format!("The files could not be read: {message}. What was loaded stays"));
            self.read_next();
        }
    }

    pub(super) fn imported(&mut self, request: u32, packed: &Packed, wall_ms: f64) {
        self.forget_asked();
        let Some(importing) = self.page.importing.take_if(|importing| importing.request == request) else { return };
        self.end_opening();
        match packed.unpack::<Import>() {
            Ok(import) => {
                if let Some((importing, import)) = self.decide(importing, import, wall_ms) {
                    self.take_over(importing, import, wall_ms);
                }
            }
            Err(error) => self.page.say(error.to_string()),
        }
        self.read_next();
    }

    /// Takes over what was read.
    pub(super) fn take_over(&mut self, importing: Importing, import: Import, wall_ms: f64) {
        self.readings += 1;
        let has_trace = import.trace.is_some();
        let has_log = import.availability.is_some();
        let (data, reading) = self.page.planner.inputs().data.with(import, self.readings, wall_ms);
        let (fields, last_time) = match importing.mapped {
            Some(Mapped { fields, last_time, .. }) => (Some(fields), last_time),
            None => (None, None),
        };
        let was_seen = fields.is_some() && last_time.is_none();
        let as_last_time =
            last_time.map(|last_time| AsLastTime { reading: reading.number, last_time, is_forgotten: false });
        self.page.as_last_time.extend(as_last_time);
        let named = importing.files.into_iter().map(|named| ((reading.number, named.path), named.file));
        self.files.extend(named);
        let Some(data) = data else {
            let words = match reading.files.as_slice() {
                [only] => match &only.not_used {
                    Some(reason) => format!("{}: {reason}. What was loaded stays", only.path),
                    None => format!("{} holds nothing that can be used. What was loaded stays", only.path),
                },
                files => {
                    let files = words::counted(files.len() as u64, "file", "files");
                    format!("Nothing in {files} can be used. What was loaded stays")
                }
            };
            self.page.unused = Some(reading);
            self.show_report();
            return self.page.say(words);
        };
        let file_name = data.trace_file().map(|file| file_name(&file.path).to_string());
        match Merge::of(&self.page.planner.inputs().data, &data) {
            Some(merge) => self.page.merge.put(merge),
            None => self.page.merge.clear(),
        }
        let name = file_name.filter(|_| has_trace);
        let edit = match fields {
            Some(fields) => Edit::LoadWith(data, name, fields),
            None => Edit::Load(data, name),
        };
        let _ = self.page.planner.edit(edit, self.page.now_ms);
        self.page.unused = None;
        self.loaded = Some(Loaded { reading, has_log, was_seen });
        if self.page.launch_or_wait(&mut self.pool) {
            self.finish_import();
        }
    }

    /// Shows what was read, once its jobs are bound.
    pub(super) fn finish_import(&mut self) {
        let Some(Loaded { reading, has_log, was_seen }) = self.loaded.take() else { return };
        let bound = &self.page.planner.bound;
        let has_losses = bound.jobs_bound() > 0 && bound.jobs_bound() < bound.jobs_loaded;
        match (reading.needs_a_look() && !was_seen) || has_losses {
            true => self.show_report(),
            false => self.show(Screen::Compare),
        }
        if self.page.obstacle().is_none() {
            let nodes = words::counted(self.page.planner.inputs().nodes_in_log().into(), "node comes", "nodes come");
            let nodes = if has_log { format!(". {nodes} and go") } else { String::new() };
            let files = words::counted(reading.files.len() as u64, "file", "files");
            let waits = self.page.planner.warning().is_some() && !self.page.planner.is_running();
            let what_next = if waits { ". Press Ctrl Enter to run" } else { "" };
            self.page.say(format!("{files} read in {}{nodes}{what_next}", words::wall(reading.wall_ms)));
        }
    }

    /// Chooses a finding of the report, and asks for the rows around it.
    pub(super) fn choose(&mut self, place: usize) {
        self.page.chosen = Some(place);
        self.page.excerpt = None;
        self.excerpt_request = None;
        let report = self.page.report();
        let Some((reading, path, row)) = report.found.get(place).and_then(|found| found.place()) else { return };
        let Some(file) = self.file_of(reading, &path) else { return };
        let blobs = Array::of1(file);
        let request = Request::Excerpt { path, blobs, row: row as f64, around: AROUND };
        self.excerpt_request = self.pool.send(request).ok();
    }

    /// The file of a path; of a path in an archive, the archive.
    pub(super) fn file_of(&self, reading: u32, path: &str) -> Option<&File> {
        let ends = path.char_indices().rev().filter(|(_, letter)| *letter == '/').map(|(at, _)| at);
        let prefixes = std::iter::once(path.len()).chain(ends).filter_map(|end| path.get(..end));
        prefixes.into_iter().find_map(|path| self.files.get(&(reading, path.to_string())))
    }

    pub(super) fn excerpt_read(&mut self, request: u32, excerpt: Option<Excerpt>) {
        if self.excerpt_request == Some(request) {
            self.excerpt_request = None;
            self.page.excerpt = excerpt;
        }
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
