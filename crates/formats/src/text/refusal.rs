//! Files that cannot be read as a table, recognised by their first bytes.

use crate::packed;

/// The reason why a file cannot be read, in the words of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The problem: "Excel workbooks cannot be read here".
    pub reason: String,
    /// The next step for the user.
    pub repair: String,
}

impl Refusal {
    pub fn new(reason: impl Into<String>, repair: impl Into<String>) -> Self {
        Self { reason: reason.into(), repair: repair.into() }
    }
}

const SAVE_SHEET: &str = "Save the sheet as CSV and drop it again";
const UNPACK: &str = "Unpack it and drop the CSV files inside";
const EXPORT: &str = "Export the table as CSV and drop it again";
const READ_PICKLE: &str = "Convert it and drop what comes of it: \
     python3 -c \"import pandas as pd; pd.read_pickle('x.pkl').to_csv('x.csv')\"";
const DROP_CSV: &str = "Drop the CSV file instead";

/// Kinds of files by their first bytes, each with the advice to its user.
static KINDS: &[(&[u8], &str, &str)] = &[
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Excel workbooks", SAVE_SHEET),
    (b"\xfd7zXZ\0", "Files packed with xz", UNPACK),
    (b"BZh91AY", "Files packed with bzip2", UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "7z archives", UNPACK),
    (b"Rar!\x1a\x07", "RAR archives", UNPACK),
    (b"PAR1", "Parquet files", EXPORT),
    (b"ARROW1", "Arrow files", EXPORT),
    (b"SQLite format 3\0", "SQLite databases", EXPORT),
    (b"\x89HDF\r\n\x1a\n", "HDF5 files", EXPORT),
    (b"\x93NUMPY", "NumPy arrays", EXPORT),
    (b"Obj\x01", "Avro files", EXPORT),
    (b"%PDF-", "PDF documents", DROP_CSV),
    (b"\x89PNG\r\n\x1a\n", "PNG pictures", DROP_CSV),
    (b"\xff\xd8\xff", "JPEG pictures", DROP_CSV),
    (b"GIF8", "GIF pictures", DROP_CSV),
    (b"\0asm", "WebAssembly programs", DROP_CSV),
    (b"\x7fELF", "Programs", DROP_CSV),
    (b"MZ\x90\0", "Programs", DROP_CSV),
    (b"\xff\xfe\0\0", "UTF-32 texts", "Save it as UTF-8 and drop it again"),
    (b"\0\0\xfe\xff", "UTF-32 texts", "Save it as UTF-8 and drop it again"),
];

/// The refusal of a file that is known not to be text.
pub(crate) fn refuse(prefix: &[u8]) -> Option<Refusal> {
    if prefix.starts_with(b"PK\x03\x04")
        && let Some(refusal) = office(prefix)
    {
        return Some(refusal);
    }
    if let Some(refusal) = packed::refuse_nested(prefix) {
        return Some(refusal);
    }
    if prefix.get(257..262) == Some(b"ustar") {
        return Some(refusal("tar archives", UNPACK));
    }
    // The first byte of every pickle since version 2, which is the second.
    if matches!(prefix, [0x80, 2..=9, ..]) {
        return Some(refusal("Python pickles", READ_PICKLE));
    }
    KINDS.iter().find(|(start, ..)| prefix.starts_with(start)).map(|(_, what, repair)| refusal(what, repair))
}

/// The refusal of a document that is a zip archive, by the names of its first parts.
pub(crate) fn office(prefix: &[u8]) -> Option<Refusal> {
    let holds = |needle: &[u8]| prefix.windows(needle.len()).any(|window| window == needle);
    if holds(b"[Content_Types].xml") || holds(b"xl/") {
        Some(refusal("Excel workbooks", SAVE_SHEET))
    } else if holds(b"opendocument") {
        Some(refusal("OpenDocument files", SAVE_SHEET))
    } else {
        None
    }
}

fn refusal(what: &str, repair: &str) -> Refusal {
    Refusal::new(format!("{what} cannot be read here"), repair)
}

/// The refusal of bytes that are neither text nor a known kind of file.
pub(crate) fn binary() -> Refusal {
    Refusal::new("This is not a text file", "Drop a CSV file")
}

/// Whether the first bytes cannot be text in UTF-8 or a legacy code page: text has hardly a control character. A few
/// are accepted, so that damage costs a row and not the file.
pub(crate) fn is_binary(prefix: &[u8]) -> bool {
    prefix.iter().filter(|byte| is_odd(**byte)).count() * 50 > prefix.len()
}

/// Whether a byte is a control character that text hardly has.
pub(crate) fn is_odd(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b)
}

/// The refusal of a text file in a known format that is not a table.
pub(crate) fn text_kind(start: &[u8]) -> Option<Refusal> {
    let start = without_comments(start);
    match start.first() {
        Some(b'{') => Some(refusal("JSON files", EXPORT)),
        Some(b'[') if start.contains(&b'{') || start.contains(&b'"') => Some(refusal("JSON files", EXPORT)),
        Some(b'<') => Some(refusal("HTML and XML files", EXPORT)),
        _ => None,
    }
}

/// A text without the comments before it, as some programs write them into JSON.
fn without_comments(text: &[u8]) -> &[u8] {
    let mut rest = text.trim_ascii_start();
    loop {
        let end = match rest {
            [b'/', b'/', ..] => rest.iter().position(|&byte| byte == b'\n').map(|at| at + 1),
            [b'/', b'*', ..] => rest.windows(2).position(|pair| pair == b"*/").map(|at| at + 2),
            _ => return rest,
        };
        rest = end.and_then(|end| rest.get(end..)).unwrap_or_default().trim_ascii_start();
    }
}
