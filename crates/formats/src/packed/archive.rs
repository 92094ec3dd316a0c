//! A zip archive as the files in it.

use std::cell::RefCell;
use std::rc::Rc;

use elastiplan_model::{Diagnostic, Severity};
use elastiplan_text::format::count;

use super::directory::Directory;
use super::member::{self, Shared};
use crate::text::refusal::Refusal;
use crate::text::source::{Content, Source};

/// Files of an archive that are read.
const FILES_MAX: u64 = 100;
/// Files of an archive that are opened to find those.
const OPENED_MAX: u64 = 1_000;
/// Files of an archive of unknown content that are listed.
const UNKNOWN_LISTED_MAX: u64 = 20;

/// The files in a zip archive, in order of their names.
pub(crate) struct Archive<'a> {
    /// The path of the archive.
    path: String,
    shared: Shared<'a>,
    directory: Directory,
    /// The next entry.
    next: usize,
}

/// A file of an archive, or why it cannot be unpacked.
pub(crate) type Member<'a> = (String, Result<Source<'a>, Refusal>);

impl<'a> Archive<'a> {
    pub(super) fn new(path: String, content: Box<dyn Content + 'a>, directory: Directory) -> Self {
        Self { path, shared: Rc::new(RefCell::new(content)), directory, next: 0 }
    }

    /// The number of files in it.
    pub fn files(&self) -> u64 {
        self.directory.entries.len() as u64 + self.directory.more
    }

    /// Bytes of its files unpacked, as its directory names them.
    pub fn bytes(&self) -> u64 {
        self.directory.entries.iter().map(|entry| entry.size).fold(0, u64::saturating_add)
    }

    /// The path of the archive.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The file that `path` names: the path of the archive with the name in it.
    pub fn member(&self, path: &str) -> Option<Member<'a>> {
        let names = |name: &str| path.strip_suffix(name).is_some_and(|rest| rest.ends_with('/'));
        let fitting = (0..self.directory.entries.len()).filter_map(|at| {
            self.directory.entries.get(at).filter(|entry| names(&entry.name)).map(|entry| (at, entry))
        });
        let longest = fitting.max_by_key(|(_, entry)| entry.name.len())?;
        self.open(longest.0)
    }

    fn open(&self, at: usize) -> Option<Member<'a>> {
        let entry = self.directory.entries.get(at)?;
        let path = format!("{}/{}", self.path, entry.name);
        let source = member::open(&self.shared, entry).map(|reader| Source {
            path: path.clone(),
            bytes_total: Some(entry.size),
            reader,
        });
        Some((path, source))
    }
}

impl<'a> Iterator for Archive<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        let member = self.open(self.next);
        self.next += 1;
        member
    }
}

/// How many files of an archive were read, and which are listed.
#[derive(Default)]
pub(crate) struct Tally {
    opened: u64,
    known: u64,
}

impl Tally {
    /// Whether no more files are opened.
    pub fn is_full(&self) -> bool {
        self.known >= FILES_MAX || self.opened >= OPENED_MAX
    }

    /// Counts a file; whether it is listed.
    pub fn add(&mut self, is_known: bool) -> bool {
        self.opened += 1;
        self.known += u64::from(is_known);
        is_known || self.opened - self.known <= UNKNOWN_LISTED_MAX
    }

    /// What is said of files that were not opened, and of those that are not listed.
    pub fn findings(&self, path: &str, files: u64) -> Vec<Diagnostic> {
        let about = |rule: String, outcome: String, repair: &str| {
            Diagnostic::new(Severity::Warning, rule, outcome, repair).in_file(path)
        };
        let mut findings = Vec::new();
        if files > self.opened {
            let rule = format!("At most {FILES_MAX} files of an archive, of the first {} in it", count(OPENED_MAX));
            let outcome = format!("{} of {} read; {} not opened", self.known, count(files), count(files - self.opened));
            findings.push(about(rule, outcome, "Unpack it and drop the files that you need"));
        }
        let unknown = self.opened - self.known;
        if unknown > UNKNOWN_LISTED_MAX {
            let outcome = format!("{} more not listed", count(unknown - UNKNOWN_LISTED_MAX));
            findings.push(about("Files of known content".into(), outcome, "Nothing to do, if they are not meant"));
        }
        findings
    }
}
