//! A limit to the GPUs of one job, as a parameter.

use crate::parameters::Parameter;

/// The limit; 0 for none.
pub(crate) const GPUS_LIMIT: Parameter =
    Parameter::count("gpus_max", "The most GPUs for one job; 0 for no limit but its curve", 0.0, 0.0..=65_536.0);
