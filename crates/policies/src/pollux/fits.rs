//! Fits of all jobs, each made once: jobs that measured the same in the same order have the same fit.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use elastiplan_solvers::fit::{FitRules, Measured, fit};
use elastiplan_solvers::goodput::{Batch, BatchSearch, Goodput, KnownSteps};

/// What is known of fits is forgotten when it is about so many.
const KNOWN_MAX: usize = 10_000;

/// The model of a job after its measurements so far.
#[derive(Debug, Default)]
pub(crate) struct Fitted {
    /// Which measurements it was fitted to, in their order; 0 for none.
    history: u64,
    /// The fitted parameters; `None` without a measurement that can be used.
    pub parameters: Option<[f64; 7]>,
    steps: RefCell<KnownSteps>,
}

impl Fitted {
    /// The best batch size by a goodput function with these parameters.
    pub fn best_batch(&self, goodput: &Goodput, gpus: u32, nodes: u32, search: BatchSearch) -> Option<Batch> {
        match self.steps.try_borrow_mut() {
            Ok(mut known) => goodput.best_batch_knowing(gpus, nodes, search, &mut known),
            Err(_) => goodput.best_batch(gpus, nodes, search),
        }
    }
}

/// Fits by what was measured. Clones share them: a fit depends on nothing else.
#[derive(Clone, Default)]
pub(crate) struct Fits {
    shared: Rc<Shared>,
}

#[derive(Default)]
struct Shared {
    histories: Cell<u64>,
    /// By the measurements before and the further one.
    known: RefCell<BTreeMap<(u64, [u64; 5]), Known>>,
}

/// A fit that was made. Times of steps are kept as long as a job has it.
struct Known {
    history: u64,
    parameters: Option<[f64; 7]>,
    fitted: Weak<Fitted>,
}

impl Fits {
    /// The fit to measurements of which all but the last are those of the fit `before`. All fits have the same rules.
    pub fn fit(&self, before: &Fitted, measured: &[Measured], rules: &FitRules) -> Rc<Fitted> {
        let anew = || fit(measured, rules, before.parameters.as_ref()).or(before.parameters);
        let new = |history, parameters| Rc::new(Fitted { history, parameters, steps: RefCell::default() });
        let next = || {
            let history = self.shared.histories.get() + 1;
            self.shared.histories.set(history);
            history
        };
        let (Some(last), Ok(mut all)) = (measured.last(), self.shared.known.try_borrow_mut()) else {
            return new(next(), anew());
        };
        if all.len() >= KNOWN_MAX {
            all.clear();
        }
        let Measured { gpus, nodes, batch_per_gpu, pass_s, step_s } = *last;
        let key = [gpus.into(), nodes.into(), batch_per_gpu.to_bits(), pass_s.to_bits(), step_s.to_bits()];
        let known = all.entry((before.history, key)).or_insert_with(|| Known {
            history: next(),
            parameters: anew(),
            fitted: Weak::new(),
        });
        known.fitted.upgrade().unwrap_or_else(|| {
            let fitted = new(known.history, known.parameters);
            known.fitted = Rc::downgrade(&fitted);
            fitted
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(gpus: u32, batch_per_gpu: f64) -> Measured {
        let pass_s = 0.1 + 0.01 * batch_per_gpu;
        Measured { gpus, nodes: 1, batch_per_gpu, pass_s, step_s: pass_s + 0.02 * f64::from(gpus - 1) }
    }

    /// Fits after each of the measurements.
    fn fitted(fits: &Fits, measured: &[Measured]) -> Vec<Rc<Fitted>> {
        let mut before = Rc::new(Fitted::default());
        let mut next = |upto: usize| {
            before = fits.fit(&before, &measured[..upto], &FitRules::PAPER);
            Rc::clone(&before)
        };
        (1..=measured.len()).map(&mut next).collect()
    }

    #[test]
    fn a_shared_fit_is_that_of_a_job_alone() {
        let sequences = [
            vec![measured(1, 8.0), measured(2, 8.0), measured(4, 16.0)],
            vec![measured(1, 8.0), measured(2, 16.0), measured(4, 16.0)],
            vec![measured(2, 8.0), measured(1, 8.0), measured(4, 16.0)],
            vec![measured(1, 8.0), measured(2, 8.0), measured(4, 16.0), measured(3, 2.0)],
        ];
        let shared = Fits::default();
        let found: Vec<_> = sequences.iter().map(|sequence| fitted(&shared, sequence)).collect();
        for (sequence, found) in sequences.iter().zip(&found) {
            let alone = fitted(&Fits::default(), sequence);
            let parameters = |fits: &[Rc<Fitted>]| fits.iter().map(|fit| fit.parameters).collect::<Vec<_>>();
            assert_eq!(parameters(found), parameters(&alone), "{sequence:?}");
        }
        let are_shared = |one: usize, other: usize, at: usize| Rc::ptr_eq(&found[one][at], &found[other][at]);
        assert!(are_shared(0, 3, 2) && are_shared(0, 1, 0));
        assert!(!are_shared(0, 1, 1) && !are_shared(0, 1, 2) && !are_shared(0, 2, 2));
    }
}
