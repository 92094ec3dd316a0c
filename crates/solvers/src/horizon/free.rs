//! Jobs that cannot be done within the horizon, all together: the most progress that they make in a step on so many
//! units.
//!
//! `F(j, r) = max over n of F(j-1, r-n) + work_j(n)`: progress counts in every step from then on, and since none of
//! them ends, every step is divided alike but for how many units there are.

use super::plans::Job;

/// The function, and how it comes about.
#[derive(Clone, Debug)]
pub(super) struct Free {
    /// What the jobs hold at least, all together.
    pub units_least: u32,
    /// The most progress on `units_least`, one more, and so on up to all units.
    progress: Vec<f64>,
    /// For each job and number of units beyond the least, which of its options it has.
    chosen: Vec<Vec<u16>>,
    jobs: Vec<Vec<u32>>,
}

impl Free {
    pub fn new(jobs: &[Job], units: u32) -> Self {
        let units_least: u32 = jobs.iter().map(Job::units_least).sum();
        let width = (units - units_least.min(units)) as usize + 1;
        let mut progress = vec![0.0; width];
        let mut chosen = Vec::with_capacity(jobs.len());
        for job in jobs {
            let (best, options) = with_one_more(job, &progress);
            progress = best;
            chosen.push(options);
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

    /// The number of units on which progress, counted so often, less the price of units is greatest; with that net.
    pub fn best(&self, counts: f64, price: f64) -> (u32, f64) {
        let net = |(units, progress): (u32, &f64)| (units, counts * progress - price * f64::from(units));
        let all = (self.units_least..).zip(&self.progress).map(net);
        all.fold((self.units_least, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best })
    }

    /// The division of so many units among the jobs that makes that progress.
    pub fn divide(&self, units: u32) -> Vec<u32> {
        let mut left = (units.saturating_sub(self.units_least) as usize).min(self.progress.len().saturating_sub(1));
        let mut divided = vec![0; self.jobs.len()];
        for ((own, chosen), options) in divided.iter_mut().zip(&self.chosen).zip(&self.jobs).rev() {
            let option = chosen.get(left).map_or(0, |option| usize::from(*option));
            let units = |option: usize| options.get(option).copied().unwrap_or(0);
            *own = units(option);
            left -= ((units(option) - units(0)) as usize).min(left);
        }
        divided
    }
}

/// A job more: the progress on every number of units beyond the least, and the option of this job that makes it.
fn with_one_more(job: &Job, before: &[f64]) -> (Vec<f64>, Vec<u16>) {
    let least = job.options.first().map_or(0.0, |option| option.work);
    let mut best: Vec<f64> = before.iter().map(|before| before + least).collect();
    let mut chosen = vec![0; before.len()];
    for (number, option) in (0u16..).zip(&job.options).skip(1) {
        let more = (option.units - job.units_least()) as usize;
        let there = best.iter_mut().zip(&mut chosen).skip(more);
        for ((best, chosen), before) in there.zip(before) {
            let with = before + option.work;
            if with > *best {
                (*best, *chosen) = (with, number);
            }
        }
    }
    (best, chosen)
}
