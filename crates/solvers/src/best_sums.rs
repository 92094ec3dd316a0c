//! The best sums over numbers of units when one more job takes one of its options: a step of a dynamic program.

/// Numbers of units that are looked at together.
const BLOCK: usize = 64;

/// For each number of units the largest sum of what was there before and one option, and the first option that has it.
///
/// The sum on number `i` is `before[i + shift - units] + value`, over options of at most `i + shift` units. `before`
/// does not fall, and covers all of these. Options rise in units, from 0 on.
///
/// Since sums do not fall, an option that adds too little at the end of a block to reach the sum at its beginning adds
/// too little everywhere in it, whatever is rounded. Neighbouring blocks mostly take the same option, which is looked
/// at first; most others are passed over then.
pub(crate) fn with_one_more(
    before: &[f64],
    options: &[(usize, f64)],
    shift: usize,
    best: &mut [f64],
    chosen: &mut [u16],
) {
    let mut likely = 0;
    let blocks = best.chunks_mut(BLOCK).zip(chosen.chunks_mut(BLOCK));
    for (block, (best, chosen)) in blocks.enumerate() {
        let first = block * BLOCK + shift;
        while options.get(likely).is_some_and(|(units, _)| *units > first) {
            likely -= 1;
        }
        let mut row = BlockRow::default();
        let values = |units: usize| {
            let from = first.saturating_sub(units);
            (units.saturating_sub(first), before.get(from..first + best.len() - units).unwrap_or_default())
        };
        if let Some((units, value)) = options.get(likely) {
            row.start(values(*units).1, *value, likely);
        }
        let last = first + best.len() - 1;
        let reaches = |units: usize, value: f64, least: f64| {
            last.checked_sub(units).and_then(|at| before.get(at)).is_some_and(|before| before + value >= least)
        };
        let likely_first = likely;
        for (number, (units, value)) in options.iter().enumerate().take(likely_first).rev() {
            if reaches(*units, *value, row.sums[0]) {
                let (skipped, before) = values(*units);
                row.raise::<true>(skipped, before, *value, number);
            }
        }
        for (number, (units, value)) in options.iter().enumerate().skip(likely_first + 1) {
            if reaches(*units, *value, row.sums[0]) {
                let (skipped, before) = values(*units);
                row.raise::<false>(skipped, before, *value, number);
            }
        }
        best.copy_from_slice(&row.sums[..best.len()]);
        for (chosen, number) in chosen.iter_mut().zip(row.chosen) {
            *chosen = number as u16;
        }
        likely = row.chosen[best.len() - 1] as usize;
    }
}

/// Sums of a block, and the options that have them: as wide as the sums, so that the compiler may compute several at
/// once.
struct BlockRow {
    sums: [f64; BLOCK],
    chosen: [u64; BLOCK],
}

impl Default for BlockRow {
    fn default() -> Self {
        Self { sums: [f64::NEG_INFINITY; BLOCK], chosen: [0; BLOCK] }
    }
}

impl BlockRow {
    #[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
    fn start(&mut self, before: &[f64], value: f64, number: usize) {
        for (sum, before) in self.sums.iter_mut().zip(before) {
            *sum = before + value;
        }
        self.chosen = [number as u64; BLOCK];
    }

    /// Raises sums to those of another option; where they are equal, it is taken if it `comes_first`.
    #[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
    fn raise<const COMES_FIRST: bool>(&mut self, skipped: usize, before: &[f64], value: f64, number: usize) {
        let sums = self.sums.iter_mut().skip(skipped).zip(self.chosen.iter_mut().skip(skipped));
        for ((sum, chosen), before) in sums.zip(before) {
            let other = before + value;
            let is_taken = if COMES_FIRST { other >= *sum } else { other > *sum };
            // Without a branch, since which is taken follows no pattern.
            let taken = u64::from(is_taken).wrapping_neg();
            *chosen = (number as u64 & taken) | (*chosen & !taken);
            *sum = if other > *sum { other } else { *sum };
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn naive(before: &[f64], options: &[(usize, f64)], shift: usize, count: usize) -> (Vec<f64>, Vec<u16>) {
        let of_number = |number: usize| {
            let mut best = (f64::NEG_INFINITY, 0);
            for (option, (units, value)) in (0u16..).zip(options) {
                if *units <= number + shift && before[number + shift - units] + value > best.0 {
                    best = (before[number + shift - units] + value, option);
                }
            }
            best
        };
        (0..count).map(of_number).unzip()
    }

    /// Sums and options are those of a comparison of all options for each number, to the bit: also where many are equal.
    #[test]
    fn sums_and_options_are_those_of_a_naive_computation_to_the_bit() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for case in 0..6000 {
            let whole = random.random_range(0..2) == 0;
            let mut number = |most: f64| {
                let drawn = most * random.random::<f64>();
                if whole { libm::round(drawn) } else { drawn }
            };
            let mut sum = 0.0;
            let before: Vec<f64> = (0..300)
                .map(|_| {
                    sum += number(1.4);
                    sum
                })
                .collect();
            let worth = number(20.0);
            let values: Vec<f64> = (0..70).map(|_| number(1.0 + worth)).collect();
            let (shift, count) = (random.random_range(0..100), random.random_range(1..200));
            let least = if random.random_range(0..9) == 0 { f64::NEG_INFINITY } else { values[0] };
            let mut options = vec![(0, least)];
            for value in values.into_iter().take(random.random_range(0..70)) {
                let units = options.last().map_or(0, |last| last.0) + random.random_range(1..5);
                options.push((units, value + 0.5 * (units as f64)));
            }
            let (mut best, mut chosen) = (vec![0.0; count], vec![0; count]);
            with_one_more(&before, &options, shift, &mut best, &mut chosen);
            assert_eq!((best, chosen), naive(&before, &options, shift, count), "case {case}");
        }
    }
}
