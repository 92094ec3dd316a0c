//! The build's id: a hash of the finished page.
//!
//! The page asks for the files whose names carry no hash, above all the worker's, with `?v=<id>`. So a browser never
//! runs an old worker under a new app.

use std::path::Path;

use anyhow::Result;
use xxhash_rust::xxh3::Xxh3;

use crate::files::{files_below, read, read_text};

/// The placeholder of the id in index.html and Trunk.toml.
const PLACEHOLDER: &str = "BUILD_ID";

/// Writes the build's id into the page of a folder.
pub fn stamp(dir: &Path) -> Result<String> {
    let id = build_id(dir)?;
    let index = dir.join("index.html");
    let page = read_text(&index)?;
    std::fs::write(&index, page.replace(PLACEHOLDER, &id))?;
    Ok(id)
}

/// A short hash of some bytes, for file names.
pub fn short_hash(bytes: &[u8]) -> String {
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(bytes))
}

fn build_id(dir: &Path) -> Result<String> {
    let mut hash = Xxh3::new();
    for file in files_below(dir)? {
        let content = read(&file)?;
        hash.update(file.strip_prefix(dir).unwrap_or(&file).as_os_str().as_encoded_bytes());
        hash.update(&content.len().to_le_bytes());
        hash.update(&content);
    }
    Ok(format!("{:016x}", hash.digest()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_follows_every_file() {
        let dir = tempfile::tempdir().unwrap();
        let index = dir.path().join("index.html");
        let stamped = |worker: &str| {
            std::fs::write(&index, "<meta content=BUILD_ID>").unwrap();
            std::fs::write(dir.path().join("worker.wasm"), worker).unwrap();
            stamp(dir.path()).unwrap()
        };
        let first = stamped("one");
        assert_eq!(std::fs::read_to_string(&index).unwrap(), format!("<meta content={first}>"));
        assert_ne!(first, stamped("two"));
        assert_eq!(first, stamped("one"));
    }
}
