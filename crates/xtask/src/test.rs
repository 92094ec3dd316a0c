//! `cargo xtask test`: every test there is, natively, in a browser and end to end.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::budget::Budget;
use crate::commands::{print_steps, run, run_counting, run_quietly, step};
use crate::files::{files_below, sorted_files};
use crate::project::{Package, Profile, Project};
use crate::server::Served;
use crate::setup::{OtherBrowsers, WebKit};
use crate::tally::Tally;
use crate::{node, page, setup, trunk};

/// Built and tested by a command of its own, so that its dependencies are compiled once, as `cargo xtask` does it.
const XTASK: &str = "elastiplan-xtask";
/// The binary of the command line, and one of its tests.
const CLI: (&str, &str) = ("elastiplan", "golden");
/// Cargo's arguments for the native tests.
const CRATES: [&str; 4] = ["test", "--workspace", "--exclude", XTASK];
/// Deep on purpose: the page must work from any folder of a server.
const SUB_FOLDER: &str = "/some/deep/folder/";

/// A kind of test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Stage {
    /// Everything that runs without a browser
    Native,
    /// Tests of single crates as wasm, inside a browser or Node
    Browser,
    /// The finished page in browsers, driven as a user would
    E2e,
}

/// Environment variables that name the programs of browsers to the end-to-end tests; a browser that is missing has none.
type Programs = Vec<(&'static str, PathBuf)>;

/// Runs the stages, prints how long each step took, and ends with one line that counts all tests.
pub fn run_all(project: &Project, only: Option<Stage>) -> Result<ExitCode> {
    let stages = [Stage::Native, Stage::Browser, Stage::E2e];
    let wanted = stages.into_iter().filter(|stage| only.is_none_or(|only| only == *stage));
    let tally: Tally = wanted.map(|stage| run_stage(project, stage)).sum();
    print_steps();
    println!("{tally}");
    Ok(if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs a stage. One that cannot run counts as a failed test, and the others still run.
fn run_stage(project: &Project, stage: Stage) -> Tally {
    let result = match stage {
        Stage::Native => native(project),
        Stage::Browser => browser(project),
        Stage::E2e => end_to_end(project),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        Tally::ONE_FAILED
    })
}

fn native(project: &Project) -> Result<Tally> {
    step("Compiling the native tests: cargo test --workspace --no-run", "150 s the first time", || {
        run(project.cargo().args(CRATES).arg("--no-run"))
    })?;
    let crates = step("Native tests: cargo test --workspace", "60 s", || {
        run_counting(project.cargo().args(CRATES).args(["--no-fail-fast", "--", "--quiet"]), Tally::from_cargo)
    })?;
    let xtask = step("Tests of the build chain itself", "2 s", || {
        run_counting(project.cargo().args(["test", "--package", XTASK, "--", "--quiet"]), Tally::from_cargo)
    })?;
    Ok([crates, xtask].into_iter().sum())
}

fn browser(project: &Project) -> Result<Tally> {
    let tests = browser_tests(project)?;
    if tests.is_empty() {
        println!("==> Tests in the browser: no crate has any");
        return Ok(Tally::default());
    }
    setup::wasm_target()?;
    let browser = setup::browser()?;
    let runner = test_runner()?;
    let cargo = || {
        let mut cargo = project.cargo();
        cargo.args(["test", "--no-fail-fast", "--target", setup::WASM_TARGET, "--config", &runner]);
        for (package, file) in &tests {
            let name = file.file_stem().unwrap_or_default();
            cargo.args(["--package", &package.name, "--test"]).arg(name);
        }
        cargo
    };
    step("Compiling the tests in the browser: cargo test for wasm32 --no-run", "40 s the first time", || {
        run(cargo().arg("--no-run"))
    })?;
    step("Tests in the browser and in Node: cargo test for wasm32", "5 s", || {
        let mut cargo = cargo();
        cargo.env("CHROMEDRIVER", &browser.driver).env("WASM_BINDGEN_TEST_TIMEOUT", "400");
        run_counting(&mut cargo, Tally::from_cargo)
    })
}

/// The test files that are written for wasm-bindgen's test runner. Those that do not ask for a browser run in Node.
fn browser_tests(project: &Project) -> Result<Vec<(&Package, PathBuf)>> {
    let mut tests = Vec::new();
    for package in project.packages.iter().filter(|package| package.name != XTASK) {
        let files = sorted_files(&package.folder().join("tests"), ".rs")?;
        let content = |file: &PathBuf| std::fs::read_to_string(file).unwrap_or_default();
        let in_browser = files.into_iter().filter(|file| content(file).contains("wasm_bindgen_test"));
        tests.extend(in_browser.map(|file| (package, file)));
    }
    Ok(tests)
}

/// Cargo's setting that makes this program the runner of wasm tests.
fn test_runner() -> Result<String> {
    let own = std::env::current_exe().context("cannot tell where this program is")?;
    Ok(format!("target.{}.runner = ['{}', 'wasm-test-runner']", setup::WASM_TARGET, own.display()))
}

fn end_to_end(project: &Project) -> Result<Tally> {
    if !setup::node_packages(&project.root)? {
        anyhow::bail!("the end-to-end tests need Node.js 20 or newer with npm: please install it");
    }
    let browsers = browsers()?;
    let cli = step("Building the command line", "15 s the first time, then 1 s", || build_cli(project))?;
    let dist = page::build(project, Profile::Release)?;
    let specs = sorted_files(&project.root.join("tests/e2e"), ".spec.mjs")?;
    let own = step("End-to-end tests: node --test tests/e2e/*.spec.mjs", "60 s", || {
        drive(project, &dist, &specs, &browsers, &cli)
    })?;
    Ok([own, trunk_smoke(project, &browsers, &cli)?].into_iter().sum())
}

fn browsers() -> Result<Programs> {
    let mut programs = vec![("ELASTIPLAN_CHROMIUM", setup::browser()?.chromium)];
    let OtherBrowsers { firefox, webkit } = setup::other_browsers()?;
    programs.extend(firefox.map(|firefox| ("ELASTIPLAN_FIREFOX", firefox)));
    if let Some(WebKit { browser, driver, xvfb }) = webkit {
        let names = ["ELASTIPLAN_WEBKIT", "ELASTIPLAN_WEBKIT_DRIVER", "ELASTIPLAN_XVFB"];
        programs.extend(names.into_iter().zip([browser, driver, xvfb]));
    }
    Ok(programs)
}

/// The same page as Trunk builds it, where Trunk is installed.
fn trunk_smoke(project: &Project, browsers: &Programs, cli: &Path) -> Result<Tally> {
    println!("==> The page as built by Trunk");
    let Some(trunk) = trunk::find() else {
        println!("    skipped: trunk is not installed");
        return Ok(Tally::ONE_SKIPPED);
    };
    let dist = step("Building the page: trunk build --release", "60 s the first time, then 30 s", || {
        trunk::build(project, &trunk)
    })?;
    let spec = project.root.join("tests/e2e/smoke.spec.mjs");
    step("Smoke test of Trunk's page", "5 s", || drive(project, &dist, &[spec], browsers, cli))
}

/// Runs end-to-end tests against a page, which is served from a sub-folder.
fn drive(project: &Project, dist: &Path, specs: &[PathBuf], browsers: &Programs, cli: &Path) -> Result<Tally> {
    let node = node::find().context("node is not on PATH")?;
    let served = Served::start(dist, SUB_FOLDER, 0)?;
    let mut command = Command::new(node);
    command.args(["--test", "--test-reporter=spec"]).args(specs).current_dir(&project.root);
    command.env("ELASTIPLAN_URL", &served.url);
    command.env("ELASTIPLAN_CLI", cli);
    command.env("ELASTIPLAN_FIRST_LOAD", Budget::read(&project.root)?.first_load(dist, &files_below(dist)?).join(" "));
    command.envs(browsers.iter().cloned());
    run_counting(&mut command, Tally::from_node)
}

/// Builds the command line and returns its path. It is built as a dependency of one of its tests: by itself it would
/// have other features of its dependencies, and everything would be compiled once more.
fn build_cli(project: &Project) -> Result<PathBuf> {
    let (name, test) = CLI;
    let args = ["--test", test, "--no-run", "--message-format=json-render-diagnostics"];
    let messages = run_quietly(project.cargo().args(CRATES).args(args))?;
    let messages = String::from_utf8_lossy(&messages.stdout).into_owned();
    let executable = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let file = message["executable"].as_str().map(PathBuf::from)?;
        (message["target"]["name"] == name).then_some(file)
    };
    messages.lines().rev().find_map(executable).with_context(|| format!("{name} has no binary"))
}
