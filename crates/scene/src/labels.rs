//! Finding places for the labels of lines: near the line's highest point, off the other lines, on no other label.

use crate::draw::{Anchor, Frame, Mark, Paint, Point, TextSize};

const GAP_PX: f64 = 6.0;
const HEIGHT_PX: f64 = 11.0;
/// How many places along the plot are tried, besides those beside the highest point.
const PLACES: u32 = 16;

/// The labels of one plot.
pub(crate) struct Labels<'a> {
    frame: Frame,
    lines: &'a [Vec<Point>],
    taken: Vec<Frame>,
}

impl<'a> Labels<'a> {
    pub(crate) fn new(frame: Frame, lines: &'a [Vec<Point>]) -> Self {
        Self { frame, lines, taken: Vec::new() }
    }

    /// A label for a line; `None` if the line is not in view, or no place is free.
    pub(crate) fn place(&mut self, line: &[Point], text: String, paint: Paint) -> Option<Mark> {
        let size = TextSize::CaptionStrong;
        let width = size.width_px(&text);
        let highest = line.iter().copied().reduce(|best, point| if point.y < best.y { point } else { best })?;
        let heights = (0..4).map(|nth| self.frame.top + (self.frame.height - HEIGHT_PX) * f64::from(nth) / 3.0);
        let mut best: Option<(f64, Frame)> = None;
        for top in heights {
            let beside = [highest.x + GAP_PX, highest.x - GAP_PX - width];
            let step_px = (self.frame.width - width) / f64::from(PLACES);
            let along = (0..=PLACES).map(|nth| self.frame.left + step_px * f64::from(nth));
            for left in beside.into_iter().chain(along) {
                let place = Frame { left, top, width, height: HEIGHT_PX };
                if !self.is_free(&place) {
                    continue;
                }
                // Covering lines is worst, then distance from the point that is named.
                let (dx, dy) = (left + width / 2.0 - highest.x, top + HEIGHT_PX / 2.0 - highest.y);
                let distance = dx.abs() * 0.2 + dy.abs();
                if best.is_some_and(|(least, _)| distance >= least) {
                    continue;
                }
                let covered: usize = self.lines.iter().map(|line| crossings(line, &place)).sum();
                let cost = covered as f64 * 40.0 + distance;
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, place));
                }
            }
        }
        let (_, place) = best?;
        self.taken.push(Frame { left: place.left - GAP_PX, width: place.width + 2.0 * GAP_PX, ..place });
        let at = Point { x: place.left, y: place.top + HEIGHT_PX / 2.0 };
        Some(Mark::Text { at, text, anchor: Anchor::Start, size, paint, backed: true })
    }

    fn is_free(&self, place: &Frame) -> bool {
        let inside = place.left >= self.frame.left
            && place.right() <= self.frame.right()
            && place.top >= self.frame.top
            && place.bottom() <= self.frame.bottom();
        inside && !self.taken.iter().any(|taken| overlap(taken, place))
    }
}

fn overlap(a: &Frame, b: &Frame) -> bool {
    a.left < b.right() && b.left < a.right() && a.top < b.bottom() && b.top < a.bottom()
}

/// How many pieces of a step line run through a place.
fn crossings(line: &[Point], place: &Frame) -> usize {
    // Corners go left to right.
    let first = line.partition_point(|point| point.x < place.left).saturating_sub(1);
    let end = line.partition_point(|point| point.x <= place.right()) + 1;
    let line = line.get(first..end.min(line.len())).unwrap_or_default();
    let pieces = line.iter().zip(line.iter().skip(1));
    let through = |(a, b): &(&Point, &Point)| {
        a.x.min(b.x) <= place.right()
            && a.x.max(b.x) >= place.left
            && a.y.min(b.y) <= place.bottom()
            && a.y.max(b.y) >= place.top
    };
    pieces.filter(through).count()
}
