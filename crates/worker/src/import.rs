//! Reading files.

use elastiplan_formats::{Options, Source};
use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::Blob;

use crate::Packed;
use crate::blob::BlobReader;
use crate::global::{now_ms, post};
use crate::messages::{MessageError, Response};

/// Reads the files and posts how far that has come.
pub(crate) fn import(id: u32, paths: Vec<String>, blobs: &Array, bytes_max: f64) -> Result<Response, MessageError> {
    let start_ms = now_ms();
    let sources: Vec<Source<'static>> =
        paths.into_iter().zip(blobs.iter()).filter_map(|(path, blob)| source(path, blob.dyn_into().ok()?)).collect();
    let tell = &mut |progress: elastiplan_formats::Progress| {
        let bytes_total = progress.bytes_total.map(|bytes| bytes as f64);
        post(Some(id), &Response::ImportProgress { bytes_read: progress.bytes_read as f64, bytes_total });
    };
    let import = elastiplan_formats::import(sources, &Options { bytes_max: Some(bytes_max as u64) }, tell);
    Ok(Response::Imported { import: Packed::of(&import)?, wall_ms: now_ms() - start_ms })
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
