//! Aspects on which runs can be compared, and obstacles to the rest.

use elastiplan_engine::{Outcome, Run};
use elastiplan_model::Trace;
use elastiplan_model::order::sort_by_key;
use elastiplan_text::format;

/// How far a run came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// To its own end, or to the time at which it was to stop.
    Whole,
    /// It is on its way.
    Running,
    /// The user stopped it.
    Stopped,
    /// Its policy failed.
    Failed,
}

/// A run that is to be compared.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// How the user calls it.
    pub name: &'a str,
    /// Its jobs.
    pub trace: &'a Trace,
    /// Its record; `None` if there is none yet.
    pub run: Option<&'a Run>,
    /// How far it came.
    pub end: RunEnd,
}

/// An aspect of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// Job by job: sooner, later, the deadlines of each.
    Jobs,
    /// How many jobs completed, met their deadline, were dropped.
    Counts,
    /// Means and percentiles of times over completed jobs.
    Times,
    /// Percentiles and distributions: they need more than one job.
    Spread,
    /// Quantities over time: GPUs in use, jobs waiting.
    OverTime,
}

/// Why runs cannot be compared on everything.
#[derive(Clone, Debug, PartialEq)]
pub enum Obstacle {
    /// There is only one run.
    OneRun,
    /// A run has nothing to compare yet.
    NoRecord {
        /// Which run.
        name: String,
    },
    /// A run did not come to its end.
    NotWhole {
        /// Which run.
        name: String,
        /// How far it came.
        end: RunEnd,
        /// How long it lasted.
        length_s: f64,
    },
    /// The runs are of other jobs than the baseline's.
    OtherJobs {
        /// Which run.
        name: String,
        /// Jobs of the baseline.
        in_baseline: usize,
        /// Jobs of the run.
        here: usize,
    },
    /// No job completed under a policy.
    NothingCompleted {
        /// Which run.
        name: String,
        /// Whether it is because the policy dropped them all.
        all_dropped: bool,
    },
    /// Other jobs completed under a policy than under the baseline.
    OtherCompleted {
        /// Which run.
        name: String,
        /// Jobs completed under the baseline.
        in_baseline: usize,
        /// Jobs completed under the run.
        here: usize,
    },
    /// The run was ended because no job made progress any more.
    GivenUp {
        /// Which run.
        name: String,
    },
    /// There is one job only.
    OneJob,
    /// There is no job.
    NoJobs,
}

/// The aspects on which some runs can be compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparability {
    /// The obstacles, most serious first.
    pub obstacles: Vec<Obstacle>,
}

impl<'a> Candidate<'a> {
    /// The record of a run that came to its end.
    fn whole(&self) -> Option<&'a Run> {
        self.run.filter(|_| self.end == RunEnd::Whole)
    }
}

impl Obstacle {
    /// What cannot be compared because of it.
    pub fn blocks(&self) -> &'static [Aspect] {
        use Aspect::{Counts, Jobs, OverTime, Spread, Times};
        match self {
            Self::OneRun | Self::NoRecord { .. } | Self::OtherJobs { .. } | Self::NoJobs => {
                &[Jobs, Counts, Times, Spread, OverTime]
            }
            // Until it ended, what happened over time is what happened.
            Self::NotWhole { .. } => &[Jobs, Counts, Times, Spread],
            Self::NothingCompleted { .. } => &[Times, Spread],
            Self::OtherCompleted { .. } | Self::GivenUp { .. } => &[Times],
            Self::OneJob => &[Spread],
        }
    }

    /// One line in the words of the page.
    pub fn words(&self) -> String {
        match self {
            Self::OneRun => "One run: add another to compare".into(),
            Self::NoJobs => "No jobs: nothing to compare".into(),
            Self::OneJob => "One job: percentiles and distributions say nothing more".into(),
            Self::NoRecord { name } => format!("{name} has no results yet"),
            Self::NotWhole { name, end, length_s } => {
                let at = format::duration(*length_s);
                match end {
                    RunEnd::Whole | RunEnd::Running => {
                        format!("{name} is at {at}: differences follow when it has finished")
                    }
                    RunEnd::Stopped => format!("{name} stopped at {at}: its differences are not shown"),
                    RunEnd::Failed => format!("{name} failed at {at}: its differences are not shown"),
                }
            }
            Self::OtherJobs { name, in_baseline, here } if in_baseline == here => {
                format!("{name} ran other jobs: differences are not shown")
            }
            Self::OtherJobs { name, in_baseline, here } => {
                let (here, there) = (format::count(*here as u64), format::count(*in_baseline as u64));
                format!("{name} ran {here} other jobs, the baseline {there}: differences are not shown")
            }
            Self::NothingCompleted { name, all_dropped: true } => format!("{name} declines every job: it has no times"),
            Self::NothingCompleted { name, .. } => format!("{name} completes no job: it has no times"),
            Self::OtherCompleted { name, in_baseline, here } if in_baseline == here => {
                format!("{name} completes other jobs than the baseline: times are over the jobs that each completes")
            }
            Self::OtherCompleted { name, in_baseline, here } => {
                let jobs = if *here == 1 { "job" } else { "jobs" };
                let counts = (format::count(*here as u64), format::count(*in_baseline as u64));
                format!(
                    "{name} completes {} {jobs}, the baseline {}: times are over the jobs that each completes",
                    counts.0, counts.1
                )
            }
            Self::GivenUp { name } => format!("{name} was ended: no job made progress any more"),
        }
    }
}

impl Comparability {
    /// Looks at runs of which the first is the baseline.
    pub fn of(candidates: &[Candidate<'_>]) -> Self {
        let mut obstacles = Vec::new();
        let Some((baseline, others)) = candidates.split_first() else { return Self::default() };
        obstacles.extend(others.is_empty().then_some(Obstacle::OneRun));
        obstacles.extend(match baseline.trace.jobs().len() {
            0 => Some(Obstacle::NoJobs),
            1 => Some(Obstacle::OneJob),
            _ => None,
        });
        obstacles.extend(others.iter().filter_map(|other| other_jobs(other, baseline)));
        obstacles.extend(candidates.iter().filter_map(not_whole));
        for candidate in candidates {
            obstacles.extend(candidate.whole().into_iter().flat_map(|run| of_run(candidate, run)));
        }
        if let Some(baseline_run) = baseline.whole() {
            for other in others.iter().filter(|other| other_jobs(other, baseline).is_none()) {
                obstacles.extend(other.whole().into_iter().filter_map(|run| other_completed(other, run, baseline_run)));
            }
        }
        sort_by_key(&mut obstacles, |obstacle| std::cmp::Reverse(obstacle.blocks().len()));
        Self { obstacles }
    }

    /// Whether the runs can be compared on something.
    pub fn allows(&self, aspect: Aspect) -> bool {
        !self.obstacles.iter().any(|obstacle| obstacle.blocks().contains(&aspect))
    }
}

/// Whether two traces are of the same jobs, by their names. They may arrive at other times, or have more to do.
pub fn same_jobs(one: &Trace, other: &Trace) -> bool {
    let (one, other) = (one.jobs(), other.jobs());
    let same_names = || one.iter().zip(other).all(|(one, other)| one.name == other.name);
    std::ptr::eq(one, other) || (one.len() == other.len() && same_names())
}

fn other_jobs(other: &Candidate<'_>, baseline: &Candidate<'_>) -> Option<Obstacle> {
    let (here, in_baseline) = (other.trace, baseline.trace);
    (!same_jobs(here, in_baseline)).then(|| Obstacle::OtherJobs {
        name: other.name.into(),
        in_baseline: in_baseline.jobs().len(),
        here: here.jobs().len(),
    })
}

fn not_whole(candidate: &Candidate<'_>) -> Option<Obstacle> {
    let name = candidate.name.to_string();
    let Some(run) = candidate.run else { return Some(Obstacle::NoRecord { name }) };
    let length_s = run.end_s - run.start_s;
    (candidate.end != RunEnd::Whole).then_some(Obstacle::NotWhole { name, end: candidate.end, length_s })
}

fn of_run(candidate: &Candidate<'_>, run: &Run) -> Vec<Obstacle> {
    let name = || candidate.name.to_string();
    let outcomes = &run.jobs.outcome;
    let all_dropped = outcomes.iter().all(|outcome| *outcome == Outcome::Dropped);
    let nothing = completed(run) == 0 && !outcomes.is_empty();
    let nothing = nothing.then(|| Obstacle::NothingCompleted { name: name(), all_dropped });
    nothing.into_iter().chain(run.stalled.then(|| Obstacle::GivenUp { name: name() })).collect()
}

fn other_completed(other: &Candidate<'_>, run: &Run, baseline: &Run) -> Option<Obstacle> {
    let (here, in_baseline) = (completed(run), completed(baseline));
    let is_completed = |outcome: &Outcome| *outcome == Outcome::Completed;
    let ours = run.jobs.outcome.iter().map(is_completed);
    let differ = !ours.eq(baseline.jobs.outcome.iter().map(is_completed));
    // Where nothing completed, the run is named for that.
    let is_told = here == 0 || in_baseline == 0;
    (differ && !is_told).then(|| Obstacle::OtherCompleted { name: other.name.into(), in_baseline, here })
}

fn completed(run: &Run) -> usize {
    run.jobs.outcome.iter().filter(|outcome| **outcome == Outcome::Completed).count()
}
