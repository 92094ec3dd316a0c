//! Making the runs that a study wants, on all processors.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use elastiplan_scenario::Scenario;
use elastiplan_study::{Outcome, Results, Unit};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::Subject;
use super::store::{Store, WriteError};
use crate::CommandError;

/// Runs between two looks at the clock and at what else is wanted.
const RUNS_AT_ONCE: usize = 512;

/// The runs of a study as they are made.
pub struct Work<'a> {
    subject: &'a Subject,
    store: Option<&'a Store>,
    /// Whether a run that cannot be kept is an error: where keeping runs is all that is done.
    must_keep: bool,
    pool: ThreadPool,
    /// Scenarios by seed: jobs are drawn once.
    drawn: Mutex<BTreeMap<u64, Scenario>>,
    began: Instant,
}

impl<'a> Work<'a> {
    pub fn new(subject: &'a Subject, store: Option<&'a Store>, threads: Option<usize>) -> Result<Self, CommandError> {
        if threads == Some(0) {
            return Err(CommandError::Usage("--threads: 0 is not a number of threads from 1".into()));
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
        let pool = pool.map_err(|error| CommandError::Output(format!("No threads can be started: {error}")))?;
        Ok(Self { subject, store, must_keep: false, pool, drawn: Mutex::default(), began: Instant::now() })
    }

    /// The same, where a run that cannot be kept is an error.
    pub fn keeping_all(self) -> Self {
        Self { must_keep: true, ..self }
    }

    /// Makes all runs that the study wants, or those that fit into its time.
    pub fn to_the_end(&self) -> Result<Results, CommandError> {
        let mut results = Results::default();
        loop {
            let units = self.subject.study.next(&results);
            if units.is_empty() {
                return Ok(results);
            }
            for some in self.pieces(&units, results.is_empty()) {
                if self.is_time_up() {
                    eprintln!("note: the time budget is used up; {} runs that are wanted are not there", units.len());
                    return Ok(results);
                }
                let is_first = results.is_empty();
                for (&unit, outcome) in some.iter().zip(self.make(some, units.len(), results.len())?) {
                    // The units that are wanted are not there yet.
                    let _ = results.add(unit, outcome);
                }
                if is_first {
                    self.estimate(some.len());
                }
            }
        }
    }

    /// Units in pieces: of the first ones as few as tell how long a run takes.
    fn pieces<'u>(&self, units: &'u [Unit], are_first: bool) -> impl Iterator<Item = &'u [Unit]> {
        let few = self.subject.study.policies.len().max(self.pool.current_num_threads());
        let (first, rest) = units.split_at(if are_first { few.min(units.len()) } else { 0 });
        std::iter::once(first).chain(rest.chunks(RUNS_AT_ONCE)).filter(|piece| !piece.is_empty())
    }

    /// Says how long a long study takes, and how it could be made smaller, from the time of its first runs.
    fn estimate(&self, runs: usize) {
        let run_ms = self.began.elapsed().as_secs_f64() * 1000.0 / runs.max(1) as f64;
        if let Some(words) = self.subject.estimate_words(run_ms) {
            eprintln!("note: {words}");
        }
    }

    fn is_time_up(&self) -> bool {
        let budget_s = self.subject.document.study.as_ref().and_then(|study| study.time_budget_s);
        budget_s.is_some_and(|budget_s| self.began.elapsed().as_secs_f64() > budget_s)
    }

    /// Makes some runs, in their order.
    pub fn make(&self, units: &[Unit], wanted: usize, known: usize) -> Result<Vec<Outcome>, CommandError> {
        let progress = Progress { done: AtomicUsize::new(0), known, wanted, began: self.began };
        let outcomes: Result<Vec<Outcome>, CommandError> = self
            .pool
            .install(|| units.par_iter().map(|&unit| self.outcome(unit).inspect(|_| progress.step())).collect());
        progress.clear();
        outcomes
    }

    fn outcome(&self, unit: Unit) -> Result<Outcome, CommandError> {
        let study = &self.subject.study;
        let with_seed = |seed| self.with_seed(seed);
        let Some(store) = self.store else { return Ok(study.run(unit, with_seed)) };
        let inputs = study.inputs(unit, with_seed).ok_or_else(|| CommandError::Input("A run has no policy".into()))?;
        let key = inputs.key();
        if let Some(known) = store.read(key)? {
            return Ok(known);
        }
        let outcome = inputs.outcome();
        match store.write(key, &outcome) {
            Err(WriteError::Refused(reason)) if !self.must_keep => store.note_refused(reason),
            written => written?,
        }
        Ok(outcome)
    }

    pub fn with_seed(&self, seed: u64) -> Scenario {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.entry(seed).or_insert_with(|| self.subject.resolved.with_seed(seed)).clone()
    }
}

/// How far the runs are, on one line of the terminal.
struct Progress {
    done: AtomicUsize,
    known: usize,
    wanted: usize,
    began: Instant,
}

impl Progress {
    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(16) && std::io::stderr().is_terminal() {
            let elapsed_s = self.began.elapsed().as_secs_f64();
            eprint!(
                "\r{} runs made, about {} to go, {elapsed_s:.0} s",
                self.known + done,
                self.wanted.saturating_sub(done)
            );
        }
    }

    fn clear(&self) {
        if std::io::stderr().is_terminal() {
            eprint!("\r{:60}\r", "");
            // A line that stays is no harm.
            let _ = std::io::stderr().flush();
        }
    }
}
