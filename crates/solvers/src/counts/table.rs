//! The dynamic program over the counts that are left.
//!
//! Of sums only those are looked at that some counts come to: at least what all takers take at the least, so few that
//! the others can still have theirs, and so many that the others can still use up what has to be used.

use std::ops::RangeInclusive;

use super::discard::Kept;
use super::worths::Count;

/// The best choice of at most `units`; of several the first in the order in which ties are broken.
pub(super) fn best(kept: &Kept, units: RangeInclusive<usize>) -> Vec<u32> {
    let table = Table::fill(kept.takers(), units);
    let best = table.last().sums().last().map_or(0.0, |(_, worth)| worth);
    let fewest = table.last().sums().find(|(_, worth)| *worth == best).map_or(0, |(units, _)| units);
    table.choices(fewest)
}

/// For each taker that has a choice what those before it are worth.
pub(crate) struct Table<'a> {
    takers: Vec<&'a [Count]>,
    rows: Vec<Row>,
    last: Row,
}

/// What takers so far are worth at the most on at most `least`, `least + 1`, ... units.
pub(crate) struct Row {
    least: usize,
    worths: Vec<f64>,
}

impl<'a> Table<'a> {
    /// Takers choose among counts that are in order, each worth more than those before it, so that they come to
    /// `units`.
    pub fn fill(takers: impl Iterator<Item = &'a [Count]>, units: RangeInclusive<usize>) -> Self {
        let takers: Vec<&[Count]> = takers.collect();
        let mut fewest_left: usize = takers.iter().map(|counts| fewest(counts)).sum();
        let mut most_left: usize = takers.iter().map(|counts| most(counts)).sum();
        let mut rows = Vec::with_capacity(takers.len());
        let mut last = Row { least: 0, worths: vec![0.0] };
        for counts in &takers {
            fewest_left -= fewest(counts);
            most_left -= most(counts);
            match counts {
                [only] => last.add(only),
                counts => {
                    let sums = units.start().saturating_sub(most_left)..=units.end().saturating_sub(fewest_left);
                    let next = last.with(counts, sums);
                    rows.push(std::mem::replace(&mut last, next));
                }
            }
        }
        Self { takers, rows, last }
    }

    /// What all takers are worth.
    pub fn last(&self) -> &Row {
        &self.last
    }

    /// The units of each taker, of so many in all; of several counts that are equally good the fewest, the last taker
    /// first.
    pub fn choices(&self, units: usize) -> Vec<u32> {
        let mut chosen: Vec<u32> = self.takers.iter().map(|counts| fewest(counts) as u32).collect();
        let mut left = units;
        let mut rows = self.rows.iter().rev();
        for (chosen, counts) in chosen.iter_mut().zip(&self.takers).rev() {
            if counts.len() != 1
                && let Some(count) = rows.next().and_then(|before| before.choice(counts, left))
            {
                *chosen = count.units as u32;
            }
            left -= (*chosen as usize).min(left);
        }
        chosen
    }
}

fn fewest(counts: &[Count]) -> usize {
    counts.first().map_or(0, |count| count.units)
}

fn most(counts: &[Count]) -> usize {
    counts.last().map_or(0, |count| count.units)
}

impl Row {
    /// The sums of units that there are, with what they are worth.
    pub fn sums(&self) -> impl DoubleEndedIterator<Item = (usize, f64)> {
        self.worths.iter().enumerate().map(|(more, worth)| (self.least + more, *worth))
    }

    /// What at most so many units are worth; `None` if they are fewer than is possible.
    fn at(&self, units: usize) -> Option<f64> {
        let more = units.checked_sub(self.least)?;
        self.worths.get(more).or(self.worths.last()).copied()
    }

    /// Which of its counts one taker more takes of so many units.
    fn choice<'a>(&self, counts: &'a [Count], units: usize) -> Option<&'a Count> {
        let mut best = None;
        let mut most = f64::NEG_INFINITY;
        for count in counts {
            let worth = units.checked_sub(count.units).and_then(|rest| self.at(rest)).map(|rest| rest + count.worth);
            if let Some(worth) = worth.filter(|worth| *worth > most) {
                (best, most) = (Some(count), worth);
            }
        }
        best
    }

    /// The same with one taker more that has no choice.
    fn add(&mut self, only: &Count) {
        self.least += only.units;
        for worth in &mut self.worths {
            *worth += only.worth;
        }
    }

    /// The same with one taker more, for sums in a range.
    fn with(&self, counts: &[Count], sums: RangeInclusive<usize>) -> Self {
        let least = (self.least + fewest(counts)).max(*sums.start());
        let end = (self.least + most(counts) + self.worths.len()).min(sums.end() + 1);
        let width = end.saturating_sub(least);
        let all = self.worths.last().copied().unwrap_or(f64::NEG_INFINITY);
        let mut worths = Vec::with_capacity(width);
        for (at, count) in counts.iter().enumerate() {
            let first = self.least + count.units;
            let before = self.worths.get(least.saturating_sub(first)..).unwrap_or_default();
            // On more than they can use, those before are worth as much as on all of it.
            if at == 0 {
                worths.extend(before.iter().take(width).map(|before| before + count.worth));
                worths.resize(width, all + count.worth);
                continue;
            }
            let into = worths.get_mut(first.saturating_sub(least)..).unwrap_or_default();
            // Slices of one length, and no branch: that is what compilers make one step of for several numbers.
            for (best, before) in into.iter_mut().zip(before) {
                let with = before + count.worth;
                *best = if with > *best { with } else { *best };
            }
            // As far as the next count's sums go.
            let next = counts.get(at + 1).unwrap_or(count);
            let more = into.iter_mut().skip(before.len()).take(next.units - count.units);
            more.for_each(|best| *best = best.max(all + count.worth));
        }
        Self { least, worths }
    }
}
