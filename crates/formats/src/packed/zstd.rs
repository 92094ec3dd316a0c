//! Files packed with zstd: one frame after the other, as `pzstd` and joined files have them.

use std::io::{Error, ErrorKind, Read, Result};

use ruzstd::decoding::BlockDecodingStrategy;
use ruzstd::decoding::FrameDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};

use super::guard::Counted;

/// The largest window: what `zstd` unpacks without being asked for more (`--long`).
const WINDOW_BYTES_MAX: u64 = 1 << 27;

/// The content of all frames.
pub(super) struct Frames<R> {
    stored: Counted<R>,
    decoder: FrameDecoder,
    is_in_frame: bool,
}

impl<R: Read> Frames<R> {
    pub fn new(reader: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW_BYTES_MAX);
        Self { stored: Counted::new(reader), decoder, is_in_frame: false }
    }

    /// Bytes read so far of what is stored.
    pub fn bytes_read(&self) -> u64 {
        self.stored.bytes_read()
    }

    /// Starts the next frame, over those that hold no content; false at the end of the file.
    fn begin(&mut self) -> Result<bool> {
        loop {
            let mut first = [0];
            if self.stored.read(&mut first)? == 0 {
                return Ok(false);
            }
            match self.decoder.init((&first[..]).chain(&mut self.stored)) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let skipped = std::io::copy(&mut (&mut self.stored).take(length.into()), &mut std::io::sink())?;
                    if skipped < u64::from(length) {
                        return Err(ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(_) => return Err(damaged()),
            }
        }
    }
}

/// What went wrong inside a frame is of no use to those who have the file.
fn damaged() -> Error {
    Error::new(ErrorKind::InvalidData, "its zstd data are damaged, or end too early")
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            if !self.is_in_frame {
                if !self.begin()? {
                    return Ok(0);
                }
                self.is_in_frame = true;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let blocks = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.stored, blocks).map_err(|_| damaged())?;
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            self.is_in_frame = false;
        }
    }
}
