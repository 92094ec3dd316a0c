//! The files that the service worker keeps in the browser (www/sw.js), each with its hash.

use std::path::Path;

use anyhow::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::docs;
use crate::files::{files_below, read};

/// The service worker, in the folder of the page.
pub const SERVICE_WORKER: &str = "sw.js";
/// Where it holds the list.
pub const PLACEHOLDER: &str = "/* BUILD_FILES */";
/// Hexadecimal digits of a hash in a name.
const DIGITS: usize = 16;

/// The list as JavaScript: addresses as the page asks for them, each with the hash that browsers check. The page itself
/// is known by its build's id; documents are kept when they are read.
pub fn list(dir: &Path, id: &str) -> Result<String> {
    let mut list = Vec::new();
    for file in files_below(dir)? {
        let below = file.strip_prefix(dir).unwrap_or(&file);
        let name = below.to_string_lossy().replace('\\', "/");
        if below.starts_with(docs::FOLDER) || name == "index.html" || name == SERVICE_WORKER {
            continue;
        }
        let address = percent_encoding::utf8_percent_encode(&name, ADDRESS).to_string();
        let address = if has_hash(&name) { address } else { format!("{address}?v={id}") };
        let hash = STANDARD.encode(Sha256::digest(read(&file)?));
        list.push(serde_json::to_string(&[address, format!("sha256-{hash}")])?);
    }
    Ok(list.join(",\n  "))
}

/// What browsers encode in the path of an address, and what would end it.
const ADDRESS: &percent_encoding::AsciiSet = &percent_encoding::CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'`')
    .add(b'{')
    .add(b'}')
    .add(b'%');

/// Whether a name carries a hash of its content: `style-0123456789abcdef.css`, `app-0123456789abcdef/app.js`.
fn has_hash(name: &str) -> bool {
    name.match_indices('-').any(|(at, _)| {
        let after = name.get(at + 1..).unwrap_or_default();
        let (digits, rest) = after.split_at_checked(DIGITS).unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) && rest.starts_with(['/', '_', '.'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_listed_as_the_page_asks_for_them() {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["docs", "app-0123456789abcdef"] {
            std::fs::create_dir(dir.path().join(folder)).unwrap();
        }
        let names = ["index.html", "sw.js", "docs/a.html", "app-0123456789abcdef/app.js", "boot.js", "own jobs.csv"];
        for name in names {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        let expected = ["app-0123456789abcdef/app.js", "boot.js?v=7", "own%20jobs.csv?v=7"];
        let expected = expected.map(|address| format!("[\"{address}\",\"{hash}\"]"));
        assert_eq!(list(dir.path(), "7").unwrap(), expected.join(",\n  "));
    }

    #[test]
    fn hashes_are_told_from_other_names() {
        for (name, expected) in [
            ("style-0123456789abcdef.css", true),
            ("elastiplan-web-0123456789abcdef_bg.wasm", true),
            ("elastiplan-worker-full.js", false),
            ("a-0123456789abcdef0.css", false),
            ("a-0123456789abcde", false),
        ] {
            assert_eq!(has_hash(name), expected, "{name}");
        }
    }
}
