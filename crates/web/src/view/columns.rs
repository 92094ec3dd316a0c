//! The menu of columns of the table of runs: each with its definition, found by its name.

use elastiplan_present::goal::Goal;
use elastiplan_present::run_table::{Column, RunTable};
use yew::prelude::*;

use crate::elements::{link, typed};
use crate::menu::{Menu, MenuButton};
use crate::state::message::Msg;
use crate::state::runs::Runs;
use crate::state::table::TableChoice;

#[derive(Properties, PartialEq)]
pub(super) struct ColumnsProps {
    pub runs: Runs,
    pub choice: TableChoice,
    pub goal: Goal,
    pub send: Callback<Msg>,
}

#[component]
pub(super) fn ColumnsMenu(props: &ColumnsProps) -> Html {
    let (runs, choice, goal, send) = (props.runs.clone(), props.choice.clone(), props.goal, props.send.clone());
    let list = Callback::from(move |_: Menu| {
        html! { <ColumnsList runs={runs.clone()} choice={choice.clone()} {goal} send={send.clone()} /> }
    });
    html! { <MenuButton words="Columns" class="tl-button" {list} /> }
}

#[component]
fn ColumnsList(props: &ColumnsProps) -> Html {
    let query = use_state(String::new);
    let all = use_memo((props.runs.clone(), props.goal), |(runs, goal)| RunTable::choices(&runs.entries, goal));
    let chosen =
        props.choice.columns.clone().unwrap_or_else(|| RunTable::default_columns(&props.runs.entries, &props.goal));
    let oninput = {
        let query = query.clone();
        Callback::from(move |event: InputEvent| query.set(typed(&event).to_lowercase()))
    };
    let is_found = |column: &&Column| {
        [column.label, column.help].iter().any(|words| words.to_lowercase().contains(query.as_str()))
    };
    let item = |column: &Column| {
        let (key, is_chosen) = (column.key, column.is_goal || chosen.contains(&column.key));
        let mut next = chosen.clone();
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
    html! {
        <div class="menu-list columns-menu" tabindex="-1" role="group" aria-label="Columns">
            <input type="search" aria-label="Search columns" placeholder="Search" {oninput} />
            <div>{ for all.iter().filter(is_found).map(item) }</div>
            { link("Columns as at first", props.send.reform(|_| Msg::Columns(None))) }
        </div>
    }
}
