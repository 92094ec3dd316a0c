//! Pictures as text, and what must hold for every picture.
#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.
#![allow(clippy::disallowed_methods)] // Tests need no small code: they sort as the standard library does.

mod ascii;
mod edges;
mod fixture;
mod hits;
mod lanes;
mod packed;
mod places;
mod properties;
mod stacks;
mod strips;
mod windows;
