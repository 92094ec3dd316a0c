//! What runs tell of themselves on the way, and what is left of those that were stopped. It is collected and shown in one
//! go, so that the page is never busy with nothing else: drawing a large run takes longer than the next news takes to come.

use std::collections::BTreeMap;

use elastiplan_engine::Progress;
use elastiplan_worker::Packed;
use gloo::timers::callback::Timeout;
use yew::Callback;

use super::Msg;
use crate::dom;

/// After showing news, the page is left to the person for this many times as long as that took.
const REST: f64 = 3.0;

/// The latest news of each run, by request.
#[derive(Default)]
pub struct News {
    /// How far it is.
    pub progress: BTreeMap<u32, Progress>,
    /// Its record so far, packed.
    pub partials: BTreeMap<u32, Packed>,
    /// Its last record, packed, and how long it took in milliseconds.
    pub ended: BTreeMap<u32, (Packed, f64)>,
}

/// News that are not shown yet, and when they will be.
#[derive(Default)]
pub(crate) struct Untold {
    news: News,
    timer: Option<Timeout>,
    not_before_ms: f64,
}

impl Untold {
    /// A run has come so far.
    pub fn progress(&mut self, request: u32, progress: Progress, send: &Callback<Msg>) {
        self.news.progress.insert(request, progress);
        self.schedule(send);
    }

    /// A record so far.
    pub fn partial(&mut self, request: u32, packed: Packed, send: &Callback<Msg>) {
        self.news.partials.insert(request, packed);
        self.schedule(send);
    }

    /// The last record of a run that was stopped.
    pub fn ended(&mut self, request: u32, packed: Packed, wall_ms: f64, send: &Callback<Msg>) {
        self.forget(request);
        self.news.ended.insert(request, (packed, wall_ms));
        self.schedule(send);
    }

    /// Whether a run has told its last record.
    pub fn has_ended(&self, request: u32) -> bool {
        self.news.ended.contains_key(&request)
    }

    fn schedule(&mut self, send: &Callback<Msg>) {
        if self.timer.is_none() {
            let wait_ms = (self.not_before_ms - dom::now_ms()).clamp(0.0, 5000.0);
            let send = send.clone();
            self.timer = Some(Timeout::new(wait_ms as u32, move || send.emit(Msg::TakeIn)));
        }
    }

    /// All news, which then are told. None come until they are drawn.
    pub fn take(&mut self) -> News {
        std::mem::take(&mut self.news)
    }

    /// What was taken at `since_ms` is drawn by now.
    pub fn drawn(&mut self, since_ms: f64) {
        let now_ms = dom::now_ms();
        self.not_before_ms = now_ms + REST * (now_ms - since_ms);
        self.timer = None;
    }

    /// Forgets the news of a run that has ended; gives its last record.
    pub fn forget(&mut self, request: u32) -> Option<Packed> {
        self.news.progress.remove(&request);
        self.news.partials.remove(&request)
    }
}
