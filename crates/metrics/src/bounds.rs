//! How good any policy could be: what is left between the best one and the bound is all there is to gain.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use elastiplan_model::{Curve, Workload, WorkloadJob};

/// Below these no policy can get that completes all jobs. They need not be reachable.
///
/// Two relaxations are solved and the stronger one counts. In one every job has the cluster for itself and runs on the
/// GPUs on which it is fastest. In the other the cluster is one machine that can be divided at will, every job runs at
/// its best throughput per GPU, and changes cost nothing: there, always running the job with the least work left gives
/// the least mean completion time (Schrage 1968).
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
    /// On the GPUs on which it is fastest.
    run_time_s: f64,
    /// On the GPUs on which it wastes least.
    gpu_seconds: f64,
}

impl Bounds {
    /// The bounds for all jobs that fit the cluster; `None` if there are none.
    pub fn of(workload: &Workload, gpus_total: u32) -> Option<Self> {
        let pairs = workload.trace().jobs().iter().zip(workload.jobs());
        let least = pairs.filter_map(|(job, bound)| {
            let curve = workload.curves().get(bound.curve as usize)?;
            Least::of(job.submit_s, bound, curve, gpus_total)
        });
        let jobs: Vec<Least> = least.collect();
        let start_s = workload.trace().start_s();
        let alone_s = jobs.iter().map(|job| job.run_time_s).sum::<f64>() / jobs.len() as f64;
        let last_alone_s = jobs.iter().map(|job| job.submit_s + job.run_time_s).max_by(f64::total_cmp)?;
        let (divided_s, last_divided_s) = least_work_first(&jobs, f64::from(gpus_total));
        Some(Self { avg_jct_s: alone_s.max(divided_s), makespan_s: last_alone_s.max(last_divided_s) - start_s })
    }
}

impl Least {
    fn of(submit_s: f64, bound: &WorkloadJob, curve: &Curve, gpus_total: u32) -> Option<Self> {
        let possible = bound.gpus_min..=gpus_total;
        // Between two measured points speed and speed per GPU are monotone: their best values are at the ends.
        let measured = curve.points().iter().map(|point| point.gpus);
        let counts = measured.chain([bound.gpus_min, gpus_total]).filter(|gpus| possible.contains(gpus));
        let (mut fastest, mut thriftiest) = (0.0_f64, 0.0_f64);
        for gpus in counts {
            let samples_per_s = curve.samples_per_s(gpus);
            fastest = fastest.max(samples_per_s);
            thriftiest = thriftiest.max(samples_per_s / f64::from(gpus));
        }
        let least = Self { submit_s, run_time_s: bound.samples / fastest, gpu_seconds: bound.samples / thriftiest };
        (fastest > 0.0).then_some(least)
    }
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
            queue.push(Reverse(Left { gpu_seconds: job.gpu_seconds, submit_s: job.submit_s }));
        }
        let Some(Reverse(least)) = queue.pop() else { continue };
        let end_s = now_s + least.gpu_seconds / gpus;
        match arrivals.peek().filter(|next| next.submit_s < end_s) {
            Some(next) => {
                let done = (next.submit_s - now_s) * gpus;
                queue.push(Reverse(Left { gpu_seconds: (least.gpu_seconds - done).max(0.0), ..least }));
                now_s = next.submit_s;
            }
            None => {
                total_s += end_s - least.submit_s;
                now_s = end_s;
            }
        }
    }
    (total_s / jobs.len() as f64, now_s)
}

/// Work left of a job that was submitted.
#[derive(Clone, Copy, PartialEq)]
struct Left {
    gpu_seconds: f64,
    submit_s: f64,
}

impl Eq for Left {}

impl Ord for Left {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.gpu_seconds.total_cmp(&other.gpu_seconds).then(self.submit_s.total_cmp(&other.submit_s))
    }
}

impl PartialOrd for Left {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
