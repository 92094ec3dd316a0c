//! Statistics of a stretch of time: by hand, against a plain recount, and the whole run against its summary.

use elastiplan_compare::{InView, IntervalIndex, IntervalStats};
use elastiplan_engine::{Outcome, Run, SpanState};
use elastiplan_metrics::Summary;
use elastiplan_model::{JobId, Workload};
use proptest::prelude::*;

use crate::runs::{random, sampled};
use crate::stories::three_jobs;

fn between(run: &Run, workload: &Workload, from_s: f64, to_s: f64) -> IntervalStats {
    IntervalIndex::of(run, workload).between(run, from_s, to_s)
}

#[test]
fn ten_seconds_by_hand() {
    let (run, workload) = three_jobs();
    // From 15 to 25 job-0 holds one GPU for 5 s, job-1 two for 5 s and three for 5 s, of which 2 s are a change.
    let stats = between(&run, &workload, 15.0, 25.0);
    assert_eq!((stats.gpu_seconds, stats.gpu_utilization), (30.0, Some(30.0 / 40.0)));
    assert_eq!((stats.gpu_seconds_by_model, stats.rescale_gpu_seconds), (vec![30.0], 6.0));
    assert_eq!((stats.arrived, stats.started, stats.completed, stats.missed), (0, 0, 1, 0));
    assert_eq!((stats.rescales, stats.preemptions), (1, 0));
    let stats = between(&run, &workload, 0.0, 10.0);
    assert_eq!((stats.mean_waiting, stats.peak_waiting, stats.arrived, stats.started), (Some(1.0), 1, 2, 1));
    let stats = between(&run, &workload, 30.0, 31.0);
    assert_eq!(
        (stats.completed, stats.missed),
        (1, 1),
        "what happens at the end of the run belongs to its last second"
    );
}

#[test]
fn no_time_has_no_mean() {
    let (run, workload) = three_jobs();
    let check = |from_s, to_s| {
        let stats = between(&run, &workload, from_s, to_s);
        assert_eq!((stats.gpu_utilization, stats.mean_waiting, stats.peak_waiting), (None, None, 0), "{from_s} {to_s}");
        assert_eq!((stats.gpu_seconds, stats.arrived + stats.completed), (0.0, 0), "{from_s} {to_s}");
    };
    check(5.0, 5.0);
    check(9.0, 3.0);
    check(-9.0, -3.0);
    let (run, workload) = crate::stories::record(4, &[]);
    assert_eq!(between(&run, &workload, 0.0, 9.0).gpu_utilization, None);
}

#[test]
fn a_whole_run_has_the_numbers_of_its_summary() {
    let (runs, workload) = sampled(&["fixed", "equal-share", "elastic-dp"]);
    for run in &runs {
        assert_whole(run, workload.clone());
    }
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

fn assert_whole(run: &Run, workload: Workload) {
    let stats = between(run, &workload, f64::NEG_INFINITY, f64::INFINITY);
    let summary = Summary::of(run, &workload);
    let metrics = &summary.metrics;
    assert_eq!((stats.from_s, stats.to_s), (run.start_s, run.end_s.max(run.start_s)));
    assert_eq!(stats.gpu_utilization.is_some(), metrics.gpu_utilization.is_some());
    assert!(is_near(stats.gpu_utilization.unwrap_or(0.0), metrics.gpu_utilization.unwrap_or(0.0)));
    assert!(is_near(stats.gpu_seconds / 3600.0, metrics.gpu_hours));
    assert!(is_near(stats.gpu_seconds_by_model.iter().sum::<f64>() / 3600.0, metrics.gpu_hours));
    assert!(is_near(stats.rescale_gpu_seconds, metrics.rescale_gpu_s));
    let there = workload.trace().jobs().iter().filter(|job| job.submit_s <= run.end_s).count() as u64;
    assert_eq!((stats.arrived, stats.completed), (there, metrics.jobs_completed));
    assert_eq!((stats.rescales, stats.preemptions), (metrics.rescale_count, metrics.preemption_count));
    if run.finished {
        assert_eq!(stats.missed, summary.deadlines_total - summary.deadlines_met);
    }
}

/// The same, span by span and row by row.
fn recounted(run: &Run, workload: &Workload, from_s: f64, to_s: f64) -> IntervalStats {
    let (from_s, to_s) = (from_s.clamp(run.start_s, run.end_s), to_s.clamp(run.start_s, run.end_s));
    let length_s = to_s - from_s;
    let overlap_s = |start_s: f64, end_s: f64| (end_s.min(to_s) - start_s.max(from_s)).max(0.0);
    let mut by_model = vec![0.0; workload.trace().models().len()];
    let mut rescale_gpu_seconds = 0.0;
    for (id, job) in workload.trace().iter() {
        for span in run.spans.of(id) {
            let gpu_seconds = f64::from(span.gpus) * overlap_s(span.start_s, span.end_s);
            by_model[job.model.0 as usize] += gpu_seconds;
            rescale_gpu_seconds += if span.state == SpanState::Rescaling { gpu_seconds } else { 0.0 };
        }
    }
    let (mut present, mut waiting, mut peak) = (0.0, 0.0, 0);
    let series = &run.series;
    for row in 0..series.time_s.len() {
        let end_s = series.time_s.get(row + 1).copied().unwrap_or(run.end_s);
        let there_s = overlap_s(series.time_s[row], end_s);
        present += f64::from(series.gpus_present[row]) * there_s;
        waiting += f64::from(series.jobs_waiting[row]) * there_s;
        peak = peak.max(if there_s > 0.0 { series.jobs_waiting[row] } else { 0 });
    }
    let is_within = |time_s: f64| time_s >= from_s && (time_s < to_s || to_s >= run.end_s);
    let count = |of: &dyn Fn(usize) -> Option<f64>| {
        (0..workload.trace().jobs().len()).filter_map(of).filter(|time_s| is_within(*time_s)).count() as u64
    };
    let held: f64 = by_model.iter().sum();
    IntervalStats {
        from_s,
        to_s,
        gpu_utilization: (present > 0.0).then(|| held / present),
        gpu_seconds: held,
        gpu_seconds_by_model: by_model,
        rescale_gpu_seconds,
        mean_waiting: (length_s > 0.0).then(|| waiting / length_s),
        peak_waiting: peak,
        arrived: count(&|at| Some(workload.trace().jobs()[at].submit_s).filter(|submit_s| *submit_s <= run.end_s)),
        started: count(&|at| run.jobs.start_s[at]),
        completed: count(&|at| run.jobs.end_s[at].filter(|_| run.jobs.outcome[at] == Outcome::Completed)),
        missed: 0,
        rescales: 0,
        preemptions: 0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(700) })]

    #[test]
    fn a_stretch_equals_a_recount((runs, workload) in random(1), cuts in prop::collection::vec(-0.1..1.1_f64, 1..5)) {
        let run = &runs[0];
        assert_whole(run, workload.clone());
        let index = IntervalIndex::of(run, &workload);
        let length_s = run.end_s - run.start_s;
        let mut times_s: Vec<f64> = cuts.iter().map(|share| run.start_s + share * length_s).collect();
        // Moments at which something happens.
        times_s.extend(run.series.time_s.iter().copied().step_by(5));
        #[allow(clippy::disallowed_methods)]
        times_s.sort_by(f64::total_cmp);
        for pair in times_s.windows(2) {
            let stats = index.between(run, pair[0], pair[1]);
            let plain = recounted(run, &workload, pair[0], pair[1]);
            prop_assert!(is_near(stats.gpu_seconds, plain.gpu_seconds), "{:?} {:?}", stats, plain);
            prop_assert!(is_near(stats.rescale_gpu_seconds, plain.rescale_gpu_seconds));
            prop_assert!(is_near(stats.mean_waiting.unwrap_or(-1.0), plain.mean_waiting.unwrap_or(-1.0)), "{:?} {:?}", stats, plain);
            prop_assert!(is_near(stats.gpu_utilization.unwrap_or(-1.0), plain.gpu_utilization.unwrap_or(-1.0)));
            let models = stats.gpu_seconds_by_model.iter().zip(&plain.gpu_seconds_by_model);
            prop_assert!(models.clone().count() == workload.trace().models().len());
            prop_assert!(models.into_iter().all(|(a, b)| is_near(*a, *b)));
            prop_assert_eq!(stats.peak_waiting, plain.peak_waiting);
            let counts = |stats: &IntervalStats| (stats.arrived, stats.started, stats.completed);
            prop_assert_eq!(counts(&stats), counts(&plain), "{} to {}", pair[0], pair[1]);
        }
        // Stretches that follow each other count everything once.
        let whole = index.between(run, f64::NEG_INFINITY, f64::INFINITY);
        let middle_s = run.start_s + cuts[0] * length_s;
        let (early, late) = (index.between(run, f64::NEG_INFINITY, middle_s), index.between(run, middle_s, f64::INFINITY));
        if middle_s > run.start_s && middle_s < run.end_s {
            let counts = |stats: &IntervalStats| [stats.missed, stats.rescales, stats.preemptions, stats.arrived];
            let sum: Vec<u64> = counts(&early).into_iter().zip(counts(&late)).map(|(a, b)| a + b).collect();
            prop_assert_eq!(sum, counts(&whole));
        }
    }
}

/// What jobs do in a stretch, span by span.
fn looked_at(run: &Run, workload: &Workload, from_s: f64, to_s: f64) -> InView {
    let mut found = InView::default();
    let is_within = |time_s: f64| from_s <= time_s && time_s < to_s;
    for (id, _) in workload.trace().iter() {
        let spans: Vec<_> = run.spans.of(id).collect();
        let in_view: Vec<_> = spans.iter().filter(|span| span.end_s > from_s && span.start_s < to_s).collect();
        let holds = in_view.iter().any(|span| span.gpus > 0);
        found.holding += u64::from(holds);
        found.only_waiting += u64::from(!in_view.is_empty() && !holds);
        for (at, span) in spans.iter().enumerate().filter(|(_, span)| is_within(span.start_s) && span.end_s > from_s) {
            let before = at.checked_sub(1).map_or(0, |before| spans[before].gpus);
            let has_held = spans[..at].iter().any(|span| span.gpus > 0);
            found.grown += u64::from(before > 0 && span.gpus > before);
            found.shrunk += u64::from(span.gpus > 0 && span.gpus < before);
            found.preempted += u64::from(before > 0 && span.gpus == 0);
            found.resumed += u64::from(before == 0 && span.gpus > 0 && has_held);
        }
        for span in in_view.iter().filter(|span| matches!(span.state, SpanState::Waiting | SpanState::Preempted)) {
            let waits_s = span.end_s - span.start_s;
            if found.longest_wait.is_none_or(|(_, longest_s)| waits_s > longest_s) {
                found.longest_wait = Some((id, waits_s));
            }
        }
        let ended_s = run.jobs.end_s[id.index()].filter(|end_s| is_within(*end_s));
        found.completed += u64::from(ended_s.is_some() && run.jobs.outcome[id.index()] == Outcome::Completed);
        found.dropped += u64::from(ended_s.is_some() && run.jobs.outcome[id.index()] == Outcome::Dropped);
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn what_jobs_do_in_view_equals_a_recount((runs, workload) in random(1), ends in (-0.1..1.1_f64, -0.1..1.1_f64)) {
        let run = &runs[0];
        let jobs: Vec<JobId> = workload.trace().iter().map(|(job, _)| job).collect();
        let at = |share: f64| run.start_s + share * (run.end_s - run.start_s);
        let (from_s, to_s) = (at(ends.0.min(ends.1)), at(ends.0.max(ends.1)));
        let found = InView::of(run, &workload, &jobs, (from_s, to_s));
        let missed = between(run, &workload, from_s, to_s).missed;
        // A stretch that reaches the end of the run holds what happens at the end there, and not in what is looked at.
        prop_assert!(to_s >= run.end_s || from_s < run.start_s || found.missed == missed);
        prop_assert_eq!(InView { missed: 0, ..found }, looked_at(run, &workload, from_s, to_s));
    }
}
