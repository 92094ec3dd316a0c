//! BFTrainer and its rival against what the authors' replayer does on the same week of idle nodes.

use std::collections::BTreeMap;
use std::sync::Arc;

use elastiplan_engine::{LossCause, Outcome, Run, Simulation, SpanState};
use elastiplan_formats::{Options, Source, import};
use elastiplan_metrics::{CostSamples, gpu_seconds_present, run_time_by_model};
use elastiplan_model::{Cluster, Curves, Job, JobId, Trace, Workload};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Conditions;

use crate::bftrainer_replay::alike;
use crate::data_pack::folder;
use crate::naive_metrics::pool_measures::{
    cost_per_event, mean_return_on_investment, outcome_samples, preempted_within,
};

/// The published Trainers of two sets that differ in their objectives only.
const JOBS: &str = "ImageNet-imgps-1001J.first300";

/// What a comparison is about: Trainers, and the idle nodes of Summit in a week.
pub struct Week {
    pub workload: Workload,
    pub settings: Conditions,
    cluster: Cluster,
    length_s: f64,
}

/// The list of Trainers so many times, one after the other: in a week more than one list is done.
fn repeated(trace: &Trace, curves: &Curves, times: u32) -> Workload {
    let copy = |number: u32, job: &Job| {
        let length_s = 36.0 * trace.jobs().len() as f64;
        Job {
            name: format!("{}-{number}", job.name),
            submit_s: job.submit_s + length_s * f64::from(number),
            ..job.clone()
        }
    };
    let jobs = (0..times).flat_map(|number| trace.jobs().iter().map(move |job| copy(number, job)));
    Workload::bind(&Trace::new(trace.models().to_vec(), jobs.collect()).unwrap(), curves).0
}

/// The same jobs without rescale costs of their own.
fn without_costs(workload: &Workload) -> Workload {
    let jobs = workload.trace().jobs().iter().map(|job| Job { rescale: None, ..job.clone() });
    let trace = Trace::new(workload.trace().models().to_vec(), jobs.collect()).unwrap();
    Workload::bind(&trace, workload.curve_set()).0
}

pub fn week(times: u32) -> Option<Week> {
    let data = folder("bftrainer-summit")?;
    let names =
        [format!("{JOBS}.Jbnd.csv"), format!("{JOBS}.JNPs.csv"), "idle_intervals.week1.395nodes.csv".to_string()];
    let files = names.map(|name| (name.clone(), std::fs::read(data.join(name)).unwrap()));
    let sources = files.iter().map(|(path, bytes)| Source::from_bytes(path.as_str(), bytes)).collect();
    let import = import(sources, &Options::default(), &mut |_| {});
    let workload = repeated(&import.trace.unwrap(), &import.curves, times);
    let log = Arc::new(import.availability.unwrap());
    let cluster = Cluster::new(log.nodes(), 1).unwrap();
    // The replayer ends with the last change of the pool.
    let length_s = log.changes().last().unwrap().time_s - log.start_s();
    let settings = Conditions { availability: Some(log), until_s: Some(length_s), ..Conditions::default() };
    Some(Week { workload, settings, cluster, length_s })
}

impl Week {
    fn run(&self, spec: &str) -> Run {
        self.run_on(spec, self.cluster, &self.settings)
    }

    fn run_on(&self, spec: &str, cluster: Cluster, settings: &Conditions) -> Run {
        self.run_workload(spec, &self.workload, cluster, settings)
    }

    fn run_workload(&self, spec: &str, workload: &Workload, cluster: Cluster, settings: &Conditions) -> Run {
        let spec: PolicySpec = spec.parse().unwrap();
        let policy = spec.build(0).unwrap();
        let simulation = Simulation::new(workload, cluster, settings.clone(), spec.to_string(), policy).unwrap();
        simulation.run_to_end().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Samples on as many nodes that never leave, where changes cost nothing: between two whole numbers of nodes on the
    /// straight line.
    fn dedicated_samples(&self, spec: &str, run: &Run) -> f64 {
        let nodes = gpu_seconds_present(run) / self.length_s;
        let settings = Conditions { until_s: self.settings.until_s, ..Conditions::with_rescale_cost_s(0.0) };
        let workload = without_costs(&self.workload);
        let cluster = |nodes: u32| Cluster::new(nodes, 1).unwrap();
        let on = |nodes: u32| outcome_samples(&self.run_workload(spec, &workload, cluster(nodes), &settings));
        let (fewer, more) = (on(nodes.floor() as u32), on(nodes.floor() as u32 + 1));
        fewer + (more - fewer) * nodes.fract()
    }
}

/// What the replayer writes down of a run.
#[derive(Debug)]
struct Results {
    jobs_completed: f64,
    samples_done: f64,
    preemption_cost_samples: f64,
    rescale_cost_samples: f64,
}

/// Costs are counted as there: seconds without progress times the speed before, of a departure or of a decision; or what
/// was taken away, where that is how changes are charged.
fn results(run: &Run, workload: &Workload) -> Results {
    let mut results = Results {
        jobs_completed: run.jobs.outcome.iter().filter(|outcome| **outcome == Outcome::Completed).count() as f64,
        samples_done: outcome_samples(run),
        preemption_cost_samples: 0.0,
        rescale_cost_samples: 0.0,
    };
    for (cause, work) in run.losses.cause.iter().zip(&run.losses.work) {
        match cause {
            LossCause::NodeLeft => results.preemption_cost_samples += work,
            LossCause::Rescale => results.rescale_cost_samples += work,
        }
    }
    for (job, _) in workload.trace().iter() {
        let mut speed = 0.0;
        for span in run.spans.of(job) {
            let cost = speed * (span.end_s - span.start_s);
            match span.state {
                SpanState::Recovering => results.preemption_cost_samples += cost,
                SpanState::Rescaling => results.rescale_cost_samples += cost,
                SpanState::Running => speed = span.samples_per_s,
                SpanState::Waiting | SpanState::Preempted => {}
            }
        }
    }
    results
}

/// The replayer's results with any ties and nodes: least, most and standard deviation by name.
fn bands(jobs: &str, policy: &str, t_fwd_s: &str) -> BTreeMap<String, (f64, f64, f64)> {
    let text = std::fs::read_to_string(folder("bftrainer-summit").unwrap().join("reference-bands.csv")).unwrap();
    let rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let own = rows.filter(|row| row[1..4] == [jobs, policy, t_fwd_s]);
    let number = |cell: &str| cell.parse().unwrap();
    own.map(|row| (row[5].to_string(), (number(row[7]), number(row[9]), number(row[10])))).collect()
}

/// How far from a band a number may be.
#[derive(Clone, Copy)]
enum Within {
    Deviations(f64),
    Share(f64),
}

/// Runs a policy on the week and compares it with the bands.
fn check(spec: &str, dedicated: &str, (set, policy, t_fwd_s): (&str, &str, &str), within: [Within; 5]) {
    let Some(week) = week(2) else { return };
    let run = week.run(spec);
    let results = results(&run, &week.workload);
    let (rescale, preemption) = (results.rescale_cost_samples, results.preemption_cost_samples);
    assert_eq!(CostSamples::of(&run), CostSamples { rescale, preemption });
    let efficiency = results.samples_done / week.dedicated_samples(dedicated, &run);
    let bands = bands(&format!("ImageNet-{set}-1001J.first300"), policy, t_fwd_s);
    let found = [
        ("jobs_completed", results.jobs_completed),
        ("samples_done", results.samples_done),
        ("U", efficiency),
        ("preemption_cost_samples", results.preemption_cost_samples),
        ("rescale_cost_samples", results.rescale_cost_samples),
    ];
    let evictions: u32 = run.jobs.evictions.iter().sum();
    println!("{spec}, {set}, {evictions} preempted");
    for ((metric, value), within) in found.into_iter().zip(within) {
        let (least, most, sd) = bands[metric];
        println!("  {metric} {value:.4}, there {least} to {most}, sd {sd}");
        let slack = match within {
            Within::Deviations(times) => times * sd,
            Within::Share(share) => share * most,
        };
        assert!((least - slack..=most + slack).contains(&value), "{spec}, {metric}: {value}");
    }
}

/// Preemptions cost less here for two reasons. The bands are of nodes chosen at random, while here a job that shrinks
/// releases those that have been there longest: in the replayer, that alone saves 5 to 9 %. And the replayer lets a job
/// that has completed keep its nodes until nodes join or leave, and charges it for those that leave: 3 to 6 % of the
/// cost, which takes a sample from no job (`bftrainer_replay.rs` prints it).
#[test]
fn as_much_gets_done_as_in_the_replayer() {
    let by_speedup = "bftrainer[objective=scaling-efficiency]";
    let (near, fewer) = (Within::Deviations(1.0), Within::Share(0.12));
    let within = [near, near, near, fewer, near];
    check("bftrainer[objective=scaling-efficiency,replayer=true]", by_speedup, ("spdup", "milp", "120"), within);
    check("bftrainer[replayer=true]", "bftrainer", ("imgps", "milp", "120"), within);
    check("equal-share[share=replayer,max_trainers=10]", by_speedup, ("spdup", "heuristic", ""), within);
}

/// The paper decides when Trainers complete, too: nodes do not stay with those that have nothing left to do.
#[test]
fn more_gets_done_by_the_paper() {
    let by_speedup = "bftrainer[objective=scaling-efficiency]";
    let within = |shares: [f64; 5]| shares.map(Within::Share);
    check(by_speedup, by_speedup, ("spdup", "milp", "120"), within([0.03, 0.04, 0.04, 0.1, 0.15]));
    check("bftrainer", "bftrainer", ("imgps", "milp", "120"), within([0.08, 0.08, 0.08, 0.1, 0.15]));
    check("equal-share[max_trainers=10]", by_speedup, ("spdup", "heuristic", ""), within([0.06, 0.08, 0.08, 0.1, 0.2]));
}

/// The most samples of any published setting with so many Trainers at a time: objectives, times to look ahead, heuristic.
fn best_published(is_own: impl Fn(&str) -> bool, most: u32) -> f64 {
    let text = std::fs::read_to_string(folder("bftrainer-summit").unwrap().join("reference-results.csv")).unwrap();
    let rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let own = rows.filter(|row| row[0] == "week1.395nodes" && is_own(row[1]) && row[5] == most.to_string());
    own.map(|row| row[7].parse().unwrap()).fold(0.0, f64::max)
}

/// At least so many times as much as any published setting gets done, by the most Trainers at a time.
fn check_plus(week: &Week, is_own: impl Fn(&str) -> bool, at_least: [(u32, f64); 4]) {
    for (most, at_least) in at_least {
        let there = best_published(&is_own, most);
        for t_fwd_s in ["120", "auto"] {
            let spec = format!("bftrainer[t_fwd_s={t_fwd_s},max_trainers={most},plus=true]");
            let times = outcome_samples(&week.run(&spec)) / there;
            println!("{spec}: {times:.4} times the best published setting");
            assert!(times >= at_least, "{spec}: {times}");
        }
    }
}

#[test]
fn plus_gets_more_done_than_any_published_setting() {
    let Some(models) = week(2) else { return };
    check_plus(&models, |set| set.starts_with("ImageNet"), [(5, 1.06), (10, 1.04), (20, 1.03), (35, 1.05)]);
    // With 35 Trainers that are alike on 33 nodes there is little to choose.
    let alike = Week { workload: alike().unwrap(), ..week(1).unwrap() };
    check_plus(&alike, |set| set == "hps-shufflenet-1000J", [(5, 1.06), (10, 1.03), (20, 1.02), (35, 1.009)]);
}

/// Mean run time of the Trainers of each model, in hours.
fn hours_by_model(week: &Week, objective: &str, most: u32) -> BTreeMap<String, f64> {
    let run = week.run(&format!("bftrainer[objective={objective},max_trainers={most}]"));
    let rows = run_time_by_model(&run, &week.workload).into_iter();
    let hours = rows.filter_map(|row| Some((row.model, row.from_start_s? / 3600.0))).collect();
    println!("{objective}, {most} at a time: {hours:.1?}");
    hours
}

/// Hours that a Trainer of each model takes on one node.
fn hours_on_one_node(week: &Week) -> BTreeMap<String, f64> {
    let of_job = |job: usize| {
        let name = week.workload.trace().jobs()[job].name.split('-').nth(1).unwrap().to_string();
        let curve = week.workload.curve_of(JobId(job as u32)).unwrap();
        (name, week.workload.jobs()[job].samples / curve.samples_per_s(1) / 3600.0)
    };
    (0..7).map(of_job).collect()
}

/// Tables 3 and 4: by throughput AlexNet is as quick as ever, and DenseNet starves as more share the nodes; by scaling
/// efficiency run times are alike, and the model that scales worst pays most, for what it has to do.
#[test]
fn jobs_that_starve_as_more_share_the_nodes() {
    let Some(week) = week(2) else { return };
    let hours = |objective: &str, most: u32| hours_by_model(&week, objective, most);
    let spread = |hours: &BTreeMap<String, f64>| {
        hours.values().copied().fold(0.0, f64::max) / hours.values().copied().fold(f64::INFINITY, f64::min)
    };
    let (few, many) = (hours("throughput", 5), hours("throughput", 35));
    assert!(many["AlexNet"] < 1.5 * few["AlexNet"] && many["DenseNet"] > 5.0 * few["DenseNet"]);
    let even = hours("scaling-efficiency", 35);
    assert!(spread(&many) > 50.0 && spread(&even) < 10.0);
    let alone = hours_on_one_node(&week);
    let mut paying: Vec<&String> = even.keys().collect();
    paying.sort_by(|a, b| (even[*a] / alone[*a]).total_cmp(&(even[*b] / alone[*b])));
    println!("who pays, the least first: {paying:?}");
    assert_eq!([paying[0], paying[6]], ["vgg16", "AlexNet"]);
}

/// The other settings of the replayer: with any ties and nodes, about as many samples.
#[test]
fn the_replayer_s_other_settings() {
    let Some(models) = week(2) else { return };
    let alike = Week { workload: alike().unwrap(), ..week(1).unwrap() };
    let text = std::fs::read_to_string(folder("bftrainer-summit").unwrap().join("reference-results.csv")).unwrap();
    let (mut worst, mut beyond, mut settings): (f64, u32, u32) = (0.0, 0, 0);
    for row in text.lines().map(|line| line.split(',').collect::<Vec<_>>()).filter(|row| row[0] == "week1.395nodes") {
        let (week, objective) = match row[1] {
            "ImageNet-imgps-1001J" => (&models, "throughput"),
            "ImageNet-spdup-1001J" => (&models, "scaling-efficiency"),
            "hps-shufflenet-1000J" => (&alike, "throughput"),
            _ => continue,
        };
        let spec = match row[3] {
            "milp" => {
                format!("bftrainer[objective={objective},t_fwd_s={},max_trainers={},replayer=true]", row[4], row[5])
            }
            "heuristic" => format!("equal-share[share=replayer,max_trainers={}]", row[5]),
            _ => continue,
        };
        let there: f64 = row[7].parse().unwrap();
        let times = outcome_samples(&week.run(&spec)) / there;
        println!("{}, {spec}: {times:.4} times the samples", row[1]);
        worst = worst.max((times - 1.0).abs());
        (beyond, settings) = (beyond + u32::from((times - 1.0).abs() > 0.015), settings + 1);
    }
    println!("{beyond} of {settings} are off by more than 1.5 %, the worst by {:.2} %", 100.0 * worst);
    assert!(worst <= 0.02 && beyond <= 3, "{beyond} of {settings} off by more than 1.5 %, the worst by {worst}");
}

/// Whatever GPU time there was is used, idle, or lost to rescales or preemptions.
#[test]
fn gpu_time_is_conserved() {
    let Some(week) = week(2) else { return };
    for spec in ["bftrainer", "bftrainer[plus=true]", "equal-share[max_trainers=10]"] {
        let run = week.run(spec);
        let series = &run.series;
        let ends = series.time_s.iter().skip(1).copied().chain([run.end_s]);
        let idle = series.gpus_present.iter().zip(&series.gpus_in_use).map(|(there, used)| f64::from(there - used));
        let idle: f64 =
            series.time_s.iter().zip(ends).zip(idle).map(|((from_s, to_s), gpus)| (to_s - from_s) * gpus).sum();
        let in_state = |state: SpanState| -> f64 {
            let jobs = week.workload.trace().iter().flat_map(|(job, _)| run.spans.of(job));
            jobs.filter(|span| span.state == state).map(|span| (span.end_s - span.start_s) * f64::from(span.gpus)).sum()
        };
        let (rescales, preemptions) = (in_state(SpanState::Rescaling), in_state(SpanState::Recovering));
        let sum = in_state(SpanState::Running) + idle + rescales + preemptions;
        let there = gpu_seconds_present(&run);
        assert!((sum - there).abs() <= 1e-9 * there, "{spec}: {sum} of {there}");
        assert!((rescales - run.jobs.rescale_gpu_seconds.iter().sum::<f64>()).abs() <= 1e-9 * there);
        assert!((preemptions - run.jobs.preemption_gpu_seconds.iter().sum::<f64>()).abs() <= 1e-9 * there);
    }
}

/// How many of the first 300 steps leave Trainers with as many nodes: equal rates, Trainers and nodes in use.
fn same_steps(spec: &str, name: &str, at_least: u32) {
    let Some(week) = week(1) else { return };
    let run = week.run(spec);
    let text = std::fs::read_to_string(folder("bftrainer-summit").unwrap().join(name)).unwrap();
    let (mut same, mut first) = (0, None);
    for (step, line) in text.lines().skip(1).enumerate() {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let (time_s, there, nodes_present) = (cells[0], (cells[2], cells[10], cells[11]), cells[9]);
        let mut here = (0.0, 0.0, 0.0);
        for (job, _) in week.workload.trace().iter() {
            let at = run.spans.of(job).find(|span| span.start_s <= time_s && time_s < span.end_s);
            let Some(span) = at.filter(|span| span.gpus > 0) else { continue };
            let speed = week.workload.curve_of(job).unwrap().samples_per_s(span.gpus);
            here = (here.0 + speed, here.1 + 1.0, here.2 + f64::from(span.gpus));
        }
        let row = run.series.row_at(time_s).unwrap();
        assert_eq!(f64::from(run.series.gpus_present[row]), nodes_present, "{line}");
        let is_same = (here.0 - there.0).abs() < 1e-3 && (here.1, here.2) == (there.1, there.2);
        same += u32::from(is_same);
        first = first.or_else(|| (!is_same).then_some(step + 1));
    }
    println!("{spec}: {same} of 300 steps are the same, the first other is {first:?}");
    assert!(same >= at_least, "{spec}: {same} of 300 steps");
}

#[test]
fn step_by_step() {
    let steps = |name: &str| format!("reference-steps.spdup.{name}.first300.csv");
    same_steps("equal-share[share=replayer,max_trainers=10]", &steps("heuristic"), 300);
    same_steps("bftrainer[objective=scaling-efficiency,replayer=true]", &steps("milp.t120"), 250);
}

/// Figures 7 and 8 of the paper: with the time looked ahead the chance of a preemption rises, and what changes cost; what
/// they return falls.
#[test]
fn looking_further_ahead_costs_more_and_returns_less() {
    let Some(week) = week(2) else { return };
    let mut before: Option<[f64; 3]> = None;
    for t_fwd_s in [10.0, 60.0, 170.0, 600.0] {
        let run = week.run(&format!("bftrainer[objective=scaling-efficiency,t_fwd_s={t_fwd_s}]"));
        let cost = cost_per_event(&run).unwrap();
        let (preempted, returned) =
            (preempted_within(&run, t_fwd_s).unwrap(), mean_return_on_investment(&run).unwrap());
        println!(
            "{t_fwd_s} s ahead: preempted after {preempted:.3}, {cost:.0?} samples an event, return {returned:.1}"
        );
        let rises = [preempted, cost.rescale, -returned];
        let all_rise = before.is_none_or(|before| before.iter().zip(&rises).all(|(before, now)| before < now));
        assert!(all_rise, "{t_fwd_s} s ahead: {rises:?} after {before:?}");
        before = Some(rises);
    }
}
