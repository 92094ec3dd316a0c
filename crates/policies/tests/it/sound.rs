//! What must hold for every run of every policy, recomputed from the record, the curves and the trace alone.

use elastiplan_engine::{LossCause, Outcome, Run, Span, SpanState};
use elastiplan_model::{Cluster, Configuration, Curve, JobId, Workload};
use elastiplan_scenario::Conditions;

/// Panics where a run is not sound.
pub fn assert_sound(run: &Run, workload: &Workload, cluster: &Cluster, settings: &Conditions) {
    let jobs = workload.jobs().len();
    let records = &run.jobs;
    let columns = [records.outcome.len(), records.start_s.len(), records.end_s.len(), records.queueing_s.len()];
    assert_eq!(columns, [jobs; 4]);
    let columns = [records.gpu_seconds.len(), records.rescale_gpu_seconds.len(), records.rescales.len()];
    assert_eq!(columns, [jobs; 3]);
    let columns = [records.preemptions.len(), records.evictions.len(), records.admitted_s.len(), records.samples.len()];
    assert_eq!(columns, [jobs; 4]);
    assert_eq!((records.work_left.len(), records.work_lost.len(), run.spans.first.len()), (jobs, jobs, jobs + 1));
    assert!(run.finished);
    assert_eq!((run.gpus_total, run.start_s), (cluster.gpus_total(), workload.trace().start_s()));
    let places = places_of_jobs(run, jobs);
    for job in (0..jobs as u32).map(JobId) {
        let recorded = Recorded::new(run, workload, cluster, job, &places);
        recorded.assert_spans_touch();
        recorded.assert_speeds_are_those_of_the_places(run, cluster, settings);
        recorded.assert_work_is_the_integral_of_speed(run, !settings.forks.is_empty());
        recorded.assert_columns_are_sums(run, settings);
    }
    assert_series_is_that_of_the_spans(run, workload);
    assert_no_gpu_is_held_twice(run, cluster);
    assert_nodes_are_there(run, settings);
    let decisions = &run.decisions;
    assert!(decisions.time_s.windows(2).all(|pair| pair[0] <= pair[1]));
    assert!(run.losses.work.iter().chain(&run.losses.gpu_seconds).all(|lost| *lost > 0.0));
}

/// One job's part of a run.
struct Recorded<'a> {
    job: JobId,
    spans: Vec<Span>,
    submit_s: f64,
    samples: f64,
    gpus_min: u32,
    /// The job's curve, or after a change of batch size that of the same model.
    workload: &'a Workload,
    outcome: Outcome,
    start_s: Option<f64>,
    end_s: Option<f64>,
    /// Of every job.
    places: &'a [Vec<Place>],
}

/// GPUs of a node that a job had: which of them as bits, from when until when.
struct Place {
    node: u32,
    mask: u64,
    start_s: f64,
    end_s: f64,
}

/// For each job what it had, in order of nodes.
fn places_of_jobs(run: &Run, jobs: usize) -> Vec<Vec<Place>> {
    let mut places: Vec<Vec<Place>> = (0..jobs).map(|_| Vec::new()).collect();
    let holdings = &run.holdings;
    for node in 0..holdings.first.len() as u32 - 1 {
        for at in holdings.range_of(node) {
            let (mask, start_s, end_s) = (holdings.mask[at], holdings.start_s[at], holdings.end_s[at]);
            places[holdings.job[at] as usize].push(Place { node, mask, start_s, end_s });
        }
    }
    places
}

fn held_at(places: &[Place], time_s: f64) -> Vec<(u32, u64)> {
    let there = places.iter().filter(|place| place.start_s <= time_s && time_s < place.end_s);
    there.map(|place| (place.node, place.mask)).collect()
}

impl<'a> Recorded<'a> {
    fn new(run: &Run, workload: &'a Workload, cluster: &Cluster, job: JobId, places: &'a [Vec<Place>]) -> Self {
        let (index, bound) = (job.index(), &workload.jobs()[job.index()]);
        assert!(bound.gpus_min <= bound.gpus_max && cluster.gpus_total() > 0);
        Self {
            job,
            spans: run.spans.of(job).collect(),
            submit_s: workload.trace().jobs()[index].submit_s,
            samples: bound.samples,
            gpus_min: bound.gpus_least,
            workload,
            outcome: run.jobs.outcome[index],
            start_s: run.jobs.start_s[index],
            end_s: run.jobs.end_s[index],
            places,
        }
    }

    /// Which GPUs of which nodes it has, as (node, bits), in order of nodes.
    fn held_at(&self, time_s: f64) -> Vec<(u32, u64)> {
        held_at(&self.places[self.job.index()], time_s)
    }

    /// Whether it is on several nodes, and on one of them is another job of which that is true.
    fn is_disturbed_at(&self, time_s: f64) -> bool {
        let held = self.held_at(time_s);
        let others = self.places.iter().enumerate().filter(|(job, _)| *job != self.job.index());
        held.len() > 1
            && others.map(|(_, places)| held_at(places, time_s)).any(|others| {
                others.len() > 1 && others.iter().any(|(node, _)| held.iter().any(|(own, _)| own == node))
            })
    }

    fn assert_spans_touch(&self) {
        let spans = &self.spans;
        assert!(spans.iter().all(|span| span.start_s < span.end_s), "{spans:?}");
        assert!(spans.windows(2).all(|pair| pair[0].end_s == pair[1].start_s), "{spans:?}");
        assert_eq!(spans.first().map_or(self.submit_s, |span| span.start_s), self.submit_s);
        if let Some(end_s) = self.end_s {
            assert_eq!(spans.last().map_or(self.submit_s, |span| span.end_s), end_s);
        }
        for span in spans {
            let has_started = self.start_s.is_some_and(|start_s| start_s <= span.start_s);
            match span.state {
                SpanState::Waiting => assert!(span.gpus == 0 && !has_started, "{spans:?}"),
                SpanState::Preempted => assert!(span.gpus == 0 && has_started, "{spans:?}"),
                SpanState::Rescaling | SpanState::Recovering => assert!(span.gpus >= self.gpus_min && has_started),
                SpanState::Running => assert!(span.gpus >= self.gpus_min && has_started && span.samples_per_s > 0.0),
            }
            assert!(span.state == SpanState::Running || span.samples_per_s == 0.0);
        }
        // A job that one policy starts and another suspends at the same moment has been preempted since.
        let begins_at_start = |span: &Span| span.gpus > 0 || span.state == SpanState::Preempted;
        assert!(spans.iter().find(|span| begins_at_start(span)).is_none_or(|span| Some(span.start_s) == self.start_s));
    }

    /// The batch size chosen last, and the curve that goes with it.
    fn curve_at(&self, run: &Run, time_s: f64) -> (&'a Curve, Option<u32>) {
        let batches = &run.batch_sizes;
        let mut chosen =
            (0..batches.job.len()).filter(|&at| batches.job[at] == self.job.0 && batches.time_s[at] <= time_s);
        match chosen.next_back().map(|at| batches.batch_global[at]) {
            Some(batch) => {
                (&self.workload.curves()[self.workload.curve_at(self.job, batch).unwrap() as usize], Some(batch))
            }
            None => (self.workload.curve_of(self.job).unwrap(), None),
        }
    }

    fn assert_speeds_are_those_of_the_places(&self, run: &Run, cluster: &Cluster, settings: &Conditions) {
        for span in &self.spans {
            let held = self.held_at(span.start_s);
            let gpus: u32 = held.iter().map(|(_, mask)| mask.count_ones()).sum();
            assert_eq!(gpus, span.gpus, "{:?} holds {held:?} in {span:?}", self.job);
            if span.state == SpanState::Running {
                let (curve, batch_global) = self.curve_at(run, span.start_s);
                let nodes = held.len() as u32;
                let packed = nodes == gpus.div_ceil(cluster.gpus_per_node());
                let factor = cluster.topology().map_or(1.0, |topology| topology.speed_at(topology.level(&held)));
                let speed =
                    curve.samples_per_s_in(&Configuration { gpus, nodes, packed, batch_global, shape: &[] }) * factor;
                let disturbed = self.is_disturbed_at(span.start_s);
                let share = if disturbed { 1.0 - settings.interference_slowdown } else { 1.0 };
                assert_eq!(span.samples_per_s, speed * share);
            }
        }
    }

    /// The work that was done, less what was lost, is the work that is no longer left.
    fn assert_work_is_the_integral_of_speed(&self, run: &Run, has_forks: bool) {
        let index = self.job.index();
        let (mut samples, mut left) = (0.0, self.samples);
        let mut fastest: f64 = 0.0;
        let own = (0..run.losses.job.len()).filter(|&at| run.losses.job[at] == self.job.0);
        let mut lost = own.map(|at| (run.losses.time_s[at], run.losses.work[at])).peekable();
        for span in &self.spans {
            // What was lost when the span ended was lost at its end.
            let length_s = span.end_s - span.start_s;
            let (curve, batch) = self.curve_at(run, span.start_s);
            let job = &self.workload.trace().jobs()[index];
            let batch = batch.or(curve.key().batch_global).or(job.batch_global);
            // At the border of two stages the last digits decide which one it is: half a millionth further in.
            let worth = curve
                .efficiency()
                .zip(batch)
                .map_or(1.0, |(efficiency, batch)| efficiency.at(batch, left - 5e-7 * self.samples, self.samples).0);
            samples += span.samples_per_s * length_s;
            left -= span.samples_per_s * worth * length_s;
            fastest = fastest.max(span.samples_per_s);
            while let Some((_, work)) = lost.next_if(|(time_s, _)| *time_s <= span.end_s) {
                left += work;
            }
        }
        left += lost.map(|(_, work)| work).sum::<f64>();
        // At late times a second has fewer digits: what is done in the last of them may be missing or too much.
        let last_digits = fastest * f64::EPSILON * run.end_s * self.spans.len() as f64;
        let processed = samples.max(self.samples);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-6 * processed + last_digits;
        assert!(close(samples, run.jobs.samples[index]), "{samples} samples, {} recorded", run.jobs.samples[index]);
        assert!(close(left, run.jobs.work_left[index]), "{left} left, {} recorded", run.jobs.work_left[index]);
        match self.outcome {
            Outcome::Completed => assert_eq!(run.jobs.work_left[index], 0.0),
            Outcome::Dropped => assert!(self.start_s.is_none() && self.end_s.is_some()),
            // A user who is there in a fork may cancel a job that waits.
            Outcome::Cancelled if has_forks => assert!(self.end_s.is_some()),
            Outcome::Failed | Outcome::Cancelled => assert!(self.start_s.is_some() && self.end_s.is_some()),
            Outcome::Unfinished => assert!(self.end_s.is_none()),
        }
    }

    fn assert_columns_are_sums(&self, run: &Run, settings: &Conditions) {
        let (index, spans) = (self.job.index(), &self.spans);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-3);
        let sum = |weight: &dyn Fn(&Span) -> f64| -> f64 {
            spans.iter().map(|span| (span.end_s - span.start_s) * weight(span)).sum()
        };
        let gpus_in = |state| move |span: &Span| if span.state == state { f64::from(span.gpus) } else { 0.0 };
        let seconds_in = |state| move |span: &Span| f64::from(u8::from(span.state == state));
        let records = &run.jobs;
        assert!(close(records.queueing_s[index], sum(&|span| f64::from(u8::from(span.gpus == 0)))));
        assert!(close(records.gpu_seconds[index], sum(&|span| f64::from(span.gpus))));
        let lost = |cause: LossCause| -> f64 {
            let losses = (0..run.losses.job.len()).filter(|&at| run.losses.job[at] == self.job.0);
            losses.filter(|&at| run.losses.cause[at] == cause).map(|at| run.losses.gpu_seconds[at]).sum()
        };
        let rescaling = sum(&gpus_in(SpanState::Rescaling)) + lost(LossCause::Rescale);
        assert!(close(records.rescale_gpu_seconds[index], rescaling));
        let recovering = sum(&gpus_in(SpanState::Recovering)) + lost(LossCause::NodeLeft);
        assert!(close(records.preemption_gpu_seconds[index], recovering));

        // Nobody pays more often than something changed.
        let most_s = [settings.rescale_cost_s, settings.rescale_down_s.unwrap_or_default(), settings.start_delay_s];
        let most_s = most_s.into_iter().fold(0.0, f64::max) + settings.rescale_per_doubling_s * 16.0;
        let starts = u32::from(self.start_s.is_some());
        let (rescales, evictions) = (records.rescales[index], records.evictions[index]);
        let within = |paid_s: f64, times: u32| paid_s <= most_s * f64::from(times) * (1.0 + 1e-9) + 1e-9;
        assert!(within(sum(&seconds_in(SpanState::Rescaling)), rescales + starts));
        assert!(within(sum(&seconds_in(SpanState::Recovering)), evictions));
        let to_none = spans.windows(2).filter(|pair| pair[0].gpus > 0 && pair[1].gpus == 0).count() as u32;
        assert!((to_none..=to_none + rescales + evictions + 1).contains(&records.preemptions[index]), "{spans:?}");
    }
}

fn assert_no_gpu_is_held_twice(run: &Run, cluster: &Cluster) {
    let holdings = &run.holdings;
    assert_eq!(holdings.first.len() as u32, cluster.nodes() + 1);
    let all = if cluster.gpus_per_node() == 64 { u64::MAX } else { (1 << cluster.gpus_per_node()) - 1 };
    for node in 0..cluster.nodes() {
        let rows = holdings.range_of(node);
        for at in rows.clone() {
            assert!(holdings.mask[at] != 0 && holdings.mask[at] & !all == 0);
            assert!(holdings.start_s[at] < holdings.end_s[at]);
            let overlaps = |other: &usize| {
                holdings.start_s[*other] < holdings.end_s[at]
                    && holdings.start_s[at] < holdings.end_s[*other]
                    && holdings.mask[*other] & holdings.mask[at] != 0
            };
            let twice = rows.clone().filter(|other| *other > at).find(overlaps);
            assert_eq!(twice, None, "a GPU of node {node} is held twice");
        }
    }
}

/// Nobody holds GPUs of a node while the log says that it is away.
fn assert_nodes_are_there(run: &Run, settings: &Conditions) {
    let Some(log) = &settings.availability else { return };
    let offset_s = run.start_s - log.start_s();
    for node in 0..log.nodes() {
        for at in run.holdings.range_of(node) {
            let (start_s, end_s) = (run.holdings.start_s[at], run.holdings.end_s[at]);
            let changes = log.changes().iter().filter(|change| change.node == node);
            let mut present = false;
            for change in changes {
                let time_s = change.time_s + offset_s;
                if time_s <= start_s {
                    present = change.up;
                } else {
                    assert!(change.up || time_s >= end_s, "node {node} leaves at {time_s}, held until {end_s}");
                }
            }
            assert!(present, "node {node} is away at {start_s}");
        }
    }
}

/// Counts swept over the ends of all spans, against the series; and never more GPUs than there are.
fn assert_series_is_that_of_the_spans(run: &Run, workload: &Workload) {
    // Time, change of GPUs, of running jobs, of waiting jobs.
    let mut changes: Vec<(f64, i64, i64, i64)> = Vec::new();
    for span in (0..workload.jobs().len() as u32).flat_map(|job| run.spans.of(JobId(job))) {
        let (gpus, running) = (i64::from(span.gpus), i64::from(span.gpus > 0));
        changes.push((span.start_s, gpus, running, 1 - running));
        changes.push((span.end_s, -gpus, -running, running - 1));
    }
    changes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut now = (0, 0, 0);
    let mut rows: Vec<(f64, u32, u32, u32)> = Vec::new();
    for at_one_time in changes.chunk_by(|a, b| a.0 == b.0) {
        let time_s = at_one_time[0].0;
        for change in at_one_time {
            now = (now.0 + change.1, now.1 + change.2, now.2 + change.3);
        }
        let row = (time_s, now.0 as u32, now.1 as u32, now.2 as u32);
        if rows.last().is_none_or(|last| (last.1, last.2, last.3) != (row.1, row.2, row.3)) {
            rows.push(row);
        }
    }
    // Spans end with the record, the series holds on; jobs dropped on submission leave a row, but no span; and a row
    // may be there for the GPUs that came or went.
    let series = &run.series;
    let mut recorded: Vec<(f64, u32, u32, u32)> = (0..series.time_s.len())
        .map(|at| (series.time_s[at], series.gpus_in_use[at], series.jobs_running[at], series.jobs_waiting[at]))
        .collect();
    recorded.dedup_by(|next, last| (last.1, last.2, last.3) == (next.1, next.2, next.3));
    recorded.retain(|row| row.0 < run.end_s && (row.0, row.1, row.2, row.3) != (run.start_s, 0, 0, 0));
    if recorded.first().is_some_and(|row| (row.1, row.2, row.3) == (0, 0, 0)) {
        recorded.remove(0);
    }
    assert_eq!(recorded, rows.into_iter().filter(|row| row.0 < run.end_s).collect::<Vec<_>>());
    let started = run.jobs.start_s.iter().filter(|start_s| start_s.is_some()).count();
    assert!(series.jobs_running.iter().all(|running| *running as usize <= started));
    assert!(series.gpus_in_use.iter().zip(&series.gpus_present).all(|(in_use, present)| in_use <= present));
    assert!(series.gpus_present.iter().all(|present| *present <= run.gpus_total));
    assert!(series.time_s.windows(2).all(|pair| pair[0] < pair[1]));
    for (time_s, present) in series.time_s.iter().zip(&series.gpus_present).filter(|row| *row.0 < run.end_s) {
        let is_away = |node: &u32| run.absences.of(*node).any(|(from_s, to_s)| (from_s..to_s).contains(time_s));
        let nodes = run.gpus_total / run.gpus_per_node;
        let away = (0..nodes).filter(is_away).count() as u32;
        assert_eq!(*present, run.gpus_total - away * run.gpus_per_node, "nodes that are away at {time_s}");
    }
}
