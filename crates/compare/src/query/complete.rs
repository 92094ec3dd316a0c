//! Completions of a query.

use std::ops::Range;

use elastiplan_model::Trace;
use elastiplan_model::order::sort_by;

use super::ast::{NumberField, TextField};
use super::parse::{is_comparison, is_special};
use super::terms::{Kind, TERMS, TermInfo};
use super::words::Needle;
use super::write::value_written;
use crate::badge::Badge;

/// The names that completions offer. Made once for a trace: finding the users takes milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    models: Vec<String>,
    users: Vec<String>,
    policies: Vec<String>,
}

/// Something to write next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The replacement.
    pub text: String,
    /// Its meaning, in a few words.
    pub help: String,
    /// Whether it may be followed by a space: it is a whole term.
    pub is_whole: bool,
}

/// Everything that may come next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// Which bytes of the text are replaced: what there is of the term so far.
    pub replaces: Range<usize>,
    /// The replacements, likeliest first.
    pub items: Vec<Completion>,
}

impl Vocabulary {
    /// The names of a trace, and the policies in the order of their badges.
    pub fn of(trace: &Trace, policies: Vec<String>) -> Self {
        let mut users: Vec<&str> = trace.jobs().iter().filter_map(|job| job.user.as_deref()).collect();
        sort_by(&mut users, |a, b| a.cmp(b));
        users.dedup();
        Self { models: trace.models().to_vec(), users: users.into_iter().map(String::from).collect(), policies }
    }

    fn badges(&self) -> impl Iterator<Item = (Badge, &String)> {
        self.policies.iter().enumerate().filter_map(|(slot, name)| Some((Badge::of_slot(slot)?, name)))
    }

    fn has_users(&self) -> bool {
        !self.users.is_empty()
    }
}

/// At most `most` completions at the cursor. A cursor beyond the end, or within a character, offers
/// nothing.
pub fn complete(text: &str, cursor: usize, vocabulary: &Vocabulary, most: usize) -> Completions {
    let Some(before) = text.get(..cursor) else { return Completions::default() };
    let start = start_of_term(before);
    let typed = before.get(start..).unwrap_or_default();
    let minus = if typed.starts_with('-') { 1 } else { 0 };
    let typed = typed.get(minus..).unwrap_or_default();
    let word_length = typed.find(is_comparison).unwrap_or(typed.len());
    let (word, value) = typed.split_at(word_length);
    let mut items = match value {
        "" => words(word, vocabulary),
        value => TermInfo::named(word).map(|term| values(term, value, vocabulary)).unwrap_or_default(),
    };
    items.truncate(most);
    Completions { replaces: start + minus..cursor, items }
}

/// Where the term begins that the text ends with; a space within quotes does not end a term.
fn start_of_term(before: &str) -> usize {
    let (mut start, mut is_quoted, mut is_escaped) = (0, false, false);
    for (at, letter) in before.char_indices() {
        match letter {
            '"' if !is_escaped => is_quoted = !is_quoted,
            letter if letter.is_whitespace() && !is_quoted => start = at + letter.len_utf8(),
            _ => {}
        }
        is_escaped = is_quoted && letter == '\\' && !is_escaped;
    }
    start
}

/// Terms that begin with what is typed, then names that do.
fn words(typed: &str, vocabulary: &Vocabulary) -> Vec<Completion> {
    let applies = |term: &&TermInfo| match term.kind {
        Kind::Text(TextField::User) => vocabulary.has_users(),
        Kind::Number(NumberField::Difference) => vocabulary.policies.len() > 1,
        Kind::State(state) => !state.is_against_baseline() || vocabulary.policies.len() > 1,
        _ => true,
    };
    let needle = Needle::new(typed);
    let terms = TERMS.iter().filter(applies).filter(|term| needle.begins(term.word)).map(of_term);
    let word = Needle::new(typed);
    let models = vocabulary.models.iter().filter(|model| !typed.is_empty() && word.is_in(model));
    terms.chain(models.map(|model| named("model", model, "a model"))).collect()
}

fn of_term(term: &TermInfo) -> Completion {
    let (after, is_whole) = match term.kind {
        Kind::Text(_) | Kind::StateWord => (":", false),
        Kind::Number(_) => (">", false),
        Kind::State(_) => ("", true),
    };
    Completion { text: format!("{}{after}", term.word), help: term.help.into(), is_whole }
}

fn named(word: &str, name: &str, help: &str) -> Completion {
    Completion { text: format!("{word}:{}", value_written(name)), help: help.into(), is_whole: true }
}

/// The values that may follow the comparison.
fn values(term: &TermInfo, value: &str, vocabulary: &Vocabulary) -> Vec<Completion> {
    match term.kind {
        Kind::Text(TextField::Model) => names("model", value, &vocabulary.models, "a model"),
        Kind::Text(TextField::User) => names("user", value, &vocabulary.users, "a user"),
        Kind::Text(TextField::Name) => Vec::new(),
        Kind::State(_) => policies(term, value, vocabulary, ""),
        Kind::StateWord => states(value),
        Kind::Number(field) => numbers(term, field, value, vocabulary),
    }
}

/// Names that begin with what is typed, then names that contain it.
fn names(word: &str, value: &str, names: &[String], help: &str) -> Vec<Completion> {
    let typed = value.trim_start_matches(is_comparison).trim_matches('"');
    let needle = Needle::new(typed);
    let begins = names.iter().filter(|name| needle.begins(name));
    let contains = names.iter().filter(|name| !needle.begins(name) && needle.is_in(name));
    begins.chain(contains).map(|name| named(word, name, help)).collect()
}

fn states(value: &str) -> Vec<Completion> {
    let needle = Needle::new(value.trim_start_matches(is_comparison));
    let states = TermInfo::states().filter(|state| needle.begins(state.word));
    let item = |state: &TermInfo| Completion {
        text: format!("state:{}", state.word),
        help: state.help.into(),
        is_whole: true,
    };
    states.map(item).collect()
}

/// The letters of policies, with what follows them.
fn policies(term: &TermInfo, value: &str, vocabulary: &Vocabulary, after: &str) -> Vec<Completion> {
    let is_against_baseline = match term.kind {
        Kind::State(state) => state.is_against_baseline(),
        kind => kind == Kind::Number(NumberField::Difference),
    };
    let needle = Needle::new(value.trim_start_matches(':'));
    let badges = vocabulary.badges().filter(|(badge, _)| !(is_against_baseline && *badge == Badge::BASELINE));
    let badges = badges.filter(|(badge, _)| needle.begins(&badge.to_string()));
    let item = |(badge, policy): (Badge, &String)| Completion {
        text: format!("{}:{badge}{after}", term.word),
        help: format!("under {policy}"),
        is_whole: after.is_empty(),
    };
    badges.map(item).collect()
}

fn numbers(term: &TermInfo, field: NumberField, value: &str, vocabulary: &Vocabulary) -> Vec<Completion> {
    let is_named = value.starts_with(':') && !value.chars().skip(1).any(is_special);
    if is_named {
        return if field.is_of_a_run() { policies(term, value, vocabulary, ">") } else { Vec::new() };
    }
    let is_bare = value.ends_with(|letter: char| letter.is_ascii_digit());
    if !is_bare || !field.is_time() {
        return Vec::new();
    }
    let units = [("s", "seconds"), ("m", "minutes"), ("h", "hours"), ("d", "days")];
    let item = |(unit, help): (&str, &str)| Completion {
        text: format!("{}{value}{unit}", term.word),
        help: help.into(),
        is_whole: true,
    };
    units.into_iter().map(item).collect()
}
