//! Programs that run under Node.js.

use std::iter::Sum;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::commands::{find_on_path, run_quietly};

/// A size in bytes, before and after compression.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes {
    pub raw: u64,
    pub brotli: u64,
}

impl Sum for Sizes {
    fn sum<I: Iterator<Item = Sizes>>(sizes: I) -> Sizes {
        sizes.fold(Sizes::default(), |sum, one| Sizes { raw: sum.raw + one.raw, brotli: sum.brotli + one.brotli })
    }
}

const MEASURE: &str = "
const zlib = require('node:zlib');
for (const file of process.argv.slice(1)) {
  const data = require('node:fs').readFileSync(file);
  console.log(data.length, zlib.brotliCompressSync(data).length);
}";

const MINIFY: &str = "
const [esbuild, outdir, ...entryPoints] = process.argv.slice(1);
const output = { outdir, outbase: outdir, allowOverwrite: true };
require(esbuild).buildSync({ entryPoints, ...output, minify: true, logLevel: 'warning' });";

/// Node.js, if it is on PATH.
pub fn find() -> Option<PathBuf> {
    find_on_path(&["node"])
}

/// The wasm-opt that npm installed. A system's own is never used: some versions corrupt what wasm-bindgen makes.
pub fn wasm_opt(root: &Path) -> PathBuf {
    root.join("node_modules/binaryen/bin/wasm-opt")
}

/// Compresses each file as a static host would, at the best level.
pub fn measure(node: &Path, files: &[PathBuf]) -> Result<Vec<Sizes>> {
    let output = run_quietly(Command::new(node).args(["-e", MEASURE, "--"]).args(files))?;
    let output = String::from_utf8_lossy(&output.stdout);
    output.lines().map(|line| parse_sizes(line).context("Node printed no sizes")).collect()
}

/// Minifies scripts and styles where they are, below a folder, with the esbuild that npm installed.
pub fn minify(node: &Path, root: &Path, dir: &Path, files: &[PathBuf]) -> Result<()> {
    let esbuild = root.join("node_modules/esbuild");
    run_quietly(Command::new(node).args(["-e", MINIFY, "--"]).args([&esbuild, dir]).args(files))?;
    Ok(())
}

fn parse_sizes(line: &str) -> Option<Sizes> {
    let (raw, brotli) = line.split_once(' ')?;
    Some(Sizes { raw: raw.parse().ok()?, brotli: brotli.parse().ok()? })
}
