//! Queries: clauses of terms.

use crate::badge::Badge;

/// A query: every clause holds. An empty query finds every job.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The clauses.
    pub clauses: Vec<Clause>,
}

/// Terms of which at least one holds; they stand with `or` between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// The terms; never none.
    pub terms: Vec<Term>,
}

/// One condition, or its opposite.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Whether it is to fail.
    pub negated: bool,
    /// The condition.
    pub condition: Condition,
}

/// A condition on a job. Where a run may be named and none is, it holds if it does under any of the runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Its name, its model or its user contains this.
    Text(String),
    /// One of them is or contains this. Case does not matter.
    Named {
        /// Which one.
        field: TextField,
        /// Whether it is to be equal.
        exactly: bool,
        /// The text.
        text: String,
    },
    /// A number lies in a range. A number that is missing lies in none.
    Number {
        /// Which number.
        field: NumberField,
        /// Under which run.
        run: Option<Badge>,
        /// How to compare it.
        compare: Compare,
        /// With what: a count, or seconds.
        value: f64,
    },
    /// How it ended.
    Is {
        /// The state.
        state: State,
        /// Under which run.
        run: Option<Badge>,
    },
}

/// A text that a job has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextField {
    /// Its name.
    Name,
    /// Its model.
    Model,
    /// Its user.
    User,
}

/// A number that a job has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberField {
    /// GPUs that it asked for.
    Gpus,
    /// When it was submitted, since the first submission of all.
    Submit,
    /// Completion minus submission.
    Jct,
    /// Time without GPUs between submission and end.
    Wait,
    /// Changes of its GPUs, and resumptions.
    Resizes,
    /// How often it lost all its GPUs.
    Preemptions,
    /// Completion minus completion under the baseline.
    Difference,
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// All its work is done.
    Completed,
    /// The policy refused it.
    Dropped,
    /// It died of a bug.
    Failed,
    /// Its user cancelled it.
    Cancelled,
    /// The run ended before it did.
    Unfinished,
    /// It has a deadline and completed by it.
    Met,
    /// It has a deadline and did not.
    Missed,
    /// It ends sooner than under the baseline.
    Sooner,
    /// It ends when it does under the baseline.
    Equal,
    /// It ends later than under the baseline.
    Later,
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// `>`
    Above,
    /// `>=`
    AtLeast,
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `=`: for times, to the second.
    Equals,
}

impl NumberField {
    /// Whether it is a time, written with a unit, rather than a count.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Submit | Self::Jct | Self::Wait | Self::Difference)
    }

    /// Whether it differs from run to run.
    pub fn is_of_a_run(self) -> bool {
        !matches!(self, Self::Gpus | Self::Submit)
    }
}

impl State {
    /// Whether it tells of a difference from the baseline.
    pub fn is_against_baseline(self) -> bool {
        matches!(self, Self::Sooner | Self::Equal | Self::Later)
    }
}
