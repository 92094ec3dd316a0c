//! Whatever a scenario was read from, its document holds all of it: what no table can say stands there as objects.

use std::path::{Path, PathBuf};

use elastiplan_documents::{CurveSource, Document};
use elastiplan_formats::{Import, Options, Source, import};
use elastiplan_model::{Cluster, Job, ModelId, Trace, Work};
use elastiplan_scenario::Scenario;

use crate::data_pack;
use crate::samples::{Sample, samples};
use crate::to_the_bit::{bare, bits};

/// Larger files of the pack are left out.
const BYTES_MAX: u64 = 20_000_000;

fn read(files: &Sample) -> Import {
    let sources = files.iter().map(|(path, bytes)| Source::from_bytes(path, bytes)).collect();
    import(sources, &Options::default(), &mut |_| {})
}

/// The scenario of what was read. Without jobs it has one, since a document needs one; `None` if nothing was read.
fn scenario(found: &Import) -> Option<Scenario> {
    let log = found.availability.clone();
    let trace = found.trace.clone().filter(|trace| !trace.jobs().is_empty());
    if found.curves.is_empty() && log.is_none() && trace.is_none() {
        return None;
    }
    let cluster = Cluster::new(log.as_ref().map_or(0, |log| log.nodes()).max(1), 8).unwrap();
    let mut scenario = Scenario::new(trace.unwrap_or_else(one_job), found.curves.clone(), cluster);
    scenario.conditions.availability = log.map(Into::into);
    Some(scenario)
}

fn one_job() -> Trace {
    let job = Job {
        name: "a".into(),
        source_row: 0,
        submit_s: 0.0,
        model: ModelId(0),
        batch_global: None,
        batch_range: None,
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Trainings(1.0),
        deadline_s: None,
        user: None,
        rescale: None,
        priority: None,
    };
    Trace::new(vec!["m".into()], vec![job]).unwrap()
}

/// Checks that the data come back from a document to the last bit; true if it has curves as objects. The row of a job in
/// its file and the numbers of models are not written.
fn check(found: &Import) -> bool {
    let Some(scenario) = scenario(found) else { return false };
    let document = Document::of("", &scenario, vec!["fixed".parse().unwrap()]);
    let read = Document::parse(&document.to_json()).unwrap();
    let resolved = read.resolve(&|_| None).unwrap();
    let back = &resolved.scenario;
    let differs = bare(&scenario.trace).into_iter().zip(bare(&back.trace)).find(|(job, back)| bits(job) != bits(back));
    assert_eq!((differs, scenario.trace.jobs().len()), (None, back.trace.jobs().len()));
    assert!(bits(&back.curves) == bits(&scenario.curves), "{:?}", found.files);
    assert!(bits(&back.conditions) == bits(&scenario.conditions), "{:?}", found.files);
    assert_eq!(back.cluster, scenario.cluster);
    matches!(document.curves, CurveSource::Given(_))
}

#[test]
fn every_sample_comes_back_from_a_document() {
    let given =
        samples().iter().filter(|sample| check(&read(sample))).map(|sample| sample[0].0.clone()).collect::<Vec<_>>();
    assert_eq!(given, ["pollux-profile/cifar10/placements.csv", "scaling-measurements/all-reduce.csv"]);
}

/// Every file by itself, and the files of a folder together, which some profiles need.
#[test]
fn every_file_of_the_data_comes_back_from_a_document() {
    let Some(pack) = data_pack::folder(".") else { return };
    let mut given = 0;
    let mut folders = vec![pack];
    while let Some(folder) = folders.pop() {
        let paths: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        let (inner, files): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(|path| path.is_dir());
        folders.extend(inner);
        let files: Sample = files.iter().filter_map(|path| content(path)).collect();
        given += files.iter().filter(|file| check(&read(&vec![(*file).clone()]))).count();
        given += usize::from(check(&read(&files)));
    }
    println!("{given} times with curves as objects");
    assert!(given > 0);
}

/// A file of the pack by its path, unless it is too large.
fn content(path: &Path) -> Option<(String, Vec<u8>)> {
    let is_small = path.metadata().unwrap().len() <= BYTES_MAX;
    is_small.then(|| (path.display().to_string(), std::fs::read(path).unwrap()))
}
