//! Everything about the timelines that is not a canvas: toolbar, headers, states.

use elastiplan_present::runs::{RunEntry, RunState};
use elastiplan_scene::{ModelSlot, StackBy};
use elastiplan_text::format;
use yew::prelude::*;

use super::component::{Msg, Timelines};
use super::lanes::LaneInfo;
use super::legend::{bands, legend};
use super::menu::ViewMenu;
use super::words::StripWords;
use crate::elements::{classes, pressable};
use crate::state::order::{Order, Show};

impl Timelines {
    /// The whole component.
    pub(super) fn html(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        if props.runs.entries.is_empty() {
            return html! {
                <div class="timelines">
                    <p class="tl-empty">{ "Nothing to show: tick at least one policy and run it" }</p>
                </div>
            };
        }
        let strips = props.runs.entries.iter().enumerate().map(|(run, entry)| self.strip(ctx, run, entry));
        html! {
            <div class="timelines">
                { self.toolbar(ctx) }
                <div class="tl-scroll">
                    <div class="tl-stage" ref={self.refs.stage.clone()}>
                        <canvas class="tl-below" ref={self.refs.below.clone()} aria-hidden="true" />
                        <div class="tl-axis"></div>
                        { for strips }
                        { for self.lanes.chosen().iter().enumerate().map(|(place, lane)| self.lane(place, lane)) }
                        <canvas class="tl-overlay" ref={self.refs.overlay.clone()} aria-hidden="true" />
                        <div class="tl-tip" ref={self.refs.tip.clone()} hidden=true aria-hidden="true">
                            <div></div><div></div><div></div><div></div>
                        </div>
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
                </div>
            </div>
        }
    }

    fn show_buttons(&self, ctx: &Context<Self>) -> impl Iterator<Item = Html> {
        let (link, now) = (ctx.link().clone(), self.view.show);
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
        let words = self.words.get(run).unwrap_or(&nothing);
        let id = entry.policy.to_string();
        let has_canvas = entry.result.is_some() || entry.is_running();
        let canvas = self.refs.strips.get(run).cloned().unwrap_or_default();
        // For tests and benchmarks: of a run that is still on its way it would mean nothing.
        let digest = entry.result.as_ref().filter(|_| !entry.is_running()).map(|result| result.digest.clone());
        let wall_ms = entry.wall_ms.map(|wall_ms| wall_ms.to_string());
        let is_failed = matches!(entry.state, RunState::Failed(_));
        html! {
            <section key={id.clone()} class={classes("tl-strip", is_failed.then_some("is-failed"))} role="region"
                aria-label={format!("Timeline: {id}")} data-digest={digest} data-policy={id.clone()} data-wall-ms={wall_ms}>
                { self.header(ctx, run, entry, words) }
                if let RunState::Failed(failure) = &entry.state {
                    <p class="tl-failure">
                        { &failure.message }
                        <button type="button" class="tl-button" onclick={ctx.link().callback(move |_| Msg::CopyReport(run))}>
                            { "Copy report" }
                        </button>
                    </p>
                }
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
        let letter = entry.letter().to_ascii_lowercase();
        let readout = self.refs.readouts.get(run).cloned().unwrap_or_default();
        let id = entry.policy.to_string();
        let has_numbers = entry.result.is_some();
        let is_stopping = ctx.props().stopping.contains(&run);
        let place = if is_stopping { "stopping" } else { words.place.as_str() };
        let slot = entry.slot;
        let onclick = ctx.props().on_stop.reform(move |_| slot);
        html! {
            <header class="tl-head">
                <span class={format!("tl-badge tl-policy-{letter}")} aria-hidden="true">{ entry.letter() }</span>
                <h3 class="tl-name">{ entry.name() }</h3>
                <span class="tl-params">{ entry.parameters() }</span>
                <span class="tl-facts">
                    <span class="tl-readout" ref={readout} aria-hidden="true"></span>
                    if !place.is_empty() {
                        <span class={classes("tl-place", words.is_given_up.then_some("is-given-up"))}>{ place }</span>
                    }
                    if has_numbers && !words.mean.is_empty() {
                        <span class="tl-mean">
                            { "mean " }<span class="tl-wide">{ "completion " }</span>{ &words.mean }{ so_far(entry) }
                        </span>
                    }
                    if has_numbers {
                        { for words.endings().map(|(class, text)| html! { <span {class}>{ text }</span> }) }
                    }
                    if entry.is_running() && !is_stopping {
                        <button type="button" class="tl-button" aria-label={format!("Stop {id}")} {onclick}>
                            { "Stop" }
                        </button>
                    }
                </span>
                if let Some(percent) = words.percent {
                    <div class="tl-progress" role="progressbar" aria-label={format!("Progress of {id}")}
                        aria-valuemin="0" aria-valuemax="100" aria-valuenow={percent.to_string()}
                        aria-valuetext={words.place.clone()}>
                        <div style={format!("width: {percent}%")}></div>
                    </div>
                }
            </header>
        }
    }

    fn lane(&self, place: usize, lane: &'static LaneInfo) -> Html {
        let canvas = self.refs.lanes.get(place).cloned().unwrap_or_default();
        html! {
            <section key={lane.id} class="tl-shared" role="region" aria-label={lane.title}>
                <h3 class="tl-shared-head">{ lane.title }</h3>
                <div class="tl-plot">
                    <canvas ref={canvas} role="img" aria-label={self.lanes.summary(lane)} />
                </div>
            </section>
        }
    }
}

/// The suffix of numbers that do not count all jobs.
fn so_far(entry: &RunEntry) -> Html {
    match entry.state {
        RunState::Finished => Html::default(),
        _ => html! { <span class="tl-so-far">{ " so far" }</span> },
    }
}
