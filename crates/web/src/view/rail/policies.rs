//! Which policies are compared, and how each is set.

use elastiplan_policies::{AUTO, Entry, Kind, Parameter, PolicySpec};
use web_sys::Event;
use yew::prelude::*;

use crate::elements::{badge, caption, chosen, is_checked, link, option, paragraph, tick_box};
use crate::state::edit::Edit;
use crate::state::inputs::SLOTS_MAX;
use crate::state::message::Msg;
use crate::view::fields::NumberField;

#[derive(Properties, PartialEq)]
pub(super) struct PoliciesProps {
    pub specs: Vec<PolicySpec>,
    pub ticked: Vec<PolicySpec>,
    pub send: Callback<Msg>,
}

#[component]
pub(super) fn PolicyInputs(props: &PoliciesProps) -> Html {
    let open = use_state(Vec::<String>::new);
    let toggle = |name: &str| {
        let (open, name) = (open.clone(), name.to_string());
        Callback::from(move |_| {
            let mut names = Vec::clone(&open);
            match names.iter().position(|other| *other == name) {
                Some(place) => drop(names.remove(place)),
                None => names.push(name.clone()),
            }
            open.set(names);
        })
    };
    let row = |(at, spec): (usize, &PolicySpec)| {
        let slot = props.ticked.iter().position(|ticked| ticked == spec);
        let same_name = |other: &&PolicySpec| other.name() == spec.name();
        let nth = props.specs.iter().take(at).filter(same_name).count();
        // Opened by its name and its number among those of this name: places move when another one is added.
        let key = format!("{} {nth}", spec.name());
        let row = Row {
            at,
            spec,
            slot,
            has_free_slot: props.ticked.len() < SLOTS_MAX,
            is_open: open.contains(&key),
            is_variant: props.specs.iter().filter(same_name).count() > 1,
        };
        policy(&row, toggle(&key), &props.send)
    };
    html! {
        <section class="rail-section" aria-labelledby="rail-policies">
            <div class="rail-head">
                <h2 id="rail-policies">{ "Policies" }</h2>
                <span class="caption">{ format!("{} of {SLOTS_MAX} slots", props.ticked.len()) }</span>
            </div>
            <ul class="policies">{ for props.specs.iter().enumerate().map(row) }</ul>
        </section>
    }
}

/// A policy in the list.
struct Row<'a> {
    at: usize,
    spec: &'a PolicySpec,
    slot: Option<usize>,
    has_free_slot: bool,
    is_open: bool,
    /// Whether it is there more than once.
    is_variant: bool,
}

fn policy(row: &Row<'_>, toggle: Callback<MouseEvent>, send: &Callback<Msg>) -> Html {
    let Row { at, spec, slot, has_free_slot, is_open, is_variant } = *row;
    let Some(entry) = spec.entry() else { return html! {} };
    let onchange = send.reform(move |event: Event| Msg::Edit(Edit::Tick(at, is_checked(&event))));
    let is_disabled = slot.is_none() && !has_free_slot;
    let add = send.reform(move |_: MouseEvent| Msg::Edit(Edit::AddVariant(at)));
    let remove = send.reform(move |_: MouseEvent| Msg::Edit(Edit::RemoveVariant(at)));
    let title = if is_disabled { "Four policies fit into a comparison" } else { entry.summary };
    let label = format!("{} of {}", given(spec, entry), entry.name);
    html! {
        <li>
            <div class="policy-row">
                { tick_box(entry.name.into(), Some(title), slot.is_some(), !is_disabled, onchange) }
                if entry.parameters.is_empty() {
                    <span></span>
                } else {
                    <button class="link parameters" aria-expanded={is_open.to_string()} aria-label={label}
                        onclick={toggle}>{ given(spec, entry) }</button>
                }
                { slot.map(badge).unwrap_or_default() }
            </div>
            if is_open {
                <div class="parameter-list">
                    { caption(entry.summary) }
                    { for entry.parameters.iter().map(|known| parameter(at, spec, known, send)) }
                    <p>
                        { link("Add once more, to compare settings", add) }
                        if is_variant { { " · " }{ link("Remove", remove) } }
                    </p>
                    { paragraph("caption ink-3", entry.source) }
                </div>
            }
        </li>
    }
}

/// The parameters in one line; `settings` where all are defaults.
fn given(spec: &PolicySpec, entry: &Entry) -> String {
    let text = spec.to_string();
    let inside = text.strip_prefix(entry.name).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
    inside.unwrap_or("settings").to_string()
}

fn parameter(at: usize, spec: &PolicySpec, known: &'static Parameter, send: &Callback<Msg>) -> Html {
    let value = spec.value(known.name).unwrap_or_default();
    let set = {
        let (spec, send) = (spec.clone(), send.clone());
        Callback::from(move |value: String| {
            if let Ok(spec) = spec.with(known.name, &value) {
                send.emit(Msg::Edit(Edit::Spec(at, spec)));
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
        Kind::Number { min, max, whole, .. } => number(known, &value, (min, max, whole), &set, send),
        Kind::NumberOrAuto { default, min, max } => {
            let is_auto = value == AUTO;
            let onchange = set.reform(move |event| if is_checked(&event) { AUTO.into() } else { default.to_string() });
            html! {
                <>
                    if !is_auto {
                        { number(known, &value, (min, max, false), &set, send) }
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
    send: &Callback<Msg>,
) -> Html {
    let value = value.parse::<f64>().unwrap_or(min);
    let field = NumberField { label: known.name, value, min, max, is_whole, help: known.help };
    field.html(set.reform(|value: f64| value.to_string()), send.reform(|()| Msg::Seal))
}
