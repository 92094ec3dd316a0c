//! A small sample of everything that can be read: included by the tests that read all of them.

use std::fs;
use std::path::{Path, PathBuf};

/// Files that belong together, by path and content.
pub type Sample = Vec<(String, Vec<u8>)>;

/// Every file of `crates/formats/tests/samples` by itself, and every folder with all its files together.
pub fn samples() -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/samples");
    let sample = |path: PathBuf| {
        let mut files = Vec::new();
        gather(&path, &mut files);
        let named =
            |path: PathBuf| (path.strip_prefix(&folder).unwrap().display().to_string(), fs::read(path).unwrap());
        files.into_iter().map(named).collect()
    };
    entries(&folder).into_iter().map(sample).collect()
}

/// A file, or all files below a folder.
fn gather(path: &Path, files: &mut Vec<PathBuf>) {
    match path.is_dir() {
        true => entries(path).iter().for_each(|path| gather(path, files)),
        false => files.push(path.into()),
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    #[allow(clippy::disallowed_methods)]
    paths.sort();
    paths
}
