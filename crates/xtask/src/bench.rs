//! `cargo xtask bench`: how long things take natively and in the browser, and how large the page is.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::commands::{run, step};
use crate::project::{Profile, Project};
use crate::server::Served;
use crate::{node, page, setup, size};

/// The crates with native benchmarks of what the page waits for.
const BENCHES: [&str; 3] = ["elastiplan-planner", "elastiplan-scene", "elastiplan-study"];

/// A kind of benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Stage {
    /// Policies, importers and drawing, without a browser
    Native,
    /// From navigation to the painted comparison of the sample
    FirstLoad,
    /// Simulations in the browser
    Policies,
    /// Frames and memory of the timelines
    Timelines,
    /// Frames and tasks of the page while a study runs
    Studies,
}

/// Runs the stages and prints figures; docs/benchmarks.md has those to compare with. The first load is measured for
/// each of the `dists` in turn, or, without any, for the page as it is built now.
pub fn run_all(project: &Project, only: Option<Stage>, dists: &[PathBuf]) -> Result<()> {
    let wanted = |stage| only.is_none_or(|only| only == stage);
    if wanted(Stage::Native) {
        step("Native benchmarks: cargo bench", "10 minutes", || {
            let mut command = project.cargo();
            command.args(["bench", "--quiet"]);
            run(BENCHES.iter().fold(&mut command, |command, name| command.args(["--package", name])))
        })?;
    }
    if only == Some(Stage::Native) {
        return Ok(());
    }
    if !setup::node_packages(&project.root)? {
        bail!("the benchmarks in the browser need Node.js 20 or newer with npm: please install it");
    }
    let browser = setup::browser()?;
    let script = |name: &str| script(project, &browser.chromium, name);
    if only == Some(Stage::FirstLoad) && !dists.is_empty() {
        return first_load(script("first-load.mjs")?, dists);
    }
    let dist = page::build(project, Profile::Release)?;
    if only.is_none() {
        size::check(project)?;
    }
    if wanted(Stage::FirstLoad) {
        first_load(script("first-load.mjs")?, std::slice::from_ref(&dist))?;
    }
    let served = Served::start(&dist, "/", 0)?;
    let on_page = |name: &str| run(script(name)?.env("ELASTIPLAN_URL", &served.url));
    if wanted(Stage::Policies) {
        step("Simulations in the browser", "3 minutes", || on_page("policies.mjs"))?;
    }
    if wanted(Stage::Timelines) {
        step("Timelines in the browser", "3 minutes", || on_page("timelines.mjs"))?;
    }
    if wanted(Stage::Studies) {
        step("A study in the browser", "1 minute", || on_page("studies.mjs"))?;
    }
    Ok(())
}

fn first_load(mut script: Command, dists: &[PathBuf]) -> Result<()> {
    step("First load, on localhost and at 10 Mbit/s", "1 minute a page", || run(script.args(dists)))
}

/// A script of tests/bench, to be run by Node.
fn script(project: &Project, chromium: &Path, name: &str) -> Result<Command> {
    let mut command = Command::new(node::find().context("node is not on PATH")?);
    command.arg(project.root.join("tests/bench").join(name)).env("ELASTIPLAN_CHROMIUM", chromium);
    Ok(command)
}
