//! Links: a document, and what is shown of it, as one line of text. docs/links.md describes the form.

mod apart;
mod error;
mod keys;
mod packing;
mod view;

use percent_encoding::percent_decode_str;

use crate::document::{Document, DocumentError, Salvaged};
use crate::presets::Preset;
pub use apart::{NeededFile, data_apart};
pub use error::LinkError;
use keys::{DOCUMENT, Fragment, PRESET};
pub use view::ShownView;

/// The version that this build writes.
const VERSION: u64 = 1;
/// Links up to this length fit anywhere.
pub const CHARACTERS_FREE: usize = 2_000;
/// Longer links are not written: programs that pass on text cut them.
pub const CHARACTERS_MAX: usize = 8_000;

/// A link with what it does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its text.
    pub text: String,
    /// Files that have to come along.
    pub needs: Vec<NeededFile>,
}

/// Content of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenedLink {
    /// The preset that it names.
    pub preset: Option<&'static Preset>,
    /// The document.
    pub document: Document,
    /// What to show of it.
    pub view: ShownView,
    /// Everything that could not be read, and was left out.
    pub faults: Vec<LinkError>,
    /// The fields among jobs, curves, cluster and policies that the sample stands in for.
    pub missing: Vec<&'static str>,
}

/// Whether a text is a link, or meant to be one.
pub fn is_link(text: &str) -> bool {
    let text = text.trim();
    text.contains("#v=") || text.starts_with("v=")
}

impl Link {
    /// The link of a preset.
    pub fn of_preset(base: &str, preset: &Preset, view: &ShownView) -> Self {
        Self { text: text(base, view, PRESET, preset.name), needs: Vec::new() }
    }

    /// The link of a document. Data that do not fit are named; `files` gives the files that the document names. An error
    /// if it is too long even so, or if data cannot be read.
    pub fn of(
        base: &str,
        document: &Document,
        view: &ShownView,
        files: &dyn Fn(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, LinkError> {
        let written = |document: &Document| text(base, view, DOCUMENT, &packing::pack(&document.to_minimal_json()));
        let mut parts = apart::Parts::of(document, files)?;
        loop {
            let text = written(&parts.document);
            if text.len() <= CHARACTERS_MAX {
                return Ok(Self { text, needs: parts.needs });
            }
            if !parts.take_largest_out() {
                return Err(LinkError::TooLong { characters: text.len() });
            }
        }
    }

    /// Reads a link, or the part behind its `#`.
    pub fn open(link: &str) -> Result<OpenedLink, LinkError> {
        let mut faults = Vec::new();
        let fragment = Fragment::parse(link, &mut faults)?;
        let characters = link.trim().chars().count();
        let (preset, (document, missing)) = match (fragment.preset, fragment.document) {
            (Some(name), _) => {
                let name = percent_decode_str(name).decode_utf8_lossy();
                let preset = Preset::named(&name).ok_or_else(|| LinkError::UnknownPreset(name.into_owned()))?;
                (Some(preset), (preset.document().map_err(LinkError::Document)?, Vec::new()))
            }
            (None, Some(packed)) => (None, read_packed(packed, characters, &mut faults)?),
            (None, None) => return Err(LinkError::Empty),
        };
        Ok(OpenedLink { preset, document, view: fragment.view, faults, missing })
    }
}

fn text(base: &str, view: &ShownView, key: &str, value: &str) -> String {
    let base = base.split('#').next().unwrap_or_default();
    format!("{base}#v={VERSION}{}&{key}={value}", keys::text(view))
}

fn read_packed(
    packed: &str,
    characters: usize,
    faults: &mut Vec<LinkError>,
) -> Result<(Document, Vec<&'static str>), LinkError> {
    let unpacked = packing::unpack(packed)?;
    if unpacked.text.is_empty() {
        return Err(LinkError::Cut { characters, read: Vec::new(), missing: Vec::new() });
    }
    let salvaged = match Document::salvage(&unpacked.text) {
        Ok(salvaged) => salvaged,
        Err(_) if unpacked.is_cut => {
            return Err(LinkError::Cut { characters, read: Vec::new(), missing: Vec::new() });
        }
        Err(error) => return Err(LinkError::Document(error)),
    };
    let Salvaged { document, faults: found, is_cut, read, missing } = salvaged;
    if is_cut {
        faults.push(LinkError::Cut { characters, read, missing: missing.clone() });
    }
    // Hashes are of files that a missing field names.
    let is_other = |error: &DocumentError| !is_cut || error.place().is_none_or(|place| !place.starts_with("files."));
    faults.extend(found.into_iter().filter(is_other).map(LinkError::Document));
    Ok((document, missing))
}
