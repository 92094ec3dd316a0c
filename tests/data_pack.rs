//! Where the public traces are: included by the tests and benchmarks that read them.

use std::path::{Path, PathBuf};

/// A folder of the pack that `ELASTIPLAN_DATA` names (a path from the workspace's root) or that lies beside the
/// workspace; `None`, and said so, where there is none.
pub fn folder(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pack = std::env::var_os("ELASTIPLAN_DATA").map_or_else(|| "../shared/data".into(), PathBuf::from);
    let folder = root.join(pack).join(name);
    if !folder.is_dir() {
        println!("skipped: no data pack");
        return None;
    }
    Some(folder)
}
