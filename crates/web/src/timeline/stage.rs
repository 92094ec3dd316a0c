//! Where canvases lie in the stage, the box that holds axis, strips and lanes. Coordinates of the stage are CSS pixels
//! from its top left corner.

use elastiplan_scene::Frame;
use web_sys::{Element, HtmlCanvasElement};

use super::picture::{AXIS_PX, GUTTER_PX, Picture, StripFrames};
use crate::paint::canvas::screen_ratio;

/// A canvas in the stage.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
pub struct StripPlace {
    /// Which run it shows, as an index into the runs.
    pub run: usize,
    /// Where it lies.
    pub place: Place,
    /// Its parts, from its own top left corner.
    pub frames: StripFrames,
}

/// Where everything lies.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// Width of the stage.
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
    /// The strips that have a canvas.
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
    /// Looks where things are.
    pub fn measured(
        stage: &Element,
        strips: impl Iterator<Item = (usize, HtmlCanvasElement)>,
        lanes: impl Iterator<Item = HtmlCanvasElement>,
        picture: &Picture,
    ) -> Self {
        let size = stage.get_bounding_client_rect();
        let is_narrow = is_narrow();
        let gutter = |place: &Place| picture.gutter_px(place.height);
        let frames = |place: &Place| picture.frames(place.width, place.height, is_narrow);
        let strips: Vec<StripPlace> = strips
            .map(|(run, canvas)| {
                let place = Place::of(canvas, stage);
                StripPlace { run, frames: frames(&place), place }
            })
            .collect();
        let gutter = strips.first().map_or(GUTTER_PX, |strip| gutter(&strip.place));
        let plot = StripFrames::with_rows(size.width(), 0.0, gutter).rows;
        let (left, width) = strips.first().map_or((plot.left, plot.width), |strip| {
            (strip.place.left + strip.frames.rows.left, strip.frames.rows.width)
        });
        Self {
            width: size.width(),
            height: size.height(),
            ratio: screen_ratio(),
            is_narrow,
            gutter,
            axis: Frame { left, top: 0.0, width, height: AXIS_PX },
            strips,
            lanes: lanes.map(|canvas| Place::of(canvas, stage)).collect(),
        }
    }

    /// The strip at a height.
    pub fn strip_at(&self, y: f64) -> Option<&StripPlace> {
        self.strips.iter().find(|strip| strip.place.is_at(y))
    }

    /// Height of the rows of a strip; all are equal.
    pub fn rows_height(&self) -> Option<f64> {
        self.strips.first().map(|strip| strip.frames.rows.height)
    }
}

/// Whether the page has one column.
pub fn is_narrow() -> bool {
    let width = gloo::utils::window().inner_width().ok().and_then(|width| width.as_f64());
    width.is_some_and(|width| width < 720.0)
}
