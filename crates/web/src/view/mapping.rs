//! The step in which a user says what the columns of a table are: columns, rows before and after, what loads, and what
//! the file does not say. It takes the place of the results; nothing changes until its button is pressed.

mod columns;
mod law;
mod law_chart;
mod loads;
mod panel;
mod rows;
mod strip;

use elastiplan_formats::mapping::MappingIssue;
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, HtmlElement};
use yew::prelude::*;

use crate::dom;
use crate::elements::classes;
use crate::state::mapping::line::Line;
use crate::state::mapping::{MappingEdit, MappingMsg, MappingStep, Tab};
use crate::state::message::Msg;
use crate::state::page::Page;

/// The element that has the focus when the step opens.
const ID: &str = "mapping-step";

pub(super) fn mapping(page: &Page) -> Html {
    match page.mapping.get::<MappingStep>() {
        Some(step) => html! { <Focused key={step.table.path.clone()}>{ shown(page, step) }</Focused> },
        None => Html::default(),
    }
}

/// Sends a change.
fn edit<T: 'static>(send: &Callback<Msg>, make: impl Fn(T) -> MappingEdit + 'static) -> Callback<T> {
    send.reform(move |value| Msg::Mapping(Box::new(MappingMsg::Edit(make(value)))))
}

fn act(send: &Callback<Msg>, make: fn() -> MappingMsg) -> Callback<MouseEvent> {
    send.reform(move |_| Msg::Mapping(Box::new(make())))
}

#[derive(Properties, PartialEq)]
struct FocusedProps {
    children: Html,
}

/// Gives the step the focus when it opens, so that its keys work.
#[component]
fn Focused(props: &FocusedProps) -> Html {
    use_effect_with((), |()| dom::focus(ID));
    props.children.clone()
}

fn shown(page: &Page, step: &MappingStep) -> Html {
    let send = &page.send;
    let tab = match step.tab {
        Tab::Columns => "columns",
        Tab::Rows => "rows",
        Tab::Assumed => "assumed",
    };
    html! {
        <section class="map" id={ID} tabindex="-1" aria-labelledby="map-heading" data-tab={tab}
            onkeydown={keys(send)} onpaste={pasted(send)}>
            { head(step, send) }
            if step.survey.is_some() {
                { tabs(step, send) }
                <div class="map-body">
                    <div class="map-main">
                        { columns::columns(step, send) }
                        { rows::rows(step, send) }
                        { loads::loads(step, send) }
                    </div>
                    { panel::panel(page, step) }
                    { strip::strip(step, send) }
                </div>
            }
        </section>
    }
}

fn head(step: &MappingStep, send: &Callback<Msg>) -> Html {
    let is_wrong = step.fault.is_some() || (step.survey.is_some() && !step.issues().is_empty());
    html! {
        <header class="map-head">
            <div>
                <h2 id="map-heading">{ step.heading() }</h2>
                { loads::small_bar(step) }
                <p class={is_wrong.then_some("bad")} role="status">{ step.second_line() }</p>
            </div>
            <div class="map-buttons">
                <button class="button" title="Cancel (Esc)" onclick={act(send, || MappingMsg::Cancel)}>{ "Cancel" }</button>
                <button class="button primary map-load" title="Load (Ctrl Enter)" disabled={!step.can_load()}
                    onclick={act(send, || MappingMsg::Load)}>{ step.load_label() }</button>
            </div>
        </header>
    }
}

/// On a narrow page: one part at a time.
fn tabs(step: &MappingStep, send: &Callback<Msg>) -> Html {
    let tab = |(tab, name): (Tab, &'static str)| {
        let count = (tab == Tab::Assumed).then(|| step.assumed());
        let onclick = edit(send, move |_: MouseEvent| MappingEdit::Show(tab));
        html! {
            <button aria-pressed={(step.tab == tab).to_string()} {onclick}>
                { name }
                if let Some(count) = count { <span class="warn">{ format!(" {count}") }</span> }
            </button>
        }
    };
    html! { <div class="map-tabs" role="group" aria-label="Parts of the step">{ for Tab::ALL.into_iter().map(tab) }</div> }
}

/// Escape leaves the step, and Ctrl Enter loads. Single letters are no commands here.
fn keys(send: &Callback<Msg>) -> Callback<KeyboardEvent> {
    let send = send.clone();
    Callback::from(move |event: KeyboardEvent| {
        let has_control = event.ctrl_key() || event.meta_key();
        let msg = match event.key().as_str() {
            _ if event.default_prevented() => return,
            "Escape" => MappingMsg::Cancel,
            "Enter" if has_control => MappingMsg::Load,
            _ if has_control || event.alt_key() => return,
            _ => return event.stop_propagation(),
        };
        event.prevent_default();
        event.stop_propagation();
        send.emit(Msg::Mapping(Box::new(msg)));
    })
}

/// A line that is pasted anywhere in the step is taken over.
fn pasted(send: &Callback<Msg>) -> Callback<Event> {
    let send = send.clone();
    Callback::from(move |event: Event| {
        let data = event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data);
        let text = data.and_then(|data| data.get_data("text/plain").ok()).unwrap_or_default();
        let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
        let is_other_field = target.is_some_and(|target| dom::takes_text(&target) && target.tag_name() == "INPUT");
        if !is_other_field && Line::read(&text).is_ok() {
            event.prevent_default();
            event.stop_propagation();
            send.emit(Msg::Mapping(Box::new(MappingMsg::Edit(MappingEdit::Line(text)))));
        }
    })
}

/// What stands in the way, each with what mends it.
fn issues(step: &MappingStep, send: &Callback<Msg>) -> Html {
    let line = |issue: &MappingIssue| {
        html! { <li class="bad"><span>{ format!("✕ {issue}") }</span>{ repairs(step, issue, send) }</li> }
    };
    let issues = step.issues();
    if issues.is_empty() {
        return Html::default();
    }
    html! { <ul class="map-issues" aria-label="To be mended">{ for issues.iter().map(line) }</ul> }
}

fn repairs(step: &MappingStep, issue: &MappingIssue, send: &Callback<Msg>) -> Html {
    let button = |words: String, edit: MappingEdit| {
        let onclick = send.reform(move |_: MouseEvent| Msg::Mapping(Box::new(MappingMsg::Edit(edit.clone()))));
        html! { <button class={classes("link", None)} {onclick}>{ words }</button> }
    };
    match issue {
        MappingIssue::Missing { for_every_job: Some((field, value)), .. } => {
            button(format!("{value} for every job"), MappingEdit::Formula(field.clone(), Some(value.clone())))
        }
        MappingIssue::Ambiguous { column, readings, .. } => {
            let at = *column as usize;
            let before = step.uses.columns.get(at).map(|own| own.read_as.clone()).unwrap_or_default();
            let choice = |reading| {
                let mut read_as = before.clone();
                read_as.reading = Some(reading);
                button(reading.label().to_string(), MappingEdit::ReadAs(at, read_as))
            };
            html! { <>{ for readings.iter().copied().map(choice) }</> }
        }
        _ => Html::default(),
    }
}
