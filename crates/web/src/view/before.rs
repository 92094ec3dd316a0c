//! What changed since a run was pinned.

use yew::prelude::*;

use crate::elements::link;
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::state::page::Page;

/// The bar under the verdict, where the baseline is pinned and the run beside it differs from it.
pub(super) fn what_changed(page: &Page) -> Html {
    let runs = page.planner.inputs().runs();
    let (Some(baseline), Some(other)) = (runs.first(), runs.iter().skip(1).find(|run| !run.is_hidden)) else {
        return html! {};
    };
    let Some(changed) = page.planner.what_changed() else { return html! {} };
    let (to, from) = match changed.changes.as_slice() {
        [] if changed.is_same_data => return html! {},
        [only] if changed.is_same_data => (only.to.clone(), only.from.clone()),
        _ => ("it".into(), "before".into()),
    };
    let edit = |edit: Edit| page.send.reform(move |_: MouseEvent| Msg::Edit(edit.clone()));
    html! {
        <div class="what-changed" role="group" aria-label="What changed">
            <p><b>{ "What changed: " }</b>{ changed.words }</p>
            <p class="what-changed-acts">
                { link(format!("Make {to} the baseline"), edit(Edit::Pin(other.id, true))) }
                { link(format!("Back to {from}"), edit(Edit::BackTo(baseline.id))) }
                { link("Unpin", edit(Edit::Pin(baseline.id, false))) }
            </p>
        </div>
    }
}
