//! Many rectangles, computed here pixel by pixel: a canvas takes a hundred times as long to be called for each as it
//! takes to set the few pixels that it covers.

use std::ops::Range;

use crate::draw::Frame;

/// A part of a canvas, in its own pixels: colours multiplied by their opacity, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pixels {
    /// Left edge on the canvas.
    pub left: usize,
    /// Top edge on the canvas.
    pub top: usize,
    width: usize,
    height: usize,
    rgba: Vec<[u8; 4]>,
}

impl Pixels {
    /// Clears it, and makes it hold what lies in `frames` (in pixels) of a canvas of this size.
    pub fn cover(&mut self, frames: impl Iterator<Item = Frame>, canvas: (usize, usize)) {
        let nothing = (f64::INFINITY, f64::INFINITY, 0.0f64, 0.0f64);
        let (left, top, right, bottom) = frames.fold(nothing, |(left, top, right, bottom), frame| {
            (left.min(frame.left), top.min(frame.top), right.max(frame.right()), bottom.max(frame.bottom()))
        });
        // What is negative becomes 0.
        (self.left, self.top) = (left.floor().min(1e9) as usize, top.floor().min(1e9) as usize);
        self.width = (right.ceil() as usize).min(canvas.0).saturating_sub(self.left);
        self.height = (bottom.ceil() as usize).min(canvas.1).saturating_sub(self.top);
        self.rgba.clear();
        self.rgba.resize(self.width * self.height, [0; 4]);
    }

    /// Width and height.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Paints a rectangle, given in pixels of the canvas, over what there is. A pixel that it covers in part takes on
    /// that part of its colour.
    pub fn rect(&mut self, frame: &Frame, (red, green, blue): (u8, u8, u8), opacity: f64) {
        let (rows, first_row, last_row) = covered(frame.top - self.top as f64, frame.height, self.height);
        let (columns, first_column, last_column) = covered(frame.left - self.left as f64, frame.width, self.width);
        for row in rows.clone() {
            let share = part(row, &rows, first_row, last_row) * opacity;
            let begin = row * self.width;
            let Some(pixels) = self.rgba.get_mut(begin + columns.start..begin + columns.end) else { return };
            let colour = |part: f64| {
                let alpha = (share * part * 255.0).round() as u8;
                [times(red, alpha), times(green, alpha), times(blue, alpha), alpha]
            };
            if let [first, inner @ .., last] = pixels {
                over(std::slice::from_mut(first), colour(first_column));
                over(inner, colour(1.0));
                over(std::slice::from_mut(last), colour(last_column));
            } else if let [only] = pixels {
                over(std::slice::from_mut(only), colour(first_column));
            }
        }
    }

    /// The bytes as a canvas takes them: colours not multiplied.
    pub fn straight(&mut self) -> &[u8] {
        for [red, green, blue, alpha] in &mut self.rgba {
            if !matches!(*alpha, 0 | 255) {
                let whole = u16::from(*alpha);
                let divided = |part: u8| ((u16::from(part) * 255 + whole / 2) / whole).min(255) as u8;
                (*red, *green, *blue) = (divided(*red), divided(*green), divided(*blue));
            }
        }
        self.rgba.as_flattened()
    }
}

/// The pixels that a stretch touches, of so many, and how much it covers of the first and of the last. Where they are
/// one, both say how much of that.
fn covered(from: f64, length: f64, count: usize) -> (Range<usize>, f64, f64) {
    // Sums of fractions are a little off whole numbers; a thousandth of a pixel is invisible.
    let whole = |edge: f64| if (edge - edge.round()).abs() < 1e-3 { edge.round() } else { edge };
    let (from, to) = (whole(from).max(0.0), whole(from + length).min(count as f64));
    if from >= to {
        return (0..0, 0.0, 0.0);
    }
    let (first, end) = (from.floor(), to.ceil());
    let range = first as usize..end as usize;
    if end - first <= 1.0 {
        return (range, to - from, to - from);
    }
    (range, first + 1.0 - from, to - (end - 1.0))
}

/// How much of a row is covered.
fn part(row: usize, rows: &Range<usize>, first: f64, last: f64) -> f64 {
    if row == rows.start {
        first
    } else if row + 1 == rows.end {
        last
    } else {
        1.0
    }
}

fn times(value: u8, share: u8) -> u8 {
    // Exact for bytes: the rounded quotient by 255.
    let product = u32::from(value) * u32::from(share) + 128;
    ((product + (product >> 8)) >> 8) as u8
}

/// Paints a colour, multiplied by its opacity, over pixels.
fn over(pixels: &mut [[u8; 4]], colour: [u8; 4]) {
    let [red, green, blue, alpha] = colour;
    if alpha == 255 {
        return pixels.fill(colour);
    }
    let left = 255 - alpha;
    for pixel in pixels {
        let [below_red, below_green, below_blue, below_alpha] = *pixel;
        *pixel = [
            red.saturating_add(times(below_red, left)),
            green.saturating_add(times(below_green, left)),
            blue.saturating_add(times(below_blue, left)),
            alpha.saturating_add(times(below_alpha, left)),
        ];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(left: f64, top: f64, width: f64, height: f64) -> Frame {
        Frame { left, top, width, height }
    }

    /// One letter a pixel: how opaque it is, in tenths.
    fn opacities(pixels: &Pixels) -> String {
        let row = |row: &[[u8; 4]]| -> String {
            row.iter().map(|pixel| char::from(b'0' + (f64::from(pixel[3]) / 25.6).round().min(9.0) as u8)).collect()
        };
        pixels.rgba.chunks(pixels.width.max(1)).map(row).collect::<Vec<_>>().join(" ")
    }

    fn painted(frames: &[Frame], opacity: f64) -> Pixels {
        let mut pixels = Pixels::default();
        pixels.cover(frames.iter().copied(), (8, 4));
        frames.iter().for_each(|frame| pixels.rect(frame, (200, 100, 0), opacity));
        pixels
    }

    #[test]
    fn whole_pixels_are_filled_and_others_in_part() {
        assert_eq!(opacities(&painted(&[frame(1.0, 1.0, 3.0, 2.0)], 1.0)), "999 999");
        assert_eq!(opacities(&painted(&[frame(1.0, 0.5, 3.0, 1.5)], 1.0)), "555 999");
        assert_eq!(opacities(&painted(&[frame(0.75, 1.0, 2.0, 1.0)], 1.0)), "397");
        assert_eq!(opacities(&painted(&[frame(1.25, 1.25, 0.5, 0.5)], 1.0)), "3");
        assert_eq!(opacities(&painted(&[frame(1.0, 0.0, 2.0, 1.0), frame(4.0, 1.0, 1.0, 1.0)], 0.5)), "5500 0005");
    }

    #[test]
    fn what_lies_outside_the_canvas_is_left_out() {
        assert_eq!(opacities(&painted(&[frame(-2.0, -1.0, 4.0, 2.0)], 1.0)), "99");
        assert_eq!(opacities(&painted(&[frame(6.0, 3.0, 9.0, 9.0)], 1.0)), "99");
        assert_eq!(painted(&[frame(20.0, 9.0, 5.0, 5.0)], 1.0).size(), (0, 0));
        assert_eq!(painted(&[], 1.0).size(), (0, 0));
    }

    #[test]
    fn colours_lie_over_each_other() {
        let mut pixels = painted(&[frame(0.0, 0.0, 1.0, 1.0)], 1.0);
        pixels.rect(&frame(0.0, 0.0, 1.0, 1.0), (0, 0, 200), 0.5);
        assert_eq!(pixels.straight(), [100, 50, 100, 255]);
        let mut faint = painted(&[frame(0.0, 0.0, 1.0, 1.0)], 0.25);
        assert_eq!(faint.straight(), [199, 100, 0, 64]);
    }
}
