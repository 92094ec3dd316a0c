//! Numbers in a query: counts, and times with units.

use super::error::Problem;
use super::terms::TermInfo;

/// Units of time, longest first.
const UNITS: [(char, f64); 4] = [('d', 86_400.0), ('h', 3_600.0), ('m', 60.0), ('s', 1.0)];

/// Beyond this, seconds are written without other units: whole numbers are no longer exact.
const WHOLE_S: f64 = 1e15;

/// A whole number.
pub(super) fn count(text: &str, term: &TermInfo) -> Result<f64, Problem> {
    let not_a_count = || Problem::NotACount { value: text.into(), example: term.example };
    text.parse::<u32>().ok().filter(|_| !text.starts_with('+')).map(f64::from).ok_or_else(not_a_count)
}

/// A time in seconds: `90s`, `1.5h`, `1h30m`, `-10m`. A 0 needs no unit.
pub(super) fn time_s(text: &str, example: &'static str) -> Result<f64, Problem> {
    let unsigned = text.strip_prefix('-').or_else(|| text.strip_prefix('−'));
    let (mut rest, sign) = unsigned.map_or((text, 1.0), |unsigned| (unsigned, -1.0));
    let not_a_time = || Problem::NotATime { value: text.into(), example };
    let mut sum_s = 0.0;
    let mut units = UNITS.iter();
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !(letter.is_ascii_digit() || letter == '.')).unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        let number: f64 = elastiplan_text::number(number).ok_or_else(not_a_time)?;
        let mut letters = after.chars();
        let Some(letter) = letters.next() else {
            let is_bare = unsigned.unwrap_or(text) == rest;
            return match (is_bare, number == 0.0) {
                (true, true) => Ok(0.0),
                (true, false) => Err(Problem::NoUnit { value: text.into() }),
                (false, _) => Err(not_a_time()),
            };
        };
        // Units get smaller: none stands twice.
        let (_, unit_s) = units.find(|(unit, _)| *unit == letter.to_ascii_lowercase()).ok_or_else(not_a_time)?;
        sum_s += number * unit_s;
        rest = letters.as_str().trim_start();
    }
    let is_time = text.chars().any(|letter| letter.is_ascii_digit()) && sum_s.is_finite();
    // Adding 0 makes the negative zero 0.
    is_time.then_some(sign * sum_s + 0.0).ok_or_else(not_a_time)
}

/// A time as it is read again, to the bit.
pub(super) fn written(time_s: f64) -> String {
    let (sign, mut left_s) = (if time_s < 0.0 { "-" } else { "" }, time_s.abs());
    if left_s == 0.0 {
        return "0s".into();
    }
    if left_s.fract() != 0.0 || left_s > WHOLE_S {
        return format!("{sign}{left_s}s");
    }
    let mut text = sign.to_string();
    for (unit, unit_s) in UNITS {
        let units = (left_s / unit_s).floor();
        left_s -= units * unit_s;
        if units > 0.0 {
            text += &format!("{units}{unit}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<f64, Problem> {
        time_s(text, "jct>2h")
    }

    #[test]
    fn times_are_written_with_units() {
        let check = |text: &str, seconds: f64, again: &str| {
            assert_eq!(read(text), Ok(seconds), "{text}");
            assert_eq!(written(seconds), again, "{text}");
        };
        check("90s", 90.0, "1m30s");
        check("1.5h", 5400.0, "1h30m");
        check("1h30m", 5400.0, "1h30m");
        check("1h 30m", 5400.0, "1h30m");
        check("2D", 172_800.0, "2d");
        check("0", 0.0, "0s");
        check("-0s", 0.0, "0s");
        check("-10m", -600.0, "-10m");
        check("−10m", -600.0, "-10m");
        check("0.25s", 0.25, "0.25s");
        check("1d01h", 90_000.0, "1d1h");
    }

    #[test]
    fn everything_else_is_refused() {
        let check = |text: &str| assert!(matches!(read(text), Err(Problem::NotATime { .. })), "{text}");
        for text in ["", "-", "h", "2x", "1h1h", "30m1h", "1h30", "1.2.3h", "--1h", "1e3s", "inf", "NaNs"] {
            check(text);
        }
        check(&format!("{}h", "9".repeat(400)));
        assert_eq!(read("2"), Err(Problem::NoUnit { value: "2".into() }));
        assert_eq!(read("-2.5"), Err(Problem::NoUnit { value: "-2.5".into() }));
    }
}
