//! Divides the app's module: functions marked with `wasm_split` (crates/web/src/part.rs), and what only they need, move
//! into files that the app fetches later.
//!
//! `wasm_split_cli_support` reads what depends on what from the linker's relocations, which the app's build script asks
//! for. wasm-bindgen then gets the main module, and has to leave the linker's exports to it: the parts import memory and
//! the table of functions from there.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use wasm_split_cli_support::{Options, transform};

use crate::files::{read, read_text};

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
    let loader = out.join(loader);
    let script = with_any_type(&read_text(&loader)?)?;
    std::fs::write(&loader, script).with_context(|| format!("cannot write {}", loader.display()))?;
    Ok(main)
}

/// How the library's script compiles a part.
const STREAMED: &str = "WebAssembly.instantiateStreaming(src, imports)";

/// What replaces that: as www/boot.js does it.
const INSTANTIATE: &str = r#"
// Some servers send modules as another type, which cannot be compiled as it comes.
async function instantiate(fetched, imports) {
    const response = await fetched;
    if (!response.ok) throw new Error(`the server answers ${response.status} to ${response.url}`);
    if (response.headers.get("content-type") === "application/wasm") return WebAssembly.instantiateStreaming(response, imports);
    return WebAssembly.instantiate(await response.arrayBuffer(), imports);
}
"#;

/// The script that fetches parts, from servers that send any type.
fn with_any_type(script: &str) -> Result<String> {
    ensure!(script.contains(STREAMED), "the script that fetches parts has another form");
    Ok(script.replace(STREAMED, "instantiate(src, imports)") + INSTANTIATE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_from_servers_that_send_any_type() {
        let script = format!("const load = async (imports) => ({STREAMED});");
        let found = with_any_type(&script).unwrap();
        assert!(found.starts_with("const load = async (imports) => (instantiate(src, imports));"), "{found}");
        assert!(with_any_type("const load = 1;").is_err());
    }
}
