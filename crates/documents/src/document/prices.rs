//! Sources of prices, and the reader of a table of them.

use elastiplan_model::{Diagnostic, Prices, PricesError, Severity};
use elastiplan_workloads::DrawnPrices;
use serde::{Deserialize, Serialize};

use super::resolve::Files;
use super::{Document, DocumentError};

/// The source of the prices of GPUs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
        diagnostics: &mut Vec<Diagnostic>,
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
        let without =
            |found: &str| DocumentError::NoData { place, wanted: "prices", found: format!("{name}: {found}") };
        let mut findings = Findings { file: name, diagnostics: Vec::new() };
        let steps = steps(&text, &mut findings);
        diagnostics.append(&mut findings.diagnostics);
        let steps = steps.ok_or_else(|| without(&format!("no columns {TIME} and {PRICE}")))?;
        Prices::new(steps).map_err(|_| without("no row that can be used"))
    }
}

/// Times and prices of the rows that can be used, each later than the one before it; `None` without a header that names
/// both columns.
fn steps(text: &str, findings: &mut Findings<'_>) -> Option<Vec<(f64, f64)>> {
    // Lines are counted from 1 with the header.
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    let mut rows = lines.filter(|(_, line)| !line.trim().is_empty());
    let (_, header) = rows.next()?;
    let separator = if header.contains(';') { ';' } else { ',' };
    let cells = |line| split(line, separator);
    let column = |name| cells(header).position(|cell| cell.eq_ignore_ascii_case(name));
    let (time, price) = (column(TIME)?, column(PRICE)?);
    let mut steps: Vec<(f64, f64)> = Vec::new();
    for (line, row) in rows {
        let [time, price] = [time, price].map(|column| cells(row).nth(column).unwrap_or_default());
        let [time_s, price_per_gpu_hour] = [time, price].map(|cell| cell.parse().unwrap_or(f64::NAN));
        match Prices::check_step(steps.last().map(|(before_s, _)| *before_s), time_s, price_per_gpu_hour) {
            Ok(()) => steps.push((time_s, price_per_gpu_hour)),
            Err(error @ PricesError::Price(_)) => findings.add(line, PRICE, price, &error),
            Err(error) => findings.add(line, TIME, time, &error),
        }
    }
    Some(steps)
}

impl Document {
    /// The source of its prices.
    pub fn prices(&self) -> Option<&PriceSource> {
        self.conditions.prices.as_ref()
    }

    /// Sets the source of its prices.
    pub fn set_prices(&mut self, prices: Option<PriceSource>) {
        self.conditions.prices = prices;
    }
}

/// The cells of a line, without blanks and quotes around them.
fn split(line: &str, separator: char) -> impl Iterator<Item = &str> {
    line.split(separator).map(|cell| cell.trim().trim_matches('"'))
}

/// Findings about rows that cannot be used: one for each kind.
struct Findings<'a> {
    file: &'a str,
    diagnostics: Vec<Diagnostic>,
}

impl Findings<'_> {
    fn add(&mut self, row: u64, column: &str, value: &str, error: &PricesError) {
        let (rule, repair) = match error {
            PricesError::Price(_) => ("Dollars for a GPU and hour, from 0 to 1,000,000", "Write a number"),
            PricesError::NotRising { .. } => ("Later than the row before it", "Put the rows in order of time"),
            _ => ("Seconds from 0 to 1e11", "Write a number"),
        };
        if let Some(known) = self.diagnostics.iter_mut().find(|known| known.rule == rule) {
            return known.add_row(row);
        }
        let value: String = if value.is_empty() { "nothing" } else { value }.chars().take(40).collect();
        let found = Diagnostic::new(Severity::Error, rule, "Row left out", repair).with_value(value);
        let mut found = found.in_file(self.file).in_column(column);
        found.place.row = Some(row);
        self.diagnostics.push(found);
    }
}
