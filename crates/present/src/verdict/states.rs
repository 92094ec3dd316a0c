//! States in which no run is judged: nothing loaded, runs on their way, inputs that changed, runs that do not compare.

use elastiplan_text::{format, words};

use super::names::instead_of;
use super::{Act, Going, Judgement, Shown, Verdict, plain, remarks};
use crate::comparable::Incomparable;
use crate::goal::standing::Candidate;
use crate::goal::{GoalKind, short_duration};
use crate::runs::{RunState, share_ended};

/// A field that changed since the shown runs began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its value in the page's inputs, in words: `72 nodes`.
    pub now: String,
    /// What it is in the shown runs: `64 nodes`.
    pub before: String,
}

/// Headline and second line for results of earlier inputs.
pub(super) fn stale(changed: &[Changed]) -> (String, String) {
    match changed {
        [] => (
            "Inputs changed".into(),
            "The results below are for the earlier inputs and stay until the new ones stand.".into(),
        ),
        [Changed { now, before }] => (
            format!("Inputs changed: {now}, results are for {}", short(now, before)),
            format!("The results below are for {before} and stay until the new ones stand."),
        ),
        [first, rest @ ..] => {
            let more = rest.len() as u64;
            let second = match rest {
                [second] => second.now.clone(),
                _ => format!("{} more", format::count(more)),
            };
            (
                format!("Inputs changed: {} and {second}", first.now),
                "The results below are for the earlier inputs and stay until the new ones stand.".into(),
            )
        }
    }
}

/// What a field was, without the words that it shares with what it is: `64` of "64 nodes" beside "72 nodes".
fn short(now: &str, before: &str) -> String {
    let words = instead_of(&[now.into()], &[before.into()]);
    words.and_then(|(_, before)| before).unwrap_or_else(|| before.into())
}

/// The verdict before any run can be judged.
pub(super) fn before_results(shown: &Shown<'_>) -> Option<Verdict> {
    let runs = &shown.standing.shown;
    let has_no_jobs = shown.workload.trace().jobs().is_empty();
    if runs.is_empty() {
        return Some(match has_no_jobs {
            true => verdict(
                "Which scheduler, on how many GPUs, for how much?",
                "Drop a job trace, or look at a finished comparison first.",
                &NO_JOBS,
            ),
            false => {
                verdict("Add a policy to see what it does with these jobs", "A second one shows what it gains.", &[])
            }
        });
    }
    if shown.standing.is_running() {
        return Some(running(shown));
    }
    if has_no_jobs {
        return Some(verdict("No jobs: nothing to compare", "Load a job trace with at least one job.", &NO_JOBS));
    }
    if !runs.iter().any(|run| run.entry.whole().is_some()) {
        let is_failed = runs.iter().any(|run| matches!(run.entry.state, RunState::Failed(_)));
        let headline = if is_failed { "No run finished" } else { "Stopped before any run finished" };
        let second = remarks::remarks(shown);
        return Some(Verdict { headline: headline.into(), second, ..Verdict::default() });
    }
    None
}

/// What helps where there are no jobs.
const NO_JOBS: [Act; 2] = [Act::AddFiles, Act::UseSample];

fn verdict(headline: &str, second: &str, acts: &[Act]) -> Verdict {
    Verdict { headline: headline.into(), second: vec![plain(second)], acts: acts.to_vec(), ..Verdict::default() }
}

/// Runs are on their way: how far they are, and facts about those that have ended.
fn running(shown: &Shown<'_>) -> Verdict {
    let runs = &shown.standing.shown;
    let finished = runs.iter().filter(|run| run.entry.whole().is_some()).count();
    let going: Vec<String> = (0..runs.len()).filter_map(|place| Some(progress(shown, place)?.1)).collect();
    let waiting = runs.iter().filter(|run| run.entry.state == RunState::Started).count() as u64;
    let counts = format!("{finished} of {}", words::counted(runs.len() as u64, "run", "runs"));
    let headline = match going.as_slice() {
        [] => format!("{counts} finished; {} about to start", words::counted(waiting, "is", "are")),
        [one] => format!("{counts} finished; {one}"),
        [one, other] => format!("{counts} finished; {one}, {other}"),
        [one, rest @ ..] => format!("{counts} finished; {one}, {} more on their way", rest.len()),
    };
    let mut facts: Vec<String> =
        shown.standing.order(&shown.goal).iter().take(2).filter_map(|(place, _)| fact(shown, *place)).collect();
    // What the second has in common with the first is said once.
    let of_goal = of_goal(shown.goal.kind);
    facts.iter_mut().skip(1).for_each(|fact| *fact = fact.replacen(of_goal, "", 1));
    if let Some(first) = facts.first_mut() {
        *first = format!("So far {first}");
    }
    let facts = if facts.is_empty() { String::new() } else { format!("{}. ", facts.join(", ")) };
    let mut second = vec![plain(format!("{facts}The answer follows when all runs have ended. "))];
    second.extend(remarks::remarks(shown));
    Verdict { headline, second, going: Some(bar(shown)), ..Verdict::default() }
}

/// How far the shown runs have come together, and which of them take how long.
fn bar(shown: &Shown<'_>) -> Going {
    let runs = &shown.standing.shown;
    let going: Vec<&Candidate<'_>> = runs.iter().filter(|run| run.entry.is_running()).collect();
    let share = |run: &Candidate<'_>| match &run.entry.state {
        RunState::Started => 0.0,
        RunState::Running(progress) => share_ended(progress),
        _ => 1.0,
    };
    let share = runs.iter().map(share).sum::<f64>() / runs.len().max(1) as f64;
    let name = match going.as_slice() {
        [only] => shown.names.of_entry(only.entry),
        going => words::counted(going.len() as u64, "run", "runs"),
    };
    // All of them: that of one alone says nothing about the others.
    let left_s = going.iter().try_fold(0.0, |longest, run| Some(f64::max(longest, run.entry.left_s?)));
    let left = left_s.filter(|left_s| *left_s >= 1.0).map(|left_s| format::duration(left_s.round()));
    let left = left.map(|left| format!(", about {left} left")).unwrap_or_default();
    Going { words: format!("{name}{left}"), share }
}

/// `99.5% of deadlines under elasticflow`.
fn fact(shown: &Shown<'_>, place: usize) -> Option<String> {
    let (value, name) = (shown.value(place)?, shown.name(place));
    Some(format!("{value}{} under {name}", of_goal(shown.goal.kind)))
}

fn of_goal(kind: GoalKind) -> &'static str {
    match kind {
        GoalKind::Deadlines => " of deadlines",
        GoalKind::MeanCompletion => " mean completion",
        GoalKind::P95Waiting => " p95 waiting",
        GoalKind::Cost => "",
    }
}

/// How far a run on its way has come: `tiresias is at 4d 06h of 14d`. The end is that of the submissions; after it,
/// nothing tells how long a run goes on.
fn progress(shown: &Shown<'_>, place: usize) -> Option<(f64, String)> {
    let candidate: &Candidate<'_> = shown.get(place)?;
    let RunState::Running(progress) = &candidate.entry.state else { return None };
    let start_s = crate::comparable::workload_of(candidate.entry, shown.workload).trace().start_s();
    let (at_s, last_s) = (progress.time_s - start_s, progress.last_submit_s - start_s);
    let at = format::duration(at_s.max(0.0));
    let of = if at_s < last_s { format!(" of {}", short_duration(last_s)) } else { String::new() };
    Some((at_s, format!("{} is at {at}{of}", shown.name(place))))
}

/// Runs that have ended, of which none can be compared with the first.
pub(super) fn not_comparable(shown: &Shown<'_>) -> Option<Judgement> {
    let whole = || shown.standing.shown.iter().filter(|candidate| candidate.entry.whole().is_some());
    let reason = whole().find_map(|candidate| candidate.incomparable.clone())?;
    if shown.standing.ranked().count() > 1 {
        return None;
    }
    let headline = match reason {
        Incomparable::OtherJobs { in_baseline, here } if in_baseline == here => {
            "These runs have different jobs".to_string()
        }
        Incomparable::OtherJobs { in_baseline, here } => {
            let (there, here) = (format::count(in_baseline as u64), format::count(here as u64));
            format!("These runs have different jobs: {there} and {here}")
        }
        Incomparable::OtherEnd { baseline_s, here_s } => {
            let (there, here) = (short_duration(baseline_s), short_duration(here_s));
            format!("These runs end at different times: {there} and {here}")
        }
    };
    let first = vec![plain("Numbers stand side by side without differences. ")];
    let acts = match reason {
        Incomparable::OtherEnd { baseline_s, here_s } => vec![Act::EndAllAfter(baseline_s.min(here_s))],
        Incomparable::OtherJobs { .. } => Vec::new(),
    };
    Some(Judgement { headline, first, acts, ..Judgement::default() })
}
