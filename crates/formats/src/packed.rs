//! Packed files: recognised by their first bytes, and unpacked while they are read, so that memory is needed for what
//! is read from them alone. One code serves the page and the command line; zstd is the command line's only.
//!
//! What unpacks to more than [`RATIO_MAX`] times its size is refused above [`RATIO_FREE_BYTES`]: tables shrink to a
//! tenth, and what is made to fill a machine to a thousandth.

mod archive;
mod crc;
mod directory;
mod guard;
mod gzip;
mod member;
mod whole;
#[cfg(feature = "zstd")]
mod zstd;

use std::io::{Error, Read, SeekFrom};

pub(crate) use archive::{Archive, Tally};
use directory::Directory;
pub use whole::{ArchiveFile, read_archive, write_archive};

use crate::text::refusal::{self, Refusal};
use crate::text::source::{Content, Source, bytes_text};
use guard::Guarded;

/// How many times its stored size a file may have unpacked.
pub(crate) const RATIO_MAX: u64 = 200;
/// How many times its stored size a file can have unpacked: a code of one bit for 258 bytes, and its distance of another.
const RATIO_POSSIBLE: u64 = 1_032;
/// Bytes that a file may have unpacked, whatever it shrank to.
pub(crate) const RATIO_FREE_BYTES: u64 = 100_000_000;

/// A file after its first bytes were looked at.
pub(crate) enum Opened<'a> {
    /// One file, as it is or unpacked.
    File(Source<'a>),
    /// A zip archive.
    Archive(Archive<'a>),
}

/// Unpacks one file; of an archive the one that the path names, behind that of the archive: `traces.zip/jobs.csv`.
pub(crate) fn open_one(source: Source<'_>) -> Result<Source<'_>, Refusal> {
    let path = source.path.clone();
    match open(source)? {
        Opened::File(source) => Ok(source),
        Opened::Archive(archive) => match archive.member(&path) {
            Some((_, opened)) => opened,
            None => Err(Refusal::new(
                format!("{path} names no file of an archive"),
                "Name one behind the archive: traces.zip/jobs.csv",
            )),
        },
    }
}

/// Looks at the first bytes of a file.
pub(crate) fn open(source: Source<'_>) -> Result<Opened<'_>, Refusal> {
    let Source { path, bytes_total, reader } = source;
    let mut reader = Started::new(reader);
    let file = |bytes_total, reader| Ok(Opened::File(Source { path: path.clone(), bytes_total, reader }));
    match reader.start() {
        [0x1f, 0x8b, ..] => {
            if let Some(stored) = bytes_total
                && let Some(size) = last_size(&mut reader, stored)
            {
                check_ratio(size, stored)?;
            }
            file(None, Box::new(Guarded::new(gzip::Members::new(reader), gzip::Members::bytes_read)))
        }
        #[cfg(feature = "zstd")]
        [0x28, 0xb5, 0x2f, 0xfd] => {
            file(None, Box::new(Guarded::new(zstd::Frames::new(reader), zstd::Frames::bytes_read)))
        }
        #[cfg(not(feature = "zstd"))]
        [0x28, 0xb5, 0x2f, 0xfd] => Err(Refusal::new(
            "Files packed with zstd cannot be read in the page",
            "Unpack it with zstd -d, or pack it with gzip",
        )),
        [b'P', b'K', 3, 4] | [b'P', b'K', 5, 6] => {
            let directory = Directory::read(&mut reader)?;
            Ok(Opened::Archive(Archive::new(path, Box::new(reader), directory)))
        }
        _ => file(bytes_total, Box::new(reader)),
    }
}

/// The refusal of what unpacks to far more than its size, before it is unpacked.
fn check_ratio(size: u64, stored: u64) -> Result<(), Refusal> {
    if size <= RATIO_FREE_BYTES || size / RATIO_MAX <= stored {
        return Ok(());
    }
    let reason = format!(
        "It unpacks from {} to {}; above {} at most {RATIO_MAX} times the size is unpacked",
        bytes_text(stored),
        bytes_text(size),
        bytes_text(RATIO_FREE_BYTES)
    );
    Err(Refusal::new(reason, "Unpack it, if it is what you expect, and drop the table"))
}

/// The unpacked size that stands at the end of a file packed with gzip; `None` if the end cannot be reached, and if no
/// file can unpack to that much, as where it is cut off.
fn last_size(reader: &mut Started<'_>, stored: u64) -> Option<u64> {
    let file = reader.seekable()?;
    let mut size = [0; 4];
    let is_read = file.seek(SeekFrom::End(-4)).is_ok() && file.read_exact(&mut size).is_ok();
    file.seek(SeekFrom::Start(0)).ok()?;
    let size = u64::from(u32::from_le_bytes(size));
    (is_read && size / RATIO_POSSIBLE <= stored).then_some(size)
}

/// The reason why a file in an archive, or a packed file, cannot be unpacked.
fn damaged(detail: &str) -> Refusal {
    Refusal::new(format!("The zip archive is damaged: {detail}"), "Check that it was downloaded to the end")
}

/// The refusal of an archive without files.
pub(crate) fn no_files() -> Refusal {
    Refusal::new("The zip archive has no files", "Check how it was made")
}

/// Content whose first bytes were looked at, and are read again.
struct Started<'a> {
    content: Box<dyn Content + 'a>,
    start: [u8; 4],
    /// Bytes of the start that are there.
    length: usize,
    /// Bytes of the start that were read again; those of content that can go back are read from it.
    taken: usize,
    /// Why reading the start failed.
    error: Option<Error>,
}

impl<'a> Started<'a> {
    fn new(content: Box<dyn Content + 'a>) -> Self {
        let mut started = Self { content, start: [0; 4], length: 0, taken: 0, error: None };
        while let Some(room) = started.start.get_mut(started.length..).filter(|room| !room.is_empty()) {
            match started.content.read(room) {
                Ok(0) => break,
                Ok(read) => started.length += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    started.error = Some(error);
                    break;
                }
            }
        }
        if started.content.seekable().is_some_and(|file| file.seek(SeekFrom::Start(0)).is_ok()) {
            started.taken = started.length;
        }
        started
    }

    /// The first bytes.
    fn start(&self) -> &[u8] {
        self.start.get(..self.length).unwrap_or_default()
    }
}

impl Read for Started<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut rest = self.start.get(self.taken..self.length).unwrap_or_default();
        if !rest.is_empty() {
            let read = rest.read(buffer)?;
            self.taken += read;
            return Ok(read);
        }
        match self.error.take() {
            Some(error) => Err(error),
            None => self.content.read(buffer),
        }
    }
}

impl Content for Started<'_> {
    fn seekable(&mut self) -> Option<&mut dyn crate::text::source::ReadSeek> {
        self.content.seekable()
    }
}

/// The refusal of a packed file that lies in another.
pub(crate) fn refuse_nested(start: &[u8]) -> Option<Refusal> {
    let what = match start {
        [0x1f, 0x8b, ..] => "A file packed with gzip",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "A file packed with zstd",
        [b'P', b'K', 3, 4, ..] if refusal::office(start).is_none() => "A zip archive",
        _ => return None,
    };
    Some(Refusal::new(format!("{what} inside a packed file is not unpacked"), "Unpack the outer one and drop this one"))
}
