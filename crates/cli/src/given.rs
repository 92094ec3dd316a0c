//! A scenario as it is given to a command: a document, a bundle, a link, or the name of a preset.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use elastiplan_documents::{
    Bundle, Document, KnownResult, Link, OpenedBundle, OpenedLink, Preset, Resolved, ShownView, is_link,
};

use crate::{CommandError, presets};

/// A scenario with everything that was given with it.
pub struct Given {
    /// The document.
    pub document: Document,
    /// The same with its data.
    pub resolved: Resolved,
    /// What it shows in the page.
    pub view: ShownView,
    /// The preset, if it is one.
    pub preset: Option<&'static Preset>,
    /// Digests that came with it.
    pub known: Vec<KnownResult>,
    files: BTreeMap<String, Vec<u8>>,
}

/// A document without its data.
struct Unresolved {
    document: Document,
    view: ShownView,
    preset: Option<&'static Preset>,
    known: Vec<KnownResult>,
    inside: BTreeMap<String, Vec<u8>>,
}

impl Unresolved {
    fn of(document: Document) -> Self {
        let (view, known, inside) = (ShownView::default(), Vec::new(), BTreeMap::new());
        Self { document, view, preset: None, known, inside }
    }
}

impl Given {
    /// Reads a scenario and what it names. A preset is asked for by its name, and a link is one by its form; everything
    /// else is a file. Files are looked up beside it; those of a link where the command runs.
    pub fn read(scenario: &Path) -> Result<Self, CommandError> {
        let name = scenario.to_string_lossy();
        let is_link = is_link(&name);
        let shown = if is_link { "the link" } else { &name };
        let unusable = |error: &dyn Error| CommandError::Input(format!("{shown}: {error}"));
        let is_name = Preset::named(&name).is_some() || !(scenario.exists() || name.contains(['.', '/']));
        let found = if is_link {
            of_link(&name)?
        } else if is_name {
            let preset = presets::find(&name)?;
            Unresolved { preset: Some(preset), ..Unresolved::of(preset.document().map_err(|error| unusable(&error))?) }
        } else {
            let bytes = std::fs::read(scenario).map_err(|error| unusable(&error))?;
            of_bytes(&name, bytes)?
        };
        let Unresolved { document, view, preset, known, inside: mut files } = found;
        let folder = if is_link { Path::new("") } else { scenario.parent().unwrap_or(Path::new("")) };
        for (_, name) in document.named_files() {
            if !files.contains_key(name)
                && let Ok(bytes) = std::fs::read(folder.join(name))
            {
                files.insert(name.into(), bytes);
            }
        }
        let resolved = document.resolve(&|name| files.get(name).cloned()).map_err(|error| unusable(&error))?;
        Ok(Self { document, resolved, view, preset, known, files })
    }

    /// A file that the document names.
    pub fn file(&self, name: &str) -> Option<Vec<u8>> {
        self.files.get(name).cloned()
    }
}

/// What a file holds, by its first bytes.
fn of_bytes(name: &str, bytes: Vec<u8>) -> Result<Unresolved, CommandError> {
    let unusable = |error: &dyn Error| CommandError::Input(format!("{name}: {error}"));
    if bytes.starts_with(b"PK\x03\x04") {
        let OpenedBundle { bundle, faults } = Bundle::read(name, &bytes).map_err(|error| unusable(&error))?;
        all_sound(name, &faults)?;
        let Bundle { document, files, view, results, runs, .. } = bundle;
        let further = runs.iter().filter(|run| run.pinned.is_some() || !run.fields.is_empty() || !run.forks.is_empty());
        match further.count() {
            0 => {}
            1 => {
                eprintln!("note: {name} has a further run, pinned, forked or with fields of its own: the page shows it")
            }
            more => eprintln!(
                "note: {name} has {more} further runs, pinned, forked or with fields of their own: the page shows them"
            ),
        }
        return Ok(Unresolved { view, known: results, inside: files, ..Unresolved::of(document) });
    }
    if bytes.starts_with(b"elastiplan record\n") {
        let message = format!("{name}: this is a record of runs, no scenario; elastiplan show prints it");
        return Err(CommandError::Input(message));
    }
    let text = String::from_utf8(bytes).map_err(|error| unusable(&error.utf8_error()))?;
    // A link that was saved to a file.
    if !text.trim_start().starts_with('{') && is_link(&text) {
        return of_link(&text);
    }
    Ok(Unresolved::of(Document::parse(&text).map_err(|error| unusable(&error))?))
}

fn of_link(text: &str) -> Result<Unresolved, CommandError> {
    let opened = Link::open(text).map_err(|error| CommandError::Input(format!("the link: {error}")))?;
    let OpenedLink { preset, document, view, faults, .. } = opened;
    all_sound("the link", &faults)?;
    Ok(Unresolved { view, preset, ..Unresolved::of(document) })
}

/// Refuses what cannot be read as a whole: what is left would give other results.
fn all_sound(name: &str, faults: &[impl Error]) -> Result<(), CommandError> {
    if faults.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = faults.iter().map(|fault| format!("{name}: {fault}")).collect();
    Err(CommandError::Input(lines.join("\n")))
}
