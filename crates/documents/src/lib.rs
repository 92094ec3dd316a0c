//! Files and links that hold whole comparisons: scenario documents as JSON, built-in ones, links, bundles, and records of
//! runs.
//!
//! A [`Document`] is a scenario with policies, seeds and a paper's results, as JSON that a person can read and write;
//! [`Document::resolve`] reads the data that it names. [`PRESETS`] are the built-in documents. [`record`] writes a scenario
//! and its runs as one binary file. A [`Link`] holds a document and what is shown of it as text, a [`Bundle`] with all its
//! data and the digests of its runs as one file.
//!
//! This crate does not know the file system, the DOM, or how results are shown.

#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

mod bundle;
mod document;
mod presets;
pub mod record;
mod share;

pub use bundle::{Bundle, BundleError, KnownResult, ListedPoint, ListedRun, OpenedBundle, PinnedRun, runs_in_places};
pub use document::{
    AvailabilitySource, ClusterPart, CurveSource, DataKind, DataSource, Document, DocumentError, FileHash,
    GeneratedJobs, JobSource, PriceSource, PublishedName, Resolved, Salvaged, SampleJobs, TableSource,
    VERSION as DOCUMENT_VERSION,
};
pub use presets::{PRESETS, Preset, packed_presets};
pub use share::{
    CHARACTERS_FREE, CHARACTERS_MAX, Link, LinkError, NeededFile, OpenedLink, ShownView, data_apart, is_link,
};
