//! Words and the size in print, put into a PNG file that the browser made.

/// The signature and the first chunk, which says how large the picture is.
const HEAD: usize = 8 + 12 + 13;
const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a];

/// The file with texts, each with its keyword, and its resolution. What is no PNG file stays as it is.
pub fn with_words(png: &[u8], words: &[(&str, &str)], pixels_per_m: u32) -> Vec<u8> {
    let (Some(head), Some(rest)) = (png.get(..HEAD), png.get(HEAD..)) else { return png.to_vec() };
    if !head.starts_with(&SIGNATURE) {
        return png.to_vec();
    }
    let mut file = head.to_vec();
    let per_m = pixels_per_m.to_be_bytes();
    file.extend(chunk(*b"pHYs", &[&per_m[..], &per_m[..], &[1]].concat()));
    for (keyword, text) in words {
        // Not compressed, in no particular language.
        let data = [keyword.as_bytes(), &[0, 0, 0, 0, 0], text.as_bytes()].concat();
        file.extend(chunk(*b"iTXt", &data));
    }
    file.extend_from_slice(rest);
    file
}

fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let mut checked = kind.to_vec();
    checked.extend_from_slice(data);
    let mut chunk = (data.len() as u32).to_be_bytes().to_vec();
    chunk.extend_from_slice(&checked);
    chunk.extend(checksum(&checked).to_be_bytes());
    chunk
}

/// The checksum of a chunk: CRC-32, as Annex D of the PNG specification has it. Bit by bit, since tables for long data
/// weigh 16 kB in the page, and what is checked here are some hundred bytes of text.
fn checksum(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let step = |rest: u32| if rest & 1 == 1 { POLYNOMIAL ^ (rest >> 1) } else { rest >> 1 };
    !bytes.iter().fold(!0, |rest, byte| (0..8).fold(rest ^ u32::from(*byte), |rest, _| step(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of one black pixel.
    const PIXEL: [u8; 67] = [
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
        0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00, 0x00, 0x00,
        0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0x00, 0x00, 0x00, 0x02, 0x00, 0x01, 0x48, 0xaf, 0xa4,
        0x71, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
    ];

    /// Kinds and contents of chunks, each checked against its sum.
    fn chunks(png: &[u8]) -> Vec<(String, Vec<u8>)> {
        let mut rest = &png[8..];
        let mut found = Vec::new();
        while !rest.is_empty() {
            let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
            let checked = &rest[4..8 + length];
            assert_eq!(rest[8 + length..12 + length], crc32fast::hash(checked).to_be_bytes());
            found.push((String::from_utf8(checked[..4].to_vec()).unwrap(), checked[4..].to_vec()));
            rest = &rest[12 + length..];
        }
        found
    }

    #[test]
    fn words_come_after_the_head_and_before_the_pixels() {
        let file = with_words(&PIXEL, &[("Title", "Jobs waiting"), ("Description", "Nodes: 16 × 8 GPUs")], 11_811);
        let found = chunks(&file);
        let kinds: Vec<&str> = found.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(kinds, ["IHDR", "pHYs", "iTXt", "iTXt", "IDAT", "IEND"]);
        assert_eq!(found[1].1, [0, 0, 0x2e, 0x23, 0, 0, 0x2e, 0x23, 1]);
        assert_eq!(found[3].1, "Description\0\0\0\0\0Nodes: 16 × 8 GPUs".as_bytes());
    }

    #[test]
    fn checksums_are_those_of_the_library() {
        for length in [0, 1, 7, 64, 1_000] {
            let bytes: Vec<u8> = (0..length).map(|at: u32| (at * at * 31 + 7) as u8).collect();
            assert_eq!(checksum(&bytes), crc32fast::hash(&bytes));
        }
    }

    #[test]
    fn anything_else_stays_as_it_is() {
        for bytes in [&b""[..], b"GIF89a", &[0; 100]] {
            assert_eq!(with_words(bytes, &[("Title", "x")], 1), bytes);
        }
    }
}
