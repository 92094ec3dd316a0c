//! Where the links of a document lead.

use std::fmt;

use anyhow::{Result, bail};

use super::{FOLDER, INDEX, OTHERS};

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// To a page beside the page.
    Page {
        /// The name of its file: `metrics.html`.
        file: String,
        /// The heading without `#`; empty for the top.
        anchor: String,
    },
    /// To a file of the checkout that is no page, by its path from the root.
    Repository(String),
    /// To another site.
    Elsewhere(String),
}

impl Target {
    /// Reads a link as it is written in a document, given by its path from the root: `../README.md#start`.
    pub fn of(link: &str, source: &str) -> Result<Target> {
        if link.starts_with("https://") || link.starts_with("http://") {
            return Ok(Target::Elsewhere(link.to_owned()));
        }
        if link.contains(':') || link.starts_with('/') {
            bail!("the link {link} is neither https nor relative");
        }
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let path = if path.is_empty() { source.to_owned() } else { join(source, path)? };
        Ok(match page_file(&path) {
            Some(file) => Target::Page { file, anchor: anchor.to_owned() },
            None => Target::Repository(path),
        })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Page { file, anchor } if anchor.is_empty() => f.write_str(file),
            Target::Page { file, anchor } => write!(f, "{file}#{anchor}"),
            Target::Repository(path) | Target::Elsewhere(path) => f.write_str(path),
        }
    }
}

/// The name of the page that is made of a file of the checkout; `None` for a file of which none is made.
pub fn page_file(path: &str) -> Option<String> {
    if path == INDEX {
        return Some("index.html".into());
    }
    let is_page = OTHERS.contains(&path)
        || path.strip_prefix(FOLDER).and_then(|rest| rest.strip_prefix('/')).is_some_and(|name| !name.contains('/'));
    let stem = path.rsplit('/').next()?.strip_suffix(".md")?;
    is_page.then(|| format!("{}.html", stem.to_lowercase()))
}

/// The path that a document at `source` calls `path`.
fn join(source: &str, path: &str) -> Result<String> {
    let mut parts: Vec<&str> = source.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.pop().is_none() => bail!("the link {path} leads out of the checkout"),
            ".." => {}
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}
