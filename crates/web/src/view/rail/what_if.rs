//! Controls of the what-ifs.

use elastiplan_scenario::Conditions;
use elastiplan_scenario::fields::{ControlKind, Unit, Value};
use yew::prelude::*;

use crate::state::controls::{Controlled, controls, default_conditions};
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::view::fields::{NumberField, Quantity, Slider};

#[derive(Properties, PartialEq)]
pub(super) struct WhatIfProps {
    pub conditions: Conditions,
    pub is_drawn: bool,
    pub send: Callback<Msg>,
}

#[component]
pub(super) fn WhatIfInputs(props: &WhatIfProps) -> Html {
    html! {
        <section class="rail-section" aria-labelledby="rail-what-if">
            <div class="rail-head"><h2 id="rail-what-if">{ "What if" }</h2></div>
            { for controls(true).into_iter().map(|found| control(props, found)) }
        </section>
    }
}

fn control(props: &WhatIfProps, Controlled { field, control }: Controlled) -> Html {
    let number = |conditions: &Conditions| field.get(conditions).number().unwrap_or_default();
    let (label, value, key) = (control.label, number(&props.conditions), field.key);
    let on_end = props.send.reform(|()| Msg::Seal);
    match control.kind {
        ControlKind::Whole { max } => {
            let help = if key == "seed" && props.is_drawn { "Draws other jobs" } else { control.help };
            let on_value = props.send.reform(move |value: f64| Msg::Edit(Edit::Field(key, Value::Whole(value as u64))));
            html! { <NumberField {key} {label} {value} min=0.0 {max} is_whole=true {help} {on_value} {on_end} /> }
        }
        ControlKind::Slider { min, max, step } => {
            let quantity = if control.unit == Unit::Factor { Quantity::Factor } else { Quantity::Seconds };
            let default = number(&default_conditions());
            let on_value = props.send.reform(move |value: f64| Msg::Edit(Edit::Field(key, Value::Number(value))));
            html! { <Slider {key} {label} {value} {default} {min} {max} {step} {quantity} {on_value} {on_end} /> }
        }
        ControlKind::Number | ControlKind::Choice => html! {},
    }
}
