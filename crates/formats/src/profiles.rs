//! Profiles of Pollux: step times and validation runs of a model in several files, which together make one curve.

mod efficiency;
mod holes;
pub(crate) mod join;
pub(crate) mod parts;
pub(crate) mod steps;
pub(crate) mod validation;
