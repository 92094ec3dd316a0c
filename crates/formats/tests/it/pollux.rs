//! Profiles and workloads of Pollux: good ones, and every kind of damage.

use expect_test::{Expect, expect};

use crate::{as_text, read};

const PLACEMENTS: &str = "placement,local_bsz,step_time,sync_time\n\
    1,4,0.4,0.0\n1,8,0.6,0.0\n2,4,0.5,0.1\n2,8,0.7,0.1\n11,4,0.8,0.4\n11,8,1.0,0.4\n\
    12,4,0.9,0.5\n12,8,1.1,0.5\n22,4,1.0,0.6\n22,8,1.2,0.6\n";
const COUNTS: &str = "num_nodes,num_replicas,local_bsz,step_time,sync_time\n3,3,4,1.2,0.8\n3,3,8,1.4,0.8\n3,6,4,1.3,0.9\n3,6,8,1.5,0.9\n";
const AT_8: &str = "progress,iteration,metric,grad_sqr,grad_var\n10,10,0.1,4,1\n20,20,0.2,2,1\n40,40,0.3,1,1\n";
const AT_16: &str = "progress,iteration,metric,grad_sqr,grad_var\n11,7,0.1,5,2\n19,13,0.2,3,2\n41,25,0.3,0,2\n";

/// The files of a folder `bert`; those that a case does not change are good.
fn check(changed: &[(&str, &str)], expected: Expect) {
    let good = [
        ("placements.csv", PLACEMENTS),
        ("scalability.csv", COUNTS),
        ("validation-16.csv", AT_16),
        ("validation-8.csv", AT_8),
    ];
    let text = |name: &str| changed.iter().find(|(changed, _)| *changed == name).map(|(_, text)| *text);
    let mut files: Vec<(String, &str)> =
        good.iter().map(|(name, good)| (format!("bert/{name}"), text(name).unwrap_or(good))).collect();
    let more = changed.iter().filter(|(name, _)| good.iter().all(|(good, _)| good != name));
    files.extend(more.map(|(name, text)| (format!("bert/{name}"), *text)));
    // An empty text stands for no file.
    files.retain(|(_, text)| !text.is_empty());
    let bytes: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    let mut import = read(&bytes);
    crate::assert_adds_up(&import);
    // Good files that are used go without saying, but for the case in which all are.
    let is_of_changed_file =
        |path: &str| changed.is_empty() || changed.iter().any(|(name, _)| path == format!("bert/{name}"));
    import.files.retain(|file| file.not_used.is_some() || is_of_changed_file(&file.path));
    expected.assert_eq(&as_text(&import));
}

fn check_files(files: &[(&str, &str)], expected: Expect) {
    let import = read(&files.iter().map(|(path, text)| (*path, text.as_bytes())).collect::<Vec<_>>());
    crate::assert_adds_up(&import);
    expected.assert_eq(&as_text(&import));
}

#[test]
fn a_whole_profile() {
    check(
        &[],
        expect![[r#"
            bert/placements.csv: Pollux step times by placement of bert, by the folder's name: 10 points; 10 rows read
            bert/scalability.csv: Pollux step times by nodes and GPUs of bert, by the folder's name: 4 points; 4 rows read
            bert/validation-16.csv: Pollux validation run of bert, by the folder's name: 3 points; 3 rows read
            bert/validation-8.csv: Pollux validation run of bert, by the folder's name: 3 points; 3 rows read
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
}

#[test]
fn the_order_of_files_does_not_matter() {
    let files = [
        ("bert/validation-8.csv", AT_8),
        ("bert/scalability.csv", COUNTS),
        ("bert/validation-16.csv", AT_16),
        ("bert/placements.csv", PLACEMENTS),
    ];
    let bytes = files.map(|(path, text)| (path, text.as_bytes()));
    let mut turned = bytes;
    turned.reverse();
    assert_eq!(read(&bytes).curves, read(&turned).curves);
}

#[test]
fn without_a_folder() {
    check_files(
        &[("placements.csv", PLACEMENTS), ("validation-8.csv", AT_8), ("gpt-placements.csv", PLACEMENTS)],
        expect![[r#"
            placements.csv: Pollux step times by placement of unnamed, as no folder names it: 10 points; 10 rows read
            validation-8.csv: Pollux validation run of unnamed, as no folder names it: 3 points; 3 rows read
            gpt-placements.csv: Pollux step times by placement of gpt, by the file's name: 10 points; 10 rows read
            ! gpt-placements.csv. Validation runs beside the step times, such as validation-128.csv. Samples count the same in all batches; a job without a batch size trains with 16. Load the validation runs of the same folder too
            ~ gpt 1:13.333333333333334 2:22.857142857142858 3:18 4:16 end, 5 placements and 0 counts, 4 to 8 on a GPU, alone in 1
              batches 16 to None, None samples
            ~ unnamed 1:13.333333333333334 2:16 end, 5 placements and 0 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(8), Some(320.0) samples
              to 0.25: 8: 4 8 10
              to 0.5: 8: 2 8 20
              to 1: 8: 1 8 40
        "#]],
    );
}

#[test]
fn folders_of_one_name() {
    check_files(
        &[
            ("a/bert/placements.csv", PLACEMENTS),
            ("a/bert/validation-8.csv", AT_8),
            ("b/bert/placements.csv", PLACEMENTS),
            ("b/bert/validation-16.csv", AT_16),
        ],
        expect![[r#"
            a/bert/placements.csv: Pollux step times by placement of bert, by the folder's name: 10 points; 10 rows read
            a/bert/validation-8.csv: Pollux validation run of bert, by the folder's name: 3 points; 3 rows read
            b/bert/placements.csv: Pollux step times by placement of bert, by the folder's name: 10 points; 10 rows read
            b/bert/validation-16.csv: Pollux validation run of bert, by the folder's name: 3 points; 3 rows read
            ! b/bert: bert. One curve for a model and batch size: a/bert has it too. This file's curve is used. Load only one of the two files
            ! a, b. Curves of one GPU type come from one folder. Curves of all folders are used together. Drop a single folder, if the folders are for different GPUs
            ~ bert 1:13.333333333333334 2:22.857142857142858 3:15.789473684210526 4:16 end, 5 placements and 0 counts, 4 to 8 on a GPU, alone in 2
              batches 16 to Some(16), Some(656.0) samples
              to 0.2682926829268293: 16: 5 32 7
              to 0.4634146341463415: 16: 3 32 13
              to 1: 16: 0 32 25
        "#]],
    );
}

#[test]
fn several_gpu_types() {
    let counts = ("scalability-t4.csv", COUNTS);
    check(
        &[("placements.csv", ""), ("scalability.csv", ""), ("placements-rtx.csv", PLACEMENTS), counts],
        expect![[r#"
            bert/placements-rtx.csv: Pollux step times by placement of bert, by the folder's name: 10 points; 10 rows read
            bert/scalability-t4.csv: Pollux step times by nodes and GPUs. Not used. rtx is used: one GPU type at a time; 4 rows read
            ! bert/scalability-t4.csv: t4. One GPU type at a time, by the names of files: rtx is used. Step times not used. Drop the files of one GPU type only to use it instead
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 0 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
    let typed = "gpu_type,local_bsz,placement,step_time,sync_time\nt4,4,1,0.4,0\nrtx,4,1,0.3,0\nt4,8,1,0.6,0\n";
    check(
        &[("placements.csv", typed)],
        expect![[r#"
            bert/placements.csv: Pollux step times by placement of bert, by the folder's name: 2 points; 3 rows read, 1 left out
            x bert/placements.csv, row 3, gpu_type: rtx. One GPU type at a time: the first of the file is used. Row left out. Keep the rows of the GPU type you plan with
            ~ bert 1:13.333333333333334 2:10 end, 1 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
}

#[test]
fn two_files_of_a_kind() {
    check(
        &[("placements (2).csv", PLACEMENTS), ("run-8.csv", AT_16)],
        expect![[r#"
            bert/placements.csv: Pollux step times by placement. Not used. bert/placements (2).csv is used instead; 10 rows read
            bert/validation-8.csv: Pollux validation run. Not used. bert/run-8.csv is used instead; 3 rows read
            bert/placements (2).csv: Pollux step times by placement of bert, by the folder's name: 10 points; 10 rows read
            bert/run-8.csv: Pollux validation run of bert, by the folder's name: 3 points; 3 rows read
            ! bert/placements (2).csv. One file of step times by placement for a model: bert/placements.csv is one too. This file is used. Load only one of the two files
            ! bert/run-8.csv. One validation run for a model and batch size: bert/validation-8.csv is one too. This file is used. Load only one of the two files
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(328.0) samples
              to 0.2682926829268293: 8: 5 16 7, 16: 5 16 7
              to 0.4634146341463415: 8: 3 16 13, 16: 3 16 13
              to 1: 8: 0 16 25, 16: 0 16 25
        "#]],
    );
}

#[test]
fn placements_that_cannot_be() {
    let rows = "1,4,0.4,0.1\n,4,0.4,0.1\n0,4,0.4,0.1\n10,4,0.4,0.1\n1a,4,0.4,0.1\n1 2,4,0.4,0.1\n12.0,4,0.4,0.1\n";
    let many = "1".repeat(65);
    let text = format!("placement,local_bsz,step_time,sync_time\n{rows}{many},4,0.4,0.1\n");
    check(
        &[("placements.csv", &text)],
        expect![[r#"
            bert/placements.csv: Pollux step times by placement of bert, by the folder's name: 1 point; 8 rows read, 7 left out
            x bert/placements.csv, rows 3, 4, 5, 6 and 3 more, placement: empty, 0, 10 and 4 other values. A digit from 1 to 9 for each node, its GPUs; at most 64 nodes. Row left out. Write 24 for 2 GPUs on one node and 4 on the next
            ~ bert 1:11.428571428571427 2:10 end, 1 placements and 2 counts, 4 to 4 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
}

#[test]
fn times_that_cannot_be() {
    let rows = "1,4,0.4,0.4\n1,5,0.4,0.5\n1,6,0.4,-0.1\n1,7,0.4,\n1,8,0,0\n1,9,-1,0\n1,10,x,0\n1,11,2e9,0\n\
        1,12,nan,0\n1,0,0.4,0\n1,2.5,0.4,0\n1,,0.4,0\n1,4,0.4\n2,4,0.5,0.1\n2,8,0.7,0.1\n1,8,0.6,0.1\n";
    let text = format!("placement,local_bsz,step_time,sync_time\n{rows}");
    check(
        &[("placements.csv", &text)],
        expect![[r#"
            bert/placements.csv: Pollux step times by placement of bert, by the folder's name: 3 points; 16 rows read, 13 left out
            x bert/placements.csv, rows 2, 3, 4, 5, sync_time: 0.4, 0.5, -0.1 and 1 other value. Seconds of 0 or more, less than the whole step takes. Row left out. Correct the values
            x bert/placements.csv, rows 6, 7, 8, 9 and 1 more, step_time: 0, -1, x and 2 other values. Seconds above 0, at most 1e9. Row left out. Correct the values
            x bert/placements.csv, rows 11, 12, 13, local_bsz: 0, 2.5, empty. Whole number from 1 to 1,073,741,824. Row left out. Correct the values
            x bert/placements.csv, row 14: 3 fields for 4 columns. As many fields as the header has. Row left out. Add the missing fields, or put text that holds a delimiter in double quotes
            ~ bert 1:13.333333333333334 2:16 end, 2 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
}

#[test]
fn counts_that_cannot_be() {
    let rows = "6,5,4,1,0.5\n0,4,4,1,0.5\n2,0,4,1,0.5\nx,4,4,1,0.5\n2,5000,4,1,0.5\n3,6,4,1.3,0.9\n3,6,4,1.4,0.9\n";
    let text = format!("num_nodes,num_replicas,local_bsz,step_time,sync_time\n{rows}");
    check(
        &[("scalability.csv", &text)],
        expect![[r#"
            bert/scalability.csv: Pollux step times by nodes and GPUs of bert, by the folder's name: 1 point; 7 rows read, 6 left out
            x bert/scalability.csv, row 2, num_nodes: 6. At most as many nodes as GPUs. Row left out. Correct one of the two
            x bert/scalability.csv, rows 3, 5, num_nodes: 0, x. Whole number from 1 to 4,096. Row left out. Correct the values
            x bert/scalability.csv, rows 4, 6, num_replicas: 0, 5000. Whole number from 1 to 4,096. Row left out. Correct the value
            x bert/scalability.csv, row 8, local_bsz: 4. One row for the same GPUs and samples on each; rotated placements are the same. The first is used; row left out. Remove one of them, or merge them to their mean
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 1 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
}

#[test]
fn counts_that_placements_tell_too() {
    let text = format!("{COUNTS}2,4,4,9,0.1\n2,4,8,9,0.1\n1,2,8,9,0.1\n");
    check(
        &[("scalability.csv", &text)],
        expect![[r#"
            bert/scalability.csv: Pollux step times by nodes and GPUs of bert, by the folder's name: 7 points; 7 rows read
            i bert/scalability.csv, rows 6, 7, 8. Numbers of nodes and GPUs that no placement in bert/placements.csv has. The mean over those placements is used. Nothing to do, if both are right
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
}

#[test]
fn the_same_placement_twice() {
    let text = format!("{PLACEMENTS}21,4,9,0.1\n2,4,9,0.1\n");
    check(
        &[("placements.csv", &text)],
        expect![[r#"
            bert/placements.csv: Pollux step times by placement of bert, by the folder's name: 10 points; 12 rows read, 2 left out
            x bert/placements.csv, rows 12, 13, local_bsz: 4. One row for the same GPUs and samples on each; rotated placements are the same. The first is used; row left out. Remove one of them, or merge them to their mean
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
}

#[test]
fn steps_that_fall() {
    let text = PLACEMENTS.replace("2,8,0.7", "2,8,0.45");
    check(
        &[("placements.csv", &text)],
        expect![[r#"
            bert/placements.csv: Pollux step times by placement of bert, by the folder's name: 10 points; 10 rows read
            i bert/placements.csv, row 5, step_time: 0.45. A step takes longer with more samples on each GPU. Used as it was measured. Nothing to do, if the measurement is right
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
}

#[test]
fn placements_that_are_missing() {
    let text = "placement,local_bsz,step_time,sync_time\n\
        1,4,0.4,0.0\n1,8,0.6,0.0\n4,4,0.5,0.1\n4,8,0.7,0.1\n44,4,0.8,0.4\n14,4,0.8,0.4\n14,8,1.0,0.4\n";
    check(
        &[("placements.csv", text)],
        expect![[r#"
            bert/placements.csv: Pollux step times by placement of bert, by the folder's name: 7 points; 7 rows read
            ! bert/placements.csv: 10 of 14 missing, such as 2. All placements on up to 2 nodes of 4 GPUs. Means over placements with as many nodes and GPUs stand in, or the straight line between those next. Measure the missing ones, if they are used
            ~ bert 1:13.333333333333334 2:18.46153846153846 end, 4 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
    let text = "placement,local_bsz,step_time,sync_time\n1,4,0.4,0.0\n99999999999999999999,4,0.4,0.0\n";
    check(
        &[("placements.csv", text)],
        expect![[r#"
            bert/placements.csv: Pollux step times by placement of bert, by the folder's name: 2 points; 2 rows read
            ! bert/placements.csv: most of them missing, such as 2. All placements on up to 20 nodes of 9 GPUs. Means over placements with as many nodes and GPUs stand in, or the straight line between those next. Measure the missing ones, if they are used
            ~ bert 1:10 2:20 end, 2 placements and 2 counts, 4 to 4 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
}

#[test]
fn one_number_of_samples() {
    let text = "placement,local_bsz,step_time,sync_time\n1,8,0.6,0.0\n2,8,0.7,0.1\n";
    check(
        &[("placements.csv", text), ("scalability.csv", ""), ("validation-16.csv", "")],
        expect![[r#"
            bert/placements.csv: Pollux step times by placement of bert, by the folder's name: 2 points; 2 rows read
            i bert/placements.csv. Two numbers of samples on a GPU or more say how a step grows. Only 8 on each GPU are trained with. Measure other numbers of samples too
            ~ bert 1:13.333333333333334 end, 2 placements and 0 counts, 8 to 8 on a GPU, alone in 2
              batches 8 to Some(8), Some(320.0) samples
              to 0.25: 8: 4 8 10
              to 0.5: 8: 2 8 20
              to 1: 8: 1 8 40
        "#]],
    );
}

#[test]
fn more_samples_by_placement_than_by_count() {
    // 4 samples on each of 3 GPUs leave room for more in a batch of 16: they did not fit.
    let counts = "num_nodes,num_replicas,local_bsz,step_time,sync_time\n3,3,4,1.2,0.8\n3,6,4,1.3,0.9\n";
    check(
        &[("scalability.csv", counts)],
        expect![[r#"
            bert/scalability.csv: Pollux step times by nodes and GPUs of bert, by the folder's name: 2 points; 2 rows read
            i bert/placements.csv: 8. At most 4 samples on a GPU: bert/scalability.csv goes no further. Larger numbers are not used. Add rows with more samples on each GPU, if they run
            ~ bert 1:10 2:16 end, 5 placements and 2 counts, 4 to 4 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
    // 4 samples on each of 4 GPUs are the largest batch: nothing was left out.
    let counts = "num_nodes,num_replicas,local_bsz,step_time,sync_time\n3,4,4,1.2,0.8\n3,6,4,1.3,0.9\n";
    check(
        &[("scalability.csv", counts)],
        expect![[r#"
            bert/scalability.csv: Pollux step times by nodes and GPUs of bert, by the folder's name: 2 points; 2 rows read
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
}

#[test]
fn no_step_times() {
    check(
        &[("placements.csv", ""), ("scalability.csv", "")],
        expect![[r#"
            bert/validation-16.csv: Pollux validation run. Not used. There are no step times of bert beside its validation runs; 3 rows read
            bert/validation-8.csv: Pollux validation run. Not used. There are no step times of bert beside its validation runs; 3 rows read
            x bert/validation-8.csv. There are no step times of bert beside its validation runs. Files of this model not used. Load placements.csv or scalability.csv of the same folder too
        "#]],
    );
}

#[test]
fn no_validation() {
    check(
        &[("validation-8.csv", ""), ("validation-16.csv", "")],
        expect![[r#"
        ! bert/placements.csv. Validation runs beside the step times, such as validation-128.csv. Samples count the same in all batches; a job without a batch size trains with 24. Load the validation runs of the same folder too
        ~ bert 1:13.333333333333334 2:21.818181818181817 3:21.818181818181817 4:21.818181818181817 5:18.9873417721519 6:18.46153846153846 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 1
          batches 24 to None, None samples
    "#]],
    );
}

#[test]
fn no_placements() {
    check(
        &[("placements.csv", "")],
        expect![[r#"
        i bert/scalability.csv. Step times of bert by placement. Only the numbers of nodes and GPUs count. Load placements.csv too, if there is one
        ~ bert 1:5.714285714285714 2:6.666666666666667 end, 0 placements and 2 counts, 4 to 8 on a GPU, alone in 2
          batches 8 to Some(16), Some(320.0) samples
          to 0.25: 8: 4 8 10, 16: 5 16 7
          to 0.475: 8: 2 8 20, 16: 3 16 13
          to 1: 8: 1 8 40, 16: 0 16 25
    "#]],
    );
}

#[test]
fn a_batch_that_runs_nowhere() {
    let text = "placement,local_bsz,step_time,sync_time\n4,16,0.6,0.0\n4,32,0.7,0.1\n";
    check(
        &[("placements.csv", text), ("scalability.csv", "")],
        expect![[r#"
            bert/placements.csv: Pollux step times by placement. Not used. bert: does not run on any number of GPUs; 2 rows read
            bert/validation-16.csv: Pollux validation run. Not used. bert: does not run on any number of GPUs; 3 rows read
            bert/validation-8.csv: Pollux validation run. Not used. bert: does not run on any number of GPUs; 3 rows read
            x bert/placements.csv. bert: does not run on any number of GPUs. Files of this model not used. Correct the files
            ! bert/placements.csv: 3 of 4 missing, such as 1. All placements on up to 1 node of 4 GPUs. Means over placements with as many nodes and GPUs stand in, or the straight line between those next. Measure the missing ones, if they are used
        "#]],
    );
}

#[test]
fn no_batch_in_the_name() {
    check(
        &[("validation.csv", AT_8), ("validation-0.csv", AT_8)],
        expect![[r#"
            bert/validation.csv: Pollux validation run. Not used. The file's name does not say the batch size; 3 rows read
            bert/validation-0.csv: Pollux validation run. Not used. The file's name does not say the batch size; 3 rows read
            x bert/validation.csv. The batch size at the end of the file's name, as in validation-128.csv. File not used. Name the file by the batch size of its training
            x bert/validation-0.csv. The batch size at the end of the file's name, as in validation-128.csv. File not used. Name the file by the batch size of its training
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
}

#[test]
fn gradients_that_cannot_be() {
    let header = "progress,iteration,metric,grad_sqr,grad_var\n";
    let text = format!("{header}11,7,0,-5,2\n19,13,0,0,0\n41,25,0,3,x\n");
    check(
        &[("validation-16.csv", &text)],
        expect![[r#"
            bert/validation-16.csv: Pollux validation run of bert, by the folder's name: 3 points; 3 rows read, 3 with values filled in
            ! bert/validation-16.csv, row 2, grad_sqr: -5. Number from 0 to 1e100. Other batch sizes say what holds in its epoch. Correct the value
            ! bert/validation-16.csv, row 3, grad_sqr: 0. A gradient or noise: not both 0. Other batch sizes say what holds in its epoch. Fill in what was measured
            ! bert/validation-16.csv, row 4, grad_var: x. Number from 0 to 1e100. Other batch sizes say what holds in its epoch. Write a number
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10
              to 0.475: 8: 2 8 20
              to 1: 8: 1 8 40
        "#]],
    );
    // Nothing is known of the second epoch, and nothing of the last.
    let same = format!("{header}10,7,0,5,2\n19,13,0,0,0\n41,25,0,,1e101\n");
    check(
        &[("validation-8.csv", &same), ("validation-16.csv", &text)],
        expect![[r#"
            bert/validation-16.csv: Pollux validation run of bert, by the folder's name: 3 points; 3 rows read, 3 with values filled in
            bert/validation-8.csv: Pollux validation run of bert, by the folder's name: 3 points; 3 rows read, 2 with values filled in
            ! bert/validation-16.csv, row 2, grad_sqr: -5. Number from 0 to 1e100. Other batch sizes say what holds in its epoch. Correct the value
            ! bert/validation-16.csv, row 3, grad_sqr: 0. A gradient or noise: not both 0. Other batch sizes say what holds in its epoch. Fill in what was measured
            ! bert/validation-16.csv, row 4, grad_var: x. Number from 0 to 1e100. Other batch sizes say what holds in its epoch. Write a number
            ! bert/validation-8.csv, row 3, grad_sqr: 0. A gradient or noise: not both 0. Other batch sizes say what holds in its epoch. Fill in what was measured
            ! bert/validation-8.csv, row 4, grad_sqr: empty. Number from 0 to 1e100. Other batch sizes say what holds in its epoch. Fill in the value
            ! bert/validation-8.csv, row 4, grad_var: 1e101. Number from 0 to 1e100. Other batch sizes say what holds in its epoch. Correct the value
            ! bert/validation-8.csv: 2 of 3 epochs. Progress and gradients at the end of each epoch, at one batch size at least. The epochs next to them stand for those that are not known. Complete the validation runs
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(328.0) samples
              to 0.24390243902439024: 8: 5 16 7
        "#]],
    );
}

#[test]
fn progress_that_does_not_rise() {
    let header = "progress,iteration,metric,grad_sqr,grad_var\n";
    let text = format!("{header}11,7,0,5,2\n11,13,0,3,2\n41,,0,1,2\n");
    check(
        &[("validation-16.csv", &text)],
        expect![[r#"
            bert/validation-16.csv: Pollux validation run of bert, by the folder's name: 2 points; 3 rows read, 1 with values filled in, 1 left out
            x bert/validation-16.csv, row 3, progress: 11. Progress rises from row to row. Row left out; other batch sizes say what holds in its epoch. Check that the rows are in order
            ! bert/validation-16.csv, row 4, iteration: empty. Number above 0, at most 1e18. The steps of its epoch are not known. Fill in the value
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.5: 8: 2 8 20
              to 1: 8: 1 8 40, 16: 1 16 -
        "#]],
    );
    // The first epoch seems to end after the second: what is known of the whole stands.
    let other = format!("{header}x,7,0,5,2\n15,13,0,3,2\n,25,0,1,2\n");
    let base = format!("{header}18,7,0,5,2\n-1,13,0,3,2\n40,25,0,1,2\n");
    check(
        &[("validation-16.csv", &other), ("validation-8.csv", &base)],
        expect![[r#"
            bert/validation-16.csv: Pollux validation run of bert, by the folder's name: 1 point; 3 rows read, 2 left out
            bert/validation-8.csv: Pollux validation run of bert, by the folder's name: 2 points; 3 rows read, 1 left out
            x bert/validation-16.csv, rows 2, 4, progress: x, empty. Number above 0, at most 1e18. Row left out; other batch sizes say what holds in its epoch. Correct the values
            x bert/validation-8.csv, row 3, progress: -1. Number above 0, at most 1e18. Row left out; other batch sizes say what holds in its epoch. Correct the value
            ! bert/validation-8.csv: 1 of 3 epochs. Progress and gradients at the end of each epoch, at one batch size at least. The epochs next to them stand for those that are not known. Complete the validation runs
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.375: 16: 3 16 13
              to 1: 8: 1 16 25
        "#]],
    );
}

#[test]
fn a_row_that_is_torn_stays_an_epoch() {
    let text = "progress,iteration,metric,grad_sqr,grad_var\n11,7,0.1,5,2\n19,13\n41,25,0.3,1,2\n";
    check(
        &[("validation-16.csv", text)],
        expect![[r#"
            bert/validation-16.csv: Pollux validation run of bert, by the folder's name: 2 points; 3 rows read, 1 left out
            x bert/validation-16.csv, row 3: 2 fields for 5 columns. As many fields as the header has. Row left out. Add the missing fields, or put text that holds a delimiter in double quotes
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.5: 8: 2 8 20
              to 1: 8: 1 8 40, 16: 1 16 25
        "#]],
    );
}

#[test]
fn runs_of_different_lengths() {
    let text = format!("{AT_16}60,30,0.3,1,2\n80,35,0.3,1,2\n");
    check(
        &[("validation-16.csv", &text)],
        expect![[r#"
            bert/validation-16.csv: Pollux validation run of bert, by the folder's name: 5 points; 5 rows read
            ! bert/validation-16.csv, row 5 and 1 more. As many epochs as the shortest validation run has: 3 in bert/validation-8.csv. Only the first 3 epochs used. Complete the shorter run
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(16), Some(320.0) samples
              to 0.25: 8: 4 8 10, 16: 5 16 7
              to 0.475: 8: 2 8 20, 16: 3 16 13
              to 1: 8: 1 8 40, 16: 0 16 25
        "#]],
    );
}

#[test]
fn a_training_beyond_all_bounds() {
    let text = "progress,iteration,metric,grad_sqr,grad_var\n1e18,7,0.1,5,2\n";
    check(
        &[("validation-8.csv", text), ("validation-16.csv", "")],
        expect![[r#"
            bert/validation-8.csv: Pollux validation run of bert, by the folder's name: 1 point; 1 row read
            ! bert/validation-8.csv. A training of at most 1e18 samples. How long a training takes is not known. Correct the progress
            ~ bert 1:13.333333333333334 2:16 end, 5 placements and 2 counts, 4 to 8 on a GPU, alone in 2
              batches 8 to Some(8), None samples
              to 1: 8: 5 16 7
        "#]],
    );
}

#[test]
fn a_file_that_lacks_a_column() {
    check(
        &[("validation-16.csv", "progress,iteration,grad_sqr\n1,2,3\n"), ("scalability.csv", "")],
        expect![[r#"
        bert/validation-16.csv: Pollux validation run? Not used. No column grad_var
        x bert/validation-16.csv, row 1, grad_var. Pollux validation run: a column grad_var. File not used. Add the column grad_var
        ~ bert 1:13.333333333333334 2:16 end, 5 placements and 0 counts, 4 to 8 on a GPU, alone in 2
          batches 8 to Some(8), Some(320.0) samples
          to 0.25: 8: 4 8 10
          to 0.5: 8: 2 8 20
          to 1: 8: 1 8 40
    "#]],
    );
}

#[test]
fn a_workload() {
    check_files(
        &[(
            "workload-1.csv",
            "name,time,application,num_replicas,batch_size\n\
             cifar10-0,107,cifar10,6,2048\nbert-1,x,bert,2,12\nbert-2,9,,2,12\nbert-3,9,bert,0,12\nbert-4,9.5,bert,2,\n",
        )],
        expect![[r#"
            workload-1.csv: Pollux workload, 2 jobs; 5 rows read, 1 with values filled in, 3 left out
            x workload-1.csv, row 3, time: x. Time in seconds, from 0 to 1e11. Row left out. Write a number
            x workload-1.csv, row 4, application: empty. The model's name. Row left out. Fill in the name, as the curves spell it
            x workload-1.csv, row 5, num_replicas: 0. Whole number from 1 to 65,536. Row left out. Correct the value
            i workload-1.csv, row 6, batch_size: empty. An empty cell means the default. The model's only curve is used. Fill in the value where another one is meant
            i workload-1.csv, trainings. No trainings column. 1 is used: each job trains its model to the end. The format has none; the plain format does
            i workload-1.csv, gpus_min. No gpus_min column. 1 is used. The format has none; the plain format does
            i workload-1.csv, gpus_max. No gpus_max column. The largest measured number of GPUs is used. The format has none; the plain format does
            = bert-4 row 6 at 9.5 bert on 2, 1 trainings
            = cifar10-0 row 2 at 107 cifar10/2048 on 6, 1 trainings
        "#]],
    );
}

#[test]
fn one_gpu_type_for_all_models() {
    let files: &[(&str, &[u8])] = &[
        ("gpt/placements-rtx.csv", PLACEMENTS.as_bytes()),
        ("bert/placements-quad.csv", PLACEMENTS.as_bytes()),
        ("bert/placements-rtx.csv", PLACEMENTS.as_bytes()),
        ("bert/scalability-quad.csv", COUNTS.as_bytes()),
        ("bert/scalability-rtx.csv", COUNTS.as_bytes()),
        ("ncf/placements-quad.csv", PLACEMENTS.as_bytes()),
    ];
    let import = read(files);
    crate::assert_adds_up(&import);
    let lines: Vec<String> = import.files.iter().map(ToString::to_string).collect();
    expect![[r#"
        gpt/placements-rtx.csv: Pollux step times by placement of gpt, by the folder's name: 10 points; 10 rows read
        bert/placements-quad.csv: Pollux step times by placement. Not used. rtx is used: one GPU type at a time; 10 rows read
        bert/placements-rtx.csv: Pollux step times by placement of bert, by the folder's name: 10 points; 10 rows read
        bert/scalability-quad.csv: Pollux step times by nodes and GPUs. Not used. rtx is used: one GPU type at a time; 4 rows read
        bert/scalability-rtx.csv: Pollux step times by nodes and GPUs of bert, by the folder's name: 4 points; 4 rows read
        ncf/placements-quad.csv: Pollux step times by placement of ncf, by the folder's name: 10 points; 10 rows read
    "#]]
    .assert_eq(&(lines.join("\n") + "\n"));
    let found = import.diagnostics.iter().map(ToString::to_string);
    let found: Vec<String> =
        found.filter(|found| found.contains("type") || found.contains("as other models")).collect();
    let found = found.join("\n");
    expect![[r#"
        bert/placements-quad.csv: quad. One GPU type at a time, by the names of files: rtx is used. Step times not used. Drop the files of one GPU type only to use it instead
        ncf/placements-quad.csv. Step times on rtx, as other models have. The curve is that on quad. Load step times on the same GPU type, or drop the files of one GPU type only"#]]
    .assert_eq(&found);
}

#[test]
fn tables_with_gpu_types_are_of_the_model_in_their_name() {
    let typed = "gpu_type,local_bsz,placement,step_time,sync_time\ndgx,4,1,0.4,0\nrtx,4,1,0.3,0\ndgx,4,2,0.5,0.1\n";
    let check = |path: &str, model: &str| {
        let import = read(&[(path, typed.as_bytes())]);
        let models: Vec<&str> = import.curves.as_slice().iter().map(|curve| curve.key().model.as_str()).collect();
        assert_eq!(models, [model], "{path}");
    };
    check("seed/bert.csv", "bert");
    check("bert.csv", "bert");
    check("bert/placements.csv", "bert");
}

#[test]
fn step_times_of_microbatches_are_refused() {
    let pipeline = "local_bsz,step_time,sync_time,placement\n1,0.1,0.3,8\n2,0.2,0.3,8\n1,0.1,0.4,88\n2,0.5,0.4,88\n";
    let whole = "local_bsz,step_time,sync_time,placement\n1,0.4,0.3,8\n2,0.2,0.3,8\n1,0.1,0.4,88\n2,0.5,0.4,88\n";
    let check = |text: &str, expected: Option<&str>| {
        let import = read(&[("gpt_pmp/placements.csv", text.as_bytes())]);
        crate::assert_adds_up(&import);
        assert_eq!(import.files[0].not_used.as_deref().and_then(|reason| reason.split(':').next()), expected);
    };
    check(pipeline, Some("Most steps take less time than their synchronization"));
    check(whole, None);
}
