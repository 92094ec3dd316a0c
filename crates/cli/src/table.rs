//! Metrics as a table of text.

use std::fmt::Write;
use std::io::IsTerminal;

use elastiplan_metrics::{Bounds, METRICS, MetricInfo, Summary, Unit};
use elastiplan_planner::PaperComparison;
use elastiplan_present::metric_text::label;
use elastiplan_present::paper::{beside_paper, printed};
use elastiplan_present::quantity::Quantity;
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
        let values: Vec<Vec<f64>> = columns.iter().map(|column| column.values(info)).collect();
        std::iter::once(label(info).to_string()).chain(over_seeds(Quantity::of_metric(info, None), &values)).collect()
    };
    let rows: Vec<Vec<String>> = METRICS.iter().filter(|info| info.is_shown_for(summaries())).map(row).collect();
    let titles: Vec<String> = columns.iter().map(|column| column.title.clone()).collect();
    laid_out(&titles, &rows, width)
}

/// A table of rows that begin with a name, with a column for each title.
fn laid_out(titles: &[String], rows: &[Vec<String>], width: Option<usize>) -> String {
    let fits = |text: &str| fits(text, width);
    let beside = |titles: &[String]| headed(&[""], titles.iter().cloned(), rows.to_vec(), 1);
    let wide = beside(titles);
    if fits(&wide) {
        return wide;
    }
    let letters: Vec<String> = ('A'..='Z').take(titles.len()).map(String::from).collect();
    let with_letters = beside(&letters);
    if letters.len() == titles.len() && fits(&with_letters) {
        // A long name in the key may wrap: it is not part of the columns.
        let key = letters.iter().zip(titles).map(|(letter, title)| format!("{letter}  {title}\n"));
        return key.collect::<String>() + &with_letters;
    }
    let block = |row: &Vec<String>| {
        let (name, values) = row.split_first()?;
        let lines = titles.iter().zip(values).map(|(title, value)| vec![format!("  {title}"), value.clone()]);
        Some(format!("{name}\n{}", aligned(&lines.collect::<Vec<_>>(), 1)))
    };
    rows.iter().filter_map(block).collect()
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

/// What a paper says beside ours; nothing where it says nothing. Where a row does not fit into a line of `width` letters,
/// each value has a line below its policy.
pub fn paper(pairs: &[PaperComparison<'_>], width: Option<usize>) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = pairs.iter().map(paper_row).collect();
    format!("\nThe paper beside ours\n{}", paper_rows(&rows, width))
}

fn paper_rows(rows: &[Vec<String>], width: Option<usize>) -> String {
    let heads = ["Metric", "Policy", "Source", "Paper", "Ours", "Difference"];
    let wide = headed(&heads, [], rows.iter().cloned(), 3);
    if fits(&wide, width) {
        return wide;
    }
    let mut text = String::new();
    let mut last_policy = "";
    for row in rows {
        let [metric, policy, source, paper, ours, difference] = row.as_slice() else { continue };
        if policy != last_policy {
            text += &format!("{policy}\n");
            last_policy = policy;
        }
        text += &wrapped(&format!("{metric}, {source}: paper {paper}, ours {ours}, {difference}"), 2, width);
    }
    text
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
        printed(unit, value),
        ours(unit, &pair.ours),
        difference(pair, unit),
    ]
}

/// Ours beside a paper's value: the mean, and how far the seeds lie apart where they do.
fn ours(unit: Unit, values: &[f64]) -> String {
    let shown = |value: f64| beside_paper(unit, value);
    let reach = values.iter().copied().min_by(f64::total_cmp).zip(values.iter().copied().max_by(f64::total_cmp));
    let Some((least, most)) = reach.map(|(least, most)| (shown(least), shown(most))) else {
        return format::DASH.into();
    };
    if least == most {
        return least;
    }
    format!("{} ({least} to {most})", shown(values.iter().sum::<f64>() / values.len() as f64))
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

/// Whether every line of a text has at most `width` letters.
fn fits(text: &str, width: Option<usize>) -> bool {
    width.is_none_or(|width| text.lines().all(|line| line.chars().count() <= width))
}

/// Words in lines of at most `width` letters, all of them indented. A longer word has a line of its own.
pub fn wrapped(text: &str, indent: usize, width: Option<usize>) -> String {
    let blank = " ".repeat(indent);
    let Some(width) = width else { return format!("{blank}{text}\n") };
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{blank}{word}")),
        }
    }
    lines.join("\n") + "\n"
}

/// A [`headed`] table with a column for each run, each called by its badge and its name: `A fixed`. Where they do not
/// fit into a line of `width` letters, columns are headed by badges, and the names stand above.
pub fn of_runs(
    heads: &[&str],
    runs: &[String],
    rows: impl IntoIterator<Item = Vec<String>>,
    left: usize,
    width: Option<usize>,
) -> String {
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let wide = headed(heads, runs.iter().cloned(), rows.iter().cloned(), left);
    if fits(&wide, width) {
        return wide;
    }
    let badges = runs.iter().map(|run| run.split(' ').next().unwrap_or_default().to_string());
    let key: String = runs.iter().map(|run| format!("{run}\n")).collect();
    key + &headed(heads, badges, rows, left)
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

/// For each policy the mean, and how far the seeds lie apart where they do. With one seed, what differs between policies
/// reads differently; with more, mean and reach of each do.
fn over_seeds(quantity: Quantity, policies: &[Vec<f64>]) -> Vec<String> {
    let spread = |values: &Vec<f64>| {
        let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
        [mean, values.iter().copied().min_by(f64::total_cmp), values.iter().copied().max_by(f64::total_cmp)]
    };
    let spreads: Vec<[Option<f64>; 3]> = policies.iter().map(spread).collect();
    let is_apart = |[_, least, most]: &[Option<f64>; 3]| {
        least.zip(*most).is_some_and(|(least, most)| quantity.differ(least, most))
    };
    if !spreads.iter().any(is_apart) {
        return quantity.told_apart(&spreads.iter().map(|[mean, ..]| *mean).collect::<Vec<_>>());
    }
    let written = |spread: &[Option<f64>; 3]| match (quantity.told_apart(spread).as_slice(), is_apart(spread)) {
        ([mean, least, most], true) => format!("{mean} ({least} to {most})"),
        (texts, _) => texts.first().cloned().unwrap_or_default(),
    };
    spreads.iter().map(written).collect()
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
    fn text_is_broken_between_words() {
        let check =
            |width: Option<usize>, expected: &str| assert_eq!(wrapped("one two incredible", 2, width), expected);
        check(None, "  one two incredible\n");
        check(Some(20), "  one two incredible\n");
        check(Some(12), "  one two\n  incredible\n");
        check(Some(6), "  one\n  two\n  incredible\n");
    }

    #[test]
    fn columns_of_runs_are_headed_by_badges_where_names_do_not_fit() {
        let rows = || [["j1", "17s", "1m 09s"].map(String::from).to_vec()];
        let runs = ["A fixed", "B elastic-dp[delta_s=60]"].map(String::from);
        let check = |width: usize, expected: &str| {
            assert_eq!(of_runs(&["Job"], &runs, rows(), 1, Some(width)), expected);
        };
        check(40, "Job  A fixed  B elastic-dp[delta_s=60]\nj1       17s                    1m 09s\n");
        check(30, "A fixed\nB elastic-dp[delta_s=60]\nJob    A       B\nj1   17s  1m 09s\n");
    }

    #[test]
    fn values_of_a_paper_stand_below_their_policy_where_a_row_does_not_fit() {
        let row = |metric: &str| [metric, "edf", "Figure 9", "2.6%", "3.2%", "+0.6 points"].map(String::from).to_vec();
        let rows = [row("Deadlines met"), row("Completed")];
        assert_eq!(paper_rows(&rows, Some(80)).lines().count(), 3);
        assert_eq!(
            paper_rows(&rows, Some(50)),
            "edf\n  Deadlines met, Figure 9: paper 2.6%, ours 3.2%,\n  +0.6 points\n  Completed, Figure 9: paper 2.6%, ours 3.2%, +0.6\n  points\n"
        );
    }

    #[test]
    fn values_over_seeds_are_a_mean_and_a_reach_and_what_differs_reads_differently() {
        let check = |unit: Unit, policies: &[&[f64]], expected: &[&str]| {
            let policies: Vec<Vec<f64>> = policies.iter().map(|values| values.to_vec()).collect();
            assert_eq!(over_seeds(Quantity::of(unit), &policies), expected);
        };
        check(Unit::GpuHours, &[&[3.0, 4.0, 5.0]], &["4 (3 to 5)"]);
        check(Unit::Seconds, &[&[4_620.0, 7_200.0]], &["1h 39m (1h 17m to 2h 00m)"]);
        check(Unit::Count, &[&[2.0, 2.0], &[2.0, 3.0]], &["2", "2.5 (2 to 3)"]);
        check(Unit::Ratio, &[&[]], &[format::DASH]);
        check(Unit::Seconds, &[&[1_680.0], &[1_695.0], &[4_620.0]], &["28m 00s", "28m 15s", "1h 17m"]);
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
