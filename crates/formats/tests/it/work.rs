//! Work and rescale costs of plain job traces: what columns may say, and the findings about bad ones.

use expect_test::{Expect, expect};

use crate::{as_text, read};

/// The findings about rows below a header, without the notes on optional columns that no test here is about.
fn check(header: &str, rows: &str, expected: Expect) {
    let text = format!("job_id,submit_s,model,gpus,batch_global,gpus_min,gpus_max,deadline_s,user,{header}\n{rows}");
    let import = read(&[("in.csv", text.as_bytes())]);
    crate::assert_adds_up(&import);
    expected.assert_eq(&as_text(&import));
}

#[test]
fn gpu_seconds_and_epochs() {
    check(
        "samples_per_epoch,epochs,gpu_seconds,duration_s",
        "a,0,bert,2,64,1,2,9,u,,,7200,\nb,0,bert,2,64,1,2,9,u,50000,2.5,,\nc,0,bert,2,64,1,2,9,u,50000,2,7200,60\n\
         d,0,bert,2,64,1,2,9,u,50000,2,7200,\n",
        expect![[r#"
            in.csv: Plain job trace, 4 jobs; 4 rows read
            = a row 2 at 0 bert/64 on 2 (Some(1) to Some(2)), 7200 GPU-s, until 9, by u
            = b row 3 at 0 bert/64 on 2 (Some(1) to Some(2)), 2.5 epochs of 50000, until 9, by u
            = c row 4 at 0 bert/64 on 2 (Some(1) to Some(2)), 60 s, until 9, by u
            = d row 5 at 0 bert/64 on 2 (Some(1) to Some(2)), 7200 GPU-s, until 9, by u
        "#]],
    );
}

#[test]
fn epochs_alone() {
    check(
        "epochs,samples_per_epoch",
        "a,0,bert,2,64,1,2,9,u,3,\nb,0,bert,2,64,1,2,9,u,,50\nc,0,bert,2,64,1,2,9,u,,\nd,0,bert,2,64,1,2,9,u,x,0\n\
         e,0,bert,2,64,1,2,9,u,-1,\nf,0,bert,2,64,1,2,9,u,,1e19\ng,0,bert,2,64,1,2,9,u,1,1\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 7 rows read, 6 left out
            x in.csv, rows 2, 5, 6, 7, samples_per_epoch: empty, 0, 1e19. Number above 0, at most 1e18. Row left out. Correct the values
            x in.csv, rows 3, 4, 5, 6 and 1 more, epochs: empty, x, -1. Number above 0, at most 1e18. Row left out. Correct the values
            = g row 8 at 0 bert/64 on 2 (Some(1) to Some(2)), 1 epochs of 1, until 9, by u
        "#]],
    );
}

#[test]
fn epochs_beside_samples() {
    check(
        "samples,epochs,samples_per_epoch",
        "a,0,bert,2,64,1,2,9,u,5,3,\nb,0,bert,2,64,1,2,9,u,,3,\nc,0,bert,2,64,1,2,9,u,,,3\nd,0,bert,2,64,1,2,9,u,,,\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 4 rows read, 3 left out
            x in.csv, row 3, samples_per_epoch: empty. Number above 0, at most 1e18. Row left out. Fill in the value
            x in.csv, row 4, epochs: empty. Number above 0, at most 1e18. Row left out. Fill in the value
            x in.csv, row 5, samples: empty. Number above 0, at most 1e18. Row left out. Fill in the value
            = a row 2 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u
        "#]],
    );
    check(
        "samples,epochs",
        "a,0,bert,2,64,1,2,9,u,5,3\nb,0,bert,2,64,1,2,9,u,,3\nc,0,bert,2,64,1,2,9,u,,\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 3 rows read, 2 left out
            x in.csv, row 3, epochs: 3. Epochs need samples_per_epoch to become samples. Row left out. Add the column samples_per_epoch, or give samples
            x in.csv, row 4, samples: empty. Number above 0, at most 1e18. Row left out. Fill in the value
            = a row 2 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u
        "#]],
    );
}

#[test]
fn half_of_the_columns_of_epochs() {
    check(
        "epochs",
        "a,0,bert,2,64,1,2,9,u,5\n",
        expect![[r#"
        in.csv: Plain job trace? Not used. No column samples_per_epoch
        x in.csv, row 1, samples_per_epoch. Plain job trace: a column samples_per_epoch. File not used. Add the column samples_per_epoch
    "#]],
    );
    check(
        "samples_per_epoch",
        "a,0,bert,2,64,1,2,9,u,5\n",
        expect![[r#"
        in.csv: Plain job trace? Not used. No column epochs
        x in.csv, row 1, epochs. Plain job trace: a column epochs. File not used. Add the column epochs
    "#]],
    );
}

#[test]
fn rescale_costs() {
    check(
        "samples,rescale_up_s,rescale_down_s",
        "a,0,bert,2,64,1,2,9,u,5,40,0\nb,0,bert,2,64,1,2,9,u,5,40,\nc,0,bert,2,64,1,2,9,u,5,,7.5\n\
         d,0,bert,2,64,1,2,9,u,5,,\n",
        expect![[r#"
            in.csv: Plain job trace, 4 jobs; 4 rows read, 3 with values filled in
            i in.csv, row 3, rescale_down_s: empty. An empty cell means the default. rescale_up_s is used. Fill in the value where another one is meant
            i in.csv, row 4, rescale_up_s: empty. An empty cell means the default. rescale_down_s is used. Fill in the value where another one is meant
            i in.csv, row 5, rescale_up_s: empty. An empty cell means the default. The scenario's rescale cost is used. Fill in the value where another one is meant
            i in.csv, row 5, rescale_down_s: empty. An empty cell means the default. The scenario's rescale cost is used. Fill in the value where another one is meant
            = a row 2 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u, rescale 40 up 0 down
            = b row 3 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u, rescale 40 up 40 down
            = c row 4 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u, rescale 7.5 up 7.5 down
            = d row 5 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u
        "#]],
    );
}

#[test]
fn rescale_costs_in_one_direction() {
    check(
        "samples,rescale_up_s",
        "a,0,bert,2,64,1,2,9,u,5,40\nb,0,bert,2,64,1,2,9,u,5,\n",
        expect![[r#"
            in.csv: Plain job trace, 2 jobs; 2 rows read, 1 with values filled in
            i in.csv, row 3, rescale_up_s: empty. An empty cell means the default. The scenario's rescale cost is used. Fill in the value where another one is meant
            i in.csv, rescale_down_s. No rescale_down_s column. rescale_up_s is used. Add the column to say otherwise
            = a row 2 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u, rescale 40 up 40 down
            = b row 3 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u
        "#]],
    );
    check(
        "samples,rescale_down_s",
        "a,0,bert,2,64,1,2,9,u,5,31536000\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 1 row read
            i in.csv, rescale_up_s. No rescale_up_s column. rescale_down_s is used. Add the column to say otherwise
            = a row 2 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u, rescale 31536000 up 31536000 down
        "#]],
    );
    check(
        "samples,rescale_down_s",
        "a,0,bert,2,64,1,2,9,u,5,\n",
        expect![[r#"
            in.csv: Plain job trace, 1 job; 1 row read, 1 with values filled in
            i in.csv, row 2, rescale_down_s: empty. An empty cell means the default. The scenario's rescale cost is used. Fill in the value where another one is meant
            = a row 2 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u
        "#]],
    );
}

#[test]
fn bad_rescale_costs() {
    check(
        "samples,rescale_up_s,rescale_down_s",
        "a,0,bert,2,64,1,2,9,u,5,-1,3\nb,0,bert,2,64,1,2,9,u,5,3,31536001\nc,0,bert,2,64,1,2,9,u,5,30s,slow\n\
         d,0,bert,2,64,1,2,9,u,5,x,\n",
        expect![[r#"
            in.csv: Plain job trace, 4 jobs; 4 rows read, 4 with values filled in
            ! in.csv, row 2, rescale_up_s: -1. Seconds, from 0 to 31,536,000. rescale_down_s is used. Correct the value
            ! in.csv, row 3, rescale_down_s: 31536001. Seconds, from 0 to 31,536,000. rescale_up_s is used. Correct the value
            ! in.csv, rows 4, 5, rescale_up_s: 30s, x. Seconds, from 0 to 31,536,000. Treated as missing. Correct the values
            ! in.csv, row 4, rescale_down_s: slow. Seconds, from 0 to 31,536,000. Treated as missing. Write a number
            i in.csv, row 5, rescale_down_s: empty. An empty cell means the default. The scenario's rescale cost is used. Fill in the value where another one is meant
            = a row 2 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u, rescale 3 up 3 down
            = b row 3 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u, rescale 3 up 3 down
            = c row 4 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u
            = d row 5 at 0 bert/64 on 2 (Some(1) to Some(2)), 5 samples, until 9, by u
        "#]],
    );
}
