//! Faults drawn from the seed: failing nodes, jobs with bugs, cancelled jobs, wrong estimates.
//!
//! Every job and every node has a stream of random numbers of its own. So two policies with one seed meet the same
//! failures, and a job has the same fate whatever happens to the others.

use elastiplan_model::{Curve, JobId};
use elastiplan_scenario::Faults;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Draws the fate of a job, the same under every policy.
pub(crate) fn fate(faults: &Faults, seed: u64, job: JobId) -> Fate {
    let mut random = stream(seed, JOBS + u64::from(job.0));
    // All numbers are drawn, whether they are needed or not: a share that is changed changes nothing else.
    let draws: [f64; 5] = std::array::from_fn(|_| random.random());
    let [bug, bug_at, cancel, cancel_at, estimate] = draws;
    Fate {
        dies_after_s: (bug < faults.bug_share).then_some(bug_at * faults.bug_within_s),
        cancelled_with_left: (cancel < faults.cancel_share).then_some(cancel_at),
        estimate_factor: 1.0 + faults.estimate_error * (2.0 * estimate - 1.0),
    }
}

/// Draws the curve that a profiler with noise would measure.
pub(crate) fn profiled(faults: &Faults, seed: u64, index: usize, curve: &Curve) -> Curve {
    let mut random = stream(seed, CURVES + index as u64);
    curve.disturbed(|| 1.0 + faults.profiling_noise * (2.0 * random.random::<f64>() - 1.0))
}

/// The failures of one node, one after the other; `None` where nodes do not fail.
pub(crate) fn failures_of(faults: &Faults, seed: u64, node: u32) -> Option<Failures> {
    let mtbf_s = faults.node_mtbf_s?;
    Some(Failures { random: stream(seed, NODES + u64::from(node)), mtbf_s, repair_s: faults.node_repair_s })
}

/// Fate of one job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fate {
    /// It dies after so many seconds of training.
    pub dies_after_s: Option<f64>,
    /// Its user cancels it when this share of the work is left.
    pub cancelled_with_left: Option<f64>,
    /// Factor from the true work left to the estimate that policies see.
    pub estimate_factor: f64,
}

/// When one node fails.
#[derive(Clone, Debug)]
pub(crate) struct Failures {
    random: ChaCha8Rng,
    mtbf_s: f64,
    repair_s: f64,
}

impl Failures {
    /// The next failure of a node that works from `time_s` on, and when it is back.
    pub fn next(&mut self, time_s: f64) -> (f64, f64) {
        let fails_s = time_s - self.mtbf_s * libm::log(1.0 - self.random.random::<f64>());
        (fails_s, fails_s + self.repair_s)
    }
}

const JOBS: u64 = 1 << 40;
const NODES: u64 = 2 << 40;
const CURVES: u64 = 3 << 40;

fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    random
}
