//! A file of the browser as a reader, a piece at a time: a large file is never in memory as a whole.

use std::io::{Error, Read, Result};

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
