//! The document of a link: deflated, then base64 with the letters of addresses (RFC 1951; RFC 4648, section 5).

use std::io::Write;

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};

use super::LinkError;

/// A document that unpacks to more is refused.
pub(super) const BYTES_MAX: u64 = 50_000_000;
/// Bytes that are unpacked at a time.
const PIECE_BYTES: usize = 1 << 16;

/// Written without `=` at the end; read with and without, and with what a cut leaves of the last letter.
const LETTERS: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Packs a text.
pub(super) fn pack(text: &str) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let packed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).unwrap_or_default();
    LETTERS.encode(packed)
}

/// A text that was packed.
#[derive(Debug)]
pub(super) struct Unpacked {
    /// The text, or its start.
    pub text: String,
    /// Whether it ends too early.
    pub is_cut: bool,
}

/// Unpacks a text, as far as it goes. Mail programs break long lines: blanks are passed over.
pub(super) fn unpack(packed: &str) -> Result<Unpacked, LinkError> {
    let letters: Vec<u8> = packed.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let belongs = |letter: char| letter.is_ascii_alphanumeric() || "-_=".contains(letter);
    let mut places = packed.chars().enumerate();
    if let Some((at, letter)) = places.find(|(_, letter)| !letter.is_ascii_whitespace() && !belongs(*letter)) {
        return Err(LinkError::Letter { letter, at: at + 1 });
    }
    // A single letter at the end holds no whole byte.
    let whole = letters.len() - usize::from(letters.len() % 4 == 1);
    let bytes = LETTERS.decode(letters.get(..whole).unwrap_or_default()).map_err(|_| LinkError::Damaged)?;
    let (unpacked, is_cut) = inflate(&bytes)?;
    let text = match String::from_utf8(unpacked) {
        Ok(text) => text,
        // The cut may be inside a letter of several bytes.
        Err(error) if is_cut => {
            let valid = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            bytes.truncate(valid);
            String::from_utf8(bytes).unwrap_or_default()
        }
        Err(_) => return Err(LinkError::Damaged),
    };
    Ok(Unpacked { text, is_cut })
}

/// Inflates bytes as far as they go. Whether they end before the stream does.
fn inflate(bytes: &[u8]) -> Result<(Vec<u8>, bool), LinkError> {
    let mut inflater = Decompress::new(false);
    let (mut unpacked, mut piece) = (Vec::new(), vec![0; PIECE_BYTES]);
    loop {
        let rest = bytes.get(inflater.total_in() as usize..).unwrap_or_default();
        let before = (inflater.total_in(), inflater.total_out());
        let status = inflater.decompress(rest, &mut piece, FlushDecompress::None).map_err(|_| LinkError::Damaged)?;
        let made = (inflater.total_out() - before.1) as usize;
        unpacked.extend_from_slice(piece.get(..made).unwrap_or_default());
        if unpacked.len() as u64 > BYTES_MAX {
            return Err(LinkError::TooLarge(BYTES_MAX));
        }
        match status {
            Status::StreamEnd => return Ok((unpacked, false)),
            _ if before == (inflater.total_in(), inflater.total_out()) => return Ok((unpacked, true)),
            _ => {}
        }
    }
}
