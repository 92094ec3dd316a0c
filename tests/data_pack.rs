//! The public traces: included by the tests and benchmarks that read them.

use std::cell::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};

thread_local! {
    /// Whether the test on this thread was reported as skipped: each test has a thread of its own.
    static REPORTED: Cell<bool> = const { Cell::new(false) };
}

/// A folder of the pack that `ELASTIPLAN_DATA` names (a path from the workspace's root), or that lies beside the
/// workspace. `None` where there is none; the test is then reported as skipped.
pub fn folder(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pack = std::env::var_os("ELASTIPLAN_DATA").map_or_else(|| "../shared/data".into(), PathBuf::from);
    let folder = root.join(pack).join(name);
    if !folder.is_dir() {
        report_skipped();
        return None;
    }
    Some(folder)
}

/// Prints a line that `cargo xtask test` counts: once for each test, and past the test runner's capture of output,
/// which shows nothing of tests that return.
fn report_skipped() {
    if !REPORTED.replace(true) {
        // The runner may have left an unfinished line.
        let _ = std::io::stdout().write_all(b"\nskipped: no data pack\n");
    }
}
