//! The error of parameters, for many parameters in turn.
//!
//! Logarithms are most of what an error costs, so each is computed once: measurements with one batch size share that of
//! the pass, those on as many GPUs that of synchronising, and where a parameter is the same as in the error before, so
//! is what depends on it alone. The sums are those of a computation without all this, term by term.

use super::{FitRules, Measured, OVERLAP, SECONDS_MIN};

/// Measurements with what does not depend on parameters.
pub(super) struct Errors<'a> {
    rules: &'a FitRules,
    rows: Vec<Row>,
    passes: Vec<Pass>,
    syncs: Vec<Sync>,
    /// The parameters that times were computed for.
    known: Option<[f64; 7]>,
}

/// One measurement.
struct Row {
    /// Its place among the passes, and among the ways to synchronise.
    pass: usize,
    sync: usize,
    log_pass: f64,
    log_step: f64,
}

/// A pass of one batch size.
struct Pass {
    batch_per_gpu: f64,
    seconds: f64,
    log: f64,
}

/// Synchronising on so many GPUs.
struct Sync {
    /// Which of the parameters count: those between nodes, on one node, or none.
    at: Option<usize>,
    /// GPUs beyond two.
    further: f64,
    seconds: f64,
    log: f64,
}

impl<'a> Errors<'a> {
    pub fn new(measured: &[Measured], rules: &'a FitRules) -> Self {
        let (mut passes, mut syncs): (Vec<Pass>, Vec<Sync>) = (Vec::new(), Vec::new());
        let row = |m: &Measured| {
            let known = passes.iter().position(|pass| pass.batch_per_gpu == m.batch_per_gpu);
            let pass = known.unwrap_or_else(|| {
                passes.push(Pass { batch_per_gpu: m.batch_per_gpu, seconds: 0.0, log: 0.0 });
                passes.len() - 1
            });
            let at = match (m.nodes > 1, m.gpus > 1) {
                (true, _) => Some(2),
                (false, true) => Some(4),
                (false, false) => None,
            };
            let further = f64::from(m.gpus.saturating_sub(2));
            let known = syncs.iter().position(|sync| sync.at == at && sync.further == further);
            let sync = known.unwrap_or_else(|| {
                syncs.push(Sync { at, further, seconds: SECONDS_MIN, log: libm::log(SECONDS_MIN) });
                syncs.len() - 1
            });
            Row { pass, sync, log_pass: libm::log(m.pass_s), log_step: libm::log(m.step_s) }
        };
        let rows = measured.iter().map(row).collect();
        Self { rules, rows, passes, syncs, known: None }
    }

    /// Computes the times of passes and of synchronising, as far as their parameters are not those before.
    fn prepare(&mut self, parameters: &[f64; 7]) {
        let known = self.known.replace(*parameters);
        let same = |at: usize| known.is_some_and(|known| known[at].to_bits() == parameters[at].to_bits());
        if !(same(0) && same(1)) {
            for pass in &mut self.passes {
                pass.seconds = parameters[0] + parameters[1] * pass.batch_per_gpu;
                pass.log = libm::log(pass.seconds);
            }
        }
        for sync in &mut self.syncs {
            let Some(at) = sync.at.filter(|&at| !(same(at) && same(at + 1))) else { continue };
            sync.seconds = parameters[at] + parameters[at + 1] * sync.further;
            sync.log = libm::log(sync.seconds);
        }
    }

    /// The error, and its gradient by each parameter.
    pub fn at(&mut self, parameters: &[f64; 7], gradient: &mut [f64; 7]) -> f64 {
        self.prepare(parameters);
        let overlap = parameters[OVERLAP];
        let (mut pass_square, mut step_square) = (0.0, 0.0);
        let (mut pass_slope, mut step_slope) = ([0.0; 7], [0.0; 7]);
        for row in &self.rows {
            let (Some(pass), Some(sync)) = (self.passes.get(row.pass), self.syncs.get(row.sync)) else { continue };
            // (pass^overlap + sync^overlap)^(1 / overlap), as parts of the larger of the two.
            let most = pass.log.max(sync.log);
            let smaller = libm::exp(-overlap * (pass.log - sync.log).abs());
            let log_step = most + libm::log1p(smaller) / overlap;
            let (large_share, small_share) = (1.0 / (1.0 + smaller), smaller / (1.0 + smaller));
            let (pass_share, sync_share) =
                if pass.log >= sync.log { (large_share, small_share) } else { (small_share, large_share) };

            let step_off = log_step - row.log_step;
            step_square += step_off * step_off;
            let by_pass = step_off * pass_share / pass.seconds;
            step_slope[0] += by_pass;
            step_slope[1] += by_pass * pass.batch_per_gpu;
            if let Some(at) = sync.at {
                let by_sync = step_off * sync_share / sync.seconds;
                step_slope[at] += by_sync;
                step_slope[at + 1] += by_sync * sync.further;
            }
            let by_overlap = pass_share * (pass.log - log_step) + sync_share * (sync.log - log_step);
            step_slope[OVERLAP] += step_off * by_overlap / overlap;

            if self.rules.passes_count {
                let pass_off = pass.log - row.log_pass;
                pass_square += pass_off * pass_off;
                pass_slope[0] += pass_off / pass.seconds;
                pass_slope[1] += pass_off / pass.seconds * pass.batch_per_gpu;
            }
        }
        let count = self.rows.len() as f64;
        *gradient = [0.0; 7];
        let mut total = 0.0;
        for (square, slope) in [(step_square, step_slope), (pass_square, pass_slope)] {
            let root = (square / count).sqrt();
            if root > 0.0 {
                total += root;
                for (part, slope) in gradient.iter_mut().zip(slope) {
                    *part += slope / (count * root);
                }
            }
        }
        let FitRules { overlap_weight, growth_weight, .. } = *self.rules;
        if overlap_weight > 0.0 {
            total += overlap_weight * (overlap - 1.0) * (overlap - 1.0);
            gradient[OVERLAP] += 2.0 * overlap_weight * (overlap - 1.0);
        }
        if growth_weight > 0.0 {
            for at in [2, 4] {
                let ratio = parameters[at + 1] / parameters[at];
                total += growth_weight * ratio * ratio;
                gradient[at + 1] += 2.0 * growth_weight * ratio / parameters[at];
                gradient[at] -= 2.0 * growth_weight * ratio * ratio / parameters[at];
            }
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_from_the_error_before_changes_nothing() {
        let measured: Vec<Measured> = [(1, 1, 8.0), (2, 1, 8.0), (4, 1, 16.0), (8, 2, 16.0), (12, 3, 8.0)]
            .map(|(gpus, nodes, batch_per_gpu)| {
                let pass_s = 0.1 + 0.01 * batch_per_gpu;
                Measured { gpus, nodes, batch_per_gpu, pass_s, step_s: pass_s + 0.02 * f64::from(nodes * gpus) }
            })
            .to_vec();
        for rules in [FitRules::PAPER, FitRules::ARTIFACT] {
            let mut errors = Errors::new(&measured, &rules);
            let mut parameters = [0.1, 0.01, 0.2, 0.02, 0.1, 0.01, 1.5];
            for step in 0..200_usize {
                // One or two of them change, or none.
                parameters[step * 5 % 7] *= 1.0 + 0.1 / (1 + step) as f64;
                parameters[step * 3 % 7] *= [1.0, 0.97][step / 7 % 2];
                let (mut kept, mut anew) = ([0.0; 7], [0.0; 7]);
                let values =
                    [errors.at(&parameters, &mut kept), Errors::new(&measured, &rules).at(&parameters, &mut anew)];
                assert_eq!(values[0].to_bits(), values[1].to_bits(), "step {step}");
                assert_eq!(kept, anew, "step {step}");
            }
        }
    }
}
