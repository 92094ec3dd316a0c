//! Runs by parts: run times by model, outcome by period.

use elastiplan_engine::Run;
use elastiplan_metrics::{outcome_between, periods, run_time_by_model};
use elastiplan_model::Workload;
use elastiplan_text::format;

use crate::table::{headed, of_runs, terminal_width};

/// A period in seconds; one of less than a second is a mistake.
pub fn period(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (1.0..=1e11).contains(seconds));
    seconds.ok_or_else(|| format!("{text} is not a number of seconds from 1 to 1e11"))
}

/// A row a model: mean run time under each policy, and how many of its jobs that are where it is not all.
pub fn by_model(runs: &[(String, &Run)], workload: &Workload) -> String {
    let tables: Vec<_> = runs.iter().map(|(_, run)| run_time_by_model(run, workload)).collect();
    let rows = tables.first().into_iter().flatten().enumerate().map(|(at, model)| {
        let cells = tables.iter().filter_map(|table| table.get(at)).map(|row| {
            let time = format::or_dash(row.from_start_s, format::duration);
            if row.completed == row.jobs { time } else { format!("{time} ({})", format::count(row.completed)) }
        });
        [model.model.clone(), format::count(model.jobs)].into_iter().chain(cells).collect()
    });
    let names: Vec<String> = runs.iter().map(|(name, _)| name.clone()).collect();
    let table = of_runs(&["Model", "Jobs"], &names, rows, 1, terminal_width());
    format!("Mean time from first start to completion; in brackets how many completed, where not all did\n{table}")
}

/// A row a period: samples processed and kept under each policy, and for all but the first so many times those of the
/// first. Periods begin with the first submission.
pub fn by_period(runs: &[(String, &Run)], period_s: f64) -> String {
    let longest = runs.iter().map(|(_, run)| *run).max_by(|a, b| a.end_s.total_cmp(&b.end_s));
    let times = longest.map(|run| periods(run, period_s)).unwrap_or_default();
    let outcomes: Vec<Vec<f64>> = runs.iter().map(|(_, run)| outcome_between(run, &times)).collect();
    let of_run =
        |(slot, (name, _)): (usize, &(String, &Run))| [Some(name.clone()), (slot > 0).then(|| "over A".into())];
    let heads = runs.iter().enumerate().flat_map(of_run).flatten();
    let rows = times.iter().enumerate().take(times.len().saturating_sub(1)).map(|(period, from_s)| {
        let first = outcomes.first().and_then(|outcomes| outcomes.get(period)).copied().unwrap_or(0.0);
        let start_s = times.first().copied().unwrap_or(0.0);
        let mut row = vec![format::duration(from_s - start_s)];
        for (slot, outcomes) in outcomes.iter().enumerate() {
            let outcome = outcomes.get(period).copied().unwrap_or(0.0);
            row.push(format::number(outcome));
            let times_as_much = || if first > 0.0 { format!("{:.2}", outcome / first) } else { format::DASH.into() };
            row.extend((slot > 0).then(times_as_much));
        }
        row
    });
    format!("Samples processed and kept\n{}", headed(&["From"], heads, rows, 1))
}
