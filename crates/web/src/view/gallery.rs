//! Scenarios that an author has put beside the page.

use yew::prelude::*;

use super::rail::workload::OF_GALLERY;
use crate::elements::option;
use crate::state::gallery::{Gallery, Item};
use crate::state::page::Page;

/// They come first in the list of presets.
pub(super) fn options(page: &Page) -> Html {
    let Some(gallery) = page.gallery.get::<Gallery>() else { return Html::default() };
    let name = &page.planner.inputs().name;
    let item = |item: &Item| option(format!("{OF_GALLERY}{}", item.file), item.title.clone(), item.title == *name);
    html! { <optgroup label="Of this page">{ for gallery.items.iter().map(item) }</optgroup> }
}

/// What is said of the open one.
pub(super) fn about(page: &Page) -> Html {
    let gallery = page.gallery.get::<Gallery>();
    let Some(item) = gallery.and_then(|gallery| gallery.titled(&page.planner.inputs().name)) else {
        return Html::default();
    };
    html! {
        <>
            if !item.sentence.is_empty() {
                <details class="about"><summary class="caption" dir="auto">{ item.sentence.clone() }</summary></details>
            }
            if let Some(paper) = item.paper.clone() {
                <p><a class="link" href={paper} target="_blank" rel="noopener noreferrer">{ "The paper" }</a></p>
            }
        </>
    }
}
