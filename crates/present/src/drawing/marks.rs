//! Marks in device pixels, and how plotters draws them on any of its backends. All that is made once for each backend
//! is here: whatever decides on marks is not.

use elastiplan_scene::Anchor;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::drawing::ink::Rgb;

/// The family of all text in pictures, without the quotes that files would have to escape.
const FONT: &str = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif";

/// A place in device pixels.
pub type Pixel = (i32, i32);

/// One thing to draw.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A filled polygon with its opacity, 0 to 1.
    Polygon(Vec<Pixel>, Rgb, f64),
    /// A filled rectangle with its opacity.
    Rect([Pixel; 2], Rgb, f64),
    /// A filled circle with its radius and opacity.
    Circle(Pixel, i32, Rgb, f64),
    /// A line with its width.
    Line(Vec<Pixel>, Rgb, u32),
    /// A line of text.
    Text {
        /// The words.
        words: String,
        /// The height of its font.
        size: f64,
        /// Its weight.
        is_bold: bool,
        /// Its colour.
        rgb: Rgb,
        /// The place of its anchor, at its vertical middle.
        at: Pixel,
        /// Which part of it lies there.
        anchor: Anchor,
    },
}

/// Draws marks over a ground.
pub fn paint<B: DrawingBackend>(
    backend: B,
    ground: Rgb,
    marks: &[Mark],
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let area = backend.into_drawing_area();
    area.fill(&colour(ground))?;
    for mark in marks {
        match mark {
            Mark::Polygon(corners, rgb, alpha) => area.draw(&Polygon::new(corners.clone(), filled(*rgb, *alpha)))?,
            Mark::Rect(corners, rgb, alpha) => area.draw(&Rectangle::new(*corners, filled(*rgb, *alpha)))?,
            Mark::Circle(at, radius, rgb, alpha) => area.draw(&Circle::new(*at, *radius, filled(*rgb, *alpha)))?,
            Mark::Line(corners, rgb, width) => {
                area.draw(&PathElement::new(corners.clone(), colour(*rgb).stroke_width(*width)))?;
            }
            Mark::Text { words, size, is_bold, rgb, at, anchor } => {
                let weight = if *is_bold { FontStyle::Bold } else { FontStyle::Normal };
                let part = match anchor {
                    Anchor::Start => HPos::Left,
                    Anchor::Middle => HPos::Center,
                    Anchor::End => HPos::Right,
                };
                let mut style = TextStyle::from((FONT, *size, weight).into_font());
                style.color = colour(*rgb).to_backend_color();
                area.draw_text(words, &style.pos(Pos::new(part, VPos::Center)), *at)?;
            }
        }
    }
    area.present()
}

fn colour((red, green, blue): Rgb) -> RGBColor {
    RGBColor(red, green, blue)
}

fn filled(rgb: Rgb, alpha: f64) -> ShapeStyle {
    colour(rgb).mix(alpha).filled()
}
