//! Installs programs that a build or a test needs and does not find.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::commands::{find_on_path, run_quietly, step};
use crate::files::read;

/// What the page is compiled to.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

const CHROMIUM_NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const CHROMIUM_ON_MACOS: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
const FIREFOX_ON_MACOS: &str = "/Applications/Firefox.app/Contents/MacOS/firefox";
/// Where Debian keeps WebKit's browser for tests, below the folder of libraries.
const MINI_BROWSER: [&str; 2] = ["webkit2gtk-4.1/MiniBrowser", "webkit2gtk-4.0/MiniBrowser"];

/// A Chromium and its driver.
pub struct Browser {
    pub chromium: PathBuf,
    pub driver: PathBuf,
}

/// The browsers that only the smoke test runs in; `None` where one is not installed.
pub struct OtherBrowsers {
    pub firefox: Option<PathBuf>,
    pub webkit: Option<WebKit>,
}

/// WebKit's browser for tests, its driver, and an X server without a screen to show it on.
pub struct WebKit {
    pub browser: PathBuf,
    pub driver: PathBuf,
    pub xvfb: PathBuf,
}

/// Adds the wasm target to the Rust toolchain.
pub fn wasm_target() -> Result<()> {
    let sysroot = run_quietly(Command::new("rustc").args(["--print", "sysroot"]))?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim());
    if sysroot.join("lib/rustlib").join(WASM_TARGET).is_dir() {
        return Ok(());
    }
    // Installed explicitly, because rustup ignores `targets` of rust-toolchain.toml where automatic installs are off.
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
    apt_install(&["chromium", "chromium-driver"], "20 s")?;
    find_browser()?.context("chromium was installed, but is not on PATH")
}

/// Finds Firefox and WebKit; on Debian, as root, installs what is missing.
pub fn other_browsers() -> Result<OtherBrowsers> {
    let found = find_other_browsers()?;
    let mut packages = Vec::new();
    if found.firefox.is_none() {
        packages.push("firefox-esr");
    }
    if found.webkit.is_none() {
        packages.extend(["webkit2gtk-driver", "xvfb"]);
    }
    if packages.is_empty() || !can_use_apt() {
        return Ok(found);
    }
    // Without them tests are skipped, and say so.
    if let Err(error) = apt_install(&packages, "40 s") {
        println!("    {error:#}");
    }
    find_other_browsers()
}

fn find_browser() -> Result<Option<Browser>> {
    let chromium =
        named_in("CHROMIUM")?.or_else(|| find_on_path(&CHROMIUM_NAMES)).or_else(|| existing(CHROMIUM_ON_MACOS));
    let driver = named_in("CHROMEDRIVER")?.or_else(|| find_on_path(&["chromedriver"]));
    Ok(chromium.zip(driver).map(|(chromium, driver)| Browser { chromium, driver }))
}

fn find_other_browsers() -> Result<OtherBrowsers> {
    let firefox = named_in("FIREFOX")?
        .or_else(|| find_on_path(&["firefox-esr", "firefox"]))
        .or_else(|| existing(FIREFOX_ON_MACOS));
    let webkit = || {
        let libraries = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten().map(|entry| entry.path());
        let browser =
            libraries.flat_map(|folder| MINI_BROWSER.map(|name| folder.join(name))).find(|file| file.is_file())?;
        Some(WebKit { browser, driver: find_on_path(&["WebKitWebDriver"])?, xvfb: find_on_path(&["Xvfb"])? })
    };
    Ok(OtherBrowsers { firefox, webkit: webkit() })
}

fn existing(file: &str) -> Option<PathBuf> {
    Some(PathBuf::from(file)).filter(|file| file.is_file())
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

fn apt_install(packages: &[&str], usually: &str) -> Result<()> {
    let apt_get = |args: &[&str]| {
        run_quietly(Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive")).map(drop)
    };
    step(&format!("Installing Debian's {}", packages.join(", ")), usually, || {
        apt_get(&["update"])?;
        apt_get(&[&["install", "--yes", "--no-install-recommends"], packages].concat())
    })
}
