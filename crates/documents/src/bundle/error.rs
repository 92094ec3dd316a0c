//! Faults of bundles.

use thiserror::Error;

use super::VERSION;
use crate::document::DocumentError;

/// The reason why a bundle, or a part of it, cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BundleError {
    /// It cannot be unpacked.
    #[error("{0}")]
    Archive(String),
    /// Another archive.
    #[error("not a bundle: the archive has no bundle.json")]
    NotABundle,
    /// A later build wrote it.
    #[error("made by version {0}; this build reads {VERSION}: use a newer build")]
    Newer(u64),
    /// A part that is needed is not there.
    #[error("{0} is missing in the bundle")]
    Missing(String),
    /// A part that is damaged.
    #[error("{member} in the bundle cannot be read: {reason}")]
    Damaged {
        /// The part.
        member: String,
        /// The problem.
        reason: String,
    },
    /// A part that is larger than any that is written.
    #[error("{member} has {} MB; at most 50 MB are read", bytes / 1_000_000)]
    TooLarge {
        /// The part.
        member: String,
        /// Its size.
        bytes: u64,
    },
    /// A run of the list that cannot be used.
    #[error("run {number} of the list is left out: {reason}")]
    Run {
        /// Its number, from 1.
        number: usize,
        /// The problem.
        reason: String,
    },
    /// The document, or a field of it, cannot be used.
    #[error("{0}")]
    Document(#[from] DocumentError),
}

impl BundleError {
    pub(super) fn damaged(member: &str, reason: impl ToString) -> Self {
        Self::Damaged { member: member.into(), reason: reason.to_string() }
    }
}
