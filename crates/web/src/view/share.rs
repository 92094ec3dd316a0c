//! The dialogs about scenarios that travel: sharing the present one, and what there is to say of one that was opened.

mod embed;
mod report;

use elastiplan_text::format::count;
use elastiplan_text::words;
use elastiplan_worker::Packed;
use elastiplan_worker::keeping::{CHARACTERS_FREE, SharedScenario};
use web_sys::Blob;
use yew::prelude::*;

use super::dialog::Dialog;
use super::files::file_choice;
use crate::dom;
use crate::elements::{caption, close_button, paragraph};
use crate::state::message::Msg;
use crate::state::opened::Notice;
use crate::state::page::Page;
use crate::state::sharing::{Shared, Sharing};

fn sheet(label: &'static str, title: Html, send: &Callback<Msg>, content: Html) -> Html {
    let close = send.reform(|_: MouseEvent| Msg::Close);
    html! {
        <Dialog {label} class="share-sheet" on_close={send.reform(|()| Msg::Close)}>
            <header><h2>{ title }</h2>{ close_button("Close", "Close (Esc)", close) }</header>
            { content }
        </Dialog>
    }
}

/// What there is to say of a scenario that was opened.
pub(super) fn opened_sheet(page: &Page) -> Html {
    let Some(Notice { title, needs, lines }) = page.notice.get() else { return Html::default() };
    let line = |line: &String| html! { <li dir="auto">{ line.clone() }</li> };
    let need = |(name, hash): &(String, Option<String>)| {
        let hash = hash.as_ref().map(|hash| format!(" ({hash})")).unwrap_or_default();
        html! { <li>{ "Drop " }<bdi>{ name.clone() }</bdi>{ hash }</li> }
    };
    let content = html! {
        <div role="alert">
            if !needs.is_empty() {
                <ul class="share-needs">{ for needs.iter().map(need) }</ul>
                { file_choice("Choose files", false, &page.send) }
            }
            if !lines.is_empty() { <ul class="share-lines">{ for lines.iter().map(line) }</ul> }
        </div>
    };
    sheet("Opened scenario", html! { <bdi>{ title.clone() }</bdi> }, &page.send, content)
}

/// The dialog that shares the scenario.
pub(super) fn share_sheet(page: &Page) -> Html {
    let Some(sharing) = page.sharing.get::<Sharing>() else { return Html::default() };
    let content = match &sharing.answer {
        None => html! { <p role="status">{ "Writing the scenario…" }</p> },
        Some(Err(message)) => html! { <p role="alert">{ message.clone() }</p> },
        Some(Ok(shared)) => html! {
            <div class="share-columns">
                <div>{ link_part(shared) }{ file_part(sharing, shared) }{ report::report_part(page) }</div>
                <embed::EmbedPart shared={shared.scenario.clone()} title={page.presets.name_of(page.planner.inputs())} />
            </div>
        },
    };
    let name = page.presets.name_of(page.planner.inputs());
    sheet("Share", html! { <>{ "Share " }<bdi>{ name }</bdi></> }, &page.send, content)
}

fn link_part(shared: &Shared) -> Html {
    let SharedScenario { link, needs, contains } = &shared.scenario;
    let contains: Vec<&str> = contains.iter().map(String::as_str).collect();
    let need = |((name, hash, bytes), file): (&(String, String, u64), &Packed)| {
        let on_save = save(name.clone(), file);
        html! {
            <li><bdi>{ name.clone() }</bdi>{ format!(" ({hash}) ") }
                <button type="button" class="button button-small" onclick={on_save}>{ format!("Save {}", size(*bytes)) }</button></li>
        }
    };
    let body = match link {
        Err(reason) => html! { <p role="alert">{ sentence(reason) }</p> },
        Ok(link) => html! {
            <>
                <CopyField text={link.clone()} />
                <div class="share-parts">
                    <div><h4>{ "It contains" }</h4>{ paragraph("", sentence(&words::list(&contains))) }</div>
                    <div><h4>{ "It needs" }</h4>
                        if needs.is_empty() { { paragraph("", "Nothing else") } }
                        else { <ul>{ for needs.iter().zip(&shared.files).map(need) }</ul> }
                    </div>
                </div>
                { caption("What stands behind # is sent to no server") }
            </>
        },
    };
    let length = link.as_ref().map(|link| link.chars().count());
    let fits = length.map(|length| match length <= CHARACTERS_FREE {
        true => (format!("{} characters, fits anywhere", count(length as u64)), "share-fits"),
        false => (format!("{} characters, some chat programs cut it", count(length as u64)), "share-long"),
    });
    html! {
        <section aria-label="Link">
            <h3>{ "Link" }if let Ok((words, class)) = fits { <span {class}>{ words }</span> }</h3>
            { body }
        </section>
    }
}

fn file_part(sharing: &Sharing, shared: &Shared) -> Html {
    let bytes = shared.bundle.bytes_len() as u64;
    let class = if shared.scenario.link.is_ok() { "button" } else { "button primary" };
    let left_out = words::counted(sharing.left_out as u64, "run is", "runs are");
    html! {
        <section aria-label="File">
            <h3>{ "File" }<span class="ink-3">{ sharing.file_name.clone() }</span></h3>
            <div class="share-file">
                { paragraph("", "Scenario, all data, and the digests of its runs. Opening it runs it again and says whether the results agree.") }
                <button type="button" {class} onclick={save(sharing.file_name.clone(), &shared.bundle)}>{ format!("Save file, {}", size(bytes)) }</button>
            </div>
            if sharing.left_out > 0 {
                { caption(format!("{left_out} in the file only, not in the link: pinned, forked, or with settings of their own")) }
            }
        </section>
    }
}

/// A text to be copied. Where the browser lets no page copy, it is selected.
#[component]
fn CopyField(props: &CopyProps) -> Html {
    let is_copied = use_state(|| false);
    let on_copy = {
        let (text, is_copied) = (props.text.clone(), is_copied.clone());
        Callback::from(move |_: MouseEvent| {
            dom::copy_text(&text);
            is_copied.set(true);
        })
    };
    let on_focus = Callback::from(|event: FocusEvent| {
        event.target_dyn_into::<web_sys::HtmlInputElement>().iter().for_each(web_sys::HtmlInputElement::select);
    });
    html! {
        <div class="share-copy">
            <input type="text" readonly=true aria-label="Link to this scenario" value={props.text.clone()} onfocus={on_focus} />
            <button type="button" class="button primary" autofocus=true onclick={on_copy}>{ if *is_copied { "Copied" } else { "Copy link" } }</button>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct CopyProps {
    text: String,
}

fn save(name: String, file: &Packed) -> Callback<MouseEvent> {
    let file = file.clone();
    Callback::from(move |_| {
        let blob = Blob::new_with_u8_array_sequence(&js_sys::Array::of1(&file.array()));
        blob.iter().for_each(|blob| dom::download_blob(&name, blob));
    })
}

/// `412 bytes`, `41 kB`, `1.2 MB`.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => words::counted(bytes, "byte", "bytes"),
        1_000..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

/// With a capital letter.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| format!("{}{}", first.to_ascii_uppercase(), letters.as_str())).unwrap_or_default()
}
