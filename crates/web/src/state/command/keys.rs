//! Keys: which command a pressed key executes.

use super::registry::COMMANDS;
use super::{Command, Place};

/// The command of a key pressed in a place of the page.
pub fn command_of(pressed: &Pressed, focused: Focused) -> Option<&'static Command> {
    let is_page = !focused.takes_text && !focused.is_dialog;
    let counts = |place: Place| match place {
        // A plain key in a field is text.
        Place::Fields => is_page || pressed.ctrl,
        Place::Page => is_page,
        Place::Strip => focused.is_strip,
        Place::Study => focused.is_study && (pressed.ctrl || is_page && !focused.needs(&pressed.key)),
    };
    COMMANDS.iter().find(|command| counts(command.place) && command.keys.iter().any(|key| pressed.is(key)))
}

/// The kind of element that has the focus.
#[derive(Clone, Copy, Debug, Default)]
pub struct Focused {
    /// Whether it takes text, so that plain keys belong to it.
    pub takes_text: bool,
    /// Whether it lies in a dialog.
    pub is_dialog: bool,
    /// Whether it is a timeline.
    pub is_strip: bool,
    /// Whether the study is on the screen.
    pub is_study: bool,
    /// Whether Enter presses it: a button, a link.
    pub is_pressable: bool,
    /// Whether arrows move what it shows.
    pub scrolls: bool,
}

impl Focused {
    /// Whether a key without Ctrl has a meaning there already.
    fn needs(&self, key: &str) -> bool {
        match key {
            "Enter" => self.is_pressable,
            _ => self.scrolls && key.starts_with("Arrow"),
        }
    }
}

/// A key with its modifiers.
pub struct Pressed {
    /// Its name, as browsers have it.
    pub key: String,
    /// Whether Ctrl or Meta is held down.
    pub ctrl: bool,
    /// Whether Alt is held down.
    pub alt: bool,
    /// Whether Shift is held down.
    pub shift: bool,
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

/// The name of a key in browsers.
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
