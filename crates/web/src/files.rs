//! Files from a drop or a file field, folders included, each with its path.

use elastiplan_model::order::sort_by;
use js_sys::{Array, Function, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DataTransfer, File, FileList, FileSystemDirectoryEntry, FileSystemDirectoryReader, FileSystemEntry,
    FileSystemFileEntry,
};

/// More files than any set of profiles has; it keeps a dropped home folder from being walked for ever.
const FILES_MAX: usize = 5_000;

/// The name of a table that comes from the clipboard.
const PASTED: &str = "pasted.csv";

/// A file and its path: `profiles/A100/bert.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedFile {
    /// The path, without a leading slash.
    pub path: String,
    /// The file.
    pub file: File,
}

/// Dropped files and folders. They have to be taken from the event while that is being handled; walking folders comes
/// later.
pub struct Dropped {
    entries: Vec<FileSystemEntry>,
    /// Files for which the browser has no entry.
    files: Vec<NamedFile>,
}

impl Dropped {
    /// Takes what an event carries.
    pub fn take(data: &DataTransfer) -> Self {
        let items = data.items();
        let entries: Vec<FileSystemEntry> = (0..items.length())
            .filter_map(|at| items.get(at))
            .filter_map(|item| item.webkit_get_as_entry().ok().flatten())
            .collect();
        let files = if entries.is_empty() { data.files().map(|list| from_list(&list)) } else { None };
        Self { entries, files: files.unwrap_or_default() }
    }

    /// All files, in order of their paths.
    pub async fn walk(self) -> Vec<NamedFile> {
        let Self { entries: mut open, mut files } = self;
        while let Some(entry) = open.pop() {
            if files.len() >= FILES_MAX {
                break;
            }
            if entry.name().starts_with('.') {
                continue;
            }
            if entry.is_directory() {
                open.extend(children(entry.unchecked_into()).await);
            } else if let Some(file) = file_of(entry.clone().unchecked_into()).await {
                files.push(NamedFile { path: entry.full_path().trim_start_matches('/').into(), file });
            }
        }
        sort_by(&mut files, |a, b| a.path.cmp(&b.path));
        files
    }
}

/// What is on the clipboard: its files, or a table as text, as a file of its own. Nothing for text of one line.
pub fn pasted(data: &DataTransfer) -> Vec<NamedFile> {
    let files = data.files().map(|list| from_list(&list)).unwrap_or_default();
    if !files.is_empty() {
        return files;
    }
    let text = data.get_data("text/plain").ok().filter(|text| text.trim_end().contains(['\n', '\r']));
    let file = text.and_then(|text| File::new_with_str_sequence(&Array::of1(&text.into()), PASTED).ok());
    file.map(|file| NamedFile { path: PASTED.into(), file }).into_iter().collect()
}

/// The files of a file field.
pub fn from_list(list: &FileList) -> Vec<NamedFile> {
    let named = |file: File| {
        let relative = js_sys::Reflect::get(&file, &"webkitRelativePath".into()).ok();
        let relative = relative.and_then(|path| path.as_string()).filter(|path| !path.is_empty());
        NamedFile { path: relative.unwrap_or_else(|| file.name()), file }
    };
    let is_hidden = |named: &NamedFile| named.path.split('/').any(|part| part.starts_with('.'));
    let files = (0..list.length()).filter_map(|at| list.get(at)).map(named);
    let mut files: Vec<NamedFile> = files.filter(|named| !is_hidden(named)).take(FILES_MAX).collect();
    sort_by(&mut files, |a, b| a.path.cmp(&b.path));
    files
}

async fn file_of(entry: FileSystemFileEntry) -> Option<File> {
    called_back(|found, failed| entry.file_with_callback_and_callback(found, failed)).await?.dyn_into().ok()
}

async fn children(folder: FileSystemDirectoryEntry) -> Vec<FileSystemEntry> {
    let reader: FileSystemDirectoryReader = folder.create_reader();
    let mut children = Vec::new();
    // A reader gives a hundred at a time, and none at the end.
    while children.len() < FILES_MAX {
        let read = |found: &Function, failed: &Function| {
            let _ = reader.read_entries_with_callback_and_callback(found, failed);
        };
        let batch = called_back(read).await.and_then(|batch| batch.dyn_into::<Array>().ok());
        let Some(batch) = batch.filter(|batch| batch.length() > 0) else { break };
        children.extend(batch.iter().map(JsCast::unchecked_into::<FileSystemEntry>));
    }
    children
}

/// Waits for one of two callbacks; `None` if it is the one for failures.
async fn called_back(mut call: impl FnMut(&Function, &Function)) -> Option<JsValue> {
    JsFuture::from(Promise::new(&mut |found, failed| call(&found, &failed))).await.ok()
}
