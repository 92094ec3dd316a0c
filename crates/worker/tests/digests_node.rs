//! A run in Node is the run that the command line makes, to the bit: without being told otherwise, the runner of
//! these tests takes Node.
#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests do so, but not what tests share.
#![cfg(target_arch = "wasm32")]

mod shared;

use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn digests_equal_the_native_ones() {
    shared::assert_native_digests(shared::Runs::Sample);
}
