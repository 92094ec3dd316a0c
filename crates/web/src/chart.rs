//! Figures on the page: [`FigureView`] shows one as a plot on a canvas or as its table, [`save`] writes it to a file.
//!
//! Their content and drawing are in `elastiplan_present`.

mod component;
mod files;
mod html;
mod menu;
mod overlay;
mod png;

pub use component::{FigureView, Jobs, Points};
pub use files::{Format, pixels_per_m, save, save_png};
