//! Pointer and wheel: from events to changes of the view.

use elastiplan_scene::{Frame, Hit, Phase};
use gloo::events::{EventListener, EventListenerOptions};
use gloo::timers::callback::Timeout;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement};
use yew::html::Scope;
use yew::prelude::*;

use super::component::{Msg, Timelines};
use super::gesture::{Action, At, Press};
use super::overview::Part;
use super::picture::MARGIN_PX;
use super::props::TimelinesProps;
use super::rows::StripRows;
use super::stage::is_narrow;
use super::tip::Target;
use crate::dom;
use crate::paint::resizes::Resizes;
use crate::state::message;
use crate::state::order::Show;

/// A pointer rests for this long before a tooltip is shown.
const TIP_AFTER_MS: u32 = 60;
/// The cursor goes to the edge of a span that is this near.
const SNAP_PX: f64 = 6.0;
/// Factor of a zoom for each pixel that a wheel reports.
const ZOOM_PER_PX: f64 = 0.0025;
/// Height of a line, for wheels that count lines.
const LINE_PX: f64 = 20.0;

/// An event of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerKind {
    /// Pressed.
    Down,
    /// Moved.
    Move,
    /// Released.
    Up,
    /// Taken away by the browser.
    Cancel,
    /// Left the stage.
    Leave,
}

/// Listeners for as long as the component is there.
pub struct Listeners {
    _events: Vec<EventListener>,
    _resizes: Resizes,
}

impl Listeners {
    /// Listens on a stage.
    pub fn on(stage: &Element, link: &Scope<Timelines>) -> Self {
        let kinds = [
            ("pointerdown", PointerKind::Down),
            ("pointermove", PointerKind::Move),
            ("pointerup", PointerKind::Up),
            ("pointercancel", PointerKind::Cancel),
            ("pointerleave", PointerKind::Leave),
        ];
        let mut events: Vec<EventListener> = kinds
            .into_iter()
            .map(|(name, kind)| {
                let link = link.clone();
                EventListener::new(stage, name, move |event| {
                    if let Some(event) = event.dyn_ref::<PointerEvent>() {
                        link.send_message(Msg::Pointer(kind, event.clone()));
                    }
                })
            })
            .collect();
        let options = EventListenerOptions::enable_prevent_default();
        let to = link.clone();
        events.push(EventListener::new_with_options(stage, "wheel", options, move |event| {
            if let Some(wheel) = event.dyn_ref::<WheelEvent>()
                && (is_on_canvas(event) || !may_scroll(event))
                && !is_beside(event)
                // Inside another page the wheel is that page's.
                && (!(is_narrow() || dom::is_embed()) || wheel.ctrl_key())
            {
                event.prevent_default();
                to.send_message(Msg::Wheel(wheel.clone()));
            }
        }));
        let to = link.clone();
        events.push(EventListener::new(stage, "dblclick", move |event| {
            if let Some(event) = event.dyn_ref::<MouseEvent>().filter(|_| !is_on_button(event) && !is_beside(event)) {
                to.send_message(Msg::DoubleClick(event.clone()));
            }
        }));
        let to = link.clone();
        events.push(EventListener::new(&gloo::utils::window(), "resize", move |_| to.send_message(Msg::Measure)));
        if let Ok(Some(scroll)) = stage.query_selector(".tl-scroll") {
            let to = link.clone();
            events.push(EventListener::new(&scroll, "scroll", move |_| to.send_message(Msg::Scrolled)));
        }
        let to = link.clone();
        Self { _events: events, _resizes: Resizes::of(stage, move || to.send_message(Msg::Measure)) }
    }
}

fn is_on_canvas(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.tag_name() == "CANVAS")
}

/// Whether the strips do not fit and the wheel scrolls them, off the canvases.
fn may_scroll(event: &Event) -> bool {
    let stage = event.current_target().and_then(|stage| stage.dyn_into::<Element>().ok());
    let scroll = stage.and_then(|stage| stage.query_selector(".tl-scroll").ok().flatten());
    scroll.is_some_and(|scroll| scroll.scroll_height() > scroll.client_height())
}

/// Whether it is about what lies beside the pictures: numbers, panel, divider.
fn is_beside(event: &Event) -> bool {
    is_in(event, ".tl-beside")
}

fn is_in(event: &Event, selector: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| matches!(target.closest(selector), Ok(Some(_))))
}

fn is_on_button(event: &Event) -> bool {
    is_in(event, "button, a, select")
}

impl Timelines {
    pub(super) fn on_pointer(&mut self, ctx: &Context<Self>, kind: PointerKind, event: &PointerEvent) {
        let Some(at) = self.place_of(event, event.pointer_id()) else { return };
        let scale = self.scale();
        match kind {
            PointerKind::Down => {
                if is_on_button(event) || is_beside(event) {
                    return;
                }
                let press = match (event.pointer_type().as_str(), event.button(), event.shift_key()) {
                    (_, 0, _) if let Some(part) = self.overview_part_at(at) => Press::Overview(part),
                    ("touch", _, _) => Press::Touch,
                    (_, 0, _) if let Some(run) = self.scrollbar_at(ctx.props(), at) => Press::Scroll(run),
                    (_, 0, false) => Press::Main,
                    (_, 0, true) | (_, 1, _) => Press::Pan,
                    _ => return,
                };
                self.hide_tip();
                self.gesture.down(press, at, &scale);
                if let Some(stage) = self.refs.stage.cast::<Element>() {
                    // Without the capture a drag ends at the edge of the stage; nothing worse.
                    let _ = stage.set_pointer_capture(at.id);
                }
            }
            PointerKind::Move if (is_beside(event) || self.is_in_overview(at)) && !self.gesture.is_dragging() => {
                self.pointer = None;
                self.leave();
            }
            PointerKind::Move => {
                let action = self.gesture.moved(at, &scale);
                self.act(ctx, action, at, event.alt_key());
            }
            PointerKind::Up => {
                let action = self.gesture.up(at, &scale);
                self.dragged_s = None;
                self.act(ctx, action, at, event.alt_key());
            }
            PointerKind::Cancel => {
                self.gesture.reset();
                self.dragged_s = None;
                self.repaint_overlay();
            }
            PointerKind::Leave => {
                if event.pointer_type() != "touch" && !self.gesture.is_dragging() {
                    self.pointer = None;
                    self.leave();
                }
            }
        }
    }

    fn act(&mut self, ctx: &Context<Self>, action: Action, at: At, is_free: bool) {
        let props = ctx.props();
        match action {
            Action::None => {}
            Action::Hover => self.hover(ctx, at, is_free),
            Action::Cursor => {
                self.view.cursor_s = self.time_at(props, at, is_free);
                self.view.is_pinned = self.view.cursor_s.is_some();
                self.repaint_overlay();
            }
            Action::Click => {
                if let Some(time_s) = self.time_at(props, at, is_free) {
                    self.view.pin(time_s);
                }
                self.view.range_s = None;
                match self.hit(props, at.x, at.y) {
                    Some((run, Hit::Stack(hit))) => self.filter_by_band(props, run, hit.band),
                    Some((_, hit)) => self.view.selected = hit.job(),
                    None => {}
                }
                self.repaint_overlay();
            }
            Action::Scroll(run, by_px) => {
                self.with_scrollbar(props, run, |share, frame| self.details.scroll(Some(run), by_px / share, frame));
                self.repaint_all();
            }
            Action::Show(window) => {
                self.view.show(window);
                self.repaint_all();
            }
            Action::Overview(part, by_px) => {
                if let Some(overview) = self.overview() {
                    self.view.show(overview.dragged(self.view.window, part, by_px));
                    self.repaint_all();
                }
            }
            Action::Range(from_s, to_s) => {
                let range_s = (from_s.min(to_s), from_s.max(to_s));
                self.dragged_s = Some(range_s);
                self.view.range_s = Some(range_s);
                self.repaint_overlay();
            }
        }
    }

    fn hover(&mut self, ctx: &Context<Self>, at: At, is_free: bool) {
        let props = ctx.props();
        self.pointer = Some((at.x, at.y));
        if !self.view.is_pinned {
            self.view.cursor_s = self.time_at(props, at, is_free);
        }
        let hit = self.hit(props, at.x, at.y);
        self.view.hovered = hit.and_then(|(_, hit)| hit.job());
        let target = hit.and_then(|(run, hit)| Some((run, Target::of(&hit)?)));
        if target != self.tip_target {
            self.tip_target = target;
            self.hide_tip();
            if target.is_some() {
                let link = ctx.link().clone();
                self.tip_timer = Some(Timeout::new(TIP_AFTER_MS, move || link.send_message(Msg::ShowTip)));
            }
        } else if self.tip_timer.is_none() && target.is_some() {
            // The job is the same, its span may not be.
            self.show_tip(props);
        }
        self.repaint_overlay();
    }

    fn leave(&mut self) {
        self.view.hovered = None;
        if !self.view.is_pinned {
            self.view.cursor_s = None;
        }
        self.tip_target = None;
        self.hide_tip();
        self.repaint_overlay();
    }

    /// The time at a place: of the span's edge that is near, unless `is_free`; `None` left and right of the plots.
    fn time_at(&self, props: &TimelinesProps, at: At, is_free: bool) -> Option<f64> {
        let scale = self.scale();
        if !(scale.left_px() - 2.0..=scale.right_px() + 2.0).contains(&at.x) {
            return None;
        }
        let x = at.x.clamp(scale.left_px(), scale.right_px());
        let snapped = if is_free { None } else { self.with_strip(props, x, at.y, |s, _, x, y| s.snap(x, y, SNAP_PX)) };
        Some(snapped.unwrap_or_else(|| scale.time_at(x)))
    }

    /// What is dragged from a place of the overview. Beside the frame, the frame comes there first.
    fn overview_part_at(&mut self, at: At) -> Option<Part> {
        let overview = self.overview().filter(|_| self.is_in_overview(at))?;
        let part = overview.part_at(self.view.window, at.x);
        if part.is_none() {
            self.view.show(overview.centred(self.view.window, at.x));
            self.repaint_all();
        }
        Some(part.unwrap_or(Part::Whole))
    }

    fn is_in_overview(&self, at: At) -> bool {
        self.overview().is_some_and(|overview| overview.frame.contains(at.x, at.y))
    }

    /// Shows only the jobs of a band; all jobs if it is the only one.
    fn filter_by_band(&self, props: &TimelinesProps, run: usize, band: Option<usize>) {
        let bands = self.view.banding().bands();
        let letter = props.runs.entries.get(run).map(|entry| entry.letter());
        if let Some((band, letter)) = band.and_then(|band| bands.get(band)).zip(letter) {
            let query = if bands.len() > 1 { band.query(&letter) } else { String::new() };
            props.send.emit(message::Msg::Search(query));
        }
    }

    /// The run whose scrollbar lies at a place.
    fn scrollbar_at(&self, props: &TimelinesProps, at: At) -> Option<usize> {
        let strip = self.stage.strip_at(at.y).filter(|_| self.view.is_packed())?;
        let right = strip.place.left + strip.frames.rows.right();
        let is_beside = (right..right + MARGIN_PX).contains(&at.x);
        self.with_scrollbar(props, strip.run, |_, _| ()).filter(|()| is_beside).map(|()| strip.run)
    }

    /// Hands over how much of a run's packed rows is in view, and their frame; nothing if all are.
    fn with_scrollbar<R>(&self, props: &TimelinesProps, run: usize, act: impl FnOnce(f64, Frame) -> R) -> Option<R> {
        let frame = self.stage.strips.iter().find(|strip| strip.run == run && strip.is_open)?.frames.rows;
        let record = &props.runs.entries.get(run)?.result.as_ref()?.run;
        let (picture, sources) = (self.view.picture(&props.runs.workload), self.details.sources(run, Show::Jobs));
        let StripRows::Packed(strip) = StripRows::of(&picture, record, Phase::Finished, frame, &sources) else {
            return None;
        };
        strip.thumb()?;
        Some(act(frame.height / strip.layout.content_px().max(1.0), frame))
    }

    pub(super) fn on_wheel(&mut self, props: &TimelinesProps, event: &WheelEvent) {
        let Some(at) = self.place_of(event, 0) else { return };
        let unit_px = if event.delta_mode() == WheelEvent::DOM_DELTA_LINE { LINE_PX } else { 1.0 };
        let (delta_x, delta_y) = (event.delta_x() * unit_px, event.delta_y() * unit_px);
        let scale = self.scale();
        let scroll_max_px = self.stage.rows_height().map_or(0.0, |height_px| self.view.scroll_max_px(height_px));
        let strip = self.stage.strip_at(at.y).filter(|_| event.shift_key() && !event.ctrl_key());
        let by_px = if delta_x == 0.0 { delta_y } else { delta_x };
        let scroll =
            |run: usize| self.with_scrollbar(props, run, |_, frame| self.details.scroll(Some(run), by_px, frame));
        if strip.filter(|_| self.view.is_packed()).and_then(|strip| scroll(strip.run)).is_some() {
            // Rows of this strip have moved.
        } else if event.shift_key() && !event.ctrl_key() {
            // Some browsers turn the wheel sideways under `Shift`, some leave that to the page.
            self.view.show(scale.dragged(-by_px));
        } else if !event.ctrl_key() && delta_x.abs() > delta_y.abs() {
            self.view.show(scale.dragged(-delta_x));
        } else if !event.ctrl_key() && scroll_max_px > 0.0 {
            self.view.scroll_px = (self.view.scroll_px + delta_y).clamp(0.0, scroll_max_px);
        } else {
            // A pinch on a touchpad comes as small steps with `Ctrl`.
            let strength = if event.ctrl_key() && delta_y.abs() < 20.0 { 4.0 } else { 1.0 };
            // The browser's exponential will do: what is drawn is not compared to the bit.
            let factor = js_sys::Math::exp(-delta_y * ZOOM_PER_PX * strength);
            let x = at.x.clamp(scale.left_px(), scale.right_px());
            self.view.show(scale.zoomed_at(x, factor));
        }
        self.tip_target = None;
        self.hide_tip();
        self.repaint_all();
    }

    pub(super) fn on_double_click(&mut self, props: &TimelinesProps, event: &MouseEvent) {
        let Some(at) = self.place_of(event, 0) else { return };
        if self.stage.strip_at(at.y).is_none() {
            return;
        }
        let range_s = self.hit(props, at.x, at.y).and_then(|(run, hit)| match hit {
            Hit::Job(hit) => {
                let spans = &props.runs.entries.get(run)?.result.as_ref()?.run.spans;
                let (first, last) = (spans.of(hit.job).next()?, spans.of(hit.job).last()?);
                Some(hit.span.map_or((first.start_s, last.end_s), |span| (span.start_s, span.end_s)))
            }
            Hit::Place(hit) => hit.piece.map(|piece| (piece.start_s, piece.end_s)),
            Hit::Band(_) | Hit::Stack(_) => None,
        });
        match range_s {
            Some((start_s, end_s)) => self.view.show_span(start_s, end_s),
            None => self.view.show(self.scale().zoomed_at(at.x, 2.0)),
        }
        self.repaint_all();
    }

    /// Where an event happened, in the stage.
    fn place_of(&self, event: &MouseEvent, id: i32) -> Option<At> {
        let stage = self.refs.stage.cast::<HtmlElement>()?;
        let rect = stage.get_bounding_client_rect();
        Some(At { id, x: f64::from(event.client_x()) - rect.left(), y: f64::from(event.client_y()) - rect.top() })
    }
}
