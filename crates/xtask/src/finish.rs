//! What both builders do last, to a folder that holds the page's files: the documents as pages, smaller scripts and
//! styles, then the build's id and the list of files that browsers keep.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::docs::Docs;
use crate::minify::minify;
use crate::project::{Profile, Project};
use crate::stamp::stamp;

/// Finishes the given folder, or the one that Trunk is building, or dist.
pub fn command(dir: Option<PathBuf>) -> Result<()> {
    let project = Project::locate()?;
    let trunk = || std::env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from);
    let dir = dir.or_else(trunk).unwrap_or_else(|| project.dist());
    let is_dev = std::env::var("TRUNK_PROFILE").is_ok_and(|profile| profile != "release");
    let id = finish(&project, &dir, if is_dev { Profile::Dev } else { Profile::Release })?;
    println!("build id {id}");
    Ok(())
}

/// Finishes the page of a folder. Returns the build's id.
pub fn finish(project: &Project, dir: &Path, profile: Profile) -> Result<String> {
    Docs::read(&project.root)?.write(&project.root, dir)?;
    if profile == Profile::Release {
        minify(project, dir)?;
    }
    stamp(dir, profile)
}
