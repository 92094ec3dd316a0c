//! Small cases written as text, and schedules drawn as text. The tests of the policies use this file too.
//!
//! ```text
//! 4 GPUs                          the cluster: one node; or `2 x 4 GPUs`: two nodes of four
//! node 0-5 9-                     when the first node is there, a line a node; further nodes always are
//! cloud 1 of 3 after 5            one node at the start; more come 5 s after they were ordered
//! prices 0:2 10:0.5               what a GPU costs in an hour, from when on
//! placement pack                  where GPUs are taken
//! rescale 2                       seconds that a change costs; 0 if not said
//! rescale up=2 down=1 start=3     by direction; `doubling=1`: more for every doubling of the GPUs
//! checkpoint 4                    seconds of training between checkpoints
//! interference 0.5                how much slower jobs on several nodes are that share one with another such job
//! until 30                        when to stop
//! fork at=5 nodes=2               what changes in the middle of the run
//! curve m 1:1 2:1.5 4:3 end       samples/s on 1, 2 and 4 GPUs; `end`: it runs on no more than 4
//! spread m 2:1 4:2                the same on more nodes than are needed
//! stages m base=8 0.5:0 1:24      noise scales until half of the work and all of it is done
//! a at=3 gpus=2 work=9 curve=m min=1 max=4 batch=8 deadline=20 user=ada
//! nodes                           also draw who holds which GPU
//! ```
//!
//! Of a job, only `work` (in samples) must be said: it comes at 0, asks for 1 GPU and, where no curve is named, does 1
//! sample/s on every GPU it holds, on up to all GPUs of the cluster. Lines of other kinds are left to the caller.
//!
//! A schedule has a line for each job and a character for each second: the GPUs it holds, `.` waiting, `~` rescaling,
//! `^` recovering from a node that left, `-` preempted; then `x` if it was dropped, `!` if it failed, `/` if it was
//! cancelled and `?` if it was still unfinished. Under it, if that is asked for, a line for each GPU: who holds it.

use std::fmt::Write;

use std::sync::Arc;

use elastiplan_engine::{Policy, Run, Simulation, SpanState, Step};
use elastiplan_model::{
    Availability, Cluster, Curve, CurveKey, CurvePoint, Curves, Efficiency, Job, JobId, ModelId, Prices, Trace, Work,
    Workload,
};
use elastiplan_scenario::{Cloud, Conditions, Placement};

/// What a text describes.
pub struct Case {
    pub workload: Workload,
    pub cluster: Cluster,
    pub settings: Conditions,
    /// Whether to draw which job holds which GPU.
    pub nodes: bool,
    /// Lines that describe neither cluster, curve nor job.
    pub other_lines: Vec<String>,
}

/// Reads a case.
pub fn parse(text: &str) -> Case {
    let mut settings = Conditions::with_rescale_cost_s(0.0);
    let mut cluster = Cluster::new(1, 4).unwrap();
    let mut curves: Vec<Curve> = Vec::new();
    let mut jobs: Vec<(Job, String)> = Vec::new();
    let mut other_lines = Vec::new();
    let mut log = Vec::new();
    let mut nodes = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [gpus, "GPUs"] => cluster = Cluster::new(1, gpus.parse().unwrap()).unwrap(),
            [count, "x", gpus, "GPUs"] => {
                cluster = Cluster::new(count.parse().unwrap(), gpus.parse().unwrap()).unwrap();
            }
            ["fork", ..] => settings.forks.push(line.strip_prefix("fork ").unwrap().parse().unwrap()),
            ["nodes"] => nodes = true,
            ["node", ref intervals @ ..] => log.push((log.len().to_string(), intervals.iter().map(interval).collect())),
            ["cloud", start, "of", count, "after", seconds] => {
                cluster = Cluster::new(count.parse().unwrap(), cluster.gpus_per_node()).unwrap();
                settings.cloud = Some(Cloud {
                    nodes_start: start.parse().unwrap(),
                    nodes_min: 0,
                    provisioning_s: seconds.parse().unwrap(),
                    price_per_gpu_hour: 1.0,
                });
            }
            ["prices", ref words @ ..] => {
                let steps = pairs(words).map(|(time_s, price)| (time_s.parse().unwrap(), price.parse().unwrap()));
                settings.prices = Some(Arc::new(Prices::new(steps).unwrap()));
            }
            ["placement", name] => settings.placement = Placement::named(name).unwrap(),
            ["interference", slowdown] => settings.interference_slowdown = slowdown.parse().unwrap(),
            ["checkpoint", seconds] => settings.checkpoint_interval_s = Some(seconds.parse().unwrap()),
            ["rescale", ref words @ ..] if words[0].contains('=') => costs(words, &mut settings),
            ["spread", name, ref words @ ..] => {
                change(&mut curves, name, |curve| curve.with_spread(points(words)).unwrap());
            }
            ["stages", name, base, ref words @ ..] => {
                let batch_base = base.strip_prefix("base=").unwrap().parse().unwrap();
                let stages = pairs(words).map(|(until, noise)| (until.parse().unwrap(), noise.parse().unwrap()));
                let efficiency = Efficiency::of_noise(batch_base, stages);
                change(&mut curves, name, |curve| curve.with_efficiency(efficiency).unwrap());
            }
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
    settings.availability = Availability::from_intervals(log, 1000.0).ok().map(Arc::new);
    Case { workload, cluster, settings, nodes, other_lines }
}

/// `0-5`, or `9-` for one without an end.
fn interval(text: &&str) -> (f64, Option<f64>) {
    let (start_s, end_s) = text.split_once('-').unwrap();
    (start_s.parse().unwrap(), (!end_s.is_empty()).then(|| end_s.parse().unwrap()))
}

fn costs(words: &[&str], conditions: &mut Conditions) {
    conditions.rescale_down_s.get_or_insert(0.0);
    for word in words {
        let (name, seconds) = word.split_once('=').unwrap();
        let seconds = seconds.parse().unwrap();
        match name {
            "up" => conditions.rescale_cost_s = seconds,
            "down" => conditions.rescale_down_s = Some(seconds),
            "start" => conditions.start_delay_s = seconds,
            "doubling" => conditions.rescale_per_doubling_s = seconds,
            _ => panic!("{name} is no cost"),
        }
    }
}

fn change(curves: &mut [Curve], name: &str, change: impl FnOnce(Curve) -> Curve) {
    let curve = curves.iter_mut().find(|curve| curve.key().model == name).unwrap();
    *curve = change(curve.clone());
}

fn pairs<'a>(words: &[&'a str]) -> impl Iterator<Item = (&'a str, &'a str)> {
    words.iter().filter_map(|word| word.split_once(':'))
}

fn points(words: &[&str]) -> Vec<CurvePoint> {
    let point =
        |(gpus, speed): (&str, &str)| CurvePoint { gpus: gpus.parse().unwrap(), samples_per_s: speed.parse().unwrap() };
    pairs(words).map(point).collect()
}

fn key(model: &str) -> CurveKey {
    CurveKey { model: model.into(), batch_global: None }
}

fn curve(name: &str, words: &[&str]) -> Curve {
    let points = points(words).into_iter().map(|point| (point.gpus, point.samples_per_s));
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
        rescale: None,
        batch_range: None,
        priority: None,
    };
    let mut curve = "linear".to_string();
    for value in values {
        match value.split_once('=').unwrap() {
            ("at", value) => job.submit_s = value.parse().unwrap(),
            ("gpus", value) => job.gpus_requested = value.parse().unwrap(),
            ("min", value) => job.gpus_min = Some(value.parse().unwrap()),
            ("max", value) => job.gpus_max = Some(value.parse().unwrap()),
            ("work", value) => job.work = Work::Samples(value.parse().unwrap()),
            ("deadline", value) => job.deadline_s = Some(value.parse().unwrap()),
            ("curve", value) => curve = value.into(),
            ("user", value) => job.user = Some(value.into()),
            ("batch", value) => job.batch_global = Some(value.parse().unwrap()),
            (other, _) => panic!("a job has no {other}"),
        }
    }
    (job, curve)
}

impl Case {
    /// Runs a policy and draws what it did; an error ends the drawing with its text.
    pub fn draw(&self, policy_id: &str, policy: Box<dyn Policy>) -> String {
        let simulation = Simulation::new(&self.workload, self.cluster, self.settings.clone(), policy_id, policy);
        let mut simulation = simulation.unwrap();
        let failed = loop {
            match simulation.step() {
                Ok(Step::More) => {}
                Ok(Step::Finished) => break String::new(),
                Err(error) => break format!("! {error}\n"),
            }
        };
        let run = simulation.record();
        let nodes = if self.nodes { draw_nodes(&run, &self.workload, &self.cluster) } else { String::new() };
        draw(&run, &self.workload) + &nodes + &failed
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
                SpanState::Recovering => '^',
                SpanState::Running => char::from_digit(span.gpus, 36).unwrap(),
            };
            let length = seconds(span.end_s - start_s) - seconds(span.start_s - start_s);
            line.extend(std::iter::repeat_n(sign, length));
        }
        let end = match run.jobs.outcome[index].word() {
            "dropped" => "x",
            "unfinished" => "?",
            "failed" => "!",
            "cancelled" => "/",
            _ => "",
        };
        writeln!(text, "{line}{end}").unwrap();
    }
    text
}

/// The job that holds each GPU: the first letter of the job's name, or `.`.
fn draw_nodes(run: &Run, workload: &Workload, cluster: &Cluster) -> String {
    let jobs = workload.trace().jobs();
    let length = seconds(run.end_s - run.start_s.floor());
    let mut text = String::new();
    for (node, gpu) in (0..cluster.nodes()).flat_map(|node| (0..cluster.gpus_per_node()).map(move |gpu| (node, gpu))) {
        let mut line = vec!['.'; length];
        for at in run.holdings.range_of(node).filter(|at| run.holdings.mask[*at] >> gpu & 1 == 1) {
            let (start_s, end_s) = (run.holdings.start_s[at], run.holdings.end_s[at]);
            let held = seconds(start_s - run.start_s.floor())..seconds(end_s - run.start_s.floor());
            line[held].fill(jobs[run.holdings.job[at] as usize].name.chars().next().unwrap());
        }
        writeln!(text, "{node}.{gpu} {}", line.into_iter().collect::<String>()).unwrap();
    }
    text
}

/// A drawing has no halves.
fn seconds(time_s: f64) -> usize {
    assert!((time_s - time_s.round()).abs() < 1e-9, "{time_s} is no whole number of seconds: it cannot be drawn");
    time_s.round() as usize
}
