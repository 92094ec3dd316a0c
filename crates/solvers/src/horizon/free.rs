//! Jobs that cannot be done within the horizon, all together: the most progress that they make in a step on so many
//! units.
//!
//! `F(j, r) = max over n of F(j-1, r-n) + work_j(n)`: progress counts in every step from then on, and since none of
//! them ends, every step is divided alike but for how many units there are.

use super::StepOption;
use super::plans::Job;
use crate::best_sums::with_one_more;

/// Numbers of units that are looked at together.
const BLOCK: usize = 64;

/// The function, and how it comes about.
#[derive(Clone, Debug)]
pub(super) struct Free {
    /// What the jobs hold at least, all together.
    pub units_least: u32,
    /// The most progress on `units_least`, one more, and so on up to all units.
    progress: Vec<f64>,
    /// For each number of units beyond the least, which of its options a job has: one job after the other.
    chosen: Vec<u16>,
    jobs: Vec<Vec<u32>>,
}

impl Free {
    pub fn new(jobs: &[Job], units: u32) -> Self {
        let units_least: u32 = jobs.iter().map(Job::units_least).sum();
        let width = (units - units_least.min(units)) as usize + 1;
        let mut progress = vec![0.0; width];
        let mut chosen = Vec::with_capacity(jobs.len() * width);
        let (mut options, mut of_job, mut best) = (Vec::new(), vec![0; width], vec![0.0; width]);
        for job in jobs {
            let beyond = |option: &StepOption| ((option.units - job.units_least()) as usize, option.work);
            options.clear();
            options.extend(job.options.iter().map(beyond));
            if options.is_empty() {
                options.push((0, 0.0));
            }
            with_one_more(&progress, &options, 0, &mut best, &mut of_job);
            std::mem::swap(&mut progress, &mut best);
            chosen.extend_from_slice(&of_job);
        }
        let beyond = |job: &Job| job.options.iter().map(|option| option.units).collect();
        Self { units_least, progress, chosen, jobs: jobs.iter().map(beyond).collect() }
    }

    /// The most progress in a step on so many units; -inf on fewer than they need.
    pub fn progress(&self, units: u32) -> f64 {
        let beyond = units.checked_sub(self.units_least).map(|units| units as usize);
        let at = beyond.map(|beyond| beyond.min(self.progress.len().saturating_sub(1)));
        at.and_then(|at| self.progress.get(at)).copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// The number of units on which progress, counted so often, less the price of units is greatest; with that net. The
    /// price is not below 0.
    pub fn best(&self, counts: f64, price: f64) -> (u32, f64) {
        let net = |units: u32, progress: f64| counts * progress - price * f64::from(units);
        let blocks = || (self.units_least..).step_by(BLOCK).zip(self.progress.chunks(BLOCK));
        let at_first = |(units, block): (u32, &[f64])| block.first().map(|progress| net(units, *progress));
        let floor = blocks().filter_map(at_first).fold(f64::NEG_INFINITY, f64::max);
        // Progress does not fall: nothing in a block is greater than its last progress at the price of its first units.
        let reaches = |(units, block): &(u32, &[f64])| block.last().is_some_and(|last| net(*units, *last) >= floor);
        let all = blocks().filter(reaches).flat_map(|(first, block)| (first..).zip(block));
        let nets = all.map(|(units, progress)| (units, net(units, *progress)));
        nets.fold((self.units_least, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best })
    }

    /// The division of so many units among the jobs that makes that progress.
    pub fn divide(&self, units: u32) -> Vec<u32> {
        let mut left = (units.saturating_sub(self.units_least) as usize).min(self.progress.len().saturating_sub(1));
        let mut divided = vec![0; self.jobs.len()];
        let chosen = self.chosen.chunks(self.progress.len());
        for ((own, chosen), options) in divided.iter_mut().zip(chosen).zip(&self.jobs).rev() {
            let option = chosen.get(left).map_or(0, |option| usize::from(*option));
            let units = |option: usize| options.get(option).copied().unwrap_or(0);
            *own = units(option);
            left -= ((units(option) - units(0)) as usize).min(left);
        }
        divided
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The best number of units is that of a comparison of all, also where many are as good.
    #[test]
    fn the_best_number_of_units_is_that_of_all() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for case in 0..2000 {
            let whole = case % 2 == 0;
            let mut sum = 0.0;
            let mut rise = |at: u32| {
                let drawn = 2.0 * random.random::<f64>() * f64::from(400 - at.min(399)) / 400.0;
                sum += if whole { libm::floor(drawn) } else { drawn };
                sum
            };
            let progress: Vec<f64> = (0..300).map(&mut rise).collect();
            let free = Free { units_least: 7, progress, chosen: Vec::new(), jobs: Vec::new() };
            let price = if whole { f64::from(random.random_range(0..3u32)) } else { 3.0 * random.random::<f64>() };
            let mut best = (7, f64::NEG_INFINITY);
            for (units, progress) in (7..).zip(&free.progress) {
                let net = 2.0 * progress - price * f64::from(units);
                best = if net > best.1 { (units, net) } else { best };
            }
            assert_eq!(free.best(2.0, price), best, "case {case}");
        }
    }
}
