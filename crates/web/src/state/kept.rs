//! Kept work: when the inputs are saved, as what, and what came of it.
//!
//! Inputs know which work they are ([`Inputs::work`]): opening another scenario begins another one, and undo goes back to
//! the one before. Data go to the worker once; later saves name them.

mod order;
mod reopen;

use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_planner::PolicyRun;
use elastiplan_worker::Packed;
use elastiplan_worker::keeping::{KeepOrder, Kept, KeptAbout, KeptChange, KeptEntry, KeptList, NotKept};
use elastiplan_worker::messages::{Copy, Request};

use self::order::KnownData;
pub(in crate::state) use self::order::is_plain;
use super::inputs::Inputs;
use super::message::Msg;
use super::page::{Delay, Page};
use super::pool::{Client, Pool};

/// Work is saved so long after the last edit.
const SAVE_AFTER_MS: u32 = 1_000;
/// New data, which take longer to write, sooner.
const SAVE_DATA_AFTER_MS: u32 = 50;
/// What could not be saved is tried again after this time.
const AGAIN_AFTER_MS: u32 = 20_000;

/// About kept work.
pub enum KeptMsg {
    /// Saves, if this was the last edit.
    Save(u32),
    /// Saves now: the page is left, or the user asks for it.
    SaveNow,
    /// Shows the list.
    Show,
    /// Opens work, by its id.
    Open(String),
    /// Opens what was open when the page was left: by its id, and whether the same tab had it.
    Reopen(String, bool),
    /// Receives the names of work that is open in other tabs.
    OpenElsewhere(Vec<String>),
    /// Begins with the sample again.
    New,
    /// Changes work that is listed.
    Change(String, KeptChange),
    /// Deletes work.
    Delete(String),
    /// Puts back what was deleted.
    Undo(String),
    /// Lists work with these words only.
    Filter(String),
    /// Saves the work as a file, from the dialog that shares it.
    ToFile,
}

/// How the present work is kept, for the bars at the top and at the bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum KeptState {
    /// There is nothing to keep.
    #[default]
    Nothing,
    /// It is kept as it is.
    Saved,
    /// It changed since, and is saved soon.
    Unsaved,
    /// The browser gives no more room, since this time in milliseconds since 1970.
    Full(f64),
    /// The browser has no store for the page.
    NoStore,
    /// It could not be saved, since this time, for this reason.
    Failed(f64, String),
}

/// What other code does where scenarios are opened: most of it is fetched later.
#[derive(Clone, Copy)]
pub struct WorkHooks {
    /// The key of what is about to be opened.
    pub next: fn(&mut Page) -> u32,
    /// Notes that it is opened.
    pub begin: fn(&mut Page),
}

/// Work in the store.
#[derive(Clone, Debug)]
struct Work {
    /// Empty before it is saved.
    id: String,
    revision: u32,
    /// Its inputs when it was opened.
    base: Inputs,
    /// Whether it may go as long as it is only looked at: a preset, a link or a file.
    is_passing: bool,
    /// Whether it comes from the store and has not run here yet.
    is_reopened: bool,
    /// Its inputs and results as they were saved last.
    saved: Option<Snapshot>,
}

/// What decides whether something changed.
#[derive(Clone, Debug)]
struct Snapshot {
    inputs: Inputs,
    /// The records of all runs, once they have ended.
    results: Option<Vec<Rc<PolicyRun>>>,
}

/// A save on its way.
struct Pending {
    request: u32,
    work: u32,
    snapshot: Snapshot,
    data: Vec<KnownData>,
}

/// Everything about kept work.
pub struct Keeping {
    works: BTreeMap<u32, Work>,
    /// Inputs of the sample as the page began with them: looking at them keeps nothing.
    sample: Inputs,
    known: Vec<KnownData>,
    pending: Option<Pending>,
    /// The inputs that were looked at last.
    seen: Option<Snapshot>,
    edits: u32,
    /// Since when there is something that is not saved, in milliseconds since 1970.
    unsaved_ms: Option<f64>,
    /// What the list shows.
    pub listed: Option<Result<KeptList, NotKept>>,
    /// What was deleted since the list was opened.
    pub deleted: Vec<(KeptEntry, Option<Copy>)>,
    /// Work that is open in other tabs.
    pub elsewhere: Vec<String>,
    /// The words that the list is filtered by.
    pub filter: String,
    requests: Vec<u32>,
    /// The request for the work that is being opened.
    pub opening: Option<(u32, String)>,
    ids_made: u32,
}

impl Keeping {
    fn new(sample: Inputs) -> Self {
        Self {
            works: BTreeMap::new(),
            sample,
            known: Vec::new(),
            pending: None,
            seen: None,
            edits: 0,
            unsaved_ms: None,
            listed: None,
            deleted: Vec::new(),
            elsewhere: Vec::new(),
            filter: String::new(),
            requests: Vec::new(),
            opening: None,
            ids_made: 0,
        }
    }
}

impl Page {
    /// What is known of kept work.
    pub fn keeping(&mut self) -> &mut Keeping {
        if !self.keeping.is_some() {
            self.keeping.put(Keeping::new(self.sample.clone()));
        }
        match self.keeping.get_mut() {
            Some(keeping) => keeping,
            None => unreachable!("it was put there"),
        }
    }

    /// Whether the sample is shown as it came, which nobody wants to find again.
    pub fn is_at_sample(&self) -> bool {
        let inputs = self.planner.inputs();
        self.sample == inputs.of_work(self.sample.work)
    }

    /// The id of the present work, if it is kept.
    pub fn kept_id(&self) -> Option<String> {
        let keeping = self.keeping.get::<Keeping>()?;
        keeping.works.get(&self.planner.inputs().work).filter(|work| work.revision > 0).map(|work| work.id.clone())
    }

    /// Notes that inputs have just been opened: they are the start of the present work, kept under an id and a revision
    /// if they come from the store.
    pub fn begin_work(&mut self, kept: Option<(String, u32)>) {
        let inputs = self.planner.inputs().clone();
        let (key, is_passing) = (inputs.work, kept.is_none());
        let saved = kept.is_some().then(|| Snapshot { inputs: inputs.clone(), results: None });
        let keeping = self.keeping();
        let before = || keeping.works.get(&key).map(|work| (work.id.clone(), work.revision)).unwrap_or_default();
        let (id, revision) = kept.unwrap_or_else(before);
        keeping.works.insert(key, Work { id, revision, base: inputs, is_passing, is_reopened: !is_passing, saved });
    }

    /// The key for work that is about to be opened: that of the present work, if it was opened here and only looked at.
    pub fn next_work(&mut self) -> u32 {
        if self.is_only_looked_at() { self.planner.inputs().work } else { self.other_work() }
    }

    /// Whether the present work was opened here, from elsewhere than the store, and is as it came.
    pub fn is_only_looked_at(&self) -> bool {
        let inputs = self.planner.inputs();
        let work = self.keeping.get::<Keeping>().and_then(|keeping| keeping.works.get(&inputs.work));
        work.map_or(self.sample == *inputs, |work| work.is_passing && work.base == *inputs)
    }

    /// A key that no work has.
    pub fn other_work(&mut self) -> u32 {
        self.works_begun += 1;
        self.works_begun
    }

    fn snapshot(&self) -> Snapshot {
        let shown = self.planner.shown.as_ref().filter(|set| !self.planner.is_stale() && set.is_whole());
        let results = shown.and_then(|set| set.entries.iter().map(|entry| entry.result.clone()).collect());
        Snapshot { inputs: self.planner.inputs().clone(), results }
    }

    /// Whether the present work differs from what is kept of it.
    fn is_unsaved(&mut self, now: &Snapshot) -> bool {
        let keeping = self.keeping();
        let work = keeping.works.get_mut(&now.inputs.work);
        // Work that was opened and only looked at is not written again for its results: another tab may have it too.
        if let Some(Work { is_reopened, saved: Some(saved), .. }) = work
            && *is_reopened
            && saved.inputs == now.inputs
        {
            if now.results.is_some() {
                saved.results.clone_from(&now.results);
                *is_reopened = false;
            }
            return false;
        }
        match keeping.works.get(&now.inputs.work).and_then(|work| work.saved.as_ref()) {
            None => keeping.sample != now.inputs.of_work(keeping.sample.work),
            Some(saved) => saved.inputs != now.inputs || !same_results(saved, now),
        }
    }

    /// Notes edits, and saves them soon. Returns whether there is something else to show.
    pub fn note_kept(&mut self, epoch_ms: f64) -> bool {
        // What is opened first begins a work, too.
        self.work_hooks = Some(WorkHooks { next: Page::next_work, begin: |page| page.begin_work(None) });
        if self.opening_first.is_some() {
            return false;
        }
        let now = self.snapshot();
        let is_unsaved = self.is_unsaved(&now);
        let keeping = self.keeping();
        let is_seen = keeping.seen.as_ref().is_some_and(|seen| seen.inputs == now.inputs && same_results(seen, &now));
        let is_data = keeping.seen.as_ref().is_some_and(|seen| seen.inputs.data != now.inputs.data);
        if is_seen {
            return false;
        }
        keeping.seen = Some(now);
        if !is_unsaved {
            return self.set_kept_state(None);
        }
        let unsaved_ms = *keeping.unsaved_ms.get_or_insert(epoch_ms);
        // Whenever the page is left, the work has its id.
        self.name_work(epoch_ms);
        let keeping = self.keeping();
        keeping.edits += 1;
        let edits = keeping.edits;
        let delay = if is_data { SAVE_DATA_AFTER_MS } else { SAVE_AFTER_MS };
        self.later(Delay::Ms(delay), Msg::Kept(Box::new(KeptMsg::Save(edits))));
        let state = match &self.kept {
            KeptState::Full(_) => KeptState::Full(unsaved_ms),
            KeptState::Failed(_, reason) => KeptState::Failed(unsaved_ms, reason.clone()),
            KeptState::NoStore => KeptState::NoStore,
            _ => KeptState::Unsaved,
        };
        std::mem::replace(&mut self.kept, state.clone()) != state
    }

    /// Notes that all is saved, or why it is not. Returns whether that is new.
    fn set_kept_state(&mut self, trouble: Option<KeptState>) -> bool {
        let has_work = self.kept_id().is_some();
        if trouble.is_none() {
            self.keeping().unsaved_ms = None;
        }
        let state = trouble.unwrap_or(if has_work { KeptState::Saved } else { KeptState::Nothing });
        std::mem::replace(&mut self.kept, state.clone()) != state
    }

    /// Saves the present work, if this was the last edit and another save is not on its way.
    pub fn save_work<C: Client>(&mut self, pool: &mut Pool<C>, edit: Option<u32>, epoch_ms: f64) {
        let keeping = self.keeping();
        if edit.is_some_and(|edit| edit != keeping.edits) || keeping.pending.is_some() {
            return;
        }
        let snapshot = self.snapshot();
        if self.opening_first.is_some() || !self.is_unsaved(&snapshot) {
            return;
        }
        let work = snapshot.inputs.work;
        self.name_work(epoch_ms);
        let Some((order, data)) = self.keep_order() else { return };
        let sent = Packed::of(&order).map_err(String::from).and_then(|order| pool.send(Request::Keep(order)));
        match sent {
            Ok(request) => self.keeping().pending = Some(Pending { request, work, snapshot, data }),
            Err(message) => drop(self.not_saved(NotKept::Failed(message), epoch_ms)),
        }
    }

    /// Gives the present work an id, if it has none.
    fn name_work(&mut self, epoch_ms: f64) {
        let (key, seed) = (self.planner.inputs().work, self.launches);
        let keeping = self.keeping();
        let base = keeping.sample.clone();
        let new = || Work { id: String::new(), revision: 0, base, is_passing: false, is_reopened: false, saved: None };
        let work = keeping.works.entry(key).or_insert_with(new);
        if work.id.is_empty() {
            keeping.ids_made += 1;
            work.id = format!("{:x}-{:x}-{seed:x}", epoch_ms as u64, keeping.ids_made);
        }
    }

    /// The order that keeps the present work, and its data as they will be known; `None` for work without an id, which
    /// was never edited.
    pub fn keep_order(&self) -> Option<(KeepOrder, Vec<KnownData>)> {
        let keeping = self.keeping.get::<Keeping>()?;
        let work = keeping.works.get(&self.planner.inputs().work).filter(|work| !work.id.is_empty())?;
        let (id, revision) = (work.id.clone(), work.revision);
        let (work, data) = self.work_order(&keeping.known);
        Some((KeepOrder { id, revision, about: self.kept_about(), work }, data))
    }

    /// What the list says of the present work.
    fn kept_about(&self) -> KeptAbout {
        let inputs = self.planner.inputs();
        let verdict = self.verdict().filter(|_| !self.planner.is_stale());
        let winner = verdict.as_ref().and_then(|verdict| verdict.named.first().copied()).unwrap_or_default();
        let shown = self.planner.shown.as_ref().filter(|set| !self.planner.is_stale() && set.is_whole());
        let record = shown.and_then(|set| set.entries.get(winner)?.result.as_deref());
        KeptAbout {
            name: inputs.name.clone(),
            contents: order::contents(inputs),
            verdict: verdict.filter(|_| shown.is_some()).map(|verdict| verdict.headline.clone()).unwrap_or_default(),
            picture: record.map(|result| order::picture(&result.run)).unwrap_or_default(),
            winner: winner as u32,
        }
    }

    /// Receives the answer to a save. `None` if this is not the request; otherwise what was kept now.
    pub fn saved<C: Client>(
        &mut self,
        pool: &mut Pool<C>,
        request: u32,
        answer: Result<Kept, NotKept>,
        epoch_ms: f64,
    ) -> Option<Option<Kept>> {
        let Pending { work, snapshot, data, .. } =
            self.keeping().pending.take_if(|pending| pending.request == request)?;
        let kept = match answer {
            Ok(kept) => kept,
            Err(NotKept::Gone(hashes)) => {
                self.keeping().known.retain(|known| !known.is_of(&hashes));
                self.save_work(pool, None, epoch_ms);
                return Some(None);
            }
            Err(error) => {
                self.not_saved(error, epoch_ms);
                return Some(None);
            }
        };
        let keeping = self.keeping();
        for (data, source) in data.into_iter().zip(&kept.sources) {
            if let Some(source) = source {
                keeping.known.retain(|known| !known.is_same(&data));
                keeping.known.push(data.with(source.clone()));
            }
        }
        let mut is_copy = false;
        if let Some(work) = keeping.works.get_mut(&work) {
            is_copy = work.id != kept.id;
            work.is_reopened = false;
            (work.id, work.revision, work.saved) = (kept.id.clone(), kept.revision, Some(snapshot));
        }
        if is_copy {
            let name = kept.name.clone();
            self.planner.rename(&name, self.now_ms);
            let saved = self.planner.inputs().clone();
            if let Some(work) = self.keeping().works.get_mut(&work)
                && let Some(snapshot) = &mut work.saved
            {
                snapshot.inputs.name = saved.name;
            }
            self.say(format!("Changed in another tab too. This tab goes on as {name}"));
        }
        let now = self.snapshot();
        if self.is_unsaved(&now) {
            self.keeping().unsaved_ms = Some(epoch_ms);
            self.kept = KeptState::Unsaved;
            let edits = self.keeping().edits;
            self.later(Delay::Ms(SAVE_AFTER_MS), Msg::Kept(Box::new(KeptMsg::Save(edits))));
        } else {
            self.set_kept_state(None);
        }
        Some(Some(kept))
    }

    /// Notes that work could not be saved, and tries again later.
    fn not_saved(&mut self, error: NotKept, epoch_ms: f64) -> bool {
        let since_ms = *self.keeping().unsaved_ms.get_or_insert(epoch_ms);
        self.later(Delay::Ms(AGAIN_AFTER_MS), Msg::Kept(Box::new(KeptMsg::SaveNow)));
        self.set_kept_state(Some(match error {
            NotKept::Full => KeptState::Full(since_ms),
            NotKept::NoStore(_) => KeptState::NoStore,
            NotKept::Failed(reason) => KeptState::Failed(since_ms, reason),
            NotKept::Gone(_) => KeptState::Failed(since_ms, "data are gone".into()),
        }))
    }

    /// A worker could not answer. Returns whether it was about kept work.
    pub fn kept_failed(&mut self, request: u32, message: &str, epoch_ms: f64) -> bool {
        if !self.keeping.is_some() {
            return false;
        }
        let keeping = self.keeping();
        if keeping.pending.take_if(|pending| pending.request == request).is_some() {
            self.not_saved(NotKept::Failed(message.into()), epoch_ms);
            return true;
        }
        if keeping.requests.contains(&request) {
            keeping.requests.retain(|known| *known != request);
            keeping.listed = Some(Err(NotKept::Failed(message.into())));
            return true;
        }
        false
    }

    /// Asks a worker about the list.
    pub fn ask_kept<C: Client>(&mut self, pool: &mut Pool<C>, request: Request) {
        match pool.send(request) {
            Ok(request) => self.keeping().requests.push(request),
            Err(message) => self.keeping().listed = Some(Err(NotKept::Failed(message))),
        }
    }

    /// Deletes listed work: it leaves the list at once.
    pub fn delete_kept<C: Client>(&mut self, pool: &mut Pool<C>, id: String) {
        let keeping = self.keeping();
        if let Some(Ok(list)) = &mut keeping.listed
            && let Some(place) = list.entries.iter().position(|entry| entry.id == id)
        {
            let entry = list.entries.remove(place);
            keeping.deleted.push((entry, None));
        }
        self.ask_kept(pool, Request::KeptDelete(id));
    }

    /// Puts deleted work back.
    pub fn restore_kept<C: Client>(&mut self, pool: &mut Pool<C>, id: &str) {
        let keeping = self.keeping();
        let Some(place) = keeping.deleted.iter().position(|(entry, copy)| entry.id == id && copy.is_some()) else {
            return;
        };
        let (_, copy) = keeping.deleted.remove(place);
        if let Some(Copy(copy)) = copy {
            self.ask_kept(pool, Request::KeptRestore(copy));
        }
    }

    /// Receives what was deleted.
    pub fn deleted_kept(&mut self, id: &str, copy: Copy) {
        let deleted = self.keeping().deleted.iter_mut().find(|(entry, _)| entry.id == id);
        if let Some((_, known)) = deleted {
            *known = Some(copy);
        }
    }

    /// Receives the list.
    pub fn kept_listed(&mut self, request: u32, list: Result<KeptList, NotKept>) {
        let keeping = self.keeping();
        keeping.requests.retain(|known| *known != request);
        keeping.listed = Some(list);
    }
}

/// Whether the results that are there now are those that were kept. None are no other ones.
fn same_results(saved: &Snapshot, now: &Snapshot) -> bool {
    match (&saved.results, &now.results) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(saved), Some(now)) => {
            saved.len() == now.len() && saved.iter().zip(now).all(|(a, b)| Rc::ptr_eq(a, b) || a.digest == b.digest)
        }
    }
}

#[cfg(test)]
mod tests;
