//! Opening scenarios: documents, bundles and links, with the files that they name.

use std::collections::BTreeMap;
use std::io::Read;

use elastiplan_documents::{
    Bundle, Document, DocumentError, FileHash, KnownResult, Link, OpenedBundle, OpenedLink, Salvaged, ShownView,
};
use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::Blob;

use crate::Packed;
use crate::blob::BlobReader;
use crate::keeping::OpenedScenario;
use crate::messages::Response;

/// A file that is read as a whole is no larger.
const BYTES_MAX: f64 = 500_000_000.0;
/// A document is known by its first bytes.
const START_BYTES: u64 = 4_096;

/// A scenario that was read, without its data.
struct Found {
    from: String,
    document: Document,
    name: String,
    view: ShownView,
    known: Vec<KnownResult>,
    inside: BTreeMap<String, Vec<u8>>,
    faults: Vec<String>,
    missing: Vec<&'static str>,
}

/// A file of the page.
struct Given {
    path: String,
    blob: Blob,
}

impl Given {
    fn start(&self) -> Vec<u8> {
        self.read(START_BYTES)
    }

    fn whole(&self) -> Result<Vec<u8>, String> {
        match self.blob.size() > BYTES_MAX {
            true => Err(format!("{} is larger than 500 MB", self.path)),
            false => Ok(self.read(u64::MAX)),
        }
    }

    fn read(&self, bytes_max: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Ok(reader) = BlobReader::new(self.blob.clone()) {
            // What cannot be read any more is as a file that ends there.
            let _ = reader.take(bytes_max).read_to_end(&mut bytes);
        }
        bytes
    }

    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// Opens the scenario among the files, or the link, if these are its files. `None` where they are only data.
pub(crate) fn open(paths: &[String], blobs: &Array, link: Option<&str>) -> Result<Option<Response>, String> {
    let given = |(path, blob): (&String, wasm_bindgen::JsValue)| {
        Some(Given { path: path.clone(), blob: blob.dyn_into().ok()? })
    };
    let given: Vec<Given> = paths.iter().zip(blobs.iter()).filter_map(given).collect();
    let found = match given.iter().position(|file| is_scenario(&file.path, &file.start())) {
        Some(at) => given.get(at).map(of_file),
        None => link.map(of_link),
    };
    let opened = match found {
        None => return Ok(None),
        Some(Ok(found)) => resolve(found, &given, link.is_some()),
        Some(Err(message)) => Some(Err(message)),
    };
    let Some(opened) = opened else { return Ok(None) };
    Ok(Some(Response::Opened(Packed::of(&opened)?)))
}

/// Whether a file is a scenario by its name and its first bytes.
fn is_scenario(path: &str, start: &[u8]) -> bool {
    let has = |name: &[u8]| start.windows(name.len()).any(|window| window == name);
    let text = start.trim_ascii_start();
    match start {
        [b'P', b'K', 3, 4, ..] => path.ends_with(".elastiplan") || has(b"bundle.json"),
        _ if start.starts_with(b"elastiplan record\n") => true,
        _ => path.ends_with(".elastiplan") || (text.starts_with(b"{") && has(b"\"elastiplan\"")),
    }
}

fn of_file(file: &Given) -> Result<Found, String> {
    let bytes = file.whole()?;
    let from = file.name().to_string();
    let unusable = |error: &dyn std::fmt::Display| format!("{from} cannot be opened: {error}");
    if bytes.starts_with(b"elastiplan record\n") {
        return Err(unusable(&"it is a record of runs, which elastiplan show prints on the command line"));
    }
    if !bytes.starts_with(b"PK") {
        let text = String::from_utf8(bytes).map_err(|error| unusable(&error.utf8_error()))?;
        let Salvaged { document, faults, is_cut, missing, .. } =
            Document::salvage(&text).map_err(|error| unusable(&error))?;
        let mut faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        if is_cut {
            faults.insert(0, format!("{from} ends too early"));
        }
        let (view, known, inside) = (ShownView::default(), Vec::new(), BTreeMap::new());
        return Ok(Found { from, name: String::new(), document, view, known, inside, faults, missing });
    }
    let OpenedBundle { bundle, faults } = Bundle::read(&from, &bytes).map_err(|error| unusable(&error))?;
    let Bundle { document, files: inside, view, results: known, .. } = bundle;
    let faults = faults.iter().map(ToString::to_string).collect();
    Ok(Found { from, name: String::new(), document, view, known, inside, faults, missing: Vec::new() })
}

fn of_link(link: &str) -> Result<Found, String> {
    let opened = Link::open(link).map_err(|error| format!("The link cannot be opened: {error}"))?;
    let OpenedLink { preset, document, view, faults, missing } = opened;
    let name = preset.map(|preset| preset.name.to_string()).unwrap_or_default();
    let faults = faults.iter().map(ToString::to_string).collect();
    let (known, inside) = (Vec::new(), BTreeMap::new());
    Ok(Found { from: "The link".into(), name, document, view, known, inside, faults, missing })
}

/// Reads the data of a scenario. `None` where files were given and none of them belongs to it: they are data by themselves.
fn resolve(mut found: Found, given: &[Given], is_link: bool) -> Option<Result<OpenedScenario, String>> {
    let (mut taken, mut needs) = (0, Vec::new());
    let named: Vec<String> = found.document.named_files().iter().map(|(_, name)| (*name).to_string()).collect();
    for name in named {
        let hash = found.document.files.get(&name).copied();
        let is_right = |bytes: &[u8]| hash.is_none_or(|hash| FileHash::of(bytes) == hash);
        if found.inside.get(&name).is_some_and(|bytes| is_right(bytes)) {
            continue;
        }
        if found.inside.remove(&name).is_some() {
            found.faults.push(format!("{name} in the bundle is not the file that the scenario was made with"));
        }
        let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_string();
        let by_name = given.iter().filter(|file| file.name() == last(&name));
        let others = given.iter().filter(|file| hash.is_some() && file.name() != last(&name));
        let right = by_name.clone().chain(others).find_map(|file| file.whole().ok().filter(|bytes| is_right(bytes)));
        match right {
            Some(bytes) => {
                taken += 1;
                found.inside.insert(name, bytes);
            }
            None => {
                if let Some(wrong) = by_name.clone().next() {
                    taken += 1;
                    let other = wrong.whole().map(|bytes| FileHash::of(&bytes).short()).unwrap_or_default();
                    found.faults.push(format!("{name} is another file of that name ({other})"));
                }
                needs.push((name, hash.map(FileHash::short)));
            }
        }
    }
    if is_link && !given.is_empty() && taken == 0 {
        return None;
    }
    Some(finish(found, needs))
}

fn finish(found: Found, needs: Vec<(String, Option<String>)>) -> Result<OpenedScenario, String> {
    let Found { from, document, name, view, known, inside, faults, missing } = found;
    let missing = missing.into_iter().map(String::from).collect();
    let mut opened =
        OpenedScenario { from, scenario: None, view, known, needs, faults, missing, diagnostics: Vec::new() };
    if !opened.needs.is_empty() {
        return Ok(opened);
    }
    let unusable = |error: DocumentError| format!("{} cannot be opened: {error}", opened.from);
    let mut resolved = document.resolve(&|name| inside.get(name).cloned()).map_err(unusable)?;
    opened.diagnostics = std::mem::take(&mut resolved.diagnostics);
    let packed = document.packed(&name, resolved);
    let drawn = packed.drawing.draw();
    opened.scenario = Some((packed, drawn));
    Ok(opened)
}
