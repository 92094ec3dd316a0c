//! The page: the only crate that touches the DOM. It does not know how a policy decides.
//!
//! Modules lie in layers, and none imports from a layer above it:
//!
//! 1. [`dom`], [`files`], [`theme`] and [`panic`] are what the page needs of the browser; [`elements`] and [`menu`]
//!    make what recurs on it; [`part`] fetches what comes later.
//! 2. [`state`] is everything that the page knows, as plain data.
//! 3. [`paint`] paints draw lists on canvases.
//! 4. [`timeline`] shows runs over time, [`chart`] figures.
//! 5. [`view`] is the HTML around them, from the state.
//! 6. [`app`] receives messages, updates the state and talks to the workers.

mod app;
mod chart;
mod dom;
mod elements;
mod files;
mod menu;
mod paint;
mod panic;
mod part;
mod state;
mod theme;
mod timeline;
mod view;

fn main() {
    panic::show_panics();
    if let Some(element) = gloo::utils::document().get_element_by_id("app") {
        element.set_inner_html("");
        yew::Renderer::<app::App>::with_root(element).render();
    }
}
