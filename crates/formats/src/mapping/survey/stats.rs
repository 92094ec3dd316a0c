//! What the cells of a column are, counted row by row.

use std::collections::BTreeSet;

use xxhash_rust::xxh3::xxh3_64;

use super::column::{Content, Distinct, ValueCount};
use crate::mapping::Reading;
use crate::mapping::evaluate::{Number, number_as};
use crate::mapping::reading::Styles;
use crate::text::values::{Cell, shown};

/// First values that are shown.
const FIRST_VALUES: usize = 3;
/// Values that are counted one by one, and the bytes of the longest.
const VALUES_MAX: usize = 24;
const VALUE_BYTES_MAX: usize = 100;

/// Different values, by their hashes, up to a limit.
#[derive(Default)]
pub(super) struct DistinctHashes {
    hashes: BTreeSet<u64>,
    has_more: bool,
    /// The hash added last: equal values often stand together.
    last: Option<u64>,
}

impl DistinctHashes {
    /// Adds a value.
    pub fn add(&mut self, value: &[u8], limit: u32) {
        if self.has_more {
            return;
        }
        let hash = xxh3_64(value);
        if self.last == Some(hash) {
            return;
        }
        self.last = Some(hash);
        if self.hashes.len() < limit as usize {
            self.hashes.insert(hash);
        } else if !self.hashes.contains(&hash) {
            self.has_more = true;
        }
    }

    pub fn count(&self) -> Distinct {
        Distinct { count: self.hashes.len() as u32, has_more: self.has_more }
    }
}

/// The cells of a column.
#[derive(Default)]
pub(super) struct ColumnStats {
    pub first_values: Vec<String>,
    /// Cells by what they are: numbers, dates, durations, text.
    counts: [u64; 4],
    pub empty: u64,
    pub range: Option<(f64, f64)>,
    pub styles: Styles,
    distinct: DistinctHashes,
    /// The values one by one; `None` once there are too many.
    values: Option<Vec<(Vec<u8>, u64)>>,
    /// Whether a date names no zone, and whether one does.
    pub has_local_dates: bool,
    pub has_zoned_dates: bool,
}

const CONTENTS: [Content; 4] = [Content::Numbers, Content::Dates, Content::Durations, Content::Text];

impl ColumnStats {
    pub fn new() -> Self {
        Self { values: Some(Vec::new()), ..Self::default() }
    }

    /// Counts a cell, which is read in a way where the mapping says so, and different values up to a limit.
    pub fn add(&mut self, cell: &[u8], reading: Option<Reading>, distinct_max: u32) {
        if cell.is_empty() {
            self.empty += 1;
            return;
        }
        self.distinct.add(cell, distinct_max);
        self.add_value(cell);
        let number = number_as(cell, reading);
        let (content, value) = match number {
            Cell::Missing => {
                self.empty += 1;
                return;
            }
            Cell::Is(Number::Plain(value)) => {
                self.styles.add_plain(cell);
                (Content::Numbers, Some(value))
            }
            Cell::Is(Number::Date { epoch_s, has_zone }) => {
                self.has_local_dates |= !has_zone;
                self.has_zoned_dates |= has_zone;
                (Content::Dates, Some(epoch_s))
            }
            Cell::Is(Number::Duration(seconds)) => (Content::Durations, Some(seconds)),
            Cell::Bad => (self.content_of_odd(cell, reading), None),
        };
        let at = CONTENTS.iter().position(|own| *own == content);
        if let Some(count) = at.and_then(|at| self.counts.get_mut(at)) {
            *count += 1;
        }
        if let Some(value) = value {
            let (least, most) = self.range.unwrap_or((value, value));
            self.range = Some((least.min(value), most.max(value)));
        }
    }

    /// What a cell is that plain reading does not understand.
    fn content_of_odd(&mut self, cell: &[u8], reading: Option<Reading>) -> Content {
        if reading.is_some() || !self.styles.add_odd(cell) {
            return Content::Text;
        }
        let is_date = self.styles.readings().first().is_some_and(|reading| reading.is_of_dates());
        if is_date { Content::Dates } else { Content::Numbers }
    }

    fn add_value(&mut self, cell: &[u8]) {
        let is_long = cell.len() > VALUE_BYTES_MAX;
        if self.first_values.len() < FIRST_VALUES {
            let value = shown(cell);
            if !self.first_values.contains(&value) {
                self.first_values.push(value);
            }
        }
        let Some(values) = &mut self.values else { return };
        let is_full = values.len() >= VALUES_MAX;
        match values.iter_mut().find(|(value, _)| value == cell) {
            Some((_, rows)) => *rows += 1,
            None if is_long || is_full => self.values = None,
            None => values.push((cell.to_vec(), 1)),
        }
    }

    /// Cells that are not empty.
    pub fn filled(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// What most filled cells are, with their share.
    pub fn content(&self) -> (Content, f64) {
        let filled = self.filled();
        // Of equal counts text, the last, is the safest.
        let most = CONTENTS.into_iter().zip(self.counts).max_by_key(|(_, count)| *count);
        match most.filter(|_| filled > 0) {
            Some((content, count)) => (content, count as f64 / filled as f64),
            None => (Content::Empty, 0.0),
        }
    }

    pub fn distinct(&self) -> Distinct {
        self.distinct.count()
    }

    /// The values with their counts, the most frequent first; equally frequent ones in order of appearance.
    pub fn values(&self, is_kept: impl Fn(&str) -> bool) -> Vec<ValueCount> {
        let counted = |(value, rows): &(Vec<u8>, u64)| {
            let value = String::from_utf8_lossy(value).into_owned();
            ValueCount { is_kept: is_kept(&value), value, rows: *rows }
        };
        let mut values: Vec<ValueCount> = self.values.iter().flatten().map(counted).collect();
        elastiplan_model::order::sort_by_key(&mut values, |value| std::cmp::Reverse(value.rows));
        values
    }
}
