//! Nodes in classes, one class for each number of GPUs that jobs ask for.

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_model::JobId;

/// Nodes that jobs of one size share.
#[derive(Clone)]
pub(super) struct NodeSet {
    pub nodes: Vec<u32>,
    /// In order of their turns: as many as fit run, from the head.
    pub jobs: Vec<JobId>,
    /// How many jobs run at once.
    pub places: usize,
    /// Jobs it is taken to have when the next one is placed. The published simulator forgets to count down.
    load: usize,
}

impl NodeSet {
    pub fn running(&self) -> &[JobId] {
        self.jobs.get(..self.places).unwrap_or(&self.jobs)
    }

    pub fn is_overfull(&self) -> bool {
        self.jobs.len() > self.places
    }

    fn add(&mut self, job: JobId) {
        self.jobs.push(job);
        self.load += 1;
    }

    /// Those that run go to the back.
    fn take_turns(&mut self) {
        if self.is_overfull() {
            self.jobs.rotate_left(self.places);
        }
    }
}

/// All nodes, in sets or free, and the jobs on them.
#[derive(Clone)]
pub(super) struct Classes {
    artifact: bool,
    gpus_per_node: u32,
    free: Vec<u32>,
    /// By GPUs of a job; the set with the least load first, mostly.
    sets: BTreeMap<u32, Vec<NodeSet>>,
}

impl Classes {
    pub fn new(artifact: bool) -> Self {
        Self { artifact, gpus_per_node: 1, free: Vec::new(), sets: BTreeMap::new() }
    }

    /// Takes note of the nodes that are there now. Gives the jobs of sets that lost a node, and whether there are nodes
    /// that were not there before.
    pub fn see_nodes(&mut self, gpus_per_node: u32, present: &BTreeSet<u32>) -> (Vec<JobId>, bool) {
        self.gpus_per_node = gpus_per_node.max(1);
        self.free.retain(|node| present.contains(node));
        let mut jobs = Vec::new();
        for set in self
            .sets
            .values_mut()
            .flat_map(|sets| sets.extract_if(.., |set| !set.nodes.iter().all(|node| present.contains(node))))
        {
            self.free.extend(set.nodes.iter().filter(|node| present.contains(*node)));
            jobs.extend(set.jobs);
        }
        let known: BTreeSet<u32> = self.sets().flat_map(|(_, set)| &set.nodes).chain(&self.free).copied().collect();
        let before = self.free.len();
        self.free.extend(present.difference(&known));
        jobs.sort_unstable();
        (jobs, self.free.len() > before)
    }

    pub fn sets(&self) -> impl Iterator<Item = (u32, &NodeSet)> {
        self.sets.iter().flat_map(|(gpus, sets)| sets.iter().map(move |set| (*gpus, set)))
    }

    /// Where a job is: its set, its size and whether it runs there.
    pub fn find(&self, job: JobId) -> Option<(u32, &NodeSet)> {
        self.sets().find(|(_, set)| set.jobs.contains(&job))
    }

    /// Lets the sets that `turn` names take turns, forgets the jobs that have `ended`, and frees the nodes of sets that
    /// have none left; says whether there were such.
    pub fn go_on(&mut self, turn: impl Fn(&NodeSet) -> bool, ended: impl Fn(JobId) -> bool) -> bool {
        let artifact = self.artifact;
        let mut freed = false;
        for sets in self.sets.values_mut() {
            for set in sets.iter_mut() {
                if turn(set) {
                    set.take_turns();
                }
                set.jobs.retain(|job| !ended(*job));
                if !artifact {
                    set.load = set.jobs.len();
                }
            }
            for set in sets.extract_if(.., |set| set.jobs.is_empty()) {
                self.free.extend(set.nodes);
                freed = true;
            }
            if !artifact {
                sets.sort_by_key(|set| set.load);
            }
        }
        freed
    }

    /// Finds a place for a job: in the set of its class with the least load if that has room, on free nodes, or in turns
    /// with others; says whether it did.
    pub fn place(&mut self, job: JobId, gpus: u32) -> bool {
        let artifact = self.artifact;
        let sets = self.sets.entry(gpus).or_default();
        if let Some(first) = sets.first_mut() {
            // The published simulator leaves the last place of a set empty.
            let has_room = first.load + 1 + usize::from(artifact) <= first.places;
            if has_room {
                first.add(job);
            }
            // It looks at another set next time in any case.
            if has_room || artifact {
                sets.rotate_left(1);
            }
            if has_room {
                sets.sort_by_key(|set| set.load);
                return true;
            }
        }
        if self.add_set(gpus) {
            let sets = self.sets.entry(gpus).or_default();
            if let Some(last) = sets.last_mut() {
                last.add(job);
            }
            sets.sort_by_key(|set| set.load);
            return true;
        }
        self.share(job, gpus)
    }

    /// Puts a job where the load is least.
    fn share(&mut self, job: JobId, gpus: u32) -> bool {
        let Some(sets) = self.sets.get_mut(&gpus) else { return false };
        let Some(first) = sets.first_mut() else { return false };
        first.add(job);
        sets.rotate_left(1);
        sets.sort_by_key(|set| set.load);
        true
    }

    fn nodes_of_a_set(&self, gpus: u32) -> u32 {
        gpus.div_ceil(self.gpus_per_node)
    }

    /// A new set without jobs, at the end of its class; false if too few nodes are free.
    fn add_set(&mut self, gpus: u32) -> bool {
        let nodes = self.nodes_of_a_set(gpus);
        if nodes as usize > self.free.len() {
            return false;
        }
        let places = (nodes * self.gpus_per_node / gpus.max(1)) as usize;
        let nodes: Vec<u32> = self.free.drain(..nodes as usize).collect();
        self.sets.entry(gpus).or_default().push(NodeSet { nodes, jobs: Vec::new(), places, load: 0 });
        true
    }

    /// Lets classes grow and shrink towards their share of the GPUs, as the published simulator does it.
    pub fn adjust_as_published(&mut self, gpus_total: u32) {
        let held = self.held();
        let demand: u64 = held.iter().map(|class| class.demand).sum();
        for class in held.iter().filter(|class| class.demand > 0) {
            self.adjust_class_as_published(class, class.target(demand, gpus_total));
        }
    }

    fn held(&self) -> Vec<Held> {
        self.sets.iter().map(|(gpus, sets)| Held::new(*gpus, sets, self.gpus_per_node)).collect()
    }

    /// Frees the sets that classes have beyond their share of the GPUs; `waiting_gpus`: what jobs without a set ask for.
    pub fn shrink(&mut self, gpus_total: u32, waiting_gpus: u64) {
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

    /// Whether a class has jobs that wait for their turn.
    pub fn has_overfull(&self) -> bool {
        self.sets().any(|(_, set)| set.is_overfull())
    }

    /// Frees sets of a class, those with the least load, and lets the others share their jobs.
    fn take_away(&mut self, gpus: u32, count: usize) {
        let Some(sets) = self.sets.get_mut(&gpus) else { return };
        let removed: Vec<NodeSet> = sets.drain(..count.min(sets.len())).collect();
        self.free.extend(removed.iter().flat_map(|set| &set.nodes));
        for job in removed.into_iter().flat_map(|set| set.jobs) {
            if let Some(first) = sets.first_mut() {
                first.add(job);
            }
            sets.sort_by_key(|set| set.load);
        }
    }

    /// New sets for the classes below their share, while nodes are free; those that wait in other sets move there.
    /// Shares are those of [`Classes::shrink`]: with others, sets would come and go.
    pub fn grow(&mut self, gpus_total: u32, waiting_gpus: u64) {
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
        sets.sort_by_key(|set| set.load);
    }

    /// It counts sets to grow or shrink by in GPUs of a job, and deals the jobs out anew
    /// unless the last set it could add has one node.
    fn adjust_class_as_published(&mut self, class: &Held, target: u64) {
        let gpus = u64::from(class.gpus.max(1));
        if target > class.occupied {
            let mut deals = true;
            for _ in 0..(target - class.occupied).div_ceil(gpus) {
                deals = !self.add_set(class.gpus) || self.nodes_of_a_set(class.gpus) > 1;
            }
            if deals {
                self.deal_out(class.gpus);
            }
        } else if target < class.occupied {
            let count = (class.occupied - target).div_ceil(gpus) as usize;
            self.take_away(class.gpus, count.min(class.sets.saturating_sub(1)));
        }
    }

    /// Takes all jobs of a class and gives them to its sets one by one.
    fn deal_out(&mut self, gpus: u32) {
        let Some(sets) = self.sets.get_mut(&gpus) else { return };
        let mut jobs = Vec::new();
        for set in sets.iter_mut() {
            jobs.append(&mut set.jobs);
            // The load of a set without jobs is left as it is there; it is 0 in any case.
            set.load = 0;
        }
        for job in jobs {
            if let Some(first) = sets.first_mut() {
                first.add(job);
            }
            sets.sort_by_key(|set| set.load);
        }
    }
}

/// What a class has before an adjustment.
struct Held {
    gpus: u32,
    sets: usize,
    /// GPUs that its jobs ask for.
    demand: u64,
    /// GPUs of its nodes.
    occupied: u64,
}

impl Held {
    fn new(gpus: u32, sets: &[NodeSet], gpus_per_node: u32) -> Self {
        let jobs: usize = sets.iter().map(|set| set.jobs.len()).sum();
        let nodes: usize = sets.iter().map(|set| set.nodes.len()).sum();
        Self {
            gpus,
            sets: sets.len(),
            demand: jobs as u64 * u64::from(gpus),
            occupied: nodes as u64 * u64::from(gpus_per_node),
        }
    }

    /// Its share of the GPUs, by what all jobs ask for, and no more than its own do.
    fn target(&self, demand: u64, gpus_total: u32) -> u64 {
        let share = (self.demand as f64 / demand.max(1) as f64 * f64::from(gpus_total)).floor() as u64;
        share.min(self.demand)
    }
}
