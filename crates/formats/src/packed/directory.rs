//! The directory of a zip archive, which stands at its end (APPNOTE.TXT 6.3.10, sections 4.3.12 to 4.3.16).

use std::io::{BufReader, Read, SeekFrom};

use elastiplan_model::order::sort_by;

use super::{Started, check_ratio, damaged};
use crate::text::refusal::{self, Refusal};
use crate::text::source::{Content, ReadSeek};

/// Entries that are looked at; further ones are counted.
const ENTRIES_MAX: usize = 10_000;
/// The record at the end, with the longest comment behind it.
const END_BYTES_MAX: u64 = 22 + 65_535;
const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
const LOCATOR_64: &[u8] = b"PK\x06\x07";
const ENTRY: &[u8] = b"PK\x01\x02";
/// The id of the extra field with numbers of 64 bits.
const EXTRA_64: u16 = 1;
/// What stands for a number that is in the extra field.
const IN_EXTRA: u64 = 0xffff_ffff;

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its name, with folders.
    pub name: String,
    /// 0: stored; 8: deflated.
    pub method: u16,
    pub is_encrypted: bool,
    pub crc: u32,
    /// Bytes in the archive.
    pub stored: u64,
    /// Bytes unpacked.
    pub size: u64,
    /// Where its local header starts.
    pub at: u64,
}

/// The files in an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Directory {
    /// In the order of their names, without folders and hidden files.
    pub entries: Vec<Entry>,
    /// Entries that were not looked at.
    pub more: u64,
}

impl Directory {
    /// Reads the directory of an archive.
    pub(super) fn read(archive: &mut Started<'_>) -> Result<Self, Refusal> {
        let mut start = Vec::new();
        let Some(file) = archive.seekable() else {
            return Err(Refusal::new("A zip archive cannot be read from a pipe", "Save it to a file and name that"));
        };
        let failed = |error: std::io::Error| Refusal::new(format!("The file cannot be read: {error}"), "Try again");
        let length = file.seek(SeekFrom::End(0)).map_err(failed)?;
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        file.take(1 << 12).read_to_end(&mut start).map_err(failed)?;
        if let Some(refusal) = refusal::office(&start) {
            return Err(refusal);
        }
        let place = Place::find(file, length).ok_or_else(|| damaged("it has no directory at its end"))?;
        let directory = place.entries(file)?;
        if let Some(refusal) = directory.known_kind() {
            return Err(refusal);
        }
        let size = directory.entries.iter().map(|entry| entry.size).fold(0, u64::saturating_add);
        check_ratio(size, length)?;
        Ok(directory)
    }

    /// Archives that are no collections of files, by the names in them.
    fn known_kind(&self) -> Option<Refusal> {
        let has = |test: fn(&str) -> bool| self.entries.iter().any(|entry| test(&entry.name));
        if has(|name| name.starts_with("xl/")) {
            refusal::office(b"xl/")
        } else if has(|name| name == "mimetype") && has(|name| name == "content.xml") {
            refusal::office(b"opendocument")
        } else {
            None
        }
    }
}

/// Where the directory stands.
struct Place {
    at: u64,
    entries: u64,
    /// Bytes before the archive, as of a program that unpacks itself.
    offset: u64,
}

impl Place {
    fn find(file: &mut dyn ReadSeek, length: u64) -> Option<Self> {
        let tail_at = length.saturating_sub(END_BYTES_MAX);
        let tail = bytes_at(file, tail_at, length - tail_at)?;
        let end = (0..tail.len().checked_sub(21)?).rev().find(|&at| is_end(&tail, at))?;
        let record = tail.get(end..)?;
        let end_at = tail_at + end as u64;
        let short = [u64::from(u16_at(record, 10)?), u64::from(u32_at(record, 12)?), u64::from(u32_at(record, 16)?)];
        let ([entries, size, at], record_at) = Self::long(file, end_at).unwrap_or((short, end_at));
        // The directory ends where its record starts; what its address lacks stands before the archive.
        let true_at = record_at.checked_sub(size)?;
        Some(Self { at: true_at, entries, offset: true_at.checked_sub(at)? })
    }

    /// The numbers of 64 bits and where their record starts, where an archive has them.
    fn long(file: &mut dyn ReadSeek, end_at: u64) -> Option<([u64; 3], u64)> {
        let locator = bytes_at(file, end_at.checked_sub(20)?, 20)?;
        if !locator.starts_with(LOCATOR_64) {
            return None;
        }
        let at = u64_at(&locator, 8)?;
        let record = bytes_at(file, at, 56)?;
        let numbers = [u64_at(&record, 32)?, u64_at(&record, 40)?, u64_at(&record, 48)?];
        record.starts_with(END_64).then_some((numbers, at))
    }

    fn entries(&self, file: &mut dyn ReadSeek) -> Result<Directory, Refusal> {
        let cut = || damaged("its directory is cut off");
        file.seek(SeekFrom::Start(self.at)).map_err(|_| cut())?;
        let mut reader = BufReader::new(file);
        let mut directory = Directory::default();
        for seen in 0..self.entries {
            if directory.entries.len() >= ENTRIES_MAX {
                directory.more = self.entries - seen;
                break;
            }
            let entry = read_entry(&mut reader, self.offset).ok_or_else(cut)?;
            if !is_hidden(&entry.name) {
                directory.entries.push(entry);
            }
        }
        sort_by(&mut directory.entries, |a, b| a.name.cmp(&b.name));
        Ok(directory)
    }
}

/// Whether a record of the end starts there, with a comment up to the end.
fn is_end(tail: &[u8], at: usize) -> bool {
    let record = tail.get(at..).unwrap_or_default();
    let is_whole = u16_at(record, 20).is_some_and(|comment| record.len() >= 22 + usize::from(comment));
    record.starts_with(END) && is_whole
}

/// Folders, and files that systems add for themselves.
fn is_hidden(name: &str) -> bool {
    name.ends_with('/') || name.split(['/', '\\']).any(|part| part.starts_with('.') || part == "__MACOSX")
}

fn read_entry(reader: &mut impl Read, offset: u64) -> Option<Entry> {
    let mut fixed = [0; 46];
    reader.read_exact(&mut fixed).ok()?;
    if !fixed.starts_with(ENTRY) {
        return None;
    }
    let mut part = |at: usize| {
        let mut bytes = vec![0; u16_at(&fixed, at)?.into()];
        reader.read_exact(&mut bytes).ok()?;
        Some(bytes)
    };
    let (name, extra, _comment) = (part(28)?, part(30)?, part(32)?);
    let mut numbers = [24, 20, 42].map(|at| u64::from(u32_at(&fixed, at).unwrap_or_default()));
    fill_long(&mut numbers, &extra);
    let [size, stored, at] = numbers;
    Some(Entry {
        name: String::from_utf8_lossy(&name).into_owned(),
        method: u16_at(&fixed, 10)?,
        is_encrypted: u16_at(&fixed, 8)? & 1 == 1,
        crc: u32_at(&fixed, 16)?,
        stored,
        size,
        at: at.checked_add(offset)?,
    })
}

/// Takes numbers that need 64 bits from the extra fields: each that is marked so, in order.
fn fill_long(numbers: &mut [u64; 3], mut extra: &[u8]) {
    while let Some((id, length)) = u16_at(extra, 0).zip(u16_at(extra, 2)) {
        let end = 4 + usize::from(length);
        if id == EXTRA_64 {
            let values = extra.get(4..end).unwrap_or_default().chunks_exact(8);
            let wanted = numbers.iter_mut().filter(|number| **number == IN_EXTRA);
            for (number, value) in wanted.zip(values) {
                *number = u64_at(value, 0).unwrap_or(IN_EXTRA);
            }
            return;
        }
        extra = extra.get(end..).unwrap_or_default();
    }
}

/// Bytes of a file; `None` if there are not so many there.
pub(super) fn bytes_at(file: &mut dyn ReadSeek, at: u64, length: u64) -> Option<Vec<u8>> {
    file.seek(SeekFrom::Start(at)).ok()?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == length).then_some(bytes)
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}
