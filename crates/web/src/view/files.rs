//! Buttons that open the browser's own choice of files.

use web_sys::{Event, HtmlInputElement};
use yew::prelude::*;

use crate::files::from_list;
use crate::state::message::Msg;

/// A button for files, or for a folder of them. What the files are is found out from their content.
pub(super) fn file_choice(label: &'static str, is_folder: bool, send: &Callback<Msg>) -> Html {
    let id = format!("files-{}", label.to_ascii_lowercase().replace(' ', "-"));
    let onchange = send.reform(|event: Event| {
        let input = event.target_dyn_into::<HtmlInputElement>();
        let files = input.as_ref().and_then(|input| input.files()).map(|list| from_list(&list)).unwrap_or_default();
        if let Some(input) = input {
            // So that the same file can be chosen again.
            input.set_value("");
        }
        Msg::Files(files)
    });
    html! {
        <span class="file-choice">
            <input id={id.clone()} type="file" multiple=true webkitdirectory={is_folder} {onchange} />
            <label class="button button-small" for={id}>{ label }</label>
        </span>
    }
}
