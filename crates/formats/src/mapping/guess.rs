//! A mapping for a table of which only the header and the first rows are known, with a reason for each field.

mod duration;
mod gpus;
mod values;

use serde::{Deserialize, Serialize};

use elastiplan_model::order::sort_by_key;

use super::content::{Kind, Sample};
use super::expression::{Expression, Filter, Test, Unit};
use super::names::{Named, key, meanings};
use super::synonyms::{ARRIVES_AT_START, DONE, EXIT_CODES, Meaning, START, STATES};
use super::{Assignment, FIELDS, Mapping, NEEDED, TEXT_FIELDS, WORK};
use crate::text::header::{Column, Header};

/// How surely a field is guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sureness {
    /// Name and content leave no doubt.
    Sure,
    /// Probable, to be looked at.
    Guessed,
}

/// A field as it is guessed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuessedField {
    /// One of [`super::FIELDS`].
    pub field: String,
    /// Its value, as an expression of the mapping.
    pub value: String,
    /// How surely.
    pub sureness: Sureness,
    /// Why, and what else it could be.
    pub reason: String,
    /// Other values that it could have, as expressions.
    pub others: Vec<String>,
}

/// A mapping as it is guessed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guess {
    /// The mapping; fields for which there is no column are missing.
    pub mapping: Mapping,
    /// The reasons, field by field.
    pub fields: Vec<GuessedField>,
}

impl Guess {
    /// The mapping without the fields that are in doubt.
    pub fn certain(&self) -> Mapping {
        let is_sure =
            |field: &str| self.fields.iter().any(|guess| guess.field == field && guess.sureness == Sureness::Sure);
        let kept = self.mapping.assignments().iter().filter(|assignment| is_sure(assignment.field));
        Mapping::new(kept.cloned().collect(), Vec::new())
    }

    /// Whether everything that a job needs is guessed, without a doubt.
    pub fn is_sure(&self) -> bool {
        let is_needed = |field: &GuessedField| {
            let name = field.field.as_str();
            NEEDED.contains(&name) || WORK.contains(&name)
        };
        let doubt = self.fields.iter().any(|field| is_needed(field) && field.sureness != Sureness::Sure);
        self.mapping.missing().is_empty() && !doubt
    }
}

/// A value that a field could have.
struct Candidate {
    value: Expression,
    sureness: Sureness,
    reason: String,
}

impl Candidate {
    fn sure(value: Expression, reason: impl Into<String>) -> Self {
        Self { value, sureness: Sureness::Sure, reason: reason.into() }
    }

    fn guessed(value: Expression, reason: impl Into<String>) -> Self {
        Self { value, sureness: Sureness::Guessed, reason: reason.into() }
    }

    /// The candidate, with what is to be said of how its cells are written; a doubt about it is one about the candidate.
    fn written(self, written: Result<String, String>) -> Self {
        match written {
            Ok(how) => Self { reason: self.reason + &how, ..self },
            Err(doubt) => Self::guessed(self.value, format!("{}, but {doubt}", self.reason)),
        }
    }
}

/// Guesses the mapping of a table.
pub(crate) fn guess(header: &Header, sample: &Sample) -> Guess {
    let table = Guesser::new(header, sample);
    let (submission, duration) = (table.submission(), table.duration());
    let is_of_jobs = !submission.is_empty() && !duration.is_empty();
    let mut fields = vec![
        ("job_id", table.named("job_id")),
        ("submit_s", submission),
        ("gpus", table.gpus(is_of_jobs)),
        ("duration_s", duration),
        ("model", table.named("model")),
        ("user", table.named("user")),
        ("deadline_s", table.times("deadline_s", |_| true)),
        ("batch_global", table.named("batch_global")),
        ("gpus_min", table.named("gpus_min")),
        ("gpus_max", table.named("gpus_max")),
    ];
    if table.is_nearly_plain() {
        let known: Vec<&str> = fields.iter().map(|(field, _)| *field).collect();
        let others = FIELDS.into_iter().filter(|field| !known.contains(field));
        fields.extend(others.map(|field| (field, table.own_field(field))));
    }
    let mut guess = Guess::default();
    let mut assignments: Vec<Assignment> = Vec::new();
    for (field, candidates) in fields {
        let mut candidates = candidates.into_iter();
        let Some(first) = candidates.next() else { continue };
        // The time of the start is not also a user, and a class of jobs not also a model.
        if assignments.iter().any(|assignment| assignment.value == first.value) {
            continue;
        }
        let others: Vec<Candidate> = candidates.collect();
        let rival = others.iter().find(|other| other.sureness == Sureness::Sure);
        let (sureness, reason) = match rival.filter(|_| first.sureness == Sureness::Sure && field != "job_id") {
            Some(rival) => (Sureness::Guessed, format!("{}; {} could be meant as well", first.reason, rival.value)),
            None => (first.sureness, first.reason),
        };
        let others = others.iter().map(|other| other.value.to_string()).collect();
        let value = first.value.to_string();
        guess.fields.push(GuessedField { field: field.into(), value, sureness, reason, others });
        assignments.push(Assignment { field, value: first.value });
    }
    guess.mapping = Mapping::new(assignments, Vec::new());
    guess
}

/// The condition that a table suggests: a column of states with several values, or of exit codes.
pub(crate) fn suggested_filter(header: &Header, sample: &Sample) -> Option<Filter> {
    let keys: Vec<String> = header.names.iter().map(|name| key(name)).collect();
    let condition = |names: &[&str], is_done: &dyn Fn(&str) -> bool| {
        let index = names.iter().find_map(|name| keys.iter().position(|key| *key == name.replace('_', "")))?;
        let values = sample.values(index, 8);
        let kept: Vec<String> = values.iter().filter(|value| is_done(value)).cloned().collect();
        let is_telling = !kept.is_empty() && kept.len() < values.len();
        let column = header.column(index)?;
        is_telling.then(|| Filter { value: Expression::column(&column.name), test: Test::OneOf(kept) })
    };
    let is_done = |value: &str| DONE.iter().any(|done| value.eq_ignore_ascii_case(done));
    condition(STATES, &is_done).or_else(|| condition(EXIT_CODES, &|value| value == "0"))
}

pub(super) struct Guesser<'t> {
    pub header: &'t Header,
    pub sample: &'t Sample,
    /// For each column what its name may stand for.
    pub names: Vec<Vec<Named>>,
}

/// A column whose name stands for a field.
pub(super) struct NamedColumn {
    pub column: Column,
    pub unit: Option<Unit>,
    pub meaning: Meaning,
    /// What of its name is not about the field.
    pub style: String,
}

impl<'t> Guesser<'t> {
    fn new(header: &'t Header, sample: &'t Sample) -> Self {
        Self { header, sample, names: header.names.iter().map(|name| meanings(name)).collect() }
    }

    /// The columns whose name stands for a field, with the unit in the name, in the order of the synonyms.
    pub fn columns(&self, field: &str) -> Vec<NamedColumn> {
        let mut found: Vec<(usize, NamedColumn)> = Vec::new();
        for (index, names) in self.names.iter().enumerate() {
            let Some(column) = self.header.column(index) else { continue };
            if self.header.plain_name(index) == Some(field) {
                // A field of the plain trace has the unit of the plain trace.
                let unit = field.ends_with("_s").then_some(Unit::Seconds);
                found.push((0, NamedColumn { column, unit, meaning: Meaning::Clear, style: String::new() }));
            } else if let Some(Named { meaning, unit, rank, style, .. }) = names.iter().find(|own| own.field == field) {
                let named = NamedColumn { column, unit: *unit, meaning: *meaning, style: style.clone() };
                found.push((rank.saturating_add(1), named));
            }
        }
        sort_by_key(&mut found, |(rank, _)| *rank);
        found.into_iter().map(|(_, named)| named).collect()
    }

    /// Columns by their name alone.
    fn named(&self, field: &str) -> Vec<Candidate> {
        let candidate = |NamedColumn { column, meaning, .. }: NamedColumn| {
            let value = Expression::column(&column.name);
            match meaning {
                Meaning::Clear => Candidate::sure(value, "By its name"),
                Meaning::Doubtful(reason) => Candidate::guessed(value, format!("By its name, but {reason}")),
            }
        };
        self.columns(field).into_iter().map(candidate).collect()
    }

    /// Whether at least three columns are called as those of the plain trace are.
    fn is_nearly_plain(&self) -> bool {
        FIELDS.iter().filter(|field| self.header.find(field).is_some()).count() >= 3
    }

    /// A column that is called as the field of the plain trace is.
    fn own_field(&self, field: &str) -> Vec<Candidate> {
        let column = self.header.find(field).filter(|_| !TEXT_FIELDS.contains(&field));
        column.map(|column| Candidate::sure(Expression::column(&column.name), "By its name")).into_iter().collect()
    }

    /// A column as its cells are written, with what they are, and what is to be said of how they are written: the cell
    /// that decides it, or, as a doubt, one that can be read in two ways.
    pub fn written(&self, column: &Column) -> (Expression, Kind, Result<String, String>) {
        let styles = self.sample.styles(column.index);
        let value = Expression::column(&column.name);
        match styles.readings().as_slice() {
            [] => (value, self.sample.kind(column.index, None), Ok(String::new())),
            [reading] => {
                let kind = self.sample.kind(column.index, Some(*reading));
                let reason = format!(", {} as in {}", reading.label(), styles.example());
                (Expression::Read(column.name.clone(), *reading), kind, Ok(reason))
            }
            several => {
                let ways: Vec<&str> = several.iter().map(|reading| reading.label()).collect();
                let words: Vec<&str> = several.iter().map(|reading| reading.word()).collect();
                let example = styles.example();
                let doubt = format!(
                    "{example} can be read {}: write {} behind the column",
                    ways.join(" or "),
                    words.join(" or ")
                );
                (value, self.sample.kind(column.index, several.first().copied()), Err(doubt))
            }
        }
    }

    /// Columns with the submission; after them those with the start, which may stand for it; last those of which nothing
    /// is said but that they are times.
    fn submission(&self) -> Vec<Candidate> {
        let is_clear = |meaning: Meaning| meaning == Meaning::Clear;
        let mut candidates = self.times("submit_s", is_clear);
        let starts = self.times(START, |_| true).into_iter();
        candidates
            .extend(starts.map(|own| Candidate::guessed(own.value, format!("{}, but {ARRIVES_AT_START}", own.reason))));
        candidates.extend(self.times("submit_s", |meaning| !is_clear(meaning)));
        candidates
    }

    /// Columns with moments: dates, or numbers whose size or name tells their unit.
    fn times(&self, field: &str, is_wanted: impl Fn(Meaning) -> bool) -> Vec<Candidate> {
        let columns = self.columns(field).into_iter().filter(|own| is_wanted(own.meaning));
        let candidates = columns.filter_map(|NamedColumn { column, unit, meaning, .. }| {
            let (value, kind, written) = self.written(&column);
            // Whether something was done, and not when.
            if kind == Kind::Whole(1.0) && self.sample.rows.len() > 2 {
                return None;
            }
            let own = match (kind, unit) {
                (Kind::Dates, _) => Candidate::sure(value, "By its name; dates"),
                (Kind::Whole(_) | Kind::Numbers(_), Some(Unit::Seconds)) => {
                    Candidate::sure(value, "By its name; seconds, as the name says")
                }
                (Kind::Whole(_) | Kind::Numbers(_), Some(unit)) => {
                    let reason = format!("By its name; {}, as the name says", unit.word());
                    Candidate::sure(value.in_unit(unit), reason)
                }
                (Kind::Whole(most) | Kind::Numbers(most), None) => match most {
                    1e9..1e11 => Candidate::sure(value, "By its name; seconds since 1970, by their size"),
                    1e12..1e14 => {
                        let value = value.in_unit(Unit::Milliseconds);
                        Candidate::sure(value, "By its name; milliseconds since 1970, by their size")
                    }
                    1e15..1e17 => {
                        let value = value.in_unit(Unit::Microseconds);
                        Candidate::sure(value, "By its name; microseconds since 1970, by their size")
                    }
                    _ => Candidate::guessed(value, "By its name; seconds, unless its unit is another (min, ms)"),
                },
                (Kind::Durations | Kind::Other | Kind::Empty, _) => return None,
            };
            let own = own.written(written);
            Some(match meaning {
                Meaning::Clear => own,
                Meaning::Doubtful(reason) => Candidate::guessed(own.value, format!("{}, but {reason}", own.reason)),
            })
        });
        candidates.collect()
    }
}
