//! `cargo xtask build`: puts the page together in dist/. All its addresses are relative.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::assets::{Kind, Link, links, trunk_setting};
use crate::files::{copy_dir, copy_file, make_empty, read, read_text};
use crate::finish::finish;
use crate::gallery::Gallery;
use crate::node;
use crate::project::{Profile, Project};
use crate::size;
use crate::stamp::short_hash;
use crate::wasm::{self, Built};

/// Builds the page, and prints the sizes of a release build where Node.js can compress its files.
/// With a folder of scenarios, the page opens with them.
pub fn build_and_report(project: &Project, profile: Profile, scenarios: Option<&Path>) -> Result<()> {
    build_with(project, profile, scenarios)?;
    if profile == Profile::Release && node::find().is_some() {
        size::check(project)?;
    }
    Ok(())
}

/// Builds the page and returns its folder.
pub fn build(project: &Project, profile: Profile) -> Result<PathBuf> {
    build_with(project, profile, None)
}

fn build_with(project: &Project, profile: Profile, scenarios: Option<&Path>) -> Result<PathBuf> {
    // What is wrong with them is said before the page is built.
    let gallery = scenarios.map(|folder| Gallery::read(project, folder)).transpose()?;
    let page = read_text(&project.root.join("index.html"))?;
    let trunk_toml = read_text(&project.root.join("Trunk.toml"))?;
    let links = links(&page)?;
    let modules: Vec<_> = links.iter().filter_map(Link::rust_module).collect();
    let built = wasm::build(project, &modules, profile)?;

    let stage = project.scratch("stage");
    make_empty(&stage)?;
    let writer = Writer { project, stage: &stage, trunk_toml: &trunk_toml, head_end: String::new() };
    std::fs::write(stage.join("index.html"), writer.place_all(&page, &links, built)?)?;

    if let Some(gallery) = gallery {
        gallery.write(&stage)?;
    }
    let id = finish(project, &stage, profile)?;
    let dist = project.dist();
    make_empty(&dist)?;
    copy_dir(&stage, &dist)?;
    println!("    the page is in {} (build id {id})", dist.display());
    Ok(dist)
}

/// Puts assets into the page's folder.
struct Writer<'a> {
    project: &'a Project,
    stage: &'a Path,
    trunk_toml: &'a str,
    /// What Trunk would append to the head.
    head_end: String,
}

impl Writer<'_> {
    /// Puts all assets into the page's folder, and returns the page that asks for them.
    fn place_all(mut self, page: &str, links: &[Link], built: Vec<Built>) -> Result<String> {
        let mut built = built.into_iter();
        let mut html = String::with_capacity(page.len());
        let mut at = 0;
        for link in links {
            html.push_str(&page[at..link.span.start]);
            html.push_str(&self.place(link, &mut built)?);
            at = link.span.end;
        }
        html.push_str(&page[at..].replacen("</head>", &format!("{}</head>", self.head_end), 1));
        Ok(html)
    }

    /// Puts a link's asset into the page's folder, and returns the HTML that replaces the link.
    fn place(&mut self, link: &Link, built: &mut impl Iterator<Item = Built>) -> Result<String> {
        let source = self.project.root.join(&link.href);
        match &link.kind {
            Kind::Rust(module) => {
                let built = built.next().context("a module was not built")?;
                if module.is_worker { self.place_worker(&built) } else { self.place_app(&built) }
            }
            Kind::Hashed(rel) => {
                let file = self.place_hashed(&source)?;
                Ok(format!("<link rel=\"{rel}\" href=\"./{file}\">"))
            }
            Kind::CopyFile => copy_file(&source, &self.stage.join(file_name(&source))).map(|()| String::new()),
            Kind::CopyDir => copy_dir(&source, &self.stage.join(file_name(&source))).map(|()| String::new()),
        }
    }

    /// A worker is asked for by name while the app runs, so its names carry no hash.
    fn place_worker(&self, built: &Built) -> Result<String> {
        for file in [&built.js, &built.wasm] {
            copy_file(file, &self.stage.join(file_name(file)))?;
        }
        Ok(String::new())
    }

    /// The app's files name each other, so it is their folder that carries the hash.
    fn place_app(&mut self, built: &Built) -> Result<String> {
        let mut content = Vec::new();
        for file in built.files() {
            content.extend(read(file)?);
        }
        let folder = format!("app-{}", short_hash(&content));
        make_empty(&self.stage.join(&folder))?;
        for file in built.files() {
            copy_file(file, &self.stage.join(&folder).join(file_name(file)))?;
        }
        let address = |file: &Path| format!("{folder}/{}", file_name(file).to_string_lossy());
        let (js, wasm) = (address(&built.js), address(&built.wasm));
        let fill = |pattern: &str| pattern.replace("{base}", "./").replace("{js}", &js).replace("{wasm}", &wasm);
        self.head_end = fill(trunk_setting(self.trunk_toml, "pattern_preload")?);
        if let Some(parts) = &built.parts {
            // The app's script imports it: it is fetched along with it.
            self.head_end += &format!("<link rel=\"modulepreload\" href=\"./{}\">", address(&parts.loader));
        }
        Ok(fill(trunk_setting(self.trunk_toml, "pattern_script")?))
    }

    fn place_hashed(&self, source: &Path) -> Result<String> {
        let content = read(source)?;
        let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let (stem, extension) = (part(source.file_stem()), part(source.extension()));
        let name = format!("{stem}-{}.{extension}", short_hash(&content));
        std::fs::write(self.stage.join(&name), content)?;
        Ok(name)
    }
}

fn file_name(path: &Path) -> &std::ffi::OsStr {
    path.file_name().unwrap_or_default()
}
