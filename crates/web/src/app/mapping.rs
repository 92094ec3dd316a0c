//! The step in which a user says what the columns of a table are: opening it, surveying the table, loading it.

use elastiplan_formats::mapping::{Remembered, RememberedMapping, Role, Survey, SurveyError};
use elastiplan_formats::{FileKind, Import};
use elastiplan_worker::Packed;
use elastiplan_worker::messages::{MessageError, Request};
use js_sys::Array;
use web_sys::Blob;

use super::App;
use crate::dom;
use crate::files::NamedFile;
use crate::state::edit::Edit;
use crate::state::mapping::assumptions::Assumptions;
use crate::state::mapping::line::Line;
use crate::state::mapping::{LoadOrder, MappingMsg, MappingStep, Table, kept, to_map};
use crate::state::merge::Merge;
use crate::state::message::Screen;
use crate::state::page::{Importing, LastTime, Mapped};

/// Of larger files the first part is surveyed first.
const LARGE_BYTES: f64 = 4e6;
/// That part.
const PART_BYTES: f64 = 1e6;
/// Columns of a table of jobs of which none is known: submission, GPUs and work.
const COLUMNS_NEEDED: usize = 3;
/// The name under which the browser keeps mappings.
const KEPT: &str = "elastiplan-mappings";

/// What was read of some files, until it is known how one of them is to be read.
pub(super) struct Undecided {
    import: Import,
    wall_ms: f64,
    /// The table.
    table: Table,
    /// Whether it is in use, by the mapping that its columns suggest.
    is_used: bool,
}

impl App {
    /// Applies a message about the step. Returns whether there is something else to show.
    pub(super) fn mapping_message(&mut self, msg: MappingMsg) -> bool {
        match msg {
            MappingMsg::Open(reading, path) => self.change_mapping(reading, path),
            MappingMsg::Edit(edit) => {
                let is_view = edit.is_view();
                self.on_step(|step| step.edit(edit));
                if !is_view {
                    self.go_on_with_step();
                }
            }
            MappingMsg::Load => {
                self.on_step(MappingStep::load);
                self.go_on_with_step();
            }
            MappingMsg::Cancel => {
                self.close_step();
                self.show(Screen::Compare);
                self.page.say("Nothing was loaded, and nothing has changed");
                self.read_next();
            }
            MappingMsg::Merge(edit) => {
                let Some(merge) = self.page.merge.get_mut::<Merge>() else { return false };
                let data = merge.edit(edit);
                self.page.edit(&mut self.pool, Edit::Load(data, None));
            }
            MappingMsg::Forget(fingerprint) => {
                let mut remembered = kept_mappings();
                remembered.forget(fingerprint);
                keep_mappings(&remembered);
                let known = self.page.as_last_time.iter_mut();
                known
                    .filter(|known| known.last_time.fingerprint == fingerprint)
                    .for_each(|known| known.is_forgotten = true);
            }
        }
        true
    }

    /// Changes the step, if it is open.
    fn on_step(&mut self, change: impl FnOnce(&mut MappingStep)) {
        if let Some(step) = self.page.mapping.get_mut() {
            change(step);
        }
    }

    fn open_step(&mut self, table: Table, mapping: Option<String>) {
        let assumptions = Assumptions::of(self.page.planner.inputs());
        self.page.mapping.put(MappingStep::open(table, mapping, assumptions));
        self.page.screen = Screen::Mapping;
        self.page.say("Say what the columns are. Nothing has changed yet");
    }

    /// Takes the step away, and ends a survey for it.
    fn close_step(&mut self) {
        if let Some(request) = self.page.mapping.take::<MappingStep>().and_then(|step| step.request()) {
            self.pool.terminate(request);
        }
    }

    /// Opens the step for a file that was read.
    fn change_mapping(&mut self, reading: u32, path: String) {
        let of_reading = self.files.iter().filter(|((number, _), _)| *number == reading);
        let files: Vec<NamedFile> =
            of_reading.map(|((_, path), file)| NamedFile { path: path.clone(), file: file.clone() }).collect();
        let report = self.page.report();
        let readings = report.readings.iter().filter(|known| known.number == reading);
        let file = readings.flat_map(|known| &known.files).find(|file| file.path == path);
        let Some(table) = table(path, files) else {
            return self.page.say("The file is not here any more. Drop it again");
        };
        let is_used = file.is_some_and(|file| file.not_used.is_none());
        let read_as = file.filter(|_| is_used).map(|file| file.summary.clone());
        let mapping = file.filter(|_| is_used).and_then(|file| file.mapping.as_ref()).map(ToString::to_string);
        self.close_step();
        self.open_step(Table { read_as, ..table }, mapping);
        self.go_on_with_step();
    }

    /// Sends the step's next question; loads, if that was asked for and all is known.
    fn go_on_with_step(&mut self) {
        let Some(step) = self.page.mapping.get_mut::<MappingStep>() else { return };
        if let Some(request) = step.give_up() {
            self.pool.terminate(request);
        }
        if let Some(ask) = step.next().cloned() {
            match send_survey(&mut self.pool, &step.table, ask.mapping, ask.is_part) {
                Ok(request) => step.asked(request),
                Err(message) => step.fault = Some(message),
            }
        }
        if let Some(order) = step.load_order() {
            let files = std::mem::take(&mut step.table.files);
            self.load_mapped(files, order);
        }
    }

    /// Loads the table as the step says.
    fn load_mapped(&mut self, files: Vec<NamedFile>, order: LoadOrder) {
        let LoadOrder { mapping, fields, remembered } = order;
        let place = mapping.0;
        if let Some((fingerprint, line)) = remembered {
            let mut known = kept_mappings();
            known.forget(fingerprint);
            if let Some(mapping) = line {
                let file = files.get(place as usize).map(|named| named.path.clone()).unwrap_or_default();
                known.keep(RememberedMapping { fingerprint, mapping, used_epoch_s: dom::epoch_s(), file });
            }
            keep_mappings(&known);
        }
        self.page.mapping.clear();
        self.page.screen = Screen::Compare;
        self.read_by(files, Some(Mapped { mapping, fields, last_time: None }));
    }

    /// Decides how files are read: what was read is taken over, unless one of them is a table whose mapping the user has
    /// to give, or gave earlier. That is known once its columns are.
    pub(super) fn decide(&mut self, importing: Importing, import: Import, wall_ms: f64) -> Option<(Importing, Import)> {
        if importing.mapped.is_some() {
            return Some((importing, import));
        }
        let is_mapped = |file: &&elastiplan_formats::FileReport| {
            file.kind == FileKind::JobsMapped && file.not_used.is_none() && file.source.is_none()
        };
        let used = import.files.iter().find(is_mapped).filter(|_| !kept_mappings().entries().is_empty());
        let is_used = used.is_some();
        let Some(file) = used.or_else(|| to_map(&import.files, import.trace.is_some())) else {
            return Some((importing, import));
        };
        let Some(table) = table(file.path.clone(), importing.files.clone()) else { return Some((importing, import)) };
        match send_survey(&mut self.pool, &table, None, table.is_large) {
            Ok(request) => {
                self.undecided.put(Undecided { import, wall_ms, table, is_used });
                self.page.importing = Some(Importing { request, ..importing });
                None
            }
            Err(_) => Some((importing, import)),
        }
    }

    /// Receives a survey.
    pub(super) fn surveyed(&mut self, request: u32, packed: &Packed) {
        let answer: Result<Result<Survey, SurveyError>, MessageError> = packed.unpack();
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return self.survey_failed(request, &error.to_string()),
        };
        if let Some(importing) = self.page.importing.take_if(|importing| importing.request == request) {
            self.decided(importing, answer);
            return self.read_next();
        }
        let mut is_new = false;
        self.on_step(|step| is_new = step.surveyed(request, answer));
        if is_new {
            self.go_on_with_step();
        }
    }

    /// What becomes of files once the columns of a table among them are known.
    fn decided(&mut self, importing: Importing, answer: Result<Survey, SurveyError>) {
        let Some(Undecided { import, wall_ms, table, is_used }) = self.undecided.take() else { return };
        let Ok(survey) = answer else { return self.take_over(importing, import, wall_ms) };
        let kept = kept_mappings();
        let known = kept.find(survey.fingerprint).and_then(|entry| Some((entry, Line::read(&entry.mapping).ok()?)));
        if let Some((entry, line)) = known {
            let last_time = LastTime {
                path: table.path.clone(),
                fingerprint: survey.fingerprint,
                used_epoch_s: entry.used_epoch_s,
            };
            let mut assumptions = Assumptions { sets_nodes: false, ..Assumptions::of(self.page.planner.inputs()) };
            assumptions.take(&line);
            let fields = assumptions.fields(None);
            let mapped = Mapped { mapping: (table.at, line.mapping.to_string()), fields, last_time: Some(last_time) };
            let mut kept = kept.clone();
            kept.keep(RememberedMapping { used_epoch_s: dom::epoch_s(), file: table.path, ..entry.clone() });
            keep_mappings(&kept);
            return self.read_by(importing.files, Some(mapped));
        }
        if is_used || !could_be_jobs(&survey) {
            return self.take_over(importing, import, wall_ms);
        }
        let is_large = table.is_large;
        self.open_step(table, None);
        // The answer is there already.
        self.on_step(|step| {
            step.asked(importing.request);
            step.surveyed(importing.request, Ok(survey));
        });
        debug_assert!(is_large || self.page.mapping.get().is_some_and(MappingStep::is_settled));
        self.go_on_with_step();
    }

    /// A worker could not survey a table.
    pub(super) fn survey_failed(&mut self, request: u32, message: &str) {
        if self.undecided.is_some()
            && let Some(importing) = self.page.importing.take_if(|importing| importing.request == request)
            && let Some(Undecided { import, wall_ms, .. }) = self.undecided.take()
        {
            self.take_over(importing, import, wall_ms);
            return self.read_next();
        }
        let mut is_this = false;
        self.on_step(|step| is_this = step.failed(request, message));
        if is_this {
            self.page.say(format!("The table could not be surveyed: {message}"));
        }
    }

    /// Notes how much of a table is surveyed.
    pub(super) fn survey_progress(&mut self, request: u32, share: f64) {
        let is_this = self.page.mapping.get::<MappingStep>().is_some_and(|step| step.request() == Some(request));
        if is_this {
            self.on_step(|step| step.share = share);
        }
    }
}

/// Whether a table may be one of jobs: it has rows, and columns for what a job needs or one that is known.
fn could_be_jobs(survey: &Survey) -> bool {
    let is_known = survey.uses.columns.iter().any(|own| own.role != Role::NotUsed);
    survey.counts.rows > 0 && (is_known || survey.columns.len() >= COLUMNS_NEEDED)
}

/// What the step is opened for: a file by its path, or in an archive, among those that came with it.
fn table(path: String, files: Vec<NamedFile>) -> Option<Table> {
    let holds = |named: &NamedFile| {
        path.strip_prefix(named.path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let at = files.iter().position(holds)?;
    let file = files.get(at)?;
    // A part of a packed file is a damaged file.
    let is_packed = [".gz", ".zip", ".zst"].iter().any(|end| file.path.ends_with(end));
    let is_large = file.file.size() > LARGE_BYTES && !is_packed;
    Some(Table { path, at: u32::try_from(at).ok()?, is_large, files, read_as: None })
}

fn send_survey(
    pool: &mut crate::state::pool::Pool<elastiplan_worker::Client>,
    table: &Table,
    mapping: Option<String>,
    is_part: bool,
) -> Result<u32, String> {
    let file = table.files.get(table.at as usize).ok_or("The file is not here any more. Drop it again")?;
    let part = file.file.slice_with_f64_and_f64(0.0, PART_BYTES).ok().filter(|_| is_part);
    let blob: &Blob = part.as_ref().unwrap_or(&file.file);
    pool.send(Request::Survey { path: table.path.clone(), blobs: Array::of1(blob), mapping })
}

fn kept_mappings() -> Remembered {
    kept::read(&dom::remembered(KEPT).unwrap_or_default())
}

fn keep_mappings(remembered: &Remembered) {
    let text = kept::write(remembered);
    dom::remember(KEPT, Some(text.as_str()).filter(|text| !text.is_empty()));
}
