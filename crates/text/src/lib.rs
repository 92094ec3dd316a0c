//! How numbers, times and parameters are written and read: one spelling for the page, the command line and messages.
//!
//! - [`format`](mod@format) writes durations, counts, shares and differences; [`calendar`] dates.
//! - [`number`](fn@number) reads a number, small in code.
//! - [`nearest`] finds the known word that a mistyped one stands for.
//! - [`words`] joins lists and counts nouns.
//! - [`pairs`] reads `name[key=value,...]`, the syntax of policies, generators and faults.
//!
//! ```
//! use elastiplan_text::{format, nearest, pairs};
//!
//! assert_eq!(format::duration(4_620.0), "1h 17m");
//! assert_eq!(nearest("modle", ["model", "gpus"]), Some("model"));
//! let (name, inside) = pairs::bracketed("elastic-dp[delta_s=60]").unwrap();
//! assert_eq!((name, pairs::pairs(inside).collect()), ("elastic-dp", vec![Ok(("delta_s", "60"))]));
//! ```
//!
//! This crate does not know jobs, clusters, policies, files or the DOM.

#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

pub mod calendar;
pub mod format;
mod nearest;
mod number;
pub mod pairs;
pub mod words;

pub use nearest::nearest;
pub use number::number;
