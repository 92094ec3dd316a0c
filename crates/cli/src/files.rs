//! Opening what the user names: files, and folders with everything in them. Writing to a folder.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use elastiplan_formats::mapping::Mapping;
use elastiplan_formats::{Import, Options, Source};
use elastiplan_model::order;

use crate::CommandError;

/// Reads all the files together.
pub fn import(paths: &[PathBuf]) -> Result<Import, CommandError> {
    import_mapped(paths, None)
}

/// The same; with a mapping, each file is read as a job trace by it.
pub fn import_mapped(paths: &[PathBuf], mapping: Option<&Mapping>) -> Result<Import, CommandError> {
    let sources = sources(paths)?;
    let mappings: Vec<(u32, Mapping)> =
        mapping.map_or(Vec::new(), |mapping| (0..).zip(&sources).map(|(at, _)| (at, mapping.clone())).collect());
    Ok(elastiplan_formats::import_mapped(sources, &mappings, &Options { bytes_max: None }, &mut |_| {}))
}

/// Reads all the files together; with a mapping, the first is read as a job trace by it.
pub fn import_first_mapped(paths: &[PathBuf], mapping: Option<&Mapping>) -> Result<Import, CommandError> {
    let mappings: Vec<(u32, Mapping)> = mapping.map(|mapping| (0, mapping.clone())).into_iter().collect();
    Ok(elastiplan_formats::import_mapped(sources(paths)?, &mappings, &Options { bytes_max: None }, &mut |_| {}))
}

/// The files that are named, and those of folders.
pub fn sources(paths: &[PathBuf]) -> Result<Vec<Source<'static>>, CommandError> {
    let mut files = Vec::new();
    for path in paths {
        gather(path, &mut files)?;
    }
    files.iter().map(|path| open(path)).collect()
}

/// A file is itself; a folder is the files in it, in order of their names. Hidden files are passed over.
fn gather(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), CommandError> {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let unreadable = |error: std::io::Error| CommandError::Input(format!("{}: {error}", path.display()));
    let mut inside = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            inside.push(entry.path());
        }
    }
    order::sort_by(&mut inside, |a, b| a.cmp(b));
    inside.iter().try_for_each(|path| gather(path, files))
}

fn open(path: &Path) -> Result<Source<'static>, CommandError> {
    let file = File::open(path).map_err(|error| CommandError::Input(format!("{}: {error}", path.display())))?;
    let bytes_total = file.metadata().ok().map(|metadata| metadata.len());
    Ok(Source { path: path.display().to_string(), bytes_total, reader: Box::new(file) })
}

/// Writes files to a folder, which is made if it is not there.
pub fn write_all(folder: &Path, files: &[(impl AsRef<Path>, Vec<u8>)]) -> Result<(), CommandError> {
    let failed = |path: &Path, error| CommandError::Output(format!("{}: {error}", path.display()));
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(|error| failed(&path, error))?;
    }
    Ok(())
}
