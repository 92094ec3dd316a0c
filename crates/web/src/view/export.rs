//! The menu of files to take away.

use yew::prelude::*;

use crate::menu::{MenuButton, use_menu};
use crate::state::message::{Export, Msg};

#[derive(Properties, PartialEq)]
pub(super) struct ExportMenuProps {
    pub send: Callback<Msg>,
    pub is_enabled: bool,
}

#[component]
pub(super) fn ExportMenu(props: &ExportMenuProps) -> Html {
    let menu = use_menu();
    let item = |export: Export| {
        let (send, menu) = (props.send.clone(), menu.clone());
        let onclick = Callback::from(move |_| {
            menu.close();
            send.emit(Msg::Export(export));
        });
        html! {
            <li><button {onclick}>
                <span>{ export.label() }</span><span class="ink-3">{ export.file_name() }</span>
            </button></li>
        }
    };
    let button = MenuButton { words: "Export", name: None, class: "button", is_enabled: props.is_enabled };
    let list = || {
        html! { <ul class="menu-list" aria-label="Files to export">{ for Export::ALL.into_iter().map(item) }</ul> }
    };
    menu.html(button, list)
}
