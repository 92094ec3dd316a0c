//! Pictures that take turns: one a frame, so that several at once do not hold up the page.

use std::cell::Cell;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

thread_local! {
    static IS_TAKEN: Cell<bool> = const { Cell::new(false) };
}

/// Takes the turn of this frame. Returns false if another picture has it: then its own comes in a later frame, for which it
/// has to ask. Those that ask first come first, since the browser calls back in that order.
pub fn take_turn() -> bool {
    if IS_TAKEN.replace(true) {
        return false;
    }
    // Asked for before those that wait ask for the next frame, so that the turn is free when they are called.
    let free = Closure::once_into_js(|| IS_TAKEN.set(false));
    if gloo::utils::window().request_animation_frame(free.unchecked_ref()).is_err() {
        IS_TAKEN.set(false);
    }
    true
}
