//! Cells to values: numbers within their ranges, flags, text, and the advice on repairing a bad cell.

use std::borrow::Cow;

use elastiplan_model::{Cluster, limits};

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<T> {
    /// Empty, or a word for a missing value.
    Missing,
    /// Not a value of the wanted kind.
    Bad,
    /// A value.
    Is(T),
}

impl<T> Cell<T> {
    /// The value, if there is one.
    pub fn value(self) -> Option<T> {
        match self {
            Cell::Missing | Cell::Bad => None,
            Cell::Is(value) => Some(value),
        }
    }

    /// The value, converted.
    pub fn map<U>(self, next: impl FnOnce(T) -> U) -> Cell<U> {
        self.and_then(|value| Some(next(value)))
    }

    fn and_then<U>(self, next: impl FnOnce(T) -> Option<U>) -> Cell<U> {
        match self {
            Cell::Missing => Cell::Missing,
            Cell::Bad => Cell::Bad,
            Cell::Is(value) => next(value).map_or(Cell::Bad, Cell::Is),
        }
    }
}

/// A rule for the numbers of a column, as text and as a check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub rule: &'static str,
    holds: fn(f64) -> bool,
}

/// Any finite number.
pub(crate) const ANY: Range = Range { rule: "A number", holds: |_| true };
/// GPU counts.
pub(crate) const GPUS: Range =
    Range { rule: "Whole number from 1 to 65,536", holds: |value| is_whole(value, 1.0, limits::GPUS_MAX) };
/// Node counts, 0 included.
pub(crate) const NODES: Range =
    Range { rule: "Whole number from 0 to 65,536", holds: |value| is_whole(value, 0.0, Cluster::NODES_MAX) };
/// Batch sizes.
pub(crate) const BATCH: Range =
    Range { rule: "Whole number from 1 to 1,073,741,824", holds: |value| is_whole(value, 1.0, limits::BATCH_MAX) };
/// Points in time.
pub(crate) const TIME: Range =
    Range { rule: "Time in seconds, from 0 to 1e11", holds: |value| (0.0..=limits::TIME_MAX_S).contains(&value) };
/// Amounts of work.
pub(crate) const WORK: Range =
    Range { rule: "Number above 0, at most 1e18", holds: |value| value > 0.0 && value <= limits::WORK_MAX };
/// Priorities.
pub(crate) const PRIORITY: Range =
    Range { rule: "Number above 0, at most 1,000,000", holds: |value| value > 0.0 && value <= limits::PRIORITY_MAX };
/// Rescale costs.
pub(crate) const RESCALE: Range =
    Range { rule: "Seconds, from 0 to 31,536,000", holds: |value| (0.0..=limits::RESCALE_MAX_S).contains(&value) };
/// The nodes that GPUs are on; at most as many as there are GPUs, which the number alone does not show.
pub(crate) const NODES_OF_GPUS: Range =
    Range { rule: "Whole number from 1 to the number of GPUs", holds: |value| (GPUS.holds)(value) };
/// Throughputs: 0 where the model does not run.
pub(crate) const SPEED: Range =
    Range { rule: "Number from 0 to 1e18", holds: |value| (0.0..=limits::WORK_MAX).contains(&value) };
/// Numbers of weights; written with an exponent, they need not be whole.
pub(crate) const WEIGHTS: Range = WORK;
/// Times of a step of training.
pub(crate) const STEP: Range =
    Range { rule: "Seconds above 0, at most 1e9", holds: |value| value > 0.0 && value <= limits::LAW_TIME_MAX_S };
/// Synchronisation times of a step; less than the step takes, which the number alone does not show.
pub(crate) const SYNC: Range = Range {
    rule: "Seconds of 0 or more, less than the whole step takes",
    holds: |value| (0.0..limits::LAW_TIME_MAX_S).contains(&value),
};
/// GPUs that step times were measured on.
pub(crate) const GPUS_OF_STEPS: Range =
    Range { rule: "Whole number from 1 to 4,096", holds: |value| is_whole(value, 1.0, limits::LAW_GPUS_MAX) };
/// Squared norms and variances of gradients.
pub(crate) const GRADIENT: Range =
    Range { rule: "Number from 0 to 1e100", holds: |value| (0.0..=1e100).contains(&value) };
/// Flags.
pub(crate) const FLAG: &str = "0 or 1";

/// Whether a number is whole and in a range.
fn is_whole(value: f64, min: f64, max: u32) -> bool {
    value.fract() == 0.0 && (min..=f64::from(max)).contains(&value)
}

/// A number within a range.
pub(crate) fn number(cell: &[u8], range: Range) -> Cell<f64> {
    any_number(cell).and_then(|value| (range.holds)(value).then_some(value))
}

/// A whole number within a range that fits `u32`. `8.0` is a whole number: tables with gaps are often written so.
pub(crate) fn whole(cell: &[u8], range: Range) -> Cell<u32> {
    number(cell, range).and_then(|value| (value.fract() == 0.0 && value <= f64::from(u32::MAX)).then_some(value as u32))
}

/// A yes or a no.
pub(crate) fn flag(cell: &[u8]) -> Cell<bool> {
    let no = ["0", "false", "no", "0.0"].map(|word| (word, false));
    let yes = ["1", "true", "yes", "1.0"].map(|word| (word, true));
    word(cell, [no, yes].as_flattened())
}

/// One of some words, whatever their case.
pub(crate) fn word<T: Copy>(cell: &[u8], words: &[(&str, T)]) -> Cell<T> {
    match words.iter().find(|(word, _)| cell.eq_ignore_ascii_case(word.as_bytes())) {
        Some((_, value)) => Cell::Is(*value),
        None if is_missing(cell) => Cell::Missing,
        None => Cell::Bad,
    }
}

/// Any finite number.
fn any_number(cell: &[u8]) -> Cell<f64> {
    // Nearly all cells are short runs of digits: those are exact in a float, and quick.
    if !cell.is_empty() && cell.len() <= 15 && cell.iter().all(u8::is_ascii_digit) {
        let value = cell.iter().fold(0_u64, |sum, digit| sum * 10 + u64::from(digit - b'0'));
        return Cell::Is(value as f64);
    }
    if is_missing(cell) {
        return Cell::Missing;
    }
    let value = std::str::from_utf8(cell).ok().and_then(|text| text.parse::<f64>().ok());
    // Adding 0 turns the negative zero into the positive one.
    value.filter(|value| value.is_finite()).map_or(Cell::Bad, |value| Cell::Is(value + 0.0))
}

/// Whether a cell for a number says that there is none.
fn is_missing(cell: &[u8]) -> bool {
    const WORDS: [&str; 7] = ["nan", "na", "n/a", "null", "none", "-", "\u{2013}"];
    cell.is_empty() || WORDS.iter().any(|word| cell.eq_ignore_ascii_case(word.as_bytes()))
}

/// A cell's text; true if letters that cannot be read had to be replaced: bytes that are not UTF-8, and control characters.
pub(crate) fn text(cell: &[u8]) -> (Cow<'_, str>, bool) {
    let (text, replaced) = match std::str::from_utf8(cell) {
        Ok(text) => (text.into(), false),
        Err(_) => (String::from_utf8_lossy(cell), true),
    };
    let replaced = replaced || text.contains(is_control);
    (name(text), replaced)
}

/// A name as a table can hold it, so that it comes back the same from one. JSON and paths may hold more: a carriage return
/// is the end of a line, a byte-order mark counts as a blank, and control characters are replaced.
pub(crate) fn name(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(|letter: char| matches!(letter, '\r' | BYTE_ORDER_MARK) || is_control(letter)) {
        return text;
    }
    let lines = text.replace("\r\n", "\n").replace('\r', "\n").replace(is_control, "\u{fffd}");
    let is_blank = |letter: char| letter.is_ascii_whitespace() || letter == BYTE_ORDER_MARK;
    lines.trim_matches(is_blank).to_string().into()
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Whether a letter is one by which files are known not to be text.
fn is_control(letter: char) -> bool {
    u8::try_from(letter).is_ok_and(super::refusal::is_odd)
}

/// The advice on a cell that should hold a number and does not.
pub(crate) fn repair_number(cell: &[u8]) -> String {
    let (text, _) = text(cell);
    if is_missing(cell) {
        return "Fill in the value".into();
    }
    if text.parse::<f64>().is_ok_and(f64::is_finite) {
        return "Correct the value".into();
    }
    if text.parse::<f64>().is_ok() {
        return "Write a finite number".into();
    }
    comma(&text).or_else(|| separators(&text)).or_else(|| date(&text)).or_else(|| unit(&text)).unwrap_or_else(|| {
        let formula = text.starts_with(['=', '#']);
        if formula { "Save the values, not the formulas" } else { "Write a number" }.into()
    })
}

/// `1,5` and `1,234`: a decimal comma, or a separator of thousands, or either.
fn comma(text: &str) -> Option<String> {
    let plain: String = text.chars().filter(|&letter| letter != ',').collect();
    if !text.contains(',') {
        return None;
    }
    if let Some((whole, part)) = text.rsplit_once([',', '.']).filter(|_| text.contains('.')) {
        let whole: String = whole.chars().filter(|letter| !matches!(letter, ',' | '.')).collect();
        return (is_digits(&whole) && is_digits(part)).then(|| format!("Write {whole}.{part}"));
    }
    if !is_digits(&plain) {
        return None;
    }
    let thousands = text.split(',').skip(1).all(|group| group.len() == 3) && !plain.starts_with('0');
    let single = text.matches(',').count() == 1;
    let point = text.replacen(',', ".", 1);
    Some(match (thousands, single) {
        (true, true) => format!("Write {plain} or {point}: a comma can mean either"),
        (true, false) => format!("Write {plain}, without separators"),
        (false, true) => format!("Write {point}, with a decimal point"),
        (false, false) => "Write the number without commas".into(),
    })
}

/// `1 234`, `1'234`, `1_234`.
fn separators(text: &str) -> Option<String> {
    let is_separator = |letter: &char| matches!(letter, ' ' | '\'' | '_' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '’');
    let plain: String = text.chars().filter(|letter| !is_separator(letter)).collect();
    let number = plain.len() < text.len() && is_digits(&plain) && plain.len() < 20;
    number.then(|| format!("Write {plain}, without separators"))
}

/// `12:40`, `2024-01-31`, `31.01.2024`, `1/31/24`.
fn date(text: &str) -> Option<String> {
    let parts = text.split([':', '-', '/', '.', ' ', 'T', 'Z', '+']).filter(|part| !part.is_empty());
    let (mut count, mut digits) = (0, true);
    for part in parts {
        count += 1;
        digits &= is_digits(part);
    }
    let is_date = digits && (count >= 3 || (count == 2 && text.contains(':')));
    is_date.then(|| "Write seconds, counted from a moment of your choice".into())
}

/// `8 GPUs`, `30s`, `$5`.
fn unit(text: &str) -> Option<String> {
    let start = text.find(|letter: char| letter.is_ascii_digit())?;
    let (_, rest) = text.split_at_checked(start)?;
    let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
    let (number, after) = rest.split_at_checked(end)?;
    let alone = !after.contains(|letter: char| letter.is_ascii_digit()) && start <= 2 && number.len() < 20;
    (alone && number.parse::<f64>().is_ok()).then(|| format!("Write the number alone: {number}"))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A cell as a diagnostic shows it: short, on one line, `empty` for nothing.
pub(crate) fn shown(cell: &[u8]) -> String {
    const LETTERS: usize = 40;
    // Cut before decoding: a cell may be large. Four bytes a letter at most.
    let cut = cell.get(..LETTERS * 4 + 4).unwrap_or(cell);
    let text = String::from_utf8_lossy(cut);
    let mut letters = text.trim().chars().map(|letter| if letter.is_control() { '\u{b7}' } else { letter });
    let mut short: String = letters.by_ref().take(LETTERS).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    if short.is_empty() { "empty".into() } else { short }
}

/// The first names of a list.
pub(crate) fn first_names(names: &[&str]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| short(name)).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A name, shortened if long.
pub(crate) fn short(name: &str) -> String {
    shown(name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let read = |text: &str| number(text.as_bytes(), TIME);
        assert_eq!(read("12"), Cell::Is(12.0));
        assert_eq!(read("1e3"), Cell::Is(1000.0));
        assert_eq!(read("+0.5"), Cell::Is(0.5));
        assert_eq!(read("99999999999999999999"), Cell::Bad);
        assert_eq!(read("-1"), Cell::Bad);
        assert!(matches!(read("-0"), Cell::Is(zero) if zero.is_sign_positive()));
        for missing in ["", "nan", "NaN", "N/A", "NULL", "none", "-"] {
            assert_eq!(read(missing), Cell::Missing, "{missing}");
        }
        for bad in ["inf", "-Infinity", "1,5", "0x10", "12:40", "ten", "1 2", "\u{661}"] {
            assert_eq!(read(bad), Cell::Bad, "{bad}");
        }
        assert_eq!(number(b"9223372036854775807", WORK), Cell::Bad);
        assert_eq!(number(b"0", WORK), Cell::Bad);
    }

    #[test]
    fn whole_numbers() {
        let read = |text: &str| whole(text.as_bytes(), GPUS);
        assert_eq!(read("8"), Cell::Is(8));
        assert_eq!(read("8.0"), Cell::Is(8));
        assert_eq!(read("1e1"), Cell::Is(10));
        for bad in ["0", "2.5", "65537", "1e300", "-4"] {
            assert_eq!(read(bad), Cell::Bad, "{bad}");
        }
    }

    #[test]
    fn flags() {
        assert_eq!(flag(b"TRUE"), Cell::Is(true));
        assert_eq!(flag(b"0"), Cell::Is(false));
        assert_eq!(flag(b""), Cell::Missing);
        assert_eq!(flag(b"maybe"), Cell::Bad);
    }

    #[test]
    fn repairs() {
        let cases = [
            ("", "Fill in the value"),
            ("1e300", "Correct the value"),
            ("inf", "Write a finite number"),
            ("1,5", "Write 1.5, with a decimal point"),
            ("1,234", "Write 1234 or 1.234: a comma can mean either"),
            ("1,234,567", "Write 1234567, without separators"),
            ("1.234,5", "Write 1234.5"),
            ("1,234.5", "Write 1234.5"),
            ("1 234", "Write 1234, without separators"),
            ("1'234", "Write 1234, without separators"),
            ("12:40", "Write seconds, counted from a moment of your choice"),
            ("2024-01-31T12:40:00Z", "Write seconds, counted from a moment of your choice"),
            ("8 GPUs", "Write the number alone: 8"),
            ("30s", "Write the number alone: 30"),
            ("#DIV/0!", "Save the values, not the formulas"),
            ("eight", "Write a number"),
        ];
        for (cell, repair) in cases {
            assert_eq!(repair_number(cell.as_bytes()), repair, "{cell}");
        }
    }

    #[test]
    fn shown_is_short_and_on_one_line() {
        assert_eq!(shown(b"  "), "empty");
        assert_eq!(shown(b"a\nb\0c"), "a·b·c");
        assert_eq!(shown("ä".repeat(1000).as_bytes()).chars().count(), 41);
        assert_eq!(shown(b"\xff\xfe"), "\u{fffd}\u{fffd}");
    }
}
