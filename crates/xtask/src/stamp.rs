//! The build's id: a hash of the finished page.
//!
//! The page asks for the files whose names carry no hash, above all the worker's, with `?v=<id>`. So a browser never
//! runs an old worker under a new app.

use std::path::Path;

use anyhow::Result;
use xxhash_rust::xxh3::Xxh3;

use crate::files::{files_below, read, read_text};
use crate::kept_files;
use crate::project::Profile;

/// The placeholder of the id in index.html, Trunk.toml and www/sw.js.
const PLACEHOLDER: &str = "BUILD_ID";
/// In index.html, the placeholder of whether browsers keep the page for when there is no network.
const OFFLINE: &str = "BUILD_OFFLINE";

/// Writes the build's id into the page of a folder, and into the service worker with the files that it keeps. Pages of
/// development builds are never kept: a browser would show an old one.
pub fn stamp(dir: &Path, profile: Profile) -> Result<String> {
    let id = build_id(dir)?;
    let index = dir.join("index.html");
    let offline = if profile == Profile::Release { "yes" } else { "no" };
    std::fs::write(&index, read_text(&index)?.replace(PLACEHOLDER, &id).replace(OFFLINE, offline))?;
    let worker = dir.join(kept_files::SERVICE_WORKER);
    let list = if profile == Profile::Release { kept_files::list(dir, &id)? } else { String::new() };
    let text = read_text(&worker)?.replace(PLACEHOLDER, &id).replace(kept_files::PLACEHOLDER, &list);
    std::fs::write(&worker, text)?;
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
        let file = |name: &str| dir.path().join(name);
        let stamped = |worker: &str, profile: Profile| {
            std::fs::write(file("index.html"), "<meta content=BUILD_ID><meta content=BUILD_OFFLINE>").unwrap();
            std::fs::write(file("worker.wasm"), worker).unwrap();
            std::fs::write(file("sw.js"), "BUILD_ID [/* BUILD_FILES */]").unwrap();
            stamp(dir.path(), profile).unwrap()
        };
        let written = |name: &str| std::fs::read_to_string(file(name)).unwrap();
        let first = stamped("one", Profile::Release);
        assert_eq!(written("index.html"), format!("<meta content={first}><meta content=yes>"));
        assert!(
            written("sw.js").starts_with(&format!("{first} [[\"worker.wasm?v={first}\",\"sha256-")),
            "{}",
            written("sw.js")
        );
        assert_ne!(first, stamped("two", Profile::Release));
        assert_eq!(first, stamped("one", Profile::Release));
        stamped("one", Profile::Dev);
        assert_eq!(written("sw.js"), format!("{first} []"));
        assert!(written("index.html").ends_with("<meta content=no>"));
    }
}
