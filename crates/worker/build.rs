//! Reads the presets and binds the sample while the worker is built: a page that gets them packed needs neither JSON nor
//! importers, and shows the sample before it has heard from a worker.

use std::error::Error;
use std::path::PathBuf;

use elastiplan_documents::packed_presets;
use elastiplan_scenario::sample;

fn main() -> Result<(), Box<dyn Error>> {
    // The documents are part of the documents crate; this script is built again when that changes.
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("presets.postcard"), postcard::to_stdvec(&packed_presets()?)?)?;
    let sample = sample::scenario(sample::SEED);
    std::fs::write(out.join("sample.postcard"), postcard::to_stdvec(&sample)?)?;
    std::fs::write(out.join("sample-workload.postcard"), postcard::to_stdvec(&sample.workload().0)?)?;
    Ok(())
}
