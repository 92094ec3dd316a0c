//! The size budget of the page: how large each file may be, and which files belong to the first load. The pages of
//! documents beside it have a budget together, apart from the page's.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::docs;
use crate::files::read_text;
use crate::gallery;

/// The budget, from the root of the checkout.
pub const FILE: &str = "crates/xtask/size-budget.toml";

/// When the browser fetches a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    /// Before the comparison of the sample is painted.
    First,
    /// After that, or on request.
    Later,
    /// By those who read the documents: no part of the page.
    Docs,
    /// By those who read an author's scenarios: no part of the page.
    Own,
}

/// The most that the page may weigh, in kB (1,000 bytes) of brotli.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Budget {
    pub total: Total,
    /// Files that are fetched first, by their names without hashes.
    pub first_load: BTreeMap<String, u64>,
    /// Files that are fetched after that, or on request.
    pub later: BTreeMap<String, u64>,
}

/// The most that several files may weigh together, in kB.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Total {
    pub first_load: u64,
    /// Of the page: files of the first load and later ones.
    pub all_files: u64,
    /// Of the documents beside it.
    pub docs: u64,
}

impl Budget {
    /// Reads the budget of a checkout.
    pub fn read(root: &Path) -> Result<Budget> {
        toml::from_str(&read_text(&root.join(FILE))?).with_context(|| format!("in {FILE}"))
    }

    /// When a file is fetched, given by its path from the page's folder, and its budget in kB if it has one by itself;
    /// `None` for a file that should have a line and has none.
    pub fn of(&self, file: &Path) -> Option<(Load, Option<u64>)> {
        if file.starts_with(docs::FOLDER) {
            return Some((Load::Docs, None));
        }
        if file.starts_with(gallery::FOLDER) {
            return Some((Load::Own, None));
        }
        let name = name_without_hash(file);
        let of = |load, files: &BTreeMap<String, u64>| Some((load, Some(*files.get(&name)?)));
        of(Load::First, &self.first_load).or_else(|| of(Load::Later, &self.later))
    }

    /// The names of those files of a page's folder that belong to the first load.
    pub fn first_load<'a>(&self, dist: &Path, files: &'a [PathBuf]) -> Vec<&'a str> {
        let below = |file: &'a PathBuf| file.strip_prefix(dist).unwrap_or(file);
        let first = files.iter().filter(|file| matches!(self.of(below(file)), Some((Load::First, _))));
        first.filter_map(|file| file.file_name()?.to_str()).collect()
    }
}

/// A file's name as the budget has it: `style-0123456789abcdef.css` is `style.css`.
fn name_without_hash(file: &Path) -> String {
    const DIGITS: usize = 16;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let hash = name.match_indices('-').find_map(|(at, _)| {
        let end = at + 1 + DIGITS;
        let digits = name.get(at + 1..end)?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(at..end)
    });
    let mut name = name.to_string();
    if let Some(hash) = hash {
        name.replace_range(hash, "");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# kB\n[total]\nfirst-load = 7\nall-files = 9\ndocs = 3\n[first-load]\n\"a_bg.wasm\" = 4\n[later]\n\"b.js\" = 2\n";

    #[test]
    fn files_are_found_with_and_without_hash() {
        let budget: Budget = toml::from_str(TEXT).unwrap();
        assert_eq!(budget.total, Total { first_load: 7, all_files: 9, docs: 3 });
        let names = ["a-0123456789abcdef_bg.wasm", "b.js", "c.js", "docs/b.js", "docs/a_bg.wasm"];
        let expected = [
            Some((Load::First, Some(4))),
            Some((Load::Later, Some(2))),
            None,
            Some((Load::Docs, None)),
            Some((Load::Docs, None)),
        ];
        assert_eq!(names.map(|name| budget.of(Path::new(name))), expected);
        // The page itself may lie in a folder of that name.
        let dist = Path::new("/docs/dist");
        assert_eq!(budget.first_load(dist, &names.map(|name| dist.join(name))), ["a-0123456789abcdef_bg.wasm"]);
    }

    #[test]
    fn names_keep_what_is_no_hash() {
        for (name, plain) in [("worker-boot.js", "worker-boot.js"), ("style-00000000000000ff.css", "style.css")] {
            assert_eq!(name_without_hash(Path::new(name)), plain);
        }
    }

    #[test]
    fn lines_that_are_no_budget_are_named() {
        let error = |text: &str| toml::from_str::<Budget>(text).unwrap_err().to_string();
        let found = error(&TEXT.replace("\"b.js\" = 2", "b.js 2"));
        assert!(found.contains("line 9") && found.contains("b.js 2"), "{found}");
        let found = error(&TEXT.replace("[later]", "[soon]"));
        assert!(found.contains("unknown field `soon`, expected one of `total`, `first-load`, `later`"), "{found}");
        let found = error(&TEXT.replace("all-files = 9\n", ""));
        assert!(found.contains("[total]") && found.contains("missing field `all-files`"), "{found}");
    }
}
