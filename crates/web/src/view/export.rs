//! The menu of files to take away.

use yew::prelude::*;

use crate::menu::{Menu, MenuButton};
use crate::state::message::{Export, Msg};

pub(super) fn export_menu(send: &Callback<Msg>, is_enabled: bool) -> Html {
    let send = send.clone();
    let list = Callback::from(move |menu: Menu| {
        let item = |export: Export| {
            let (send, menu) = (send.clone(), menu.clone());
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
        html! { <ul class="menu-list" aria-label="Files to export">{ for Export::ALL.into_iter().map(item) }</ul> }
    });
    html! { <MenuButton words="Export" class="button" {is_enabled} {list} /> }
}
