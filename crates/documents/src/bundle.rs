//! Bundles: a scenario with all its data, what is shown of it, and the digests of its runs, as one zip archive.
//!
//! ```text
//! bundle.json      the version, the build, and the digests of runs
//! scenario.json    the document, which names its files as they stand in the archive
//! view.json        what is shown, by the keys of links
//! runs.json        the list of runs, where a document does not say all of it
//! pinned-1.json    the document of a pinned run, with files of the same archive
//! data/…           the files
//! ```
//!
//! docs/links.md describes the form. Other tools can unpack it, and write it.

mod error;
mod runs;

use std::collections::BTreeMap;

use elastiplan_formats::{ArchiveFile, Source, read_archive, write_archive};
use serde::{Deserialize, Serialize};

use crate::document::{Document, FileHash, Salvaged};
use crate::share::ShownView;
pub use error::BundleError;
pub use runs::{ListedPoint, ListedRun, PinnedRun, in_places as runs_in_places};

/// The version that this build writes.
const VERSION: u64 = 1;
/// An archive that unpacks to more is refused: everything is held in memory.
const BYTES_MAX: u64 = 500_000_000;
/// A document, or a list of digests, that is larger is refused.
const TEXT_BYTES_MAX: usize = 50_000_000;

const BUNDLE: &str = "bundle.json";
const SCENARIO: &str = "scenario.json";
const VIEW: &str = "view.json";
const DATA: &str = "data/";

/// The digest of a run that was made when the bundle was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownResult {
    /// The policy's id.
    pub policy: String,
    /// The seed.
    pub seed: u64,
    /// The digest of the run.
    pub digest: String,
}

/// A scenario with all that belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    /// The document.
    pub document: Document,
    /// The files that the document names.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What to show.
    pub view: ShownView,
    /// The build that made the results.
    pub build: String,
    /// Digests of runs.
    pub results: Vec<KnownResult>,
    /// The list of runs; empty where the document says all of it.
    pub runs: Vec<ListedRun>,
    /// The documents of pinned runs, by their numbers.
    pub pinned: BTreeMap<u32, Document>,
}

/// A bundle with what could not be read of it.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenedBundle {
    /// What could be read.
    pub bundle: Bundle,
    /// Everything that could not be, and was left out.
    pub faults: Vec<BundleError>,
}

/// The content of bundle.json.
#[derive(Serialize, Deserialize)]
struct About {
    elastiplan_bundle: u64,
    #[serde(default)]
    build: String,
    #[serde(default)]
    digests: Vec<KnownResult>,
}

impl Bundle {
    /// A bundle of a document with the files that it names.
    pub fn of(document: &Document, files: &dyn Fn(&str) -> Option<Vec<u8>>, view: ShownView, build: &str) -> Self {
        let mut document = document.clone();
        let mut inside = BTreeMap::new();
        adopt(&mut document, files, &mut BTreeMap::new(), &mut inside, false);
        let (results, runs, pinned) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { document, files: inside, view, build: build.into(), results, runs, pinned }
    }

    /// Adds the document of pinned runs. Files of a content that is there already are shared.
    pub fn pin(&mut self, number: u32, document: &Document, files: &dyn Fn(&str) -> Option<Vec<u8>>) {
        let mut document = document.clone();
        let mut names = self.hashes();
        adopt(&mut document, files, &mut names, &mut self.files, true);
        self.pinned.insert(number, document);
    }

    /// The files that its documents name, with the hashes of their contents.
    pub fn hashes(&self) -> BTreeMap<String, FileHash> {
        let documents = std::iter::once(&self.document).chain(self.pinned.values());
        documents.flat_map(|document| &document.files).map(|(name, hash)| (name.clone(), *hash)).collect()
    }

    /// Its members but the files, by name.
    pub fn texts(&self) -> Vec<(String, String)> {
        let about = About { elastiplan_bundle: VERSION, build: self.build.clone(), digests: self.results.clone() };
        // Texts and numbers: writing cannot fail.
        let about = serde_json::to_string_pretty(&about).unwrap_or_default();
        let view = pretty_without_nulls(&self.view);
        let mut texts = vec![(BUNDLE.into(), about), (SCENARIO.into(), self.document.to_json()), (VIEW.into(), view)];
        if !self.runs.is_empty() {
            texts.push((runs::RUNS.into(), runs::write(&self.runs)));
        }
        texts.extend(self.pinned.iter().map(|(number, document)| (runs::pinned_name(*number), document.to_json())));
        texts
    }

    /// Writes it as bytes; `None` for more than a zip archive holds.
    pub fn write(&self) -> Option<Vec<u8>> {
        let texts = self.texts();
        let texts = texts.iter().map(|(name, text)| (name.as_str(), text.as_bytes()));
        let members: Vec<(&str, &[u8])> =
            texts.chain(self.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))).collect();
        write_archive(&members)
    }

    /// Whether bytes may be a bundle: a zip archive that names what a bundle has.
    pub fn is_bundle(bytes: &[u8]) -> bool {
        let names = |name: &str| bytes.windows(name.len()).any(|window| window == name.as_bytes());
        bytes.starts_with(b"PK\x03\x04") && names(BUNDLE)
    }

    /// Reads a bundle, as far as it goes.
    pub fn read(name: &str, bytes: &[u8]) -> Result<OpenedBundle, BundleError> {
        let members = read_archive(Source::from_bytes(name, bytes), BYTES_MAX).map_err(BundleError::Archive)?;
        Self::of_members(members.into_iter().map(|ArchiveFile { name, content }| (name, content)).collect())
    }

    /// Reads a bundle from its members by name, as far as it goes. A member may be damaged, for a reason.
    pub fn of_members(mut members: BTreeMap<String, Result<Vec<u8>, String>>) -> Result<OpenedBundle, BundleError> {
        let mut faults = Vec::new();
        let About { elastiplan_bundle, build, digests } = about(&mut members, &mut faults)?;
        if elastiplan_bundle > VERSION {
            faults.push(BundleError::Newer(elastiplan_bundle));
        }
        let text = take_text(&mut members, SCENARIO)?.ok_or(BundleError::Missing(SCENARIO.into()))?;
        let Salvaged { document, faults: found, is_cut, .. } =
            Document::salvage(&text).map_err(BundleError::Document)?;
        faults.extend(found.into_iter().map(BundleError::Document));
        if is_cut {
            faults.push(BundleError::Damaged { member: SCENARIO.into(), reason: "it ends too early".into() });
        }
        let view = match take_text(&mut members, VIEW) {
            Ok(view) => view.map(|text| serde_json::from_str(&text)).transpose().unwrap_or_else(|error| {
                faults.push(BundleError::damaged(VIEW, error));
                None
            }),
            Err(error) => {
                faults.push(error);
                None
            }
        };
        let runs = match take_text(&mut members, runs::RUNS) {
            Ok(text) => text.map(|text| runs::read(&text, &mut faults)).unwrap_or_default(),
            Err(error) => {
                faults.push(error);
                Vec::new()
            }
        };
        let (runs, pinned) = pinned_of(runs, &mut members, &mut faults);
        let mut files = BTreeMap::new();
        for document in std::iter::once(&document).chain(pinned.values()) {
            for (_, name) in document.named_files() {
                match members.remove(name) {
                    Some(Ok(bytes)) => {
                        files.insert(name.to_string(), bytes);
                    }
                    Some(Err(reason)) => faults.push(BundleError::Damaged { member: name.into(), reason }),
                    None if files.contains_key(name) => {}
                    None => {
                        let missing = BundleError::Missing(name.into());
                        if !faults.contains(&missing) {
                            faults.push(missing);
                        }
                    }
                }
            }
        }
        let view = view.unwrap_or_default();
        Ok(OpenedBundle { bundle: Self { document, files, view, build, results: digests, runs, pinned }, faults })
    }
}

/// Reads the documents of pinned runs. A run whose document is not sound is left out and named: with other inputs it
/// would be another run.
fn pinned_of(
    runs: Vec<ListedRun>,
    members: &mut Members,
    faults: &mut Vec<BundleError>,
) -> (Vec<ListedRun>, BTreeMap<u32, Document>) {
    let (mut kept, mut pinned) = (Vec::new(), BTreeMap::new());
    for (place, run) in runs.into_iter().enumerate() {
        if let Some(number) = run.pinned.as_ref().map(|pinned| pinned.document)
            && !pinned.contains_key(&number)
        {
            let name = runs::pinned_name(number);
            let text = take_text(members, &name).and_then(|text| text.ok_or(BundleError::Missing(name)));
            match text.and_then(|text| Document::parse(&text).map_err(BundleError::Document)) {
                Ok(document) => drop(pinned.insert(number, document)),
                Err(error) => {
                    faults.push(BundleError::Run { number: place + 1, reason: error.to_string() });
                    continue;
                }
            }
        }
        kept.push((place, run));
    }
    (runs::in_places(kept), pinned)
}

/// Calls the files that a document names as they are called in the archive, and takes them in. `names` are those that are
/// taken, with the hashes of their contents; a file of the same content may be shared.
fn adopt(
    document: &mut Document,
    files: &dyn Fn(&str) -> Option<Vec<u8>>,
    names: &mut BTreeMap<String, FileHash>,
    inside: &mut BTreeMap<String, Vec<u8>>,
    shares: bool,
) {
    let (mut renamed, mut hashes) = (BTreeMap::new(), BTreeMap::new());
    for (_, name) in document.named_files() {
        let bytes = files(name);
        let known = document.files.get(name).copied();
        let Some(hash) = bytes.as_ref().map(|bytes| FileHash::of(bytes)).or(known) else { continue };
        let same = names.iter().find(|(_, other)| shares && **other == hash).map(|(name, _)| name.clone());
        let new_name = same.unwrap_or_else(|| free_name(name, names));
        names.insert(new_name.clone(), hash);
        hashes.insert(new_name.clone(), hash);
        renamed.insert(name.to_string(), new_name.clone());
        if let Some(bytes) = bytes {
            inside.entry(new_name).or_insert(bytes);
        }
    }
    document.rename_files(&|name| renamed.get(name).cloned().unwrap_or_else(|| name.into()));
    document.files = hashes;
}

/// A view with the keys that it has.
fn pretty_without_nulls(view: &ShownView) -> String {
    let mut value = serde_json::to_value(view).unwrap_or_default();
    value.as_object_mut().into_iter().for_each(|keys| keys.retain(|_, value| !value.is_null()));
    serde_json::to_string_pretty(&value).unwrap_or_default()
}

type Members = BTreeMap<String, Result<Vec<u8>, String>>;

/// A member as text; `None` if it is not there.
fn take_text(members: &mut Members, name: &str) -> Result<Option<String>, BundleError> {
    let Some(content) = members.remove(name) else { return Ok(None) };
    let bytes = content.map_err(|reason| BundleError::Damaged { member: name.into(), reason })?;
    if bytes.len() > TEXT_BYTES_MAX {
        return Err(BundleError::TooLarge { member: name.into(), bytes: bytes.len() as u64 });
    }
    String::from_utf8(bytes).map(Some).map_err(|error| BundleError::damaged(name, error.utf8_error()))
}

/// The content of bundle.json. Without digests that can be read there are none to compare with.
fn about(members: &mut Members, faults: &mut Vec<BundleError>) -> Result<About, BundleError> {
    let text = take_text(members, BUNDLE)?.ok_or(BundleError::NotABundle)?;
    match serde_json::from_str(&text) {
        Ok(about) => Ok(about),
        Err(error) => {
            let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            let version = value.get("elastiplan_bundle").and_then(serde_json::Value::as_u64);
            let elastiplan_bundle = version.ok_or(BundleError::NotABundle)?;
            faults.push(BundleError::damaged(BUNDLE, error));
            Ok(About { elastiplan_bundle, build: String::new(), digests: Vec::new() })
        }
    }
}

/// The name of a file in the archive: below `data`, without steps out of that folder, and not taken.
fn free_name<T>(name: &str, taken: &BTreeMap<String, T>) -> String {
    let name = name.strip_prefix(DATA).unwrap_or(name).replace('\\', "/");
    let parts: Vec<&str> = name.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
    let name = format!("{DATA}{}", parts.join("/"));
    let numbered = (2..).map(|number| match name.rsplit_once('.') {
        Some((stem, ending)) => format!("{stem}-{number}.{ending}"),
        None => format!("{name}-{number}"),
    });
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(|name| !taken.contains_key(name)).unwrap_or_default()
}
