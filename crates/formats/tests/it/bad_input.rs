//! Files with every kind of damage: the findings, and that the good rows load.

use std::io::Read;

use elastiplan_formats::{Options, Source, Stream, import};
use expect_test::{Expect, expect};

use crate::{as_text, read};

fn check(input: impl AsRef<[u8]>, expected: Expect) {
    let import = read(&[("in.csv", input.as_ref())]);
    crate::assert_adds_up(&import);
    expected.assert_eq(&as_text(&import));
}

/// A plain trace with every optional column and these rows.
fn check_rows(rows: &str, expected: Expect) {
    let header = "job_id,submit_s,model,gpus,samples,batch_global,gpus_min,gpus_max,deadline_s,best_effort,user\n";
    check(format!("{header}{rows}good,0,bert,1,9,64,1,2,99,0,ann\n"), expected);
}

#[test]
fn empty_file() {
    check(
        "",
        expect![[r#"
            in.csv: Not used. The file is empty
            x in.csv. The file is empty. File not used. Check that it was saved or downloaded to the end
        "#]],
    );
}

#[test]
fn blank_file() {
    check(
        "\n \r\n\n",
        expect![[r#"
            in.csv: Not used. The file has no text
            x in.csv. The file has no text. File not used. Check that it was saved or downloaded to the end
        "#]],
    );
    check(
        "\n\n\n",
        expect![[r#"
            in.csv: Not used. The file has no text
            x in.csv. The file has no text. File not used. Check that it was saved or downloaded to the end
        "#]],
    );
}

/// Every different value is shown, or how many more there are: "four" alone hides the rows with -2.
#[test]
fn rows_with_different_bad_values_show_them() {
    check_rows(
        "a,0,bert,four,9,64,1,2,99,0,ann\nb,0,bert,-2,9,64,1,2,99,0,ann\nc,0,bert,four,9,64,1,2,99,0,ann\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 4 rows read, 3 left out
            x in.csv, rows 2, 3, 4, gpus: four, -2. Whole number from 1 to 65,536. Row left out. Correct the values
            = good row 5 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
        "#]],
    );
    let rows: String = (0..6).map(|bad| format!("a{bad},0,bert,x{bad},9,64,1,2,99,0,ann\n")).collect();
    check_rows(
        &rows,
        expect![[r#"
        in.csv: Plain job trace, 1 job; 7 rows read, 6 left out
        x in.csv, rows 2, 3, 4, 5 and 2 more, gpus: x0, x1, x2 and 3 other values. Whole number from 1 to 65,536. Row left out. Correct the values
        = good row 8 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
    "#]],
    );
}

/// Traces of Chronus and Tiresias have the columns of ElasticFlow's simulator but for the batch size, and count in
/// other units.
#[test]
fn traces_of_other_systems_are_named_and_not_taken_for_one_of_elasticflow() {
    check(
        "job_id,user,num_gpu,submit_time,iterations,model_name,duration,interval,expect_time_list,expect_value_list,\
         best_effort,job_type\n0,vc,1,8555,5049,vgg16,747,14,1105,10,0,strict\n",
        expect![[r#"
            in.csv: Chronus job trace, 1 job; 1 row read
            i in.csv. Chronus job trace, from https://github.com/S-Lab-System-Group/ChronusArtifact (code/data/exp). Read so; it has no batch sizes. Jobs without curves need a law of speedup, such as --law amdahl:0.05
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, submit_s. submit_s, as this source has it. Times are in minutes, as their range says: the trace does not. See docs/import.md
            i in.csv, deadline_s. deadline_s, as this source has it. The first expected time after the submission; later ones of soft deadlines, and values, are not used. Nothing to do: a deadline is one moment
            = 0 row 2 at 513300 vgg16 on 1, 44820 s, until 579600, by vc
        "#]],
    );
    check(
        "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n0,1,0,606,vgg19,164,30\n",
        expect![[r#"
            in.csv: Tiresias job trace, 1 job; 1 row read
            i in.csv. Tiresias job trace, from https://github.com/SymbioticLab/Tiresias (simulator). Read so; it has no batch sizes, users or deadlines. Jobs without curves need a law of speedup, such as --law amdahl:0.05
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            i in.csv, duration_s. duration_s, as this source has it. Seconds on the GPUs asked for; the iterations do not fit them and are not used. Nothing to do
            = 0 row 2 at 0 vgg19 on 1, 164 s
        "#]],
    );
}

#[test]
fn header_only() {
    check(
        "job_id,submit_s,model,gpus,samples\n",
        expect![[r#"
            in.csv: Plain job trace. Not used. There are no rows below the header
            x in.csv. There are no rows below the header. File not used. Check that the file was saved to the end
        "#]],
    );
}

#[test]
fn binary_file() {
    check(
        b"\x01\x02\x00\x00rubbish",
        expect![[r#"
            in.csv: Not used. This is not a text file
            x in.csv. This is not a text file. File not used. Drop a CSV file
        "#]],
    );
}

#[test]
fn excel_workbook() {
    check(
        b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0[Content_Types].xml",
        expect![[r#"
            in.csv: Not used. Excel workbooks cannot be read here
            x in.csv. Excel workbooks cannot be read here. File not used. Save the sheet as CSV and drop it again
        "#]],
    );
    check(
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0",
        expect![[r#"
            in.csv: Not used. Excel workbooks cannot be read here
            x in.csv. Excel workbooks cannot be read here. File not used. Save the sheet as CSV and drop it again
        "#]],
    );
}

#[test]
fn known_kinds_of_files() {
    let starts: [&[u8]; 6] =
        [b"%PDF-1.7", b"\x89PNG\r\n\x1a\n", b"PAR1\x15", b"\0asm\x01\0\0\0", b"{\"jobs\": []}", b"<html><body>"];
    let reasons: Vec<String> =
        starts.iter().map(|start| read(&[("x", *start)]).files[0].not_used.clone().unwrap()).collect();
    expect![[r#"
        PDF documents cannot be read here
        PNG pictures cannot be read here
        Parquet files cannot be read here
        WebAssembly programs cannot be read here
        JSON files cannot be read here
        HTML and XML files cannot be read here"#]]
    .assert_eq(&reasons.join("\n"));
}

#[test]
fn no_delimiter() {
    check(
        "job_id submit_s model gpus samples\na 0 bert 1 9\n",
        expect![[r#"
            in.csv: Not used. No delimiter was found: columns are separated by commas, semicolons, tabs or vertical bars
            x in.csv. No delimiter was found: columns are separated by commas, semicolons, tabs or vertical bars. File not used. Save it as CSV, with the names of the columns in the first line
        "#]],
    );
}

#[test]
fn semicolons_and_decimal_commas() {
    check(
        "job_id;submit_s;model;gpus;samples\na;1,5;bert;1;9\nb;2;bert;1;1.234,5\nc;2;bert;1;9\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 3 rows read, 2 left out
            x in.csv, row 2, submit_s: 1,5. Time in seconds, from 0 to 1e11. Row left out. Write 1.5, with a decimal point
            x in.csv, row 3, samples: 1.234,5. Number above 0, at most 1e18. Row left out. Write 1234.5
            i in.csv, row 1. Columns are separated by semicolons. Read so. Nothing to do
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = c row 4 at 2 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn no_header() {
    check(
        "a,0,12,1,9\nb,0,12,1,9\n",
        expect![[r#"
            in.csv: Not used. There is no header: the first line looks like data
            x in.csv. There is no header: the first line looks like data. File not used. Add a first line with the names of the columns
        "#]],
    );
}

#[test]
fn unknown_columns_only() {
    check(
        "city,country,population,area,mayor,river\nBonn,DE,many,small,x,y\n",
        expect![[r#"
            in.csv: Not used. Columns not recognised: city, country, population, area, mayor and 1 more
            x in.csv. Columns not recognised: city, country, population, area, mayor and 1 more. File not used. Name them job_id, submit_s, model, gpus, samples for jobs, model, gpus, samples_per_s for curves, or node, start_s, end_s for availability
        "#]],
    );
}

#[test]
fn missing_columns() {
    check(
        "job_id,submit_s,model,num_gpus,sample\na,0,bert,1,9\n",
        expect![[r#"
            in.csv: Plain job trace? Not used. No column gpus, no column samples or iterations or duration_s or gpu_seconds or epochs or trainings
            x in.csv, row 1, gpus: num_gpus. Plain job trace: a column gpus. File not used. Rename num_gpus to gpus, if that is what it holds; else add the column
            x in.csv, row 1, samples: sample. Plain job trace: a column samples or iterations or duration_s or gpu_seconds or epochs or trainings. File not used. Rename sample to samples or iterations or duration_s or gpu_seconds or epochs or trainings, if that is what it holds; else add the column
        "#]],
    );
}

#[test]
fn missing_batch_for_iterations() {
    check(
        "model,gpus,iterations_per_s\nbert,1,9\n",
        expect![[r#"
            in.csv: Plain throughput curves? Not used. No column batch_global
            x in.csv, row 1, batch_global. Plain throughput curves: a column batch_global. File not used. Add the column batch_global
        "#]],
    );
}

#[test]
fn repeated_column() {
    check(
        "job_id,submit_s,model,gpus,gpus,samples\na,0,bert,1,2,9\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 1 row read
            ! in.csv, row 1, gpus: gpus, again as column 5. Each column name once. The first is used. Remove or rename the others
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = a row 2 at 0 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn unknown_columns_among_known_ones() {
    check(
        "job_id,x,submit_s,model,gpus,samples,y,z,u,v,w\na,,0,bert,1,9,,,,,\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 1 row read
            i in.csv, row 1: x, y, z, u, v and 1 more. Columns of the format. Not used. Check the spelling, if one of them should count
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = a row 2 at 0 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn header_in_the_middle() {
    let header = "job_id,submit_s,model,gpus,samples\n";
    check(
        format!("{header}a,0,bert,1,9\n{header}b,0,bert,1,9\n"),
        expect![[r#"
            in.csv: Plain job trace, 2 jobs; 2 rows read
            i in.csv, row 3. The header stands once, on top. Line skipped. Nothing to do, if files were joined; the rows below it are read
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = a row 2 at 0 bert on 1, 9 samples
            = b row 4 at 0 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn ragged_rows() {
    check(
        "job_id,submit_s,model,gpus,samples\na,0,bert,1\nb,0,bert,1,9,,\nc,0,ber,t,1,9\nd,0,bert,1,9\n",
        expect![[r#"
            in.csv: Plain job trace, 2 jobs; 4 rows read, 2 left out
            x in.csv, rows 2, 4: 4 fields for 5 columns, 6 fields for 5 columns. As many fields as the header has. Row left out. Add the missing fields, or put text that holds a delimiter in double quotes
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = b row 3 at 0 bert on 1, 9 samples
            = d row 5 at 0 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn empty_rows() {
    check(
        "job_id,submit_s,model,gpus,samples\n\n,,,,\na,0,bert,1,9\n  \n\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 1 row read
            i in.csv, rows 3, 5. A row has values. Empty row skipped. Nothing to do
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = a row 4 at 0 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn text_where_a_number_belongs() {
    check_rows(
        "a,12:40,bert,two,many,x,y,z,never,maybe,u\nb,0,bert,1,1 000,64,1,2,99,0,u\nc,0,bert,1,8 samples,64,1,2,99,0,u\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 4 rows read, 3 left out
            x in.csv, row 2, submit_s: 12:40. Time in seconds, from 0 to 1e11. Row left out. Write seconds, counted from a moment of your choice
            x in.csv, row 2, gpus: two. Whole number from 1 to 65,536. Row left out. Write a number
            x in.csv, rows 2, 3, 4, samples: many, 1 000, 8 samples. Number above 0, at most 1e18. Row left out. Correct the values
            ! in.csv, row 2, batch_global: x. Whole number from 1 to 1,073,741,824. Treated as missing. Write a number
            ! in.csv, row 2, gpus_min: y. Whole number from 1 to 65,536. Treated as missing. Write a number
            ! in.csv, row 2, gpus_max: z. Whole number from 1 to 65,536. Treated as missing. Write a number
            ! in.csv, row 2, best_effort: maybe. 0 or 1. Treated as 0. Write 1 for a job without a deadline, else 0
            ! in.csv, row 2, deadline_s: never. Time in seconds, from 0 to 1e11. Treated as no deadline. Write a number
            = good row 5 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
        "#]],
    );
}

#[test]
fn numbers_that_are_none() {
    check_rows(
        "a,NaN,bert,1,9,64,1,2,99,0,u\nb,0,bert,inf,9,64,1,2,99,0,u\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 3 rows read, 2 left out
            x in.csv, row 2, submit_s: NaN. Time in seconds, from 0 to 1e11. Row left out. Fill in the value
            x in.csv, row 3, gpus: inf. Whole number from 1 to 65,536. Row left out. Write a finite number
            = good row 4 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
        "#]],
    );
}

#[test]
fn negative_and_absurd_numbers() {
    check_rows(
        "a,-1,bert,1,9,64,1,2,99,0,u\nb,0,bert,1e300,9,64,1,2,99,0,u\nc,0,bert,2.5,9,64,1,2,99,0,u\n\
         d,0,bert,-4,0,64,1,2,99,0,u\ne,0,bert,1,1e19,64,1,2,99,0,u\nf,1e12,bert,1,9,64,1,2,99,0,u\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 7 rows read, 6 left out
            x in.csv, rows 2, 7, submit_s: -1, 1e12. Time in seconds, from 0 to 1e11. Row left out. Correct the value
            x in.csv, rows 3, 4, 5, gpus: 1e300, 2.5, -4. Whole number from 1 to 65,536. Row left out. Correct the value
            x in.csv, rows 5, 6, samples: 0, 1e19. Number above 0, at most 1e18. Row left out. Correct the value
            = good row 8 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
        "#]],
    );
}

#[test]
fn bad_optional_values() {
    check_rows(
        "a,0,bert,1,9,-3,0,1e9,-1,7,u\nb,0,bert,1,9,0.5,3,2,99,0,u\nc,0,bert,1,9,,,,,,\n",
        expect![[r#"
            in.csv: Plain job trace, 4 jobs; 4 rows read, 3 with values filled in
            ! in.csv, rows 2, 3, batch_global: -3, 0.5. Whole number from 1 to 1,073,741,824. Treated as missing. Correct the value
            ! in.csv, row 2, gpus_min: 0. Whole number from 1 to 65,536. Treated as missing. Correct the value
            ! in.csv, row 2, gpus_max: 1e9. Whole number from 1 to 65,536. Treated as missing. Correct the value
            ! in.csv, row 2, best_effort: 7. 0 or 1. Treated as 0. Write 1 for a job without a deadline, else 0
            ! in.csv, row 2, deadline_s: -1. Time in seconds, from 0 to 1e11. Treated as no deadline. Correct the value
            ! in.csv, row 3, gpus_min: 3. At most the largest number of GPUs. Both limits treated as missing. Correct one of the two
            i in.csv, row 4, batch_global: empty. An empty cell means the default. The model's only curve is used. Fill in the value where another one is meant
            i in.csv, row 4, gpus_min: empty. An empty cell means the default. 1 is used. Fill in the value where another one is meant
            i in.csv, row 4, gpus_max: empty. An empty cell means the default. The largest measured number of GPUs is used. Fill in the value where another one is meant
            = a row 2 at 0 bert on 1, 9 samples, by u
            = b row 3 at 0 bert on 1, 9 samples, until 99, by u
            = c row 4 at 0 bert on 1, 9 samples
            = good row 5 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
        "#]],
    );
}

#[test]
fn missing_needed_values() {
    check_rows(
        ",0,bert,1,9,64,1,2,99,0,u\nb,,,,,64,1,2,99,0,u\n",
        expect![[r#"
            in.csv: Plain job trace, 2 jobs; 3 rows read, 1 with values filled in, 1 left out
            x in.csv, row 3, submit_s: empty. Time in seconds, from 0 to 1e11. Row left out. Fill in the value
            x in.csv, row 3, gpus: empty. Whole number from 1 to 65,536. Row left out. Fill in the value
            x in.csv, row 3, samples: empty. Number above 0, at most 1e18. Row left out. Fill in the value
            i in.csv, row 2, job_id: empty. A name for the job. Named after its row. Fill in the names to find jobs by them
            = row-2 row 2 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by u
            = good row 4 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
        "#]],
    );
}

#[test]
fn deadline_before_submission() {
    check_rows(
        "a,9300,bert,1,9,64,1,2,4210,0,u\nb,9300,bert,1,9,64,1,2,9300,0,u\n",
        expect![[r#"
            in.csv: Plain job trace, 3 jobs; 3 rows read, 1 with values filled in
            ! in.csv, row 2, deadline_s: 4210. Not earlier than the submission. Treated as no deadline. Write the deadline on the clock of the submission, not as a duration
            = good row 4 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
            = a row 2 at 9300 bert/64 on 1 (Some(1) to Some(2)), 9 samples, by u
            = b row 3 at 9300 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 9300, by u
        "#]],
    );
}

#[test]
fn stand_in_for_never_without_best_effort() {
    check(
        "job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu\n0,5,10,bert,9223372036854775807,64,1\n1,5,10,bert,,64,1\n2,5,10,bert,9,,1\n",
        expect![[r#"
            in.csv: ElasticFlow job trace (simulator), 2 jobs; 3 rows read, 1 with values filled in, 1 left out
            x in.csv, row 4, batch_size: empty. Whole number from 1 to 1,073,741,824. Row left out. Fill in the value
            ! in.csv, row 2, ddl: 9223372036854775807. Time in seconds, from 0 to 1e11. Treated as no deadline. Correct the value
            i in.csv, gpus_min. No gpus_min column. 1 is used. The format has none; the plain format does
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. The format has none; the plain format does
            = 0 row 2 at 5 bert/64 on 1, 10 iterations
            = 1 row 3 at 5 bert/64 on 1, 10 iterations
        "#]],
    );
}

#[test]
fn duplicate_ids() {
    check(
        "job_id,submit_s,model,gpus,samples\nx,0,bert,1,9\nx,1,bert,1,9\nx-2,2,bert,1,9\nx,3,bert,1,9\nx-2,4,bert,1,9\n",
        expect![[r#"
            in.csv: Plain job trace, 5 jobs; 5 rows read, 3 with values filled in
            ! in.csv, rows 3, 5, 6, job_id: x. Job ids are unique. Renamed x-3. Give each job an id of its own
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = x row 2 at 0 bert on 1, 9 samples
            = x-3 row 3 at 1 bert on 1, 9 samples
            = x-2 row 4 at 2 bert on 1, 9 samples
            = x-4 row 5 at 3 bert on 1, 9 samples
            = x-2-2 row 6 at 4 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn many_findings_of_one_kind() {
    let rows: String = (0..1000).map(|row| format!("j{row},0,bert,0,9,64,1,2,99,0,u\n")).collect();
    check_rows(
        &rows,
        expect![[r#"
            in.csv: Plain job trace, 1 job; 1,001 rows read, 1,000 left out
            x in.csv, rows 2, 3, 4, 5 and 996 more, gpus: 0. Whole number from 1 to 65,536. Row left out. Correct the value
            = good row 1002 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
        "#]],
    );
}

#[test]
fn unclosed_quote() {
    check(
        "job_id,submit_s,model,gpus,samples\na,0,bert,1,9\nb,0,\"bert,1,9\nc,0,bert,1,9\nd,0,bert,1,9\n",
        expect![[r#"
            in.csv: Plain job trace, 3 jobs; 4 rows read, 1 left out
            x in.csv, row 3. A double quote that opens a field closes it too. Row left out. Close the quote, or write it twice where it belongs to the text
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = a row 2 at 0 bert on 1, 9 samples
            = c row 4 at 0 bert on 1, 9 samples
            = d row 5 at 0 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn unclosed_quote_that_a_later_one_closes() {
    check(
        "job_id,submit_s,model,gpus,samples\n\"a,0,bert,1,9\nb,0,bert,1,9\nc,0,\"bert\",1,9\nd,0,bert,1,9\n",
        expect![[r#"
            in.csv: Plain job trace, 3 jobs; 4 rows read, 1 left out
            x in.csv, row 2. A double quote that opens a field closes it too. Row left out. Close the quote, or write it twice where it belongs to the text
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = b row 3 at 0 bert on 1, 9 samples
            = c row 4 at 0 bert on 1, 9 samples
            = d row 5 at 0 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn unclosed_quotes_that_make_a_row_of_the_right_length() {
    check(
        "model,gpus,samples_per_s\n\"bert,1,10\n\"bert,2,19\nbert,4,30\nbert,8,40\n",
        expect![[r#"
            in.csv: Plain throughput curves: 1 curve, 2 points; 4 rows read, 2 left out
            x in.csv, rows 2, 3. A double quote that opens a field closes it too. Row left out. Close the quote, or write it twice where it belongs to the text
            i in.csv, batch_global. No batch_global column. The curves serve every batch size. Add the column to tell batch sizes apart
            ~ bert 4:30 8:40
        "#]],
    );
}

#[test]
fn unclosed_quote_in_the_last_line() {
    check(
        "job_id,submit_s,model,gpus,samples\na,0,bert,1,9\nb,0,bert,1,\"9",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 2 rows read, 1 left out
            x in.csv, row 3. A double quote that opens a field closes it too. Row left out. Close the quote, or write it twice where it belongs to the text
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = a row 2 at 0 bert on 1, 9 samples
        "#]],
    );
}

#[test]
fn unclosed_quote_in_the_header() {
    check(
        "\"job_id,submit_s,model,gpus,samples\na,0,bert,1,9\n",
        expect![[r#"
            in.csv: Not used. The header opens a double quote and does not close it
            x in.csv. The header opens a double quote and does not close it. File not used. Close the quote
        "#]],
    );
}

#[test]
fn overlong_line() {
    let long = "x".repeat(3 << 20);
    check(
        format!("job_id,submit_s,model,gpus,samples\na,0,bert,1,9\n{long}\nb,0,bert,1,9\n"),
        expect![[r#"
            in.csv: Plain job trace, 2 jobs; 3 rows read, 1 left out
            x in.csv, row 3. A line of at most 1 MB. Row left out. Check that lines end where rows end
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = a row 2 at 0 bert on 1, 9 samples
            = b row 4 at 0 bert on 1, 9 samples
        "#]],
    );
    check(
        long,
        expect![[r#"
            in.csv: Not used. The first line is longer than 1 MB
            x in.csv. The first line is longer than 1 MB. File not used. Check that lines end where rows end
        "#]],
    );
}

#[test]
fn text_that_is_not_utf8() {
    check(
        b"job_id,submit_s,model,gpus,samples\nM\xfcller,0,bert,1,9\nb,0,b\xe9rt,1,9\nc,0,bert,1,\xff\n",
        expect![[r#"
            in.csv: Plain job trace, 2 jobs; 3 rows read, 2 with values filled in, 1 left out
            x in.csv, row 4, samples: �. Number above 0, at most 1e18. Row left out. Write a number
            ! in.csv, row 2, job_id: M�ller. Text in UTF-8. Unreadable letters replaced. Save the file as UTF-8
            ! in.csv, row 3, model: b�rt. Text in UTF-8. Unreadable letters replaced. Save the file as UTF-8
            i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = M�ller row 2 at 0 bert on 1, 9 samples
            = b row 3 at 0 b�rt on 1, 9 samples
        "#]],
    );
}

#[test]
fn profile_with_bad_cells() {
    check(
        "global_batch_size,1,2,4,note,2\n64,x,-5,9,slow,7\nsixty,1,2,3,,7\n64,1,2,3,,7\n128,,nan,0,,7\n32,1e18,,,,7\n",
        expect![[r#"
            in.csv: ElasticFlow throughput profile of in, by the file's name: 1 curve, 1 point; 5 rows read, 2 with values filled in, 2 left out
            x in.csv, row 3, global_batch_size: sixty. Whole number from 1 to 1,073,741,824. Row left out. Write a number
            x in.csv, row 4, global_batch_size: 64. One row for a batch size. The first is used; row left out. Remove one of them, or correct its batch size
            x in.csv: in at batch 32 and 1 more. A number of GPUs on which the model runs. Curve left out. Add measured points
            ! in.csv, row 1, 2: 2, again as column 6. Each column name once. The first is used. Remove or rename the others
            ! in.csv, rows 2, 6, 1: x, 1e18. Number from 0 to 1e18. Point left out. Correct the values
            ! in.csv, row 2, 2: -5. Number from 0 to 1e18. Point left out. Correct the value
            i in.csv, row 1: note. Columns of the format. Not used. Check the spelling, if one of them should count
            i in.csv, row 5, 1: empty. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            i in.csv, rows 5, 6, 2: nan, empty. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            i in.csv, rows 5, 6, 4: 0, empty. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            i in.csv: in at batch 64. Two measured points or more make a curve. Its speed is used for every larger number of GPUs. Add measured points
            ~ in at batch 64 4:576
        "#]],
    );
}

#[test]
fn curves_with_bad_rows() {
    check(
        "model,batch_global,gpus,samples_per_s\nbert,64,1,10\nbert,64,1,11\nbert,64,2.5,11\nbert,-1,2,11\n,64,2,11\n\
         bert,64,2,-11\nbert,64,4,fast\nvgg16,64,1,0\n",
        expect![[r#"
            in.csv: Plain throughput curves: 1 curve, 1 point; 8 rows read, 6 left out
            x in.csv, row 3, gpus: 1. One row for a model, batch size and number of GPUs. The first is used; row left out. Remove one of them, or merge them to their mean
            x in.csv, row 4, gpus: 2.5. Whole number from 1 to 65,536. Row left out. Correct the value
            x in.csv, row 5, batch_global: -1. Whole number from 1 to 1,073,741,824. Row left out. Correct the value
            x in.csv, row 6, model: empty. The model's name. Row left out. Fill in the name, as the curves spell it
            x in.csv, rows 7, 8, samples_per_s: -11, fast. Number from 0 to 1e18. Row left out. Correct the values
            x in.csv: vgg16 at batch 64. A number of GPUs on which the model runs. Curve left out. Add measured points
            i in.csv, row 9, samples_per_s: 0. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            i in.csv: bert at batch 64. Two measured points or more make a curve. Its speed is used for every larger number of GPUs. Add measured points
            ~ bert at batch 64 1:10
        "#]],
    );
}

#[test]
fn iterations_without_a_batch() {
    check(
        "model,batch_global,gpus,iterations_per_s\nbert,,1,10\nbert,64,1,1e18\nbert,64,1,10\n",
        expect![[r#"
            in.csv: Plain throughput curves: 1 curve, 1 point; 3 rows read, 2 left out
            x in.csv, row 2, iterations_per_s: 10. Iterations need a batch size to become samples. Row left out. Fill in the batch size, or give samples_per_s
            x in.csv, row 3, iterations_per_s: 1e18. Number from 0 to 1e18. Row left out. Correct the value
            i in.csv: bert at batch 64. Two measured points or more make a curve. Its speed is used for every larger number of GPUs. Add measured points
            ~ bert at batch 64 1:640
        "#]],
    );
}

#[test]
fn several_gpu_types_in_a_table() {
    check(
        "gpu_type,model,global_batch_size,num_gpus,iterations_per_second\nA100,bert,64,1,6\nT4,bert,64,1,1\nT4,bert,64,2,2\n",
        expect![[r#"
            in.csv: ElasticFlow throughput table: 1 curve, 1 point; 3 rows read, 2 left out
            x in.csv, rows 3, 4, gpu_type: T4. One GPU type at a time: the first of the file is used. Row left out. Keep the rows of the GPU type you plan with
            i in.csv: bert at batch 64. Two measured points or more make a curve. Its speed is used for every larger number of GPUs. Add measured points
            ~ bert at batch 64 1:384
        "#]],
    );
}

#[test]
fn too_large_by_its_size() {
    let source =
        Source { path: "big.csv".into(), bytes_total: Some(3_100_000_000), reader: Box::new(Stream(std::io::empty())) };
    let import = import(vec![source], &Options::default(), &mut |_| {});
    expect![[r#"
        big.csv: Not used. It is 3.1 GB; the limit is 2 GB
        x big.csv. It is 3.1 GB; the limit is 2 GB. File not used. Split it, or use the command line
    "#]]
    .assert_eq(&as_text(&import));
}

#[test]
fn too_large_while_reading() {
    let header = &b"job_id,submit_s,model,gpus,samples\n"[..];
    let rows = b"a,0,bert,1,9\n".repeat(200_000);
    let source = |bytes_max| {
        let reader = Box::new(Stream(header.chain(&rows[..])));
        let sources = vec![Source { path: "big.csv".into(), bytes_total: None, reader }];
        import(sources, &Options { bytes_max: Some(bytes_max) }, &mut |_| {})
    };
    let import = source(1_000_000);
    assert!(import.trace.unwrap().jobs().len() > 50_000);
    expect![[r#"
        big.csv: Plain job trace, 75,615 jobs; 75,615 rows read, 75,614 with values filled in
        big.csv. At most 1 MB. Read up to there; the rest left out. Split it, or use the command line"#]]
    .assert_eq(&format!("{}\n{}", import.files[0], import.diagnostics[0]));
    assert_eq!(source(100).files[0].not_used.as_deref(), Some("It is larger than 100 bytes"));
}

/// Fails after its text.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(std::io::Error::other("the disk is gone")),
            read => Ok(read),
        }
    }
}

#[test]
fn reading_fails() {
    let text = b"job_id,submit_s,model,gpus,samples\na,0,bert,1,9\n";
    let failing = |text| Source { path: "in.csv".into(), bytes_total: None, reader: Box::new(Stream(Failing(text))) };
    let sources = vec![failing(&b""[..]), failing(&text[..])];
    expect![[r#"
        in.csv: Not used. The file cannot be read: the disk is gone
        in.csv: Plain job trace, 1 job; 1 row read
        x in.csv. The file cannot be read: the disk is gone. File not used. Try again
        x in.csv. Reading failed: the disk is gone. Read up to there; the rest left out. Try again
        i in.csv, batch_global. No batch_global column. The model's only curve is used. Add the column to say otherwise
        i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
        i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
        i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
        i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
        = a row 2 at 0 bert on 1, 9 samples
    "#]]
    .assert_eq(&as_text(&import(sources, &Options::default(), &mut |_| {})));
}

#[test]
fn batch_sizes_and_priorities() {
    let header = "job_id,submit_s,model,gpus,samples,batch_global,batch_min,batch_max,priority";
    let good = "good,0,bert,1,9,64,32,128,2";
    check(
        format!(
            "{header}\na,0,bert,1,9,64,128,32,1\nb,0,bert,1,9,256,32,128,0\nc,0,bert,1,9,64,32,,\nd,0,bert,1,9,,8,x,1e9\n{good}\n"
        ),
        expect![[r#"
            in.csv: Plain job trace, 5 jobs; 5 rows read, 4 with values filled in
            ! in.csv, row 2, batch_min: 128. At most batch_max. Both limits treated as missing. Correct one of the two
            ! in.csv, row 3, batch_global: 256. From batch_min to batch_max. Moved to the nearer of the two. Correct the batch size or its limits
            ! in.csv, rows 3, 5, priority: 0, 1e9. Number above 0, at most 1,000,000. 1 is used. Correct the value
            ! in.csv, row 5, batch_max: x. Whole number from 1 to 1,073,741,824. Treated as missing. Write a number
            i in.csv, row 4, batch_max: empty. An empty cell means the default. No policy changes its batch size. Fill in the value where another one is meant
            i in.csv, row 4, priority: empty. An empty cell means the default. 1 is used. Fill in the value where another one is meant
            i in.csv, row 5, batch_global: empty. An empty cell means the default. The model's only curve is used. Fill in the value where another one is meant
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            = a row 2 at 0 bert/64 on 1, 9 samples, priority 1
            = b row 3 at 0 bert/128 on 1, 9 samples, batches 32 to 128
            = c row 4 at 0 bert/64 on 1, 9 samples
            = d row 5 at 0 bert on 1, 9 samples
            = good row 6 at 0 bert/64 on 1, 9 samples, batches 32 to 128, priority 2
        "#]],
    );
}

#[test]
fn one_end_of_a_range() {
    check(
        "job_id,submit_s,model,gpus,samples,batch_global,batch_min\na,0,bert,1,9,64,32\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 1 row read
            i in.csv, gpus_min. No gpus_min column. 1 is used. Add the column to say otherwise
            i in.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. Add the column to say otherwise
            i in.csv, deadline_s. No deadline_s column. No job has a deadline. Add the column to say otherwise
            i in.csv, user. No user column. Jobs cannot be grouped by user. Add the column to say otherwise
            i in.csv, batch_max. No batch_max column. No policy changes its batch size. Add the column: a range has two ends
            = a row 2 at 0 bert/64 on 1, 9 samples
        "#]],
    );
}

/// What is left of a file that was cut off, as the same table from a Mac, from Windows, and joined of both.
#[test]
fn mixed_line_ends_and_a_last_line_that_is_cut_off() {
    let header = "job_id,submit_s,model,gpus,samples,batch_global,gpus_min,gpus_max,deadline_s,user";
    let row = |name: &str| format!("{name},0,bert,1,9,64,1,2,99,ann");
    check(
        format!("{header}\r\n{}\r{}\n{}\r\n{}\n\r{}\r\ncut,0,bert,1", row("a"), row("b"), row("c"), row("d"), row("e")),
        expect![[r#"
            in.csv: Plain job trace, 5 jobs; 6 rows read, 1 left out
            x in.csv, row 8: 4 fields for 10 columns. As many fields as the header has; the last line is cut off. Row left out. Check that the file was saved or downloaded to the end
            = a row 2 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
            = b row 3 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
            = c row 4 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
            = d row 5 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
            = e row 7 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
        "#]],
    );
    // A whole row needs no line end.
    let import = read(&[("in.csv", format!("{header}\n{}\n{}", row("a"), row("b")).as_bytes())]);
    assert_eq!(import.trace.unwrap().jobs().len(), 2);
}

/// `cat *.csv` of files that spreadsheets saved.
#[test]
fn joined_files_with_byte_order_marks() {
    let file = |name: &str| {
        format!(
            "\u{feff}job_id,submit_s,model,gpus,samples,batch_global,gpus_min,gpus_max,deadline_s,user\n\
             {name},0,bert,1,9,64,1,2,99,ann\n"
        )
    };
    check(
        ["a", "b", "c"].map(file).concat(),
        expect![[r#"
        in.csv: Plain job trace, 3 jobs; 3 rows read
        i in.csv, rows 3, 5. The header stands once, on top. Line skipped. Nothing to do, if files were joined; the rows below it are read
        = a row 2 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
        = b row 4 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
        = c row 6 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
    "#]],
    );
}

#[test]
fn separators_of_thousands_and_numbers_that_are_none() {
    check_rows(
        "a,\"1,234\",bert,1,\"1,234,567\",64,1,2,99,0,u\nb,0,bert,1,1 234,64,1,2,99,0,u\n\
         c,NaN,bert,1,9,64,1,2,99,0,u\nd,0,bert,1,-Infinity,64,1,2,99,0,u\ne,0,bert,1,1'000,64,1,2,99,0,u\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 6 rows read, 5 left out
            x in.csv, rows 2, 4, submit_s: 1,234, NaN. Time in seconds, from 0 to 1e11. Row left out. Correct the values
            x in.csv, rows 2, 3, 5, 6, samples: 1,234,567, 1 234, -Infinity and 1 other value. Number above 0, at most 1e18. Row left out. Correct the values
            = good row 7 at 0 bert/64 on 1 (Some(1) to Some(2)), 9 samples, until 99, by ann
        "#]],
    );
}

/// JSON is named for what it is, with a byte-order mark, with comments, however deep.
#[test]
fn json_that_is_not_json() {
    let check = |text: &str| {
        let import = read(&[("in.json", text.as_bytes())]);
        assert_eq!(import.files[0].not_used.as_deref(), Some("JSON files cannot be read here"), "{text:.40}");
    };
    check("\u{feff}{\"jobs\": []}");
    check("// Jobs of May\n/* by queue\n */ [{\"gpus\": 1}]");
    check("{\"gpus\": NaN, \"time\": Infinity, }");
    check(&"[{".repeat(100_000));
    check(&"{\"a\":".repeat(100_000));
}
