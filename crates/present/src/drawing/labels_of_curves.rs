//! The places of the names of curves: near their curve, over none, and as far from the others as there is room.

use elastiplan_scene::{Frame, Point, TextSize};

use super::labels::Placed;

const SIZE: TextSize = TextSize::CaptionStrong;
const HEIGHT_PX: f64 = 14.0;
/// From a curve to its name, and the least distance of any name to any curve: a point's mark lies between.
const OFFSET_PX: f64 = 9.0;
const CLEAR_PX: f64 = 4.0;
/// Farther than this from other curves is no better.
const FAR_PX: f64 = 36.0;
/// Places along a curve that are tried.
const TRIED: usize = 24;

/// Places names beside curves, each a list of corners from left to right. A name that finds no free place is left out.
pub fn place(curves: &[Vec<Point>], names: &[String], area: &Frame) -> Vec<Placed> {
    let forward: Vec<usize> = (0..curves.len().min(names.len())).collect();
    let named = forward.iter().filter(|line| curves.get(**line).is_some_and(|curve| !curve.is_empty())).count();
    let backward: Vec<usize> = forward.iter().rev().copied().collect();
    // A name may take the only place of another: then the other one goes first.
    let mut best = in_order(&forward, curves, names, area);
    if best.len() < named {
        let other = in_order(&backward, curves, names, area);
        best = if other.len() > best.len() { other } else { best };
    }
    elastiplan_model::order::sort_by_key(&mut best, |name| name.line);
    best
}

fn in_order(order: &[usize], curves: &[Vec<Point>], names: &[String], area: &Frame) -> Vec<Placed> {
    let spots: Vec<Vec<Point>> = curves.iter().map(|curve| spots(curve)).collect();
    let mut taken: Vec<Frame> = Vec::new();
    let mut placed = Vec::new();
    for line in order.iter().copied() {
        let (Some(curve), Some(own), Some(name)) = (curves.get(line), spots.get(line), names.get(line)) else {
            continue;
        };
        let others = || spots.iter().enumerate().filter(move |(other, _)| *other != line).map(|(_, spots)| spots);
        let is_free = |frame: &Frame| {
            let is_inside = frame.left >= area.left
                && frame.right() <= area.right()
                && frame.top >= area.top
                && frame.bottom() <= area.bottom();
            is_inside
                && !taken.iter().any(|other| touch(frame, other))
                && distance(own, frame, CLEAR_PX, CLEAR_PX) >= CLEAR_PX
        };
        let mut best: Option<(f64, Frame)> = None;
        for (share, frame) in candidates(curve, SIZE.width_px(name)) {
            // Near the first third by choice: curves of studies come together at the right.
            let malus = 20.0 * (share - 0.3).abs();
            // What is no farther from others than this is not the best: the first of equally good ones is.
            let least = best.map_or(CLEAR_PX, |(score, _)| (score + malus).max(CLEAR_PX));
            if FAR_PX < least || !is_free(&frame) {
                continue;
            }
            let mut apart = FAR_PX;
            for other in others() {
                apart = apart.min(distance(other, &frame, least, FAR_PX));
                if apart < least {
                    break;
                }
            }
            let score = apart - malus;
            if apart >= CLEAR_PX && best.is_none_or(|(least, _)| score > least) {
                best = Some((score, frame));
            }
        }
        if let Some((_, frame)) = best {
            taken.push(frame);
            placed.push(Placed { line, at: Point { x: frame.left, y: frame.top + HEIGHT_PX / 2.0 }, leader: None });
        }
    }
    placed
}

/// Places to try, with how far along the curve each is: above and below, to the left, the right and in the middle.
fn candidates(curve: &[Point], width: f64) -> Vec<(f64, Frame)> {
    let (Some(first), Some(last)) = (curve.first(), curve.last()) else { return Vec::new() };
    let mut frames = Vec::new();
    for nth in 0..=TRIED {
        let share = nth as f64 / TRIED as f64;
        let x = first.x + (last.x - first.x) * share;
        let y = height_at(curve, x);
        for left in [x - width, x - width / 2.0, x] {
            // The frame keeps its distance from the whole piece of the curve below or above it.
            let under = [left, left + width / 2.0, left + width].map(|x| height_at(curve, x.clamp(first.x, last.x)));
            let (top, bottom) = (under.iter().copied().fold(y, f64::min), under.iter().copied().fold(y, f64::max));
            let frame = |top: f64| Frame { left, top, width, height: HEIGHT_PX };
            frames.push((share, frame(top - OFFSET_PX - HEIGHT_PX + 2.0)));
            frames.push((share, frame(bottom + OFFSET_PX - 2.0)));
        }
        frames.push((share, Frame { left: x + OFFSET_PX, top: y - HEIGHT_PX / 2.0, width, height: HEIGHT_PX }));
        frames.push((share, Frame { left: x - OFFSET_PX - width, top: y - HEIGHT_PX / 2.0, width, height: HEIGHT_PX }));
    }
    frames
}

/// The height of a curve at a place across.
fn height_at(curve: &[Point], x: f64) -> f64 {
    let next = curve.partition_point(|corner| corner.x <= x);
    let before = next.checked_sub(1).and_then(|at| curve.get(at));
    match (before, curve.get(next)) {
        (Some(a), Some(b)) if b.x > a.x => a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x),
        (Some(only), _) | (None, Some(only)) => only.y,
        (None, None) => 0.0,
    }
}

fn touch(a: &Frame, b: &Frame) -> bool {
    a.left < b.right() + 2.0 && b.left < a.right() + 2.0 && a.top < b.bottom() && b.top < a.bottom()
}

/// Spots on a curve, every few pixels, from left to right: a curve of costs may turn back.
fn spots(curve: &[Point]) -> Vec<Point> {
    let of_piece = |a: Point, b: Point| {
        let count = ((b.x - a.x).hypot(b.y - a.y) / 3.0).ceil().clamp(1.0, 400.0) as u32;
        (0..count).map(move |nth| {
            let share = f64::from(nth) / f64::from(count);
            Point { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }
        })
    };
    let pieces = curve.windows(2).filter_map(|pair| match pair {
        [a, b] => Some(of_piece(*a, *b)),
        _ => None,
    });
    let mut spots: Vec<Point> = pieces.flatten().chain(curve.last().copied()).collect();
    if spots.windows(2).any(|pair| matches!(pair, [a, b] if a.x > b.x)) {
        elastiplan_model::order::sort_by_number(&mut spots, |spot| spot.x);
    }
    spots
}

/// How far spots of a curve, from left to right, are from a frame: 0 where it goes through it, some distance below `least`
/// if it is nearer than that, infinite if it is no nearer than `most`. Only spots that near across are looked at.
fn distance(spots: &[Point], frame: &Frame, least: f64, most: f64) -> f64 {
    let mut nearest = f64::INFINITY;
    let first = spots.partition_point(|spot| spot.x <= frame.left - most);
    let near = spots.iter().skip(first).take_while(|spot| spot.x < frame.right() + most);
    for spot in near {
        let across = (frame.left - spot.x).max(spot.x - frame.right()).max(0.0);
        let up = (frame.top - spot.y).max(spot.y - frame.bottom()).max(0.0);
        nearest = nearest.min(across * across + up * up);
        if nearest < least * least {
            break;
        }
    }
    nearest.sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const AREA: Frame = Frame { left: 0.0, top: 0.0, width: 600.0, height: 260.0 };

    /// Curves that rise to 20 px below the top, each later than the one before.
    fn curves(count: usize) -> Vec<Vec<Point>> {
        let point = |late: f64, at: usize| {
            let x = at as f64 * 20.0;
            Point { x, y: 20.0 + 230.0 / (1.0 + libm::exp((x - late) / 60.0)) }
        };
        (0..count).map(|nth| (0..=30).map(|at| point(90.0 * nth as f64, at)).collect()).collect()
    }

    #[test]
    fn every_curve_is_named_and_no_name_lies_on_a_curve_or_on_another() {
        for count in 1..=5 {
            let (curves, name) = (curves(count), "C elastic-dp".to_string());
            let placed = place(&curves, &vec![name.clone(); count], &AREA);
            assert_eq!(placed.len(), count);
            let frames: Vec<Frame> = placed
                .iter()
                .map(|name| Frame { left: name.at.x, top: name.at.y - 6.0, width: 60.0, height: 12.0 })
                .collect();
            for (at, frame) in frames.iter().enumerate() {
                assert!(
                    curves.iter().all(|curve| distance(&spots(curve), frame, 0.0, FAR_PX) > 0.0),
                    "{count} {frame:?}"
                );
                assert!(!frames[..at].iter().any(|other| touch(frame, other)), "{count} {frame:?}");
            }
        }
    }

    proptest! {
        /// What lies farther across than is asked for changes nothing: the distance is that of all spots.
        #[test]
        fn distances_are_those_of_all_spots(
            corners in prop::collection::vec((0.0..600.0_f64, 0.0..260.0_f64), 0..20),
            (left, top) in (-50.0..650.0_f64, 0.0..250.0_f64),
            least in 0.0..FAR_PX,
        ) {
            let curve: Vec<Point> = corners.into_iter().map(|(x, y)| Point { x, y }).collect();
            let (spots, frame) = (spots(&curve), Frame { left, top, width: 60.0, height: HEIGHT_PX });
            let to_spot = |spot: &Point| {
                let across = (frame.left - spot.x).max(spot.x - frame.right()).max(0.0);
                across.hypot((frame.top - spot.y).max(spot.y - frame.bottom()).max(0.0))
            };
            let expected = spots.iter().map(to_spot).fold(f64::INFINITY, f64::min);
            let found = distance(&spots, &frame, least, FAR_PX);
            if expected + 1e-9 < least {
                prop_assert!(found < least);
            } else {
                prop_assert!((found.min(FAR_PX) - expected.min(FAR_PX)).abs() < 1e-9, "{found} {expected}");
            }
        }
    }

    #[test]
    fn a_flat_curve_and_a_single_point_have_names() {
        let check = |curve: &[(f64, f64)]| {
            let curve = curve.iter().map(|&(x, y)| Point { x, y }).collect();
            assert_eq!(place(&[curve], &["A fixed".into()], &AREA).len(), 1);
        };
        check(&[(0.0, 100.0), (600.0, 100.0)]);
        check(&[(300.0, 100.0)]);
    }

    #[test]
    fn a_name_without_room_is_left_out() {
        let area = Frame { width: 40.0, ..AREA };
        assert!(place(&curves(1), &["C elastic-dp".into()], &area).is_empty());
    }
}
