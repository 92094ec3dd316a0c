//! Metrics as a table of text.

use std::fmt::Write;
use std::io::IsTerminal;

use elastiplan_metrics::{Bounds, METRICS, MetricInfo, Summary, Unit};
use elastiplan_planner::PaperComparison;
use elastiplan_text::format;

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

/// One row a metric, one column a policy, in lines of at most `width` letters. Where policies do not fit beside each
/// other, letters stand for them; where even these do not fit, each metric has a line for each policy.
pub fn comparison(columns: &[Column<'_>], width: Option<usize>) -> String {
    let summaries = || columns.iter().flat_map(|column| column.summaries.iter().copied());
    let row = |info: &MetricInfo| {
        let cells = columns.iter().map(|column| shown_over_seeds(info.unit, &column.values(info)));
        std::iter::once(info.label.to_string()).chain(cells).collect()
    };
    let rows: Vec<Vec<String>> = METRICS.iter().filter(|info| info.is_shown_for(summaries())).map(row).collect();
    let titles: Vec<String> = columns.iter().map(|column| column.title.clone()).collect();
    laid_out(&titles, &rows, width)
}

/// A table of rows that begin with a name, with a column for each title.
fn laid_out(titles: &[String], rows: &[Vec<String>], width: Option<usize>) -> String {
    let fits = |text: &String| width.is_none_or(|width| text.lines().all(|line| line.chars().count() <= width));
    let beside = |titles: &[String]| headed(&[""], titles.iter().cloned(), rows.iter().cloned(), 1);
    let letter = |at: usize| u32::try_from(at).ok().and_then(|at| char::from_u32('A' as u32 + at));
    let letters: Vec<String> = (0..titles.len().min(26)).filter_map(letter).map(String::from).collect();
    let with_letters = || {
        let key = letters.iter().zip(titles).map(|(letter, title)| format!("{letter}  {title}\n"));
        (letters.len() == titles.len()).then(|| key.collect::<String>() + &beside(&letters))
    };
    let below = || {
        let block = |row: &Vec<String>| {
            let (name, values) = row.split_first()?;
            let lines = titles.iter().zip(values).map(|(title, value)| vec![format!("  {title}"), value.clone()]);
            Some(format!("{name}\n{}", aligned(&lines.collect::<Vec<_>>(), 1)))
        };
        rows.iter().filter_map(block).collect()
    };
    let wide = beside(titles);
    let key_fits = |text: &String| text.lines().skip(titles.len()).all(|line| fits(&line.to_string()));
    match fits(&wide) {
        true => wide,
        // A long name in the key may wrap: it is not part of the columns.
        false => with_letters().filter(key_fits).unwrap_or_else(below),
    }
}

/// Letters in a line of the terminal that stdout is; `None` where it is none: what is written to files and pipes is
/// complete and the same everywhere.
pub fn terminal_width() -> Option<usize> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    let of_variable = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|&width| width > 0);
    let of_terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    Some(of_variable.or_else(of_terminal).unwrap_or(80))
}

/// How good any policy could be.
pub fn bounds(bounds: &Bounds) -> String {
    let [avg_jct, makespan] = [bounds.avg_jct_s, bounds.makespan_s].map(format::duration);
    format!("Lower bound for any policy that completes all jobs: mean completion {avg_jct}, makespan {makespan}\n")
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
        value.range.map_or_else(
            || shown(unit, value.value),
            |[least, most]| format!("{} to {}", shown(unit, least), shown(unit, most)),
        ),
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
    value.map_or_else(|| format::DASH.into(), |value| format!("{value:+.1}{unit}"))
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
        return format::DASH.into();
    };
    let (from, to) = (shown(unit, least), shown(unit, most));
    if from == to {
        return from;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let mean = match unit {
        Unit::Count => format::number(mean),
        unit => shown(unit, mean),
    };
    // A unit that all three share stands once.
    let unit_of = |text: &str| {
        text.rsplit_once(' ')
            .map(|(_, unit)| unit.to_string())
            .filter(|unit| !unit.starts_with(|c: char| c.is_ascii_digit()))
    };
    let bare = |text: String| match unit_of(&mean)
        .filter(|unit| unit_of(&from).as_ref() == Some(unit) && unit_of(&to).as_ref() == Some(unit))
    {
        Some(unit) => text.trim_end_matches(unit.as_str()).trim_end().to_string(),
        None => text,
    };
    format!("{mean} ({} to {})", bare(from.clone()), bare(to.clone()))
}

/// A value as the page writes it, with its unit.
fn shown(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Count => format::count(value as u64),
        Unit::Seconds => format::duration(value),
        Unit::GpuHours => format::gpu_hours(value * 3_600.0),
        Unit::GpuSeconds => format::gpu_hours(value),
        Unit::NodeHours => format::number(value) + " node-h",
        Unit::Ratio => format!("{:.1}%", value * 100.0),
        Unit::Samples => format::short(value) + " samples",
        Unit::SamplesPerSecond => format::samples_per_s(value),
        Unit::Dollars => format!("${}", format::number(value)),
        Unit::Nodes | Unit::Factor | Unit::Jobs => format::number(value),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(width: Option<usize>, expected: Expect) {
        let titles = ["fixed", "elastic-dp[delta_s=60]", "elasticflow"].map(String::from);
        let row = |cells: [&str; 4]| cells.map(String::from).to_vec();
        let rows = [row(["Jobs", "48", "48", "48"]), row(["Mean completion", "1h 17m", "42m", "1h 02m"])];
        expected.assert_eq(&laid_out(&titles, &rows, width));
    }

    #[test]
    fn a_unit_that_seeds_share_stands_once() {
        let check = |unit: Unit, values: &[f64], expected: &str| assert_eq!(shown_over_seeds(unit, values), expected);
        check(Unit::GpuHours, &[3.0, 4.0, 5.0], "4 GPU-h (3 to 5)");
        check(Unit::GpuHours, &[0.05, 0.2], "0.125 GPU-h (180 GPU-s to 0.2 GPU-h)");
        check(Unit::Seconds, &[4_620.0, 7_200.0], "1h 39m (1h 17m to 2h 00m)");
        check(Unit::Count, &[2.0, 2.0], "2");
        check(Unit::Ratio, &[], format::DASH);
    }

    #[test]
    fn a_table_that_is_too_wide_has_letters_for_policies_or_a_line_for_each() {
        check(
            None,
            expect![[r#"
                              fixed  elastic-dp[delta_s=60]  elasticflow
            Jobs                 48                      48           48
            Mean completion  1h 17m                     42m       1h 02m
        "#]],
        );
        check(
            Some(80),
            expect![[r#"
                              fixed  elastic-dp[delta_s=60]  elasticflow
            Jobs                 48                      48           48
            Mean completion  1h 17m                     42m       1h 02m
        "#]],
        );
        check(
            Some(40),
            expect![[r#"
            A  fixed
            B  elastic-dp[delta_s=60]
            C  elasticflow
                                  A    B       C
            Jobs                 48   48      48
            Mean completion  1h 17m  42m  1h 02m
        "#]],
        );
        check(
            Some(30),
            expect![[r#"
            Jobs
              fixed                   48
              elastic-dp[delta_s=60]  48
              elasticflow             48
            Mean completion
              fixed                   1h 17m
              elastic-dp[delta_s=60]     42m
              elasticflow             1h 02m
        "#]],
        );
    }
}
