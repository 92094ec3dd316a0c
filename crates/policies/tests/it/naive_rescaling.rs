//! What changes cost in samples and return a second time: every event, stretch and job looked at by itself.

use std::collections::BTreeSet;

use elastiplan_engine::{LossCause, Outcome, SpanState};
use elastiplan_metrics::{outcome_between, periods, run_time_by_model};

use super::pool_measures::{
    cost_per_event, eviction_times, mean_return_on_investment, pool_events, preempted_within, rescale_returns,
};
use super::{Naive, length, mean, overlap, quotient};

impl Naive<'_> {
    /// Spans in a state, each with the speed of the last one before in which the job ran, in samples; and what was lost or
    /// taken away at once for the same reason.
    fn costs(&self, state: SpanState) -> Vec<(f64, f64)> {
        let wanted = if state == SpanState::Recovering { LossCause::NodeLeft } else { LossCause::Rescale };
        let losses = &self.run.losses;
        let own = (0..losses.job.len()).filter(|row| losses.cause[*row] == wanted);
        let mut costs: Vec<(f64, f64)> = own.map(|row| (losses.time_s[row], losses.samples[row])).collect();
        for id in &self.ids {
            let spans: Vec<_> = self.run.spans.of(*id).collect();
            for (at, span) in spans.iter().enumerate().filter(|(_, span)| span.state == state) {
                let ran = spans[..at].iter().rev().find(|before| before.state == SpanState::Running);
                costs.push((span.start_s, ran.map_or(0.0, |before| before.samples_per_s) * length(span)));
            }
        }
        costs
    }

    pub fn cost_samples(&self, state: SpanState) -> f64 {
        self.costs(state).iter().map(|(_, cost)| cost).sum()
    }

    /// Samples processed in a stretch of time, without those that were lost at or before its end.
    fn outcome(&self, stretch: (f64, f64)) -> f64 {
        let processed = self.sum(|_, span| span.samples_per_s * overlap((span.start_s, span.end_s), stretch));
        let losses = &self.run.losses;
        let lost =
            losses.time_s.iter().zip(&losses.work).filter(|(time_s, _)| stretch.0 < **time_s && **time_s <= stretch.1);
        processed - lost.map(|(_, work)| work).sum::<f64>()
    }

    pub fn check_rescaling(&self) {
        let run = self.run;
        let events = pool_events(run);
        let edges: BTreeSet<u64> =
            run.absences.start_s.iter().chain(&run.absences.end_s).map(|s| s.to_bits()).collect();
        let inside = |time_s: &f64| run.start_s < *time_s && *time_s < run.end_s;
        assert_eq!(events, edges.into_iter().map(f64::from_bits).filter(inside).collect::<Vec<_>>());
        for pair in
            (1..run.series.time_s.len()).filter(|row| run.series.gpus_present[row - 1] != run.series.gpus_present[*row])
        {
            let time_s = run.series.time_s[pair];
            assert!(
                !inside(&time_s) || run.absences.first.is_empty() || events.contains(&time_s),
                "the pool changes at {time_s}: {events:?}"
            );
        }

        let bounds: Vec<f64> = [run.start_s].into_iter().chain(events.iter().copied()).chain([run.end_s]).collect();
        let (rescaling, mut returns) = (self.costs(SpanState::Rescaling), Vec::new());
        for ends in bounds.windows(2) {
            let (from_s, to_s) = (ends[0], ends[1]);
            let cost: f64 =
                rescaling.iter().filter(|(at_s, _)| from_s <= *at_s && *at_s < to_s).map(|(_, cost)| cost).sum();
            if cost > 0.0 {
                returns.push((from_s, to_s, cost, self.outcome((from_s, to_s))));
            }
        }
        let found = rescale_returns(run);
        assert_eq!(found.len(), returns.len());
        for (found, (from_s, to_s, cost, outcome)) in found.iter().zip(&returns) {
            assert_eq!((found.from_s, found.to_s), (*from_s, *to_s));
            self.assert_close("cost between events", Some(found.cost_samples), Some(*cost));
            self.assert_close("outcome between events", Some(found.outcome_samples), Some(*outcome));
        }
        // A return may come out of sums that nearly cancel: then its digits are those of the outcome.
        let ratios: Vec<f64> = found.iter().map(|found| found.outcome_samples / found.cost_samples).collect();
        self.assert_close("return on investment", mean_return_on_investment(run), mean(&ratios));
        let per_event = cost_per_event(run);
        let expected = quotient(self.cost_samples(SpanState::Recovering), events.len() as f64);
        self.assert_close("preemption cost per event", per_event.map(|cost| cost.preemption), expected);

        let length_s = run.end_s - run.start_s;
        let times = periods(run, length_s / 7.0);
        for (outcome, ends) in outcome_between(run, &times).into_iter().zip(times.windows(2)) {
            self.assert_close("outcome of a period", Some(outcome), Some(self.outcome((ends[0], ends[1]))));
        }
        self.check_evictions(&events);
        self.check_run_times();
    }

    fn check_evictions(&self, events: &[f64]) {
        let run = self.run;
        let evictions = eviction_times(run);
        let mut hit = BTreeSet::new();
        for node in 0..run.absences.first.len().saturating_sub(1) as u32 {
            for (left_s, _) in run.absences.of(node) {
                for row in run.holdings.range_of(node).filter(|row| run.holdings.end_s[*row] == left_s) {
                    let job = run.holdings.job[row];
                    if run.jobs.end_s[job as usize] != Some(left_s) {
                        hit.insert((left_s.to_bits(), job));
                    }
                }
            }
        }
        let times: BTreeSet<u64> = hit.iter().map(|(time, _)| *time).collect();
        assert_eq!(evictions, times.into_iter().map(f64::from_bits).collect::<Vec<_>>());
        // What is taken and lost at one time is no holding. And a policy that gives nodes back may take them from jobs
        // itself, at the same time.
        let counted: u32 = run.jobs.evictions.iter().sum();
        assert!(run.price_per_gpu_hour.is_some() || hit.len() <= counted as usize, "{hit:?}, counted {counted}");
        for t_fwd_s in [0.0, 3.0, 30.0, 300.0] {
            let known: Vec<&f64> = events.iter().filter(|event_s| **event_s + t_fwd_s <= run.end_s).collect();
            let is_hit =
                |event_s: &&&f64| evictions.iter().any(|at_s| at_s > **event_s && *at_s <= **event_s + t_fwd_s);
            let expected = quotient(known.iter().filter(is_hit).count() as f64, known.len() as f64);
            assert_eq!(preempted_within(run, t_fwd_s), expected);
        }
    }

    fn check_run_times(&self) {
        let (run, trace) = (self.run, self.workload.trace());
        for row in run_time_by_model(run, self.workload) {
            let of_model = trace.iter().filter(|(_, job)| trace.model_name(job.model) == row.model);
            let ids: Vec<usize> = of_model.map(|(id, _)| id.index()).collect();
            let completed: Vec<usize> = ids
                .iter()
                .copied()
                .filter(|id| run.jobs.outcome[*id] == Outcome::Completed && run.jobs.start_s[*id].is_some())
                .collect();
            assert_eq!((row.jobs, row.completed), (ids.len() as u64, completed.len() as u64));
            let since = |column: &[Option<f64>]| -> Vec<f64> {
                completed.iter().map(|id| run.jobs.end_s[*id].unwrap() - column[*id].unwrap()).collect()
            };
            self.assert_close("run time of a model", row.from_start_s, mean(&since(&run.jobs.start_s)));
            self.assert_close("its time since admission", row.from_admission_s, mean(&since(&run.jobs.admitted_s)));
        }
    }
}
