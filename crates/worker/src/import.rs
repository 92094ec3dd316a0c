//! Reading files.

use elastiplan_formats::mapping::{Mapping, survey as survey_of};
use elastiplan_formats::{Options, Progress, Source};
use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::Blob;

use crate::Packed;
use crate::blob::BlobReader;
use crate::global::{now_ms, post};
use crate::messages::Response;

/// Reads the files, some of them by mappings, and posts how far that has come.
pub(crate) fn import(
    id: u32,
    paths: Vec<String>,
    blobs: &Array,
    bytes_max: f64,
    mappings: &[(u32, String)],
) -> Result<Response, String> {
    let mapping =
        |(file, text): &(u32, String)| Ok((*file, text.parse::<Mapping>().map_err(|error| error.to_string())?));
    let mappings: Vec<(u32, Mapping)> = mappings.iter().map(mapping).collect::<Result<_, String>>()?;
    let start_ms = now_ms();
    let sources: Vec<Source<'static>> =
        paths.into_iter().zip(blobs.iter()).filter_map(|(path, blob)| source(path, blob.dyn_into().ok()?)).collect();
    let options = Options { bytes_max: Some(bytes_max as u64) };
    let import = elastiplan_formats::import_mapped(sources, &mappings, &options, &mut |progress| tell(id, progress));
    Ok(Response::Imported { import: Packed::of(&import)?, wall_ms: now_ms() - start_ms })
}

/// Says what a mapping makes of a table, and posts how far that has come.
pub(crate) fn survey(id: u32, path: String, blobs: &Array, mapping: Option<&str>) -> Result<Response, String> {
    let mapping = mapping.map(Mapping::partial).transpose().map_err(|error| error.to_string())?;
    let blob = blobs.get(0).dyn_into().map_err(|_| "There is no file to look at")?;
    let source = source(path, blob).ok_or("The file cannot be read")?;
    let found = survey_of(source, mapping.as_ref(), &Options::default(), &mut |progress| tell(id, progress));
    Ok(Response::Surveyed(Packed::of(&found)?))
}

/// Posts how far reading has come.
fn tell(id: u32, progress: Progress) {
    let bytes_total = progress.bytes_total.map(|bytes| bytes as f64);
    post(Some(id), &Response::ImportProgress { bytes_read: progress.bytes_read as f64, bytes_total });
}

/// Reads a few rows around one.
pub(crate) fn excerpt(path: String, blobs: &Array, row: f64, around: u32) -> Response {
    let source = blobs.get(0).dyn_into().ok().and_then(|blob| source(path, blob));
    Response::Excerpt(source.and_then(|source| elastiplan_formats::excerpt(source, row as u64, around.into())))
}

fn source(path: String, blob: Blob) -> Option<Source<'static>> {
    let bytes_total = Some(blob.size() as u64);
    Some(Source { path, bytes_total, reader: Box::new(BlobReader::new(blob).ok()?) })
}
