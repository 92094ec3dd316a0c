//! The bytes of a file: counted, limited, and turned into UTF-8 text with `\n` at the end of every line.

use std::fs::File;
use std::io::{Cursor, ErrorKind, Read, Seek};

use serde::{Deserialize, Serialize};

use crate::text::encoding::{self, Utf16};
use crate::text::refusal::{self, Refusal};

/// A file to read.
pub struct Source<'a> {
    /// The path as the user names it, with its folder: `profiles/A100/bert.csv`.
    pub path: String,
    /// The size, where it is known.
    pub bytes_total: Option<u64>,
    /// The content.
    pub reader: Box<dyn Content + 'a>,
}

/// The content of a file.
pub trait Content: Read {
    /// The same content, where it can be read from any place: zip archives have their directory at the end.
    fn seekable(&mut self) -> Option<&mut dyn ReadSeek> {
        None
    }

    /// Bytes read so far of the file as it is stored, where that is packed.
    fn stored_bytes_read(&self) -> Option<u64> {
        None
    }
}

/// Content that can be read from any place.
pub trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

impl Content for File {
    fn seekable(&mut self) -> Option<&mut dyn ReadSeek> {
        // Pipes cannot go back.
        self.stream_position().is_ok().then_some(self as &mut dyn ReadSeek)
    }
}

impl<B: AsRef<[u8]>> Content for Cursor<B> {
    fn seekable(&mut self) -> Option<&mut dyn ReadSeek> {
        Some(self)
    }
}

/// Content that comes once, from its start to its end: a pipe.
#[derive(Debug)]
pub struct Stream<R>(pub R);

impl<R: Read> Read for Stream<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<R: Read> Content for Stream<R> {}

impl<'a> Source<'a> {
    /// A file that is in memory.
    pub fn from_bytes(path: impl Into<String>, bytes: &'a [u8]) -> Self {
        Self { path: path.into(), bytes_total: Some(bytes.len() as u64), reader: Box::new(Cursor::new(bytes)) }
    }
}

impl std::fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("path", &self.path).field("bytes_total", &self.bytes_total).finish()
    }
}

/// The progress of reading, over all files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The index of the file that is being read.
    pub file: u32,
    /// Bytes read so far, of all files.
    pub bytes_read: u64,
    /// Bytes of all files, where every size is known.
    pub bytes_total: Option<u64>,
}

/// Bytes between two calls of the progress function: about every 10 ms.
const PROGRESS_STEP: u64 = 1 << 20;

/// Counts the bytes of all files and reports the progress.
pub(crate) struct Meter<'m> {
    pub progress: Progress,
    /// Bytes of text read so far: more than those of the files where these are packed.
    pub content_bytes: u64,
    /// Bytes read when the progress was reported last.
    reported: u64,
    on_progress: &'m mut dyn FnMut(Progress),
}

impl<'m> Meter<'m> {
    pub fn new(bytes_total: Option<u64>, on_progress: &'m mut dyn FnMut(Progress)) -> Self {
        Self { progress: Progress { file: 0, bytes_read: 0, bytes_total }, content_bytes: 0, reported: 0, on_progress }
    }

    fn add(&mut self, bytes: u64) {
        self.progress.bytes_read += bytes;
        if self.progress.bytes_read - self.reported >= PROGRESS_STEP {
            self.report();
        }
    }

    /// Reports now, however little was read since the last report.
    pub fn report(&mut self) {
        self.reported = self.progress.bytes_read;
        (self.on_progress)(self.progress);
    }
}

/// The reason why reading stopped before the end of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The file is larger than the limit.
    Limit(u64),
    /// The operating system reported an error.
    Failed(String),
    /// The file is packed, and cannot be unpacked further.
    Damaged(String),
}

/// The advice on a file that ends too early.
pub(crate) const CHECK_END: &str = "Check that it was saved or downloaded to the end";
/// Bytes taken from the reader at a time.
const CHUNK: usize = 1 << 16;
/// Bytes that are looked at before anything is decided about the content.
const PREFIX: usize = 1 << 12;

/// A file as UTF-8 text, a chunk at a time.
pub(crate) struct Input<'a, 'm> {
    reader: Box<dyn Content + 'a>,
    meter: &'a mut Meter<'m>,
    chunk: Vec<u8>,
    /// Bytes of `chunk` that were read while sniffing and are not decoded yet.
    sniffed: std::ops::Range<usize>,
    utf16: Option<Utf16>,
    after_return: bool,
    bytes: u64,
    /// Bytes of the file as it is stored that were counted.
    stored_bytes: u64,
    bytes_max: Option<u64>,
    ended: bool,
    stop: Option<Stop>,
}

impl<'a, 'm> Input<'a, 'm> {
    /// Looks at the first bytes; refuses what is not text.
    pub fn open(source: Source<'a>, bytes_max: Option<u64>, meter: &'a mut Meter<'m>) -> Result<Self, Refusal> {
        if let Some((size, max)) = source.bytes_total.zip(bytes_max)
            && size > max
        {
            return Err(too_large(Some(size), max));
        }
        let mut input = Self {
            reader: source.reader,
            meter,
            chunk: vec![0; CHUNK],
            sniffed: 0..0,
            utf16: None,
            after_return: false,
            bytes: 0,
            stored_bytes: 0,
            bytes_max,
            ended: false,
            stop: None,
        };
        while input.sniffed.end < PREFIX && !input.ended {
            input.sniffed.end += input.read(input.sniffed.end);
        }
        let prefix = input.chunk.get(..input.sniffed.end).unwrap_or_default();
        match &input.stop {
            Some(Stop::Limit(max)) => return Err(too_large(None, *max)),
            Some(Stop::Failed(error)) if prefix.is_empty() => {
                return Err(Refusal::new(format!("The file cannot be read: {error}"), "Try again"));
            }
            Some(Stop::Damaged(error)) if prefix.is_empty() => {
                return Err(Refusal::new(format!("It cannot be unpacked: {error}"), CHECK_END));
            }
            _ => {}
        }
        if prefix.is_empty() {
            return Err(Refusal::new("The file is empty", CHECK_END));
        }
        if let Some(refusal) = refusal::refuse(prefix) {
            return Err(refusal);
        }
        let (utf16, mark) = encoding::detect(prefix);
        if utf16.is_none() && refusal::is_binary(prefix) {
            return Err(refusal::binary());
        }
        input.utf16 = utf16;
        input.sniffed.start = mark;
        Ok(input)
    }

    /// Appends more text to `out`; false at the end of the file.
    pub fn fill(&mut self, out: &mut Vec<u8>) -> bool {
        let range = if self.sniffed.is_empty() {
            let read = self.read(0);
            if read == 0 {
                return self.finish(out);
            }
            0..read
        } else {
            std::mem::take(&mut self.sniffed)
        };
        let bytes = self.chunk.get(range).unwrap_or_default();
        let from = out.len();
        match &mut self.utf16 {
            Some(utf16) => utf16.decode(bytes, out),
            None => out.extend_from_slice(bytes),
        }
        encoding::unify_line_ends(out, from, &mut self.after_return);
        true
    }

    /// Whether the text is in UTF-16, not in UTF-8.
    pub fn is_utf16(&self) -> bool {
        self.utf16.is_some()
    }

    /// The reason why reading ended early, if it did.
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// Appends what a decoder still holds at the end of the file; false if it holds nothing.
    fn finish(&mut self, out: &mut Vec<u8>) -> bool {
        self.utf16.as_mut().is_some_and(|utf16| utf16.finish(out))
    }

    /// Reads into the chunk from `at` on; 0 at the end of the file, at the limit, and after an error.
    fn read(&mut self, at: usize) -> usize {
        if self.ended {
            return 0;
        }
        let room = self.chunk.get_mut(at..).unwrap_or_default();
        let read = loop {
            match self.reader.read(room) {
                Ok(read) => break read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.stop = Some(match error.kind() {
                        ErrorKind::UnexpectedEof => Stop::Damaged("it ends too early".into()),
                        ErrorKind::InvalidData | ErrorKind::InvalidInput => Stop::Damaged(error.to_string()),
                        _ => Stop::Failed(error.to_string()),
                    });
                    break 0;
                }
            }
        };
        self.bytes += read as u64;
        self.meter.content_bytes += read as u64;
        let stored_bytes = self.reader.stored_bytes_read().unwrap_or(self.bytes);
        self.meter.add(stored_bytes - self.stored_bytes);
        self.stored_bytes = stored_bytes;
        if let Some(max) = self.bytes_max.filter(|&max| self.bytes > max) {
            self.stop = Some(Stop::Limit(max));
            self.ended = true;
            return 0;
        }
        self.ended = read == 0;
        read
    }
}

/// The refusal of a file that is larger than the limit.
pub(crate) fn too_large(size: Option<u64>, max: u64) -> Refusal {
    let is = size.map_or("It is larger than".into(), |size| format!("It is {}; the limit is", bytes_text(size)));
    Refusal::new(format!("{is} {}", bytes_text(max)), "Split it, or use the command line")
}

/// A size in words: `3.1 GB`, `740 kB`, `12 bytes`.
pub(crate) fn bytes_text(bytes: u64) -> String {
    let tenths = |unit: u64, name: &str| match (bytes / unit, bytes % unit * 10 / unit) {
        (whole, 0) => format!("{whole} {name}"),
        (whole, tenths) => format!("{whole}.{tenths} {name}"),
    };
    match bytes {
        1_000_000_000.. => tenths(1_000_000_000, "GB"),
        1_000_000.. => tenths(1_000_000, "MB"),
        1_000.. => tenths(1_000, "kB"),
        _ => format!("{bytes} bytes"),
    }
}
