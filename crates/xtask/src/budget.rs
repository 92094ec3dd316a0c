//! The size budget of the page: how large each file may be, and which files belong to the first load.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::files::read_text;

/// The budget, from the root of the checkout.
pub const FILE: &str = "crates/xtask/size-budget.toml";

/// When the browser fetches a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    /// Before the comparison of the sample is painted.
    First,
    /// After that, or on request.
    Later,
}

/// The most that the page may weigh, in kB (1,000 bytes) of brotli.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub first_load_kb: u64,
    pub all_files_kb: u64,
    pub files: Vec<(String, Load, u64)>,
}

impl Budget {
    /// Reads the budget of a checkout.
    pub fn read(root: &Path) -> Result<Budget> {
        Budget::parse(&read_text(&root.join(FILE))?).with_context(|| format!("in {FILE}"))
    }

    fn parse(text: &str) -> Result<Budget> {
        let mut budget = Budget::default();
        let mut section = "";
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = name;
                continue;
            }
            let entry = line.split_once('=').and_then(|(name, kb)| Some((name.trim(), kb.trim().parse().ok()?)));
            let (name, kb) = entry.with_context(|| format!("`{line}` is not of the form `name = kB`"))?;
            let name = name.trim_matches('"');
            match (section, name) {
                ("total", "first-load") => budget.first_load_kb = kb,
                ("total", "all-files") => budget.all_files_kb = kb,
                ("first-load", _) => budget.files.push((name.to_owned(), Load::First, kb)),
                ("later", _) => budget.files.push((name.to_owned(), Load::Later, kb)),
                _ => bail!("`{line}` stands under [{section}]; sections are [total], [first-load] and [later]"),
            }
        }
        ensure!(budget.first_load_kb > 0 && budget.all_files_kb > 0, "[total] needs first-load and all-files");
        Ok(budget)
    }

    /// When a file of the page is fetched, and its budget in kB; `None` for a file without a line.
    pub fn of(&self, file: &Path) -> Option<(Load, u64)> {
        let name = name_without_hash(file);
        self.files.iter().find(|(own, ..)| *own == name).map(|&(_, load, kb)| (load, kb))
    }

    /// The names of those of the files that belong to the first load.
    pub fn first_load<'a>(&self, files: &'a [PathBuf]) -> Vec<&'a str> {
        let first = files.iter().filter(|file| matches!(self.of(file), Some((Load::First, _))));
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

    const TEXT: &str =
        "# kB\n[total]\nfirst-load = 7\nall-files = 9\n[first-load]\n\"a_bg.wasm\" = 4\n[later]\n\"b.js\" = 2\n";

    #[test]
    fn files_are_found_with_and_without_hash() {
        let budget = Budget::parse(TEXT).unwrap();
        assert_eq!((budget.first_load_kb, budget.all_files_kb), (7, 9));
        let files = ["dist/a-0123456789abcdef_bg.wasm", "dist/b.js", "dist/c.js"].map(PathBuf::from);
        let found = files.each_ref().map(|file| budget.of(file));
        assert_eq!(found, [Some((Load::First, 4)), Some((Load::Later, 2)), None]);
        assert_eq!(budget.first_load(&files), ["a-0123456789abcdef_bg.wasm"]);
    }

    #[test]
    fn names_keep_what_is_no_hash() {
        for (name, plain) in [("worker-boot.js", "worker-boot.js"), ("style-00000000000000ff.css", "style.css")] {
            assert_eq!(name_without_hash(Path::new(name)), plain);
        }
    }

    #[test]
    fn lines_that_are_no_budget_are_named() {
        let error = |text: &str| Budget::parse(text).unwrap_err().to_string();
        assert_eq!(error("[later]\nb.js 2"), "`b.js 2` is not of the form `name = kB`");
        assert_eq!(
            error("[soon]\na = 1"),
            "`a = 1` stands under [soon]; sections are [total], [first-load] and [later]"
        );
        assert_eq!(error("[later]\na = 1"), "[total] needs first-load and all-files");
    }
}
