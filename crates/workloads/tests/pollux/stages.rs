//! Stages of the work with a noise scale each, from whole trainings that were measured.

use crate::pack::Pack;

/// The most stages of a model.
const STAGES_MAX: usize = 10;

/// Until which share of the work which noise scale holds: the stages, and the noise scale in each, that come nearest
/// to what a sample was worth in all batch sizes and epochs, by the mean square of the logarithm.
pub fn derive(pack: &Pack, batch_base: u32) -> Vec<(f64, f64)> {
    let ends = pack.targets();
    let total = *ends.last().unwrap();
    let batches: Vec<f64> = pack.trainings.iter().map(|training| f64::from(training.batch)).collect();
    let sums = Sums::new(pack, &ends, batch_base);
    let epochs = ends.len();
    // The least error of the first epochs in so many stages, and where the last of these begins.
    let mut best = vec![(f64::INFINITY, 0); epochs + 1];
    best[0].0 = 0.0;
    let (mut starts, mut errors): (Vec<Vec<usize>>, Vec<f64>) = (Vec::new(), Vec::new());
    let fits: Vec<Vec<(f64, f64)>> = (0..epochs)
        .map(|from| (from + 1..=epochs).map(|to| sums.fit(from, to, &batches, f64::from(batch_base))).collect())
        .collect();
    for _ in 0..STAGES_MAX.min(epochs) {
        let mut next = vec![(f64::INFINITY, 0); epochs + 1];
        for to in 1..=epochs {
            for from in 0..to {
                let error = best[from].0 + fits[from][to - from - 1].1;
                if error < next[to].0 {
                    next[to] = (error, from);
                }
            }
        }
        starts.push(next.iter().map(|(_, from)| *from).collect());
        errors.push(next[epochs].0);
        best = next;
    }
    // Stages that make nothing better are left out.
    let enough = errors.iter().position(|error| *error <= 1.01 * errors[errors.len() - 1]).unwrap();
    starts.truncate(enough + 1);
    let mut stages = Vec::new();
    let mut to = epochs;
    for starts in starts.iter().rev() {
        let from = starts[to];
        stages.push((ends[to - 1] / total, fits[from][to - from - 1].0));
        to = from;
    }
    stages.reverse();
    stages
}

/// For each batch size, sums over the epochs before one: of weights, of weighted logarithms, of weighted squares.
struct Sums(Vec<Vec<[f64; 3]>>);

impl Sums {
    fn new(pack: &Pack, ends: &[f64], batch_base: u32) -> Self {
        let of_batch = |training: &crate::pack::Training| {
            let times_as_large = f64::from(training.batch) / f64::from(batch_base);
            let mut sums = vec![[0.0; 3]];
            let (mut sum, mut start) = ([0.0; 3], 0.0);
            for (epoch, end) in training.epochs.iter().zip(ends) {
                let (weight, log) = (end - start, libm::log(epoch.worth(times_as_large)));
                sum = [sum[0] + weight, sum[1] + weight * log, sum[2] + weight * log * log];
                sums.push(sum);
                start = *end;
            }
            sums
        };
        Self(pack.trainings.iter().map(of_batch).collect())
    }

    /// The best noise scale for some epochs, and its error.
    fn fit(&self, from: usize, to: usize, batches: &[f64], base: f64) -> (f64, f64) {
        let error = |log_noise: f64| {
            let noise = libm::exp(log_noise);
            let of_batch = |(sums, batch): (&Vec<[f64; 3]>, &f64)| {
                let [weight, logs, squares] = std::array::from_fn(|at| sums[to][at] - sums[from][at]);
                let worth = libm::log((noise + base) / (noise + batch));
                weight * worth * worth - 2.0 * worth * logs + squares
            };
            self.0.iter().zip(batches).map(of_batch).sum::<f64>()
        };
        let largest = batches.iter().copied().fold(base, f64::max);
        let (mut low, mut high) = (libm::log(base / 100.0), libm::log(largest * 100.0));
        for _ in 0..60 {
            let (left, right) = (high - 0.618 * (high - low), low + 0.618 * (high - low));
            if error(left) < error(right) { high = right } else { low = left }
        }
        let at = f64::midpoint(low, high);
        (libm::exp(at), error(at))
    }
}
