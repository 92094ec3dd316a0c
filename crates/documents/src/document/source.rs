//! Where the data of a document are, apart from it: so that a document can be written of data that were written before.

use serde::{Deserialize, Serialize};
use serde_json::{from_str, to_string};

use super::{AvailabilitySource, Document, FileHash, JobSource};

/// A kind of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DataKind {
    /// The jobs.
    Jobs,
    /// The curves.
    Curves,
    /// The log of nodes.
    Availability,
}

/// The source of data of one kind, as it stands in a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataSource {
    /// The kind.
    pub kind: DataKind,
    /// What stands in the document, as JSON: `{"file":"jobs.csv"}`.
    text: String,
    /// The files that it names, with the hashes of their contents.
    files: Vec<(String, FileHash)>,
}

impl DataSource {
    /// Whether it holds or draws the data, so that no file belongs to it.
    pub fn is_whole(&self) -> bool {
        self.files.is_empty()
    }

    /// Whether one of these is the hash of one of its files.
    pub fn is_of(&self, hashes: &[String]) -> bool {
        self.files.iter().any(|(_, hash)| hashes.contains(&hash.to_string()))
    }
}

impl Document {
    /// The source of its data of a kind; `None` if it has none.
    pub fn source(&self, kind: DataKind) -> Option<DataSource> {
        let (text, place) = match kind {
            DataKind::Jobs => (to_string(&self.jobs), "jobs."),
            DataKind::Curves => (to_string(&self.curves), "curves."),
            DataKind::Availability => (to_string(self.availability.as_ref()?), "availability."),
        };
        let named = self.named_files().into_iter().filter(|(named, _)| named.starts_with(place));
        let files = named.filter_map(|(_, name)| Some((name.to_string(), *self.files.get(name)?))).collect();
        Some(DataSource { kind, text: text.ok()?, files })
    }

    /// Takes over a source of data. Whether it can be read.
    pub fn set_source(&mut self, source: &DataSource) -> bool {
        let before = self.named_files().into_iter().map(|(_, name)| name.to_string()).collect::<Vec<_>>();
        let is_read = match source.kind {
            DataKind::Jobs => from_str::<JobSource>(&source.text).map(|jobs| self.jobs = jobs).is_ok(),
            DataKind::Curves => from_str(&source.text).map(|curves| self.curves = curves).is_ok(),
            DataKind::Availability => {
                from_str::<AvailabilitySource>(&source.text).map(|log| self.availability = Some(log)).is_ok()
            }
        };
        let now = self.named_files().into_iter().map(|(_, name)| name.to_string()).collect::<Vec<_>>();
        self.files.retain(|name, _| !before.contains(name) || now.contains(name));
        self.files.extend(source.files.iter().cloned());
        is_read
    }
}
