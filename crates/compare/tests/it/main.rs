//! What the comparison answers, by hand, and against slow computations on random runs.
#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.
#![allow(clippy::disallowed_methods)] // Tests need no small code: they sort as the standard library does.

mod arrange;
mod comparable;
mod difference;
mod documentation;
#[path = "../../../metrics/tests/it/gamble.rs"]
mod gamble;
mod interval;
mod query_complete;
mod query_find;
mod query_text;
mod runs;
#[path = "../../../metrics/tests/it/stories.rs"]
mod stories;
mod story;
