//! Which point of a study lies under a pointer.

use elastiplan_scene::{Frame, Point};

use crate::drawing::cells::cell_frame;
use crate::drawing::dots::place;
use crate::figure::Figure;
use crate::figure::points::{Curve, CurvePoint, CurveStyle, PointId};

/// A pointer this far from a plot still reads it: the outer half of a mark.
const BESIDE_PX: f64 = 12.0;
/// A pointer finds a point of a scatter, or a line across axes, from this far.
const REACH_PX: f64 = 24.0;

/// The point of a figure that is nearest to a pointer: on curves, the nearest place across and there the nearest curve;
/// in a scatter the nearest dot, across axes the nearest line, on a map the cell.
pub fn nearest_point(figure: &Figure, plot: &Frame, pointer: Point) -> Option<PointId> {
    let reach = |from: f64, to: f64, at: f64| (from - BESIDE_PX..=to + BESIDE_PX).contains(&at);
    if !reach(plot.left, plot.right(), pointer.x) || !reach(plot.top, plot.bottom(), pointer.y) {
        return None;
    }
    if let Some(cells) = figure.cells() {
        let is_under = |frame: Frame| {
            (frame.left..frame.right()).contains(&pointer.x) && (frame.top..frame.bottom()).contains(&pointer.y)
        };
        let found = cells.cells.iter().find(|cell| is_under(cell_frame(cells, plot, cell.column, cell.row)));
        return found.map(|cell| cell.id);
    }
    match figure.curves().next()?.1.style {
        CurveStyle::Large | CurveStyle::Small => nearest_across(figure, plot, pointer),
        CurveStyle::Scatter => nearest_dot(figure, plot, pointer),
        CurveStyle::Path => nearest_path(figure, plot, pointer),
    }
}

/// Where a point of a figure lies, at the place of its mark; `None` where it has none.
pub fn place_of(figure: &Figure, plot: &Frame, id: PointId) -> Option<Point> {
    let found = figure.curve_points().find(|point| point.id == id && point.y.is_some())?;
    Some(place(figure, plot, (found.x, found.y?)))
}

fn spots<'a>(figure: &'a Figure, plot: &'a Frame) -> impl Iterator<Item = (PointId, Point)> + 'a {
    let spot = |point: &CurvePoint| Some((point.id, place(figure, plot, (point.x, point.y?))));
    figure.curve_points().filter_map(spot)
}

fn nearest_across(figure: &Figure, plot: &Frame, pointer: Point) -> Option<PointId> {
    // The last of two that are as far: the first series lies on top, but a pointer between two curves means neither.
    let far = |at: Point| ((at.x - pointer.x).abs(), (at.y - pointer.y).abs());
    let by_distance = |a: &(PointId, Point), b: &(PointId, Point)| {
        let (a, b) = (far(a.1), far(b.1));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    };
    spots(figure, plot).min_by(by_distance).map(|(id, _)| id)
}

fn nearest_dot(figure: &Figure, plot: &Frame, pointer: Point) -> Option<PointId> {
    let far = |at: Point| (at.x - pointer.x).hypot(at.y - pointer.y);
    let near = spots(figure, plot).map(|(id, at)| (id, far(at))).filter(|(_, far)| *far <= REACH_PX);
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(id, _)| id)
}

fn nearest_path(figure: &Figure, plot: &Frame, pointer: Point) -> Option<PointId> {
    let far = |curve: &Curve| {
        let pairs = curve.points.windows(2).filter_map(|pair| match pair {
            [a, b] => Some((place(figure, plot, (a.x, a.y?)), place(figure, plot, (b.x, b.y?)))),
            _ => None,
        });
        let least = pairs.map(|(a, b)| to_piece(pointer, a, b)).fold(f64::INFINITY, f64::min);
        Some((curve.points.first()?.id, least))
    };
    let near = figure.curves().filter_map(|(_, curve)| far(curve)).filter(|(_, far)| *far <= REACH_PX);
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(id, _)| id)
}

/// The distance of a point from a piece of a line.
fn to_piece(point: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let square = dx * dx + dy * dy;
    let along = if square > 0.0 { ((point.x - a.x) * dx + (point.y - a.y) * dy) / square } else { 0.0 };
    let along = along.clamp(0.0, 1.0);
    (a.x + dx * along - point.x).hypot(a.y + dy * along - point.y)
}
