//! How long a job ran: a column with the run time, or from its start to its end.

use super::{Candidate, Guesser, NamedColumn, Sureness};
use crate::mapping::content::Kind;
use crate::mapping::expression::{Expression, Operator, Unit};
use crate::mapping::synonyms::{END, Meaning, START};
use crate::text::header::Column;

/// The start and the end of a run, as columns.
pub(super) struct Run {
    start: Column,
    end: Column,
    /// Why the start is one, where its name does not say so.
    guessed: Option<String>,
}

impl Guesser<'_> {
    pub(super) fn duration(&self) -> Vec<Candidate> {
        let runs = self.runs();
        let run = runs.first();
        let mut candidates: Vec<Candidate> = Vec::new();
        for NamedColumn { column, unit, meaning, .. } in self.columns("duration_s") {
            let Some(own) = self.run_time(&column, unit, run) else { continue };
            candidates.push(match meaning {
                Meaning::Clear if candidates.is_empty() => own,
                // One duration is enough: a second one says the same.
                Meaning::Clear => Candidate { sureness: Sureness::Guessed, ..own },
                Meaning::Doubtful(reason) => Candidate::guessed(own.value, format!("{}, but {reason}", own.reason)),
            });
        }
        let is_known = candidates.iter().any(|candidate| candidate.sureness == Sureness::Sure);
        candidates.extend(run.and_then(|run| self.run_from(run)));
        // Beside a run time that is known, other pairs are no rivals.
        if !is_known {
            candidates.extend(runs.iter().skip(1).filter_map(|run| self.run_from(run)));
        }
        candidates.extend(run.and_then(|run| self.as_long_as(run)));
        // A duration whose unit is known counts before one whose unit is not.
        let known = candidates.iter().position(|candidate| candidate.sureness == Sureness::Sure);
        if let Some(known) = known.filter(|known| *known > 0) {
            candidates.swap(0, known);
        }
        candidates
    }

    /// Columns with the start and the end of a run: those that are named in one style, else all; else by their values.
    fn runs(&self) -> Vec<Run> {
        let is_moment = |own: &NamedColumn| self.is_moment(&own.column);
        let [starts, ends] =
            [START, END].map(|field| self.columns(field).into_iter().filter(is_moment).collect::<Vec<_>>());
        let pairs = |is_wanted: &dyn Fn(&NamedColumn, &NamedColumn) -> bool| -> Vec<Run> {
            let all = starts.iter().flat_map(|start| ends.iter().map(move |end| (start, end)));
            let wanted = all.filter(|(start, end)| is_wanted(start, end));
            wanted
                .map(|(start, end)| Run { start: start.column.clone(), end: end.column.clone(), guessed: None })
                .collect()
        };
        let of_one_style = pairs(&|start, end| start.style == end.style);
        let named = if of_one_style.is_empty() { pairs(&|_, _| true) } else { of_one_style };
        if !named.is_empty() || !starts.is_empty() {
            return named;
        }
        let Some(end) = ends.into_iter().next().map(|own| own.column) else { return Vec::new() };
        let submits = self.columns("submit_s").into_iter().filter(|own| own.meaning == Meaning::Clear);
        let Some(submit) = submits.map(|own| own.column).find(|column| self.is_moment(column)) else {
            return Vec::new();
        };
        let run = |start: Column| {
            let reason =
                format!("Guessed from the values: in every row {} lies between submission and end", start.name);
            Run { start, end: end.clone(), guessed: Some(reason) }
        };
        self.between(&submit, &end).into_iter().map(run).collect()
    }

    /// A column that is called as run times are.
    fn run_time(&self, column: &Column, unit: Option<Unit>, run: Option<&Run>) -> Option<Candidate> {
        let (value, kind, written) = self.written(column);
        let factor = run.and_then(|run| self.sample.factor_of_difference(column.index, run.start.index, run.end.index));
        let is_number = matches!(kind, Kind::Whole(_) | Kind::Numbers(_));
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
            _ => return None,
        };
        Some(own.written(written))
    }

    /// The time from start to end, if both are moments on one clock.
    fn run_from(&self, Run { start, end, guessed }: &Run) -> Option<Candidate> {
        let ((from, of_start, start_written), (to, of_end, end_written)) = (self.written(start), self.written(end));
        let difference = |from, to| Expression::binary(Operator::Subtract, to, from);
        let large = |kind: Kind, least: f64, most: f64| matches!(kind, Kind::Whole(value) | Kind::Numbers(value) if value >= least && value < most);
        let unit = |column: &Column| {
            let named = [START, END].into_iter().flat_map(|field| self.columns(field));
            named.filter(|own| own.column == *column).find_map(|own| own.unit)
        };
        let candidate = match (of_start, of_end) {
            (Kind::Dates, Kind::Dates) => Candidate::sure(difference(from, to), "From start to end; dates"),
            (of_start, of_end) if large(of_start, 1e9, 1e11) && large(of_end, 1e9, 1e11) => {
                Candidate::sure(difference(from, to), "From start to end; seconds since 1970, by their size")
            }
            (of_start, of_end) if large(of_start, 1e12, 1e14) && large(of_end, 1e12, 1e14) => {
                let value = difference(from, to).in_unit(Unit::Milliseconds);
                Candidate::sure(value, "From start to end; milliseconds since 1970, by their size")
            }
            (Kind::Whole(_) | Kind::Numbers(_), Kind::Whole(_) | Kind::Numbers(_)) => match (unit(start), unit(end)) {
                (Some(Unit::Seconds), Some(Unit::Seconds)) => {
                    Candidate::sure(difference(from, to), "From start to end; seconds, as the names say")
                }
                (Some(unit), Some(other)) if unit == other => {
                    let reason = format!("From start to end; {}, as the names say", unit.word());
                    Candidate::sure(difference(from, to).in_unit(unit), reason)
                }
                _ => {
                    let reason = "From start to end; seconds, unless their unit is another (min, ms)";
                    Candidate::guessed(difference(from, to), reason)
                }
            },
            _ => return None,
        };
        let candidate = candidate.written(start_written.and(end_written));
        if let Some(reason) = guessed {
            return Some(Candidate::guessed(candidate.value, format!("{}. {reason}", candidate.reason)));
        }
        // Beside a column that says as much it is no rival.
        let says_as_much =
            |own: &NamedColumn| self.sample.factor_of_difference(own.column.index, start.index, end.index).is_some();
        let has_rival = self.columns("duration_s").iter().any(says_as_much);
        let sureness = if has_rival { Sureness::Guessed } else { candidate.sureness };
        Some(Candidate { sureness, ..candidate })
    }

    /// A column of another name that is as long as a run.
    fn as_long_as(&self, Run { start, end, .. }: &Run) -> Option<Candidate> {
        let factor = |column: &Column| self.sample.factor_of_difference(column.index, start.index, end.index);
        let (column, unit) = self.unnamed().find_map(|column| {
            let unit = factor(&column).and_then(of_factor)?;
            Some((column, unit))
        })?;
        let (value, ..) = self.written(&column);
        let value = if unit == Unit::Seconds { value } else { value.in_unit(unit) };
        Some(Candidate::guessed(value, "Guessed from the values: in every row as long as from start to end"))
    }
}

/// The unit of so many seconds.
fn of_factor(factor: f64) -> Option<Unit> {
    Unit::ALL.into_iter().find(|unit| (unit.seconds() - factor).abs() < 1e-9)
}
