//! A large value on its way between page and worker. Its bytes stay on the browser's side, where they are freed once it
//! is read: the memory of a module only ever grows, and a record is as large again packed.

#[cfg(target_arch = "wasm32")]
use std::io::{Error, Read};

use js_sys::Uint8Array;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::messages::MessageError;

/// Bytes that are taken over at a time.
#[cfg(target_arch = "wasm32")]
const PIECE_BYTES: usize = 65_536;
/// The longest string in a value.
#[cfg(target_arch = "wasm32")]
const STRING_BYTES_MAX: usize = 1 << 20;

/// A large value as [postcard](https://docs.rs/postcard) bytes outside of the module's memory; natively, where there is
/// no other memory, in a vector, so that responses can be made in tests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Packed {
    #[cfg(target_arch = "wasm32")]
    #[serde(with = "serde_wasm_bindgen::preserve")]
    bytes: Uint8Array,
    #[cfg(not(target_arch = "wasm32"))]
    bytes: Vec<u8>,
}

impl Packed {
    /// Packs a value.
    pub fn of<T: Serialize>(value: &T) -> Result<Self, MessageError> {
        let bytes = postcard::to_allocvec(value).map_err(|error| MessageError(error.to_string()))?;
        Ok(Self::from(bytes.as_slice()))
    }
}

impl From<&[u8]> for Packed {
    /// Takes over a value that is packed already.
    fn from(bytes: &[u8]) -> Self {
        Self { bytes: bytes.into() }
    }
}

impl Packed {
    /// The bytes as the browser has them, for a file.
    pub fn array(&self) -> Uint8Array {
        Uint8Array::new(&self.buffer())
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Packed {
    /// The number of bytes.
    pub fn bytes_len(&self) -> usize {
        self.bytes.len()
    }

    /// Unpacks the value.
    pub fn unpack<T: DeserializeOwned>(&self) -> Result<T, MessageError> {
        postcard::from_bytes(&self.bytes).map_err(|error| MessageError(error.to_string()))
    }

    /// The bytes as they are.
    #[cfg(test)]
    pub(crate) fn raw(&self) -> &[u8] {
        &self.bytes
    }

    /// Gives the bytes back at once; natively they are freed with the value.
    pub fn free(&self) {}

    /// The bytes as a buffer of JavaScript; there is none natively.
    pub(crate) fn buffer(&self) -> js_sys::ArrayBuffer {
        Uint8Array::from(self.bytes.as_slice()).buffer()
    }
}

#[cfg(target_arch = "wasm32")]
impl Packed {
    /// The number of bytes.
    pub fn bytes_len(&self) -> usize {
        self.bytes.length() as usize
    }

    /// Unpacks the value. It may hold strings of 1 MiB at most.
    pub fn unpack<T: DeserializeOwned>(&self) -> Result<T, MessageError> {
        let reader = Pieces { bytes: &self.bytes, position: 0, piece: vec![0; PIECE_BYTES], taken: PIECE_BYTES };
        let mut scratch = vec![0; self.bytes_len().min(STRING_BYTES_MAX)];
        let read = postcard::from_io((reader, &mut scratch));
        read.map(|(value, _)| value).map_err(|error| MessageError(error.to_string()))
    }

    /// What can be handed over instead of being copied.
    pub(crate) fn buffer(&self) -> js_sys::ArrayBuffer {
        self.bytes.buffer()
    }

    /// Gives the bytes back at once, for this value and its clones: the browser would keep them until it collects its
    /// garbage, which it does not do while it is busy. Browsers that cannot do so do that.
    pub fn free(&self) {
        let _ = self.bytes.buffer().transfer_with_length(0);
    }
}

/// Reads bytes of the browser, a piece at a time.
#[cfg(target_arch = "wasm32")]
struct Pieces<'a> {
    bytes: &'a Uint8Array,
    /// The next byte to ask for.
    position: u32,
    piece: Vec<u8>,
    /// Bytes of the piece that were handed out.
    taken: usize,
}

#[cfg(target_arch = "wasm32")]
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
