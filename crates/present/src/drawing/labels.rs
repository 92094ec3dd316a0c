//! The places of the names of lines: beside their line, over no other line and no other name.

use elastiplan_scene::{Frame, Point, TextSize};

/// Room about a name.
const GAP_PX: f64 = 5.0;
/// Distances of a name from its line, tried in this order; from the second on it has a leader.
const OFFSETS_PX: [f64; 5] = [6.0, 18.0, 30.0, 44.0, 60.0];
const SIZE: TextSize = TextSize::CaptionStrong;
const HEIGHT_PX: f64 = 13.0;

/// A name in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Which line it names.
    pub line: usize,
    /// Its left end, and its vertical middle.
    pub at: Point,
    /// From the name to the line, where they lie apart.
    pub leader: Option<(Point, Point)>,
}

/// Places names beside lines, each a list of corners from left to right. A name that finds no free place is left out.
pub fn place(lines: &[Vec<Point>], names: &[String], plot: &Frame) -> Vec<Placed> {
    let mut boxes: Vec<Frame> = Vec::new();
    let mut placed = Vec::new();
    for (line, (corners, name)) in lines.iter().zip(names).enumerate() {
        let width = SIZE.width_px(name);
        let is_free = |frame: &Frame| {
            let inside = frame.left >= plot.left
                && frame.right() <= plot.right()
                && frame.top >= plot.top
                && frame.bottom() <= plot.bottom();
            inside && !boxes.iter().any(|other| touch(frame, other)) && !lines.iter().any(|line| crosses(line, frame))
        };
        let found = candidates(corners, width).find(|(frame, _)| is_free(frame));
        if let Some((frame, from)) = found {
            boxes.push(frame);
            let at = Point { x: frame.left + GAP_PX, y: frame.top + frame.height / 2.0 };
            placed.push(Placed { line, at, leader: leader(&frame, from) });
        }
    }
    placed
}

/// Places to try, best first: near the middle of the line's rise, then farther along it and away from it.
fn candidates(corners: &[Point], width: f64) -> impl Iterator<Item = (Frame, Point)> {
    let rises: Vec<Point> = corners.windows(2).filter_map(rise).collect();
    let last = rises.len().saturating_sub(1) as f64;
    let shares = [0.55, 0.7, 0.4, 0.85, 0.25, 0.95, 0.1, 1.0, 0.0];
    let mut frames = Vec::new();
    for offset in OFFSETS_PX {
        for share in shares {
            let Some(&from) = rises.get((share * last).round() as usize) else { continue };
            let size = (width + 2.0 * GAP_PX, HEIGHT_PX);
            let top = from.y - HEIGHT_PX / 2.0;
            let frame = |left: f64, top: f64| Frame { left, top, width: size.0, height: size.1 };
            frames.push((frame(from.x + offset - GAP_PX, top), from));
            frames.push((frame(from.x - offset + GAP_PX - size.0, top), from));
            frames.push((frame(from.x + offset - GAP_PX, top + offset), from));
            frames.push((frame(from.x - offset + GAP_PX - size.0, top - offset), from));
        }
    }
    frames.into_iter()
}

/// The middle of a step up.
fn rise(pair: &[Point]) -> Option<Point> {
    let (a, b) = (pair.first()?, pair.get(1)?);
    (a.y != b.y).then(|| Point { x: (a.x + b.x) / 2.0, y: (a.y + b.y) / 2.0 })
}

fn leader(frame: &Frame, from: Point) -> Option<(Point, Point)> {
    let y = (frame.top + frame.height / 2.0).clamp(frame.top, frame.bottom());
    let x = if from.x < frame.left { frame.left + GAP_PX - 2.0 } else { frame.right() - GAP_PX + 2.0 };
    let apart = ((x - from.x).abs()).max((y - from.y).abs());
    (apart > 12.0).then_some((Point { x, y }, from))
}

fn touch(a: &Frame, b: &Frame) -> bool {
    a.left < b.right() && b.left < a.right() && a.top < b.bottom() && b.top < a.bottom()
}

/// Whether a line of horizontal and vertical pieces goes through a frame, or within 1 px of it.
fn crosses(line: &[Point], frame: &Frame) -> bool {
    // Corners go from left to right.
    let first = line.partition_point(|corner| corner.x < frame.left + 1.0).saturating_sub(1);
    let end = (line.partition_point(|corner| corner.x <= frame.right() - 1.0) + 1).min(line.len());
    line.get(first..end).unwrap_or_default().windows(2).any(|pair| {
        let (Some(a), Some(b)) = (pair.first(), pair.get(1)) else { return false };
        a.x.min(b.x) <= frame.right() - 1.0
            && a.x.max(b.x) >= frame.left + 1.0
            && a.y.min(b.y) <= frame.bottom() + 1.0
            && a.y.max(b.y) >= frame.top - 1.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLOT: Frame = Frame { left: 0.0, top: 0.0, width: 300.0, height: 150.0 };

    fn stairs(shift: f64) -> Vec<Point> {
        let step = |at: usize| {
            let (x, y) = (shift + at as f64 * 10.0, 150.0 - at as f64 * 10.0);
            [Point { x, y }, Point { x, y: y - 10.0 }]
        };
        (0..15).flat_map(step).chain([Point { x: 300.0, y: 0.0 }]).collect()
    }

    #[test]
    fn names_lie_in_the_plot_and_on_no_line() {
        let lines = [stairs(0.0), stairs(60.0)];
        let placed = place(&lines, &["A fixed".into(), "C elastic-dp".into()], &PLOT);
        assert_eq!(placed.len(), 2);
        for name in placed {
            let frame = Frame { left: name.at.x, top: name.at.y - 5.0, width: 40.0, height: 10.0 };
            assert!(lines.iter().all(|line| !crosses(line, &frame)), "{name:?}");
        }
    }

    #[test]
    fn a_line_that_never_rises_has_no_name() {
        let flat = vec![Point { x: 0.0, y: 150.0 }, Point { x: 300.0, y: 150.0 }];
        assert!(place(&[flat], &["A fixed".into()], &PLOT).is_empty());
    }
}
