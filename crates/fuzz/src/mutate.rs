//! Damage: bytes, lines and pieces of text that are changed, doubled, moved and cut.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Texts that parsers stumble over.
const PIECES: &[&[u8]] = &[
    b"\"",
    b"\"\"",
    b",",
    b";",
    b"\t",
    b"|",
    b"\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xc3\x28",
    b"NaN",
    b"Infinity",
    b"-0",
    b"1e309",
    b"1e-400",
    b"9223372036854775808",
    b"-1",
    b"0x10",
    b"1,234,567",
    b"1.234,5",
    b"{",
    b"[",
    b"}",
    b"]",
    b"[[[[[[[[",
    b"{\"a\":",
    b"// comment\n",
    b"/* */",
    b"null",
    b"true",
    b"''",
    b"=",
    b"where ",
    b"(",
    b")",
    b"*",
    b"/0",
    b"2024-02-30 25:61:61",
    b"2024-03-31T02:30:00+99:99",
    b"sep=;\n",
    b"\xe2\x80\xae",
    b"\xf0\x9f\x92\xa9",
];
/// The longest input.
pub(crate) const BYTES_MAX: usize = 1 << 16;

/// A damaged sample: one to eight changes, of which some take from another sample.
pub(crate) fn mutated(sample: &[u8], other: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = sample.to_vec();
    for _ in 0..random.random_range(1..=8) {
        change(&mut bytes, other, random);
        bytes.truncate(BYTES_MAX);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut ChaCha8Rng) {
    let at = place(bytes.len(), random);
    let range = at..(at + place(32, random)).min(bytes.len());
    match random.random_range(0..10) {
        0 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << random.random_range(0..8)),
        1 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = random.random()),
        2 | 3 => {
            let piece = PIECES.get(random.random_range(0..PIECES.len())).copied().unwrap_or_default();
            bytes.splice(at..at, piece.iter().copied());
        }
        4 => drop(bytes.drain(range)),
        5 => {
            let copy = bytes.get(range).unwrap_or_default().repeat(1 << random.random_range(0..8));
            bytes.splice(at..at, copy);
        }
        6 => {
            let from = place(other.len(), random);
            let part: Vec<u8> = other.iter().skip(from).take(place(256, random)).copied().collect();
            bytes.splice(range, part);
        }
        7 => bytes.truncate(at),
        8 => swap_lines(bytes, random),
        _ => {
            let number = random.random::<u32>() >> random.random_range(0..32);
            let end = range.start + bytes.iter().skip(range.start).take_while(|byte| byte.is_ascii_digit()).count();
            bytes.splice(range.start..end, number.to_string().into_bytes());
        }
    }
}

fn swap_lines(bytes: &mut Vec<u8>, random: &mut ChaCha8Rng) {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let (first, second) = (place(lines.len(), random), place(lines.len(), random));
    if first < lines.len() && second < lines.len() {
        lines.swap(first, second);
    }
    *bytes = lines.concat();
}

/// A place in a list of so many, or behind its end.
fn place(length: usize, random: &mut ChaCha8Rng) -> usize {
    random.random_range(0..=length)
}
