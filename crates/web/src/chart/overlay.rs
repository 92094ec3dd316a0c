//! Marks that move with the pointer, on a canvas of their own: rings about jobs, the frame of a drag, the cursor.

use elastiplan_model::JobId;
use elastiplan_present::drawing::pointing::Pointing;
use elastiplan_present::figure::Figure;
use elastiplan_present::palette::Palette;
use elastiplan_scene::{Dash, DrawList, Fill, Mark, Paint, Point};
use web_sys::HtmlCanvasElement;

use crate::paint::painter::Painter;

const RING_PX: f64 = 6.0;

/// Paints it all anew.
pub fn paint(
    canvas: &HtmlCanvasElement,
    palette: &Palette,
    ratio: f64,
    pointing: &Pointing,
    figure: &Figure,
    selected: Option<JobId>,
) {
    let Some(mut painter) = Painter::cleared(canvas, palette, ratio) else { return };
    let mut ring = |job: Option<JobId>, paint: Paint| {
        if let Some(at) = job.and_then(|job| pointing.place_of(figure, job)) {
            painter.mark(&Mark::Path { points: circle(at), paint, width: 2.0, dash: Dash::Solid });
        }
    };
    ring(selected, Paint::Accent);
    ring(pointing.at.map(|(job, _)| job), Paint::Ink1);
    if let Some([from, to]) = pointing.cursor() {
        painter.mark(&Mark::Line { from, to, paint: Paint::Ink1, width: 1.0, dash: Dash::Solid });
    }
    if let Some(frame) = pointing.bar(figure) {
        painter.mark(&Mark::Outline { frame, paint: Paint::Ink3, width: 1.0 });
    }
    if let Some(frame) = pointing.frame() {
        painter.mark(&Mark::Rect { frame, paint: Paint::Accent, fill: Fill::Share(12) });
        painter.mark(&Mark::Outline { frame, paint: Paint::Accent, width: 1.0 });
    }
}

/// Paints a picture anew.
pub fn paint_list(canvas: &HtmlCanvasElement, palette: &Palette, ratio: f64, list: &DrawList) {
    if let Some(mut painter) = Painter::cleared(canvas, palette, ratio) {
        painter.list(list);
    }
}

fn circle(middle: Point) -> Vec<Point> {
    let corner = |at: u32| {
        let angle = f64::from(at) * std::f64::consts::TAU / 24.0;
        Point { x: middle.x + RING_PX * libm::cos(angle), y: middle.y + RING_PX * libm::sin(angle) }
    };
    (0..=24).map(corner).collect()
}
