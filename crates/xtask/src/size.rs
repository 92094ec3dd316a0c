//! `cargo xtask size`: how much a visitor downloads.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::files::files_below;
use crate::node::{self, Sizes};

/// Prints the sizes of the files of a page.
pub fn report(dist: &Path) -> Result<()> {
    let files = files_below(dist).context("there is no page to measure; run `cargo xtask build` first")?;
    let Some(node) = node::find() else {
        return print_raw(dist, &files);
    };
    let sizes = node::measure(&node, &files)?;
    println!("{:>12} {:>12} {:>12}", "raw", "gzip", "brotli");
    for (file, sizes) in files.iter().zip(&sizes) {
        print_row(sizes, &shown(dist, file));
    }
    print_row(&total(&sizes), "all files");
    Ok(())
}

fn print_raw(dist: &Path, files: &[PathBuf]) -> Result<()> {
    println!("{:>12}   (compressed sizes need Node.js)", "raw");
    for file in files {
        println!("{:>12} {}", kilobytes(std::fs::metadata(file)?.len()), shown(dist, file));
    }
    Ok(())
}

fn print_row(sizes: &Sizes, name: &str) {
    let [raw, gzip, brotli] = [sizes.raw, sizes.gzip, sizes.brotli].map(kilobytes);
    println!("{raw:>12} {gzip:>12} {brotli:>12}  {name}");
}

fn total(sizes: &[Sizes]) -> Sizes {
    sizes.iter().fold(Sizes::default(), |sum, one| Sizes {
        raw: sum.raw + one.raw,
        gzip: sum.gzip + one.gzip,
        brotli: sum.brotli + one.brotli,
    })
}

fn kilobytes(bytes: u64) -> String {
    format!("{:.1} kB", bytes as f64 / 1000.0)
}

fn shown(dist: &Path, file: &Path) -> String {
    file.strip_prefix(dist).unwrap_or(file).display().to_string()
}
