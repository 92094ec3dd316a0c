//! The computation of the metrics of a run, and of some of its jobs.

use elastiplan_engine::{LossCause, Outcome, Run, SpanState};
use elastiplan_model::{JobId, Workload, order};

use crate::capacity::{
    HOUR_S, capacity_varies, cost_at_prices, cost_dollars, cost_of_jobs, equivalent_nodes, gpu_seconds_present,
};
use crate::deadlines::deadlines_possible;
use crate::distribution::percentile;
use crate::efficiency::{Batches, has_efficiency};
use crate::jobs::{JobMetrics, completion_s, meets_deadline, ratio, work_done};
use crate::rescaling::cost_of;
use crate::selection::Selection;
use crate::work::{in_single_gpu_seconds, single_gpu_seconds, single_gpu_seconds_lost};
use crate::{Metrics, Summary};

impl Summary {
    /// Computes the summary of a run. `workload` must be the one that was run.
    pub fn of(run: &Run, workload: &Workload) -> Self {
        Self::over(run, workload, &Selection::all(run))
    }

    /// Computes the summary of some jobs of a run, in any order: of a model, a user, or what a query finds.
    ///
    /// Counts, times, deadlines and changes are of these jobs alone; utilisation and cluster efficiency are the part of
    /// the cluster that they used, and what is said of the cluster stays. The cost is that of the GPU time they held:
    /// idle time is no job's. The bound on deadlines is missing, since the other jobs use the same GPUs.
    pub fn of_jobs(run: &Run, workload: &Workload, jobs: &[JobId]) -> Self {
        Self::over(run, workload, &Selection::of(run, jobs))
    }

    fn over(run: &Run, workload: &Workload, selection: &Selection) -> Self {
        let table = JobMetrics::over(run, workload, &selection.jobs);
        let (deadlines_met, deadlines_total) = deadlines(run, workload, selection);
        let deadlines_possible = if selection.is_all() { deadlines_possible(run, workload) } else { None };
        let mut metrics = Metrics {
            deadline_satisfactory_ratio: ratio(deadlines_met as f64, deadlines_total as f64),
            deadline_ratio_bound: deadlines_possible.and_then(|most| ratio(most as f64, deadlines_total as f64)),
            best_effort_avg_jct_s: best_effort_jct_s(workload, selection, &table).filter(|_| deadlines_total > 0),
            served_demand: mean(table.progress.iter().copied()),
            avg_finish_time_fairness: mean(table.rho.iter().copied().flatten()),
            avg_job_throughput: mean(table.throughput.iter().copied().flatten()),
            avg_job_goodput: mean(table.goodput.iter().copied().flatten()),
            max_finish_time_fairness: table.rho.iter().copied().flatten().max_by(f64::total_cmp),
            ..Metrics::default()
        };
        metrics.count_jobs(run, selection);
        metrics.time_jobs(run, workload, selection, &table);
        metrics.measure_resources(run, workload, selection);
        metrics.sum_changes(run, selection);
        metrics.measure_progress(run, workload, selection);
        metrics.cost_dollars = cost(run, selection);
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

/// What the run costs, or its part for some jobs, in dollars; `None` without a price.
fn cost(run: &Run, selection: &Selection) -> Option<f64> {
    let price = run.list_price_per_gpu_hour.or(run.price_per_gpu_hour);
    match (&run.prices, selection.is_all()) {
        (None, true) => Some(cost_dollars(run, price?)),
        (Some(prices), true) => Some(cost_at_prices(run, prices)),
        (prices, false) => cost_of_jobs(run, &selection.jobs, prices.as_ref(), price),
    }
}

impl Metrics {
    fn count_jobs(&mut self, run: &Run, selection: &Selection) {
        let outcomes = || selection.rows(&run.jobs.outcome);
        let count = |wanted: Outcome| outcomes().filter(|outcome| **outcome == wanted).count() as u64;
        self.jobs_total = outcomes().count() as u64;
        self.jobs_admitted = selection.rows(&run.jobs.admitted_s).flatten().count() as u64;
        self.jobs_completed = count(Outcome::Completed);
        self.jobs_dropped = count(Outcome::Dropped);
        self.jobs_failed = count(Outcome::Failed);
        self.jobs_cancelled = count(Outcome::Cancelled);
        self.jobs_unfinished = count(Outcome::Unfinished);
        self.job_drop_ratio = ratio(self.jobs_dropped as f64, self.jobs_total as f64);
    }

    fn time_jobs(&mut self, run: &Run, workload: &Workload, selection: &Selection, table: &JobMetrics) {
        let sorted = |mut times_s: Vec<f64>| {
            order::sort_by_number(&mut times_s, |time_s| *time_s);
            times_s
        };
        let jct_s: Vec<f64> = table.jct_s.iter().copied().flatten().collect();
        self.avg_jct_s = mean(jct_s.iter().copied());
        let jct_s = sorted(jct_s);
        self.p50_jct_s = percentile(&jct_s, 0.50);
        self.p95_jct_s = percentile(&jct_s, 0.95);
        self.p99_jct_s = percentile(&jct_s, 0.99);
        let is_completed = |job: &&JobId| run.jobs.outcome.get(job.index()) == Some(&Outcome::Completed);
        let completed = || selection.jobs.iter().filter(is_completed);
        let waits = completed().filter_map(|job| run.jobs.queueing_s.get(job.index()).copied());
        let waits: Vec<f64> = waits.collect();
        self.avg_queueing_s = mean(waits.iter().copied());
        let waits = sorted(waits);
        self.p95_queueing_s = percentile(&waits, 0.95);
        self.p99_queueing_s = percentile(&waits, 0.99);
        let rows = selection.jobs.iter().zip(&table.run_s).filter(|(job, _)| is_completed(job));
        self.avg_run_s = mean(rows.map(|(_, run_s)| *run_s));
        let start_s = match selection.is_all() {
            true => Some(run.start_s),
            false => selection.rows(workload.trace().jobs()).map(|job| job.submit_s).min_by(f64::total_cmp),
        };
        let last_s = selection.jobs.iter().filter_map(|job| completion_s(run, *job)).max_by(f64::total_cmp);
        self.makespan_s = last_s.zip(start_s).map(|(last_s, start_s)| last_s - start_s);
    }

    fn measure_resources(&mut self, run: &Run, workload: &Workload, selection: &Selection) {
        let held: f64 = selection.rows(&run.jobs.gpu_seconds).sum();
        let present = gpu_seconds_present(run);
        let processed = single_gpu_seconds(run, workload, &selection.jobs);
        let kept = processed - single_gpu_seconds_lost(run, workload, selection);
        self.gpu_hours = held / HOUR_S;
        self.single_gpu_hours = kept / HOUR_S;
        self.gpu_utilization = ratio(held, present);
        self.cluster_efficiency = ratio(processed, present);
        self.sjs_efficiency = ratio(kept, held);
        self.scaling_efficiency = ratio(processed, running_gpu_seconds(run, selection));
        self.resource_integral_gpu_h = present / HOUR_S;
        self.resource_integral_node_h = ratio(self.resource_integral_gpu_h, f64::from(run.gpus_per_node));
        self.equivalent_nodes = equivalent_nodes(run);
    }

    fn sum_changes(&mut self, run: &Run, selection: &Selection) {
        let count = |column: &[u32]| selection.rows(column).map(|&times| u64::from(times)).sum();
        // Nothing summed is the negative zero; adding 0 makes it 0.
        let sum = |column: &[f64]| selection.rows(column).sum::<f64>() + 0.0;
        self.rescale_count = count(&run.jobs.rescales);
        self.rescale_gpu_s = sum(&run.jobs.rescale_gpu_seconds);
        self.preemption_count = count(&run.jobs.preemptions);
        self.eviction_count = count(&run.jobs.evictions);
        self.preemption_gpu_s = sum(&run.jobs.preemption_gpu_seconds);
        let cost = cost_of(run, selection);
        (self.rescale_cost_samples, self.preemption_cost_samples) = (cost.rescale, cost.preemption);
        let losses = run.losses.job.iter().zip(&run.losses.cause).zip(&run.losses.gpu_seconds);
        let own = losses.filter(|((job, cause), _)| **cause == LossCause::NodeLeft && selection.has(**job));
        self.lost_gpu_s = own.map(|(_, gpu_seconds)| gpu_seconds).sum::<f64>() + 0.0;
    }

    fn measure_progress(&mut self, run: &Run, workload: &Workload, selection: &Selection) {
        let length_s = run.end_s - run.start_s;
        self.throughput_samples_per_s = ratio(selection.rows(&run.jobs.samples).sum(), length_s);
        let done = selection.jobs.iter().map(|job| work_done(run, workload, *job));
        self.goodput_samples_per_s = ratio(done.sum(), length_s);
        if !has_efficiency(workload) {
            return;
        }
        let batches = Batches::of(run);
        let (mut worth_s, mut trained_s, mut worked, mut processed) = (0.0, 0.0, 0.0, 0.0);
        for job in selection.jobs.iter().copied() {
            for trained in batches.spans(run, workload, job) {
                let (Some(worth), span) = (trained.worth(), trained.span) else { continue };
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
fn running_gpu_seconds(run: &Run, selection: &Selection) -> f64 {
    let spans = selection.jobs.iter().flat_map(|job| run.spans.of(*job));
    let running = spans.filter(|span| span.state == SpanState::Running);
    running.map(|span| f64::from(span.gpus) * (span.end_s - span.start_s)).sum()
}

fn best_effort_jct_s(workload: &Workload, selection: &Selection, table: &JobMetrics) -> Option<f64> {
    let jobs = selection.rows(workload.trace().jobs()).zip(&table.jct_s);
    mean(jobs.filter(|(job, _)| job.deadline_s.is_none()).filter_map(|(_, jct_s)| *jct_s))
}

fn deadlines(run: &Run, workload: &Workload, selection: &Selection) -> (u64, u64) {
    let meets = selection.jobs.iter().filter_map(|job| meets_deadline(run, workload, *job));
    meets.fold((0, 0), |(met, total), meets| (met + u64::from(meets), total + 1))
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u64), |(sum, count), value| (sum + value, count + 1));
    ratio(sum, count as f64)
}
