//! Lines with more corners than there are pixels.

use elastiplan_model::order;
use elastiplan_scene::Point;

/// A line with at most four corners in each pixel column: where it enters, its ends, and where it leaves.
pub fn thinned(corners: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut kept = Vec::new();
    let mut column: Vec<Point> = Vec::new();
    for corner in corners {
        if column.last().is_some_and(|last| last.x.floor() != corner.x.floor()) {
            keep(&mut kept, &column);
            column.clear();
        }
        column.push(corner);
    }
    keep(&mut kept, &column);
    kept
}

fn keep(kept: &mut Vec<Point>, column: &[Point]) {
    if column.len() <= 4 {
        kept.extend_from_slice(column);
        return;
    }
    let by_height = |a: &(usize, &Point), b: &(usize, &Point)| a.1.y.total_cmp(&b.1.y);
    let places = || column.iter().enumerate();
    let [low, high] = [places().min_by(by_height), places().max_by(by_height)].map(|end| end.map_or(0, |end| end.0));
    let mut wanted = [0, low, high, column.len() - 1];
    order::sort_by_rank(&mut wanted, |at| *at as u64);
    let mut last = None;
    for at in wanted {
        if last != Some(at) {
            kept.extend(column.get(at));
        }
        last = Some(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thin(corners: &[(f64, f64)]) -> Vec<(f64, f64)> {
        thinned(corners.iter().map(|&(x, y)| Point { x, y })).into_iter().map(|point| (point.x, point.y)).collect()
    }

    #[test]
    fn few_corners_all_stay() {
        let corners = [(0.0, 5.0), (3.0, 5.0), (3.0, 2.0), (9.0, 2.0)];
        assert_eq!(thin(&corners), corners);
    }

    #[test]
    fn a_column_keeps_its_ends_and_its_reach() {
        let corners = [(1.0, 5.0), (1.1, 9.0), (1.2, 4.0), (1.3, 1.0), (1.4, 6.0), (2.0, 6.0)];
        assert_eq!(thin(&corners), [(1.0, 5.0), (1.1, 9.0), (1.3, 1.0), (1.4, 6.0), (2.0, 6.0)]);
    }
}
