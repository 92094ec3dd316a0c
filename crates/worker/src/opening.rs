//! Opening scenarios: documents, bundles and links, with the files that they name.

use std::collections::BTreeMap;
use std::io::Read;

use elastiplan_documents::{
    Bundle, Document, DocumentError, FileHash, KnownResult, Link, ListedRun, OpenedBundle, OpenedLink, Resolved,
    Salvaged, ShownView,
};
use elastiplan_scenario::Scenario;
use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::Blob;

use crate::Packed;
use crate::blob::BlobReader;
use crate::keeping::{OpenedPinned, OpenedScenario};
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
    runs: Vec<ListedRun>,
    pinned: BTreeMap<u32, Document>,
}

impl Found {
    fn of(from: String, document: Document, faults: Vec<String>, missing: Vec<&'static str>) -> Self {
        let (name, view, known, inside) = (String::new(), ShownView::default(), Vec::new(), BTreeMap::new());
        let (runs, pinned) = (Vec::new(), BTreeMap::new());
        Self { from, document, name, view, known, inside, faults, missing, runs, pinned }
    }

    fn of_bundle(from: String, bundle: Bundle, faults: Vec<String>) -> Self {
        let Bundle { document, files: inside, view, results: known, runs, pinned, .. } = bundle;
        Self { view, known, inside, runs, pinned, ..Self::of(from, document, faults, Vec::new()) }
    }
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
        return Ok(Found::of(from, document, faults, missing));
    }
    let OpenedBundle { bundle, faults } = Bundle::read(&from, &bytes).map_err(|error| unusable(&error))?;
    let faults = faults.iter().map(ToString::to_string).collect();
    Ok(Found::of_bundle(from, bundle, faults))
}

/// Opens kept work. Where data are missing, those of the sample stand in.
pub(crate) fn kept(from: &str, bundle: Bundle, faults: Vec<String>) -> Result<OpenedScenario, String> {
    let mut found = Found::of_bundle(from.into(), bundle, faults);
    let missing = |document: &Document, inside: &BTreeMap<String, Vec<u8>>| -> Vec<&'static str> {
        let named = document.named_files().into_iter();
        named.filter(|(_, name)| !inside.contains_key(*name)).map(|(place, _)| place).collect()
    };
    let lost = missing(&found.document, &found.inside);
    found.missing = found.document.do_without(&lost);
    finish(found, Vec::new())
}

fn of_link(link: &str) -> Result<Found, String> {
    let opened = Link::open(link).map_err(|error| format!("The link cannot be opened: {error}"))?;
    let OpenedLink { preset, document, view, faults, missing } = opened;
    let name = preset.map(|preset| preset.name.to_string()).unwrap_or_default();
    let faults = faults.iter().map(ToString::to_string).collect();
    Ok(Found { name, view, ..Found::of("The link".into(), document, faults, missing) })
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
    let Found { from, document, name, view, known, inside, faults, missing, mut runs, pinned } = found;
    let missing = missing.into_iter().map(String::from).collect();
    let (diagnostics, no_runs) = (Vec::new(), Vec::new());
    let mut opened = OpenedScenario {
        from,
        scenario: None,
        view,
        known,
        needs,
        faults,
        missing,
        diagnostics,
        runs: no_runs,
        pinned: Vec::new(),
    };
    if !opened.needs.is_empty() {
        return Ok(opened);
    }
    let unusable = |error: DocumentError| format!("{} cannot be opened: {error}", opened.from);
    let files = |name: &str| inside.get(name).cloned();
    let mut resolved = document.resolve(&files).map_err(unusable)?;
    opened.diagnostics = std::mem::take(&mut resolved.diagnostics);
    let mut read: Vec<(Document, Scenario)> = vec![(document.clone(), resolved.scenario.clone())];
    for (number, document) in pinned {
        let others: Vec<(&Document, &Scenario)> =
            read.iter().map(|(document, scenario)| (document, scenario)).collect();
        match document.resolve_beside(&files, &others) {
            Ok(resolved) => {
                let scenario = resolved.scenario.clone();
                opened.pinned.push((number, pinned_of(document.clone(), resolved, &others)));
                read.push((document, scenario));
            }
            Err(error) => {
                let left_out = runs.iter().filter(|run| is_of(run, number)).count() as u64;
                let words = elastiplan_text::words::counted(left_out, "pinned run is", "pinned runs are");
                opened.faults.push(format!("{words} left out: {error}"));
                let kept = runs.iter().enumerate().filter(|(_, run)| !is_of(run, number));
                runs = elastiplan_documents::runs_in_places(kept.map(|(place, run)| (place, run.clone())).collect());
            }
        }
    }
    opened.runs = runs;
    let packed = document.packed(&name, resolved);
    let drawn = packed.drawing.draw();
    opened.scenario = Some((packed, drawn));
    Ok(opened)
}

/// Whether a run is pinned with the document of this number.
fn is_of(run: &ListedRun, number: u32) -> bool {
    run.pinned.as_ref().is_some_and(|pinned| pinned.document == number)
}

/// The inputs of a pinned run, without the data that it shares with others.
fn pinned_of(document: Document, resolved: Resolved, others: &[(&Document, &Scenario)]) -> OpenedPinned {
    let own = resolved.scenario.clone();
    let shared = |is_same: &dyn Fn(&Scenario) -> bool| {
        others.iter().position(|(_, other)| is_same(other)).and_then(|place| u32::try_from(place).ok())
    };
    let jobs = shared(&|other| std::sync::Arc::ptr_eq(&other.trace, &own.trace));
    let curves = shared(&|other| std::sync::Arc::ptr_eq(&other.curves, &own.curves));
    let log = own.conditions.availability.as_ref();
    let log = shared(&|other| match (log, other.conditions.availability.as_ref()) {
        (Some(own), Some(other)) => std::sync::Arc::ptr_eq(own, other),
        _ => false,
    });
    let mut scenario = document.packed("", resolved);
    if jobs.is_some() {
        (scenario.packed.trace, scenario.drawing.jobs) = (Default::default(), None);
    }
    if curves.is_some() {
        (scenario.packed.curves, scenario.drawing.curves) = (Default::default(), None);
    }
    if log.is_some() {
        (scenario.packed.conditions.availability, scenario.drawing.idle_nodes) = (None, None);
    }
    let drawn = scenario.drawing.draw();
    OpenedPinned { scenario, drawn, shared: [jobs, curves, log] }
}
