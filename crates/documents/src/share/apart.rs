//! Data of a document that do not fit into a link: named there, and passed on as files.

use crate::document::{
    AvailabilitySource, CurveSource, Document, FileHash, JobSource, PriceSource, Resolved, TableSource,
};

use super::LinkError;

/// A file that a link needs.
#[derive(Clone, Debug, PartialEq)]
pub struct NeededFile {
    /// Its name.
    pub name: String,
    /// The hash of its content.
    pub hash: FileHash,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A document with all its data in files beside it, as far as tables can hold them.
pub fn data_apart(document: &Document) -> (Document, Vec<NeededFile>) {
    let (needs, files) = (Vec::new(), &|_: &str| None);
    let mut parts = Parts { document: document.clone(), needs, original: document, files };
    while parts.take_largest_out() {}
    (parts.document, parts.needs)
}

/// A document whose data are inside, as far as they were not taken out.
pub(super) struct Parts<'a> {
    pub document: Document,
    pub needs: Vec<NeededFile>,
    original: &'a Document,
    files: &'a dyn Fn(&str) -> Option<Vec<u8>>,
}

/// Data that can stand in a document or in a file.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Jobs,
    Curves,
    Availability,
    Prices,
}

const PARTS: [Part; 4] = [Part::Jobs, Part::Curves, Part::Availability, Part::Prices];

impl<'a> Parts<'a> {
    /// Takes the files that a document names into it.
    pub fn of(original: &'a Document, files: &'a dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Self, LinkError> {
        let mut document = original.clone();
        if !original.named_files().is_empty() {
            let Resolved { scenario, .. } = original.resolve(files)?;
            let inside = Document::of("", &scenario, original.policies.clone());
            if is_file(original, Part::Prices) {
                document.set_prices(inside.prices().cloned());
            }
            if is_file(original, Part::Jobs) {
                document.jobs = inside.jobs;
            }
            if is_file(original, Part::Curves) {
                document.curves = inside.curves;
            }
            if is_file(original, Part::Availability) {
                document.availability = inside.availability;
            }
            document.files.clear();
        }
        Ok(Self { document, needs: Vec::new(), original, files })
    }

    /// Takes the largest data out that are still inside. False if there are none.
    pub fn take_largest_out(&mut self) -> bool {
        let inside = PARTS.into_iter().filter_map(|part| Some((text_of(&self.document, part)?.len(), part)));
        let Some((_, part)) = inside.max_by_key(|(bytes, _)| *bytes) else { return false };
        match is_file(self.original, part) {
            true => self.name_original(part),
            false => self.name_new(part),
        }
        true
    }

    /// Names the files that the original document names.
    fn name_original(&mut self, part: Part) {
        let place = match part {
            Part::Jobs => "jobs.file",
            Part::Curves => "curves.files",
            Part::Availability => "availability.file",
            Part::Prices => "conditions.prices.file",
        };
        match part {
            Part::Jobs => self.document.jobs = self.original.jobs.clone(),
            Part::Curves => self.document.curves = self.original.curves.clone(),
            Part::Availability => self.document.availability = self.original.availability.clone(),
            Part::Prices => self.document.set_prices(self.original.prices().cloned()),
        }
        for (_, name) in self.original.named_files().into_iter().filter(|(named, _)| *named == place) {
            if let Some(bytes) = (self.files)(name) {
                self.need(name.into(), bytes);
            }
        }
    }

    /// Makes a file of the text of a part.
    fn name_new(&mut self, part: Part) {
        let Some(text) = text_of(&self.document, part).map(String::from) else { return };
        let taken = |name: &str| self.needs.iter().any(|needed| needed.name == name);
        let stem = match part {
            Part::Jobs => "jobs",
            Part::Curves => "curves",
            Part::Availability => "availability",
            Part::Prices => "prices",
        };
        let numbered = (2..).map(|number| format!("{stem}-{number}.csv"));
        let mut names = std::iter::once(format!("{stem}.csv")).chain(numbered);
        let name = names.find(|name| !taken(name)).unwrap_or_default();
        match (part, &mut self.document) {
            (Part::Jobs, document) => {
                document.jobs = match &document.jobs {
                    JobSource::Mapped(_, map) => JobSource::Mapped(TableSource::File(name.clone()), map.clone()),
                    _ => JobSource::File(name.clone()),
                };
            }
            (Part::Curves, document) => document.curves = CurveSource::Files(vec![name.clone()]),
            (Part::Availability, document) => document.availability = Some(AvailabilitySource::File(name.clone())),
            (Part::Prices, document) => document.set_prices(Some(PriceSource::File(name.clone()))),
        }
        self.need(name, text.into_bytes());
    }

    fn need(&mut self, name: String, bytes: Vec<u8>) {
        let hash = FileHash::of(&bytes);
        self.document.files.insert(name.clone(), hash);
        self.needs.push(NeededFile { name, hash, bytes });
    }
}

fn is_file(document: &Document, part: Part) -> bool {
    match part {
        Part::Jobs => matches!(&document.jobs, JobSource::File(_) | JobSource::Mapped(TableSource::File(_), _)),
        Part::Curves => matches!(&document.curves, CurveSource::Files(_)),
        Part::Availability => matches!(&document.availability, Some(AvailabilitySource::File(_))),
        Part::Prices => matches!(document.prices(), Some(PriceSource::File(_))),
    }
}

/// The text of data that are inside.
fn text_of(document: &Document, part: Part) -> Option<&str> {
    match part {
        Part::Jobs => match &document.jobs {
            JobSource::Inline(text) | JobSource::Mapped(TableSource::Inline(text), _) => Some(text),
            _ => None,
        },
        Part::Curves => match &document.curves {
            CurveSource::Inline(text) => Some(text),
            _ => None,
        },
        Part::Availability => match &document.availability {
            Some(AvailabilitySource::Inline(text)) => Some(text),
            _ => None,
        },
        Part::Prices => match document.prices() {
            Some(PriceSource::Inline(text)) => Some(text),
            _ => None,
        },
    }
}
