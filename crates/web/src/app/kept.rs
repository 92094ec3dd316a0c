//! Kept work: saving it, listing it, and opening what was open when the page was left.

use elastiplan_worker::Packed;
use elastiplan_worker::keeping::{Kept, KeptChange, KeptEntry, KeptList, NotKept, OpenedScenario};
use elastiplan_worker::messages::Request;
use gloo::utils::window;
use js_sys::JsString;
use wasm_bindgen_futures::spawn_local;

use super::App;
use crate::dom;
use crate::state::edit::Edit;
use crate::state::kept::{KeptMsg, KeptState};
use crate::state::message::{Msg, Screen};

/// The looks of the list.
const STYLE: &str = "kept.css";
/// Before the id of a work in the names of locks.
const LOCK: &str = "elastiplan-work-";
/// Before the id of a work whose last edits could not be saved any more when the page was left.
const LEFT: &str = "elastiplan-left-";
/// Longer orders do not fit into the browser's small store.
const LEFT_BYTES_MAX: usize = 1_000_000;

fn epoch_ms() -> f64 {
    dom::epoch_s() * 1000.0
}

impl App {
    /// Notes edits that are to be kept, and which work other tabs find taken. Returns whether there is something else to
    /// show.
    pub(super) fn note_kept(&mut self) -> bool {
        let is_changed = self.page.note_kept(epoch_ms());
        if self.page.screen != Screen::Kept {
            // The list is closed: what was deleted is gone for good.
            let keeping = self.page.keeping();
            keeping.deleted.clear();
            keeping.filter.clear();
        }
        let id = self.page.kept_id().filter(|_| !self.page.is_at_sample() && !self.is_of_address());
        if self.page.opening_first.is_none() && id != self.taken {
            dom::remember_work(id.as_deref());
            // First the one before is let go.
            self.lock = None;
            self.lock = id.as_ref().map(|id| dom::take(&format!("{LOCK}{id}")));
            self.taken = id;
        }
        is_changed
    }

    /// Applies a message about kept work. Returns whether there is something else to show.
    pub(super) fn kept_message(&mut self, msg: KeptMsg) -> bool {
        match msg {
            KeptMsg::Save(edit) => {
                self.page.save_work(&mut self.pool, Some(edit), epoch_ms());
                return false;
            }
            KeptMsg::SaveNow => {
                self.page.save_work(&mut self.pool, None, epoch_ms());
                return false;
            }
            KeptMsg::Show => {
                dom::add_stylesheet(STYLE);
                self.show(Screen::Kept);
                self.page.save_work(&mut self.pool, None, epoch_ms());
                self.page.ask_kept(&mut self.pool, Request::KeptList);
                self.ask_elsewhere();
            }
            KeptMsg::Open(id) => {
                self.page.save_work(&mut self.pool, None, epoch_ms());
                self.open_work(id);
            }
            KeptMsg::Reopen(id, true) => {
                if !self.page.gallery.is_some() {
                    self.fetch_gallery(false);
                }
                self.open_work(id);
            }
            KeptMsg::Reopen(id, false) => {
                let send = self.page.send.clone();
                spawn_local(async move {
                    let is_taken = dom::taken().await.contains(&format!("{LOCK}{id}"));
                    let msg = if is_taken { KeptMsg::OpenElsewhere(vec![id]) } else { KeptMsg::Reopen(id, true) };
                    send.emit(Msg::Kept(Box::new(msg)));
                });
            }
            KeptMsg::OpenElsewhere(ids) => {
                self.page.keeping().elsewhere = ids;
                // Another tab has what was open last.
                self.end_opening();
            }
            KeptMsg::New => {
                let mut inputs = self.page.sample.clone();
                inputs.work = self.page.other_work();
                self.page.edit(&mut self.pool, Edit::Work(Box::new(inputs)));
                self.show(Screen::Compare);
                self.page.say("The sample. What was here before is kept");
            }
            KeptMsg::Change(id, change) => {
                if let KeptChange::Rename(name) = &change
                    && self.page.kept_id().as_ref() == Some(&id)
                {
                    self.page.planner.rename(name, self.page.now_ms);
                }
                self.page.ask_kept(&mut self.pool, Request::KeptChange(id, change));
            }
            KeptMsg::Delete(id) => self.page.delete_kept(&mut self.pool, id),
            KeptMsg::Undo(id) => self.page.restore_kept(&mut self.pool, &id),
            KeptMsg::Filter(words) => self.page.keeping().filter = words,
            KeptMsg::ToFile => return self.apply(Msg::Share),
        }
        true
    }

    /// Asks the browser which work is open in other tabs.
    fn ask_elsewhere(&self) {
        let (send, own) = (self.page.send.clone(), self.taken.clone());
        spawn_local(async move {
            let taken = dom::taken().await;
            let ids = taken.iter().filter_map(|name| name.strip_prefix(LOCK).map(String::from));
            let ids = ids.filter(|id| Some(id) != own.as_ref()).collect();
            send.emit(Msg::Kept(Box::new(KeptMsg::OpenElsewhere(ids))));
        });
    }

    /// Whether the page shows what its address names, which the next visit fetches again, unless it was changed here.
    fn is_of_address(&self) -> bool {
        dom::names_scenario() && self.page.is_only_looked_at()
    }

    /// Notes edits that may not be saved any more where the browser keeps them at once: workers end with the page.
    pub(super) fn leave_edits(&self) {
        let is_unsaved = matches!(self.page.kept, KeptState::Unsaved);
        if !is_unsaved || self.is_of_address() {
            return;
        }
        let Some((order, _)) = self.page.keep_order() else { return };
        let Ok(packed) = Packed::of(&order) else { return };
        if packed.bytes_len() > LEFT_BYTES_MAX {
            return;
        }
        let letters: Vec<u16> = packed.array().to_vec().into_iter().map(u16::from).collect();
        let text = String::from(JsString::from_char_code(&letters));
        if let Ok(text) = window().btoa(&text) {
            dom::remember(&format!("{LEFT}{}", order.id), Some(&format!("{}\n{text}", self.page.build_id)));
            dom::remember_work(Some(&order.id));
        }
    }

    /// What could not be saved any more of a work when a page was left, as an order.
    fn left(&self, id: &str) -> Option<Packed> {
        let name = format!("{LEFT}{id}");
        let kept = dom::remembered(&name)?;
        let text = kept.strip_prefix(self.page.build_id.as_str())?.strip_prefix('\n')?;
        let text = window().atob(text).ok()?;
        let bytes: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
        dom::remember(&name, None);
        Some(bytes.as_slice().into())
    }

    /// Opens work. Edits that were left behind are saved before.
    fn open_work(&mut self, id: String) {
        let sent = match self.left(&id) {
            Some(order) => self.pool.send(Request::Keep(order)),
            None => self.pool.send(Request::KeptOpen(id.clone())),
        };
        match sent {
            Ok(request) => self.page.keeping().opening = Some((request, id)),
            Err(message) => {
                self.end_opening();
                self.page.say(message);
            }
        }
    }

    pub(super) fn work_saved(&mut self, request: u32, packed: &Packed) {
        let failed = |error: elastiplan_worker::messages::MessageError| NotKept::Failed(error.to_string());
        let answer = packed.unpack::<Result<Kept, NotKept>>().map_err(failed).and_then(|answer| answer);
        // What was left behind is saved now, or cannot be: the work is opened as it is.
        if let Some((_, id)) = self.page.keeping().opening.take_if(|(asked, _)| *asked == request) {
            return self.open_work(answer.map(|kept| kept.id).unwrap_or(id));
        }
        let kept = self.page.saved(&mut self.pool, request, answer, epoch_ms());
        if let Some(Some(kept)) = kept {
            dom::remember(&format!("{LEFT}{}", kept.id), None);
            if self.page.screen == Screen::Kept {
                self.page.ask_kept(&mut self.pool, Request::KeptList);
            }
        }
    }

    pub(super) fn work_listed(&mut self, request: u32, packed: &Packed) {
        let failed = |error: elastiplan_worker::messages::MessageError| NotKept::Failed(error.to_string());
        let list = packed.unpack::<Result<KeptList, NotKept>>().map_err(failed).and_then(|list| list);
        self.page.kept_listed(request, list);
    }

    pub(super) fn work_opened(&mut self, request: u32, packed: &Packed) {
        if self.page.keeping().opening.take_if(|(asked, _)| *asked == request).is_none() {
            return;
        }
        let opened = packed.unpack::<Result<(KeptEntry, OpenedScenario), String>>().map_err(String::from);
        let (entry, mut opened) = match opened.and_then(|opened| opened) {
            Ok(found) => found,
            Err(message) => return self.work_lost(&message),
        };
        let Some((preset, drawn)) = opened.scenario.take() else { return self.work_lost("it has no data") };
        let mut inputs = self.inputs_of(&mut opened, &preset, drawn);
        inputs.name.clone_from(&entry.about.name);
        inputs.work = self.page.other_work();
        let is_whole = opened.faults.is_empty() && opened.missing.is_empty();
        let words = format!("Opened as you left it {}", dom::moment(entry.changed_ms).replace("today ", "at "));
        self.take_scenario(opened, Edit::Work(Box::new(inputs)), Some(words));
        // What is damaged stays as it is in the store.
        self.page.begin_work(is_whole.then_some((entry.id, entry.revision)));
    }

    /// Says that work could not be opened.
    fn work_lost(&mut self, message: &str) {
        dom::remember_work(None);
        self.end_opening();
        self.page.say(format!("Your work could not be opened: {message}"));
    }

    /// A worker could not answer. Returns whether it was about kept work.
    pub(super) fn work_failed(&mut self, request: u32, message: &str) -> bool {
        let is_opening = |page: &mut crate::state::page::Page| {
            page.keeping.is_some() && page.keeping().opening.take_if(|(asked, _)| *asked == request).is_some()
        };
        if is_opening(&mut self.page) {
            self.work_lost(message);
            return true;
        }
        self.page.kept_failed(request, message, epoch_ms())
    }
}
