//! Controls of the what-ifs.

use elastiplan_scenario::Conditions;
use elastiplan_scenario::fields::{ControlKind, Unit, Value};
use yew::prelude::*;

use crate::state::controls::{Controlled, controls, default_conditions};
use crate::state::edit::Edit;
use crate::state::inputs::Inputs;
use crate::state::message::Msg;
use crate::view::fields::{NumberField, Quantity, Slider};

pub(super) fn what_if(inputs: &Inputs, send: &Callback<Msg>) -> Html {
    html! {
        <section class="rail-section" aria-labelledby="rail-what-if">
            <div class="rail-head"><h2 id="rail-what-if">{ "What if" }</h2></div>
            { for controls(true).into_iter().map(|found| control(inputs, send, found)) }
        </section>
    }
}

fn control(inputs: &Inputs, send: &Callback<Msg>, Controlled { field, control }: Controlled) -> Html {
    let number = |conditions: &Conditions| field.get(conditions).number().unwrap_or_default();
    let (label, value, key) = (control.label, number(&inputs.conditions), field.key);
    let on_end = send.reform(|()| Msg::Seal);
    let set = |to_value: fn(f64) -> Value| send.reform(move |value: f64| Msg::Edit(Edit::Field(key, to_value(value))));
    match control.kind {
        ControlKind::Whole { max } => {
            let is_drawn = inputs.data.trace_origin.is_drawn();
            let help = if key == "seed" && is_drawn { "Generates different jobs" } else { control.help };
            let field = NumberField { label, value, min: 0.0, max, is_whole: true, help };
            field.html(set(|value| Value::Whole(value as u64)), on_end)
        }
        ControlKind::Slider { min, max, step } => {
            let quantity = if control.unit == Unit::Factor { Quantity::Factor } else { Quantity::Seconds };
            let default = number(&default_conditions());
            Slider { label, value, default, min, max, step, quantity }.html(set(Value::Number), on_end)
        }
        ControlKind::Number | ControlKind::Choice => html! {},
    }
}
