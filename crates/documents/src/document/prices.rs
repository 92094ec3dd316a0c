//! Where prices are from, and how a table of them is read.

use elastiplan_model::{Diagnostic, Prices, PricesError, Severity};
use elastiplan_workloads::DrawnPrices;
use serde::{Deserialize, Serialize};

use super::DocumentError;
use super::resolve::Files;

/// Where the prices of GPUs are from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriceSource {
    /// A table beside the document.
    File(String),
    /// A table as text: `time_s,price_per_gpu_hour` and a row for every change.
    Inline(String),
    /// Prices that are drawn.
    Drawn(DrawnPrices),
}

const TIME: &str = "time_s";
const PRICE: &str = "price_per_gpu_hour";
/// Rows that a diagnostic names after the first.
const MORE_ROWS: usize = 3;

impl PriceSource {
    pub(super) fn of(prices: &Prices) -> Self {
        let rows: Vec<String> = prices.steps().map(|(time_s, price)| format!("{time_s},{price}\n")).collect();
        Self::Inline(format!("{TIME},{PRICE}\n{}", rows.concat()))
    }

    /// The prices; those that are drawn begin with the jobs.
    pub(super) fn read(
        &self,
        start_s: f64,
        files: Files<'_>,
        told: &mut Vec<Diagnostic>,
    ) -> Result<Prices, DocumentError> {
        let (place, name, text) = match self {
            Self::Drawn(drawn) => return Ok(drawn.prices(start_s)),
            Self::Inline(text) => ("conditions.prices.inline", "conditions.prices.inline", text.clone()),
            Self::File(name) => {
                let place = "conditions.prices.file";
                let bytes = files(name).ok_or_else(|| DocumentError::NoFile { place, name: name.clone() })?;
                (place, name.as_str(), String::from_utf8_lossy(&bytes).into_owned())
            }
        };
        let without = |found: String| DocumentError::NoData { place, wanted: "prices", found };
        let table = Table::of(&text).ok_or_else(|| without(format!("{name}: no columns {TIME} and {PRICE}")))?;
        let mut findings = Findings { file: name, told: Vec::new() };
        let steps = table.steps(&mut findings);
        told.append(&mut findings.told);
        Prices::new(steps).map_err(|_| without(format!("{name}: no row that can be used")))
    }
}

/// A table with a header that names both columns.
struct Table<'a> {
    /// Rows with their lines, counted from 1 with the header.
    rows: Vec<(u64, Vec<&'a str>)>,
    time: usize,
    price: usize,
}

impl<'a> Table<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let lines = text.trim_start_matches('\u{feff}').lines();
        let mut rows = (1..).zip(lines).filter(|(_, line)| !line.trim().is_empty());
        let (_, header) = rows.next()?;
        let separator = if header.contains(';') { ';' } else { ',' };
        let cells = |line: &'a str| -> Vec<&'a str> {
            line.split(separator).map(|cell| cell.trim().trim_matches('"')).collect()
        };
        let header = cells(header);
        let column = |name: &str| header.iter().position(|cell| cell.eq_ignore_ascii_case(name));
        let (time, price) = (column(TIME)?, column(PRICE)?);
        Some(Self { rows: rows.map(|(line, text)| (line, cells(text))).collect(), time, price })
    }

    /// Times and prices of the rows that can be used, each later than the one before it.
    fn steps(&self, findings: &mut Findings<'_>) -> Vec<(f64, f64)> {
        let mut steps: Vec<(f64, f64)> = Vec::new();
        for (line, row) in &self.rows {
            let cell = |column: usize| row.get(column).copied().unwrap_or_default();
            let number = |column: usize| cell(column).parse().unwrap_or(f64::NAN);
            let (time_s, price) = (number(self.time), number(self.price));
            match Prices::check_step(steps.last().map(|(before_s, _)| *before_s), time_s, price) {
                Ok(()) => steps.push((time_s, price)),
                Err(error) => {
                    let (column, cell) = match error {
                        PricesError::Price(_) => (PRICE, cell(self.price)),
                        _ => (TIME, cell(self.time)),
                    };
                    findings.add(*line, column, cell, &error);
                }
            }
        }
        steps
    }
}

/// What is told about rows that cannot be used: once for each kind.
struct Findings<'a> {
    file: &'a str,
    told: Vec<Diagnostic>,
}

impl Findings<'_> {
    fn add(&mut self, row: u64, column: &str, value: &str, error: &PricesError) {
        let (rule, repair) = match error {
            PricesError::Price(_) => ("Dollars for a GPU and hour, from 0 to 1,000,000", "Write a number"),
            PricesError::NotRising { .. } => ("Later than the row before it", "Put the rows in order of time"),
            _ => ("Seconds from 0 to 1e11", "Write a number"),
        };
        if let Some(known) = self.told.iter_mut().find(|known| known.rule == rule) {
            known.count += 1;
            if known.place.more_rows.len() < MORE_ROWS {
                known.place.more_rows.push(row);
            }
            return;
        }
        let value: String = if value.is_empty() { "nothing" } else { value }.chars().take(40).collect();
        let found = Diagnostic::new(Severity::Error, rule, "Row left out", repair).with_value(value);
        let mut found = found.in_file(self.file).in_column(column);
        found.place.row = Some(row);
        self.told.push(found);
    }
}
