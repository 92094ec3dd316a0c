//! `cargo xtask`: builds, serves, tests and measures the page, and installs the programs that this takes.
//!
//! One file per command. The crate knows how the other crates are put together into a page, and nothing of what they do.

#![allow(clippy::disallowed_methods)] // The build chain is not fetched: it sorts as the standard library does.

mod assets;
mod bench;
mod budget;
mod commands;
mod docs;
mod files;
mod finish;
mod fuzz;
mod gallery;
mod kept_files;
mod minify;
mod node;
mod page;
mod project;
mod server;
mod setup;
mod size;
mod split;
mod stamp;
mod tally;
mod test;
mod trunk;
mod wasm;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

use project::{Profile, Project};

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Builds, serves and tests Elastiplan.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the page and serve it on this machine
    Serve {
        /// The port to listen on; if it is taken, the next free one
        #[arg(long, default_value_t = 8080)]
        port: u16,
        #[command(flatten)]
        profile: ProfileArgs,
    },
    /// Install what is missing and run every test
    Test {
        /// Run one kind of test only
        #[arg(long)]
        only: Option<test::Stage>,
    },
    /// Build the page into dist/, ready for any static host
    Build {
        #[command(flatten)]
        profile: ProfileArgs,
        /// A folder of scenario documents with their data: the page opens with them, the first one shown
        #[arg(long, value_name = "DIR")]
        scenario: Option<PathBuf>,
    },
    /// Measure: policies and importers natively, then the page in the browser
    Bench {
        /// Measure one kind of thing only
        #[arg(long)]
        only: Option<bench::Stage>,
        /// The folder of a finished page whose first load is measured, instead of building one; several are measured
        /// in turn
        #[arg(long, value_name = "FOLDER")]
        dist: Vec<PathBuf>,
    },
    /// Give damaged samples to every parser, or to one; an input that fails is kept in crates/fuzz/corpus
    Fuzz {
        /// The parser [default: each in turn]
        target: Option<String>,
        /// How long, for each parser
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// The seed of the damage
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Print the sizes of the files in dist/, raw and as brotli; fails where they exceed the budget
    Size,
    /// Finish the page of a folder: the documents as pages, the build's id; Trunk calls this after each build
    #[command(hide = true)]
    Finish {
        /// The folder of the page [default: what Trunk says, else dist]
        dir: Option<PathBuf>,
    },
    /// The wasm-bindgen command line, for Trunk
    #[command(hide = true, disable_help_flag = true)]
    WasmBindgen {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Runs a wasm test binary, for `cargo test`
    #[command(hide = true, disable_help_flag = true)]
    WasmTestRunner {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
}

#[derive(Args)]
struct ProfileArgs {
    /// Build quickly and without optimisation
    #[arg(long, conflicts_with = "release")]
    dev: bool,
    /// Build with optimisation (the default)
    #[arg(long)]
    release: bool,
}

impl ProfileArgs {
    fn profile(&self) -> Profile {
        if self.dev { Profile::Dev } else { Profile::Release }
    }
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Serve { port, profile } => server::serve(&Project::locate()?, port, profile.profile())?,
        Command::Test { only } => return test::run_all(&Project::locate()?, only),
        Command::Build { profile, scenario } => {
            page::build_and_report(&Project::locate()?, profile.profile(), scenario.as_deref())?
        }
        Command::Fuzz { target, seconds, seed } => {
            fuzz::run_all(&Project::locate()?, target.as_deref(), seconds, seed)?
        }
        Command::Bench { only, dist } => bench::run_all(&Project::locate()?, only, &dist)?,
        Command::Size => return Ok(exit_code(size::check(&Project::locate()?)?)),
        Command::Finish { dir } => finish::command(dir)?,
        Command::WasmBindgen { args } => {
            wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(named("wasm-bindgen", args))?
        }
        Command::WasmTestRunner { args } => {
            wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(named("wasm-bindgen-test-runner", args))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn exit_code(success: bool) -> ExitCode {
    if success { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The arguments with the program's name in front, as command lines are parsed.
fn named(name: &str, args: Vec<OsString>) -> impl Iterator<Item = OsString> {
    std::iter::once(OsString::from(name)).chain(args)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_of_the_documents_are_understood() {
        for document in [include_str!("../../../docs/publish.md"), include_str!("../../../README.md")] {
            let commands = document.lines().filter_map(|line| line.strip_prefix("cargo xtask "));
            for command in commands.map(|line| line.split('#').next().unwrap_or_default()) {
                let words = std::iter::once("cargo xtask").chain(command.split_whitespace());
                assert!(Cli::try_parse_from(words).is_ok(), "{command}");
            }
        }
    }
}
