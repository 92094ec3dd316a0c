//! Measures of BFTrainer (Liu et al., section 5.1) between changes of the pool of nodes: what changes cost and
//! return, and how often they are followed by a preemption. docs/metrics.md has the definitions.

use elastiplan_engine::{LossCause, Run};
use elastiplan_metrics::{CostSamples, each_cost, outcome_between};
use elastiplan_model::JobId;

use super::quotient;

/// Cost and return of the decisions between two neighbouring events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RescaleReturn {
    /// The first event.
    pub from_s: f64,
    /// The next event.
    pub to_s: f64,
    /// The investment: rescale cost of the decisions in between, in samples; above 0.
    pub cost_samples: f64,
    /// The return: samples processed and kept in between.
    pub outcome_samples: f64,
}

impl RescaleReturn {
    /// Return on investment: samples returned for each sample invested (section 5.1.1, Figure 8).
    pub fn on_investment(&self) -> f64 {
        self.outcome_samples / self.cost_samples
    }
}

/// Samples processed and not lost: the outcome of a run (BFTrainer, section 4.1.2).
pub fn outcome_samples(run: &Run) -> f64 {
    run.jobs.samples.iter().sum::<f64>() - run.jobs.work_lost.iter().sum::<f64>()
}

/// Times between the start and the end of the run at which the pool of nodes changed. Nodes that join or leave at one
/// time are one event (section 2.1).
pub fn pool_events(run: &Run) -> Vec<f64> {
    let mut times_s: Vec<f64> = run.absences.start_s.iter().chain(&run.absences.end_s).copied().collect();
    // An absence that lasts is recorded up to the end of the run.
    times_s.retain(|time_s| *time_s > run.start_s && *time_s < run.end_s);
    times_s.sort_by(f64::total_cmp);
    times_s.dedup();
    times_s
}

/// The mean cost over the changes of the pool (Figures 7b and 11); `None` if it never changed.
pub fn cost_per_event(run: &Run) -> Option<CostSamples> {
    let CostSamples { rescale, preemption } = CostSamples::of(run);
    let events = pool_events(run).len() as f64;
    Some(CostSamples { rescale: quotient(rescale, events)?, preemption: quotient(preemption, events)? })
}

/// Returns for each stretch from event to event with a rescale cost. The first stretch begins with the run, the last
/// one ends with it.
pub fn rescale_returns(run: &Run) -> Vec<RescaleReturn> {
    let bounds = stretches(run);
    let mut costs = vec![0.0; bounds.len().saturating_sub(1)];
    each_cost(run, |time_s, cause, samples| {
        let at = bounds.partition_point(|bound_s| *bound_s <= time_s).checked_sub(1);
        if let (Some(cost), LossCause::Rescale) = (at.and_then(|at| costs.get_mut(at)), cause) {
            *cost += samples;
        }
    });
    let outcomes = outcome_between(run, &bounds);
    let stretches = bounds.windows(2).zip(costs.into_iter().zip(outcomes));
    let of_stretch = |(ends, (cost_samples, outcome_samples)): (&[f64], (f64, f64))| match ends {
        [from_s, to_s] if cost_samples > 0.0 => {
            Some(RescaleReturn { from_s: *from_s, to_s: *to_s, cost_samples, outcome_samples })
        }
        _ => None,
    };
    stretches.filter_map(of_stretch).collect()
}

/// The mean of [`RescaleReturn::on_investment`] (Figure 8); `None` if nothing was invested.
pub fn mean_return_on_investment(run: &Run) -> Option<f64> {
    let returns = rescale_returns(run);
    quotient(returns.iter().map(RescaleReturn::on_investment).sum(), returns.len() as f64)
}

/// Share of the events after which, within `t_fwd_s` seconds, leaving nodes took GPUs from a job (Figure 7a). Events
/// less than that before the end do not count, since what follows them is unknown. `None` if none counts.
pub fn preempted_within(run: &Run, t_fwd_s: f64) -> Option<f64> {
    let evictions = eviction_times(run);
    let mut events = pool_events(run);
    events.retain(|event_s| event_s + t_fwd_s <= run.end_s);
    let follows = |event_s: &&f64| {
        let next = evictions.partition_point(|time_s| time_s <= *event_s);
        evictions.get(next).is_some_and(|time_s| *time_s <= **event_s + t_fwd_s)
    };
    quotient(events.iter().filter(follows).count() as f64, events.len() as f64)
}

/// Times at which leaving nodes took GPUs from jobs, each once. If a policy returns nodes, GPUs that it takes from jobs
/// at that time itself count too.
pub fn eviction_times(run: &Run) -> Vec<f64> {
    let mut times_s = Vec::new();
    for node in 0..run.absences.first.len().saturating_sub(1) as u32 {
        let range = run.holdings.range_of(node);
        let ends_s = run.holdings.end_s.get(range.clone()).unwrap_or_default();
        let jobs = run.holdings.job.get(range).unwrap_or_default();
        let held_until = |time_s: f64| {
            let rows = ends_s.iter().zip(jobs).skip(ends_s.partition_point(|end_s| *end_s < time_s));
            let mut rows = rows.take_while(|(end_s, _)| **end_s == time_s);
            rows.any(|(_, job)| !has_ended(run, JobId(*job), time_s))
        };
        times_s.extend(run.absences.of(node).map(|(from_s, _)| from_s).filter(|from_s| held_until(*from_s)));
    }
    times_s.sort_by(f64::total_cmp);
    times_s.dedup();
    times_s
}

/// Whether a job ended at this time, which is before nodes leave.
fn has_ended(run: &Run, job: JobId, time_s: f64) -> bool {
    run.jobs.end_s.get(job.index()).copied().flatten() == Some(time_s)
}

/// The start of the run, every event, and the end.
fn stretches(run: &Run) -> Vec<f64> {
    std::iter::once(run.start_s).chain(pool_events(run)).chain([run.end_s]).collect()
}
