//! Archives with few files that are needed whole: reading them into memory, and writing them.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::crc::Crc;
use super::{Opened, open};
use crate::text::source::{Source, bytes_text};

/// The version of the format that is needed to unpack: 2.0, for deflated files.
const VERSION_NEEDED: u16 = 20;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
/// 1 January 1980: the same files give the same archive, whenever it is written.
const DATE: u16 = 1 << 5 | 1;

/// A file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveFile {
    /// Its name in the archive, with folders: `data/jobs.csv`.
    pub name: String,
    /// Its content; or why it cannot be unpacked.
    pub content: Result<Vec<u8>, String>,
}

/// Reads all files of a zip archive that unpack to at most `bytes_max` together, in order of their names. Sizes and
/// checksums are those that the archive names, or the file has no content.
pub fn read_archive(source: Source<'_>, bytes_max: u64) -> Result<Vec<ArchiveFile>, String> {
    let opened = open(source).map_err(|refusal| refusal.reason)?;
    let Opened::Archive(archive) = opened else { return Err("It is no zip archive".into()) };
    let bytes = archive.bytes();
    if bytes > bytes_max {
        return Err(format!("It unpacks to {}; at most {} are read", bytes_text(bytes), bytes_text(bytes_max)));
    }
    let prefix = format!("{}/", archive.path());
    let whole = |(path, source): (String, Result<Source<'_>, _>)| ArchiveFile {
        name: path.strip_prefix(&prefix).unwrap_or(&path).into(),
        content: source.map_err(|refusal: crate::text::refusal::Refusal| refusal.reason).and_then(read_whole),
    };
    Ok(archive.map(whole).collect())
}

fn read_whole(mut source: Source<'_>) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    source.reader.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Writes files as a zip archive, deflated where that makes them smaller. `None` for more than an archive without numbers
/// of 64 bits can hold: 4 GB, 65,535 files.
pub fn write_archive(files: &[(&str, &[u8])]) -> Option<Vec<u8>> {
    let mut archive = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in files {
        let at = u32::try_from(archive.len()).ok()?;
        let entry = entry(name, content)?;
        archive.extend(b"PK\x03\x04");
        archive.extend(&entry.header);
        archive.extend(name.as_bytes());
        archive.extend(&entry.stored);
        directory.extend(b"PK\x01\x02");
        directory.extend(VERSION_NEEDED.to_le_bytes());
        directory.extend(&entry.header);
        // Neither a comment, nor other disks, nor attributes.
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (at, bytes) = (u32::try_from(archive.len()).ok()?, u32::try_from(directory.len()).ok()?);
    let entries = u16::try_from(files.len()).ok()?.to_le_bytes();
    archive.append(&mut directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([entries, entries].concat());
    archive.extend([bytes.to_le_bytes(), at.to_le_bytes()].concat());
    archive.extend([0; 2]);
    Some(archive)
}

/// A file as it stands in an archive.
struct Written {
    /// The part that its header and its entry in the directory share.
    header: Vec<u8>,
    stored: Vec<u8>,
}

fn entry(name: &str, content: &[u8]) -> Option<Written> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let deflated = encoder.write_all(content).and_then(|()| encoder.finish()).ok()?;
    let (method, stored) = if deflated.len() < content.len() { (8, deflated) } else { (0, content.to_vec()) };
    let mut crc = Crc::new();
    crc.update(content);
    let mut header = Vec::new();
    // No time of day.
    for number in [VERSION_NEEDED, FLAGS, method, 0, DATE] {
        header.extend(number.to_le_bytes());
    }
    for number in [crc.sum(), u32::try_from(stored.len()).ok()?, u32::try_from(content.len()).ok()?] {
        header.extend(number.to_le_bytes());
    }
    // No extra field.
    header.extend([u16::try_from(name.len()).ok()?.to_le_bytes(), [0; 2]].concat());
    Some(Written { header, stored })
}
