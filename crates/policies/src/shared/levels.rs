//! The numbers of GPUs that are worth giving to a job.

use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_engine::JobView;
use elastiplan_solvers::Level;

/// Levels by curve and range of GPUs: jobs that are alike share them.
#[derive(Clone)]
pub(crate) struct Levels {
    known: BTreeMap<(u32, u32, u32), Rc<[Level]>>,
    /// Whether levels end before the first that is slower than the one before it.
    until_slower: bool,
}

impl Levels {
    /// Powers of two; the fewest GPUs for a job that runs on no power of two.
    pub fn powers_of_two() -> Self {
        Self { known: BTreeMap::new(), until_slower: false }
    }

    /// The same up to the first that is slower than the one before it.
    pub fn until_slower() -> Self {
        Self { until_slower: true, ..Self::powers_of_two() }
    }

    /// The numbers of GPUs up to `gpus_most` for a job, in rising order, without those that are no faster than fewer.
    /// Empty if the job runs only on more.
    pub fn of(&mut self, job: &JobView<'_>, gpus_most: u32) -> Rc<[Level]> {
        let (fewest, most) = (job.bound.gpus_min, job.bound.gpus_max.min(gpus_most));
        let compute = || {
            let powers = (0..32).map(|power| 1 << power).filter(|gpus| (fewest..=most).contains(gpus));
            let mut counts: Vec<u32> = powers.collect();
            if counts.is_empty() && fewest <= most {
                counts.push(fewest);
            }
            let mut levels: Vec<Level> = Vec::new();
            for gpus in counts {
                let work_per_s = job.curve.samples_per_s(gpus);
                if levels.last().is_none_or(|last| work_per_s > last.work_per_s) {
                    levels.push(Level { gpus, work_per_s });
                } else if self.until_slower {
                    break;
                }
            }
            levels.into()
        };
        self.known.entry((job.bound.curve, fewest, most)).or_insert_with(compute).clone()
    }
}
