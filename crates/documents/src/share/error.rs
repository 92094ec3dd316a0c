//! Faults of links.

use elastiplan_text::format::count;
use elastiplan_text::words::list;
use thiserror::Error;

use super::{CHARACTERS_MAX, VERSION};
use crate::document::DocumentError;

/// The reason why a link, or a part of it, cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LinkError {
    /// Another text.
    #[error("not a link to a scenario: those have #v={VERSION}&s=… or #v={VERSION}&preset=…")]
    NotALink,
    /// A later build wrote it.
    #[error("the link has version {0}, this build reads {VERSION}: reload the page or use a newer build")]
    Newer(u64),
    /// Neither a document nor a preset.
    #[error("the link names no scenario: it has neither s=… nor preset=…")]
    Empty,
    /// A key that is not known.
    #[error("{0} is not a part of links")]
    UnknownKey(String),
    /// A key that is there twice.
    #[error("{0} is there twice; the first counts")]
    Twice(String),
    /// A time that is no number of seconds.
    #[error("{key}: {value} is not a time in seconds")]
    NotATime {
        /// The key.
        key: String,
        /// Its value.
        value: String,
    },
    /// No preset has this name.
    #[error("there is no preset {0}; elastiplan presets and the menu of the page list them")]
    UnknownPreset(String),
    /// A character that does not belong there.
    #[error("the link is damaged: {letter} is character {at} of its document, which has only letters, digits, - and _")]
    Letter {
        /// The character.
        letter: char,
        /// Its place behind `s=`, counted from 1.
        at: usize,
    },
    /// It cannot be unpacked.
    #[error("the link is damaged: its document cannot be unpacked; copy it again")]
    Damaged,
    /// It ends too early.
    #[error("{}", cut(*characters, read, missing))]
    Cut {
        /// The characters that are there.
        characters: usize,
        /// The fields that were read.
        read: Vec<&'static str>,
        /// The fields that are needed and missing.
        missing: Vec<&'static str>,
    },
    /// It unpacks to too much.
    #[error("the document of the link unpacks to more than {} MB", .0 / 1_000_000)]
    TooLarge(u64),
    /// The document is too long for a link.
    #[error(
        "the link would have {} characters, and programs that pass on text cut links above {}: save a file instead",
        count(*characters as u64), count(CHARACTERS_MAX as u64)
    )]
    TooLong {
        /// Its length.
        characters: usize,
    },
    /// The document, or a field of it, cannot be used.
    #[error("{0}")]
    Document(#[from] DocumentError),
}

/// What is said of a link that ends too early.
fn cut(characters: usize, read: &[&str], missing: &[&str]) -> String {
    let at = format!("cut at character {}", count(characters as u64));
    let are = |names: &[&str]| match names {
        [only] if *only == "cluster" || !only.ends_with('s') => "is",
        _ => "are",
    };
    match (read, missing) {
        ([], _) => format!("{at}: nothing of the scenario is there; copy the link again"),
        (read, []) => format!("{at}: {} {} read, what follows is missing", list(read), are(read)),
        (read, missing) => {
            format!("{at}: {} {} read, {} {} missing", list(read), are(read), list(missing), are(missing))
        }
    }
}
