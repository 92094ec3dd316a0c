//! The page: the only crate that touches the DOM. It does not know how a policy decides.
//!
//! [`state`] is what the page knows, as plain data that is tested natively; [`app`] holds it, talks to the workers and
//! listens to the browser; [`view`] shows it. [`timeline`] and [`chart`] draw runs. Keys and the palette share
//! the registry in [`command`]. [`verdict`] and [`table`] turn runs
//! into words and numbers.

mod app;
mod chart;
mod command;
mod dom;
mod files;
mod menu;
mod paint;
mod panic;
mod pool;
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
