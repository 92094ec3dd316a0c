//! The list of runs.

use elastiplan_compare::Badge;
use elastiplan_present::runs::settings_in_short;
use elastiplan_text::words;
use yew::prelude::*;

use super::add::AddPolicy;
use super::settings::settings;
use crate::elements::{classes, icon_button};
use crate::state::differences::chips;
use crate::state::edit::Edit;
use crate::state::inputs::Inputs;
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::run_spec::RunSpec;
use crate::state::world::World;

const PIN: &str = "M5.5 2h5M6.5 2v4.5L4 9.5h8L9.5 6.5V2M8 9.5V14";
const EYE: &str = "M1.5 8C4 3.5 12 3.5 14.5 8C12 12.5 4 12.5 1.5 8zM8 6.2a1.8 1.8 0 1 0 .01 0z";
const CLOSED_EYE: &str = "M1.5 8C4 3.5 12 3.5 14.5 8C12 12.5 4 12.5 1.5 8zM3 13L13 3";
const COPY: &str = "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3";
const CROSS: &str = "M4 4l8 8M12 4l-8 8";

/// A drawing of lines: fonts do not have these signs everywhere.
fn icon(path: &'static str) -> Html {
    html! { <svg class="icon" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path d={path} /></svg> }
}

pub(super) fn runs(page: &Page) -> Html {
    let inputs = page.planner.inputs();
    let (world, send) = (inputs.world(), &page.send);
    let hidden = inputs.runs().iter().filter(|run| run.is_hidden).count();
    let shown = words::counted((inputs.runs().len() - hidden) as u64, "run", "runs");
    let note = if hidden > 0 { format!("{shown} shown, {hidden} hidden") } else { shown };
    let rows = inputs.runs().iter().enumerate().map(|(slot, run)| {
        let is_open = page.selected_run == Some(run.id);
        html! { <li key={run.id}>{ row(inputs, &world, slot, run, is_open, send) }</li> }
    });
    html! {
        <section class="rail-section" aria-labelledby="rail-runs">
            <div class="rail-head"><h2 id="rail-runs">{ "Runs" }</h2><span class="caption">{ note }</span></div>
            <ul class="runs">{ for rows }</ul>
            <AddPolicy policies={inputs.policies()} send={send.clone()} />
        </section>
    }
}

fn row(inputs: &Inputs, world: &World, slot: usize, run: &RunSpec, is_open: bool, send: &Callback<Msg>) -> Html {
    let badge = Badge::of_slot(slot).map(Badge::letter).unwrap_or_default();
    let id = run.id;
    let name = run.name.clone().unwrap_or_else(|| run.policy.name().into());
    let short = settings_in_short(&run.policy);
    let mark = match (slot, run.is_pinned()) {
        (0, true) => "pinned, baseline",
        (0, false) => "baseline",
        (_, true) => "pinned",
        _ => "",
    };
    let chips = chips(&run.world(world), world);
    let select = send.reform(move |_: MouseEvent| Msg::SelectRun((!is_open).then_some(id)));
    let tool = |sign: &'static str, what: &str, msg: fn(u32, bool) -> Edit, now: bool| {
        let title = AttrValue::from(format!("{what} {badge}"));
        let onclick = send.reform(move |_: MouseEvent| Msg::Edit(msg(id, !now)));
        icon_button(title.clone(), title, icon(sign), onclick)
    };
    let (pin, eye) = (if run.is_pinned() { "Unpin" } else { "Pin" }, if run.is_hidden { "Show" } else { "Hide" });
    let last = inputs.runs().len().saturating_sub(1);
    let moved = move |event: KeyboardEvent| {
        let to = match event.key().as_str() {
            "ArrowUp" => slot.checked_sub(1),
            "ArrowDown" => Some(slot + 1).filter(|to| *to <= last),
            _ => None,
        };
        let to = to.filter(|_| event.alt_key())?;
        event.prevent_default();
        Some(Msg::Edit(Edit::Move(id, to)))
    };
    let onkeydown = {
        let send = send.clone();
        Callback::from(move |event: KeyboardEvent| moved(event).into_iter().for_each(|msg| send.emit(msg)))
    };
    let mut class = classes("run-row", is_open.then_some("selected"));
    class.push(run.is_hidden.then_some("hidden-run"));
    let badge_class = format!("badge badge-{}{}", badge.to_lowercase(), if run.is_pinned() { " pinned" } else { "" });
    html! {
        <>
            <div {class} {onkeydown}>
                <button class="run-main" aria-expanded={is_open.to_string()} onclick={select}
                    title="Settings. Alt ↑ and Alt ↓ move the run">
                    <span class={badge_class}>{ &badge }</span>
                    <span class="run-name-text" dir="auto" title={run.policy.to_string()}>{ name }</span>
                    <span class="run-mark">{ mark }</span>
                    <span class="run-short">
                        { if run.name.is_some() { format!("{} {short}", run.policy.name()) } else { short } }
                        { for chips.into_iter().map(|chip| html! { <span class="chip">{ chip }</span> }) }
                    </span>
                </button>
                <span class="run-tools">
                    { tool(PIN, pin, Edit::Pin, run.is_pinned()) }
                    if slot > 0 { { tool(if run.is_hidden { CLOSED_EYE } else { EYE }, eye, Edit::Hide, run.is_hidden) } }
                    { tool(COPY, "Duplicate", |id, _| Edit::Duplicate(id), false) }
                    { tool(CROSS, "Remove", |id, _| Edit::Remove(id), false) }
                </span>
            </div>
            if is_open { { settings(inputs, run, &badge, send) } }
        </>
    }
}
