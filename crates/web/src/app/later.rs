//! The file for later: when it is fetched, and messages that wait for it.

use elastiplan_worker::messages::Response;
use wasm_bindgen_futures::spawn_local;

use super::App;
use crate::part::{self, Slot, State, Unavailable};
use crate::state::message::Msg;
use crate::state::offline::{OfflineMsg, Update};
use crate::state::page::Page;
use crate::{dom, state, timeline, view};

/// The first comparison is on the screen so many frames after its elements: figures are drawn in the first of them.
const FRAMES: u32 = 3;

/// How the app applies what comes after the first comparison.
#[derive(Clone, Copy)]
pub(super) struct Later {
    apply: fn(&mut App, Msg) -> bool,
    receive: fn(&mut App, u32, Response) -> bool,
    note_stale_study: fn(&mut Page) -> bool,
    note_steps: fn(&mut Page) -> bool,
    watch_opened: fn(&mut App) -> bool,
    reload_if_due: fn(&mut App),
    tell_host: fn(&mut App),
    note_kept: fn(&mut App) -> bool,
    leave: fn(&App),
}

const FUNCTIONS: Later = Later {
    apply: App::apply_later,
    receive: App::receive_later,
    note_stale_study: Page::note_stale_study,
    note_steps: Page::note_steps,
    watch_opened: App::watch_opened,
    reload_if_due: App::reload_if_due,
    tell_host: App::tell_host,
    note_kept: App::note_kept,
    leave: App::leave_edits,
};

thread_local! {
    static LATER: Slot<Later> = const { Slot::new(FUNCTIONS) };
}

/// Puts all functions for later in their places. The build moves this function into a file of its own, with all that
/// only it needs.
#[cfg_attr(feature = "parts", wasm_split_helpers::wasm_split(later, fallible), allow(unsafe_code))]
fn fill() -> Result<(), Unavailable> {
    state::wanted::fill();
    state::table::fill();
    timeline::fill();
    view::fill();
    LATER.with(|slot| slot.fill(FUNCTIONS));
    Ok(())
}

impl App {
    /// Fetches the file after the first comparison has been painted, and has the browser keep what was fetched.
    pub(super) fn fetch_parts_when_painted(&mut self) {
        let page = &self.page;
        if !self.is_painted && page.planner.shown.is_some() && !page.is_running() {
            self.is_painted = true;
            let send = page.send.clone();
            dom::after_frames(FRAMES, move || {
                send.emit(Msg::FetchParts);
                send.emit(Msg::Offline(OfflineMsg::Start));
            });
        }
    }

    /// Fetches the file, unless it is here or on its way.
    pub(super) fn fetch_parts(&self) {
        if matches!(part::state(), State::Fetching | State::Present) {
            return;
        }
        part::set_state(State::Fetching);
        let send = self.page.send.clone();
        spawn_local(async move {
            #[cfg(feature = "parts")]
            let filled = fill().await;
            #[cfg(not(feature = "parts"))]
            let filled = fill();
            part::set_state(if filled.is_ok() { State::Present } else { State::Failed });
            send.emit(Msg::PartsFetched);
        });
    }

    /// Applies what has waited for the file; if that did not come, says so to a user who has asked for something.
    pub(super) fn parts_fetched(&mut self) {
        self.page.awaits_sheet = false;
        let waiting = std::mem::take(&mut self.waiting);
        if part::state() == State::Present {
            for (request, response) in std::mem::take(&mut self.held) {
                self.receive_response(request, response);
            }
            return self.apply_all(waiting);
        }
        // What was to be opened first needs the file: the sample stands in.
        if self.page.opening_first.take().is_some() {
            self.page.launch(&mut self.pool);
        }
        for msg in waiting {
            match msg {
                Msg::StartWorkers => self.pool.start_ahead(),
                Msg::FetchPresets | Msg::Offline(_) => {}
                _ => self.page.say(part::FAILED),
            }
        }
    }

    /// Starts workers ahead of need, but after the file has been asked for: that waits for the first comparison.
    pub(super) fn start_workers(&mut self) {
        match part::state() {
            State::Absent => self.waiting.push(Msg::StartWorkers),
            _ => self.pool.start_ahead(),
        }
    }

    /// Applies a message for later; keeps it until the file is here.
    pub(super) fn apply_or_wait(&mut self, msg: Msg) -> bool {
        let Some(later) = part::get(&LATER) else {
            if !matches!(msg, Msg::FetchPresets) || part::state() == State::Failed {
                self.fetch_parts();
            }
            let is_of_sheet = super::is_of_sheet(&msg);
            self.page.awaits_sheet |= is_of_sheet;
            self.waiting.push(msg);
            return is_of_sheet;
        };
        (later.apply)(self, msg)
    }

    /// Notes whether inputs have changed since the study was run. Returns whether that is new. Before the file is here there
    /// is no study.
    pub(super) fn note_stale_study(&mut self) -> bool {
        part::get(&LATER).is_some_and(|later| (later.note_stale_study)(&mut self.page))
    }

    /// Keeps the results of steps whose runs have ended. Returns whether there are new ones.
    pub(super) fn note_steps(&mut self) -> bool {
        part::get(&LATER).is_some_and(|later| (later.note_steps)(&mut self.page))
    }

    /// Notes edits that are to be kept. Returns whether there is something else to show.
    pub(super) fn keep(&mut self) -> bool {
        !dom::is_embed() && part::get(&LATER).is_some_and(|later| (later.note_kept)(self))
    }

    /// Leaves edits behind that may not be saved any more.
    pub(super) fn leave(&self) {
        part::get(&LATER).iter().for_each(|later| (later.leave)(self));
    }

    /// Looks after an opened scenario whose runs are awaited, and after a new version of the page. Returns whether there is
    /// something else to show.
    pub(super) fn watch(&mut self) -> bool {
        let later = part::get(&LATER).filter(|_| self.page.offline.update == Update::Wanted);
        later.iter().for_each(|later| (later.reload_if_due)(self));
        if let Some(later) = part::get(&LATER).filter(|_| self.host.is_some()) {
            (later.tell_host)(self);
        }
        self.page.watched.is_some() && part::get(&LATER).is_some_and(|later| (later.watch_opened)(self))
    }

    /// Applies a response of a worker; what is not about a run is kept until the file is here.
    pub(super) fn receive_response(&mut self, request: u32, response: Response) -> bool {
        let is_of_run = match &response {
            Response::RunProgress(_) | Response::RunPartial(_) | Response::RunEnded { .. } => true,
            Response::Failed(_) => self.page.planner.is_of_run(request),
            _ => false,
        };
        if is_of_run {
            return self.page.receive(request, response);
        }
        let Some(later) = part::get(&LATER) else {
            self.held.push((request, response));
            self.fetch_parts();
            return false;
        };
        (later.receive)(self, request, response)
    }
}
