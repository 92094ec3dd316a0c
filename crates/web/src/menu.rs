//! A button that opens a menu: how menus open and close, wherever they are.
//!
//! A menu closes when the focus goes elsewhere, and by Escape, which gives the focus back to the button.

use wasm_bindgen::JsCast;
use web_sys::{FocusEvent, HtmlElement, KeyboardEvent, Node};
use yew::prelude::*;

/// Whether a menu is open, and where it is.
#[derive(Clone)]
pub struct Menu {
    is_open: UseStateHandle<bool>,
    // Yew hears events at the root of the page: the target that it names is not the menu.
    whole: NodeRef,
    button: NodeRef,
}

/// The button of a menu.
pub struct MenuButton {
    /// Its text.
    pub words: &'static str,
    /// Its name, where that differs from its text.
    pub name: Option<&'static str>,
    /// Its style.
    pub class: &'static str,
    /// Whether it can be pressed.
    pub is_enabled: bool,
}

/// A menu that is closed at first.
#[hook]
pub fn use_menu() -> Menu {
    Menu { is_open: use_state(|| false), whole: use_node_ref(), button: use_node_ref() }
}

impl Menu {
    /// The button, and what it opens.
    pub fn html(&self, button: MenuButton, list: impl FnOnce() -> Html) -> Html {
        let is_open = *self.is_open;
        let (toggled, left, escaped) = (self.clone(), self.clone(), self.clone());
        let toggle = Callback::from(move |_: MouseEvent| toggled.is_open.set(!is_open));
        let leave = Callback::from(move |event: FocusEvent| {
            if !left.contains(event.related_target()) {
                left.is_open.set(false);
            }
        });
        let escape = Callback::from(move |event: KeyboardEvent| {
            if is_open && event.key() == "Escape" {
                event.prevent_default();
                escaped.close();
            }
        });
        html! {
            <div class="menu" ref={&self.whole} onfocusout={leave} onkeydown={escape}>
                <button type="button" class={button.class} ref={&self.button} aria-label={button.name}
                    disabled={!button.is_enabled} aria-expanded={is_open.to_string()} onclick={toggle}>
                    { button.words }
                </button>
                if is_open { { list() } }
            </div>
        }
    }

    /// Closes it, once something was chosen. The focus goes back to the button.
    pub fn close(&self) {
        self.is_open.set(false);
        if let Some(button) = self.button.cast::<HtmlElement>() {
            // A button that is gone takes no focus.
            let _ = button.focus();
        }
    }

    fn contains(&self, target: Option<web_sys::EventTarget>) -> bool {
        let target = target.and_then(|target| target.dyn_into::<Node>().ok());
        self.whole.cast::<Node>().is_some_and(|whole| whole.contains(target.as_ref()))
    }
}
