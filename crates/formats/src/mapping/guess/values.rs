//! What values say of columns whose names say nothing. What is found so is never more than a guess.

use super::Guesser;
use crate::mapping::FIELDS;
use crate::mapping::content::Kind;
use crate::mapping::names::key;
use crate::mapping::synonyms::{EXIT_CODES, STATES};
use crate::text::header::Column;

/// The fewest rows from which anything is concluded.
const ROWS_MIN: usize = 3;
/// The most GPUs that a job asks for, where only the values say that they are GPUs.
const GPUS_MAX: f64 = 1024.0;
/// Parts of names of columns with small numbers that are no GPUs.
const NO_GPUS: [&str; 22] = [
    "cpu", "core", "node", "mem", "batch", "prio", "thread", "retr", "attempt", "epoch", "rank", "restart", "version",
    "count", "disk", "proc", "host", "worker", "replica", "level", "year", "id",
];

impl Guesser<'_> {
    /// Columns whose names stand for nothing.
    pub(super) fn unnamed(&self) -> impl Iterator<Item = Column> {
        let is_state = |name: &str| {
            let key = key(name);
            STATES.iter().chain(EXIT_CODES).any(|state| state.replace('_', "") == key)
        };
        let is_field = |index: usize| self.header.plain_name(index).is_none_or(|name| FIELDS.contains(&name));
        let names = self.names.iter().enumerate().filter(|(_, names)| names.is_empty());
        let columns =
            names.filter(move |(index, _)| !is_field(*index)).filter_map(|(index, _)| self.header.column(index));
        columns.filter(move |column| !is_state(&column.name))
    }

    /// Whether a column holds moments, for all that its cells say.
    pub(super) fn is_moment(&self, column: &Column) -> bool {
        match self.written(column).1 {
            Kind::Dates => true,
            // Whether something is done, and not when.
            Kind::Whole(most) | Kind::Numbers(most) => most > 1.0,
            Kind::Durations | Kind::Other | Kind::Empty => false,
        }
    }

    /// The columns without a telling name that lie between two others in every row, and are the same as neither.
    pub(super) fn between(&self, submit: &Column, end: &Column) -> Vec<Column> {
        let is_date = |column: &Column| self.written(column).1 == Kind::Dates;
        let is_one_clock = is_date(submit) == is_date(end);
        let [from, to] = [submit, end].map(|column| self.sample.seconds(column.index));
        let lies_between = |column: &Column| {
            let own = self.sample.seconds(column.index);
            let rows: Vec<(f64, f64, f64)> = from
                .iter()
                .zip(&own)
                .zip(&to)
                .filter_map(|((from, own), to)| Some(((*from)?, (*own)?, (*to)?)))
                .collect();
            is_date(column) == is_date(submit)
                && self.is_moment(column)
                && rows.len() >= ROWS_MIN
                && rows.iter().all(|(from, own, to)| from <= own && own <= to)
                && rows.iter().any(|(from, own, _)| from < own)
                && rows.iter().any(|(_, own, to)| own < to)
        };
        self.unnamed().filter(|_| is_one_clock).filter(lies_between).collect()
    }

    /// The columns without a telling name that hold small powers of two, or 0, and several of them.
    pub(super) fn powers_of_two(&self) -> Vec<Column> {
        let is_power =
            |value: f64| (0.0..=GPUS_MAX).contains(&value) && value.fract() == 0.0 && (value as u32).count_ones() <= 1;
        let holds_powers = |column: &Column| {
            let values: Vec<f64> = self.sample.seconds(column.index).into_iter().flatten().collect();
            let name = column.name.to_ascii_lowercase();
            let first = values.iter().copied().find(|value| *value > 0.0);
            values.len() >= ROWS_MIN
                && matches!(self.sample.kind(column.index, None), Kind::Whole(_))
                && values.iter().all(|value| is_power(*value))
                && values.iter().any(|value| *value > 0.0 && Some(*value) != first)
                && !NO_GPUS.iter().any(|part| name.contains(part))
        };
        self.unnamed().filter(holds_powers).collect()
    }
}
