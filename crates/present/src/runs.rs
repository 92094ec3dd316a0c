//! The runs of a comparison, in the order of their list.

use std::rc::Rc;

use elastiplan_compare::Badge;
use elastiplan_engine::Progress;
use elastiplan_model::Workload;
use elastiplan_planner::PolicyRun;
use elastiplan_policies::PolicySpec;
use elastiplan_text::format;

/// How many runs have a colour of their own.
pub const COLOURS: usize = 8;

/// State of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunState {
    /// Requested; no progress has been reported yet.
    Started,
    /// Being simulated.
    Running(Progress),
    /// Simulated to its end.
    Finished,
    /// Stopped by the user; the record up to then stands.
    Cancelled,
    /// Ended by an error.
    Failed(RunFailure),
}

/// Reason that a run ended early.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunFailure {
    /// One sentence for the user.
    pub message: String,
    /// Technical detail for a report: the place of a panic. Empty where the message is complete.
    pub detail: String,
}

/// A run of a comparison: a policy, its settings, and what else differs from the other runs.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEntry {
    /// Its place in the list of runs: decides badge and colour. 0 is the baseline.
    pub slot: usize,
    /// The policy with its parameters.
    pub policy: PolicySpec,
    /// What the user calls it; `None` for the policy's name.
    pub label: Option<String>,
    /// What differs from the inputs of the comparison, a few words each: "72 nodes".
    pub differs: Vec<String>,
    /// When forks change this run, or others are forked from it, in seconds on the clock of the trace.
    pub marks_s: Vec<f64>,
    /// Whether its inputs are frozen: edits make other runs.
    pub is_pinned: bool,
    /// Whether it is left out of pictures and tables.
    pub is_hidden: bool,
    /// Its jobs where they are not those of the comparison.
    pub own_workload: Option<Rc<Workload>>,
    /// Its state.
    pub state: RunState,
    /// The latest record: whole, or so far.
    pub result: Option<Rc<PolicyRun>>,
    /// Wall-clock time in milliseconds; `None` until the run has ended.
    pub wall_ms: Option<f64>,
    /// About how many seconds of wall-clock time are left; `None` where that cannot be told yet.
    pub left_s: Option<f64>,
}

impl RunEntry {
    /// A run that has not begun.
    pub fn new(slot: usize, policy: PolicySpec) -> Self {
        Self {
            slot,
            policy,
            label: None,
            differs: Vec::new(),
            marks_s: Vec::new(),
            is_pinned: false,
            is_hidden: false,
            own_workload: None,
            state: RunState::Started,
            result: None,
            wall_ms: None,
            left_s: None,
        }
    }

    /// A finished run.
    pub fn finished(slot: usize, run: PolicyRun) -> Self {
        let entry = Self::new(slot, run.policy.clone());
        Self { state: RunState::Finished, result: Some(Rc::new(run)), ..entry }
    }

    /// The jobs it ran: its own, or those of the comparison.
    pub fn workload<'a>(&'a self, compared: &'a Workload) -> &'a Workload {
        self.own_workload.as_deref().unwrap_or(compared)
    }

    /// The record, if the run has finished.
    pub fn whole(&self) -> Option<&PolicyRun> {
        self.result.as_deref().filter(|_| self.state == RunState::Finished)
    }

    /// The badge as it is written: A to H, then 9, 10 and so on.
    pub fn letter(&self) -> String {
        Badge::of_slot(self.slot).map_or_else(|| "?".into(), Badge::letter)
    }

    /// The policy's name without its parameters.
    pub fn name(&self) -> &str {
        self.policy.name()
    }

    /// The policy's settings, in short.
    pub fn parameters(&self) -> String {
        settings_in_short(&self.policy)
    }

    /// The index of its colour and dashes: 0 to 7 for A to H, and 8, grey, for all others.
    pub fn colour_index(&self) -> u8 {
        self.slot.min(COLOURS) as u8
    }

    /// How far it is in simulated time and how long it will take: `4d 06h of 14d, 6s left`. Empty before the first
    /// report; `start_s` is the first submission.
    pub fn progress_words(&self, start_s: f64) -> String {
        let RunState::Running(progress) = &self.state else { return String::new() };
        let time_s = (progress.time_s - start_s).max(0.0);
        let last_s = progress.last_submit_s - start_s;
        // Nobody knows when the last job ends.
        let place = match time_s <= last_s {
            true => format!("{} of {}", format::duration(time_s), format::duration(last_s)),
            false => format!("{}, {} of jobs ended", format::duration(time_s), format::percent(share_ended(progress))),
        };
        match self.left_s {
            Some(left_s) if left_s >= 1.0 => format!("{place}, {} left", format::duration(left_s.round())),
            _ => place,
        }
    }

    /// Whether its record is still growing.
    pub fn is_running(&self) -> bool {
        matches!(self.state, RunState::Started | RunState::Running(_))
    }
}

/// The settings of a policy that were given, in words: `delta 5m 00s, no backfill`. Empty where all are the usual ones.
pub fn settings_in_short(spec: &PolicySpec) -> String {
    let id = spec.to_string();
    let inside = id.split_once('[').map_or("", |(_, rest)| rest.trim_end_matches(']'));
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, is_time) = name.strip_suffix("_s").map_or((name, false), |name| (name, true));
        let name = name.replace('_', " ");
        match (value, elastiplan_text::number(value)) {
            ("true", _) => name,
            ("false", _) => format!("no {name}"),
            (_, Some(seconds)) if is_time => format!("{name} {}", format::duration(seconds)),
            _ => format!("{name} {value}"),
        }
    };
    inside.split(',').filter(|given| !given.is_empty()).map(pair).collect::<Vec<_>>().join(", ")
}

/// The share of its jobs that a run has ended.
pub fn share_ended(progress: &Progress) -> f64 {
    progress.jobs_ended as f64 / progress.jobs_total.max(1) as f64
}

/// The runs that pictures and tables show. Their slots are places in the whole list, hidden runs included.
pub fn shown(entries: &[RunEntry]) -> impl Iterator<Item = &RunEntry> + Clone {
    entries.iter().filter(|entry| !entry.is_hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(slot: usize, policy: &str, differs: &[&str]) -> RunEntry {
        let differs = differs.iter().map(ToString::to_string).collect();
        RunEntry { differs, ..RunEntry::new(slot, policy.parse().unwrap()) }
    }

    #[test]
    fn settings_are_told_in_words() {
        let check = |text: &str, expected: &str| assert_eq!(settings_in_short(&text.parse().unwrap()), expected);
        check("elastic-dp", "");
        check("elastic-dp[delta_s=300]", "delta 5m 00s");
        check("fixed[backfill=true]", "backfill");
        check("elastic-dp[delta_s=60,queue=false]", "delta 1m 00s, no queue");
        check("elastic-dp[batch=random]", "batch random");
    }

    #[test]
    fn runs_have_letters_then_numbers() {
        let check = |slot: usize, expected: &str| assert_eq!(entry(slot, "fixed", &[]).letter(), expected);
        check(0, "A");
        check(7, "H");
        check(8, "9");
    }

    #[test]
    fn a_run_on_its_way_tells_where_it_is_and_what_is_left() {
        let check = |time_s, left_s, expected: &str| {
            let progress = Progress { time_s, last_submit_s: 1_209_700.0, jobs_ended: 40, jobs_total: 100 };
            let state = RunState::Running(progress);
            assert_eq!(RunEntry { state, left_s, ..entry(0, "fixed", &[]) }.progress_words(100.0), expected);
        };
        check(367_300.0, Some(6.2), "4d 06h of 14d 00h, 6s left");
        check(367_300.0, Some(0.4), "4d 06h of 14d 00h");
        check(367_300.0, None, "4d 06h of 14d 00h");
        check(1_300_000.0, Some(75.0), "15d 01h, 40% of jobs ended, 1m 15s left");
        assert_eq!(entry(0, "fixed", &[]).progress_words(0.0), "");
    }
}
