//! Builds the page with Trunk, to test that this still works.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::commands::{find_on_path, run_quietly};
use crate::project::Project;
use crate::{node, setup};

/// Trunk, where it is installed. The tools that it asks for are lent to it by shell scripts, hence Unix.
pub fn find() -> Option<PathBuf> {
    if cfg!(unix) { find_on_path(&["trunk"]) } else { None }
}

/// Builds the page with Trunk and returns its folder.
pub fn build(project: &Project, trunk: &Path) -> Result<PathBuf> {
    setup::wasm_target()?;
    let dist = project.scratch("trunk-dist");
    let path = path_with_tools(project)?;
    let mut command = Command::new(trunk);
    command.args(["build", "--release", "--offline", "--dist"]).arg(&dist);
    command.current_dir(&project.root).env("PATH", path).env("TRUNK_SKIP_VERSION_CHECK", "true");
    // Trunk reads NO_COLOR as a Boolean and gives up on the usual `1`.
    run_quietly(command.env_remove("NO_COLOR"))?;
    Ok(dist)
}

/// PATH, preceded by a folder with the tools that Trunk would otherwise download.
fn path_with_tools(project: &Project) -> Result<std::ffi::OsString> {
    let tools = project.scratch("trunk-tools");
    std::fs::create_dir_all(&tools).with_context(|| format!("cannot create {}", tools.display()))?;
    let own = std::env::current_exe().context("cannot tell where this program is")?;
    write_script(&tools.join("wasm-bindgen"), &format!("'{}' wasm-bindgen", own.display()))?;
    write_script(&tools.join("wasm-opt"), &format!("node '{}'", node::wasm_opt(&project.root).display()))?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths(std::iter::once(tools).chain(std::env::split_paths(&path)))?)
}

fn write_script(file: &Path, command: &str) -> Result<()> {
    std::fs::write(file, format!("#!/bin/sh\nexec {command} \"$@\"\n"))?;
    run_quietly(Command::new("chmod").arg("+x").arg(file)).map(drop)
}
