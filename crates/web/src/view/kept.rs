//! The screen with the work that is kept in this browser.

use elastiplan_text::words::{self, counted};
use elastiplan_worker::keeping::{KeptChange, KeptEntry, KeptList, NotKept};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::files::file_choice;
use crate::dom;
use crate::elements::{link, paragraph, typed};
use crate::state::kept::{Keeping, KeptMsg, KeptState};
use crate::state::message::{Msg, Screen};
use crate::state::page::Page;

/// Size of the pictures, in units of the SVG.
const PICTURE: (f64, f64) = (96.0, 26.0);

fn on<E: 'static>(send: &Callback<Msg>, make: impl Fn(E) -> KeptMsg + 'static) -> Callback<E> {
    send.reform(move |event| Msg::Kept(Box::new(make(event))))
}

/// The screen.
pub fn kept(page: &Page) -> Html {
    let send = &page.send;
    let Some(keeping) = page.keeping.get::<Keeping>() else { return Html::default() };
    let on_filter = on(send, |event: InputEvent| KeptMsg::Filter(typed(&event)));
    let on_key = {
        let send = send.clone();
        Callback::from(move |event: KeyboardEvent| {
            let is_field = event.target_dyn_into::<HtmlInputElement>().is_some();
            match event.key().as_str() {
                "/" if !is_field => {
                    event.prevent_default();
                    dom::focus("kept-filter");
                }
                "Escape" => {
                    event.prevent_default();
                    send.emit(Msg::Show(Screen::Compare));
                }
                _ => {}
            }
        })
    };
    html! {
        <section class="kept" aria-label="Kept in this browser" onkeydown={on_key}>
            <div class="kept-head">
                <div><h2>{ "Kept in this browser" }</h2>{ paragraph("ink-2", summary(page, keeping)) }</div>
                <div class="kept-buttons">
                    <input id="kept-filter" type="search" placeholder="Filter (/)" aria-label="Filter" value={keeping.filter.clone()} oninput={on_filter} />
                    { file_choice("Open a file", false, send) }
                    <button class="button" onclick={on(send, |_: MouseEvent| KeptMsg::New)}>{ "New" }</button>
                    <button class="button" onclick={send.reform(|_| Msg::Show(Screen::Compare))}>{ "Close" }<kbd aria-hidden="true">{ "Esc" }</kbd></button>
                </div>
            </div>
            { list(page, keeping) }
        </section>
    }
}

/// How much is kept.
fn summary(page: &Page, keeping: &Keeping) -> String {
    match (&keeping.listed, &page.kept) {
        (Some(Err(NotKept::NoStore(_))), _) | (_, KeptState::NoStore) => {
            "This browser keeps nothing for the page, as in a private window. Save a file to keep your work".into()
        }
        (Some(Err(NotKept::Failed(reason))), _) => format!("The list cannot be read: {reason}"),
        (Some(Ok(KeptList { entries, bytes, bytes_max })), _) => {
            let scenarios = counted(entries.len() as u64, "scenario", "scenarios");
            let of = bytes_max.map(|bytes| format!(" of about {}", size(bytes))).unwrap_or_default();
            format!("{scenarios}, {}{of}. Saved as you work; nothing is sent anywhere.", size(*bytes))
        }
        _ => "Reading\u{2026}".into(),
    }
}

fn list(page: &Page, keeping: &Keeping) -> Html {
    let Some(Ok(list)) = &keeping.listed else { return Html::default() };
    let wanted = keeping.filter.to_lowercase();
    let is_wanted = |entry: &&KeptEntry| {
        let about = &entry.about;
        [&about.name, &about.contents, &about.verdict].iter().any(|text| text.to_lowercase().contains(&wanted))
    };
    let own = page.kept_id();
    let rows = list.entries.iter().filter(is_wanted);
    let row = |entry: &KeptEntry| {
        let is_open = own.as_ref() == Some(&entry.id);
        let is_elsewhere = !is_open && keeping.elsewhere.contains(&entry.id);
        kept_row(entry, is_open, is_elsewhere, &page.send)
    };
    let deleted = |(entry, copy): &(KeptEntry, Option<elastiplan_worker::messages::Copy>)| {
        let id = entry.id.clone();
        let undo = on(&page.send, move |_: MouseEvent| KeptMsg::Undo(id.clone()));
        html! {
            <tr key={format!("deleted {}", entry.id)} class="kept-deleted"><td colspan="6">
                <s dir="auto">{ entry.about.name.clone() }</s>{ " is deleted, for good when this list closes." }
            </td><td><button class="button button-small" disabled={copy.is_none()} onclick={undo}>{ "Undo" }</button></td></tr>
        }
    };
    if list.entries.is_empty() && keeping.deleted.is_empty() {
        return paragraph("kept-none ink-2", "Nothing is kept yet. The first edit of a scenario keeps it");
    }
    let is_none = !list.entries.is_empty() && !list.entries.iter().any(|entry| is_wanted(&entry));
    html! {
        <div class="kept-list">
            <table>
                <thead><tr><th><span class="visually-hidden">{ "Pinned" }</span></th><th>{ "GPUs in use" }</th><th>{ "Scenario" }</th>
                    <th>{ "What it showed" }</th><th>{ "Last change" }</th><th class="kept-size">{ "Size" }</th>
                    <th><span class="visually-hidden">{ "Actions" }</span></th></tr></thead>
                <tbody>{ for rows.map(row) }{ for keeping.deleted.iter().map(deleted) }</tbody>
            </table>
            if is_none { { paragraph("kept-none ink-2", "Nothing that is kept has these words") } }
        </div>
    }
}

fn kept_row(entry: &KeptEntry, is_open: bool, is_elsewhere: bool, send: &Callback<Msg>) -> Html {
    let KeptEntry { id, about, is_pinned, changed_ms, bytes, shares, .. } = entry.clone();
    let pin = {
        let id = id.clone();
        on(send, move |_: MouseEvent| KeptMsg::Change(id.clone(), KeptChange::Pin(!is_pinned)))
    };
    let rename = {
        let (id, before) = (id.clone(), about.name.clone());
        let send = send.clone();
        Callback::from(move |event: Event| {
            let name = event.target_dyn_into::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
            let name: String = name.trim().chars().take(200).collect();
            if !name.is_empty() && name != before {
                send.emit(Msg::Kept(Box::new(KeptMsg::Change(id.clone(), KeptChange::Rename(name)))));
            }
        })
    };
    let (open, delete) = (id.clone(), id.clone());
    let open = on(send, move |_: MouseEvent| KeptMsg::Open(open.clone()));
    let delete = on(send, move |_: MouseEvent| KeptMsg::Delete(delete.clone()));
    let changed = match (is_open, is_elsewhere) {
        (true, _) => "open here".into(),
        (_, true) => "open in another tab".into(),
        _ => dom::moment(changed_ms),
    };
    let shared = if shares { ", data shared" } else { "" };
    let name = about.name.clone();
    html! {
        <tr key={id} class={is_open.then_some("kept-open")}>
            <td><button class={if is_pinned { "icon-button kept-pinned" } else { "icon-button" }} aria-pressed={is_pinned.to_string()}
                aria-label={format!("Keep {name} at the top")} title="Keep at the top" onclick={pin}>{ if is_pinned { "★" } else { "☆" } }</button></td>
            <td>{ picture(&about.picture, about.winner) }</td>
            <td class="kept-name"><input type="text" dir="auto" aria-label={format!("Name of {name}")} value={name.clone()} onchange={rename} />
                <span class="ink-2">{ about.contents.clone() }</span></td>
            <td class="kept-verdict" dir="auto">{ if about.verdict.is_empty() { "Not run yet".to_string() } else { about.verdict.clone() } }</td>
            <td class={(is_open || is_elsewhere).then_some("kept-here")}>{ changed }</td>
            <td class="kept-size">{ format!("{}{shared}", size(bytes)) }</td>
            <td class="kept-actions">
                if is_open {
                    <span class="ink-3">{ "open" }</span>
                } else {
                    <button class="button button-small" aria-label={format!("Open {name}")} onclick={open}>{ "Open" }</button>
                    <button class="button button-small" aria-label={format!("Delete {name}")} onclick={delete}>{ "Delete" }</button>
                }
            </td>
        </tr>
    }
}

/// The GPUs in use over time, in the colour of the run.
fn picture(percent: &[u8], winner: u32) -> Html {
    if percent.is_empty() {
        return Html::default();
    }
    let (width, height) = PICTURE;
    let step = width / percent.len() as f64;
    let mut path = format!("M0 {height}");
    for (at, share) in percent.iter().enumerate() {
        let y = height - 1.0 - f64::from(*share) / 100.0 * (height - 2.0);
        path.push_str(&format!("V{y:.1}H{:.1}", step * (at + 1) as f64));
    }
    path.push_str(&format!("V{height}"));
    let letter = ('a'..='h').nth(winner as usize).unwrap_or('i');
    html! {
        <svg class={format!("kept-picture badge-{letter}")} viewBox={format!("0 0 {width} {height}")} width="118" height="32" aria-hidden="true">
            <path d={path} />
        </svg>
    }
}

/// Why the present work is not kept, with what to do about it.
pub fn not_kept(page: &Page) -> Html {
    let buttons = || {
        html! {
            <>
                { link("Delete something", on(&page.send, |_: MouseEvent| KeptMsg::Show)) }
                { link("Save a file", on(&page.send, |_: MouseEvent| KeptMsg::ToFile)) }
            </>
        }
    };
    match &page.kept {
        KeptState::Full(since_ms) => html! {
            <span class="not-kept">{ format!("Not saved since {}: the browser gives no more room.", dom::clock(*since_ms)) }{ " " }{ buttons() }</span>
        },
        KeptState::Failed(since_ms, reason) => html! {
            <span class="not-kept" title={reason.clone()}>{ format!("Not saved since {}: the browser's store fails.", dom::clock(*since_ms)) }{ " " }{ buttons() }</span>
        },
        KeptState::NoStore => html! {
            <span class="not-kept">{ "Kept until this tab closes." }{ " " }{ link("Save a file", on(&page.send, |_: MouseEvent| KeptMsg::ToFile)) }</span>
        },
        _ => Html::default(),
    }
}

/// `412 bytes`, `41 kB`, `1.2 MB`, `2.1 GB`.
fn size(bytes: f64) -> String {
    match bytes {
        ..1e3 => words::counted(bytes as u64, "byte", "bytes"),
        ..1e6 => format!("{} kB", (bytes / 1e3).ceil()),
        ..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}
