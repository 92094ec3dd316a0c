//! The menu of how timelines are shown: height of rows, order and groups, and lanes.

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, Node};
use yew::prelude::*;

use super::lanes::LANES;
use super::order::Order;
use crate::command::{self, Command};

#[derive(Properties, PartialEq)]
pub struct MenuProps {
    /// The lanes that are shown, by id.
    pub lanes: Vec<&'static str>,
    /// Shows or hides a lane.
    pub on_lane: Callback<&'static str>,
    /// Whether rows are as high as they can be.
    pub is_fitted: bool,
    /// Asks the timelines for something.
    pub on_order: Callback<Order>,
    /// Does what a command does.
    pub on_command: Callback<&'static Command>,
}

#[component]
pub fn ViewMenu(props: &MenuProps) -> Html {
    let is_open = use_state(|| false);
    let button = use_node_ref();
    // Yew hears events at the root of the page: the target that it names is not the menu.
    let menu = use_node_ref();
    let toggle = {
        let is_open = is_open.clone();
        Callback::from(move |_: MouseEvent| is_open.set(!*is_open))
    };
    let leave = {
        let (is_open, menu) = (is_open.clone(), menu.clone());
        Callback::from(move |event: FocusEvent| {
            let menu = menu.cast::<Node>();
            let next = event.related_target().and_then(|target| target.dyn_into::<Node>().ok());
            if !menu.is_some_and(|menu| menu.contains(next.as_ref())) {
                is_open.set(false);
            }
        })
    };
    let escape = {
        let (is_open, button) = (is_open.clone(), button.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && *is_open {
                event.prevent_default();
                is_open.set(false);
                if let Some(button) = button.cast::<HtmlElement>() {
                    let _ = button.focus();
                }
            }
        })
    };
    html! {
        <div class="menu" ref={menu} onfocusout={leave} onkeydown={escape}>
            <button ref={button} type="button" class="tl-button" aria-expanded={is_open.to_string()} onclick={toggle}>{ "View" }</button>
            if *is_open {
                <div class="menu-list tl-menu" tabindex="-1" role="group" aria-label="View">
                    { rows(props) }
                    { choices("Sort rows by", "sort-", props) }
                    { choices("Group rows by", "group-", props) }
                    { lanes(props) }
                </div>
            }
        </div>
    }
}

fn rows(props: &MenuProps) -> Html {
    let step = |higher: bool| props.on_order.reform(move |_: MouseEvent| Order::Rows { higher });
    html! {
        <section>
            <h3>{ "Height of rows" }</h3>
            <div class="tl-choices">
                <button type="button" aria-label="Lower rows" title="Lower rows (-)" disabled={props.is_fitted}
                    onclick={step(false)}>{ "Lower" }<kbd>{ "-" }</kbd></button>
                <button type="button" aria-label="Higher rows" title="Higher rows (+)" onclick={step(true)}>
                    { "Higher" }<kbd>{ "+" }</kbd></button>
            </div>
        </section>
    }
}

/// The commands whose ids begin alike. Their titles do too: what differs is what is said here.
fn choices(heading: &'static str, prefix: &'static str, props: &MenuProps) -> Html {
    let choice = |command: &'static Command| {
        let words = command.title.strip_prefix(heading).map_or("nothing", str::trim);
        let onclick = props.on_command.reform(move |_: MouseEvent| command);
        html! { <button type="button" title={command.title} {onclick}>{ words }</button> }
    };
    html! {
        <section>
            <h3>{ heading }</h3>
            <div class="tl-choices">{ for command::beginning(prefix).map(choice) }</div>
        </section>
    }
}

fn lanes(props: &MenuProps) -> Html {
    let lane = |lane: &'static super::lanes::LaneInfo| {
        let onchange = props.on_lane.reform(move |_: Event| lane.id);
        html! {
            <label><input type="checkbox" checked={props.lanes.contains(&lane.id)} {onchange} />{ lane.title }</label>
        }
    };
    html! {
        <section><h3>{ "Lanes" }</h3><div class="tl-lanes">{ for LANES.iter().map(lane) }</div></section>
    }
}
