//! Every policy on public traces: what holds for small clusters holds for 195 jobs on 128 GPUs, and for a week on the
//! idle nodes of a supercomputer.

use std::path::Path;
use std::sync::Arc;

use elastiplan_engine::{Outcome, Run, Simulation};
use elastiplan_formats::{Import, Options, Source, import};
use elastiplan_metrics::gpu_seconds_present;
use elastiplan_model::{Cluster, Curve, CurveKey, Curves, Job, ModelId, RescaleSeconds, Trace, Work, Workload};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Conditions;

use crate::data_pack::folder;
use crate::sound::assert_sound;

fn read(paths: impl Iterator<Item = impl AsRef<Path>>) -> Import {
    let file = |path: &Path| (path.to_str().unwrap().to_string(), std::fs::read(path).unwrap());
    let files: Vec<(String, Vec<u8>)> = paths.map(|path| file(path.as_ref())).collect();
    let sources = files.iter().map(|(path, bytes)| Source::from_bytes(path.as_str(), bytes)).collect();
    import(sources, &Options::default(), &mut |_| {})
}

fn check(spec: &str, workload: &Workload, cluster: Cluster, settings: &Conditions) -> Run {
    let spec: PolicySpec = spec.parse().unwrap();
    let policy = spec.build(0).unwrap();
    let simulation = Simulation::new(workload, cluster, settings.clone(), spec.to_string(), policy).unwrap();
    let run = simulation.run_to_end().unwrap_or_else(|error| panic!("{error}"));
    assert_sound(&run, workload, &cluster, settings);
    run
}

const POLICIES: [&str; 16] = [
    "fixed",
    "fixed[backfill=true]",
    "shortest-first",
    "equal-share",
    "equal-share[share=replayer,max_trainers=10]",
    "bftrainer[objective=scaling-efficiency]",
    "bftrainer[replayer=true]",
    "elastic-dp",
    "elastic-dp[delta_s=60,queue=false]",
    "edf",
    "edf[admission=true]",
    "edf[admission=true,artifact=true]",
    "tiresias",
    "tiresias[artifact=true]",
    "gandiva",
    "gandiva[artifact=true,last_submit_s=172045]",
];

#[test]
fn every_run_on_195job_is_sound() {
    let Some(data) = folder("elasticflow") else { return };
    let profiles = std::fs::read_dir(data.join("profiles/A100")).unwrap().map(|entry| entry.unwrap().path());
    let import = read(profiles.chain([data.join("traces/195job.csv")]));
    let (workload, _) = Workload::bind(&import.trace.unwrap(), &import.curves);
    assert_eq!(workload.jobs().len(), 195);
    let cluster = Cluster::new(16, 8).unwrap();
    for spec in POLICIES {
        let run = check(spec, &workload, cluster, &Conditions::default());
        assert!(run.jobs.end_s.iter().all(Option::is_some), "{spec} forgot a job");
    }
}

/// Trainers on the idle nodes of Summit, as many as come in a week: one every 36 s at first, 130 million samples each.
fn trainers(count: u32) -> Workload {
    let speeds = [(1, 2831.0), (2, 5259.0), (4, 9988.0), (8, 20379.2), (16, 38895.3), (32, 74125.1), (64, 145081.5)];
    let key = CurveKey { model: "shufflenet".into(), batch_global: None };
    let curve = Curve::new(key, speeds).unwrap().ending_at_last_point();
    let job = |number: u32| Job {
        name: format!("trainer-{number}"),
        source_row: 0,
        submit_s: f64::from(number) * 3600.0,
        model: ModelId(0),
        batch_global: None,
        gpus_requested: 1,
        gpus_min: Some(1),
        gpus_max: Some(64),
        work: Work::Samples(1.3e8),
        deadline_s: None,
        user: None,
        rescale: Some(RescaleSeconds { up_s: 18.0, down_s: 12.0 }),
        batch_range: None,
        priority: None,
    };
    let trace = Trace::new(vec!["shufflenet".into()], (0..count).map(job).collect()).unwrap();
    Workload::bind(&trace, &Curves::from_iter([curve])).0
}

#[test]
fn a_week_on_the_idle_nodes_of_summit() {
    let Some(data) = folder("bftrainer-summit") else { return };
    let import = read([data.join("idle_intervals.week1.395nodes.csv")].into_iter());
    let log = Arc::new(import.availability.unwrap());
    // Of the 395 nodes, 4 are never idle.
    let cluster = Cluster::new(log.nodes(), 1).unwrap();
    assert_eq!(cluster.nodes(), 391);
    let until_s = Some(log.end_s() - log.start_s());
    let settings = Conditions { availability: Some(log), until_s, ..Conditions::default() };
    let workload = trainers(168);
    for spec in ["equal-share", "fixed", "bftrainer", "bftrainer[replayer=true]", "equal-share[share=replayer]"] {
        let run = check(spec, &workload, cluster, &settings);
        let node_hours = gpu_seconds_present(&run) / 3600.0;
        // What the authors' replayer finds: 5585.06 node-hours until its last event, 183 s before the end of the week.
        assert!((node_hours - 5585.06).abs() < 5.0, "{node_hours} node-hours");
        assert!(run.jobs.evictions.iter().sum::<u32>() > 100);
        let completed = run.jobs.outcome.iter().filter(|outcome| **outcome == Outcome::Completed).count();
        println!("{spec}: {completed} of 168 completed, {node_hours:.1} node-hours");
        assert!(completed > 20);
    }
}
