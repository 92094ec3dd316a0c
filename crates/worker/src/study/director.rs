//! What directs a study: tells which run is made where and when, keeps outcomes, and makes the views of the page.
//!
//! A state machine without threads, messages or a browser: [`Director::handle`] takes what happened, and returns what is to
//! be done. Whatever the order in which runners answer, die or are replaced, results are those of the runs one after the
//! other.

mod dealing;
#[cfg(test)]
mod tests;
mod views;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use elastiplan_present::study::{Ended, Stage, StudyView, Views};
use elastiplan_study::{Key, Outcome, Results, Unit};

use super::costs::Costs;
use super::{Source, StudyOrder};

/// Runners at most.
const RUNNERS_MAX: u32 = 8;
/// Runners that could not start before the director makes the runs itself.
const STARTS_MAX: u32 = 3;
/// How long kept runs are waited for. They are there within 50 ms, or later on a machine that is busy: what is dealt before
/// they are there is made twice.
const LOADING_MS: f64 = 2000.0;
/// Outcomes are written to the store this often, or as soon as there are [`UNSAVED_MAX`]. A page that is closed makes what
/// was not written again the next time.
const SAVE_EVERY_MS: f64 = 250.0;
const UNSAVED_MAX: usize = 512;
/// Outcomes of earlier studies are forgotten above this number; the store has them.
const KEPT_MAX: usize = 100_000;

/// The runner that is the director itself.
pub const HERE: u32 = 0;

/// What happened.
pub enum Event {
    /// A study is to be made, in place of the one before.
    Ordered(Box<StudyOrder>),
    /// Other metrics are to be shown, by their keys.
    Looked(Vec<String>),
    /// The study is to be stopped.
    Stopped,
    /// Kept runs were read, or the reason why they cannot be.
    Loaded(Result<LoadedRuns, String>),
    /// Runs can not be kept any more, for this reason.
    NotKept(String),
    /// All kept runs are to be forgotten.
    Forgotten,
    /// A runner is ready.
    Ready(u32),
    /// A runner made the next runs of a batch, each with the milliseconds that it took.
    Made {
        /// The batch.
        batch: u32,
        /// The outcomes of its next units.
        outcomes: Vec<(Outcome, f64)>,
        /// Whether no more of this batch follow.
        is_end: bool,
    },
    /// A runner ended by itself.
    Died {
        /// The runner.
        runner: u32,
        /// What is known of the reason.
        message: String,
    },
    /// It is as late as [`Command::Wake`] said.
    Woken,
}

/// Kept runs as they were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadedRuns {
    /// Those that could be.
    pub runs: Vec<(Key, Outcome)>,
    /// Chunks that could not: their runs are made again.
    pub chunks_damaged: u32,
}

/// What is to be done.
#[derive(Debug, PartialEq)]
pub enum Command {
    /// Start a runner with this number, and give it the order.
    Start(u32),
    /// Give a runner the order, which is another one than before.
    Order(u32),
    /// Have a runner make runs.
    Deal {
        /// The runner.
        runner: u32,
        /// The number of the batch.
        batch: u32,
        /// The runs.
        units: Vec<Unit>,
    },
    /// Have a runner end all of its batches.
    Cancel(u32),
    /// End a runner.
    End(u32),
    /// Read the kept runs of this group.
    Load(Key),
    /// Keep these runs, of this group.
    Save(Key, Vec<(Key, Outcome)>),
    /// Show this.
    View(Box<StudyView>),
    /// The study cannot go on, for this reason.
    Fail(String),
    /// Send [`Event::Woken`] after so many milliseconds.
    Wake(f64),
}

/// What directs a study.
pub struct Director {
    clock_ms: Box<dyn Fn() -> f64>,
    making: Option<Making>,
    /// Outcomes of this and earlier studies.
    kept: BTreeMap<Key, Outcome>,
    unsaved: Vec<(Key, Outcome)>,
    saved_ms: f64,
    runners: BTreeMap<u32, Runner>,
    runners_started: u32,
    /// Runners that ended before they were ready, one after the other.
    starts_failed: u32,
    batches: BTreeMap<u32, Batch>,
    batches_dealt: u32,
    /// Why runs are not kept, or that some were damaged.
    store_note: Option<String>,
    /// Whether runs of this study are not given to the store any more.
    takes_no_more: bool,
    /// When it is woken, if it is.
    wake_ms: Option<f64>,
    commands: Vec<Command>,
}

/// The study that is made.
struct Making {
    source: Source,
    /// Counts orders.
    epoch: u32,
    group: Key,
    results: Results,
    views: Views,
    costs: Costs,
    metrics: Vec<String>,
    /// Runs that are wanted and not dealt.
    queue: VecDeque<Unit>,
    /// Runs that were dealt to a runner that died; each is dealt by itself, so that it is known which one is at fault.
    suspects: VecDeque<(Unit, Key)>,
    /// Runs that are dealt, or suspects.
    in_flight: BTreeSet<Unit>,
    /// Whether nothing else is wanted before one of those in flight is there.
    is_waiting: bool,
    stage: Stage,
    ended: Option<Ended>,
    began_ms: f64,
    ended_ms: Option<f64>,
    /// Until when kept runs are waited for.
    loading_until_ms: Option<f64>,
    first_picture_s: Option<f64>,
    runs_kept: u32,
    /// Runs that were wanted when it ended early.
    left_at_end: usize,
    /// When the latest view was made.
    viewed_ms: f64,
    /// How long the latest view took.
    view_ms: f64,
    is_changed: bool,
}

#[derive(Default)]
struct Runner {
    is_ready: bool,
    batches: usize,
    /// Whether its batch is a suspect.
    has_suspect: bool,
}

struct Batch {
    runner: u32,
    epoch: u32,
    units: Vec<(Unit, Key)>,
    done: usize,
}

/// That kept runs were damaged, in a sentence; `None` where none were.
fn damage_words(chunks: u32) -> Option<String> {
    match chunks {
        0 => None,
        1 => Some("A part of the kept runs was damaged: its runs are made again".into()),
        parts => Some(format!("{parts} parts of the kept runs were damaged: their runs are made again")),
    }
}

impl Director {
    /// One that has nothing to do, with a clock in milliseconds.
    pub fn new(clock_ms: impl Fn() -> f64 + 'static) -> Self {
        Self {
            clock_ms: Box::new(clock_ms),
            making: None,
            kept: BTreeMap::new(),
            unsaved: Vec::new(),
            saved_ms: 0.0,
            runners: BTreeMap::new(),
            runners_started: 0,
            starts_failed: 0,
            batches: BTreeMap::new(),
            batches_dealt: 0,
            store_note: None,
            takes_no_more: false,
            wake_ms: None,
            commands: Vec::new(),
        }
    }

    /// The study with its outcomes, if one was ordered.
    pub fn study(&self) -> Option<(&Source, &Results)> {
        self.making.as_ref().map(|making| (&making.source, &making.results))
    }

    /// Starts so many runners ahead of the first order.
    pub fn start_ahead(&mut self, runners: u32) -> Vec<Command> {
        self.ensure_runners(runners);
        std::mem::take(&mut self.commands)
    }

    /// Takes what happened; returns what is to be done, in this order.
    pub fn handle(&mut self, event: Event) -> Vec<Command> {
        match event {
            Event::Ordered(order) => self.begin(*order),
            Event::Looked(metrics) => {
                if let Some(making) = &mut self.making {
                    making.metrics = metrics;
                    self.view();
                }
            }
            Event::Stopped => self.end(Ended::Stopped),
            Event::Loaded(Ok(loaded)) => {
                if !self.takes_no_more {
                    self.store_note = damage_words(loaded.chunks_damaged);
                }
                for (key, outcome) in loaded.runs {
                    self.keep(key, outcome, false);
                }
                self.loaded();
            }
            Event::Loaded(Err(note)) | Event::NotKept(note) => {
                self.store_note = Some(note);
                // It is not tried again every second, but by the next study.
                self.takes_no_more = true;
                self.loaded();
            }
            Event::Forgotten => {
                // There is room again.
                (self.store_note, self.takes_no_more) = (None, false);
                self.kept.clear();
                self.unsaved.clear();
            }
            Event::Ready(runner) => {
                self.starts_failed = 0;
                if let Some(runner) = self.runners.get_mut(&runner) {
                    runner.is_ready = true;
                }
            }
            Event::Made { batch, outcomes, is_end } => self.made(batch, outcomes, is_end),
            Event::Died { runner, message } => self.died(runner, message),
            Event::Woken => self.wake_ms = None,
        }
        self.proceed();
        std::mem::take(&mut self.commands)
    }

    fn now_ms(&self) -> f64 {
        (self.clock_ms)()
    }

    fn begin(&mut self, order: StudyOrder) {
        self.end_batches();
        let epoch = self.making.as_ref().map_or(0, |making| making.epoch + 1);
        if self.kept.len() > KEPT_MAX {
            self.kept.clear();
        }
        let (group, metrics, runners) = (order.group(), order.metrics.clone(), order.runners);
        let source = match Source::new(order) {
            Ok(source) => source,
            Err(error) => {
                self.making = None;
                return self.commands.push(Command::Fail(error.to_string()));
            }
        };
        let known: Vec<u32> = self.runners.keys().copied().collect();
        self.commands.extend(known.into_iter().map(Command::Order));
        self.ensure_runners(runners);
        let now_ms = self.now_ms();
        (self.store_note, self.takes_no_more) = (None, false);
        self.commands.push(Command::Load(group));
        self.making = Some(Making {
            source,
            epoch,
            group,
            results: Results::default(),
            views: Views::default(),
            costs: Costs::default(),
            metrics,
            queue: VecDeque::new(),
            suspects: VecDeque::new(),
            in_flight: BTreeSet::new(),
            is_waiting: false,
            stage: Stage::Coarse,
            ended: None,
            began_ms: now_ms,
            ended_ms: None,
            loading_until_ms: Some(now_ms + LOADING_MS),
            first_picture_s: None,
            runs_kept: 0,
            left_at_end: 0,
            viewed_ms: now_ms,
            view_ms: 0.0,
            is_changed: false,
        });
        self.view();
    }

    fn loaded(&mut self) {
        if let Some(making) = &mut self.making {
            making.loading_until_ms = None;
            making.is_changed = true;
        }
    }

    /// Ends the study with what is there.
    fn end(&mut self, ended: Ended) {
        let now_ms = self.now_ms();
        let Some(making) = self.making.as_mut().filter(|making| making.ended.is_none()) else { return };
        making.ended = Some(ended);
        making.ended_ms = Some(now_ms);
        making.left_at_end = making.to_make();
        making.queue.clear();
        making.suspects.clear();
        making.in_flight.clear();
        making.is_changed = true;
        self.end_batches();
        self.view();
    }

    fn end_batches(&mut self) {
        let busy = self.runners.iter().filter(|(_, runner)| runner.batches > 0);
        self.commands.extend(busy.map(|(&runner, _)| Command::Cancel(runner)));
    }

    /// Does what can be done now: deals runs, shows and keeps what is there.
    fn proceed(&mut self) {
        self.deal();
        self.save();
        self.view_if_due();
    }

    /// Keeps an outcome by its key. One that is there has to be the same. Returns whether it is.
    fn keep(&mut self, key: Key, outcome: Outcome, is_new: bool) -> bool {
        match self.kept.get(&key) {
            Some(known) if *known != outcome => {
                self.commands.push(Command::Fail(
                    "The same run gave another result before. That is a fault of Elastiplan or of the machine; please report \
                     it. Deleting the kept runs lets the study start anew"
                        .into(),
                ));
                self.end(Ended::Stopped);
                false
            }
            Some(_) => true,
            None => {
                if is_new {
                    self.unsaved.push((key, outcome.clone()));
                }
                self.kept.insert(key, outcome);
                true
            }
        }
    }

    fn save(&mut self) {
        let now_ms = self.now_ms();
        if self.takes_no_more {
            self.unsaved.clear();
        }
        let Some(making) = self.making.as_ref().filter(|_| !self.unsaved.is_empty()) else { return };
        let is_idle = making.ended.is_some() && self.batches.is_empty();
        if is_idle || self.unsaved.len() >= UNSAVED_MAX || now_ms - self.saved_ms >= SAVE_EVERY_MS {
            self.saved_ms = now_ms;
            self.commands.push(Command::Save(making.group, std::mem::take(&mut self.unsaved)));
        } else {
            self.wake(SAVE_EVERY_MS);
        }
    }

    /// Has itself woken after so many milliseconds, or earlier.
    fn wake(&mut self, after_ms: f64) {
        let at_ms = self.now_ms() + after_ms;
        if self.wake_ms.is_none_or(|known| at_ms < known) {
            self.wake_ms = Some(at_ms);
            self.commands.push(Command::Wake(after_ms));
        }
    }
}
