//! Metrics as a table of text.

use std::fmt::Write;

use elastiplan_metrics::{Bounds, METRICS, MetricInfo, Summary, Unit};
use elastiplan_planner::PaperComparison;

/// One policy in a table.
pub struct Column<'a> {
    title: String,
    /// One for each seed.
    summaries: Vec<&'a Summary>,
}

impl<'a> Column<'a> {
    pub fn new(title: String, summaries: impl IntoIterator<Item = &'a Summary>) -> Self {
        Self { title, summaries: summaries.into_iter().collect() }
    }

    fn values(&self, info: &MetricInfo) -> Vec<f64> {
        self.summaries.iter().filter_map(|summary| (info.value)(&summary.metrics)).collect()
    }
}

/// One row a metric, one column a policy.
pub fn comparison(columns: &[Column<'_>]) -> String {
    let summaries = || columns.iter().flat_map(|column| column.summaries.iter().copied());
    let row = |info: &MetricInfo| {
        let cells = columns.iter().map(|column| shown_over_seeds(info.unit, &column.values(info)));
        std::iter::once(info.label.to_string()).chain(cells).collect()
    };
    let rows = METRICS.iter().filter(|info| info.is_shown_for(summaries())).map(row);
    headed(&[""], columns.iter().map(|column| column.title.clone()), rows, 1)
}

/// How good any policy could be.
pub fn bounds(bounds: &Bounds) -> String {
    let Bounds { avg_jct_s, makespan_s } = bounds;
    format!(
        "No policy that completes all jobs gets below {avg_jct_s:.1} s mean completion or {makespan_s:.1} s makespan\n"
    )
}

/// What a paper says beside ours; nothing where it says nothing.
pub fn paper(pairs: &[PaperComparison<'_>]) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let heads = ["Metric", "Policy", "Source", "Paper", "Ours", "Difference"];
    format!("\nThe paper beside ours\n{}", headed(&heads, [], pairs.iter().map(paper_row), 3))
}

fn paper_row(pair: &PaperComparison<'_>) -> Vec<String> {
    let value = pair.paper;
    let unit = pair.measure.unit();
    let policy = match &value.relative_to {
        None => value.policy.to_string(),
        Some(other) => format!("{} over {other}", value.policy),
    };
    vec![
        pair.measure.label().to_string(),
        policy,
        value.source.clone(),
        shown(unit, value.value),
        shown_over_seeds(unit, &pair.ours),
        difference(pair, unit),
    ]
}

/// Shares differ by percentage points, differences of jobs by jobs, everything else by a share of the paper's value.
fn difference(pair: &PaperComparison<'_>, unit: Unit) -> String {
    let (value, unit) = match unit {
        Unit::Ratio => (pair.difference().map(|difference| difference * 100.0), " points"),
        Unit::Jobs => (pair.difference(), " jobs"),
        _ => (pair.relative_difference().map(|difference| difference * 100.0), "%"),
    };
    value.map_or_else(|| "-".into(), |value| format!("{value:+.1}{unit}"))
}

/// An [`aligned`] table with a header: columns of these heads, then others, such as one for each run.
pub fn headed(
    heads: &[&str],
    others: impl IntoIterator<Item = String>,
    rows: impl IntoIterator<Item = Vec<String>>,
    left: usize,
) -> String {
    let header = heads.iter().map(|head| head.to_string()).chain(others).collect();
    aligned(&std::iter::once(header).chain(rows).collect::<Vec<_>>(), left)
}

/// Columns of equal width; the first `left` of them begin at the left, the others end at the right.
pub fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let gap = if at == 0 { "" } else { "  " };
            // Writing to a string cannot fail.
            let _ = if at < left { write!(line, "{gap}{cell:<width$}") } else { write!(line, "{gap}{cell:>width$}") };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// The mean, and how far the seeds lie apart where they do.
fn shown_over_seeds(unit: Unit, values: &[f64]) -> String {
    let (Some(least), Some(most)) =
        (values.iter().copied().min_by(f64::total_cmp), values.iter().copied().max_by(f64::total_cmp))
    else {
        return "-".into();
    };
    let (from, to) = (bare(unit, least), bare(unit, most));
    if from == to {
        return shown(unit, least);
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let mean = match unit {
        Unit::Count => format!("{mean:.1}"),
        unit => shown(unit, mean),
    };
    format!("{mean} ({from} to {to})")
}

fn shown(unit: Unit, value: f64) -> String {
    let number = bare(unit, value);
    match unit {
        Unit::Count | Unit::Nodes | Unit::Factor | Unit::Jobs => number,
        Unit::Seconds => number + " s",
        Unit::GpuHours => number + " GPU-h",
        Unit::NodeHours => number + " node-h",
        Unit::GpuSeconds => number + " GPU-s",
        Unit::Ratio => number + "%",
        Unit::Samples => number + " samples",
        Unit::SamplesPerSecond => number + " samples/s",
        Unit::Dollars => format!("${number}"),
    }
}

/// The number without its unit.
fn bare(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Count | Unit::GpuSeconds | Unit::Samples => format!("{value:.0}"),
        Unit::Ratio => format!("{:.1}", value * 100.0),
        Unit::Factor | Unit::Dollars => format!("{value:.2}"),
        Unit::Seconds | Unit::GpuHours | Unit::NodeHours | Unit::Nodes | Unit::SamplesPerSecond | Unit::Jobs => {
            format!("{value:.1}")
        }
    }
}
