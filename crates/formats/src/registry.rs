//! The registry of formats, and the choice of a format by a header. A new format is a file and a line here.

use std::cmp::Reverse;

use crate::availability::{counts, events, intervals, matrix};
use crate::format::Format;
use crate::profiles::{steps, validation};
use crate::report::FileKind;
use crate::scalability::{all_reduce, processing};
use crate::text::header::{Fit, Header};
use crate::{curves, jobs};

/// Where two formats fit a header equally well, the first is taken.
pub(crate) static FORMATS: &[&Format] = &[
    &jobs::plain::FORMAT,
    &jobs::elasticflow::PUBLISHED,
    &jobs::elasticflow::SIMULATOR,
    &jobs::pollux::FORMAT,
    &jobs::bftrainer::FORMAT,
    &curves::elasticflow_long::FORMAT,
    &curves::plain::FORMAT,
    &curves::bftrainer::FORMAT,
    &curves::elasticflow::FORMAT,
    &steps::BY_PLACEMENT,
    &steps::BY_COUNT,
    &validation::FORMAT,
    &processing::FORMAT,
    &all_reduce::FORMAT,
    &intervals::FORMAT,
    &events::FORMAT,
    &counts::FORMAT,
    &matrix::FORMAT,
];

/// The format that fits a header best.
pub(crate) struct Choice {
    pub format: &'static Format,
    pub fit: Fit,
    /// Whether another format fits completely too.
    pub rivals: bool,
}

impl Choice {
    /// Its rank: complete before incomplete, then by needed columns found.
    pub fn rank(&self) -> (bool, usize) {
        (self.fit.is_complete(), self.fit.found)
    }
}

/// Whether a text names columns of some format: at least two needed ones.
pub(crate) fn names_columns(text: &str) -> bool {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').map(str::to_lowercase);
    // Where any column may be a node, every word names one.
    let telling = || FORMATS.iter().filter(|format| format.kind != FileKind::AvailabilityMatrix);
    let names = |word: &str| telling().any(|format| word.contains('_') && format.knows(word));
    words.filter(|word| names(word)).take(2).count() == 2
}

/// The best format for a header, if it has a needed column of any.
pub(crate) fn choose(header: &Header) -> Option<Choice> {
    let fits = || FORMATS.iter().map(|format| (*format, format.fit(header)));
    let complete = fits().filter(|(_, fit)| fit.is_complete()).count();
    let rank = |fit: &Fit| (fit.is_complete(), fit.found, Reverse(fit.missing.len()));
    // Of the largest ranks the first.
    let best = fits().filter(|(_, fit)| fit.found > 0).min_by_key(|(_, fit)| Reverse(rank(fit)));
    best.map(|(format, fit)| Choice { format, fit, rivals: complete > 1 })
}
