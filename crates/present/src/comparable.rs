//! Limits on comparing runs.

use elastiplan_compare::{Candidate, Comparability, Obstacle, RunEnd, same_jobs};
use elastiplan_engine::{Outcome, Run};
use elastiplan_metrics::Bounds;
use elastiplan_model::Workload;
use elastiplan_text::{format, words};

use crate::goal::short_duration;
use crate::runs::{RunEntry, RunState};
use crate::verdict::names::Names;

/// Ends of runs at most this far apart, in seconds, are the same.
const SAME_END_S: f64 = 1.0;

/// Why a run cannot be compared with another.
#[derive(Clone, Debug, PartialEq)]
pub enum Incomparable {
    /// It has other jobs.
    OtherJobs {
        /// Jobs of the other run.
        in_baseline: usize,
        /// Its own.
        here: usize,
    },
    /// One of the two was cut off by its end of time; the other went on for longer.
    OtherEnd {
        /// Length of the other run in seconds.
        baseline_s: f64,
        /// Its own length in seconds.
        here_s: f64,
    },
}

/// The run with which the others are compared: the one with the badge A, or the first that is shown.
pub fn baseline(entries: &[RunEntry]) -> Option<&RunEntry> {
    let shown = || entries.iter().filter(|entry| !entry.is_hidden);
    shown().find(|entry| entry.slot == 0).or_else(|| shown().next())
}

/// Why a run cannot be compared with `reference`, another of the same comparison. `workload` is the comparison's, which
/// runs have unless they have their own.
pub fn incomparable(entry: &RunEntry, reference: &RunEntry, workload: &Workload) -> Option<Incomparable> {
    let (here, there) = (workload_of(entry, workload), workload_of(reference, workload));
    if !same_jobs(here.trace(), there.trace()) {
        let (in_baseline, here) = (there.trace().jobs().len(), here.trace().jobs().len());
        return Some(Incomparable::OtherJobs { in_baseline, here });
    }
    let (run, other) = (&entry.whole()?.run, &reference.whole()?.run);
    // Under the same inputs, runs have the same end of time.
    let is_cut = |run: &Run| run.jobs.outcome.contains(&Outcome::Unfinished) && !run.stalled;
    let outlasts = |long: &Run, short: &Run| is_cut(short) && long.end_s > short.end_s + SAME_END_S;
    let differs = entry.differs != reference.differs && (outlasts(run, other) || outlasts(other, run));
    let length_s = |run: &Run| run.end_s - run.start_s;
    differs.then(|| Incomparable::OtherEnd { baseline_s: length_s(other), here_s: length_s(run) })
}

/// The jobs of a run.
pub(crate) fn workload_of<'a>(entry: &'a RunEntry, workload: &'a Workload) -> &'a Workload {
    entry.own_workload.as_deref().unwrap_or(workload)
}

/// Why some differences are missing, or say less than they seem to, a line each; nothing where all are there, or one run
/// is on its own. Hidden runs are left out.
pub fn notes(entries: &[RunEntry], workload: &Workload) -> Vec<String> {
    let Some(first) = baseline(entries) else { return Vec::new() };
    let others = entries.iter().filter(|entry| !entry.is_hidden && !std::ptr::eq(*entry, first));
    let shown: Vec<&RunEntry> = std::iter::once(first).chain(others).collect();
    let names = Names::of(shown.iter().copied());
    let named: Vec<(&RunEntry, String)> = shown.iter().map(|entry| (*entry, names.of_entry(entry))).collect();
    let candidates: Vec<Candidate> = named.iter().map(|(entry, name)| candidate(entry, name, workload)).collect();
    // A run on its way says so itself, and one policy needs no comparison.
    let is_said_elsewhere = |obstacle: &&Obstacle| {
        use Obstacle::{NoRecord, NotWhole, OneRun};
        matches!(obstacle, OneRun | NoRecord { .. } | NotWhole { end: RunEnd::Running, .. })
    };
    let obstacles = Comparability::of(&candidates).obstacles;
    let obstacles = obstacles.iter().filter(|obstacle| !is_said_elsewhere(obstacle)).map(Obstacle::words);
    let end = |(entry, name): &(&RunEntry, String)| match incomparable(entry, first, workload)? {
        Incomparable::OtherEnd { baseline_s, here_s } => {
            let (here, there) = (short_duration(here_s), short_duration(baseline_s));
            Some(format!("{name} ends at {here}, the baseline at {there}: differences are not shown"))
        }
        Incomparable::OtherJobs { .. } => None,
    };
    let ends = named.iter().filter_map(end);
    obstacles.chain(ends).chain(other_seeds(&named, first)).collect()
}

fn candidate<'a>(entry: &'a RunEntry, name: &'a str, workload: &'a Workload) -> Candidate<'a> {
    let end = match entry.state {
        RunState::Started | RunState::Running(_) => RunEnd::Running,
        RunState::Finished => RunEnd::Whole,
        RunState::Cancelled => RunEnd::Stopped,
        RunState::Failed(_) => RunEnd::Failed,
    };
    let run = entry.result.as_deref().map(|result| &result.run);
    Candidate { name, trace: workload_of(entry, workload).trace(), run, end }
}

/// Runs that met other faults than the first.
fn other_seeds(named: &[(&RunEntry, String)], first: &RunEntry) -> Option<String> {
    let others = named.iter().filter(|(entry, _)| has_other_seed(entry, first));
    let others: Vec<&str> = others.map(|(_, name)| name.as_str()).collect();
    let have = if others.len() == 1 { "has another seed" } else { "have other seeds" };
    let names = words::list(&others);
    (!others.is_empty()).then(|| format!("{names} {have} than the baseline: part of the difference is chance"))
}

/// Whether two runs differ in their seed: it is among the fields that differ from the inputs.
pub(crate) fn has_other_seed(entry: &RunEntry, other: &RunEntry) -> bool {
    let is_seed = |field: &&String| field.to_ascii_lowercase().starts_with("seed");
    entry.differs.iter().find(is_seed) != other.differs.iter().find(is_seed)
}

/// How good any policy can be, in words.
pub fn bounds_words(bounds: &Bounds) -> String {
    let (mean, makespan) = (format::duration(bounds.avg_jct_s), format::duration(bounds.makespan_s));
    format!("Lower bound for any policy: mean completion {mean}, makespan {makespan}")
}

/// Bounds on what any policy can reach on so many GPUs: at the batch sizes that jobs were submitted with, or at any if
/// one of the runs chose others. `None` if none is known.
pub fn bounds_for(entries: &[RunEntry], workload: &Workload, gpus_total: u32) -> Option<Bounds> {
    let shown = entries.iter().filter(|entry| !entry.is_hidden).filter_map(|entry| entry.result.as_deref());
    let mut chooses_batch = shown.map(|result| !result.run.batch_sizes.job.is_empty());
    match chooses_batch.any(|chooses| chooses) {
        true => Bounds::of_any_batch(workload, gpus_total),
        false => Bounds::of(workload, gpus_total),
    }
}

/// Whether two runs complete the very same jobs: only then do means over completed jobs compare.
pub fn complete_the_same(one: &Run, other: &Run) -> bool {
    let is_completed = |outcome: &Outcome| *outcome == Outcome::Completed;
    one.jobs.outcome.iter().map(is_completed).eq(other.jobs.outcome.iter().map(is_completed))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use elastiplan_planner::{PolicyRun, run};
    use elastiplan_scenario::sample;

    use super::*;

    fn entries(policies: &[&str]) -> (Workload, Vec<RunEntry>) {
        let scenario = sample::scenario(sample::SEED);
        let (workload, _) = scenario.workload();
        let entry = |(slot, policy): (usize, &&str)| {
            let policy: elastiplan_policies::PolicySpec = policy.parse().unwrap();
            RunEntry::finished(slot, run(&scenario, &workload, &policy).unwrap())
        };
        let entries = policies.iter().enumerate().map(entry).collect();
        (workload, entries)
    }

    #[test]
    fn comparable_runs_get_no_warning() {
        let (workload, entries) = entries(&["fixed", "elastic-dp"]);
        assert_eq!(notes(&entries, &workload), Vec::<String>::new());
        assert_eq!(notes(&entries[..1], &workload), Vec::<String>::new());
    }

    #[test]
    fn a_stopped_run_and_one_that_completes_other_jobs_get_a_line() {
        let (workload, mut entries) = entries(&["fixed", "elastic-dp"]);
        entries[1].state = RunState::Cancelled;
        assert!(notes(&entries, &workload)[0].starts_with("elastic-dp stopped at "));
        entries[1].state = RunState::Finished;
        let mut other = PolicyRun::clone(entries[1].result.as_ref().unwrap());
        other.run.jobs.outcome[3] = Outcome::Dropped;
        assert!(!complete_the_same(&other.run, &entries[0].result.as_ref().unwrap().run));
        entries[1].result = Some(Rc::new(other));
        assert_eq!(
            notes(&entries, &workload),
            ["elastic-dp completes 47 jobs, the baseline 48: times are over the jobs that each completes"]
        );
    }

    #[test]
    fn hidden_runs_get_no_line_and_another_seed_gets_one() {
        let (workload, mut entries) = entries(&["fixed", "elastic-dp", "equal-share"]);
        entries[1].state = RunState::Cancelled;
        entries[1].is_hidden = true;
        assert_eq!(notes(&entries, &workload), Vec::<String>::new());
        entries[2].differs = vec!["seed 7".into()];
        assert_eq!(
            notes(&entries, &workload),
            ["equal-share with seed 7 has another seed than the baseline: part of the difference is chance"]
        );
    }

    #[test]
    fn runs_with_other_jobs_or_another_end_are_not_compared() {
        let (workload, mut entries) = entries(&["fixed", "elastic-dp"]);
        assert_eq!(incomparable(&entries[1], &entries[0], &workload), None);
        entries[1].differs = vec!["end simulation after 1h".into()];
        let mut cut = PolicyRun::clone(entries[1].result.as_ref().unwrap());
        cut.run.jobs.outcome[40] = Outcome::Unfinished;
        cut.run.end_s = cut.run.start_s + 3600.0;
        entries[1].result = Some(Rc::new(cut));
        let lines = notes(&entries, &workload);
        assert!(lines.iter().any(|line| line.contains("ends at 1h, the baseline at ")), "{lines:?}");

        let (other, _) = sample::scenario(sample::SEED).workload();
        let fewer = other.trace().jobs().iter().take(9).cloned().collect();
        let trace = elastiplan_model::Trace::new(other.trace().models().to_vec(), fewer).unwrap();
        let curves = other.curves().iter().cloned().collect::<elastiplan_model::Curves>();
        entries[1].own_workload = Some(Rc::new(Workload::bind(&trace, &curves).0));
        let expected = Some(Incomparable::OtherJobs { in_baseline: 48, here: 9 });
        assert_eq!(incomparable(&entries[1], &entries[0], &workload), expected);
    }

    #[test]
    fn bounds_are_a_line() {
        let bounds = Bounds { avg_jct_s: 900.0, makespan_s: 19_620.0 };
        assert_eq!(bounds_words(&bounds), "Lower bound for any policy: mean completion 15m, makespan 5h 27m");
    }
}
