//! Event listeners of the whole page: keys, files dragged over it, what is pasted, and the system's theme.

use std::cell::Cell;
use std::rc::Rc;

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::document;
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, DragEvent, Element, Event, EventTarget, HtmlElement, KeyboardEvent};
use yew::Callback;

use crate::files::{Dropped, pasted};
use crate::state::command::keys::{Focused, Pressed};
use crate::state::command::{Act, Command, keys};
use crate::state::kept::KeptMsg;
use crate::state::message::Msg;
use crate::{dom, part, theme};

/// Listens for as long as the result lives. `leave` is called when the page is left, perhaps for good.
pub(super) fn listeners(send: &Callback<Msg>, leave: impl Fn() + 'static) -> Vec<EventListener> {
    let mut listeners = vec![
        on(send, "keydown", |send, event| {
            let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
            // A dialog that is being fetched has no elements yet, but keys are its own.
            if is_dialog_awaited() && !(key.ctrl_key() || key.meta_key() || key.alt_key()) {
                if let Some(msg) = for_awaited_dialog(&key.key()) {
                    event.prevent_default();
                    send.emit(msg);
                }
                return;
            }
            let command = command_of(key).filter(|command| !dom::is_embed() || is_of_embed(key, command));
            if let Some(command) = command {
                event.prevent_default();
                send.emit(Msg::Do(command));
            }
        }),
        on(send, "dragover", |send, event| {
            if carries_files(event) {
                // Without this the browser would open the file instead.
                event.prevent_default();
                send.emit(Msg::DragOver(true));
            }
        }),
        on(send, "dragleave", |send, event| {
            // Between two elements of the page there is a related target; out of the window there is none.
            let has_left = event.dyn_ref::<DragEvent>().is_some_and(|event| event.related_target().is_none());
            if has_left {
                send.emit(Msg::DragOver(false));
            }
        }),
        on(send, "drop", |send, event| {
            if !carries_files(event) {
                return;
            }
            event.prevent_default();
            let data = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
            let Some(dropped) = data.map(|data| Dropped::take(&data)) else { return };
            let send = send.clone();
            send.emit(Msg::DragOver(false));
            wasm_bindgen_futures::spawn_local(async move { send.emit(Msg::Files(dropped.walk().await)) });
        }),
    ];
    listeners.push(on(send, "paste", |send, event| {
        let data = event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data);
        // A field takes what is pasted into it.
        let Some(data) = data.filter(|_| !event.default_prevented() && !is_on_field(event) && !dom::is_embed()) else {
            return;
        };
        let files = pasted(&data);
        if !files.is_empty() {
            event.prevent_default();
            send.emit(Msg::Files(files));
        }
    }));
    // Edits of one field are one step until it is left, or while a pointer is held down on it.
    listeners.push(on(send, "focusout", |send, event| {
        if is_on_field(event) {
            send.emit(Msg::FieldLeft);
        }
    }));
    let is_held = Rc::new(Cell::new(false));
    for (name, is_down) in [("pointerdown", true), ("pointerup", false), ("pointercancel", false)] {
        let (send, is_held) = (send.clone(), Rc::clone(&is_held));
        listeners.push(EventListener::new(&document(), name, move |event| {
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            let is_input = || target.is_some_and(|target| target.tag_name() == "INPUT");
            if if is_down { is_input() } else { is_held.get() } {
                is_held.set(is_down);
                send.emit(Msg::FieldHeld(is_down));
            }
        }));
    }
    let on_address = send.clone();
    listeners.push(EventListener::new(&gloo::utils::window(), "hashchange", move |_| {
        if dom::is_link(&dom::address()) {
            on_address.emit(Msg::OpenAddress);
        }
    }));
    let leave = Rc::new(leave);
    for (target, event) in [(document().unchecked_into(), "visibilitychange"), (dom_window(), "pagehide")] {
        let (send, leave) = (send.clone(), Rc::clone(&leave));
        listeners.push(EventListener::new(&target, event, move |event| {
            let is_left = event.type_() == "pagehide" || document().hidden();
            if is_left && part::state() == part::State::Present {
                leave();
                send.emit(Msg::Kept(Box::new(KeptMsg::SaveNow)));
            }
        }));
    }
    if let Some(query) = theme::system_query() {
        let send = send.clone();
        listeners.push(EventListener::new(&query, "change", move |_| send.emit(Msg::SystemTheme)));
    }
    listeners
}

fn on(send: &Callback<Msg>, event: &'static str, hear: fn(&Callback<Msg>, &Event)) -> EventListener {
    let send = send.clone();
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&document(), event, options, move |event| hear(&send, event))
}

fn dom_window() -> EventTarget {
    gloo::utils::window().unchecked_into()
}

/// Whether a dialog was opened whose part of the page is still being fetched.
fn is_dialog_awaited() -> bool {
    matches!(document().query_selector(".dialog-awaited"), Ok(Some(_)))
}

/// What a key without Ctrl means to a dialog that is being fetched: Escape closes it, and text is kept for it.
fn for_awaited_dialog(key: &str) -> Option<Msg> {
    match key {
        "Escape" => Some(Msg::Close),
        text if text.chars().count() == 1 && part::state() == part::State::Fetching => {
            Some(Msg::TypeAhead(text.into()))
        }
        _ => None,
    }
}

/// The command of a key where it is pressed.
fn command_of(event: &KeyboardEvent) -> Option<&'static Command> {
    if event.default_prevented() || event.is_composing() {
        return None;
    }
    let pressed = Pressed {
        key: event.key(),
        ctrl: event.ctrl_key() || event.meta_key(),
        alt: event.alt_key(),
        shift: event.shift_key(),
    };
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_in = |selector: &str| target.as_ref().is_some_and(|target| matches!(target.closest(selector), Ok(Some(_))));
    let focused = Focused {
        takes_text: target.as_ref().and_then(|target| target.dyn_ref::<HtmlElement>()).is_some_and(dom::takes_text),
        is_dialog: is_in("dialog, [role=dialog]"),
        is_strip: is_in(".tl-canvas"),
        is_study: matches!(document().query_selector(".app[data-screen=study]"), Ok(Some(_))),
        is_pressable: is_in("button, a, summary"),
        scrolls: is_in("[role=group][tabindex], .rail"),
    };
    keys::command_of(&pressed, focused)
}

/// Whether an event is about a field that takes text.
fn is_on_field(event: &Event) -> bool {
    let element = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    element.as_ref().is_some_and(dom::takes_text)
}

/// Whether a command is one of a page inside another one: of its timelines, while these have the focus. All other keys
/// are the host's.
fn is_of_embed(event: &KeyboardEvent, command: &Command) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_on_strip = target.is_some_and(|target| matches!(target.closest(".tl-canvas"), Ok(Some(_))));
    is_on_strip && matches!(command.act, Act::Timelines(_))
}

fn carries_files(event: &Event) -> bool {
    if dom::is_embed() {
        return false;
    }
    let data = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
    data.is_some_and(|data| data.types().includes(&"Files".into(), 0))
}
