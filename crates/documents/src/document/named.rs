//! Files that a document names, and the hashes that tell them from others of the same name.

use std::fmt;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::resolve::Files;
use super::{AvailabilitySource, CurveSource, Document, DocumentError, JobSource, PriceSource, TableSource};

/// The hash of a file's content: XXH3 of 64 bits, written as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FileHash(u64);

impl FileHash {
    /// The hash of a content.
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_64(bytes))
    }

    /// Its first four digits: enough to tell files of one name apart in a sentence.
    pub fn short(self) -> String {
        format!("{:04x}…", self.0 >> 48)
    }
}

impl fmt::Display for FileHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl TryFrom<String> for FileHash {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let is_hash = text.len() == 16 && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        let number = u64::from_str_radix(&text, 16).ok().filter(|_| is_hash);
        number.map(Self).ok_or("the hash of a file is 16 hexadecimal digits")
    }
}

impl From<FileHash> for String {
    fn from(hash: FileHash) -> Self {
        hash.to_string()
    }
}

impl Document {
    /// The files that it names, each with the field that does, in the order of the fields.
    pub fn named_files(&self) -> Vec<(&'static str, &str)> {
        let mut named = Vec::new();
        match &self.jobs {
            JobSource::File(name) | JobSource::Mapped(TableSource::File(name), _) => {
                named.push(("jobs.file", name.as_str()));
            }
            _ => {}
        }
        if let CurveSource::Files(names) = &self.curves {
            named.extend(names.iter().map(|name| ("curves.files", name.as_str())));
        }
        if let Some(AvailabilitySource::File(name)) = &self.availability {
            named.push(("availability.file", name));
        }
        if let Some(PriceSource::File(name)) = &self.conditions.prices {
            named.push(("conditions.prices.file", name));
        }
        named
    }

    /// Calls each of the files that it names by another name.
    pub fn rename_files(&mut self, rename: &dyn Fn(&str) -> String) {
        let in_place = |name: &mut String| *name = rename(name);
        match &mut self.jobs {
            JobSource::File(name) | JobSource::Mapped(TableSource::File(name), _) => in_place(name),
            _ => {}
        }
        if let CurveSource::Files(names) = &mut self.curves {
            names.iter_mut().for_each(in_place);
        }
        if let Some(AvailabilitySource::File(name)) = &mut self.availability {
            in_place(name);
        }
        if let Some(PriceSource::File(name)) = &mut self.conditions.prices {
            in_place(name);
        }
        self.files = std::mem::take(&mut self.files).into_iter().map(|(name, hash)| (rename(&name), hash)).collect();
    }

    /// Checks that every hash is of a file that the document names.
    pub(super) fn check_named(&self) -> Result<(), DocumentError> {
        let is_named = |name: &str| self.named_files().iter().any(|(_, known)| *known == name);
        match self.files.keys().find(|name| !is_named(name)) {
            None => Ok(()),
            Some(name) => {
                let rule = "the hash of a file that the scenario names";
                Err(DocumentError::value(format!("files.{name}"), "it", rule))
            }
        }
    }

    /// Checks that files have the hashes that the document gives. Files that are not there are found out later.
    pub(super) fn check_hashes(&self, files: Files<'_>) -> Result<(), DocumentError> {
        for (name, expected) in &self.files {
            let found = files(name).map(|bytes| FileHash::of(&bytes));
            if let Some(found) = found.filter(|found| found != expected) {
                return Err(DocumentError::OtherFile { name: name.clone(), expected: *expected, found });
            }
        }
        Ok(())
    }
}
