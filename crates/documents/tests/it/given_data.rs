//! Pollux's measured profiles in a document: all of them come back, to the last digit.

use elastiplan_documents::Document;
use elastiplan_formats::{Options, Source, import};
use elastiplan_model::Cluster;
use elastiplan_scenario::Scenario;

use crate::data_pack::folder;

#[test]
fn measured_profiles_come_back_the_same() {
    let Some(data) = folder("pollux") else { return };
    let mut files = Vec::new();
    for model in std::fs::read_dir(data.join("traces")).unwrap() {
        for file in std::fs::read_dir(model.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            files.push((path.display().to_string(), std::fs::read(path).unwrap()));
        }
    }
    let jobs = data.join("workloads/workload-1.csv");
    files.push((jobs.display().to_string(), std::fs::read(jobs).unwrap()));
    let sources = files.iter().map(|(path, bytes)| Source::from_bytes(path, bytes)).collect();
    let found = import(sources, &Options::default(), &mut |_| {});
    let scenario = Scenario::new(found.trace.unwrap(), found.curves, Cluster::new(16, 4).unwrap());
    let text = Document::of("", &scenario, vec!["fixed".parse().unwrap()]).to_json();
    let back = Document::parse(&text).unwrap().resolve(&|_| None).unwrap().scenario;
    assert_eq!(back.curves, scenario.curves);
    assert_eq!(back.workload().0.jobs(), scenario.workload().0.jobs());
}
