//! Fields: numbers that are applied while they are right.

use web_sys::{Event, InputEvent};
use yew::prelude::*;

use crate::elements::{classes, typed};

#[derive(Properties, PartialEq)]
pub(super) struct FieldProps {
    pub label: AttrValue,
    /// The applied value, as it is written.
    pub text: AttrValue,
    /// Behind the field, and how it is read out.
    #[prop_or_default]
    pub unit: Option<(&'static str, &'static str)>,
    #[prop_or_default]
    pub placeholder: AttrValue,
    #[prop_or_default]
    pub help: AttrValue,
    /// Least, most and step, where the browser is to offer arrows.
    #[prop_or_default]
    pub arrows: Option<(f64, f64, &'static str)>,
    /// Why a text cannot be used, if it cannot.
    pub fault: Callback<String, Option<AttrValue>>,
    /// A text that can be used.
    pub on_text: Callback<String>,
    pub on_end: Callback<()>,
}

/// A field. What does not fit is explained and not applied.
#[component]
pub(super) fn Field(props: &FieldProps) -> Html {
    // What is being typed; the field shows the applied value otherwise.
    let draft = use_state(|| None::<String>);
    {
        let draft = draft.clone();
        use_effect_with(props.text.clone(), move |_| draft.set(None));
    }
    let text = draft.as_ref().cloned().unwrap_or_else(|| props.text.to_string());
    let fault = props.fault.emit(text.clone());
    let is_wrong = fault.is_some();
    let oninput = {
        let (draft, fault, on_text) = (draft.clone(), props.fault.clone(), props.on_text.clone());
        Callback::from(move |event: InputEvent| {
            let text = typed(&event);
            if fault.emit(text.clone()).is_none() {
                on_text.emit(text.clone());
            }
            draft.set(Some(text));
        })
    };
    let onchange = {
        let (draft, on_end) = (draft.clone(), props.on_end.clone());
        Callback::from(move |_: Event| {
            if !is_wrong {
                draft.set(None);
            }
            on_end.emit(());
        })
    };
    let id = id_of(&props.label);
    let help_id = format!("{id}-help");
    let help = fault.unwrap_or_else(|| props.help.clone());
    html! {
        <div class={classes("field", props.unit.map(|_| "has-unit"))}>
            <label for={id.clone()} title={help.clone()}>
                { &props.label }
                if let Some((_, words)) = props.unit { <span class="visually-hidden">{ format!(", {words}") }</span> }
            </label>
            <input class="number" id={id} type={if props.arrows.is_some() { "number" } else { "text" }}
                inputmode="decimal" autocomplete="off" min={props.arrows.map(|(min, ..)| min.to_string())}
                max={props.arrows.map(|(_, max, _)| max.to_string())} step={props.arrows.map(|(.., step)| step)}
                value={text} placeholder={props.placeholder.clone()} aria-invalid={is_wrong.then_some("true")}
                aria-describedby={(!help.is_empty()).then(|| help_id.clone())} {oninput} {onchange} />
            if let Some((unit, _)) = props.unit { <span class="unit" aria-hidden="true">{ unit }</span> }
            if !help.is_empty() {
                <p id={help_id} class={if is_wrong { "field-help bad" } else { "field-help" }}>{ help }</p>
            }
        </div>
    }
}

/// A field for a number within bounds.
pub(super) struct NumberField {
    pub label: &'static str,
    pub value: f64,
    pub min: f64,
    pub max: f64,
    pub is_whole: bool,
    pub help: &'static str,
}

impl NumberField {
    /// The field; it reports each number that fits, and the end of typing.
    pub fn html(self, on_value: Callback<f64>, on_end: Callback<()>) -> Html {
        let NumberField { label, value, min, max, is_whole, help } = self;
        let parsed = move |text: &str| {
            let value = elastiplan_text::number(text.trim())?;
            let fits = (min..=max).contains(&value) && (!is_whole || value.fract() == 0.0);
            fits.then_some(value)
        };
        let fault = Callback::from(move |text: String| {
            let kind = if is_whole { "Whole number" } else { "Number" };
            let rule = || format!("{kind} from {} to {}. {value} is used", grouped(min), grouped(max));
            parsed(&text).is_none().then(|| AttrValue::from(rule()))
        });
        let on_text =
            Callback::from(move |text: String| parsed(&text).into_iter().for_each(|value| on_value.emit(value)));
        html! {
            <Field key={label} {label} text={value.to_string()} {help} {fault} {on_text} {on_end}
                arrows={(min, max, if is_whole { "1" } else { "any" })} />
        }
    }
}

fn id_of(label: &str) -> String {
    format!("field-{}", label.to_ascii_lowercase().replace([' ', ':'], "-"))
}

fn grouped(value: f64) -> String {
    if value.fract() == 0.0 && value >= 0.0 { elastiplan_text::format::count(value as u64) } else { value.to_string() }
}
