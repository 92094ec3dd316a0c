//! Being told when an element changes its size.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

/// Reports changes of an element's size for as long as it is kept.
pub struct Resizes {
    observer: Option<ResizeObserver>,
    _on_resize: Closure<dyn FnMut()>,
}

impl Resizes {
    /// Of this element. A browser without such observers reports none.
    pub fn of(element: &Element, on_resize: impl FnMut() + 'static) -> Self {
        let on_resize = Closure::<dyn FnMut()>::new(on_resize);
        let observer = ResizeObserver::new(on_resize.as_ref().unchecked_ref()).ok();
        observer.iter().for_each(|observer| observer.observe(element));
        Self { observer, _on_resize: on_resize }
    }
}

impl Drop for Resizes {
    fn drop(&mut self) {
        self.observer.iter().for_each(ResizeObserver::disconnect);
    }
}
