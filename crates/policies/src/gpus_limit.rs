//! The most GPUs for one job, where a policy may be told so.

use crate::spec::{Kind, Parameter, Parameters};

/// 0 for no limit.
pub(crate) const GPUS_LIMIT: Parameter = Parameter {
    name: "gpus_max",
    help: "The most GPUs for one job; 0 for no limit but its curve",
    kind: Kind::Number { default: 0.0, min: 0.0, max: 65_536.0, whole: true },
};

/// The limit that was given, or else a number that no job reaches.
pub(crate) fn gpus_limit(parameters: &Parameters) -> u32 {
    match parameters.number(GPUS_LIMIT.name) as u32 {
        0 => u32::MAX,
        limit => limit,
    }
}
