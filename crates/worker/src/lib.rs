//! Work beside the page: files are read and policies run in Web Workers, so that the page never waits.
//!
//! [`messages`] is what crosses between page and worker: small values as plain JS objects, large ones [`Packed`].
//! [`Client`] is the page's side, [`serve`] the worker's, which is built as two [`Module`]s. A worker reads one set of files or runs one policy at a time;
//! a page that wants three policies starts three workers.
//!
//! A [`study`] has a worker of its own, which starts further ones.
//!
//! A run goes on in slices of a few milliseconds, with the event loop in between, so that a cancel is heard. What
//! cannot be interrupted (reading a file, one long decision) is ended by terminating the worker; the page keeps what
//! it was sent until then. A panic is reported as [`messages::Response::Failed`] before the worker ends.
//!
//! This crate does not know the DOM, or what is done with results.

mod blob;
mod client;
mod global;
mod import;
pub mod keeping;
mod kept;
pub mod messages;
mod module;
mod opening;
mod packed;
mod program;
mod run;
mod serve;
mod sharing;
pub mod study;
mod writing;

pub use client::{Answer, Client, ClientError};
pub use module::{Abilities, FULL, Module, PACKED_SAMPLE, PRESETS, SAMPLE};
pub use packed::Packed;
pub use serve::serve;
pub use study::{KeptRuns, StudyOrder};
