//! Below the inputs, on the Study screen.

use yew::prelude::*;

use crate::elements::{caption, classes};
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::study::StudyMsg;
use crate::state::study_progress;

/// The button that runs or stops the study, and how far it is.
pub(in crate::view) fn study_foot(page: &Page) -> Html {
    let shown = page.study.shown.as_ref();
    let (is_running, is_stale) = (page.study.is_running, shown.is_none_or(|shown| shown.is_stale));
    let (words, key, message): (_, _, fn() -> StudyMsg) = match is_running {
        true => ("Stop and keep", "Ctrl .", || StudyMsg::Stop),
        false => ("Run study", "Ctrl Enter", || StudyMsg::Run),
    };
    let class = classes("button run", (is_stale && !is_running).then_some("primary"));
    let note = match shown {
        Some(_) if is_stale && !is_running => "The curves are for earlier inputs".into(),
        Some(shown) => {
            study_progress::runs(&shown.view.progress) + &study_progress::time(&shown.view.progress, is_running)
        }
        None => String::new(),
    };
    html! {
        <>
            <div class="rail-buttons">
                <button {class} onclick={page.send.reform(move |_| Msg::Study(message()))}>
                    { words }<kbd aria-hidden="true">{ key }</kbd>
                </button>
            </div>
            { caption(note) }
        </>
    }
}
