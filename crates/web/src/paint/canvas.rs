//! Canvases: their size in device pixels, and their content as a file.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Blob, HtmlCanvasElement};
use yew::Callback;

/// Makes a canvas `width` x `height` CSS pixels large, at the screen's resolution. Its content is lost if that changes
/// anything.
pub fn resize(canvas: &HtmlCanvasElement, width: f64, height: f64, ratio: f64) {
    let (width_px, height_px) = ((width * ratio).round().max(1.0) as u32, (height * ratio).round().max(1.0) as u32);
    if canvas.width() != width_px || canvas.height() != height_px {
        canvas.set_width(width_px);
        canvas.set_height(height_px);
    }
}

/// A canvas that is not part of the page.
pub fn loose_canvas(width: f64, height: f64, ratio: f64) -> Option<HtmlCanvasElement> {
    let canvas: HtmlCanvasElement = gloo::utils::document().create_element("canvas").ok()?.dyn_into().ok()?;
    resize(&canvas, width, height, ratio);
    Some(canvas)
}

/// Device pixels per CSS pixel.
pub fn screen_ratio() -> f64 {
    gloo::utils::window().device_pixel_ratio().clamp(0.5, 4.0)
}

/// A canvas as a PNG file. Nothing is called if the browser cannot make one.
pub fn png_blob(canvas: &HtmlCanvasElement, on_blob: Callback<Blob>) {
    let made = Closure::once_into_js(move |blob: Option<Blob>| {
        if let Some(blob) = blob {
            on_blob.emit(blob);
        }
    });
    // Refused for a canvas without pixels only.
    let _ = canvas.to_blob(made.unchecked_ref());
}
