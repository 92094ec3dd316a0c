//! The app: holds everything, hears everybody, and says what to show.

mod export;
mod finding;
mod importing;
mod listen;
mod program;
mod running;
mod untold;

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use elastiplan_compare::{Badge, GroupBy, OrderBy};
use elastiplan_formats::Excerpt;
use elastiplan_model::JobId;
use elastiplan_policies::PolicySpec;
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use web_sys::File;
use yew::prelude::*;

pub use export::Export;
use finding::Arranged;
pub use importing::Importing;
pub use program::Wording;
use untold::Untold;

use crate::command::{Act, Command};
use crate::dom;
use crate::files::NamedFile;
use crate::pool::{Heard, Pool};
use crate::state::data::Reading;
use crate::state::edit::Edit;
use crate::state::planner::{After, Planner};
use crate::state::wanted::Wanted;
use crate::theme::Choice;
use crate::timeline::{Focus, Order, Remote};
use crate::view::{self, Sheet};
use elastiplan_present::verdict::Verdict;

/// Everything that can happen to the page.
pub enum Msg {
    /// A worker said something.
    Heard(Heard),
    /// An input changes.
    Edit(Edit),
    /// A drag or a burst of typing ends.
    Seal,
    /// A step back.
    Undo,
    /// A step forward.
    Redo,
    /// New runs, asked for.
    Run,
    /// New runs, because an edit is over.
    AutoRun,
    /// The coming runs take too long to wait for: show them as they are.
    ShowComing,
    /// Everything that goes on is stopped.
    Cancel,
    /// One run is stopped.
    Stop(PolicySpec),
    /// These requests have had their time to stop.
    Terminate(Vec<u32>),
    /// That runs are stopped has been drawn.
    Stopped,
    /// It is time to take in what runs have told of themselves since the last time.
    TakeIn,
    /// That has been drawn; it was taken in at this time.
    TakenIn(f64),
    /// Files to read.
    Files(Vec<NamedFile>),
    /// Files are over the page, or no longer.
    DragOver(bool),
    /// What is to be seen.
    Show(Screen),
    /// A finding is chosen, by its place in the report.
    Choose(usize),
    /// A command is asked for, by its key or in the palette.
    Do(&'static Command),
    /// The timelines are asked for something.
    Timelines(Order),
    /// The story of a job is wanted.
    Story(JobId),
    /// Something else is looked at.
    Focus(Focus),
    /// The timelines are to go to where two runs differ first.
    FirstDifference,
    /// It is no longer to be shown.
    CloseDivergence,
    /// The job whose completion changed most is to be selected.
    MostChanged,
    /// Only jobs that match are to be shown.
    Search(String),
    /// The selected job is to come first, or no longer.
    Pin,
    /// No job is to come first.
    Unpin,
    /// Rows are to be sorted.
    Sort(OrderBy),
    /// Rows are to be sorted by something under the policy that is compared.
    SortCompared(fn(Badge) -> OrderBy),
    /// Rows are to be grouped.
    Group(GroupBy),
    /// Rows are to be grouped by something under the policy that is compared.
    GroupCompared(fn(Badge) -> GroupBy),
    /// A sheet is to be opened above the page.
    Open(Sheet),
    /// It is closed.
    Close,
    /// The decision of a run, by its place, that holds at a time is wanted as a program; node by node or not.
    Program(usize, f64, bool),
    /// Inputs are to be shown or hidden.
    ToggleInputs,
    /// The panel is to be shown or hidden.
    TogglePanel,
    /// A file is asked for.
    Export(Export),
    /// The next theme.
    NextTheme,
    /// The system's theme changed.
    SystemTheme,
}

/// What is to be seen in the main area; on a narrow page inputs are a screen too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// Results.
    Compare,
    /// A row a job.
    Jobs,
    /// What became of the files.
    Report,
    /// Inputs, where there is no room beside.
    Inputs,
}

/// The page.
pub struct App {
    pub(crate) planner: Planner,
    pub(crate) pool: Pool,
    pub(crate) send: Callback<Msg>,
    /// Made once: the timelines are drawn again where a callback is another one.
    pub(crate) on_focus: Callback<Focus>,
    pub(crate) on_stop: Callback<PolicySpec>,
    pub(crate) on_command: Callback<&'static Command>,
    pub(crate) screen: Screen,
    pub(crate) importing: Option<Importing>,
    /// Sets of files that wait to be read.
    pub(crate) to_read: VecDeque<Vec<NamedFile>>,
    pub(crate) readings: u32,
    /// The latest reading, if it brought nothing of use.
    pub(crate) unused: Option<Rc<Reading>>,
    /// Files by reading and path, for excerpts.
    pub(crate) files: BTreeMap<(u32, String), File>,
    pub(crate) chosen: Option<usize>,
    pub(crate) excerpt: Option<Excerpt>,
    pub(crate) excerpt_request: Option<u32>,
    pub(crate) is_drag_over: bool,
    /// The way to the timelines.
    pub(crate) remote: Remote,
    pub(crate) focus: Focus,
    /// Of which run the first difference from the baseline is shown, where nothing is selected.
    pub(crate) divergence: Option<usize>,
    pub(crate) wanted: Wanted,
    pub(crate) arranged: RefCell<Arranged>,
    /// What was said last, and of which runs.
    pub(crate) judged: RefCell<Option<(view::Runs, Rc<Verdict>)>>,
    /// The sheet above the page.
    pub(crate) sheet: Option<Sheet>,
    /// The decision that is shown as a program, or will be.
    pub(crate) wording: Option<Wording>,
    /// Commands by their ids, the latest first.
    pub(crate) recent: Vec<&'static Command>,
    pub(crate) is_rail_hidden: bool,
    pub(crate) is_panel_hidden: bool,
    pub(crate) said: Said,
    pub(crate) choice: Choice,
    pub(crate) theme: &'static str,
    pub(crate) build_id: AttrValue,
    /// What runs have told of themselves and is not shown yet.
    pub(crate) untold: Untold,
    /// Runs that somebody has stopped. The page says so before it works out what is left of them.
    pub(crate) stopping: Vec<u32>,
    pub(crate) run_timer: Option<Timeout>,
    pub(crate) show_timer: Option<Timeout>,
    _listeners: Vec<EventListener>,
}

/// What the status line says.
pub(crate) struct Said {
    pub(crate) text: AttrValue,
    at_ms: f64,
}

/// Runs start this long after the last edit.
const RUN_AFTER_MS: u32 = 250;

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let send = ctx.link().callback(|msg: Msg| msg);
        let build_id = dom::build_id();
        let choice = Choice::remembered();
        let theme = choice.apply();
        let pool = Pool::new(&build_id, ctx.link().callback(Msg::Heard));
        let mut app = Self {
            planner: Planner::new(),
            pool,
            on_focus: send.reform(Msg::Focus),
            on_stop: send.reform(Msg::Stop),
            on_command: send.reform(Msg::Do),
            screen: Screen::Compare,
            importing: None,
            to_read: VecDeque::new(),
            readings: 0,
            unused: None,
            files: BTreeMap::new(),
            chosen: None,
            excerpt: None,
            excerpt_request: None,
            is_drag_over: false,
            remote: Remote::default(),
            focus: Focus::default(),
            divergence: None,
            wanted: Wanted::default(),
            arranged: RefCell::default(),
            judged: RefCell::default(),
            sheet: None,
            wording: None,
            recent: Vec::new(),
            is_rail_hidden: false,
            is_panel_hidden: false,
            said: Said { text: AttrValue::default(), at_ms: f64::NEG_INFINITY },
            choice,
            theme,
            build_id: build_id.into(),
            untold: Untold::default(),
            stopping: Vec::new(),
            run_timer: None,
            show_timer: None,
            _listeners: listen::listeners(&send),
            send,
        };
        // The sample is run before anything is drawn: its results are what a person comes to see.
        app.launch();
        app
    }

    fn update(&mut self, _ctx: &Context<Self>, msg: Msg) -> bool {
        self.take(msg)
    }

    fn view(&self, _ctx: &Context<Self>) -> Html {
        view::page(self)
    }
}

impl App {
    /// Does what a message asks for; whether there is something else to show.
    fn take(&mut self, msg: Msg) -> bool {
        match msg {
            Msg::Heard(heard) => return self.hear(heard),
            Msg::Edit(edit) => {
                let after = self.planner.edit(edit, dom::now_ms());
                self.after(after);
            }
            Msg::Seal => {
                self.planner.seal();
                return false;
            }
            Msg::Undo => {
                let after = self.planner.undo(dom::now_ms());
                self.went_through_history(after, "Undone");
            }
            Msg::Redo => {
                let after = self.planner.redo(dom::now_ms());
                self.went_through_history(after, "Done again");
            }
            Msg::Run | Msg::AutoRun => {
                self.launch();
                if self.screen == Screen::Inputs && matches!(msg, Msg::Run) {
                    self.screen = Screen::Compare;
                }
            }
            Msg::ShowComing => self.planner.show_coming(),
            Msg::Cancel => self.cancel(),
            Msg::Stop(policy) => self.stop(&policy),
            Msg::Terminate(requests) => return self.terminate(&requests),
            Msg::Stopped => self.settle(),
            Msg::TakeIn => return self.take_in(),
            Msg::TakenIn(since_ms) => {
                self.untold.drawn(since_ms);
                return false;
            }
            Msg::Files(files) => self.read(files),
            Msg::DragOver(is_over) => return std::mem::replace(&mut self.is_drag_over, is_over) != is_over,
            Msg::Show(screen) => self.show(screen),
            Msg::Choose(place) => self.choose(place),
            Msg::Do(command) => {
                self.recent.retain(|known| known.id != command.id);
                self.recent.insert(0, command);
                return match command.act {
                    Act::Page(msg) => self.take(msg()),
                    Act::Timelines(order) => self.take(Msg::Timelines(order)),
                };
            }
            Msg::Timelines(order) => {
                let was_shown = self.divergence.is_some();
                if order == Order::Release && self.focus == Focus::default() {
                    self.divergence = None;
                }
                self.remote.send(order);
                return was_shown && self.divergence.is_none();
            }
            Msg::Focus(focus) => return std::mem::replace(&mut self.focus, focus) != focus,
            Msg::Story(job) => {
                self.screen = Screen::Compare;
                self.remote.send(Order::Select(job));
            }
            Msg::FirstDifference => self.go_to_first_difference(),
            Msg::CloseDivergence => self.divergence = None,
            Msg::MostChanged => self.select_most_changed(),
            Msg::Search(query) => self.wanted.query = query,
            Msg::Pin => match self.focus.job {
                Some(job) => self.wanted.pin(job),
                None => self.say("Select a job first: it is pinned on top of all strips"),
            },
            Msg::Unpin => self.wanted.pinned.clear(),
            Msg::Sort(order) => self.wanted.sort(order),
            Msg::SortCompared(by) => self.wanted.sort(by(self.compared())),
            Msg::Group(group) => self.wanted.group = group,
            Msg::GroupCompared(by) => self.wanted.group = by(self.compared()),
            Msg::Open(sheet) => self.sheet = Some(sheet),
            Msg::Close => self.close_sheet(),
            Msg::Program(slot, time_s, node_by_node) => self.write_program(slot, time_s, node_by_node),
            Msg::ToggleInputs => self.is_rail_hidden = !self.is_rail_hidden,
            Msg::TogglePanel => self.is_panel_hidden = !self.is_panel_hidden,
            Msg::Export(export) => self.export(export),
            Msg::NextTheme => {
                self.choice = self.choice.next();
                self.choice.remember();
                self.theme = self.choice.apply();
            }
            Msg::SystemTheme => {
                let theme = self.choice.apply();
                return std::mem::replace(&mut self.theme, theme) != theme;
            }
        }
        true
    }

    /// Does what an edit asks for.
    fn after(&mut self, after: After) {
        self.run_timer = None;
        match after {
            After::Nothing => self.say_results(),
            After::RunSoon => {
                let send = self.send.clone();
                self.run_timer = Some(Timeout::new(RUN_AFTER_MS, move || send.emit(Msg::AutoRun)));
            }
            After::Wait => self.say("Inputs changed. Press Ctrl Enter to run them"),
        }
    }

    fn went_through_history(&mut self, after: After, word: &'static str) {
        self.unused = None;
        self.after(after);
        self.show(if self.screen == Screen::Report { Screen::Compare } else { self.screen });
        if after == After::Nothing {
            self.say(word);
        }
    }

    fn show(&mut self, screen: Screen) {
        if screen != Screen::Report {
            self.unused = None;
        }
        self.screen = screen;
        self.chosen = None;
        self.excerpt = None;
        if screen == Screen::Report {
            let report = view::report_of(self);
            if let Some(place) = report.found.iter().position(|found| found.place().is_some()) {
                self.choose(place);
            }
        }
    }

    fn say(&mut self, text: impl Into<AttrValue>) {
        self.said = Said { text: text.into(), at_ms: dom::now_ms() };
    }
}
