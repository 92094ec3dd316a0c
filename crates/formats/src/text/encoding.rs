//! Text encodings: UTF-8 and UTF-16, with or without a byte-order mark, and the three ways to end a line.

/// The decoder that the first bytes of a file ask for, if they are not UTF-8, and the length of the byte-order mark.
pub(crate) fn detect(prefix: &[u8]) -> (Option<Utf16>, usize) {
    match prefix {
        [0xef, 0xbb, 0xbf, ..] => (None, 3),
        [0xff, 0xfe, ..] => (Some(Utf16::new(u16::from_le_bytes)), 2),
        [0xfe, 0xff, ..] => (Some(Utf16::new(u16::from_be_bytes)), 2),
        _ => (detect_unmarked(prefix), 0),
    }
}

/// Tables are mostly ASCII, so that in UTF-16 nearly every second byte is 0.
fn detect_unmarked(prefix: &[u8]) -> Option<Utf16> {
    let pairs = prefix.len() / 2;
    let zeros = |at: usize| prefix.chunks_exact(2).filter(|pair| pair.get(at) == Some(&0)).count();
    let (even, odd) = (zeros(0), zeros(1));
    let most = |count: usize| pairs >= 2 && count * 10 >= pairs * 7;
    let few = |count: usize| count * 10 <= pairs;
    if most(odd) && few(even) {
        Some(Utf16::new(u16::from_le_bytes))
    } else if most(even) && few(odd) {
        Some(Utf16::new(u16::from_be_bytes))
    } else {
        None
    }
}

/// Decodes UTF-16 that arrives in pieces; halves of pairs become U+FFFD.
pub(crate) struct Utf16 {
    unit: fn([u8; 2]) -> u16,
    /// The start of a character whose end has not arrived.
    rest: Vec<u8>,
}

impl Utf16 {
    fn new(unit: fn([u8; 2]) -> u16) -> Self {
        Self { unit, rest: Vec::new() }
    }

    /// Appends the text of `bytes` to `out`.
    pub fn decode(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.rest.extend_from_slice(bytes);
        let (units, _) = self.rest.as_chunks();
        let whole = match units.split_last() {
            Some((last, before)) if matches!((self.unit)(*last), 0xd800..=0xdbff) => before,
            _ => units,
        };
        for letter in char::decode_utf16(whole.iter().map(|unit| (self.unit)(*unit))) {
            push_char(letter.unwrap_or(char::REPLACEMENT_CHARACTER), out);
        }
        let decoded = whole.as_flattened().len();
        self.rest.drain(..decoded);
    }

    /// Appends what is left at the end of the file; false if nothing is.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> bool {
        let is_left = !std::mem::take(&mut self.rest).is_empty();
        if is_left {
            push_char(char::REPLACEMENT_CHARACTER, out);
        }
        is_left
    }
}

fn push_char(letter: char, out: &mut Vec<u8>) {
    out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Turns `\r\n` and `\r` into `\n` from `from` on, so that lines are counted alike whatever wrote the file.
/// `after_return` carries over that the text so far ended in `\r`.
pub(crate) fn unify_line_ends(out: &mut Vec<u8>, from: usize, after_return: &mut bool) {
    let added = out.get_mut(from..).unwrap_or_default();
    if !*after_return && !added.contains(&b'\r') {
        return;
    }
    let mut kept = 0;
    for at in 0..added.len() {
        let byte = added.get(at).copied().unwrap_or_default();
        let dropped = byte == b'\n' && *after_return;
        *after_return = byte == b'\r';
        if let (false, Some(place)) = (dropped, added.get_mut(kept)) {
            *place = if byte == b'\r' { b'\n' } else { byte };
            kept += 1;
        }
    }
    out.truncate(from + kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode_in_pieces(bytes: &[u8], piece: usize) -> String {
        let (decoder, mark) = detect(bytes);
        let mut decoder = decoder.unwrap();
        let mut out = Vec::new();
        for part in bytes[mark..].chunks(piece) {
            decoder.decode(part, &mut out);
        }
        decoder.finish(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn utf16_in_pieces_of_any_size() {
        let text = "job_id,model\nä,😀\n";
        let le: Vec<u8> = std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for piece in 1..9 {
            assert_eq!(decode_in_pieces(&le, piece), text);
            assert_eq!(decode_in_pieces(&be, piece), text);
        }
    }

    #[test]
    fn half_a_pair_is_replaced() {
        let units = [0xfeff, 0xd83d, u16::from(b'a'), 0xde00, 0xd83d];
        let bytes: Vec<u8> = units.into_iter().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode_in_pieces(&bytes, 3), "\u{fffd}a\u{fffd}\u{fffd}");
    }

    #[test]
    fn line_ends_in_pieces_of_any_size() {
        let text = b"a\r\nb\rc\nd\r\r\ne\n\r";
        for piece in 1..text.len() + 1 {
            let (mut out, mut after_return) = (Vec::new(), false);
            for part in text.chunks(piece) {
                let from = out.len();
                out.extend_from_slice(part);
                unify_line_ends(&mut out, from, &mut after_return);
            }
            assert_eq!(out, b"a\nb\nc\nd\n\ne\n\n");
        }
    }
}
