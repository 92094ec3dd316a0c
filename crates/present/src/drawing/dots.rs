//! Many dots on few pixels: what lies on the same spot is drawn once, and is found by where it lies.

use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_key;
use elastiplan_scene::{Frame, Point};

use crate::figure::{Figure, Tone};

/// Dots closer than this are one.
const SPOT_PX: f64 = 1.0;
/// A pointer finds a dot from this far.
const REACH_PX: f64 = 12.0;

/// Dots of one tone that lie on the same spot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Where, in pixels.
    pub at: Point,
    /// Their colour.
    pub tone: Tone,
    /// The first of the jobs.
    pub job: JobId,
    /// The number of jobs there.
    pub count: u32,
}

/// The place of a pair of values in a plot.
pub fn place(figure: &Figure, plot: &Frame, (x, y): (f64, f64)) -> Point {
    let (across, up) = (figure.x.share(x), figure.y.share(y));
    Point { x: plot.left + across * plot.width, y: plot.bottom() - up * plot.height }
}

/// The dots of a figure as they lie in a plot, in the order of its series.
pub fn spots(figure: &Figure, plot: &Frame) -> Vec<Spot> {
    let mut keyed: Vec<((Tone, i32, i32), Spot)> = Vec::new();
    for (dot, tone) in figure.dots() {
        let at = place(figure, plot, (dot.x, dot.y));
        let key = (tone, (at.x / SPOT_PX).round() as i32, (at.y / SPOT_PX).round() as i32);
        keyed.push((key, Spot { at, tone, job: dot.job, count: 1 }));
    }
    // Sorting keeps the order of jobs within a spot.
    sort_by_key(&mut keyed, |(key, _)| *key);
    let merged = keyed.chunk_by(|a, b| a.0 == b.0).filter_map(|same| {
        let (_, first) = same.first()?;
        Some(Spot { count: same.len() as u32, ..*first })
    });
    merged.collect()
}

/// The nearest spot within reach of a pointer; of several in one place, the one that is drawn last.
pub fn nearest(spots: &[Spot], pointer: Point) -> Option<&Spot> {
    let far = |spot: &Spot| (spot.at.x - pointer.x).powi(2) + (spot.at.y - pointer.y).powi(2);
    let near = spots.iter().map(|spot| (far(spot), spot)).filter(|(far, _)| *far <= REACH_PX * REACH_PX);
    near.min_by(|a, b| a.0.total_cmp(&b.0).then(b.1.tone.cmp(&a.1.tone))).map(|(_, spot)| spot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::axis::{Axis, Scale};
    use crate::figure::table::Table;
    use crate::figure::{Dot, Series, Shape};

    const PLOT: Frame = Frame { left: 0.0, top: 0.0, width: 100.0, height: 100.0 };

    fn figure(dots: &[(f64, f64)]) -> Figure {
        let axis = Axis { scale: Scale::Number, from: 0.0, to: 100.0, ..Axis::default() };
        let dot = |(at, (x, y)): (usize, &(f64, f64))| Dot { x: *x, y: *y, job: JobId(at as u32) };
        let shape = Shape::Dots(dots.iter().enumerate().map(dot).collect());
        Figure {
            name: String::new(),
            title: String::new(),
            summary: String::new(),
            x: axis.clone(),
            y: axis,
            series: vec![Series { label: String::new(), tone: Tone::Better, shape }],
            guides: Vec::new(),
            paper: Vec::new(),
            key: Vec::new(),
            notes: Vec::new(),
            table: Table::default(),
        }
    }

    #[test]
    fn what_lies_on_one_pixel_is_one_spot() {
        let found = spots(&figure(&[(10.0, 10.0), (10.2, 9.9), (50.0, 10.0)]), &PLOT);
        let counts: Vec<(u32, u32)> = found.iter().map(|spot| (spot.job.0, spot.count)).collect();
        assert_eq!(counts, [(0, 2), (2, 1)]);
    }

    #[test]
    fn a_pointer_finds_the_nearest() {
        let spots = spots(&figure(&[(10.0, 10.0), (20.0, 10.0)]), &PLOT);
        let check = |x: f64, y: f64, expected: Option<u32>| {
            assert_eq!(nearest(&spots, Point { x, y }).map(|spot| spot.job.0), expected, "{x} {y}");
        };
        check(11.0, 88.0, Some(0));
        check(16.0, 90.0, Some(1));
        check(60.0, 60.0, None);
    }

    #[test]
    fn many_dots_are_no_more_than_there_are_pixels() {
        let many: Vec<(f64, f64)> = (0..82_000_u32)
            .map(|at| (f64::from(at % 4000 * 7919 % 1000) / 10.0, f64::from(at % 4000 * 1049 % 997) / 10.0))
            .collect();
        let found = spots(&figure(&many), &PLOT);
        assert!(found.len() <= 101 * 101, "{}", found.len());
        assert_eq!(found.iter().map(|spot| spot.count).sum::<u32>(), 82_000);
    }
}
