//! How time and memory grow with the number of jobs, for every policy and for every operation that a person waits for.
//!
//! `cargo bench -p elastiplan-cli --bench growth -- [PART OF A NAME] [--jobs 1000,10000] [--load fixed] [--seconds 60]`.
//! Jobs are drawn like ElasticFlow's, one every 20 s on 512 nodes of 8 GPUs; with `--load wide` twice as many on twice
//! the nodes in the same time, with `--load over` twice as many on the same nodes. The exponent is the slope between the
//! two largest sizes on logarithmic axes: 1 is linear. What took longer than the seconds allowed is not tried larger.

#![allow(clippy::disallowed_methods)] // What is measured may differ from machine to machine.
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use elastiplan_compare::{
    Arrangement, Direction, Divergence, GROUPED_WITHIN_S, GroupBy, Jobs, OrderBy, Query, Story, ranked,
};
use elastiplan_documents::record;
use elastiplan_formats::export::write_jobs;
use elastiplan_formats::{Import, Options, Source, import};
use elastiplan_metrics::{Bounds, Comparison, EQUAL_WITHIN_S, Summary};
use elastiplan_model::{Cluster, JobId, Workload};
use elastiplan_planner::{PolicyRun, run, tables, trace_events};
use elastiplan_policies::REGISTRY;
use elastiplan_scenario::Scenario;
use elastiplan_workloads::generate::GeneratorSpec;
use elastiplan_workloads::published::Published;

/// Counts what is in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn note_more(bytes: usize) {
    PEAK.fetch_max(IN_USE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

// SAFETY: memory is the system's; only its size is noted.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note_more(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        note_more(new_size);
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What is measured at which sizes.
struct Wanted {
    part: String,
    jobs: Vec<u32>,
    load: Load,
    seconds: f64,
}

/// How many jobs come to how many nodes.
#[derive(Clone, Copy)]
struct Load {
    name: &'static str,
    interarrival_s: f64,
    nodes: u32,
}

const LOADS: [Load; 3] = [
    Load { name: "fixed", interarrival_s: 20.0, nodes: 512 },
    Load { name: "wide", interarrival_s: 10.0, nodes: 1024 },
    Load { name: "over", interarrival_s: 10.0, nodes: 512 },
];

impl Wanted {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut wanted =
            Self { part: String::new(), jobs: vec![1_000, 10_000, 100_000], load: LOADS[0], seconds: 60.0 };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--jobs" => {
                    let numbers: Result<_, _> = value()?.split(',').map(str::parse).collect();
                    wanted.jobs = numbers.map_err(|error| format!("--jobs: {error}"))?;
                }
                "--load" => {
                    let name = value()?;
                    let load = LOADS.into_iter().find(|load| load.name == name);
                    wanted.load = load.ok_or("--load is fixed, wide or over")?;
                }
                "--seconds" => wanted.seconds = value()?.parse().map_err(|error| format!("--seconds: {error}"))?,
                // Cargo says that it runs a benchmark.
                "--bench" => {}
                part => wanted.part = part.to_string(),
            }
        }
        Ok(wanted)
    }
}

/// One operation at all sizes.
#[derive(Default)]
struct Row {
    name: String,
    /// Jobs, seconds, and bytes at the peak beyond those in use before.
    points: Vec<(u32, f64, usize)>,
}

impl Row {
    fn print(&self) {
        let cell =
            |(_, seconds, bytes): &(u32, f64, usize)| format!("{seconds:>9.3} s {:>7.1} MB", *bytes as f64 / 1e6);
        let cells: Vec<String> = self.points.iter().map(cell).collect();
        let exponent = |value: fn(&(u32, f64, usize)) -> f64| match self.points.as_slice() {
            [.., a, b] => format!("{:.2}", (value(b) / value(a)).ln() / (f64::from(b.0) / f64::from(a.0)).ln()),
            _ => "-".into(),
        };
        let (time, memory) = (exponent(|point| point.1.max(1e-6)), exponent(|point| point.2.max(1) as f64));
        println!("{:<28} {}  time^{time} memory^{memory}", self.name, cells.join("  "));
    }
}

/// The measurements, in order of first appearance.
struct Bench {
    wanted: Wanted,
    rows: Vec<Row>,
}

impl Bench {
    /// Measures an operation, if it is wanted and was quick enough at the size before.
    fn time<T>(&mut self, name: &str, jobs: u32, operation: impl FnOnce() -> T) -> Option<T> {
        if !name.contains(&self.wanted.part) {
            return None;
        }
        let at = self.rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
            self.rows.push(Row { name: name.into(), ..Row::default() });
            self.rows.len() - 1
        });
        let row = self.rows.get_mut(at)?;
        if row.points.last().is_some_and(|(_, seconds, _)| *seconds * 4.0 > self.wanted.seconds) {
            return None;
        }
        let before = IN_USE.load(Relaxed);
        PEAK.store(before, Relaxed);
        let begin = Instant::now();
        let result = black_box(operation());
        let point = (jobs, begin.elapsed().as_secs_f64(), PEAK.load(Relaxed) - before);
        row.points.push(point);
        eprintln!("{jobs:>9} {name:<28} {:>9.3} s {:>7.1} MB", point.1, point.2 as f64 / 1e6);
        Some(result)
    }

    fn at(&mut self, jobs: u32) -> Option<()> {
        let Load { interarrival_s, nodes, .. } = self.wanted.load;
        let spec = format!("elasticflow[jobs={jobs},interarrival_s={interarrival_s}]");
        let spec: GeneratorSpec = spec.parse().ok()?;
        let curves = Published::named("elasticflow-a100")?.curves();
        // What is needed later is made whether it is wanted or not.
        let trace = self.time("generate", jobs, || spec.trace(0)).unwrap_or_else(|| spec.trace(0));
        let text = self.time("write jobs.csv", jobs, || write_jobs(&trace)).unwrap_or_else(|| write_jobs(&trace));
        let read = |text: &[u8]| -> Import {
            import(vec![Source::from_bytes("jobs.csv".to_string(), text)], &Options::default(), &mut |_| {})
        };
        self.time("read jobs.csv", jobs, || read(&text));
        drop(text);
        let scenario = Scenario::new(trace, curves, Cluster::new(nodes, 8).ok()?);
        let (workload, _) = self.time("bind", jobs, || scenario.workload()).unwrap_or_else(|| scenario.workload());
        for entry in REGISTRY {
            let name = format!("run {}", entry.name);
            let policy = entry.name.parse().ok()?;
            self.time(&name, jobs, || run(&scenario, &workload, &policy));
        }
        let pair = ["fixed", "elastic-dp"].map(|name| run(&scenario, &workload, &name.parse().ok()?).ok());
        let [Some(baseline), Some(other)] = pair else { return None };
        self.results(jobs, &scenario, &workload, &[baseline, other]);
        Some(())
    }

    /// What is done with two runs.
    fn results(&mut self, jobs: u32, scenario: &Scenario, workload: &Workload, runs: &[PolicyRun; 2]) {
        let [baseline, other] = runs.each_ref().map(|run| &run.run);
        self.time("metrics", jobs, || Summary::of(other, workload));
        self.time("digest", jobs, || other.digest());
        self.time("bounds", jobs, || Bounds::of(workload, scenario.cluster.gpus_total()));
        self.time("comparison", jobs, || Comparison::between(other, baseline, workload, EQUAL_WITHIN_S));
        self.time("first difference", jobs, || Divergence::of(other, baseline, workload));
        self.time("jobs that differ most", jobs, || ranked(other, baseline, workload));
        self.time("story of a job", jobs, || Story::of(other, workload, JobId(jobs / 2), GROUPED_WITHIN_S));
        let shown = [Some(baseline), Some(other)];
        if let Ok(query) = "model:bert missed".parse::<Query>() {
            let index = Jobs::new(workload, &shown, EQUAL_WITHIN_S);
            let found = self.time("search", jobs, || query.find(&index)).unwrap_or_default();
            let (group, order) = (GroupBy::default(), OrderBy::default());
            self.time("order of jobs", jobs, || Arrangement::of(&index, &found, group, order, Direction::default()));
        }
        self.time("table of jobs", jobs, || tables::jobs(runs, workload));
        self.time("all tables", jobs, || tables::all(runs, workload));
        self.time("trace events", jobs, || trace_events(runs, workload));
        let saved = self.time("save runs", jobs, || record::write(scenario, runs).unwrap_or_default());
        if let Some(saved) = saved {
            self.time("open runs", jobs, || record::read(&saved));
        }
    }
}

fn main() {
    let wanted = match Wanted::parse(std::env::args().skip(1)) {
        Ok(wanted) => wanted,
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(2);
        }
    };
    let sizes = wanted.jobs.clone();
    println!("load {}: a job every {} s on {} nodes", wanted.load.name, wanted.load.interarrival_s, wanted.load.nodes);
    let mut bench = Bench { wanted, rows: Vec::new() };
    for jobs in sizes {
        if bench.at(jobs).is_none() {
            eprintln!("{jobs} jobs cannot be run");
        }
    }
    bench.rows.iter().for_each(Row::print);
}
