//! Plain curves that say where their GPUs were: on how many nodes, or packed and spread.

use expect_test::{Expect, expect};

use crate::{as_text, read};

/// The findings about rows of (model, GPUs, then what the header adds, samples/s).
fn check(header: &str, rows: &str, expected: Expect) {
    let import = read(&[("in.csv", format!("model,batch_global,gpus,{header}samples_per_s\n{rows}").as_bytes())]);
    crate::assert_adds_up(&import);
    expected.assert_eq(&as_text(&import));
}

#[test]
fn points_by_nodes() {
    check(
        "nodes,",
        "bert,64,4,1,30\nbert,64,4,2,28\nbert,64,1,1,10\nbert,64,8,2,50\nbert,64,8,4,41\n",
        expect![[r#"
            in.csv: Plain throughput curves: 1 curve, 5 points; 5 rows read
            ~ bert at batch 64 1:10 4:30 8:50, nodes 1 1:10 4:30, nodes 2 4:28 8:50, nodes 4 8:41
        "#]],
    );
}

#[test]
fn points_by_nodes_that_end() {
    check(
        "nodes,",
        "a,64,1,1,10\na,64,2,1,0\na,64,2,2,15\nb,64,1,1,10\nb,64,2,2,15\nb,64,4,2,0\nc,64,1,1,10\nc,64,2,2,15\nc,64,4,,0\n",
        expect![[r#"
            in.csv: Plain throughput curves: 3 curves, 6 points; 9 rows read
            i in.csv, rows 3, 7, samples_per_s: 0. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs, unless it does on other nodes. Fill in the value if it does
            i in.csv, row 10, samples_per_s: 0. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            ~ a at batch 64 1:10 2:15, nodes 1 1:10, nodes 2 2:15
            ~ b at batch 64 1:10 2:15 end, nodes 1 1:10, nodes 2 2:15
            ~ c at batch 64 1:10 2:15 end, nodes 1 1:10, nodes 2 2:15
        "#]],
    );
}

#[test]
fn nodes_that_cannot_be() {
    check(
        "nodes,",
        "bert,64,1,1,10\nbert,64,2,0,9\nbert,64,2,3,9\nbert,64,2,1.5,9\nbert,64,2,two,9\nbert,64,2,-1,9\nbert,64,2,1,19\n\
         bert,64,2,1,18\nbert,64,x,99,18\n",
        expect![[r#"
            in.csv: Plain throughput curves: 1 curve, 2 points; 9 rows read, 7 left out
            x in.csv, rows 3, 4, 5, 6 and 1 more, nodes: 0, 3, 1.5 and 2 other values. Whole number from 1 to the number of GPUs. Row left out. Correct the values
            x in.csv, row 9, gpus: 2. One row for a model, batch size, number of GPUs and number of nodes. The first is used; row left out. Remove one of them, or merge them to their mean
            x in.csv, row 10, gpus: x. Whole number from 1 to 65,536. Row left out. Write a number
            ~ bert at batch 64 1:10 2:19, nodes 1 1:10 2:19
        "#]],
    );
}

#[test]
fn rows_without_nodes_among_rows_with() {
    check(
        "nodes,",
        "a,64,1,,10\na,64,2,1,19\na,64,2,2,17\na,64,16,,99\na,64,8,,0\nb,64,1,,10\nb,64,2,,19\nc,64,1,1,0\nc,64,2,,9\nc,64,4,,12\n",
        expect![[r#"
            in.csv: Plain throughput curves: 3 curves, 6 points; 10 rows read, 2 left out
            x in.csv, rows 2, 5, nodes: empty. A number of nodes, as other rows of the curve have. Row left out. Fill in the nodes
            i in.csv, row 6, samples_per_s: 0. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            i in.csv, row 9, samples_per_s: 0. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs, unless it does on other nodes. Fill in the value if it does
            ~ a at batch 64 2:19 end, nodes 1 2:19, nodes 2 2:17
            ~ b at batch 64 1:10 2:19
            ~ c at batch 64 2:9 4:12
        "#]],
    );
}

#[test]
fn packed_and_spread() {
    check(
        "placement,",
        "bert,64,1,packed,10\nbert,64,2,Packed,19\nbert,64,2,SPREAD,15\nbert,64,4,spread,24\n",
        expect![[r#"
            in.csv: Plain throughput curves: 1 curve, 4 points; 4 rows read
            ~ bert at batch 64 1:10 2:19, spread 2:15 4:24
        "#]],
    );
}

#[test]
fn an_empty_placement_is_packed() {
    check(
        "placement,",
        "bert,64,1,,10\nbert,64,2,,19\nbert,64,2,spread,15\ngpt2,64,1,,5\ngpt2,64,2,packed,9\n",
        expect![[r#"
            in.csv: Plain throughput curves: 2 curves, 5 points; 5 rows read, 2 with values filled in
            i in.csv, rows 2, 3, placement: empty. An empty cell means the default. Taken as packed. Fill in the value where another one is meant
            ~ bert at batch 64 1:10 2:19, spread 2:15
            ~ gpt2 at batch 64 1:5 2:9
        "#]],
    );
}

#[test]
fn packed_and_spread_that_do_not_run() {
    check(
        "placement,",
        "a,64,1,packed,10\na,64,2,packed,19\na,64,2,spread,15\na,64,4,packed,0\nb,64,1,packed,10\nb,64,2,packed,19\n\
         b,64,2,spread,\nb,64,4,spread,0\n",
        expect![[r#"
            in.csv: Plain throughput curves: 2 curves, 5 points; 8 rows read, 2 left out
            x in.csv, rows 8, 9, samples_per_s: empty, 0. A throughput above 0 for spread GPUs. Row left out. Fill in the value, or remove the row
            i in.csv, row 5, samples_per_s: 0. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            ~ a at batch 64 1:10 2:19 end, spread 2:15
            ~ b at batch 64 1:10 2:19
        "#]],
    );
}

#[test]
fn placements_that_are_none() {
    check(
        "placement,",
        "bert,64,1,packed,10\nbert,64,2,dense,19\nbert,64,2,1,19\nbert,64,2,packed,19\nbert,64,2,packed,18\n\
         bert,64,2,spread,15\nbert,64,2,spread,14\nbert,64,2,,17\n",
        expect![[r#"
            in.csv: Plain throughput curves: 1 curve, 3 points; 8 rows read, 5 left out
            x in.csv, rows 3, 4, placement: dense, 1. packed or spread. Row left out. Write packed for GPUs on as few nodes as possible, else spread
            x in.csv, rows 6, 8, 9, gpus: 2. One row for a model, batch size, number of GPUs and placement. The first is used; row left out. Remove one of them, or merge them to their mean
            ~ bert at batch 64 1:10 2:19, spread 2:15
        "#]],
    );
}

#[test]
fn spread_points_only() {
    check(
        "placement,",
        "a,64,1,spread,10\na,64,2,spread,19\nb,64,1,spread,10\nb,64,2,spread,15\nb,64,4,packed,0\nc,64,1,packed,0\n",
        expect![[r#"
            in.csv: Plain throughput curves: 2 curves, 4 points; 6 rows read
            x in.csv: c at batch 64. A number of GPUs on which the model runs. Curve left out. Add measured points
            ! in.csv: a at batch 64 and 1 more. Points for packed GPUs beside those for spread ones. The points for spread GPUs are used for packed ones too. Add measured points
            i in.csv, rows 6, 7, samples_per_s: 0. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            ~ a at batch 64 1:10 2:19
            ~ b at batch 64 1:10 2:15 end
        "#]],
    );
}

#[test]
fn nodes_and_placement() {
    check(
        "nodes,placement,",
        "a,64,1,1,packed,10\na,64,2,1,packed,19\na,64,2,2,spread,17\na,64,4,,spread,30\nb,64,1,,packed,10\n\
         b,64,2,,packed,19\nb,64,2,,spread,17\nc,64,1,,,10\nc,64,2,,,19\nd,64,1,1,anything,10\nd,64,2,1,,19\n",
        expect![[r#"
            in.csv: Plain throughput curves: 4 curves, 10 points; 11 rows read, 1 left out
            x in.csv, row 5, nodes: empty. A number of nodes, as other rows of the curve have. Row left out. Fill in the nodes
            i in.csv, rows 2, 3, 4, 11, placement: packed, spread, anything. Nodes or a placement, not both. The nodes are used. Nothing to do, if the nodes are right
            ~ a at batch 64 1:10 2:19, nodes 1 1:10 2:19, nodes 2 2:17
            ~ b at batch 64 1:10 2:19, spread 2:17
            ~ c at batch 64 1:10 2:19
            ~ d at batch 64 1:10 2:19, nodes 1 1:10 2:19
        "#]],
    );
}

#[test]
fn all_points_are_counted() {
    let import = read(&[(
        "x.csv",
        b"model,gpus,nodes,placement,samples_per_s\na,1,1,,1\na,2,1,,2\na,2,2,,1\nb,1,,packed,1\nb,1,,spread,1\n",
    )]);
    assert_eq!((import.files[0].curves, import.files[0].points), (2, 5));
}
