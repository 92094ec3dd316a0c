//! The columns of the table with their uses.

use elastiplan_formats::mapping::{Content, ReadAs, ReadForm, Role, Test, Zone};
use elastiplan_text::{format, words};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use super::{edit, issues};
use crate::elements::{chosen, is_checked, option};
use crate::state::mapping::{ColumnRow, MappingEdit, MappingStep, Mark, keeps};
use crate::state::message::Msg;

/// Zones that are offered, in minutes ahead of UTC.
const ZONES: [i16; 30] = [
    -720, -660, -600, -540, -480, -420, -360, -300, -240, -210, -180, -120, -60, 0, 60, 120, 180, 210, 240, 270, 300,
    330, 345, 360, 420, 480, 540, 570, 600, 720,
];

pub(super) fn columns(step: &MappingStep, send: &Callback<Msg>) -> Html {
    html! {
        <section class="map-columns" aria-labelledby="map-columns">
            <div class="map-section-head">
                <h3 id="map-columns">{ "Columns" }</h3>
                <p class="caption">{ facts(step) }</p>
                { zone(step, send) }
            </div>
            <table class="map-table" onkeydown={Callback::from(move_by_key)}>
                <caption class="visually-hidden">{ "Columns of the file and their uses" }</caption>
                <thead><tr>
                    <th scope="col">{ "In the file" }</th><th scope="col">{ "First values" }</th>
                    <th scope="col">{ "Use as" }</th><th scope="col">{ "Read as" }</th>
                    <th scope="col"><span class="visually-hidden">{ "How certain" }</span></th>
                    <th scope="col"><span class="visually-hidden">{ "What follows" }</span></th>
                </tr></thead>
                <tbody>{ for step.rows().into_iter().map(|row| column(step, row, send)) }</tbody>
            </table>
            { others(step, send) }
            { issues(step, send) }
        </section>
    }
}

/// `6 columns, 8,214 rows, comma, header in row 1`.
fn facts(step: &MappingStep) -> String {
    let Some(survey) = &step.survey else { return String::new() };
    let columns = survey.columns.len() as u64 + u64::from(survey.columns_more);
    let delimiter = match survey.delimiter {
        ',' => "comma".into(),
        ';' => "semicolon".into(),
        '\t' => "tab".into(),
        '|' => "vertical bar".into(),
        other => format!("\"{other}\""),
    };
    let header = survey.header_row.map_or("no header".into(), |row| format!("header in row {}", format::count(row)));
    let so_far = if step.is_part { " so far" } else { "" };
    let rows = words::counted(survey.counts.rows, "row", "rows");
    format!("{}, {rows}{so_far}, {delimiter}, {header}", words::counted(columns, "column", "columns"))
}

/// The zone of dates without one, where dates are used.
fn zone(step: &MappingStep, send: &Callback<Msg>) -> Html {
    let has_dates = step.rows().iter().any(|row| row.own.role.is_time() && row.column.content == Content::Dates);
    if !has_dates {
        return Html::default();
    }
    let present = step.uses.zone.unwrap_or(Zone::UTC);
    let mut zones: Vec<Zone> = ZONES.into_iter().filter_map(Zone::ahead_by).collect();
    if !zones.contains(&present) {
        zones.push(present);
    }
    let choices = zones.iter().map(|zone| option(zone.minutes().to_string(), zone.to_string(), *zone == present));
    let onchange = edit(send, |event: Event| {
        let minutes = chosen(&event).parse::<i16>().ok();
        MappingEdit::Zone(minutes.and_then(Zone::ahead_by))
    });
    html! {
        <label class="map-zone">{ "Dates without a zone are in" }
            <select class="select" {onchange}>{ for choices }</select>
        </label>
    }
}

fn column(step: &MappingStep, ColumnRow { at, column, own, mark }: ColumnRow<'_>, send: &Callback<Msg>) -> Html {
    let class = match mark {
        Mark::Guessed => "map-guessed",
        Mark::Conflict => "map-conflict",
        Mark::Unused => "map-unused",
        Mark::Sure | Mark::Chosen => "",
    };
    let mark_class = match mark {
        Mark::Guessed => "warn",
        Mark::Conflict => "bad",
        _ => "better",
    };
    let confirm = edit(send, move |_: MouseEvent| MappingEdit::Confirm(at));
    let values = column.first_values.join(", ");
    html! {
        <tr key={at} {class} tabindex={if at == 0 { "0" } else { "-1" }}>
            <th scope="row" title={column.name.clone()}><bdi>{ &column.name }</bdi></th>
            <td class="map-values" title={values.clone()}><bdi>{ values }</bdi></td>
            <td class="map-use">{ role(at, &column.name, &own.role, send) }</td>
            <td class="map-read">{ read_as(step, at, send) }</td>
            <td class="map-mark">
                if mark == Mark::Guessed {
                    <button class="link warn" title={format!("{}. Press if it is right", column.reason)} onclick={confirm}>
                        { mark.words() }
                    </button>
                } else { <span class={mark_class} title={column.reason.clone()}>{ mark.words() }</span> }
            </td>
            <td class="map-follows" title={[column.follows.as_str(), &column.reason].join("\n").trim().to_string()}>
                { if column.follows.is_empty() { &column.reason } else { &column.follows } }
            </td>
        </tr>
    }
}

fn role(at: usize, name: &str, own: &Role, send: &Callback<Msg>) -> Html {
    let mut roles = Role::CHOICES.to_vec();
    if !roles.contains(own) {
        roles.push(own.clone());
    }
    let choices: Html = roles.iter().map(|role| option(role.label(), role.label(), role == own)).collect();
    let onchange = edit(send, move |event: Event| {
        let label = chosen(&event);
        let role = roles.iter().find(|role| role.label() == label).cloned().unwrap_or_default();
        MappingEdit::Role(at, role)
    });
    html! { <select class="select" aria-label={format!("Use {name} as")} {onchange}>{ choices }</select> }
}

fn read_as(step: &MappingStep, at: usize, send: &Callback<Msg>) -> Html {
    let column = step.survey.as_ref().and_then(|survey| survey.columns.get(at));
    let Some((column, own)) = column.zip(step.uses.columns.get(at)) else { return Html::default() };
    if let (Role::KeepIf, ReadForm::Keep(test)) = (&own.role, &own.read_as.form) {
        return kept_values(step, at, test, send);
    }
    let mut choices = ReadAs::choices(&own.role, column.content);
    if choices.is_empty() {
        return Html::default();
    }
    if !choices.contains(&own.read_as) {
        choices.push(own.read_as.clone());
    }
    let label = |read_as: &ReadAs| read_as.label(&own.role, column.content, step.uses.zone);
    if choices.len() == 1 {
        return html! { <span class="map-only">{ label(&own.read_as) }</span> };
    }
    let list = choices.iter().enumerate();
    let options: Html =
        list.map(|(place, read_as)| option(place.to_string(), label(read_as), *read_as == own.read_as)).collect();
    let before = own.read_as.clone();
    let onchange = edit(send, move |event: Event| {
        let place = chosen(&event).parse::<usize>().ok();
        let read_as = place.and_then(|place| choices.get(place)).unwrap_or(&before);
        MappingEdit::ReadAs(at, read_as.clone())
    });
    html! { <select class="select" aria-label={format!("Read {} as", column.name)} {onchange}>{ options }</select> }
}

/// The values of a column, each to be kept or not.
fn kept_values(step: &MappingStep, at: usize, test: &Test, send: &Callback<Msg>) -> Html {
    let Some(column) = step.survey.as_ref().and_then(|survey| survey.columns.get(at)) else { return Html::default() };
    let label = ReadAs { form: ReadForm::Keep(test.clone()), ..ReadAs::default() };
    let label = label.label(&Role::KeepIf, column.content, None);
    if column.values.is_empty() {
        return html! { <span class="map-only">{ label }</span> };
    }
    let value = |known: &elastiplan_formats::mapping::ValueCount| {
        let text = known.value.clone();
        let onchange = edit(send, move |event: Event| MappingEdit::Keep(at, text.clone(), is_checked(&event)));
        html! {
            <label key={known.value.clone()} class="check">
                <input type="checkbox" checked={keeps(test, &known.value)} {onchange} />
                <span><bdi>{ &known.value }</bdi></span><span class="ink-3">{ format::count(known.rows) }</span>
            </label>
        }
    };
    html! {
        <details class="map-kept">
            <summary class="select" aria-label={format!("Values of {} that are kept: {label}", column.name)}>
                <bdi>{ &label }</bdi>
            </summary>
            <div class="map-kept-list" role="group" aria-label={format!("Values of {}", column.name)}>
                { for column.values.iter().map(value) }
            </div>
        </details>
    }
}

/// Fields and conditions that are no column's: formulas.
fn others(step: &MappingStep, send: &Callback<Msg>) -> Html {
    if step.uses.formulas.is_empty() && step.uses.conditions.is_empty() {
        return Html::default();
    }
    let formula = |own: &elastiplan_formats::mapping::FieldFormula| {
        let field = own.field.clone();
        let typed = {
            let field = field.clone();
            edit(send, move |event: Event| {
                let text = event.target_dyn_into::<web_sys::HtmlInputElement>().map(|input| input.value());
                MappingEdit::Formula(field.clone(), text.filter(|text| !text.trim().is_empty()))
            })
        };
        let remove = {
            let field = field.clone();
            edit(send, move |_: MouseEvent| MappingEdit::Formula(field.clone(), None))
        };
        html! {
            <li key={field.clone()}>
                <label><code>{ format!("{field}=") }</code>
                    <input class="number" value={own.formula.clone()} aria-label={format!("Formula for {field}")} onchange={typed} />
                </label>
                <button class="link" aria-label={format!("Remove the formula for {field}")} onclick={remove}>{ "Remove" }</button>
            </li>
        }
    };
    let condition = |(at, text): (usize, &String)| {
        let remove = edit(send, move |_: MouseEvent| MappingEdit::DropCondition(at));
        html! {
            <li><code>{ format!("where {text}") }</code>
                <button class="link" aria-label={format!("Remove the condition {text}")} onclick={remove}>{ "Remove" }</button>
            </li>
        }
    };
    html! {
        <ul class="map-formulas" aria-label="Formulas">
            { for step.uses.formulas.iter().map(formula) }
            { for step.uses.conditions.iter().enumerate().map(condition) }
        </ul>
    }
}

/// Up and down go from row to row, and Enter to the row's first list.
fn move_by_key(event: KeyboardEvent) {
    let row =
        event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok()).filter(|row| row.tag_name() == "TR");
    let Some(row) = row else { return };
    let next = match event.key().as_str() {
        "ArrowDown" => row.next_element_sibling(),
        "ArrowUp" => row.previous_element_sibling(),
        "Enter" if !event.ctrl_key() && !event.meta_key() => row.query_selector("select").ok().flatten(),
        _ => return,
    };
    event.prevent_default();
    if let Some(next) = next.and_then(|next| next.dyn_into::<HtmlElement>().ok()) {
        let _ = next.focus();
        // Opens the list, where the browser lets a script do so.
        let show = js_sys::Reflect::get(&next, &"showPicker".into()).ok();
        if let Some(show) = show.and_then(|show| show.dyn_into::<js_sys::Function>().ok()) {
            let _ = show.call0(&next);
        }
    }
}
