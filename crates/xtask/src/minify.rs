//! Scripts and styles without what only their readers need: comments, indentation, long local names.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::files::files_below;
use crate::kept_files::SERVICE_WORKER;
use crate::project::Project;
use crate::{node, setup};

/// Minifies the scripts and styles of a page's folder, where there is Node.js for it. Documents and an author's files
/// stay as they are, and so does the service worker, which still has its placeholders.
pub fn minify(project: &Project, dir: &Path) -> Result<()> {
    let Some(node) = node::find().filter(|_| setup::node_packages(&project.root).unwrap_or_default()) else {
        println!("    Node.js with npm is missing: scripts and styles stay larger than need be, for want of esbuild");
        return Ok(());
    };
    let below = |file: &PathBuf| is_minified(file.strip_prefix(dir).unwrap_or(file));
    let files: Vec<_> = files_below(dir)?.into_iter().filter(below).collect();
    node::minify(&node, &project.root, dir, &files)
}

/// Whether a file of the page, by its path in the page's folder, is one that `index.html` names.
fn is_minified(below: &Path) -> bool {
    let folder = below.parent().map(|folder| folder.to_string_lossy()).unwrap_or_default();
    let is_own = folder.is_empty() || folder.starts_with("app-");
    is_own
        && below.extension().is_some_and(|ending| ending == "js" || ending == "css")
        && below != Path::new(SERVICE_WORKER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_styles_of_the_page_are_minified_and_no_others() {
        for (path, expected) in [
            ("boot.js", true),
            ("style-0123456789abcdef.css", true),
            ("app-0123456789abcdef/elastiplan-web.js", true),
            ("app-0123456789abcdef/elastiplan-web_bg.wasm", false),
            ("sw.js", false),
            ("docs/docs.css", false),
            ("scenarios/own.js", false),
            ("index.html", false),
        ] {
            assert_eq!(is_minified(Path::new(path)), expected, "{path}");
        }
    }
}
