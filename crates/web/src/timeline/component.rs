//! The component: keeps what is set, hands input on, and asks for frames.

use std::cell::RefCell;
use std::rc::Rc;

use elastiplan_present::palette::Palette;
use elastiplan_scene::{Frame, Hit, TimeScale};
use gloo::timers::callback::Timeout;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlCanvasElement, HtmlElement};
use yew::prelude::*;

use super::details::Details;
use super::gesture::Gesture;
use super::input::{Listeners, PointerKind};
use super::lanes::{LANES, Lanes};
use super::picture::phase_of;
use super::props::TimelinesProps;
use super::rows::StripRows;
use super::stage::{Stage, StripPlace, is_narrow};
use super::tip::Target;
use super::view::{Seen, View};
use super::words;
use super::words::StripWords;
use crate::dom;
use crate::paint::crowd::Crowd;
use crate::paint::frames::Frames;
use crate::paint::renderer::Renderer;
use crate::state::history::History;
use crate::state::order::Order;

/// Views that follow each other faster are one step back: a wheel turned, a drag.
const ONE_STEP_MS: f64 = 500.0;

/// A message to the component.
pub enum Msg {
    /// Something with a pointer.
    Pointer(PointerKind, PointerEvent),
    /// The wheel was turned over a canvas.
    Wheel(WheelEvent),
    /// A canvas was double-clicked.
    DoubleClick(MouseEvent),
    /// A key, the palette or another panel asks for something.
    Order(Order),
    /// Sizes may have changed.
    Measure,
    /// It is time to paint.
    Frame,
    /// A lane is to be shown or hidden.
    ToggleLane(&'static str),
    /// A model's key was clicked.
    ToggleSlot(usize),
    /// The browser took WebGL away, or gave it back.
    Renderer(bool),
    /// The pointer has rested for long enough.
    ShowTip,
    /// The report of a failed run is to be copied.
    CopyReport(usize),
}

/// The elements that are painted on or measured.
#[derive(Default)]
pub struct Refs {
    /// The box that holds axis, strips and lanes.
    pub stage: NodeRef,
    /// The canvas below all others.
    pub below: NodeRef,
    /// The canvas above all others.
    pub overlay: NodeRef,
    /// A canvas a lane.
    pub lanes: Vec<NodeRef>,
    /// The tooltip.
    pub tip: NodeRef,
    /// A canvas a run.
    pub strips: Vec<NodeRef>,
    /// Where a run's counts at the cursor are written on narrow screens.
    pub readouts: Vec<NodeRef>,
}

/// The timelines.
pub struct Timelines {
    pub(super) view: View,
    pub(super) stage: Stage,
    pub(super) palette: Option<Palette>,
    pub(super) details: Details,
    pub(super) renderer: Renderer,
    pub(super) crowd: RefCell<Crowd>,
    pub(super) refs: Refs,
    pub(super) lanes: Lanes,
    pub(super) words: Vec<StripWords>,
    pub(super) live: String,
    pub(super) gesture: Gesture,
    /// A range of time that is being dragged.
    pub(super) dragged_s: Option<(f64, f64)>,
    pub(super) trail: History<Seen>,
    /// Where the pointer is, in the stage.
    pub(super) pointer: Option<(f64, f64)>,
    /// The hit when the tooltip was last delayed.
    pub(super) tip_target: Option<(usize, Target)>,
    pub(super) tip_timer: Option<Timeout>,
    pub(super) are_strips_dirty: bool,
    /// Whether canvases may lie elsewhere after the next rendering.
    may_have_moved: bool,
    pub(super) frames: Frames,
    /// Whether strips have been painted since their attributes were written.
    pub(super) is_painting: bool,
    /// Whether the attributes are to be written in the next frame that paints no strip.
    pub(super) are_facts_due: bool,
    pub(super) listeners: Option<Listeners>,
}

impl Component for Timelines {
    type Message = Msg;
    type Properties = TimelinesProps;

    fn create(ctx: &Context<Self>) -> Self {
        let props = ctx.props();
        let link = ctx.link().clone();
        let view = View::new(&props.runs.workload, &props.runs.entries, props.arranged.as_deref());
        let seen = view.seen();
        let mut timelines = Self {
            view,
            stage: Stage::default(),
            palette: None,
            details: Details::default(),
            renderer: Renderer::new(),
            crowd: RefCell::default(),
            refs: Refs::default(),
            lanes: Lanes::remembered(),
            words: Vec::new(),
            live: String::new(),
            gesture: Gesture::default(),
            dragged_s: None,
            trail: History::new(seen, ONE_STEP_MS),
            pointer: None,
            tip_target: None,
            tip_timer: None,
            are_strips_dirty: true,
            may_have_moved: true,
            frames: Frames::new(move || link.send_message(Msg::Frame)),
            is_painting: false,
            are_facts_due: false,
            listeners: None,
        };
        timelines.follow_runs(props);
        timelines.view.is_narrow = is_narrow();
        timelines.view.make_banding(&props.runs.workload, &props.runs.entries);
        props.remote.listen(ctx.link().callback(Msg::Order));
        timelines
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &TimelinesProps) -> bool {
        let props = ctx.props();
        // Which runs are being stopped is shown beside the canvases only.
        if *props == (TimelinesProps { stopping: props.stopping.clone(), ..old.clone() }) {
            return true;
        }
        self.may_have_moved = true;
        let focus = self.view.focus();
        if !Rc::ptr_eq(&props.runs.workload, &old.runs.workload) || props.arranged != old.arranged {
            self.view.follow_workload(&old.runs.workload, &props.runs.workload, props.arranged.as_deref());
        }
        if self.view.focus() != focus {
            props.on_focus.emit(self.view.focus());
        }
        self.follow_runs(props);
        if props.theme != old.theme {
            self.palette = None;
        }
        self.view.make_banding(&props.runs.workload, &props.runs.entries);
        self.repaint_all();
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Msg) -> bool {
        let props = ctx.props();
        let focus = self.view.focus();
        let mut renders = matches!(message, Msg::ToggleSlot(_) | Msg::ToggleLane(_));
        match message {
            Msg::Frame => self.paint(props),
            Msg::Measure => self.measure(props),
            Msg::Pointer(kind, event) => self.on_pointer(ctx, kind, &event),
            Msg::Wheel(event) => self.on_wheel(props, &event),
            Msg::DoubleClick(event) => self.on_double_click(props, &event),
            Msg::Order(order) => renders = self.obey(props, order),
            Msg::Renderer(is_there) => {
                if is_there {
                    self.renderer.renew()
                } else {
                    self.renderer.lose()
                }
                self.repaint_all();
            }
            Msg::ShowTip => self.show_tip(props),
            Msg::ToggleSlot(slot) => {
                self.view.toggle_slot(slot, props.runs.workload.trace(), props.arranged.as_deref());
                self.repaint_all();
            }
            Msg::ToggleLane(id) => self.lanes.toggle(id),
            Msg::CopyReport(run) => copy_report(props, run),
        }
        let is_other = self.view.focus() != focus;
        if is_other {
            self.describe_selected(props);
            self.repaint_all();
            props.on_focus.emit(self.view.focus());
        }
        self.view.make_banding(&props.runs.workload, &props.runs.entries);
        self.trail.edit("view", dom::now_ms(), self.view.seen());
        self.may_have_moved |= renders || is_other;
        renders || is_other
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        self.html(ctx)
    }

    fn destroy(&mut self, ctx: &Context<Self>) {
        ctx.props().remote.hang_up();
    }

    fn rendered(&mut self, ctx: &Context<Self>, first_render: bool) {
        if first_render && let Some(stage) = self.refs.stage.cast::<Element>() {
            self.listeners = Some(Listeners::on(&stage, ctx.link()));
        }
        if let Some(canvas) = self.refs.below.cast::<HtmlCanvasElement>() {
            self.renderer.attach(canvas, &ctx.link().callback(Msg::Renderer));
        }
        if std::mem::take(&mut self.may_have_moved) {
            self.measure(ctx.props());
        }
    }
}

impl Timelines {
    fn follow_runs(&mut self, props: &TimelinesProps) {
        self.view.follow_runs(&props.runs.workload, &props.runs.entries);
        self.details.follow(&props.runs);
        let horizon_s = self.view.horizon_s();
        self.words =
            props.runs.entries.iter().map(|entry| StripWords::of(entry, &props.runs.workload, horizon_s)).collect();
        self.refs.strips.resize_with(props.runs.entries.len(), NodeRef::default);
        self.lanes.follow(&props.runs);
        self.refs.lanes.resize_with(LANES.len(), NodeRef::default);
        self.refs.readouts.resize_with(props.runs.entries.len(), NodeRef::default);
        self.describe_selected(props);
    }

    fn describe_selected(&mut self, props: &TimelinesProps) {
        let job = self.view.selected;
        self.live = job.map(|job| words::job_words(job, &props.runs)).unwrap_or_default();
    }

    fn measure(&mut self, props: &TimelinesProps) {
        let Some(stage) = self.refs.stage.cast::<Element>() else { return };
        self.view.is_narrow = is_narrow();
        self.view.make_banding(&props.runs.workload, &props.runs.entries);
        let canvases = self.refs.strips.iter().take(props.runs.entries.len()).enumerate();
        let strips = canvases.filter_map(|(run, canvas)| Some((run, canvas.cast::<HtmlCanvasElement>()?)));
        let lanes = self.refs.lanes.iter().take(self.lanes.chosen().len()).filter_map(NodeRef::cast);
        let picture = self.view.picture(&props.runs.workload);
        self.stage = Stage::measured(&stage, strips, lanes, &picture);
        if let Some(stage) = stage.dyn_ref::<HtmlElement>() {
            // Headings begin where plots do. A browser that refuses leaves them a little off.
            let _ = stage.style().set_property("--tl-gutter", &format!("{}px", self.stage.gutter));
        }
        self.repaint_all();
    }

    /// Everything is painted with the next frame.
    pub(super) fn repaint_all(&mut self) {
        self.are_strips_dirty = true;
        self.frames.ask();
    }

    /// Requests a repaint of the overlay with the next frame.
    pub(super) fn repaint_overlay(&self) {
        self.frames.ask();
    }

    /// Times to pixels of the stage.
    pub(super) fn scale(&self) -> TimeScale {
        TimeScale::over(self.view.window, &self.stage.axis)
    }

    /// Hands a strip with rows over: the one at a place of the stage, and that place on its canvas.
    pub(super) fn with_strip<R>(
        &self,
        props: &TimelinesProps,
        x: f64,
        y: f64,
        ask: impl FnOnce(&StripRows, &StripPlace, f64, f64) -> Option<R>,
    ) -> Option<R> {
        let strip = self.stage.strip_at(y).filter(|_| !self.stage.is_narrow)?;
        let entry = props.runs.entries.get(strip.run)?;
        let result = entry.result.as_ref()?;
        let picture = self.view.picture(&props.runs.workload);
        let sources = self.details.sources(strip.run, picture.show);
        let painted = StripRows::of(&picture, &result.run, phase_of(entry), strip.frames.rows, &sources);
        ask(&painted, strip, x - strip.place.left, y - strip.place.top)
    }

    /// The hit at a place of the stage, with its run.
    pub(super) fn hit(&self, props: &TimelinesProps, x: f64, y: f64) -> Option<(usize, Hit)> {
        self.with_strip(props, x, y, |strip, place, x, y| Some((place.run, strip.hit(x, y)?)))
    }

    /// The rows of the strip at a height, in the stage.
    pub(super) fn rows_frame_at(&self, y: f64) -> Option<Frame> {
        let strip = self.stage.strip_at(y)?;
        let rows = strip.frames.rows;
        Some(Frame { left: rows.left + strip.place.left, top: rows.top + strip.place.top, ..rows })
    }
}

fn copy_report(props: &TimelinesProps, run: usize) {
    let Some(entry) = props.runs.entries.get(run) else { return };
    if let elastiplan_present::runs::RunState::Failed(failure) = &entry.state {
        let (message, detail, build) = (&failure.message, &failure.detail, dom::build_id());
        dom::copy_text(&format!("{message}\n{detail}\nPolicy: {}\nBuild: {build}\n", entry.policy));
    }
}
