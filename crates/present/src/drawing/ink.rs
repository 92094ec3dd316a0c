//! The colours that figures are drawn in.

use elastiplan_scene::Paint;

use crate::figure::Tone;
use crate::palette::Palette;

/// A colour by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The colour of a series.
    Tone(Tone),
    /// The ground.
    Panel,
    /// Titles.
    Strong,
    /// Labels of axes.
    Weak,
    /// Gridlines.
    Grid,
    /// Baselines.
    Line,
}

/// Red, green and blue.
pub type Rgb = (u8, u8, u8);

impl Ink {
    /// Its colour in a palette.
    pub fn rgb(self, palette: &Palette) -> Rgb {
        let paint = match self {
            Ink::Tone(Tone::Better) => return palette.difference_rgb(true),
            Ink::Tone(Tone::Worse) => return palette.difference_rgb(false),
            Ink::Tone(Tone::Policy(policy)) => Paint::Policy(policy),
            Ink::Tone(Tone::Equal) => Paint::Wait,
            Ink::Tone(Tone::Missed) => Paint::Bad,
            Ink::Tone(Tone::First) => Paint::Ink1,
            Ink::Tone(Tone::Second) => Paint::Ink2,
            Ink::Panel => Paint::Panel,
            Ink::Strong => Paint::Ink1,
            Ink::Weak => Paint::Ink3,
            Ink::Grid => Paint::Grid,
            Ink::Line => Paint::LineStrong,
        };
        palette.rgb(paint)
    }
}
