//! What one may ask of runs beyond their metrics: about one job, about some jobs, about what differs.

use clap::Args;
use elastiplan_compare::{
    Aspect, Badge, Candidate, Comparability, Divergence, GROUPED_WITHIN_S, Jobs, Obstacle, Query, RankedJob, RunEnd,
    Story, StorySummary, ranked, story,
};
use elastiplan_engine::{Outcome, Run};
use elastiplan_metrics::{ADDITIONAL_AFTER_JOBS, Comparison, Completions, EQUAL_WITHIN_S, JobDifference};
use elastiplan_model::{Job, JobId, Workload};
use elastiplan_planner::PolicyRun;
use elastiplan_text::format;

use crate::CommandError;
use crate::breakdown;
use crate::table::{aligned, headed, of_runs, terminal_width};

/// Jobs that are listed of those that differ most.
const MOST: usize = 5;

#[derive(Args)]
pub struct Questions {
    /// Tell what became of one job under each policy, instead of metrics.
    #[arg(long, value_name = "NAME", conflicts_with = "format")]
    job: Option<String>,
    /// List the jobs that a query finds, instead of metrics: `model:bert missed`, as docs/search.md has it.
    #[arg(long = "where", value_name = "QUERY", conflicts_with = "format")]
    query: Option<String>,
    /// Say from when on each policy differs from the first, and for which jobs most, instead of metrics.
    #[arg(long, conflicts_with = "format")]
    diff: bool,
    /// Say how long the jobs of each model run on average, from first start to completion, instead of metrics.
    #[arg(long, conflicts_with = "format")]
    by_model: bool,
    /// Say how many samples are done in each period of so many seconds, instead of metrics.
    #[arg(long, value_name = "SECONDS", conflicts_with = "format", value_parser = breakdown::period)]
    by_period_s: Option<f64>,
}

/// Runs of one workload, of which the first is the baseline.
struct Asked<'a> {
    runs: &'a [PolicyRun],
    workload: &'a Workload,
}

impl Questions {
    /// Whether anything is asked.
    pub fn is_any(&self) -> bool {
        let Self { job, query, diff, by_model, by_period_s } = self;
        job.is_some() || query.is_some() || *diff || *by_model || by_period_s.is_some()
    }

    /// The job that is asked about.
    pub fn job(&self, workload: &Workload) -> Result<Option<JobId>, CommandError> {
        self.job.as_deref().map(|name| Ok(job_named(name, workload)?.0)).transpose()
    }

    /// The answers; `None` if nothing was asked.
    pub fn answers(&self, runs: &[PolicyRun], workload: &Workload) -> Result<Option<String>, CommandError> {
        let asked = Asked { runs, workload };
        let named: Vec<(String, &Run)> = asked.named().map(|(name, run)| (name, &run.run)).collect();
        let answers = [
            self.job.as_deref().map(|name| asked.stories(name)).transpose()?,
            self.query.as_deref().map(|query| asked.found(query)).transpose()?,
            self.diff.then(|| asked.differences()),
            self.by_model.then(|| breakdown::by_model(&named, workload)),
            self.by_period_s.map(|period_s| breakdown::by_period(&named, period_s)),
        ];
        let answers: Vec<String> = answers.into_iter().flatten().collect();
        Ok((!answers.is_empty()).then(|| answers.join("\n")))
    }
}

fn job_named<'a>(name: &str, workload: &'a Workload) -> Result<(JobId, &'a Job), CommandError> {
    let unknown = || {
        let advice = format!("--where '{name}' finds jobs by a part of the name");
        CommandError::Usage(format!("No job is called {name}: {advice}"))
    };
    workload.trace().iter().find(|(_, job)| job.name == name).ok_or_else(unknown)
}

impl<'a> Asked<'a> {
    /// Every run as it is headed: `B elastic-dp`.
    fn named(&self) -> impl Iterator<Item = (String, &'a PolicyRun)> {
        let name = |(slot, run): (usize, &'a PolicyRun)| {
            let badge = Badge::of_slot(slot).map(|badge| format!("{badge} ")).unwrap_or_default();
            (format!("{badge}{}", run.policy), run)
        };
        self.runs.iter().enumerate().map(name)
    }

    fn since_first(&self, time_s: f64) -> String {
        format::duration(time_s - self.workload.trace().start_s())
    }

    fn stories(&self, name: &str) -> Result<String, CommandError> {
        let (id, job) = job_named(name, self.workload)?;
        let stories = self
            .named()
            .filter_map(|(name, run)| Some((name, Story::of(&run.run, self.workload, id, GROUPED_WITHIN_S)?)));
        let stories: Vec<(String, Story)> = stories.collect();
        let mut text = format!("{}\n{}\n\n", job.name, self.request(job));
        let heads = ["Policy", "Waited", "Rescales", "GPU time", "Completion", "Deadline"];
        text += &headed(&heads, [], stories.iter().map(|(name, story)| summary_row(name, &story.summary)), 1);
        for (name, story) in &stories {
            let times = story.times(self.workload.trace().start_s());
            let line =
                |(event, time): (&elastiplan_compare::StoryEvent, String)| vec![time, event.heading(), event.detail()];
            text += &format!("\n{name}\n{}", aligned(&story.events.iter().zip(times).map(line).collect::<Vec<_>>(), 3));
        }
        Ok(text)
    }

    fn request(&self, job: &Job) -> String {
        let deadline = job.deadline_s.map(|time_s| format!(", deadline {}", self.since_first(time_s)));
        let (gpus, submitted) = (format::gpus(job.gpus_requested), self.since_first(job.submit_s));
        format!("Asked for {gpus}, submitted {submitted}{}", deadline.unwrap_or_default())
    }

    fn found(&self, query: &str) -> Result<String, CommandError> {
        let unusable = |error: &dyn std::fmt::Display| CommandError::Usage(format!("{query}: {error}"));
        let query: Query = query.parse().map_err(|error| unusable(&error))?;
        if let Some(badge) = query.unknown_run(self.runs.len()) {
            return Err(unusable(&format!("there is no policy {badge}")));
        }
        let runs: Vec<Option<&Run>> = self.runs.iter().map(|run| Some(&run.run)).collect();
        let jobs = Jobs::new(self.workload, &runs, EQUAL_WITHIN_S);
        let found = query.find(&jobs);
        let rows = found.iter().filter_map(|id| Some((*id, jobs.job(*id)?))).map(|(id, job)| self.found_row(id, job));
        let runs: Vec<String> = self.named().map(|(name, _)| name).collect();
        let table = of_runs(&["Job", "Model", "Submitted", "GPUs"], &runs, rows, 2, terminal_width());
        let of = self.workload.trace().jobs().len() as u64;
        Ok(format!("{table}{} of {} jobs\n", format::count(found.len() as u64), format::count(of)))
    }

    fn found_row(&self, id: JobId, job: &Job) -> Vec<String> {
        let model = self.workload.trace().model_name(job.model).to_string();
        let own = [job.name.clone(), model, self.since_first(job.submit_s), job.gpus_requested.to_string()];
        let ends = self.runs.iter().map(|run| end_of(&run.run, self.workload, id));
        own.into_iter().chain(ends).collect()
    }

    fn differences(&self) -> String {
        let named: Vec<(String, &PolicyRun)> = self.named().collect();
        let Some(((baseline_name, baseline), others)) = named.split_first() else { return String::new() };
        if others.is_empty() {
            return format!("{}\n", Obstacle::OneRun.words());
        }
        let parts = others.iter().map(|(name, run)| {
            format!(
                "{name} beside {baseline_name}\n{}",
                self.difference(&baseline.run, &run.run, [baseline_name, name])
            )
        });
        parts.collect::<Vec<String>>().join("\n")
    }

    fn difference(&self, baseline: &Run, run: &Run, names: [&str; 2]) -> String {
        let [baseline_name, name] = names;
        let candidate = |name, run| {
            let trace = self.workload.trace();
            Candidate { name, trace, run: Some(run), end: RunEnd::Whole }
        };
        let comparability = Comparability::of(&[candidate(baseline_name, baseline), candidate(name, run)]);
        let mut text: String =
            comparability.obstacles.iter().map(|obstacle| format!("{}\n", obstacle.words())).collect();
        text += &match Divergence::of(run, baseline, self.workload) {
            Some(divergence) => self.divergence(&divergence, names),
            None => "They treat every job alike\n".to_string(),
        };
        if comparability.allows(Aspect::Jobs) {
            text += &counts(&Comparison::between(run, baseline, self.workload, EQUAL_WITHIN_S));
            text += &additional(run, baseline, baseline_name);
            let most: Vec<RankedJob> = ranked(run, baseline, self.workload).into_iter().take(MOST).collect();
            let row = |ranked: &RankedJob| {
                let end = |run| end_of(run, self.workload, ranked.job);
                vec![self.name_of(ranked.job), end(baseline), end(run), difference_words(ranked.difference)]
            };
            let heads = ["Differs most", baseline_name, name, "Difference"];
            text += &format!("\n{}", headed(&heads, [], most.iter().map(row), 1));
        }
        text
    }

    fn divergence(&self, divergence: &Divergence, [baseline_name, name]: [&str; 2]) -> String {
        let (shown, more) = divergence.jobs.split_at(divergence.jobs.len().min(MOST));
        let mut text = format!("First difference at {}\n", self.since_first(divergence.time_s));
        let rows = shown.iter().map(|job| vec![self.name_of(job.job), job.in_baseline.words(), job.here.words()]);
        text += &headed(&["", baseline_name, name], [], rows, 3);
        if !more.is_empty() {
            text += &format!("and {} more\n", format::count(more.len() as u64));
        }
        text + "\n"
    }

    fn name_of(&self, job: JobId) -> String {
        self.workload.trace().jobs().get(job.index()).map(|job| job.name.clone()).unwrap_or_default()
    }
}

fn summary_row(name: &str, summary: &StorySummary) -> Vec<String> {
    let completion = match (summary.jct_s, summary.outcome) {
        (Some(jct_s), _) => format::duration(jct_s),
        (None, outcome) => story::outcome_word(outcome).into(),
    };
    let deadline = match (summary.late_s, summary.meets_deadline) {
        (Some(late_s), _) => story::lateness(late_s),
        (None, Some(_)) => "missed".into(),
        (None, None) => format::DASH.into(),
    };
    vec![
        name.into(),
        format::duration(summary.waited_s),
        summary.resizes.to_string(),
        format::gpu_hours(summary.gpu_seconds),
        completion,
        deadline,
    ]
}

/// Completion time, marked where the deadline was missed; or what became of the job instead.
fn end_of(run: &Run, workload: &Workload, job: JobId) -> String {
    let Some(summary) = StorySummary::of(run, workload, job) else { return format::DASH.into() };
    let missed = if summary.meets_deadline == Some(false) { " missed" } else { "" };
    match summary.outcome {
        Outcome::Completed => format!("{}{missed}", format::or_dash(summary.jct_s, format::duration)),
        outcome => story::outcome_word(outcome).into(),
    }
}

fn counts(comparison: &Comparison) -> String {
    let Comparison { sooner, equal, later, deadlines_gained, deadlines_lost } = *comparison;
    let [sooner, equal, later] = [sooner, equal, later].map(format::count);
    let mut text = format!("{sooner} sooner, {equal} equal, {later} later");
    if deadlines_gained + deadlines_lost > 0 {
        let [met, missed] = [deadlines_gained, deadlines_lost].map(format::count);
        text += &format!("; deadlines: {met} now met, {missed} now missed");
    }
    text + "\n"
}

/// How many more jobs are completed when the baseline has completed 100, or all that it does.
fn additional(run: &Run, baseline: &Run, baseline_name: &str) -> String {
    let completions = Completions::of(baseline);
    let jobs = ADDITIONAL_AFTER_JOBS.min(completions.by(f64::INFINITY));
    let Some(additional) = Completions::of(run).additional_to(&completions, jobs) else { return String::new() };
    let (additional, jobs) = (format::signed_count(additional as i64), format::count(jobs as u64));
    format!("Additional jobs when {baseline_name} has completed {jobs}: {additional}\n")
}

fn difference_words(difference: JobDifference) -> String {
    match difference {
        JobDifference::Both { difference_s } => format::signed_duration(difference_s),
        JobDifference::OnlyHere => "completes only here".into(),
        JobDifference::OnlyInBaseline => "no longer completes".into(),
        JobDifference::Neither => format::DASH.into(),
    }
}
