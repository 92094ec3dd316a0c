//! Everything that a query may say.

use super::ast::{Compare, NumberField, State, TextField};

/// The kind of text that follows a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `:` and a text, or `~` and a part of one.
    Text(TextField),
    /// A comparison with a number.
    Number(NumberField),
    /// Nothing, or `:` and a policy.
    State(State),
    /// `:` and the word of a state.
    StateWord,
}

/// A word that a query may begin a term with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermInfo {
    /// The word.
    pub word: &'static str,
    /// The kind of text that follows it.
    pub kind: Kind,
    /// Which jobs it finds.
    pub help: &'static str,
    /// A term with it.
    pub example: &'static str,
}

/// Every word, in the order in which they are offered.
pub const TERMS: &[TermInfo] = &[
    term("model", Kind::Text(TextField::Model), "jobs that train this model", "model:bert"),
    term("user", Kind::Text(TextField::User), "jobs that this user submitted", "user:ann"),
    term(
        "name",
        Kind::Text(TextField::Name),
        "the job with this name; with ~ those whose name contains it",
        "name~vision",
    ),
    term("gpus", Kind::Number(NumberField::Gpus), "by the GPUs asked for", "gpus>4"),
    term("submit", Kind::Number(NumberField::Submit), "by submission, since the first one", "submit<=2h"),
    term("jct", Kind::Number(NumberField::Jct), "by completion time", "jct>2h"),
    term("wait", Kind::Number(NumberField::Wait), "by the time without GPUs", "wait>=10m"),
    term("rescales", Kind::Number(NumberField::Resizes), "by changes of GPUs, resumptions included", "rescales:C>3"),
    term("preemptions", Kind::Number(NumberField::Preemptions), "by how often all GPUs were lost", "preemptions>0"),
    term("diff", Kind::Number(NumberField::Difference), "by completion minus that under the baseline", "diff:B>10m"),
    term("missed", Kind::State(State::Missed), "jobs with a deadline that did not complete by it", "missed:A"),
    term("met", Kind::State(State::Met), "jobs that completed by their deadline", "met:C"),
    term("completed", Kind::State(State::Completed), "jobs that did all their work", "completed"),
    term("dropped", Kind::State(State::Dropped), "jobs that the policy refused", "dropped:B"),
    term("failed", Kind::State(State::Failed), "jobs that died of a bug", "failed"),
    term("cancelled", Kind::State(State::Cancelled), "jobs that their users cancelled", "cancelled"),
    term("unfinished", Kind::State(State::Unfinished), "jobs that were there when the run ended", "unfinished"),
    term("sooner", Kind::State(State::Sooner), "jobs that end sooner than under the baseline", "sooner:B"),
    term("equal", Kind::State(State::Equal), "jobs that end when they do under the baseline", "equal:B"),
    term("later", Kind::State(State::Later), "jobs that end later than under the baseline", "later:C"),
    term("state", Kind::StateWord, "the same as the word after it", "state:dropped"),
];

/// Comparisons as they are written, longer ones first.
pub(super) const COMPARISONS: [(&str, Compare); 7] = [
    (">=", Compare::AtLeast),
    ("<=", Compare::AtMost),
    ("≥", Compare::AtLeast),
    ("≤", Compare::AtMost),
    (">", Compare::Above),
    ("<", Compare::Below),
    ("=", Compare::Equals),
];

/// Other words for the same.
const ALSO: [(&str, &str); 3] = [("difference", "diff"), ("resizes", "rescales"), ("submitted", "submit")];

const fn term(word: &'static str, kind: Kind, help: &'static str, example: &'static str) -> TermInfo {
    TermInfo { word, kind, help, example }
}

impl TermInfo {
    /// The term that begins with this word. Case does not matter.
    pub fn named(word: &str) -> Option<&'static Self> {
        let also = ALSO.iter().find(|(other, _)| other.eq_ignore_ascii_case(word)).map(|(_, word)| *word);
        let word = also.unwrap_or(word);
        TERMS.iter().find(|term| term.word.eq_ignore_ascii_case(word))
    }

    /// The word of what a term is about.
    pub(super) fn word_of(kind: Kind) -> &'static str {
        TERMS.iter().find(|term| term.kind == kind).map_or("", |term| term.word)
    }

    /// The words of states.
    pub(super) fn states() -> impl Iterator<Item = &'static Self> {
        TERMS.iter().filter(|term| matches!(term.kind, Kind::State(_)))
    }
}
