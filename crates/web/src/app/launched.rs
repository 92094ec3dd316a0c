//! Files that the system opens with the installed page. Only some browsers hand them over.

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::File;
use yew::Callback;

use crate::files::NamedFile;
use crate::state::message::Msg;

/// Reads files that the system hands over, from now on.
pub(super) fn listen(send: Callback<Msg>) {
    let queue = get(&js_sys::global(), "launchQueue");
    let Some(set) = queue.as_ref().and_then(|queue| method(queue, "setConsumer")) else { return };
    let on_launch = Closure::<dyn FnMut(JsValue)>::new(move |launch: JsValue| {
        let handles = get(&launch, "files").map(|files| Array::from(&files)).unwrap_or_default();
        let send = send.clone();
        spawn_local(async move {
            let mut files = Vec::new();
            for handle in handles.iter() {
                files.extend(file_of(&handle).await.map(|file| NamedFile { path: file.name(), file }));
            }
            if !files.is_empty() {
                send.emit(Msg::Files(files));
            }
        });
    });
    if let Some(queue) = queue {
        // A browser that refuses hands no files over.
        let _ = set.call1(&queue, on_launch.as_ref());
        on_launch.forget();
    }
}

async fn file_of(handle: &JsValue) -> Option<File> {
    let read = method(handle, "getFile")?.call0(handle).ok()?.dyn_into::<Promise>().ok()?;
    JsFuture::from(read).await.ok()?.dyn_into().ok()
}

fn get(object: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(object, &name.into()).ok().filter(|value| !value.is_undefined() && !value.is_null())
}

fn method(object: &JsValue, name: &str) -> Option<Function> {
    get(object, name)?.dyn_into().ok()
}
