//! The best numbers of GPUs if it did not matter where they are.

use super::Problem;
use crate::best_sums::with_one_more;

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
    let most: Vec<usize> = values.iter().map(|values| values.len() - 1).collect();
    let (mut upto, mut beyond) = (0, most.iter().sum::<usize>());
    // The largest sums for the jobs so far with at most so many GPUs, from `least` on: so many are left over by the jobs
    // to come. More than all that the jobs so far could take are worth as much as these.
    let mut least = 0;
    let mut best = vec![0.0];
    let mut takes: Vec<(usize, Vec<u16>)> = Vec::with_capacity(values.len());
    let mut options: Vec<(usize, f64)> = Vec::new();
    for (values, most) in values.iter().zip(&most) {
        (upto, beyond) = (upto + most, beyond - most);
        let next_least = total.saturating_sub(beyond).min(upto.min(total));
        let last = best.last().copied().unwrap_or(0.0);
        best.resize(upto.min(total) + 1 - least, last);
        options.clear();
        options.extend(values.iter().copied().enumerate());
        let mut next = vec![0.0; upto.min(total) + 1 - next_least];
        let mut take = vec![0u16; next.len()];
        with_one_more(&best, &options, next_least - least, &mut next, &mut take);
        (best, least) = (next, next_least);
        takes.push((least, take));
    }
    let mut left = total;
    let mut counts = vec![0; values.len()];
    for (count, (least, take)) in counts.iter_mut().zip(&takes).rev() {
        *count = take.get(left.min(*least + take.len() - 1) - least).map_or(0, |taken| usize::from(*taken));
        left -= *count;
    }
    (best.last().copied().unwrap_or(0.0), counts)
}
