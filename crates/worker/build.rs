//! Reads the presets while the worker is built: a page that gets them packed needs neither JSON nor importers.

use std::error::Error;
use std::path::PathBuf;

use elastiplan_documents::packed_presets;

fn main() -> Result<(), Box<dyn Error>> {
    // The documents are part of the documents crate; this script is built again when that changes.
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("presets.postcard"), postcard::to_stdvec(&packed_presets()?)?)?;
    Ok(())
}
