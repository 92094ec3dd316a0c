//! A record on its way to the page. Its bytes stay on the browser's side, where they are freed once it is read: the
//! memory of a module only ever grows, and a record is as large again packed.

use std::io::{Error, Read};

use js_sys::Uint8Array;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::messages::{MessageError, pack};

/// Bytes that are taken over at a time.
const PIECE_BYTES: usize = 65_536;

/// A large value as [postcard](https://docs.rs/postcard) bytes outside of the module's memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Packed {
    #[serde(with = "serde_wasm_bindgen::preserve")]
    bytes: Uint8Array,
}

impl Packed {
    /// Of a value.
    pub fn of<T: Serialize>(value: &T) -> Result<Self, MessageError> {
        Ok(Self { bytes: Uint8Array::from(pack(value)?.as_slice()) })
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.bytes.length() as usize
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value. It may hold strings of 64 kB at most.
    pub fn unpack<T: DeserializeOwned>(&self) -> Result<T, MessageError> {
        let reader = Pieces { bytes: &self.bytes, position: 0, piece: vec![0; PIECE_BYTES], taken: PIECE_BYTES };
        let mut scratch = vec![0; PIECE_BYTES];
        let read = postcard::from_io((reader, &mut scratch));
        read.map(|(value, _)| value).map_err(|error| MessageError(error.to_string()))
    }

    /// What can be handed over instead of being copied.
    pub(crate) fn buffer(&self) -> js_sys::ArrayBuffer {
        self.bytes.buffer()
    }
}

/// Reads bytes of the browser, a piece at a time.
struct Pieces<'a> {
    bytes: &'a Uint8Array,
    /// The next byte to ask for.
    position: u32,
    piece: Vec<u8>,
    /// Bytes of the piece that were handed out.
    taken: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        if self.taken >= self.piece.len() {
            let end = self.bytes.length().min(self.position + PIECE_BYTES as u32);
            self.piece.resize((end - self.position) as usize, 0);
            self.bytes.subarray(self.position, end).copy_to(&mut self.piece);
            (self.position, self.taken) = (end, 0);
        }
        let left = self.piece.get(self.taken..).unwrap_or_default();
        let count = out.len().min(left.len());
        if let (Some(to), Some(from)) = (out.get_mut(..count), left.get(..count)) {
            to.copy_from_slice(from);
        }
        self.taken += count;
        Ok(count)
    }
}
