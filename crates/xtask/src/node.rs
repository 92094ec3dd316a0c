//! Programs that run under Node.js.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::commands::{find_on_path, run_quietly};

/// A size before and after compression.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes {
    pub raw: u64,
    pub gzip: u64,
    pub brotli: u64,
}

const MEASURE: &str = "
const zlib = require('node:zlib');
for (const file of process.argv.slice(1)) {
  const data = require('node:fs').readFileSync(file);
  const gzip = zlib.gzipSync(data, { level: 9 });
  console.log(data.length, gzip.length, zlib.brotliCompressSync(data).length);
}";

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

fn parse_sizes(line: &str) -> Option<Sizes> {
    let mut numbers = line.split(' ').map(str::parse);
    let mut next = || numbers.next()?.ok();
    Some(Sizes { raw: next()?, gzip: next()?, brotli: next()? })
}
