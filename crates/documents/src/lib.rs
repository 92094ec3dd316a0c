//! Files that hold whole comparisons: scenario documents as JSON, built-in ones, and records of runs.
//!
//! A [`Document`] is a scenario with policies, seeds and a paper's results, as JSON that a person can read and write;
//! [`Document::resolve`] reads the data that it names. [`PRESETS`] are the built-in documents. [`record`] writes a scenario
//! and its runs as one binary file.
//!
//! This crate does not know the file system, the DOM, or how results are shown.

#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

mod document;
mod presets;
pub mod record;

pub use document::{
    AvailabilitySource, ClusterPart, CurveSource, Document, DocumentError, GeneratedJobs, JobSource, PriceSource,
    PublishedName, Resolved, SampleJobs, TableSource, VERSION as DOCUMENT_VERSION,
};
pub use presets::{PRESETS, Preset, packed_presets};
