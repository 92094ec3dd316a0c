//! Small cases written as text, and schedules drawn as text. The tests of the policies use this file too.
//!
//! ```text
//! 4 GPUs                          the cluster: one node
//! rescale 2                       seconds that a change costs; 0 if not said
//! until 30                        when to stop
//! curve m 1:1 2:1.5 4:3 end       samples/s on 1, 2 and 4 GPUs; `end`: it runs on no more than 4
//! a at=3 gpus=2 work=9 curve=m min=1 max=4
//! ```
//!
//! Of a job, only `work` (in samples) must be said: it comes at 0, asks for 1 GPU and, where no curve is named, does 1
//! sample/s on every GPU it holds, on up to all GPUs of the cluster. Lines of other kinds are left to the caller.
//!
//! A schedule has a line for each job and a character for each second: the GPUs it holds, `.` waiting, `~` rescaling,
//! `-` preempted; then `x` if it was dropped and `?` if it was still unfinished.

use std::fmt::Write;

use elastiplan_engine::{Policy, Run, Settings, Simulation, SpanState, Step};
use elastiplan_model::{Cluster, Curve, CurveKey, Curves, Job, JobId, ModelId, Trace, Work, Workload};

/// What a text describes.
pub struct Case {
    pub workload: Workload,
    pub cluster: Cluster,
    pub settings: Settings,
    /// Lines that describe neither cluster, curve nor job.
    pub other_lines: Vec<String>,
}

/// Reads a case.
pub fn parse(text: &str) -> Case {
    let mut settings = Settings { rescale_cost_s: 0.0, ..Settings::default() };
    let mut cluster = Cluster::new(1, 4).unwrap();
    let mut curves: Vec<Curve> = Vec::new();
    let mut jobs: Vec<(Job, String)> = Vec::new();
    let mut other_lines = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [gpus, "GPUs"] => cluster = Cluster::new(1, gpus.parse().unwrap()).unwrap(),
            ["rescale", seconds] => settings.rescale_cost_s = seconds.parse().unwrap(),
            ["until", seconds] => settings.until_s = Some(seconds.parse().unwrap()),
            ["curve", name, ..] => curves.push(curve(name, &words[2..])),
            [name, ref values @ ..] if values.iter().any(|value| value.starts_with("work=")) => {
                jobs.push(job(name, values));
            }
            _ => other_lines.push(line.to_string()),
        }
    }
    let linear = (1..=cluster.gpus_total()).map(|gpus| (gpus, f64::from(gpus)));
    curves.push(Curve::new(key("linear"), linear).unwrap());
    let names: Vec<String> = curves.iter().map(|curve| curve.key().model.clone()).collect();
    let number = |name: &str| names.iter().position(|known| known == name).unwrap() as u32;
    let jobs = jobs.into_iter().map(|(job, curve)| Job { model: ModelId(number(&curve)), ..job }).collect();
    let trace = Trace::new(names.clone(), jobs).unwrap();
    let workload = Workload::bind(&trace, &Curves::from_iter(curves)).0;
    Case { workload, cluster, settings, other_lines }
}

fn key(model: &str) -> CurveKey {
    CurveKey { model: model.into(), batch_global: None }
}

fn curve(name: &str, words: &[&str]) -> Curve {
    let pairs = words.iter().filter_map(|word| word.split_once(':'));
    let points = pairs.map(|(gpus, speed)| (gpus.parse().unwrap(), speed.parse().unwrap()));
    let curve = Curve::new(key(name), points).unwrap();
    if words.last() == Some(&"end") { curve.ending_at_last_point() } else { curve }
}

fn job(name: &str, values: &[&str]) -> (Job, String) {
    let mut job = Job {
        name: name.into(),
        source_row: 0,
        submit_s: 0.0,
        model: ModelId(0),
        batch_global: None,
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(1.0),
        deadline_s: None,
        user: None,
    };
    let mut curve = "linear".to_string();
    for value in values {
        match value.split_once('=').unwrap() {
            ("at", value) => job.submit_s = value.parse().unwrap(),
            ("gpus", value) => job.gpus_requested = value.parse().unwrap(),
            ("min", value) => job.gpus_min = Some(value.parse().unwrap()),
            ("max", value) => job.gpus_max = Some(value.parse().unwrap()),
            ("work", value) => job.work = Work::Samples(value.parse().unwrap()),
            ("curve", value) => curve = value.into(),
            (other, _) => panic!("a job has no {other}"),
        }
    }
    (job, curve)
}

impl Case {
    /// Runs a policy and draws what it did; an error ends the drawing with its text.
    pub fn draw(&self, policy_id: &str, policy: Box<dyn Policy>) -> String {
        let simulation = Simulation::new(&self.workload, self.cluster, self.settings, policy_id, policy);
        let mut simulation = simulation.unwrap();
        let failed = loop {
            match simulation.step() {
                Ok(Step::More) => {}
                Ok(Step::Finished) => break String::new(),
                Err(error) => break format!("! {error}\n"),
            }
        };
        draw(&simulation.record(), &self.workload) + &failed
    }
}

fn draw(run: &Run, workload: &Workload) -> String {
    let jobs = workload.trace().jobs();
    let width = jobs.iter().map(|job| job.name.len()).max().unwrap_or(0);
    let start_s = run.start_s.floor();
    let mut text = String::new();
    for (index, job) in jobs.iter().enumerate() {
        let mut line = format!("{:width$} {}", job.name, " ".repeat(seconds(job.submit_s - start_s)));
        for span in run.spans.of(JobId(index as u32)) {
            let sign = match span.state {
                SpanState::Waiting => '.',
                SpanState::Preempted => '-',
                SpanState::Rescaling => '~',
                SpanState::Running => char::from_digit(span.gpus, 36).unwrap(),
            };
            let length = seconds(span.end_s - start_s) - seconds(span.start_s - start_s);
            line.extend(std::iter::repeat_n(sign, length));
        }
        let end = match run.jobs.outcome[index].word() {
            "dropped" => "x",
            "unfinished" => "?",
            _ => "",
        };
        writeln!(text, "{line}{end}").unwrap();
    }
    text
}

/// A drawing has no halves.
fn seconds(time_s: f64) -> usize {
    assert!((time_s - time_s.round()).abs() < 1e-9, "{time_s} is no whole number of seconds: it cannot be drawn");
    time_s.round() as usize
}
