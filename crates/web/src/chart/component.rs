//! The component that shows any figure: plot or table, to copy and to save.

use std::borrow::Cow;
use std::rc::Rc;

use elastiplan_model::{JobId, Workload};
use elastiplan_present::drawing::Drawing;
use elastiplan_present::drawing::cursor;
use elastiplan_present::drawing::layout::plot_frame;
use elastiplan_present::drawing::pointing::{Pointing, Released, Step};
use elastiplan_present::drawing::points::nearest_point;
use elastiplan_present::figure::Figure;
use elastiplan_present::figure::points::PointId;
use elastiplan_present::figure::table::{Copied, Table};
use elastiplan_present::provenance::Provenance;
use elastiplan_present::study::{Brush, EndMove};
use elastiplan_scene::Point;
use web_sys::{Element, HtmlCanvasElement, HtmlElement};
use yew::prelude::*;

use super::files::{self, Format};
use super::overlay;
use crate::dom::copy_text;
use crate::paint::canvas::{resize, screen_ratio};
use crate::paint::frames::Frames;
use crate::paint::palette::palette_of_page;
use crate::paint::resizes::Resizes;
use crate::paint::turns::take_turn;

/// The jobs of a figure, with callbacks.
#[derive(Clone)]
pub struct Jobs {
    /// Their names.
    pub workload: Rc<Workload>,
    /// The selected one.
    pub selected: Option<JobId>,
    /// One is pointed at, or none any more.
    pub on_point: Callback<Option<JobId>>,
    /// One is chosen.
    pub on_pick: Callback<JobId>,
    /// Those with values in these ranges, across and up, are asked for.
    pub on_range: Callback<((f64, f64), (f64, f64))>,
}

impl PartialEq for Jobs {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.workload, &other.workload)
            && self.selected == other.selected
            && self.on_point == other.on_point
            && self.on_pick == other.on_pick
            && self.on_range == other.on_range
    }
}

/// The points of a study's figure, with callbacks.
#[derive(Clone, PartialEq)]
pub struct Points {
    /// The policy and the point that are looked at.
    pub selected: Option<PointId>,
    /// A vertical line at a value across, with its label.
    pub cursor: Option<(f64, String)>,
    /// The pointer is over another point: the nearest of a policy.
    pub on_place: Callback<PointId>,
    /// A point is chosen; `true`: beside the one that was.
    pub on_pick: Callback<(PointId, bool)>,
    /// A part of one of parallel axes is chosen.
    pub on_brush: Option<Callback<Brush>>,
}

/// Properties of a figure.
#[derive(Properties)]
pub struct FigureProps {
    /// The figure.
    pub figure: Rc<Figure>,
    /// Where it comes from.
    pub provenance: Rc<Provenance>,
    /// Changes with the theme.
    pub theme: AttrValue,
    /// In the place of the title: a choice between figures.
    #[prop_or_default]
    pub heading: Option<Html>,
    /// Text where there is nothing to see.
    #[prop_or(AttrValue::Static("No job has completed yet"))]
    pub if_empty: AttrValue,
    /// Before the buttons: a switch.
    #[prop_or_default]
    pub aside: Option<Html>,
    /// For a figure with a mark a job.
    #[prop_or_default]
    pub jobs: Option<Jobs>,
    /// For a figure of a study. Keys are the screen's then.
    #[prop_or_default]
    pub points: Option<Points>,
    /// Makes the table of a figure that comes without: called when it is looked at or copied.
    #[prop_or_default]
    pub table: Option<Callback<(), Table>>,
}

impl FigureProps {
    /// The figure's table.
    pub(super) fn table(&self) -> Cow<'_, Table> {
        match &self.table {
            Some(make) => Cow::Owned(make.emit(())),
            None => Cow::Borrowed(&self.figure.table),
        }
    }
}

impl PartialEq for FigureProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.figure, &other.figure)
            && self.provenance == other.provenance
            && self.theme == other.theme
            && self.heading == other.heading
            && self.aside == other.aside
            && self.jobs == other.jobs
            && self.points == other.points
            && self.table == other.table
    }
}

/// A message to the component.
pub enum Msg {
    /// It is time to draw.
    Frame,
    /// The size has changed.
    Resized,
    /// Table or plot was asked for.
    Toggle,
    /// The table is to be copied.
    Copy(Copied),
    /// The picture is to be saved.
    Save(Format),
    /// A pointer has moved over the plot.
    Moved(Point),
    /// It has left.
    Left,
    /// A button went down.
    Pressed(Point),
    /// It went up.
    Released(Point),
    /// The browser has taken the pointer away.
    Taken,
    /// A key asks for another job.
    Step(Step),
    /// A key chooses the job.
    Pick,
    /// A point of a study was clicked; `true`: with Shift.
    PickPoint(Point, bool),
    /// A key moves an end of the chosen part of a parallel axis; `true`: the upper end.
    MoveEnd(usize, bool, EndMove),
}

/// The component.
pub struct FigureView {
    pub(super) is_table: bool,
    pub(super) plot: NodeRef,
    pub(super) canvas: NodeRef,
    pub(super) overlay: NodeRef,
    /// Over the plot: the ends of parallel axes.
    pub(super) ends: NodeRef,
    pub(super) pointing: Pointing,
    /// The point of a study that the pointer was last over.
    over: Option<PointId>,
    /// Where a button went down on parallel axes.
    pressed: Option<Point>,
    /// Whether the canvas shows something else.
    is_stale: bool,
    frames: Frames,
    /// The canvas whose size is watched.
    observed: Option<(Element, Resizes)>,
}

impl Component for FigureView {
    type Message = Msg;
    type Properties = FigureProps;

    fn create(ctx: &Context<Self>) -> Self {
        let link = ctx.link().clone();
        Self {
            is_table: false,
            plot: NodeRef::default(),
            canvas: NodeRef::default(),
            overlay: NodeRef::default(),
            ends: NodeRef::default(),
            pointing: Pointing::default(),
            over: None,
            pressed: None,
            is_stale: true,
            frames: Frames::new(move || link.send_message(Msg::Frame)),
            observed: None,
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &FigureProps) -> bool {
        if !Rc::ptr_eq(&ctx.props().figure, &old.figure) {
            self.pointing.forget();
            self.is_stale = true;
        }
        self.is_stale |= ctx.props().theme != old.theme;
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Msg) -> bool {
        let props = ctx.props();
        let renders = !matches!(
            message,
            Msg::Frame | Msg::Resized | Msg::Copy(_) | Msg::Save(_) | Msg::PickPoint(..) | Msg::MoveEnd(..)
        );
        match message {
            Msg::Frame => self.draw(props),
            Msg::Resized => {
                self.is_stale = true;
                self.frames.ask();
            }
            Msg::Toggle => self.is_table = !self.is_table,
            Msg::Copy(copied) => copy_text(&props.table().copied(copied)),
            Msg::Save(format) => files::save(&props.figure, &props.provenance, format),
            Msg::Moved(at) if props.points.is_some() => return self.place(props, at),
            Msg::PickPoint(at, is_second) => self.pick_point(props, at, is_second),
            Msg::MoveEnd(axis, is_upper, how) => {
                let on_brush = props.points.as_ref().and_then(|points| points.on_brush.as_ref());
                if let Some((on_brush, brush)) = on_brush.zip(Brush::with_end_moved(&props.figure, axis, is_upper, how))
                {
                    on_brush.emit(brush);
                }
            }
            Msg::Moved(at) if props.jobs.is_none() => return self.pointing.read(&props.figure, at),
            Msg::Moved(at) => return self.point(props, |pointing| pointing.moved(at)),
            Msg::Left if props.points.is_some() => {
                self.over = None;
                return false;
            }
            Msg::Left => return self.point(props, Pointing::left),
            Msg::Pressed(at) if props.points.is_some() => self.pressed = Some(at),
            Msg::Pressed(at) => self.pointing.pressed(at),
            Msg::Released(at) => self.release(props, at),
            Msg::Taken => self.pointing.cancelled(),
            Msg::Step(step) if props.jobs.is_none() => self.pointing.read_step(&props.figure, step),
            Msg::Step(step) => {
                let selected = props.jobs.as_ref().and_then(|jobs| jobs.selected);
                return self.point(props, |pointing| {
                    pointing.step(&props.figure, step, selected);
                    true
                });
            }
            Msg::Pick => {
                if let (Some(jobs), Some((job, _))) = (&props.jobs, self.pointing.at) {
                    jobs.on_pick.emit(job);
                }
            }
        }
        renders
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        self.html(ctx)
    }

    fn rendered(&mut self, ctx: &Context<Self>, _first_render: bool) {
        let canvas = self.canvas.cast::<Element>();
        // The canvas comes and goes with the table.
        if canvas.as_ref() != self.observed.as_ref().map(|(observed, _)| observed) {
            self.is_stale = true;
            self.observed = canvas.map(|canvas| {
                let link = ctx.link().clone();
                let resizes = Resizes::of(&canvas, move || link.send_message(Msg::Resized));
                (canvas, resizes)
            });
        }
        self.frames.ask();
    }

    fn destroy(&mut self, ctx: &Context<Self>) {
        if let (Some(jobs), Some(_)) = (&ctx.props().jobs, self.pointing.at) {
            jobs.on_point.emit(None);
        }
    }
}

impl FigureView {
    /// Points at something else, and tells.
    fn point(&mut self, props: &FigureProps, change: impl FnOnce(&mut Pointing) -> bool) -> bool {
        let before = self.pointing.at;
        let is_changed = change(&mut self.pointing);
        if let (Some(jobs), true) = (&props.jobs, before != self.pointing.at) {
            jobs.on_point.emit(self.pointing.at.map(|(job, _)| job));
        }
        is_changed
    }

    /// The pointer has moved over a figure of a study: told when another point is the nearest.
    fn place(&mut self, props: &FigureProps, at: Point) -> bool {
        let found = nearest_point(&props.figure, self.pointing.plot(), at);
        if let (Some(points), Some(id), true) = (&props.points, found, found != self.over) {
            points.on_place.emit(id);
        }
        self.over = found;
        false
    }

    fn pick_point(&mut self, props: &FigureProps, at: Point, is_second: bool) {
        let from = self.pressed.take();
        let on_brush = props.points.as_ref().and_then(|points| points.on_brush.as_ref());
        if let Some((on_brush, from)) = on_brush.zip(from)
            && let Some(brush) = Brush::between(&props.figure, self.pointing.plot(), from, at)
        {
            return on_brush.emit(brush);
        }
        let found = nearest_point(&props.figure, self.pointing.plot(), at);
        if let (Some(points), Some(id)) = (&props.points, found) {
            points.on_pick.emit((id, is_second));
        }
    }

    fn release(&mut self, props: &FigureProps, at: Point) {
        let Some(jobs) = &props.jobs else { return };
        match self.pointing.released(&props.figure, at) {
            Released::Click(job) => jobs.on_pick.emit(job),
            Released::Range(across, up) => jobs.on_range.emit((across, up)),
            Released::Nowhere => {}
        }
    }

    /// Lays the box with the ends of parallel axes over the plot.
    fn place_ends(&self) {
        let Some(ends) = self.ends.cast::<HtmlElement>() else { return };
        let plot = self.pointing.plot();
        let sides = [("left", plot.left), ("top", plot.top), ("width", plot.width), ("height", plot.height)];
        for (side, px) in sides {
            // A style that is refused leaves the ends where they are: keys still move them.
            let _ = ends.style().set_property(side, &format!("{px:.0}px"));
        }
    }

    fn draw(&mut self, props: &FigureProps) {
        let Some(canvas) = self.canvas.cast::<HtmlCanvasElement>() else { return };
        let rect = canvas.get_bounding_client_rect();
        let (size, ratio) = ((rect.width(), rect.height()), screen_ratio());
        if size.0 < 1.0 {
            return;
        }
        // A study changes all of its figures several times a second.
        if self.is_stale && props.points.is_some() && !take_turn() {
            return self.frames.ask();
        }
        let palette = palette_of_page(&props.theme);
        if self.is_stale {
            self.is_stale = false;
            resize(&canvas, size.0, size.1, ratio);
            let (figure, palette) = (&*props.figure, &palette);
            let drawing = Drawing { figure, palette, size, ratio, print: None, font_scale: 1.0 };
            let plot = files::draw_on(&canvas, &drawing);
            self.pointing.lay_out(figure, plot.unwrap_or_else(|| plot_frame(figure, size)));
            self.place_ends();
        }
        if let Some(canvas) = self.overlay.cast::<HtmlCanvasElement>() {
            resize(&canvas, size.0, size.1, ratio);
            let selected = props.jobs.as_ref().and_then(|jobs| jobs.selected);
            match &props.points {
                Some(points) => {
                    let cursor = points.cursor.as_ref();
                    let list = cursor::marks(&props.figure, self.pointing.plot(), size.0, cursor, points.selected);
                    overlay::paint_list(&canvas, &palette, ratio, &list);
                }
                None => overlay::paint(&canvas, &palette, ratio, &self.pointing, &props.figure, selected),
            }
        }
    }
}
