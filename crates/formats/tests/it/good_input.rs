//! Files as they should be, in every format and encoding.

use expect_test::{Expect, expect};

use crate::{as_text, read};

fn check(path: &str, input: impl AsRef<[u8]>, expected: Expect) {
    let import = read(&[(path, input.as_ref())]);
    crate::assert_adds_up(&import);
    expected.assert_eq(&as_text(&import));
}

#[test]
fn plain_jobs_with_every_column() {
    let input = "\
job_id,submit_s,model,gpus,samples,batch_global,gpus_min,gpus_max,deadline_s,best_effort,user
a,0,resnet50,4,12800000,256,2,16,86400,0,ann
b,0.5,bert,8,1e6,128,1,8,4e9,1,\"Li, Bo\"
";
    check(
        "x.txt",
        input,
        expect![[r#"
            x.txt: Plain job trace, 2 jobs; 2 rows read
            = a row 2 at 0 resnet50/256 on 4 (Some(2) to Some(16)), 12800000 samples, until 86400, by ann
            = b row 3 at 0.5 bert/128 on 8 (Some(1) to Some(8)), 1000000 samples, by Li, Bo
        "#]],
    );
}

#[test]
fn plain_jobs_with_the_least() {
    check(
        "x.csv",
        "job_id,submit_s,model,gpus,duration_s\na,0,bert,1,60\n",
        expect![[r#"
            x.csv: Plain job trace, 1 job; 1 row read
            i x.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i x.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i x.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i x.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i x.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = a row 2 at 0 bert on 1, 60 s
        "#]],
    );
}

#[test]
fn the_first_filled_column_of_work_counts() {
    let input = "\
job_id,submit_s,model,gpus,duration_s,iterations,samples
a,0,bert,1,60,,
b,0,bert,1,60,10,
c,0,bert,1,60,10,1000
";
    check(
        "x.csv",
        input,
        expect![[r#"
            x.csv: Plain job trace, 3 jobs; 3 rows read
            i x.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i x.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i x.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i x.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i x.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = a row 2 at 0 bert on 1, 60 s
            = b row 3 at 0 bert on 1, 10 iterations
            = c row 4 at 0 bert on 1, 1000 samples
        "#]],
    );
}

#[test]
fn jobs_come_out_in_order_of_submission() {
    let input = "job_id,submit_s,model,gpus,samples\nlate,9,bert,1,1\nearly,1,gpt2,1,1\n";
    check(
        "x.csv",
        input,
        expect![[r#"
            x.csv: Plain job trace, 2 jobs; 2 rows read
            i x.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i x.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i x.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i x.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i x.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = early row 3 at 1 gpt2 on 1, 1 samples
            = late row 2 at 9 bert on 1, 1 samples
        "#]],
    );
}

#[test]
fn published_elasticflow_trace() {
    let input = "\
job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu,duration
a1,3715485,3249,deepspeech2,3716178,32,1,1075
";
    check(
        "x.csv",
        input,
        expect![[r#"
            x.csv: ElasticFlow job trace (published), 1 job; 1 row read
            i x.csv, gpus_min. No gpus_min column. 1 is used. The format has none; the plain format does
            i x.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. The format has none; the plain format does
            = a1 row 2 at 3715485 deepspeech2/32 on 1, 3249 iterations, until 3716178
        "#]],
    );
}

#[test]
fn simulator_elasticflow_trace_with_best_effort() {
    let input = "\
job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,duration,best_effort
0,0,7246,resnet50,5896,256,1,3930,0
1,129,3877,inception3,9223372036854775807,64,1,804,1
2,130,3877,inception3,869,64,1,804,1
";
    check(
        "x.csv",
        input,
        expect![[r#"
            x.csv: ElasticFlow job trace (simulator), 3 jobs; 3 rows read
            i x.csv, gpus_min. No gpus_min column. 1 is used. The format has none; the plain format does
            i x.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. The format has none; the plain format does
            = 0 row 2 at 0 resnet50/256 on 1, 7246 iterations, until 5896
            = 1 row 3 at 129 inception3/64 on 1, 3877 iterations
            = 2 row 4 at 130 inception3/64 on 1, 3877 iterations
        "#]],
    );
}

#[test]
fn elasticflow_profile_with_points_that_do_not_run() {
    let input = "global_batch_size,1,2,4,8\n32,3,5,nan,\n64,0,5,0,9\n";
    check(
        "profiles/A100/bert.csv",
        input,
        expect![[r#"
            profiles/A100/bert.csv: ElasticFlow throughput profile of bert, by the file's name: 2 curves, 4 points; 2 rows read
            i profiles/A100/bert.csv, rows 2, 3, 4: nan, 0. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            i profiles/A100/bert.csv, row 2, 8: empty. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            i profiles/A100/bert.csv, row 3, 1: 0. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            ~ bert at batch 32 1:96 2:160 end
            ~ bert at batch 64 2:320 8:576
        "#]],
    );
}

#[test]
fn plain_curves() {
    let input = "model,gpus,samples_per_s\nbert,2,19\nbert,1,10\ngpt2,4,0\ngpt2,2,7.5\ngpt2,1,\n";
    check(
        "x.csv",
        input,
        expect![[r#"
            x.csv: Plain throughput curves: 2 curves, 3 points; 5 rows read
            i x.csv, rows 4, 6, samples_per_s: 0, empty. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            i x.csv, batch_global. No batch_global column. The curves serve every batch size. Add the column to tell batch sizes apart
            ~ bert 1:10 2:19
            ~ gpt2 2:7.5 end
        "#]],
    );
}

#[test]
fn plain_curves_in_iterations() {
    let input = "model,batch_global,gpus,iterations_per_s\nbert,64,1,2\nbert,64,2,3\nbert,128,1,1\n";
    check(
        "x.csv",
        input,
        expect![[r#"
            x.csv: Plain throughput curves: 2 curves, 3 points; 3 rows read
            i x.csv: bert at batch 128. Two measured points or more make a curve. Its speed is used for every larger number of GPUs. Add measured points
            ~ bert at batch 64 1:128 2:192
            ~ bert at batch 128 1:128
        "#]],
    );
}

#[test]
fn elasticflow_table_of_one_gpu_type() {
    let input = "\
gpu_type,model,global_batch_size,num_gpus,iterations_per_second
A100,bert,64,1,6.5
A100,bert,64,2,8.5
";
    check(
        "x.csv",
        input,
        expect![[r#"
            x.csv: ElasticFlow throughput table: 1 curve, 2 points; 2 rows read
            ~ bert at batch 64 1:416 2:544
        "#]],
    );
}

#[test]
fn names_in_quotes() {
    let input = "\"job_id\",\"submit_s\",model,gpus,samples\n\"a, \"\"b\"\"\nc\",0,bert,1,9\nlast,1,bert,1,9";
    check(
        "x.csv",
        input,
        expect![[r#"
            x.csv: Plain job trace, 2 jobs; 2 rows read
            i x.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i x.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i x.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i x.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i x.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = a, "b"
            c row 2 at 0 bert on 1, 9 samples
            = last row 4 at 1 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn headers_are_compared_loosely() {
    check(
        "x.csv",
        "Job ID ; SUBMIT-S;Model;gpus;Samples\na;0;bert;1;9\n",
        expect![[r#"
            x.csv: Plain job trace, 1 job; 1 row read
            i x.csv, row 1. Columns are separated by semicolons. Read so. Nothing to do
            i x.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i x.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i x.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i x.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i x.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = a row 2 at 0 bert on 1, 9 samples
        "#]],
    );
}

const SMALL: &str = "job_id,submit_s,model,gpus,samples,user\nä1,0,bert,1,9,a\nb,1,bert,2,9,b\n";

fn check_as_small(bytes: &[u8]) {
    let jobs = |bytes: &[u8]| crate::given(&read(&[("x.csv", bytes)]));
    assert_eq!(jobs(bytes), jobs(SMALL.as_bytes()));
}

#[test]
fn line_ends() {
    check_as_small(SMALL.replace('\n', "\r\n").as_bytes());
    check_as_small(SMALL.replace('\n', "\r").as_bytes());
    check_as_small(SMALL.trim_end().as_bytes());
}

#[test]
fn byte_order_marks_and_utf16() {
    let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    let marked = format!("\u{feff}{SMALL}");
    check_as_small(marked.as_bytes());
    for text in [SMALL, &marked] {
        check_as_small(&units(text).into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
        check_as_small(&units(text).into_iter().flat_map(u16::to_be_bytes).collect::<Vec<u8>>());
    }
}

#[test]
fn utf16_is_reported() {
    let bytes: Vec<u8> = SMALL.encode_utf16().flat_map(u16::to_le_bytes).collect();
    check(
        "x.csv",
        bytes,
        expect![[r#"
            x.csv: Plain job trace, 2 jobs; 2 rows read
            i x.csv. The text is in UTF-16. Read so. Nothing to do
            i x.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i x.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i x.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i x.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            = ä1 row 2 at 0 bert on 1, 9 samples, by a
            = b row 3 at 1 bert on 2, 9 samples, by b
        "#]],
    );
}

#[test]
fn delimiters() {
    for delimiter in ["\t", "|", ";"] {
        check_as_small(SMALL.replace(',', delimiter).as_bytes());
    }
}

#[test]
fn a_declared_delimiter() {
    check(
        "x.csv",
        "sep=#\r\njob_id#submit_s#model#gpus#samples\r\na#0#bert#1#9\r\n",
        expect![[r##"
            x.csv: Plain job trace, 1 job; 1 row read
            i x.csv, row 2. Columns are separated by "#". Read so. Nothing to do
            i x.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i x.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i x.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i x.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i x.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = a row 3 at 0 bert on 1, 9 samples
        "##]],
    );
}

#[test]
fn a_stray_quote_is_text() {
    check(
        "x.csv",
        "job_id,submit_s,model,gpus,samples\n5\" disk,0,bert,1,9\nb,0,bert,1,9\n",
        expect![[r#"
            x.csv: Plain job trace, 2 jobs; 2 rows read
            i x.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i x.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i x.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i x.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i x.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = 5" disk row 2 at 0 bert on 1, 9 samples
            = b row 3 at 0 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn reports_cross_between_workers() {
    let import = read(&[("x.csv", SMALL.as_bytes()), ("y.csv", b"model,gpus,samples_per_s\nbert,1,x\nbert,2,5\n")]);
    let bytes = postcard::to_allocvec(&import).unwrap();
    assert_eq!(postcard::from_bytes::<elastiplan_formats::Import>(&bytes).unwrap(), import);
}

#[test]
fn examples_of_the_documentation_are_whole() {
    let text = include_str!("../../../../docs/formats.md");
    let examples: Vec<&str> = text.split("```csv\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(examples.len(), 23);
    // Step times and a validation run make a curve only together.
    let parts: Vec<&str> =
        examples.iter().copied().filter(|text| text.contains("step_time") || text.contains("grad_sqr")).collect();
    // So do processing times and all-reduce times.
    let measured: Vec<&str> = examples.iter().copied().filter(|text| text.contains("weights")).collect();
    for example in &examples {
        let alone = [("bert.csv", example.as_bytes())];
        let together = ["bert/placements.csv", "bert/scalability.csv", "bert/validation-8.csv"];
        let together: Vec<(&str, &[u8])> = together.into_iter().zip(parts.iter().map(|text| text.as_bytes())).collect();
        let scaling: Vec<(&str, &[u8])> = measured.iter().map(|text| ("scaling.csv", text.as_bytes())).collect();
        let import = read(match example {
            part if parts.contains(part) => &together,
            part if measured.contains(part) => &scaling,
            _ => &alone,
        });
        for file in &import.files {
            assert_eq!((&file.not_used, file.rows_rejected), (&None, 0), "{}", as_text(&import));
        }
        let worst = import.diagnostics.iter().map(|diagnostic| diagnostic.severity).max();
        assert!(worst <= Some(elastiplan_model::Severity::Info), "{}", as_text(&import));
    }
}

#[test]
fn a_header_of_two_formats_is_unsure() {
    let input = "job_id,submit_s,model,gpus,samples,samples_per_s\na,0,bert,1,9,9\n";
    let import = read(&[("x.csv", input.as_bytes())]);
    assert_eq!(import.files[0].confidence, elastiplan_formats::Confidence::Unsure);
    assert_eq!(import.files[0].jobs, 1);
}
