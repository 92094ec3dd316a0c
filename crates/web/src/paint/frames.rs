//! Painting in step with the screen: however often something changes, it is painted once a frame.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// Calls back before the next frame, once, however often it was asked to.
pub struct Frames {
    is_asked: Rc<Cell<bool>>,
    handle: Cell<i32>,
    closure: Closure<dyn FnMut()>,
}

impl Frames {
    /// Will call `paint`.
    pub fn new(paint: impl Fn() + 'static) -> Self {
        let is_asked = Rc::new(Cell::new(false));
        let asked = Rc::clone(&is_asked);
        let closure = Closure::<dyn FnMut()>::new(move || {
            asked.set(false);
            paint();
        });
        Self { is_asked, handle: Cell::new(0), closure }
    }

    /// Asks for a frame.
    pub fn ask(&self) {
        if self.is_asked.replace(true) {
            return;
        }
        match gloo::utils::window().request_animation_frame(self.closure.as_ref().unchecked_ref()) {
            Ok(handle) => self.handle.set(handle),
            Err(_) => self.is_asked.set(false),
        }
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        if self.is_asked.get() {
            let _ = gloo::utils::window().cancel_animation_frame(self.handle.get());
        }
    }
}
