//! The table twin of a figure: read on the page, or copied as CSV, TSV or Markdown.

use elastiplan_text::format;

/// Columns and rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns; the first one names the rows.
    pub columns: Vec<Column>,
    /// The rows, each with a cell a column.
    pub rows: Vec<Vec<Cell>>,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// For the user.
    pub label: String,
    /// For a program, with the unit of the values: `fixed_s`.
    pub key: String,
}

/// The content of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A time in seconds.
    Time(f64),
    /// A difference of times in seconds.
    Difference(f64),
    /// Percent.
    Percent(f64),
    /// Any other number.
    Number(f64),
    /// A value with the way that it is written.
    Written(f64, String),
    /// Nothing.
    Missing,
}

/// A format in which a table is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    /// Comma-separated.
    Csv,
    /// Tab-separated: spreadsheets take it as it is.
    Tsv,
    /// A table in Markdown, with values as the page writes them.
    Markdown,
}

impl<Label: Into<String>, Key: Into<String>> From<(Label, Key)> for Column {
    fn from((label, key): (Label, Key)) -> Self {
        Self { label: label.into(), key: key.into() }
    }
}

impl Cell {
    /// As the page writes it.
    pub fn words(&self) -> String {
        match self {
            Cell::Text(text) | Cell::Written(_, text) => text.clone(),
            Cell::Time(time_s) => format::duration(*time_s),
            Cell::Difference(difference_s) => format::signed_duration(*difference_s),
            Cell::Percent(percent) => format::percent(percent / 100.0),
            Cell::Number(number) => format::number(*number),
            Cell::Missing => format::DASH.into(),
        }
    }

    /// As a program reads it: a number in full, nothing for a missing value.
    fn value(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Time(number) | Cell::Difference(number) | Cell::Percent(number) => number.to_string(),
            Cell::Number(number) | Cell::Written(number, _) => number.to_string(),
            Cell::Missing => String::new(),
        }
    }
}

impl Table {
    /// A table with these columns, each a label and a key.
    pub fn new<C: Into<Column>>(
        columns: impl IntoIterator<Item = C>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), rows: rows.into_iter().collect() }
    }

    /// As text to be pasted.
    pub fn copied(&self, copied: Copied) -> String {
        match copied {
            Copied::Csv => self.separated(b','),
            Copied::Tsv => self.separated(b'\t'),
            Copied::Markdown => self.markdown(),
        }
    }

    fn separated(&self, delimiter: u8) -> String {
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
        // Writing to memory does not fail.
        let _ = writer.write_record(self.columns.iter().map(|column| &column.key));
        for row in &self.rows {
            let _ = writer.write_record(row.iter().map(Cell::value));
        }
        writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let escaped = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|").replace(['\n', '\r'], " ");
        let mut text = line(self.columns.iter().map(|column| escaped(&column.label)).collect());
        let rule = |at: usize| if at == 0 { "---".to_string() } else { "---:".to_string() };
        text += &line((0..self.columns.len()).map(rule).collect());
        for row in &self.rows {
            text += &line(row.iter().map(|cell| escaped(&cell.words())).collect());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let columns = [("Job", "job"), ("A fixed", "fixed_s"), ("Change", "change_s")];
        let rows = [
            vec![Cell::Text("bert, \"large\" | 1".into()), Cell::Time(4620.0), Cell::Difference(-2100.0)],
            vec![Cell::Text("vgg16-2".into()), Cell::Time(0.5), Cell::Missing],
        ];
        Table::new(columns, rows)
    }

    #[test]
    fn programs_get_numbers_in_full_and_people_get_words() {
        let check = |copied: Copied, expected: &str| assert_eq!(table().copied(copied), expected);
        check(Copied::Csv, "job,fixed_s,change_s\n\"bert, \"\"large\"\" | 1\",4620,-2100\nvgg16-2,0.5,\n");
        check(Copied::Tsv, "job\tfixed_s\tchange_s\n\"bert, \"\"large\"\" | 1\"\t4620\t-2100\nvgg16-2\t0.5\t\n");
        check(
            Copied::Markdown,
            "| Job | A fixed | Change |\n| --- | ---: | ---: |\n\
             | bert, \"large\" \\| 1 | 1h 17m | −35m |\n| vgg16-2 | 0.5s | — |\n",
        );
    }
}
