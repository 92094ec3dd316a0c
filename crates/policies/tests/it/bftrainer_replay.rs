//! The loop of BFTrainer's replayer, with its own way of charging costs, around our choice of counts: its log of steps
//! must come out row by row.
//!
//! The engine charges time, the replayer takes samples away: those that a Trainer would have processed in that time at
//! the speed before. Here nothing differs but the solver.

use std::collections::BTreeMap;

use elastiplan_formats::{Options, Source, import};
use elastiplan_model::{Availability, Job, JobId, Trace, Workload};
use elastiplan_solvers::choose_counts;

use crate::bftrainer::week;
use crate::data_pack::folder;

#[derive(Clone, Copy, PartialEq)]
enum Rule {
    /// The best counts for so many seconds, by speed or by speed-up.
    Best { t_fwd_s: f64, by_speedup: bool },
    /// The heuristic of the replayer.
    Share,
}

struct Trainer {
    job: JobId,
    done: f64,
    rate: f64,
    pending: f64,
}

/// A row of the log, and what comes to a sum over all.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    time_s: f64,
    gained: f64,
    rate: f64,
    rescale_cost: f64,
    pool: usize,
    in_use: usize,
    preemption_cost: f64,
    /// The part of it that is charged to Trainers that had completed before.
    charged_to_completed: f64,
    completed: u32,
}

struct Replay<'a> {
    workload: &'a Workload,
    rule: Rule,
    /// Trainers at a time.
    most: usize,
    /// Nodes in the order in which they joined, each with the job that holds it.
    pool: Vec<(u32, Option<JobId>)>,
    active: Vec<Trainer>,
    next: u32,
}

impl Replay<'_> {
    fn speed(&self, job: JobId, nodes: usize) -> f64 {
        if nodes == 0 { 0.0 } else { self.workload.curve_of(job).unwrap().samples_per_s(nodes as u32) }
    }

    fn change_s(&self, job: JobId) -> (f64, f64) {
        let seconds = self.workload.trace().jobs()[job.index()].rescale.unwrap();
        (seconds.up_s, seconds.down_s)
    }

    fn held(&self, job: JobId) -> usize {
        self.pool.iter().filter(|(_, owner)| *owner == Some(job)).count()
    }

    fn admit(&mut self, time_s: f64) {
        let jobs = self.workload.trace().jobs();
        while self.active.len() < self.most && jobs.get(self.next as usize).is_some_and(|job| job.submit_s <= time_s) {
            self.active.push(Trainer { job: JobId(self.next), done: 0.0, rate: 0.0, pending: 0.0 });
            self.next += 1;
        }
    }

    fn counts(&self, held: &[usize]) -> Vec<usize> {
        let Rule::Best { t_fwd_s, by_speedup } = self.rule else { return self.shares() };
        let values = |(trainer, held): (&Trainer, &usize)| -> Vec<f64> {
            let unit = if by_speedup { self.speed(trainer.job, 1) } else { 1.0 };
            let gain = |nodes: usize| self.speed(trainer.job, nodes) / unit;
            let (up_s, down_s) = self.change_s(trainer.job);
            let cost_s = |nodes: usize| match nodes.cmp(held) {
                std::cmp::Ordering::Greater => up_s,
                std::cmp::Ordering::Equal => 0.0,
                std::cmp::Ordering::Less => down_s,
            };
            (0..=64).map(|nodes| t_fwd_s * gain(nodes) - gain(*held) * cost_s(nodes)).collect()
        };
        let values: Vec<Vec<f64>> = self.active.iter().zip(held).map(values).collect();
        let values: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
        choose_counts(&values, self.pool.len() as u32).units.into_iter().map(|units| units as usize).collect()
    }

    fn shares(&self) -> Vec<usize> {
        let each = self.pool.len() / self.active.len();
        let share = if each > 1 { each.min(64) } else { 0 };
        let mut left = self.pool.len() - share * self.active.len();
        let counts = self.active.iter().map(|_| {
            let more = left.min(64 - share);
            left -= more;
            share + more
        });
        counts.collect()
    }

    fn decide(&mut self, row: &mut Row) {
        let held: Vec<usize> = self.active.iter().map(|trainer| self.held(trainer.job)).collect();
        let idle = self.pool.is_empty() || self.active.is_empty();
        let counts = if idle { vec![0; held.len()] } else { self.counts(&held) };
        let jobs: Vec<JobId> = self.active.iter().map(|trainer| trainer.job).collect();
        for ((job, held), count) in jobs.iter().zip(&held).zip(&counts) {
            let own = self.pool.iter_mut().filter(|(_, owner)| *owner == Some(*job));
            own.take(held.saturating_sub(*count)).for_each(|(_, owner)| *owner = None);
        }
        for ((job, held), count) in jobs.iter().zip(&held).zip(&counts) {
            let free = self.pool.iter_mut().filter(|(_, owner)| owner.is_none());
            free.take(count.saturating_sub(*held)).for_each(|(_, owner)| *owner = Some(*job));
        }
        for (at, (held, count)) in held.into_iter().zip(counts).enumerate() {
            let job = jobs[at];
            let (up_s, down_s) = self.change_s(job);
            let seconds = if count > held {
                up_s
            } else if count < held {
                down_s
            } else {
                0.0
            };
            let pending = if idle { 0.0 } else { self.speed(job, held) * seconds };
            let rate = self.speed(job, count);
            let trainer = &mut self.active[at];
            (trainer.rate, trainer.pending) = (rate, pending);
            row.rate += rate;
            row.rescale_cost += pending;
            row.in_use += count;
        }
        row.pool = self.pool.len();
    }

    /// Nodes that left, then nodes that joined, after so many seconds.
    fn step(&mut self, time_s: f64, passed_s: f64, left: &[u32], joined: &[u32]) -> Row {
        let mut row = Row { time_s, ..Row::default() };
        let lost = |job: JobId| self.pool.iter().any(|(node, owner)| *owner == Some(job) && left.contains(node));
        let lost: Vec<bool> = self.active.iter().map(|trainer| lost(trainer.job)).collect();
        self.pool.retain(|(node, _)| !left.contains(node));
        let change_s: Vec<f64> = self.active.iter().map(|trainer| self.change_s(trainer.job).1).collect();
        for ((trainer, lost), down_s) in self.active.iter_mut().zip(lost).zip(change_s) {
            let preemption = if lost { down_s * trainer.rate } else { 0.0 };
            let gained = passed_s * trainer.rate - trainer.pending - preemption;
            trainer.done += gained;
            row.gained += gained;
            row.preemption_cost += preemption;
            let had_completed = trainer.done + preemption >= self.workload.jobs()[trainer.job.index()].samples;
            row.charged_to_completed += if had_completed { preemption } else { 0.0 };
        }
        let total = |trainer: &Trainer| self.workload.jobs()[trainer.job.index()].samples;
        let (ended, active) = std::mem::take(&mut self.active).into_iter().partition(|t| t.done >= total(t));
        self.active = active;
        let ended: Vec<Trainer> = ended;
        // More than there was to do does not count.
        row.gained -= ended.iter().map(|trainer| trainer.done - total(trainer)).sum::<f64>();
        row.completed = ended.len() as u32;
        let is_over = |owner: &Option<JobId>| ended.iter().any(|trainer| Some(trainer.job) == *owner);
        self.pool.iter_mut().filter(|(_, owner)| is_over(owner)).for_each(|(_, owner)| *owner = None);
        self.pool.extend(joined.iter().map(|node| (*node, None)));
        self.admit(time_s);
        self.decide(&mut row);
        row
    }
}

/// The log of a whole run.
fn replay(workload: &Workload, log: &Availability, rule: Rule, most: usize) -> Vec<Row> {
    let mut replay = Replay { workload, rule, most, pool: Vec::new(), active: Vec::new(), next: 0 };
    let mut moments: BTreeMap<u64, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
    for change in log.changes() {
        let (left, joined) = moments.entry((change.time_s - log.start_s()).to_bits()).or_default();
        if change.up { joined } else { left }.push(change.node);
    }
    let (_, (_, joined)) = moments.pop_first().unwrap();
    replay.pool = joined.into_iter().map(|node| (node, None)).collect();
    replay.admit(0.0);
    // The nodes are dealt out to the jobs that are there; in this week that is one.
    let nodes = replay.pool.len().min(64);
    let first = replay.active[0].job;
    replay.pool.iter_mut().rev().take(nodes).for_each(|(_, owner)| *owner = Some(first));
    let (rate, up_s) = (replay.speed(first, nodes), replay.change_s(first).0);
    (replay.active[0].rate, replay.active[0].pending) = (rate, rate * up_s);
    let mut rows = vec![Row { rescale_cost: rate * up_s, ..Row::default() }];
    let mut before_s = 0.0;
    for (bits, (left, joined)) in moments {
        let time_s = f64::from_bits(bits);
        rows.push(replay.step(time_s, time_s - before_s, &left, &joined));
        before_s = time_s;
    }
    rows
}

fn text(name: &str) -> String {
    std::fs::read_to_string(folder("bftrainer-summit").unwrap().join(name)).unwrap()
}

fn is_near(here: f64, there: f64) -> bool {
    // What is written there has six decimals.
    (here - there).abs() <= 2e-6_f64.max(1e-9 * there.abs())
}

/// A thousand Trainers that are alike, one every 36 s, made from the first of the published ten.
pub fn alike() -> Option<Workload> {
    let data = folder("bftrainer-summit")?;
    let files = ["Jbnd", "JNPs"].map(|kind| {
        let name = format!("hps-shufflenet-10J.{kind}.csv");
        (name.clone(), std::fs::read(data.join(name)).unwrap())
    });
    let sources = files.iter().map(|(path, bytes)| Source::from_bytes(path.as_str(), bytes)).collect();
    let import = import(sources, &Options::default(), &mut |_| {});
    let trace = import.trace.unwrap();
    let first = &trace.jobs()[0];
    let job = |at: u32| Job { name: at.to_string(), submit_s: 36.0 * f64::from(at), ..first.clone() };
    let trace = Trace::new(trace.models().to_vec(), (0..1000).map(job).collect()).unwrap();
    Some(Workload::bind(&trace, &import.curves).0)
}

fn check(set: &str, rule: Rule, most: usize, steps: Option<&str>) {
    let Some(week) = week(1) else { return };
    let log = week.settings.availability.unwrap();
    let workload = match set {
        "hps-shufflenet-1000J" => alike().unwrap(),
        _ => week.workload,
    };
    let rows = replay(&workload, &log, rule, most);
    let numbers = |line: &str| line.split(',').filter_map(|cell| cell.parse().ok()).collect::<Vec<f64>>();
    for (line, row) in steps.map(text).iter().flat_map(|text| text.lines().skip(1)).zip(&rows[1..]) {
        let there = numbers(line);
        let here = [
            (row.time_s, 0),
            (row.gained, 1),
            (row.rate, 2),
            (row.rescale_cost, 3),
            (row.pool as f64, 9),
            (row.in_use as f64, 11),
            (row.preemption_cost, 12),
        ];
        assert!(here.iter().all(|(value, column)| is_near(*value, there[*column])), "{line}: {row:?}");
    }
    let (policy, t_fwd_s) = match rule {
        Rule::Best { t_fwd_s, .. } => ("milp", t_fwd_s.to_string()),
        Rule::Share => ("heuristic", String::new()),
    };
    let results = text("reference-results.csv");
    let line = results.lines().find(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        cells[..2] == ["week1.395nodes", set] && cells[3..6] == [policy, &t_fwd_s, &most.to_string()]
    });
    let there = line.unwrap().split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect::<Vec<f64>>();
    // Nothing happens after the last Trainer, and what is decided last is never charged.
    let rows: Vec<Row> = rows.into_iter().filter(|row| row.time_s <= there[18]).collect();
    let sum = |of: fn(&Row) -> f64| rows.iter().map(of).sum::<f64>();
    let here = [
        ("completed", sum(|row| f64::from(row.completed)), there[6]),
        ("samples", sum(|row| row.gained), there[7]),
        ("preemption cost", sum(|row| row.preemption_cost), there[11]),
        ("rescale cost", sum(|row| row.rescale_cost) - rows.last().unwrap().rescale_cost, there[12]),
    ];
    // A job that has completed keeps its nodes until nodes join or leave, and is charged for losing them, which costs no
    // job a sample.
    let charged_to_completed = sum(|row| row.charged_to_completed);
    println!("{set}, {policy} {t_fwd_s}, {most} at a time: {here:?}, {charged_to_completed} to completed ones");
    for (what, here, there) in here {
        // In one of all these decisions a rounding error decides between two counts for a job that completes anyway.
        let within = if what == "rescale cost" && t_fwd_s == "600" && set == BY_SPEED { 1e-4 * there } else { 1.0 };
        assert!((here - there).abs() <= within, "{set} {policy}, {what}: {here} here, {there} there");
    }
}

const BY_SPEEDUP: &str = "ImageNet-spdup-1001J.first300";
const BY_SPEED: &str = "ImageNet-imgps-1001J.first300";
const ALIKE: &str = "hps-shufflenet-1000J";

fn best(t_fwd_s: f64, by_speedup: bool) -> Rule {
    Rule::Best { t_fwd_s, by_speedup }
}

#[test]
fn the_heuristic_step_by_step() {
    check(BY_SPEEDUP, Rule::Share, 10, Some("reference-steps.spdup.heuristic.first300.csv"));
    for most in [5, 10, 20, 35] {
        check(ALIKE, Rule::Share, most, None);
    }
}

#[test]
fn the_best_counts_step_by_step() {
    check(BY_SPEEDUP, best(120.0, true), 10, Some("reference-steps.spdup.milp.t120.first300.csv"));
    check(BY_SPEED, best(120.0, false), 10, None);
    check(ALIKE, best(120.0, false), 10, None);
    if std::env::var_os("ELASTIPLAN_CASES").is_none() {
        return;
    }
    for t_fwd_s in [10.0, 60.0, 300.0, 600.0] {
        check(BY_SPEEDUP, best(t_fwd_s, true), 10, None);
        check(BY_SPEED, best(t_fwd_s, false), 10, None);
        check(ALIKE, best(t_fwd_s, false), 10, None);
    }
    for most in [5, 20, 35] {
        check(ALIKE, best(120.0, false), most, None);
    }
}
