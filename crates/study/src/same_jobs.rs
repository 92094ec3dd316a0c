//! Whether two runs completed the same jobs.
//!
//! Means of completion times are over completed jobs: a policy that declines the long ones looks fast. So what is over
//! completed jobs is compared only where both completed the same.

use elastiplan_metrics::{MetricInfo, Metrics, OVER_COMPLETED};

use crate::{Outcome, Results, Study};

/// Rates that are over completed jobs too: a single run is judged by them all the same.
const RATES: [&str; 2] = ["avg_job_throughput", "avg_job_goodput"];

impl Study {
    /// In how many seeds a policy completes other jobs than the baseline at a point, as far as metrics tell. If any, times
    /// are not compared there.
    pub fn seeds_with_other_jobs(&self, results: &Results, point: u32, policy: u32) -> usize {
        let of = |policy: u32| self.outcomes(results, point, policy, 0..self.seeds.most());
        of(policy).iter().zip(of(0)).filter(|(ours, theirs)| !completed_the_same(ours, theirs)).count()
    }

    /// At how many points policies are not compared by what is asked for, since it is over completed jobs and they
    /// completed other jobs than the baseline.
    pub fn points_not_compared(&self, results: &Results) -> usize {
        if !self.metrics_asked().into_iter().any(is_of_completed) {
            return 0;
        }
        let policies = self.policies.len() as u32;
        let others = |point: u32| (1..policies).any(|policy| self.seeds_with_other_jobs(results, point, policy) > 0);
        (0..self.grid.points() as u32).filter(|&point| others(point)).count()
    }
}

/// Metrics that a policy which declines jobs does badly by.
const OF_DECLINED: [&str; 3] = ["job_drop_ratio", "jobs_dropped", "jobs_completed"];

/// The first of the metrics of goals, by their keys, that is over completed jobs, where none limits how many are declined:
/// a policy that declines what is hard would look better than it is.
pub fn lacks_limit_on_declined<'k>(metrics: impl Iterator<Item = &'k str> + Clone) -> Option<&'static MetricInfo> {
    if metrics.clone().any(|key| OF_DECLINED.contains(&key)) {
        return None;
    }
    metrics.filter_map(Metrics::info).find(|metric| is_of_completed(metric))
}

/// Whether a metric may be compared: one over completed jobs only where both completed the same jobs with every seed.
pub(crate) fn are_comparable(ours: &[&Outcome], theirs: &[&Outcome], metric: &MetricInfo) -> bool {
    let is_same = || ours.iter().zip(theirs).all(|(ours, theirs)| completed_the_same(ours, theirs));
    !is_of_completed(metric) || is_same()
}

pub(crate) fn is_of_completed(metric: &MetricInfo) -> bool {
    OVER_COMPLETED.contains(&metric.key) || RATES.contains(&metric.key)
}

/// Whether both completed the same jobs. Metrics tell how many, not which; so where a job was declined or is unfinished,
/// it counts as no.
fn completed_the_same(ours: &Outcome, theirs: &Outcome) -> bool {
    match (ours, theirs) {
        (Outcome::Ended { digest, .. }, Outcome::Ended { digest: other, .. }) if digest == other => true,
        (Outcome::Ended { metrics: ours, .. }, Outcome::Ended { metrics: theirs, .. }) => {
            let all = |of: &elastiplan_metrics::Metrics| of.jobs_dropped == 0 && of.jobs_unfinished == 0;
            let ends = |of: &elastiplan_metrics::Metrics| (of.jobs_completed, of.jobs_failed, of.jobs_cancelled);
            all(ours) && all(theirs) && ends(ours) == ends(theirs)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_metrics::METRICS;

    use super::*;

    #[test]
    fn metrics_that_say_so_are_of_completed_jobs() {
        for metric in METRICS {
            if metric.help.contains("completed jobs") {
                assert!(is_of_completed(metric), "{}", metric.key);
            }
        }
        assert!(OVER_COMPLETED.iter().chain(&RATES).all(|key| Metrics::info(key).is_some()));
    }

    #[test]
    fn a_goal_over_completed_jobs_asks_for_one_on_declined_jobs() {
        let check = |keys: &[&str], expected: Option<&str>| {
            let found = lacks_limit_on_declined(keys.iter().copied());
            assert_eq!(found.map(|metric| metric.key), expected, "{keys:?}");
        };
        for key in OVER_COMPLETED.iter().chain(&RATES) {
            check(&[key], Some(*key));
            check(&[key, "job_drop_ratio"], None);
            check(&["jobs_completed", key], None);
        }
        check(&["deadline_satisfactory_ratio", "cost_dollars"], None);
        check(&["deadline_satisfactory_ratio", "makespan_s"], Some("makespan_s"));
        check(&[], None);
    }

    #[test]
    fn what_declined_a_job_is_not_compared() {
        let outcome = |digest: &str, completed: u64, dropped: u64| {
            let metrics = Metrics { jobs_completed: completed, jobs_dropped: dropped, ..Metrics::default() };
            Outcome::Ended { digest: digest.into(), metrics: Box::new(metrics) }
        };
        let check = |ours: &Outcome, theirs: &Outcome, expected: bool| {
            assert_eq!(completed_the_same(ours, theirs), expected, "{ours:?}, {theirs:?}");
        };
        check(&outcome("a", 10, 0), &outcome("b", 10, 0), true);
        check(&outcome("a", 9, 1), &outcome("b", 10, 0), false);
        check(&outcome("a", 9, 1), &outcome("b", 9, 1), false);
        check(&outcome("a", 9, 1), &outcome("a", 9, 1), true);
        check(&outcome("a", 9, 0), &outcome("b", 10, 0), false);
        check(&Outcome::Failed { message: "no GPUs".into() }, &outcome("b", 10, 0), false);
    }
}
