//! What ModelArts' simulation meets, as a document says it.

use elastiplan_documents::Document;
use elastiplan_engine::{Outcome, Span, SpanState};
use elastiplan_model::JobId;
use elastiplan_planner::{PolicyRun, run};

/// The jobs of section 5.1 under one policy on 110 nodes, with these conditions.
fn run_with(rescale_cost_s: u32, conditions: &str) -> PolicyRun {
    let text = format!(
        r#"{{ "elastiplan": 1, "jobs": {{ "generated": {{ "generator": "modelarts" }} }},
        "curves": {{ "published": "modelarts" }}, "cluster": {{ "nodes": 110, "gpus_per_node": 1 }},
        "what_if": {{ "rescale_cost_s": {rescale_cost_s} }}, "conditions": {conditions}, "policies": ["equal-share"] }}"#
    );
    let resolved = Document::parse(&text).unwrap().resolve(&|_| None).unwrap();
    let (workload, found) = resolved.scenario.workload();
    assert_eq!(found, []);
    run(&resolved.scenario, &workload, &resolved.policies[0]).unwrap()
}

#[test]
fn the_conditions_of_figure_14_meet() {
    let calm = run_with(0, "{}").summary.metrics;
    assert_eq!((calm.jobs_total, calm.jobs_completed), (447, 447));
    let faults = r#"{ "estimate_error": 0.1, "bug_share": 0.15, "bug_within_s": 300, "cancel_share": 0.1 }"#;
    let result = run_with(0, &format!(r#"{{ "faults": {faults} }}"#));
    let metrics = &result.summary.metrics;
    // Every job draws both by itself: 15 % have a bug, and of the others 10 % are cancelled.
    let near = |found: u64, share: f64| {
        let deviation = libm::sqrt(447.0 * share * (1.0 - share));
        (found as f64 - 447.0 * share).abs() < 3.0 * deviation
    };
    assert!(near(metrics.jobs_failed, 0.15), "{}", metrics.jobs_failed);
    assert!(near(metrics.jobs_cancelled, 0.085), "{}", metrics.jobs_cancelled);
    assert_eq!(metrics.jobs_completed + metrics.jobs_failed + metrics.jobs_cancelled, 447);
    // Bugs show within five minutes of training.
    let jobs = &result.run.jobs;
    let failed = jobs.outcome.iter().enumerate().filter(|(_, outcome)| **outcome == Outcome::Failed);
    for (at, _) in failed {
        let trained_s = jobs.end_s[at].unwrap() - jobs.start_s[at].unwrap();
        assert!(trained_s <= 300.0, "{trained_s}");
    }
}

#[test]
fn the_delay_of_figure_15_is_for_starts_and_for_more_nodes() {
    let result = run_with(15, r#"{ "start_delay_s": 15, "rescale_down_s": 0 }"#);
    let (mut more, mut fewer) = (0, 0);
    for job in (0..447).map(JobId) {
        let held: Vec<Span> = result.run.spans.of(job).filter(|span| span.gpus > 0).collect();
        let is_paid = |span: &Span| span.state == SpanState::Rescaling && span.end_s - span.start_s <= 15.0;
        assert!(is_paid(&held[0]), "{:?}", held[0]);
        for pair in held.windows(2) {
            let (before, after) = (&pair[0], &pair[1]);
            if before.gpus < after.gpus {
                more += 1;
                assert!(is_paid(after), "{pair:?}");
            } else if before.gpus > after.gpus {
                fewer += 1;
                assert_eq!(after.state, SpanState::Running, "{pair:?}");
            }
        }
    }
    assert!(more > 100 && fewer > 100, "{more} {fewer}");
}
