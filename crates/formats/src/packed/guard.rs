//! Unpacking with a limit on how much comes of how little.

use std::io::{Error, ErrorKind, Read, Result};

use super::{RATIO_FREE_BYTES, RATIO_MAX};
use crate::text::source::{Content, bytes_text};

/// Counts the bytes that are read.
pub(super) struct Counted<R> {
    reader: R,
    bytes: u64,
}

impl<R> Counted<R> {
    pub fn new(reader: R) -> Self {
        Self { reader, bytes: 0 }
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.bytes
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

/// Unpacked content that ends with an error where it is out of proportion to what is stored.
pub(super) struct Guarded<D> {
    decoder: D,
    /// Bytes read so far of what is stored.
    stored: fn(&D) -> u64,
    bytes: u64,
}

impl<D> Guarded<D> {
    pub fn new(decoder: D, stored: fn(&D) -> u64) -> Self {
        Self { decoder, stored, bytes: 0 }
    }
}

impl<D: Read> Read for Guarded<D> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let read = self.decoder.read(buffer)?;
        self.bytes += read as u64;
        if self.bytes > RATIO_FREE_BYTES && self.bytes / RATIO_MAX > (self.stored)(&self.decoder) {
            let free = bytes_text(RATIO_FREE_BYTES);
            let what = format!("it unpacks to over {RATIO_MAX} times its size, and over {free}");
            return Err(Error::new(ErrorKind::InvalidData, what));
        }
        Ok(read)
    }
}

impl<D: Read> Content for Guarded<D> {
    fn stored_bytes_read(&self) -> Option<u64> {
        Some((self.stored)(&self.decoder))
    }
}
