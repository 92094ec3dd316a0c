//! What holds for the colours of the page.
#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.

mod colour_blind;
mod contrast;
mod tokens;
