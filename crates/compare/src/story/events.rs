//! The events of a story, from everything in the record that tells of a job.

use elastiplan_engine::{Outcome, Run};
use elastiplan_model::order::sort_by;
use elastiplan_model::{JobId, Workload, is_late};

use super::changes::{Change, What, changes};
use super::series::{Series, chosen};
use super::{Happening, Paid, StoryEvent, StorySummary, WaitReason};

/// Everything that happened to a job, in order of time.
pub(super) fn events(
    run: &Run,
    workload: &Workload,
    job: JobId,
    summary: &StorySummary,
    series: &Series,
    grouped_within_s: f64,
) -> Option<Vec<StoryEvent>> {
    let in_trace = workload.trace().jobs().get(job.index())?;
    let changes = changes(run, job);
    let mut events = vec![submitted(run, in_trace.submit_s, in_trace.gpus_requested, &changes, summary)];
    let first_start_s = run.jobs.start_s.get(job.index()).copied().flatten();
    let admitted_s = run.jobs.admitted_s.get(job.index()).copied().flatten();
    events.extend(
        admitted_s.filter(|time_s| Some(*time_s) != first_start_s).map(|time_s| event(time_s, Happening::Admitted)),
    );
    events.extend(losses(run, job));
    events.extend(remarks(run, job));
    events.extend(deadline_passed(run, in_trace.deadline_s, summary, series));
    let first_change_s = changes.first().map(|change| change.time_s);
    events.extend(batches(run, job, first_change_s));
    events.extend(of_changes(run, &changes, summary, series));
    // Stable: at one time what is not the policy's doing comes first.
    sort_by(&mut events, |a, b| a.time_s.total_cmp(&b.time_s));
    // Of a job that was not yet submitted when the run ended there is nothing to tell.
    let was_there = in_trace.submit_s <= run.end_s;
    let is_open = summary.end_s.is_none() && !run.finished;
    let end = (was_there && !is_open).then(|| ended(run, summary));
    Some(grouped(events, grouped_within_s).into_iter().filter(|_| was_there).chain(end).collect())
}

fn event(time_s: f64, what: Happening) -> StoryEvent {
    StoryEvent { time_s, what }
}

fn submitted(run: &Run, submit_s: f64, gpus_requested: u32, changes: &[Change], summary: &StorySummary) -> StoryEvent {
    let until_s = changes.first().map(|change| change.time_s).or(summary.end_s).unwrap_or(run.end_s);
    let waits_s = (until_s - submit_s).max(0.0);
    let reason = (waits_s > 0.0).then(|| wait_reason(run, submit_s, gpus_requested)).flatten();
    let starts = !changes.is_empty();
    event(submit_s, Happening::Submitted { gpus_requested, starts, waits_s, reason })
}

fn wait_reason(run: &Run, submit_s: f64, gpus_requested: u32) -> Option<WaitReason> {
    let row = run.series.row_at(submit_s)?;
    let present = *run.series.gpus_present.get(row)?;
    let free = present.saturating_sub(*run.series.gpus_in_use.get(row)?);
    Some(match free {
        _ if present == 0 => WaitReason::NoNodes,
        free if free < gpus_requested => WaitReason::TooFewFree { free },
        free => WaitReason::HeldBack { free },
    })
}

fn losses(run: &Run, job: JobId) -> impl Iterator<Item = StoryEvent> {
    let rows = run.losses.job.iter().zip(run.losses.time_s.iter().zip(&run.losses.gpu_seconds));
    let own = rows.filter(move |(loser, _)| **loser == job.0);
    own.map(|(_, (time_s, gpu_seconds))| event(*time_s, Happening::WorkLost { gpu_seconds: *gpu_seconds }))
}

fn remarks(run: &Run, job: JobId) -> impl Iterator<Item = StoryEvent> {
    let rows = run.remarks.job.iter().zip(run.remarks.time_s.iter().zip(&run.remarks.text));
    let own = rows.filter(move |(about, _)| **about == job.0);
    own.map(|(_, (time_s, text))| event(*time_s, Happening::Remarked { text: text.clone() }))
}

fn deadline_passed(run: &Run, deadline_s: Option<f64>, summary: &StorySummary, series: &Series) -> Option<StoryEvent> {
    let deadline_s = deadline_s.filter(|deadline_s| is_late(summary.end_s.unwrap_or(run.end_s), *deadline_s))?;
    let gpus = series.gpus.at(deadline_s)?;
    Some(event(deadline_s, Happening::DeadlinePassed { gpus }))
}

/// Batch sizes that were chosen after the job first held GPUs: one that it starts with is part of the start.
fn batches(run: &Run, job: JobId, first_change_s: Option<f64>) -> impl Iterator<Item = StoryEvent> {
    let after_start = move |time_s: f64| first_change_s.is_some_and(|first_s| time_s > first_s);
    let chosen = chosen(run, job).filter(move |(time_s, _)| after_start(*time_s));
    chosen.map(|(time_s, batch_global)| event(time_s, Happening::Batch { batch_global }))
}

fn of_changes(run: &Run, changes: &[Change], summary: &StorySummary, series: &Series) -> Vec<StoryEvent> {
    let ends_s = changes.iter().skip(1).map(|change| change.time_s);
    let last_s = summary.end_s.unwrap_or(run.end_s);
    let with_ends = changes.iter().zip(ends_s.chain([last_s]));
    with_ends.map(|(change, until_s)| event(change.time_s, of_change(change, until_s, series))).collect()
}

fn of_change(change: &Change, until_s: f64, series: &Series) -> Happening {
    let seconds = change.paid_s - change.time_s;
    let paid = |gpus: u32| Paid { seconds, gpu_seconds: seconds * f64::from(gpus) };
    let samples_per_s = change.samples_per_s;
    let batch_global = series.batch_global.at(change.time_s).flatten();
    match change.what {
        What::Start { gpus } => Happening::Started { gpus, batch_global, samples_per_s, paid: paid(gpus) },
        What::Resize { from, to } => {
            Happening::Resized { gpus: vec![from, to], batch_global, samples_per_s, paid: vec![paid(to)] }
        }
        What::Move { gpus } => Happening::Moved { gpus, paid: paid(gpus) },
        What::Preempt { from, node_left } => {
            Happening::Preempted { gpus: from, node_left, away_s: until_s - change.time_s }
        }
        What::Resume { gpus } => Happening::Resumed { gpus, samples_per_s, paid: paid(gpus) },
        What::NodeLeft { from, to } => Happening::NodeLeft { from, to, paid: paid(to) },
    }
}

fn ended(run: &Run, summary: &StorySummary) -> StoryEvent {
    let time_s = summary.end_s.unwrap_or(run.end_s);
    let late_s = summary.late_s.filter(|_| summary.outcome == Outcome::Completed);
    event(time_s, Happening::Ended { outcome: summary.outcome, late_s })
}

/// Changes that follow each other in one direction become one.
fn grouped(events: Vec<StoryEvent>, within_s: f64) -> Vec<StoryEvent> {
    let mut grouped: Vec<StoryEvent> = Vec::new();
    let mut last_s = f64::NEG_INFINITY;
    for event in events {
        let is_near = event.time_s - last_s <= within_s;
        last_s = event.time_s;
        let is_joined = is_near && grouped.last_mut().is_some_and(|last| join(&mut last.what, &event.what));
        if !is_joined {
            grouped.push(event);
        }
    }
    grouped
}

/// Adds a change to one that goes the same way.
fn join(one: &mut Happening, other: &Happening) -> bool {
    let (
        Happening::Resized { gpus, batch_global, samples_per_s, paid },
        Happening::Resized { gpus: next, batch_global: next_batch, samples_per_s: next_speed, paid: next_paid },
    ) = (one, other)
    else {
        return false;
    };
    let (Some(first), Some(last), Some(to)) = (gpus.first(), gpus.last(), next.last()) else { return false };
    if (first < last) != (last < to) {
        return false;
    }
    gpus.push(*to);
    (*batch_global, *samples_per_s) = (*next_batch, *next_speed);
    paid.extend(next_paid);
    true
}
