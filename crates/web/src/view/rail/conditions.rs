//! What goes wrong and what changes cost: closed until somebody wants it, with what differs from the default in a line.

use elastiplan_engine::Placement;
use elastiplan_scenario::Conditions;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlSelectElement};
use yew::prelude::*;

use crate::state::condition::{Condition, differences};
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::view::fields::Field;

#[derive(Properties, PartialEq)]
pub(super) struct ConditionsProps {
    pub conditions: Conditions,
    pub send: Callback<Msg>,
}

#[component]
pub(super) fn ConditionInputs(props: &ConditionsProps) -> Html {
    let differences = differences(&props.conditions).join(", ");
    let summary = if differences.is_empty() { "nothing goes wrong".to_string() } else { differences };
    let shown = Condition::ALL.into_iter().filter(|condition| condition.applies(&props.conditions));
    html! {
        <details class="rail-section rail-details">
            <summary>
                <h2>{ "Faults and costs" }</h2>
                <span class="caption" title={summary.clone()}>{ &summary }</span>
            </summary>
            { placement(props) }
            { for shown.map(|condition| field(props, condition)) }
        </details>
    }
}

fn placement(props: &ConditionsProps) -> Html {
    let chosen = props.conditions.placement;
    let send = props.send.clone();
    let onchange = Callback::from(move |event: Event| {
        let select = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
        if let Some(placement) = select.and_then(|select| Placement::named(&select.value())) {
            send.emit(Msg::Edit(Edit::Placement(placement)));
        }
    });
    let option = |placement: &Placement| {
        let name = placement.name();
        html! { <option value={name} selected={*placement == chosen}>{ name }</option> }
    };
    html! {
        <div class="field">
            <label for="field-placement">{ "Placement" }</label>
            <select class="select" id="field-placement" aria-describedby="field-placement-help" {onchange}>
                { for Placement::ALL.iter().map(option) }
            </select>
            <p id="field-placement-help" class="field-help">{ chosen.summary() }</p>
        </div>
    }
}

fn field(props: &ConditionsProps, condition: Condition) -> Html {
    let unit = condition.unit().0;
    let words = match unit {
        "h" => "hours",
        "min" => "minutes",
        "%" => "per cent",
        _ => "seconds",
    };
    let text = condition.get(&props.conditions).map(|value| value.to_string()).unwrap_or_default();
    let used = match (text.as_str(), unit) {
        ("", _) => "None is used".into(),
        (text, "%") => format!("{text}% is used"),
        (text, unit) => format!("{text} {unit} is used"),
    };
    let conditions = props.conditions.clone();
    let fault = Callback::from(move |text: String| {
        let fault = number(&text).and_then(|value| condition.set(&conditions, value)).err()?;
        Some(AttrValue::from(format!("{fault}. {used}")))
    });
    let send = props.send.clone();
    let on_text = Callback::from(move |text: String| {
        if let Ok(value) = number(&text) {
            send.emit(Msg::Edit(Edit::Condition(condition, value)));
        }
    });
    let placeholder = if condition.is_optional() { "none" } else { "" };
    html! {
        <Field key={condition.label()} label={condition.label()} {text} unit={(unit, words)} {placeholder}
            help={condition.help()} {fault} {on_text} on_end={props.send.reform(|()| Msg::Seal)} />
    }
}

/// What a text says: nothing at all is no number, too.
fn number(text: &str) -> Result<Option<f64>, String> {
    match text.trim() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| "Not a number".into()),
    }
}
