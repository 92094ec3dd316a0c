//! Cells of Markdown tables, and the numbers in them.

use elastiplan_text::number;

/// The cells of a line of a table, without blanks and marks of emphasis.
pub(super) fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut cells = vec![String::new()];
    let mut escaped = false;
    for letter in line.chars() {
        match letter {
            '|' if !escaped => cells.push(String::new()),
            '*' | '`' | '\\' => {}
            letter => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(letter);
                }
            }
        }
        escaped = letter == '\\' && !escaped;
    }
    if cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    cells.iter().map(|cell| plain(cell)).collect()
}

/// A cell without line breaks of HTML and targets of links.
fn plain(cell: &str) -> String {
    let cell = cell.replace("<br>", " ").replace("<br/>", " ").replace("&nbsp;", " ");
    let text = match (cell.find('['), cell.find("](")) {
        (Some(open), Some(close)) if open < close => {
            let after = cell.get(close..).and_then(|rest| rest.split_once(')')).map_or("", |(_, after)| after);
            format!("{}{}{after}", cell.get(..open).unwrap_or(""), cell.get(open + 1..close).unwrap_or(""))
        }
        _ => cell,
    };
    text.trim().into()
}

/// Whether a line is the rule below a table's header: `|:---:|---|`.
pub(super) fn is_rule(line: &str) -> bool {
    line.contains('|') && line.contains('-') && line.bytes().all(|byte| b"|:- \t".contains(&byte))
}

/// A heading, with its level.
pub(super) fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let name = text.trim().trim_end_matches('#').trim();
    ((1..=6).contains(&level) && text.starts_with(' ') && !name.is_empty()).then_some((level, name))
}

/// GPUs of a row.
#[derive(Debug, PartialEq)]
pub(super) struct Gpus {
    pub count: u32,
    /// The GPU type, where the cell names it beside the number: `8x A100`.
    pub type_in_cell: Option<String>,
}

/// A number of GPUs, which a type may follow.
pub(super) fn gpus(cell: &str) -> Option<Gpus> {
    let end = cell.find(|letter: char| !letter.is_ascii_digit() && letter != ',').unwrap_or(cell.len());
    let (digits, rest) = cell.split_at_checked(end)?;
    let count = whole(digits).filter(|count| (1..=elastiplan_model::limits::GPUS_MAX).contains(count))?;
    let rest = rest.trim();
    let name = rest.strip_prefix(['x', 'X', '×']).map(str::trim);
    let is_word = matches!(rest.to_ascii_lowercase().as_str(), "" | "gpu" | "gpus");
    match name {
        Some(name) if !name.is_empty() => Some(Gpus { count, type_in_cell: Some(name.into()) }),
        None if is_word => Some(Gpus { count, type_in_cell: None }),
        _ => None,
    }
}

/// A whole number above 0, with commas between thousands.
pub(super) fn whole(text: &str) -> Option<u32> {
    let value = separated(text.trim())?;
    (value >= 1.0 && value <= f64::from(u32::MAX) && value.trunc() == value).then_some(value as u32)
}

/// A number with a decimal point and, between thousands, commas or nothing: `16,621.5`.
fn separated(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let others: Vec<&str> = groups.collect();
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let in_thousands =
        others.is_empty() || (1..=3).contains(&first.len()) && others.iter().all(|group| group.len() == 3);
    let digits = [first, &others.concat()].concat();
    if digits.is_empty() || !in_thousands || !is_digits(&digits) || !is_digits(fraction) {
        return None;
    }
    number(&format!("{digits}.{fraction}0"))
}

/// Whether a cell says that there is no value.
pub(super) fn is_missing(cell: &str) -> bool {
    matches!(cell.trim().to_ascii_lowercase().as_str(), "" | "-" | "–" | "—" | "n/a" | "na" | "tbd" | "none")
}

/// Texts that say that a model does not run on so many GPUs.
const DOES_NOT_RUN: [&str; 4] = ["oom", "out of memory", "does not fit", "not runnable"];
/// Units of what a step is made of, for words such as `img/s`.
pub(super) const UNITS: [&str; 24] = [
    "img",
    "imgs",
    "image",
    "images",
    "sample",
    "samples",
    "seq",
    "seqs",
    "sequence",
    "sequences",
    "sentence",
    "sentences",
    "token",
    "tokens",
    "tok",
    "word",
    "words",
    "frame",
    "frames",
    "item",
    "items",
    "example",
    "examples",
    "records",
];

/// Whether a text says a unit of throughput, in lower case: `img/s`, `tokens per second`, `fps`.
pub(super) fn says_unit(text: &str) -> bool {
    let per_second = ["/s", "/ s", "per s", "/gpu/s", "fps", "ips"];
    let per_other = ["/step", "/sample", "/sequence", "/seq", "per sample", "per step", "per seq", "ips_"];
    per_second.iter().any(|unit| text.contains(unit)) && !per_other.iter().any(|unit| text.contains(unit))
}

/// A throughput in its unit per second; `Some(None)` where the model does not run, `None` where there is none.
/// `header_says_unit` is whether the column's name has the unit; a number alone counts in any case.
pub(super) fn speed(cell: &str, header_says_unit: bool) -> Option<Option<f64>> {
    let cell = cell.trim().trim_start_matches(['~', '≈']).trim().to_ascii_lowercase();
    if DOES_NOT_RUN.contains(&cell.as_str()) {
        return Some(None);
    }
    let cell = cell.split('±').next().unwrap_or_default().trim();
    let is_digit = |letter: char| letter.is_ascii_digit() || matches!(letter, ',' | '.');
    let (digits, unit) = cell.split_at_checked(cell.find(|letter| !is_digit(letter)).unwrap_or(cell.len()))?;
    let (scale, unit) =
        match unit.strip_prefix('k').map(|rest| (1e3, rest)).or(unit.strip_prefix('m').map(|rest| (1e6, rest))) {
            Some((scale, rest)) if !rest.starts_with(|letter: char| letter.is_ascii_alphabetic()) => (scale, rest),
            _ => (1.0, unit),
        };
    let unit = unit.trim();
    let is_unit = unit.is_empty() || says_unit(unit) || header_says_unit && UNITS.contains(&unit);
    let value = separated(digits).map(|value| value * scale)?;
    let is_speed = is_unit && value > 0.0 && value <= elastiplan_model::limits::WORK_MAX;
    is_speed.then_some(Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_without_marks() {
        let check = |line: &str, expected: &[&str]| assert_eq!(cells(line), expected, "{line}");
        check("| **GPUs** | a\\|b |", &["GPUs", "a|b"]);
        check("GPUs | [TF32](https://x.y/z) img/s", &["GPUs", "TF32 img/s"]);
        check("|  | 1<br>2 | `x` |", &["", "1 2", "x"]);
        check("", &[]);
    }

    #[test]
    fn throughputs_with_units_and_separators() {
        let check = |cell: &str, expected: Option<f64>| assert_eq!(speed(cell, true), expected.map(Some), "{cell}");
        check("938 img/s", Some(938.0));
        check("16,621", Some(16_621.0));
        check("1,234,567.5 tokens/sec", Some(1_234_567.5));
        check("~2.5k", Some(2500.0));
        check("1.2M tok/s", Some(1.2e6));
        check("1.5 mixed", None);
        check("120 ± 4", Some(120.0));
        check("12,5", None);
        check("1.234,5", None);
        check("2.63 x", None);
        check("3 hours", None);
        check("12 ms/step", None);
        check("0", None);
        check("-5", None);
        check("", None);
        check("-", None);
        check("1e400", None);
        check(&"9".repeat(400), None);
        assert_eq!(speed("OOM", false), Some(None));
    }

    #[test]
    fn numbers_of_gpus() {
        let check = |cell: &str, expected: Option<(u32, Option<&str>)>| {
            let found = gpus(cell).map(|gpus| (gpus.count, gpus.type_in_cell));
            assert_eq!(found, expected.map(|(count, name)| (count, name.map(String::from))), "{cell}");
        };
        check("8", Some((8, None)));
        check("1,024", Some((1024, None)));
        check("16 GPUs", Some((16, None)));
        check("8x A100 80GB", Some((8, Some("A100 80GB"))));
        check("8×V100", Some((8, Some("V100"))));
        check("0", None);
        check("8x", None);
        check("A100", None);
        check("70000", None);
        check("8 nodes", None);
    }

    #[test]
    fn headings() {
        assert_eq!(heading("## ResNet-50 ##"), Some((2, "ResNet-50")));
        assert_eq!(heading("#tag"), None);
        assert_eq!(heading("####### seven"), None);
        assert_eq!(heading("text"), None);
    }
}
