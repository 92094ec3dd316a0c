//! What moves over a figure of a study: the cursor with its label, and marks of the point that is looked at.

use elastiplan_scene::{Anchor, Dash, DrawList, Fill, Frame, Mark, Paint, Point, TextSize};

use crate::drawing::cells::cell_frame;
use crate::drawing::dots::place;
use crate::figure::points::{CurvePoint, CurveStyle, PointId};
use crate::figure::{Figure, Tone};

/// The height of the label's box, and the room about its words.
const LABEL_PX: f64 = 19.0;
const LABEL_GAP_PX: f64 = 6.0;
/// Radii of the ring about a chosen dot and of dots at the cursor.
const RING_PX: f64 = 6.5;
const DOT_PX: f64 = 3.2;

/// Marks over a figure that lies in a plot on a picture of this width: a vertical cursor at a value across with its label
/// below the plot, and the chosen policy and point.
pub fn marks(
    figure: &Figure,
    plot: &Frame,
    width: f64,
    cursor: Option<&(f64, String)>,
    chosen: Option<PointId>,
) -> DrawList {
    let mut list = DrawList::default();
    let style = figure.curves().next().map(|(_, curve)| curve.style);
    if let Some((value, label)) = cursor.filter(|_| matches!(style, Some(CurveStyle::Large | CurveStyle::Small))) {
        let x = place(figure, plot, (*value, figure.y.from)).x;
        if (plot.left - 1.0..=plot.right() + 1.0).contains(&x) {
            line_at(&mut list, plot, x);
            values_at(&mut list, figure, plot, *value, style);
            if !label.is_empty() && style == Some(CurveStyle::Large) {
                label_at(&mut list, plot, width, x, label);
            }
        }
    }
    if let Some(chosen) = chosen {
        choice(&mut list, figure, plot, chosen, style);
    }
    list
}

fn line_at(list: &mut DrawList, plot: &Frame, x: f64) {
    let x = x.round() + 0.5;
    let (from, to) = (Point { x, y: plot.top }, Point { x, y: plot.bottom() });
    list.marks.push(Mark::Line { from, to, paint: Paint::Ink1, width: 1.0, dash: Dash::Solid });
}

/// Dots on small curves at the cursor: large ones have marks of their own.
fn values_at(list: &mut DrawList, figure: &Figure, plot: &Frame, value: f64, style: Option<CurveStyle>) {
    if style != Some(CurveStyle::Small) {
        return;
    }
    for (at, curve) in figure.curves() {
        let Some(series) = figure.series.get(at) else { continue };
        let found = curve.points.iter().find(|point| point.x == value).and_then(|point| Some((point.x, point.y?)));
        if let Some(at) = found {
            let at = place(figure, plot, at);
            disc(list, at, DOT_PX + 1.0, Paint::Panel);
            disc(list, at, DOT_PX, paint_of(series.tone));
        }
    }
}

/// The label in a box of the colour of text, within the picture.
fn label_at(list: &mut DrawList, plot: &Frame, width: f64, x: f64, label: &str) {
    let wide = TextSize::CaptionStrong.width_px(label) + 2.0 * LABEL_GAP_PX;
    let left = (x - wide / 2.0).clamp(1.0, (width - wide - 1.0).max(1.0)).round();
    let frame = Frame { left, top: plot.bottom() + 2.0, width: wide, height: LABEL_PX };
    list.marks.push(Mark::Rect { frame, paint: Paint::Ink1, fill: Fill::Solid });
    list.marks.push(Mark::Text {
        at: Point { x: left + wide / 2.0, y: frame.top + LABEL_PX / 2.0 },
        text: label.into(),
        anchor: Anchor::Middle,
        size: TextSize::CaptionStrong,
        paint: Paint::Panel,
        backed: false,
    });
}

/// The chosen point: a frame about its cell in every map, a ring about its dot, or its line across axes.
fn choice(list: &mut DrawList, figure: &Figure, plot: &Frame, chosen: PointId, style: Option<CurveStyle>) {
    if let Some(cells) = figure.cells() {
        let cell = cells.cells.iter().find(|cell| cell.id.point == chosen.point);
        list.marks.extend(cell.map(|cell| Mark::Outline {
            frame: cell_frame(cells, plot, cell.column, cell.row),
            paint: Paint::Accent,
            // The policy that is looked at has the thicker frame.
            width: if cell.id == chosen { 3.0 } else { 2.0 },
        }));
        return;
    }
    let own = |point: &&CurvePoint| point.id == chosen && point.y.is_some();
    match style {
        Some(CurveStyle::Large | CurveStyle::Scatter) => {
            if let Some((x, y)) = figure.curve_points().find(own).and_then(|point| Some((point.x, point.y?))) {
                let points = circle(place(figure, plot, (x, y)), RING_PX);
                list.marks.push(Mark::Path { points, paint: Paint::Accent, width: 1.7, dash: Dash::Solid });
            }
        }
        Some(CurveStyle::Path) => {
            let of = |point: &CurvePoint| Some(place(figure, plot, (point.x, point.y?)));
            let points: Vec<Point> = figure.curve_points().filter(own).filter_map(of).collect();
            if points.len() > 1 {
                list.marks.push(Mark::Path { points, paint: Paint::Accent, width: 2.5, dash: Dash::Solid });
            }
        }
        Some(CurveStyle::Small) | None => {}
    }
}

fn paint_of(tone: Tone) -> Paint {
    match tone {
        Tone::Policy(policy) => Paint::Policy(policy),
        _ => Paint::Ink2,
    }
}

fn circle(middle: Point, radius: f64) -> Vec<Point> {
    let corner = |at: u32| {
        let angle = f64::from(at) * std::f64::consts::TAU / 24.0;
        Point { x: middle.x + radius * libm::cos(angle), y: middle.y + radius * libm::sin(angle) }
    };
    (0..=24).map(corner).collect()
}

/// A filled circle: a short line as thick as it is wide would have no round ends, so it is rows of rectangles.
fn disc(list: &mut DrawList, middle: Point, radius: f64, paint: Paint) {
    let rows = (radius * 4.0).round().max(2.0) as u32;
    for row in 0..rows {
        let height = 2.0 * radius / f64::from(rows);
        let y = (f64::from(row) + 0.5) * height - radius;
        let half = libm::sqrt((radius * radius - y * y).max(0.0));
        let frame =
            Frame { left: middle.x - half, top: middle.y + y - height / 2.0, width: 2.0 * half, height: height + 0.1 };
        list.marks.push(Mark::Rect { frame, paint, fill: Fill::Solid });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::layout::plot_frame;
    use crate::drawing::points::{nearest_point, place_of};
    use crate::study::testing::{load_study, nodes_study};
    use crate::study::{self, PointStep, StudyView, step};

    const SLOTS: [usize; 4] = [0, 1, 2, 3];
    const MET: &str = "deadline_satisfactory_ratio";

    fn figures(view: &StudyView) -> Vec<Figure> {
        let curves = study::curves(view, &SLOTS, MET, 0).unwrap();
        let small = study::small_curves(view, &SLOTS, MET, 0).unwrap();
        vec![curves, small, study::front(view, &SLOTS, 0).unwrap(), study::parallel(view, &SLOTS, &[])]
    }

    #[test]
    fn a_pointer_on_a_mark_finds_it_and_so_do_all_pixels_of_a_cell() {
        let (nodes, load) = (nodes_study(), load_study());
        for size in [(784.0, 280.0), (358.0, 200.0)] {
            for figure in figures(&nodes) {
                let plot = plot_frame(&figure, size);
                for point in figure.curve_points() {
                    let at = place(&figure, &plot, (point.x, point.y.unwrap()));
                    let found = nearest_point(&figure, &plot, at).unwrap();
                    let found_at = place_of(&figure, &plot, found).unwrap();
                    // Another mark may lie on the same pixel, and a line across axes passes through many.
                    let is_path = figure.curves().any(|(_, curve)| curve.style == CurveStyle::Path);
                    let apart = (found_at.x - at.x).abs().max((found_at.y - at.y).abs());
                    assert!(is_path || apart < 1e-6, "{} {size:?} {:?} {found:?}", figure.name, point.id);
                }
                assert_eq!(nearest_point(&figure, &plot, Point { x: -40.0, y: 50.0 }), None);
            }
            let map = study::heat(&load, &SLOTS, 2, MET, 0).unwrap();
            let (plot, cells) = (plot_frame(&map, size), map.cells().unwrap());
            for cell in &cells.cells {
                let frame = cell_frame(cells, &plot, cell.column, cell.row);
                for (x, y) in [(0.01, 0.01), (0.5, 0.5), (0.99, 0.99)] {
                    let at = Point { x: frame.left + x * frame.width, y: frame.top + y * frame.height };
                    assert_eq!(nearest_point(&map, &plot, at), Some(cell.id));
                }
            }
        }
    }

    #[test]
    fn the_cursor_lies_on_the_chosen_value_and_its_label_in_the_picture() {
        let view = nodes_study();
        for size in [(784.0, 280.0), (358.0, 200.0)] {
            let figure = study::curves(&view, &SLOTS, MET, 0).unwrap();
            let plot = plot_frame(&figure, size);
            let mut id = PointId { policy: 1, point: 0 };
            for place in 0..21 {
                let value = study::position(&view.axes[0], place);
                let label = study::value_words(&view.axes[0], place);
                let marks = marks(&figure, &plot, size.0, Some(&(value, label)), Some(id)).marks;
                let Some(Mark::Line { from, .. }) = marks.first() else { panic!("no cursor: {marks:?}") };
                let own = place_of(&figure, &plot, id).unwrap();
                assert!((from.x - own.x).abs() <= 1.0, "{place}: {from:?} {own:?}");
                let Some(Mark::Rect { frame, .. }) = marks.get(1) else { panic!("no label: {marks:?}") };
                assert!(frame.left >= 0.0 && frame.right() <= size.0, "{frame:?}");
                id = step(&view, id, PointStep::Right);
            }
            assert_eq!(id.point, 20, "there is nothing right of the last point");
        }
    }
}
