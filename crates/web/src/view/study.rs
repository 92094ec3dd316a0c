//! The Study screen.

mod editor;

use yew::prelude::*;

use crate::state::page::Page;

/// The screen.
pub fn study(page: &Page) -> Html {
    editor::editor(page)
}
