//! A set of nodes with constant-time access to its first member.

/// A set of nodes: a bit a node, and a bit for each 64 of them.
#[derive(Clone, Debug)]
pub(crate) struct NodeSet {
    words: Vec<u64>,
    /// Which words are not 0.
    filled: Vec<u64>,
    len: u32,
}

impl NodeSet {
    /// An empty set of nodes below `nodes`.
    pub fn new(nodes: u32) -> Self {
        let words = nodes.div_ceil(64);
        Self { words: vec![0; words as usize], filled: vec![0; words.div_ceil(64) as usize], len: 0 }
    }

    pub fn len(&self) -> u32 {
        self.len
    }

    /// Adds a node; returns false if it is a member already or beyond the range.
    pub fn insert(&mut self, node: u32) -> bool {
        let (at, bit) = (node / 64, 1_u64 << (node % 64));
        let Some(word) = self.words.get_mut(at as usize).filter(|word| **word & bit == 0) else { return false };
        *word |= bit;
        if let Some(filled) = self.filled.get_mut(at as usize / 64) {
            *filled |= 1 << (at % 64);
        }
        self.len += 1;
        true
    }

    /// Removes a node; returns false if it is no member.
    pub fn remove(&mut self, node: u32) -> bool {
        let (at, bit) = (node / 64, 1_u64 << (node % 64));
        let Some(word) = self.words.get_mut(at as usize).filter(|word| **word & bit != 0) else { return false };
        *word &= !bit;
        if *word == 0
            && let Some(filled) = self.filled.get_mut(at as usize / 64)
        {
            *filled &= !(1 << (at % 64));
        }
        self.len -= 1;
        true
    }

    /// The nodes in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let words = (0..).zip(&self.filled).flat_map(|(at, filled)| bits(*filled).map(move |bit| at * 64 + bit));
        words.flat_map(|at| {
            let word = self.words.get(at as usize).copied().unwrap_or(0);
            bits(word).map(move |bit| at * 64 + bit)
        })
    }
}

/// Positions of the bits that are set, from the lowest.
fn bits(word: u64) -> impl Iterator<Item = u32> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let lowest = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(lowest)
    })
}
