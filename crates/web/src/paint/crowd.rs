//! Rectangles that wait to be painted together. A few are painted by the canvas; of many, the pixels are computed here
//! and handed over as a picture.

use elastiplan_present::palette::Palette;
use elastiplan_scene::{Frame, Paint, Pixels};
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use super::canvas::{loose_canvas, resize};

/// From so many on computing them here is faster.
const MANY: usize = 300;

/// Rectangles, and what turns them into a picture: kept from frame to frame.
#[derive(Default)]
pub struct Crowd {
    /// In CSS pixels of the canvas, with the opacity in percent.
    waiting: Vec<(Frame, Paint, u8)>,
    pixels: Pixels,
    /// The picture goes by way of another canvas, or it would wipe out what lies below it.
    between: Option<(HtmlCanvasElement, CanvasRenderingContext2d)>,
}

impl Crowd {
    /// Another rectangle waits.
    pub fn wait(&mut self, frame: Frame, paint: Paint, share: u8) {
        self.waiting.push((frame, paint, share));
    }

    /// The waiting rectangles.
    pub fn waiting(&self) -> &[(Frame, Paint, u8)] {
        &self.waiting
    }

    /// Nothing waits any more.
    pub fn forget(&mut self) {
        self.waiting.clear();
    }

    /// Paints all that waits, if it is many. Whether it did.
    pub fn paint(&mut self, context: &CanvasRenderingContext2d, palette: &Palette, ratio: f64) -> bool {
        self.waiting.len() >= MANY && self.paint_many(context, palette, ratio).is_some()
    }

    fn paint_many(&mut self, context: &CanvasRenderingContext2d, palette: &Palette, ratio: f64) -> Option<()> {
        let canvas = context.canvas()?;
        let on_screen = |frame: &Frame| Frame {
            left: frame.left * ratio,
            top: frame.top * ratio,
            width: frame.width * ratio,
            height: frame.height * ratio,
        };
        let frames = self.waiting.iter().map(|(frame, _, _)| on_screen(frame));
        self.pixels.cover(frames, (canvas.width() as usize, canvas.height() as usize));
        for (frame, paint, share) in &self.waiting {
            self.pixels.rect(&on_screen(frame), palette.rgb(*paint), f64::from(*share) / 100.0);
        }
        let (width, height) = self.pixels.size();
        if width == 0 || height == 0 {
            return Some(());
        }
        if self.between.is_none() {
            let canvas = loose_canvas(1.0, 1.0, 1.0)?;
            let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
            self.between = Some((canvas, context));
        }
        let (between, on_it) = self.between.as_ref()?;
        if between.width() < width as u32 || between.height() < height as u32 {
            resize(between, width as f64, height as f64, 1.0);
        }
        let (left, top) = (self.pixels.left as f64, self.pixels.top as f64);
        let picture = ImageData::new_with_u8_clamped_array(Clamped(self.pixels.straight()), width as u32).ok()?;
        on_it.put_image_data(&picture, 0.0, 0.0).ok()?;
        let (width, height) = (width as f64, height as f64);
        // Pixel for pixel.
        context.set_image_smoothing_enabled(false);
        let drawn = context.draw_image_with_html_canvas_element_and_sw_and_sh_and_dx_and_dy_and_dw_and_dh(
            between,
            0.0,
            0.0,
            width,
            height,
            left / ratio,
            top / ratio,
            width / ratio,
            height / ratio,
        );
        drawn.ok()
    }
}
