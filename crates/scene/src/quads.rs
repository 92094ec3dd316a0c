//! Rectangles as the graphics card takes them: columns of numbers, one rectangle an instance.

use crate::draw::{Fill, Frame};

/// Rectangles in the order of their painting, in CSS pixels of the stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quads {
    /// Left, top, width and height of each.
    pub frames: Vec<f32>,
    /// Red, green, blue and opacity of each, not multiplied.
    pub colours: Vec<u8>,
    /// How each is filled: 0 solid, 1 hatched, 2 hatched in both directions.
    pub patterns: Vec<u8>,
    /// Where what is added now has its origin.
    origin: (f64, f64),
}

impl Quads {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.frames.clear();
        self.colours.clear();
        self.patterns.clear();
    }

    /// Sets the origin of rectangles that are added from now on.
    pub fn move_to(&mut self, left: f64, top: f64) {
        self.origin = (left, top);
    }

    /// Adds a rectangle.
    pub fn rect(&mut self, frame: &Frame, (red, green, blue): (u8, u8, u8), fill: Fill) {
        let (left, top) = (frame.left + self.origin.0, frame.top + self.origin.1);
        self.frames.extend([left as f32, top as f32, frame.width as f32, frame.height as f32]);
        let (share, pattern) = match fill {
            Fill::Solid => (100, 0),
            Fill::Share(percent) => (percent.min(100), 0),
            Fill::Hatch => (100, 1),
            Fill::CrossHatch => (100, 2),
        };
        self.colours.extend([red, green, blue, (u16::from(share) * 255 / 100) as u8]);
        self.patterns.push(pattern);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.patterns.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(frame: Frame, fill: Fill, frames: [f32; 4], opacity: u8, pattern: u8) {
        let mut quads = Quads::default();
        quads.move_to(10.0, 100.0);
        quads.rect(&frame, (1, 2, 3), fill);
        assert_eq!((quads.frames.as_slice(), quads.count()), (frames.as_slice(), 1));
        assert_eq!((quads.colours, quads.patterns), (vec![1, 2, 3, opacity], vec![pattern]));
    }

    #[test]
    fn fills_become_opacity_and_pattern() {
        let frame = Frame { left: 5.0, top: 6.0, width: 7.0, height: 0.5 };
        let at = [15.0, 106.0, 7.0, 0.5];
        check(frame, Fill::Solid, at, 255, 0);
        check(frame, Fill::Share(70), at, 178, 0);
        check(frame, Fill::Hatch, at, 255, 1);
        check(frame, Fill::CrossHatch, at, 255, 2);
    }
}
