//! The parsers. A new one is a line in [`TARGETS`].

use std::io::{Cursor, Write};

use elastiplan_documents::{Document, PRESETS};
use elastiplan_formats::mapping::Mapping;
use elastiplan_formats::{Import, Options, Source, excerpt, import, import_mapped};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Fork;
use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::samples::{tables, texts};

/// A parser with what it is given.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Good input.
    pub(crate) samples: fn() -> Vec<Vec<u8>>,
    /// Reads an input; the bytes that its memory is compared with: of packed files those unpacked.
    pub(crate) parse: fn(&[u8]) -> usize,
}

/// Every parser.
pub static TARGETS: &[Target] = &[
    Target { name: "tables", samples: tables, parse: parse_table },
    Target { name: "packed", samples: packed, parse: parse_table },
    Target { name: "packed-tables", samples: tables, parse: parse_packed_again },
    Target { name: "mapped", samples: mapped, parse: parse_mapped },
    Target { name: "mapping", samples: || texts(MAPPINGS), parse: parse_mapping },
    Target { name: "document", samples: documents, parse: parse_document },
    Target { name: "policy", samples: || texts(POLICIES), parse: parse_text::<PolicySpec> },
    Target { name: "fork", samples: || texts(FORKS), parse: parse_text::<Fork> },
];

const MAPPINGS: &[&str] = &[
    "job_id=job submit_s=start_time duration_s=end_time-start_time gpus=gpu_request*worker_num where state=COMPLETED",
    "submit_s=min(a,b)/60 gpus=ceil(x/100) duration_s=3600*1h where gpus>0 and queue!=test,debug",
    "submit_s=\"Submit Time\" gpus='1' model='bert' gpu_seconds=(end-start)*gpus",
];
const POLICIES: &[&str] =
    &["elastic-dp[delta_s=300]", "fixed", "modelarts[steps=4,step_s=300]", "pollux[interval_s=60]"];
const FORKS: &[&str] = &["at 1h nodes=4", "3600 policy=fixed", "at 2d 3h nodes=12, rescale=30"];

fn parse_table(bytes: &[u8]) -> usize {
    let import = import(vec![Source::from_bytes("data/in.csv", bytes)], &Options::default(), &mut |_| {});
    let row = import.diagnostics.iter().find_map(|finding| finding.place.row).unwrap_or(2);
    let path = import.files.last().map_or("in.csv", |file| file.path.as_str());
    let _ = excerpt(Source::from_bytes(path, bytes), row, 3);
    unpacked(&import).max(bytes.len())
}

fn unpacked(import: &Import) -> usize {
    import.files.iter().map(|file| file.bytes).sum::<u64>() as usize
}

/// A damaged table, whole when it is unpacked.
fn parse_packed_again(bytes: &[u8]) -> usize {
    [gzip(bytes), zipped(bytes), zstd(bytes)].iter().map(|packed| parse_table(packed)).sum::<usize>() + 3 * bytes.len()
}

fn parse_mapped(bytes: &[u8]) -> usize {
    let (line, table) = bytes.iter().position(|&byte| byte == b'\n').map_or((bytes, &[][..]), |at| bytes.split_at(at));
    let mapping: Option<Mapping> = std::str::from_utf8(line).ok().and_then(|line| line.parse().ok());
    if let Some(mapping) = mapping {
        let source = Source::from_bytes("in.csv", table.trim_ascii_start());
        import_mapped(vec![source], &[(0, mapping)], &Options::default(), &mut |_| {});
    }
    bytes.len()
}

/// What a mapping is written as is read back the same.
fn parse_mapping(bytes: &[u8]) -> usize {
    if let Some(mapping) = std::str::from_utf8(bytes).ok().and_then(|text| text.parse::<Mapping>().ok()) {
        let again = mapping.to_string().parse::<Mapping>();
        assert_eq!(again.as_ref().ok(), Some(&mapping), "{mapping}");
    }
    bytes.len()
}

fn parse_document(bytes: &[u8]) -> usize {
    let _ = std::str::from_utf8(bytes).map(Document::parse);
    bytes.len()
}

fn parse_text<T: std::str::FromStr>(bytes: &[u8]) -> usize {
    let _ = std::str::from_utf8(bytes).map(str::parse::<T>);
    bytes.len()
}

fn packed() -> Vec<Vec<u8>> {
    tables().iter().flat_map(|table| [gzip(table), zipped(table), zstd(table)]).collect()
}

fn mapped() -> Vec<Vec<u8>> {
    let table = "job,start_time,end_time,gpu_request,worker_num,state\na,0,9,2,3,COMPLETED\nb,5s,1:30:00,8,1,FAILED\n";
    MAPPINGS.iter().map(|mapping| format!("{mapping}\n{table}").into_bytes()).collect()
}

fn documents() -> Vec<Vec<u8>> {
    PRESETS.iter().map(|preset| preset.json.as_bytes().to_vec()).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["a.csv", "b/a.csv"] {
        let _ = writer.start_file(name, SimpleFileOptions::default());
        let _ = writer.write_all(bytes);
    }
    writer.finish().map(Cursor::into_inner).unwrap_or_default()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}
