//! Jobs bound to curves.

use expect_test::expect;

use crate::check;

#[test]
fn samples_as_they_are_given() {
    check(
        "
        curve bert/64 1:10 2:18 4:30
        a row=2 model=bert/64 gpus=2 samples=900
        b row=3 model=bert/64 gpus=4 min=2 max=3 samples=900
        ",
        expect![[r#"
            = a: 2 of 1 to 4 GPUs, 900 samples
            = b: 4 of 2 to 3 GPUs, 900 samples
        "#]],
    );
}

#[test]
fn iterations_are_batches_of_samples() {
    check(
        "
        curve bert/64 1:10
        curve vgg 1:10
        a row=2 model=bert/64 iterations=100
        b row=3 model=bert iterations=100
        c row=4 model=vgg/32 iterations=100
        d row=5 model=vgg iterations=100
        ",
        expect![[r#"
            = a: 1 of 1 to 1 GPUs, 6400 samples
            = b: 1 of 1 to 1 GPUs, 6400 samples
            = c: 1 of 1 to 1 GPUs, 3200 samples
            i row 4, batch_global: 32. The curve of vgg names no batch size. Used for every batch size. Add a curve for the batch size to be exact
            x row 5, batch_global: 100 iterations. Iterations need a batch size to become samples. Left out. Add the column batch_global
        "#]],
    );
}

#[test]
fn a_duration_counts_at_the_speed_on_the_gpus_asked_for() {
    check(
        "
        curve bert 1:10 2:18 4:30
        a row=2 model=bert gpus=1 seconds=100
        b row=3 model=bert gpus=3 seconds=100
        c row=4 model=bert gpus=9 seconds=100
        ",
        expect![[r#"
            = a: 1 of 1 to 4 GPUs, 1000 samples
            = b: 3 of 1 to 4 GPUs, 2400 samples
            = c: 9 of 1 to 4 GPUs, 3000 samples
            ! row 4, gpus: 9. bert is measured up to 4 GPUs. Held at the 4-GPU speed. Add a measured point for more GPUs
        "#]],
    );
}

#[test]
fn models_and_batches_without_a_curve() {
    check(
        "
        curve bert/64 1:10
        curve bert/128 1:10
        a row=2 model=bert/64
        b row=3 model=bert/32
        c row=4 model=bert
        d row=5 model=gpt2/64
        e row=6 model=bert/32
        f row=7 model=gpt2
        ",
        expect![[r#"
            = a: 1 of 1 to 1 GPUs, 1 samples
            x rows 3, 6, batch_global: bert at batch 32. No throughput curve of bert for batch 32. Left out. Add the curve, or correct the batch size
            x row 4, batch_global: no batch size. No throughput curve of bert for jobs without a batch size. Left out. Add the curve, or correct the batch size
            x rows 5, 7, model: gpt2. gpt2 has no throughput curve. Left out. Add a curve for this model, or correct its name
        "#]],
    );
}

#[test]
fn a_curve_without_a_batch_serves_every_batch_that_has_none_of_its_own() {
    check(
        "
        curve bert 1:10
        curve bert/64 1:20
        a row=2 model=bert/64 seconds=1
        b row=3 model=bert/32 seconds=1
        c row=4 model=bert seconds=1
        ",
        expect![[r#"
            = a: 1 of 1 to 1 GPUs, 20 samples
            = b: 1 of 1 to 1 GPUs, 10 samples
            = c: 1 of 1 to 1 GPUs, 10 samples
            i row 3, batch_global: 32. The curve of bert names no batch size. Used for every batch size. Add a curve for the batch size to be exact
        "#]],
    );
}

#[test]
fn the_only_curve_serves_jobs_without_a_batch() {
    check(
        "
        curve bert/64 1:10
        a row=2 model=bert seconds=1
        ",
        expect![[r#"
            = a: 1 of 1 to 1 GPUs, 10 samples
        "#]],
    );
}

#[test]
fn requests_outside_of_what_was_measured() {
    check(
        "
        curve large 4:10 8:18
        curve small 1:10 2:18 end
        a row=2 model=large gpus=1
        b row=3 model=large gpus=16
        c row=4 model=small gpus=16
        ",
        expect![[r#"
            = a: 4 of 4 to 8 GPUs, 1 samples
            = b: 16 of 4 to 8 GPUs, 1 samples
            = c: 2 of 1 to 2 GPUs, 1 samples
            ! row 2, gpus: 1. large is measured from 4 GPUs up. Given 4 GPUs. Add a measured point for fewer GPUs
            ! row 3, gpus: 16. large is measured up to 8 GPUs. Held at the 8-GPU speed. Add a measured point for more GPUs
            ! row 4, gpus: 16. small does not run on more than 2 GPUs. Given 2 GPUs. Correct the request or the curve
        "#]],
    );
}

#[test]
fn limits_outside_of_what_was_measured() {
    check(
        "
        curve large 4:10 8:18
        curve small 1:10 2:18 end
        a row=2 model=large gpus=6 min=2 max=3
        b row=3 model=large gpus=16 min=12 max=16
        c row=4 model=small gpus=16 min=3 max=9
        ",
        expect![[r#"
            = a: 6 of 4 to 4 GPUs, 1 samples
            = b: 16 of 12 to 12 GPUs, 1 samples
            = c: 2 of 2 to 2 GPUs, 1 samples
            ! row 3, gpus: 16. large is measured up to 8 GPUs. Held at the 8-GPU speed. Add a measured point for more GPUs
            i row 3, gpus_max: 16. large is measured up to 8 GPUs. At most 8 are given by elastic policies. Add a measured point for more GPUs, or lower the maximum
            ! row 4, gpus_min: 3. small does not run on more than 2 GPUs. 2 is used. Correct the minimum or the curve
            ! row 4, gpus: 16. small does not run on more than 2 GPUs. Given 2 GPUs. Correct the request or the curve
            ! row 4, gpus_max: 9. small does not run on more than 2 GPUs. At most 2 are given by elastic policies. Add a measured point for more GPUs, or lower the maximum
        "#]],
    );
}

#[test]
fn a_request_below_the_jobs_own_minimum() {
    check(
        "
        curve bert 1:10 4:30
        a row=2 model=bert gpus=1 min=3
        b row=3 model=bert gpus=2 min=2
        ",
        expect![[r#"
            = a: 3 of 3 to 4 GPUs, 1 samples
            = b: 2 of 2 to 4 GPUs, 1 samples
            ! row 2, gpus: 1. At least the job's gpus_min. Given 3 GPUs. Correct one of the two
        "#]],
    );
}

#[test]
fn findings_of_one_kind_are_one_diagnostic_with_their_first_rows() {
    check(
        "
        curve bert 1:10 end
        a row=2 model=bert gpus=2
        b row=3 model=bert gpus=3
        c row=4 model=gpt2
        d row=7 model=bert gpus=4
        e row=8 model=gpt2
        f row=9 model=bert gpus=5
        g row=11 model=bert gpus=6
        h row=12 model=bert gpus=7
        ",
        expect![[r#"
            = a: 1 of 1 to 1 GPUs, 1 samples
            = b: 1 of 1 to 1 GPUs, 1 samples
            = d: 1 of 1 to 1 GPUs, 1 samples
            = f: 1 of 1 to 1 GPUs, 1 samples
            = g: 1 of 1 to 1 GPUs, 1 samples
            = h: 1 of 1 to 1 GPUs, 1 samples
            ! rows 2, 3, 7, 9 and 2 more, gpus: 2. bert does not run on more than 1 GPU. Given 1 GPU. Correct the request or the curve
            x rows 4, 8, model: gpt2. gpt2 has no throughput curve. Left out. Add a curve for this model, or correct its name
        "#]],
    );
}

#[test]
fn rows_are_named_in_order_of_the_file_whatever_the_order_of_submission() {
    check(
        "
        a row=9 at=1 model=bert
        b row=2 at=5 model=bert
        c row=5 at=3 model=bert
        ",
        expect![[r#"
            x rows 2, 5, 9, model: bert. bert has no throughput curve. Left out. Add a curve for this model, or correct its name
        "#]],
    );
}

#[test]
fn generated_jobs_have_no_rows() {
    check(
        "
        a model=bert
        b model=bert
        ",
        expect![[r#"
            x model: bert. bert has no throughput curve. Left out. Add a curve for this model, or correct its name
        "#]],
    );
    check(
        "
        a model=bert
        b model=bert row=7
        c model=bert row=8
        ",
        expect![[r#"
            x rows 7, 8 and 1 more, model: bert. bert has no throughput curve. Left out. Add a curve for this model, or correct its name
        "#]],
    );
}

#[test]
fn jobs_larger_than_the_cluster() {
    check(
        "
        2 nodes of 4
        curve bert 1:10 64:400
        a row=2 model=bert gpus=8
        b row=6 model=bert gpus=9 at=0
        c row=3 model=bert gpus=21 at=4
        ",
        expect![[r#"
            = a: 8 of 1 to 64 GPUs, 1 samples
            = b: 9 of 1 to 64 GPUs, 1 samples
            = c: 21 of 1 to 64 GPUs, 1 samples
            ! rows 3, 6, gpus: c asks for 21. At most the cluster's 8 GPUs. A policy that gives what is asked for drops it; an elastic one gives it fewer. All fit on 6 nodes
        "#]],
    );
}

#[test]
fn jobs_that_need_more_than_the_cluster_has() {
    check(
        "
        2 nodes of 4
        curve bert 1:10 64:400
        a row=2 model=bert gpus=8 min=8
        b row=3 model=bert gpus=9 min=9
        ",
        expect![[r#"
            = a: 8 of 8 to 64 GPUs, 1 samples
            = b: 9 of 9 to 64 GPUs, 1 samples
            ! row 3, gpus: b needs 9. At most the cluster's 8 GPUs. No policy can run it: it is declined, or waits until the end and may hold up others. All fit on 3 nodes
        "#]],
    );
}

#[test]
fn jobs_larger_than_what_is_there_at_once() {
    check(
        "
        3 nodes of 4
        2 at once
        curve bert 1:10 64:400
        a row=2 model=bert gpus=8 min=8
        b row=3 model=bert gpus=9 min=8
        c row=4 model=bert gpus=9 min=9
        d row=5 model=bert gpus=13 min=9
        e row=6 model=bert gpus=13 min=8
        ",
        expect![[r#"
            = a: 8 of 8 to 64 GPUs, 1 samples
            = b: 9 of 8 to 64 GPUs, 1 samples
            = c: 9 of 9 to 64 GPUs, 1 samples
            = d: 13 of 9 to 64 GPUs, 1 samples
            = e: 13 of 8 to 64 GPUs, 1 samples
            ! row 3, gpus: b asks for 9. At most the 8 GPUs that are there at once. A policy that gives what is asked for lets it wait until the end, and maybe others; an elastic one gives it fewer. Add nodes that are always there, or lower the request
            ! row 4, gpus: c needs 9. At most the 8 GPUs that are there at once. No policy can run it: it is declined, or waits until the end and may hold up others. Add nodes that are always there, or lower the request
            ! row 5, gpus: d needs 9. At most the cluster's 12 GPUs. No policy can run it: it is declined, or waits until the end and may hold up others. All fit on 4 nodes
            ! row 6, gpus: e asks for 13. At most the cluster's 12 GPUs. A policy that gives what is asked for drops it; an elastic one gives it fewer. All fit on 4 nodes
        "#]],
    );
}

#[test]
fn a_maximum_beyond_what_is_measured() {
    check(
        "
        curve bert 1:10 4:30
        a row=2 model=bert gpus=1 max=4
        b row=3 model=bert gpus=1 max=5
        ",
        expect![[r#"
            = a: 1 of 1 to 4 GPUs, 1 samples
            = b: 1 of 1 to 4 GPUs, 1 samples
            i row 3, gpus_max: 5. bert is measured up to 4 GPUs. At most 4 are given by elastic policies. Add a measured point for more GPUs, or lower the maximum
        "#]],
    );
}

#[test]
fn nothing_at_all() {
    check("2 nodes of 4", expect![[""]]);
}

#[test]
fn batch_sizes_that_may_be_chosen() {
    check(
        "
        curve vgg/64 times 16:0.1 64:0.3 reduce 2:0.05 4:0.1
        curve bert/32 1:10 2:18
        curve bert/64 2:20 4:36
        a row=2 model=vgg/200 gpus=4 batches=16..256
        b row=3 model=vgg batches=100..200
        c row=4 model=vgg/32 batches=16..64 min=2
        d row=5 model=bert/64 gpus=2 batches=16..64
        ",
        expect![[r#"
            = a: 4 of 4 to 4 GPUs, 1 samples, batch 200 or from 16 to 256, 1 GPUs at least
            = b: 2 of 2 to 4 GPUs, 1 samples, batch 100 or from 100 to 200, 2 GPUs at least
            = c: 2 of 2 to 4 GPUs, 1 samples, batch 32 or from 16 to 64, 2 GPUs at least
            = d: 2 of 2 to 4 GPUs, 1 samples, batch 64 or from 16 to 64, 1 GPUs at least
            i row 3, batch_global: 100 to 200. A batch size for policies that do not choose it. 100, the smallest, is used. Add the column batch_global
            ! row 3, gpus: 1. vgg at batch 100 fits on 2 GPUs or more. Given 2 GPUs. Ask for more GPUs or a smaller batch
            ! row 4, gpus: 1. At least the job's gpus_min. Given 2 GPUs. Correct one of the two
        "#]],
    );
}

#[test]
fn batch_sizes_that_do_not_fit() {
    check(
        "
        curve vgg/64 times 16:0.1 64:0.3 reduce 2:0.05 4:0.1
        a row=2 model=vgg/300 gpus=4 batches=16..512
        b row=3 model=vgg batches=257..512
        c row=4 model=vgg/300 gpus=4
        ",
        expect![[r#"
            = a: 4 of 4 to 4 GPUs, 1 samples, batch 256 or from 16 to 512, 1 GPUs at least
            ! row 2, batch_global: 300. At most 256 samples of vgg fit on the GPUs that were measured. 256 is used. Lower the batch size, or add measurements with more samples or GPUs
            x rows 3, 4, batch_global: vgg at batch 257. vgg was measured with up to 64 samples on each of 4 GPUs. Left out. Lower the batch size (batch_min), or add measurements with more samples or GPUs
        "#]],
    );
}

#[test]
fn a_range_of_batch_sizes_without_speeds_is_not_used() {
    check(
        "
        curve bert 1:10 2:18
        curve gpt/64 1:10 2:18
        a row=2 model=bert/64 gpus=2 batches=16..64
        b row=3 model=gpt/64 gpus=2 batches=16..64
        ",
        expect![[r#"
            = a: 2 of 1 to 2 GPUs, 1 samples
            = b: 2 of 1 to 2 GPUs, 1 samples, batch 64 or from 16 to 64, 1 GPUs at least
            ! row 2, batch_min: 16 to 64. The speed of bert at batch sizes of this range. Its batch size is not changed. Add processing and all-reduce times, or curves at several batch sizes
            i row 2, batch_global: 64. The curve of bert names no batch size. Used for every batch size. Add a curve for the batch size to be exact
        "#]],
    );
}
