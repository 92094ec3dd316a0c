//! `cargo xtask size`: the sizes of the files of the page, checked against the budget.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::budget::{self, Budget, Load};
use crate::files::files_below;
use crate::node::{self, Sizes};
use crate::project::Project;

/// The sizes of a page with their budget.
struct Report {
    files: Vec<File>,
    budget: Budget,
}

/// A file of the page.
struct File {
    name: String,
    sizes: Sizes,
    /// When it is fetched, and its budget in kB if it has one by itself; `None` if the budget lacks a line for it.
    line: Option<(Load, Option<u64>)>,
}

/// Prints the sizes of the finished page and what exceeds the budget. Returns whether the page is within it.
pub fn check(project: &Project) -> Result<bool> {
    let report = Report::measure(project)?;
    report.print();
    let excess = report.excess();
    for sentence in &excess {
        println!("over budget: {sentence}");
    }
    if !excess.is_empty() {
        println!("Make it smaller, or raise its line in {} and give the reason in the commit.", budget::FILE);
    }
    Ok(excess.is_empty())
}

impl Report {
    fn measure(project: &Project) -> Result<Report> {
        let dist = project.dist();
        let paths = files_below(&dist).context("there is no page to measure; run `cargo xtask build` first")?;
        let node = node::find().context("compressed sizes need Node.js: please install it")?;
        let budget = Budget::read(&project.root)?;
        let file = |(path, sizes): (&PathBuf, Sizes)| {
            let below = path.strip_prefix(&dist).unwrap_or(path);
            File { name: below.display().to_string(), sizes, line: budget.of(below) }
        };
        let files = paths.iter().zip(node::measure(&node, &paths)?).map(file).collect();
        Ok(Report { files, budget })
    }

    fn print(&self) {
        println!("{:>12} {:>12} {:>9}", "raw", "brotli", "budget");
        for File { name, sizes, line } in &self.files {
            let (suffix, budget) = match line {
                Some((Load::First, kb)) => ("", *kb),
                Some((Load::Later, kb)) => ("  (later)", *kb),
                // They are many, and their budget is for all of them.
                Some((Load::Docs | Load::Own, _)) => continue,
                None => ("", None),
            };
            print_row(*sizes, budget, &format!("{name}{suffix}"));
        }
        print_row(self.sum(&[Load::First]), Some(self.budget.total.first_load), "first load");
        print_row(self.sum(&[Load::First, Load::Later]), Some(self.budget.total.all_files), "all files of the page");
        print_row(self.sum(&[Load::Docs]), Some(self.budget.total.docs), "documents beside it, in docs/");
    }

    /// A sentence for each file and total above its budget, and for each file without one.
    fn excess(&self) -> Vec<String> {
        let files = self.files.iter().filter_map(|File { name, sizes, line }| match line {
            Some((_, kb)) => kb.and_then(|kb| excess(name, *sizes, kb)),
            None => Some(format!("{name} has no line under [first-load] or [later]")),
        });
        let totals = [
            excess("the first load", self.sum(&[Load::First]), self.budget.total.first_load),
            excess("all files together", self.sum(&[Load::First, Load::Later]), self.budget.total.all_files),
            excess("all documents together", self.sum(&[Load::Docs]), self.budget.total.docs),
        ];
        files.chain(totals.into_iter().flatten()).collect()
    }

    /// The sizes of files that are fetched at these times. A file without a line counts among the later ones.
    fn sum(&self, loads: &[Load]) -> Sizes {
        let is_counted = |file: &&File| loads.contains(&file.line.map_or(Load::Later, |(load, _)| load));
        self.files.iter().filter(is_counted).map(|file| file.sizes).sum()
    }
}

fn excess(name: &str, sizes: Sizes, budget_kb: u64) -> Option<String> {
    let over = sizes.brotli.checked_sub(budget_kb * 1000).filter(|over| *over > 0)?;
    Some(format!("{name} has {}, {} more than its {budget_kb} kB", kilobytes(sizes.brotli), kilobytes(over)))
}

fn print_row(sizes: Sizes, budget_kb: Option<u64>, name: &str) {
    let [raw, brotli] = [sizes.raw, sizes.brotli].map(kilobytes);
    let budget = budget_kb.map_or_else(|| "none".into(), |kb| format!("{kb} kB"));
    println!("{raw:>12} {brotli:>12} {budget:>9}  {name}");
}

fn kilobytes(bytes: u64) -> String {
    format!("{:.1} kB", bytes as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Total;

    #[test]
    fn what_is_over_says_by_how_much() {
        let row = |name: &str, brotli: u64, line| {
            let sizes = Sizes { raw: 2 * brotli, brotli };
            File { name: name.to_owned(), sizes, line }
        };
        let report = Report {
            files: vec![
                row("app.wasm", 5_250, Some((Load::First, Some(5)))),
                row("more.wasm", 2_000, Some((Load::Later, Some(2)))),
                row("new.js", 10, None),
                row("docs/a.html", 1_100, Some((Load::Docs, None))),
                row("docs/b.html", 1_000, Some((Load::Docs, None))),
            ],
            budget: Budget { total: Total { first_load: 6, all_files: 7, docs: 2 }, ..Budget::default() },
        };
        let expected = [
            "app.wasm has 5.2 kB, 0.2 kB more than its 5 kB",
            "new.js has no line under [first-load] or [later]",
            "all files together has 7.3 kB, 0.3 kB more than its 7 kB",
            "all documents together has 2.1 kB, 0.1 kB more than its 2 kB",
        ];
        assert_eq!(report.excess(), expected);
    }
}
