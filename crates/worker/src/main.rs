//! The Web Worker. It starts and holds nothing yet.

use wasm_bindgen as _;

fn main() {}
