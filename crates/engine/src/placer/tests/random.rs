//! Random clusters, random decisions, nodes that leave and come: what must hold after each.

use std::cmp::Reverse;

use proptest::prelude::*;

use super::naive::{self, JOBS};
use super::*;

/// What happens.
#[derive(Clone, Debug)]
enum Event {
    /// Jobs with the GPUs they should get, as far as there are so many.
    Decide(Vec<(u32, u32)>),
    /// A node leaves; jobs keep what they have elsewhere, or not.
    Leave(u32, bool),
    Come(u32),
}

#[derive(Clone, Debug)]
struct Story {
    nodes: u32,
    gpus_per_node: u32,
    events: Vec<Event>,
}

fn story(gpus_per_node: impl Strategy<Value = u32>) -> impl Strategy<Value = Story> {
    // Few jobs have room to grow.
    let jobs = prop_oneof![1..=4_u32, 5..=12_u32, Just(JOBS)];
    (1..=6_u32, gpus_per_node, jobs).prop_flat_map(|(nodes, gpus_per_node, jobs)| {
        let gpus = prop_oneof![
            1 => Just(0),
            5 => 1..=gpus_per_node.div_ceil(2),
            3 => 1..=gpus_per_node,
            3 => 1..=gpus_per_node * nodes,
        ];
        let decision = |many| prop::collection::vec((0..jobs, gpus.clone()), many).prop_map(Event::Decide);
        let event = prop_oneof![
            8 => decision(1..=1_usize),
            5 => decision(2..=6_usize),
            1 => (0..nodes, any::<bool>()).prop_map(|(node, shrink)| Event::Leave(node, shrink)),
            2 => (0..nodes).prop_map(Event::Come),
        ];
        prop::collection::vec(event, 1..25).prop_map(move |events| Story { nodes, gpus_per_node, events })
    })
}

fn any_gpus_per_node() -> impl Strategy<Value = u32> {
    prop_oneof![9 => 1..=9_u32, 1 => Just(64)]
}

/// A decision, with the places before and after.
struct Decision<'a> {
    before: &'a Places,
    after: &'a Places,
    wanted: &'a [(JobId, u32)],
}

impl Decision<'_> {
    /// Whether a decision is about a job.
    fn names(&self, job: JobId) -> bool {
        self.wanted.iter().any(|(named, _)| *named == job)
    }

    /// Jobs that it is not about and that are elsewhere after it.
    fn moved(&self) -> Vec<JobId> {
        let is_moved = |job: &JobId| !self.names(*job) && self.before.of(*job) != self.after.of(*job);
        (0..JOBS).map(JobId).filter(is_moved).collect()
    }
}

impl Story {
    /// Plays the story with GPUs rounded by `round`; after every decision everything is recounted and `check` is asked.
    fn play(&self, placement: Placement, round: fn(u32) -> u32, mut check: impl FnMut(&Decision<'_>)) {
        let cluster = Cluster::new(self.nodes, self.gpus_per_node).unwrap();
        let mut places = Places::new(&cluster, JOBS as usize);
        (0..self.nodes).for_each(|node| places.add_node(node));
        for event in &self.events {
            let before = places.clone();
            match event {
                Event::Come(node) if !places.is_present(*node) => places.add_node(*node),
                Event::Leave(node, shrink) if places.is_present(*node) => leave(&mut places, *node, *shrink),
                Event::Come(_) | Event::Leave(..) => {}
                Event::Decide(requests) => {
                    let wanted = affordable(&places, requests, round);
                    place(placement, &mut places, &wanted);
                    check_counts(&before, &places, &wanted);
                    check(&Decision { before: &before, after: &places, wanted: &wanted });
                }
            }
            check_touched(&before, &mut places);
            naive::check(&places);
        }
    }
}

/// Requests cut down to what the cluster has; without those that change nothing.
fn affordable(places: &Places, requests: &[(u32, u32)], round: fn(u32) -> u32) -> Vec<(JobId, u32)> {
    let mut wanted: Vec<(JobId, u32)> = Vec::new();
    for &(job, gpus) in requests {
        if wanted.iter().all(|(named, _)| *named != JobId(job)) {
            wanted.push((JobId(job), gpus));
        }
    }
    let mut budget = places.gpus_free() + wanted.iter().map(|(job, _)| places.gpus_of(*job)).sum::<u32>();
    for (_, gpus) in &mut wanted {
        *gpus = round(budget.min(*gpus));
        budget -= *gpus;
    }
    wanted.retain(|(job, gpus)| places.gpus_of(*job) != *gpus);
    wanted
}

fn leave(places: &mut Places, node: u32, shrink: bool) {
    for job in places.jobs_on(node).to_vec() {
        match shrink {
            true => places.give_back(job, Held { node, mask: u64::MAX }),
            false => drop(places.release(job)),
        }
    }
    places.remove_node(node);
}

/// Every job has its number.
fn check_counts(before: &Places, after: &Places, wanted: &[(JobId, u32)]) {
    for job in (0..JOBS).map(JobId) {
        let new = wanted.iter().find(|(named, _)| *named == job).map(|(_, gpus)| *gpus);
        assert_eq!(after.gpus_of(job), new.unwrap_or(before.gpus_of(job)), "{job:?} of {wanted:?}");
    }
}

/// Exactly those whose place is another are reported, with what they held.
fn check_touched(before: &Places, after: &mut Places) {
    let held = naive::all_held(before).into_iter().zip(naive::all_held(after));
    let changed = (0..).map(JobId).zip(held).filter(|(_, (before, after))| before != after);
    let expected: Vec<(JobId, Vec<Held>)> = changed.map(|(job, (before, _))| (job, before)).collect();
    assert_eq!(after.take_touched(), expected);
    assert_eq!(after.take_touched(), []);
}

fn power_of_two(gpus: u32) -> u32 {
    if gpus == 0 { 0 } else { 1 << gpus.ilog2() }
}

/// Whether all of `part` is among `of`.
fn is_part(part: &[Held], of: &[Held]) -> bool {
    part.iter().all(|held| of.iter().any(|other| other.node == held.node && other.mask & held.mask == held.mask))
}

/// A job that grows or shrinks keeps what it has.
fn check_kept(decision: &Decision<'_>) {
    assert_eq!(decision.moved(), []);
    for (job, gpus) in decision.wanted {
        let (before, after) = (decision.before.of(*job), decision.after.of(*job));
        match *gpus > decision.before.gpus_of(*job) {
            true => assert!(is_part(before, after), "{before:?} {after:?}"),
            false => assert!(is_part(after, before), "{before:?} {after:?}"),
        }
    }
}

/// The fewest nodes that have so many GPUs together, of all choices of nodes.
fn fewest_nodes(free: &[u32], gpus: u32) -> u32 {
    let has = |choice: u32| (0..).zip(free).filter(|(at, _)| choice >> at & 1 == 1).map(|(_, free)| free).sum::<u32>();
    (0..1_u32 << free.len()).filter(|choice| has(*choice) >= gpus).map(u32::count_ones).min().unwrap()
}

/// Free GPUs of all nodes, if each of `gpus` is taken one by one where most are free.
fn one_by_one(mut free: Vec<u32>, gpus: u32) -> Vec<u32> {
    for _ in 0..gpus {
        let most = *free.iter().max().unwrap();
        *free.iter_mut().find(|free| **free == most).unwrap() -= 1;
    }
    free
}

/// Free GPUs of all nodes, if a job gives back each of `gpus` one by one where fewest are free.
fn back_one_by_one(mut free: Vec<u32>, held: &[Held], gpus: u32) -> Vec<u32> {
    let mut left: Vec<(usize, u32)> = held.iter().map(|held| (held.node as usize, held.gpus())).collect();
    for _ in 0..gpus {
        let (node, gpus) =
            left.iter_mut().rev().filter(|(_, gpus)| *gpus > 0).min_by_key(|(node, _)| free[*node]).unwrap();
        *gpus -= 1;
        free[*node] += 1;
    }
    free
}

fn free_gpus(places: &Places) -> Vec<u32> {
    (0..places.nodes()).map(|node| places.free_on(node)).collect()
}

fn check_keep(decision: &Decision<'_>) {
    check_kept(decision);
    let &[(job, gpus)] = decision.wanted else { return };
    let own: Vec<u32> = decision.before.of(job).iter().map(|held| held.node).collect();
    let mut others = free_gpus(decision.before);
    let beside: u32 = own.iter().map(|node| std::mem::take(&mut others[*node as usize])).sum();
    if gpus > decision.before.gpus_of(job) {
        let more = gpus.saturating_sub(decision.before.gpus_of(job) + beside);
        assert_eq!(decision.after.of(job).len() as u32, own.len() as u32 + fewest_nodes(&others, more));
    }
}

fn check_pack(decision: &Decision<'_>) {
    assert_eq!(decision.moved(), []);
    let &[(job, gpus)] = decision.wanted else { return };
    let mut free = free_gpus(decision.before);
    decision.before.of(job).iter().for_each(|held| free[held.node as usize] += held.gpus());
    assert_eq!(decision.after.of(job).len() as u32, fewest_nodes(&free, gpus));
}

fn check_spread(decision: &Decision<'_>) {
    check_kept(decision);
    let &[(job, gpus)] = decision.wanted else { return };
    let (free, held) = (free_gpus(decision.before), decision.before.gpus_of(job));
    let expected = match gpus > held {
        true => one_by_one(free, gpus - held),
        false => back_one_by_one(free, decision.before.of(job), held - gpus),
    };
    assert_eq!(free_gpus(decision.after), expected);
}

/// What `buddy` guarantees: whole nodes, and an aligned block for each power of two in the rest. And no job moves
/// without need.
fn check_buddy(decision: &Decision<'_>) {
    let per_node = decision.after.gpus_per_node();
    for job in (0..JOBS).map(JobId) {
        let blocks = decision.after.of(job).iter().flat_map(|held| naive::free_blocks(held.mask));
        let mut sizes: Vec<u32> = blocks.map(u64::count_ones).collect();
        sizes.sort_unstable_by_key(|size| Reverse(*size));
        assert_eq!(sizes, blocks_of(decision.after.gpus_of(job), per_node), "{:?}", decision.after.of(job));
    }
    let &[(job, gpus)] = decision.wanted else { return };
    let mut free = decision.before.clone();
    free.release(job);
    let mut masks: Vec<u64> = (0..free.nodes()).map(|node| free.free_mask(node)).collect();
    if blocks_of(gpus, per_node).into_iter().all(|size| take_block(&mut masks, size)) {
        assert_eq!(decision.moved(), []);
    }
}

/// The sizes of the blocks that a job should have.
fn blocks_of(gpus: u32, per_node: u32) -> Vec<u32> {
    let rest = (0..6).rev().map(|order| (gpus % per_node) & (1 << order)).filter(|size| *size > 0);
    (0..gpus / per_node).map(|_| per_node).chain(rest).collect()
}

/// Takes an aligned block anywhere; false if there is none. Blocks of falling sizes that go in at all go in this way,
/// because each leaves as many smaller ones wherever it is.
fn take_block(masks: &mut [u64], size: u32) -> bool {
    let block_in = |mask: u64| naive::blocks(size.ilog2()).find(|block| mask & block == *block);
    let found = masks.iter_mut().find_map(|mask| Some((block_in(*mask)?, mask)));
    found.map(|(block, mask)| *mask &= !block).is_some()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn keep_stays_and_adds_the_fewest_nodes(story in story(any_gpus_per_node())) {
        story.play(Placement::Keep, |gpus| gpus, check_keep);
    }

    #[test]
    fn pack_takes_the_fewest_nodes(story in story(any_gpus_per_node())) {
        story.play(Placement::Pack, |gpus| gpus, check_pack);
    }

    #[test]
    fn spread_is_as_even_as_one_by_one(story in story(any_gpus_per_node())) {
        story.play(Placement::Spread, |gpus| gpus, check_spread);
    }

    #[test]
    fn buddy_gives_aligned_blocks(story in story((0..=6_u32).prop_map(|order| 1 << order)), powers in any::<bool>()) {
        story.play(Placement::Buddy, if powers { power_of_two } else { |gpus| gpus }, check_buddy);
    }

    #[test]
    fn buddy_gives_every_job_its_number(story in story(any_gpus_per_node())) {
        story.play(Placement::Buddy, |gpus| gpus, |_| {});
    }
}
