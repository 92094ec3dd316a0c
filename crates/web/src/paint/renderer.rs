//! Which of the two ways rectangles are painted in: with WebGL below the canvases, or on them.

use std::cell::RefCell;

use elastiplan_scene::Quads;
use gloo::events::{EventListener, EventListenerOptions};
use web_sys::HtmlCanvasElement;
use yew::Callback;

use super::gl::GlCanvas;

/// The renderer that the address requests, as `?renderer=gl` or `?renderer=2d`: for tests, benchmarks and doubtful
/// drivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    /// WebGL, if need be on the processor.
    Gl,
    /// Canvases only.
    Canvas,
    /// Nothing: whatever is faster by our measurements.
    None,
}

impl Request {
    fn of(query: &str) -> Self {
        let mut pairs = query.trim_start_matches('?').split('&').filter_map(|pair| pair.split_once('='));
        match pairs.find(|(name, _)| *name == "renderer") {
            Some((_, "gl")) => Request::Gl,
            Some((_, "2d")) => Request::Canvas,
            _ => Request::None,
        }
    }
}

/// Paints rectangles with WebGL where there is some and it is asked for or fast.
pub struct Renderer {
    request: Request,
    canvas: Option<HtmlCanvasElement>,
    gl: Option<GlCanvas>,
    listeners: Vec<EventListener>,
    quads: RefCell<Quads>,
}

impl Renderer {
    /// Before there is a canvas.
    pub fn new() -> Self {
        let query = gloo::utils::window().location().search().unwrap_or_default();
        Self { request: Request::of(&query), canvas: None, gl: None, listeners: Vec::new(), quads: RefCell::default() }
    }

    /// Starts on a canvas, if it is another. `on_change` is called when the browser takes the context away or gives it
    /// back.
    pub fn attach(&mut self, canvas: HtmlCanvasElement, on_change: &Callback<bool>) {
        if self.canvas.as_ref() == Some(&canvas) {
            return;
        }
        let listen = |name: &'static str, is_there: bool| {
            let on_change = on_change.clone();
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&canvas, name, options, move |event| {
                // Only then will it be given back.
                event.prevent_default();
                on_change.emit(is_there);
            })
        };
        self.listeners = vec![listen("webglcontextlost", false), listen("webglcontextrestored", true)];
        self.canvas = Some(canvas);
        self.renew();
    }

    /// The context was taken away or given back.
    pub fn renew(&mut self) {
        self.gl = match (self.request, &self.canvas) {
            (Request::Canvas, _) | (_, None) => None,
            (request, Some(canvas)) => GlCanvas::on(canvas, request == Request::None).filter(|gl| !gl.is_lost()),
        };
    }

    /// The context is gone for now.
    pub fn lose(&mut self) {
        if let Some(gl) = self.gl.take() {
            // What it painted last would shine through.
            gl.clear();
        }
    }

    /// Where rectangles are to be put, emptied; `None` if they are to be painted on the canvases.
    pub fn quads(&self) -> Option<&RefCell<Quads>> {
        self.gl.as_ref()?;
        self.quads.borrow_mut().clear();
        Some(&self.quads)
    }

    /// Paints what was put there. Whether it could: if not, the canvases are to be painted without it.
    pub fn paint(&self, size: (f64, f64), ratio: f64) -> bool {
        self.gl.as_ref().is_some_and(|gl| gl.paint(&self.quads.borrow(), size, ratio))
    }

    /// Whether WebGL is in use.
    pub fn is_gl(&self) -> bool {
        self.gl.is_some()
    }

    /// How it is called: for tests.
    pub fn name(&self) -> &'static str {
        if self.gl.is_some() { "gl" } else { "2d" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_may_ask_for_a_renderer() {
        let requests = ["", "?renderer=gl", "?renderer=2d", "?preset=a&renderer=2d", "?renderer=svg"].map(Request::of);
        assert_eq!(requests, [Request::None, Request::Gl, Request::Canvas, Request::Canvas, Request::None]);
    }
}
