//! Bounds on completion times under any policy: the distance from the best policy to them is the most there is to gain.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::RangeInclusive;

use elastiplan_model::order::Number;
use elastiplan_model::{Configuration, Curve, CurvePoint, Detail, JobId, Law, Workload};

use crate::work::{batch_as_submitted, samples_to_process};

/// Lower bounds for every policy that completes all jobs. They need not be reachable.
///
/// Two relaxations are solved and the stronger one counts. In one, every job has the cluster for itself and runs on the
/// GPUs on which it is fastest. In the other, the cluster is one machine that can be divided at will, every job runs at
/// its best throughput per GPU, and changes cost nothing: there, always running the job with the least work left gives
/// the least mean completion time (Schrage 1968).
///
/// Both assume that the most GPUs there ever are were always present, and every placement the best one: for a cluster
/// that varies, or jobs on distant GPUs, the bounds are valid but weaker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least mean of completion minus submission, in seconds.
    pub avg_jct_s: f64,
    /// The least time from first submission to last completion, in seconds.
    pub makespan_s: f64,
}

/// A job as the relaxations see it.
#[derive(Clone, Copy)]
struct Least {
    submit_s: f64,
    /// Run time on the GPUs on which the job is fastest.
    run_time_s: f64,
    /// GPU time on the GPUs on which the job is most efficient.
    gpu_seconds: f64,
}

impl Bounds {
    /// The bounds for all jobs that fit the cluster, trained at the batch sizes that they were submitted with; `None`
    /// if there are none. `gpus_most`: the most GPUs that are present at any time.
    pub fn of(workload: &Workload, gpus_most: u32) -> Option<Self> {
        let own = |job: JobId| Some(vec![(workload.curve_of(job)?, samples_to_process(workload, job))]);
        Self::over(workload, gpus_most, own)
    }

    /// The same for policies that may also choose batch sizes. `None` also if a formula gives a job's speed at any
    /// batch size: these bounds do not search for the best one.
    pub fn of_any_batch(workload: &Workload, gpus_most: u32) -> Option<Self> {
        let all = |job: JobId| {
            let work = workload.jobs().get(job.index())?.samples;
            let choices = batch_choices(workload, job).into_iter();
            Some(choices.map(|(curve, worth)| (curve, work / worth)).collect())
        };
        if some_formula_takes_any_batch(workload) { None } else { Self::over(workload, gpus_most, all) }
    }

    /// The bounds over jobs, each with the curves that it may follow and the samples to process on each.
    fn over<'a>(
        workload: &'a Workload,
        gpus_most: u32,
        curves: impl Fn(JobId) -> Option<Vec<(&'a Curve, f64)>>,
    ) -> Option<Self> {
        let pairs = workload.trace().iter().zip(workload.jobs());
        // Many jobs follow one curve; where times are known by placement, its best speeds are looked for long.
        let mut known: BTreeMap<(*const Curve, u32), Best> = BTreeMap::new();
        let mut best = |curve: &'a Curve, gpus_min: u32| {
            *known.entry((curve, gpus_min)).or_insert_with(|| Best::of(curve, gpus_min..=gpus_most))
        };
        let least = pairs.filter_map(|((id, job), bound)| {
            let each = curves(id)?.into_iter();
            let each = each.filter_map(|(curve, samples)| best(curve, bound.gpus_min).least(job.submit_s, samples));
            each.reduce(Least::least)
        });
        let jobs: Vec<Least> = least.collect();
        let start_s = workload.trace().start_s();
        let alone_s = jobs.iter().map(|job| job.run_time_s).sum::<f64>() / jobs.len() as f64;
        let last_alone_s = jobs.iter().map(|job| job.submit_s + job.run_time_s).max_by(f64::total_cmp)?;
        let (divided_s, last_divided_s) = least_work_first(&jobs, f64::from(gpus_most));
        Some(Self { avg_jct_s: alone_s.max(divided_s), makespan_s: last_alone_s.max(last_divided_s) - start_s })
    }
}

/// The best speeds of a curve on possible numbers of GPUs, in samples per second.
#[derive(Clone, Copy)]
struct Best {
    fastest: f64,
    /// For each GPU.
    thriftiest: f64,
}

impl Best {
    fn of(curve: &Curve, possible: RangeInclusive<u32>) -> Self {
        let mut best = Self { fastest: 0.0, thriftiest: 0.0 };
        for (gpus, samples_per_s) in best_speeds(curve, possible) {
            best.fastest = best.fastest.max(samples_per_s);
            best.thriftiest = best.thriftiest.max(samples_per_s / f64::from(gpus));
        }
        best
    }

    /// What a job needs at least; `None` where it does not run.
    fn least(self, submit_s: f64, samples: f64) -> Option<Least> {
        let Self { fastest, thriftiest } = self;
        let least = Least { submit_s, run_time_s: samples / fastest, gpu_seconds: samples / thriftiest };
        (fastest > 0.0).then_some(least)
    }
}

impl Least {
    fn least(self, other: Self) -> Self {
        Self {
            run_time_s: self.run_time_s.min(other.run_time_s),
            gpu_seconds: self.gpu_seconds.min(other.gpu_seconds),
            ..self
        }
    }
}

/// Whether the speed of a job is given for batch sizes that were not measured.
pub(crate) fn some_formula_takes_any_batch(workload: &Workload) -> bool {
    let takes_any = |curve: &Curve| match curve.detail() {
        Detail::Law(Law::Scaling(_) | Law::Throughput(_)) => true,
        Detail::Law(Law::Power(_)) => curve.efficiency().is_some(),
        Detail::Profile(_) => true,
        Detail::CountOnly | Detail::Spread(_) | Detail::ByNodes(_) => false,
    };
    workload.jobs().iter().any(|job| workload.curves().get(job.curve as usize).is_some_and(takes_any))
}

/// The curves that a job may follow if batch sizes can be chosen, each with its greatest statistical efficiency.
pub(crate) fn batch_choices(workload: &Workload, job: JobId) -> Vec<(&Curve, f64)> {
    let Some(own) = workload.curve_of(job) else { return Vec::new() };
    let same_model = |curve: &&Curve| curve.key().model == own.key().model && curve.key().batch_global.is_some();
    let others = workload.curves().iter().filter(same_model).map(|curve| (curve, curve.key().batch_global));
    let choices = others.chain([(own, batch_as_submitted(workload, job))]);
    choices.map(|(curve, batch)| (curve, best_efficiency(curve, batch))).collect()
}

/// Numbers of GPUs between which speed and speed per GPU are monotone, and the best speed on each.
pub(crate) fn best_speeds(curve: &Curve, possible: RangeInclusive<u32>) -> impl Iterator<Item = (u32, f64)> {
    // Between two measured points speed and speed per GPU are monotone: their best values are at the ends.
    let measured = points(curve).map(|point| point.gpus);
    let counts = measured.chain([*possible.start(), *possible.end()]);
    counts.filter(move |gpus| possible.contains(gpus)).map(|gpus| (gpus, best_speed(curve, gpus)))
}

/// Every measured point, for any placement.
fn points(curve: &Curve) -> impl Iterator<Item = &CurvePoint> {
    let (spread, by_nodes) = match curve.detail() {
        Detail::Spread(points) => (points.as_slice(), &[][..]),
        Detail::ByNodes(groups) => (&[][..], groups.as_slice()),
        Detail::CountOnly | Detail::Law(_) | Detail::Profile(_) => (&[][..], &[][..]),
    };
    curve.points().iter().chain(spread).chain(by_nodes.iter().flat_map(|(_, points)| points))
}

/// Throughput at the best placement: on any number of nodes that was measured, or that a formula distinguishes. Other
/// placements are between them.
fn best_speed(curve: &Curve, gpus: u32) -> f64 {
    let measured = match curve.detail() {
        Detail::ByNodes(groups) => groups.as_slice(),
        _ => &[],
    };
    let nodes = measured.iter().map(|(nodes, _)| *nodes).chain([1, 2]);
    let places = nodes.flat_map(|nodes| [(nodes, true), (nodes, false)]);
    let in_place = |nodes, packed, shape: &[u32]| {
        curve.samples_per_s_in(&Configuration { gpus, nodes, packed, batch_global: None, shape })
    };
    let speeds = places.map(|(nodes, packed)| in_place(nodes, packed, &[]));
    let best = speeds.fold(curve.samples_per_s(gpus), f64::max);
    match curve.detail() {
        Detail::Profile(profile) => {
            let spread = (1..=gpus).map(|nodes| in_place(nodes, false, &[]));
            let placed = profile.placements(gpus).map(|shape| in_place(shape.len() as u32, false, shape));
            spread.chain(placed).fold(best, f64::max)
        }
        _ => best,
    }
}

/// The greatest statistical efficiency at a batch size.
fn best_efficiency(curve: &Curve, batch_global: Option<u32>) -> f64 {
    let Some((efficiency, batch_global)) = curve.efficiency().zip(batch_global) else { return 1.0 };
    let (mut most, mut left) = (0.0_f64, 1.0);
    while left > 0.0 {
        let (worth, until_left) = efficiency.at(batch_global, left, 1.0);
        most = most.max(worth);
        left = until_left;
    }
    most
}

/// Mean completion time and last completion on one machine that does `gpus` GPU-seconds a second, always running the
/// job with the least work left. `jobs` must be in order of submission.
fn least_work_first(jobs: &[Least], gpus: f64) -> (f64, f64) {
    let mut queue: BinaryHeap<Reverse<Left>> = BinaryHeap::new();
    let mut arrivals = jobs.iter().peekable();
    let (mut now_s, mut total_s) = (0.0_f64, 0.0);
    loop {
        if queue.is_empty() {
            let Some(next) = arrivals.peek() else { break };
            now_s = now_s.max(next.submit_s);
        }
        while let Some(job) = arrivals.next_if(|job| job.submit_s <= now_s) {
            queue.push(Reverse(Left { gpu_seconds: Number(job.gpu_seconds), submit_s: Number(job.submit_s) }));
        }
        let Some(Reverse(least)) = queue.pop() else { continue };
        let end_s = now_s + least.gpu_seconds.0 / gpus;
        match arrivals.peek().filter(|next| next.submit_s < end_s) {
            Some(next) => {
                let done = (next.submit_s - now_s) * gpus;
                queue.push(Reverse(Left { gpu_seconds: Number((least.gpu_seconds.0 - done).max(0.0)), ..least }));
                now_s = next.submit_s;
            }
            None => {
                total_s += end_s - least.submit_s.0;
                now_s = end_s;
            }
        }
    }
    (total_s / jobs.len() as f64, now_s)
}

/// The work left of a submitted job.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Left {
    gpu_seconds: Number,
    submit_s: Number,
}
