//! The sheet of all keys, from the registry of commands.

use yew::prelude::*;

use super::dialog::Dialog;
use crate::elements::{docs_link, typed};
use crate::state::command::registry::COMMANDS;
use crate::state::command::{Command, Group};
use crate::state::message::Msg;

#[derive(Properties, PartialEq)]
pub(super) struct KeysProps {
    pub send: Callback<Msg>,
}

#[component]
pub(super) fn KeysSheet(props: &KeysProps) -> Html {
    let wanted = use_state(String::new);
    let set = wanted.setter();
    let oninput = Callback::from(move |event: InputEvent| set.set(typed(&event).to_lowercase()));
    let is_wanted = |command: &&Command| {
        !command.keys.is_empty()
            && (command.title.to_lowercase().contains(wanted.as_str())
                || command.keys.iter().any(|key| key.to_lowercase() == *wanted))
    };
    let column = |group: Group| {
        let commands: Vec<&Command> =
            COMMANDS.iter().filter(|command| command.group == group).filter(is_wanted).collect();
        html! {
            if !commands.is_empty() {
                <section>
                    <h3>{ group.label() }</h3>
                    <dl>{ for commands.into_iter().map(row) }</dl>
                </section>
            }
        }
    };
    let pointer = wanted.is_empty().then(pointer_column).unwrap_or_default();
    html! {
        <Dialog label="Keys" class="keys-sheet" on_close={props.send.reform(|()| Msg::Close)}>
            <header>
                <h2>{ "Keys" }</h2>
                <input type="search" placeholder="Filter" aria-label="Filter keys" {oninput} />
            </header>
            <div class="keys-columns">{ for Group::ALL.into_iter().map(column) }{ pointer }</div>
            { docs_link("link", "docs/reading.html", "How to read the page") }
        </Dialog>
    }
}

fn row(command: &Command) -> Html {
    let keys = command.keys.iter().map(|key| html! { <kbd>{ *key }</kbd> });
    html! { <><dt>{ for keys }</dt><dd>{ command.title }</dd></> }
}

/// The actions of pointers, in the same words as the keys.
const POINTER: [(&str, &str); 8] = [
    ("Drag", "Select time"),
    ("Shift drag", "Pan"),
    ("Ctrl wheel", "Zoom about the pointer"),
    ("Shift wheel", "Pan"),
    ("Wheel", "Scroll rows, or zoom where all fit"),
    ("Double click", "Zoom to a span"),
    ("Alt", "Do not snap to the edges of spans"),
    ("Two fingers", "Zoom and pan"),
];

fn pointer_column() -> Html {
    let row = |(how, what): &(&str, &str)| html! { <><dt><kbd>{ *how }</kbd></dt><dd>{ *what }</dd></> };
    html! { <section><h3>{ "On a timeline" }</h3><dl>{ for POINTER.iter().map(row) }</dl></section> }
}
