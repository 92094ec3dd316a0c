//! An axis of a study: a chip, and the form in which its values are typed.

use elastiplan_policies::PolicySpec;
use elastiplan_study::{Axis, Spec, ValuesPart};
use yew::prelude::*;

use super::change;
use crate::elements::{caption, paragraph, pressable, tick_box, typed};
use crate::menu::Menu;
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::study_axes::label;
use crate::state::study_parts::{AxisDraft, AxisForm, Scale, axis_fault, in_form, spacing_words, values_words};
use crate::state::study_spec::{finding, with_values, without_axis};

/// `Nodes 40 to 80, step 2`.
pub(super) fn chip(page: &Page, spec: &Spec, key: &str, values: &ValuesPart) -> Html {
    let inputs = page.planner.inputs();
    let scale = Scale::of(key, inputs.data.trace.start_s());
    let spacing = spacing_words(values, scale);
    let words = values_words(values, scale);
    let words = if spacing.is_empty() { words } else { format!("{words}, {spacing}") };
    let policies = inputs.study_policies();
    let fault = axis_fault(key, values, &policies);
    let remove = change(page, without_axis(spec.clone(), key));
    let (send, spec, key) = (page.send.clone(), spec.clone(), key.to_string());
    let name = label(&key);
    let form = Callback::from(move |_: Menu| {
        let (spec, key, policies, send) = (spec.clone(), key.clone(), policies.clone(), send.clone());
        html! { <AxisInputs {spec} axis={key} {policies} {scale} {send} /> }
    });
    super::chip(name, words, fault, remove, form)
}

#[derive(Properties, PartialEq)]
struct AxisProps {
    spec: Spec,
    axis: String,
    policies: Vec<PolicySpec>,
    scale: Scale,
    send: Callback<Msg>,
}

/// From, to and step, or a list. What is right is applied while it is typed.
#[component]
fn AxisInputs(props: &AxisProps) -> Html {
    let AxisProps { spec, axis: key, policies, scale, send } = props;
    let draft = use_state(|| None::<AxisDraft>);
    let values = spec.axes.iter().find(|(known, _)| known == key).map(|(_, values)| values.clone());
    {
        // Values from elsewhere, by a step back for instance, take the place of what was typed.
        let (draft, scale) = (draft.clone(), *scale);
        use_effect_with(values.clone(), move |values| {
            let is_typed = draft.as_ref().is_some_and(|typed| typed.read(scale).ok() == *values);
            if !is_typed {
                draft.set(None);
            }
        });
    }
    let Some(values) = values else { return html! {} };
    let now = (*draft).clone().unwrap_or_else(|| AxisDraft::of(&values, *scale));
    let fault = now.read(*scale).map_or_else(Some, |values| axis_fault(key, &values, policies));
    let field = |name: &'static str, text: &str, set: fn(&mut AxisDraft, String)| {
        let (draft, now, spec, key) = (draft.clone(), now.clone(), spec.clone(), key.clone());
        let (policies, scale, send) = (policies.clone(), *scale, send.clone());
        let oninput = Callback::from(move |event: InputEvent| {
            let mut next = now.clone();
            set(&mut next, typed(&event));
            let read = next.read(scale).ok().filter(|values| axis_fault(&key, values, &policies).is_none());
            draft.set(Some(next));
            if let Some(values) = read {
                send.emit(Msg::Edit(Edit::TypeStudy(with_values(spec.clone(), &key, values))));
            }
        });
        html! {
            <label class={if name == "Values" { "field wide" } else { "field" }}>
                <span>{ name }</span>
                <input class="number" type="text" autocomplete="off" value={text.to_string()} {oninput} />
            </label>
        }
    };
    let axis = Axis::new(key, &values, policies).ok();
    let form = |(form, words): &(AxisForm, &'static str)| {
        let (send, spec, key) = (send.clone(), spec.clone(), key.clone());
        let next = axis.as_ref().map_or_else(|| values.clone(), |axis| in_form(axis, &values, *form));
        let onclick = Callback::from(move |_: MouseEvent| {
            send.emit(Msg::Edit(Edit::Study(Some(with_values(spec.clone(), &key, next.clone())))));
        });
        pressable(now.form == *form, None, (*words).into(), onclick)
    };
    let is_first = spec.axes.first().is_some_and(|(first, _)| first == key);
    let is_found = spec.find.as_ref().map_or(is_first, |find| find.smallest == *key);
    let is_of_numbers = axis.as_ref().is_some_and(Axis::is_of_numbers);
    let find = {
        let (spec, key) = (spec.clone(), key.clone());
        send.reform(move |_: Event| Msg::Edit(Edit::Study(Some(finding(spec.clone(), &key)))))
    };
    let count = axis.as_ref().map(|axis| elastiplan_text::words::counted(axis.values.len() as u64, "value", "values"));
    html! {
        <div class="menu-list editor-form" tabindex="-1" role="group" aria-label={format!("Values of {}", label(key))}>
            <div class="segments" role="group" aria-label="How values are given">{ for AxisForm::ALL.iter().map(form) }</div>
            if now.form == AxisForm::List {
                { field("Values", &now.list, |draft, text| draft.list = text) }
            } else {
                { field("From", &now.from, |draft, text| draft.from = text) }
                { field("To", &now.to, |draft, text| draft.to = text) }
                { field(if now.form == AxisForm::Times { "Times" } else { "Step" }, &now.by, |draft, text| draft.by = text) }
            }
            if !scale.unit.is_empty() { { caption(format!("In {}", scale.unit)) } }
            if spec.axes.len() > 1 && is_of_numbers && !spec.goals.is_empty() {
                { tick_box("Look for the smallest".into(), None, is_found, !is_found, find) }
            }
            { match fault {
                Some(fault) => paragraph("field-help bad", fault),
                None => caption(count.unwrap_or_default()),
            } }
        </div>
    }
}
