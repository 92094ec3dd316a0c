//! Where canvases lie in the stage, the box that holds axis, strips and lanes. Coordinates of the stage are CSS pixels
//! from its top left corner.

use elastiplan_scene::Frame;
use web_sys::{Element, HtmlCanvasElement};

use super::layout::RunRow;
use super::overview::{OVERVIEW_PX, OVERVIEW_TOP_PX};
use super::picture::{AXIS_PX, Picture, StripFrames};
use crate::dom;
use crate::paint::canvas::screen_ratio;

/// What lies between strips and lanes if nothing but the head of a lane does.
const LANE_HEAD_MAX_PX: f64 = 40.0;

/// A canvas in the stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The canvas.
    pub canvas: HtmlCanvasElement,
    /// Its left edge in the stage.
    pub left: f64,
    /// Its top edge in the stage.
    pub top: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

/// A strip's canvas.
#[derive(Clone, Debug, PartialEq)]
pub struct StripPlace {
    /// Which run it shows, as an index into the runs.
    pub run: usize,
    /// Where it lies.
    pub place: Place,
    /// Its parts, from its own top left corner.
    pub frames: StripFrames,
    /// Whether it has rows; otherwise its GPUs are stacked.
    pub is_open: bool,
}

/// The elements that hold what is painted.
pub struct Boxes {
    /// The box of everything: coordinates count from its top left corner.
    pub stage: Element,
    /// The column of pictures.
    pub picture: Element,
    /// The box that scrolls.
    pub scroll: Element,
    /// The box of all strips.
    pub strips: Element,
    /// The heading above the strips.
    pub axis: Element,
}

/// Where everything lies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    /// Width of the pictures.
    pub width: f64,
    /// Height of the stage.
    pub height: f64,
    /// Device pixels per CSS pixel.
    pub ratio: f64,
    /// Whether there is no room for rows.
    pub is_narrow: bool,
    /// The room left of the plots.
    pub gutter: f64,
    /// The axis' plot, in the stage.
    pub axis: Frame,
    /// The strip above the axis that shows all time; `None` where there is no room for it.
    pub overview: Option<Frame>,
    /// The box of all strips: left, top, width and height.
    pub all_strips: Frame,
    /// What can be seen of the strips, from top to bottom.
    pub visible: (f64, f64),
    /// Height of the rows of open strips; all are equal.
    pub rows_height: Option<f64>,
    /// The strips that can be seen, and those near them.
    pub strips: Vec<StripPlace>,
    /// The lanes, in order.
    pub lanes: Vec<Place>,
}

impl Place {
    fn of(canvas: HtmlCanvasElement, stage: &Element) -> Self {
        let (own, outer) = (canvas.get_bounding_client_rect(), stage.get_bounding_client_rect());
        Self {
            left: own.left() - outer.left(),
            top: own.top() - outer.top(),
            width: own.width(),
            height: own.height(),
            canvas,
        }
    }

    /// Whether it lies at a height of the stage.
    pub fn is_at(&self, y: f64) -> bool {
        (self.top..self.top + self.height).contains(&y)
    }
}

impl Stage {
    /// Looks where things are. `rows` are those of all runs, by place.
    pub fn measured(
        boxes: &Boxes,
        rows: &[RunRow],
        strips: impl Iterator<Item = (usize, HtmlCanvasElement)>,
        lanes: impl Iterator<Item = HtmlCanvasElement>,
        picture: &Picture,
    ) -> Self {
        let is_narrow = is_narrow();
        let size = boxes.stage.get_bounding_client_rect();
        let frame = |element: &Element| {
            let own = element.get_bounding_client_rect();
            Frame {
                left: own.left() - size.left(),
                top: own.top() - size.top(),
                width: own.width(),
                height: own.height(),
            }
        };
        let (all_strips, scroll, head) = (frame(&boxes.strips), frame(&boxes.scroll), frame(&boxes.axis));
        let is_open = |run: usize| rows.get(run).is_some_and(|row| row.is_open);
        let places: Vec<(usize, Place)> = strips.map(|(run, canvas)| (run, Place::of(canvas, &boxes.stage))).collect();
        let frames = |run: usize, place: &Place, gutter: f64| match is_open(run) {
            true => picture.frames(place.width, place.height, false),
            false => StripFrames::without_lane(place.width, place.height, gutter),
        };
        // Stacked GPUs begin where the rows of open runs do.
        let first_open = places.iter().find(|(run, _)| is_open(*run));
        let gutter = match (first_open, places.first()) {
            (Some((run, place)), _) => frames(*run, place, 0.0).rows.left,
            (None, Some((_, place))) if !is_narrow => picture.stacked().gutter_px(place.height),
            _ => 0.0,
        };
        let visible = match scroll.height < all_strips.height {
            true => (head.bottom(), scroll.bottom()),
            false => (all_strips.top, all_strips.bottom().max(scroll.bottom())),
        };
        let margin_px = scroll.height;
        let is_near =
            |place: &Place| place.top < visible.1 + margin_px && place.top + place.height > visible.0 - margin_px;
        let strips: Vec<StripPlace> = places
            .into_iter()
            .map(|(run, place)| StripPlace { run, frames: frames(run, &place, gutter), place, is_open: is_open(run) })
            .collect();
        let rows_height = strips.iter().find(|strip| strip.is_open).map(|strip| strip.frames.rows.height);
        let plot = StripFrames::without_lane(all_strips.width, 0.0, gutter).rows;
        let axis = Frame {
            left: all_strips.left + plot.left,
            top: head.bottom() - AXIS_PX,
            width: plot.width,
            height: AXIS_PX,
        };
        let has_room = head.height >= AXIS_PX + OVERVIEW_TOP_PX + OVERVIEW_PX;
        let overview = Frame { top: head.top + OVERVIEW_TOP_PX, height: OVERVIEW_PX, ..axis };
        Self {
            overview: has_room.then_some(overview),
            width: frame(&boxes.picture).width,
            height: size.height(),
            ratio: screen_ratio(),
            is_narrow,
            gutter,
            axis,
            all_strips,
            visible,
            rows_height,
            strips: strips.into_iter().filter(|strip| is_near(&strip.place)).collect(),
            lanes: lanes.map(|canvas| Place::of(canvas, &boxes.stage)).collect(),
        }
    }

    /// The strip at a height.
    pub fn strip_at(&self, y: f64) -> Option<&StripPlace> {
        let is_visible = (self.visible.0..self.visible.1).contains(&y);
        self.strips.iter().find(|strip| is_visible && strip.place.is_at(y))
    }

    /// Height of the rows of open strips; all are equal.
    pub fn rows_height(&self) -> Option<f64> {
        self.rows_height
    }

    /// Where time runs below the axis, from top to bottom: over strips and lanes, which are one stretch unless something
    /// lies between them.
    pub fn reaches(&self) -> Vec<(f64, f64)> {
        let lanes = self.lanes.iter().filter(|place| place.height > 0.0);
        let lanes: Vec<(f64, f64)> = lanes.map(|place| (place.top, place.top + place.height)).collect();
        let strips = (self.axis.bottom(), self.visible.1.min(self.all_strips.bottom()));
        match (lanes.first(), lanes.last()) {
            (Some(first), Some(last)) if first.0 - self.visible.1 < LANE_HEAD_MAX_PX => vec![(strips.0, last.1)],
            _ => std::iter::once(strips).chain(lanes).collect(),
        }
    }
}

/// Whether the page is as narrow as a phone.
pub fn is_narrow() -> bool {
    dom::window_width().is_some_and(|width_px| width_px < 720.0)
}

/// Whether numbers lie below the pictures, for lack of room beside them, or inside another page. The style sheets say the
/// same.
pub fn has_one_column() -> bool {
    dom::is_embed() || dom::window_width().is_some_and(|width_px| width_px <= 960.0)
}
