//! The menu of files to take away.

use wasm_bindgen::JsCast;
use web_sys::{FocusEvent, HtmlElement, KeyboardEvent, Node};
use yew::prelude::*;

use crate::app::{Export, Msg};

#[derive(Properties, PartialEq)]
pub(super) struct ExportMenuProps {
    pub send: Callback<Msg>,
    pub is_enabled: bool,
}

#[component]
pub(super) fn ExportMenu(props: &ExportMenuProps) -> Html {
    let is_open = use_state(|| false);
    let button = use_node_ref();
    // Yew hears events at the root of the page: the target that it names is not the menu.
    let menu = use_node_ref();
    let toggle = {
        let is_open = is_open.clone();
        Callback::from(move |_| is_open.set(!*is_open))
    };
    let close_without_focus = {
        let (is_open, menu) = (is_open.clone(), menu.clone());
        Callback::from(move |event: FocusEvent| {
            let menu = menu.cast::<Node>();
            let next = event.related_target().and_then(|target| target.dyn_into::<Node>().ok());
            if !menu.is_some_and(|menu| menu.contains(next.as_ref())) {
                is_open.set(false);
            }
        })
    };
    let close_with_escape = {
        let (is_open, button) = (is_open.clone(), button.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && *is_open {
                event.prevent_default();
                is_open.set(false);
                if let Some(button) = button.cast::<HtmlElement>() {
                    let _ = button.focus();
                }
            }
        })
    };
    let item = |export: Export| {
        let (send, is_open) = (props.send.clone(), is_open.clone());
        let onclick = Callback::from(move |_| {
            is_open.set(false);
            send.emit(Msg::Export(export));
        });
        html! {
            <li><button {onclick}>
                <span>{ export.label() }</span><span class="ink-3">{ export.file_name() }</span>
            </button></li>
        }
    };
    html! {
        <div class="menu" ref={menu} onfocusout={close_without_focus} onkeydown={close_with_escape}>
            <button class="button" ref={button} disabled={!props.is_enabled} aria-expanded={is_open.to_string()}
                onclick={toggle}>{ "Export" }</button>
            if *is_open {
                <ul class="menu-list" aria-label="Files to export">{ for Export::ALL.into_iter().map(item) }</ul>
            }
        </div>
    }
}
