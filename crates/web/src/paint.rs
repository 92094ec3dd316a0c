//! Painting: draw lists on canvases in the colours of the theme.

pub mod palette;
