//! From a query to the jobs it finds.

use elastiplan_engine::Outcome;
use elastiplan_metrics::Ending;
use elastiplan_model::JobId;

use super::ast::{Compare, Condition, NumberField, Query, State, Term, TextField};
use super::words::Needle;
use crate::badge::Badge;
use crate::jobs::Jobs;

/// Times at most this far apart are equal: the user writes whole seconds.
const SAME_S: f64 = 0.5;

impl Query {
    /// Whether it finds every job whatever the jobs.
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }

    /// The jobs for which every clause holds, in order of submission.
    pub fn find(&self, jobs: &Jobs<'_>) -> Vec<JobId> {
        let clauses: Vec<Vec<Ready<'_>>> =
            self.clauses.iter().map(|clause| clause.terms.iter().map(|term| Ready::of(term, jobs)).collect()).collect();
        let holds = |job: &JobId| clauses.iter().all(|terms| terms.iter().any(|term| term.holds(jobs, *job)));
        jobs.ids().filter(holds).collect()
    }

    /// The first policy that it names and that is not among so many.
    pub fn unknown_run(&self, runs: usize) -> Option<Badge> {
        let terms = self.clauses.iter().flat_map(|clause| &clause.terms);
        terms.filter_map(|term| term.condition.run()).find(|run| run.slot() >= runs)
    }
}

impl Condition {
    /// The run that it names.
    pub fn run(&self) -> Option<Badge> {
        match self {
            Self::Number { run, .. } | Self::Is { run, .. } => *run,
            Self::Text(_) | Self::Named { .. } => None,
        }
    }
}

/// A term with what need not be looked up for every job.
struct Ready<'a> {
    term: &'a Term,
    needle: Needle,
    /// Whether each model fits, for terms about models.
    models: Vec<bool>,
    /// Runs of which one is to fit.
    runs: Vec<Badge>,
}

impl<'a> Ready<'a> {
    fn of(term: &'a Term, jobs: &Jobs<'_>) -> Self {
        let needle = match &term.condition {
            Condition::Text(text) | Condition::Named { text, .. } => Needle::new(text),
            Condition::Number { .. } | Condition::Is { .. } => Needle::new(""),
        };
        let fits = |model: &String| match &term.condition {
            Condition::Named { field: TextField::Model, exactly: true, .. } => needle.is(model),
            Condition::Named { field: TextField::Model, .. } | Condition::Text(_) => needle.is_in(model),
            _ => false,
        };
        let models = jobs.trace().models().iter().map(fits).collect();
        let runs = match term.condition.run() {
            Some(run) => vec![run],
            // Compared with itself the baseline is always equal: that says nothing.
            None if term.condition.is_against_baseline() => {
                jobs.badges().filter(|badge| *badge != Badge::BASELINE).collect()
            }
            None => jobs.badges().collect(),
        };
        Self { term, needle, models, runs }
    }

    fn holds(&self, jobs: &Jobs<'_>, id: JobId) -> bool {
        let Some(job) = jobs.job(id) else { return false };
        let fits_model = || self.models.get(job.model.0 as usize) == Some(&true);
        let user = job.user.as_deref();
        let holds = match &self.term.condition {
            Condition::Text(_) => {
                fits_model() || self.needle.is_in(&job.name) || user.is_some_and(|user| self.needle.is_in(user))
            }
            Condition::Named { field: TextField::Model, .. } => fits_model(),
            Condition::Named { field: TextField::Name, exactly, .. } => self.fits(*exactly, &job.name),
            Condition::Named { field: TextField::User, exactly, .. } => {
                user.is_some_and(|user| self.fits(*exactly, user))
            }
            Condition::Number { field: NumberField::Gpus, compare, value, .. } => {
                compare.holds(f64::from(job.gpus_requested), *value, 0.0)
            }
            Condition::Number { field: NumberField::Submit, compare, value, .. } => {
                jobs.submit_s(id).is_some_and(|submit_s| compare.holds(submit_s, *value, SAME_S))
            }
            Condition::Number { field, compare, value, .. } => {
                let same = if field.is_time() { SAME_S } else { 0.0 };
                let number = |run: &Badge| number(jobs, *field, *run, id);
                self.runs.iter().filter_map(number).any(|number| compare.holds(number, *value, same))
            }
            Condition::Is { state, .. } => self.runs.iter().any(|run| is(jobs, *state, *run, id)),
        };
        holds != self.term.negated
    }

    fn fits(&self, exactly: bool, text: &str) -> bool {
        if exactly { self.needle.is(text) } else { self.needle.is_in(text) }
    }
}

impl Condition {
    fn is_against_baseline(&self) -> bool {
        match self {
            Self::Number { field, .. } => *field == NumberField::Difference,
            Self::Is { state, .. } => state.is_against_baseline(),
            Self::Text(_) | Self::Named { .. } => false,
        }
    }
}

impl Compare {
    /// Whether a number compares so with a value, where what is less than `same` apart is equal.
    fn holds(self, number: f64, value: f64, same: f64) -> bool {
        match self {
            Self::Above => number > value,
            Self::AtLeast => number >= value,
            Self::Below => number < value,
            Self::AtMost => number <= value,
            Self::Equals => number == value || (number - value).abs() < same,
        }
    }
}

fn number(jobs: &Jobs<'_>, field: NumberField, run: Badge, id: JobId) -> Option<f64> {
    match field {
        NumberField::Gpus => jobs.job(id).map(|job| f64::from(job.gpus_requested)),
        NumberField::Submit => jobs.submit_s(id),
        NumberField::Jct => jobs.jct_s(run, id),
        NumberField::Wait => jobs.wait_s(run, id),
        NumberField::Resizes => jobs.resizes(run, id).map(f64::from),
        NumberField::Preemptions => jobs.preemptions(run, id).map(f64::from),
        NumberField::Difference => jobs.difference(run, id)?.seconds(),
    }
}

fn is(jobs: &Jobs<'_>, state: State, run: Badge, id: JobId) -> bool {
    let ended = |outcome| jobs.outcome(run, id) == Some(outcome);
    let compared = |ending| jobs.ending(run, id) == Some(ending);
    match state {
        State::Completed => ended(Outcome::Completed),
        State::Dropped => ended(Outcome::Dropped),
        State::Failed => ended(Outcome::Failed),
        State::Cancelled => ended(Outcome::Cancelled),
        State::Unfinished => ended(Outcome::Unfinished),
        State::Met => jobs.meets_deadline(run, id) == Some(true),
        State::Missed => jobs.meets_deadline(run, id) == Some(false),
        State::Sooner => compared(Ending::Sooner),
        State::Equal => compared(Ending::Equal),
        State::Later => compared(Ending::Later),
    }
}
