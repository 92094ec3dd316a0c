//! Which runs can be judged by a goal, which of them meet it, and which are best.

use elastiplan_engine::Outcome;
use elastiplan_metrics::{Better, Metrics, Summary};
use elastiplan_model::Workload;

use super::{Goal, GoalKind};
use crate::comparable::{Incomparable, baseline, incomparable};
use crate::of_jobs::OfJobs;
use crate::quantity::Quantity;
use crate::runs::{RunEntry, RunState};

/// A shown run with its metrics.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<'a> {
    pub entry: &'a RunEntry,
    /// Metrics of the jobs asked for; `None` before there is a record.
    pub summary: Option<&'a Summary>,
    /// Why it cannot be compared with the first run.
    pub incomparable: Option<Incomparable>,
    /// Whether it completes the very same jobs as the baseline.
    pub completes_as_baseline: bool,
}

impl Candidate<'_> {
    /// Whether it can be ranked: it has come to its end, and is about the same.
    pub fn is_ranked(&self) -> bool {
        self.entry.state == RunState::Finished && self.summary.is_some() && self.incomparable.is_none()
    }

    pub fn metrics(&self) -> Option<&Metrics> {
        self.summary.map(|summary| &summary.metrics)
    }

    /// The value of the goal's metric.
    pub fn value_of(&self, kind: GoalKind) -> Option<f64> {
        (kind.info()?.value)(self.metrics()?)
    }

    pub fn completed(&self) -> u64 {
        self.metrics().map_or(0, |metrics| metrics.jobs_completed)
    }
}

/// The shown runs of a comparison.
#[derive(Clone, Debug)]
pub(crate) struct Standing<'a> {
    /// Hidden runs are left out.
    pub shown: Vec<Candidate<'a>>,
    /// Place among the shown ones of the run with which the others are compared; `None` if it has not come to its end.
    pub baseline: Option<usize>,
    /// The jobs that all metrics are about; `None` for all.
    only: Option<&'a OfJobs>,
    /// Places of the runs that complete the most jobs.
    most: Vec<usize>,
    /// Whether those complete the same jobs.
    most_agree: bool,
}

impl<'a> Standing<'a> {
    /// Looks at the shown runs; metrics are of some jobs if they are given.
    pub fn of(entries: &'a [RunEntry], workload: &Workload, only: Option<&'a OfJobs>) -> Self {
        let is_whole = |entry: &&RunEntry| entry.whole().is_some();
        let shown = || entries.iter().filter(|entry| !entry.is_hidden);
        let first = baseline(entries);
        // Without the baseline, runs are compared with the first that has come to its end.
        let reference = first.filter(is_whole).or_else(|| shown().find(is_whole));
        let candidate = |entry: &'a RunEntry| {
            let summary = match only {
                Some(only) if entry.own_workload.is_none() => only.summary(entry),
                // Its jobs are others: what a filter finds says nothing about them.
                _ => entry.result.as_deref().map(|result| &result.summary),
            };
            let incomparable = reference.and_then(|reference| incomparable(entry, reference, workload));
            Candidate { entry, summary, incomparable, completes_as_baseline: false }
        };
        let shown: Vec<Candidate> = shown().map(candidate).collect();
        let is_baseline = |candidate: &Candidate| first.is_some_and(|first| std::ptr::eq(first, candidate.entry));
        let baseline = shown.iter().position(|candidate| is_baseline(candidate) && candidate.is_ranked());
        let mut standing = Self { shown, baseline, only, most: Vec::new(), most_agree: true };
        standing.find_complete();
        standing
    }

    /// Finds the runs that complete the most, and whether they complete the same jobs: this looks at every job.
    fn find_complete(&mut self) {
        let most = self.ranked().map(|(_, candidate)| candidate.completed()).max().unwrap_or(0);
        let complete: Vec<_> = self.ranked().filter(|(_, candidate)| candidate.completed() == most).collect();
        let first = complete.first().map(|(_, first)| *first);
        let agree = first.is_none_or(|first| complete.iter().all(|(_, other)| self.complete_the_same(first, other)));
        let most: Vec<usize> = complete.into_iter().map(|(place, _)| place).collect();
        let baseline = self.baseline.and_then(|place| self.shown.get(place));
        let as_baseline = |candidate| baseline.is_some_and(|baseline| self.complete_the_same(candidate, baseline));
        let as_baseline: Vec<bool> = self.shown.iter().map(as_baseline).collect();
        (self.most, self.most_agree) = (most, agree);
        for (candidate, completes_as_baseline) in self.shown.iter_mut().zip(as_baseline) {
            candidate.completes_as_baseline = completes_as_baseline;
        }
    }

    /// Whether a shown run is on its way, or its numbers are: until they are there, none is best.
    pub fn is_running(&self) -> bool {
        let has_more = self.only.is_some_and(OfJobs::has_more);
        has_more || self.shown.iter().any(|candidate| candidate.entry.is_running())
    }

    pub fn ranked(&self) -> impl Iterator<Item = (usize, &Candidate<'a>)> {
        self.shown.iter().enumerate().filter(|(_, candidate)| candidate.is_ranked())
    }

    /// Whether two runs complete the very same of the jobs that the metrics are about.
    pub fn complete_the_same(&self, one: &Candidate<'_>, other: &Candidate<'_>) -> bool {
        if std::ptr::eq(one.entry, other.entry) {
            return true;
        }
        let (Some(one), Some(other)) = (&one.entry.result, &other.entry.result) else { return false };
        let outcome = |of: &elastiplan_engine::Run, at: usize| of.jobs.outcome.get(at) == Some(&Outcome::Completed);
        let same = |at: usize| outcome(&one.run, at) == outcome(&other.run, at);
        match self.only {
            Some(only) => only.jobs().iter().all(|job| same(job.index())),
            None => (0..one.run.jobs.outcome.len().max(other.run.jobs.outcome.len())).all(same),
        }
    }

    /// Runs that can be ranked by a metric, as places among the shown ones. Where declining jobs flatters the metric,
    /// they are the runs that complete the most; none if those do not complete the same jobs.
    pub fn eligible(&self, key: &str) -> Vec<usize> {
        let is_over_completed = elastiplan_metrics::OVER_COMPLETED.contains(&key);
        if !is_over_completed && key != GoalKind::Cost.key() {
            return self.ranked().map(|(place, _)| place).collect();
        }
        if is_over_completed && !self.most_agree { Vec::new() } else { self.most.clone() }
    }

    /// Values of the goal's metric of the runs that can be ranked by it, with their places, the best first.
    pub fn order(&self, goal: &Goal) -> Vec<(usize, f64)> {
        let value = |place: usize| Some((place, self.shown.get(place)?.value_of(goal.kind)?));
        let mut values: Vec<(usize, f64)> = self.eligible(goal.kind.key()).into_iter().filter_map(value).collect();
        let sign = if goal.kind.better() == Better::Higher { -1.0 } else { 1.0 };
        elastiplan_model::order::sort_by_number(&mut values, |(_, value)| sign * value);
        values
    }

    /// The best runs: all that look as good as the best. None while a run is on its way.
    pub fn best(&self, goal: &Goal) -> Vec<usize> {
        let order = if self.is_running() { Vec::new() } else { self.order(goal) };
        Quantity::of_goal(*goal).best(&order, goal.kind.better())
    }

    /// The value of the goal's metric of every shown run as it is written, told apart from the others.
    pub fn texts(&self, goal: &Goal) -> Vec<String> {
        let values: Vec<Option<f64>> = self.shown.iter().map(|candidate| candidate.value_of(goal.kind)).collect();
        Quantity::of_goal(*goal).told_apart(&values)
    }

    /// Whether a run meets the goal; `None` without a limit or a value, while it is on its way, and after it was
    /// stopped. A run that declines more than another does not meet a goal about the jobs that are left.
    pub fn meets(&self, goal: &Goal, place: usize) -> Option<bool> {
        let candidate = self.shown.get(place).filter(|candidate| candidate.is_ranked())?;
        let is_met = goal.is_met_by(candidate.value_of(goal.kind)?)?;
        Some(is_met && self.eligible(goal.kind.key()).contains(&place))
    }
}
