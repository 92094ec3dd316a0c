//! A frame: strips and lanes if they have changed, and the overlay.

use std::cell::RefCell;
use std::rc::Rc;

use elastiplan_present::palette::Palette;
use elastiplan_scene::{Frame, Quads, axis};
use web_sys::{Element, HtmlCanvasElement};

use super::component::Timelines;
use super::overlay::Overlay;
use super::overview::Overview;
use super::picture::{MARGIN_PX, Picture, phase_of};
use super::props::TimelinesProps;
use super::rows::StripRows;
use super::stage::StripPlace;
use crate::paint::canvas::resize;
use crate::paint::painter::Painter;
use crate::paint::palette::palette_of;
use crate::state::order::Show;

impl Timelines {
    /// Paints what has changed. Whether there is something else to be said about what is in view.
    pub(super) fn paint(&mut self, props: &TimelinesProps) -> bool {
        let mut is_told = false;
        let Some(stage) = self.refs.stage.cast::<Element>() else { return is_told };
        let palette = self.palette.take().unwrap_or_else(|| palette_of(&stage));
        if std::mem::take(&mut self.are_strips_dirty) {
            let dirty_runs = self.dirty_runs.take();
            if !std::mem::replace(&mut self.is_painting, true) {
                for strip in &self.stage.strips {
                    let _ = strip.place.canvas.remove_attribute("data-detail-complete");
                }
            }
            self.details.begin_frame();
            let mut lacking = self.paint_strips(props, &palette, self.renderer.quads(), dirty_runs.as_deref());
            if !self.renderer.paint((self.stage.all_strips.width, self.stage.all_strips.height), self.stage.ratio)
                && self.renderer.is_gl()
            {
                self.renderer.lose();
                lacking = self.paint_strips(props, &palette, None, None);
            }
            if lacking.is_empty() {
                // What the strips show is written where painting rests: in a frame without anything to paint.
                self.are_facts_due = true;
                self.frames.ask();
            } else if self.renderer.is_gl() {
                self.repaint_all();
            } else {
                self.repaint_runs(lacking);
            }
            self.paint_lanes(props, &palette);
            self.paint_overview(props, &palette);
        } else if std::mem::take(&mut self.are_facts_due) {
            self.is_painting = false;
            self.write_facts(props);
            is_told = self.look(props);
        }
        self.paint_overlay(props, &palette);
        self.palette = Some(palette);
        is_told
    }

    /// Paints the strips of some runs, or of all; gives the runs that lack detail. Rectangles go `below`, if there is
    /// such a place: then all are painted.
    fn paint_strips(
        &self,
        props: &TimelinesProps,
        palette: &Palette,
        below: Option<&RefCell<Quads>>,
        runs: Option<&[usize]>,
    ) -> Vec<usize> {
        let paint = |strip: &StripPlace| {
            if let Some(below) = below {
                // The browser puts canvases on whole pixels of the screen.
                let on_screen = |css_px: f64| (css_px * self.stage.ratio).round() / self.stage.ratio;
                let from = |place_px: f64, box_px: f64| on_screen(place_px) - on_screen(box_px);
                let outer = &self.stage.all_strips;
                let (left, top) = (from(strip.place.left, outer.left), from(strip.place.top, outer.top));
                below.borrow_mut().move_to(left, top);
            }
            self.paint_strip(props, strip, palette, below)
        };
        let is_dirty = |strip: &&StripPlace| below.is_some() || runs.is_none_or(|runs| runs.contains(&strip.run));
        self.stage.strips.iter().filter(is_dirty).filter(|strip| !paint(strip)).map(|strip| strip.run).collect()
    }

    /// Paints a strip; whether with all the detail that it wants.
    fn paint_strip(
        &self,
        props: &TimelinesProps,
        strip: &StripPlace,
        palette: &Palette,
        below: Option<&RefCell<Quads>>,
    ) -> bool {
        let Some(entry) = props.runs.entries.get(strip.run) else { return true };
        let place = &strip.place;
        resize(&place.canvas, place.width, place.height, self.stage.ratio);
        let Some(painter) = Painter::cleared(&place.canvas, palette, self.stage.ratio) else { return true };
        let mut painter = painter.with_below(below).with_crowd(&self.crowd);
        let picture = self.view.picture(&props.runs.workload).of_strip(strip.is_open);
        let is_complete = self.details.prepare(strip.run, entry, &picture, strip.frames.rows);
        let sources = self.details.sources(strip.run, picture.show);
        painter.list(&picture.strip_marks(entry, &strip.frames, &sources));
        is_complete
    }

    /// Writes where rows and times lie as attributes of the canvases, for tests and measurements.
    fn write_facts(&self, props: &TimelinesProps) {
        for strip in &self.stage.strips {
            let picture = self.view.picture(&props.runs.workload).of_strip(strip.is_open);
            let Some(entry) = props.runs.entries.get(strip.run) else { continue };
            let (rows, layout) = (strip.frames.rows, picture.layout(strip.frames.rows));
            let facts = [
                ("data-start-s", self.view.window.start_s()),
                ("data-end-s", self.view.window.end_s()),
                ("data-row-pitch", layout.pitch.px()),
                ("data-rows-per-line", layout.rows_of_line(0).len() as f64),
                ("data-rows-top", rows.top),
                ("data-scroll-px", layout.scrolled_px()),
                ("data-plot-left", rows.left),
                ("data-plot-width", rows.width),
                ("data-gpus-top", f64::from(picture.gpus_top)),
                ("data-spans", entry.result.as_ref().map_or(0, |result| result.run.spans.len()) as f64),
                ("data-detail-bytes", self.details.bytes() as f64),
                ("data-detail-complete", 1.0),
            ];
            for (name, value) in facts {
                let _ = strip.place.canvas.set_attribute(name, &value.to_string());
            }
            let _ = strip.place.canvas.set_attribute("data-renderer", self.renderer.name());
        }
    }

    /// The strip of all time: there, where the view shows only a part of it.
    pub(super) fn overview(&self) -> Option<Overview> {
        let frame = self.stage.overview.filter(|_| !self.view.is_fitted)?;
        Some(Overview { frame, all: self.view.all_time() })
    }

    /// The GPUs of the first run, stacked over all time. Painted where anything of it has changed: not while panning.
    fn paint_overview(&mut self, props: &TimelinesProps, palette: &Palette) {
        let Some(canvas) = self.refs.overview.cast::<HtmlCanvasElement>() else { return };
        let overview = self.overview();
        canvas.set_hidden(overview.is_none());
        let first = props.places.first().and_then(|&place| Some((place, props.runs.entries.get(place)?)));
        let (Some(overview), Some((run, entry))) = (overview, first) else { return };
        let window = overview.all;
        let picture = Picture { window, selected: None, ..self.view.picture(&props.runs.workload).stacked() };
        let frame = Frame { left: 0.0, top: 0.0, ..overview.frame };
        self.details.prepare(run, entry, &picture, frame);
        let sources = self.details.sources(run, Show::Stack);
        let of = (Rc::as_ptr(&sources.stack), window, frame, self.stage.ratio, props.theme.clone());
        if self.overview_of.as_ref() == Some(&of) {
            return;
        }
        resize(&canvas, frame.width, frame.height, self.stage.ratio);
        let Some(mut painter) = Painter::cleared(&canvas, palette, self.stage.ratio) else { return };
        if let Some(result) = &entry.result {
            painter.list(&StripRows::of(&picture, &result.run, phase_of(entry), frame, &sources).draw());
        }
        self.overview_of = Some(of);
    }

    fn paint_lanes(&self, props: &TimelinesProps, palette: &Palette) {
        let picture = self.view.picture(&props.runs.workload);
        for (lane, place) in self.lanes.chosen().iter().zip(&self.stage.lanes).filter(|(_, place)| place.width > 0.0) {
            resize(&place.canvas, place.width, place.height, self.stage.ratio);
            let Some(mut painter) = Painter::cleared(&place.canvas, palette, self.stage.ratio) else { return };
            let width = (place.width - self.stage.gutter - MARGIN_PX).max(1.0).floor();
            let frame = Frame { left: self.stage.gutter, top: 1.0, width, height: (place.height - 2.0).floor() };
            painter.list(&axis::grid(&picture.ticks(&frame), &frame));
            painter.list(&self.lanes.draw(lane, frame, self.view.window));
        }
    }

    fn paint_overlay(&self, props: &TimelinesProps, palette: &Palette) {
        let Some(canvas) = self.refs.overlay.cast::<HtmlCanvasElement>() else { return };
        resize(&canvas, self.stage.width, self.stage.height, self.stage.ratio);
        let Some(mut painter) = Painter::cleared(&canvas, palette, self.stage.ratio) else { return };
        let overlay = Overlay {
            runs: &props.runs.entries,
            workload: &props.runs.workload,
            view: &self.view,
            details: &self.details,
            stage: &self.stage,
            first_difference_s: props.first_difference_s,
            is_dragging: self.dragged_s.is_some(),
            overview: self.overview(),
        };
        overlay.paint(&mut painter);
        self.write_readouts(props);
    }
}
