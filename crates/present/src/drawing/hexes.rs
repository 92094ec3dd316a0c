//! Many dots as hexagons with counts, where single dots would cover each other.

use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_key;
use elastiplan_scene::{Frame, Point};

use crate::drawing::dots::place;
use crate::figure::{Figure, Tone};

/// From so many dots on they are counted.
const DENSE_FROM: usize = 500;
/// From one hexagon to the next beside it.
pub const WIDTH_PX: f64 = 8.0;
/// From one row of hexagons to the next.
const ROW_PX: f64 = WIDTH_PX * 0.866_025_403_784_438_6;
/// From the middle to a corner.
pub const SIDE_PX: f64 = WIDTH_PX / 1.732_050_807_568_877_2;

/// A hexagon with the jobs whose dots lie nearest to its middle.
#[derive(Clone, Debug, PartialEq)]
pub struct Hex {
    /// Its middle, in pixels.
    pub at: Point,
    /// The tone that most of its jobs have; of equal ones that which counts more.
    pub tone: Tone,
    /// How many jobs of each tone lie there, in the order of tones.
    pub counts: Vec<(Tone, u32)>,
    /// The jobs, in the order of the figure.
    pub jobs: Vec<JobId>,
}

impl Hex {
    /// A hexagon of nothing, as a sample of a tone.
    pub fn of(tone: Tone) -> Self {
        Self { at: Point { x: 0.0, y: 0.0 }, tone, counts: Vec::new(), jobs: Vec::new() }
    }

    /// How many jobs lie there.
    pub fn count(&self) -> usize {
        self.jobs.len()
    }

    /// Its corners, the upper one first.
    pub fn corners(&self) -> [Point; 6] {
        let (half, side) = (WIDTH_PX / 2.0, SIDE_PX);
        let offsets = [(0.0, -1.0), (1.0, -0.5), (1.0, 0.5), (0.0, 1.0), (-1.0, 0.5), (-1.0, -0.5)];
        offsets.map(|(x, y)| Point { x: self.at.x + x * half, y: self.at.y + y * side })
    }
}

/// Whether a figure has so many dots that they are counted in hexagons.
pub fn is_dense(figure: &Figure) -> bool {
    figure.dots().nth(DENSE_FROM).is_some()
}

/// The column and the row of the hexagon whose middle is nearest. Of two that are as near either.
fn cell_of(at: Point) -> (i32, i32) {
    let row = at.y / ROW_PX;
    // The middle lies in the row above or in the row below.
    let candidate = |row: f64| {
        let shift = if row.rem_euclid(2.0) == 0.0 { 0.0 } else { 0.5 };
        let column = (at.x / WIDTH_PX - shift).round();
        let (x, y) = ((column + shift) * WIDTH_PX, row * ROW_PX);
        ((at.x - x).powi(2) + (at.y - y).powi(2), (column as i32, row as i32))
    };
    let (above, below) = (candidate(row.floor()), candidate(row.floor() + 1.0));
    if above.0 <= below.0 { above.1 } else { below.1 }
}

fn middle_of((column, row): (i32, i32)) -> Point {
    let shift = if row.rem_euclid(2) == 0 { 0.0 } else { 0.5 };
    Point { x: (f64::from(column) + shift) * WIDTH_PX, y: f64::from(row) * ROW_PX }
}

/// The dots of a figure in a plot, counted; rows from top to bottom, each from left to right.
pub fn hexes(figure: &Figure, plot: &Frame) -> Vec<Hex> {
    let mut keyed: Vec<((i32, i32, Tone), JobId)> = Vec::new();
    for (dot, tone) in figure.dots() {
        let at = place(figure, plot, (dot.x, dot.y));
        let (column, row) = cell_of(Point { x: at.x - plot.left, y: at.y - plot.top });
        keyed.push(((row, column, tone), dot.job));
    }
    sort_by_key(&mut keyed, |(key, _)| *key);
    let hex = |same: &[((i32, i32, Tone), JobId)]| {
        let ((row, column, _), _) = *same.first()?;
        let of_tones = same.chunk_by(|a, b| a.0.2 == b.0.2);
        let counts: Vec<(Tone, u32)> =
            of_tones.filter_map(|of_tone| Some((of_tone.first()?.0.2, of_tone.len() as u32))).collect();
        let (tone, _) = *counts.iter().max_by_key(|(tone, count)| (*count, *tone))?;
        let at = middle_of((column, row));
        let at = Point { x: at.x + plot.left, y: at.y + plot.top };
        Some(Hex { at, tone, counts, jobs: same.iter().map(|(_, job)| *job).collect() })
    };
    keyed.chunk_by(|a, b| (a.0.0, a.0.1) == (b.0.0, b.0.1)).filter_map(hex).collect()
}

/// How dark a hexagon is, 0 to 1: by the logarithm of its count.
pub fn shade(count: usize, most: usize) -> f64 {
    let share = libm::log1p(count as f64) / libm::log1p(most.max(1) as f64);
    0.15 + 0.85 * share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::axis::{Axis, Scale};
    use crate::figure::{Dot, Series, Shape};

    const PLOT: Frame = Frame { left: 30.0, top: 8.0, width: 400.0, height: 300.0 };
    const TONES: [Tone; 4] = [Tone::Better, Tone::Equal, Tone::Worse, Tone::Missed];

    /// Dots from a linear congruential generator, in four series, some of them on the edges of hexagons.
    fn figure(seed: u64, count: u32) -> Figure {
        let mut state = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mut next = |below: f64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let share = (state >> 11) as f64 / (1_u64 << 53) as f64;
            // Coarse at times, so that many lie in one place.
            if seed.is_multiple_of(3) { (share * 40.0).floor() / 40.0 * below } else { share * below }
        };
        let series = TONES.map(|tone| {
            let dots = (0..count).map(|job| Dot { x: next(400.0), y: next(300.0), job: JobId(job) });
            Series { label: String::new(), tone, shape: Shape::Dots(dots.collect()) }
        });
        let axis = |to: f64| Axis { scale: Scale::Number, from: 0.0, to, ..Axis::default() };
        Figure { x: axis(400.0), y: axis(300.0), series: series.into(), ..Figure::default() }
    }

    fn far(a: Point, b: Point) -> f64 {
        (a.x - b.x).hypot(a.y - b.y)
    }

    /// The least distance to any middle of the grid, looked for among all of them.
    fn nearest_naively(at: Point) -> f64 {
        let rows = -2..=(300.0 / ROW_PX) as i32 + 2;
        let middles = rows.flat_map(|row| (-2..=52).map(move |column| middle_of((column, row))));
        let middles = middles.map(|middle| Point { x: middle.x + PLOT.left, y: middle.y + PLOT.top });
        middles.map(|middle| far(middle, at)).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn every_dot_is_counted_once_in_the_hexagon_with_the_nearest_middle() {
        for seed in 0..60 {
            let figure = figure(seed, 12);
            let hexes = hexes(&figure, &PLOT);
            let mut total = 0;
            for hex in &hexes {
                assert_eq!(hex.count() as u32, hex.counts.iter().map(|(_, count)| count).sum::<u32>());
                assert!(
                    hex.counts
                        .iter()
                        .all(|(_, count)| *count <= hex.counts.iter().find(|c| c.0 == hex.tone).unwrap().1)
                );
                total += hex.count();
            }
            assert_eq!(total, figure.dots().count());
            for (dot, tone) in figure.dots() {
                let at = place(&figure, &PLOT, (dot.x, dot.y));
                let nearest = nearest_naively(at);
                let own = hexes.iter().any(|hex| {
                    let has = hex.jobs.contains(&dot.job) && hex.counts.iter().any(|(of, _)| *of == tone);
                    has && (far(hex.at, at) - nearest).abs() < 1e-9
                });
                assert!(own, "{seed}: {at:?} is in no hexagon at {nearest}");
            }
        }
    }

    #[test]
    fn counts_are_those_of_a_count_dot_by_dot() {
        for seed in 0..200 {
            let figure = figure(seed, 40);
            for hex in hexes(&figure, &PLOT) {
                for tone in TONES {
                    // Nothing lies as near to another middle: ties are left to the test above.
                    let near = |at: Point| far(hex.at, at) - nearest_of_neighbours(&hex, at);
                    let places = figure
                        .dots()
                        .filter(|(_, of)| *of == tone)
                        .map(|(dot, _)| place(&figure, &PLOT, (dot.x, dot.y)));
                    let gaps: Vec<f64> = places.filter(|at| far(hex.at, *at) < WIDTH_PX).map(near).collect();
                    if gaps.iter().any(|gap| gap.abs() < 1e-9) {
                        continue;
                    }
                    let naive = gaps.iter().filter(|gap| **gap < 0.0).count() as u32;
                    let counted = hex.counts.iter().find(|(of, _)| *of == tone).map_or(0, |(_, count)| *count);
                    assert_eq!(counted, naive, "{seed} {tone:?} {:?}", hex.at);
                }
            }
        }
    }

    fn nearest_of_neighbours(hex: &Hex, at: Point) -> f64 {
        let sixth = |nth: u32| {
            let angle = f64::from(nth) * std::f64::consts::FRAC_PI_3;
            Point { x: hex.at.x + WIDTH_PX * libm::cos(angle), y: hex.at.y + WIDTH_PX * libm::sin(angle) }
        };
        (0..6).map(|nth| far(sixth(nth), at)).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn from_five_hundred_dots_on_they_are_counted() {
        assert!(!is_dense(&figure(1, 125)) && is_dense(&figure(1, 126)));
    }

    #[test]
    fn darkness_rises_with_the_count() {
        let shades = [1, 2, 10, 100, 214].map(|count| shade(count, 214));
        assert!(shades.is_sorted() && shades[0] > 0.15 && (shades[4] - 1.0).abs() < 1e-12, "{shades:?}");
    }
}
