//! A workload that is drawn: which generator, and what it is asked for.

use elastiplan_text::format;
use elastiplan_workloads::generate::{GENERATORS, Generator, GeneratorSpec, Parameter};
use yew::prelude::*;

use crate::elements::{caption, chosen, option, paragraph};
use crate::state::drawn_edit::DrawnEdit;
use crate::state::message::Msg;
use crate::view::fields::NumberField;

/// Whole numbers beyond this are not exact in a number field.
const SEED_MAX: f64 = 4_294_967_295.0;

#[derive(Properties, PartialEq)]
pub(super) struct GenerateProps {
    /// The generator of the present jobs, where they were drawn.
    pub applied: Option<GeneratorSpec>,
    pub seed: u64,
    pub send: Callback<Msg>,
}

/// The generator to be applied.
#[derive(Clone, PartialEq)]
struct Draft {
    spec: GeneratorSpec,
    seed: u64,
    /// Why the last value could not be used.
    fault: Option<String>,
}

#[component]
pub(super) fn GenerateInputs(props: &GenerateProps) -> Html {
    let is_open = use_state(|| false);
    let draft = use_state(|| None::<Draft>);
    {
        // What was drawn otherwise, by a preset or by a step back, is what the form goes on from.
        let draft = draft.clone();
        use_effect_with((props.applied.clone(), props.seed), move |_| draft.set(None));
    }
    let Some(first) = GENERATORS.first() else { return html! {} };
    let applied = props.applied.clone();
    let started = || Draft { spec: applied.unwrap_or_else(|| GeneratorSpec::of(first)), seed: props.seed, fault: None };
    let now = (*draft).clone().unwrap_or_else(started);
    let toggle = {
        let is_open = is_open.clone();
        Callback::from(move |_: MouseEvent| is_open.set(!*is_open))
    };
    let head = html! {
        <button class="link" aria-expanded={is_open.to_string()} onclick={toggle}>{ "Generate a workload" }</button>
    };
    if !*is_open {
        return html! { <p class="generate">{ head }</p> };
    }
    let set = |change: fn(&Draft, &'static str, f64) -> Draft, name: &'static str| {
        let (draft, now) = (draft.clone(), now.clone());
        Callback::from(move |value: f64| draft.set(Some(change(&now, name, value))))
    };
    let field = |(known, value): (&'static Parameter, f64)| {
        let Parameter { name, label, min, max, whole: is_whole, help, .. } = *known;
        NumberField { label, value, min, max, is_whole, help }.html(set(with, name), Callback::noop())
    };
    let seed = NumberField { label: "Seed", value: now.seed as f64, min: 0.0, max: SEED_MAX, is_whole: true, help: "" };
    let onchange = {
        let (draft, now) = (draft.clone(), now.clone());
        Callback::from(move |event: Event| {
            if let Some(generator) = Generator::named(&chosen(&event)) {
                draft.set(Some(Draft { spec: GeneratorSpec::of(generator), fault: None, ..now.clone() }));
            }
        })
    };
    let option = |generator: &&'static Generator| {
        option(generator.name, generator.name, generator.name == now.spec.generator().name)
    };
    let draw = {
        let (spec, seed) = (now.spec.clone(), now.seed);
        props.send.reform(move |_: MouseEvent| Msg::Draw(DrawnEdit::Generate(spec.clone(), seed)))
    };
    let is_drawn = props.applied.as_ref() == Some(&now.spec) && props.seed == now.seed;
    let fault = now.fault.as_ref().map(|fault| html! { <p class="field-help bad" role="status">{ fault }</p> });
    html! {
        <div class="generate">
            <p>{ head }</p>
            <div class="parameter-list">
                <label class="field">
                    <span>{ "Generator" }</span>
                    <select class="select" {onchange}>{ for GENERATORS.iter().map(option) }</select>
                </label>
                { caption(now.spec.generator().summary) }
                { for now.spec.values().filter(|(known, _)| known.is_common).map(field) }
                { seed.html(set(with_seed, ""), Callback::noop()) }
                <details>
                    <summary class="caption">{ "Durations and sizes" }</summary>
                    <div class="parameter-more">
                        { for now.spec.values().filter(|(known, _)| !known.is_common).map(field) }
                    </div>
                </details>
                { fault.unwrap_or_default() }
                <p>
                    <button class="button button-small" disabled={is_drawn} onclick={draw}>
                        { draw_words(&now.spec) }
                    </button>
                </p>
                { paragraph("caption ink-3", now.spec.generator().source) }
            </div>
        </div>
    }
}

fn with(draft: &Draft, name: &'static str, value: f64) -> Draft {
    match draft.spec.with(name, value) {
        Ok(spec) => Draft { spec, fault: None, ..draft.clone() },
        Err(error) => Draft { fault: Some(kind_words(&draft.spec, &error.to_string())), ..draft.clone() },
    }
}

/// The effect of the button; the number of jobs, where that is not drawn as well.
fn draw_words(spec: &GeneratorSpec) -> String {
    match spec.value("jobs").map(|_| spec.jobs() as u64) {
        Some(1) => "Generate 1 job".into(),
        Some(jobs) => format!("Generate {} jobs", format::count(jobs)),
        None => "Generate jobs".into(),
    }
}

fn with_seed(draft: &Draft, _: &'static str, value: f64) -> Draft {
    Draft { seed: value as u64, ..draft.clone() }
}

/// The message with what the fields are called in place of the parameters' names.
fn kind_words(spec: &GeneratorSpec, message: &str) -> String {
    spec.values().fold(message.to_string(), |words, (known, _)| words.replace(known.name, known.label))
        + ". The value before is used"
}
