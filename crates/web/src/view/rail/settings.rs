//! The settings of a run: its policy's parameters, and fields in which it differs from the inputs.

use elastiplan_policies::{AUTO, Kind, Parameter, PolicySpec};
use elastiplan_scenario::fields::{FIELDS, Field};
use elastiplan_study::Spec;
use web_sys::Event;
use yew::prelude::*;

use super::runs::name_id;
use super::vary::{varied, vary};
use super::what_if::{Shown, field_row};
use crate::elements::{caption, chosen, icon_button, is_checked, link, option, paragraph, tick_box, typed};
use crate::state::controls::Controlled;
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::state::run_spec::RunSpec;
use crate::state::study_axes::parameter_key;
use crate::state::world::World;
use crate::view::fields::NumberField;

/// What can be set of one run.
pub(in crate::view) fn settings(
    inputs: &World,
    study: Option<&Spec>,
    run: &RunSpec,
    badge: &str,
    send: &Callback<Msg>,
) -> Html {
    let Some(entry) = run.policy.entry() else { return html! {} };
    let id = run.id;
    let rename = send.reform(move |event: InputEvent| Msg::Edit(Edit::Rename(id, typed(&event))));
    let name_id = name_id(id);
    let back = send.reform(move |_: MouseEvent| Msg::Edit(Edit::BackTo(id)));
    html! {
        <div class="parameter-list">
            { caption(entry.summary) }
            <div class="field run-name">
                <label for={name_id.clone()}>{ "Name" }</label>
                <input id={name_id} type="text" dir="auto" autocomplete="off" value={run.name.clone()}
                    placeholder={entry.name} oninput={rename} />
            </div>
            { for entry.parameters.iter().map(|known| varied_parameter(study, run, known, send)) }
            if run.is_pinned() {
                { caption(if run.study_point().is_some() {
                    "From the study: its jobs, cluster and conditions stay as they were there"
                } else {
                    "Pinned: its jobs, cluster and conditions stay as they were"
                }) }
                <p>{ link("Set the inputs back to it", back) }</p>
            } else {
                { differing(inputs, run, badge, send) }
            }
            { paragraph("caption ink-3", entry.source) }
        </div>
    }
}

/// The fields in which a run differs from the inputs, and a list to choose further ones from.
fn differing(inputs: &World, run: &RunSpec, badge: &str, send: &Callback<Msg>) -> Html {
    let id = run.id;
    let world = run.world(inputs);
    let is_there = |field: &Field| run.overrides.iter().any(|(key, _)| *key == field.key);
    let row = |field: &'static Field| {
        let found = Controlled { field, control: field.control.as_ref()? };
        let shown = Shown { label: format!("{badge}: {}", found.control.label).into(), ..Shown::of(found, &world) };
        let key = field.key;
        let set = send.reform(move |value| Msg::Edit(Edit::Differ(id, key, Some(value))));
        let same = send.reform(move |_: MouseEvent| Msg::Edit(Edit::Differ(id, key, None)));
        let name = AttrValue::from(format!("{badge}: {} as in the inputs", found.control.label));
        Some(html! {
            <div class="differs-row" {key}>
                { field_row(found, &world, shown, set) }
                { icon_button(name.clone(), name, "✕".into(), same) }
            </div>
        })
    };
    let rows = FIELDS.iter().filter(|field| is_there(field)).filter_map(row);
    let choose = {
        let (send, world) = (send.clone(), world.clone());
        Callback::from(move |event: Event| {
            if let Some(field) = Field::named(&chosen(&event)) {
                send.emit(Msg::Edit(Edit::Differ(id, field.key, Some(field.get(&world)))));
            }
        })
    };
    let others = FIELDS.iter().filter(|field| !is_there(field));
    let others = others.filter_map(|field| Some(option(field.key, field.control.as_ref()?.label, false)));
    html! {
        <>
            { for rows }
            <select class="select" aria-label={format!("{badge}: differs in")} onchange={choose}>
                <option value="" selected=true>{ "Differs in…" }</option>
                { for others }
            </select>
        </>
    }
}

/// A parameter, with the button that varies it; or the range, where the study does. Runs that are not in studies have
/// neither.
fn varied_parameter(study: Option<&Spec>, run: &RunSpec, known: &'static Parameter, send: &Callback<Msg>) -> Html {
    let control = parameter(run.id, &run.policy, known, send);
    if !run.is_in_studies() {
        return control;
    }
    let key = parameter_key(run.policy.name(), known);
    match study.and_then(|spec| varied(spec, &key, known.name, 0.0, send)) {
        Some(range) => html! { <div class="what-if-row" key={key}>{ range }</div> },
        None => html! { <div class="what-if-row" key={key.clone()}>{ control }{ vary(&key, known.name, send) }</div> },
    }
}

fn parameter(id: u32, spec: &PolicySpec, known: &'static Parameter, send: &Callback<Msg>) -> Html {
    let value = spec.value(known.name).unwrap_or_default();
    let set = {
        let (spec, send) = (spec.clone(), send.clone());
        Callback::from(move |value: String| {
            if let Ok(spec) = spec.with(known.name, &value) {
                send.emit(Msg::Edit(Edit::Spec(id, spec)));
            }
        })
    };
    match known.kind {
        Kind::Flag { .. } => {
            let onchange = set.reform(|event: Event| is_checked(&event).to_string());
            with_help(tick_box(known.name.into(), None, value == "true", true, onchange), known.help)
        }
        Kind::Choice { words } => {
            let option = |word: &&'static str| option(*word, *word, *word == value);
            let list = html! {
                <label class="field">
                    <span>{ known.name }</span>
                    <select class="select" onchange={set.reform(|event: Event| chosen(&event))}>
                        { for words.iter().map(option) }
                    </select>
                </label>
            };
            with_help(list, known.help)
        }
        Kind::Number { min, max, whole, .. } => number(known, &value, (min, max, whole), &set),
        Kind::NumberOrAuto { default, min, max } => {
            let is_auto = value == AUTO;
            let onchange = set.reform(move |event| if is_checked(&event) { AUTO.into() } else { default.to_string() });
            html! {
                <>
                    if !is_auto {
                        { number(known, &value, (min, max, false), &set) }
                    }
                    { with_help(tick_box(format!("{} by itself", known.name).into(), None, is_auto, true, onchange),
                        if is_auto { known.help } else { "" }) }
                </>
            }
        }
    }
}

/// The control of a parameter, with what it does.
fn with_help(control: Html, help: &'static str) -> Html {
    html! {
        <div class="parameter">
            { control }
            if !help.is_empty() { <p class="field-help">{ help }</p> }
        </div>
    }
}

fn number(
    known: &'static Parameter,
    value: &str,
    (min, max, is_whole): (f64, f64, bool),
    set: &Callback<String>,
) -> Html {
    let value = elastiplan_text::number(value).unwrap_or(min);
    let field = NumberField { label: known.name, value, min, max, is_whole, help: known.help };
    field.html(set.reform(|value: f64| value.to_string()), Callback::noop())
}
