//! Layout: turns a [`Run`](elastiplan_engine::Run) and a viewport into plain draw lists, and answers what lies under a
//! pointer.
//!
//! - [`Strip`] draws one run, a row a job, and [`PlaceStrip`] a row a GPU or node, from its [`Tenancy`]; both answer hit
//!   tests. [`StackStrip`] draws the same run as GPUs stacked by model, user, size or outcome, from its [`Stack`].
//!   [`PackedStrip`] draws it in rows that jobs share one after another, from [`PackedRows`]. [`Detail`] keeps what large runs are drawn from.
//! - [`GpuLane`] draws GPUs in use of one run, [`SeriesLane`] any value over time of several runs overlaid.
//! - [`TimeWindow`] and [`TimeScale`] carry times to pixels and back, for panning and zooming; [`axis`] labels them.
//! - [`Pixels`] and [`Quads`] are many rectangles, as a picture and as a graphics card takes them.
//!
//! A [`DrawList`] holds rectangles, lines, areas, crosses and texts in CSS pixels, in painting order, with *named*
//! colours such as [`Paint::Wait`]. Cost is bounded by what can be seen: what is narrower than a pixel merges within
//! its pixel, as high as the share of time in which GPUs were held, and rows that do not fit merge into bands.
//!
//! ```
//! use elastiplan_scene::{TimeScale, TimeWindow, axis};
//! use elastiplan_text::format;
//!
//! let scale = TimeScale::new(TimeWindow::fit(0.0, 9_000.0), 48.0, 500.0);
//! let labels: Vec<String> = axis::ticks(&scale, 0.0, 70.0).into_iter().map(|tick| tick.label).collect();
//! assert_eq!(labels, ["0m", "30m", "1h", "1h 30m", "2h", "2h 30m"]);
//! assert_eq!(format::duration(scale.time_at(300.0)), "1h 17m");
//! ```
//!
//! This crate does not know canvas APIs, the DOM, fonts, themes (what colour a name stands for), how a run was made,
//! or how its metrics are computed.

pub mod axis;
mod band;
mod columns;
mod detail;
mod draw;
mod groups;
mod hit;
mod labels;
mod lane;
mod layers;
mod layout;
mod levels;
mod merged;
mod packed;
mod pixels;
mod place_hits;
mod places;
mod prepare;
mod quads;
mod row;
mod rows;
mod series;
mod series_lane;
mod slots;
mod stack;
mod steps;
mod strip;
mod tenancy;
mod time;
mod tooltip;

pub use detail::{Detail, MissingDetail};
pub use draw::{Anchor, Cross, Dash, DrawList, Fill, Frame, Mark, Paint, Point, TextSize, shortened};
pub use hit::{BandHit, Hit, JobHit, PlaceHit};
pub use lane::{Counts, GpuLane, most_present};
pub use layout::{PITCHES_PX, Pitch, StripLayout, fit_pitch};
pub use packed::{PackedRows, PackedStrip};
pub use pixels::Pixels;
pub use places::{PlaceStrip, Unit};
pub use quads::Quads;
pub use rows::{RowGroup, Rows};
pub use series::Series;
pub use series_lane::{SeriesLane, SeriesLine};
pub use slots::{ModelSlot, ModelSlots};
pub use stack::{BANDS_MAX, Band, Banding, Stack, StackBy, StackHit, StackStrip};
pub use strip::{Phase, Strip};
pub use tenancy::{Piece, Tenancy};
pub use time::{TimeScale, TimeWindow};
