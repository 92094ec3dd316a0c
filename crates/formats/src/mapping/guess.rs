//! A mapping for a table of which only the header and the first rows are known, with a reason for each field.

use serde::{Deserialize, Serialize};

use super::content::{Kind, Sample};
use super::expression::{Expression, Filter, Operator, Test, Unit};
use super::synonyms::{Meaning, RESOURCES, RUNS, STATES, SYNONYMS, WORKERS, without_unit};
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
    let table = Guesser { header, sample };
    let mut fields = vec![
        ("job_id", table.named("job_id")),
        ("submit_s", table.submission()),
        ("gpus", table.gpus()),
        ("duration_s", table.duration()),
        ("model", table.named("model")),
        ("user", table.named("user")),
        ("deadline_s", table.times("deadline_s")),
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

/// The condition that a table suggests: a column of states with several values.
pub(crate) fn suggested_filter(header: &Header, sample: &Sample) -> Option<Filter> {
    const DONE: [&str; 6] = ["completed", "succeeded", "finished", "pass", "terminated", "timeout"];
    let column = STATES.iter().find_map(|name| header.find(name))?;
    let values = sample.values(column.index, 8);
    let is_done = |value: &&String| DONE.iter().any(|done| value.eq_ignore_ascii_case(done));
    let kept: Vec<String> = values.iter().filter(is_done).cloned().collect();
    let is_telling = !kept.is_empty() && kept.len() < values.len();
    is_telling.then(|| Filter { value: Expression::column(&column.name), test: Test::OneOf(kept) })
}

struct Guesser<'t> {
    header: &'t Header,
    sample: &'t Sample,
}

impl Guesser<'_> {
    /// The columns whose name stands for a field, with the unit in the name, in the order of the synonyms.
    fn columns(&self, field: &str) -> Vec<(Column, Option<Unit>, Meaning)> {
        let own = |plain: &str| plain == field;
        let of_name = |known: &str, index: usize| {
            let plain = self.header.plain_name(index)?;
            let (stem, unit) = without_unit(plain);
            let unit = if plain == known { None } else { unit };
            (plain == known || stem == known).then_some(())?;
            Some((self.header.column(index)?, unit))
        };
        let indices = || 0..self.header.names.len();
        let mut found: Vec<(Column, Option<Unit>, Meaning)> = Vec::new();
        let exact = indices().find(|&index| self.header.plain_name(index).is_some_and(own));
        if let Some(column) = exact.and_then(|index| self.header.column(index)) {
            // A field of the plain trace has the unit of the plain trace.
            let unit = field.ends_with("_s").then_some(Unit::Seconds);
            found.push((column, unit, Meaning::Clear));
        }
        for synonym in SYNONYMS.iter().filter(|synonym| synonym.field == field) {
            for (column, unit) in indices().filter_map(|index| of_name(synonym.name, index)) {
                if found.iter().all(|(known, ..)| known.index != column.index) {
                    found.push((column, unit, synonym.meaning));
                }
            }
        }
        found
    }

    /// Columns by their name alone.
    fn named(&self, field: &str) -> Vec<Candidate> {
        let candidate = |(column, _, meaning): (Column, Option<Unit>, Meaning)| {
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
    fn written(&self, column: &Column) -> (Expression, Kind, Result<String, String>) {
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

    fn submission(&self) -> Vec<Candidate> {
        self.times("submit_s")
    }

    /// Columns with moments: dates, or numbers whose size or name tells their unit.
    fn times(&self, field: &str) -> Vec<Candidate> {
        let candidates = self.columns(field).into_iter().filter_map(|(column, unit, meaning)| {
            let (value, kind, written) = self.written(&column);
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

    fn gpus(&self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (per_worker, workers) in WORKERS {
            if let Some([gpus, workers]) = self.header.find_all([per_worker, workers]) {
                let (gpus, workers) = (Expression::column(&gpus.name), Expression::column(&workers.name));
                let value = Expression::binary(Operator::Multiply, gpus, workers);
                candidates.push(Candidate::sure(value, "GPUs of each worker, times the workers"));
            }
        }
        for (column, _, meaning) in self.columns("gpus") {
            let (value, kind, written) = self.written(&column);
            let fits = matches!(kind, Kind::Whole(most) if most <= 65_536.0);
            let own = match (meaning, fits) {
                (Meaning::Clear, true) => Candidate::sure(value, "By its name; small whole numbers"),
                (Meaning::Clear, false) => {
                    Candidate::guessed(value, "By its name, but not all are small whole numbers")
                }
                // What stands beside the number of workers is no second choice.
                (Meaning::Doubtful(_), _) if !candidates.is_empty() => continue,
                (Meaning::Doubtful(reason), _) => Candidate::guessed(value, format!("By its name, but {reason}")),
            };
            candidates.push(own.written(written));
        }
        for column in RESOURCES.iter().filter_map(|name| self.header.find(name)) {
            let value = Expression::After(column.name, "gres/gpu=".into());
            if candidates.is_empty() {
                candidates.push(Candidate::sure(value, "The GPUs among the resources of Slurm"));
            }
        }
        candidates
    }

    fn duration(&self) -> Vec<Candidate> {
        let run = RUNS.iter().find_map(|(start, end)| self.header.find_all([start, end]));
        let mut candidates: Vec<Candidate> = Vec::new();
        for (column, unit, meaning) in self.columns("duration_s") {
            let (value, kind, written) = self.written(&column);
            let factor = run
                .as_ref()
                .and_then(|[start, end]| self.sample.factor_of_difference(column.index, start.index, end.index));
            let is_number = matches!(kind, Kind::Whole(_) | Kind::Numbers(_));
            let of_factor = |factor: f64| Unit::ALL.into_iter().find(|unit| (unit.seconds() - factor).abs() < 1e-9);
            let own = match (kind, unit.or(factor.and_then(of_factor)), factor) {
                (Kind::Durations, ..) => Candidate::sure(value, "By its name; hours, minutes and seconds"),
                (_, Some(Unit::Seconds), Some(_)) if is_number => {
                    Candidate::sure(value, "By its name; as long as from start to end")
                }
                (_, Some(Unit::Seconds), None) if is_number => {
                    Candidate::sure(value, "By its name; seconds, as the name says")
                }
                (_, Some(unit), _) if is_number => {
                    let reason = format!("By its name; {}, by its name or by start and end", unit.word());
                    Candidate::sure(value.in_unit(unit), reason)
                }
                (_, None, _) if is_number && column.name.eq_ignore_ascii_case("ElapsedRaw") => {
                    Candidate::sure(value, "Slurm's seconds")
                }
                (_, None, _) if is_number => {
                    Candidate::guessed(value, "By its name; seconds, unless its unit is another (min, h, ms)")
                }
                _ => continue,
            };
            let own = own.written(written);
            candidates.push(match meaning {
                Meaning::Clear if candidates.is_empty() => own,
                // One duration is enough: a second one says the same.
                Meaning::Clear => Candidate { sureness: Sureness::Guessed, ..own },
                Meaning::Doubtful(reason) => Candidate::guessed(own.value, format!("{}, but {reason}", own.reason)),
            });
        }
        candidates.extend(run.and_then(|[start, end]| self.run_from(&start, &end, !candidates.is_empty())));
        // A duration whose unit is known counts before one whose unit is not.
        let known = candidates.iter().position(|candidate| candidate.sureness == Sureness::Sure);
        if let Some(known) = known.filter(|known| *known > 0) {
            candidates.swap(0, known);
        }
        candidates
    }

    /// The time from start to end, if both are moments on one clock.
    fn run_from(&self, start: &Column, end: &Column, is_second: bool) -> Option<Candidate> {
        let ((from, of_start, start_written), (to, of_end, end_written)) = (self.written(start), self.written(end));
        let difference = |from, to| Expression::binary(Operator::Subtract, to, from);
        let large = |kind: Kind, least: f64, most: f64| matches!(kind, Kind::Whole(value) | Kind::Numbers(value) if value >= least && value < most);
        let candidate = match (of_start, of_end) {
            (Kind::Dates, Kind::Dates) => Candidate::sure(difference(from, to), "From start to end; dates"),
            (start, end) if large(start, 1e9, 1e11) && large(end, 1e9, 1e11) => {
                Candidate::sure(difference(from, to), "From start to end; seconds since 1970, by their size")
            }
            (start, end) if large(start, 1e12, 1e14) && large(end, 1e12, 1e14) => {
                let value = difference(from, to).in_unit(Unit::Milliseconds);
                Candidate::sure(value, "From start to end; milliseconds since 1970, by their size")
            }
            (Kind::Whole(_) | Kind::Numbers(_), Kind::Whole(_) | Kind::Numbers(_)) => {
                let reason = "From start to end; seconds, unless their unit is another (min, ms)";
                Candidate::guessed(difference(from, to), reason)
            }
            _ => return None,
        };
        let candidate = candidate.written(start_written.and(end_written));
        // Beside a column that says as much it is no rival.
        let sureness = if is_second
            && self
                .columns("duration_s")
                .iter()
                .any(|(column, ..)| self.sample.factor_of_difference(column.index, start.index, end.index).is_some())
        {
            Sureness::Guessed
        } else {
            candidate.sureness
        };
        Some(Candidate { sureness, ..candidate })
    }
}
