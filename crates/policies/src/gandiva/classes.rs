//! Nodes in classes, one class for each number of GPUs that jobs request.

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_rank;

/// Nodes that jobs of one size share.
#[derive(Clone)]
pub(crate) struct NodeSet {
    pub nodes: Vec<u32>,
    /// In order of their turns: as many as fit run, from the head.
    pub jobs: Vec<JobId>,
    /// The number of jobs that run at once.
    pub places: usize,
    /// The number of jobs that placing counts with.
    pub load: usize,
}

impl NodeSet {
    pub fn running(&self) -> &[JobId] {
        self.jobs.get(..self.places).unwrap_or(&self.jobs)
    }

    pub fn is_overfull(&self) -> bool {
        self.jobs.len() > self.places
    }

    pub fn add(&mut self, job: JobId) {
        self.jobs.push(job);
        self.load += 1;
    }

    /// Moves the jobs that run to the back.
    fn take_turns(&mut self) {
        if self.is_overfull() {
            self.jobs.rotate_left(self.places);
        }
    }
}

/// All nodes, in sets or free, and the jobs on them.
#[derive(Clone)]
pub(crate) struct Classes {
    pub gpus_per_node: u32,
    free: Vec<u32>,
    /// By GPUs of a job; mostly in order of load.
    pub sets: BTreeMap<u32, Vec<NodeSet>>,
}

impl Default for Classes {
    fn default() -> Self {
        Self { gpus_per_node: 1, free: Vec::new(), sets: BTreeMap::new() }
    }
}

impl Classes {
    /// Updates the nodes of the cluster. Returns the jobs of sets that lost a node, and whether nodes joined.
    pub fn update_nodes(&mut self, gpus_per_node: u32, present: &BTreeSet<u32>) -> (Vec<JobId>, bool) {
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
        sort_by_rank(&mut jobs, |job| job.0.into());
        (jobs, self.free.len() > before)
    }

    pub fn sets(&self) -> impl Iterator<Item = (u32, &NodeSet)> {
        self.sets.iter().flat_map(|(gpus, sets)| sets.iter().map(move |set| (*gpus, set)))
    }

    /// The set of a job, and the GPUs of each of its jobs.
    pub fn find(&self, job: JobId) -> Option<(u32, &NodeSet)> {
        self.sets().find(|(_, set)| set.jobs.contains(&job))
    }

    /// Moves sets for which `is_turn` holds on to their next turn, removes the jobs that have `ended`, and frees the
    /// nodes of sets without jobs. Returns whether there were such sets.
    pub fn advance(&mut self, is_turn: impl Fn(&NodeSet) -> bool, ended: impl Fn(JobId) -> bool) -> bool {
        let mut freed = false;
        for sets in self.sets.values_mut() {
            for set in sets.iter_mut() {
                if is_turn(set) {
                    set.take_turns();
                }
                set.jobs.retain(|job| !ended(*job));
            }
            for set in sets.extract_if(.., |set| set.jobs.is_empty()) {
                self.free.extend(set.nodes);
                freed = true;
            }
        }
        freed
    }

    /// Places a job on free nodes, or where it takes turns with others. Returns whether it has a set.
    pub fn place_elsewhere(&mut self, job: JobId, gpus: u32) -> bool {
        if !self.add_set(gpus) {
            return self.share(job, gpus);
        }
        if let Some(sets) = self.sets.get_mut(&gpus) {
            if let Some(last) = sets.last_mut() {
                last.add(job);
            }
            sort_by_load(sets);
        }
        true
    }

    /// Adds a job to the set with the least load.
    pub fn share(&mut self, job: JobId, gpus: u32) -> bool {
        let Some(sets) = self.sets.get_mut(&gpus) else { return false };
        let Some(first) = sets.first_mut() else { return false };
        first.add(job);
        sets.rotate_left(1);
        sort_by_load(sets);
        true
    }

    pub fn nodes_of_a_set(&self, gpus: u32) -> u32 {
        gpus.div_ceil(self.gpus_per_node)
    }

    /// Adds a set without jobs at the end of its class. Returns false if too few nodes are free.
    pub fn add_set(&mut self, gpus: u32) -> bool {
        let nodes = self.nodes_of_a_set(gpus);
        if nodes as usize > self.free.len() {
            return false;
        }
        let places = (nodes * self.gpus_per_node / gpus.max(1)) as usize;
        let nodes: Vec<u32> = self.free.drain(..nodes as usize).collect();
        self.sets.entry(gpus).or_default().push(NodeSet { nodes, jobs: Vec::new(), places, load: 0 });
        true
    }

    /// What each class has now.
    pub fn held(&self) -> Vec<Held> {
        self.sets.iter().map(|(gpus, sets)| Held::new(*gpus, sets, self.gpus_per_node)).collect()
    }

    /// Whether a class has jobs that wait for their turn.
    pub fn has_overfull(&self) -> bool {
        self.sets().any(|(_, set)| set.is_overfull())
    }

    /// Frees sets of a class, those with the least load first, and deals their jobs out to the others.
    pub fn take_away(&mut self, gpus: u32, count: usize) {
        let Some(sets) = self.sets.get_mut(&gpus) else { return };
        let removed: Vec<NodeSet> = sets.drain(..count.min(sets.len())).collect();
        self.free.extend(removed.iter().flat_map(|set| &set.nodes));
        deal_out(removed.into_iter().flat_map(|set| set.jobs), sets);
    }
}

/// Adds each job to the set that has the least load then.
pub(crate) fn deal_out(jobs: impl IntoIterator<Item = JobId>, sets: &mut [NodeSet]) {
    for job in jobs {
        if let Some(first) = sets.first_mut() {
            first.add(job);
        }
        sort_by_load(sets);
    }
}

/// Sorts sets by load; sets of equal load keep their order.
pub(crate) fn sort_by_load(sets: &mut [NodeSet]) {
    sort_by_rank(sets, |set| set.load as u64);
}

/// What a class has before an adjustment.
pub(crate) struct Held {
    pub gpus: u32,
    pub sets: usize,
    /// GPUs that its jobs request.
    pub demand: u64,
    /// GPUs of its nodes.
    pub occupied: u64,
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

    /// Its share of the GPUs in proportion to the `demand` of all jobs, and no more than its own demand.
    pub fn target(&self, demand: u64, gpus_total: u32) -> u64 {
        let share = (self.demand as f64 / demand.max(1) as f64 * f64::from(gpus_total)).floor() as u64;
        share.min(self.demand)
    }
}
