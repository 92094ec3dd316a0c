//! The row in which a study is edited: what is varied, what is asked.

use yew::prelude::*;

use crate::state::page::Page;

/// The row: chips for axes and goals.
pub(super) fn editor(_page: &Page) -> Html {
    Html::default()
}
