//! Fields: numbers that are applied while they are right, and sliders that remember where they were.

use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, InputEvent};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct NumberFieldProps {
    pub label: AttrValue,
    pub value: f64,
    pub min: f64,
    pub max: f64,
    pub is_whole: bool,
    #[prop_or_default]
    pub help: AttrValue,
    pub on_value: Callback<f64>,
    pub on_end: Callback<()>,
}

impl NumberFieldProps {
    fn parsed(&self, text: &str) -> Option<f64> {
        let value = text.trim().parse::<f64>().ok()?;
        let fits = (self.min..=self.max).contains(&value) && (!self.is_whole || value.fract() == 0.0);
        fits.then_some(value)
    }

    fn rule(&self) -> String {
        let kind = if self.is_whole { "Whole number" } else { "Number" };
        format!("{kind} from {} to {}. {} is used", grouped(self.min), grouped(self.max), self.value)
    }
}

/// A number field. What does not fit is explained and not applied.
#[component]
pub(super) fn NumberField(props: &NumberFieldProps) -> Html {
    // What is being typed; the field shows the applied value otherwise.
    let draft = use_state(|| None::<String>);
    {
        let draft = draft.clone();
        use_effect_with(props.value.to_bits(), move |_| draft.set(None));
    }
    let text = draft.as_ref().cloned().unwrap_or_else(|| props.value.to_string());
    let is_wrong = props.parsed(&text).is_none();
    let oninput = {
        let (draft, on_value) = (draft.clone(), props.on_value.clone());
        let NumberFieldProps { min, max, is_whole, value, .. } = *props;
        let rules = NumberFieldProps {
            label: AttrValue::default(),
            help: AttrValue::default(),
            on_value: Callback::noop(),
            on_end: Callback::noop(),
            min,
            max,
            is_whole,
            value,
        };
        Callback::from(move |event: InputEvent| {
            let text = input_of(&event).map(|input| input.value()).unwrap_or_default();
            if let Some(value) = rules.parsed(&text) {
                on_value.emit(value);
            }
            draft.set(Some(text));
        })
    };
    let onchange = {
        let (draft, on_end, is_wrong) = (draft.clone(), props.on_end.clone(), is_wrong);
        Callback::from(move |_: Event| {
            if !is_wrong {
                draft.set(None);
            }
            on_end.emit(());
        })
    };
    let id = id_of(&props.label);
    let help_id = format!("{id}-help");
    let help = if is_wrong { AttrValue::from(props.rule()) } else { props.help.clone() };
    html! {
        <div class="field">
            <label for={id.clone()}>{ &props.label }</label>
            <input class="number" id={id} type="number" inputmode="decimal" value={text}
                min={props.min.to_string()} max={props.max.to_string()} step={if props.is_whole { "1" } else { "any" }}
                aria-invalid={is_wrong.then_some("true")}
                aria-describedby={(!help.is_empty()).then(|| help_id.clone())} {oninput} {onchange} />
            if !help.is_empty() {
                <p id={help_id} class={if is_wrong { "field-help bad" } else { "field-help" }}>{ help }</p>
            }
        </div>
    }
}

/// What a slider sets.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Quantity {
    Seconds,
    Factor,
}

impl Quantity {
    fn written(self, value: f64) -> String {
        match self {
            Quantity::Seconds => elastiplan_scene::format::duration(value),
            Quantity::Factor => crate::words::factor(value),
        }
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct SliderProps {
    pub label: AttrValue,
    pub value: f64,
    pub default: f64,
    pub min: f64,
    pub max: f64,
    pub step: f64,
    pub quantity: Quantity,
    pub on_value: Callback<f64>,
    pub on_end: Callback<()>,
}

/// A slider with its value, and with the way back once it was moved.
#[component]
pub(super) fn Slider(props: &SliderProps) -> Html {
    let oninput = {
        let on_value = props.on_value.clone();
        Callback::from(move |event: InputEvent| {
            if let Some(value) = input_of(&event).and_then(|input| input.value().parse::<f64>().ok()) {
                on_value.emit(value);
            }
        })
    };
    let onchange = props.on_end.reform(|_: Event| ());
    let restore = {
        let (on_value, on_end, default) = (props.on_value.clone(), props.on_end.clone(), props.default);
        Callback::from(move |_| {
            on_end.emit(());
            on_value.emit(default);
            on_end.emit(());
        })
    };
    let id = id_of(&props.label);
    let written = props.quantity.written(props.value);
    let was = props.quantity.written(props.default);
    html! {
        <div class="slider">
            <label for={id.clone()}>{ &props.label }</label>
            <span class="slider-value">
                if props.value != props.default {
                    <button class="was" aria-label={format!("{} back to {was}", props.label)} onclick={restore}>
                        { format!("was {was}") }
                    </button>
                }
                <output for={id.clone()}>{ &written }</output>
            </span>
            <input {id} type="range" min={props.min.to_string()} max={props.max.to_string()}
                step={props.step.to_string()} value={props.value.to_string()} aria-valuetext={written}
                {oninput} {onchange} />
        </div>
    }
}

fn input_of(event: &InputEvent) -> Option<HtmlInputElement> {
    event.target()?.dyn_into().ok()
}

fn id_of(label: &str) -> String {
    format!("field-{}", label.to_lowercase().replace(' ', "-"))
}

fn grouped(value: f64) -> String {
    if value.fract() == 0.0 && value >= 0.0 { elastiplan_scene::format::count(value as u64) } else { value.to_string() }
}
