//! A record of kept work: the members of a bundle, and the names of its data, which are kept beside all records.

use std::collections::BTreeMap;

use elastiplan_documents::Bundle;
use serde::{Deserialize, Serialize};

use crate::keeping::{KeptAbout, KeptEntry, KeptList};

/// A record. Later builds read it: members are added with a default, and none changes its meaning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Record {
    pub id: String,
    /// Counts how often it was written.
    pub revision: u32,
    pub is_pinned: bool,
    pub changed_ms: f64,
    pub about: KeptAbout,
    /// The texts of the bundle, by their names.
    pub texts: Vec<(String, String)>,
    /// The files of the bundle by their names, with hash and bytes.
    pub files: Vec<(String, String, f64)>,
}

impl Record {
    /// The record of a bundle. The bytes of files that were kept before are not known here.
    pub fn of(id: String, revision: u32, about: KeptAbout, bundle: &Bundle) -> Self {
        let bytes = |name: &str| bundle.files.get(name).map_or(0.0, |bytes| bytes.len() as f64);
        let files = bundle.hashes().into_iter().map(|(name, hash)| {
            let bytes = bytes(&name);
            (name, hash.to_string(), bytes)
        });
        let files = files.collect();
        Self { id, revision, is_pinned: false, changed_ms: 0.0, about, texts: bundle.texts(), files }
    }

    fn texts_bytes(&self) -> f64 {
        self.texts.iter().map(|(_, text)| text.len() as f64).sum()
    }
}

/// What the list says of a record by itself.
pub(super) fn entry(record: &Record) -> KeptEntry {
    let Record { id, revision, is_pinned, changed_ms, about, files, .. } = record.clone();
    let bytes = record.texts_bytes() + files.iter().map(|(.., bytes)| bytes).sum::<f64>();
    KeptEntry { id, revision, is_pinned, changed_ms, about, bytes, shares: false }
}

/// The list: pinned work first, then by the last change. Data of several count once, with the one that was made first.
pub(super) fn list(records: &[Record]) -> KeptList {
    let mut uses: BTreeMap<&str, u32> = BTreeMap::new();
    for (_, hash, _) in records.iter().flat_map(|record| &record.files) {
        *uses.entry(hash).or_default() += 1;
    }
    let mut oldest_first: Vec<&Record> = records.iter().collect();
    elastiplan_model::order::sort_by_number(&mut oldest_first, |record| record.changed_ms);
    let mut counted: Vec<&str> = Vec::new();
    let mut entries = Vec::new();
    for record in oldest_first {
        let mut entry = entry(record);
        entry.bytes = record.texts_bytes();
        for (_, hash, bytes) in &record.files {
            entry.shares |= uses.get(hash.as_str()).is_some_and(|uses| *uses > 1);
            if !counted.contains(&hash.as_str()) {
                counted.push(hash);
                entry.bytes += bytes;
            }
        }
        entries.insert(0, entry);
    }
    let (mut first, rest): (Vec<KeptEntry>, Vec<KeptEntry>) = entries.into_iter().partition(|entry| entry.is_pinned);
    first.extend(rest);
    let bytes = first.iter().map(|entry| entry.bytes).sum();
    KeptList { entries: first, bytes, bytes_max: None }
}

/// The name of a copy: `NAME (2)`, or with the next number that no work has.
pub(super) fn name_of_copy(name: &str, taken: &[&str]) -> String {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let stem = match name.rsplit_once(" (") {
        Some((stem, rest)) if rest.strip_suffix(')').is_some_and(is_number) => stem,
        _ => name,
    };
    let mut names = (2_u32..).map(|number| format!("{stem} ({number})"));
    names.find(|name| !taken.contains(&name.as_str())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str, changed_ms: f64, files: &[(&str, f64)]) -> Record {
        let files = files.iter().map(|(hash, bytes)| (String::new(), (*hash).to_string(), *bytes)).collect();
        Record { id: id.into(), changed_ms, texts: vec![("a".into(), "12345".into())], files, ..Record::default() }
    }

    #[test]
    fn shared_data_count_once_and_pinned_work_stands_first() {
        let mut records =
            [record("a", 1.0, &[("x", 100.0)]), record("b", 3.0, &[("x", 100.0), ("y", 7.0)]), record("c", 2.0, &[])];
        records[2].is_pinned = true;
        let list = list(&records);
        let told: Vec<(&str, f64, bool)> =
            list.entries.iter().map(|entry| (entry.id.as_str(), entry.bytes, entry.shares)).collect();
        assert_eq!(told, [("c", 5.0, false), ("b", 12.0, true), ("a", 105.0, true)]);
        assert_eq!(list.bytes, 122.0);
    }

    #[test]
    fn copies_are_numbered() {
        assert_eq!(name_of_copy("Q3", &["Q3"]), "Q3 (2)");
        assert_eq!(name_of_copy("Q3 (2)", &["Q3", "Q3 (2)"]), "Q3 (3)");
        assert_eq!(name_of_copy("Q3 (old)", &[]), "Q3 (old) (2)");
    }
}
