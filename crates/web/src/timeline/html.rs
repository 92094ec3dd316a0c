//! Everything about the timelines that is not a canvas: toolbar, headers, states.

use elastiplan_present::runs::{RunEntry, RunState};
use elastiplan_scene::{ModelSlot, StackBy};
use elastiplan_text::format;
use web_sys::Element;
use yew::prelude::*;

use super::component::{Msg, Timelines};
use super::lanes::LaneInfo;
use super::layout::{PICTURE_MAX_PX, PICTURE_MIN_PX, RowSize};
use super::legend::{bands, legend};
use super::menu::ViewMenu;
use super::stage::{has_one_column, is_narrow};
use super::words::StripWords;
use crate::elements::{badge, chosen, classes, option, pressable};
use crate::state::command::registry;
use crate::state::order::{Order, Show};

/// How far an arrow key moves the divider.
const DIVIDER_STEP_PX: f64 = 16.0;

impl Timelines {
    /// The whole component.
    pub(super) fn html(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        if props.places.is_empty() {
            return html! {
                <div class="timelines">
                    <p class="tl-empty">{ "Nothing to show: tick at least one policy and run it" }</p>
                </div>
            };
        }
        let entry = |&run: &usize| Some((run, props.runs.entries.get(run)?));
        let strips = props.places.iter().filter_map(entry).filter(|(run, _)| self.has_strip(*run));
        let strips = strips.map(|(run, entry)| self.strip(ctx, run, entry));
        let beside = &props.beside;
        let lanes = self.lanes.chosen();
        html! {
            <div class="timelines">
                { self.toolbar(ctx) }
                <div class={classes("tl-stage", beside.is_detailed.then_some("is-detailed"))} ref={&self.refs.stage}
                    style={format!("--lanes: {}", lanes.len())}>
                    <div class="tl-scroll" ref={&self.refs.scroll}>
                        <div class="tl-picture" ref={&self.refs.picture}>
                            <div class="tl-axis" ref={&self.refs.axis}>
                                <canvas class="tl-whole" ref={&self.refs.overview} hidden=true aria-hidden="true" />
                            </div>
                            { beside.above.clone() }
                            <div class="tl-strips" ref={&self.refs.all_strips}>
                                <canvas class="tl-below" ref={&self.refs.below} aria-hidden="true" />
                                { for strips }
                            </div>
                        </div>
                        { beside.numbers.clone() }
                        if !beside.is_detailed && !has_one_column() { { self.in_view(ctx) } }
                    </div>
                    <div class="tl-foot">{ for lanes.iter().enumerate().map(|(place, lane)| self.lane(ctx, place, lane)) }</div>
                    { beside.panel.clone() }
                    { self.divider(ctx) }
                    <canvas class="tl-overlay" ref={&self.refs.overlay} aria-hidden="true" />
                    <div class="tl-tip" ref={&self.refs.tip} hidden=true aria-hidden="true">
                        <div></div><div></div><div></div><div></div>
                    </div>
                </div>
                <p class="tl-live" aria-live="polite">{ &self.live }</p>
            </div>
        }
    }

    fn toolbar(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let order = |order: Order| ctx.link().callback(move |_: MouseEvent| Msg::Order(order));
        let view_menu = ViewMenu {
            offered: self.lanes.offered().map(|lane| (lane.id, lane.title)).collect(),
            lanes: self.lanes.chosen().iter().map(|lane| lane.id).collect(),
            on_lane: ctx.link().callback(Msg::ToggleLane),
            in_force: props.in_force,
            is_fitted: self.view.pitch.is_none(),
            on_order: ctx.link().callback(Msg::Order),
            on_command: props.on_command.clone(),
        };
        html! {
            <div class="tl-toolbar" role="group" aria-label="Timelines">
                <div class="tl-show" role="group" aria-label="What strips show">{ for self.show_buttons(ctx) }</div>
                { self.choice(ctx) }
                if self.view.shown() == Show::Stack && self.view.stack_by != StackBy::Model {
                    <div class="tl-key">{ bands(self.view.banding()) }</div>
                } else {
                    <div class="tl-key" role="group" aria-label="Models shown">{ for self.model_keys(ctx) }</div>
                }
                <div class="tl-tools">
                    { legend(self.view.shown()) }
                    { view_menu.html() }
                    <button type="button" class="tl-fit" aria-keyshortcuts="F" title="Show all time and all rows (F)"
                        onclick={order(Order::Fit)}>
                        { "Fit" }<kbd aria-hidden="true">{ "F" }</kbd>
                    </button>
                    if self.view.show.is_stacked() { { self.sizes(ctx) } }
                    { props.beside.tools.clone() }
                </div>
            </div>
        }
    }

    /// The choice of the height of rows.
    fn sizes(&self, ctx: &Context<Self>) -> Html {
        let onchange = ctx.link().callback(|event: Event| Msg::Size(RowSize::named(&chosen(&event))));
        let now = self.layout.size;
        let size = |size: RowSize| option(size.label(), format!("Rows {}", size.label()), now == Some(size));
        html! {
            <select class="tl-select" aria-label="Height of rows" {onchange}>
                { option("", "Rows fit", now.is_none()) }{ for RowSize::ALL.into_iter().map(size) }
            </select>
        }
    }

    /// What moves the border of pictures and numbers.
    fn divider(&self, ctx: &Context<Self>) -> Html {
        let stage = self.refs.stage.clone();
        // As it will be laid out: what was measured last may be older.
        let stage_px = stage.cast::<Element>().map_or(0.0, |stage| f64::from(stage.client_width()));
        let now = self.layout.picture_px(stage_px);
        let onpointerdown = Callback::from(|event: PointerEvent| {
            if let Some(divider) = event.target_dyn_into::<Element>() {
                // Without the capture the divider lags behind a quick pointer; nothing worse.
                let _ = divider.set_pointer_capture(event.pointer_id());
            }
        });
        let onpointermove = ctx.link().batch_callback(move |event: PointerEvent| {
            let left = stage.cast::<Element>().filter(|_| event.buttons() & 1 == 1)?.get_bounding_client_rect().left();
            Some(Msg::Divide(f64::from(event.client_x()) - left))
        });
        let onkeydown = ctx.link().batch_callback(move |event: KeyboardEvent| {
            let by_px = match event.key().as_str() {
                "ArrowLeft" => -DIVIDER_STEP_PX,
                "ArrowRight" => DIVIDER_STEP_PX,
                _ => return None,
            };
            event.prevent_default();
            Some(Msg::Divide(now + by_px))
        });
        html! {
            <div class="tl-divider tl-beside" role="separator" tabindex="0" aria-orientation="vertical"
                aria-label="Width of the pictures" aria-valuemin={PICTURE_MIN_PX.to_string()}
                aria-valuemax={now.max(PICTURE_MAX_PX).to_string()} aria-valuenow={now.to_string()}
                {onpointerdown} {onpointermove} {onkeydown}></div>
        }
    }

    fn show_buttons(&self, ctx: &Context<Self>) -> impl Iterator<Item = Html> {
        let (link, now) = (ctx.link().clone(), self.view.shown());
        Show::ALL.into_iter().map(move |show| {
            let onclick = link.callback(move |_| Msg::Order(Order::Show(show)));
            pressable(show == now, None, show.label().into(), onclick)
        })
    }

    /// What GPUs are stacked by, or whether jobs share rows.
    fn choice(&self, ctx: &Context<Self>) -> Html {
        let options: Vec<(&'static str, bool, Order)> = match self.view.shown() {
            Show::Stack => {
                let by = |by: StackBy| (by.label(), by == self.view.stack_by, Order::StackBy(by));
                StackBy::ALL.into_iter().map(by).collect()
            }
            Show::Jobs => {
                let is_packed = self.view.is_packed();
                vec![("packed", is_packed, Order::Pack(true)), ("a row each", !is_packed, Order::Pack(false))]
            }
            Show::Nodes | Show::Gpus => return Html::default(),
        };
        let orders: Vec<Order> = options.iter().map(|(_, _, order)| *order).collect();
        let link = ctx.link().clone();
        let onchange = Callback::from(move |event: Event| {
            let chosen = event.target_dyn_into::<web_sys::HtmlSelectElement>().map(|select| select.selected_index());
            if let Some(order) = chosen.and_then(|at| orders.get(usize::try_from(at).ok()?)) {
                link.send_message(Msg::Order(*order));
            }
        });
        let option = |(label, is_chosen, _): &(&'static str, bool, Order)| {
            html! { <option selected={*is_chosen}>{ *label }</option> }
        };
        html! {
            <select class="tl-choice" aria-label="How" {onchange}>{ for options.iter().map(option) }</select>
        }
    }

    fn model_keys(&self, ctx: &Context<Self>) -> Vec<Html> {
        let trace = ctx.props().runs.workload.trace();
        let models = trace.models();
        let named = models.iter().take(ModelSlot::OTHER.index()).map(String::clone);
        let others = models.len().saturating_sub(ModelSlot::OTHER.index());
        let other = (others > 0).then(|| format!("{} other", format::count(others as u64)));
        let key = |(slot, name): (usize, String)| {
            let is_shown = self.view.is_shown(slot);
            let onclick = ctx.link().callback(move |_| Msg::ToggleSlot(slot));
            let swatch = format!("tl-swatch tl-slot-{}", slot + 1);
            let title = if is_shown { format!("Hide {name}") } else { format!("Show {name}") };
            html! {
                <button type="button" class="tl-model" aria-pressed={is_shown.to_string()} {title} {onclick}>
                    <span class={swatch} aria-hidden="true"></span>{ name }
                </button>
            }
        };
        named.chain(other).enumerate().map(key).collect()
    }

    fn strip(&self, ctx: &Context<Self>, run: usize, entry: &RunEntry) -> Html {
        let nothing = StripWords::default();
        let words = self.words.get(run).map_or(&nothing, |(_, _, words)| words);
        let id = entry.policy.to_string();
        let has_canvas = entry.result.is_some() || entry.is_running();
        let canvas = self.refs.strips.get(run).cloned().unwrap_or_default();
        // For tests and benchmarks: of a run that is still on its way it would mean nothing.
        let digest = entry.result.as_ref().filter(|_| !entry.is_running()).map(|result| result.digest.clone());
        let wall_ms = entry.wall_ms.map(|wall_ms| wall_ms.to_string());
        html! {
            <section key={run.to_string()} class="tl-strip" role="region" style={format!("--row: var(--row-{run})")}
                aria-label={region_name(&id, entry)} data-digest={digest} data-policy={id.clone()} data-wall-ms={wall_ms}>
                { self.header(ctx, run, entry, words) }
                if let Some(percent) = words.percent {
                    <div class="tl-progress" role="progressbar" aria-label={format!("Progress of {id}")}
                        aria-valuemin="0" aria-valuemax="100" aria-valuenow={percent.to_string()}
                        aria-valuetext={words.place.clone()}>
                        <div style={format!("width: {percent}%")}></div>
                    </div>
                }
                if let RunState::Failed(failure) = &entry.state { { failed(ctx, run, &failure.message) } }
                if has_canvas {
                    <div class="tl-plot">
                        <canvas class="tl-canvas" ref={canvas} tabindex="0" role="img"
                            aria-label={format!("{id}: {}", words.summary)} />
                    </div>
                }
            </section>
        }
    }

    fn header(&self, ctx: &Context<Self>, run: usize, entry: &RunEntry, words: &StripWords) -> Html {
        let readout = self.refs.readouts.get(run).cloned().unwrap_or_default();
        let id = entry.policy.to_string();
        let is_stopping = ctx.props().stopping.contains(&run);
        let place = if is_stopping { "stopping" } else { words.place.as_str() };
        let slot = entry.slot;
        let onclick = ctx.props().on_stop.reform(move |_| slot);
        let name = entry.label.clone().unwrap_or_else(|| entry.name().to_string());
        html! {
            <header class="tl-head">
                if !self.view.show.is_stacked() && !is_narrow() { { self.chevron(ctx, run, entry) } }
                { self.badge_of(ctx, run, entry) }
                <h3 class="tl-name" title={id.clone()}><bdi>{ name }</bdi></h3>
                <span class="tl-params">{ entry.parameters() }</span>
                { for entry.differs.iter().map(|words| html! { <span class="tl-differs">{ words }</span> }) }
                <span class="tl-facts">
                    <span class="tl-readout" ref={readout} aria-hidden="true"></span>
                    if !place.is_empty() {
                        <span class={classes("tl-place", words.is_given_up.then_some("is-given-up"))}>{ place }</span>
                    }
                    if entry.is_running() && !is_stopping {
                        <button type="button" class="tl-button" aria-label={format!("Stop {id}")} {onclick}>
                            { "Stop" }
                        </button>
                    }
                </span>
            </header>
        }
    }

    /// The badge of a run. On a narrow page that shows the jobs of one run, it leads to the next.
    fn badge_of(&self, ctx: &Context<Self>, run: usize, entry: &RunEntry) -> Html {
        let is_one = is_narrow() && self.rows.get(run).is_some_and(|row| row.is_open);
        if !is_one {
            return badge(entry.slot);
        }
        let onclick = ctx.link().callback(|_: MouseEvent| Msg::NextRun);
        html! {
            <button type="button" class="tl-next" aria-label="Next run" title="Next run" {onclick}>{ badge(entry.slot) }</button>
        }
    }

    /// Opens and closes a run.
    fn chevron(&self, ctx: &Context<Self>, run: usize, entry: &RunEntry) -> Html {
        let is_open = self.rows.get(run).is_some_and(|row| row.is_open);
        let slot = entry.slot;
        let onclick = ctx.link().callback(move |event: MouseEvent| Msg::Open(slot, event.shift_key()));
        html! {
            <button type="button" class="tl-chevron" aria-expanded={is_open.to_string()} aria-label={format!("Rows: {}", entry.policy)}
                title="Open or close; with Shift, only this one" {onclick}>{ if is_open { "▾" } else { "▸" } }</button>
        }
    }

    fn lane(&self, ctx: &Context<Self>, place: usize, lane: &'static LaneInfo) -> Html {
        let canvas = self.refs.lanes.get(place).cloned().unwrap_or_default();
        let readout = self.refs.lane_readouts.get(place).cloned().unwrap_or_default();
        let id = lane.id;
        let onchange = ctx.link().callback(move |event: Event| Msg::ReplaceLane(id, chosen(&event)));
        let option = |of: &'static LaneInfo| option(of.id, of.title, of.id == id);
        html! {
            <section key={id} class="tl-shared" role="region" aria-label={lane.title}>
                <h3 class="tl-shared-head">
                    <select class="chart-choice" aria-label="Lane" {onchange}>{ for self.lanes.offered().map(option) }</select>
                    <span class="tl-readout" ref={readout} aria-hidden="true"></span>
                </h3>
                <div class="tl-plot">
                    <canvas ref={canvas} role="img" aria-label={self.lanes.summary(lane)} />
                </div>
            </section>
        }
    }
}

/// Why a run failed, and what can be done.
fn failed(ctx: &Context<Timelines>, run: usize, message: &str) -> Html {
    let button = |words: &'static str, onclick: Callback<MouseEvent>| {
        html! { <button type="button" class="tl-button" {onclick}>{ words }</button> }
    };
    let again = ctx.props().on_command.clone();
    let again = Callback::from(move |_: MouseEvent| registry::by_id("run").into_iter().for_each(|run| again.emit(run)));
    html! {
        <p class="tl-failure">
            <span title={message.to_string()}>{ message }</span>
            { button("Copy report", ctx.link().callback(move |_| Msg::CopyReport(run))) }
            { button("Run it again", again) }
        </p>
    }
}

/// What a screen reader calls the timeline of a run: its policy, and what differs from the inputs of all runs.
fn region_name(id: &str, entry: &RunEntry) -> String {
    match entry.differs.as_slice() {
        [] => format!("Timeline: {id}"),
        differs => format!("Timeline: {id}, {}", differs.join(", ")),
    }
}
