//! Times of an availability log: seconds, or date and time.
//!
//! Date and time are read here, without a crate: logs write them in one shape and mostly without a time zone, so that
//! of a calendar no more than the count of days is needed, and the page is the smaller for it.

use crate::text::values::{self, Cell};

/// The way in which the times of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Seconds,
    DateTimes { has_zone: bool },
}

/// The clock of a file. Its times are whole numbers of microseconds where the file has date and time, so that they can
/// be compared and subtracted without a rounding; else seconds.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    /// That of the first time.
    kind: Option<Kind>,
}

/// The content of a cell that should hold a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reading {
    /// Empty, or a word for a missing value.
    Missing,
    /// Not a time.
    Bad,
    /// A time, but not of the kind that the file began with.
    OtherKind,
    /// A time on the clock of the file.
    Is(f64),
    /// The same, but with a time zone where the first has none, or the reverse. Without one it is taken as UTC.
    OtherZone(f64),
}

impl Clock {
    /// Reads a cell; the first time of a file decides how all are written.
    pub fn read(&mut self, cell: &[u8]) -> Reading {
        let (kind, time) = match date_time(cell) {
            Some(DateTime { micros, has_zone }) => (Kind::DateTimes { has_zone }, micros as f64),
            None => match values::number(cell, values::TIME) {
                Cell::Is(seconds) => (Kind::Seconds, seconds),
                Cell::Missing => return Reading::Missing,
                // Data frames write it for a missing time.
                Cell::Bad if cell.eq_ignore_ascii_case(b"nat") => return Reading::Missing,
                Cell::Bad => return Reading::Bad,
            },
        };
        match (*self.kind.get_or_insert(kind), kind) {
            (first, kind) if first == kind => Reading::Is(time),
            (Kind::DateTimes { .. }, Kind::DateTimes { .. }) => Reading::OtherZone(time),
            _ => Reading::OtherKind,
        }
    }

    /// Seconds: as the file has them, or since `first` where it has date and time.
    pub fn seconds(&self, time: f64, first: f64) -> f64 {
        match self.kind {
            Some(Kind::DateTimes { .. }) => (time - first) / 1e6,
            Some(Kind::Seconds) | None => time,
        }
    }
}

/// The years that are read: within them microseconds are exact in a float.
const YEARS: std::ops::RangeInclusive<i64> = 1700..=2200;

/// A date and time that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DateTime {
    /// Microseconds since 1970, UTC where no zone is given.
    pub micros: i64,
    /// Whether a zone is given.
    pub has_zone: bool,
}

/// `2021-02-10`, `2021-02-10 20:21`, `2021-02-10T20:21:15.5Z`, `2021-02-10 20:21:15+01:00`.
pub(crate) fn date_time(cell: &[u8]) -> Option<DateTime> {
    let mut text = Text(cell);
    let year = text.number(4).filter(|year| YEARS.contains(year))?;
    text.skip(b"-")?;
    let month = text.number(2)?;
    text.skip(b"-")?;
    let day = text.number(2)?;
    if !(1..=days_in(year, month)?).contains(&day) {
        return None;
    }
    let mut micros = days_since_1970(year, month, day) * 24 * 3_600_000_000;
    let mut has_zone = false;
    if text.skip(b" Tt").is_some() {
        micros += time_of_day(&mut text)?;
        has_zone = !text.0.is_empty();
        micros -= zone(&mut text)?;
    }
    text.0.is_empty().then_some(DateTime { micros, has_zone })
}

/// The day of a moment in seconds since 1970, in UTC: `2026-07-01`.
pub(crate) fn date_text(epoch_s: f64) -> String {
    // Years begin in March, as in `days_since_1970`.
    let since_year_0 = (epoch_s / 86_400.0).floor() as i64 + 719_468;
    let (era, of_era) = (since_year_0.div_euclid(146_097), since_year_0.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Microseconds of `20:21` or `20:21:15.5`.
fn time_of_day(text: &mut Text<'_>) -> Option<i64> {
    let hours = text.number(2).filter(|&hours| hours < 24)?;
    text.skip(b":")?;
    let minutes = text.number(2).filter(|&minutes| minutes < 60)?;
    let mut micros = (hours * 60 + minutes) * 60_000_000;
    if text.skip(b":").is_some() {
        micros += text.number(2).filter(|&seconds| seconds < 60)? * 1_000_000;
        if text.skip(b".").is_some() {
            micros += text.fraction()?;
        }
    }
    Some(micros)
}

/// Microseconds that a time is ahead of UTC: none for `Z` and where no zone is given.
fn zone(text: &mut Text<'_>) -> Option<i64> {
    let sign = match text.skip(b"Zz+-") {
        Some(b'+') => 1,
        Some(b'-') => -1,
        _ => return Some(0),
    };
    let hours = text.number(2).filter(|&hours| hours < 24)?;
    let colon = text.skip(b":").is_some();
    let minutes = if colon || !text.0.is_empty() { text.number(2).filter(|&minutes| minutes < 60)? } else { 0 };
    Some(sign * (hours * 60 + minutes) * 60_000_000)
}

/// Days of a month; `None` for a month that is none.
fn days_in(year: i64, month: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => Some(if leap { 29 } else { 28 }),
        4 | 6 | 9 | 11 => Some(30),
        1..=12 => Some(31),
        _ => None,
    }
}

/// Days from 1970 to a date, with years that begin in March: the leap day is then the last of its year.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year * 365 + year / 4 - year / 100 + year / 400 + day_of_year - 719_468
}

/// Text that is taken apart from its start.
struct Text<'t>(&'t [u8]);

impl Text<'_> {
    /// A number of exactly so many digits.
    fn number(&mut self, digits: usize) -> Option<i64> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        let add = |sum: i64, byte: &u8| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0'));
        let value = number.iter().try_fold(0, add)?;
        self.0 = rest;
        Some(value)
    }

    /// Digits after the point, as microseconds; smaller parts are cut off.
    fn fraction(&mut self) -> Option<i64> {
        let (mut micros, mut unit) = (0, 1_000_000);
        while let Some(digit) = self.number(1) {
            unit /= 10;
            micros += digit * unit;
        }
        (unit < 1_000_000).then_some(micros)
    }

    /// Moves past one of these bytes, if one comes next.
    fn skip(&mut self, any: &[u8]) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        if !any.contains(&first) {
            return None;
        }
        self.0 = rest;
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times() {
        let cases = [
            ("1970-01-01", 0),
            ("1970-01-02 00:00", 86_400_000_000),
            ("1969-12-31 23:59:59", -1_000_000),
            ("2000-02-29T00:00:00", 951_782_400_000_000),
            ("2021-02-10 20:21:15", 1_612_988_475_000_000),
            ("2021-02-10 20:21:15.25", 1_612_988_475_250_000),
            ("2021-02-10T20:21:15.1234567Z", 1_612_988_475_123_456),
            ("2021-02-10 21:21:15+01:00", 1_612_988_475_000_000),
            ("2021-02-10T14:51:15-0530", 1_612_988_475_000_000),
            ("2021-02-10T22:21:15+02", 1_612_988_475_000_000),
            ("2100-03-01 00:00:00", 4_107_542_400_000_000),
        ];
        for (text, micros) in cases {
            let has_zone = text.ends_with('Z') || text.contains('+') || text.ends_with("-0530");
            assert_eq!(date_time(text.as_bytes()), Some(DateTime { micros, has_zone }), "{text}");
        }
    }

    #[test]
    fn days_follow_one_another() {
        let mut expected = days_since_1970(1700, 1, 1);
        for (year, month) in (1700..=2200).flat_map(|year| (1..=12).map(move |month| (year, month))) {
            for day in 1..=days_in(year, month).unwrap() {
                assert_eq!(days_since_1970(year, month, day), expected, "{year}-{month}-{day}");
                expected += 1;
            }
        }
    }

    #[test]
    fn days_as_text() {
        for text in ["1970-01-01", "1969-12-31", "2000-02-29", "2026-07-01", "1700-01-01", "2200-12-31"] {
            let micros = date_time(text.as_bytes()).unwrap().micros;
            assert_eq!(date_text(micros as f64 / 1e6 + 86_399.0), text);
        }
    }

    #[test]
    fn no_dates() {
        for text in [
            "",
            "2021",
            "2021-02",
            "2021-02-29",
            "2021-13-01",
            "2021-00-01",
            "2021-01-00",
            "1699-12-31",
            "2201-01-01",
            "21-02-10",
            "2021-2-10",
            "2021-02-10 ",
            "2021-02-10 20",
            "2021-02-10 24:00:00",
            "2021-02-10 20:60:00",
            "2021-02-10 20:21:60",
            "2021-02-10 20:21:15.",
            "2021-02-10 20:21:15,5",
            "2021-02-10 20:21:15+1",
            "2021-02-10 20:21:15 PM",
            "10.02.2021 20:21",
            "2021-02-10 +1:21:15",
        ] {
            assert_eq!(date_time(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_first_time_decides_how_all_are_written() {
        let mut clock = Clock::default();
        assert_eq!(clock.read(b""), Reading::Missing);
        assert_eq!(clock.read(b"noon"), Reading::Bad);
        assert_eq!(clock.read(b"-1"), Reading::Bad);
        assert_eq!(clock.read(b"1.5"), Reading::Is(1.5));
        assert_eq!(clock.read(b"1970-01-01"), Reading::OtherKind);
        assert_eq!(clock.seconds(1.5, 1.0), 1.5);

        let mut clock = Clock::default();
        assert_eq!(clock.read(b"1970-01-01 00:00:01.5"), Reading::Is(1_500_000.0));
        assert_eq!(clock.read(b"1"), Reading::OtherKind);
        assert_eq!(clock.read(b"NaT"), Reading::Missing);
        assert_eq!(clock.seconds(1_500_000.0, 200_000.0), 1.3);
    }

    #[test]
    fn the_first_time_decides_whether_zones_are_given() {
        let mut clock = Clock::default();
        assert_eq!(clock.read(b"1970-01-01T00:00:01Z"), Reading::Is(1_000_000.0));
        assert_eq!(clock.read(b"1970-01-01T01:00:02+01:00"), Reading::Is(2_000_000.0));
        assert_eq!(clock.read(b"1970-01-01 00:00:03"), Reading::OtherZone(3_000_000.0));
        assert_eq!(clock.read(b"1970-01-02"), Reading::OtherZone(86_400_000_000.0));

        let mut clock = Clock::default();
        assert_eq!(clock.read(b"1970-01-01"), Reading::Is(0.0));
        assert_eq!(clock.read(b"1970-01-01 01:00:02+01:00"), Reading::OtherZone(2_000_000.0));
    }
}
