//! The best numbers of GPUs if it did not matter where they are.

use super::Problem;

/// Beyond this, the table is not worth its time; what every job would like best is a bound as well.
const WORK_MAX: usize = 20_000_000;

/// The largest sum of values, and the number of GPUs of each job that has it: an upper bound, since any GPUs may be on
/// one node that fit on the largest, and a job may stay on its nodes even if other jobs are placed there.
pub(super) fn counts(problem: &Problem) -> (f64, Vec<usize>) {
    let total: usize = problem.node_gpus.iter().map(|gpus| usize::from(*gpus)).sum();
    let largest = problem.node_gpus.iter().copied().max().map_or(0, usize::from);
    let several = problem.node_gpus.iter().filter(|gpus| **gpus > 0).count() > 1;
    let values = problem.jobs.iter().map(|job| {
        let by_gpus = |gpus: usize| {
            let one = if gpus <= largest { job.one[gpus] } else { f64::NEG_INFINITY };
            let spread = if several && gpus > 1 { job.several[gpus] } else { f64::NEG_INFINITY };
            let kept = if gpus == job.gpus_current { job.kept } else { f64::NEG_INFINITY };
            one.max(spread).max(kept)
        };
        (0..=job.gpus_max).map(by_gpus).collect()
    });
    let values: Vec<Vec<f64>> = values.collect();
    let work: usize = values.iter().map(|values| values.len() * (total + 1)).sum();
    if work > WORK_MAX {
        let best = |values: &Vec<f64>| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        return (values.iter().map(best).sum(), Vec::new());
    }
    // best[k]: the largest sum for the jobs so far with at most k GPUs.
    let mut best = vec![0.0; total + 1];
    let mut takes: Vec<Vec<u16>> = Vec::with_capacity(values.len());
    for values in &values {
        let mut next = vec![f64::NEG_INFINITY; total + 1];
        let mut take = vec![0u16; total + 1];
        for (taken, &value) in values.iter().enumerate().take(total + 1) {
            raise(&mut next[taken..], &mut take[taken..], &best, value, taken as u16);
        }
        best = next;
        takes.push(take);
    }
    let mut left = total;
    let mut counts = vec![0; values.len()];
    for (count, take) in counts.iter_mut().zip(&takes).rev() {
        *count = usize::from(take[left]);
        left -= *count;
    }
    (best[total], counts)
}

/// Raises sums to `before` and so much more, where that is larger, and notes what was taken for it. Written so that the
/// compiler may compute several at once.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn raise(sums: &mut [f64], takes: &mut [u16], before: &[f64], more: f64, taken: u16) {
    for ((sum, take), before) in sums.iter_mut().zip(takes).zip(before) {
        let other = before + more;
        *take = if other > *sum { taken } else { *take };
        *sum = if other > *sum { other } else { *sum };
    }
}
