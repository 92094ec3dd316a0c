//! One sort for every type.
//!
//! The standard library's sort is compiled anew for every type and order, about 5 kB of code each, all of which a
//! visitor of the page fetches. Here, positions are sorted by three functions that are compiled once: by comparison
//! ([`sort_by`], [`sort_by_key`]) for lists that are sorted rarely, and by number ([`sort_by_rank`],
//! [`sort_by_wide_rank`], [`sort_by_number`], [`by_number`]) for those that are sorted often or are long. All are
//! stable, and short lists are sorted in place without allocating.
//!
//! ```
//! use elastiplan_model::order;
//!
//! let mut jobs = vec![("b", 2.5), ("a", 1.0), ("c", 1.0)];
//! order::sort_by_number(&mut jobs, |job| job.1);
//! assert_eq!(jobs, [("a", 1.0), ("c", 1.0), ("b", 2.5)]);
//! ```

use std::cmp::Ordering;

/// Up to this length a list is sorted by insertion, which needs no memory.
const SHORT: usize = 16;

/// Sorts as [`slice::sort_by`] does: items that are equal stay in the order in which they came.
pub fn sort_by<T>(items: &mut [T], mut order: impl FnMut(&T, &T) -> Ordering) {
    if items.len() <= SHORT {
        return insert_each(items, |a, b| order(a, b).is_gt());
    }
    let positions = {
        let items: &[T] = items;
        sorted_positions(items.len(), &mut |a, b| order(&items[a], &items[b]))
    };
    arrange(items, positions);
}

/// Sorts as [`slice::sort_by_key`] does.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts by a whole number, the smallest first; items of one rank stay in the order in which they came. Long lists take
/// little more than half the time of a sort by comparison, since no two pairs of rank and position are equal.
pub fn sort_by_rank<T>(items: &mut [T], rank: impl FnMut(&T) -> u64) {
    sort_by_rank_with(items, rank, sort_keys);
}

/// Sorts by a whole number of up to 128 bits, such as two numbers of 64 bits one after the other; otherwise as
/// [`sort_by_rank`].
pub fn sort_by_wide_rank<T>(items: &mut [T], rank: impl FnMut(&T) -> u128) {
    sort_by_rank_with(items, rank, sort_wide_keys);
}

/// Sorts by rank, with `sort` for the ranks and positions of a long list.
fn sort_by_rank_with<T, R: Copy + Default + Ord>(
    items: &mut [T],
    rank: impl FnMut(&T) -> R,
    sort: fn(&mut [(R, u32)]),
) {
    if items.len() <= SHORT {
        return insert_by_rank(items, rank);
    }
    let mut keys: Vec<(R, u32)> = items.iter().map(rank).zip(0..).collect();
    if !keys.is_sorted() {
        sort(&mut keys);
        arrange(items, keys.into_iter().map(|(_, at)| at as usize).collect());
    }
}

/// Sorts by a number in the order of [`f64::total_cmp`]; items of one number stay in the order in which they came.
pub fn sort_by_number<T>(items: &mut [T], mut number: impl FnMut(&T) -> f64) {
    sort_by_rank(items, |item| rising_bits(number(item)));
}

/// Items in the order of a number, as [`f64::total_cmp`] has it; equal ones in the order in which they came.
pub fn by_number<T>(items: &[T], number: impl Fn(&T) -> f64) -> Vec<&T> {
    let mut keys: Vec<(u64, u32)> = items.iter().map(|item| rising_bits(number(item))).zip(0..).collect();
    sort_keys(&mut keys);
    keys.into_iter().filter_map(|(_, at)| items.get(at as usize)).collect()
}

/// Items in the order of an index below `bound`, such as a job's or a node's; items of one index stay in the order in
/// which they came. Counts instead of comparing, in time that is linear in the number of items.
pub fn by_index<T: Copy>(items: Vec<T>, bound: usize, index: impl Fn(&T) -> usize) -> Vec<T> {
    let index = |item: &T| index(item).min(bound);
    // Jobs that run one after the other leave a record in order: it is not copied.
    if items.is_sorted_by_key(&index) {
        return items;
    }
    let mut next = vec![0; bound + 2];
    for item in &items {
        next[index(item) + 1] += 1;
    }
    for at in 1..next.len() {
        next[at] += next[at - 1];
    }
    let mut sorted = items.clone();
    for item in items {
        let place = &mut next[index(&item)];
        sorted[*place] = item;
        *place += 1;
    }
    sorted
}

/// A whole number that rises with a number, in the order of [`f64::total_cmp`].
pub fn rising_bits(number: f64) -> u64 {
    let bits = number.to_bits();
    if number.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

/// The rank of a number, in the order of [`f64::total_cmp`], and of a whole number among equal ones, for
/// [`sort_by_wide_rank`].
pub fn wide_rank(number: f64, then: u64) -> u128 {
    u128::from(rising_bits(number)) << 64 | u128::from(then)
}

/// A number in its total order ([`f64::total_cmp`]), for keys that are compared.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f64);

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

/// Sorts a short list by inserting each item among those before it.
fn insert_each<T>(items: &mut [T], mut is_after: impl FnMut(&T, &T) -> bool) {
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && is_after(&items[at - 1], &items[at]) {
            items.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Sorts a short list by numbers, each of which is computed once.
fn insert_by_rank<T, R: Copy + Default + Ord>(items: &mut [T], mut rank: impl FnMut(&T) -> R) {
    let mut ranks = [R::default(); SHORT];
    for end in 0..items.len().min(SHORT) {
        ranks[end] = rank(&items[end]);
        let mut at = end;
        while at > 0 && ranks[at - 1] > ranks[at] {
            items.swap(at - 1, at);
            ranks.swap(at - 1, at);
            at -= 1;
        }
    }
}

#[inline(never)]
#[allow(clippy::disallowed_methods, reason = "compiled once")]
fn sort_keys(keys: &mut [(u64, u32)]) {
    keys.sort();
}

#[inline(never)]
#[allow(clippy::disallowed_methods, reason = "compiled once")]
fn sort_wide_keys(keys: &mut [(u128, u32)]) {
    keys.sort();
}

/// For each position of the sorted items, where its item is now.
#[inline(never)]
#[allow(clippy::disallowed_methods, reason = "compiled once")]
fn sorted_positions(count: usize, order: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..count).collect();
    positions.sort_by(|a, b| order(*a, *b));
    positions
}

/// Moves each item to the position that names it: along each cycle, every item is swapped with the one that belongs
/// there.
fn arrange<T>(items: &mut [T], mut positions: Vec<usize>) {
    for first in 0..items.len() {
        let mut at = first;
        loop {
            let from = std::mem::replace(&mut positions[at], at);
            if from == first || from == at {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "compared with the standard library's sort")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(keys in prop::collection::vec(0_u8..20, 0..60)) {
            let mut items: Vec<(u8, String)> = keys.into_iter().zip((0..).map(|at: u32| at.to_string())).collect();
            let mut naive = items.clone();
            naive.sort_by_key(|(key, _)| *key);
            sort_by_key(&mut items, |(key, _)| *key);
            prop_assert_eq!(&items, &naive);
            naive.sort_by(|a, b| b.1.cmp(&a.1));
            sort_by(&mut items, |a, b| b.1.cmp(&a.1));
            prop_assert_eq!(&items, &naive);
            naive.sort_by_key(|(key, _)| *key);
            let by_reference: Vec<&(u8, String)> = items.iter().collect();
            let by_index = by_index(by_reference, 19, |(key, _)| usize::from(*key));
            prop_assert_eq!(by_index, naive.iter().collect::<Vec<_>>());
            sort_by_rank(&mut items, |(key, _)| u64::from(*key));
            prop_assert_eq!(&items, &naive);
            naive.sort_by_key(|(key, _)| std::cmp::Reverse((key % 3, *key)));
            sort_by_wide_rank(&mut items, |(key, _)| !(u128::from(key % 3) << 64 | u128::from(*key)));
            prop_assert_eq!(items, naive);
        }

        #[test]
        fn numbers_come_in_their_total_order(
            numbers in prop::collection::vec(prop_oneof![prop::num::f64::ANY, (-3_i8..3).prop_map(f64::from)], 0..60),
        ) {
            let items: Vec<(f64, usize)> = numbers.into_iter().zip(0..).collect();
            let mut naive: Vec<&(f64, usize)> = items.iter().collect();
            naive.sort_by(|a, b| a.0.total_cmp(&b.0));
            let places = |items: Vec<&(f64, usize)>| items.into_iter().map(|item| item.1).collect::<Vec<_>>();
            let naive = places(naive);
            prop_assert_eq!(places(by_number(&items, |item| item.0)), &naive[..]);
            let mut sorted = items.clone();
            sort_by_number(&mut sorted, |item| item.0);
            prop_assert_eq!(places(sorted.iter().collect()), naive);
        }
    }
}
