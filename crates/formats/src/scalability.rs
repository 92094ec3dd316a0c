//! Measurements of a job scalability analyzer: processing times of models and all-reduce times, which together make
//! curves.

pub(crate) mod all_reduce;
pub(crate) mod join;
pub(crate) mod parts;
pub(crate) mod processing;
