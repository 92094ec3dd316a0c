//! The page: the only crate that touches the DOM. It does not know how a policy decides.

#[allow(dead_code)]
mod runs;

use yew::prelude::*;

#[component]
fn App() -> Html {
    html! {
        <main>
            <h1>{ "Elastiplan" }</h1>
            <p>{ "A what-if planner for elastic deep-learning training clusters. Nothing leaves this browser." }</p>
        </main>
    }
}

fn main() {
    if let Some(element) = gloo::utils::document().get_element_by_id("app") {
        element.set_inner_html("");
        yew::Renderer::<App>::with_root(element).render();
    }
}
