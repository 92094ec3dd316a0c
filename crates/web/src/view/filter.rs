//! Active filters, groups and orders, each with a button that removes it.

use elastiplan_compare::{GroupBy, OrderBy};
use elastiplan_text::format;
use yew::prelude::*;

use crate::elements::link;
use crate::state::message::{Msg, Sheet};
use crate::state::page::Page;
use crate::state::runs::Runs;

/// A line of chips; nothing where everything is shown in order of submission.
pub(super) fn filter(page: &Page, runs: &Runs) -> Html {
    let wanted = &page.wanted;
    let Some(rows) = page.rows() else { return Html::default() };
    let all = runs.workload.trace().jobs().len() as u64;
    let count = format!("{} of {} jobs", format::count(rows.jobs.len() as u64), format::count(all));
    let about = "The numbers are of these, the verdict is about all.";
    let query = (!wanted.query.is_empty()).then(|| {
        let edit = page.send.reform(|_| Msg::Open(Sheet::Palette));
        html! {
            <>
                <span class="chip">
                    <button class="chip-text" title="Change" onclick={edit}><code>{ &wanted.query }</code></button>
                    { clear("Show all jobs", page.send.reform(|_| Msg::Search(String::new()))) }
                </span>
                <span class="filter-count" role="status">{ count }</span>
                <span class="filter-about">{ about }</span>
            </>
        }
    });
    let pinned = (!wanted.pinned.is_empty()).then(|| {
        let jobs = elastiplan_text::words::counted(wanted.pinned.len() as u64, "job", "jobs");
        chip(format!("{jobs} pinned"), "Unpin", page.send.reform(|_| Msg::Unpin))
    });
    let group = wanted.group_words().map(|words| {
        chip(format!("grouped by {words}"), "Do not group", page.send.reform(|_| Msg::Group(GroupBy::Nothing)))
    });
    let order = wanted.order_words().map(|words| {
        chip(format!("by {words}"), "Sort by submission", page.send.reform(|_| Msg::Sort(OrderBy::Submission)))
    });
    html! {
        <div class="filter" role="group" aria-label="Jobs shown">
            { query.unwrap_or_default() }{ pinned.unwrap_or_default() }{ group.unwrap_or_default() }{ order.unwrap_or_default() }
        </div>
    }
}

/// That no job matches, with a way back; nothing where some do.
pub(super) fn none_found(page: &Page) -> Html {
    let is_empty = page.rows().is_some_and(|rows| rows.jobs.is_empty());
    if !is_empty || page.wanted.query.is_empty() {
        return Html::default();
    }
    html! {
        <p class="tl-none">
            { "No job matches " }<code>{ &page.wanted.query }</code>{ " " }
            { link("Clear", page.send.reform(|_| Msg::Search(String::new()))) }
        </p>
    }
}

fn chip(words: String, back: &'static str, onclick: Callback<MouseEvent>) -> Html {
    html! { <span class="chip"><span class="chip-text">{ words }</span>{ clear(back, onclick) }</span> }
}

fn clear(label: &'static str, onclick: Callback<MouseEvent>) -> Html {
    html! { <button class="chip-clear" aria-label={label} title={label} {onclick}>{ "✕" }</button> }
}
