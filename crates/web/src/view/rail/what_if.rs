//! What may be set of all runs: the most used fields, and the others where they are asked for.

use elastiplan_model::Cluster;
use elastiplan_scenario::Placement;
use elastiplan_scenario::fields::{ControlKind, Value};
use web_sys::Event;
use yew::prelude::*;

use super::vary::vary;
use crate::elements::{chosen, option};
use crate::state::controls::{Controlled, controls, default_conditions, differences};
use crate::state::differences::value_words;
use crate::state::edit::Edit;
use crate::state::inputs::Inputs;
use crate::state::message::Msg;
use crate::state::world::World;
use crate::view::fields::{Field, NumberField};
use crate::view::later::here;

/// Fields that are always shown.
const FIRST: usize = 6;
/// With a log, what a GPU is may surprise: the log and curves that go with it know nodes only.
const ONE_GPU: &str = "The log counts nodes: with 1 a node is what curves and jobs call a GPU";

pub(super) fn what_if(inputs: &Inputs, send: &Callback<Msg>) -> Html {
    let world = inputs.world();
    let mut first = controls(true);
    let others = first.split_off(FIRST.min(first.len()));
    let applies = |found: &Controlled| (found.control.applies)(&inputs.conditions);
    let others: Vec<Controlled> = others.into_iter().chain(controls(false)).filter(applies).collect();
    let summary = differences(&inputs.conditions, world.data.trace.start_s()).join(", ");
    let row = |found: Controlled| row(inputs, &world, found, send);
    let axes = inputs.study.as_ref().map_or(0, |spec| spec.axes.len());
    html! {
        <section class="rail-section" aria-labelledby="rail-what-if">
            <div class="rail-head"><h2 id="rail-what-if">{ "What if" }</h2>
                if axes > 0 { <span class="caption">{ format!("{axes} varied") }</span> }
            </div>
            <div class="what-if-first">{ for first.into_iter().map(row) }</div>
            <details class="rail-details">
                <summary>
                    <span class="more">{ format!("{} more: faults, checkpoints, seed…", others.len()) }</span>
                    if !summary.is_empty() { <span class="caption">{ summary }</span> }
                </summary>
                { for others.into_iter().map(row) }
            </details>
        </section>
    }
}

/// The field of all runs, with the way back once it was changed.
pub(in crate::view) fn row(inputs: &Inputs, world: &World, found: Controlled, send: &Callback<Msg>) -> Html {
    let (key, label) = (found.field.key, found.control.label);
    let range = inputs.study.as_ref().zip(here());
    let range = range.and_then(|(spec, later)| (later.varied)(spec, key, label, world.data.trace.start_s(), send));
    if let Some(range) = range {
        return html! { <div class="what-if-row" {key}>{ range }</div> };
    }
    match key {
        "cluster.nodes" => return nodes(inputs, send),
        "cluster.gpus_per_node" => return gpus_per_node(inputs, send),
        _ => {}
    }
    let set = send.reform(move |value| Msg::Edit(Edit::Field(key, value)));
    let mut shown = Shown::of(found, world);
    if key == "seed" && inputs.data.trace_origin.is_drawn() {
        shown.help = "Generates different jobs".into();
    }
    html! {
        <div class="what-if-row" {key}>
            { was(inputs, world, found, send) }
            { field_row(found, world, shown, set) }
            if key != "seed" { { vary(key, label, send) } }
        </div>
    }
}

/// `was 30 s`: the value of the pinned run, or else the usual one. The seed has none.
fn was(inputs: &Inputs, world: &World, Controlled { field, control }: Controlled, send: &Callback<Msg>) -> Html {
    let pinned = inputs.runs().iter().filter(|run| run.study_point().is_none()).find_map(|run| run.pinned.as_ref());
    let usual = World { conditions: default_conditions(), ..world.clone() };
    let before = pinned.map_or(&usual, |pinned| &pinned.world);
    let (value, key) = (field.get(before), field.key);
    if value == field.get(world) || (pinned.is_none() && key == "seed") {
        return html! {};
    }
    let words = format!("was {}", value_words(field, before));
    let restore = send.reform(move |_: MouseEvent| Msg::Edit(Edit::Restore(key, value)));
    html! { <button class="was" aria-label={format!("{}: {words}, set back", control.label)} onclick={restore}>{ &words }</button> }
}

fn nodes(inputs: &Inputs, send: &Callback<Msg>) -> Html {
    let (has_log, nodes_always) = (inputs.data.log.is_some(), inputs.nodes_always());
    let field = NumberField {
        label: if has_log { "Permanent nodes" } else { "Nodes" },
        value: nodes_always.into(),
        min: if has_log { 0.0 } else { 1.0 },
        max: (Cluster::NODES_MAX - (inputs.cluster.nodes() - nodes_always)).into(),
        is_whole: true,
        help: "",
    };
    of_cluster(inputs, "cluster.nodes", field, |value| Edit::Nodes(value as u32), send)
}

fn gpus_per_node(inputs: &Inputs, send: &Callback<Msg>) -> Html {
    let is_one = inputs.data.log.is_some() && inputs.cluster.gpus_per_node() == 1;
    let field = NumberField {
        label: "GPUs per node",
        value: inputs.cluster.gpus_per_node().into(),
        min: 1.0,
        max: Cluster::GPUS_PER_NODE_MAX.into(),
        is_whole: true,
        help: if is_one { ONE_GPU } else { "" },
    };
    of_cluster(inputs, "cluster.gpus_per_node", field, |value| Edit::GpusPerNode(value as u32), send)
}

fn of_cluster(
    inputs: &Inputs,
    key: &'static str,
    field: NumberField,
    edit: fn(f64) -> Edit,
    send: &Callback<Msg>,
) -> Html {
    let found = controls(true).into_iter().find(|found| found.field.key == key);
    let was = found.map(|found| was(inputs, &inputs.world(), found, send)).unwrap_or_default();
    let vary = vary(key, field.label, send);
    html! {
        <div class="what-if-row" {key}>
            { was }
            { field.html(send.reform(move |value: f64| Msg::Edit(edit(value))), Callback::noop()) }
            { vary }
        </div>
    }
}

/// How a field is labelled and explained.
pub(in crate::view) struct Shown {
    pub label: AttrValue,
    pub help: AttrValue,
    /// The value as it is written in the field.
    pub text: String,
}

impl Shown {
    pub fn of(found: Controlled, world: &World) -> Self {
        let text = found.shown(world, world.data.trace.start_s()).map(|value| value.to_string()).unwrap_or_default();
        Self { label: found.control.label.into(), help: found.control.help.into(), text }
    }
}

/// A field with its control; it reports each value that fits.
pub(super) fn field_row(found: Controlled, world: &World, shown: Shown, on_value: Callback<Value>) -> Html {
    if let Value::Placement(now) = found.field.get(world) {
        return choice(now, shown, on_value);
    }
    let Controlled { field, control } = found;
    let (conditions, start_s) = (world.conditions.clone(), world.data.trace.start_s());
    let unit = control.unit.words();
    let Shown { label, help, text } = shown;
    let used = match (text.as_str(), unit.0) {
        ("", _) => "None is used".into(),
        (text, "") => format!("{text} is used"),
        (text, "%") => format!("{text}% is used"),
        (text, unit) => format!("{text} {unit} is used"),
    };
    let fault = Callback::from(move |text: String| {
        let fault = match number(&text) {
            Ok(value) => found.fault(&conditions, value, start_s)?,
            Err(fault) => fault,
        };
        Some(AttrValue::from(format!("{fault}. {used}")))
    });
    let on_text = Callback::from(move |text: String| {
        if let Ok(value) = number(&text) {
            on_value.emit(found.value(value, start_s));
        }
    });
    let placeholder = if field.access.is_optional() { "none" } else { "" };
    // Arrows step as the field is read, within what a browser can be told of its range.
    let arrows = match control.kind {
        ControlKind::Slider { step, .. } => Some((0.0, 1e9, if step < 1.0 { "0.05" } else { "5" })),
        ControlKind::Whole { max } => Some((0.0, max, "1")),
        ControlKind::Number | ControlKind::Choice | ControlKind::Price => None,
    };
    html! {
        <Field {label} {text} unit={Some(unit).filter(|unit| !unit.0.is_empty())} {placeholder} {help} {fault} {on_text}
            {arrows} on_end={Callback::noop()} />
    }
}

fn choice(now: Placement, Shown { label, .. }: Shown, on_value: Callback<Value>) -> Html {
    let onchange = Callback::from(move |event: Event| {
        Placement::named(&chosen(&event)).into_iter().for_each(|placement| on_value.emit(Value::Placement(placement)));
    });
    let option = |placement: &Placement| option(placement.name(), placement.name(), *placement == now);
    let id = format!("field-{}", label.to_ascii_lowercase().replace([' ', ':'], "-"));
    let help_id = format!("{id}-help");
    html! {
        <div class="field">
            <label for={id.clone()}>{ label }</label>
            <select class="select" {id} aria-describedby={help_id.clone()} {onchange}>
                { for Placement::ALL.iter().map(option) }
            </select>
            <p id={help_id} class="field-help">{ now.summary() }</p>
        </div>
    }
}

/// The number of a text; an empty one is no number.
fn number(text: &str) -> Result<Option<f64>, String> {
    match text.trim() {
        "" => Ok(None),
        text => elastiplan_text::number(text).map(Some).ok_or_else(|| "Not a number".into()),
    }
}
