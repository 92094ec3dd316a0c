//! Every policy on a public trace: what holds for small clusters holds for 195 jobs on 128 GPUs.

use elastiplan_engine::{Settings, Simulation};
use elastiplan_formats::{Options, Source, import};
use elastiplan_model::{Cluster, Workload};
use elastiplan_policies::PolicySpec;

use crate::data_pack::elasticflow;
use crate::sound::assert_sound;

fn check(spec: &str, workload: &Workload) {
    let spec: PolicySpec = spec.parse().unwrap();
    let cluster = Cluster::new(16, 8).unwrap();
    let settings = Settings::default();
    let simulation = Simulation::new(workload, cluster, settings.clone(), spec.to_string(), spec.build(0).unwrap()).unwrap();
    let run = simulation.run_to_end().unwrap_or_else(|error| panic!("{error}"));
    assert_sound(&run, workload, &cluster, &settings);
    assert!(run.jobs.end_s.iter().all(Option::is_some), "{spec} forgot a job");
}

#[test]
fn every_run_on_195job_is_sound() {
    let Some(data) = elasticflow() else { return };
    let profiles = std::fs::read_dir(data.join("profiles/A100")).unwrap().map(|entry| entry.unwrap().path());
    let paths = profiles.chain([data.join("traces/195job.csv")]);
    let files: Vec<(String, Vec<u8>)> =
        paths.map(|path| (path.to_str().unwrap().to_string(), std::fs::read(&path).unwrap())).collect();
    let sources = files.iter().map(|(path, bytes)| Source::from_bytes(path.as_str(), bytes)).collect();
    let import = import(sources, &Options::default(), &mut |_| {});
    let (workload, _) = Workload::bind(&import.trace.unwrap(), &import.curves);
    assert_eq!(workload.jobs().len(), 195);
    let ids = ["fixed", "fixed[backfill=true]", "equal-share", "elastic-dp", "elastic-dp[delta_s=60,queue=false]"];
    for id in ids {
        check(id, &workload);
    }
}
