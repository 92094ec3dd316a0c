//! The metrics a second time, with loops as plain as can be: every number from the spans, the series and the trace.

use std::fmt;

use elastiplan_engine::{LossCause, Outcome, Run, Span, SpanState};
use elastiplan_metrics::{Bounds, JobMetrics, METRICS, Summary};
use elastiplan_model::{Configuration, Curve, Detail, JobId, Law, Stage, Workload};

#[path = "naive_over_time.rs"]
mod naive_over_time;
#[path = "naive_rescaling.rs"]
mod naive_rescaling;
#[path = "pool_measures.rs"]
pub mod pool_measures;

/// Panics where a metric, a column of the table of jobs, or a value over time is not what the loops here give.
pub fn assert_metrics_are_naive(run: &Run, workload: &Workload) {
    let naive = Naive::of(run, workload);
    let summary = Summary::of(run, workload);
    let values: Values = [naive.counts(), naive.times(), naive.resources()].concat();
    assert_eq!(values.len(), METRICS.len());
    for (key, expected) in values {
        let info = METRICS.iter().find(|info| info.key == key).unwrap();
        naive.assert_close(key, (info.value)(&summary.metrics), expected);
    }
    naive.check_jobs();
    naive.check_instants();
    naive.check_rescaling();
}

/// Panics where a run in which every job completed is better than any can be.
pub fn assert_bounds_hold(run: &Run, workload: &Workload) {
    let metrics = Summary::of(run, workload).metrics;
    let bounds = match run.batch_sizes.job.is_empty() {
        true => Bounds::of(workload, run.gpus_total),
        false => Bounds::of_any_batch(workload, run.gpus_total),
    };
    if let Some(most) = metrics.deadline_ratio_bound {
        assert!(metrics.deadline_satisfactory_ratio.unwrap() <= most, "{metrics:?}");
    }
    if let (Some(bounds), true) = (bounds, metrics.jobs_completed == metrics.jobs_total) {
        let least = 1.0 - 1e-9;
        assert!(metrics.avg_jct_s.unwrap() >= bounds.avg_jct_s * least, "{metrics:?}, {bounds:?}");
        assert!(metrics.makespan_s.unwrap() >= bounds.makespan_s * least, "{metrics:?}, {bounds:?}");
    }
}

fn quotient(part: f64, whole: f64) -> Option<f64> {
    if whole > 0.0 { Some(part / whole) } else { None }
}

fn mean(values: &[f64]) -> Option<f64> {
    quotient(values.iter().sum(), values.len() as f64)
}

/// How long two stretches of time overlap.
fn overlap(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.1.min(b.1) - a.0.max(b.0)).max(0.0)
}

fn length(span: &Span) -> f64 {
    span.end_s - span.start_s
}

/// A span with what its samples are worth, where that is known with the noise scale, and what they would be worth at the
/// batch size that the job was submitted with.
struct Trained {
    span: Span,
    known: Option<(f64, f64)>,
    worth: f64,
    worth_as_submitted: f64,
}

impl Trained {
    /// Whether it trains, and it is known what its samples are worth.
    fn is_known(&self) -> bool {
        self.span.state == SpanState::Running && self.known.is_some()
    }
}

struct Naive<'a> {
    run: &'a Run,
    workload: &'a Workload,
    ids: Vec<JobId>,
    spans: Vec<(JobId, Span)>,
    tolerance: f64,
}

type Values = Vec<(&'static str, Option<f64>)>;

impl<'a> Naive<'a> {
    fn of(run: &'a Run, workload: &'a Workload) -> Self {
        let ids: Vec<JobId> = (0..workload.jobs().len() as u32).map(JobId).collect();
        // At late times a second has fewer digits: that counts for the shortest job.
        let fastest = |id: &JobId| run.spans.of(*id).map(|span| span.samples_per_s).fold(0.0, f64::max);
        let shortest_s = ids.iter().map(|id| workload.jobs()[id.index()].samples / fastest(id)).fold(1.0, f64::min);
        let last_digit_s = f64::EPSILON * run.end_s * run.spans.len() as f64;
        let spans = ids.iter().flat_map(|id| run.spans.of(*id).map(|span| (*id, span))).collect();
        Self { run, workload, ids, spans, tolerance: 1e-9 + last_digit_s / shortest_s }
    }
}

impl Naive<'_> {
    fn assert_close(&self, what: impl fmt::Display, value: Option<f64>, expected: Option<f64>) {
        let close = match (value, expected) {
            (Some(a), Some(b)) => (a - b).abs() <= self.tolerance * a.abs().max(b.abs()).max(1e-3),
            (None, None) => true,
            _ => false,
        };
        assert!(close, "{what}: {value:?}, and by hand {expected:?}");
    }

    /// The sum of something over all spans.
    fn sum(&self, of: impl Fn(JobId, &Span) -> f64) -> f64 {
        self.spans.iter().map(|(id, span)| of(*id, span)).sum()
    }

    fn gpu_seconds_in(&self, states: &[SpanState]) -> f64 {
        let weight = |span: &Span| if states.contains(&span.state) { f64::from(span.gpus) } else { 0.0 };
        self.sum(|_, span| weight(span) * length(span))
    }

    fn submit_s(&self, id: JobId) -> f64 {
        self.workload.trace().jobs()[id.index()].submit_s
    }

    fn completed(&self) -> Vec<(JobId, f64)> {
        let ended = self.ids.iter().filter(|id| self.run.jobs.outcome[id.index()] == Outcome::Completed);
        ended.map(|id| (*id, self.run.jobs.end_s[id.index()].unwrap())).collect()
    }

    /// GPU-seconds there were in a stretch of time.
    /// Every GPU that is paid for with every price: those of nodes that are there in a cloud or at one price, else those
    /// that jobs hold.
    fn cost_dollars(&self, present: f64) -> Option<f64> {
        let run = self.run;
        let price = run.list_price_per_gpu_hour.or(run.price_per_gpu_hour);
        let Some(prices) = &run.prices else { return price.map(|price| present / 3600.0 * price) };
        let steps: Vec<(f64, f64)> = prices.steps().collect();
        let mut dollars = 0.0;
        for (at, (from_s, price)) in steps.iter().enumerate() {
            let from_s = if at == 0 { f64::NEG_INFINITY } else { *from_s };
            let until_s = steps.get(at + 1).map_or(f64::INFINITY, |(time_s, _)| *time_s);
            let stretch = (from_s.max(run.start_s), until_s.min(run.end_s));
            let part = |span: &Span| (span.end_s.min(until_s) - span.start_s.max(from_s)).max(0.0);
            let held = || self.sum(|_, span| f64::from(span.gpus) * part(span));
            let paid = if run.price_per_gpu_hour.is_some() { self.present(stretch) } else { held() };
            dollars += paid / 3600.0 * price;
        }
        Some(dollars)
    }

    fn present(&self, stretch: (f64, f64)) -> f64 {
        let series = &self.run.series;
        let mut sum = 0.0;
        for row in 0..series.time_s.len() {
            let until_s = series.time_s.get(row + 1).copied().unwrap_or(self.run.end_s);
            sum += f64::from(series.gpus_present[row]) * overlap((series.time_s[row], until_s), stretch);
        }
        sum
    }

    fn single(&self, id: JobId) -> f64 {
        let curve = self.workload.curve_of(id).unwrap();
        if let Detail::Law(Law::Scaling(times)) = curve.detail() {
            // As much of the largest batch as fits on one GPU.
            let of_range = self.workload.jobs()[id.index()].batches.map(|range| range.most);
            let largest =
                of_range.or(curve.key().batch_global).unwrap().min(times.processing_s.last().unwrap().0 as u32);
            return f64::from(largest) / times.processing(largest).unwrap().time_s;
        }
        let first = curve.points()[0];
        first.samples_per_s / f64::from(first.gpus)
    }

    /// What a sample is worth at a batch size on so many GPUs when so much of the work is done; all of it where that is
    /// not known. On no GPU the batch is what it is.
    fn worth(&self, id: JobId, chosen: Option<u32>, gpus: u32, done: f64) -> f64 {
        self.known(id, chosen, gpus, done).map_or(1.0, |(worth, _)| worth)
    }

    /// The same, and the noise scale; `None` where nothing is known.
    fn known(&self, id: JobId, chosen: Option<u32>, gpus: u32, done: f64) -> Option<(f64, f64)> {
        let mut curve = self.workload.curve_of(id).unwrap();
        let mut batch = curve.key().batch_global.or(self.workload.trace().jobs()[id.index()].batch_global);
        if let Some(chosen) = chosen {
            curve = &self.workload.curves()[self.workload.curve_at(id, chosen).unwrap() as usize];
            batch = Some(chosen);
        }
        let (efficiency, batch) = curve.efficiency().zip(batch)?;
        let batch = curve.batch_on(gpus, batch);
        let noise_of = |stage: &Stage| stage.at(batch).unwrap().noise_scale();
        let mut noise = noise_of(efficiency.stages.last().unwrap());
        for stage in efficiency.stages.iter().rev() {
            // Where a stage begins is known up to rounding.
            if done + 1e-9 < stage.until {
                noise = noise_of(stage);
            }
        }
        Some(((noise + f64::from(efficiency.batch_base)) / (noise + f64::from(batch)), noise))
    }

    fn work(&self, id: JobId) -> f64 {
        self.workload.jobs()[id.index()].samples
    }

    fn batch_chosen_at(&self, id: JobId, time_s: f64) -> Option<u32> {
        let batches = &self.run.batch_sizes;
        let mut rows = (0..batches.job.len()).filter(|&row| batches.job[row] == id.0 && batches.time_s[row] <= time_s);
        rows.next_back().map(|row| batches.batch_global[row])
    }

    fn lost_until(&self, id: JobId, time_s: f64) -> f64 {
        let losses = &self.run.losses;
        let rows = (0..losses.job.len()).filter(|&row| losses.job[row] == id.0 && losses.time_s[row] <= time_s);
        rows.map(|row| losses.work[row]).sum()
    }

    /// The spans of a job, and the work done in all, losses not taken off.
    fn worked(&self, id: JobId) -> (Vec<Trained>, f64) {
        let (mut spans, mut worked) = (Vec::new(), 0.0);
        for span in self.run.spans.of(id) {
            let done = (worked - self.lost_until(id, span.start_s)) / self.work(id);
            let chosen = self.batch_chosen_at(id, span.start_s);
            let known = self.known(id, chosen, span.gpus, done);
            let worth = known.map_or(1.0, |(worth, _)| worth);
            worked += span.samples_per_s * length(&span) * worth;
            let worth_as_submitted = self.worth(id, None, self.workload.curve_of(id).unwrap().points()[0].gpus, done);
            spans.push(Trained { span, known, worth, worth_as_submitted });
        }
        (spans, worked)
    }

    /// All spans of all jobs.
    fn trained(&self) -> Vec<(JobId, Trained)> {
        self.ids.iter().flat_map(|id| self.worked(*id).0.into_iter().map(|trained| (*id, trained))).collect()
    }

    fn progress(&self, id: JobId) -> f64 {
        (self.worked(id).1 - self.lost_until(id, f64::INFINITY)) / self.work(id)
    }

    /// Samples to process at the batch size that a job was submitted with, stage by stage.
    fn samples_needed(&self, id: JobId) -> f64 {
        let stages = self.workload.curve_of(id).unwrap().efficiency().map_or(&[][..], |e| e.stages.as_slice());
        let mut ends: Vec<f64> = stages.iter().map(|stage| stage.until).chain([0.0, 1.0]).collect();
        ends.retain(|end| (0.0..=1.0).contains(end));
        ends.sort_by(f64::total_cmp);
        let worth = |done: f64| self.worth(id, None, 0, done);
        let pieces = ends.windows(2).map(|pair| (pair[1] - pair[0]) / worth((pair[0] + pair[1]) / 2.0));
        pieces.sum::<f64>() * self.work(id)
    }

    /// Themis' rho, with the jobs and the GPUs that were there during the life of the job.
    fn rho(&self, id: JobId, end_s: f64) -> Option<f64> {
        let life = (self.submit_s(id), end_s);
        let other_life =
            |other: &JobId| (self.submit_s(*other), self.run.jobs.end_s[other.index()].unwrap_or(self.run.end_s));
        let jobs: f64 = self.ids.iter().map(|other| overlap(life, other_life(other))).sum();
        let share = self.present(life) / jobs;
        let bound = &self.workload.jobs()[id.index()];
        let mut fastest = 0.0_f64;
        for gpus in bound.gpus_min..=bound.gpus_max.min(self.run.gpus_total) {
            let part = (share / f64::from(gpus)).min(1.0);
            fastest = fastest.max(part * self.workload.curve_of(id).unwrap().samples_per_s(gpus));
        }
        let alone_s = (fastest > 0.0 && jobs > 0.0).then(|| self.samples_needed(id) / fastest)?;
        quotient(end_s - life.0, alone_s)
    }
}

/// The metrics, by key.
impl Naive<'_> {
    fn counts(&self) -> Values {
        let jobs = &self.run.jobs;
        let ended = |wanted: Outcome| jobs.outcome.iter().filter(|outcome| **outcome == wanted).count() as f64;
        let total = |column: &[u32]| column.iter().map(|count| f64::from(*count)).sum::<f64>();
        let all = jobs.outcome.len() as f64;
        vec![
            ("jobs_total", Some(all)),
            ("jobs_admitted", Some(jobs.admitted_s.iter().filter(|admitted| admitted.is_some()).count() as f64)),
            ("jobs_completed", Some(ended(Outcome::Completed))),
            ("jobs_dropped", Some(ended(Outcome::Dropped))),
            ("jobs_failed", Some(ended(Outcome::Failed))),
            ("jobs_cancelled", Some(ended(Outcome::Cancelled))),
            ("jobs_unfinished", Some(ended(Outcome::Unfinished))),
            ("job_drop_ratio", quotient(ended(Outcome::Dropped), all)),
            ("rescale_count", Some(total(&jobs.rescales))),
            ("preemption_count", Some(total(&jobs.preemptions))),
            ("eviction_count", Some(total(&jobs.evictions))),
        ]
    }

    fn times(&self) -> Values {
        let completed = self.completed();
        let deadline_s = |id: JobId| self.workload.trace().jobs()[id.index()].deadline_s;
        let jct_s = |(id, end_s): &(JobId, f64)| end_s - self.submit_s(*id);
        let sorted = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values
        };
        let percentile = |sorted: &[f64], percent: usize| {
            let steps = percent * (sorted.len().checked_sub(1)?);
            let (below, over) = (sorted[steps / 100], (steps % 100) as f64 / 100.0);
            Some(below + over * (sorted.get(steps / 100 + 1).unwrap_or(&below) - below))
        };
        let waited = |id: JobId| self.run.spans.of(id).filter(|span| span.gpus == 0).map(|span| length(&span)).sum();
        let lives = sorted(completed.iter().map(jct_s).collect());
        let waits: Vec<f64> = sorted(completed.iter().map(|(id, _)| waited(*id)).collect());
        let trained = |id: JobId| self.run.spans.of(id).filter(|span| span.gpus > 0).map(|span| length(&span)).sum();
        let trainings: Vec<f64> = completed.iter().map(|(id, _)| trained(*id)).collect();
        let with_deadline: Vec<JobId> = self.ids.iter().copied().filter(|id| deadline_s(*id).is_some()).collect();
        let met = completed
            .iter()
            .filter(|(id, end_s)| deadline_s(*id).is_some_and(|deadline_s| *end_s <= deadline_s + 1e-3));
        let free: Vec<f64> = completed.iter().filter(|(id, _)| deadline_s(*id).is_none()).map(jct_s).collect();
        let rhos: Vec<f64> = completed.iter().filter_map(|(id, end_s)| self.rho(*id, *end_s)).collect();
        let progress: Vec<f64> = self.ids.iter().map(|id| self.progress(*id)).collect();
        vec![
            ("avg_jct_s", mean(&lives)),
            ("p50_jct_s", percentile(&lives, 50)),
            ("p95_jct_s", percentile(&lives, 95)),
            ("p99_jct_s", percentile(&lives, 99)),
            ("avg_queueing_s", mean(&waits)),
            ("p95_queueing_s", percentile(&waits, 95)),
            ("p99_queueing_s", percentile(&waits, 99)),
            ("avg_run_s", mean(&trainings)),
            ("makespan_s", completed.iter().map(|(_, end_s)| end_s - self.run.start_s).max_by(f64::total_cmp)),
            ("deadline_satisfactory_ratio", quotient(met.count() as f64, with_deadline.len() as f64)),
            ("deadline_ratio_bound", self.deadline_ratio_bound(&with_deadline)),
            ("best_effort_avg_jct_s", mean(&free).filter(|_| !with_deadline.is_empty())),
            ("served_demand", mean(&progress)),
            ("avg_finish_time_fairness", mean(&rhos)),
            ("max_finish_time_fairness", rhos.into_iter().max_by(f64::total_cmp)),
        ]
    }

    /// GPUs and speed in the best place for so many, in work a second; without GPUs there is no speed.
    fn speeds(&self, id: JobId) -> Vec<(f64, f64)> {
        let own = self.workload.curve_of(id).unwrap();
        let same_model = |curve: &&Curve| curve.key().model == own.key().model && curve.key().batch_global.is_some();
        let others = self.workload.curves().iter().filter(same_model).map(|curve| (curve, curve.key().batch_global));
        let submitted = own.key().batch_global.or(self.workload.trace().jobs()[id.index()].batch_global);
        let (all, worth) = match self.run.batch_sizes.job.is_empty() {
            true => (vec![(own, submitted)], self.work(id) / self.samples_needed(id)),
            false => (others.chain([(own, submitted)]).collect(), 1.0),
        };
        let mut speeds = vec![(0.0, 0.0)];
        for (curve, batch) in all {
            let stages = curve.efficiency().zip(batch).filter(|_| !self.run.batch_sizes.job.is_empty());
            let stages = stages.map(|(efficiency, batch)| {
                let worth = |noise: f64| (noise + f64::from(efficiency.batch_base)) / (noise + f64::from(batch));
                efficiency.stages.iter().map(|stage| worth(stage.at(batch).unwrap().noise_scale())).fold(0.0, f64::max)
            });
            for gpus in self.workload.jobs()[id.index()].gpus_min..=self.run.gpus_total {
                let places = [(1, true), (1, false), (2, true), (2, false), (3, true), (3, false)];
                let place = |(nodes, packed)| Configuration { gpus, nodes, packed, batch_global: None, shape: &[] };
                let speeds_in = places.map(|of| curve.samples_per_s_in(&place(of)));
                let speed = speeds_in.into_iter().fold(curve.samples_per_s(gpus), f64::max);
                speeds.push((f64::from(gpus), speed * worth * stages.unwrap_or(1.0)));
            }
        }
        speeds
    }

    /// The least GPU time that is enough by the deadline: the best of all changes from one number of GPUs to another.
    fn need(&self, id: JobId, length_s: f64) -> f64 {
        let (speeds, speed) = (self.speeds(id), self.work(id) / length_s);
        let mut least = f64::INFINITY;
        for (few, slow) in speeds.iter().filter(|(_, slow)| *slow <= speed * (1.0 + 1e-9)) {
            for (many, fast) in speeds.iter().filter(|(_, fast)| *fast >= speed * (1.0 - 1e-9)) {
                let part = if fast > slow { ((speed - slow) / (fast - slow)).clamp(0.0, 1.0) } else { 0.0 };
                least = least.min(length_s * (few + part * (many - few)));
            }
        }
        least
    }

    /// GPU time of the nodes that were there; all are after the end of the run.
    fn supplied(&self, from_s: f64, to_s: f64) -> f64 {
        let within = match self.run.price_per_gpu_hour {
            Some(_) => f64::from(self.run.gpus_total) * overlap((self.run.start_s, self.run.end_s), (from_s, to_s)),
            None => self.present((from_s, to_s)),
        };
        within + f64::from(self.run.gpus_total) * (to_s - from_s.max(self.run.end_s)).max(0.0)
    }

    /// The cheapest deadlines first, each as much as is left in any window around it.
    fn deadline_ratio_bound(&self, with_deadline: &[JobId]) -> Option<f64> {
        let by_formula = |id: &JobId| matches!(self.workload.curve_of(*id).unwrap().detail(), Detail::Law(_));
        if !self.run.batch_sizes.job.is_empty() && self.ids.iter().any(by_formula) {
            return None;
        }
        let deadline_s = |id: &JobId| self.workload.trace().jobs()[id.index()].deadline_s.unwrap();
        // Deadlines are met to the millisecond.
        let window = |id: &JobId| (self.submit_s(*id), deadline_s(id) + 1e-3);
        let windows: Vec<(f64, f64)> = with_deadline.iter().map(window).collect();
        let needs = with_deadline.iter().zip(&windows).map(|(id, (from_s, to_s))| self.need(*id, to_s - from_s));
        let mut order: Vec<(f64, usize)> = needs.zip(0..).filter(|(need, _)| need.is_finite()).collect();
        order.retain(|(_, job)| windows[*job].1 > windows[*job].0);
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut given = vec![0.0; windows.len()];
        let mut shares = 0.0;
        for (need, job) in order {
            let mut most = need;
            for from_s in windows.iter().map(|window| window.0).filter(|from_s| *from_s <= windows[job].0) {
                for to_s in windows.iter().map(|window| window.1).filter(|to_s| *to_s >= windows[job].1) {
                    let within = windows.iter().zip(&given).filter(|(other, _)| other.0 >= from_s && other.1 <= to_s);
                    most = most.min(self.supplied(from_s, to_s) - within.map(|(_, given)| given).sum::<f64>());
                }
            }
            given[job] = most.max(0.0);
            shares += given[job] / need;
        }
        quotient((shares + 1e-6).floor(), windows.len() as f64)
    }

    fn resources(&self) -> Values {
        use SpanState::{Recovering, Rescaling, Running};
        let run = self.run;
        let length_s = run.end_s - run.start_s;
        let present = self.present((run.start_s, run.end_s));
        let held = self.gpu_seconds_in(&[Running, Rescaling, Recovering]);
        let processed = self.sum(|id, span| span.samples_per_s / self.single(id) * length(span));
        let (mut lost_gpu_s, mut charged_gpu_s, mut lost_single) = (0.0, 0.0, 0.0);
        for row in 0..run.losses.job.len() {
            let id = JobId(run.losses.job[row]);
            let (gpu_seconds, samples) = (run.losses.gpu_seconds[row], run.losses.samples[row]);
            lost_single += samples / self.single(id);
            if run.losses.cause[row] == LossCause::Rescale {
                charged_gpu_s += gpu_seconds;
                continue;
            }
            // What is lost to a node is the end of a span.
            let span = run.spans.of(id).find(|span| span.end_s == run.losses.time_s[row]).unwrap();
            self.assert_close(
                "samples lost",
                Some(samples),
                Some(gpu_seconds / f64::from(span.gpus) * span.samples_per_s),
            );
            lost_gpu_s += gpu_seconds;
        }
        let worked: Vec<f64> = self.ids.iter().map(|id| self.worked(*id).1).collect();
        let kept = |id: &JobId| worked[id.index()] - self.lost_until(*id, f64::INFINITY);
        let known: Vec<_> = self.trained().into_iter().filter(|(_, trained)| trained.is_known()).collect();
        let sum = |of: &dyn Fn(JobId, &Trained) -> f64| -> f64 {
            known.iter().map(|(id, t)| of(*id, t) * length(&t.span)).sum()
        };
        let single_gpus = |id: JobId, trained: &Trained| trained.span.samples_per_s / self.single(id);
        let lives = self.completed().into_iter().map(|(id, end_s)| (id, end_s - self.submit_s(id)));
        let of_life = |of: &dyn Fn(JobId) -> f64| -> Vec<f64> {
            lives
                .clone()
                .filter(|(_, jct_s)| *jct_s > 0.0)
                .map(|(id, jct_s)| of(id) / self.single(id) / jct_s)
                .collect()
        };
        let processed_by =
            |of: JobId| self.sum(|id, span| if id == of { span.samples_per_s * length(span) } else { 0.0 });
        let nodes_s = present / f64::from(run.gpus_per_node);
        vec![
            ("gpu_hours", Some(held / 3600.0)),
            ("single_gpu_hours", Some((processed - lost_single) / 3600.0)),
            ("gpu_utilization", quotient(held, present)),
            ("cluster_efficiency", quotient(processed, present)),
            ("sjs_efficiency", quotient(processed - lost_single, held)),
            ("scaling_efficiency", quotient(processed, self.gpu_seconds_in(&[Running]))),
            ("resource_integral_gpu_h", Some(present / 3600.0)),
            ("resource_integral_node_h", Some(nodes_s / 3600.0)),
            ("equivalent_nodes", quotient(nodes_s, length_s)),
            ("cost_dollars", self.cost_dollars(present)),
            ("rescale_gpu_s", Some(self.gpu_seconds_in(&[Rescaling]) + charged_gpu_s)),
            ("preemption_gpu_s", Some(self.gpu_seconds_in(&[Recovering]) + lost_gpu_s)),
            ("lost_gpu_s", Some(lost_gpu_s)),
            ("rescale_cost_samples", Some(self.cost_samples(Rescaling))),
            ("preemption_cost_samples", Some(self.cost_samples(Recovering))),
            ("throughput_samples_per_s", quotient(self.sum(|_, span| span.samples_per_s * length(span)), length_s)),
            ("goodput_samples_per_s", quotient(self.ids.iter().map(kept).sum(), length_s)),
            (
                "statistical_efficiency",
                quotient(sum(&|id, t| single_gpus(id, t) * t.worth), sum(&|id, t| single_gpus(id, t))),
            ),
            ("avg_statistical_efficiency", quotient(sum(&|_, t| t.worth), sum(&|_, _| 1.0))),
            ("avg_job_throughput", mean(&of_life(&processed_by))),
            ("avg_job_goodput", mean(&of_life(&|id| kept(&id)))),
        ]
    }
}

/// The table of jobs.
impl Naive<'_> {
    fn check_jobs(&self) {
        let (table, totals) = (JobMetrics::of(self.run, self.workload), &self.run.jobs);
        let completed = self.completed();
        for (id, at) in self.ids.iter().map(|id| (*id, id.index())) {
            let end_s = completed.iter().find(|(done, _)| *done == id).map(|(_, end_s)| *end_s);
            let jct_s = end_s.map(|end_s| end_s - self.submit_s(id));
            let time =
                |holding: bool| self.sum(|of, s| if of == id && (s.gpus > 0) == holding { length(s) } else { 0.0 });
            let gpu_seconds = |state: Option<SpanState>| {
                let counts = |of: JobId, span: &Span| of == id && state.is_none_or(|state| span.state == state);
                self.sum(|of, span| if counts(of, span) { f64::from(span.gpus) * length(span) } else { 0.0 })
            };
            let lost = |cause: LossCause| -> f64 {
                let losses = &self.run.losses;
                let own = (0..losses.job.len()).filter(|&row| losses.job[row] == id.0 && losses.cause[row] == cause);
                own.map(|row| losses.gpu_seconds[row]).sum()
            };
            let recovering = gpu_seconds(Some(SpanState::Recovering)) + lost(LossCause::NodeLeft);
            self.assert_close("job's jct_s", table.jct_s[at], jct_s);
            self.assert_close("job's queueing_s", Some(totals.queueing_s[at]), Some(time(false)));
            self.assert_close("job's run_s", Some(table.run_s[at]), Some(time(true)));
            self.assert_close("job's gpu_seconds", Some(totals.gpu_seconds[at]), Some(gpu_seconds(None)));
            self.assert_close("job's rho", table.rho[at], end_s.and_then(|end_s| self.rho(id, end_s)));
            let rescaling = gpu_seconds(Some(SpanState::Rescaling)) + lost(LossCause::Rescale);
            self.assert_close("job's rescale_gpu_s", Some(totals.rescale_gpu_seconds[at]), Some(rescaling));
            self.assert_close("job's preemption_gpu_s", Some(totals.preemption_gpu_seconds[at]), Some(recovering));
            self.assert_close("job's progress", Some(table.progress[at]), Some(self.progress(id)));
        }
    }
}
