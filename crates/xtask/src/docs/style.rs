//! The looks of the documents' pages: the tokens of www/style.css with the rules of www/docs.css, and the script that
//! keeps the theme that was chosen in the app.

use std::path::Path;

use anyhow::{Context, Result};

use crate::files::read_text;
use crate::stamp::short_hash;

const TOKENS: &str = "www/style.css";
const RULES: &str = "www/docs.css";
const SCRIPT: &str = "www/docs-theme.js";

/// The names of the files that every page asks for.
pub struct Style {
    pub sheet: String,
    pub script: String,
}

/// Writes the style sheet and the script, under names with hashes.
pub fn write(root: &Path, folder: &Path) -> Result<Style> {
    let sheet = sheet(&read_text(&root.join(TOKENS))?, &read_text(&root.join(RULES))?)?;
    let script = read_text(&root.join(SCRIPT))?;
    let style = Style {
        sheet: format!("docs-{}.css", short_hash(sheet.as_bytes())),
        script: format!("docs-theme-{}.js", short_hash(script.as_bytes())),
    };
    std::fs::write(folder.join(&style.sheet), sheet)?;
    std::fs::write(folder.join(&style.script), script)?;
    Ok(style)
}

/// The tokens of both themes, then the rules. Without a chosen theme, and without scripts, the system's holds.
pub fn sheet(tokens: &str, rules: &str) -> Result<String> {
    let light = block(tokens, ":root {")?;
    let dark = block(tokens, ":root[data-theme=\"dark\"] {")?;
    Ok(format!(
        ":root {{{light}}}\n@media (prefers-color-scheme: dark) {{\n:root:not([data-theme]) {{{dark}}}\n}}\n\
         :root[data-theme=\"dark\"] {{{dark}}}\n{rules}"
    ))
}

/// The declarations that follow a selector.
fn block<'a>(css: &'a str, selector: &str) -> Result<&'a str> {
    let rest = css.split_once(selector).map(|(_, rest)| rest);
    let block = rest.and_then(|rest| rest.split_once('}')).map(|(block, _)| block);
    block.with_context(|| format!("{TOKENS} has no {selector} ... }}"))
}
