//! The error of parameters, for many parameters in turn.
//!
//! Logarithms are most of what an error costs, so each is computed once: measurements with one batch size share that of
//! the pass, those on as many GPUs that of synchronising, and where a parameter is the same as in the error before, so
//! is what depends on it alone. The sums are those of a computation without all this, term by term.

use super::lanes::{LANES, Lanes, exp_and_log1p, log};
use super::{FitRules, Measured, OVERLAP, SECONDS_MIN};

/// Measurements with what does not depend on parameters.
pub(super) struct Errors<'a> {
    rules: &'a FitRules,
    rows: Vec<Row>,
    passes: Vec<Pass>,
    syncs: Vec<Sync>,
    /// By rows in their order, so many at a time.
    times: Vec<Times>,
    slopes: Vec<Slopes>,
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
        let rows: Vec<Row> = measured.iter().map(row).collect();
        let times = |rows: &[Row]| Times { measured_log: lanes(rows, |row| row.log_step), ..Times::default() };
        let times: Vec<Times> = rows.chunks(LANES).map(times).collect();
        let slopes = vec![Slopes::default(); times.len()];
        Self { rules, rows, passes, syncs, times, slopes, known: None }
    }

    /// Computes the times of passes and of synchronising, as far as their parameters are not those before.
    fn prepare(&mut self, parameters: &[f64; 7]) {
        let known = self.known.replace(*parameters);
        let same = |at: usize| known.is_some_and(|known| known[at].to_bits() == parameters[at].to_bits());
        if !(same(0) && same(1)) {
            for passes in self.passes.chunks_mut(LANES) {
                let seconds = lanes(passes, |pass| parameters[0] + parameters[1] * pass.batch_per_gpu);
                for ((pass, seconds), log) in passes.iter_mut().zip(seconds).zip(log(&seconds)) {
                    (pass.seconds, pass.log) = (seconds, log);
                }
            }
        }
        for syncs in self.syncs.chunks_mut(LANES) {
            if syncs.iter().all(|sync| sync.at.is_none_or(|at| same(at) && same(at + 1))) {
                continue;
            }
            let seconds = lanes(syncs, |sync| match sync.at {
                Some(at) => parameters[at] + parameters[at + 1] * sync.further,
                None => sync.seconds,
            });
            for ((sync, seconds), log) in syncs.iter_mut().zip(seconds).zip(log(&seconds)) {
                (sync.seconds, sync.log) = (seconds, log);
            }
        }
    }

    /// The error, and its gradient by each parameter.
    pub fn at(&mut self, parameters: &[f64; 7], gradient: &mut [f64; 7]) -> f64 {
        self.prepare(parameters);
        let overlap = parameters[OVERLAP];
        let (mut pass_square, mut step_square) = (0.0, 0.0);
        let (mut pass_slope, mut step_slope) = ([0.0; 7], [0.0; 7]);
        // Lane by lane first and all lanes together then: what was only just written in parts is slow to read as a whole.
        for (rows, times) in self.rows.chunks(LANES).zip(&mut self.times) {
            for (lane, row) in rows.iter().enumerate() {
                let (Some(pass), Some(sync)) = (self.passes.get(row.pass), self.syncs.get(row.sync)) else { continue };
                times.pass_s[lane] = pass.seconds;
                times.pass_log[lane] = pass.log;
                times.sync_s[lane] = sync.seconds;
                times.sync_log[lane] = sync.log;
            }
        }
        slopes(&self.times, overlap, &mut self.slopes);
        for (rows, slopes) in self.rows.chunks(LANES).zip(&self.slopes) {
            for (lane, row) in rows.iter().enumerate() {
                let (Some(pass), Some(sync)) = (self.passes.get(row.pass), self.syncs.get(row.sync)) else { continue };
                step_square += slopes.square[lane];
                let by_pass = slopes.by_pass[lane];
                step_slope[0] += by_pass;
                step_slope[1] += by_pass * pass.batch_per_gpu;
                let by_sync = slopes.by_sync[lane];
                match sync.at {
                    Some(2) => {
                        step_slope[2] += by_sync;
                        step_slope[3] += by_sync * sync.further;
                    }
                    Some(_) => {
                        step_slope[4] += by_sync;
                        step_slope[5] += by_sync * sync.further;
                    }
                    None => {}
                }
                step_slope[OVERLAP] += slopes.by_overlap[lane];

                if self.rules.passes_count {
                    let pass_off = pass.log - row.log_pass;
                    pass_square += pass_off * pass_off;
                    pass_slope[0] += pass_off / pass.seconds;
                    pass_slope[1] += pass_off / pass.seconds * pass.batch_per_gpu;
                }
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

/// A number of each of some things, and 1 beyond them.
fn lanes<T>(of: &[T], number: impl Fn(&T) -> f64) -> Lanes {
    let mut lanes = [1.0; LANES];
    for (lane, thing) in lanes.iter_mut().zip(of) {
        *lane = number(thing);
    }
    lanes
}

/// Times of some measurements by the model, and the measured ones.
#[derive(Clone, Default)]
struct Times {
    pass_s: Lanes,
    pass_log: Lanes,
    sync_s: Lanes,
    sync_log: Lanes,
    /// The logarithm of the step's measured seconds.
    measured_log: Lanes,
}

/// How far steps are off, squared, and slopes of half of that.
#[derive(Clone, Default)]
struct Slopes {
    square: Lanes,
    /// By the seconds of a pass.
    by_pass: Lanes,
    /// By the seconds of synchronising.
    by_sync: Lanes,
    by_overlap: Lanes,
}

/// Written so that the compiler may compute several lanes at once.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn slopes(times: &[Times], overlap: f64, slopes: &mut [Slopes]) {
    for (times, slopes) in times.iter().zip(slopes) {
        let Times { pass_s, pass_log, sync_s, sync_log, measured_log } = times;
        // (pass^overlap + sync^overlap)^(1 / overlap), as parts of the larger of the two.
        let apart: Lanes = std::array::from_fn(|lane| overlap * (pass_log[lane] - sync_log[lane]).abs());
        let (smaller, log1p) = exp_and_log1p(&apart);
        for lane in 0..LANES {
            let most = pass_log[lane].max(sync_log[lane]);
            let log_step = most + log1p[lane] / overlap;
            let (large_share, small_share) = (1.0 / (1.0 + smaller[lane]), smaller[lane] / (1.0 + smaller[lane]));
            let is_pass = pass_log[lane] >= sync_log[lane];
            let pass_share = if is_pass { large_share } else { small_share };
            let sync_share = if is_pass { small_share } else { large_share };

            let step_off = log_step - measured_log[lane];
            slopes.square[lane] = step_off * step_off;
            slopes.by_pass[lane] = step_off * pass_share / pass_s[lane];
            slopes.by_sync[lane] = step_off * sync_share / sync_s[lane];
            let by_overlap = pass_share * (pass_log[lane] - log_step) + sync_share * (sync_log[lane] - log_step);
            slopes.by_overlap[lane] = step_off * by_overlap / overlap;
        }
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
