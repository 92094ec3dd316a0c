//! The timelines: a strip per run, all on one time axis, with one cursor and one zoom.
//!
//! `view` is what the user has set, `gesture` interprets pointers, `picture` decides what canvases show, `stage` where
//! they lie. `rows` are jobs, GPUs or nodes; `details` caches what they are drawn from. `component` puts them together;
//! whatever moves with the pointer is painted on a canvas of its own by `overlay`.

mod component;
mod details;
mod draw;
mod export;
mod gesture;
mod html;
mod in_view;
mod input;
mod lanes;
mod layout;
mod legend;
mod menu;
mod obey;
mod overlay;
mod overview;
mod picture;
mod props;
mod rows;
mod stage;
mod tip;
mod view;
mod words;

#[cfg(test)]
mod tests;

pub use component::Timelines;
pub use export::{FIGURE_RATIO, timelines_png};
pub use props::Beside;
pub use tip::fill;
pub use words::decided as decided_words;
