//! The component: keeps what is set, hands input on, and asks for frames.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use elastiplan_model::Workload;
use elastiplan_planner::PolicyRun;
use elastiplan_present::palette::Palette;
use elastiplan_present::runs::{RunEntry, RunState};
use elastiplan_scene::{Counts, Frame, Hit, Phase, Stack, TimeScale, TimeWindow};
use elastiplan_text::format;
use gloo::timers::callback::Timeout;
use web_sys::{Element, HtmlCanvasElement, HtmlElement};
use yew::prelude::*;

use super::details::Details;
use super::gesture::Gesture;
use super::in_view::Looked;
use super::input::{Listeners, PointerKind};
use super::lanes::{LANES, Lanes};
use super::layout::{Layout, Room, RowSize, RunRow};
use super::picture::phase_of;
use super::props::TimelinesProps;
use super::rows::StripRows;
use super::stage::{Boxes, Stage, StripPlace, has_one_column, is_narrow};
use super::tip::Target;
use super::view::{Seen, View};
use super::words;
use super::words::StripWords;
use crate::dom;
use crate::paint::crowd::Crowd;
use crate::paint::frames::Frames;
use crate::paint::renderer::Renderer;
use crate::state::history::History;
use crate::state::order::{Order, Show};

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
    /// Other runs are open than were drawn last.
    Opened,
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
    /// The pictures were scrolled.
    Scrolled,
    /// The run in a slot is to be opened or closed; or opened alone.
    Open(usize, bool),
    /// Rows of this height; or of what fits.
    Size(Option<RowSize>),
    /// The divider is to give the pictures this width.
    Divide(f64),
    /// A lane is to show something else.
    ReplaceLane(&'static str, String),
    /// A narrow page is to show the jobs of the next run.
    NextRun,
    /// The cursor is to go to where this run's policy decides next.
    NextDecision(usize),
    /// This run is to be forked at the cursor.
    Fork(usize),
    /// The cursor is to go to when most jobs wait in this run.
    WorstQueue(usize),
}

/// The elements that are painted on or measured.
#[derive(Default)]
pub struct Refs {
    /// The box that holds axis, strips and lanes.
    pub stage: NodeRef,
    /// The box that scrolls.
    pub scroll: NodeRef,
    /// The column of pictures.
    pub picture: NodeRef,
    /// The heading above the strips.
    pub axis: NodeRef,
    /// The strip of all time in it.
    pub overview: NodeRef,
    /// The box of all strips.
    pub all_strips: NodeRef,
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
    /// Where a run's counts at the cursor are written.
    pub readouts: Vec<NodeRef>,
    /// Where a lane's values at the cursor are written.
    pub lane_readouts: Vec<NodeRef>,
}

/// The height of all rows inside another page.
const EMBED_ROWS_PX: f64 = 360.0;

/// The timelines.
pub struct Timelines {
    pub(super) view: View,
    pub(super) layout: Layout,
    /// The rows of all runs as they were laid out last, by place.
    pub(super) rows: Vec<RunRow>,
    pub(super) stage: Stage,
    pub(super) palette: Option<Palette>,
    pub(super) details: Details,
    /// What jobs do in view, for each run that is open.
    pub(super) looked: Vec<Option<Looked>>,
    /// What the overview shows: the stack of a run, all time, its size, the screen's resolution and the theme.
    pub(super) overview_of: Option<(*const Stack, TimeWindow, Frame, f64, AttrValue)>,
    pub(super) renderer: Renderer,
    pub(super) crowd: RefCell<Crowd>,
    pub(super) refs: Refs,
    pub(super) lanes: Lanes,
    /// Words about each run, with the record and the state that they are about.
    pub(super) words: Vec<(Weak<PolicyRun>, RunState, StripWords)>,
    /// The workload that they are about.
    pub(super) words_of: Option<Rc<Workload>>,
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
    /// The runs whose strips are to be painted again; `None` for all.
    pub(super) dirty_runs: Option<Vec<usize>>,
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
            layout: Layout::with_picture(remembered_width()),
            rows: Vec::new(),
            stage: Stage::default(),
            palette: None,
            details: Details::default(),
            looked: Vec::new(),
            overview_of: None,
            renderer: Renderer::new(),
            crowd: RefCell::default(),
            refs: Refs::default(),
            lanes: Lanes::remembered(),
            words: Vec::new(),
            words_of: None,
            live: String::new(),
            gesture: Gesture::default(),
            dragged_s: None,
            trail: History::new(seen, ONE_STEP_MS),
            pointer: None,
            tip_target: None,
            tip_timer: None,
            are_strips_dirty: true,
            dirty_runs: None,
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
        if props.paints_as(old) {
            return true;
        }
        self.may_have_moved = true;
        let focus = self.view.focus();
        let (before, banding) = (self.view.pictured(), self.view.banding().clone());
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
        let is_same = self.view.pictured() == before && *self.view.banding() == banding;
        let runs = other_runs(props, old).filter(|_| is_same && !self.renderer.is_gl());
        match runs {
            Some(runs) => self.repaint_runs(runs),
            None => self.repaint_all(),
        }
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Msg) -> bool {
        let props = ctx.props();
        let focus = self.view.focus();
        let mut renders = matches!(message, Msg::ToggleSlot(_) | Msg::ToggleLane(_));
        // Whether words changed that move nothing.
        let mut is_told = false;
        let pinned_s = self.view.pinned_s();
        match message {
            Msg::Frame => is_told = self.paint(props),
            Msg::Measure => renders = self.measure(props),
            Msg::Opened => renders = true,
            Msg::Pointer(kind, event) => self.on_pointer(ctx, kind, &event),
            Msg::Wheel(event) => self.on_wheel(props, &event),
            Msg::DoubleClick(event) => self.on_double_click(props, &event),
            Msg::Order(order) => {
                if let Order::Show(show) = order
                    && is_narrow()
                {
                    self.show_narrow(props, show);
                }
                renders = self.obey(props, order);
            }
            Msg::NextRun => {
                if let Some(slot) = self.layout.next_open(&self.slots(props)) {
                    self.layout.open_only(slot);
                }
                renders = true;
            }
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
            Msg::Scrolled => self.follow_scroll(props),
            Msg::Open(slot, only) => {
                let slots = self.slots(props);
                let room = self.room(props, &slots);
                self.layout.toggle(slot, only, &room);
                renders = true;
            }
            Msg::Size(size) => {
                self.layout.size = size;
                renders = true;
            }
            Msg::Divide(picture_px) => {
                self.layout.divide(picture_px);
                dom::remember(PICTURE_WIDTH, self.layout.picture_px.map(|px| px.to_string()).as_deref());
                renders = true;
            }
            Msg::NextDecision(run) => {
                renders = self.go_to_decision(props, Some(run), true);
                self.repaint_all();
            }
            Msg::Fork(run) => self.fork(props, props.runs.entries.get(run).map(|entry| entry.slot)),
            Msg::WorstQueue(run) => {
                self.go_to_worst_queue(props, Some(run));
                renders = true;
                self.repaint_all();
            }
            Msg::ReplaceLane(from, to) => {
                self.lanes.replace(from, &to);
                renders = true;
            }
        }
        is_told |= self.view.pinned_s() != pinned_s;
        let is_other = self.view.focus() != focus;
        if is_other {
            self.describe_selected(props);
            self.repaint_all();
            props.on_focus.emit(self.view.focus());
        }
        self.view.make_banding(&props.runs.workload, &props.runs.entries);
        self.trail.edit("view", dom::now_ms(), self.view.seen());
        self.may_have_moved |= renders || is_other;
        renders || is_other || is_told
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        self.html(ctx)
    }

    fn destroy(&mut self, ctx: &Context<Self>) {
        ctx.props().remote.hang_up();
    }

    fn rendered(&mut self, ctx: &Context<Self>, _first_render: bool) {
        if self.listeners.is_none()
            && let Some(stage) = self.refs.stage.cast::<Element>()
        {
            self.listeners = Some(Listeners::on(&stage, ctx.link()));
        }
        if let Some(canvas) = self.refs.below.cast::<HtmlCanvasElement>() {
            self.renderer.attach(canvas, &ctx.link().callback(Msg::Renderer));
        }
        if std::mem::take(&mut self.may_have_moved) && self.measure(ctx.props()) {
            ctx.link().send_message(Msg::Opened);
        }
    }
}

impl Timelines {
    fn follow_runs(&mut self, props: &TimelinesProps) {
        self.view.follow_runs(&props.runs.workload, &props.runs.entries);
        self.details.follow(&props.runs);
        self.follow_words(props);
        self.refs.strips.resize_with(props.runs.entries.len(), NodeRef::default);
        self.lanes.follow(&props.runs);
        self.refs.lanes.resize_with(LANES.len(), NodeRef::default);
        self.refs.readouts.resize_with(props.runs.entries.len(), NodeRef::default);
        self.refs.lane_readouts.resize_with(LANES.len(), NodeRef::default);
        self.describe_selected(props);
    }

    /// Words about runs that have come further: those of the others stand.
    fn follow_words(&mut self, props: &TimelinesProps) {
        let is_same_workload = self.words_of.as_ref().is_some_and(|of| Rc::ptr_eq(of, &props.runs.workload));
        let mut before = std::mem::take(&mut self.words).into_iter();
        let words = props.runs.entries.iter().map(|entry| {
            let record = entry.result.as_ref().map_or_else(Weak::new, Rc::downgrade);
            let known = before
                .next()
                .filter(|(of, state, _)| is_same_workload && Weak::ptr_eq(of, &record) && *state == entry.state);
            known.unwrap_or_else(|| (record, entry.state.clone(), StripWords::of(entry, &props.runs.workload)))
        });
        self.words = words.collect();
        self.words_of = Some(Rc::clone(&props.runs.workload));
    }

    fn describe_selected(&mut self, props: &TimelinesProps) {
        let job = self.view.selected;
        self.live = job.map(|job| words::job_words(job, &props.runs)).unwrap_or_default();
    }

    /// The slots of the shown runs, in order.
    fn slots(&self, props: &TimelinesProps) -> Vec<usize> {
        props.places.iter().filter_map(|&place| Some(props.runs.entries.get(place)?.slot)).collect()
    }

    /// On a narrow page all runs are stacked, or one shows its jobs.
    fn show_narrow(&mut self, props: &TimelinesProps, show: Show) {
        self.layout.forget_opened();
        if let (false, Some(slot)) = (show.is_stacked(), self.layout.next_open(&self.slots(props))) {
            self.layout.open_only(slot);
        }
        self.view.is_narrow = !self.layout.is_by_hand();
    }

    /// Whether a run has a strip: on a narrow page only the open one has, if any is.
    pub(super) fn has_strip(&self, run: usize) -> bool {
        let is_open = |run: usize| self.rows.get(run).is_some_and(|row| row.is_open);
        !is_narrow() || is_open(run) || !(0..self.rows.len()).any(is_open)
    }

    /// What there is for the rows.
    fn room<'a>(&self, props: &TimelinesProps, slots: &'a [usize]) -> Room<'a> {
        let height = |of: &NodeRef| of.cast::<Element>().map(|element| f64::from(element.client_height()));
        let available_px = match has_one_column() {
            // The height of the frame may follow that of the page.
            true if dom::is_embed() => EMBED_ROWS_PX,
            true => dom::window_height().map_or(0.0, |px| px - BESIDE_ROWS_PX),
            false => height(&self.refs.scroll).unwrap_or(0.0) - height(&self.refs.axis).unwrap_or(0.0),
        };
        let first = [0, props.best];
        let rows = if self.view.is_packed() { usize::MAX } else { self.view.row_count() };
        let show = self.view.show;
        Room { available_px, show, rows, slots, first, is_narrow: is_narrow() }
    }

    /// Gives pictures and numbers their sizes, by variables of the style. Whether other runs are open than before.
    fn lay_out(&mut self, props: &TimelinesProps, stage: &HtmlElement) -> bool {
        let set = |name: &str, px: f64| {
            // A browser that refuses leaves rows as high as their content.
            let _ = stage.style().set_property(name, &format!("{px}px"));
        };
        if !has_one_column() {
            let stage_px = f64::from(stage.client_width());
            let picture_px = self.layout.picture_px(stage_px);
            set("--picture", picture_px);
            set("--numbers", (stage_px - picture_px).max(0.0));
        }
        let slots = self.slots(props);
        let shown = self.layout.rows(&self.room(props, &slots));
        let mut rows = vec![RunRow::default(); props.runs.entries.len()];
        let mut top_px = 0.0;
        for (&place, row) in props.places.iter().zip(shown) {
            set(&format!("--row-{place}"), row.height_px);
            set(&format!("--top-{place}"), top_px);
            // Numbers of an open run stand at its top: below them is what its jobs do.
            let align = if row.is_open && !has_one_column() { "top" } else { "middle" };
            let _ = stage.style().set_property(&format!("--align-{place}"), align);
            top_px += row.height_px;
            if let Some(of_place) = rows.get_mut(place) {
                *of_place = row;
            }
        }
        let open = |rows: &[RunRow]| rows.iter().map(|row| row.is_open).collect::<Vec<_>>();
        let is_other = open(&rows) != open(&self.rows);
        self.rows = rows;
        is_other
    }

    /// Lays everything out and looks where it lies. Whether other runs are open than before.
    fn measure(&mut self, props: &TimelinesProps) -> bool {
        let Some(stage) = self.refs.stage.cast::<HtmlElement>() else { return false };
        self.view.is_narrow = is_narrow() && !self.layout.is_by_hand();
        let is_other = self.lay_out(props, &stage);
        self.view.has_stacks = self.rows.iter().any(|row| !row.is_open);
        self.view.make_banding(&props.runs.workload, &props.runs.entries);
        let before = self.stage.clone();
        self.locate(props);
        // Headings begin where plots do. A browser that refuses leaves them a little off.
        let _ = stage.style().set_property("--tl-gutter", &format!("{}px", self.stage.gutter));
        if self.stage != before {
            self.repaint_all();
        }
        is_other
    }

    /// Looks where everything lies.
    fn locate(&mut self, props: &TimelinesProps) {
        let element = |of: &NodeRef| of.cast::<Element>();
        let Refs { stage, picture, scroll, all_strips, axis, .. } = &self.refs;
        let (Some(stage), Some(picture), Some(scroll), Some(strips), Some(axis)) =
            (element(stage), element(picture), element(scroll), element(all_strips), element(axis))
        else {
            return;
        };
        let more = scroll.scroll_left() + scroll.client_width() + 1 < scroll.scroll_width();
        let _ = stage.toggle_attribute_with_force("data-more", more);
        let boxes = Boxes { stage, picture, scroll, strips, axis };
        let canvas = |&run: &usize| Some((run, self.refs.strips.get(run)?.cast::<HtmlCanvasElement>()?));
        let canvases = props.places.iter().filter_map(canvas);
        let lanes = self.refs.lanes.iter().take(self.lanes.chosen().len()).filter_map(NodeRef::cast);
        let shown = self.view.picture(&props.runs.workload);
        self.stage = Stage::measured(&boxes, &self.rows, canvases, lanes, &shown);
    }

    /// Follows what is scrolled. Strips that come into view are painted; the others are painted already.
    fn follow_scroll(&mut self, props: &TimelinesProps) {
        let near = |stage: &Stage| stage.strips.iter().map(|strip| strip.run).collect::<Vec<_>>();
        let before = near(&self.stage);
        self.locate(props);
        if near(&self.stage) != before { self.repaint_all() } else { self.repaint_overlay() }
    }

    /// Counts of runs and values of lanes at the cursor, in their heads.
    pub(super) fn write_readouts(&self, props: &TimelinesProps) {
        let cursor_s = self.view.cursor_s;
        let write = |place: &NodeRef, words: Option<String>| {
            if let Some(readout) = place.cast::<Element>() {
                readout.set_text_content(words.as_deref());
            }
        };
        let picture = self.view.picture(&props.runs.workload);
        for strip in &self.stage.strips {
            let run = props.runs.entries.get(strip.run).and_then(|entry| Some(&entry.result.as_ref()?.run));
            let (Some(run), Some(readout)) = (run, self.refs.readouts.get(strip.run)) else { continue };
            let picture = picture.of_strip(strip.is_open);
            let sources = self.details.sources(strip.run, picture.show);
            let rows = match StripRows::of(&picture, run, Phase::Finished, strip.frames.rows, &sources) {
                StripRows::Packed(rows) => Some(rows.words()),
                _ => None,
            };
            let counts = cursor_s.and_then(|time_s| Counts::at(run, time_s)).map(|counts| counts.readout());
            let words: Vec<String> = rows.into_iter().chain(counts).collect();
            write(readout, Some(words.join(" · ")));
        }
        let scale = self.scale();
        let zero_s = props.runs.workload.trace().start_s();
        for (lane, readout) in self.lanes.chosen().iter().zip(&self.refs.lane_readouts) {
            let at = |time_s: f64| {
                format!(
                    "at {} · {}",
                    format::moment(time_s - zero_s, scale.s_per_px()),
                    self.lanes.readout(lane, time_s)
                )
            };
            write(readout, cursor_s.map(at));
        }
    }

    /// Everything is painted with the next frame.
    pub(super) fn repaint_all(&mut self) {
        self.are_strips_dirty = true;
        self.dirty_runs = None;
        self.frames.ask();
    }

    /// The strips of some runs are painted with the next frame, and the lanes.
    pub(super) fn repaint_runs(&mut self, mut runs: Vec<usize>) {
        match (&mut self.dirty_runs, self.are_strips_dirty) {
            (None, true) => {}
            (Some(dirty), true) => dirty.append(&mut runs),
            (dirty, false) => *dirty = Some(runs),
        }
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
        let strip = self.stage.strip_at(y).filter(|strip| strip.is_open || !self.stage.is_narrow)?;
        let entry = props.runs.entries.get(strip.run)?;
        let result = entry.result.as_ref()?;
        let picture = self.view.picture(&props.runs.workload).of_strip(strip.is_open);
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

/// The key of the pictures' width in the browser's storage.
const PICTURE_WIDTH: &str = "picture";
/// What lies above and below the rows on a page with one column.
const BESIDE_ROWS_PX: f64 = 320.0;

fn remembered_width() -> Option<f64> {
    elastiplan_text::number(&dom::remembered(PICTURE_WIDTH)?).filter(|px| px.is_finite())
}

/// The runs whose strips look different under other properties; `None` if all may.
fn other_runs(props: &TimelinesProps, old: &TimelinesProps) -> Option<Vec<usize>> {
    let (now, before) = (&props.runs, &old.runs);
    let is_same = Rc::ptr_eq(&now.workload, &before.workload)
        && now.entries.len() == before.entries.len()
        && (&props.places, &props.arranged, &props.theme) == (&old.places, &old.arranged, &old.theme);
    let is_other = |(now, before): (&RunEntry, &RunEntry)| {
        let records = (now.result.as_ref(), before.result.as_ref());
        let is_same_record = match records {
            (Some(now), Some(before)) => Rc::ptr_eq(now, before),
            (now, before) => now.is_none() && before.is_none(),
        };
        !is_same_record || phase_of(now) != phase_of(before) || now.slot != before.slot
    };
    let pairs = now.entries.iter().zip(&before.entries).enumerate();
    is_same.then(|| pairs.filter(|(_, pair)| is_other(*pair)).map(|(at, _)| at).collect())
}

fn copy_report(props: &TimelinesProps, run: usize) {
    let Some(entry) = props.runs.entries.get(run) else { return };
    if let elastiplan_present::runs::RunState::Failed(failure) = &entry.state {
        let (message, detail, build) = (&failure.message, &failure.detail, dom::build_id());
        dom::copy_text(&format!("{message}\n{detail}\nPolicy: {}\nBuild: {build}\n", entry.policy));
    }
}
