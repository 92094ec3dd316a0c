//! What the whole page listens for: keys, files dragged over it, and the system's theme.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::document;
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, Event, KeyboardEvent};
use yew::Callback;

use super::Msg;
use crate::files::Dropped;
use crate::{command, theme};

/// Listens for as long as the result lives.
pub(super) fn listeners(send: &Callback<Msg>) -> Vec<EventListener> {
    let mut listeners = vec![
        on(send, "keydown", |send, event| {
            if let Some(command) = event.dyn_ref::<KeyboardEvent>().and_then(command::of_event) {
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

fn carries_files(event: &Event) -> bool {
    let data = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
    data.is_some_and(|data| data.types().includes(&"Files".into(), 0))
}
