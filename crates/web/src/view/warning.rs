//! What a person should know before runs start: they may need more memory than the tab has.

use yew::prelude::*;

use crate::app::App;

/// The warning with what can be done, until the present inputs have run.
pub(super) fn warning(app: &App) -> Html {
    let Some(warning) = app.planner.warning() else { return Html::default() };
    let start = if app.planner.is_running() { "" } else { ". They start when you press Run" };
    html! {
        <p class="notice">
            <strong>{ warning.rule }</strong>
            { format!(". {}. {}{start}", warning.outcome, warning.repair) }
        </p>
    }
}
