//! Light and dark: as the system says, or as chosen.

use gloo::utils::{document_element, window};
use web_sys::MediaQueryList;

use crate::dom;

const KEY: &str = "elastiplan-theme";

/// The chosen theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// As the system says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Choice {
    /// The stored choice.
    pub fn remembered() -> Self {
        match (if dom::is_embed() { dom::asked("theme") } else { dom::remembered(KEY) }).as_deref() {
            Some("light") => Choice::Light,
            Some("dark") => Choice::Dark,
            _ => Choice::System,
        }
    }

    /// The next one round.
    pub fn next(self) -> Self {
        match self {
            Choice::System => Choice::Light,
            Choice::Light => Choice::Dark,
            Choice::Dark => Choice::System,
        }
    }

    /// Its name for the user.
    pub fn word(self) -> &'static str {
        match self {
            Choice::System => "system",
            Choice::Light => "light",
            Choice::Dark => "dark",
        }
    }

    /// Keeps it for next time.
    pub fn remember(self) {
        dom::remember(KEY, (self != Choice::System).then(|| self.word()));
    }

    /// Applies it to the page. Returns the theme in effect, `light` or `dark`.
    pub fn apply(self) -> &'static str {
        let theme = match self {
            Choice::Light => "light",
            Choice::Dark => "dark",
            Choice::System if system_query().is_some_and(|query| query.matches()) => "dark",
            Choice::System => "light",
        };
        let _ = document_element().set_attribute("data-theme", theme);
        theme
    }
}

/// Whether the system is dark; its change events follow the system.
pub fn system_query() -> Option<MediaQueryList> {
    window().match_media("(prefers-color-scheme: dark)").ok().flatten()
}
