//! Colours of the theme, as the browser computes them.

use std::cell::RefCell;
use std::rc::Rc;

use elastiplan_present::palette::{Colour, Palette};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::AttrValue;

/// The colours that hold inside an element. What the style sheets do not set has its light value.
pub fn palette_of(element: &Element) -> Palette {
    let probe = Probe::inside(element);
    Palette::with(|property, light| probe.colour(property, light))
}

thread_local! {
    /// The colours of the page with the theme that they are of.
    static OF_PAGE: RefCell<Option<(AttrValue, Rc<Palette>)>> = const { RefCell::new(None) };
}

/// The colours of the page, which are worked out once a theme: each of them costs the browser its styles.
pub fn palette_of_page(theme: &AttrValue) -> Rc<Palette> {
    let known = OF_PAGE.with_borrow(|known| known.clone().filter(|(of, _)| of == theme));
    if let Some((_, palette)) = known {
        return palette;
    }
    let palette = Rc::new(match gloo::utils::document().document_element() {
        Some(root) => palette_of(gloo::utils::document().body().map(Element::from).as_ref().unwrap_or(&root)),
        None => Palette::light(),
    });
    OF_PAGE.set(Some((theme.clone(), Rc::clone(&palette))));
    palette
}

/// An element whose `color` the browser works out: a custom property alone would come back as it is written.
struct Probe {
    element: Option<HtmlElement>,
}

impl Probe {
    fn inside(parent: &Element) -> Self {
        let element = gloo::utils::document().create_element("span").ok().and_then(|span| span.dyn_into().ok());
        if let Some(element) = &element {
            let element: &HtmlElement = element;
            element.set_hidden(true);
            // Where colours are forced, the style sheet gives tokens the system's: the probe is to tell them apart.
            let _ = element.style().set_property("forced-color-adjust", "none");
            // Without it a parent leaves the probe uncoloured.
            let _ = parent.append_child(element);
        }
        Self { element }
    }

    fn colour(&self, property: &str, light: &str) -> Colour {
        let computed = || {
            let element = self.element.as_ref()?;
            element.style().set_property("color", &format!("var({property}, {light})")).ok()?;
            let style = gloo::utils::window().get_computed_style(element).ok()??;
            let css = style.get_property_value("color").ok()?;
            Colour::parse(css)
        };
        computed().unwrap_or_else(|| Colour::of(light))
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        if let Some(element) = &self.element {
            element.remove();
        }
    }
}
