//! Runs kept in a folder, each in a file named after the hash of its inputs: `ab/ab12....json`.
//!
//! A file is written under another name and then renamed, so that it is whole or not there, whoever else writes.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use elastiplan_study::{Key, Outcome};
use serde::{Deserialize, Serialize};

use crate::CommandError;

/// A folder with runs.
pub struct Store {
    folder: PathBuf,
}

/// A file of the store.
#[derive(Serialize, Deserialize)]
struct Entry {
    key: Key,
    outcome: Outcome,
}

impl Store {
    pub fn open(folder: &Path) -> Result<Self, CommandError> {
        fs::create_dir_all(folder).map_err(|error| CommandError::Output(format!("{}: {error}", folder.display())))?;
        Ok(Self { folder: folder.to_path_buf() })
    }

    /// The outcome of a run, if it is there. A file that cannot be read as one is named: it may be all that is left of
    /// hours of work.
    pub fn read(&self, key: Key) -> Result<Option<Outcome>, CommandError> {
        let path = self.path(key);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(CommandError::Input(format!("{}: {error}", path.display()))),
        };
        let damaged = || CommandError::Input(format!("{} is damaged: delete it, and it is made anew", path.display()));
        let entry: Entry = serde_json::from_str(&text).map_err(|_| damaged())?;
        if entry.key == key { Ok(Some(entry.outcome)) } else { Err(damaged()) }
    }

    /// Keeps an outcome. One that is there has to be the same.
    pub fn write(&self, key: Key, outcome: &Outcome) -> Result<(), CommandError> {
        if let Some(known) = self.read(key)? {
            return match known == *outcome {
                true => Ok(()),
                false => Err(CommandError::Output(format!(
                    "{}: the same run gave another result before. That is a fault of elastiplan or of the machine; please \
                     report it",
                    self.path(key).display()
                ))),
            };
        }
        let path = self.path(key);
        let failed = |error: std::io::Error| CommandError::Output(format!("{}: {error}", path.display()));
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).map_err(failed)?;
        let text = serde_json::to_string(&Entry { key, outcome: outcome.clone() });
        let text = text.map_err(|error| CommandError::Output(error.to_string()))?;
        let unfinished = folder.join(format!(".{key}-{}-{:?}", std::process::id(), std::thread::current().id()));
        fs::write(&unfinished, text).map_err(failed)?;
        fs::rename(&unfinished, &path).map_err(failed)
    }

    fn path(&self, key: Key) -> PathBuf {
        let name = key.to_string();
        let group: String = name.chars().take(2).collect();
        self.folder.join(group).join(format!("{name}.json"))
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::sample;

    use super::*;

    #[test]
    fn two_results_of_one_run_are_a_fault() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let key = Key::of(&sample::scenario(sample::SEED), &"fixed".parse().unwrap());
        let outcome = |message: &str| Outcome::Failed { message: message.into() };
        assert_eq!(store.read(key).unwrap(), None);
        store.write(key, &outcome("one")).unwrap();
        store.write(key, &outcome("one")).unwrap();
        assert_eq!(store.read(key).unwrap(), Some(outcome("one")));
        let error = store.write(key, &outcome("another")).unwrap_err().to_string();
        assert!(error.contains("the same run gave another result before"), "{error}");
        assert_eq!(store.read(key).unwrap(), Some(outcome("one")));
    }
}
