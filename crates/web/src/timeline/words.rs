//! The text of a strip's header, and its description for screen readers.

use elastiplan_compare::Decided;
use elastiplan_engine::{Outcome, Run};
use elastiplan_model::{JobId, Workload, is_late};
use elastiplan_present::runs::{RunEntry, RunState};
use elastiplan_scene::most_present;
use elastiplan_text::format;
use elastiplan_text::words::counted;

use crate::state::runs::Runs;

/// The note on a run that would never have ended.
const GIVEN_UP: &str = "Given up: nothing got further";

/// The numbers of a strip's header.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StripWords {
    /// The mean completion, "42m"; empty while no job has completed.
    pub mean: String,
    /// Jobs that missed their deadline.
    pub missed: u64,
    /// Jobs that the policy refused.
    pub dropped: u64,
    /// Jobs that died of a bug.
    pub failed: u64,
    /// Jobs that their users cancelled.
    pub cancelled: u64,
    /// Whether the run was given up because nothing got further.
    pub is_given_up: bool,
    /// Where the simulation is, or was stopped; empty for a finished run.
    pub place: String,
    /// How much of the run is done, 0 to 100; `None` if it is not on its way.
    pub percent: Option<u8>,
    /// The whole strip in one sentence.
    pub summary: String,
}

impl StripWords {
    /// About one run.
    pub fn of(entry: &RunEntry, workload: &Workload) -> Self {
        let start_s = workload.trace().start_s();
        let mut words = Self::default();
        match &entry.state {
            RunState::Started => {
                words.place = "starting".into();
                words.percent = Some(0);
            }
            RunState::Running(progress) => {
                words.place = entry.progress_words(start_s);
                let share = progress.jobs_ended as f64 / (progress.jobs_total.max(1)) as f64;
                words.percent = Some((share * 100.0).clamp(0.0, 100.0) as u8);
            }
            RunState::Cancelled | RunState::Failed(_) => {
                let stop_s = entry.result.as_ref().map_or(start_s, |result| result.run.end_s);
                let verb = if entry.state == RunState::Cancelled { "stopped" } else { "failed" };
                words.place = format!("{verb} at {}", format::duration((stop_s - start_s).max(0.0)));
            }
            RunState::Finished => {}
        }
        let Some(result) = &entry.result else {
            words.summary = format!("{} jobs, no record yet", format::count(workload.trace().jobs().len() as u64));
            return words;
        };
        let metrics = &result.summary.metrics;
        if let Some(avg_jct_s) = metrics.avg_jct_s {
            words.mean = format::duration(avg_jct_s);
        }
        words.missed = missed_deadlines(&result.run, workload).count() as u64;
        words.dropped = metrics.jobs_dropped;
        words.failed = metrics.jobs_failed;
        words.cancelled = metrics.jobs_cancelled;
        if result.run.stalled {
            words.place = GIVEN_UP.into();
            words.is_given_up = true;
        }
        words.summary = summary(&words, &result.run);
        words
    }
}

impl StripWords {
    /// Ends that are not good ones, as far as there are any: the class of their style, their mark, how many, and a word.
    pub fn endings(&self) -> impl Iterator<Item = (&'static str, String)> {
        let endings = [
            ("tl-missed", "✕ ", self.missed, "missed"),
            ("tl-dropped", "", self.dropped, "declined"),
            ("tl-failed", "■ ", self.failed, "failed"),
            ("tl-dropped", "□ ", self.cancelled, "cancelled"),
        ];
        let some = endings.into_iter().filter(|(_, _, count, _)| *count > 0);
        some.map(|(class, mark, count, word)| (class, format!("{mark}{} {word}", format::count(count))))
    }

    /// "mean completion 42m"; empty while no job has completed.
    pub fn mean_completion(&self) -> String {
        if self.mean.is_empty() { String::new() } else { format!("mean completion {}", self.mean) }
    }
}

fn summary(words: &StripWords, run: &Run) -> String {
    let jobs = format::count(run.jobs.outcome.len() as u64);
    let peak = run.series.gpus_in_use.iter().max().copied().unwrap_or(0);
    let mut parts = vec![plural(&jobs, "job")];
    parts.push(if words.mean.is_empty() { "none completed".into() } else { words.mean_completion() });
    parts.push(plural(&format::count(words.missed), "missed deadline"));
    let others = [(words.dropped, "declined"), (words.failed, "failed"), (words.cancelled, "cancelled")];
    let others = others.into_iter().filter(|(count, _)| *count > 0);
    parts.extend(others.map(|(count, word)| format!("{} {word}", format::count(count))));
    let present = &run.series.gpus_present;
    let (least, most) = (present.iter().min().copied().unwrap_or(0), most_present(run));
    let count = |gpus: u32| format::count(u64::from(gpus));
    parts.push(match least == most || present.is_empty() {
        true => format!("at most {} of {} GPUs", count(peak), count(most)),
        false => format!("at most {} GPUs in use, {} to {} there", count(peak), count(least), count(most)),
    });
    if !words.place.is_empty() {
        parts.push(words.place.clone());
    }
    parts.join(", ")
}

fn plural(count: &str, noun: &str) -> String {
    let ending = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// Jobs whose deadlines have passed without their being done, each with its deadline. While a run is on its way the
/// others are still open.
pub fn missed_deadlines<'a>(run: &'a Run, workload: &'a Workload) -> impl Iterator<Item = (JobId, f64)> + use<'a> {
    let is_missed = move |&(job, deadline_s): &(JobId, f64)| {
        let end_s = run.jobs.end_s.get(job.index()).copied().flatten();
        match run.jobs.outcome.get(job.index()) {
            Some(Outcome::Completed) => end_s.is_none_or(|end_s| is_late(end_s, deadline_s)),
            Some(Outcome::Dropped | Outcome::Failed | Outcome::Cancelled) => true,
            Some(Outcome::Unfinished) => run.finished || is_late(run.end_s, deadline_s),
            None => false,
        }
    };
    let deadlines = workload.trace().iter().filter_map(|(id, job)| Some((id, job.deadline_s?)));
    deadlines.filter(is_missed)
}

/// The outcome of a job under each run: read out when it is selected.
pub fn job_words(job: JobId, Runs { entries, workload }: &Runs) -> String {
    let trace = workload.trace();
    let Some(known) = trace.jobs().get(job.index()) else { return String::new() };
    let mut parts = vec![format!(
        "{}, {}, asked for {}",
        known.name,
        trace.model_name(known.model),
        format::gpus(known.gpus_requested)
    )];
    for entry in entries {
        let Some(run) = entry.result.as_ref().map(|result| &result.run) else { continue };
        let end_s = run.jobs.end_s.get(job.index()).copied().flatten();
        let ended = match (run.jobs.outcome.get(job.index()), end_s) {
            (Some(Outcome::Completed), Some(end_s)) => {
                let late = known.deadline_s.is_some_and(|deadline_s| is_late(end_s, deadline_s));
                let late = if late { ", missed its deadline" } else { "" };
                format!("completed in {}{late}", format::duration(end_s - known.submit_s))
            }
            (Some(Outcome::Dropped), _) => "declined".into(),
            (Some(Outcome::Failed), _) => "failed".into(),
            (Some(Outcome::Cancelled), _) => "cancelled by its user".into(),
            _ => "not completed".into(),
        };
        parts.push(format!("{}: {ended}", entry.policy));
    }
    parts.join(". ")
}

/// What a policy decided: "starts 2 jobs, rescales 1 job".
pub fn decided(decided: &Decided) -> String {
    let parts = [
        ("starts", decided.started),
        ("rescales", decided.rescaled),
        ("preempts", decided.preempted),
        ("declines", decided.dropped),
    ];
    let parts = parts.into_iter().filter(|(_, jobs)| *jobs > 0);
    let parts: Vec<String> =
        parts.map(|(verb, jobs)| format!("{verb} {}", counted(jobs.into(), "job", "jobs"))).collect();
    if parts.is_empty() { "changes nothing".into() } else { parts.join(", ") }
}
