//! The menu of columns of the table of runs: their order, and every metric with its definition, found by its name.

use std::rc::Rc;

use elastiplan_present::goal::Goal;
use elastiplan_present::run_table::{Column, RunTable};
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use super::later::later;
use crate::elements::{link, typed};
use crate::menu::{Menu, MenuButton};
use crate::part;
use crate::state::message::Msg;
use crate::state::runs::Runs;

#[derive(Clone, Properties, PartialEq)]
pub struct ColumnsProps {
    pub runs: Runs,
    pub table: Rc<RunTable>,
    pub goal: Goal,
    pub send: Callback<Msg>,
    /// How far the functions for later are: the list changes with it.
    pub parts: part::State,
}

#[component]
pub(super) fn ColumnsMenu(props: &ColumnsProps) -> Html {
    let (runs, table, goal, send) = (props.runs.clone(), Rc::clone(&props.table), props.goal, props.send.clone());
    let parts = props.parts;
    let all = RunTable::choices(&runs.entries, &goal).len();
    let note = format!("{} of {all}", table.columns.len());
    let list = Callback::from(move |_: Menu| {
        let props = ColumnsProps { runs: runs.clone(), table: Rc::clone(&table), goal, send: send.clone(), parts };
        later(&send, |later| (later.columns)(&props))
    });
    html! { <MenuButton words="Columns" {note} class="tl-button" {list} /> }
}

/// What the menu opens.
pub(super) fn list(props: &ColumnsProps) -> Html {
    html! { <ColumnsList ..props.clone() /> }
}

#[component]
fn ColumnsList(props: &ColumnsProps) -> Html {
    let query = use_state(String::new);
    let all = use_memo((props.runs.clone(), props.goal), |(runs, goal)| RunTable::choices(&runs.entries, goal));
    // The column of the goal is always the first.
    let chosen: Vec<&Column> = props.table.columns.iter().filter(|column| !column.is_goal).collect();
    let keys: Vec<&'static str> = chosen.iter().map(|column| column.key).collect();
    let oninput = {
        let query = query.clone();
        Callback::from(move |event: InputEvent| query.set(typed(&event).to_lowercase()))
    };
    let is_found = |column: &&Column| {
        [column.label, column.help].iter().any(|words| words.to_lowercase().contains(query.as_str()))
    };
    let item = |column: &Column| {
        let (key, is_chosen) = (column.key, column.is_goal || keys.contains(&column.key));
        let mut next = keys.clone();
        if is_chosen {
            next.retain(|other| *other != key)
        } else {
            next.push(key)
        };
        let onchange = props.send.reform(move |_: Event| Msg::Columns(Some(next.clone())));
        html! {
            <label key={key}>
                <input type="checkbox" checked={is_chosen} disabled={column.is_goal} {onchange} />
                <span>{ column.label }<small>{ column.help }</small></span>
            </label>
        }
    };
    let placeholder = format!("Search {} columns, {} shown", all.len(), props.table.columns.len());
    let labels: Vec<AttrValue> = chosen.iter().map(|column| column.label.into()).collect();
    html! {
        <div class="menu-list columns-menu" tabindex="-1" role="group" aria-label="Columns">
            <input type="search" aria-label="Search columns" {placeholder} {oninput} />
            <div>
                if query.is_empty() { <ColumnOrder {labels} keys={keys.clone()} send={props.send.clone()} /> }
                { for all.iter().filter(is_found).map(item) }
            </div>
            { link("Columns as at first", props.send.reform(|_| Msg::Columns(None))) }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct OrderProps {
    /// The columns that are shown, in order, without that of the goal.
    keys: Vec<&'static str>,
    labels: Vec<AttrValue>,
    send: Callback<Msg>,
}

/// The columns that are shown, to be dragged, or moved by Alt and an arrow.
#[component]
fn ColumnOrder(props: &OrderProps) -> Html {
    let list = use_node_ref();
    let dragged = use_state(|| None::<usize>);
    // Rows have no keys: what moves is their text, so that the menu, which closes without the focus, keeps it.
    let moved = use_state(|| None::<usize>);
    {
        let list = list.clone();
        use_effect_with((*moved, props.keys.clone()), move |(moved, _)| {
            let row = moved.and_then(|at| list.cast::<Element>()?.children().item(at as u32));
            if let Some(row) = row.and_then(|row| wasm_bindgen::JsCast::dyn_into::<HtmlElement>(row).ok()) {
                // A row that is gone takes no focus.
                let _ = row.focus();
            }
        });
    }
    let put = {
        let (keys, send, moved) = (props.keys.clone(), props.send.clone(), moved.clone());
        move |from: usize, to: usize| {
            let mut next = keys.clone();
            if from < next.len() && to < next.len() && from != to {
                let key = next.remove(from);
                next.insert(to, key);
                moved.set(Some(to));
                send.emit(Msg::Columns(Some(next)));
            }
        }
    };
    let count = props.labels.len();
    let row = |(at, label): (usize, &AttrValue)| {
        let ondragstart = {
            let dragged = dragged.clone();
            Callback::from(move |_: DragEvent| dragged.set(Some(at)))
        };
        let ondrop = {
            let (dragged, put) = (dragged.clone(), put.clone());
            Callback::from(move |event: DragEvent| {
                if let Some(from) = *dragged {
                    // Files that are dropped are for the page.
                    event.prevent_default();
                    event.stop_propagation();
                    put(from, at);
                }
                dragged.set(None);
            })
        };
        let ondragover = {
            let is_dragged = dragged.is_some();
            Callback::from(move |event: DragEvent| {
                if is_dragged {
                    event.prevent_default();
                }
            })
        };
        let onkeydown = {
            let put = put.clone();
            Callback::from(move |event: KeyboardEvent| {
                let to = match event.key().as_str() {
                    "ArrowUp" => at.checked_sub(1),
                    "ArrowDown" => Some(at + 1),
                    _ => None,
                };
                if let Some(to) = to.filter(|_| event.alt_key()) {
                    event.prevent_default();
                    put(at, to);
                }
            })
        };
        html! {
            <li draggable="true" tabindex="0" aria-label={format!("{label}, {} of {count}", at + 1)}
                title="Drag it, or press Alt ↑ or Alt ↓" {ondragstart} {ondragover} {ondrop} {onkeydown}>
                <span aria-hidden="true">{ "⠿ " }</span>{ label }
            </li>
        }
    };
    html! {
        <ol class="column-order" aria-label="Order of columns" ref={list}>{ for props.labels.iter().enumerate().map(row) }</ol>
    }
}
