//! What the data do not say, below the workload: the speed of jobs without a curve, deadlines and models of jobs without
//! one. Shown where jobs lack something, or something is assumed.

use elastiplan_model::SpeedupLaw;
use elastiplan_scenario::fields::Value;
use elastiplan_scenario::{Interval, ModelMix};
use elastiplan_text::words;
use web_sys::Event;
use yew::prelude::*;

use super::vary::{varied, vary};
use crate::elements::{caption, chosen, option};
use crate::state::assumed::{Lacking, LawParameter, TIGHTNESS, equal_mix, law_choices, parameters, value_of};
use crate::state::edit::Edit;
use crate::state::message::{Msg, Screen};
use crate::state::page::Page;
use crate::view::fields::{Field, NumberField};

const LAW: &str = "conditions.law";
const DEADLINES: &str = "conditions.deadline_tightness";
const MODELS: &str = "conditions.model_mix";

pub(in crate::view) fn assumed(page: &Page) -> Html {
    let inputs = page.planner.inputs();
    let conditions = &inputs.conditions;
    let lacking = Lacking::of(&inputs.data, &page.planner.bound);
    let is_varied =
        |key: &str| inputs.study.as_ref().is_some_and(|spec| spec.axes.iter().any(|(known, _)| known == key));
    let has_law = lacking.left_out > 0 || conditions.law.is_some() || is_varied(LAW);
    let has_deadlines = lacking.deadline > 0 || conditions.deadline_tightness.is_some() || is_varied(DEADLINES);
    let has_models = lacking.model > 0 || conditions.model_mix.is_some();
    // The step has the same fields.
    if page.screen == Screen::Mapping || !(has_law || has_deadlines || has_models) {
        return html! {};
    }
    html! {
        <section class="assumed" aria-label="What the data do not say">
            if has_law { { varied_or(page, LAW, "Law", || law(page, &lacking)) } }
            if has_models { { models(page, &lacking) } }
            if has_deadlines { { varied_or(page, DEADLINES, "Deadline tightness", || deadlines(page, &lacking)) } }
        </section>
    }
}

/// The range of a field that the study varies, or else its control with the button that varies it.
fn varied_or(page: &Page, key: &'static str, label: &'static str, control: impl FnOnce() -> Html) -> Html {
    let range = page.planner.inputs().study.as_ref().and_then(|spec| varied(spec, key, label, 0.0, &page.send));
    match range {
        Some(range) => html! { <div class="what-if-row" {key}>{ range }</div> },
        None => html! { <div class="what-if-row" {key}>{ control() }{ vary(key, label, &page.send) }</div> },
    }
}

/// Sets a field.
fn set(page: &Page, key: &'static str) -> Callback<Value> {
    page.send.reform(move |value| Msg::Edit(Edit::Field(key, value)))
}

/// A list of choices with its label, and what follows from the chosen one.
fn choice(label: &'static str, options: Html, onchange: Callback<Event>, below: Html) -> Html {
    let id = format!("assumed-{}", label.to_lowercase().replace(' ', "-"));
    html! {
        <div class="parameter">
            <div class="field assumed-choice">
                <label for={id.clone()}>{ label }</label>
                <select class="select" {id} {onchange}>{ options }</select>
            </div>
            { below }
        </div>
    }
}

fn law(page: &Page, lacking: &Lacking) -> Html {
    let inputs = page.planner.inputs();
    let present = inputs.conditions.law;
    let choices = law_choices(&inputs.data.curves);
    let value = present.as_ref().map(value_of).unwrap_or_default();
    let options: Html =
        choices.iter().map(|known| option(known.value.clone(), known.label.clone(), known.value == value)).collect();
    // A law of a document may name a model that has no curve here.
    let is_known = choices.iter().any(|known| known.value == value);
    let unknown = (!is_known).then(|| option(value.clone(), value, true));
    let set = set(page, LAW);
    let onchange = {
        let set = set.clone();
        Callback::from(move |event: Event| {
            let value = chosen(&event);
            if let Some(choice) = choices.iter().find(|choice| choice.value == value) {
                set.emit(choice.law.into());
            }
        })
    };
    let parameter = |law: SpeedupLaw, LawParameter { label, help, value, range: (min, max), with }: LawParameter| {
        let field = NumberField { label, value, min, max, is_whole: false, help };
        field.html(set.reform(move |value| Value::Law(with(law, value))), Callback::noop())
    };
    let fields = present.into_iter().flat_map(|law| parameters(&law).into_iter().map(move |known| (law, known)));
    let below = html! {
        <>
            { for fields.map(|(law, known)| parameter(law, known)) }
            { caption(lacking.speed_words(present.as_ref())) }
        </>
    };
    choice("Speed without a curve", html! { <>{ options }{ for unknown }</> }, onchange, below)
}

fn deadlines(page: &Page, lacking: &Lacking) -> Html {
    let present = page.planner.inputs().conditions.deadline_tightness;
    let set = set(page, DEADLINES);
    let onchange = set.reform(|event: Event| match chosen(&event).as_str() {
        "drawn" => Interval::new(TIGHTNESS.0, TIGHTNESS.1).into(),
        _ => Value::Absent,
    });
    let options =
        html! { <>{ option("", "None", present.is_none()) }{ option("drawn", "Drawn", present.is_some()) }</> };
    let fields = present.map(|interval| {
        let (from, to) = (interval.from(), interval.to());
        let field = |label, value, min, max, help| NumberField { label, value, min, max, is_whole: false, help };
        let least = field("Tightness from", from, 0.01, to, "");
        let most = field("Tightness to", to, from, 1000.0, "Times the run time on the GPUs that the job asks for");
        let (set_from, set_to) = (set.clone(), set.clone());
        html! {
            <>
                { least.html(set_from.reform(move |from| Interval::new(from, to).into()), Callback::noop()) }
                { most.html(set_to.reform(move |to| Interval::new(from, to).into()), Callback::noop()) }
            </>
        }
    });
    let drawn = format!("Drawn for {}, seed {}", jobs(lacking.deadline_drawn), page.planner.inputs().conditions.seed);
    let note = if present.is_some() { drawn } else { format!("{} without a deadline", jobs(lacking.deadline)) };
    let below = html! { <>{ for fields }{ caption(note) }</> };
    choice("Missing deadlines", options, onchange, below)
}

fn models(page: &Page, lacking: &Lacking) -> Html {
    let inputs = page.planner.inputs();
    let present = inputs.conditions.model_mix;
    let set = set(page, MODELS);
    let onchange = {
        let curves = inputs.data.curves.clone();
        set.reform(move |event: Event| match chosen(&event).as_str() {
            "curves" => ModelMix::CURVES.parse::<ModelMix>().ok().into(),
            "mix" => equal_mix(&curves).into(),
            _ => Value::Absent,
        })
    };
    let is_of_curves = present.is_some_and(|mix| mix.is_of_curves());
    let options = html! {
        <>
            { option("", "None", present.is_none()) }
            { option("curves", "Drawn from the curves", is_of_curves) }
            { option("mix", "Drawn from a mix", present.is_some() && !is_of_curves) }
        </>
    };
    let mix = present.filter(|mix| !mix.is_of_curves()).map(|mix| {
        let fault = Callback::from(|text: String| {
            text.parse::<ModelMix>().is_err().then(|| AttrValue::from("Models with weights: resnet50:3,bert:1"))
        });
        let on_text = set.reform(|text: String| text.parse::<ModelMix>().ok().into());
        html! { <Field label="Mix" text={mix.to_string()} help="Models with weights" {fault} {on_text} on_end={Callback::noop()} /> }
    });
    let drawn = format!("Drawn for {}, seed {}", jobs(lacking.model_drawn), inputs.conditions.seed);
    let note = if present.is_some() { drawn } else { format!("{} without a model", jobs(lacking.model)) };
    let below = html! { <div class="assumed-mix">{ for mix }{ caption(note) }</div> };
    html! { <div class="what-if-row" key={MODELS}>{ choice("Missing models", options, onchange, below) }</div> }
}

fn jobs(count: u64) -> String {
    words::counted(count, "job", "jobs")
}
