//! A node more, and fewer deadlines are met: found in a study, and explained from the runs.
#![allow(clippy::unwrap_used)] // Clippy lets tests do so, but not what tests share.

use elastiplan_documents::{Document, Resolved};
use elastiplan_metrics::meets_deadline;
use elastiplan_model::{JobId, Workload};
use elastiplan_planner::PolicyRun;
use elastiplan_present::study::{Side, reversal_line, why};
use elastiplan_study::{Outcome, Results, Study, Unit};

const SCENARIO: &str = r#"{
  "elastiplan": 1,
  "jobs": { "generated": { "generator": "elasticflow", "jobs": 150, "interarrival_s": 900 } },
  "curves": { "published": "elasticflow-a100" },
  "cluster": { "nodes": 4, "gpus_per_node": 8 },
  "policies": ["edf[elastic=true]"],
  "study": {
    "axes": { "cluster.nodes": [3, 4] },
    "seeds": 20,
    "goals": [{ "metric": "deadline_satisfactory_ratio", "at_least": 0.8 }]
  }
}"#;

struct Case {
    study: Study,
    resolved: Resolved,
}

impl Case {
    fn new() -> Self {
        let document = Document::parse(SCENARIO).unwrap();
        let resolved = document.resolve(&|_| None).unwrap();
        Self { study: document.study().unwrap().unwrap(), resolved }
    }

    fn run(&self, unit: Unit) -> (Workload, PolicyRun) {
        self.study.inputs(unit, |seed| self.resolved.with_seed(seed)).unwrap().run().unwrap()
    }
}

/// Which jobs complete by their deadline.
fn met(workload: &Workload, run: &PolicyRun) -> Vec<bool> {
    let jobs = (0..workload.trace().jobs().len() as u32).map(JobId);
    jobs.map(|job| meets_deadline(&run.run, workload, job) == Some(true)).collect()
}

#[test]
fn a_node_more_and_fewer_deadlines_are_met() {
    let case = Case::new();
    let mut results = Results::default();
    let mut losses = Vec::new();
    for seed in 0..20 {
        let runs = [0, 1].map(|point| {
            let unit = Unit { point, policy: 0, seed };
            let (workload, run) = case.run(unit);
            results.add(unit, Outcome::from(&run)).unwrap();
            met(&workload, &run).into_iter().filter(|met| *met).count() as i64
        });
        losses.push(runs[0] - runs[1]);
    }

    let [reversal] = case.study.reversals(&results)[..] else { panic!("one policy, one line") };
    let most = losses.iter().copied().max().unwrap();
    assert_eq!(reversal.seeds_reversed as usize, losses.iter().filter(|&&lost| lost > 0).count());
    assert_eq!(losses[reversal.worst_seed as usize], most);
    assert!(most > 30, "a node more costs {most} deadlines");
    let expected = "edf[elastic=true]: deadlines met got worse with more in 9 of 20 seeds, most in seed 8: 14% with 4 nodes, \
                    80% with 3 nodes";
    assert_eq!(reversal_line(&case.study, &reversal), expected);

    let [(workload, here), (_, there)] = [reversal.unit(), reversal.neighbour_unit()].map(|unit| case.run(unit));
    let side = |name, run| Side { name, workload: &workload, run };
    let told = why(side("4 nodes", &here.run), side("3 nodes", &there.run));
    let job = told.job.unwrap();
    assert!(!met(&workload, &here)[job.index()] && met(&workload, &there)[job.index()], "{told:?}");
    // Until they part, both treat every job alike.
    let parts_s = told.parts_s.unwrap();
    let until = |run: &PolicyRun, job: JobId| -> Vec<(f64, u32)> {
        let spans = run.run.spans.of(job).filter(|span| span.start_s < parts_s);
        spans.map(|span| (span.start_s, span.gpus)).collect()
    };
    for (job, _) in workload.trace().iter() {
        assert_eq!(until(&here, job), until(&there, job), "{job:?}");
    }
    assert!(parts_s <= told.job_parts_s.unwrap());
    let expected = [
        "The runs part at 1m 07s, gpt2-2: 16 GPUs, 4.57k samples/s; with 3 nodes 8 GPUs, 4.01k samples/s.",
        "99 deadlines are missed that are met with 3 nodes, 0 the other way round; 129 jobs complete later, 9 sooner.",
        "bert-12 loses most: completed 4d 09h late; with 3 nodes completed 22h 08m early.",
        "At 3h 10m it is first treated differently: 4 GPUs, 663 samples/s; with 3 nodes 2 GPUs, 553 samples/s. \
         inception3-11 holds 8 GPUs then, with 3 nodes 4.",
    ];
    assert_eq!(told.sentences, expected);
}

#[test]
fn the_same_run_has_nothing_to_explain() {
    let case = Case::new();
    let (workload, run) = case.run(Unit { point: 0, policy: 0, seed: 0 });
    let side = Side { name: "3 nodes", workload: &workload, run: &run.run };
    let told = why(side, side);
    assert_eq!((told.job, told.sentences), (None, vec!["The two runs are the same.".to_string()]));
}
