//! `cargo xtask fuzz`: damaged samples for every parser.

use anyhow::Result;

use crate::commands::run;
use crate::project::Project;

/// Runs crate `fuzz`, for so many seconds for each parser; without a target all of them.
pub fn run_all(project: &Project, target: Option<&str>, seconds: u64, seed: u64) -> Result<()> {
    let mut command = project.cargo();
    command.args(["run", "--quiet", "--package", "elastiplan-fuzz", "--"]).args(target);
    run(command.args(["--seconds", &seconds.to_string(), "--seed", &seed.to_string()]))
}
