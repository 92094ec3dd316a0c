//! A file in a zip archive, unpacked while it is read.

use std::cell::RefCell;
use std::io::{Error, ErrorKind, Read, Result, SeekFrom};
use std::rc::Rc;

use flate2::read::DeflateDecoder;

use super::crc::Crc;
use super::directory::{Entry, bytes_at, u16_at};
use super::{check_ratio, damaged};
use crate::text::refusal::Refusal;
use crate::text::source::Content;

/// The bytes of an archive, for the files in it, which are read one after the other.
pub(super) type Shared<'a> = Rc<RefCell<Box<dyn Content + 'a>>>;

/// The length of a local header without its name and extra field.
const HEADER_BYTES: u64 = 30;

/// Opens a file of an archive.
pub(super) fn open<'a>(archive: &Shared<'a>, entry: &Entry) -> std::result::Result<Box<dyn Content + 'a>, Refusal> {
    if entry.is_encrypted {
        return Err(Refusal::new("It is encrypted", "Unpack it with its password and drop the table"));
    }
    check_ratio(entry.size, entry.stored)?;
    let stored = Stored { archive: Rc::clone(archive), at: start_of(archive, entry)?, left: entry.stored, read: 0 };
    match entry.method {
        0 => Ok(Box::new(Checked::new(stored, entry, |stored| stored.read))),
        8 => Ok(Box::new(Checked::new(DeflateDecoder::new(stored), entry, |decoder| decoder.get_ref().read))),
        other => {
            let reason = format!("It is packed by a method that is not read here, {}", method_name(other));
            Err(Refusal::new(reason, "Unpack it and drop the table, or pack it as usual (deflate)"))
        }
    }
}

fn method_name(method: u16) -> String {
    let known = [(9, "Deflate64"), (12, "bzip2"), (14, "LZMA"), (93, "zstd"), (95, "xz"), (98, "PPMd"), (99, "AES")];
    known.iter().find(|(id, _)| *id == method).map_or(format!("number {method}"), |(_, name)| (*name).into())
}

/// Where the bytes of a file start, behind its local header.
fn start_of(archive: &Shared<'_>, entry: &Entry) -> std::result::Result<u64, Refusal> {
    let find = || {
        let mut archive = archive.try_borrow_mut().ok()?;
        let header = bytes_at(archive.seekable()?, entry.at, HEADER_BYTES)?;
        let lengths = u64::from(u16_at(&header, 26)?) + u64::from(u16_at(&header, 28)?);
        header.starts_with(b"PK\x03\x04").then(|| entry.at + HEADER_BYTES + lengths)
    };
    find().ok_or_else(|| damaged("its directory names a file where there is none"))
}

/// The bytes of a file as they stand in the archive.
struct Stored<'a> {
    archive: Shared<'a>,
    at: u64,
    left: u64,
    read: u64,
}

impl Read for Stored<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let length = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let room = buffer.get_mut(..length).unwrap_or_default();
        let mut archive = self.archive.try_borrow_mut().map_err(Error::other)?;
        let file = archive.seekable().ok_or_else(|| Error::other("the archive cannot be read any more"))?;
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(room)?;
        self.at += read as u64;
        self.left -= read as u64;
        self.read += read as u64;
        Ok(read)
    }
}

/// Unpacked content that must be as long as the directory says, and have its checksum.
struct Checked<D> {
    content: D,
    /// Bytes read so far of what is stored.
    stored: fn(&D) -> u64,
    crc: Crc,
    expected_crc: u32,
    left: u64,
}

impl<D> Checked<D> {
    fn new(content: D, entry: &Entry, stored: fn(&D) -> u64) -> Self {
        Self { content, stored, crc: Crc::new(), expected_crc: entry.crc, left: entry.size }
    }
}

fn wrong(what: &'static str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

impl<D: Read> Read for Checked<D> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let read = self.content.read(buffer)?;
        if read == 0 && !buffer.is_empty() {
            if self.left > 0 {
                return Err(wrong("it ends before the size that the archive names"));
            }
            if self.crc.sum() != self.expected_crc {
                return Err(wrong("its checksum is not the one that the archive names"));
            }
            return Ok(0);
        }
        self.left = self
            .left
            .checked_sub(read as u64)
            .ok_or_else(|| wrong("it goes on beyond the size that the archive names"))?;
        self.crc.update(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}

impl<D: Read> Content for Checked<D> {
    fn stored_bytes_read(&self) -> Option<u64> {
        Some((self.stored)(&self.content))
    }
}
