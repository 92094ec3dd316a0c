//! The page inside another one: what of it is there, what may be changed, and what it tells its host.

use crate::state::controls::{Controlled, controls};

/// The version of addresses and messages.
pub const VERSION: f64 = 1.0;
/// Characters of a link that a host may send, and bytes of a document.
pub const LINK_MAX: usize = 1_000_000;
/// Bytes of a document that a host may send.
pub const DOCUMENT_MAX: usize = 50_000_000;

/// Whether something is there, and may be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It may be changed.
    Shown,
    /// It is visible, and cannot be changed.
    Locked,
    /// It is not there; its value still holds.
    Hidden,
}

impl Access {
    /// The key of the address that lists such parts.
    pub fn key(self) -> &'static str {
        match self {
            Access::Shown => "show",
            Access::Locked => "lock",
            Access::Hidden => "hide",
        }
    }

    /// Its name for the user.
    pub fn label(self) -> &'static str {
        match self {
            Access::Shown => "Shown",
            Access::Locked => "Locked",
            Access::Hidden => "Hidden",
        }
    }
}

/// A part beside the fields of the scenario.
pub struct Part {
    /// Its name in addresses.
    pub name: &'static str,
    /// Its name for the user.
    pub label: &'static str,
    /// What it may be; the first if the address does not say.
    pub access: &'static [Access],
}

/// The parts beside the fields.
pub const PARTS: [Part; 4] = [
    Part { name: "policies", label: "Policies", access: &[Access::Locked, Access::Shown] },
    Part { name: "metrics", label: "Metrics", access: &[Access::Hidden, Access::Shown] },
    Part { name: "selection", label: "Selection", access: &[Access::Shown, Access::Locked] },
    Part { name: "planner", label: "Planner link", access: &[Access::Shown, Access::Hidden] },
];
/// The field that is there if the address does not say.
const FIRST_FIELD: &str = "what_if.rescale_cost_s";
/// Figures that may stand alone.
pub const FIGURES: [&str; 5] = ["timelines", "all", "each", "groups", "more"];

/// The page inside another one, as its address asks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Embed {
    lists: [Vec<String>; 3],
    /// The figure that stands alone.
    pub figure: Option<&'static str>,
}

impl Embed {
    /// As an address asks for it. `value` gives the value of a key. Names that this build does not know are passed over.
    pub fn of(value: impl Fn(&str) -> Option<String>) -> Self {
        let list = |access: Access| {
            let names = value(access.key()).unwrap_or_default();
            names.split(',').map(|name| name.trim().to_string()).collect()
        };
        let figure = value("figure").and_then(|name| FIGURES.into_iter().find(|known| *known == name));
        Self { lists: [Access::Shown, Access::Locked, Access::Hidden].map(list), figure }
    }

    /// Whether a part or a field is there. What is listed twice is hidden rather than locked, and locked rather than shown.
    pub fn access(&self, name: &str) -> Access {
        let [show, lock, hide] = &self.lists;
        let has = |list: &[String]| list.iter().any(|listed| listed == name);
        let part = PARTS.iter().find(|part| part.name == name);
        let usual = match (part, name) {
            (Some(part), _) => part.access.first().copied().unwrap_or(Access::Hidden),
            (None, FIRST_FIELD) => Access::Shown,
            (None, "cluster.nodes") => Access::Locked,
            (None, _) => Access::Hidden,
        };
        let asked = match (has(hide), has(lock), has(show)) {
            (true, ..) => Access::Hidden,
            (_, true, _) => Access::Locked,
            (.., true) => Access::Shown,
            _ => usual,
        };
        match part.is_none_or(|part| part.access.contains(&asked)) {
            true => asked,
            false => usual,
        }
    }

    /// The fields that are there, in the order of the inputs.
    pub fn fields(&self) -> Vec<(Controlled, Access)> {
        let all = controls(true).into_iter().chain(controls(false));
        all.map(|found| (found, self.access(found.field.key))).filter(|(_, access)| *access != Access::Hidden).collect()
    }
}

/// The part of an address that asks for an embedded page: `embed=1&show=…`. What is as usual is left out.
pub fn query(chosen: &[(&str, Access)], theme: &str, figure: Option<&str>) -> String {
    let usual = Embed::default();
    let mut query = "embed=1".to_string();
    for access in [Access::Shown, Access::Locked, Access::Hidden] {
        let of_it = chosen.iter().filter(|(name, of)| *of == access && usual.access(name) != access);
        let names: Vec<&str> = of_it.map(|(name, _)| *name).collect();
        if !names.is_empty() {
            query += &format!("&{}={}", access.key(), names.join(","));
        }
    }
    if theme != "auto" {
        query += &format!("&theme={theme}");
    }
    figure.into_iter().for_each(|figure| query += &format!("&figure={figure}"));
    query
}

/// What a host asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Opens a link.
    Link(String),
    /// Opens a scenario document, as JSON.
    Document(String),
    /// The state, now and when it changes.
    State,
    /// The height that the page would like, now and when it changes.
    Height,
}

impl Ask {
    /// What the text fields of a message ask. An error says what a host did wrong.
    pub fn read(kind: &str, link: Option<String>, document: Option<String>) -> Result<Self, &'static str> {
        match (kind, link, document) {
            ("state?", ..) => Ok(Ask::State),
            ("height?", ..) => Ok(Ask::Height),
            ("load", Some(link), None) if link.len() > LINK_MAX => Err("The link is too long"),
            ("load", Some(link), None) if link.contains("#v=") => Ok(Ask::Link(link)),
            ("load", Some(link), None) if link.starts_with("v=") => Ok(Ask::Link(format!("#{link}"))),
            ("load", None, Some(text)) if text.len() > DOCUMENT_MAX => Err("The document is too large"),
            ("load", None, Some(text)) if text.trim_start().starts_with('{') => Ok(Ask::Document(text)),
            ("load", ..) => Err("load needs a link with #v=, or a document"),
            _ => Err("The types are load, state? and height?"),
        }
    }
}

/// What happens to an embedded page.
#[derive(Debug)]
pub enum EmbedMsg {
    /// The page is there.
    Start,
    /// The host asks something, from this origin.
    Asked(Ask, String),
    /// The host sent what it should not, from this origin.
    Wrong(&'static str, String),
    /// Something was painted.
    Painted,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: &str) -> Embed {
        let pairs: Vec<(&str, &str)> = address.split('&').filter_map(|pair| pair.split_once('=')).collect();
        Embed::of(|key| pairs.iter().find(|(known, _)| *known == key).map(|(_, value)| (*value).to_string()))
    }

    #[test]
    fn one_what_if_is_there_at_first() {
        let usual = of("");
        let keys: Vec<(&str, Access)> =
            usual.fields().into_iter().map(|(found, access)| (found.field.key, access)).collect();
        assert_eq!(keys, [("cluster.nodes", Access::Locked), (FIRST_FIELD, Access::Shown)]);
        assert_eq!(
            ["policies", "metrics", "planner"].map(|name| usual.access(name)),
            [Access::Locked, Access::Hidden, Access::Shown]
        );
    }

    #[test]
    fn addresses_are_read_as_they_are_written() {
        let chosen = [("seed", Access::Shown), (FIRST_FIELD, Access::Hidden), ("metrics", Access::Shown)];
        let text = query(&chosen, "dark", Some("each"));
        assert_eq!(text, "embed=1&show=seed,metrics&hide=what_if.rescale_cost_s&theme=dark&figure=each");
        let embed = of(&text);
        assert_eq!(chosen.map(|(name, _)| embed.access(name)), chosen.map(|(_, access)| access));
        assert_eq!(embed.figure, Some("each"));
        assert_eq!(query(&[("policies", Access::Locked)], "auto", None), "embed=1");
    }

    #[test]
    fn rubbish_in_an_address_changes_nothing() {
        let embed = of("show=nothing,,metrics&lock=metrics&hide=policies&figure=<script>");
        assert_eq!((embed.access("policies"), embed.figure), (Access::Locked, None), "policies cannot be hidden");
        assert_eq!(embed.access("metrics"), Access::Hidden, "nor can metrics be locked");
        assert_eq!(of("show=seed&hide=seed").access("seed"), Access::Hidden);
    }

    #[test]
    fn hosts_that_ask_wrongly_are_told_so() {
        let read = |kind: &str, link: Option<&str>, document: Option<&str>| {
            Ask::read(kind, link.map(String::from), document.map(String::from))
        };
        assert_eq!(read("load", Some("https://example.org/#v=1&preset=sample"), None).unwrap(), {
            Ask::Link("https://example.org/#v=1&preset=sample".into())
        });
        assert_eq!(read("load", Some("v=1&preset=sample"), None), Ok(Ask::Link("#v=1&preset=sample".into())));
        assert_eq!(read("load", None, Some(" {}")), Ok(Ask::Document(" {}".into())));
        assert_eq!(read("state?", None, None), Ok(Ask::State));
        for (kind, link, document) in [
            ("", None, None),
            ("load", None, None),
            ("load", Some("javascript:alert(1)"), None),
            ("load", Some("#v=1"), Some("{}")),
            ("load", None, Some("no document")),
            ("State", None, None),
        ] {
            assert!(read(kind, link, document).is_err(), "{kind} {link:?} {document:?}");
        }
        assert_eq!(read("load", Some(&format!("#v=1{}", "x".repeat(LINK_MAX))), None), Err("The link is too long"));
    }
}
