//! A button that opens a menu: how menus open and close, wherever they are.
//!
//! A menu closes when the focus goes elsewhere, and by Escape, which gives the focus back to the button.

use wasm_bindgen::JsCast;
use web_sys::{FocusEvent, HtmlElement, KeyboardEvent, Node};
use yew::prelude::*;

use crate::dom;

/// Whether a menu is open, and where it is.
#[derive(Clone)]
pub struct Menu {
    is_open: UseStateHandle<bool>,
    /// The room for it in the window, as a style: for menus that a box with an edge would cut.
    place: UseStateHandle<String>,
    // Yew hears events at the root of the page: the target that it names is not the menu.
    whole: NodeRef,
    button: NodeRef,
}

/// Properties of a menu.
#[derive(Properties, PartialEq)]
pub struct MenuProps {
    /// The text of its button.
    pub words: AttrValue,
    /// More to the text of its button, in grey, where there is room; its accessible name is without it.
    #[prop_or_default]
    pub note: AttrValue,
    /// The accessible name of its button, where that differs from its text.
    #[prop_or_default]
    pub name: Option<AttrValue>,
    /// The style of its button.
    pub class: AttrValue,
    /// Whether it can be opened.
    #[prop_or(true)]
    pub is_enabled: bool,
    /// Makes what it opens.
    pub list: Callback<Menu, Html>,
}

/// A button, and what it opens. It is closed at first.
#[component]
pub fn MenuButton(props: &MenuProps) -> Html {
    let menu = Menu {
        is_open: use_state(|| false),
        place: use_state(String::new),
        whole: use_node_ref(),
        button: use_node_ref(),
    };
    let is_open = *menu.is_open;
    let (toggled, left, escaped) = (menu.clone(), menu.clone(), menu.clone());
    let toggle = Callback::from(move |_: MouseEvent| {
        toggled.is_open.set(!is_open);
        toggled.place.set(toggled.place_now());
    });
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
        <div class="menu" ref={&menu.whole} style={(*menu.place).clone()} onfocusout={leave} onkeydown={escape}>
            <button type="button" class={props.class.to_string()} ref={&menu.button} aria-label={props.name.clone()}
                disabled={!props.is_enabled} aria-expanded={is_open.to_string()} onclick={toggle}>
                { &props.words }
                if !props.note.is_empty() { <span class="menu-note" aria-hidden="true">{ " " }{ &props.note }</span> }
            </button>
            if is_open { { props.list.emit(menu.clone()) } }
        </div>
    }
}

impl Menu {
    /// Closes it, once something was chosen. The focus goes back to the button.
    pub fn close(&self) {
        self.is_open.set(false);
        if let Some(button) = self.button.cast::<HtmlElement>() {
            // A button that is gone takes no focus.
            let _ = button.focus();
        }
    }

    /// Below the button, or above it in the lower half of the window.
    fn place_now(&self) -> String {
        let Some(button) = self.button.cast::<HtmlElement>().map(|button| button.get_bounding_client_rect()) else {
            return String::new();
        };
        let (width, height) = (dom::window_width().unwrap_or_default(), dom::window_height().unwrap_or_default());
        let right = width - button.right();
        match button.top() > height / 2.0 {
            true => format!("--menu: auto {right}px {}px auto", height - button.top()),
            false => format!("--menu: {}px {right}px auto auto", button.bottom()),
        }
    }

    fn contains(&self, target: Option<web_sys::EventTarget>) -> bool {
        let target = target.and_then(|target| target.dyn_into::<Node>().ok());
        self.whole.cast::<Node>().is_some_and(|whole| whole.contains(target.as_ref()))
    }
}
