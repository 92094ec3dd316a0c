//! The mapping as text: to copy, to type, to paste into; and whether it is remembered.

use elastiplan_text::words;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

use super::edit;
use crate::dom;
use crate::elements::is_checked;
use crate::state::mapping::line::Line;
use crate::state::mapping::{MappingEdit, MappingStep};
use crate::state::message::Msg;

pub(super) fn strip(step: &MappingStep, send: &Callback<Msg>) -> Html {
    let columns = step.survey.as_ref().map_or(0, |survey| survey.columns.len() as u64 + u64::from(survey.columns_more));
    let onchange = edit(send, |event: Event| MappingEdit::Remember(is_checked(&event)));
    let these = words::counted(columns, "column", "columns");
    html! {
        <footer class="map-strip">
            <p class="map-strip-head"><strong id="map-text">{ "This mapping as text" }</strong>
                <span class="caption">{ "for the command line; paste another anywhere here" }</span></p>
            <label class="check">
                <input type="checkbox" checked={step.remembers} {onchange} />
                <span>{ format!("Remember for files with these {these}") }</span>
            </label>
            <Text line={step.line()} send={send.clone()} />
        </footer>
    }
}

#[derive(Properties, PartialEq)]
struct TextProps {
    line: AttrValue,
    send: Callback<Msg>,
}

/// The line. What is typed is taken over at its end, if it is one.
#[component]
fn Text(props: &TextProps) -> Html {
    let draft = use_state(|| None::<String>);
    {
        let draft = draft.clone();
        use_effect_with(props.line.clone(), move |_| draft.set(None));
    }
    let text = draft.as_ref().cloned().unwrap_or_else(|| props.line.to_string());
    let fault = draft.as_ref().and_then(|draft| Line::read(draft).err());
    let oninput = {
        let draft = draft.clone();
        Callback::from(move |event: InputEvent| {
            draft.set(event.target_dyn_into::<HtmlTextAreaElement>().map(|area| area.value()));
        })
    };
    let onchange = {
        let take = edit(&props.send, MappingEdit::Line);
        Callback::from(move |event: Event| {
            let text = event.target_dyn_into::<HtmlTextAreaElement>().map(|area| area.value()).unwrap_or_default();
            if Line::read(&text).is_ok() {
                take.emit(text);
                draft.set(None);
            }
        })
    };
    let copied = text.clone();
    let copy = Callback::from(move |_: MouseEvent| dom::copy_text(&copied));
    html! {
        <>
            <div class="map-line">
                <textarea rows="2" spellcheck="false" autocomplete="off" aria-labelledby="map-text" value={text}
                    aria-invalid={fault.is_some().then_some("true")} {oninput} {onchange} />
                <button class="button" onclick={copy}>{ "Copy" }</button>
            </div>
            if let Some(fault) = fault { <p class="bad" role="status">{ fault }</p> }
        </>
    }
}
