//! The table of runs as the user wants it: its columns, and the order of the runs, in which their pictures are shown too.

use elastiplan_metrics::{Better, Metrics};
use elastiplan_model::order;
use elastiplan_present::metric_text::value;
use elastiplan_present::runs::RunEntry;

/// What was chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableChoice {
    /// The keys of the columns; `None` for those that are there at first.
    pub columns: Option<Vec<&'static str>>,
    /// The column by which runs are ordered, and whether the best comes first; `None` for the order of the list.
    pub order: Option<(&'static str, bool)>,
}

impl TableChoice {
    /// Orders runs by a column: the best first, asked again the worst first, and then as they are in the list.
    pub fn sort(&mut self, key: &'static str) {
        self.order = match self.order {
            Some((now, true)) if now == key => Some((key, false)),
            Some((now, false)) if now == key => None,
            _ => Some((key, true)),
        };
    }

    /// The places of the runs that are shown, in order. Runs without a value come last.
    pub fn places(&self, entries: &[RunEntry]) -> Vec<usize> {
        let shown = entries.iter().enumerate().filter(|(_, entry)| !entry.is_hidden);
        let mut places: Vec<usize> = shown.map(|(place, _)| place).collect();
        let Some((info, best_first)) = self.order.and_then(|(key, best)| Some((Metrics::info(key)?, best))) else {
            return places;
        };
        let is_rising = (info.better == Better::Lower) == best_first;
        let rank = |place: &usize| match entries.get(*place).and_then(|entry| value(info, entry)) {
            Some(value) if is_rising => value,
            Some(value) => -value,
            None => f64::INFINITY,
        };
        order::sort_by(&mut places, |a, b| rank(a).total_cmp(&rank(b)));
        places
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_planner::run;
    use elastiplan_scenario::sample;

    use super::*;

    #[test]
    fn runs_are_ordered_by_a_column_and_back() {
        let scenario = sample::scenario(sample::SEED);
        let (workload, _) = scenario.workload();
        let entry = |(slot, policy): (usize, &str)| {
            RunEntry::finished(slot, run(&scenario, &workload, &policy.parse().unwrap()).unwrap())
        };
        let mut entries: Vec<RunEntry> =
            ["fixed", "equal-share", "elastic-dp", "edf"].into_iter().enumerate().map(entry).collect();
        let mut choice = TableChoice::default();
        let mut check = |entries: &[RunEntry], key: &'static str, expected: &[usize]| {
            choice.sort(key);
            assert_eq!(choice.places(entries), expected, "{:?}", choice.order);
        };
        let mean = |place: usize| entries[place].result.as_ref().unwrap().summary.metrics.avg_jct_s.unwrap();
        let mut by_mean = vec![0, 1, 2, 3];
        order::sort_by(&mut by_mean, |a, b| mean(*a).total_cmp(&mean(*b)));
        check(&entries, "avg_jct_s", &by_mean);
        let worst_first: Vec<usize> = by_mean.iter().rev().copied().collect();
        check(&entries, "avg_jct_s", &worst_first);
        check(&entries, "avg_jct_s", &[0, 1, 2, 3]);
        entries[by_mean[0]].result = None;
        entries[by_mean[1]].is_hidden = true;
        check(&entries, "avg_jct_s", &[by_mean[2], by_mean[3], by_mean[0]]);
    }
}
