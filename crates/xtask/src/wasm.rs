//! From Rust crates to optimised wasm modules with their JavaScript.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};

use crate::assets::RustModule;
use crate::commands::{run, run_quietly, step};
use crate::files::{make_empty, read, sorted_files};
use crate::project::{Profile, Project};
use crate::stamp::short_hash;
use crate::{node, setup, split};

/// The files of a module.
#[derive(Debug, Default)]
pub struct Built {
    /// The script that wasm-bindgen writes.
    pub js: PathBuf,
    /// The module that belongs to it.
    pub wasm: PathBuf,
    /// Of a module that was divided.
    pub parts: Option<Parts>,
}

/// The files of a module's parts.
#[derive(Debug)]
pub struct Parts {
    /// The script that fetches them, which the module's own script imports.
    pub loader: PathBuf,
    pub wasm: Vec<PathBuf>,
}

impl Built {
    /// All of them.
    pub fn files(&self) -> Vec<&PathBuf> {
        let parts = self.parts.iter().flat_map(|parts| std::iter::once(&parts.loader).chain(&parts.wasm));
        [&self.js, &self.wasm].into_iter().chain(parts).collect()
    }
}

/// Compiles the binaries of these manifests to the files that a browser loads.
pub fn build(project: &Project, modules: &[(&str, &RustModule)], profile: Profile) -> Result<Vec<Built>> {
    setup::wasm_target()?;
    let node = match profile {
        Profile::Dev => None,
        Profile::Release => node_for_wasm_opt(project)?,
    };
    let usually = match profile {
        Profile::Dev => "30 s the first time, 2 s after an edit",
        Profile::Release => "100 s the first time, 35 s after an edit",
    };
    step("Compiling the app and its worker to wasm", usually, || compile(project, modules, profile))?;
    step("Making the modules ready for the browser", "40 s with optimisation, else 1 s", || {
        let node = node.as_deref();
        std::thread::scope(|scope| {
            let process = |(_, module)| scope.spawn(move || post_process(project, module, profile, node));
            let threads: Vec<_> = modules.iter().copied().map(process).collect();
            let results = threads.into_iter().map(|thread| thread.join());
            results.map(|result| result.unwrap_or_else(|_| Err(anyhow!("a thread panicked")))).collect()
        })
    })
}

/// Node.js, if it can run wasm-opt.
fn node_for_wasm_opt(project: &Project) -> Result<Option<PathBuf>> {
    let node = if setup::node_packages(&project.root)? { node::find() } else { None };
    if node.is_none() {
        println!("    Node.js with npm is missing: the wasm modules stay larger than need be, for want of wasm-opt");
    }
    Ok(node)
}

fn compile(project: &Project, modules: &[(&str, &RustModule)], profile: Profile) -> Result<()> {
    let mut cargo = project.cargo();
    cargo.args(["build", "--target", setup::WASM_TARGET]);
    if profile == Profile::Release {
        cargo.arg("--release");
    }
    for (manifest, module) in modules {
        let package = package_of(project, manifest)?;
        cargo.args(["--package", package, "--bin", &module.bin]);
        if is_divided(module, profile) {
            cargo.args(["--features", &format!("{package}/{}", split::FEATURE)]);
        }
    }
    run(&mut cargo)
}

/// Whether a module comes in parts. Where edits come one after the other it stays whole: dividing takes a while.
fn is_divided(module: &RustModule, profile: Profile) -> bool {
    !module.is_worker && profile == Profile::Release
}

fn package_of<'a>(project: &'a Project, manifest: &str) -> Result<&'a str> {
    let manifest = project.root.join(manifest);
    let package = project.packages.iter().find(|package| package.manifest == manifest);
    let package = package.with_context(|| format!("{} is not in the workspace", manifest.display()))?;
    Ok(&package.name)
}

/// Runs wasm-bindgen and, where there is Node.js for it, wasm-opt, unless that was done before with the same input.
fn post_process(project: &Project, module: &RustModule, profile: Profile, node: Option<&Path>) -> Result<Built> {
    let out = project.scratch("wasm").join(profile.folder()).join(&module.bin);
    let input = project.wasm_binary(&module.bin, profile);

    let done = input_hash(project, &input, module, node.is_some())?;
    let done_file = out.join("made-from");
    if std::fs::read_to_string(&done_file).is_ok_and(|made_from| made_from == done) {
        return built_in(&out, &module.bin);
    }
    make_empty(&out)?;
    if is_divided(module, profile) {
        let main = split::divide(&input, &out, &module.bin)?;
        bindgen(&main, &out, &module.bin, &["--keep-lld-exports"])?;
        std::fs::remove_file(&main).with_context(|| format!("cannot remove {}", main.display()))?;
    } else {
        bindgen(&input, &out, &module.bin, &[])?;
    }
    if out.join("snippets").exists() {
        bail!("{} brings JavaScript snippets of its own, which the page has no place for", module.bin);
    }
    let built = built_in(&out, &module.bin)?;
    if let Some(node) = node {
        for wasm in built.files().into_iter().filter(|file| file.extension().is_some_and(|ending| ending == "wasm")) {
            let mut command = Command::new(node);
            command.arg(node::wasm_opt(&project.root)).args(&module.wasm_opt).arg("--output");
            run_quietly(command.args([wasm, wasm]))?;
        }
    }
    std::fs::write(&done_file, done)?;
    Ok(built)
}

/// The files of a module in their folder.
fn built_in(out: &Path, bin: &str) -> Result<Built> {
    let file = |ending: &str| out.join(format!("{bin}{ending}"));
    let (js, wasm, loader) = (file(".js"), file("_bg.wasm"), out.join(split::loader(bin)));
    let parts = if loader.exists() {
        let parts = sorted_files(out, ".wasm")?.into_iter().filter(|file| *file != wasm).collect();
        Some(Parts { loader, wasm: parts })
    } else {
        None
    };
    Ok(Built { js, wasm, parts })
}

/// Everything that the result depends on.
fn input_hash(project: &Project, input: &Path, module: &RustModule, optimised: bool) -> Result<String> {
    let mut bytes = read(input)?;
    for lock in ["Cargo.lock", "package-lock.json"] {
        bytes.extend(std::fs::read(project.root.join(lock)).unwrap_or_default());
    }
    bytes.extend(module.wasm_opt.concat().bytes());
    Ok(format!("{} {optimised}", short_hash(&bytes)))
}

fn bindgen(input: &Path, out: &Path, name: &str, more: &[&str]) -> Result<()> {
    let fixed = ["wasm-bindgen", "--target", "web", "--no-typescript", "--out-name", name, "--out-dir"];
    let args = fixed.into_iter().map(OsString::from).chain([out.into(), input.into()]);
    let args = args.chain(more.iter().map(OsString::from));
    wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(args).with_context(|| format!("wasm-bindgen failed on {name}"))
}
