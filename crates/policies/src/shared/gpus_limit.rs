//! A limit to the GPUs of one job, as a parameter.

use crate::parameters::{Parameter, Parameters};

/// The limit; 0 for none.
pub(crate) const GPUS_LIMIT: Parameter =
    Parameter::count("gpus_max", "The most GPUs for one job; 0 for no limit but its curve", 0.0, 0.0..=65_536.0);

/// The value of the parameter; without a limit, a number that no job reaches.
pub(crate) fn gpus_limit(parameters: &Parameters) -> u32 {
    match parameters.number(&GPUS_LIMIT) as u32 {
        0 => u32::MAX,
        limit => limit,
    }
}
