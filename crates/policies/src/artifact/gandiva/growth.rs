//! Classes as the published simulator places jobs in them, and lets them grow and shrink.

use elastiplan_model::JobId;

use crate::gandiva::classes::{Classes, Held, deal_out, sort_by_load};

impl Classes {
    /// Places a job. The last place of a set stays empty unless jobs take turns there, and the simulator never counts
    /// down the load of a set whose jobs have ended.
    pub(super) fn place_as_published(&mut self, job: JobId, gpus: u32) -> bool {
        let sets = self.sets.entry(gpus).or_default();
        if let Some(first) = sets.first_mut() {
            let has_room = first.load + 1 < first.places;
            if has_room {
                first.add(job);
            }
            // The next job looks at another set in any case.
            sets.rotate_left(1);
            if has_room {
                sort_by_load(sets);
                return true;
            }
        }
        self.place_elsewhere(job, gpus)
    }

    /// Lets classes grow and shrink towards their share of the GPUs, as the published simulator does.
    pub(super) fn adjust_as_published(&mut self, gpus_total: u32) {
        let held = self.held();
        let demand: u64 = held.iter().map(|class| class.demand).sum();
        for class in held.iter().filter(|class| class.demand > 0) {
            self.adjust_class_as_published(class, class.target(demand, gpus_total));
        }
    }

    /// The number of sets to add or remove is counted in GPUs of a job. Jobs are redistributed unless the last set that
    /// could be added has one node.
    fn adjust_class_as_published(&mut self, class: &Held, target: u64) {
        let gpus = u64::from(class.gpus.max(1));
        if target > class.occupied {
            let mut deals = true;
            for _ in 0..(target - class.occupied).div_ceil(gpus) {
                deals = !self.add_set(class.gpus) || self.nodes_of_a_set(class.gpus) > 1;
            }
            if deals {
                self.redistribute(class.gpus);
            }
        } else if target < class.occupied {
            let count = (class.occupied - target).div_ceil(gpus) as usize;
            self.take_away(class.gpus, count.min(class.sets.saturating_sub(1)));
        }
    }

    /// Takes all jobs of a class and gives them to its sets one by one.
    fn redistribute(&mut self, gpus: u32) {
        let Some(sets) = self.sets.get_mut(&gpus) else { return };
        let mut jobs = Vec::new();
        for set in sets.iter_mut() {
            jobs.append(&mut set.jobs);
            // The load of a set without jobs is left as it is there; it is 0 in any case.
            set.load = 0;
        }
        deal_out(jobs, sets);
    }
}
