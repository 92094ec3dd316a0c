//! The seven parameters of a throughput model from the times that were measured (Pollux, section 4.1).
//!
//! Steps are measured on some numbers of GPUs and nodes and with some batch sizes; the parameters are those with the
//! smallest error of the logarithms. What was never tried is believed to cost nothing, so that it will be tried.
//!
//! Times are looked for by their logarithms, which makes milliseconds and minutes equally far from anything; and from
//! several starts, since there is more than one dip.
//!
//! ```
//! use elastiplan_solvers::fit::{FitRules, Measured, fit};
//!
//! let step = |gpus: u32, nodes, batch_per_gpu: u32, sync_s: f64| {
//!     let pass_s = 0.1 + 0.01 * f64::from(batch_per_gpu);
//!     Measured { gpus, nodes, batch_per_gpu: batch_per_gpu.into(), pass_s, step_s: pass_s + sync_s }
//! };
//! let seen = [step(1, 1, 8, 0.0), step(2, 1, 8, 0.05), step(4, 1, 16, 0.07)];
//! let fitted = fit(&seen, &FitRules::ARTIFACT, None).expect("times are above 0");
//! assert!((fitted[0] - 0.1).abs() < 0.01 && (fitted[4] - 0.05).abs() < 0.01);
//! // Several nodes were never tried: a little slower than one.
//! assert!(fitted[2] > fitted[4]);
//! ```

mod bounded;
mod errors;
mod lanes;

pub use bounded::{Bounds, Minimum, minimum};
use errors::Errors;

/// One measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// GPUs held.
    pub gpus: u32,
    /// Nodes that they were on.
    pub nodes: u32,
    /// Samples on a GPU at a time.
    pub batch_per_gpu: f64,
    /// Seconds of computing the gradients of one pass.
    pub pass_s: f64,
    /// Seconds of a step of one pass, synchronising included.
    pub step_s: f64,
}

/// The rules of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitRules {
    /// Whether the time of a pass counts as well, and not only that of the step.
    pub passes_count: bool,
    /// Added to the error: this x (overlap - 1) squared.
    pub overlap_weight: f64,
    /// Added to the error: this x (seconds for each further GPU / seconds for two) squared, between nodes and on one.
    pub growth_weight: f64,
    /// Whether half of a pass is taken to be independent of the batch as long as only one batch per GPU was tried.
    pub halves_single_batch: bool,
    /// How many times as long as on one node synchronising between nodes takes at least, until it was tried; 0: free.
    pub node_margin: f64,
}

impl FitRules {
    /// Section 4.1: the error of the step's time alone.
    pub const PAPER: Self = Self {
        passes_count: false,
        overlap_weight: 0.0,
        growth_weight: 0.0,
        halves_single_batch: false,
        node_margin: 0.0,
    };
    /// The public artifact.
    pub const ARTIFACT: Self = Self {
        passes_count: true,
        overlap_weight: 1e-3,
        growth_weight: 1e-2,
        halves_single_batch: true,
        node_margin: 1.1,
    };
}

/// No time is smaller, so that logarithms and ratios exist.
const SECONDS_MIN: f64 = 1e-8;
const SECONDS_MAX: f64 = 1e9;
const OVERLAP: usize = 6;

/// Fits the parameters, in the order of `ThroughputModel::parameters`: computing, synchronising between nodes and on one
/// node (for two GPUs and each further one each), overlap. `None` without a measurement, or if a time is not above 0 and
/// at most 1e9 s.
///
/// `before` is a fit to fewer measurements: a place to start from that is near.
pub fn fit(measured: &[Measured], rules: &FitRules, before: Option<&[f64; 7]>) -> Option<[f64; 7]> {
    let good = |seconds: f64| seconds > 0.0 && seconds <= SECONDS_MAX;
    let sound = |m: &Measured| m.gpus > 0 && m.nodes > 0 && m.batch_per_gpu > 0.0 && good(m.pass_s) && good(m.step_s);
    if measured.is_empty() || !measured.iter().all(sound) {
        return None;
    }
    let fixed = fixed(measured, rules);
    let mut errors = Errors::new(measured, rules);
    let bounds: Bounds<7> = std::array::from_fn(|i| match (fixed[i], i) {
        (Some(value), _) => (libm::log(value), libm::log(value)),
        (None, OVERLAP) => (0.0, libm::log(10.0)),
        (None, _) => (libm::log(SECONDS_MIN), libm::log(SECONDS_MAX)),
    });
    let mut best: Option<Minimum<7>> = None;
    for start in starts(measured, before) {
        let start = start.map(libm::log);
        let (mut known_at, mut parameters) = (start, start.map(libm::exp));
        let found = minimum(start, &bounds, |at, gradient| {
            for ((known, parameter), at) in known_at.iter_mut().zip(&mut parameters).zip(at) {
                // Parameters that nothing was measured of stay where they are.
                if known.to_bits() != at.to_bits() {
                    (*known, *parameter) = (*at, libm::exp(*at));
                }
            }
            let value = errors.at(&parameters, gradient);
            for (part, parameter) in gradient.iter_mut().zip(parameters) {
                *part *= parameter;
            }
            value
        });
        if best.is_none_or(|best| found.value < best.value) {
            best = Some(found);
        }
    }
    let at = best?.at;
    let mut parameters: [f64; 7] = std::array::from_fn(|i| fixed[i].unwrap_or(libm::exp(at[i])));
    if measured.iter().all(|m| m.nodes == 1) {
        parameters[2] = parameters[2].max(rules.node_margin * parameters[4]);
        parameters[3] = parameters[3].max(rules.node_margin * parameters[5]);
    }
    Some(parameters)
}

/// Parameters of which nothing was measured.
fn fixed(measured: &[Measured], rules: &FitRules) -> [Option<f64>; 7] {
    let free = SECONDS_MIN;
    let mut fixed = [None; 7];
    let first = measured.first().map_or(0.0, |m| m.batch_per_gpu);
    if rules.halves_single_batch && measured.iter().all(|m| m.batch_per_gpu == first) {
        fixed[0] = Some(measured.iter().map(|m| m.pass_s).sum::<f64>() / measured.len() as f64 / 2.0);
    }
    if measured.iter().all(|m| m.nodes == 1) {
        (fixed[2], fixed[3]) = (Some(free), Some(free));
    }
    if !measured.iter().any(|m| m.nodes == 1 && m.gpus > 1) {
        (fixed[4], fixed[5]) = (Some(free), Some(free));
    }
    if measured.iter().all(|m| m.gpus <= 2) {
        (fixed[3], fixed[5]) = (Some(free), Some(free));
    }
    fixed
}

/// Where to start from: the artifact's place, and one that the data suggest, with little and with much overlap; or the
/// fit before, which is near, and one of these.
fn starts(measured: &[Measured], before: Option<&[f64; 7]>) -> Vec<[f64; 7]> {
    let mean = |of: &dyn Fn(&Measured) -> f64| measured.iter().map(of).sum::<f64>() / measured.len() as f64;
    let (pass_s, batch) = (mean(&|m| m.pass_s), mean(&|m| m.batch_per_gpu));
    let sync_s = mean(&|m| (m.step_s - m.pass_s).max(0.01 * m.step_s));
    let suggested = |overlap: f64| {
        [0.3 * pass_s, 0.7 * pass_s / batch, sync_s, 0.05 * sync_s, 0.5 * sync_s, 0.05 * sync_s, overlap]
            .map(|value| value.max(2.0 * SECONDS_MIN))
    };
    match before {
        Some(before) => vec![*before, suggested(1.2)],
        None => vec![[0.1, 0.01, 0.1, 0.01, 0.1, 0.01, 1.001], suggested(1.2), suggested(3.0)],
    }
}

/// The error of parameters, and its gradient by each of them.
///
/// It is the root of the mean square of log(model / measured), of steps and, if the rules say so, of passes.
pub fn error(measured: &[Measured], rules: &FitRules, parameters: &[f64; 7], gradient: &mut [f64; 7]) -> f64 {
    Errors::new(measured, rules).at(parameters, gradient)
}
