//! Runs kept in a folder, each in a file named after the hash of its inputs: `ab/ab12....json`.
//!
//! A file is written under another name and then renamed, so that it is whole or not there, whoever else writes.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use elastiplan_study::{Key, Outcome};
use serde::{Deserialize, Serialize};

use crate::CommandError;

/// A folder with runs.
pub struct Store {
    folder: PathBuf,
    /// Files that were found damaged.
    damaged: AtomicUsize,
    /// Why a run could not be kept: the first reason.
    refused: Mutex<Option<String>>,
}

/// A file of the store.
#[derive(Serialize, Deserialize)]
struct Entry {
    key: Key,
    /// A hash of the outcome: a damaged file may still be read as one.
    check: Key,
    outcome: Outcome,
}

/// Why a run is not kept.
#[derive(Debug)]
pub enum WriteError {
    /// The folder takes no more.
    Refused(String),
    /// The same run gave another result before.
    Conflict(CommandError),
}

impl From<WriteError> for CommandError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Refused(message) => Self::Output(message),
            WriteError::Conflict(error) => error,
        }
    }
}

impl Store {
    pub fn open(folder: &Path) -> Result<Self, CommandError> {
        fs::create_dir_all(folder).map_err(|error| CommandError::Output(format!("{}: {error}", folder.display())))?;
        Ok(Self { folder: folder.to_path_buf(), damaged: AtomicUsize::new(0), refused: Mutex::default() })
    }

    /// What is worth knowing of it at the end, in sentences: runs that were damaged, and runs that could not be kept.
    pub fn notes(&self) -> Vec<String> {
        let damaged = match self.damaged.load(Ordering::Relaxed) {
            0 => None,
            1 => Some("1 kept run was damaged: it counts as missing and is made again".to_string()),
            damaged => Some(format!("{damaged} kept runs were damaged: they count as missing and are made again")),
        };
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let refused =
            refused.map(|reason| format!("Not all runs are kept: {reason}. The answers are complete all the same"));
        damaged.into_iter().chain(refused).collect()
    }

    /// Notes that a run could not be kept.
    pub fn note_refused(&self, reason: String) {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
    }

    /// The outcome of a run, if it is there and whole. A file that is damaged is counted.
    pub fn read(&self, key: Key) -> Result<Option<Outcome>, CommandError> {
        let path = self.path(key);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            // Bytes that are no text.
            Err(error) if error.kind() == ErrorKind::InvalidData => String::new(),
            Err(error) if error.kind() == ErrorKind::NotADirectory => return Ok(None),
            Err(error) => return Err(CommandError::Input(format!("{}: {error}", path.display()))),
        };
        let entry = serde_json::from_str::<Entry>(&text).ok();
        let whole = entry.filter(|entry| entry.key == key && entry.check == Key::of_value(&entry.outcome));
        if whole.is_none() {
            self.damaged.fetch_add(1, Ordering::Relaxed);
            // So that it is counted once, and another one can take its place.
            let _ = fs::remove_file(&path);
        }
        Ok(whole.map(|entry| entry.outcome))
    }

    /// Keeps an outcome. One that is there has to be the same.
    pub fn write(&self, key: Key, outcome: &Outcome) -> Result<(), WriteError> {
        if let Some(known) = self.read(key).map_err(WriteError::Conflict)? {
            return match known == *outcome {
                true => Ok(()),
                false => Err(WriteError::Conflict(CommandError::Output(format!(
                    "{}: the same run gave another result before. That is a fault of elastiplan or of the machine; please \
                     report it",
                    self.path(key).display()
                )))),
            };
        }
        let path = self.path(key);
        let failed = |error: std::io::Error| WriteError::Refused(format!("{}: {error}", path.display()));
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).map_err(failed)?;
        let text = serde_json::to_string(&Entry { key, check: Key::of_value(outcome), outcome: outcome.clone() });
        let text = text.map_err(|error| WriteError::Refused(error.to_string()))?;
        let unfinished = folder.join(format!(".{key}-{}-{:?}", std::process::id(), std::thread::current().id()));
        let written = fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, &path));
        if written.is_err() {
            // A part of it would only take room.
            let _ = fs::remove_file(&unfinished);
        }
        written.map_err(failed)
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
        let error = CommandError::from(store.write(key, &outcome("another")).unwrap_err()).to_string();
        assert!(error.contains("the same run gave another result before"), "{error}");
        assert_eq!(store.read(key).unwrap(), Some(outcome("one")));
    }

    #[test]
    fn damage_is_counted_and_makes_room_for_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let key = Key::of(&sample::scenario(sample::SEED), &"fixed".parse().unwrap());
        let outcome = Outcome::Failed { message: "no GPUs".into() };
        let check = |damage: &dyn Fn(Vec<u8>) -> Vec<u8>| {
            store.write(key, &outcome).unwrap();
            let bytes = fs::read(store.path(key)).unwrap();
            fs::write(store.path(key), damage(bytes)).unwrap();
            assert_eq!(store.read(key).unwrap(), None);
        };
        check(&|_| Vec::new());
        check(&|bytes| bytes[..bytes.len() / 2].to_vec());
        check(&|_| vec![0xff, 0xfe]);
        // It can be read, but is not what was written.
        check(&|bytes| String::from_utf8(bytes).unwrap().replace("no GPUs", "no CPUs").into_bytes());
        let expected = "4 kept runs were damaged: they count as missing and are made again";
        assert_eq!(store.notes(), [expected]);
    }
}
