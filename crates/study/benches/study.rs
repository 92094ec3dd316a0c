//! How long a study takes on all processors, and what a screen waits for of it.
//!
//! `cargo bench -p elastiplan-study`.

#![allow(clippy::disallowed_methods)] // Benchmarks need no small code.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use elastiplan_documents::{Document, Resolved};
use elastiplan_present::study::{Progress, StudyView, Views};
use elastiplan_scenario::Scenario;
use elastiplan_study::{Results, Study, Unit};
use rayon::prelude::*;

/// 8 to 64 nodes, five policies, ten seeds of 150 jobs: 57 points, and the seeds that confirm the answers.
const NODES: &str = r#"{
    "elastiplan": 1,
    "jobs": { "generated": { "generator": "elasticflow", "jobs": 150, "interarrival_s": 900 } },
    "curves": { "published": "elasticflow-a100" },
    "cluster": { "nodes": 16, "gpus_per_node": 8 },
    "policies": ["fixed", "equal-share", "elastic-dp", "elasticflow", "edf[elastic=true]"],
    "study": {
        "axes": { "cluster.nodes": { "from": 8, "to": 64, "step": 1 } },
        "seeds": 10,
        "goals": [{ "metric": "deadline_satisfactory_ratio", "at_least": 0.95 }]
    }
}"#;

/// 10,000 points of two policies, three seeds of four jobs.
const MANY: &str = r#"{
    "elastiplan": 1,
    "jobs": { "generated": { "generator": "elasticflow", "jobs": 4, "interarrival_s": 900 } },
    "curves": { "published": "elasticflow-a100" },
    "cluster": { "nodes": 16, "gpus_per_node": 8 },
    "policies": ["fixed", "equal-share"],
    "study": {
        "axes": {
            "cluster.nodes": { "from": 1, "to": 100, "step": 1 },
            "what_if.rescale_cost_s": { "from": 1, "to": 100, "step": 1 }
        },
        "seeds": 3,
        "goals": [{ "metric": "deadline_satisfactory_ratio", "at_least": 0.95 }]
    }
}"#;

/// The metrics that the page asks for.
const METRICS: [&str; 6] =
    ["deadline_satisfactory_ratio", "avg_jct_s", "p95_queueing_s", "cost_dollars", "gpu_utilization", "job_drop_ratio"];

/// A study with the scenarios of its first seeds, which are drawn once.
struct Subject {
    study: Study,
    resolved: Resolved,
    drawn: BTreeMap<u64, Scenario>,
}

impl Subject {
    fn of(document: &str) -> Option<Self> {
        let document = Document::parse(document).ok()?;
        let resolved = document.resolve(&|_| None).ok()?;
        let study = document.study()?.ok()?;
        let seeds = (0..40).map(|seed| study.seed(Unit { point: 0, policy: 0, seed }));
        let drawn = seeds.map(|seed| (seed, resolved.with_seed(seed))).collect();
        Some(Self { study, resolved, drawn })
    }

    /// All runs, on all processors.
    fn results(&self) -> Results {
        let with_seed = |seed| self.drawn.get(&seed).cloned().unwrap_or_else(|| self.resolved.with_seed(seed));
        let mut results = Results::default();
        loop {
            let units = self.study.next(&results);
            if units.is_empty() {
                return results;
            }
            let outcomes: Vec<_> = units.par_iter().map(|&unit| self.study.run(unit, with_seed)).collect();
            for (unit, outcome) in units.into_iter().zip(outcomes) {
                // The units that are wanted are not there yet.
                let _ = results.add(unit, outcome);
            }
        }
    }
}

/// Seconds of the first view and of one in which a hundredth of the outcomes are new, and of reading it in the page.
fn bench_views(criterion: &mut Criterion, name: &str, subject: &Subject, results: &Results) {
    let metrics = METRICS.map(String::from);
    let view = |views: &mut Views, results: &Results| -> StudyView {
        views.view(&subject.study, results, &metrics, Progress::default())
    };
    let mut before = Results::default();
    let new = results.len() / 100;
    for (unit, outcome) in results.iter().take(results.len() - new) {
        let _ = before.add(unit, outcome.clone());
    }
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    group.bench_function("the first view", |bencher| {
        bencher.iter(|| black_box(view(&mut Views::default(), results)));
    });
    group.bench_function("a view with a hundredth new", |bencher| {
        bencher.iter_custom(|count| {
            let time = |_| {
                let mut views = Views::default();
                let _ = view(&mut views, &before);
                let began = Instant::now();
                black_box(view(&mut views, results));
                began.elapsed()
            };
            (0..count).map(time).sum()
        });
    });
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    for (name, document) in [("8 to 64 nodes", NODES), ("10,000 points", MANY)] {
        let Some(subject) = Subject::of(document) else { continue };
        let results = subject.results();
        println!("{name}: {} runs", results.len());
        bench_views(criterion, name, &subject, &results);
        if document == NODES {
            let mut group = criterion.benchmark_group(name);
            group.sample_size(10).bench_function("study", |bencher| bencher.iter(|| black_box(subject.results())));
            group.finish();
        }
    }
}

criterion_group!(study, benches);
criterion_main!(study);
