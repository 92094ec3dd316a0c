//! Ways of writing dates and numbers that cannot be told from a single cell, and the zone of dates without one.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::clock::{DateTime, date_time};
use crate::text::values::shown;

/// A way in which the cells of a column are written. A mapping says it behind the column: `start dmy`, `hours comma`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reading {
    /// `dmy`: dates with the day before the month, `31.01.2026` or `31/01/2026 14:30`.
    DayFirst,
    /// `mdy`: dates with the month before the day, `01/31/2026 2:30 PM`.
    MonthFirst,
    /// `comma`: numbers with a decimal comma, `1.234,5`.
    DecimalComma,
    /// `point`: numbers with a decimal point and separated thousands, `1,234.5`.
    DecimalPoint,
}

impl Reading {
    /// All readings.
    pub const ALL: [Self; 4] = [Self::DayFirst, Self::MonthFirst, Self::DecimalComma, Self::DecimalPoint];

    /// Its word in a mapping.
    pub fn word(self) -> &'static str {
        match self {
            Self::DayFirst => "dmy",
            Self::MonthFirst => "mdy",
            Self::DecimalComma => "comma",
            Self::DecimalPoint => "point",
        }
    }

    /// What it means, for people: "day first".
    pub fn label(self) -> &'static str {
        match self {
            Self::DayFirst => "day first",
            Self::MonthFirst => "month first",
            Self::DecimalComma => "decimal comma",
            Self::DecimalPoint => "decimal point",
        }
    }

    /// The reading of this word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reading| reading.word() == word)
    }

    /// Whether a text is a date or a number that is written so.
    pub(super) fn understands(self, text: &str) -> bool {
        if self.is_of_dates() { numeric_date(text, self).is_some() } else { grouped_number(text, self).is_some() }
    }

    /// Whether it is about dates, not about numbers.
    pub fn is_of_dates(self) -> bool {
        matches!(self, Self::DayFirst | Self::MonthFirst)
    }
}

/// The zone of dates that name none, in minutes ahead of UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Zone {
    minutes: i16,
}

impl Zone {
    /// UTC.
    pub const UTC: Self = Self { minutes: 0 };
    /// The furthest that a zone is from UTC, in minutes.
    const MINUTES_MAX: i16 = 18 * 60;

    /// A zone that is so many minutes ahead of UTC; `None` for more than 18 hours.
    pub fn ahead_by(minutes: i16) -> Option<Self> {
        (minutes.abs() <= Self::MINUTES_MAX).then_some(Self { minutes })
    }

    /// Minutes ahead of UTC.
    pub fn minutes(self) -> i16 {
        self.minutes
    }

    /// Seconds ahead of UTC.
    pub fn seconds(self) -> f64 {
        f64::from(self.minutes) * 60.0
    }
}

/// `UTC`, `+02:00`, `-05:30`.
impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::UTC {
            return f.write_str("UTC");
        }
        let sign = if self.minutes < 0 { '-' } else { '+' };
        let minutes = self.minutes.unsigned_abs();
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

/// How the cells of a column that plain reading does not understand could be written.
#[derive(Clone, Debug, Default)]
pub(super) struct Styles {
    /// For each reading the cells that it understands.
    fits: [u64; Reading::ALL.len()],
    /// Cells that some reading understands and plain reading does not.
    pub odd: u64,
    /// The first of them, and the first that decides: `31/01/2026`.
    examples: [Option<String>; 2],
    /// Decimal points among the plain cells that were looked at.
    points: u32,
}

impl Styles {
    /// Plain cells with a point that are looked at.
    const POINTS_MAX: u32 = 1_000;

    /// Counts a cell that is a plain number: one with a point is no number with a decimal comma.
    pub fn add_plain(&mut self, cell: &[u8]) {
        if self.points < Self::POINTS_MAX && cell.contains(&b'.') {
            self.points += 1;
            self.count(cell);
        }
    }

    /// Counts a cell that plain reading does not understand; returns whether some reading does.
    pub fn add_odd(&mut self, cell: &[u8]) -> bool {
        let fitting = self.count(cell);
        if fitting == 0 {
            return false;
        }
        self.odd += 1;
        let [first, deciding] = &mut self.examples;
        let shown = || Some(shown(cell));
        if first.is_none() {
            *first = shown();
        }
        if fitting == 1 && deciding.is_none() {
            *deciding = shown();
        }
        true
    }

    /// Counts a cell for each reading that understands it; returns their number.
    fn count(&mut self, cell: &[u8]) -> usize {
        const LONGEST: usize = 40;
        let text = Some(cell).filter(|cell| cell.len() <= LONGEST && cell.iter().any(u8::is_ascii_digit));
        let Some(text) = text.and_then(|cell| std::str::from_utf8(cell).ok()) else { return 0 };
        let fitting = Reading::ALL.into_iter().zip(&mut self.fits).filter(|(reading, _)| reading.understands(text));
        fitting.map(|(_, fits)| *fits += 1).count()
    }

    /// The readings that understand the most cells: one, if the cells decide; none, if plain reading understands all.
    pub fn readings(&self) -> Vec<Reading> {
        let most = self.fits.into_iter().max().filter(|_| self.odd > 0);
        let all = Reading::ALL.into_iter().zip(self.fits);
        all.filter(|(_, fits)| Some(*fits) == most).map(|(reading, _)| reading).collect()
    }

    /// A cell to show: one that decides, if there is any.
    pub fn example(&self) -> &str {
        let [first, deciding] = &self.examples;
        deciding.as_ref().or(first.as_ref()).map_or("", String::as_str)
    }
}

/// Reads a number with separated thousands: groups of three digits behind the first, a decimal sign before the rest.
/// `None` for other text.
pub(super) fn grouped_number(cell: &str, reading: Reading) -> Option<f64> {
    let (decimal, separator) = if reading == Reading::DecimalComma { (',', '.') } else { ('.', ',') };
    let (sign, text) = cell.strip_prefix('-').map_or(("", cell), |text| ("-", text));
    let (whole, fraction) = match text.split_once(decimal) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let used = whole.chars().find(|letter| !letter.is_ascii_digit());
    let groups: Vec<&str> = used.map_or(vec![whole], |used| whole.split(used).collect());
    let may_separate =
        |used: char| used == separator || matches!(used, ' ' | '\'' | '_' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '’');
    let (first, others) = groups.split_first()?;
    let is_grouped = used.is_none_or(may_separate)
        && is_digits(first)
        && (others.is_empty() || first.len() <= 3)
        && others.iter().all(|group| group.len() == 3 && is_digits(group));
    if !is_grouped || !fraction.is_none_or(is_digits) {
        return None;
    }
    let plain = format!("{sign}{}.{}", groups.concat(), fraction.unwrap_or("0"));
    plain.parse().ok().filter(|value: &f64| value.is_finite())
}

/// A date with its day, month and year in this order or with the month first: `31.01.2026`, `1/31/2026 2:05 PM`,
/// `31-01-2026T14:05:09`. The year has four digits. `None` for other text.
pub(super) fn numeric_date(cell: &str, reading: Reading) -> Option<DateTime> {
    let (date, time) = match cell.split_once([' ', 'T', 't', ',']) {
        Some((date, time)) => (date, Some(time.trim_start())),
        None => (cell, None),
    };
    let separator = date.chars().find(|letter| !letter.is_ascii_digit())?;
    if !matches!(separator, '.' | '/' | '-') {
        return None;
    }
    let mut parts = date.split(separator);
    let [first, second, year] = [parts.next()?, parts.next()?, parts.next()?];
    let is_short = |part: &str| (1..=2).contains(&part.len());
    if parts.next().is_some() || !is_short(first) || !is_short(second) || year.len() != 4 {
        return None;
    }
    let (day, month) = if reading == Reading::DayFirst { (first, second) } else { (second, first) };
    let iso = format!("{year}-{month:0>2}-{day:0>2}");
    match time {
        None => date_time(iso.as_bytes()),
        Some(time) => date_time(format!("{iso} {}", full_time(time)?).as_bytes()),
    }
}

/// `2:05 PM`, `14:05:09`, `9:05+02:00` with two digits for the hour, of 24.
fn full_time(time: &str) -> Option<String> {
    let upper = time.to_ascii_uppercase();
    let half = ["AM", "PM"].into_iter().find_map(|half| Some((half, upper.strip_suffix(half)?.trim_end())));
    let Some((half, time)) = half else {
        return Some(if time.find(':') == Some(1) { format!("0{time}") } else { time.into() });
    };
    let (hour, rest) = time.split_once(':')?;
    let hour: u32 = hour.parse().ok().filter(|hour| (1..=12).contains(hour))?;
    let hour = hour % 12 + if half == "PM" { 12 } else { 0 };
    Some(format!("{hour:02}:{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_separators() {
        let check = |cell: &str, comma: Option<f64>, point: Option<f64>| {
            assert_eq!(grouped_number(cell, Reading::DecimalComma), comma, "{cell}, decimal comma");
            assert_eq!(grouped_number(cell, Reading::DecimalPoint), point, "{cell}, decimal point");
        };
        check("12", Some(12.0), Some(12.0));
        check("1,5", Some(1.5), None);
        check("1.5", None, Some(1.5));
        check("1,234", Some(1.234), Some(1234.0));
        check("1.234", Some(1234.0), Some(1.234));
        check("1.234,5", Some(1234.5), None);
        check("-1,234,567.25", None, Some(-1_234_567.25));
        check("1 234 567", Some(1_234_567.0), Some(1_234_567.0));
        check("12\u{202f}345,5", Some(12_345.5), None);
        check("1'234", Some(1234.0), Some(1234.0));
        for none in ["", "-", ",5", "5,", "1,23,456", "1234,567.5", "1.234.56,7", "1;234", "1e3", "a,b", "1 234'567"] {
            check(none, None, None);
        }
    }

    #[test]
    fn dates_with_the_year_last() {
        let check = |cell: &str, day_first: Option<&str>, month_first: Option<&str>| {
            let iso = |text: &str| date_time(text.as_bytes());
            assert_eq!(numeric_date(cell, Reading::DayFirst), day_first.and_then(iso), "{cell}, day first");
            assert_eq!(numeric_date(cell, Reading::MonthFirst), month_first.and_then(iso), "{cell}, month first");
        };
        check("31.01.2026", Some("2026-01-31"), None);
        check("1/31/2026 2:05 PM", None, Some("2026-01-31 14:05"));
        check("3/4/2026 12:00:01 am", Some("2026-04-03 00:00:01"), Some("2026-03-04 00:00:01"));
        check("03-04-2026T09:05:00Z", Some("2026-04-03T09:05:00Z"), Some("2026-03-04T09:05:00Z"));
        check("3.4.2026, 9:05", Some("2026-04-03 09:05"), Some("2026-03-04 09:05"));
        for none in [
            "",
            "3/4/26",
            "2026-01-31",
            "30.02.2026",
            "3/4",
            "3/4/2026 13:00 PM",
            "3/4/2026 25:00",
            "3/4-2026",
            "1.2.3.2026",
        ] {
            check(none, None, None);
        }
    }

    #[test]
    fn the_cells_of_a_column_decide_together() {
        let check = |cells: &[&str], expected: &[Reading], example: &str| {
            let mut styles = Styles::default();
            for cell in cells {
                match cell.parse::<f64>() {
                    Ok(_) => styles.add_plain(cell.as_bytes()),
                    Err(_) => drop(styles.add_odd(cell.as_bytes())),
                }
            }
            assert_eq!((styles.readings().as_slice(), styles.example()), (expected, example), "{cells:?}");
        };
        check(&["1", "2.5"], &[], "");
        check(&["03/04/2026", "05/06/2026"], &[Reading::DayFirst, Reading::MonthFirst], "03/04/2026");
        check(&["03/04/2026", "13/06/2026"], &[Reading::DayFirst], "13/06/2026");
        check(&["1,234", "5"], &[Reading::DecimalComma, Reading::DecimalPoint], "1,234");
        check(&["1,234", "2.5"], &[Reading::DecimalPoint], "1,234");
        check(&["1,234", "0,5"], &[Reading::DecimalComma], "0,5");
        check(&["noon", "two"], &[], "");
    }

    #[test]
    fn zones_are_written_as_they_are_read() {
        let check = |minutes: i16, expected: Option<&str>| {
            assert_eq!(Zone::ahead_by(minutes).map(|zone| zone.to_string()).as_deref(), expected, "{minutes}");
        };
        check(0, Some("UTC"));
        check(120, Some("+02:00"));
        check(-330, Some("-05:30"));
        check(1081, None);
    }
}
