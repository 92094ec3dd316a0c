//! Remarks on single runs: jobs that are left, runs that failed, were stopped or were ended without progress.

use elastiplan_text::{format, words};

use super::names::in_sentence;
use super::{Phrase, Shown, Tone, plain, worse};
use crate::comparable::Incomparable;
use crate::goal::short_duration;
use crate::goal::standing::Candidate;
use crate::runs::RunState;

/// All remarks on the shown runs.
pub(super) fn remarks(shown: &Shown<'_>) -> Vec<Phrase> {
    let runs = || shown.standing.shown.iter();
    let failed = runs().filter_map(|run| not_whole(shown, run));
    let unfinished = runs().filter_map(|run| unfinished(shown, run));
    let others = runs().filter_map(|run| other(shown, run));
    let flattered = flattered(shown);
    failed.chain(unfinished).chain(flattered).chain(others).chain(without_progress(shown)).collect()
}

/// `32 of 300 jobs are still running or waiting when the log ends at 2d`.
fn unfinished(shown: &Shown<'_>, candidate: &Candidate<'_>) -> Option<Phrase> {
    let run = &candidate.entry.whole()?.run;
    let metrics = candidate.metrics()?;
    let left = metrics.jobs_unfinished;
    if left == 0 {
        return None;
    }
    let (left, total) = (format::count(left), format::count(metrics.jobs_total));
    let end = if run.absences.start_s.is_empty() { "the run" } else { "the log" };
    let (at, name) = (short_duration(run.end_s - run.start_s), shown.names.of_entry(candidate.entry));
    let are = if left == "1" { "is" } else { "are" };
    Some(worse(format!(
        "Under {name}, {left} of {total} jobs {are} still running or waiting when {end} ends at {at}. "
    )))
}

/// Runs whose metric looks better than that of the named ones, since it is over fewer jobs.
fn flattered(shown: &Shown<'_>) -> Vec<Phrase> {
    let order = shown.standing.order(&shown.goal);
    let (Some((_, best)), false) = (order.first(), shown.standing.is_running()) else { return Vec::new() };
    let remark = |(place, candidate): (usize, &Candidate<'_>)| {
        let value = candidate.value_of(shown.goal.kind)?;
        let is_flattered = value < *best && !order.iter().any(|(other, _)| *other == place);
        let metrics = candidate.metrics().filter(|_| is_flattered)?;
        let (completed, total) = (format::count(metrics.jobs_completed), format::count(metrics.jobs_total));
        let (name, value) = (shown.name(place), shown.value(place)?);
        let label = shown.goal.kind.label();
        Some(plain(format!("{name} has {value} {label}, but completes {completed} of {total} jobs. ")))
    };
    let is_lower_better = shown.goal.kind != crate::goal::GoalKind::Deadlines;
    shown.standing.ranked().filter(|_| is_lower_better).filter_map(remark).collect()
}

/// A run that is not about the same, beside others that are.
fn other(shown: &Shown<'_>, candidate: &Candidate<'_>) -> Option<Phrase> {
    if shown.standing.ranked().count() < 2 {
        return None;
    }
    let name = shown.names.of_entry(candidate.entry);
    Some(plain(match candidate.incomparable.as_ref()? {
        Incomparable::OtherJobs { .. } => format!("{name} has other jobs: its numbers stand without differences. "),
        Incomparable::OtherEnd { here_s, .. } => {
            format!("{name} ends at {}: its numbers stand without differences. ", format::duration(*here_s))
        }
    }))
}

/// Runs that were ended because no job made progress any more, and what to do next.
fn without_progress(shown: &Shown<'_>) -> Vec<Phrase> {
    let stalled = || {
        let whole = shown.standing.shown.iter().filter_map(|run| Some((run, &run.entry.whole()?.run)));
        whole.filter(|(_, run)| run.stalled)
    };
    let names: Vec<String> = stalled().map(|(candidate, _)| shown.names.of_entry(candidate.entry)).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let were = if names.len() == 1 { "was" } else { "were" };
    let text = format!("{} {were} ended: no job made progress any more. ", words::list(&names));
    let has_nodes = stalled().any(|(_, run)| run.series.gpus_present.last().is_some_and(|gpus| *gpus > 0));
    let advice = match has_nodes {
        true => "Let nodes fail less often, checkpoint more often, or lower the rescale cost. ",
        false => "No node was left: add permanent nodes, or end the simulation at a set time. ",
    };
    vec![Phrase { text, tone: Tone::Bad }, plain(advice)]
}

/// A run that failed or was stopped.
fn not_whole(shown: &Shown<'_>, candidate: &Candidate<'_>) -> Option<Phrase> {
    let name = shown.names.of_entry(candidate.entry);
    let at = candidate.entry.result.as_ref().map(|result| format::duration(result.run.end_s - result.run.start_s));
    match &candidate.entry.state {
        RunState::Failed(failure) => {
            let at = at.map(|at| format!(" at {at}")).unwrap_or_default();
            let message = in_sentence_long(&failure.message);
            Some(Phrase { text: format!("{name} failed{at}: {message}. "), tone: Tone::Bad })
        }
        RunState::Cancelled => Some(plain(match at {
            Some(at) => match candidate.completed() {
                0 => format!("{name} was stopped at {at}, before a job had completed. "),
                jobs => {
                    let jobs = words::counted(jobs, "job", "jobs");
                    format!("{name} was stopped at {at}; {jobs} had completed, their times stand. ")
                }
            },
            None => format!("{name} was stopped before its first job. "),
        })),
        _ => None,
    }
}

/// A message without its full stop; a name in it may be long, the message is not cut.
fn in_sentence_long(message: &str) -> String {
    let message = message.trim().trim_end_matches('.');
    if message.chars().count() <= 200 { message.into() } else { in_sentence(message) }
}
