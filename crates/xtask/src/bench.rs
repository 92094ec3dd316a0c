//! `cargo xtask bench`: how long things take, natively and in the browser, and how large the page is.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::commands::{run, step};
use crate::project::{Profile, Project};
use crate::server::Served;
use crate::{node, page, setup, size};

/// The crates that hold the native benchmarks of what the page waits for.
const BENCHES: [&str; 2] = ["elastiplan-planner", "elastiplan-scene"];
/// What measures the page.
const SCRIPTS: [&str; 2] = ["tests/bench/browser.mjs", "tests/bench/timelines.mjs"];

/// Prints figures; what they are compared with is in docs/benchmarks.md.
pub fn run_all(project: &Project) -> Result<()> {
    step("Native benchmarks: cargo bench", "8 minutes", || {
        let mut command = project.cargo();
        command.args(["bench", "--quiet"]);
        run(BENCHES.iter().fold(&mut command, |command, name| command.args(["--package", name])))
    })?;
    if !setup::node_packages(&project.root)? {
        bail!("the benchmarks in the browser need Node.js 20 or newer with npm: please install it");
    }
    let browser = setup::browser()?;
    let dist = page::build(project, Profile::Release)?;
    size::report(&dist)?;
    step("Benchmarks in the browser", "5 minutes", || {
        let node = node::find().context("node is not on PATH")?;
        let served = Served::start(&dist, "/", 0)?;
        SCRIPTS.iter().try_for_each(|script| {
            let mut command = Command::new(&node);
            command.arg(script).current_dir(&project.root);
            run(command.env("ELASTIPLAN_URL", &served.url).env("ELASTIPLAN_CHROMIUM", &browser.chromium))
        })
    })
}
