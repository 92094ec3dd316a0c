//! The computation of the metrics of a run.

use elastiplan_engine::{LossCause, Outcome, Run, SpanState};
use elastiplan_model::{Workload, order};

use crate::capacity::{HOUR_S, capacity_varies, cost_at_prices, cost_dollars, equivalent_nodes, gpu_seconds_present};
use crate::deadlines::deadlines_possible;
use crate::distribution::{completed, percentile};
use crate::efficiency::{efficiency_by_span, has_efficiency};
use crate::jobs::{JobMetrics, meets_deadline, ratio, work_done};
use crate::work::{in_single_gpu_seconds, single_gpu_seconds, single_gpu_seconds_lost};
use crate::{CostSamples, Metrics, Summary};

impl Summary {
    /// Computes the summary of a run. `workload` must be the one that was run.
    pub fn of(run: &Run, workload: &Workload) -> Self {
        let table = JobMetrics::of(run, workload);
        let (deadlines_met, deadlines_total) = deadlines(run, workload);
        let deadlines_possible = deadlines_possible(run, workload);
        let mut metrics = Metrics {
            deadline_satisfactory_ratio: ratio(deadlines_met as f64, deadlines_total as f64),
            deadline_ratio_bound: deadlines_possible.and_then(|most| ratio(most as f64, deadlines_total as f64)),
            best_effort_avg_jct_s: best_effort_jct_s(workload, &table).filter(|_| deadlines_total > 0),
            served_demand: mean(table.progress.iter().copied()),
            avg_finish_time_fairness: mean(table.rho.iter().copied().flatten()),
            avg_job_throughput: mean(table.throughput.iter().copied().flatten()),
            avg_job_goodput: mean(table.goodput.iter().copied().flatten()),
            max_finish_time_fairness: table.rho.iter().copied().flatten().max_by(f64::total_cmp),
            ..Metrics::default()
        };
        metrics.count_jobs(run);
        metrics.time_jobs(run, &table);
        metrics.measure_resources(run, workload);
        metrics.sum_changes(run);
        metrics.measure_progress(run, workload);
        metrics.cost_dollars = match (&run.prices, run.price_per_gpu_hour) {
            (Some(prices), _) => Some(cost_at_prices(run, prices)),
            (None, price) => price.map(|price| cost_dollars(run, price)),
        };
        Self {
            metrics,
            finished: run.finished,
            deadlines_met,
            deadlines_total,
            deadlines_possible,
            capacity_varies: capacity_varies(run),
            efficiency_varies: has_efficiency(workload),
        }
    }
}

impl Metrics {
    fn count_jobs(&mut self, run: &Run) {
        let outcomes = &run.jobs.outcome;
        let count = |wanted: Outcome| outcomes.iter().filter(|outcome| **outcome == wanted).count() as u64;
        self.jobs_total = outcomes.len() as u64;
        self.jobs_admitted = run.jobs.admitted_s.iter().flatten().count() as u64;
        self.jobs_completed = count(Outcome::Completed);
        self.jobs_dropped = count(Outcome::Dropped);
        self.jobs_failed = count(Outcome::Failed);
        self.jobs_cancelled = count(Outcome::Cancelled);
        self.jobs_unfinished = count(Outcome::Unfinished);
        self.job_drop_ratio = ratio(self.jobs_dropped as f64, self.jobs_total as f64);
    }

    fn time_jobs(&mut self, run: &Run, table: &JobMetrics) {
        let mut jct_s: Vec<f64> = table.jct_s.iter().copied().flatten().collect();
        self.avg_jct_s = mean(jct_s.iter().copied());
        order::sort_by_number(&mut jct_s, |jct_s| *jct_s);
        self.p50_jct_s = percentile(&jct_s, 0.50);
        self.p95_jct_s = percentile(&jct_s, 0.95);
        self.p99_jct_s = percentile(&jct_s, 0.99);
        self.avg_queueing_s = mean(completed(run, &run.jobs.queueing_s));
        self.avg_run_s = mean(completed(run, &table.run_s));
        let ends = run.jobs.end_s.iter().zip(&run.jobs.outcome);
        let completions = ends.filter(|(_, outcome)| **outcome == Outcome::Completed).filter_map(|(end_s, _)| *end_s);
        self.makespan_s = completions.max_by(f64::total_cmp).map(|end_s| end_s - run.start_s);
    }

    fn measure_resources(&mut self, run: &Run, workload: &Workload) {
        let held: f64 = run.jobs.gpu_seconds.iter().sum();
        let present = gpu_seconds_present(run);
        let processed = single_gpu_seconds(run, workload);
        let kept = processed - single_gpu_seconds_lost(run, workload);
        self.gpu_hours = held / HOUR_S;
        self.single_gpu_hours = kept / HOUR_S;
        self.gpu_utilization = ratio(held, present);
        self.cluster_efficiency = ratio(processed, present);
        self.sjs_efficiency = ratio(kept, held);
        self.scaling_efficiency = ratio(processed, running_gpu_seconds(run));
        self.resource_integral_gpu_h = present / HOUR_S;
        self.resource_integral_node_h = ratio(self.resource_integral_gpu_h, f64::from(run.gpus_per_node));
        self.equivalent_nodes = equivalent_nodes(run);
    }

    fn sum_changes(&mut self, run: &Run) {
        let count = |column: &[u32]| column.iter().map(|&times| u64::from(times)).sum();
        self.rescale_count = count(&run.jobs.rescales);
        self.rescale_gpu_s = run.jobs.rescale_gpu_seconds.iter().sum();
        self.preemption_count = count(&run.jobs.preemptions);
        self.eviction_count = count(&run.jobs.evictions);
        self.preemption_gpu_s = run.jobs.preemption_gpu_seconds.iter().sum();
        let cost = CostSamples::of(run);
        (self.rescale_cost_samples, self.preemption_cost_samples) = (cost.rescale, cost.preemption);
        // Nothing summed is the negative zero; adding 0 makes it 0.
        self.lost_gpu_s =
            run.losses.by_cause(LossCause::NodeLeft).map(|(_, gpu_seconds)| gpu_seconds).sum::<f64>() + 0.0;
    }

    fn measure_progress(&mut self, run: &Run, workload: &Workload) {
        let length_s = run.end_s - run.start_s;
        self.throughput_samples_per_s = ratio(run.jobs.samples.iter().sum(), length_s);
        self.goodput_samples_per_s = ratio(run.job_ids().map(|job| work_done(run, workload, job)).sum(), length_s);
        let worths = efficiency_by_span(run, workload);
        let (mut worth_s, mut trained_s, mut worked, mut processed) = (0.0, 0.0, 0.0, 0.0);
        for job in run.job_ids() {
            let known =
                run.spans.range_of(job).filter_map(|at| run.spans.get(at).zip(worths.get(at).copied().flatten()));
            for (span, worth) in known {
                let length_s = span.end_s - span.start_s;
                worth_s += worth * length_s;
                trained_s += length_s;
                // Samples of different models are not comparable; their times on one GPU are.
                worked += in_single_gpu_seconds(workload, job, span.work_per_s * length_s);
                processed += in_single_gpu_seconds(workload, job, span.samples_per_s * length_s);
            }
        }
        self.statistical_efficiency = ratio(worked, processed);
        self.avg_statistical_efficiency = ratio(worth_s, trained_s);
    }
}

/// GPU-seconds held with progress.
fn running_gpu_seconds(run: &Run) -> f64 {
    let running = run.spans.iter().filter(|span| span.state == SpanState::Running);
    running.map(|span| f64::from(span.gpus) * (span.end_s - span.start_s)).sum()
}

fn best_effort_jct_s(workload: &Workload, table: &JobMetrics) -> Option<f64> {
    let jobs = workload.trace().jobs().iter().zip(&table.jct_s);
    mean(jobs.filter(|(job, _)| job.deadline_s.is_none()).filter_map(|(_, jct_s)| *jct_s))
}

fn deadlines(run: &Run, workload: &Workload) -> (u64, u64) {
    let jobs = workload.trace().iter();
    let meets: Vec<bool> = jobs.filter_map(|(job, _)| meets_deadline(run, workload, job)).collect();
    (meets.iter().filter(|meets| **meets).count() as u64, meets.len() as u64)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u64), |(sum, count), value| (sum + value, count + 1));
    ratio(sum, count as f64)
}
