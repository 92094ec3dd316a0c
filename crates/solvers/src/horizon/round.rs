//! A good choice to begin with: the mixture of plans that is best at the prices, made whole, and mended one job at a
//! time.

use std::rc::Rc;

use super::plans::Plan;

/// Times that all jobs are gone through.
const SWEEPS_MAX: usize = 50;

/// What the plans of each job lose against its best one: the best first.
pub(super) type Losing = Rc<[(f64, Plan)]>;

/// What units used lose.
pub(super) struct UnitsLost<'a> {
    /// By step and units used; infinite where they do not fit.
    pub by_step: &'a [Vec<f64>],
    /// Of a unit too many.
    pub excess: f64,
}

impl UnitsLost<'_> {
    /// Of a step: finite even if so many do not fit, but more the more they are.
    fn of(&self, step: usize, used: u64) -> f64 {
        let Some(by_used) = self.by_step.get(step) else { return 0.0 };
        match by_used.get(used as usize) {
            Some(lost) if lost.is_finite() => *lost,
            _ => {
                // What is finite comes first.
                let most = by_used.partition_point(|lost| lost.is_finite()).saturating_sub(1);
                let lost = by_used.get(most).copied().filter(|lost| lost.is_finite()).unwrap_or(0.0);
                lost + self.excess * used.saturating_sub(most as u64) as f64
            }
        }
    }

    fn fits(&self, used: &[u64]) -> bool {
        let fits =
            |(by_used, used): (&Vec<f64>, &u64)| by_used.get(*used as usize).is_some_and(|lost| lost.is_finite());
        self.by_step.iter().zip(used).all(fits)
    }
}

/// The plan of each job in a mixture of columns: of so many jobs in a row as many as a column has a share in all.
pub(super) fn whole(mixture: &[(f64, &[Plan])], jobs: usize) -> Vec<Plan> {
    // Multiples of the golden ratio fall everywhere alike, however many of them in a row are looked at.
    const GOLDEN: f64 = 0.618_033_988_749_895;
    let of_job = |job: usize| {
        let mut at = (job as f64 + 0.5) * GOLDEN % 1.0;
        let column = mixture.iter().find(|(share, _)| {
            at -= share;
            at < 0.0
        });
        column.or(mixture.last()).and_then(|(_, plans)| plans.get(job)).copied().unwrap_or_default()
    };
    (0..jobs).map(of_job).collect()
}

/// Exchanges the plan of one job at a time as long as something is gained; gives what the plans lose in the end, or
/// nothing if they do not fit.
pub(super) fn mend(plans: &mut [(f64, Plan)], choices: &[Losing], units: &UnitsLost<'_>) -> Option<f64> {
    let steps = units.by_step.len();
    let mut used = vec![0u64; steps];
    for (_, plan) in plans.iter() {
        used.iter_mut().zip(plan.units).for_each(|(used, own)| *used += u64::from(own));
    }
    for _ in 0..SWEEPS_MAX {
        let mut gained = false;
        for (own, choices) in plans.iter_mut().zip(choices) {
            used.iter_mut().zip(own.1.units).for_each(|(used, own)| *used -= u64::from(own));
            let with = |(lost, plan): &(f64, Plan)| {
                lost + (0..steps).map(|step| units.of(step, used[step] + u64::from(plan.units[step]))).sum::<f64>()
            };
            let (mut best, mut least) = (*own, with(own));
            for choice in choices.iter() {
                if choice.0 >= least {
                    break;
                }
                let lost = with(choice);
                if lost < least - 1e-12 {
                    (best, least, gained) = (*choice, lost, true);
                }
            }
            *own = best;
            used.iter_mut().zip(own.1.units).for_each(|(used, own)| *used += u64::from(own));
        }
        if !gained {
            break;
        }
    }
    let of_units = (0..steps).map(|step| units.of(step, used[step])).sum::<f64>();
    units.fits(&used).then(|| of_units + plans.iter().map(|(lost, _)| lost).sum::<f64>())
}
