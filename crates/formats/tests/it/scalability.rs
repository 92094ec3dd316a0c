//! What a job scalability analyzer measured: good files, and every kind of damage.

use expect_test::{Expect, expect};

use crate::{as_text, read};

const MODELS: &str = "model,weights,batch_per_gpu,time_s\n\
    resnet50,24e6,32,0.2\nresnet50,24e6,64,0.3\nalexnet,15e6,16,0.02\nalexnet,15e6,32,0.03\n";
const ALL_REDUCE: &str = "weights,gpus,time_s\n\
    10e6,2,0.02\n20e6,2,0.03\n30e6,2,0.04\n10e6,4,0.03\n20e6,4,0.05\n30e6,4,0.07\n";

fn check_files(files: &[(&str, &str)], expected: Expect) {
    let import = read(&files.iter().map(|(path, text)| (*path, text.as_bytes())).collect::<Vec<_>>());
    crate::assert_adds_up(&import);
    expected.assert_eq(&as_text(&import));
}

/// A file of processing times beside good all-reduce times, of which nothing need be said.
fn check_models(models: &str, expected: Expect) {
    let models = format!("model,weights,batch_per_gpu,time_s\n{models}");
    let mut import = read(&[("models.csv", models.as_bytes()), ("all-reduce.csv", ALL_REDUCE.as_bytes())]);
    crate::assert_adds_up(&import);
    import.files.truncate(1);
    expected.assert_eq(&as_text(&import));
}

/// A file of all-reduce times beside a good model of 24 million weights.
fn check_all_reduce(rows: &str, expected: Expect) {
    let (rows, models) = (format!("weights,gpus,time_s\n{rows}"), &MODELS.as_bytes()[..77]);
    let mut import = read(&[("all-reduce.csv", rows.as_bytes()), ("models.csv", models)]);
    crate::assert_adds_up(&import);
    import.files.truncate(1);
    expected.assert_eq(&as_text(&import));
}

#[test]
fn both_files() {
    check_files(
        &[("all-reduce.csv", ALL_REDUCE), ("models.csv", MODELS)],
        expect![[r#"
            all-reduce.csv: All-reduce times: 6 points; 6 rows read
            models.csv: Processing times of models: 4 points; 4 rows read
            ~ alexnet at batch 32 1:1066.6666666666667 2:711.1111111111111 3:609.5238095238095 4:533.3333333333334 end, processing [(16.0, 0.02), (32.0, 0.03)], all-reduce [(2, 0.025), (4, 0.04)]
            ~ resnet50 at batch 64 1:213.33333333333334 2:273.5042735042735 3:260.1626016260163 4:248.06201550387595 end, processing [(32.0, 0.2), (64.0, 0.3)], all-reduce [(2, 0.034), (4, 0.058)]
        "#]],
    );
}

#[test]
fn the_order_of_files_and_rows_does_not_matter() {
    let turned = |text: &str| {
        let mut rows: Vec<&str> = text.lines().collect();
        rows[1..].reverse();
        rows.join("\n")
    };
    let (models, all_reduce) = (turned(MODELS), turned(ALL_REDUCE));
    let files = [("a.csv", MODELS.as_bytes()), ("b.csv", ALL_REDUCE.as_bytes())];
    let other = [("b.csv", all_reduce.as_bytes()), ("a.csv", models.as_bytes())];
    assert_eq!(read(&files).curves, read(&other).curves);
}

#[test]
fn models_in_several_files() {
    let (header, one) = MODELS.split_once('\n').unwrap();
    let other = format!("{header}\nvgg11_bn,12e6,64,0.1\nvgg11_bn,12e6,128,0.2\n");
    let again = format!("{header}\nalexnet,15e6,8,0.5\nalexnet,15e6,16,0.6\n");
    check_files(
        &[("a.csv", &format!("{header}\n{one}")), ("b.csv", &other), ("c.csv", ALL_REDUCE), ("d.csv", &again)],
        expect![[r#"
            a.csv: Processing times of models: 4 points; 4 rows read
            b.csv: Processing times of models: 2 points; 2 rows read
            c.csv: All-reduce times: 6 points; 6 rows read
            d.csv: Processing times of models: 2 points; 2 rows read
            ! a.csv, row 4: alexnet. One file with the processing times of a model: d.csv has them too. The later file is used. Load only one of the two files
            ~ alexnet at batch 16 1:26.666666666666668 2:30.476190476190474 3:30.046948356807512 4:29.629629629629626 end, processing [(8.0, 0.5), (16.0, 0.6)], all-reduce [(2, 0.025), (4, 0.04)]
            ~ resnet50 at batch 64 1:213.33333333333334 2:273.5042735042735 3:260.1626016260163 4:248.06201550387595 end, processing [(32.0, 0.2), (64.0, 0.3)], all-reduce [(2, 0.034), (4, 0.058)]
            ~ vgg11_bn at batch 128 1:640 2:1049.1803278688524 3:1000 4:955.2238805970148 end, processing [(64.0, 0.1), (128.0, 0.2)], all-reduce [(2, 0.022), (4, 0.034)]
        "#]],
    );
}

#[test]
fn a_file_of_which_all_models_are_in_a_later_one() {
    check_files(
        &[("a.csv", MODELS), ("b.csv", ALL_REDUCE), ("c.csv", MODELS)],
        expect![[r#"
            a.csv: Processing times of models. Not used. c.csv is used instead; 4 rows read
            b.csv: All-reduce times: 6 points; 6 rows read
            c.csv: Processing times of models: 4 points; 4 rows read
            ! a.csv, rows 2, 4: resnet50. One file with the processing times of a model: c.csv has them too. The later file is used. Load only one of the two files
            ~ alexnet at batch 32 1:1066.6666666666667 2:711.1111111111111 3:609.5238095238095 4:533.3333333333334 end, processing [(16.0, 0.02), (32.0, 0.03)], all-reduce [(2, 0.025), (4, 0.04)]
            ~ resnet50 at batch 64 1:213.33333333333334 2:273.5042735042735 3:260.1626016260163 4:248.06201550387595 end, processing [(32.0, 0.2), (64.0, 0.3)], all-reduce [(2, 0.034), (4, 0.058)]
        "#]],
    );
}

#[test]
fn two_files_of_all_reduce_times() {
    check_files(
        &[("old.csv", "weights,gpus,time_s\n20e6,2,9\n"), ("a.csv", MODELS), ("new.csv", ALL_REDUCE)],
        expect![[r#"
            old.csv: All-reduce times. Not used. new.csv is used instead; 1 row read
            a.csv: Processing times of models: 4 points; 4 rows read
            new.csv: All-reduce times: 6 points; 6 rows read
            ! new.csv. One file of all-reduce times: old.csv is one too. This file is used. Load only one of the two files
            ~ alexnet at batch 32 1:1066.6666666666667 2:711.1111111111111 3:609.5238095238095 4:533.3333333333334 end, processing [(16.0, 0.02), (32.0, 0.03)], all-reduce [(2, 0.025), (4, 0.04)]
            ~ resnet50 at batch 64 1:213.33333333333334 2:273.5042735042735 3:260.1626016260163 4:248.06201550387595 end, processing [(32.0, 0.2), (64.0, 0.3)], all-reduce [(2, 0.034), (4, 0.058)]
        "#]],
    );
}

#[test]
fn only_processing_times() {
    check_files(
        &[("models.csv", MODELS)],
        expect![[r#"
            models.csv: Processing times of models: 4 points; 4 rows read
            ! models.csv. All-reduce times beside the processing times. Models run on a single GPU only. Load a file with the columns weights, gpus and time_s too
            ~ alexnet at batch 32 1:1066.6666666666667 end, processing [(16.0, 0.02), (32.0, 0.03)], all-reduce []
            ~ resnet50 at batch 64 1:213.33333333333334 end, processing [(32.0, 0.2), (64.0, 0.3)], all-reduce []
        "#]],
    );
}

#[test]
fn only_all_reduce_times() {
    check_files(
        &[("all-reduce.csv", ALL_REDUCE)],
        expect![[r#"
            all-reduce.csv: All-reduce times. Not used. There are no processing times beside the all-reduce times; 6 rows read
            x all-reduce.csv. There are no processing times beside the all-reduce times. File not used. Load a file with the columns model, weights, batch_per_gpu and time_s too
        "#]],
    );
}

#[test]
fn no_column_of_weights() {
    check_files(
        &[("models.csv", "model,batch_per_gpu,time_s\nresnet50,32,0.2\n"), ("all-reduce.csv", ALL_REDUCE)],
        expect![[r#"
            models.csv: Processing times of models? Not used. No column weights
            all-reduce.csv: All-reduce times. Not used. There are no processing times beside the all-reduce times; 6 rows read
            x models.csv, row 1, weights. Processing times of models: a column weights. File not used. Add the column weights
            x all-reduce.csv. There are no processing times beside the all-reduce times. File not used. Load a file with the columns model, weights, batch_per_gpu and time_s too
        "#]],
    );
}

#[test]
fn bad_cells_of_models() {
    check_models(
        "good,20e6,8,0.1\ngood,20e6,16,0.2\ngood,20e6,0,0.1\ngood,20e6,8.5,0.1\ngood,20e6,32,0\ngood,20e6,33,-0.1\ngood,20e6,34,\n\
        zero,0,8,0.1\nzero,0,16,0.1\nnone,,8,0.1\n,20e6,8,0.1\nwords,24 M,8,0.1s\n",
        expect![[r#"
            models.csv: Processing times of models: 2 points; 12 rows read, 10 left out
            x models.csv, rows 4, 5, batch_per_gpu: 0, 8.5. Whole number from 1 to 1,073,741,824. Row left out. Correct the value
            x models.csv, rows 6, 7, 8, 13, time_s: 0, -0.1, empty and 1 other value. Seconds above 0, at most 1e9. Row left out. Correct the values
            x models.csv, rows 9, 10, 11, 13, weights: 0, empty, 24 M. Number above 0, at most 1e18. Row left out. Correct the values
            x models.csv, row 12, model: empty. The model's name. Row left out. Fill in the name, as the curves spell it
            x models.csv: zero, none, words. A model has a row with weights, samples and seconds. Models left out. Correct its rows
            ~ good at batch 16 1:80 2:123.07692307692307 3:114.28571428571428 4:106.66666666666666 end, processing [(8.0, 0.1), (16.0, 0.2)], all-reduce [(2, 0.03), (4, 0.05)]
        "#]],
    );
}

#[test]
fn samples_of_a_model_twice() {
    check_models(
        "m,20e6,8,0.1\nm,20e6,16,0.2\nm,20e6,8,0.11\n",
        expect![[r#"
            models.csv: Processing times of models: 2 points; 3 rows read, 1 left out
            x models.csv, row 4, batch_per_gpu: 8. One row for a model and number of samples. The first is used; row left out. Remove one of them, or merge them to their mean
            ~ m at batch 16 1:80 2:123.07692307692307 3:114.28571428571428 4:106.66666666666666 end, processing [(8.0, 0.1), (16.0, 0.2)], all-reduce [(2, 0.03), (4, 0.05)]
        "#]],
    );
}

#[test]
fn two_numbers_of_weights_for_a_model() {
    check_models(
        "m,20e6,8,0.1\nm,21e6,16,0.2\nm,2e7,32,0.4\n",
        expect![[r#"
            models.csv: Processing times of models: 2 points; 3 rows read, 1 left out
            x models.csv, row 3, weights: 21e6. As many weights as in the first row of the model. Row left out. Correct one of them, or give models of other sizes names of their own
            ~ m at batch 32 1:80 2:139.1304347826087 3:180.28169014084506 4:213.33333333333331 end, processing [(8.0, 0.1), (32.0, 0.4)], all-reduce [(2, 0.03), (4, 0.05)]
        "#]],
    );
}

#[test]
fn less_time_for_more_samples() {
    check_models(
        "m,20e6,8,0.2\nm,20e6,32,0.3\nm,20e6,16,0.1\nn,20e6,8,0.1\nn,20e6,16,0.1\n",
        expect![[r#"
            models.csv: Processing times of models: 5 points; 5 rows read
            ! models.csv, row 4: m: 0.1 s for 16 samples, 0.2 s for 8. More samples take no less time. Used as it was measured. Measure again, if there is no reason for it
            ~ m at batch 32 1:106.66666666666667 2:246.15384615384613 3:158.02469135802468 4:128 end, processing [(8.0, 0.2), (16.0, 0.1), (32.0, 0.3)], all-reduce [(2, 0.03), (4, 0.05)]
            ~ n at batch 16 1:160 2:123.07692307692307 3:114.28571428571428 4:106.66666666666666 end, processing [(8.0, 0.1), (16.0, 0.1)], all-reduce [(2, 0.03), (4, 0.05)]
        "#]],
    );
}

#[test]
fn a_single_number_of_samples() {
    check_models(
        "m,20e6,8,0.2\nn,20e6,4,0.1\nn,20e6,8,0.15\no,20e6,16,0.3\n",
        expect![[r#"
            models.csv: Processing times of models: 4 points; 4 rows read
            ! models.csv, rows 2, 5: m: 8 only. Two numbers of samples or more say how the time grows. Fewer samples take as long: assumed. Measure other numbers of samples too
            ~ m at batch 8 1:40 2:34.78260869565217 3:33.33333333333333 4:32 end, processing [(8.0, 0.2)], all-reduce [(2, 0.03), (4, 0.05)]
            ~ n at batch 8 1:53.333333333333336 2:61.53846153846153 3:57.14285714285714 4:53.33333333333333 end, processing [(4.0, 0.1), (8.0, 0.15)], all-reduce [(2, 0.03), (4, 0.05)]
            ~ o at batch 16 1:53.333333333333336 2:48.48484848484849 3:47.05882352941177 4:45.714285714285715 end, processing [(16.0, 0.3)], all-reduce [(2, 0.03), (4, 0.05)]
        "#]],
    );
}

#[test]
fn weights_beyond_the_grid() {
    check_models(
        "m,5e6,8,0.2\nm,5e6,16,0.3\nn,4e7,8,0.2\nn,4e7,16,0.3\n",
        expect![[r#"
            models.csv: Processing times of models: 4 points; 4 rows read
            ! models.csv, rows 2, 4: m: 5000000 weights on 2, 4 GPUs. All-reduces of at least and of at most as many weights as a model has. The nearest measured number of weights is held: assumed. Measure all-reduces of such numbers of weights
            ~ m at batch 16 1:53.333333333333336 2:72.72727272727273 3:71.11111111111111 4:69.56521739130434 end, processing [(8.0, 0.2), (16.0, 0.3)], all-reduce [(2, 0.02), (4, 0.03)]
            ~ n at batch 16 1:53.333333333333336 2:66.66666666666666 3:62.745098039215684 4:59.25925925925925 end, processing [(8.0, 0.2), (16.0, 0.3)], all-reduce [(2, 0.04), (4, 0.07)]
        "#]],
    );
}

#[test]
fn a_time_too_short_for_any_speed() {
    check_models(
        "m,2e7,8,1e-300\nm,2e7,16,1e-300\n",
        expect![[r#"
            models.csv: Processing times of models. Not used. No model could be used; 2 rows read
            x models.csv, row 2: m. Times that make at most 1e18 samples/s. Model left out. Correct its rows
        "#]],
    );
}

#[test]
fn holes_are_filled_by_what_surrounds_them() {
    // 24 million weights are surrounded on 2 and on 8 GPUs, not on 4.
    check_all_reduce(
        "20e6,2,0.02\n30e6,2,0.03\n20e6,4,0.05\n20e6,8,0.06\n30e6,8,0.09\n",
        expect![[r#"
            all-reduce.csv: All-reduce times: 5 points; 5 rows read
            i all-reduce.csv: 1 of 6 missing, such as 30000000 weights on 4 GPUs. All measured numbers of weights on all measured numbers of GPUs. On the straight line between measurements; beyond them the nearest is held. Measure the missing ones, if models need them
            ~ resnet50 at batch 64 1:213.33333333333334 2:285.7142857142857 3:275.8620689655172 4:266.6666666666667 5:258.06451612903226 6:250 7:242.4242424242424 8:235.2941176470588 end, processing [(32.0, 0.2), (64.0, 0.3)], all-reduce [(2, 0.024), (4, 0.039999999999999994), (8, 0.072)]
        "#]],
    );
}

#[test]
fn holes_at_the_edge_are_assumed() {
    check_all_reduce(
        "20e6,2,0.02\n30e6,2,0.03\n20e6,4,0.05\n",
        expect![[r#"
            all-reduce.csv: All-reduce times: 3 points; 3 rows read
            i all-reduce.csv: 1 of 4 missing, such as 30000000 weights on 4 GPUs. All measured numbers of weights on all measured numbers of GPUs. On the straight line between measurements; beyond them the nearest is held. Measure the missing ones, if models need them
            ! models.csv, row 2: resnet50: 24000000 weights on 4 GPUs. All-reduces of at least and of at most as many weights as a model has. The nearest measured number of weights is held: assumed. Measure all-reduces of such numbers of weights
            ~ resnet50 at batch 64 1:213.33333333333334 2:285.7142857142857 3:270.042194092827 4:256 end, processing [(32.0, 0.2), (64.0, 0.3)], all-reduce [(2, 0.024), (4, 0.05)]
        "#]],
    );
}

#[test]
fn a_single_all_reduce() {
    check_all_reduce(
        "20e6,4,0.02\n",
        expect![[r#"
            all-reduce.csv: All-reduce times: 1 point; 1 row read
            ! all-reduce.csv: on 4 GPUs or more. All-reduces on 2 GPUs or more. On fewer than 4, all-reduces take as long as on 4: assumed. Measure all-reduces on 2 GPUs, too
            ! models.csv, row 2: resnet50: 24000000 weights on 4 GPUs. All-reduces of at least and of at most as many weights as a model has. The nearest measured number of weights is held: assumed. Measure all-reduces of such numbers of weights
            ~ resnet50 at batch 64 1:213.33333333333334 2:290.90909090909093 3:290.90909090909093 4:290.90909090909093 end, processing [(32.0, 0.2), (64.0, 0.3)], all-reduce [(4, 0.02)]
        "#]],
    );
}

#[test]
fn less_time_for_more_weights_or_gpus() {
    check_all_reduce(
        "20e6,2,0.02\n30e6,2,0.01\n20e6,4,0.015\n30e6,4,0.02\n",
        expect![[r#"
            all-reduce.csv: All-reduce times: 4 points; 4 rows read
            ! all-reduce.csv, row 4: 0.015 s for 20000000 weights on 4 GPUs, 0.02 s for 20000000 on 2. As many weights on more GPUs take no less time. Used as it was measured. Measure again, if there is no reason for it
            ! all-reduce.csv, row 3: 0.01 s for 30000000 weights on 2 GPUs, 0.02 s for 20000000 on 2. More weights on as many GPUs take no less time. Used as it was measured. Measure again, if there is no reason for it
            ~ resnet50 at batch 64 1:213.33333333333334 2:296.29629629629625 3:295.61200923787527 4:294.93087557603684 end, processing [(32.0, 0.2), (64.0, 0.3)], all-reduce [(2, 0.016), (4, 0.017)]
        "#]],
    );
}

#[test]
fn all_reduces_twice() {
    check_all_reduce(
        "20e6,2,0.02\n30e6,2,0.03\n2e7,2,0.04\n",
        expect![[r#"
            all-reduce.csv: All-reduce times: 2 points; 3 rows read, 1 left out
            x all-reduce.csv, row 4, gpus: 2. One row for a number of weights and GPUs. The first is used; row left out. Remove one of them, or merge them to their mean
            ~ resnet50 at batch 64 1:213.33333333333334 2:285.7142857142857 end, processing [(32.0, 0.2), (64.0, 0.3)], all-reduce [(2, 0.024)]
        "#]],
    );
}

#[test]
fn bad_cells_of_all_reduces() {
    check_all_reduce(
        "20e6,2,0.02\n30e6,2,0.03\n20e6,1,0\n0,4,0.1\n,4,0.1\n20e6,0,0.1\n20e6,5000,0.1\n20e6,4,0\n20e6,4,-1\n20e6,many,nan\n",
        expect![[r#"
            all-reduce.csv: All-reduce times: 2 points; 10 rows read, 7 left out
            x all-reduce.csv, rows 5, 6, weights: 0, empty. Number above 0, at most 1e18. Row left out. Correct the values
            x all-reduce.csv, rows 7, 8, 11, gpus: 0, 5000, many. Whole number from 1 to 4,096. Row left out. Correct the values
            x all-reduce.csv, rows 9, 10, 11, time_s: 0, -1, nan. Seconds above 0, at most 1e9. Row left out. Correct the values
            i all-reduce.csv, row 4, gpus: 1. An all-reduce is among two GPUs or more. Row not used: a single GPU takes no time. Nothing to do
            ~ resnet50 at batch 64 1:213.33333333333334 2:285.7142857142857 end, processing [(32.0, 0.2), (64.0, 0.3)], all-reduce [(2, 0.024)]
        "#]],
    );
}

#[test]
fn all_reduces_on_a_single_gpu() {
    check_all_reduce(
        "20e6,1,0\n30e6,1,0\n",
        expect![[r#"
            all-reduce.csv: All-reduce times. Not used. No row could be used; 2 rows read
            i all-reduce.csv, rows 2, 3, gpus: 1. An all-reduce is among two GPUs or more. Row not used: a single GPU takes no time. Nothing to do
            ! models.csv. All-reduce times beside the processing times. Models run on a single GPU only. Load a file with the columns weights, gpus and time_s too
            ~ resnet50 at batch 64 1:213.33333333333334 end, processing [(32.0, 0.2), (64.0, 0.3)], all-reduce []
        "#]],
    );
}
