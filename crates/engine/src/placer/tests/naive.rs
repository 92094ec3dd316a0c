//! What places must be, counted again from nothing but what each job holds.

use elastiplan_model::JobId;

use super::{Held, Places};

/// Jobs in these tests are numbers below this.
pub const JOBS: u32 = 26;

/// Every job's place.
pub fn all_held(places: &Places) -> Vec<Vec<Held>> {
    (0..JOBS).map(|job| places.of(JobId(job)).to_vec()).collect()
}

/// The job that holds each GPU of each node; no GPU is held twice.
pub fn holders(places: &Places) -> Vec<Vec<Option<JobId>>> {
    let mut holders = vec![vec![None; places.gpus_per_node() as usize]; places.nodes() as usize];
    for job in (0..JOBS).map(JobId) {
        for held in places.of(job) {
            for gpu in (0..64).filter(|gpu| held.mask >> gpu & 1 == 1) {
                let holder = holders[held.node as usize][gpu].replace(job);
                assert_eq!(holder, None, "GPU {gpu} of node {} is held by {job:?} too", held.node);
            }
        }
    }
    holders
}

/// Everything that is kept at hand is what a recount gives.
pub fn check(places: &Places) {
    let (nodes, per_node) = (places.nodes(), places.gpus_per_node());
    let mut free: Vec<u64> = Vec::new();
    for (node, holders) in (0..).zip(holders(places)) {
        let present = places.is_present(node);
        let is_free = |gpu: &u32| present && holders[*gpu as usize].is_none();
        free.push((0..per_node).filter(is_free).map(|gpu| 1_u64 << gpu).sum());
        assert_eq!(places.free_mask(node), free[node as usize], "free GPUs of node {node}");
        let mut expected: Vec<JobId> = holders.into_iter().flatten().collect();
        expected.sort_unstable();
        expected.dedup();
        assert!(present || expected.is_empty(), "node {node} is away, {expected:?} is there");
        let mut jobs = places.jobs_on(node).to_vec();
        jobs.sort_unstable();
        assert_eq!(jobs, expected, "jobs on node {node}");
    }
    for count in 0..=per_node {
        let has = |node: &u32| places.is_present(*node) && free[*node as usize].count_ones() == count;
        let expected: Vec<u32> = (0..nodes).filter(has).collect();
        assert!(places.nodes_with_free(count).eq(expected.iter().copied()), "nodes with {count} free: {expected:?}");
        assert_eq!(places.count_with_free(count), expected.len() as u32);
    }
    let present = (0..nodes).filter(|node| places.is_present(*node)).count() as u32;
    assert_eq!(places.gpus_present(), present * per_node);
    assert_eq!(places.gpus_free(), free.iter().map(|free| free.count_ones()).sum::<u32>());
    for held in all_held(places) {
        assert!(held.is_sorted_by(|a, b| a.node < b.node) && held.iter().all(|held| held.mask != 0), "{held:?}");
    }
    check_blocks(places, &free);
}

/// The free blocks of nodes, and the free groups of nodes.
fn check_blocks(places: &Places, free: &[u64]) {
    let whole = u64::MAX >> (64 - places.gpus_per_node());
    let sizes: Vec<Vec<u32>> =
        free.iter().map(|free| free_blocks(*free).iter().map(|b| b.count_ones()).collect()).collect();
    for size in (0..=6).map(|order| 1 << order) {
        let smallest = |sizes: &Vec<u32>| sizes.iter().copied().filter(|block| *block >= size).min();
        let on_node: Vec<Option<u32>> = sizes.iter().map(smallest).collect();
        let in_part = (0_u32..).zip(&on_node).zip(free).filter(|(_, free)| **free != whole);
        let expected = in_part.filter_map(|((node, size), _)| Some(((*size)?, node))).min();
        assert_eq!(places.node_for_block(size), expected.map(|(_, node)| node), "block of {size}");
    }
    let whole_nodes = (0..).zip(free).filter(|(_, free)| **free == whole).map(|(node, _)| 1_u64 << node).sum();
    let groups = free_blocks(whole_nodes);
    for size in (0..4).map(|order| 1 << order) {
        let enough = groups.iter().filter(|group| group.count_ones() >= size);
        let expected = enough.min_by_key(|group| (group.count_ones(), **group)).map(|group| group.trailing_zeros());
        assert_eq!(places.group_of_nodes(size), expected, "group of {size} nodes");
    }
}

/// The aligned blocks that a mask consists of, each as large as can be.
pub fn free_blocks(mask: u64) -> Vec<u64> {
    let mut rest = mask;
    let mut found = Vec::new();
    for block in (0..=6).rev().flat_map(blocks) {
        if rest & block == block {
            rest &= !block;
            found.push(block);
        }
    }
    found
}

/// All aligned blocks of `2^order` bits.
pub fn blocks(order: u32) -> impl Iterator<Item = u64> {
    let size = 1_u32 << order;
    (0..64 / size).map(move |at| (u64::MAX >> (64 - size)) << (at * size))
}
