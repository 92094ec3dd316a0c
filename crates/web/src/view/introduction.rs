//! One line on what this is, above the results until it is closed.

use yew::prelude::*;

use crate::dom;
use crate::elements::{close_button, docs_link};

/// Where the browser keeps that it was closed.
const KEY: &str = "elastiplan-introduction";

/// The introduction; nothing once it was closed in this browser.
#[component]
pub(super) fn Introduction() -> Html {
    let is_closed = use_state(|| dom::remembered(KEY).is_some());
    if *is_closed {
        return html! {};
    }
    let close = Callback::from(move |_| {
        dom::remember(KEY, Some("closed"));
        is_closed.set(true);
    });
    html! {
        <section class="introduction" aria-label="Introduction">
            <p>
                { "Elastiplan replays your jobs under different schedulers and cluster sizes" }
                <span class="introduction-aim">{ ", and shows which jobs wait, which are late and what it costs" }</span>
                { ". " }
                <span class="introduction-files">{ "Files stay in this browser. " }</span>
                { docs_link("link", "docs/reading.html", "How to read this page") }
            </p>
            { close_button("Close the introduction", "Do not show this again", close) }
        </section>
    }
}
