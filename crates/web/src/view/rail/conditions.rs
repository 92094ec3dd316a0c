//! Controls of faults and costs: closed at first, with a line on what differs from the default.

use elastiplan_scenario::Placement;
use elastiplan_scenario::fields::{ControlKind, Value};
use web_sys::Event;
use yew::prelude::*;

use crate::elements::{chosen, option};
use crate::state::controls::{Controlled, controls, differences, unit_words};
use crate::state::edit::Edit;
use crate::state::inputs::Inputs;
use crate::state::message::Msg;
use crate::view::fields::Field;

pub(super) fn conditions(inputs: &Inputs, send: &Callback<Msg>) -> Html {
    let conditions = &inputs.conditions;
    let differences = differences(conditions, inputs.data.trace.start_s()).join(", ");
    let summary = if differences.is_empty() { "no faults set".to_string() } else { differences };
    let shown = controls(false).into_iter().filter(|found| (found.control.applies)(conditions));
    html! {
        <details class="rail-section rail-details">
            <summary>
                <h2>{ "Faults and costs" }</h2>
                <span class="caption" title={summary.clone()}>{ &summary }</span>
            </summary>
            { for shown.map(|found| match found.control.kind {
                ControlKind::Choice => choice(inputs, send, found),
                _ => number_field(inputs, send, found),
            }) }
        </details>
    }
}

fn choice(inputs: &Inputs, send: &Callback<Msg>, Controlled { field, control }: Controlled) -> Html {
    let Value::Placement(now) = field.get(&inputs.conditions) else { return html! {} };
    let send = send.clone();
    let onchange = Callback::from(move |event: Event| {
        if let Some(placement) = Placement::named(&chosen(&event)) {
            send.emit(Msg::Edit(Edit::Field(field.key, Value::Placement(placement))));
        }
    });
    let option = |placement: &Placement| option(placement.name(), placement.name(), *placement == now);
    let id = format!("field-{}", control.label.to_lowercase());
    let help_id = format!("{id}-help");
    html! {
        <div class="field">
            <label for={id.clone()}>{ control.label }</label>
            <select class="select" {id} aria-describedby={help_id.clone()} {onchange}>
                { for Placement::ALL.iter().map(option) }
            </select>
            <p id={help_id} class="field-help">{ now.summary() }</p>
        </div>
    }
}

fn number_field(inputs: &Inputs, send: &Callback<Msg>, found: Controlled) -> Html {
    let Controlled { field, control } = found;
    let (conditions, start_s) = (inputs.conditions.clone(), inputs.data.trace.start_s());
    let unit = unit_words(control.unit);
    let text = found.shown(&conditions, start_s).map(|value| value.to_string()).unwrap_or_default();
    let used = match (text.as_str(), unit.0) {
        ("", _) => "None is used".into(),
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
    let on_end = send.reform(|()| Msg::Seal);
    let send = send.clone();
    let on_text = Callback::from(move |text: String| {
        if let Ok(value) = number(&text) {
            send.emit(Msg::Edit(Edit::Field(field.key, found.value(value, start_s))));
        }
    });
    let placeholder = if field.access.is_optional() { "none" } else { "" };
    html! {
        <Field key={field.key} label={control.label} {text} {unit} {placeholder} help={control.help} {fault} {on_text}
            {on_end} />
    }
}

/// The number of a text; an empty one is no number.
fn number(text: &str) -> Result<Option<f64>, String> {
    match text.trim() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| "Not a number".into()),
    }
}
