//! Divides the app's module: functions marked with `wasm_split` (crates/web/src/part.rs), and what only they need, move
//! into files that the app fetches later.
//!
//! `wasm_split_cli_support` reads what depends on what from the linker's relocations, which the app's build script asks
//! for. wasm-bindgen then gets the main module, and has to leave the linker's exports to it: the parts import memory and
//! the table of functions from there.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use wasm_split_cli_support::{Options, transform};

use crate::files::read;

/// Cargo's feature of the app whose builds can be divided.
pub const FEATURE: &str = "parts";

/// The script that fetches the parts of a module.
pub fn loader(bin: &str) -> String {
    format!("{bin}-parts.js")
}

/// Divides a linked module, whose script is going to be in the same folder. Writes the script that fetches the parts,
/// and the parts; returns the main module, which wasm-bindgen has to finish.
pub fn divide(input: &Path, out: &Path, bin: &str) -> Result<PathBuf> {
    let wasm = read(input)?;
    let main = out.join("main.wasm");
    let (script, loader) = (format!("./{bin}.js"), format!("./{}", loader(bin)));
    let mut options = Options::new(&wasm);
    options.output_dir = out;
    options.main_out_path = &main;
    options.link_name = &loader;
    options.main_module = &script;
    // Its errors are no `std::error::Error`.
    transform(options).map_err(|error| anyhow!("cannot divide {}: {error:#}", input.display()))?;
    Ok(main)
}
