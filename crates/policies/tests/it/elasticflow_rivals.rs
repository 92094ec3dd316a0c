//! ElasticFlow's rivals against runs of its published simulator: who meets the deadline, and when each job ends.

use std::fmt;
use std::path::Path;
use std::time::Instant;

use elastiplan_engine::{Outcome, Run, Simulation};
use elastiplan_formats::{Options, Source, import};
use elastiplan_model::{Cluster, Trace, Work, Workload};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Conditions;

use crate::data_pack::folder;

/// A run of the published simulator.
struct Reference {
    trace: &'static str,
    gpus: u32,
    interval_s: u32,
}

impl Reference {
    fn workload(&self, data: &Path, work: Option<&str>) -> Workload {
        let gpu_type = if self.trace == "elasticVpollux_e" { "T4" } else { "A100" };
        let profiles = std::fs::read_dir(data.join("profiles").join(gpu_type)).unwrap();
        let trace = data.join(format!("traces/{}.csv", self.trace));
        let paths = profiles.map(|entry| entry.unwrap().path()).chain([trace.clone()]);
        let file = |path: &Path| (path.to_str().unwrap().to_string(), std::fs::read(path).unwrap());
        let files: Vec<(String, Vec<u8>)> = paths.map(|path| file(&path)).collect();
        let sources = files.iter().map(|(path, bytes)| Source::from_bytes(path.as_str(), bytes)).collect();
        let import = import(sources, &Options::default(), &mut |_| {});
        let mut trace_read = import.trace.unwrap();
        if let Some(column) = work {
            trace_read = with_durations(&trace_read, &column_of(&trace, column));
        }
        Workload::bind(&trace_read, &import.curves).0
    }

    fn cluster(&self) -> Cluster {
        let gpus_per_node = if self.trace == "elasticVpollux_e" { 4 } else { 8 };
        Cluster::new(self.gpus / gpus_per_node, gpus_per_node).unwrap()
    }

    /// Row for row: the end of a job that completed, and when it started.
    fn jobs(&self, data: &Path, policy: &str) -> Option<Vec<Option<(f64, f64)>>> {
        let name = format!("per-job/{}__{}gpu_s{}__{policy}.csv", self.trace, self.gpus, self.interval_s);
        let text = std::fs::read_to_string(data.join(name)).ok()?;
        let rows = text.lines().skip(1).map(|line| line.split(',').map(str::to_string).collect::<Vec<_>>());
        let times = |row: Vec<String>| {
            let number = |at: usize| row[at].parse::<f64>().unwrap();
            (row[1] == "1").then(|| (number(3), number(4)))
        };
        Some(rows.map(times).collect())
    }

    /// The share of jobs with deadlines that met them, as the published simulator counted it.
    fn ratio(&self, data: &Path, policy: &str) -> f64 {
        let text = std::fs::read_to_string(data.join("reference-results.csv")).unwrap();
        let line = text
            .lines()
            .map(|line| line.split(',').collect::<Vec<_>>())
            .find(|row| {
                row[..2] == [self.trace, policy]
                    && row[3] == self.gpus.to_string()
                    && row[5..7] == [self.interval_s.to_string().as_str(), "measured"]
            })
            .unwrap();
        line[7].parse().unwrap()
    }
}

fn column_of(path: &Path, name: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(path).unwrap();
    let at = text.lines().next().unwrap().split(',').position(|column| column == name).unwrap();
    text.lines().skip(1).map(|line| line.split(',').nth(at).unwrap().trim().parse().unwrap()).collect()
}

/// The rigid policies of the published simulator go by the seconds in the trace, not by the iterations.
fn with_durations(trace: &Trace, durations_s: &[f64]) -> Trace {
    let models: Vec<String> = (0..).map_while(|index| model_name(trace, index)).collect();
    let jobs = trace.jobs().iter().zip(durations_s);
    let jobs =
        jobs.map(|(job, seconds)| elastiplan_model::Job { work: Work::DurationOnRequested(*seconds), ..job.clone() });
    Trace::new(models, jobs.collect()).unwrap()
}

fn model_name(trace: &Trace, index: u32) -> Option<String> {
    let known = trace.jobs().iter().map(|job| job.model.0).max()?;
    (index <= known).then(|| trace.model_name(elastiplan_model::ModelId(index)).to_string())
}

/// Conditions of a reference run. Changes cost nothing: the policies charge what the published simulator charges.
fn settings() -> Conditions {
    Conditions { rescale_cost_s: 0.0, ..Conditions::default() }
}

fn spec(policy: &str, reference: &Reference, workload: &Workload) -> PolicySpec {
    let interval_s = reference.interval_s;
    let jobs = workload.trace().jobs();
    let last_s = jobs.last().unwrap().submit_s - workload.trace().start_s();
    let text = match policy {
        "edf" => format!("edf[artifact=true,interval_s={interval_s},last_submit_s={last_s}]"),
        "edf-accessctrl" => format!("edf[artifact=true,admission=true,interval_s={interval_s},last_submit_s={last_s}]"),
        "dlas-gpu" => format!("tiresias[artifact=true,interval_s={interval_s},last_submit_s={last_s}]"),
        "gandiva" => format!("gandiva[artifact=true,interval_s={interval_s},last_submit_s={last_s}]"),
        _ => panic!("{policy}"),
    };
    text.parse().unwrap()
}

/// How a run compares.
struct Likeness {
    /// Share of the jobs with deadlines that met them.
    ratio: f64,
    reference_ratio: f64,
    /// Share of jobs that complete within so many seconds of each other, or in neither run.
    within_2_s: f64,
    /// The first that does not, with its times.
    first_different: Option<(usize, String)>,
}

impl fmt::Debug for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ratio, reference_ratio, within_2_s, first_different } = self;
        write!(
            f,
            "{ratio:.4} of the deadlines met, {reference_ratio:.4} there; {within_2_s:.4} of the jobs within 2 s"
        )?;
        first_different.as_ref().map_or(Ok(()), |(job, times)| write!(f, "; first another: job {job}, {times}"))
    }
}

fn compare(reference: &Reference, policy: &str, data: &Path) -> Likeness {
    let rigid = matches!(policy, "dlas-gpu" | "gandiva");
    let workload = reference.workload(data, rigid.then_some("duration"));
    let spec = spec(policy, reference, &workload);
    let began = Instant::now();
    let policy_made = spec.build(0).unwrap();
    let simulation =
        Simulation::new(&workload, reference.cluster(), settings(), spec.to_string(), policy_made).unwrap();
    let run = simulation.run_to_end().unwrap_or_else(|error| panic!("{error}"));
    let seconds = began.elapsed().as_secs_f64();
    let likeness = likeness(&run, &workload, &reference.jobs(data, policy).unwrap(), reference.ratio(data, policy));
    println!(
        "{} {} GPUs {} s {policy}: {likeness:?} in {seconds:.2} s",
        reference.trace, reference.gpus, reference.interval_s
    );
    likeness
}

fn likeness(run: &Run, workload: &Workload, jobs: &[Option<(f64, f64)>], reference_ratio: f64) -> Likeness {
    let (mut due, mut met) = (0, 0);
    let mut alike = 0;
    let mut first: Option<(f64, usize, String)> = None;
    assert_eq!(jobs.len(), workload.jobs().len());
    for (index, (job, expected)) in workload.trace().jobs().iter().zip(jobs).enumerate() {
        let completed = run.jobs.outcome[index] == Outcome::Completed;
        let end_s = run.jobs.end_s[index].filter(|_| completed);
        if let Some(deadline_s) = job.deadline_s {
            due += 1;
            met += usize::from(end_s.is_some_and(|end_s| end_s <= deadline_s + 1e-6));
        }
        let off_s = match (end_s, expected.map(|(_, end_s)| end_s)) {
            (None, None) => 0.0,
            (Some(ours), Some(theirs)) => (ours - theirs).abs(),
            _ => f64::INFINITY,
        };
        alike += usize::from(off_s <= 2.0);
        let start_s = expected.map_or(job.submit_s, |(_, end_s)| end_s);
        if off_s > 2.0 && first.as_ref().is_none_or(|(other_s, ..)| start_s < *other_s) {
            let started_s = run.jobs.start_s[index];
            first = Some((start_s, index, format!("{started_s:?} to {end_s:?}, expected {expected:?}")));
        }
    }
    Likeness {
        ratio: met as f64 / f64::from(due),
        reference_ratio,
        within_2_s: f64::from(alike as u32) / jobs.len() as f64,
        first_different: first.map(|(_, index, text)| (index, text)),
    }
}

const REFERENCES: [Reference; 15] = [
    Reference { trace: "195job", gpus: 128, interval_s: 240 },
    Reference { trace: "195job", gpus: 128, interval_s: 60 },
    Reference { trace: "fig10_100job", gpus: 128, interval_s: 240 },
    Reference { trace: "elasticVpollux_e", gpus: 64, interval_s: 60 },
    Reference { trace: "cluster10", gpus: 256, interval_s: 60 },
    Reference { trace: "cluster10", gpus: 256, interval_s: 240 },
    Reference { trace: "cluster10", gpus: 32, interval_s: 240 },
    Reference { trace: "gen200_lam900_be0.3", gpus: 64, interval_s: 240 },
    Reference { trace: "philly_103959", gpus: 32, interval_s: 60 },
    Reference { trace: "philly_103959", gpus: 256, interval_s: 60 },
    Reference { trace: "philly_103959", gpus: 32, interval_s: 240 },
    Reference { trace: "cluster01", gpus: 512, interval_s: 60 },
    Reference { trace: "cluster01", gpus: 64, interval_s: 240 },
    Reference { trace: "cluster05", gpus: 512, interval_s: 60 },
    Reference { trace: "gen1000_lam1500", gpus: 64, interval_s: 240 },
];

/// Every policy of `policies` on every run of the published simulator that there is: the ratio within 0.0005, and
/// all jobs within 2 s.
fn check(policies: &[&str]) {
    let Some(data) = folder("elasticflow") else { return };
    for policy in policies {
        for reference in REFERENCES.iter().filter(|reference| reference.jobs(&data, policy).is_some()) {
            let likeness = compare(reference, policy, &data);
            let off = (likeness.ratio - likeness.reference_ratio).abs();
            assert!(off < 0.0005 && likeness.within_2_s == 1.0, "{policy} on {}: {likeness:?}", reference.trace);
        }
    }
}

#[test]
fn earliest_deadline_first_is_that_of_the_published_simulator() {
    check(&["edf", "edf-accessctrl"]);
}

#[test]
fn tiresias_is_that_of_the_published_simulator() {
    check(&["dlas-gpu"]);
}

#[test]
fn gandiva_is_that_of_the_published_simulator() {
    check(&["gandiva"]);
}
