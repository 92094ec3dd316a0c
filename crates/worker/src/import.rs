//! Reading files.

use elastiplan_formats::{Options, Source};
use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::Blob;

use crate::Packed;
use crate::blob::BlobReader;
use crate::messages::Response;
use crate::serve::{fail, now_ms, post};

/// Reads the files and posts what came out.
pub(crate) fn import(id: u32, paths: Vec<String>, blobs: &Array, bytes_max: f64) {
    let start_ms = now_ms();
    let sources: Vec<Source<'static>> =
        paths.into_iter().zip(blobs.iter()).filter_map(|(path, blob)| source(path, blob.dyn_into().ok()?)).collect();
    let tell = &mut |progress: elastiplan_formats::Progress| {
        let bytes_total = progress.bytes_total.map(|bytes| bytes as f64);
        post(&Response::ImportProgress { id, bytes_read: progress.bytes_read as f64, bytes_total });
    };
    let import = elastiplan_formats::import(sources, &Options { bytes_max: Some(bytes_max as u64) }, tell);
    match Packed::of(&import) {
        Ok(import) => post(&Response::Imported { id, import, wall_ms: now_ms() - start_ms }),
        Err(error) => fail(Some(id), error.into()),
    }
}

/// Reads a few rows around one and posts them.
pub(crate) fn excerpt(id: u32, path: String, blobs: &Array, row: f64, around: u32) {
    let source = blobs.get(0).dyn_into().ok().and_then(|blob| source(path, blob));
    let excerpt = source.and_then(|source| elastiplan_formats::excerpt(source, row as u64, around.into()));
    post(&Response::Excerpt { id, excerpt });
}

fn source(path: String, blob: Blob) -> Option<Source<'static>> {
    let bytes_total = Some(blob.size() as u64);
    Some(Source { path, bytes_total, reader: Box::new(BlobReader::new(blob).ok()?) })
}
