//! How classes grow and shrink with the GPUs that their jobs request.

use elastiplan_model::JobId;

use super::classes::{Classes, Held, NodeSet, sort_by_load};

impl Classes {
    /// Sets the load of each set to the number of its jobs.
    pub(super) fn update_loads(&mut self) {
        for sets in self.sets.values_mut() {
            for set in sets.iter_mut() {
                set.load = set.jobs.len();
            }
            sort_by_load(sets);
        }
    }

    /// Places a job in the set of its class with the least load if that has room, on free nodes, or where it takes
    /// turns with others. Returns whether it has a set.
    pub(super) fn place(&mut self, job: JobId, gpus: u32) -> bool {
        let least = self.sets.get(&gpus).and_then(|sets| sets.first());
        let has_room = least.is_some_and(|set| set.load < set.places);
        if has_room { self.share(job, gpus) } else { self.place_elsewhere(job, gpus) }
    }

    /// Frees the sets that classes have beyond their share of the GPUs; `waiting_gpus` is what jobs without a set
    /// request.
    pub(super) fn shrink(&mut self, gpus_total: u32, waiting_gpus: u64) {
        let held = self.held();
        let demand = waiting_gpus + held.iter().map(|class| class.demand).sum::<u64>();
        for class in held {
            let needed = self.sets_for(&class, class.target(demand, gpus_total)).max(1);
            self.take_away(class.gpus, class.sets.saturating_sub(needed));
        }
    }

    fn sets_for(&self, class: &Held, target_gpus: u64) -> usize {
        let gpus_of_a_set = u64::from(self.nodes_of_a_set(class.gpus) * self.gpus_per_node);
        target_gpus.div_ceil(gpus_of_a_set.max(1)) as usize
    }

    /// Adds sets to the classes below their share while nodes are free, and moves jobs there that wait in other sets.
    /// Shares are those of [`Classes::shrink`]: with others, sets would come and go.
    pub(super) fn grow(&mut self, gpus_total: u32, waiting_gpus: u64) {
        let held = self.held();
        let demand = waiting_gpus + held.iter().map(|class| class.demand).sum::<u64>();
        for class in held {
            let wanted = self.sets_for(&class, class.target(demand, gpus_total));
            let sets = |classes: &Self| classes.sets.get(&class.gpus).map_or(0, Vec::len);
            let has_waiting = |classes: &Self| {
                classes.sets.get(&class.gpus).is_some_and(|sets| sets.iter().any(NodeSet::is_overfull))
            };
            while sets(self) < wanted && has_waiting(self) && self.add_set(class.gpus) {
                self.move_waiting_to_last(class.gpus);
            }
        }
    }

    fn move_waiting_to_last(&mut self, gpus: u32) {
        let Some(sets) = self.sets.get_mut(&gpus) else { return };
        let Some(mut new) = sets.pop() else { return };
        while new.jobs.len() < new.places {
            let fullest = sets.iter_mut().filter(|set| set.is_overfull()).max_by_key(|set| set.jobs.len());
            let Some((set, job)) = fullest.and_then(|set| set.jobs.pop().map(|job| (set, job))) else { break };
            set.load = set.jobs.len();
            new.add(job);
        }
        sets.push(new);
        sort_by_load(sets);
    }
}
