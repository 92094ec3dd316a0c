//! Painting draw lists.
//!
//! [`painter`] paints marks on a 2D canvas in the colours of [`palette`], or leaves rectangles to [`gl`] as
//! [`Quads`](elastiplan_scene::Quads), as [`renderer`] decides. Where many rectangles meet on a canvas, [`crowd`] has
//! their [`Pixels`](elastiplan_scene::Pixels) computed. [`resizes`] tells when an element has another size. Where many
//! pictures change at once, they take [`turns`].

pub mod canvas;
pub mod crowd;
pub mod frames;
pub mod gl;
pub mod painter;
pub mod palette;
pub mod renderer;
pub mod resizes;
pub mod turns;
