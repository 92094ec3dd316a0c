//! Files and folders, with errors that name them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Reads a file.
pub fn read(file: &Path) -> Result<Vec<u8>> {
    std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Reads a text file.
pub fn read_text(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Makes sure that a folder is there and empty.
pub fn make_empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

/// Copies a folder with everything in it.
pub fn copy_dir(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in entries(from)? {
        let target = to.join(entry.file_name().unwrap_or_default());
        if entry.is_dir() {
            copy_dir(&entry, &target)?;
        } else {
            copy_file(&entry, &target)?;
        }
    }
    Ok(())
}

/// Copies a file, naming it in the error.
pub fn copy_file(from: &Path, to: &Path) -> Result<()> {
    std::fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// All files below a folder, in order.
pub fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in entries(folder)? {
        if entry.is_dir() {
            files.extend(files_below(&entry)?);
        } else {
            files.push(entry);
        }
    }
    files.sort();
    Ok(files)
}

/// The files of a folder with an ending, in order; none where there is no such folder.
pub fn sorted_files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = entries(folder)?;
    files.retain(|file| file.to_string_lossy().ends_with(ending));
    files.sort();
    Ok(files)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    entries.map(|entry| Ok(entry?.path())).collect()
}
