//! The best run of a comparison by the metric of each goal, as numbers that are kept when the runs are not.

use elastiplan_model::Workload;

use super::standing::Standing;
use super::{Goal, GoalKind, value_text};
use crate::metric_text::Difference;
use crate::quantity::Quantity;
use crate::run_table::words::{change, points};
use crate::runs::RunEntry;
use crate::verdict::names::Names;

/// The best run by one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The metric.
    pub kind: GoalKind,
    /// The run.
    pub name: String,
    /// Its value, in the unit of the metric.
    pub value: f64,
    /// The jobs that it completes.
    completed: u64,
}

/// The best run by each goal's metric, hidden runs left out. A metric that no run can be judged by is not there.
pub fn best_by_goal(entries: &[RunEntry], workload: &Workload) -> Vec<Best> {
    let names = Names::of(entries.iter().filter(|entry| !entry.is_hidden));
    let standing = Standing::of(entries, workload, None);
    let best = |kind: GoalKind| {
        let (place, value) = *standing.order(&Goal::best(kind)).first()?;
        let candidate = standing.shown.get(place)?;
        Some(Best { kind, name: names.of_entry(candidate.entry), value, completed: candidate.completed() })
    };
    GoalKind::ALL.into_iter().filter_map(best).collect()
}

impl Best {
    /// The value in words: `mean 42m 10s`, `95.0% of deadlines`.
    pub fn words(&self, goal: &Goal) -> String {
        let value = value_text(goal, self.value);
        match self.kind {
            GoalKind::Deadlines => format!("{value} of deadlines"),
            GoalKind::MeanCompletion => format!("mean {value}"),
            GoalKind::P95Waiting => format!("p95 waiting {value}"),
            GoalKind::Cost => value,
        }
    }

    /// The difference from an earlier comparison of the same jobs: `12% sooner`. `None` where the two cannot be compared:
    /// times and costs over other jobs than before differ for that reason.
    pub fn change_from(&self, before: &Self) -> Option<Difference> {
        if self.kind != before.kind || (self.kind != GoalKind::Deadlines && self.completed != before.completed) {
            return None;
        }
        if !Quantity::of_goal(Goal::best(self.kind)).differ(self.value, before.value) {
            return Some(Difference { text: "the same".into(), is_better: None });
        }
        let is_less = self.value < before.value;
        let part = || change(self.value, before.value);
        let text = match self.kind {
            GoalKind::Deadlines => points(self.value - before.value)?,
            GoalKind::MeanCompletion => worded(&part()?, is_less, ("sooner", "later")),
            GoalKind::P95Waiting => worded(&part()?, is_less, ("shorter", "longer")),
            GoalKind::Cost => worded(&part()?, is_less, ("less", "more")),
        };
        Some(Difference { text, is_better: Some(is_less != (self.kind == GoalKind::Deadlines)) })
    }
}

/// `12% sooner`, `×2.4 longer`.
fn worded(change: &str, is_less: bool, (less, more): (&str, &str)) -> String {
    format!("{} {}", change.trim_start_matches(['+', '−']), if is_less { less } else { more })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_runs;

    fn best(kind: GoalKind, value: f64, completed: u64) -> Best {
        Best { kind, name: "a".into(), value, completed }
    }

    #[test]
    fn every_metric_has_its_best_run() {
        let (runs, workload) = sample_runs(&["fixed", "equal-share", "elastic-dp"]);
        let all = best_by_goal(&runs, &workload);
        let mean = all.iter().find(|best| best.kind == GoalKind::MeanCompletion).unwrap();
        let least = runs.iter().map(|run| run.result.as_ref().unwrap().summary.metrics.avg_jct_s.unwrap());
        assert_eq!(mean.value, least.fold(f64::INFINITY, f64::min));
        assert!(mean.words(&Goal::best(GoalKind::MeanCompletion)).starts_with("mean "));
        assert!(best_by_goal(&[], &workload).is_empty());
        let mut hidden = runs.clone();
        let at = hidden.iter().position(|run| run.name() == mean.name).unwrap();
        hidden[at].is_hidden = true;
        assert!(best_by_goal(&hidden, &workload)[1].name != mean.name);
    }

    #[test]
    fn differences_are_worded_by_the_metric() {
        let check = |kind: GoalKind, value: f64, from: f64, expected: (&str, Option<bool>)| {
            let change = best(kind, value, 48).change_from(&best(kind, from, 48)).unwrap();
            assert_eq!((change.text.as_str(), change.is_better), expected);
        };
        check(GoalKind::MeanCompletion, 2520.0, 2864.0, ("12% sooner", Some(true)));
        check(GoalKind::MeanCompletion, 3000.0, 2500.0, ("20% later", Some(false)));
        check(GoalKind::P95Waiting, 3000.0, 1000.0, ("×3.0 longer", Some(false)));
        check(GoalKind::Cost, 90.0, 100.0, ("10% less", Some(true)));
        check(GoalKind::Deadlines, 0.95, 0.92, ("+3.0pt", Some(true)));
        check(GoalKind::Cost, 90.0, 90.0, ("the same", None));
    }

    #[test]
    fn times_over_other_jobs_are_not_compared() {
        let other = |kind: GoalKind| best(kind, 2.0, 47).change_from(&best(kind, 1.0, 48));
        assert_eq!(other(GoalKind::MeanCompletion), None);
        assert!(other(GoalKind::Deadlines).is_some());
        assert_eq!(best(GoalKind::Cost, 1.0, 48).change_from(&best(GoalKind::P95Waiting, 1.0, 48)), None);
    }
}
