//! A file of the browser as a reader, a piece at a time: a large file is never in memory as a whole.

use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};

use elastiplan_formats::{Content, ReadSeek};
use js_sys::Uint8Array;
use web_sys::{Blob, FileReaderSync};

/// Bytes asked of the browser at a time: asking costs about as much as reading 100 kB.
const PIECE_BYTES: f64 = 1_048_576.0;

pub(crate) struct BlobReader {
    blob: Blob,
    reader: FileReaderSync,
    /// The next byte to ask for.
    position: f64,
    piece: Uint8Array,
    /// Bytes of the piece that were handed out.
    taken: u32,
}

impl BlobReader {
    pub fn new(blob: Blob) -> Result<Self> {
        let reader = FileReaderSync::new().map_err(|_| Error::other("the browser gives no reader"))?;
        Ok(Self { blob, reader, position: 0.0, piece: Uint8Array::new_with_length(0), taken: 0 })
    }

    fn next_piece(&mut self) -> Result<()> {
        let end = (self.position + PIECE_BYTES).min(self.blob.size());
        let unreadable = |_| Error::other("the browser cannot read it any more; it may have been changed or moved");
        let slice = self.blob.slice_with_f64_and_f64(self.position, end).map_err(unreadable)?;
        self.piece = Uint8Array::new(&self.reader.read_as_array_buffer(&slice).map_err(unreadable)?.into());
        self.position = end;
        self.taken = 0;
        Ok(())
    }
}

impl Read for BlobReader {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.taken == self.piece.length() && self.position < self.blob.size() {
            self.next_piece()?;
        }
        let count = buffer.len().min((self.piece.length() - self.taken) as usize);
        if let Some(part) = buffer.get_mut(..count) {
            self.piece.subarray(self.taken, self.taken + count as u32).copy_to(part);
        }
        self.taken += count as u32;
        Ok(count)
    }
}

impl Seek for BlobReader {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let piece_start = self.position - f64::from(self.piece.length());
        let (from, by) = match to {
            SeekFrom::Start(at) => (0.0, at as f64),
            SeekFrom::End(by) => (self.blob.size(), by as f64),
            SeekFrom::Current(by) => (piece_start + f64::from(self.taken), by as f64),
        };
        let target = from + by;
        if target < 0.0 {
            return Err(ErrorKind::InvalidInput.into());
        }
        if (piece_start..self.position).contains(&target) {
            // Archives are read in small steps: what is at hand is not asked for again.
            self.taken = (target - piece_start) as u32;
        } else {
            self.position = target;
            self.piece = Uint8Array::new_with_length(0);
            self.taken = 0;
        }
        Ok(target as u64)
    }
}

impl Content for BlobReader {
    fn seekable(&mut self) -> Option<&mut dyn ReadSeek> {
        Some(self)
    }
}
