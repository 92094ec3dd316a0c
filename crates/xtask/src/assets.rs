//! The one list of assets: the `data-trunk` links of index.html, as Trunk reads them too.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context, Result, bail};

/// A `data-trunk` link and where it stands in the page.
#[derive(Debug, PartialEq, Eq)]
pub struct Link {
    pub span: Range<usize>,
    pub href: String,
    pub kind: Kind,
}

/// The kind of asset that a link names.
#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    Rust(RustModule),
    /// A stylesheet or an icon: a file whose name gets a hash, and a link with this `rel` that stays.
    Hashed(&'static str),
    CopyFile,
    CopyDir,
}

/// A binary to compile to wasm.
#[derive(Debug, PartialEq, Eq)]
pub struct RustModule {
    pub bin: String,
    pub is_worker: bool,
    /// What wasm-opt is called with.
    pub wasm_opt: Vec<String>,
}

impl Link {
    /// The manifest and the binary, if the link asks for one.
    pub fn rust_module(&self) -> Option<(&str, &RustModule)> {
        match &self.kind {
            Kind::Rust(module) => Some((&self.href, module)),
            _ => None,
        }
    }
}

type Attributes<'a> = BTreeMap<&'a str, &'a str>;

/// Finds the `data-trunk` links of a page.
pub fn links(page: &str) -> Result<Vec<Link>> {
    let mut links = Vec::new();
    let mut at = 0;
    while let Some(tag) = next_link_tag(page, at) {
        at = tag.end;
        let text = &page[tag.clone()];
        let attributes = attributes(text);
        if attributes.contains_key("data-trunk") {
            let (href, kind) = kind(&attributes).with_context(|| format!("in index.html: {text}"))?;
            links.push(Link { span: tag, href, kind });
        }
    }
    Ok(links)
}

/// The value of a one-line setting of Trunk.toml that is written as a literal string.
pub fn trunk_setting<'a>(trunk_toml: &'a str, key: &str) -> Result<&'a str> {
    let value = trunk_toml.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == key).then_some(value.trim())
    });
    let literal = value.and_then(|value| value.strip_prefix('\'')?.strip_suffix('\''));
    literal.with_context(|| format!("Trunk.toml has no line `{key} = '...'`"))
}

/// The next `<link ...>` at or after a place, outside comments.
fn next_link_tag(page: &str, mut at: usize) -> Option<Range<usize>> {
    loop {
        let start = at + page[at..].find('<')?;
        let rest = &page[start..];
        let length = if rest.starts_with("<!--") { rest.find("-->")? + 3 } else { tag_length(rest)? };
        if rest.starts_with("<link") {
            return Some(start..start + length);
        }
        at = start + length;
    }
}

fn tag_length(tag: &str) -> Option<usize> {
    let mut quoted = false;
    let end = tag.find(|c| {
        quoted ^= c == '"';
        c == '>' && !quoted
    })?;
    Some(end + 1)
}

fn attributes(tag: &str) -> Attributes<'_> {
    let mut rest = tag.trim_start_matches("<link").trim_end_matches(['>', '/']).trim();
    let mut attributes = Attributes::new();
    while !rest.is_empty() {
        let name_end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(name_end);
        let (value, after) = after.strip_prefix("=\"").and_then(|text| text.split_once('"')).unwrap_or(("", after));
        attributes.entry(name).or_insert(value);
        rest = after.trim_start_matches('=').trim_start();
    }
    attributes
}

fn kind(attributes: &Attributes<'_>) -> Result<(String, Kind)> {
    let href = attributes.get("href").context("the link has no href")?;
    let kind = match attributes.get("rel").copied() {
        Some("rust") => Kind::Rust(rust_module(attributes)?),
        Some("css") => Kind::Hashed("stylesheet"),
        Some("icon") => Kind::Hashed("icon"),
        Some("copy-file") => Kind::CopyFile,
        Some("copy-dir") => Kind::CopyDir,
        other => bail!("xtask does not know rel={other:?}"),
    };
    Ok((href.to_string(), kind))
}

fn rust_module(attributes: &Attributes<'_>) -> Result<RustModule> {
    if attributes.get("data-bindgen-target") != Some(&"web") {
        bail!("xtask builds ES modules only: data-bindgen-target must be \"web\"");
    }
    let level = attributes.get("data-wasm-opt").context("the link has no data-wasm-opt")?;
    let flags = attributes.get("data-wasm-opt-params").copied().unwrap_or_default();
    Ok(RustModule {
        bin: attributes.get("data-bin").context("the link has no data-bin")?.to_string(),
        is_worker: attributes.get("data-type") == Some(&"worker"),
        wasm_opt: std::iter::once(format!("-O{level}")).chain(flags.split_whitespace().map(str::to_owned)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = include_str!("../../../index.html");
    const TRUNK_TOML: &str = include_str!("../../../Trunk.toml");

    #[test]
    fn reads_a_link_over_several_lines() {
        let page = "<p><!-- <link data-trunk rel=\"css\" href=\"no\"> -->\n<link data-trunk rel=\"rust\" href=\"a/Cargo.toml\"\n  data-bin=\"a\" \
                    data-bindgen-target=\"web\" data-type=\"worker\" data-wasm-opt=\"3\" data-wasm-opt-params=\"-a  -b\">.";
        let links = links(page).unwrap();
        let [Link { span, href, kind: Kind::Rust(module) }] = &links[..] else { panic!("{links:?}") };
        assert_eq!(&page[span.end..], ".");
        assert_eq!(href, "a/Cargo.toml");
        assert!(module.is_worker);
        assert_eq!(module.wasm_opt, ["-O3", "-a", "-b"]);
    }

    #[test]
    fn leaves_other_links_alone_and_refuses_unknown_ones() {
        assert_eq!(links("<link rel=\"manifest\" href=\"a > b\">").unwrap(), []);
        assert!(links("<link data-trunk rel=\"scss\" href=\"a\">").is_err());
    }

    #[test]
    fn the_page_has_an_app_and_two_modules_of_the_worker() {
        let links = links(INDEX).unwrap();
        let modules = links.iter().filter_map(Link::rust_module);
        let found: Vec<_> = modules.map(|(_, module)| (module.bin.as_str(), module.is_worker)).collect();
        assert_eq!(found, [("elastiplan-web", false), ("elastiplan-worker", true), ("elastiplan-worker-full", true)]);
    }

    #[test]
    fn finds_the_patterns_of_trunk_toml() {
        assert!(trunk_setting(TRUNK_TOML, "pattern_script").unwrap().starts_with("<script"));
        assert!(trunk_setting(TRUNK_TOML, "pattern_preload").unwrap().starts_with("<link"));
        assert!(trunk_setting(TRUNK_TOML, "public_url").is_err(), "not a literal string");
    }
}
