//! Reading and writing files: job traces, throughput curves and availability logs, recognised by their content.
//!
//! [`import`] takes any set of files and returns data, a report on each file, and diagnostics; it never gives up on
//! all because of one, and never panics, whatever the files hold. Files are streamed: memory is needed for what was
//! read from them, not for the files. `docs/formats.md` specifies the formats.
//!
//! This crate does not know the engine, policies, the file system or the browser: bytes come from any `Read`.
//!
//! ```
//! use elastiplan_formats::{Options, Source, import};
//!
//! let jobs = b"job_id,submit_s,model,gpus,samples\na,0,bert,2,1000\nb,9,bert,two,1000\n";
//! let curves = b"model,gpus,samples_per_s\nbert,1,10\nbert,2,19\n";
//! let files = vec![Source::from_bytes("jobs.csv", jobs), Source::from_bytes("curves.csv", curves)];
//! let import = import(files, &Options::default(), &mut |_| {});
//!
//! assert_eq!(import.files[0].summary, "Plain job trace, 1 job");
//! assert_eq!(import.curves.as_slice().len(), 1);
//! assert_eq!(
//!     import.diagnostics[0].to_string(),
//!     "jobs.csv, row 3, gpus: two. Whole number from 1 to 65,536. Row left out. Write a number"
//! );
//! ```
//!
//! Modules depend downwards: [`import`] and [`excerpt`] on files, files on the registry of formats and on `sources`,
//! which knows the logs of other systems; both (formats: a folder for each kind of data) on `format::Format` and on
//! `text`, which knows bytes, tables and findings but no format. A new format is a file in one of the folders and a
//! line in `registry.rs`, a new source a file in `sources` and a line there.
#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

mod availability;
mod curves;
mod excerpt;
pub mod export;
mod file;
mod format;
mod import;
mod jobs;
pub mod mapping;
mod packed;
mod parts;
mod profiles;
mod registry;
mod report;
#[cfg(test)]
#[path = "../../../tests/samples.rs"]
#[allow(clippy::unwrap_used)]
mod samples;
mod scalability;
mod sniff;
mod sources;
mod text;
mod trainers;

pub use excerpt::{Excerpt, ExcerptRow, excerpt};
pub use import::{Options, import, import_mapped};
pub use packed::{ArchiveFile, read_archive, write_archive};
pub use report::{Assumption, Confidence, Dialect, ElasticFlowDialect, FileKind, FileReport, FileRole, Import};
pub use text::source::{Content, Progress, ReadSeek, Source, Stream};
