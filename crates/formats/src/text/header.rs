//! The header of a table: which columns there are, and which a format needs.

use std::collections::BTreeMap;

use crate::text::clock::date_time;
use crate::text::values;

/// A column of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Column {
    pub index: usize,
    /// Its name as the file spells it.
    pub name: String,
}

/// The first line of a table.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    /// Its line, counted from 1.
    pub line: u64,
    pub delimiter: u8,
    /// The names as the file spells them, without blanks around them; empty for a column without a name.
    pub names: Vec<String>,
    /// The names as they are compared: lower case, blanks and hyphens as underscores.
    plain: Vec<String>,
    /// Whether the rows below hold times and states of nodes.
    pub has_states: bool,
}

impl Header {
    pub fn new<'c>(line: u64, delimiter: u8, cells: impl Iterator<Item = &'c [u8]>) -> Self {
        // Blanks of other alphabets, too, which a person does not see in a name of a column.
        let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{feff}';
        let name = |cell: &[u8]| values::name(String::from_utf8_lossy(cell)).trim_matches(is_blank).to_string();
        let names: Vec<String> = cells.map(name).collect();
        let plain = names.iter().map(|name| name.to_lowercase().replace([' ', '-'], "_")).collect();
        Self { line, delimiter, names, plain, has_states: false }
    }

    /// A header of rows that are made: unnamed columns, then those of these plain names, each with the name that findings
    /// give it.
    pub fn labelled<'n>(
        line: u64,
        delimiter: u8,
        unnamed: usize,
        columns: impl Iterator<Item = (&'n str, &'n str)>,
    ) -> Self {
        let mut plain = vec![String::new(); unnamed];
        let mut names = plain.clone();
        for (own, name) in columns {
            plain.push(own.into());
            names.push(name.into());
        }
        Self { line, delimiter, names, plain, has_states: false }
    }

    /// The number of columns, without unnamed ones at the end.
    pub fn width(&self) -> usize {
        self.names.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1)
    }

    /// The number of columns with a name.
    pub fn named(&self) -> u32 {
        self.names.iter().filter(|name| !name.is_empty()).count() as u32
    }

    /// The name of a column as it is compared; `None` for one without a name.
    pub fn plain_name(&self, index: usize) -> Option<&str> {
        self.plain.get(index).map(String::as_str).filter(|plain| !plain.is_empty())
    }

    /// The first column called `name`.
    pub fn find(&self, name: &str) -> Option<Column> {
        self.plain.iter().position(|plain| plain == name).and_then(|index| self.column(index))
    }

    /// The columns of these plain names; `None` if one is missing.
    pub fn find_all<const N: usize>(&self, plain: [&str; N]) -> Option<[Column; N]> {
        plain.iter().map(|name| self.find(name)).collect::<Option<Vec<_>>>()?.try_into().ok()
    }

    /// The first column that has one of the names, the first name first.
    pub fn find_any(&self, names: &[&str]) -> Option<Column> {
        names.iter().find_map(|name| self.find(name))
    }

    /// A column by its index.
    pub fn column(&self, index: usize) -> Option<Column> {
        self.names.get(index).map(|name| Column { index, name: name.clone() })
    }

    /// Columns for which `uses` finds no use by their index and plain name, except unnamed ones.
    pub fn unused(&self, uses: impl Fn(usize, &str) -> bool) -> Vec<&str> {
        let pairs = self.plain.iter().zip(&self.names).enumerate();
        let unused = pairs.filter(|(index, (plain, _))| !plain.is_empty() && !uses(*index, plain));
        unused.map(|(_, (_, name))| name.as_str()).collect()
    }

    /// Names that occur more than once, each at the column that repeats it first.
    pub fn repeated(&self) -> Vec<Column> {
        self.nth_of_name(2)
    }

    /// The columns at which their name occurs for this time, counted from 1.
    fn nth_of_name(&self, nth: u32) -> Vec<Column> {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        let mut is_nth = |name| {
            let count = counts.entry(name).or_default();
            *count += 1;
            *count == nth
        };
        let named = self.plain.iter().enumerate().filter(|(_, name)| !name.is_empty());
        named.filter(|(_, name)| is_nth(name.as_str())).filter_map(|(index, _)| self.column(index)).collect()
    }

    /// Whether the line holds values instead of names: at least two columns and half of them numbers or dates.
    pub fn looks_like_data(&self) -> bool {
        let is_number = |name: &str| name.parse::<f64>().is_ok_and(f64::is_finite);
        let is_value = |name: &&String| is_number(name) || date_time(name.as_bytes()).is_some();
        let numbers = self.names.iter().filter(is_value).count();
        self.names.len() >= 2 && numbers * 2 >= self.names.len()
    }

    /// The column whose name comes closest to one of `wanted`, among those that `free` allows.
    pub fn closest(&self, wanted: &[&str], free: impl Fn(&str) -> bool) -> Option<&str> {
        let candidates = self.plain.iter().zip(&self.names).filter(|(plain, _)| !plain.is_empty() && free(plain));
        let rated = candidates.filter_map(|(plain, name)| {
            let rate = |wanted: &&str| likeness(plain, wanted);
            wanted.iter().filter_map(rate).min().map(|distance| (distance, name.as_str()))
        });
        rated.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
    }
}

/// The distance of a name from the wanted one; `None` if they are not alike. A name that contains the other, as in
/// `num_gpus` and `gpus`, counts as near.
fn likeness(name: &str, wanted: &str) -> Option<usize> {
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    let distance = strsim::levenshtein(name, wanted);
    if distance <= 2.max(wanted.len() / 3) && distance < wanted.len().min(name.len()) {
        Some(distance)
    } else if name.len() >= 2 && (name.contains(wanted) || wanted.contains(name)) {
        Some(LONGEST)
    } else {
        None
    }
}

/// The columns of a format, by their plain names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec {
    /// Each is needed, under one of its names.
    pub required: &'static [&'static [&'static str]],
    /// Known, but not needed.
    pub optional: &'static [&'static str],
}

impl Spec {
    /// No columns.
    pub const NONE: Self = Self { required: &[], optional: &[] };

    /// Whether the format knows the column.
    pub fn knows(&self, plain: &str) -> bool {
        self.optional.contains(&plain) || self.required.iter().any(|names| names.contains(&plain))
    }

    /// The fit of a header.
    pub fn fit(&self, header: &Header) -> Fit {
        let missing: Vec<_> = self.required.iter().copied().filter(|names| header.find_any(names).is_none()).collect();
        Fit { found: self.required.len() - missing.len(), missing }
    }
}

/// The fit of a header to a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fit {
    /// The number of needed columns that the header has.
    pub found: usize,
    /// The names of those that it does not have.
    pub missing: Vec<&'static [&'static str]>,
}

impl Fit {
    /// Whether no needed column is missing.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// Whether the header has enough columns to tell which format is meant.
    pub fn is_near(&self) -> bool {
        self.found >= 2 && self.found >= self.missing.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(line: &str) -> Header {
        Header::new(1, b',', line.split(',').map(str::as_bytes))
    }

    #[test]
    fn names_are_compared_loosely() {
        let header = header("Job ID, Submit-S ,MODEL,,");
        assert_eq!(header.find("job_id"), Some(Column { index: 0, name: "Job ID".into() }));
        assert_eq!(header.find("submit_s").map(|column| column.index), Some(1));
        assert_eq!(header.width(), 3);
    }

    #[test]
    fn the_closest_column_is_named() {
        let header = header("id,gpu,batchsize,num_gpus,x");
        let any = |_: &str| true;
        assert_eq!(header.closest(&["gpus"], any), Some("gpu"));
        assert_eq!(header.closest(&["batch_global"], any), None);
        assert_eq!(header.closest(&["batch_size"], any), Some("batchsize"));
        assert_eq!(header.closest(&["job_id"], any), Some("id"));
        assert_eq!(header.closest(&["deadline_s"], any), None);
        assert_eq!(header.closest(&["gpus"], |name| name != "gpu"), Some("num_gpus"));
    }

    #[test]
    fn repeated_names_are_found_once() {
        let repeated = header("a,b,A,a,c,,,B").repeated();
        assert_eq!(repeated.iter().map(|column| column.index).collect::<Vec<_>>(), [2, 7]);
    }
}
