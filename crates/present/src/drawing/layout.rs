//! The layout of a figure, in CSS pixels.

use elastiplan_scene::{Frame, TextSize};

use crate::figure::axis::Scale;
use crate::figure::{Figure, Shape};

/// Labels left of the plot.
const LEFT_PX: f64 = 30.0;
/// Room right of it, for half a label.
const RIGHT_PX: f64 = 12.0;
/// Room above it, for half a label.
const TOP_PX: f64 = 8.0;
/// Labels below it.
const BOTTOM_PX: f64 = 20.0;
/// A line of words below those.
const CAPTION_PX: f64 = 16.0;
/// A title, where there is one.
const TITLE_PX: f64 = 26.0;

/// The frame of the plot on a picture of this size.
pub fn plot_frame(figure: &Figure, (width, height): (f64, f64), has_title: bool) -> Frame {
    let (left, captions) = (left_px(figure), if has_captions(figure) { CAPTION_PX } else { 0.0 });
    // On the page, the title stands above the picture and notes are text below it.
    let (title, notes) = if has_title { (TITLE_PX, figure.notes.len() as f64 * CAPTION_PX) } else { (0.0, 0.0) };
    let top = TOP_PX + title;
    let width = (width - left - RIGHT_PX).max(1.0).floor();
    let height = (height - top - (BOTTOM_PX + captions + notes)).max(1.0).floor();
    Frame { left, top, width, height }
}

/// Whether something stands below the labels of the axis across.
pub fn has_captions(figure: &Figure) -> bool {
    !figure.x.caption.is_empty() || !figure.y.caption.is_empty()
}

fn left_px(figure: &Figure) -> f64 {
    if figure.y.scale != Scale::Places {
        return LEFT_PX;
    }
    let bars = figure.series.iter().filter(|series| matches!(series.shape, Shape::Bar { .. }));
    bars.map(|series| TextSize::CaptionStrong.width_px(&series.label) + 6.0).fold(LEFT_PX, f64::max).ceil()
}
