//! Where runs of a study come from, and the way back.

use yew::prelude::*;

use crate::elements::link;
use crate::state::message::Msg;
use crate::state::page::Page;

/// The bar over the comparison, where points of a study were opened: `From the study: 54 nodes, seed 7`.
pub(super) fn from_study(page: &Page) -> Html {
    let Some(words) = page.opened_words() else { return html! {} };
    let back = page.send.reform(|_: MouseEvent| Msg::BackToStudy);
    html! {
        <div class="what-changed from-study" role="group" aria-label="From the study">
            <p><b>{ "From the study: " }</b>{ words }</p>
            { link("Back", back) }
        </div>
    }
}
