//! The sets behind places, beside naive ones.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::blocks::FreeBlocks;
use super::node_set::NodeSet;
use super::*;

/// Aligned blocks of `2^order` bits.
fn blocks(order: u32) -> impl Iterator<Item = u64> {
    (0..64_u32 >> order).map(move |at| first_gpus(1 << order) << (at << order))
}

/// How tight a block is, from the inside out: free GPUs in it, in the one of double size around it, and so on.
fn tightness(free: u64, block: u64) -> Vec<u32> {
    let order = block.count_ones().ilog2();
    let around = (order..=6).flat_map(|order| blocks(order).find(|around| around & block == block));
    around.map(|around| (free & around).count_ones()).collect()
}

fn check_chosen(free: u64, count: u32) {
    let chosen = choose_gpus(free, count);
    assert_eq!(chosen & !free, 0);
    assert_eq!(chosen.count_ones(), count.min(free.count_ones()));
    if count == 0 || count > free.count_ones() {
        return;
    }
    let has_enough = |block: &u64| (free & block).count_ones() >= count;
    let smallest = (0..=6).find(|order| blocks(*order).any(|block| has_enough(&block))).unwrap();
    let enough = blocks(smallest).filter(has_enough);
    let best = enough.min_by_key(|block| tightness(free, *block)).unwrap();
    assert_eq!(chosen & !best, 0, "{free:b}: {count} are in {best:b}, not in {chosen:b}");
}

#[test]
fn gpus_are_chosen_close_together() {
    let chosen = |free: u64, count| format!("{:08b}", choose_gpus(free, count));
    assert_eq!(chosen(0b1111_0101, 1), "00000001");
    assert_eq!(chosen(0b1111_0101, 2), "00110000");
    assert_eq!(chosen(0b1111_0101, 3), "01110000");
    assert_eq!(chosen(0b1111_0101, 5), "11110001");
    assert_eq!(chosen(0b0001_0111, 1), "00010000");
    assert_eq!(chosen(0b0001_0111, 2), "00000011");
    assert_eq!(chosen(0b0110_0110, 2), "00000110");
    assert_eq!(chosen(0b0110_0110, 9), "01100110");
    assert_eq!(choose_gpus(u64::MAX, 64), u64::MAX);
    assert_eq!(choose_gpus(u64::MAX, 63), u64::MAX >> 1);
    assert_eq!(choose_gpus(u64::MAX, 0), 0);
    assert_eq!(choose_gpus(1 << 63, 1), 1 << 63);
    assert_eq!(choose_gpus(0, 1), 0);
}

#[test]
fn all_masks_of_eight_gpus() {
    for free in 0..256 {
        (0..=9).for_each(|count| check_chosen(free, count));
    }
}

/// Two nodes of 4 GPUs, the first of them there; job 0 holds 2 GPUs of it.
fn small() -> Places {
    let mut places = Places::new(&Cluster::new(2, 4).unwrap(), 2);
    places.add_node(0);
    places.take(JobId(0), Held { node: 0, mask: 0b0011 });
    places.take_touched();
    places
}

#[test]
fn a_place_that_is_the_same_again_is_not_reported() {
    let mut places = small();
    for held in places.release(JobId(0)) {
        places.take(JobId(0), held);
    }
    places.give_back(JobId(0), Held { node: 0, mask: 0b1100 });
    places.give_back(JobId(0), Held { node: 1, mask: 0b1111 });
    places.give_back(JobId(1), Held { node: 0, mask: 0b1111 });
    assert_eq!(places.release(JobId(1)), []);
    assert_eq!(places.take_touched(), []);
}

#[test]
fn occupied_gpus_are_not_taken() {
    let refused = |job, node, mask| {
        let mut places = small();
        places.invariants.never_panic = true;
        places.take(JobId(job), Held { node, mask });
        assert!(places.invariants.first_broken().is_some());
        assert_eq!((places.gpus_free(), places.free_mask(0)), (2, 0b1100));
        assert_eq!(places.take_touched(), []);
    };
    refused(1, 0, 0b0110);
    refused(1, 0, 0b1_0000);
    refused(1, 1, 0b0001);
    refused(1, 2, 0b0001);
    refused(2, 0, 0b0100); // There is no such job.
    let mut places = small();
    places.take(JobId(1), Held { node: 1, mask: 0 });
    assert_eq!(places.take_touched(), []);
}

#[test]
fn nodes_come_and_go_once() {
    let mut places = small();
    places.invariants.never_panic = true;
    places.add_node(0);
    places.add_node(2);
    places.remove_node(1);
    assert_eq!((places.gpus_present(), places.gpus_free()), (4, 2));
    places.release(JobId(0));
    places.remove_node(0);
    places.remove_node(0);
    assert_eq!((places.gpus_present(), places.gpus_free(), places.group_of_nodes(1)), (0, 0, None));
    assert_eq!(places.nodes_with_free(0).count(), 0);
    assert!(places.invariants.first_broken().is_some());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn gpus_of_large_nodes(a in any::<u64>(), b in any::<u64>(), count in 0..=64_u32) {
        for free in [a, a | b, a & b] {
            check_chosen(free, count);
        }
    }

    #[test]
    fn node_sets_are_sets(nodes in prop_oneof![1..200_u32, 1..20_000_u32], changes in prop::collection::vec((any::<u32>(), any::<bool>()), 0..200)) {
        let (mut set, mut naive) = (NodeSet::new(nodes), BTreeSet::new());
        for (node, add) in changes {
            let node = node % nodes.min(100 + node % 2 * 20_000);
            match add {
                true => assert_eq!(set.insert(node), naive.insert(node)),
                false => assert_eq!(set.remove(node), naive.remove(&node)),
            }
            assert_eq!(set.len() as usize, naive.len());
        }
        assert!(set.iter().eq(naive));
    }

    /// Free groups, beside a search through all aligned groups.
    #[test]
    fn groups_are_as_large_as_they_can_be(nodes in 1..300_u32, changes in prop::collection::vec(any::<u32>(), 0..40)) {
        let mut blocks = FreeBlocks::new(nodes, 1);
        let mut free = vec![false; nodes as usize];
        let all = 0..nodes;
        for node in all.chain(changes.into_iter().map(|node| node % nodes)) {
            let is_free = free[node as usize];
            blocks.change(node, u64::from(is_free), u64::from(!is_free));
            free[node as usize] = !is_free;
        }
        let group = |order: u32, at: usize| free.get(at << order..(at + 1) << order).is_some_and(|group| group.iter().all(|free| *free));
        for order in 0..9 {
            let alone = |order: u32| (0..nodes as usize).find(|at| group(order, *at) && !group(order + 1, at / 2)).map(|at| (at as u32) << order);
            assert_eq!(blocks.group_for(order), (order..10).find_map(alone), "2^{order} nodes");
        }
    }
}
