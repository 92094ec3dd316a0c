//! A run in the browser is the run that the command line makes, to the bit.
#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests do so, but not what tests share.
#![cfg(target_arch = "wasm32")]

mod shared;

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn digests_equal_the_native_ones() {
    shared::assert_native_digests(shared::Runs::All);
}
