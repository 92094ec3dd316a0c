//! Packed files: the same jobs as unpacked, and every way in which an archive can be wrong.

use std::io::{Cursor, Write};

use elastiplan_formats::mapping::survey;
use elastiplan_formats::{Import, Options, Source, Stream, excerpt, import};
use expect_test::{Expect, expect};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::{as_text, read};

const JOBS: &[u8] = b"job_id,submit_s,model,gpus,samples,batch_global,gpus_min,gpus_max,deadline_s,user\n\
                      a,0,bert,1,9,64,1,2,99,ann\nb,5,bert,two,9,64,1,2,99,ann\n";
const CURVES: &[u8] = b"model,gpus,samples_per_s\nbert,1,10\nbert,2,19\n";

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zip_as(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in files {
        if name.ends_with('/') {
            writer.add_directory(*name, options).unwrap();
        } else {
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
    }
    writer.finish().unwrap().into_inner()
}

pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    zip_as(files, CompressionMethod::Deflated)
}

fn check(path: &str, bytes: &[u8], expected: Expect) {
    let import = read(&[(path, bytes)]);
    crate::assert_adds_up(&import);
    expected.assert_eq(&as_text(&import));
}

/// The same data, whatever the files are called.
fn data(import: &Import) -> String {
    crate::given(import)
}

#[test]
fn a_table_packed_with_gzip_is_read_as_if_it_were_not() {
    let plain = as_text(&read(&[("jobs.csv", JOBS)]));
    assert_eq!(as_text(&read(&[("jobs.csv", &gzip(JOBS))])), plain);
    // Two packed files one behind the other are one file: logs are often joined so.
    let (start, end) = JOBS.split_at(100);
    assert_eq!(as_text(&read(&[("jobs.csv", &[gzip(start), gzip(end)].concat())])), plain);
    // With everything that a header can have, filled up with zeros as on tapes.
    let builder = flate2::GzBuilder::new().filename("jobs.csv").comment("of May").extra(vec![7; 9]);
    let mut full = builder.write(Vec::new(), Compression::default());
    full.write_all(JOBS).unwrap();
    let padded = [full.finish().unwrap(), vec![0; 40]].concat();
    assert_eq!(as_text(&read(&[("jobs.csv", &padded)])), plain);
    // From a pipe, a few bytes at a time.
    let packed = gzip(JOBS);
    let reader = Box::new(Stream(packed.as_slice()));
    let piped =
        import(vec![Source { path: "jobs.csv".into(), bytes_total: None, reader }], &Options::default(), &mut |_| {});
    assert_eq!(as_text(&piped), plain);
}

#[test]
fn names_are_taken_from_the_file_inside() {
    let profile = b"global_batch_size,1,2\n64,6,11\n";
    let plain = data(&read(&[("profiles/bert.csv", profile)]));
    assert!(plain.contains("bert"), "{plain}");
    assert_eq!(data(&read(&[("profiles/bert.csv.gz", &gzip(profile))])), plain);
    assert_eq!(data(&read(&[("profiles.zip", &zip(&[("A100/bert.csv", profile)]))])), plain);
}

#[test]
fn files_of_an_archive_are_files_with_paths_in_it() {
    let files: &[(&str, &[u8])] = &[
        ("trace/jobs.csv", JOBS),
        ("trace/", b""),
        ("__MACOSX/trace/._jobs.csv", b"rubbish"),
        (".DS_Store", b"rubbish"),
        ("curves.csv", CURVES),
        ("README.md", b"# Nothing\nof use"),
    ];
    let expected = expect![[r#"
        data.zip/README.md: Not used. This is not a table
        data.zip/curves.csv: Plain throughput curves: 1 curve, 2 points; 2 rows read
        data.zip/trace/jobs.csv: Plain job trace, 1 job; 2 rows read, 1 left out
        x data.zip/README.md. This is not a table. File not used. Drop a CSV file
        i data.zip/curves.csv, batch_global. No batch_global column. The curves serve every batch size. Add the column to tell batch sizes apart
        x data.zip/trace/jobs.csv, row 3, gpus: two. Whole number from 1 to 65,536. Row left out. Write a number
        = a row 2 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
        ~ bert 1:10 2:19
    "#]];
    let deflated = as_text(&read(&[("data.zip", &zip(files))]));
    expected.assert_eq(&deflated);
    assert_eq!(as_text(&read(&[("data.zip", &zip_as(files, CompressionMethod::Stored))])), deflated);
    // A program in front, as of archives that unpack themselves, and a comment behind.
    let mut around = b"PK\x03\x04 no header".to_vec();
    around.extend(zip(files));
    assert_eq!(as_text(&read(&[("data.zip", &around)])), deflated);
}

#[test]
fn rows_of_a_file_in_an_archive_are_shown() {
    let archive = zip(&[("jobs.csv", CURVES), ("trace/jobs.csv", JOBS)]);
    let shown = excerpt(Source::from_bytes("data.zip/trace/jobs.csv", &archive), 3, 0).unwrap();
    assert_eq!(shown.rows[0].cells[3], "two");
    let shown = excerpt(Source::from_bytes("data.zip/jobs.csv", &archive), 3, 0).unwrap();
    assert_eq!(shown.rows[0].cells, ["bert", "2", "19"]);
    assert!(excerpt(Source::from_bytes("data.zip/other.csv", &archive), 3, 0).is_none());
    assert!(excerpt(Source::from_bytes("jobs.csv.gz", &gzip(JOBS)), 3, 0).is_some());
}

#[test]
fn a_packed_file_that_is_cut_off_gives_what_it_has() {
    let rows: String =
        (0..2_000_u64).map(|row| format!("job-{row},{row},bert,1,{}\n", row * 7919 % 10_007 + 1)).collect();
    let text = format!("job_id,submit_s,model,gpus,samples\n{rows}");
    let packed = gzip(text.as_bytes());
    let import = read(&[("jobs.csv.gz", &packed[..packed.len() / 2])]);
    assert!((500..1_500).contains(&import.trace.unwrap().jobs().len()));
    let about = import.diagnostics[0].to_string();
    assert!(about.starts_with("jobs.csv.gz. Unpacking failed: "), "{about}");
}

#[test]
fn damaged_gzip() {
    let good = gzip(CURVES);
    let end = good.len();
    let reason = |bytes: &[u8]| read(&[("x.gz", bytes)]).diagnostics[0].to_string();
    let mut wrong_sum = good.clone();
    wrong_sum[end - 8] ^= 1;
    let mut other_method = good.clone();
    other_method[2] = 7;
    let cases = [
        ("a header alone", good[..8].to_vec()),
        ("cut off in the checksum", good[..end - 5].to_vec()),
        ("a wrong checksum", wrong_sum),
        ("an unknown method", other_method),
        ("text behind it", [good, b"more".to_vec()].concat()),
    ];
    let lines: String = cases.iter().map(|(what, bytes)| format!("{what}: {}\n", reason(bytes))).collect();
    expect![[r#"
        a header alone: x.gz. It cannot be unpacked: it ends too early. File not used. Check that it was saved or downloaded to the end
        cut off in the checksum: x.gz. Unpacking failed: it ends too early. Read up to there; the rest left out. Check that it was saved or downloaded to the end
        a wrong checksum: x.gz. Unpacking failed: its checksum is not the one at its end. Read up to there; the rest left out. Check that it was saved or downloaded to the end
        an unknown method: x.gz. It cannot be unpacked: what follows is not packed with gzip. File not used. Check that it was saved or downloaded to the end
        text behind it: x.gz. Unpacking failed: it ends too early. Read up to there; the rest left out. Check that it was saved or downloaded to the end
    "#]].assert_eq(&lines);
}

#[test]
fn damaged_archives() {
    let good = zip(&[("jobs.csv", CURVES)]);
    let end = good.len();
    let edited = |at: usize, with: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        bytes
    };
    let directory = good.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    let reason = |bytes: &[u8]| {
        let import = read(&[("x.zip", bytes)]);
        import.diagnostics[0].to_string()
    };
    let cases = [
        ("cut off", good[..end - 30].to_vec()),
        ("a first part", b"PK\x03\x04plain zip".to_vec()),
        ("no files", zip(&[])),
        ("a directory elsewhere", edited(end - 10, &[0xff; 4])),
        ("an entry that is none", edited(directory, b"PKxx")),
        ("a file that is elsewhere", edited(directory + 42, &[9, 0, 0, 0])),
        ("encrypted", edited(directory + 8, &[1, 0])),
        ("an unknown method", edited(directory + 10, &[14, 0])),
        ("a method without a name", edited(directory + 10, &[77, 0])),
        ("a wrong checksum", edited(directory + 16, &[1, 2, 3, 4])),
        ("a size too small", edited(directory + 24, &[40, 0])),
        ("a size too large", edited(directory + 24, &[0xff, 0])),
    ];
    let lines: String = cases.iter().map(|(what, bytes)| format!("{what}: {}\n", reason(bytes))).collect();
    expect![[r#"
        cut off: x.zip. The zip archive is damaged: it has no directory at its end. File not used. Check that it was downloaded to the end
        a first part: x.zip. The zip archive is damaged: it has no directory at its end. File not used. Check that it was downloaded to the end
        no files: x.zip. The zip archive has no files. File not used. Check how it was made
        a directory elsewhere: x.zip. The zip archive is damaged: it has no directory at its end. File not used. Check that it was downloaded to the end
        an entry that is none: x.zip. The zip archive is damaged: its directory is cut off. File not used. Check that it was downloaded to the end
        a file that is elsewhere: x.zip/jobs.csv. The zip archive is damaged: its directory names a file where there is none. File not used. Check that it was downloaded to the end
        encrypted: x.zip/jobs.csv. It is encrypted. File not used. Unpack it with its password and drop the table
        an unknown method: x.zip/jobs.csv. It is packed by a method that is not read here, LZMA. File not used. Unpack it and drop the table, or pack it as usual (deflate)
        a method without a name: x.zip/jobs.csv. It is packed by a method that is not read here, number 77. File not used. Unpack it and drop the table, or pack it as usual (deflate)
        a wrong checksum: x.zip/jobs.csv. Unpacking failed: its checksum is not the one that the archive names. Read up to there; the rest left out. Check that it was saved or downloaded to the end
        a size too small: x.zip/jobs.csv. It cannot be unpacked: it goes on beyond the size that the archive names. File not used. Check that it was saved or downloaded to the end
        a size too large: x.zip/jobs.csv. Unpacking failed: it ends before the size that the archive names. Read up to there; the rest left out. Check that it was saved or downloaded to the end
    "#]].assert_eq(&lines);
}

#[test]
fn packed_files_in_packed_files() {
    let inner = zip(&[("jobs.csv", JOBS)]);
    check(
        "a.zip",
        &zip(&[("b.zip", &inner), ("c.csv.gz", &gzip(JOBS)), ("jobs.csv", JOBS)]),
        expect![[r#"
        a.zip/b.zip: Not used. A zip archive inside a packed file is not unpacked
        a.zip/c.csv.gz: Not used. A file packed with gzip inside a packed file is not unpacked
        a.zip/jobs.csv: Plain job trace, 1 job; 2 rows read, 1 left out
        x a.zip/b.zip. A zip archive inside a packed file is not unpacked. File not used. Unpack the outer one and drop this one
        x a.zip/c.csv.gz. A file packed with gzip inside a packed file is not unpacked. File not used. Unpack the outer one and drop this one
        x a.zip/jobs.csv, row 3, gpus: two. Whole number from 1 to 65,536. Row left out. Write a number
        = a row 2 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
    "#]],
    );
    check(
        "a.gz",
        &gzip(&inner),
        expect![[r#"
        a.gz: Not used. A zip archive inside a packed file is not unpacked
        x a.gz. A zip archive inside a packed file is not unpacked. File not used. Unpack the outer one and drop this one
    "#]],
    );
}

#[test]
fn workbooks_are_not_taken_for_archives() {
    check(
        "book.xlsx",
        &zip(&[("[Content_Types].xml", b"<x/>"), ("xl/workbook.xml", b"<x/>")]),
        expect![[r#"
            book.xlsx: Not used. Excel workbooks cannot be read here
            x book.xlsx. Excel workbooks cannot be read here. File not used. Save the sheet as CSV and drop it again
        "#]],
    );
    check(
        "book.zip",
        &zip(&[("docs/very/long/name.xml", &[b'x'; 5_000]), ("xl/workbook.xml", b"<x/>")]),
        expect![[r#"
            book.zip: Not used. Excel workbooks cannot be read here
            x book.zip. Excel workbooks cannot be read here. File not used. Save the sheet as CSV and drop it again
        "#]],
    );
}

/// A gigabyte of rows in a megabyte: refused by the size that the file names, or, where that is wrong, where it is found
/// out.
#[test]
fn bombs() {
    let large = [JOBS.to_vec(), vec![b'\n'; 101_000_000]].concat();
    let packed = gzip(&large);
    check(
        "bomb.csv.gz",
        &packed,
        expect![[r#"
            bomb.csv.gz: Not used. It unpacks from 98.2 kB to 101 MB; above 100 MB at most 200 times the size is unpacked
            x bomb.csv.gz. It unpacks from 98.2 kB to 101 MB; above 100 MB at most 200 times the size is unpacked. File not used. Unpack it, if it is what you expect, and drop the table
        "#]],
    );
    check(
        "bomb.zip",
        &zip(&[("bomb.csv", &large)]),
        expect![[r#"
            bomb.zip: Not used. It unpacks from 98.3 kB to 101 MB; above 100 MB at most 200 times the size is unpacked
            x bomb.zip. It unpacks from 98.3 kB to 101 MB; above 100 MB at most 200 times the size is unpacked. File not used. Unpack it, if it is what you expect, and drop the table
        "#]],
    );

    // The size at the end is wrong.
    let mut lying = packed;
    let end = lying.len();
    lying[end - 4..].copy_from_slice(&[1, 0, 0, 0]);
    let import = read(&[("bomb.csv.gz", &lying)]);
    assert_eq!(
        import.diagnostics[1].to_string(),
        "bomb.csv.gz. Unpacking failed: it unpacks to over 200 times its size, and over 100 MB. Read up to there; the \
         rest left out. Check that it was saved or downloaded to the end"
    );
    assert!(import.files[0].bytes < 100_100_000);
}

#[test]
fn archives_of_many_files() {
    let names: Vec<String> = (0..10_000).map(|number| format!("part-{number:05}.csv")).collect();
    let text = |number: usize| -> &[u8] { if number < 50 { b"nothing" } else { CURVES } };
    let files: Vec<(&str, &[u8])> =
        names.iter().enumerate().map(|(number, name)| (name.as_str(), text(number))).collect();
    let import = read(&[("many.zip", &zip_as(&files, CompressionMethod::Stored))]);
    assert_eq!((import.files.len(), import.files.iter().filter(|file| file.not_used.is_none()).count()), (120, 100));
    let about: Vec<String> = import.diagnostics.iter().map(|diagnostic| diagnostic.to_string()).collect();
    let about: Vec<&str> = about.iter().map(String::as_str).filter(|line| line.starts_with("many.zip.")).collect();
    expect![[r#"
        many.zip. At most 100 files of an archive, of the first 1,000 in it. 100 of 10,000 read; 9,850 not opened. Unpack it and drop the files that you need
        many.zip. Files of known content. 30 more not listed. Nothing to do, if they are not meant"#]].assert_eq(&about.join("\n"));
}

#[test]
fn an_archive_needs_a_file_that_can_go_back() {
    let archive = zip(&[("jobs.csv", JOBS)]);
    let source = Source { path: "-".into(), bytes_total: None, reader: Box::new(Stream(archive.as_slice())) };
    expect![[r#"
        -: Not used. A zip archive cannot be read from a pipe
        x -. A zip archive cannot be read from a pipe. File not used. Save it to a file and name that
    "#]]
    .assert_eq(&as_text(&import(vec![source], &Options::default(), &mut |_| {})));
}

#[test]
fn progress_counts_bytes_as_they_are_stored() {
    let rows: String =
        (0..300_000_u64).map(|row| format!("job-{row},{row},bert,1,{}\n", row * 7919 % 10_007 + 1)).collect();
    let text = format!("job_id,submit_s,model,gpus,samples\n{rows}");
    let check = |bytes: Vec<u8>| {
        let mut seen = Vec::new();
        let source = Source::from_bytes("x", &bytes);
        import(vec![source], &Options::default(), &mut |progress| seen.push(progress));
        assert!(seen.is_sorted_by_key(|progress| progress.bytes_read));
        let last = seen.last().unwrap();
        assert_eq!(last.bytes_total, Some(bytes.len() as u64));
        assert!(last.bytes_read.abs_diff(bytes.len() as u64) < 200, "{last:?}");
    };
    check(gzip(text.as_bytes()));
    check(zip(&[("jobs.csv", text.as_bytes())]));
}

#[cfg(feature = "zstd")]
#[test]
fn a_table_packed_with_zstd() {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    let pack = |bytes: &[u8]| compress_to_vec(bytes, CompressionLevel::Fastest);
    let plain = as_text(&read(&[("jobs.csv", JOBS)]));
    assert_eq!(as_text(&read(&[("jobs.csv", &pack(JOBS))])), plain);
    // Several frames, and one to be skipped between them.
    let (start, end) = JOBS.split_at(100);
    let joined = [pack(start), b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec(), pack(end)].concat();
    assert_eq!(as_text(&read(&[("jobs.csv", &joined)])), plain);
    let cut = pack(JOBS);
    check(
        "jobs.csv.zst",
        &cut[..cut.len() - 9],
        expect![[r#"
            jobs.csv.zst: Not used. It cannot be unpacked: its zstd data are damaged, or end too early
            x jobs.csv.zst. It cannot be unpacked: its zstd data are damaged, or end too early. File not used. Check that it was saved or downloaded to the end
        "#]],
    );
}

#[cfg(not(feature = "zstd"))]
#[test]
fn zstd_is_named() {
    check(
        "jobs.csv.zst",
        b"\x28\xb5\x2f\xfd\x04\0",
        expect![[r#"
        jobs.csv.zst: Not used. Files packed with zstd cannot be read in the page
        x jobs.csv.zst. Files packed with zstd cannot be read in the page. File not used. Unpack it with zstd -d, or pack it with gzip
    "#]],
    );
}

/// What another reader finds in an archive.
fn naive(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    let files = archive.len();
    let unpack = |index| {
        let mut file = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        std::io::copy(&mut file, &mut bytes).unwrap();
        (file.name().to_string(), bytes)
    };
    (0..files).map(unpack).collect()
}

fn table() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec((1..9_u32, 1..1_000_u32), 1..30).prop_map(|rows| {
        let rows = rows.iter().enumerate().map(|(row, (gpus, samples))| format!("j{row},{row},m,{gpus},{samples}\n"));
        format!("job_id,submit_s,model,gpus,samples\n{}", rows.collect::<String>()).into_bytes()
    })
}

proptest! {
    #[test]
    fn any_damaged_packed_file_is_survived(
        bytes in table(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
        kind in 0..3_u8,
    ) {
        let mut packed = match kind {
            0 => gzip(&bytes),
            1 => zip(&[("a.csv", &bytes), ("b.csv", CURVES)]),
            _ => zip_as(&[("a.csv", &bytes), ("b.csv", CURVES)], CompressionMethod::Stored),
        };
        for (at, byte) in edits {
            let at = at.index(packed.len());
            packed[at] = byte;
        }
        if is_cut {
            packed.truncate(cut.index(packed.len()));
        }
        crate::assert_adds_up(&read(&[("x.zip", &packed)]));
    }

    /// Archives that another reader can unpack give the same data as their files.
    #[test]
    fn archives_hold_what_another_reader_finds(
        tables in prop::collection::vec((table(), any::<bool>()), 1..4),
        comment in "[a-z]{0,9}",
    ) {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (number, (bytes, is_large)) in tables.iter().enumerate() {
            let options = SimpleFileOptions::default().large_file(*is_large);
            writer.start_file(format!("f{number}.csv"), options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.set_comment(comment).unwrap();
        let archive = writer.finish().unwrap().into_inner();
        let ours = read(&[("x.zip", &archive)]);
        let files = naive(&archive);
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
        prop_assert_eq!(data(&ours), data(&read(&files)));
    }
}

/// A packed table is surveyed as it is; one of an archive by its name behind the archive's.
#[test]
fn packed_tables_are_surveyed() {
    const TABLE: &[u8] = b"id,submitted,seconds,gpus\na,0,60,1\nb,5,60,2\n";
    let check = |path: &str, bytes: &[u8], expected: Result<u64, &str>| {
        let found = survey(Source::from_bytes(path, bytes), None, &Options::default(), &mut |_| {});
        let jobs = found.map(|survey| survey.counts.rows).map_err(|error| error.reason);
        assert_eq!(jobs, expected.map_err(String::from), "{path}");
    };
    let archive = zip(&[("trace/jobs.csv", TABLE), ("notes.json", b"{\"a\": [1, 2, 3]}")]);
    check("jobs.csv.gz", &gzip(TABLE), Ok(2));
    check("data.zip/trace/jobs.csv", &archive, Ok(2));
    check("data.zip/notes.json", &archive, Err("JSON files cannot be read here"));
    check("data.zip", &archive, Err("data.zip names no file of an archive"));
}
