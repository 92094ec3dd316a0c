//! The app: receives messages, updates the page, and talks to the workers and the browser.

mod changes;
mod embed;
mod export;
mod gallery;
mod importing;
mod keeping;
mod kept;
mod later;
mod launched;
mod listen;
mod mapping;
mod offline;
mod reporting;

use std::collections::{BTreeMap, VecDeque};

use elastiplan_worker::Module;
use elastiplan_worker::messages::{Request, Response};
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use web_sys::File;
use yew::prelude::*;

use self::importing::Loaded;
use crate::dom::ToOpen;
use crate::files::NamedFile;
use crate::state::command::Act;
use crate::state::embed::EmbedMsg;
use crate::state::kept::KeptMsg;
use crate::state::late::Late;
use crate::state::mapping::MappingMsg;
use crate::state::message::{Msg, Screen};
use crate::state::order::{Focus, Order};
use crate::state::page::{Delay, Page};
use crate::state::planner::After;
use crate::state::pool::{Client, Pool, Received};
use crate::state::study::StudyMsg;
use crate::state::study_worker::StudyWorker;
use crate::theme::Choice;
use crate::{dom, view};

/// The page with its workers.
pub struct App {
    page: Page,
    pool: Pool<elastiplan_worker::Client>,
    study: StudyWorker<elastiplan_worker::Client>,
    /// Sets of files that wait to be read.
    to_read: VecDeque<Vec<NamedFile>>,
    readings: u32,
    /// Files by reading and path, for excerpts.
    files: BTreeMap<(u32, String), File>,
    excerpt_request: Option<u32>,
    /// The address of the scenario that was fetched last, until it is open: its data lie beside it.
    fetched: Option<String>,
    /// What was read last, until its jobs are bound.
    loaded: Option<Loaded>,
    /// The id of the work that other tabs find taken.
    taken: Option<String>,
    lock: Option<dom::Lock>,
    /// Files of which one may be read by a mapping, until its columns are known: a [`mapping::Undecided`].
    undecided: Late,
    /// The service worker: an [`offline::Keeper`].
    keeper: Late,
    /// The page that holds this one: an [`embed::Host`].
    host: Late,
    /// Whether the first comparison is on the screen.
    is_painted: bool,
    /// Messages that wait for the file for later.
    waiting: Vec<Msg>,
    /// Responses that do.
    held: Vec<(u32, Response)>,
    _listeners: Vec<EventListener>,
}

impl Client for elastiplan_worker::Client {
    fn send(&self, id: u32, request: &Request) -> Result<(), String> {
        self.send(id, request).map_err(|error| error.to_string())
    }

    fn end(self) {
        Timeout::new(0, move || drop(self)).forget();
    }
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let send = ctx.link().callback(|msg: Msg| msg);
        let build_id = dom::build_id();
        let choice = Choice::remembered();
        let responses = ctx.link().callback(Msg::Worker);
        let start = move |module: Module, worker: u32| {
            let responses = responses.clone();
            let respond = move |(id, response, memory_bytes)| {
                responses.emit(Received { worker, id, response, memory_bytes });
            };
            elastiplan_worker::Client::start(module, respond).map_err(|error| error.to_string())
        };
        let of_study = ctx.link().callback(|received| Msg::Study(StudyMsg::Received(received)));
        let start_study = move |worker: u32| {
            let responses = of_study.clone();
            let respond = move |(id, response, memory_bytes)| {
                responses.emit(Received { worker, id, response, memory_bytes });
            };
            elastiplan_worker::Client::start(Module::Full, respond).map_err(|error| error.to_string())
        };
        let link = ctx.link().clone();
        // Not by a message: one that waits for other work to be done is never read once the page is gone.
        let leave = move || {
            if let Some(app) = link.get_component() {
                app.leave();
            }
        };
        let mut app = Self {
            study: StudyWorker::new(start_study),
            _listeners: listen::listeners(&send, leave),
            page: Page::new(send, build_id, (choice, choice.apply())),
            pool: Pool::new(start),
            to_read: VecDeque::new(),
            readings: 0,
            files: BTreeMap::new(),
            excerpt_request: None,
            fetched: None,
            loaded: None,
            taken: None,
            lock: None,
            undecided: Late::default(),
            keeper: Late::default(),
            host: Late::default(),
            is_painted: false,
            waiting: Vec::new(),
            held: Vec::new(),
        };
        // The sample is run before anything is drawn: its results are what the user comes to see.
        app.page.now_ms = dom::now_ms();
        // A study leaves one processor to the page, which stays at 60 frames a second meanwhile.
        app.page.study_runs_at_once = dom::processors().saturating_sub(1).max(1);
        app.page.runs_at_once = app.page.runs_at_once.max(dom::processors());
        match dom::to_open() {
            Some(ToOpen::Address) => app.open_first(Msg::OpenAddress, "Opening the scenario\u{2026}"),
            Some(ToOpen::Work { id, is_own }) => {
                app.open_first(Msg::Kept(Box::new(KeptMsg::Reopen(id, is_own))), "Opening your work\u{2026}");
            }
            None => app.page.launch(&mut app.pool),
        }
        if dom::is_embed() {
            app.apply(Msg::Embed(Box::new(EmbedMsg::Start)));
        }
        app.start_timers();
        app
    }

    fn update(&mut self, _ctx: &Context<Self>, msg: Msg) -> bool {
        self.page.now_ms = dom::now_ms();
        let is_changed = self.apply(msg) | self.note_stale_study() | self.note_steps() | self.watch() | self.keep();
        self.page.start_waiting(&mut self.pool);
        self.start_timers();
        is_changed
    }

    fn view(&self, _ctx: &Context<Self>) -> Html {
        view::page(&self.page)
    }

    fn rendered(&mut self, _ctx: &Context<Self>, _is_first: bool) {
        self.fetch_parts_when_painted();
        if self.page.lacks_numbers() {
            let send = self.page.send.clone();
            dom::after_next_frame(move || send.emit(Msg::MoreNumbers));
        }
    }
}

/// Whether a message opens a sheet.
fn is_of_sheet(msg: &Msg) -> bool {
    matches!(msg, Msg::Fork(..) | Msg::Program(..) | Msg::Share)
}

/// Whether a message changes inputs or runs of the page.
fn changes_sample(msg: &Msg) -> bool {
    matches!(msg, Msg::Edit(_) | Msg::Draw(_) | Msg::Undo | Msg::Redo | Msg::Run | Msg::PinRun | Msg::Vary(_))
}

impl App {
    /// Opens something in the place of the sample.
    fn open_first(&mut self, msg: Msg, words: &'static str) {
        self.page.opening_first = Some(words.into());
        self.page.say(words);
        self.apply(msg);
    }

    /// Applies a message. Returns whether there is something else to show.
    fn apply(&mut self, msg: Msg) -> bool {
        let Some(msg) = self.page.keep_waiting(msg) else { return false };
        // The sample is not there yet, and may never be.
        if self.page.opening_first.is_some() && changes_sample(&msg) {
            return false;
        }
        let (page, pool) = (&mut self.page, &mut self.pool);
        match msg {
            Msg::Worker(received) => return self.receive(received),
            Msg::Edit(edit) => page.edit(pool, edit),
            Msg::Undo => {
                let after = page.planner.undo(page.now_ms);
                self.went_through_history(after, "Undone");
            }
            Msg::Redo => {
                let after = page.planner.redo(page.now_ms);
                self.went_through_history(after, "Done again");
            }
            Msg::FieldLeft => {
                page.planner.end_step();
                return false;
            }
            Msg::FieldHeld(is_held) => {
                page.planner.hold(is_held, page.now_ms);
                return false;
            }
            // The step has the keys of the page, wherever the focus is.
            Msg::Run if page.screen == Screen::Mapping => {
                return self.apply_or_wait(Msg::Mapping(Box::new(MappingMsg::Load)));
            }
            Msg::Timelines(Order::Release) if page.screen == Screen::Kept => self.show(Screen::Compare),
            Msg::Timelines(Order::Release) if page.screen == Screen::Mapping => {
                return self.apply_or_wait(Msg::Mapping(Box::new(MappingMsg::Cancel)));
            }
            Msg::Run => {
                page.launch(pool);
                if page.screen == Screen::Inputs {
                    page.screen = Screen::Compare;
                }
            }
            Msg::AutoRun(edit) if page.runs_after(edit) => page.launch(pool),
            Msg::AutoRun(_) => return false,
            Msg::PinRun => {
                if let Some(edit) = page.pin_run() {
                    page.edit(pool, edit);
                }
            }
            Msg::ShowComing(launch) => page.show_coming(launch),
            Msg::Cancel => {
                self.waiting.retain(|msg| {
                    matches!(msg, Msg::FetchPresets | Msg::StartWorkers | Msg::Offline(_) | Msg::Embed(_))
                });
                self.stop_import();
                let waiting = self.page.stop_drawing(&mut self.pool);
                self.apply_all(waiting);
                self.page.cancel_runs(&self.pool);
            }
            Msg::Stop(slot) => page.stop(pool, slot),
            Msg::SelectRun(id) => page.selected_run = id,
            Msg::Terminate(requests) => return page.terminate(pool, &requests),
            Msg::Stopped => page.settle(pool),
            Msg::ApplyUpdates => return page.apply_updates(),
            Msg::UpdatesPainted(since_ms) => {
                page.updates_painted(since_ms);
                return false;
            }
            Msg::FetchParts => self.fetch_parts(),
            Msg::PartsFetched => self.parts_fetched(),
            Msg::StartWorkers => {
                self.start_workers();
                return false;
            }
            Msg::DragOver(is_over) => return std::mem::replace(&mut page.is_drag_over, is_over) != is_over,
            msg @ (Msg::Draw(_)
            | Msg::FetchPresets
            | Msg::Files(_)
            | Msg::OpenAddress
            | Msg::Fetched(..)
            | Msg::Gallery(_)
            | Msg::OpenFromGallery(_)
            | Msg::Share
            | Msg::Report(..)
            | Msg::Kept(_)
            | Msg::Mapping(_)
            | Msg::Show(Screen::Report)
            | Msg::Choose(_)
            | Msg::Program(..)
            | Msg::Export(_)
            | Msg::Fork(..)
            | Msg::Offline(_)
            | Msg::Embed(_)
            | Msg::Study(_)
            | Msg::GoToStep(_)
            | Msg::CompareWithStep(_)
            | Msg::Vary(_)
            | Msg::BackToStudy) => return self.apply_or_wait(msg),
            Msg::Show(screen) => self.show(screen),
            Msg::Do(command) => {
                page.recent.retain(|known| known.id != command.id);
                page.recent.insert(0, command);
                return match command.act {
                    Act::Page(msg) => self.apply(msg()),
                    Act::Timelines(order) => self.apply(Msg::Timelines(order)),
                };
            }
            Msg::Timelines(order) => {
                let was_shown = page.divergence.is_some();
                if order == Order::Release && page.focus == Focus::default() {
                    page.divergence = None;
                }
                page.remote.send(order);
                return was_shown && page.divergence.is_none();
            }
            Msg::Focus(focus) => return std::mem::replace(&mut page.focus, focus) != focus,
            Msg::Story(job) => {
                page.screen = Screen::Compare;
                page.remote.send(Order::Select(job));
            }
            Msg::Goal(goal) => page.goal = Some(goal),
            Msg::FirstDifference => page.go_to_first_difference(),
            Msg::CloseDivergence => page.divergence = None,
            Msg::MostChanged => page.select_most_changed(),
            Msg::Search(query) => page.wanted.query = query,
            Msg::Pin => match page.focus.job {
                Some(job) => page.wanted.pin(job),
                None => page.say("Select a job first: it is pinned on top of all strips"),
            },
            Msg::Unpin => page.wanted.pinned.clear(),
            Msg::Sort(order) => page.wanted.sort(order),
            Msg::SortCompared(by) => page.wanted.sort(by(page.compared())),
            Msg::Group(group) => page.wanted.group = group,
            Msg::GroupCompared(by) => page.wanted.group = by(page.compared()),
            Msg::Chart(chart) => page.chart = Some(chart),
            Msg::SortRuns(key) => page.table.sort(key),
            Msg::MoreNumbers => return page.lacks_numbers(),
            Msg::Columns(columns) => page.table.columns = columns,
            Msg::Open(sheet) => {
                page.typed_ahead.clear();
                page.sheet = Some(sheet);
            }
            Msg::TypeAhead(text) => {
                page.typed_ahead.push_str(&text);
                return false;
            }
            Msg::Close => {
                page.typed_ahead.clear();
                self.waiting.retain(|msg| !is_of_sheet(msg));
                page.awaits_sheet = false;
                page.close_sheet(pool);
            }
            Msg::ToggleInputs => page.is_rail_hidden = !page.is_rail_hidden,
            Msg::TogglePanel => page.is_panel_hidden = !page.is_panel_hidden,
            Msg::NextTheme => {
                page.choice = page.choice.next();
                page.choice.remember();
                page.theme = page.choice.apply();
            }
            Msg::SystemTheme => {
                let theme = page.choice.apply();
                return std::mem::replace(&mut page.theme, theme) != theme;
            }
        }
        true
    }

    fn apply_all(&mut self, messages: Vec<Msg>) {
        for msg in messages {
            self.apply(msg);
        }
    }

    /// Starts the timers that the page has asked for.
    fn start_timers(&mut self) {
        for (delay, message) in std::mem::take(&mut self.page.timers) {
            let send = self.page.send.clone();
            match delay {
                Delay::Ms(ms) => {
                    Timeout::new(ms, move || send.emit(message)).forget();
                }
                Delay::NextFrame => dom::after_next_frame(move || send.emit(message)),
            }
        }
    }

    /// Applies a response of a worker. Returns whether there is something else to show.
    fn receive(&mut self, received: Received) -> bool {
        let Some(request) = self.pool.settle(&received) else { return false };
        self.receive_response(request, received.response)
    }

    pub(super) fn went_through_history(&mut self, after: After, word: &'static str) {
        self.page.unused = None;
        self.loaded = None;
        self.page.after(after);
        // A step may bring other data back. If they are not run, they still have to be bound, so that the report can
        // list them.
        if after == After::Wait {
            self.page.bind(&mut self.pool);
        }
        self.show(if self.page.screen == Screen::Report { Screen::Compare } else { self.page.screen });
        if after == After::Nothing {
            self.page.say(word);
        }
    }

    /// Shows a screen other than the report.
    fn show(&mut self, screen: Screen) {
        self.page.unused = None;
        self.page.mapping.clear();
        self.page.screen = if screen == Screen::Mapping { Screen::Compare } else { screen };
        if screen == Screen::Study {
            self.apply_or_wait(Msg::Study(StudyMsg::StartAhead));
        }
        self.page.chosen = None;
        self.page.excerpt = None;
    }
}
