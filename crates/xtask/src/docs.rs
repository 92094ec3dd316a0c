//! The documentation as pages beside the page: docs/*.md and CHANGELOG.md as HTML, in `docs/` of the finished page.
//!
//! docs/README.md is the first of them, and lists all others: its headings and links are the list of pages that stands
//! beside each of them. Links between documents become links between pages; one that leads nowhere fails the build.

mod layout;
mod links;
mod page;
mod style;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use self::layout::Frame;
use self::links::Target;
use self::page::Page;
use crate::files::{files_below, read_text, sorted_files};

/// The folder of the documents in the checkout, and of the pages beside the page.
pub const FOLDER: &str = "docs";

/// The document that lists the others.
const INDEX: &str = "docs/README.md";
/// Documents that lie elsewhere in the checkout.
const OTHERS: [&str; 1] = ["CHANGELOG.md"];

/// All documents, read and checked.
#[derive(Debug)]
pub struct Docs {
    pages: Vec<Page>,
    groups: Vec<Group>,
}

/// Pages that the index lists under one heading.
#[derive(Debug, PartialEq, Eq)]
struct Group {
    heading: String,
    /// What the list calls each page, and the name of its file.
    pages: Vec<(String, String)>,
}

impl Docs {
    /// Reads the documents of a checkout. Fails where a link leads nowhere, or where the index lists not all of them.
    pub fn read(root: &Path) -> Result<Docs> {
        let in_folder = sorted_files(&root.join(FOLDER), ".md")?;
        let files = in_folder.into_iter().chain(OTHERS.map(|name| root.join(name)));
        let source = |file: &Path| file.strip_prefix(root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let read = |file: PathBuf| Page::read(&source(&file), &read_text(&file)?).with_context(|| source(&file));
        let pages: Vec<Page> = files.map(read).collect::<Result<_>>()?;
        let mut docs = Docs { pages, groups: Vec::new() };
        docs.check_links(root)?;
        docs.groups = docs.groups()?;
        Ok(docs)
    }

    /// Writes the pages into the folder of a finished page.
    pub fn write(&self, root: &Path, dist: &Path) -> Result<()> {
        let folder = dist.join(FOLDER);
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let frame = Frame { style: style::write(root, &folder)?, icon: icon(dist)?, groups: &self.groups };
        for page in &self.pages {
            std::fs::write(folder.join(&page.file), frame.around(page))?;
        }
        Ok(())
    }

    /// Whether an address relative to the page, `docs/metrics.html#bounds`, is that of a page or of a heading.
    #[cfg(test)]
    fn has_address(&self, address: &str) -> bool {
        let Some(below) = address.strip_prefix("docs/") else { return false };
        let (file, anchor) = below.split_once('#').unwrap_or((below, ""));
        self.page(if file.is_empty() { "index.html" } else { file }).is_some_and(|page| page.has_anchor(anchor))
    }

    fn page(&self, file: &str) -> Option<&Page> {
        self.pages.iter().find(|page| page.file == file)
    }

    fn check_links(&mut self, root: &Path) -> Result<()> {
        let mut found = Vec::new();
        for page in &self.pages {
            for link in &page.links {
                let exists = match link {
                    Target::Page { file, anchor } => self.page(file).is_some_and(|page| page.has_anchor(anchor)),
                    Target::Repository(path) => root.join(path).exists(),
                    Target::Elsewhere(_) => true,
                };
                if !exists {
                    found.push(format!("{} links to {link}, which does not exist", page.source));
                }
            }
        }
        if found.is_empty() { Ok(()) } else { bail!("{}", found.join("\n")) }
    }

    /// The list of pages, as the index has it.
    fn groups(&self) -> Result<Vec<Group>> {
        let index = self.page("index.html").with_context(|| format!("there is no {INDEX}"))?;
        let group = |links: &[(String, String, Target)]| {
            let page = |(_, words, target): &(String, String, Target)| match target {
                Target::Page { file, .. } => Some((words.clone(), file.clone())),
                _ => None,
            };
            let heading = links.first().map(|(heading, ..)| heading.clone()).unwrap_or_default();
            Group { heading, pages: links.iter().filter_map(page).collect() }
        };
        let groups: Vec<Group> = index.listed.chunk_by(|a, b| a.0 == b.0).map(group).collect();
        let is_listed = |page: &&Page| groups.iter().flat_map(|group| &group.pages).any(|(_, file)| *file == page.file);
        match self.pages.iter().filter(|page| page.source != INDEX).find(|page| !is_listed(page)) {
            Some(page) => bail!("{INDEX} does not list {}", page.source),
            None => Ok(groups),
        }
    }
}

/// The name of the page's icon, which carries a hash.
fn icon(dist: &Path) -> Result<Option<String>> {
    let name = |file: &PathBuf| Some(file.file_name()?.to_str()?.to_owned());
    Ok(files_below(dist)?.iter().filter_map(name).find(|name| name.starts_with("favicon")))
}

#[cfg(test)]
mod tests;
