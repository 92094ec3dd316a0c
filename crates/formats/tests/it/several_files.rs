//! Several files at once: which trace is used, how curves add up, progress, and rows in context.

use elastiplan_formats::{Options, Source, excerpt, import};
use expect_test::{Expect, expect};

use crate::{as_text, read};

const JOBS: &[u8] = b"job_id,submit_s,model,gpus,samples\na,0,bert,1,9\n";
const BERT: &[u8] = b"global_batch_size,1,2\n64,6,8\n128,3,5\n";
const BERT_SLOW: &[u8] = b"global_batch_size,1,2\n64,1,2\n";

fn check(files: &[(&str, &[u8])], expected: Expect) {
    let import = read(files);
    crate::assert_adds_up(&import);
    expected.assert_eq(&as_text(&import));
}

#[test]
fn nothing() {
    check(&[], expect![[""]]);
}

#[test]
fn the_first_trace_with_jobs_is_used() {
    let broken = b"job_id,submit_s,model,gpus,samples\na,x,bert,1,9\n";
    check(
        &[("broken.csv", broken), ("one.csv", JOBS), ("two.csv", JOBS)],
        expect![[r#"
            broken.csv: Plain job trace. Not used. No row could be used; 1 row read, 1 left out
            one.csv: Plain job trace, 1 job; 1 row read
            two.csv: Plain job trace. Not used. There is already a job trace, one.csv
            x broken.csv, row 2, submit_s: x. Time in seconds, from 0 to 1e11. Row left out. Write a number
            i one.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i one.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i one.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i one.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i one.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            ! two.csv. One job trace at a time: one.csv is used. File not used. Load it by itself to use it instead
            = a row 2 at 0 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn a_later_curve_replaces_an_earlier_one() {
    check(
        &[("A100/bert.csv", BERT), ("T4/bert.csv", BERT_SLOW)],
        expect![[r#"
            A100/bert.csv: ElasticFlow throughput profile of bert, by the file's name: 2 curves, 4 points; 2 rows read
            T4/bert.csv: ElasticFlow throughput profile of bert, by the file's name: 1 curve, 2 points; 1 row read
            ! T4/bert.csv: bert at batch 64. One curve for a model and batch size: A100/bert.csv has it too. This file's curve is used. Load only one of the two files
            ! A100, T4. Curves of one GPU type come from one folder. Curves of all folders are used together. Drop a single folder, if the folders are for different GPUs
            ~ bert at batch 64 1:64 2:128
            ~ bert at batch 128 1:384 2:640
        "#]],
    );
}

#[test]
fn other_files_in_a_folder_do_no_harm() {
    let files: [(&str, &[u8]); 4] = [
        ("d/README.md", b"# Data\n\nSee the paper.\n"),
        ("d/LICENSE", b"MIT License\n"),
        ("d/jobs", JOBS),
        ("d/.x", b"\0\0\0\x01Bud1"),
    ];
    check(
        &files,
        expect![[r#"
            d/README.md: Not used. This is not a table
            d/LICENSE: Not used. This is not a table
            d/jobs: Plain job trace, 1 job; 1 row read
            d/.x: Not used. This is not a text file
            x d/README.md. This is not a table. File not used. Drop a CSV file
            x d/LICENSE. This is not a table. File not used. Drop a CSV file
            i d/jobs, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i d/jobs, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i d/jobs, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i d/jobs, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i d/jobs, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            x d/.x. This is not a text file. File not used. Drop a CSV file
            = a row 2 at 0 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn progress_is_reported() {
    let rows = b"a,0,bert,1,9\n".repeat(400_000);
    let bytes = [&b"job_id,submit_s,model,gpus,samples\n"[..], &rows].concat();
    let mut seen = Vec::new();
    let sources = vec![Source::from_bytes("a.csv", BERT), Source::from_bytes("b.csv", &bytes)];
    import(sources, &Options::default(), &mut |progress| seen.push(progress));
    let last = seen.last().unwrap();
    assert_eq!((last.file, last.bytes_total), (1, Some(last.bytes_read)));
    assert_eq!(last.bytes_read, (BERT.len() + bytes.len()) as u64);
    assert!((5..10).contains(&seen.len()), "{}", seen.len());
    assert!(seen.is_sorted_by_key(|progress| progress.bytes_read));
}

#[test]
fn rows_in_context() {
    let text: String = (2..50).map(|row| format!("j{row},0,bert,{row},\n")).collect();
    let text = format!("job_id;x\n{}", text.replace(',', ";"));
    let shown = excerpt(Source::from_bytes("x", text.as_bytes()), 20, 1).unwrap();
    expect![[r#"Excerpt { header: ["job_id", "x"], rows: [ExcerptRow { row: 19, cells: ["j19", "0", "bert", "19", ""] }, ExcerptRow { row: 20, cells: ["j20", "0", "bert", "20", ""] }, ExcerptRow { row: 21, cells: ["j21", "0", "bert", "21", ""] }] }"#]].assert_eq(&format!("{shown:?}"));
    assert_eq!(excerpt(Source::from_bytes("x", b"\0"), 20, 1), None);
}
