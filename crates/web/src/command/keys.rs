//! From a key that is pressed to its command.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::{COMMANDS, Command, Place};
use crate::dom;

/// The command that a key asks for where it is pressed.
pub fn of_event(event: &KeyboardEvent) -> Option<&'static Command> {
    if event.default_prevented() || event.is_composing() {
        return None;
    }
    let pressed = Pressed {
        key: event.key(),
        ctrl: event.ctrl_key() || event.meta_key(),
        alt: event.alt_key(),
        shift: event.shift_key(),
    };
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_in = |selector: &str| target.as_ref().is_some_and(|target| matches!(target.closest(selector), Ok(Some(_))));
    let takes_text = target.as_ref().and_then(|target| target.dyn_ref::<HtmlElement>()).is_some_and(dom::takes_text);
    let is_page = !takes_text && !is_in("dialog, [role=dialog]");
    let counts = |place: Place| match place {
        // A plain key in a field is text.
        Place::Fields => is_page || pressed.ctrl,
        Place::Page => is_page,
        Place::Strip => is_in(".tl-canvas"),
    };
    COMMANDS.iter().find(|command| counts(command.place) && command.keys.iter().any(|key| pressed.is(key)))
}

/// A key with what is held down beside it.
struct Pressed {
    key: String,
    ctrl: bool,
    alt: bool,
    shift: bool,
}

impl Pressed {
    fn is(&self, name: &str) -> bool {
        let (held, key) = name.rsplit_once(' ').unwrap_or(("", name));
        let wants = |modifier: &str| held.split(' ').any(|word| word == modifier);
        // `?` and `+` need Shift on some keyboards and not on others; letters and named keys tell it apart.
        let shift_counts = key.chars().count() > 1 || key.chars().all(char::is_alphabetic) || is_arrow(key);
        self.ctrl == wants("Ctrl")
            && self.alt == wants("Alt")
            && (!shift_counts || self.shift == wants("Shift"))
            && self.key.eq_ignore_ascii_case(named(key))
    }
}

fn is_arrow(key: &str) -> bool {
    matches!(key, "←" | "→" | "↑" | "↓")
}

/// What browsers call a key.
fn named(key: &str) -> &str {
    match key {
        "←" => "ArrowLeft",
        "→" => "ArrowRight",
        "↑" => "ArrowUp",
        "↓" => "ArrowDown",
        "Esc" => "Escape",
        key => key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(key: &str, held: &str, name: &str, expected: bool) {
        let held = |modifier: &str| held.split(' ').any(|word| word == modifier);
        let pressed = Pressed { key: key.into(), ctrl: held("Ctrl"), alt: held("Alt"), shift: held("Shift") };
        assert_eq!(pressed.is(name), expected, "{key} as {name}");
    }

    #[test]
    fn keys_are_told_apart_by_what_is_held_down() {
        check("w", "", "W", true);
        check("W", "Shift", "W", false);
        check("w", "Ctrl", "W", false);
        check("z", "Ctrl", "Ctrl Z", true);
        check("Z", "Ctrl Shift", "Ctrl Z", false);
        check("Z", "Ctrl Shift", "Ctrl Shift Z", true);
        check("?", "Shift", "?", true);
        check("+", "Shift", "+", true);
        check("ArrowLeft", "Alt", "Alt ←", true);
        check("ArrowLeft", "Shift", "←", false);
        check("ArrowLeft", "Shift", "Shift ←", true);
        check("Escape", "", "Esc", true);
    }
}
