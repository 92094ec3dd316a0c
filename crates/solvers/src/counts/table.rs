//! The dynamic program over the counts that are left.
//!
//! Of sums only those are looked at that some counts come to: at least what everybody takes at the least, and so few
//! that the others can still have theirs.

use super::discard::Kept;
use super::worths::Count;

/// What takers so far are worth at the most on at most `least`, `least + 1`, ... units.
struct Row {
    least: usize,
    worths: Vec<f64>,
}

/// The best choice of at most `units`; of several the first in the order in which ties are broken.
pub(super) fn best(kept: &Kept, units: usize) -> Vec<u32> {
    let mut chosen: Vec<u32> = kept.takers().map(|counts| fewest(counts) as u32).collect();
    let mut rest: usize = kept.takers().map(fewest).sum();
    // Whoever has one count left has nothing to choose.
    let open: Vec<(&mut u32, &[Count])> =
        chosen.iter_mut().zip(kept.takers()).filter(|(_, counts)| counts.len() > 1).collect();
    let units = units - (rest - open.iter().map(|(_, counts)| fewest(counts)).sum::<usize>()).min(units);
    rest = open.iter().map(|(_, counts)| fewest(counts)).sum();
    let mut rows = Vec::with_capacity(open.len());
    let mut row = Row { least: 0, worths: vec![0.0] };
    for (_, counts) in &open {
        rest -= fewest(counts);
        let next = row.with(counts, units - rest.min(units));
        rows.push(std::mem::replace(&mut row, next));
    }
    let mut worth = row.worths.last().copied().unwrap_or(0.0);
    let mut left = row.least + row.worths.partition_point(|less| *less < worth);
    for ((chosen, counts), row) in open.into_iter().zip(&rows).rev() {
        // Whole numbers: what was the best sum is found again exactly.
        let makes = |count: &&Count| {
            let rest = left.checked_sub(count.units).and_then(|rest| row.at(rest));
            rest.is_some_and(|rest| rest + count.worth == worth)
        };
        let Some(count) = counts.iter().find(makes) else { continue };
        *chosen = count.units as u32;
        worth -= count.worth;
        left -= count.units;
    }
    chosen
}

fn fewest(counts: &[Count]) -> usize {
    counts.first().map_or(0, |count| count.units)
}

impl Row {
    fn at(&self, units: usize) -> Option<f64> {
        units.checked_sub(self.least).and_then(|at| self.worths.get(at)).copied()
    }

    /// The same with one taker more, as far as `most` units.
    fn with(&self, counts: &[Count], most: usize) -> Self {
        let fewest = fewest(counts);
        let least = self.least + fewest;
        let spread = counts.last().map_or(0, |count| count.units - fewest);
        let width = (self.worths.len() + spread).min((most + 1).saturating_sub(least));
        let mut worths = vec![f64::NEG_INFINITY; width];
        for count in counts {
            // Slices of one length, and no branch: that is what compilers make one step of for several numbers.
            let from = worths.get_mut(count.units - fewest..).unwrap_or_default();
            for (best, before) in from.iter_mut().zip(&self.worths) {
                let with = before + count.worth;
                *best = if with > *best { with } else { *best };
            }
        }
        // What is possible on some units is so on more.
        let mut most = f64::NEG_INFINITY;
        for worth in &mut worths {
            most = most.max(*worth);
            *worth = most;
        }
        Self { least, worths }
    }
}
