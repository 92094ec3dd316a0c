//! Columns of metrics that compare a run with the baseline.

use elastiplan_metrics::{Completions, PairMetricInfo};
use elastiplan_text::format;

use super::{Column, RunCell};
use crate::goal::standing::{Candidate, Standing};
use crate::metric_text::Difference;

pub(super) fn heading(info: &PairMetricInfo) -> Column {
    Column { key: info.key, label: info.label, help: info.help, better: info.better, is_goal: false }
}

/// The cells, one for each shown run: a dash for the baseline itself, until both runs have finished, and where the table
/// is of some of the jobs only.
pub(super) fn column(standing: &Standing<'_>, info: &PairMetricInfo, is_of_all_jobs: bool) -> Vec<RunCell> {
    let completions = |candidate: &Candidate<'_>| Some(Completions::of(&candidate.entry.whole()?.run));
    let baseline = standing.baseline.filter(|_| is_of_all_jobs);
    let of_baseline = baseline.and_then(|place| completions(standing.shown.get(place)?));
    let cell = |(place, candidate): (usize, &Candidate<'_>)| {
        let is_baseline = standing.baseline == Some(place);
        let pair = of_baseline.as_ref().filter(|_| !is_baseline).zip(completions(candidate));
        let value = pair.and_then(|(baseline, own)| (info.value)(&own, baseline));
        RunCell {
            value: format::or_dash(value, |value| format::signed_count(value as i64)),
            number: value,
            of: None,
            difference: (!is_baseline).then(|| Difference { text: format::DASH.into(), is_better: None }),
            is_best: false,
            meets_goal: None,
            is_so_far: candidate.entry.is_running(),
        }
    };
    standing.shown.iter().enumerate().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use elastiplan_metrics::ADDITIONAL_AFTER_JOBS;

    use crate::goal::Goal;
    use crate::run_table::RunTable;
    use crate::runs::{RunEntry, RunState};
    use crate::testing::sample_runs;

    use super::*;

    #[test]
    fn additional_jobs_are_of_the_others_beside_the_baseline() {
        let (mut runs, workload) = sample_runs(&["fixed", "elastic-dp", "fixed"]);
        let values = |runs: &[RunEntry]| -> Vec<String> {
            let table = RunTable::of(runs, &workload, &Goal::guess(&workload), &["additional_jobs"], None);
            assert_eq!(table.columns[1].label, "Additional jobs");
            table.rows.into_iter().map(|row| row.cells[1].value.clone()).collect()
        };
        let run = |slot: usize| Completions::of(&runs[slot].result.as_ref().unwrap().run);
        let wanted = run(1).additional_to(&run(0), ADDITIONAL_AFTER_JOBS).unwrap();
        assert_eq!(values(&runs), [format::DASH.to_string(), format::signed_count(wanted as i64), "0".into()]);
        runs[1].state = RunState::Cancelled;
        assert_eq!(values(&runs)[1], format::DASH);
        let is_offered = |runs: &[RunEntry]| {
            let choices = RunTable::choices(runs, &Goal::guess(&workload));
            choices.iter().any(|column| column.key == "additional_jobs")
        };
        assert!(is_offered(&runs) && !is_offered(&runs[..1]));
    }
}
