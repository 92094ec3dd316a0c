//! One metric of every policy: a bar each, with what a paper says of it.

use elastiplan_metrics::{METRICS, MetricInfo, Unit};

use crate::figure::axis::{Axis, Scale};
use crate::figure::table::{Cell, Table};
use crate::figure::{Figure, PaperMark, Series, Shape, label_among, label_of, tone_of};
use crate::metric_text::{label, value};
use crate::paper::{Paper, note};
use crate::quantity::Quantity;
use crate::runs::{RunEntry, shown};

/// The metrics that some of the runs have, in the order of the catalogue.
pub fn metrics(runs: &[RunEntry]) -> Vec<&'static MetricInfo> {
    let summaries = || shown(runs).filter_map(|entry| Some(&entry.result.as_ref()?.summary));
    let has_value = |info: &&MetricInfo| shown(runs).any(|entry| value(info, entry).is_some());
    METRICS.iter().filter(|info| info.is_shown_for(summaries())).filter(has_value).collect()
}

/// A bar for every run.
pub fn bars(info: &'static MetricInfo, runs: &[RunEntry], paper: &Paper) -> Figure {
    let entries: Vec<&RunEntry> = shown(runs).collect();
    let count = entries.len();
    let own = |entry: &RunEntry| value(info, entry).map(|value| on_axis(info, value));
    let texts = words(info, &entries);
    let text = |at: usize| texts.get(at).cloned().unwrap_or_default();
    // The first policy is uppermost.
    let place = |at: usize| (count - at) as f64 - 0.5;
    let series = |(at, entry): (usize, &&RunEntry)| Series {
        label: label_among(entry, entries.iter().copied()),
        tone: tone_of(entry),
        shape: Shape::Bar { place: place(at), value: own(entry), text: text(at) },
    };
    let paper_mark = |(at, entry): (usize, &&RunEntry)| {
        let mark = paper.mark(info.key, entry, runs, place(at))?;
        Some(PaperMark { x: on_axis(info, mark.x), ..mark })
    };
    let paper: Vec<PaperMark> = entries.iter().enumerate().filter_map(paper_mark).collect();
    let reach =
        entries.iter().filter_map(|entry| own(entry)).chain(paper.iter().map(|mark| mark.x)).fold(0.0, f64::max);
    let both: Vec<String> =
        entries.iter().zip(&texts).map(|(entry, text)| format!("{} {text}", label_of(entry))).collect();
    let title = title(info);
    Figure {
        name: info.key.replace('_', "-"),
        summary: format!("{title}: {}", both.join(", ")),
        x: Axis::from_zero(scale(info), reach),
        y: Axis { scale: Scale::Places, from: 0.0, to: count.max(1) as f64, ..Axis::default() },
        series: entries.iter().enumerate().map(series).collect(),
        notes: note(&paper).into_iter().collect(),
        table: table(info, (&entries, &texts), &paper, &title, place),
        paper,
        title,
        ..Figure::default()
    }
}

/// The value of each run as it is written, told apart from the others.
fn words(info: &MetricInfo, entries: &[&RunEntry]) -> Vec<String> {
    Quantity::of_metric(info, None).told_apart(&entries.iter().map(|entry| value(info, entry)).collect::<Vec<_>>())
}

/// The name, with the unit where the label does not say it.
fn title(info: &MetricInfo) -> String {
    // Durations carry theirs.
    match info.unit {
        Unit::Ratio => format!("{}, %", label(info)),
        Unit::Dollars => format!("{}, $", label(info)),
        _ => label(info).into(),
    }
}

/// The value in the unit of its axis.
fn on_axis(info: &MetricInfo, value: f64) -> f64 {
    match info.unit {
        Unit::Ratio => value * 100.0,
        Unit::GpuSeconds => value / 3600.0,
        _ => value,
    }
}

fn scale(info: &MetricInfo) -> Scale {
    match info.unit {
        Unit::Seconds => Scale::Time,
        Unit::Ratio => Scale::Percent,
        Unit::Count => Scale::Count,
        _ => Scale::Number,
    }
}

fn table(
    info: &'static MetricInfo,
    (entries, texts): (&[&RunEntry], &[String]),
    paper: &[PaperMark],
    title: &str,
    place: impl Fn(usize) -> f64,
) -> Table {
    let mut columns = vec![("Policy", "policy"), (title, info.key)];
    if !paper.is_empty() {
        columns.extend([("Paper", "paper"), ("Source", "source")]);
    }
    let row = |(at, (entry, text)): (usize, (&&RunEntry, &String))| {
        let own = value(info, entry).map_or(Cell::Missing, |value| Cell::Written(value, text.clone()));
        let mut row = vec![Cell::Text(label_among(entry, entries.iter().copied())), own];
        if !paper.is_empty() {
            let mark = paper.iter().find(|mark| mark.y == place(at));
            row.push(mark.map_or(Cell::Missing, |mark| cell(info, mark.x)));
            row.push(mark.map_or(Cell::Missing, |mark| Cell::Text(mark.source.clone())));
        }
        row
    };
    Table::new(columns, entries.iter().zip(texts).enumerate().map(row))
}

/// A value in the unit of the axis.
fn cell(info: &MetricInfo, value: f64) -> Cell {
    match info.unit {
        Unit::Seconds => Cell::Time(value),
        Unit::Ratio => Cell::Percent(value),
        _ => Cell::Number(value),
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_metrics::Metrics;

    use super::*;
    use crate::figure::table::Copied;
    use crate::testing::{paper, sample_runs};

    fn figure(key: &str) -> Figure {
        let (runs, _) = sample_runs(&["fixed", "elastic-dp"]);
        bars(Metrics::info(key).unwrap(), &runs, &Paper::default())
    }

    fn values(figure: &Figure) -> Vec<f64> {
        let of = |series: &Series| match &series.shape {
            Shape::Bar { value, .. } => value.unwrap(),
            _ => panic!("not a bar"),
        };
        figure.series.iter().map(of).collect()
    }

    #[test]
    fn bars_are_the_metrics_in_the_unit_of_the_axis() {
        let (runs, _) = sample_runs(&["fixed", "elastic-dp"]);
        let summary = |at: usize| runs[at].result.as_ref().unwrap().summary.metrics.clone();
        let check = |key: &str, expected: [f64; 2]| assert_eq!(values(&figure(key)), expected, "{key}");
        check("avg_jct_s", [0, 1].map(|at| summary(at).avg_jct_s.unwrap()));
        check("gpu_utilization", [0, 1].map(|at| summary(at).gpu_utilization.unwrap() * 100.0));
        check("rescale_gpu_s", [0, 1].map(|at| summary(at).rescale_gpu_s / 3600.0));
    }

    #[test]
    fn every_metric_that_there_is_has_a_bar_within_the_axis() {
        let (runs, _) = sample_runs(&["fixed", "equal-share", "elastic-dp"]);
        let all = metrics(&runs);
        assert!(all.len() > 15);
        for info in all {
            let figure = bars(info, &runs, &Paper::default());
            assert!(!figure.is_empty() && figure.x.to > 0.0, "{}", info.key);
            for series in &figure.series {
                let Shape::Bar { value: Some(value), .. } = series.shape else { continue };
                assert!((0.0..=figure.x.to).contains(&value), "{} {value}", info.key);
            }
        }
    }

    #[test]
    fn what_a_paper_says_stands_beside() {
        let (runs, _) = sample_runs(&["fixed", "elastic-dp"]);
        let figure =
            bars(Metrics::info("avg_jct_s").unwrap(), &runs, &paper("avg_jct_s", "elastic-dp", 3600.0, "Table 3"));
        assert_eq!(figure.paper.len(), 1);
        assert_eq!((figure.paper[0].x, figure.paper[0].y), (3600.0, 0.5), "beside the lower bar");
        assert_eq!(figure.notes, ["◇ what the paper says (Table 3)"]);
        let markdown = figure.table.copied(Copied::Markdown);
        assert!(markdown.contains("| 1h 00m | Table 3 |"), "{markdown}");
    }

    #[test]
    fn runs_of_one_policy_are_told_apart_by_their_settings() {
        let (mut runs, _) = sample_runs(&["elastic-dp[delta_s=60]", "fixed", "elastic-dp[delta_s=600]"]);
        let info = Metrics::info("avg_jct_s").unwrap();
        let labels = |runs: &[RunEntry]| -> Vec<String> {
            bars(info, runs, &Paper::default()).series.into_iter().map(|series| series.label).collect()
        };
        assert_eq!(labels(&runs), ["A elastic-dp delta 1m 00s", "B fixed", "C elastic-dp delta 10m"]);
        runs[2].differs = vec!["72 nodes".into()];
        assert_eq!(labels(&runs)[2], "C elastic-dp 72 nodes");
        runs[0].is_hidden = true;
        assert_eq!(labels(&runs), ["B fixed", "C elastic-dp"]);
    }
}
