//! The same by the dynamic program alone, over all counts and all sums.

use elastiplan_solvers::Allocation;

/// Values that are whole numbers of steps already, or not finite.
pub fn choose(values: &[Vec<f64>], units: usize) -> Allocation {
    let counts = |values: &[f64]| -> Vec<(usize, f64)> {
        let none = values.first().copied().filter(|value| value.is_finite()).unwrap_or(0.0);
        let more =
            values.iter().copied().enumerate().skip(1).filter(|(count, value)| *count <= units && value.is_finite());
        std::iter::once((0, none)).chain(more).collect()
    };
    // The most that those before each taker are worth on at most 0, 1, 2, ... units.
    let mut rows = vec![vec![0.0; units + 1]];
    for values in values {
        let before = rows.last().unwrap();
        let best = |sum: usize| {
            let fitting = counts(values).into_iter().filter(move |(count, _)| *count <= sum);
            fitting.map(|(count, value)| before[sum - count] + value).fold(f64::NEG_INFINITY, f64::max)
        };
        let row = (0..=units).map(best).collect();
        rows.push(row);
    }
    let value = *rows.last().unwrap().last().unwrap();
    let mut left = rows.last().unwrap().iter().position(|best| *best == value).unwrap();
    let mut chosen = vec![0; values.len()];
    for taker in (0..values.len()).rev() {
        let makes = |(count, value): &(usize, f64)| {
            *count <= left && rows[taker][left - count] + value == rows[taker + 1][left]
        };
        let (count, _) = counts(&values[taker]).into_iter().find(makes).unwrap();
        chosen[taker] = count as u32;
        left -= count;
    }
    Allocation { units: chosen, value }
}
