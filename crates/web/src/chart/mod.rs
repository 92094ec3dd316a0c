//! The distribution of completion times: the share of all jobs that completed within a time, a line a run.
//!
//! `curves` has the numbers, `labels` finds places for the names of lines, `plot` draws, `table` is the twin in words.

mod curves;
mod labels;
mod plot;
mod table;

use std::rc::Rc;

use elastiplan_model::Workload;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlCanvasElement, ResizeObserver};
use yew::prelude::*;

use crate::runs::RunEntry;
use crate::timeline::frames::Frames;
use crate::timeline::painter::{loose_canvas, resize, screen_ratio};
use crate::timeline::palette::Palette;
use crate::timeline::{copy_text, same_runs};
use curves::{Curve, axis_end_s, curves};
use plot::Plot;

const TITLE: &str = "Completion time, % of jobs";
/// Size of the picture for papers and slides, in CSS pixels.
const FIGURE_PX: (f64, f64) = (560.0, 340.0);
const FIGURE_RATIO: f64 = 2.0;

/// What the distribution shows.
#[derive(Properties)]
pub struct DistributionProps {
    /// The runs, in order of their badges.
    pub runs: Vec<RunEntry>,
    /// The workload they ran.
    pub workload: Rc<Workload>,
    /// Changes with the theme.
    pub theme: AttrValue,
}

impl PartialEq for DistributionProps {
    fn eq(&self, other: &Self) -> bool {
        same_runs(&self.runs, &other.runs) && Rc::ptr_eq(&self.workload, &other.workload) && self.theme == other.theme
    }
}

/// What has happened.
pub enum Msg {
    /// It is time to draw.
    Frame,
    /// The size has changed.
    Resized,
    /// Table or plot was asked for.
    Toggle,
    /// The table is to be copied.
    Copy,
}

/// The distribution.
pub struct Distribution {
    curves: Vec<Curve>,
    is_table: bool,
    canvas: NodeRef,
    frames: Frames,
    observer: Option<ResizeObserver>,
    on_resize: Closure<dyn FnMut()>,
}

impl Component for Distribution {
    type Message = Msg;
    type Properties = DistributionProps;

    fn create(ctx: &Context<Self>) -> Self {
        let (link, to) = (ctx.link().clone(), ctx.link().clone());
        Self {
            curves: curves(&ctx.props().runs, &ctx.props().workload),
            is_table: false,
            canvas: NodeRef::default(),
            frames: Frames::new(move || link.send_message(Msg::Frame)),
            observer: None,
            on_resize: Closure::new(move || to.send_message(Msg::Resized)),
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, _old: &DistributionProps) -> bool {
        self.curves = curves(&ctx.props().runs, &ctx.props().workload);
        true
    }

    fn update(&mut self, _ctx: &Context<Self>, message: Msg) -> bool {
        match message {
            Msg::Frame => self.draw(),
            Msg::Resized => self.frames.ask(),
            Msg::Copy => copy_text(&table::tab_separated(&self.curves)),
            Msg::Toggle => self.is_table = !self.is_table,
        }
        matches!(message, Msg::Toggle)
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let link = ctx.link();
        let is_empty = axis_end_s(&self.curves).is_none();
        let toggle = if self.is_table { "plot" } else { "table" };
        html! {
            <section class="distribution" aria-label={TITLE}>
                <header class="dist-head">
                    <h3>{ TITLE }</h3>
                    if !is_empty {
                        <button type="button" aria-label={format!("Show as {toggle}")}
                            onclick={link.callback(|_| Msg::Toggle)}>{ toggle }</button>
                        <button type="button" aria-label="Copy as a table"
                            onclick={link.callback(|_| Msg::Copy)}>{ "copy" }</button>
                    }
                </header>
                if is_empty {
                    <p class="dist-empty">{ "No job has completed yet" }</p>
                } else if self.is_table {
                    { table::table(&self.curves) }
                } else {
                    <div class="dist-plot">
                        <canvas ref={self.canvas.clone()} role="img" aria-label={summary(&self.curves)} />
                    </div>
                }
            </section>
        }
    }

    fn rendered(&mut self, _ctx: &Context<Self>, _first_render: bool) {
        if let Some(observer) = self.observer.take() {
            observer.disconnect();
        }
        // The canvas comes and goes with the table.
        if let Some(canvas) = self.canvas.cast::<Element>() {
            self.observer = ResizeObserver::new(self.on_resize.as_ref().unchecked_ref()).ok();
            if let Some(observer) = &self.observer {
                observer.observe(&canvas);
            }
        }
        self.frames.ask();
    }

    fn destroy(&mut self, _ctx: &Context<Self>) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

impl Distribution {
    fn draw(&self) {
        let Some(canvas) = self.canvas.cast::<HtmlCanvasElement>() else { return };
        let (size, ratio) = (canvas.get_bounding_client_rect(), screen_ratio());
        if size.width() < 1.0 {
            return;
        }
        resize(&canvas, size.width(), size.height(), ratio);
        let palette = Palette::of_page();
        Plot { curves: &self.curves, palette: &palette, ratio, title: None }.draw(&canvas);
    }
}

/// The plot in a sentence.
fn summary(curves: &[Curve]) -> String {
    let middle = |curve: &Curve| {
        let median = elastiplan_scene::format::or_dash(curve.time_s_at(0.5), elastiplan_scene::format::duration);
        format!("{} {median}", curve.label())
    };
    let middles: Vec<String> = curves.iter().map(middle).collect();
    format!("Half of the jobs complete within: {}", middles.join(", "))
}

/// The distribution as a picture that stands alone, at twice the screen's resolution and in the colours of the page.
/// `None` if no job has completed.
pub fn distribution_png(runs: &[RunEntry], workload: &Workload) -> Option<HtmlCanvasElement> {
    let curves = curves(runs, workload);
    axis_end_s(&curves)?;
    let canvas = loose_canvas(FIGURE_PX.0, FIGURE_PX.1, FIGURE_RATIO)?;
    let palette = Palette::of_page();
    Plot { curves: &curves, palette: &palette, ratio: FIGURE_RATIO, title: Some(TITLE) }.draw(&canvas);
    Some(canvas)
}
