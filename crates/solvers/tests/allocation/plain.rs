//! The division by a table over all counts and all sums for bidders whose values are not concave, and unit by unit for
//! the others. Written independently of the solver: only the types are shared.

use elastiplan_solvers::{Allocation, Bidder};

/// Divides at most `capacity` units; `None` if the minima alone exceed it. Of several best divisions, the one that
/// gives most to bidders with concave values, and among each kind to the first.
pub fn allocate(bidders: &[Bidder<'_>], capacity: u32) -> Option<Allocation> {
    let surplus = capacity.checked_sub(bidders.iter().map(|bidder| bidder.minimum).sum())? as usize;
    let rising: Vec<&[f64]> = bidders.iter().map(|bidder| rising(bidder.values)).collect();
    let (concave, other): (Vec<usize>, Vec<usize>) = (0..bidders.len()).partition(|at| is_concave(rising[*at]));

    let usable: usize = other.iter().map(|at| rising[*at].len() - 1).sum();
    let (best, choices) = table(other.iter().map(|at| rising[*at]), usable.min(surplus));
    let (takers, gains) = unit_by_unit(&concave, &rising, surplus);
    let sum_of_gains = |units: usize| gains[units.min(takers.len())];
    let mut for_table = 0;
    for units in 1..best.len() {
        let value = |units: usize| best[units] + sum_of_gains(surplus - units);
        for_table = if value(units) > value(for_table) { units } else { for_table };
    }

    let mut extra = vec![0_u32; bidders.len()];
    takers.iter().take(surplus - for_table).for_each(|taker| extra[*taker] += 1);
    let mut left = for_table;
    for (at, choices) in other.iter().zip(&choices).rev() {
        extra[*at] = choices[left];
        left -= choices[left] as usize;
    }
    let value = extra.iter().zip(&rising).map(|(units, values)| values[*units as usize]).sum();
    let units = extra.iter().zip(bidders).map(|(extra, bidder)| bidder.minimum + extra).collect();
    Some(Allocation { units, value })
}

/// The values up to the first of the greatest.
fn rising(values: &[f64]) -> &[f64] {
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    values.split_inclusive(|value| *value == greatest).next().unwrap_or(values)
}

/// Whether gains never grow, but for rounding.
fn is_concave(values: &[f64]) -> bool {
    let gains: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let rounding = 1e-12 * values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    gains.windows(2).all(|pair| pair[1] <= pair[0] + rounding)
}

/// The greatest values on at most 0, 1, ..., `most` units, and for each bidder what it takes of them: the fewest, of
/// several.
fn table<'v>(bidders: impl Iterator<Item = &'v [f64]>, most: usize) -> (Vec<f64>, Vec<Vec<u32>>) {
    let (mut best, mut choices) = (vec![0.0; most + 1], Vec::new());
    for values in bidders {
        let choose = |units: usize| {
            let taken = (0..values.len().min(units + 1)).map(|taken| (best[units - taken] + values[taken], taken));
            taken.reduce(|a, b| if b.0 > a.0 { b } else { a }).unwrap()
        };
        let (values, taken): (Vec<f64>, Vec<usize>) = (0..=most).map(choose).unzip();
        choices.push(taken.iter().map(|taken| *taken as u32).collect());
        best = values;
    }
    (best, choices)
}

/// The bidder that gains most from each further unit, of equal ones the first, and the sums of their gains.
fn unit_by_unit(bidders: &[usize], values: &[&[f64]], most: usize) -> (Vec<usize>, Vec<f64>) {
    let mut held = vec![0; values.len()];
    let (mut takers, mut gains) = (Vec::new(), vec![0.0]);
    while takers.len() < most {
        let gain = |at: &usize| Some((*at, values[*at].get(held[*at] + 1)? - values[*at][held[*at]]));
        let Some((at, gain)) = bidders.iter().filter_map(gain).reduce(|a, b| if b.1 > a.1 { b } else { a }) else {
            break;
        };
        held[at] += 1;
        takers.push(at);
        gains.push(gains[gains.len() - 1] + gain);
    }
    (takers, gains)
}
