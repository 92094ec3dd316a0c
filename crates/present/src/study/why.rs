//! Why a point is worse than its neighbour: from when on two runs differ, which job loses most, and what it was given.

use elastiplan_compare::story::{lateness, outcome_word};
use elastiplan_compare::{Divergence, Doing, same_jobs};
use elastiplan_engine::{Outcome, Run};
use elastiplan_metrics::{Comparison, EQUAL_WITHIN_S, completion_s, first_difference_of_job_s, meets_deadline};
use elastiplan_model::{JobId, Workload};
use elastiplan_text::{format, words};

/// One of two runs of the same policy, seed and jobs.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// What it differs in: `7 nodes`.
    pub name: &'a str,
    /// Its jobs.
    pub workload: &'a Workload,
    /// Its record.
    pub run: &'a Run,
}

/// What two runs say about why one is worse.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Why {
    /// When they part, in seconds on the clock of the trace; `None` if they do not.
    pub parts_s: Option<f64>,
    /// The job that loses most.
    pub job: Option<JobId>,
    /// When it is first treated differently, in seconds on the clock of the trace.
    pub job_parts_s: Option<f64>,
    /// All of it in sentences.
    pub sentences: Vec<String>,
}

/// Compares a run with that of its neighbour, `there`, job by job.
pub fn why(here: Side<'_>, there: Side<'_>) -> Why {
    if !same_jobs(here.workload.trace(), there.workload.trace()) {
        return Why {
            sentences: vec!["The two have other jobs: nothing can be said job by job.".into()],
            ..Why::default()
        };
    }
    let pair = Pair { here, there };
    let Some(divergence) = Divergence::of(here.run, there.run, here.workload) else {
        return Why { sentences: vec!["The two runs are the same.".into()], ..Why::default() };
    };
    let job = pair.loses_most();
    let job_parts_s = job.and_then(|job| first_difference_of_job_s(here.run, there.run, job));
    let sentences = [
        pair.parting(&divergence),
        Some(pair.counts()),
        job.map(|job| pair.loss(job)),
        job.zip(job_parts_s).map(|(job, time_s)| pair.treatment(job, time_s)),
    ];
    Why { parts_s: Some(divergence.time_s), job, job_parts_s, sentences: sentences.into_iter().flatten().collect() }
}

#[derive(Clone, Copy)]
struct Pair<'a> {
    here: Side<'a>,
    there: Side<'a>,
}

impl Pair<'_> {
    /// `The runs part at 2h 05m, BERT 8: 8 GPUs; with 6 nodes 4 GPUs.`
    fn parting(&self, divergence: &Divergence) -> Option<String> {
        let first = divergence.jobs.first()?;
        let at = self.since_start(divergence.time_s);
        let job = self.job(first.job);
        let [here, there] = [first.here, first.in_baseline].map(|doing| doing.words());
        Some(format!("The runs part at {at}, {job}: {here}; with {} {there}.", self.there.name))
    }

    /// `3 deadlines are missed that are met with 6 nodes, 1 the other way round. 40 jobs complete later, 22 sooner.`
    fn counts(&self) -> String {
        let Self { here, there } = self;
        let Comparison { sooner, later, deadlines_gained, deadlines_lost, .. } =
            Comparison::between(here.run, there.run, here.workload, EQUAL_WITHIN_S);
        let jobs = format!(
            "{} later, {} sooner",
            words::counted(later, "job completes", "jobs complete"),
            format::count(sooner)
        );
        if deadlines_lost + deadlines_gained == 0 {
            return format!("{jobs}.");
        }
        let lost = words::counted(deadlines_lost, "deadline is missed that is", "deadlines are missed that are");
        let gained = format::count(deadlines_gained);
        format!("{lost} met with {}, {gained} the other way round; {jobs}.", there.name)
    }

    /// `BERT 77 loses most: completed 4h 10m late; with 6 nodes completed 20m early.`
    fn loss(&self, job: JobId) -> String {
        let [here, there] = [self.here, self.there].map(|side| end(side, job));
        format!("{} loses most: {here}; with {} {there}.", self.job(job), self.there.name)
    }

    /// `At 1d 07h it is first treated differently: waiting; with 6 nodes 8 GPUs. VGG16 212 holds 64 GPUs then, with 6 nodes
    /// 16.`
    fn treatment(&self, job: JobId, time_s: f64) -> String {
        let at = self.since_start(time_s);
        let [here, there] = [self.here, self.there].map(|side| Doing::at(side.run, job, time_s).words());
        let text = format!("At {at} it is first treated differently: {here}; with {} {there}", self.there.name);
        match self.holds_more(time_s, job) {
            None => format!("{text}."),
            Some((other, gpus, before)) => {
                let other = self.job(other);
                format!("{text}. {other} holds {} then, with {} {before}.", format::gpus(gpus), self.there.name)
            }
        }
    }

    /// The job that loses most: a deadline before anything else, then completion, then time.
    fn loses_most(&self) -> Option<JobId> {
        let ids = self.here.workload.trace().iter().map(|(job, _)| job);
        let losses = ids.map(|job| (job, self.lost(job))).filter(|&(_, (kind, lost_s))| kind > 0 || lost_s > 0.0);
        let worst = losses.max_by(|(_, a), (_, b)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))?;
        Some(worst.0)
    }

    /// What a job loses: 2 for a deadline, 1 for its completion, 0 for time alone; and how many seconds.
    fn lost(&self, job: JobId) -> (u8, f64) {
        let meets = |side: Side<'_>| meets_deadline(side.run, side.workload, job);
        let loses_deadline = meets(self.here) == Some(false) && meets(self.there) == Some(true);
        let [here, there] = [self.here, self.there].map(|side| completion_s(side.run, job));
        let lost_s = match (here, there) {
            (Some(here), Some(there)) => here - there,
            (None, Some(_)) => f64::MAX,
            _ => 0.0,
        };
        let kind = if loses_deadline { 2 } else { u8::from(lost_s == f64::MAX) };
        (kind, lost_s)
    }

    /// The other job that holds most GPUs more than with the neighbour at a time: which, how many, and how many there.
    fn holds_more(&self, time_s: f64, job: JobId) -> Option<(JobId, u32, u32)> {
        let held = |side: Side<'_>, job: JobId| match Doing::at(side.run, job, time_s) {
            Doing::Holding { gpus, .. } => gpus,
            _ => 0,
        };
        let ids = self.here.workload.trace().iter().map(|(job, _)| job).filter(|&other| other != job);
        let holdings = ids.map(|job| (job, held(self.here, job), held(self.there, job)));
        // The first of those that hold as many more.
        let more = holdings.filter(|(_, here, there)| here > there);
        more.reduce(|best, other| if other.1 - other.2 > best.1 - best.2 { other } else { best })
    }

    /// `BERT 8`: the model and the name of a job; the name alone where it tells the model.
    fn job(&self, job: JobId) -> String {
        let trace = self.here.workload.trace();
        let of = trace.jobs().get(job.index());
        of.map_or_else(String::new, |job| match trace.model_name(job.model) {
            model if job.name.contains(model) => job.name.clone(),
            model => format!("{model} {}", job.name),
        })
    }

    fn since_start(&self, time_s: f64) -> String {
        format::duration(time_s - self.here.workload.trace().start_s())
    }
}

/// How a job ends: `completed 9m late`, `declined`.
fn end(side: Side<'_>, job: JobId) -> String {
    let deadline_s = side.workload.trace().jobs().get(job.index()).and_then(|job| job.deadline_s);
    let submit_s = side.workload.trace().jobs().get(job.index()).map_or(0.0, |job| job.submit_s);
    match (completion_s(side.run, job), deadline_s) {
        (Some(end_s), Some(deadline_s)) => format!("completed {}", lateness(end_s - deadline_s)),
        (Some(end_s), None) => format!("completed after {}", format::duration(end_s - submit_s)),
        (None, _) => {
            let outcome = side.run.jobs.outcome.get(job.index()).copied().unwrap_or(Outcome::Unfinished);
            outcome_word(outcome).into()
        }
    }
}
