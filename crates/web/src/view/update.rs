//! The bar that says that a new version of the page is ready.

use yew::prelude::*;

use crate::elements::docs_link;
use crate::state::message::Msg;
use crate::state::offline::{OfflineMsg, Update};
use crate::state::page::Page;

/// The bar; nothing where there is no new version.
pub(super) fn bar(page: &Page) -> Html {
    let Some((words, more)) = page.offline.bar(page.is_busy()) else { return Html::default() };
    let send = |msg: OfflineMsg| page.send.reform(move |_: MouseEvent| Msg::Offline(msg.clone()));
    html! {
        <div class="update-bar" role="status" aria-label="New version">
            <p><b>{ words }</b>{ format!(". {more}") }</p>
            { docs_link("link", "docs/changelog.html", "What is new") }
            <button class="button" onclick={send(OfflineMsg::Later)}>{ "Later" }</button>
            if page.offline.update == Update::Ready {
                <button class="button primary" onclick={send(OfflineMsg::Reload)}>{ "Reload now" }</button>
            }
        </div>
    }
}

/// The status line without a network; nothing with one.
pub(super) fn line(page: &Page) -> Html {
    match page.offline.words() {
        Some((since, what)) => html! { <span class="offline"><b>{ since }</b>{ format!(" {what}") }</span> },
        None => Html::default(),
    }
}
