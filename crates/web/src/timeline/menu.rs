//! The menu of how timelines are shown: height of rows, order and groups, and lanes.

use yew::prelude::*;

use crate::menu::{Menu, MenuButton};
use crate::state::command::{Command, registry};
use crate::state::order::Order;

/// What the menu shows and does.
pub struct ViewMenu {
    /// The lanes that there are, by id and title.
    pub offered: Vec<(&'static str, &'static str)>,
    /// Those that are shown, by id.
    pub lanes: Vec<&'static str>,
    /// Shows or hides a lane.
    pub on_lane: Callback<&'static str>,
    /// The ids of the commands by which jobs are ordered and grouped.
    pub in_force: [&'static str; 2],
    /// Whether rows are as high as they can be.
    pub is_fitted: bool,
    /// Asks the timelines for something.
    pub on_order: Callback<Order>,
    /// Does what a command does.
    pub on_command: Callback<&'static Command>,
}

impl ViewMenu {
    /// The button, and the menu that it opens.
    pub fn html(self) -> Html {
        let list = Callback::from(move |_: Menu| {
            html! {
                <div class="menu-list tl-menu" tabindex="-1" role="group" aria-label="View">
                    { choices("Stack GPUs by", "stack-", &self) }
                    { rows(&self) }
                    { choices("Sort rows by", "sort-", &self) }
                    { choices("Group rows by", "group-", &self) }
                    { lanes(&self) }
                </div>
            }
        });
        html! { <MenuButton words="View" class="tl-button" {list} /> }
    }
}

fn rows(menu: &ViewMenu) -> Html {
    let step = |higher: bool| menu.on_order.reform(move |_: MouseEvent| Order::Rows { higher });
    html! {
        <section>
            <h3>{ "Height of rows" }</h3>
            <div class="tl-choices">
                <button type="button" aria-label="Shorter rows" title="Shorter rows (-)" disabled={menu.is_fitted}
                    onclick={step(false)}>{ "Shorter" }<kbd>{ "-" }</kbd></button>
                <button type="button" aria-label="Taller rows" title="Taller rows (+)" onclick={step(true)}>
                    { "Taller" }<kbd>{ "+" }</kbd></button>
            </div>
        </section>
    }
}

/// The commands whose ids begin alike. Their titles do too, so that only the rest is shown.
fn choices(heading: &'static str, prefix: &'static str, menu: &ViewMenu) -> Html {
    let choice = |command: &'static Command| {
        let words = command.title.strip_prefix(heading).map_or("nothing", str::trim);
        let onclick = menu.on_command.reform(move |_: MouseEvent| command);
        let is_pressed = menu.in_force.contains(&command.id).to_string();
        html! { <button type="button" title={command.title} aria-pressed={is_pressed} {onclick}>{ words }</button> }
    };
    html! {
        <section>
            <h3>{ heading }</h3>
            <div class="tl-choices">{ for registry::beginning(prefix).map(choice) }</div>
        </section>
    }
}

fn lanes(menu: &ViewMenu) -> Html {
    let lane = |(id, title): (&'static str, &'static str)| {
        let onchange = menu.on_lane.reform(move |_: Event| id);
        html! { <label><input type="checkbox" checked={menu.lanes.contains(&id)} {onchange} />{ title }</label> }
    };
    html! {
        <section><h3>{ "Lanes" }</h3><div class="tl-lanes">{ for menu.offered.iter().copied().map(lane) }</div></section>
    }
}
