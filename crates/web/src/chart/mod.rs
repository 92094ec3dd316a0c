//! Charts: what runs amount to, as figures.
//!
//! A [`figure::Figure`] is plain data. Each kind of chart is a file that makes one from runs: [`distribution`],
//! [`against`], [`bars`], [`over_time`], [`of_job`] (the last two are `lines`), or from a log: [`of_log`], or from measured times: [`of_scaling`]. `axis`, `layout`, `labels`, `dots` and `thin` decide on pixels, `draw` makes
//! `marks` of them, which plotters draws on a canvas or as `svg`; `files` saves both with their `provenance`.
//! [`FigureView`] shows any figure on the page, as a plot or as its table.

mod against;
mod axis;
mod bars;
mod component;
mod distribution;
mod dots;
mod draw;
mod figure;
mod files;
mod html;
mod idle_nodes;
mod ink;
mod labels;
mod layout;
mod lines;
mod marks;
mod menu;
mod of_job;
mod over_time;
mod overlay;
mod paper;
mod png;
mod pointing;
mod provenance;
mod scaling;
mod svg;
mod table;
#[cfg(test)]
mod testing;
mod thin;

pub use against::against;
pub use bars::{bars, metrics};
pub use component::{FigureView, Jobs};
pub use distribution::{Spread, distribution};
pub use files::{Format, save};
pub use idle_nodes::{OfLog, of_log};
pub use of_job::{OfJob, of_job};
pub use over_time::over_time;
pub use paper::{Beside, Paper};
pub use provenance::Provenance;
pub use scaling::{OfScaling, of_scaling};
