//! What the file does not say: speed on other numbers of GPUs, models, deadlines, the cluster.

use elastiplan_formats::mapping::Role;
use elastiplan_scenario::{Interval, ModelMix};
use elastiplan_text::{format, words};
use yew::prelude::*;

use super::{edit, law};
use crate::elements::{caption, chosen, is_checked, option, pressable};
use crate::state::assumed::{TIGHTNESS, equal_mix};
use crate::state::mapping::{MappingEdit, MappingStep};
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::view::fields::{Field, NumberField};

pub(super) fn panel(page: &Page, step: &MappingStep) -> Html {
    html! {
        <aside class="map-panel" aria-labelledby="map-panel">
            <h3 id="map-panel">{ "What the file does not say" }</h3>
            { caption("Assumed for every job without it; a study can vary it") }
            { law::law(page, step) }
            { models(page, step) }
            { deadlines(step, &page.send) }
            { cluster(step, &page.send) }
        </aside>
    }
}

fn has(step: &MappingStep, role: &Role) -> bool {
    step.uses.columns.iter().any(|own| own.role == *role)
}

fn models(page: &Page, step: &MappingStep) -> Html {
    let present = step.assumptions.models;
    let curves = page.planner.inputs().data.curves.clone();
    let has_column = has(step, &Role::Model);
    let is_of_curves = present.is_some_and(|mix| mix.is_of_curves());
    let none = if has_column { "As the column says" } else { "One name for all: \u{201c}unknown\u{201d}" };
    let onchange = edit(&page.send, move |event: Event| {
        MappingEdit::Models(match chosen(&event).as_str() {
            "curves" => ModelMix::CURVES.parse().ok(),
            "mix" => equal_mix(&curves),
            _ => None,
        })
    });
    let mix = present.filter(|mix| !mix.is_of_curves()).map(|mix| {
        let fault = Callback::from(|text: String| {
            text.parse::<ModelMix>().is_err().then(|| AttrValue::from("Models with weights: resnet50:3,bert:1"))
        });
        let on_text = edit(&page.send, |text: String| MappingEdit::Models(text.parse().ok()));
        html! { <Field label="Mix" text={mix.to_string()} help="Models with weights" {fault} {on_text} on_end={Callback::noop()} /> }
    });
    html! {
        <div class="map-assumed">
            <label for="map-model">{ "Model" }</label>
            <div>
                <select class="select" id="map-model" {onchange}>
                    { option("", none, present.is_none()) }
                    { option("curves", "Drawn from the loaded curves", is_of_curves) }
                    { option("mix", "Drawn from a mix", present.is_some() && !is_of_curves) }
                </select>
                { for mix }
            </div>
        </div>
    }
}

fn deadlines(step: &MappingStep, send: &Callback<Msg>) -> Html {
    let present = step.assumptions.deadlines;
    let has_column = has(step, &Role::Deadline);
    let set = |deadlines: Option<Interval>| edit(send, move |_: MouseEvent| MappingEdit::Deadlines(deadlines));
    let drawn = present.or(Interval::new(TIGHTNESS.0, TIGHTNESS.1));
    let fields = present.map(|interval| {
        let (from, to) = (interval.from(), interval.to());
        let field = |label, value, min, max| NumberField { label, value, min, max, is_whole: false, help: "" };
        let on_from = edit(send, move |from| MappingEdit::Deadlines(Interval::new(from, to)));
        let on_to = edit(send, move |to| MappingEdit::Deadlines(Interval::new(from, to)));
        html! {
            <>
                { field("Tightness from", from, 0.01, to).html(on_from, Callback::noop()) }
                { field("Tightness to", to, from, 1000.0).html(on_to, Callback::noop()) }
                { caption(format!("Times the run time. Uniform; seed {}", step.assumptions.seed)) }
            </>
        }
    });
    let note = match (has_column, present) {
        (true, None) => Some("Those of the column; other jobs have none"),
        (false, None) => Some("A column: choose Deadline at it"),
        (true, Some(_)) => Some("Drawn where the column has none"),
        (false, Some(_)) => None,
    };
    html! {
        <div class="map-assumed">
            <span id="map-deadlines">{ "Deadlines" }</span>
            <div>
                <div class="segments" role="group" aria-labelledby="map-deadlines">
                    { pressable(present.is_none(), None, if has_column { "A column" } else { "None" }.into(), set(None)) }
                    { pressable(present.is_some(), None, "Drawn".into(), set(drawn)) }
                </div>
                { for note.map(caption) }
                { for fields }
            </div>
        </div>
    }
}

fn cluster(step: &MappingStep, send: &Callback<Msg>) -> Html {
    let own = &step.assumptions;
    let Some(survey) = &step.survey else { return Html::default() };
    let Some((peak, needed)) = survey.jobs.peak_gpus.zip(own.nodes_needed(survey)) else { return Html::default() };
    let onchange = edit(send, |event: Event| MappingEdit::SetNodes(is_checked(&event)));
    let nodes = words::counted(needed.into(), "node", "nodes");
    let holds = if needed == 1 { " holds the " } else { " hold the " };
    html! {
        <div class="map-assumed">
            <span>{ "Cluster" }</span>
            <div>
                <p><strong>{ format!("{} × {} GPUs", format::count(needed.into()), own.gpus_per_node) }</strong>
                    { holds }{ format::count(peak) }{ " in use at most" }</p>
                if needed == own.nodes {
                    { caption("As many as there are now") }
                } else {
                    <label class="check">
                        <input type="checkbox" checked={own.sets_nodes} {onchange} />
                        <span>{ format!("Set {nodes} (now {})", format::count(own.nodes.into())) }</span>
                    </label>
                }
            </div>
        </div>
    }
}
