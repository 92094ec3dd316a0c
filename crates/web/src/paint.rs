//! Painting draw lists.
//!
//! [`painter`] paints marks on a 2D canvas in the colours of [`palette`], or leaves rectangles to [`gl`] by way of
//! [`quads`], as [`renderer`] decides. Where many rectangles meet on a canvas, [`crowd`] has their [`pixels`] computed.
//! [`resizes`] tells when a canvas has another size.

pub mod canvas;
pub mod crowd;
pub mod frames;
pub mod gl;
pub mod painter;
pub mod palette;
pub mod pixels;
pub mod quads;
pub mod renderer;
pub mod resizes;
