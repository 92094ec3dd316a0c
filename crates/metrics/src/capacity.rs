//! GPUs and jobs that were present, over a stretch of time.

use elastiplan_engine::Run;
use elastiplan_model::{JobId, Prices};

/// Seconds in an hour.
pub(crate) const HOUR_S: f64 = 3600.0;

/// GPU-seconds of the nodes that were present, from the start to the end of the run: the resource integral (BFTrainer,
/// eq. 17), in GPUs. If no node joins or leaves, it is exactly GPUs times time.
pub fn gpu_seconds_present(run: &Run) -> f64 {
    let mut sum = 0.0;
    let mut since: Option<(f64, u32)> = None;
    let add = |(from_s, gpus): (f64, u32), to_s: f64| f64::from(gpus) * (to_s - from_s).max(0.0);
    for (&time_s, &gpus) in run.series.time_s.iter().zip(&run.series.gpus_present) {
        if since.is_some_and(|(_, before)| before == gpus) {
            continue;
        }
        let time_s = time_s.min(run.end_s);
        sum += since.map_or(0.0, |stretch| add(stretch, time_s));
        since = Some((time_s, gpus));
    }
    sum + since.map_or(0.0, |stretch| add(stretch, run.end_s))
}

/// The static number of nodes that gives as many node-hours in the same time (BFTrainer, eq. 18); `None` if no time
/// passed.
pub fn equivalent_nodes(run: &Run) -> Option<f64> {
    let whole = f64::from(run.gpus_per_node) * (run.end_s - run.start_s);
    (whole > 0.0).then(|| gpu_seconds_present(run) / whole)
}

/// Cost of the nodes that were present, in dollars, whether jobs used them or not.
pub fn cost_dollars(run: &Run, price_per_gpu_hour: f64) -> f64 {
    gpu_seconds_present(run) / HOUR_S * price_per_gpu_hour
}

/// Cost of a run at prices over time, in dollars: of GPUs while jobs held them or, if a policy sizes the cluster, while
/// their nodes were present.
pub fn cost_at_prices(run: &Run, prices: &Prices) -> f64 {
    let paid = if run.price_per_gpu_hour.is_some() { &run.series.gpus_present } else { &run.series.gpus_in_use };
    let ends = run.series.time_s.iter().skip(1).copied().chain([run.end_s]);
    let rows = run.series.time_s.iter().zip(ends).zip(paid).filter(|(_, gpus)| **gpus > 0);
    rows.map(|((start_s, end_s), gpus)| f64::from(*gpus) * prices.dollars(*start_s, end_s.min(run.end_s))).sum()
}

/// Cost of the GPU time that some jobs held, in dollars, changes included; `None` without a price.
pub(crate) fn cost_of_jobs(run: &Run, jobs: &[JobId], prices: Option<&Prices>, price: Option<f64>) -> Option<f64> {
    match (prices, price) {
        (Some(prices), _) => {
            let spans = jobs.iter().flat_map(|job| run.spans.of(*job)).filter(|span| span.gpus > 0);
            Some(spans.map(|span| f64::from(span.gpus) * prices.dollars(span.start_s, span.end_s)).sum::<f64>() + 0.0)
        }
        (None, price) => {
            let held = jobs.iter().filter_map(|job| run.jobs.gpu_seconds.get(job.index()));
            Some((held.sum::<f64>() + 0.0) / HOUR_S * price?)
        }
    }
}

/// Whether nodes joined or left.
pub(crate) fn capacity_varies(run: &Run) -> bool {
    run.series.gpus_present.windows(2).any(|pair| pair.first() != pair.last())
}

/// Integrals over the counts of a run, for means over any stretch of time in two look-ups.
pub(crate) struct Presence<'a> {
    run: &'a Run,
    /// GPU-seconds and job-seconds from the first row until each row.
    until: Vec<(f64, f64)>,
}

impl<'a> Presence<'a> {
    pub fn of(run: &'a Run) -> Self {
        let mut until = Vec::with_capacity(run.series.time_s.len());
        let (mut gpus, mut jobs) = (0.0, 0.0);
        for at in 0..run.series.time_s.len() {
            if let Some(((from_s, gpus_then), jobs_then)) = at.checked_sub(1).and_then(|before| row(run, before)) {
                let length_s = run.series.time_s.get(at).map_or(0.0, |time_s| time_s - from_s);
                gpus += gpus_then * length_s;
                jobs += jobs_then * length_s;
            }
            until.push((gpus, jobs));
        }
        Self { run, until }
    }

    fn integrals_at(&self, time_s: f64) -> Option<(f64, f64)> {
        let at = self.run.series.row_at(time_s)?;
        let ((from_s, gpus), jobs) = row(self.run, at)?;
        let (gpus_until, jobs_until) = self.until.get(at)?;
        let length_s = time_s - from_s;
        Some((gpus_until + gpus * length_s, jobs_until + jobs * length_s))
    }

    /// Mean number of GPUs present over mean number of jobs in the cluster, from `from_s` to `to_s`.
    pub fn gpus_per_job(&self, from_s: f64, to_s: f64) -> Option<f64> {
        let (from, to) = (self.integrals_at(from_s)?, self.integrals_at(to_s)?);
        let (gpus, jobs) = (to.0 - from.0, to.1 - from.1);
        (jobs > 0.0).then(|| gpus / jobs)
    }
}

/// Time, GPUs present, and jobs in the cluster, of one row of the series.
fn row(run: &Run, at: usize) -> Option<((f64, f64), f64)> {
    let series = &run.series;
    let jobs = series.jobs_running.get(at)? + series.jobs_waiting.get(at)?;
    Some(((*series.time_s.get(at)?, f64::from(*series.gpus_present.get(at)?)), f64::from(jobs)))
}
