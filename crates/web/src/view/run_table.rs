//! The table of runs as data: a row a run, a column a metric.

use elastiplan_metrics::{METRICS, MetricInfo, Metrics, PAIR_METRICS};
use elastiplan_present::metrics_table::{Difference, Row, Table, label};
use elastiplan_present::runs::RunEntry;

/// What it is about where no goal was chosen: deadlines, if there are any, and completion times otherwise.
const GOALS: [&str; 2] = ["deadline_satisfactory_ratio", "avg_jct_s"];
/// The columns that are there at first, after the goal; those that say something.
const FIRST: [&str; 10] = [
    "cost_dollars",
    "jobs_dropped",
    "jobs_failed",
    "jobs_cancelled",
    "avg_jct_s",
    "p99_jct_s",
    "avg_queueing_s",
    "makespan_s",
    "gpu_utilization",
    "rescale_gpu_s",
];

/// A metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    pub key: &'static str,
    pub label: &'static str,
    /// Its definition.
    pub help: &'static str,
    /// Whether the verdict is about it.
    pub is_goal: bool,
}

/// One run's value of one metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cell {
    pub value: String,
    /// Missing in the baseline's row.
    pub difference: Option<Difference>,
    pub is_best: bool,
    /// Whether it is as good as the goal asks; `None` where that is not asked.
    pub meets_goal: Option<bool>,
    pub is_so_far: bool,
}

/// The chosen columns, and a row of cells for each of the runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RunTable {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
}

impl RunTable {
    /// The table with all columns that say something about these runs.
    pub(super) fn of(entries: &[RunEntry]) -> Self {
        let results = || entries.iter().filter_map(|entry| entry.result.as_deref());
        let goal = GOALS.into_iter().find(|key| {
            Metrics::info(key).is_some_and(|info| results().any(|run| (info.value)(&run.summary.metrics).is_some()))
        });
        let all = Table::of(entries).groups.into_iter().flat_map(|(_, rows)| rows);
        let known = all.filter_map(|row| {
            let key = key_of(row.label)?;
            Some((Column { key, label: row.label, help: row.help, is_goal: Some(key) == goal }, row))
        });
        // The goal comes first.
        let (first, others): (Vec<_>, Vec<_>) = known.partition(|(column, _)| column.is_goal);
        let (columns, metrics): (Vec<Column>, Vec<Row>) = first.into_iter().chain(others).unzip();
        let cell = |row: &Row, place: usize| {
            let cell = row.cells.get(place)?.clone();
            let (value, is_so_far) = (cell.value, cell.is_so_far);
            Some(Cell { value, difference: cell.difference, is_best: cell.is_best, meets_goal: None, is_so_far })
        };
        let row = |place: usize| metrics.iter().map(|row| cell(row, place).unwrap_or_default()).collect();
        Self { rows: (0..entries.len()).map(row).collect(), columns }
    }

    /// The columns that are there at first.
    pub(super) fn first(&self) -> Vec<&'static str> {
        let is_shown = |column: &&Column| column.is_goal || FIRST.contains(&column.key);
        self.columns.iter().filter(is_shown).map(|column| column.key).collect()
    }

    /// With these columns only. The goal stays.
    pub(super) fn only(mut self, chosen: &[&'static str]) -> Self {
        let is_shown: Vec<bool> =
            self.columns.iter().map(|column| column.is_goal || chosen.contains(&column.key)).collect();
        retain(&mut self.columns, &is_shown);
        self.rows.iter_mut().for_each(|row| retain(row, &is_shown));
        self
    }
}

fn retain<T>(items: &mut Vec<T>, is_kept: &[bool]) {
    let mut kept = is_kept.iter();
    items.retain(|_| kept.next().copied().unwrap_or(false));
}

/// The metric that the table calls this.
fn key_of(name: &str) -> Option<&'static str> {
    let own = METRICS.iter().find(|info: &&MetricInfo| label(info) == name).map(|info| info.key);
    own.or_else(|| PAIR_METRICS.iter().find(|info| info.label == name).map(|info| info.key))
}

#[cfg(test)]
mod tests {
    use elastiplan_planner::run;
    use elastiplan_scenario::sample;

    use super::*;

    fn table(policies: &[&str]) -> RunTable {
        let scenario = sample::scenario(sample::SEED);
        let (workload, _) = scenario.workload();
        let entry = |(slot, policy): (usize, &&str)| {
            RunEntry::finished(slot, run(&scenario, &workload, &policy.parse().unwrap()).unwrap())
        };
        RunTable::of(&policies.iter().enumerate().map(entry).collect::<Vec<_>>())
    }

    #[test]
    fn a_run_has_a_row_and_the_goal_comes_first() {
        let all = table(&["fixed", "elastic-dp"]);
        assert!(all.columns[0].is_goal && all.columns.iter().skip(1).all(|column| !column.is_goal));
        assert!(all.rows.iter().all(|row| row.len() == all.columns.len()));
        let few = all.clone().only(&["makespan_s"]);
        assert_eq!(few.columns.iter().map(|column| column.key).collect::<Vec<_>>(), [all.columns[0].key, "makespan_s"]);
        assert!(few.rows[0].iter().all(|cell| cell.difference.is_none()), "the baseline");
        let first = all.first();
        assert_eq!(all.clone().only(&first).columns.len(), first.len());
        assert!(first.contains(&"p99_jct_s"));
    }
}
