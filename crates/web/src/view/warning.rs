//! The warning before runs that may need more memory than the tab has.

use yew::prelude::*;

use crate::state::page::Page;

/// The warning with what can be done, until the present inputs have run.
pub(super) fn warning(page: &Page) -> Html {
    let Some(warning) = page.planner.warning() else { return Html::default() };
    let start = if page.planner.is_running() { "" } else { ". They start when you press Run" };
    html! {
        <p class="notice">
            <strong>{ warning.rule }</strong>
            { format!(". {}. {}{start}", warning.outcome, warning.repair) }
        </p>
    }
}
