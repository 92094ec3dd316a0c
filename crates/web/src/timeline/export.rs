//! The timelines as one picture, for papers and slides.

use std::rc::Rc;

use elastiplan_model::Workload;
use elastiplan_present::palette::Palette;
use elastiplan_present::provenance::Provenance;
use elastiplan_present::runs::{RunEntry, shown};
use elastiplan_scene::{Anchor, DrawList, Fill, Frame, Mark, ModelSlot, Paint, TextSize, axis};
use web_sys::HtmlCanvasElement;

use super::details::Sources;
use super::lanes::Lanes;
use super::picture::{AXIS_PX, GUTTER_PX, MARGIN_PX, Picture, SHARED_LANE_PX, StripFrames, text};
use super::view::View;
use super::words::StripWords;
use crate::paint::canvas::loose_canvas;
use crate::paint::painter::Painter;
use crate::state::runs::Runs;

/// Device pixels per CSS pixel.
pub const FIGURE_RATIO: f64 = 2.0;
const WIDTH_PX: f64 = 900.0;
const KEY_PX: f64 = 26.0;
const HEAD_PX: f64 = 24.0;
const GAP_PX: f64 = 8.0;
/// A line of small print.
const PRINT_PX: f64 = 14.0;
/// Captions are larger than the small print of other pictures: fewer letters go on a line.
const PRINT_SHARE: f64 = 0.75;
/// Rows get at least this much.
const ROWS_MIN_PX: f64 = 120.0;
/// And at most this, where more do not fit into one picture.
const ROWS_MAX_PX: f64 = 480.0;

/// All strips with the names of models and policies, on one axis, at twice the screen's resolution and in the light
/// colours whatever the theme, with its provenance in small print. `None` if no run shown has left a record.
pub fn timelines_png(runs: &[RunEntry], workload: &Rc<Workload>, provenance: &Provenance) -> Option<HtmlCanvasElement> {
    let entries: Vec<RunEntry> = shown(runs).filter(|entry| entry.result.is_some()).cloned().collect();
    if entries.is_empty() {
        return None;
    }
    let mut view = View::new(workload, &entries, None);
    view.make_banding(workload, &entries);
    let picture = view.picture(workload);
    let rows_px = (view.row_count() as f64 * 4.0).clamp(ROWS_MIN_PX, ROWS_MAX_PX);
    let strip_px = StripFrames::height_for(rows_px);
    let top_px = KEY_PX + AXIS_PX;
    let print = provenance.printed((WIDTH_PX - GUTTER_PX - MARGIN_PX) * PRINT_SHARE);
    let print_px = print.len() as f64 * PRINT_PX + GAP_PX;
    let lanes_px = HEAD_PX + SHARED_LANE_PX + GAP_PX;
    let height = top_px + entries.len() as f64 * (HEAD_PX + strip_px + GAP_PX) + lanes_px + print_px;
    let canvas = loose_canvas(WIDTH_PX, height, FIGURE_RATIO)?;
    let palette = Palette::light();
    let mut painter = Painter::cleared(&canvas, &palette, FIGURE_RATIO)?;
    let ground = Frame { left: 0.0, top: 0.0, width: WIDTH_PX, height };
    painter.mark(&Mark::Rect { frame: ground, paint: Paint::Panel, fill: Fill::Solid });
    paint_key(&mut painter, &picture);

    let frames = picture.frames(WIDTH_PX, strip_px, false);
    let plot = StripFrames::with_rows(WIDTH_PX, strip_px, GUTTER_PX).rows;
    let axis_frame = Frame { top: KEY_PX, height: AXIS_PX, ..plot };
    painter.list(&axis::labels(&picture.ticks(&axis_frame), &axis_frame, None));
    let mut top = top_px;
    for entry in &entries {
        let words = StripWords::of(entry, workload);
        painter.list(&header_marks(entry, &words, top));
        let sources = entry.result.as_ref().map(|result| Sources::of(&result.run, &picture)).unwrap_or_default();
        painter.list_at(&picture.strip_marks(entry, &frames, &sources), 0.0, top + HEAD_PX);
        top += HEAD_PX + strip_px + GAP_PX;
    }
    let lanes = Lanes::of_figure(&Runs { entries, workload: Rc::clone(workload) });
    let frame = Frame { top: 1.0, height: SHARED_LANE_PX - 2.0, ..plot };
    for lane in lanes.chosen() {
        painter.mark(&text(GUTTER_PX, top + 12.0, lane.title, Anchor::Start, TextSize::Dense, Paint::Ink1));
        painter.list_at(&axis::grid(&picture.ticks(&frame), &frame), 0.0, top + HEAD_PX);
        painter.list_at(&lanes.draw(lane, frame, view.window), 0.0, top + HEAD_PX);
    }
    for (nth, line) in (0_u32..).zip(&print) {
        let y = height - print_px + PRINT_PX * (f64::from(nth) + 0.5);
        painter.mark(&text(GUTTER_PX, y, line, Anchor::Start, TextSize::Caption, Paint::Ink3));
    }
    Some(canvas)
}

fn paint_key(painter: &mut Painter, picture: &Picture) {
    let mut x = GUTTER_PX;
    let y = KEY_PX / 2.0;
    for (number, name) in picture.trace.models().iter().enumerate().take(ModelSlot::COUNT) {
        let slot = ModelSlot::new(number);
        let words = if slot.is_other() { "other" } else { name.as_str() };
        let width = painter.text_width(words, TextSize::Caption);
        if x + 14.0 + width > WIDTH_PX - MARGIN_PX {
            break;
        }
        painter.pill(&Frame { left: x, top: y - 4.0, width: 8.0, height: 8.0 }, 2.0, Paint::Model(slot));
        painter.mark(&text(x + 13.0, y, words, Anchor::Start, TextSize::Caption, Paint::Ink2));
        x += 13.0 + width + 16.0;
    }
}

fn header_marks(entry: &RunEntry, words: &StripWords, top: f64) -> DrawList {
    let y = top + HEAD_PX / 2.0;
    let badge = Frame { left: GUTTER_PX - 24.0, top: y - 8.0, width: 16.0, height: 16.0 };
    let letter = entry.letter().to_string();
    let name = entry.name();
    let after_name = GUTTER_PX + TextSize::Dense.width_px(name) + 12.0;
    let mut right = vec![words.mean_completion()];
    right.extend(words.endings().map(|(_, text)| text));
    right.push(words.place.clone());
    right.retain(|part| !part.is_empty());
    let middle = badge.left + badge.width / 2.0;
    let marks = vec![
        Mark::Rect { frame: badge, paint: Paint::Policy(entry.colour_index()), fill: Fill::Solid },
        text(middle, y, &letter, Anchor::Middle, TextSize::CaptionStrong, Paint::Panel),
        text(GUTTER_PX, y, name, Anchor::Start, TextSize::Dense, Paint::Ink1),
        text(after_name, y, &entry.parameters(), Anchor::Start, TextSize::Caption, Paint::Ink3),
        text(WIDTH_PX - MARGIN_PX, y, &right.join(" · "), Anchor::End, TextSize::Caption, Paint::Ink2),
    ];
    DrawList { marks }
}
