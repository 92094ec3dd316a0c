//! `cargo xtask bench`: how long things take, natively and in the browser, and how large the page is.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::commands::{run, step};
use crate::project::{Profile, Project};
use crate::server::Served;
use crate::{node, page, setup, size};

/// The crate that holds the native benchmarks.
const BENCHES: &str = "elastiplan-scenario";

/// Prints figures; what they are compared with is in docs/benchmarks.md.
pub fn run_all(project: &Project) -> Result<()> {
    step("Native benchmarks: cargo bench", "3 minutes", || {
        run(project.cargo().args(["bench", "--quiet", "--package", BENCHES]))
    })?;
    if !setup::node_packages(&project.root)? {
        bail!("the benchmarks in the browser need Node.js 20 or newer with npm: please install it");
    }
    let browser = setup::browser()?;
    let dist = page::build(project, Profile::Release)?;
    size::report(&dist)?;
    step("Benchmarks in the browser", "55 s", || {
        let node = node::find().context("node is not on PATH")?;
        let served = Served::start(&dist, "/", 0)?;
        let mut command = Command::new(node);
        command.arg("tests/bench/browser.mjs").current_dir(&project.root);
        run(command.env("ELASTIPLAN_URL", &served.url).env("ELASTIPLAN_CHROMIUM", &browser.chromium))
    })
}
