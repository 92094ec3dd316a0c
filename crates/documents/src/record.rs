//! Everything that a comparison left behind, in one file: the scenario and the record of each run.
//!
//! ```text
//! elastiplan record\n    so that a person who opens the file sees what it is
//! u16                    the version of what follows, little-endian
//! u64                    XXH3 of the rest, little-endian
//! postcard               the scenario and the runs
//! ```
//!
//! Postcard does not describe itself: a change of what is stored raises [`VERSION`]. A test knows the shape and
//! reminds of it.

use elastiplan_planner::PolicyRun;
use elastiplan_scenario::Scenario;
use serde::Deserialize;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

/// The name of the file in a folder of results.
pub const FILE_NAME: &str = "runs.elastiplan";
/// The version that this build writes, and the only one that it reads.
pub const VERSION: u16 = 12;

const MAGIC: &[u8] = b"elastiplan record\n";

/// A scenario with its runs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Record {
    /// The scenario.
    pub scenario: Scenario,
    /// The runs, policy by policy.
    pub runs: Vec<PolicyRun>,
}

/// The reason why bytes are not a usable record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// Another kind of file.
    #[error("not a record of runs: those begin with the line \"elastiplan record\"")]
    Foreign,
    /// It ends before its contents begin.
    #[error("the record is cut off after {0} bytes; copy the whole file again")]
    Truncated(usize),
    /// A later build wrote it.
    #[error("the record has version {found}, this build reads {VERSION}: use a newer build")]
    Newer {
        /// Its version.
        found: u16,
    },
    /// An earlier build wrote it.
    #[error("the record has version {found}, this build reads {VERSION}: run the scenario again")]
    Older {
        /// Its version.
        found: u16,
    },
    /// The checksum does not fit.
    #[error("the record is damaged or cut off: its checksum does not fit; copy it again or run the scenario again")]
    Checksum,
    /// The contents do not fit each other.
    #[error("the record cannot be read: {0}; run the scenario again")]
    Contents(String),
}

/// A scenario and its runs as bytes.
pub fn write(scenario: &Scenario, runs: &[PolicyRun]) -> Result<Vec<u8>, RecordError> {
    let mut bytes = [MAGIC, &VERSION.to_le_bytes(), &[0; size_of::<u64>()]].concat();
    let start = bytes.len();
    // Postcard writes no names: a pair is what a record is.
    bytes = postcard::to_extend(&(scenario, runs), bytes).map_err(unreadable)?;
    let (head, contents) = bytes.split_at_mut(start);
    let checksum = xxh3_64(contents).to_le_bytes();
    head.iter_mut().rev().zip(checksum.iter().rev()).for_each(|(place, byte)| *place = *byte);
    Ok(bytes)
}

/// A scenario and its runs from bytes.
pub fn read(bytes: &[u8]) -> Result<Record, RecordError> {
    if bytes.len() < MAGIC.len() && !bytes.is_empty() && MAGIC.starts_with(bytes) {
        return Err(RecordError::Truncated(bytes.len()));
    }
    let truncated = || RecordError::Truncated(bytes.len());
    let rest = bytes.strip_prefix(MAGIC).ok_or(RecordError::Foreign)?;
    let (version, rest) = rest.split_first_chunk().ok_or_else(truncated)?;
    match u16::from_le_bytes(*version) {
        VERSION => {}
        found if found > VERSION => return Err(RecordError::Newer { found }),
        found => return Err(RecordError::Older { found }),
    }
    let (checksum, contents) = rest.split_first_chunk().ok_or_else(truncated)?;
    if u64::from_le_bytes(*checksum) != xxh3_64(contents) {
        return Err(RecordError::Checksum);
    }
    let (record, left): (Record, &[u8]) = postcard::take_from_bytes(contents).map_err(unreadable)?;
    if !left.is_empty() {
        return Err(RecordError::Contents(format!("{} bytes too many", left.len())));
    }
    record.check()?;
    Ok(record)
}

fn unreadable(error: postcard::Error) -> RecordError {
    RecordError::Contents(error.to_string())
}

impl Record {
    /// Checks that the runs have their digests.
    fn check(&self) -> Result<(), RecordError> {
        match self.runs.iter().find(|run| run.run.digest() != run.digest) {
            None => Ok(()),
            Some(run) => Err(RecordError::Contents(format!("the run of {} does not have its digest", run.policy))),
        }
    }
}
