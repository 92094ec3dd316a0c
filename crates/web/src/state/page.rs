//! Everything that the page shows and knows.

use std::cell::RefCell;
use std::rc::Rc;

use elastiplan_compare::Arrangement;
use elastiplan_formats::Excerpt;
use elastiplan_present::goal::Goal;
use elastiplan_present::verdict::Verdict;
use elastiplan_scenario::fields::Value;
use yew::{AttrValue, Callback};

use super::binding::{Binding, Next};
use super::command::Command;
use super::data::Reading;
use super::drawing::PendingDrawing;
use super::edit::Edit;
use super::inputs::Inputs;
use super::kept::{KeptState, WorkHooks};
use super::late::Late;
use super::message::{Msg, Screen, Sheet};
use super::offline::Offline;
use super::order::{Focus, Remote};
use super::pending::PendingUpdates;
use super::planner::{After, Planner};
use super::preset::Presets;
use super::program::DecisionProgram;
use super::report::Report;
use super::runs::Runs;
use super::study::StudyState;
use super::study_open::Opening;
use super::table::{LastTable, TableChoice};
use super::wanted::Wanted;
use crate::files::NamedFile;
use crate::theme::Choice;

/// Runs start this long after the last edit.
const RUN_AFTER_MS: u32 = 250;

/// Runs made at the same time where nothing is known of the processor.
const RUNS_AT_ONCE: usize = 4;

/// The state of the page.
pub struct Page {
    /// Inputs and runs.
    pub planner: Planner,
    /// Sends a message to the page.
    pub send: Callback<Msg>,
    /// Made once, like the two below: the timelines are drawn again where a callback is another one.
    pub on_focus: Callback<Focus>,
    /// Stops a run.
    pub on_stop: Callback<usize>,
    /// Executes a command.
    pub on_command: Callback<&'static Command>,
    /// The content of the main area.
    pub screen: Screen,
    /// The built-in scenarios.
    pub presets: Rc<Presets>,
    /// The request for the presets.
    pub(super) presets_request: Option<u32>,
    /// The edit for which a worker is drawing.
    pub(super) drawing: Option<PendingDrawing>,
    /// The jobs that a worker is binding.
    pub(super) binding: Binding,
    /// The files that are being read.
    pub importing: Option<Importing>,
    /// The step in which a user says what the columns of a table are: a [`super::mapping::MappingStep`].
    pub mapping: Late,
    /// The files that were loaded last, over what was there before, where that leaves a choice: a
    /// [`super::merge::Merge`].
    pub merge: Late,
    /// The scenario that waits for files: a [`super::opened::Asked`].
    pub asked: Late,
    /// The opened scenario whose runs are awaited: a [`super::opened::Watched`].
    pub watched: Late,
    /// What there is to say of an opened scenario: a [`super::opened::Notice`].
    pub notice: Late,
    /// The scenario as it is shared: a [`super::sharing::Sharing`].
    pub sharing: Late,
    /// Results of the steps of undo: a [`super::steps::StepResults`].
    pub step_results: Late,
    /// What is known of kept work: a [`super::kept::Keeping`].
    pub keeping: Late,
    /// How the present work is kept.
    pub kept: KeptState,
    /// The inputs that the page began with.
    pub sample: Inputs,
    /// Counts works, for their keys.
    pub works_begun: u32,
    /// What begins another work, once it is here.
    pub work_hooks: Option<WorkHooks>,
    /// What is being opened in the place of the sample, in words.
    pub opening_first: Option<AttrValue>,
    /// The chart that was chosen, by its name.
    pub chart: Option<&'static str>,
    /// Tables that were read by mappings that the browser keeps.
    pub as_last_time: Vec<AsLastTime>,
    /// The latest reading, if none of its files could be used.
    pub unused: Option<Rc<Reading>>,
    /// The selected finding of the report.
    pub chosen: Option<usize>,
    /// The rows around the selected finding.
    pub excerpt: Option<Excerpt>,
    /// Whether files are being dragged over the page.
    pub is_drag_over: bool,
    /// Sends orders to the timelines.
    pub remote: Remote,
    /// The selection in the timelines.
    pub focus: Focus,
    /// The slot of the run whose first difference from the baseline is shown, where nothing is selected.
    pub divergence: Option<usize>,
    /// Query, order and groups of the shown jobs.
    pub wanted: Wanted,
    /// Columns of the table of runs, and their order.
    pub table: TableChoice,
    /// What runs are judged by; `None`: what the jobs suggest.
    pub goal: Option<Goal>,
    /// The rows as they were last arranged.
    pub(super) arranged: RefCell<Arranged>,
    /// The table of runs as it was last made.
    pub(super) tabled: RefCell<LastTable>,
    /// The last verdict with its runs.
    pub(super) judged: RefCell<Option<(Runs, Goal, Rc<Verdict>)>>,
    /// The sheet above the page.
    pub sheet: Option<Sheet>,
    /// Whether a sheet was asked for that opens once its part of the page is here.
    pub awaits_sheet: bool,
    /// What was typed for a sheet before it was there.
    pub typed_ahead: String,
    /// The decision that the sheet shows as a program.
    pub program: Option<DecisionProgram>,
    /// The slot of the run that the sheet forks, and when, in seconds after the first submission.
    pub fork: Option<(usize, f64)>,
    /// Executed commands, the latest first.
    pub recent: Vec<&'static Command>,
    /// The id of the run whose settings are shown.
    pub selected_run: Option<u32>,
    /// Runs that workers make at the same time.
    pub runs_at_once: usize,
    /// Runs of a study that are made at the same time.
    pub study_runs_at_once: usize,
    /// Whether inputs are hidden.
    pub is_rail_hidden: bool,
    /// Whether the panel is hidden.
    pub is_panel_hidden: bool,
    /// The status line.
    pub status: StatusLine,
    /// Scenarios of an author beside the page: a [`super::gallery::Gallery`].
    pub gallery: Late,
    /// Inside another page: the link of what is shown, once it is known.
    pub embed_link: Option<String>,
    /// The network, and new versions of the page.
    pub offline: Offline,
    /// The chosen theme.
    pub choice: Choice,
    /// The theme in effect.
    pub theme: &'static str,
    /// The id of the build.
    pub build_id: AttrValue,
    /// Updates from workers that have not been applied yet.
    pub pending: PendingUpdates,
    /// Requests of runs that the user has just stopped. The page shows that before it lays out their records.
    pub stopping: Vec<u32>,
    /// The time in milliseconds at which the present message arrived.
    pub now_ms: f64,
    /// Messages to be sent to the page later. The app takes them after every message.
    pub timers: Vec<(Delay, Msg)>,
    /// The number of the edit after which runs start by themselves; `None` if they do not.
    pub(super) auto_run: Option<u32>,
    edits: u32,
    /// The study.
    pub study: StudyState,
    /// Runs of the study that are put into the list.
    pub opening: Opening,
    /// Counts launches and their cancellations, so that a timer of an earlier one is recognised.
    pub(super) launches: u32,
}

/// The delay of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// Milliseconds.
    Ms(u32),
    /// Until the next frame has been painted.
    NextFrame,
}

/// The text of the status line.
pub struct StatusLine {
    /// The text.
    pub text: AttrValue,
    /// When it was set, in milliseconds.
    pub at_ms: f64,
}

/// Files that a worker is reading.
pub struct Importing {
    /// The request.
    pub request: u32,
    /// The files.
    pub files: Vec<NamedFile>,
    /// The share that has been read, 0 to 1.
    pub share: f64,
    /// How one of them is read; `None`: as it is recognised.
    pub mapped: Option<Mapped>,
}

/// How a table is read as a user said it, now or earlier.
pub struct Mapped {
    /// The place of the file among those that are read, and the mapping as text.
    pub mapping: (u32, String),
    /// Fields of the scenario that were chosen with it, by their keys.
    pub fields: Vec<(&'static str, Value)>,
    /// The mapping that the browser kept, if it is one.
    pub last_time: Option<LastTime>,
}

/// A mapping that the browser kept.
#[derive(Clone, Debug, PartialEq)]
pub struct LastTime {
    /// The path of the table.
    pub path: String,
    /// The fingerprint of its columns.
    pub fingerprint: u64,
    /// When it was used before, in seconds since 1970.
    pub used_epoch_s: f64,
}

/// A table that was read by a mapping that the browser kept.
#[derive(Clone, Debug, PartialEq)]
pub struct AsLastTime {
    /// The number of the reading.
    pub reading: u32,
    /// The mapping.
    pub last_time: LastTime,
    /// Whether the mapping is forgotten since.
    pub is_forgotten: bool,
}

/// Rows with what they were arranged from.
#[derive(Default)]
pub(super) struct Arranged {
    pub from: Option<(Runs, Wanted)>,
    pub rows: Option<Rc<Arrangement>>,
}

impl Page {
    /// The page with the sample, not run yet.
    pub fn new(send: Callback<Msg>, build_id: String, (choice, theme): (Choice, &'static str)) -> Self {
        let planner = Planner::new();
        Self {
            sample: planner.inputs().clone(),
            planner,
            keeping: Late::default(),
            kept: KeptState::default(),
            works_begun: 0,
            work_hooks: None,
            opening_first: None,
            on_focus: send.reform(Msg::Focus),
            on_stop: send.reform(Msg::Stop),
            on_command: send.reform(Msg::Do),
            screen: Screen::Compare,
            presets: Rc::default(),
            presets_request: None,
            drawing: None,
            binding: Binding::default(),
            importing: None,
            mapping: Late::default(),
            merge: Late::default(),
            asked: Late::default(),
            watched: Late::default(),
            notice: Late::default(),
            sharing: Late::default(),
            step_results: Late::default(),
            chart: None,
            as_last_time: Vec::new(),
            unused: None,
            chosen: None,
            excerpt: None,
            is_drag_over: false,
            remote: Remote::default(),
            focus: Focus::default(),
            divergence: None,
            wanted: Wanted::default(),
            table: TableChoice::default(),
            goal: None,
            arranged: RefCell::default(),
            tabled: RefCell::default(),
            judged: RefCell::default(),
            sheet: None,
            awaits_sheet: false,
            typed_ahead: String::new(),
            program: None,
            fork: None,
            recent: Vec::new(),
            selected_run: None,
            runs_at_once: RUNS_AT_ONCE,
            study_runs_at_once: 1,
            is_rail_hidden: false,
            is_panel_hidden: false,
            status: StatusLine { text: AttrValue::default(), at_ms: f64::NEG_INFINITY },
            gallery: Late::default(),
            embed_link: None,
            offline: Offline::default(),
            choice,
            theme,
            build_id: build_id.into(),
            pending: PendingUpdates::default(),
            stopping: Vec::new(),
            now_ms: 0.0,
            timers: Vec::new(),
            auto_run: None,
            edits: 0,
            study: StudyState::default(),
            opening: Opening::default(),
            launches: 0,
            send,
        }
    }

    /// The report on what was loaded last.
    pub fn report(&self) -> Report {
        Report::of(self.planner.inputs(), &self.planner.bound, self.unused.as_ref())
    }

    /// Sets the status line.
    pub fn say(&mut self, text: impl Into<AttrValue>) {
        self.status = StatusLine { text: text.into(), at_ms: self.now_ms };
    }

    /// Whether runs are made or files are read.
    pub fn is_busy(&self) -> bool {
        self.is_running() || self.importing.is_some() || self.study.is_running
    }

    /// Sends a message later.
    pub(super) fn later(&mut self, delay: Delay, message: Msg) {
        self.timers.push((delay, message));
    }

    /// Prepares what an edit asks for.
    pub fn after(&mut self, after: After) {
        self.auto_run = None;
        self.binding.next = Next::Nothing;
        match after {
            After::Nothing => self.say_results(),
            After::RunSoon => {
                self.edits += 1;
                self.auto_run = Some(self.edits);
                self.later(Delay::Ms(RUN_AFTER_MS), Msg::AutoRun(self.edits));
            }
            After::Wait => self.say("Inputs changed. Press Ctrl Enter to run them"),
        }
    }

    /// The edit that pins the selected run, or the baseline; or unpins it.
    pub fn pin_run(&self) -> Option<Edit> {
        let inputs = self.planner.inputs();
        let run = self.selected_run.and_then(|id| inputs.run(id)).or(inputs.runs().first())?;
        Some(Edit::Pin(run.id, !run.is_pinned()))
    }

    /// Opens the sheet that forks a run, or the selected one, or the baseline; at a time on the clock of the trace.
    pub fn open_fork(&mut self, slot: Option<usize>, time_s: f64) {
        let inputs = self.planner.inputs();
        let selected = || inputs.runs().iter().position(|run| Some(run.id) == self.selected_run);
        let slot = slot.or_else(selected).unwrap_or(0);
        self.fork = Some((slot, time_s - inputs.data.trace.start_s()));
        self.sheet = Some(Sheet::Fork);
    }

    /// Whether runs are still to start by themselves after the edit with this number.
    pub fn runs_after(&self, edit: u32) -> bool {
        self.auto_run == Some(edit)
    }

    /// Shows the coming runs of the launch with this number, if no other launch or stop followed it.
    pub fn show_coming(&mut self, launch: u32) {
        if self.launches == launch {
            self.planner.show_coming();
        }
    }
}
