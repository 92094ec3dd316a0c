//! Amdahl's law (G. M. Amdahl, "Validity of the single processor approach to achieving large scale computing
//! capabilities", AFIPS 1967): a share of the work runs on one GPU whatever the number.

use serde::{Deserialize, Serialize};

/// Amdahl's law: S(n) = 1 / (f + (1 - f) / n).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Amdahl {
    /// The serial share f of the work on one GPU, from 0 to 1.
    pub serial: f64,
}

impl Amdahl {
    /// The speedup over one GPU.
    pub(super) fn speedup(&self, gpus: f64) -> f64 {
        1.0 / (self.serial + (1.0 - self.serial) / gpus)
    }
}
