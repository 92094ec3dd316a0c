//! The law of speedup: cards, parameters, the curves through the known point, and what the chosen one means.

use elastiplan_model::SpeedupLaw;
use elastiplan_text::format;
use yew::prelude::*;

use super::edit;
use super::law_chart::LawChart;
use crate::elements::{caption, chosen, option, typed};
use crate::state::assumed::{LawParameter, law_choices, parameters, value_of};
use crate::state::mapping::speeds::Point;
use crate::state::mapping::{MappingEdit, MappingStep};
use crate::state::page::Page;
use crate::view::fields::NumberField;

/// Numbers of GPUs for which the run time is said.
const SAID: [u32; 3] = [1, 16, 64];

/// Parameters with a range up to this have a slider, with so many steps.
const SLIDER_RANGE: f64 = 100.0;
const SLIDER_STEPS: f64 = 100.0;

/// What a law leaves open or says, below its name.
fn below(law: &SpeedupLaw) -> &'static str {
    match law {
        SpeedupLaw::Rigid => "no other count",
        SpeedupLaw::Linear => "no loss",
        SpeedupLaw::Amdahl(_) => "serial share",
        SpeedupLaw::Downey(_) => "A, σ",
        SpeedupLaw::Sevcik(_) => "overhead",
        SpeedupLaw::Power(_) => "per doubling",
        SpeedupLaw::Like(_) => "measured",
    }
}

pub(super) fn law(page: &Page, step: &MappingStep) -> Html {
    let (send, present) = (&page.send, step.assumptions.law);
    let choices = law_choices(&page.planner.inputs().data.curves);
    let is_measured = |law: &SpeedupLaw| matches!(law, SpeedupLaw::Like(_));
    let laws: Vec<(String, SpeedupLaw)> =
        choices.iter().filter_map(|known| Some((known.label.clone(), known.law?))).collect();
    let chosen_value = present.as_ref().map(value_of);
    // The chosen one has parameters of its own.
    let own = |law: SpeedupLaw| if chosen_value == Some(value_of(&law)) { present.unwrap_or(law) } else { law };
    let (measured, laws): (Vec<_>, Vec<_>) = laws.into_iter().partition(|(_, law)| is_measured(law));
    let shown: Vec<(String, SpeedupLaw)> = laws.into_iter().map(|(label, law)| (label, own(law))).collect();
    let card = |(label, law): &(String, SpeedupLaw)| {
        let (is_chosen, law) = (present == Some(*law), *law);
        let onclick = edit(send, move |_: MouseEvent| MappingEdit::Law(Some(law)));
        html! {
            <button key={label.clone()} class="map-law" aria-pressed={is_chosen.to_string()} {onclick}>
                <span>{ label.clone() }</span><span class="ink-2">{ below(&law) }</span>
            </button>
        }
    };
    let parameter = |LawParameter { label, help, value, range: (min, max), with }: LawParameter| {
        let set = edit(send, move |value| MappingEdit::Law(present.map(|law| with(law, value))));
        let field = NumberField { label, value, min, max, is_whole: false, help }.html(set.clone(), Callback::noop());
        let slide = set.reform(move |event: InputEvent| elastiplan_text::number(&typed(&event)).unwrap_or(value));
        let step = ((max - min) / SLIDER_STEPS).to_string();
        html! {
            <div class="map-parameter" key={label}>
                { field }
                // The field beside it says the same to a screen reader.
                if max - min <= SLIDER_RANGE {
                    <input type="range" aria-hidden="true" tabindex="-1" min={min.to_string()} max={max.to_string()} {step}
                        value={value.to_string()} oninput={slide} />
                }
            </div>
        }
    };
    let fields = present.iter().flat_map(parameters).map(parameter);
    let point = Point::of(step.survey.as_ref().and_then(|survey| survey.known_point.as_ref()));
    html! {
        <section class="map-law-part" aria-labelledby="map-law">
            <div class="map-section-head">
                <h4 id="map-law">{ "Speed on other GPU counts" }</h4>
                { measured_choice(&measured, present, step, page) }
            </div>
            <div class="map-laws" role="group" aria-labelledby="map-law">{ for shown.iter().map(card) }</div>
            { for fields }
            <LawChart point={point.clone()} laws={shown.clone()} chosen={present} />
            <p class="map-law-words">{ meaning(&point, present.as_ref(), &shown) }</p>
        </section>
    }
}

/// Measured curves, and none at all.
fn measured_choice(
    measured: &[(String, SpeedupLaw)],
    present: Option<SpeedupLaw>,
    step: &MappingStep,
    page: &Page,
) -> Html {
    let laws: Vec<SpeedupLaw> = measured.iter().map(|(_, law)| *law).collect();
    let is_law = present.is_some_and(|law| !matches!(law, SpeedupLaw::Like(_)));
    let options = measured.iter().map(|(label, law)| option(value_of(law), label.clone(), present == Some(*law)));
    let before = step.assumptions.law;
    let onchange = edit(&page.send, move |event: Event| {
        let value = chosen(&event);
        MappingEdit::Law(match value.as_str() {
            "" => None,
            "law" => before,
            _ => laws.iter().copied().find(|law| value_of(law) == value),
        })
    });
    html! {
        <select class="select map-measured" aria-label="Law, measured curve or none" {onchange}>
            { option("law", "A law", is_law) }
            { for options }
            { option("", "None: leave them out", present.is_none()) }
        </select>
    }
}

/// What a law means for the job of the point.
fn meaning(point: &Point, law: Option<&SpeedupLaw>, laws: &[(String, SpeedupLaw)]) -> Html {
    let own = format!("{} on {}", format::duration(point.duration_s), format::gpus(point.gpus));
    let Some(law) = law else { return caption("Jobs without a measured curve are left out") };
    let name = laws.iter().find(|(_, known)| known == law).map(|(label, _)| label.as_str());
    match (law, name) {
        (SpeedupLaw::Rigid, _) => html! { <>{ "It runs as the file says only: " }<strong>{ own }</strong></> },
        (SpeedupLaw::Like(model), _) => {
            html! { <>{ format!("Its speed on other counts follows the measured curve of {model}, through {own}.") }</> }
        }
        (law, name) => {
            let times: Vec<(u32, f64)> =
                SAID.into_iter().filter_map(|gpus| Some((gpus, point.time_s(law, gpus)?))).collect();
            if times.is_empty() {
                return html! { <>{ "It is shorter than its overheads: it runs as the file says only, " }<strong>{ own }</strong></> };
            }
            let time = |(place, (gpus, time_s)): (usize, (u32, f64))| {
                let gpus = if place == 0 { format!(" on {}", format::gpus(gpus)) } else { format!(" on {gpus}") };
                let comma = if place == 0 { "" } else { ", " };
                html! { <>{ comma }<strong>{ format::duration(time_s) }</strong>{ gpus }</> }
            };
            html! {
                <>
                    { format!("With {} it would take ", name.unwrap_or("it")) }
                    { for times.into_iter().enumerate().map(time) }
                    { ". A dashed curve is assumed, never measured." }
                </>
            }
        }
    }
}
