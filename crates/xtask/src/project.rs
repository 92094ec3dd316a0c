//! The checkout: its packages and its build folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::commands::run_quietly;

/// Which of Cargo's profiles the page is built with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    Dev,
    Release,
}

impl Profile {
    /// The folder that Cargo puts this profile's files into.
    pub fn folder(self) -> &'static str {
        match self {
            Profile::Dev => "debug",
            Profile::Release => "release",
        }
    }
}

/// The checkout that `cargo xtask` was called in.
pub struct Project {
    pub root: PathBuf,
    pub packages: Vec<Package>,
    target: PathBuf,
}

/// The part of Cargo's metadata that is needed here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    target_directory: PathBuf,
}

/// A package of the workspace.
#[derive(Deserialize)]
pub struct Package {
    pub name: String,
    #[serde(rename = "manifest_path")]
    pub manifest: PathBuf,
}

impl Project {
    /// Finds the checkout, its packages and its build folder by asking Cargo.
    pub fn locate() -> Result<Project> {
        // Cargo says at run time where this crate is: the built program may have been moved with its checkout.
        let own_crate = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&own_crate).ancestors().nth(2).context("the checkout of this crate is gone")?;
        let mut cargo = cargo_in(root);
        let metadata = run_quietly(cargo.args(["metadata", "--no-deps", "--format-version=1"]))?;
        let metadata: Metadata = serde_json::from_slice(&metadata.stdout).context("cargo metadata has another form")?;
        Ok(Project { root: root.to_owned(), packages: metadata.packages, target: metadata.target_directory })
    }

    /// A Cargo command in this checkout.
    pub fn cargo(&self) -> Command {
        cargo_in(&self.root)
    }

    /// The finished page.
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// A folder for the build chain's own files, beside Cargo's.
    pub fn scratch(&self, name: &str) -> PathBuf {
        self.target.join("xtask").join(name)
    }

    /// The wasm module that Cargo makes of a binary.
    pub fn wasm_binary(&self, bin: &str, profile: Profile) -> PathBuf {
        self.target.join(crate::setup::WASM_TARGET).join(profile.folder()).join(format!("{bin}.wasm"))
    }
}

impl Package {
    /// The folder of the package.
    pub fn folder(&self) -> &Path {
        self.manifest.parent().unwrap_or(&self.manifest)
    }
}

fn cargo_in(root: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    cargo
}
