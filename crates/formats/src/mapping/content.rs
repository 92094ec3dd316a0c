//! What the first rows of a table show about its columns.

use super::Reading;
use super::evaluate::{Number, number_as};
use super::reading::Styles;
use crate::text::values::Cell;

/// The first rows of a table: for each row its cells.
#[derive(Default)]
pub(crate) struct Sample {
    pub rows: Vec<Vec<Vec<u8>>>,
}

/// What the cells of a column are; empty ones count for nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// All empty.
    Empty,
    /// Dates and times.
    Dates,
    /// Durations as text.
    Durations,
    /// Whole numbers of 0 or more, up to this.
    Whole(f64),
    /// Other numbers, none below 0, up to this.
    Numbers(f64),
    /// Text, or numbers below 0, or a mixture.
    Other,
}

impl Sample {
    /// The cells of a column.
    fn cells(&self, column: usize) -> impl Iterator<Item = &[u8]> {
        self.rows.iter().map(move |row| row.get(column).map_or(&[][..], |cell| cell.trim_ascii()))
    }

    /// How the cells of a column are written, where plain reading does not tell.
    pub(super) fn styles(&self, column: usize) -> Styles {
        let mut styles = Styles::default();
        for cell in self.cells(column) {
            match number_as(cell, None) {
                Cell::Is(Number::Plain(_)) => styles.add_plain(cell),
                Cell::Bad => {
                    styles.add_odd(cell);
                }
                _ => {}
            }
        }
        styles
    }

    /// The one way in which the cells of a column are written, where plain reading does not understand them.
    fn reading(&self, column: usize) -> Option<Reading> {
        match self.styles(column).readings().as_slice() {
            [reading] => Some(*reading),
            _ => None,
        }
    }

    /// What the cells of a column are, if they are written in a way.
    pub(super) fn kind(&self, column: usize, reading: Option<Reading>) -> Kind {
        let mut kind = Kind::Empty;
        for cell in self.cells(column) {
            let own = match number_as(cell, reading) {
                Cell::Missing => continue,
                Cell::Is(Number::Date { .. }) => Kind::Dates,
                Cell::Is(Number::Duration(_)) => Kind::Durations,
                Cell::Is(Number::Plain(value)) if value >= 0.0 && value.fract() == 0.0 => Kind::Whole(value),
                Cell::Is(Number::Plain(value)) if value >= 0.0 => Kind::Numbers(value),
                Cell::Is(Number::Plain(_)) | Cell::Bad => Kind::Other,
            };
            kind = match (kind, own) {
                (Kind::Empty, own) => own,
                (Kind::Whole(a), Kind::Whole(b)) => Kind::Whole(a.max(b)),
                (Kind::Whole(a) | Kind::Numbers(a), Kind::Whole(b) | Kind::Numbers(b)) => Kind::Numbers(a.max(b)),
                (before, own) if before == own => own,
                _ => Kind::Other,
            };
        }
        kind
    }

    /// The first different values of a column.
    pub fn values(&self, column: usize, most: usize) -> Vec<String> {
        let mut values: Vec<String> = Vec::new();
        for cell in self.cells(column).filter(|cell| !cell.is_empty()) {
            let value = String::from_utf8_lossy(cell).into_owned();
            if values.len() < most && !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    /// For each row what a cell says: a number, seconds of a duration, or seconds since 1970 of a date.
    pub fn seconds(&self, column: usize) -> Vec<Option<f64>> {
        let reading = self.reading(column);
        let value = |cell: &[u8]| match number_as(cell, reading) {
            Cell::Is(Number::Plain(value) | Number::Duration(value)) => Some(value),
            Cell::Is(Number::Date { epoch_s, .. }) => Some(epoch_s),
            Cell::Missing | Cell::Bad => None,
        };
        self.cells(column).map(value).collect()
    }

    /// Whether a column is the product of two others in all rows.
    pub fn is_product(&self, column: usize, left: usize, right: usize) -> bool {
        let [own, left, right] = [column, left, right].map(|column| self.seconds(column));
        let product = |(left, right): (&Option<f64>, &Option<f64>)| Some((*left)? * (*right)?);
        let products: Vec<Option<f64>> = left.iter().zip(&right).map(product).collect();
        !own.is_empty() && own == products
    }

    /// The number of times that a column has to be taken to be the difference of two others: 1 where it is in seconds,
    /// 60 where it is in minutes. `None` unless nearly all rows agree.
    pub fn factor_of_difference(&self, column: usize, start: usize, end: usize) -> Option<f64> {
        let [own, start, end] = [column, start, end].map(|column| self.seconds(column));
        let values =
            |((own, start), end): ((&Option<f64>, &Option<f64>), &Option<f64>)| Some(((*own)?, (*end)? - (*start)?));
        let rows: Vec<(f64, f64)> = own.iter().zip(&start).zip(&end).filter_map(values).collect();
        if rows.len() < 2 {
            return None;
        }
        [1.0, 60.0, 3600.0, 1e-3].into_iter().find(|factor| {
            // A value may be rounded to its unit, and each of the two times to a second.
            let agrees =
                |(value, difference): &&(f64, f64)| (value * factor - difference).abs() <= factor.max(1.0) * 1.5;
            let telling = rows.iter().any(|(value, difference)| value.max(*difference) > factor.max(1.0) * 10.0);
            telling && rows.iter().filter(agrees).count() * 10 >= rows.len() * 9
        })
    }
}
