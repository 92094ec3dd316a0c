//! What is asked to be different from the files.

use elastiplan_scenario::WhatIf;
use yew::prelude::*;

use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::view::fields::{NumberField, Quantity, Slider};

#[derive(Properties, PartialEq)]
pub(super) struct WhatIfProps {
    pub what_if: WhatIf,
    pub default: WhatIf,
    pub is_drawn: bool,
    pub send: Callback<Msg>,
}

/// Whole numbers beyond this are not exact in a number field.
const SEED_MAX: f64 = 4_294_967_295.0;

#[component]
pub(super) fn WhatIfInputs(props: &WhatIfProps) -> Html {
    let WhatIf { rescale_cost_s, arrival_rate, deadline_slack, seed } = props.what_if;
    let edit = |edit: fn(f64) -> Edit| props.send.reform(move |value: f64| Msg::Edit(edit(value)));
    let end = props.send.reform(|()| Msg::Seal);
    let help = if props.is_drawn { "Draws other jobs" } else { "For policies that draw random numbers" };
    html! {
        <section class="rail-section" aria-labelledby="rail-what-if">
            <div class="rail-head"><h2 id="rail-what-if">{ "What if" }</h2></div>
            <Slider label="Rescale cost" value={rescale_cost_s} default={props.default.rescale_cost_s}
                min=0.0 max=600.0 step=5.0 quantity={Quantity::Seconds}
                on_value={edit(Edit::RescaleCost)} on_end={end.clone()} />
            <Slider label="Arrival rate" value={arrival_rate} default={props.default.arrival_rate}
                min=0.25 max=4.0 step=0.05 quantity={Quantity::Factor}
                on_value={edit(Edit::ArrivalRate)} on_end={end.clone()} />
            <Slider label="Deadlines" value={deadline_slack} default={props.default.deadline_slack}
                min=0.25 max=4.0 step=0.05 quantity={Quantity::Factor}
                on_value={edit(Edit::Deadlines)} on_end={end.clone()} />
            <NumberField label="Seed" value={seed as f64} min=0.0 max={SEED_MAX} is_whole=true help={help}
                on_value={edit(|value| Edit::Seed(value as u64))} on_end={end} />
        </section>
    }
}
