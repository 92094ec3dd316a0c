//! Pictures for papers and slides, with their provenance in the file.

use elastiplan_present::drawing::svg::saved_svg;
use elastiplan_present::drawing::{Drawing, print_width_px, saved_size};
use elastiplan_present::figure::Figure;
use elastiplan_present::palette::Palette;
use elastiplan_present::provenance::Provenance;
use elastiplan_scene::Frame;
use js_sys::Uint8Array;
use plotters_canvas::CanvasBackend;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, HtmlCanvasElement};
use yew::Callback;

use super::png;
use crate::dom;
use crate::paint::canvas::{loose_canvas, png_blob};

/// Device pixels per CSS pixel: 384 dots per inch.
const RATIO: f64 = 4.0;
const PIXELS_PER_M: u32 = pixels_per_m(RATIO);

/// The resolution of a picture with so many device pixels per CSS pixel.
pub const fn pixels_per_m(ratio: f64) -> u32 {
    (ratio * 96.0 / 0.0254) as u32
}

/// The format of a saved figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Pixels.
    Png,
    /// Lines and text.
    Svg,
}

/// Hands a figure to the user as a file, in the light colours whatever the theme: it goes onto paper or a slide.
pub fn save(figure: &Figure, provenance: &Provenance, format: Format) {
    let name = |ending: &str| provenance.file_name(&figure.name, ending);
    match format {
        Format::Png => {
            if let Some(canvas) = canvas(figure, &Palette::light(), &provenance.printed(print_width_px())) {
                save_png(&canvas, name("png"), &figure.title, provenance, PIXELS_PER_M);
            }
        }
        Format::Svg => dom::download_typed(&name("svg"), saved_svg(figure, provenance).as_bytes(), "image/svg+xml"),
    }
}

/// Hands a picture to the user as a PNG file that says where it comes from.
pub fn save_png(canvas: &HtmlCanvasElement, name: String, title: &str, provenance: &Provenance, pixels_per_m: u32) {
    let (about, software) = (provenance.text(), provenance.software.clone());
    let words = [("Title", title.to_string()), ("Description", about), ("Software", software)];
    png_blob(canvas, Callback::from(move |blob| hand_over(name.clone(), words.clone(), pixels_per_m, blob)));
}

/// Draws a figure over a whole canvas. Returns where its plot lies; a canvas that refuses to be drawn on stays as it is.
pub fn draw_on(canvas: &HtmlCanvasElement, drawing: &Drawing<'_>) -> Option<Frame> {
    drawing.draw(CanvasBackend::with_canvas_object(canvas.clone())?).ok()
}

fn canvas(figure: &Figure, palette: &Palette, print: &[String]) -> Option<HtmlCanvasElement> {
    let size = saved_size(figure, print.len());
    let canvas = loose_canvas(size.0, size.1, RATIO)?;
    draw_on(&canvas, &Drawing { figure, palette, size, ratio: RATIO, print: Some(print), font_scale: 1.0 });
    Some(canvas)
}

/// Hands a PNG file over with words put into it, each with its keyword.
fn hand_over(name: String, words: [(&'static str, String); 3], pixels_per_m: u32, blob: Blob) {
    spawn_local(async move {
        // What was just made can be read.
        let Ok(buffer) = JsFuture::from(blob.array_buffer()).await else { return };
        let words = words.each_ref().map(|(keyword, text)| (*keyword, text.as_str()));
        let file = png::with_words(&Uint8Array::new(&buffer).to_vec(), &words, pixels_per_m);
        dom::download_typed(&name, &file, "image/png");
    });
}
