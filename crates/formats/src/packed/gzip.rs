//! Files packed with gzip (RFC 1952): one member after the other, as joined files have them.

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result};

use flate2::bufread::DeflateDecoder;

use super::crc::Crc;
use super::guard::Counted;

/// The flags of a header, in the order of what they announce.
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;
const HEADER_CRC: u8 = 2;

/// The content of all members.
pub(super) struct Members<R> {
    decoder: DeflateDecoder<BufReader<Counted<R>>>,
    crc: Crc,
    /// Bytes of this member so far, as its end counts them.
    size: u32,
    is_in_member: bool,
    is_first: bool,
}

impl<R: Read> Members<R> {
    pub fn new(reader: R) -> Self {
        let decoder = DeflateDecoder::new(BufReader::with_capacity(1 << 15, Counted::new(reader)));
        Self { decoder, crc: Crc::new(), size: 0, is_in_member: false, is_first: true }
    }

    /// Bytes read so far of what is stored.
    pub fn bytes_read(&self) -> u64 {
        self.decoder.get_ref().get_ref().bytes_read()
    }

    /// Reads the header of the next member; false at the end of the file, which may be filled up with zeros.
    fn begin(&mut self) -> Result<bool> {
        let reader = self.decoder.get_mut();
        let start = reader.fill_buf()?;
        if start.is_empty() || (!self.is_first && start.first() == Some(&0)) {
            return Ok(false);
        }
        let mut header = [0; 10];
        reader.read_exact(&mut header)?;
        let [0x1f, 0x8b, 8, flags, ..] = header else { return Err(wrong("what follows is not packed with gzip")) };
        if flags & EXTRA != 0 {
            let mut length = [0; 2];
            reader.read_exact(&mut length)?;
            skip(reader, u16::from_le_bytes(length).into())?;
        }
        for flag in [NAME, COMMENT] {
            if flags & flag != 0 {
                skip_text(reader)?;
            }
        }
        if flags & HEADER_CRC != 0 {
            skip(reader, 2)?;
        }
        self.decoder.reset_data();
        self.crc.reset();
        (self.size, self.is_in_member, self.is_first) = (0, true, false);
        Ok(true)
    }

    /// Compares what was unpacked with the end of its member.
    fn end(&mut self) -> Result<()> {
        let (mut crc, mut size) = ([0; 4], [0; 4]);
        let reader = self.decoder.get_mut();
        reader.read_exact(&mut crc)?;
        reader.read_exact(&mut size)?;
        self.is_in_member = false;
        if u32::from_le_bytes(crc) != self.crc.sum() || u32::from_le_bytes(size) != self.size {
            return Err(wrong("its checksum is not the one at its end"));
        }
        Ok(())
    }
}

fn wrong(what: &'static str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

fn skip(reader: &mut impl BufRead, length: u64) -> Result<()> {
    let skipped = std::io::copy(&mut reader.take(length), &mut std::io::sink())?;
    if skipped == length { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
}

/// Skips a text that ends with a zero.
fn skip_text(reader: &mut impl BufRead) -> Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let end = buffer.iter().position(|&byte| byte == 0);
        let length = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(length);
        if end.is_some() {
            return Ok(());
        }
    }
}

impl<R: Read> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            if !self.is_in_member && !self.begin()? {
                return Ok(0);
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                self.crc.update(buffer.get(..read).unwrap_or_default());
                self.size = self.size.wrapping_add(read as u32);
                return Ok(read);
            }
            self.end()?;
        }
    }
}
