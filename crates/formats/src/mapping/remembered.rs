//! Mappings that were used, by the columns of the table, so that the next file with these columns needs no question.

use serde::{Deserialize, Serialize};

/// Mappings that are remembered at most; the one used longest ago goes first.
pub const REMEMBERED_MAX: usize = 50;

/// Mappings by the fingerprint of the columns ([`super::fingerprint`]).
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Remembered {
    /// The one used last first.
    entries: Vec<RememberedMapping>,
}

/// A mapping that was used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RememberedMapping {
    /// The fingerprint of the columns, as 16 hexadecimal digits where it is written.
    #[serde(with = "as_hex")]
    pub fingerprint: u64,
    /// The mapping as text.
    pub mapping: String,
    /// When it was used last, in seconds since 1970.
    pub used_epoch_s: f64,
    /// The name of the file that it was used for last.
    pub file: String,
}

impl Remembered {
    /// The mappings, the one used last first.
    pub fn entries(&self) -> &[RememberedMapping] {
        &self.entries
    }

    /// The mapping for a table with these columns.
    pub fn find(&self, fingerprint: u64) -> Option<&RememberedMapping> {
        self.entries.iter().find(|entry| entry.fingerprint == fingerprint)
    }

    /// Remembers a mapping as the one used last, in the place of an earlier one for the same columns.
    pub fn keep(&mut self, entry: RememberedMapping) {
        self.forget(entry.fingerprint);
        self.entries.insert(0, entry);
        self.entries.truncate(REMEMBERED_MAX);
    }

    /// Forgets the mapping for these columns. Returns whether there was one.
    pub fn forget(&mut self, fingerprint: u64) -> bool {
        let before = self.entries.len();
        self.entries.retain(|entry| entry.fingerprint != fingerprint);
        self.entries.len() < before
    }
}

/// A fingerprint as hexadecimal digits: numbers of JSON and of JavaScript do not hold 64 bits.
pub(super) mod as_hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(fingerprint: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{fingerprint:016x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(fingerprint: u64, used_epoch_s: f64) -> RememberedMapping {
        RememberedMapping { fingerprint, mapping: "gpus=n".into(), used_epoch_s, file: "jobs.csv".into() }
    }

    fn fingerprints(remembered: &Remembered) -> Vec<u64> {
        remembered.entries().iter().map(|entry| entry.fingerprint).collect()
    }

    #[test]
    fn the_mapping_used_longest_ago_is_forgotten_first() {
        let mut remembered = Remembered::default();
        (0..60).for_each(|at| remembered.keep(entry(at, at as f64)));
        assert_eq!(fingerprints(&remembered), (10..60).rev().collect::<Vec<u64>>());
        remembered.keep(entry(10, 99.0));
        assert_eq!(fingerprints(&remembered)[..2], [10, 59]);
        assert_eq!(remembered.entries().len(), REMEMBERED_MAX);
        assert_eq!(remembered.find(10).map(|entry| entry.used_epoch_s), Some(99.0));
        assert!(remembered.forget(10) && !remembered.forget(10));
        assert_eq!(remembered.find(10), None);
    }

    #[test]
    fn what_is_remembered_is_written_and_read_back() {
        let mut remembered = Remembered::default();
        remembered.keep(entry(u64::MAX, 1.5));
        let bytes = postcard::to_allocvec(&remembered).unwrap();
        assert_eq!(postcard::from_bytes::<Remembered>(&bytes), Ok(remembered));
    }
}
