//! Judging a size more than once, with more seeds each time.
//!
//! Whoever looks again and again until something shows will see it by chance: with four looks at 95 %, what is not so is
//! claimed in up to one of eight studies. So each look gets its share of the error (Bonferroni), and the first that
//! decides stands.

use crate::feasibility::{Feasibility, Limit, judge};

/// Looks at most; more would each be weaker.
const LOOKS_MAX: usize = 4;

/// After how many seeds a size is judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Looks {
    seeds: Vec<usize>,
    confidence: f64,
}

impl Looks {
    /// One look, after so many seeds.
    pub fn once(seeds: usize, confidence: f64) -> Self {
        Self { seeds: vec![seeds], confidence }
    }

    /// Looks after `at_least` seeds and after `at_most`, and between them after about as many times more each.
    ///
    /// ```
    /// use elastiplan_statistics::Looks;
    ///
    /// assert_eq!(Looks::between(10, 100, 0.95).seeds(), [10, 22, 46, 100]);
    /// assert_eq!(Looks::between(10, 15, 0.95).seeds(), [10, 15]);
    /// ```
    pub fn between(at_least: usize, at_most: usize, confidence: f64) -> Self {
        let (first, last) = (at_least.max(1), at_most.max(at_least).max(1));
        let doublings = libm::log2(last as f64 / first as f64);
        let steps = (doublings.ceil() as usize).min(LOOKS_MAX - 1);
        let growth = if steps == 0 { 0.0 } else { doublings / steps as f64 };
        let seeds = (0..=steps).map(|step| (first as f64 * libm::exp2(growth * step as f64)).round() as usize);
        Self { seeds: seeds.collect(), confidence }
    }

    /// After how many seeds is looked, the fewest first.
    pub fn seeds(&self) -> &[usize] {
        &self.seeds
    }

    /// What the first look that decides says; a look whose values are not all there is yet to come. All goals have
    /// their values in the order of seeds.
    pub fn judge(&self, goals: &[(Limit, &[f64])]) -> Feasibility {
        let drawn = goals.iter().map(|(_, values)| values.len()).min().unwrap_or_default();
        let confidence = 1.0 - (1.0 - self.confidence) / self.seeds.len() as f64;
        let looks = self.seeds.iter().take_while(|&&seeds| seeds <= drawn);
        let mut verdicts = looks.map(|&seeds| {
            let first: Vec<(Limit, &[f64])> =
                goals.iter().map(|&(limit, values)| (limit, values.get(..seeds).unwrap_or(values))).collect();
            judge(&first, confidence)
        });
        verdicts.find(|&verdict| verdict != Feasibility::Open).unwrap_or(Feasibility::Open)
    }

    /// Up to how many seeds have to be drawn for the next look, where `drawn` have not decided. `None` after the last.
    pub fn next(&self, drawn: usize) -> Option<usize> {
        self.seeds.iter().copied().find(|&seeds| seeds > drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_look_that_decides_stands() {
        let looks = Looks::between(5, 10, 0.95);
        assert_eq!(looks.seeds(), [5, 10]);
        let clear = [0.95, 0.96, 0.94, 0.95, 0.96];
        let mut values = clear.to_vec();
        values.extend([0.1; 5]);
        let judge = |values: &[f64]| looks.judge(&[(Limit::AtLeast(0.9), values)]);
        assert_eq!(judge(&values[..4]), Feasibility::Open);
        assert_eq!(judge(&values[..5]), Feasibility::Met);
        assert_eq!(judge(&values), Feasibility::Met);
    }

    #[test]
    fn looks_come_one_after_the_other() {
        let looks = Looks::between(10, 100, 0.95);
        assert_eq!(
            [0, 10, 45, 46, 100].map(|drawn| looks.next(drawn)),
            [Some(10), Some(22), Some(46), Some(100), None]
        );
        assert_eq!(Looks::once(7, 0.95).next(7), None);
        assert_eq!(Looks::between(0, 0, 0.95).seeds(), [1]);
    }
}
