//! Copying text.

use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Puts text on the clipboard, where the browser lets the page do so.
pub fn copy_text(text: &str) {
    let clipboard = gloo::utils::window().navigator().clipboard();
    // Pages that were not loaded over a secure connection have none.
    if clipboard.is_undefined() {
        return;
    }
    let written = clipboard.write_text(text);
    spawn_local(async move {
        // Refused by the person: the text is still on the page.
        let _ = JsFuture::from(written).await;
    });
}
