//! Installing what a build or a test needs and does not find.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::commands::{find_on_path, run_quietly, step};
use crate::files::read;

/// What the page is compiled to.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

const CHROMIUM_NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const CHROMIUM_ON_MACOS: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// A Chromium and its driver.
pub struct Browser {
    pub chromium: PathBuf,
    pub driver: PathBuf,
}

/// Adds the wasm target to the Rust toolchain.
pub fn wasm_target() -> Result<()> {
    let sysroot = run_quietly(Command::new("rustc").args(["--print", "sysroot"]))?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim());
    if sysroot.join("lib/rustlib").join(WASM_TARGET).is_dir() {
        return Ok(());
    }
    // Said explicitly, because rustup ignores `targets` of rust-toolchain.toml where automatic installs are off.
    step("Installing the Rust target wasm32-unknown-unknown", "5 s", || {
        run_quietly(Command::new("rustup").args(["target", "add", WASM_TARGET])).map(drop)
    })
    .context("the Rust target wasm32-unknown-unknown is missing; please install it")
}

/// Installs the packages of package-lock.json into node_modules. False where there is no Node.js with npm.
pub fn node_packages(root: &Path) -> Result<bool> {
    let (Some(npm), Some(_)) = (find_on_path(&["npm"]), find_on_path(&["node"])) else { return Ok(false) };
    let wanted = read(&root.join("package-lock.json"))?;
    let marker = root.join("node_modules/.installed-package-lock.json");
    if std::fs::read(&marker).is_ok_and(|installed| installed == wanted) {
        return Ok(true);
    }
    step("Installing the Node packages of package-lock.json (wasm-opt, browser driver)", "6 s", || {
        run_quietly(Command::new(npm).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(root))?;
        std::fs::write(&marker, &wanted).with_context(|| format!("cannot write {}", marker.display()))
    })?;
    Ok(true)
}

/// Finds Chromium and its driver; on Debian, as root, installs them if they are missing.
pub fn browser() -> Result<Browser> {
    if let Some(browser) = find_browser()? {
        return Ok(browser);
    }
    if !can_use_apt() {
        bail!(
            "Chromium or its driver is missing: please install Chromium or Chrome with the chromedriver of the same \
             version, on PATH or named in the environment variables CHROMIUM and CHROMEDRIVER"
        );
    }
    step("Installing Debian's chromium and chromium-driver", "20 s", || {
        apt_get(&["update"])?;
        apt_get(&["install", "--yes", "--no-install-recommends", "chromium", "chromium-driver"])
    })?;
    find_browser()?.context("chromium was installed, but is not on PATH")
}

fn find_browser() -> Result<Option<Browser>> {
    let on_macos = || Some(PathBuf::from(CHROMIUM_ON_MACOS)).filter(|file| file.is_file());
    let chromium = named_in("CHROMIUM")?.or_else(|| find_on_path(&CHROMIUM_NAMES)).or_else(on_macos);
    let driver = named_in("CHROMEDRIVER")?.or_else(|| find_on_path(&["chromedriver"]));
    Ok(chromium.zip(driver).map(|(chromium, driver)| Browser { chromium, driver }))
}

fn named_in(variable: &str) -> Result<Option<PathBuf>> {
    let Some(file) = std::env::var_os(variable).filter(|value| !value.is_empty()) else { return Ok(None) };
    let file = PathBuf::from(file);
    if !file.is_file() {
        bail!("the environment variable {variable} names {}, which does not exist", file.display());
    }
    Ok(Some(file))
}

fn can_use_apt() -> bool {
    let is_root = || run_quietly(Command::new("id").arg("-u")).is_ok_and(|id| id.stdout.trim_ascii() == b"0");
    Path::new("/etc/debian_version").exists() && find_on_path(&["apt-get"]).is_some() && is_root()
}

fn apt_get(args: &[&str]) -> Result<()> {
    run_quietly(Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive")).map(drop)
}
