//! Comparing data to the last bit: included by the tests that write data as our own files and read them back.

use elastiplan_model::{Job, ModelId, Trace};
use serde::Serialize;

/// Jobs with their models by name, without rows of a file.
pub fn bare(trace: &Trace) -> Vec<(Job, &str)> {
    let job = |job: &Job| Job { source_row: 0, model: ModelId(0), ..job.clone() };
    trace.jobs().iter().map(|own| (job(own), trace.model_name(own.model))).collect()
}

/// A value with every bit of its numbers.
pub fn bits(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).unwrap()
}
