//! What must hold for every run of every policy, recomputed from the spans, the curves and the trace alone.

use elastiplan_engine::{Outcome, Run, Settings, Span, SpanState};
use elastiplan_model::{Cluster, JobId, Workload};

/// Panics where a run is not sound.
pub fn assert_sound(run: &Run, workload: &Workload, cluster: &Cluster, settings: &Settings) {
    let jobs = workload.jobs().len();
    let columns = [run.jobs.outcome.len(), run.jobs.start_s.len(), run.jobs.end_s.len(), run.jobs.queueing_s.len()];
    assert_eq!(columns, [jobs; 4]);
    let columns = [run.jobs.gpu_seconds.len(), run.jobs.rescale_gpu_seconds.len(), run.jobs.rescales.len()];
    assert_eq!(columns, [jobs; 3]);
    assert_eq!((run.jobs.preemptions.len(), run.spans.first.len()), (jobs, jobs + 1));
    assert!(run.finished);
    assert_eq!((run.gpus_total, run.start_s), (cluster.gpus_total(), workload.trace().start_s()));
    for job in (0..jobs as u32).map(JobId) {
        assert_job_is_sound(run, workload, settings, job);
    }
    assert_series_is_that_of_the_spans(run, workload);
    assert!(run.decisions_s.windows(2).all(|pair| pair[0] <= pair[1]));
}

fn assert_job_is_sound(run: &Run, workload: &Workload, settings: &Settings, job: JobId) {
    let index = job.index();
    let submit_s = workload.trace().jobs()[index].submit_s;
    let bound = &workload.jobs()[index];
    let curve = workload.curve_of(job).unwrap();
    let spans: Vec<Span> = run.spans.of(job).collect();
    let (start_s, end_s) = (run.jobs.start_s[index], run.jobs.end_s[index]);

    // Spans touch, from submission to end.
    assert!(spans.iter().all(|span| span.start_s < span.end_s), "{spans:?}");
    assert!(spans.windows(2).all(|pair| pair[0].end_s == pair[1].start_s), "{spans:?}");
    let end_or_now_s = end_s.unwrap_or(run.end_s).max(submit_s);
    assert_eq!(spans.first().map_or(submit_s, |span| span.start_s), submit_s);
    assert_eq!(spans.last().map_or(submit_s, |span| span.end_s), end_or_now_s);

    // What it was doing fits what it was holding.
    let holding = |span: &&Span| span.gpus > 0;
    for span in &spans {
        let has_started = start_s.is_some_and(|start_s| start_s <= span.start_s);
        match span.state {
            SpanState::Waiting => assert!(span.gpus == 0 && !has_started, "{spans:?}"),
            SpanState::Preempted => assert!(span.gpus == 0 && has_started, "{spans:?}"),
            SpanState::Rescaling | SpanState::Running => {
                assert!(curve.samples_per_s(span.gpus) > 0.0 && span.gpus >= bound.gpus_min && has_started);
            }
        }
    }
    assert!(spans.iter().find(holding).is_none_or(|span| Some(span.start_s) == start_s));

    // The work that was done is the work there was.
    let running = spans.iter().filter(|span| span.state == SpanState::Running);
    let samples: f64 = running.map(|span| curve.samples_per_s(span.gpus) * (span.end_s - span.start_s)).sum();
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-3);
    // At late times a second has fewer digits: what is done in the last of them may be missing or too much.
    let fastest = spans.iter().map(|span| curve.samples_per_s(span.gpus)).fold(0.0, f64::max);
    let last_digits = fastest * f64::EPSILON * run.end_s * spans.len() as f64;
    let close_samples = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b + last_digits;
    match run.jobs.outcome[index] {
        Outcome::Completed => assert!(close_samples(samples, bound.samples), "{samples} samples for {}", bound.samples),
        Outcome::Dropped => assert!(start_s.is_none() && end_s.is_some()),
        Outcome::Unfinished => assert!(end_s.is_none() && samples < bound.samples * (1.0 + 1e-9) + last_digits),
    }

    // The columns are sums over the spans.
    let sum = |weight: &dyn Fn(&Span) -> f64| -> f64 {
        spans.iter().map(|span| (span.end_s - span.start_s) * weight(span)).sum()
    };
    let rescaling = |span: &Span| if span.state == SpanState::Rescaling { f64::from(span.gpus) } else { 0.0 };
    assert!(close(run.jobs.queueing_s[index], sum(&|span| f64::from(u8::from(span.gpus == 0)))));
    assert!(close(run.jobs.gpu_seconds[index], sum(&|span| f64::from(span.gpus))));
    assert!(close(run.jobs.rescale_gpu_seconds[index], sum(&rescaling)));
    let paid_s = sum(&|span| f64::from(u8::from(span.state == SpanState::Rescaling)));
    let rescales = run.jobs.rescales[index];
    assert!(paid_s <= settings.rescale_cost_s * f64::from(rescales) * (1.0 + 1e-9));
    let changes = spans.windows(2).filter(|pair| pair[0].gpus != pair[1].gpus && start_s != Some(pair[1].start_s));
    let (to_none, to_some): (Vec<_>, Vec<_>) = changes.partition(|pair| pair[1].gpus == 0);
    // A change that takes effect when the record ends has no span.
    let at_end = u32::from(end_s.is_none() && run.decisions_s.last() == Some(&run.end_s));
    assert!((to_some.len() as u32..=to_some.len() as u32 + at_end).contains(&rescales), "{spans:?}");
    let preemptions = run.jobs.preemptions[index];
    assert!((to_none.len() as u32..=to_none.len() as u32 + at_end).contains(&preemptions), "{spans:?}");
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
        assert!(now.0 <= i64::from(run.gpus_total), "{} GPUs held at {time_s}", now.0);
        let row = (time_s, now.0 as u32, now.1 as u32, now.2 as u32);
        if rows.last().is_none_or(|last| (last.1, last.2, last.3) != (row.1, row.2, row.3)) {
            rows.push(row);
        }
    }
    // Spans end with the record, the series holds on; and jobs dropped on submission leave a row, but no span.
    let series = &run.series;
    let told = (0..series.time_s.len())
        .map(|at| (series.time_s[at], series.gpus_in_use[at], series.jobs_running[at], series.jobs_waiting[at]))
        .filter(|row| row.0 < run.end_s && *row != (run.start_s, 0, 0, 0));
    assert_eq!(told.collect::<Vec<_>>(), rows.into_iter().filter(|row| row.0 < run.end_s).collect::<Vec<_>>());
    let started = run.jobs.start_s.iter().filter(|start_s| start_s.is_some()).count();
    assert!(series.jobs_running.iter().all(|running| *running as usize <= started));
    assert!(series.gpus_in_use.iter().all(|gpus| *gpus <= run.gpus_total));
}
