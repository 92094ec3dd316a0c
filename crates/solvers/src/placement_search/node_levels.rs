//! Nodes by their number of free GPUs.

use super::Places;

/// Free GPUs of every node, and a set of nodes for each number of free GPUs: what fits where is found without looking
/// at every node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NodeLevels {
    free: Vec<u16>,
    /// Jobs on several nodes that are on this one.
    spread: Vec<u16>,
    /// Whether at most one job on several nodes may be on a node.
    apart: bool,
    words: usize,
    /// Sets of nodes, a bit for each node, by number of free GPUs.
    sets: Vec<u64>,
    /// How many nodes have so many GPUs free.
    counts: Vec<u32>,
    /// Nodes that are open to a further job on several nodes.
    open: Vec<u64>,
    /// The most free GPUs of a node.
    largest: usize,
    open_extent: OpenExtent,
}

/// Free GPUs on nodes that are open to a job on several nodes, and the number of nodes that have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OpenExtent {
    pub gpus: usize,
    pub nodes: usize,
}

impl OpenExtent {
    fn add(&mut self, gpus: u16) {
        self.gpus += usize::from(gpus);
        self.nodes += usize::from(gpus > 0);
    }

    fn remove(&mut self, gpus: u16) {
        self.gpus -= usize::from(gpus);
        self.nodes -= usize::from(gpus > 0);
    }
}

/// GPUs that a job could have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach {
    /// On one node.
    pub largest: usize,
    /// On all nodes that are open to a job on several.
    pub open: OpenExtent,
}

const WORD: usize = u64::BITS as usize;

impl NodeLevels {
    /// All GPUs are free.
    pub fn new(node_gpus: &[u16], apart: bool) -> Self {
        let largest = node_gpus.iter().copied().max().map_or(0, usize::from);
        let words = node_gpus.len().div_ceil(WORD);
        let mut levels = Self {
            free: node_gpus.to_vec(),
            spread: vec![0; node_gpus.len()],
            apart,
            words,
            sets: vec![0; words * (largest + 1)],
            counts: vec![0; largest + 1],
            open: vec![0; words],
            largest,
            open_extent: OpenExtent::default(),
        };
        for (node, &gpus) in node_gpus.iter().enumerate() {
            levels.sets[usize::from(gpus) * words + node / WORD] |= 1 << (node % WORD);
            levels.counts[usize::from(gpus)] += 1;
            levels.open[node / WORD] |= 1 << (node % WORD);
            levels.open_extent.add(gpus);
        }
        levels
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.free.len()
    }

    pub fn free(&self, node: usize) -> u16 {
        self.free[node]
    }

    /// Whether a job that is on this node, on several nodes if `is_spread`, could be on it as one of several.
    pub fn is_open(&self, node: usize, is_spread: bool) -> bool {
        !self.apart || self.spread[node] == u16::from(is_spread)
    }

    /// Takes free GPUs of a node for a job, which is on several nodes or not.
    pub fn take(&mut self, node: usize, gpus: u16, is_spread: bool) {
        let left = self.free[node].saturating_sub(gpus);
        if is_spread {
            self.spread[node] += 1;
        }
        self.set_free(node, left, is_spread && self.spread[node] == 1);
    }

    /// Gives GPUs of a node back that were taken.
    pub fn release(&mut self, node: usize, gpus: u16, is_spread: bool) {
        if is_spread {
            self.spread[node] -= 1;
        }
        self.set_free(node, self.free[node] + gpus, is_spread && self.spread[node] == 0);
    }

    /// Notes the free GPUs of a node. `turns`: whether it opens if it was closed, and the other way round.
    fn set_free(&mut self, node: usize, gpus: u16, turns: bool) {
        let (word, bit) = (node / WORD, 1_u64 << (node % WORD));
        let before = std::mem::replace(&mut self.free[node], gpus);
        if self.open[word] & bit != 0 {
            self.open_extent.remove(before);
        }
        if turns && self.apart {
            self.open[word] ^= bit;
        }
        if self.open[word] & bit != 0 {
            self.open_extent.add(gpus);
        }
        let (from, to) = (usize::from(before), usize::from(gpus));
        self.sets[from * self.words + word] &= !bit;
        self.sets[to * self.words + word] |= bit;
        self.counts[from] -= 1;
        self.counts[to] += 1;
        self.largest = self.largest.max(to);
        while self.largest > 0 && self.counts[self.largest] == 0 {
            self.largest -= 1;
        }
    }

    /// What a job could have that is at these places now.
    pub fn reach(&self, places: &Places) -> Reach {
        let mut reach = Reach { largest: self.largest, open: self.open_extent };
        let is_spread = places.len() > 1;
        for &(node, here) in places {
            let free = self.free[node];
            reach.largest = reach.largest.max(usize::from(free + here));
            if self.is_open(node, is_spread) {
                // Its free GPUs are counted already, unless it is this job that closes the node.
                if !(is_spread && self.apart) {
                    reach.open.remove(free);
                }
                reach.open.add(free + here);
            }
        }
        reach
    }

    /// The first of the fullest nodes that have so many GPUs free.
    pub fn fullest(&self, gpus: usize) -> Option<usize> {
        let level = (gpus..=self.largest).find(|level| self.counts[*level] > 0)?;
        self.first(self.set(level))
    }

    /// How many nodes have so many GPUs free.
    pub fn count(&self, gpus: usize) -> u32 {
        self.counts.get(gpus..=self.largest).map_or(0, |counts| counts.iter().sum())
    }

    /// One of these nodes, by its place among them.
    pub fn nth(&self, gpus: usize, place: u32) -> Option<usize> {
        let mut left = place;
        for word in 0..self.words {
            let mut bits = (gpus..=self.largest).fold(0, |bits, level| bits | self.sets[level * self.words + word]);
            if bits.count_ones() <= left {
                left -= bits.count_ones();
                continue;
            }
            for _ in 0..left {
                bits &= bits - 1;
            }
            return Some(word * WORD + bits.trailing_zeros() as usize);
        }
        None
    }

    /// Nodes with free GPUs that are open to a job on several nodes, in their order, with their free GPUs.
    pub fn open_nodes(&self, found: &mut Vec<(u16, usize)>) {
        found.clear();
        let all = self.open.iter().zip(self.set(0));
        for (word, (open, full)) in all.enumerate() {
            for node in nodes_of(word, open & !full) {
                found.push((self.free[node], node));
            }
        }
    }

    /// Places on open nodes, the emptiest first, so that they are few; the rest on the fullest node that has it. There
    /// are at least two open nodes, with at least so many GPUs together.
    pub fn fill(&self, gpus: usize, places: &mut Places) {
        let mut left = gpus;
        for level in (1..=self.largest).rev() {
            for (word, (open, set)) in self.open.iter().zip(self.set(level)).enumerate() {
                for node in nodes_of(word, open & set) {
                    if !places.is_empty() && level >= left {
                        places.push((self.last_of_fullest(left).unwrap_or(node), left as u16));
                        return;
                    }
                    // All on one node would not be several.
                    let here = level.min(if places.is_empty() { gpus - 1 } else { left });
                    places.push((node, here as u16));
                    left -= here;
                }
            }
        }
    }

    /// The last of the fullest open nodes that have so many GPUs free.
    fn last_of_fullest(&self, gpus: usize) -> Option<usize> {
        let last = |level: usize| {
            let words = self.open.iter().zip(self.set(level)).enumerate().rev();
            let mut sets = words.map(|(word, (open, set))| (word, open & set));
            let (word, bits) = sets.find(|(_, bits)| *bits != 0)?;
            Some(word * WORD + bits.ilog2() as usize)
        };
        (gpus..=self.largest).find_map(last)
    }

    fn set(&self, level: usize) -> &[u64] {
        self.sets.get(level * self.words..(level + 1) * self.words).unwrap_or_default()
    }

    fn first(&self, set: &[u64]) -> Option<usize> {
        let (word, bits) = set.iter().enumerate().find(|(_, bits)| **bits != 0)?;
        Some(word * WORD + bits.trailing_zeros() as usize)
    }
}

/// The nodes of a word of a set, in their order.
fn nodes_of(word: usize, mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let node = (bits != 0).then(|| word * WORD + bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(node)
    })
}
