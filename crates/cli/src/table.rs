//! Metrics as a table of text.

use std::fmt::Write;

use elastiplan_metrics::{Bounds, METRICS, MetricInfo, Unit};
use elastiplan_model::Workload;
use elastiplan_scenario::PolicyRun;

/// One row a metric, one column a policy.
pub fn comparison(runs: &[PolicyRun]) -> String {
    let summaries = || runs.iter().map(|run| &run.summary);
    let metrics: Vec<&MetricInfo> = METRICS.iter().filter(|info| info.is_shown_for(summaries())).collect();
    let labels = metrics.iter().map(|info| info.label.to_string());
    let mut columns = vec![std::iter::once(String::new()).chain(labels).collect()];
    columns.extend(runs.iter().map(|run| column(run, &metrics)));
    let rows: Vec<Vec<String>> = (0..=metrics.len() + 1).map(|row| cells(&columns, row)).collect();
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns.len()).map(|at| width(at).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows.iter().filter(|row| row.iter().any(|cell| !cell.is_empty())) {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            // Writing to a string cannot fail.
            let _ = if at == 0 { write!(line, "{cell:<width$}") } else { write!(line, "  {cell:>width$}") };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// How good any policy could be.
pub fn bounds(workload: &Workload, gpus_total: u32) -> String {
    let line = |bounds: Bounds| {
        let Bounds { avg_jct_s, makespan_s } = bounds;
        format!(
            "No policy that completes all jobs gets below {avg_jct_s:.1} s mean completion or {makespan_s:.1} s makespan\n"
        )
    };
    Bounds::of(workload, gpus_total).map(line).unwrap_or_default()
}

fn cells(columns: &[Vec<String>], row: usize) -> Vec<String> {
    columns.iter().map(|column| column.get(row).cloned().unwrap_or_default()).collect()
}

fn column(run: &PolicyRun, metrics: &[&MetricInfo]) -> Vec<String> {
    let values = metrics.iter().map(|info| shown(info, (info.value)(&run.summary)));
    std::iter::once(run.policy.to_string()).chain(values).collect()
}

fn shown(info: &MetricInfo, value: Option<f64>) -> String {
    let Some(value) = value else { return "-".into() };
    match info.unit {
        Unit::Count => format!("{value:.0}"),
        Unit::Seconds => format!("{value:.1} s"),
        Unit::GpuHours => format!("{value:.1} GPU-h"),
        Unit::NodeHours => format!("{value:.1} node-h"),
        Unit::GpuSeconds => format!("{value:.0} GPU-s"),
        Unit::Nodes => format!("{value:.1}"),
        Unit::Ratio => format!("{:.1}%", value * 100.0),
        Unit::Factor => format!("{value:.2}"),
        Unit::SamplesPerSecond => format!("{value:.1} samples/s"),
        Unit::Dollars => format!("${value:.2}"),
    }
}
