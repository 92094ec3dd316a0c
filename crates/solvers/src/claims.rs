//! How many claims on a supply that comes over time can be met, when each may be met in part.
//!
//! A claim wants an amount between two times. What is supplied may be divided at will among the claims whose time it
//! is. [`meet`] finds the shares, each from 0 to 1, whose sum is greatest: no more claims than that can be met in full.
//!
//! What can be given to all claims together is a polymatroid, and a claim's share is worth the more the smaller its
//! amount. So the greedy choice is optimal: the smallest claim first, each as much as is still possible. Looking at all
//! windows for every claim would take cubic time. Instead claims are taken from the last beginning to the first, each
//! at first in full. With a window that begins before all others, only windows that begin with it can be asked for too
//! much; in the shortest one that is, the largest claim is cut. That is the greedy choice in another order, and takes
//! the number of claims times its logarithm.
//!
//! ```
//! use elastiplan_solvers::{Claim, meet};
//!
//! // One unit a second. The first two claims fit; of the third, which lies within the same 10 s, 2 of 8 are left.
//! let claims = [(0.0, 10.0, 5.0), (2.0, 6.0, 3.0), (0.0, 10.0, 8.0)];
//! let claims = claims.map(|(from, until, amount)| Claim { from, until, amount });
//! assert_eq!(meet(&claims, |time| time), [1.0, 1.0, 0.25]);
//! ```

use elastiplan_model::order::{rising_bits, sort_by_number, sort_by_rank};

/// A claim on an amount of the supply between two times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    /// Nothing before it is of use.
    pub from: f64,
    /// Nothing after it is of use.
    pub until: f64,
    /// The claimed amount, above 0.
    pub amount: f64,
}

/// The shares of the claims, in their order, of which the sum is greatest.
///
/// `supplied` gives what is supplied until a time: it never falls, and only its differences count. Claims that can
/// never be met in part or whole, because of what they are (`until` not above `from`, an amount that is no number
/// above 0), get 0. Differences below about a part in 10¹² of the whole supply are taken for rounding errors, in favour
/// of the claims.
pub fn meet(claims: &[Claim], supplied: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut shares = vec![0.0; claims.len()];
    let is_claim = |claim: &Claim| claim.until > claim.from && claim.amount > 0.0 && claim.amount.is_finite();
    let mut by_end: Vec<(usize, &Claim)> = claims.iter().enumerate().filter(|(_, claim)| is_claim(claim)).collect();
    sort_by_number(&mut by_end, |(_, claim)| claim.until);
    let Some(&(_, last)) = by_end.last() else { return shares };
    let first = by_end.iter().map(|(_, claim)| claim.from).fold(f64::INFINITY, f64::min);
    let before = supplied(first);
    let supplied = |time: f64| supplied(time) - before;
    let tolerance = 1e-12 * supplied(last.until);

    let mut spare = Spare::new(by_end.iter().map(|(_, claim)| supplied(claim.until)));
    let mut largest = Largest::new(by_end.len());
    let mut given = vec![0.0; by_end.len()];
    let mut latest_first: Vec<usize> = (0..by_end.len()).collect();
    let from = |at: &usize| by_end.get(*at).map_or(0.0, |(_, claim)| claim.from);
    sort_by_rank(&mut latest_first, |at| !rising_bits(from(at)));
    for at in latest_first {
        let Some((_, claim)) = by_end.get(at) else { continue };
        let until_now = supplied(claim.from);
        if let Some(given) = given.get_mut(at) {
            *given = claim.amount;
        }
        largest.put(at, claim.amount);
        spare.add_from(at, -claim.amount);
        while let Some((end, left)) = spare.first_below(at, until_now - tolerance) {
            let Some(cut) = largest.up_to(end) else { break };
            let Some(given) = given.get_mut(cut) else { break };
            let too_much = until_now - left;
            let less = too_much.min(*given);
            *given -= less;
            spare.add_from(cut, less);
            if less < too_much || *given <= 0.0 {
                largest.put(cut, f64::NEG_INFINITY);
            }
        }
    }
    for ((index, claim), given) in by_end.iter().zip(given) {
        if let Some(share) = shares.get_mut(*index) {
            *share = given / claim.amount;
        }
    }
    shares
}

/// For every end of a claim, in order: what is supplied until then, less what was given to claims that end by then.
/// Adding to all from one place on, and finding the first that is too small, take logarithmic time.
struct Spare {
    /// Leaves of the tree, a power of two.
    width: usize,
    /// The least value below each inner node or leaf, without what was added above it.
    least: Vec<f64>,
    /// What was added to everything below.
    added: Vec<f64>,
}

impl Spare {
    fn new(values: impl ExactSizeIterator<Item = f64>) -> Self {
        let width = values.len().next_power_of_two();
        let mut least = vec![f64::INFINITY; 2 * width];
        for (leaf, value) in least.iter_mut().skip(width).zip(values) {
            *leaf = value;
        }
        let mut tree = Self { width, least, added: vec![0.0; 2 * width] };
        for node in (1..width).rev() {
            tree.refresh(node);
        }
        tree
    }

    fn at(&self, node: usize) -> f64 {
        let (least, added) = (self.least.get(node), self.added.get(node));
        least.copied().unwrap_or(f64::INFINITY) + added.copied().unwrap_or(0.0)
    }

    fn refresh(&mut self, node: usize) {
        let below = self.at(2 * node).min(self.at(2 * node + 1));
        if let Some(least) = self.least.get_mut(node) {
            *least = below;
        }
    }

    /// Adds to this place and all after it.
    fn add_from(&mut self, place: usize, amount: f64) {
        let mut node = self.width + place;
        let mut raise = |node: usize| {
            if let Some(added) = self.added.get_mut(node) {
                *added += amount;
            }
        };
        raise(node);
        let mut path = node;
        while path > 1 {
            if path.is_multiple_of(2) {
                raise(path + 1);
            }
            path /= 2;
        }
        while node > 1 {
            node /= 2;
            self.refresh(node);
        }
    }

    /// The first place from `place` on whose value is below `limit`, with the value.
    fn first_below(&self, place: usize, limit: f64) -> Option<(usize, f64)> {
        // What was added above the node that is looked at.
        let above = |mut node: usize| {
            let mut sum = 0.0;
            while node > 1 {
                node /= 2;
                sum += self.added.get(node).copied().unwrap_or(0.0);
            }
            sum
        };
        let mut node = self.width + place;
        let mut sum = above(node);
        // Up, until the node covers places of interest only and one of them is below the limit.
        while self.at(node) + sum >= limit {
            while !node.is_multiple_of(2) {
                node /= 2;
            }
            if node == 0 {
                return None;
            }
            node += 1;
            sum = above(node);
        }
        while node < self.width {
            sum += self.added.get(node).copied().unwrap_or(0.0);
            node *= 2;
            if self.at(node) + sum >= limit {
                node += 1;
            }
        }
        Some((node - self.width, self.at(node) + sum))
    }
}

/// The largest claims that can still be cut, by their ends.
struct Largest {
    width: usize,
    /// The place of the largest below each node; `None` where nothing can be cut.
    place: Vec<Option<usize>>,
    amount: Vec<f64>,
}

impl Largest {
    fn new(len: usize) -> Self {
        let width = len.next_power_of_two();
        Self { width, place: vec![None; 2 * width], amount: vec![f64::NEG_INFINITY; len] }
    }

    fn larger(&self, a: Option<usize>, b: Option<usize>) -> Option<usize> {
        let amount = |place: Option<usize>| place.and_then(|place| self.amount.get(place)).copied();
        if amount(b) > amount(a) { b } else { a }
    }

    /// Sets the amount at a place; negative infinity: it cannot be cut.
    fn put(&mut self, place: usize, amount: f64) {
        if let Some(kept) = self.amount.get_mut(place) {
            *kept = amount;
        }
        let mut node = self.width + place;
        let mut largest = (amount > 0.0).then_some(place);
        loop {
            if let Some(kept) = self.place.get_mut(node) {
                *kept = largest;
            }
            if node <= 1 {
                return;
            }
            node /= 2;
            let child = |child: usize| self.place.get(child).copied().flatten();
            largest = self.larger(child(2 * node), child(2 * node + 1));
        }
    }

    /// The place of the largest up to and with `place`.
    fn up_to(&self, place: usize) -> Option<usize> {
        let mut node = self.width + place;
        let mut largest = self.place.get(node).copied().flatten();
        while node > 1 {
            if !node.is_multiple_of(2) {
                largest = self.larger(largest, self.place.get(node - 1).copied().flatten());
            }
            node /= 2;
        }
        largest
    }
}
