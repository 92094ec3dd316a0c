//! Availability logs: the four shapes, and the findings about damaged ones.

use expect_test::{Expect, expect};

use crate::{as_text, read};

fn check(input: &str, expected: Expect) {
    let import = read(&[("in.csv", input.as_bytes())]);
    crate::assert_adds_up(&import);
    expected.assert_eq(&as_text(&import));
}

#[test]
fn intervals_with_date_and_time() {
    check(
        "node,idle_start,idle_end\ne28n07,2021-02-10 20:21:15,2021-02-10 20:24:07\ne28n06,2021-02-10 20:21:15.5,\ne28n07,2021-02-11T00:00:00,2021-02-11\n",
        expect![[r#"
            in.csv: Node availability (intervals), 2 nodes, 2 intervals; 3 rows read, 1 left out
            x in.csv, row 4, idle_end: 2021-02-11. Later than the start. Row left out. Correct one of the two times
            # e28n06 from 0.5
            # e28n07 0 to 172
            # until 172
        "#]],
    );
}

#[test]
fn intervals_in_seconds() {
    check(
        "node,start_s,end_s\nn2,100,160\nn10,150,1e3\nn2,160,170.5\nn2,200,\n",
        expect![[r#"
            in.csv: Node availability (intervals), 2 nodes, 3 intervals; 4 rows read
            # n2 100 to 170.5, from 200
            # n10 150 to 1000
            # until 1000
        "#]],
    );
    check(
        "Host;available_from;available_until;rack\na;5;6;x\n",
        expect![[r#"
            in.csv: Node availability (intervals), 1 node, 1 interval; 1 row read
            i in.csv, row 1. Columns are separated by semicolons. Read so. Nothing to do
            i in.csv, row 1: rack. Columns of the format. Not used. Check the spelling, if one of them should count
            # a 5 to 6
            # until 6
        "#]],
    );
    check(
        "node,start,end,log_end\na,5,6,\nb,6,7,60\nc,7,,\n",
        expect![[r#"
            in.csv: Node availability (intervals), 3 nodes, 3 intervals; 3 rows read
            # a 5 to 6
            # b 6 to 7
            # c from 7
            # until 60
        "#]],
    );
}

#[test]
fn events() {
    check(
        "timestamp,node,idle\n2021-02-10 20:21:15,b,1\n2021-02-10 20:21:15,a,1\n2021-02-10 20:22:15,b,0\n2021-02-10 20:23:15,b,1\n2021-02-10 20:23:45,a,0\n2021-02-10 20:30:15,c,0\n",
        expect![[r#"
            in.csv: Node availability (events), 2 nodes, 3 intervals; 6 rows read
            i in.csv: c. A node is there at some time. Node left out. Nothing to do
            # a 0 to 150
            # b 0 to 60, from 120
            # until 540
        "#]],
    );
    check(
        "time_s,node,up\n10,a,true\n20,a,1\n30,a,no\n40,a,0\n",
        expect![[r#"
            in.csv: Node availability (events), 1 node, 1 interval; 4 rows read
            # a 10 to 30
            # until 40
        "#]],
    );
}

#[test]
fn matrix() {
    check(
        "timestamp,a,b,c,d\n2021-02-10 20:21:15,0,1,0,0\n2021-02-10 20:22:15,1,1,0,0\n2021-02-10 20:23:15,1,1,0,0\n2021-02-10 20:24:15,1,0,0,0\n2021-02-10 20:25:15,1,0,0,0\n",
        expect![[r#"
            in.csv: Node availability (matrix), 2 nodes, 2 intervals; 5 rows read
            i in.csv: c and 1 more. A node is there at some time. Node left out. Nothing to do
            # a from 60
            # b 0 to 180
            # until 240
        "#]],
    );
    check(
        "time\ta\n5\t1.0\n6\t0.0\n",
        expect![[r#"
            in.csv: Node availability (matrix), 1 node, 1 interval; 2 rows read
            i in.csv, row 1. Columns are separated by tabs. Read so. Nothing to do
            # a 5 to 6
            # until 6
        "#]],
    );
}

#[test]
fn a_data_frame_has_no_name_for_its_times() {
    check(
        ",c05n06,c05n07\n2021-02-10 00:08:52,1,0\n2021-02-10 00:09:22,1,1\n",
        expect![[r#"
            in.csv: Node availability (matrix), 2 nodes, 2 intervals; 2 rows read
            # c05n06 from 0
            # c05n07 from 30
            # until 30
        "#]],
    );
    // Numbers of rows are no times.
    check(
        ",c05n06,c05n07\n0,1,0\n1,1,1\n",
        expect![[r#"
            in.csv: Not used. Columns not recognised: c05n06, c05n07
            x in.csv. Columns not recognised: c05n06, c05n07. File not used. Name them job_id, submit_s, model, gpus, samples for jobs, model, gpus, samples_per_s for curves, or node, start_s, end_s for availability
        "#]],
    );
}

#[test]
fn counts() {
    check(
        "timestamp,idle_nodes\n2021-02-10 20:21:15,2\n2021-02-10 20:22:15,11\n2021-02-10 20:23:15,11\n2021-02-10 20:24:15,1\n2021-02-10 20:25:15,0\n2021-02-10 20:26:15,1\n",
        expect![[r#"
            in.csv: Node availability (counts), 11 nodes, 12 intervals; 6 rows read
            i in.csv, node. No node column. The last node to come is the first to go. Use a log of single nodes to be exact
            # node-1 0 to 240, from 300
            # node-2 0 to 180
            # node-3 60 to 180
            # node-4 60 to 180
            # node-5 60 to 180
            # node-6 60 to 180
            # node-7 60 to 180
            # node-8 60 to 180
            # node-9 60 to 180
            # node-10 60 to 180
            # node-11 60 to 180
            # until 300
        "#]],
    );
}

#[test]
fn a_python_pickle() {
    let import = read(&[("idle.pkl", b"\x80\x04\x95\x10\0\0\0\0\0\0\0pandas")]);
    expect![[r#"
        idle.pkl: Not used. Python pickles cannot be read here
        x idle.pkl. Python pickles cannot be read here. File not used. Convert it and drop what comes of it: python3 -c "import pandas as pd; pd.read_pickle('x.pkl').to_csv('x.csv')"
    "#]].assert_eq(&as_text(&import));
}

#[test]
fn bad_times() {
    check(
        "node,start_s,end_s\nok,0,9\na,,9\na,noon,9\na,1,later\na,2021-02-10 20:21:15,9\na,-1,9\na,1e12,\na,1,2021-02-10\n",
        expect![[r#"
            in.csv: Node availability (intervals), 1 node, 1 interval; 8 rows read, 7 left out
            x in.csv, rows 3, 4, 7, 8, start_s: empty, noon, -1 and 1 other value. Date and time, or seconds from 0 to 1e11. Row left out. Write it as 2021-02-10 20:21:15, or as a number of seconds
            x in.csv, row 5, end_s: later. Date and time, or seconds from 0 to 1e11. Row left out. Write it as 2021-02-10 20:21:15, or as a number of seconds
            x in.csv, row 6, start_s: 2021-02-10 20:21:15. All times of a file as the first: date and time, or seconds. Row left out. Write all times in one way
            x in.csv, row 9, end_s: 2021-02-10. All times of a file as the first: date and time, or seconds. Row left out. Write all times in one way
            # ok 0 to 9
            # until 9
        "#]],
    );
    check(
        "timestamp,node,idle\n2021-02-10 20:21:15,ok,1\n2021-02-30 20:21:15,a,1\n2021-02-10 25:21:15,a,1\n10/02/2021 20:21,a,1\n,a,1\n60,a,1\n",
        expect![[r#"
            in.csv: Node availability (events), 1 node, 1 interval; 6 rows read, 5 left out
            x in.csv, rows 3, 4, 5, 6, timestamp: 2021-02-30 20:21:15, 2021-02-10 25:21:15, 10/02/2021 20:21 and 1 other value. Date and time, or seconds from 0 to 1e11. Row left out. Write it as 2021-02-10 20:21:15, or as a number of seconds
            x in.csv, row 7, timestamp: 60. All times of a file as the first: date and time, or seconds. Row left out. Write all times in one way
            # ok from 0
            # until 0
        "#]],
    );
    check(
        "timestamp,idle_nodes\n0,1\nx,2\n",
        expect![[r#"
            in.csv: Node availability (counts), 1 node, 1 interval; 2 rows read, 1 left out
            x in.csv, row 3, timestamp: x. Date and time, or seconds from 0 to 1e11. Row left out. Write it as 2021-02-10 20:21:15, or as a number of seconds
            i in.csv, node. No node column. The last node to come is the first to go. Use a log of single nodes to be exact
            # node-1 from 0
            # until 0
        "#]],
    );
    check(
        "timestamp,a\n0,1\nx,0\n5,1\n6,1\n7,1\n",
        expect![[r#"
            in.csv: Node availability (matrix), 1 node, 1 interval; 5 rows read, 1 left out
            x in.csv, row 3, timestamp: x. Date and time, or seconds from 0 to 1e11. Row left out. Write it as 2021-02-10 20:21:15, or as a number of seconds
            # a from 0
            # until 7
        "#]],
    );
}

#[test]
fn times_with_and_without_a_zone() {
    // The second row is an hour earlier than it looks: without a zone it would come after the first.
    check(
        "timestamp,node,up\n2021-02-10 20:00:00,a,1\n2021-02-10 20:30:00+01:00,b,1\n2021-02-10 21:00:00,a,0\n",
        expect![[r#"
            in.csv: Node availability (events), 2 nodes, 2 intervals; 3 rows read, 1 with values filled in
            ! in.csv, row 3, timestamp: 2021-02-10 20:30:00+01:00. A time zone in all times of a file, as in the first, or in none. Times without one are taken as UTC. Write all times with their zone, or all without
            i in.csv, row 3, timestamp: 2021-02-10 20:30:00+01:00. Rows in order of time. Put in order. Nothing to do
            # a 1800 to 5400
            # b from 0
            # until 5400
        "#]],
    );
    check(
        "node,start_s,end_s\na,2021-02-10T20:00:00Z,2021-02-10 20:10:00\nb,2021-02-10,\n",
        expect![[r#"
            in.csv: Node availability (intervals), 2 nodes, 2 intervals; 2 rows read, 2 with values filled in
            ! in.csv, row 2, end_s: 2021-02-10 20:10:00. A time zone in all times of a file, as in the first, or in none. Times without one are taken as UTC. Write all times with their zone, or all without
            ! in.csv, row 3, start_s: 2021-02-10. A time zone in all times of a file, as in the first, or in none. Times without one are taken as UTC. Write all times with their zone, or all without
            i in.csv, row 3, start_s: 2021-02-10. Rows in order of time. Put in order. Nothing to do
            # a 72000 to 72600
            # b from 0
            # until 72600
        "#]],
    );
    check(
        "timestamp,nodes\n2021-02-10T20:00:00+01:00,3\n2021-02-10T19:10:00Z,2\n",
        expect![[r#"
            in.csv: Node availability (counts), 3 nodes, 3 intervals; 2 rows read
            i in.csv, node. No node column. The last node to come is the first to go. Use a log of single nodes to be exact
            # node-1 from 0
            # node-2 from 0
            # node-3 0 to 600
            # until 600
        "#]],
    );
}

#[test]
fn a_long_time_without_a_row() {
    let log = |head: &str, row: &dyn Fn(u32) -> String, gap_s: u32| {
        // The nineteenth step is longer than the others.
        let time_s = |nth: u32| nth * 60 + if nth > 18 { gap_s } else { 0 };
        (0..40).fold(head.to_string(), |text, nth| text + &format!("{},{}\n", time_s(nth), row(nth)))
    };
    let gaps = |log: &str| -> Vec<String> {
        let import = read(&[("log.csv", log.as_bytes())]);
        crate::assert_adds_up(&import);
        let gaps = import.diagnostics.iter().filter(|found| found.outcome.starts_with("Nodes are taken to stay"));
        gaps.map(|found| format!("{:?} {:?} x{}", found.place.row, found.value, found.count)).collect()
    };
    let expected = [r#"Some(21) Some("3600 s after row 20") x1"#];
    let counts = |gap_s: u32| log("time_s,nodes\n", &|nth| (3 + nth % 2).to_string(), gap_s);
    assert_eq!(gaps(&counts(3540)), expected);
    // Ten times as long as usual is not a gap yet.
    assert_eq!(gaps(&counts(540)), [""; 0]);
    assert_eq!(gaps(&counts(541)).len(), 1);
    assert_eq!(gaps(&log("time_s,a,b\n", &|nth| format!("1,{}", nth % 2), 3540)), expected);
    assert_eq!(gaps(&log("time_s,node,up\n", &|nth| format!("a,{}", nth % 2), 3540)), expected);
    // A few rows do not say what is usual, nor do rows of one moment.
    assert_eq!(gaps("time_s,nodes\n0,1\n10,2\n20,1\n9000,2\n"), [""; 0]);
    assert_eq!(gaps(&format!("time_s,node,up\n{}500,a,0\n", "0,a,1\n".repeat(30))), [""; 0]);
}

#[test]
fn rows_that_are_there_twice() {
    check(
        "time_s,node,up\n0,a,1\n0,a,1\n5,a,0\n9,a,0\n9,b,1\n5,a,0\n",
        expect![[r#"
            in.csv: Node availability (events), 2 nodes, 2 intervals; 6 rows read
            i in.csv, row 7, time_s: 5. Rows in order of time. Put in order. Nothing to do
            i in.csv, rows 3, 7: a, as row 2, a, as row 4. One row for a node and time. The row says the same again: nothing changes. Nothing to do
            # a 0 to 5
            # b from 9
            # until 9
        "#]],
    );
    check(
        "node,start_s,end_s\na,0,5\na,0,5\nb,1,9\n",
        expect![[r#"
            in.csv: Node availability (intervals), 2 nodes, 2 intervals; 3 rows read, 1 with values filled in
            ! in.csv, row 3: a, with row 2. Intervals of a node do not overlap. Joined to one. Correct the times, or remove one of the rows
            # a 0 to 5
            # b 1 to 9
            # until 9
        "#]],
    );
}

#[test]
fn intervals_without_length() {
    check(
        "node,start_s,end_s\na,5,5\na,6,4\na,7,8\n",
        expect![[r#"
            in.csv: Node availability (intervals), 1 node, 1 interval; 3 rows read, 2 left out
            x in.csv, rows 2, 3, end_s: 5, 4. Later than the start. Row left out. Correct one of the two times
            # a 7 to 8
            # until 8
        "#]],
    );
}

#[test]
fn intervals_that_overlap() {
    // From left to right, inside another one, twice the same, and behind one that never ends.
    check(
        "node,start_s,end_s\na,0,10\na,5,20\nb,0,10\nb,2,3\nb,4,5\nc,1,2\nc,1,2\nd,1,\nd,5,6\nd,8,\n",
        expect![[r#"
            in.csv: Node availability (intervals), 4 nodes, 4 intervals; 10 rows read, 6 with values filled in
            ! in.csv, rows 3, 5, 6, 8 and 2 more: a, with row 2, b, with row 4, c, with row 7 and 1 other value. Intervals of a node do not overlap. Joined to one. Correct the times, or remove one of the rows
            i in.csv, rows 4, 5, 6, 7 and 2 more, start_s: 0, 2, 4 and 1 other value. Rows in order of time. Put in order. Nothing to do
            # a 0 to 20
            # b 0 to 10
            # c 1 to 2
            # d from 1
            # until 20
        "#]],
    );
    // One that is repaired twice counts once.
    check(
        "node,start_s,end_s,log_end\na,0,10,\na,5,20,x\n",
        expect![[r#"
            in.csv: Node availability (intervals), 1 node, 1 interval; 2 rows read, 1 with values filled in
            ! in.csv, row 3, log_end: x. Date and time, or seconds from 0 to 1e11. Treated as missing. Write it as 2021-02-10 20:21:15, or as a number of seconds
            ! in.csv, row 3: a, with row 2. Intervals of a node do not overlap. Joined to one. Correct the times, or remove one of the rows
            # a 0 to 20
            # until 20
        "#]],
    );
}

#[test]
fn rows_that_are_not_in_order() {
    check(
        "node,start_s,end_s\na,5,6\nb,1,2\na,3,4\na,9,\n",
        expect![[r#"
            in.csv: Node availability (intervals), 2 nodes, 4 intervals; 4 rows read
            i in.csv, rows 3, 4, start_s: 1, 3. Rows in order of time. Put in order. Nothing to do
            # a 3 to 4, 5 to 6, from 9
            # b 1 to 2
            # until 9
        "#]],
    );
    check(
        "timestamp,node,up\n9,a,0\n3,a,1\n",
        expect![[r#"
            in.csv: Node availability (events), 1 node, 1 interval; 2 rows read
            i in.csv, row 3, timestamp: 3. Rows in order of time. Put in order. Nothing to do
            # a 3 to 9
            # until 9
        "#]],
    );
    check(
        "timestamp,nodes\n9,0\n3,1\n",
        expect![[r#"
            in.csv: Node availability (counts), 1 node, 1 interval; 2 rows read
            i in.csv, row 3, timestamp: 3. Rows in order of time. Put in order. Nothing to do
            i in.csv, node. No node column. The last node to come is the first to go. Use a log of single nodes to be exact
            # node-1 3 to 9
            # until 9
        "#]],
    );
    check(
        "timestamp,a\n9,0\n3,1\n",
        expect![[r#"
            in.csv: Node availability (matrix), 1 node, 1 interval; 2 rows read
            i in.csv, row 3, timestamp: 3. Rows in order of time. Put in order. Nothing to do
            # a 3 to 9
            # until 9
        "#]],
    );
}

#[test]
fn nodes_without_a_name() {
    check(
        "node,start_s,end_s\n,5,6\nb,1,2\n",
        expect![[r#"
            in.csv: Node availability (intervals), 1 node, 1 interval; 2 rows read, 1 left out
            x in.csv, row 2, node: empty. The node's name. Row left out. Fill in the name
            # b 1 to 2
            # until 2
        "#]],
    );
    check(
        "timestamp,node,up\n3,,1\n9,a,1\n",
        expect![[r#"
            in.csv: Node availability (events), 1 node, 1 interval; 2 rows read, 1 left out
            x in.csv, row 2, node: empty. The node's name. Row left out. Fill in the name
            # a from 9
            # until 9
        "#]],
    );
    check(
        "timestamp,a,,b\n3,1,1,1\n9,1,1,0\n",
        expect![[r#"
            in.csv: Node availability (matrix), 2 nodes, 2 intervals; 2 rows read
            # a from 3
            # b 3 to 9
            # until 9
        "#]],
    );
}

#[test]
fn states_that_are_none() {
    check(
        "timestamp,node,up\n1,a,1\n2,a,down\n3,a,\n4,a,2\n5,a,0\n",
        expect![[r#"
            in.csv: Node availability (events), 1 node, 1 interval; 5 rows read, 3 left out
            x in.csv, rows 3, 4, 5, up: down, empty, 2. 0 or 1. Row left out. Write 1 where the node appears, 0 where it goes
            # a 1 to 5
            # until 5
        "#]],
    );
    check(
        "timestamp,a,b\n1,1,0\n2,x,1\n3,,2\n4,0,1\n5,0,1\n6,0,0\n7,1,1\n",
        expect![[r#"
            in.csv: Node availability (matrix), 2 nodes, 4 intervals; 7 rows read, 2 with values filled in
            ! in.csv, rows 3, 4: a: x, a: empty. 0 or 1. The node stays as in the row before. Write 1 where the node is there, else 0
            # a 1 to 4, from 7
            # b 2 to 6, from 7
            # until 7
        "#]],
    );
    check(
        "timestamp,nodes\n1,1\n2,-1\n3,1.5\n4,\n5,65537\n6,2\n",
        expect![[r#"
            in.csv: Node availability (counts), 2 nodes, 2 intervals; 6 rows read, 4 left out
            x in.csv, rows 3, 4, 5, 6, nodes: -1, 1.5, empty and 1 other value. Whole number from 0 to 65,536. Row left out. Correct the values
            i in.csv, node. No node column. The last node to come is the first to go. Use a log of single nodes to be exact
            # node-1 from 1
            # node-2 from 6
            # until 6
        "#]],
    );
}

#[test]
fn rows_that_contradict_each_other() {
    check(
        "timestamp,node,up\n1,a,1\n2,a,0\n2,a,1\n2,b,1\n3,a,0\n3,a,0\n",
        expect![[r#"
            in.csv: Node availability (events), 2 nodes, 2 intervals; 6 rows read, 2 left out
            x in.csv, rows 3, 4: a, against row 4, a, against row 3. One state for a node and time. Row left out, and all others of that node and time. Keep the row that holds
            i in.csv, row 7: a, as row 6. One row for a node and time. The row says the same again: nothing changes. Nothing to do
            # a 1 to 3
            # b from 2
            # until 3
        "#]],
    );
    check(
        "timestamp,a,b,c\n1,1,0,1\n2,0,1,1\n2,1,1,0\n3,1,0,0\n",
        expect![[r#"
            in.csv: Node availability (matrix), 3 nodes, 3 intervals; 4 rows read, 1 with values filled in
            ! in.csv, row 4: Another one in row 3. One row for a time. Nodes on which the rows differ stay as in the row before. Keep the row that holds
            # a from 1
            # b 2 to 3
            # c 1 to 3
            # until 3
        "#]],
    );
    check(
        "timestamp,nodes\n1,1\n2,5\n2,6\n3,2\n3,2\n",
        expect![[r#"
            in.csv: Node availability (counts), 2 nodes, 2 intervals; 5 rows read, 2 left out
            x in.csv, rows 3, 4: 5, against 6 in row 4, 6, against 5 in row 3. One count for a time. Row left out, and all others of that time. Keep the row that holds
            i in.csv, node. No node column. The last node to come is the first to go. Use a log of single nodes to be exact
            # node-1 from 1
            # node-2 from 3
            # until 3
        "#]],
    );
}

#[test]
fn rows_too_short_or_long() {
    check(
        "node,start_s,end_s\na,5\nb,1,2\nc,1,2,3\n",
        expect![[r#"
            in.csv: Node availability (intervals), 1 node, 1 interval; 3 rows read, 2 left out
            x in.csv, rows 2, 4: 2 fields for 3 columns, 4 fields for 3 columns. As many fields as the header has. Row left out. Add the missing fields, or put text that holds a delimiter in double quotes
            # b 1 to 2
            # until 2
        "#]],
    );
    check(
        "timestamp,a,b\n1,1\n2,1,1\n3,1,1,1\n",
        expect![[r#"
            in.csv: Node availability (matrix), 2 nodes, 2 intervals; 3 rows read, 2 left out
            x in.csv, rows 2, 4: 2 fields for 3 columns, 4 fields for 3 columns. As many fields as the header has. Row left out. Add the missing fields, or put text that holds a delimiter in double quotes
            # a from 2
            # b from 2
            # until 2
        "#]],
    );
}

#[test]
fn no_node_is_ever_there() {
    check(
        "timestamp,node,up\n1,a,0\n2,b,0\n",
        expect![[r#"
            in.csv: Node availability (events). Not used. No node is ever there; 2 rows read
            x in.csv. No node is ever there. File not used. Check the values
        "#]],
    );
    check(
        "timestamp,nodes\n1,0\n",
        expect![[r#"
            in.csv: Node availability (counts). Not used. No node is ever there; 1 row read
            x in.csv. No node is ever there. File not used. Check the values
        "#]],
    );
    check(
        "timestamp,a,b\n1,0,0\n",
        expect![[r#"
            in.csv: Node availability (matrix). Not used. No node is ever there; 1 row read
            x in.csv. No node is ever there. File not used. Check the values
        "#]],
    );
    check(
        "node,start_s,end_s\na,x,\n",
        expect![[r#"
            in.csv: Node availability (intervals). Not used. No row could be used; 1 row read, 1 left out
            x in.csv, row 2, start_s: x. Date and time, or seconds from 0 to 1e11. Row left out. Write it as 2021-02-10 20:21:15, or as a number of seconds
        "#]],
    );
    check(
        "node,start_s,end_s\n",
        expect![[r#"
        in.csv: Node availability (intervals). Not used. There are no rows below the header
        x in.csv. There are no rows below the header. File not used. Check that the file was saved to the end
    "#]],
    );
}

#[test]
fn missing_columns() {
    check(
        "node,idle_start\na,1\n",
        expect![[r#"
        in.csv: Node availability (intervals)? Not used. No column end_s or idle_end or available_until or end
        x in.csv, row 1, end_s. Node availability (intervals): a column end_s or idle_end or available_until or end. File not used. Add the column end_s or idle_end or available_until or end
    "#]],
    );
    check(
        "timestamp,node,state\n1,a,1\n",
        expect![[r#"
        in.csv: Node availability (events)? Not used. No column up or idle or available
        x in.csv, row 1, up. Node availability (events): a column up or idle or available. File not used. Add the column up or idle or available
    "#]],
    );
    // Jobs have a start and an end too.
    check(
        "job,start,end\na,1,2\n",
        expect![[r#"
            in.csv: Not used. Columns not recognised: job, start, end
            x in.csv. Columns not recognised: job, start, end. File not used. Name them job_id, submit_s, model, gpus, samples for jobs, model, gpus, samples_per_s for curves, or node, start_s, end_s for availability
        "#]],
    );
}

#[test]
fn columns_twice() {
    check(
        "timestamp,a,b,a\n1,1,0,0\n2,0,1,1\n",
        expect![[r#"
            in.csv: Node availability (matrix), 3 nodes, 3 intervals; 2 rows read
            ! in.csv, row 1, a: a, again as column 4. Each column name once. Nodes of their own, the later ones with a number. Rename them
            # a 1 to 2
            # a-2 from 2
            # b from 2
            # until 2
        "#]],
    );
}

#[test]
fn more_nodes_than_a_cluster_has() {
    let rows: String = (0..65_538).map(|node| format!("{node},1,2\n")).collect();
    let import = read(&[("in.csv", format!("node,start_s,end_s\n{rows}").as_bytes())]);
    assert_eq!(import.availability.unwrap().nodes(), 65_536);
    expect!["in.csv, rows 65538, 65539, node: 65536, 65537. At most 65,536 nodes. Row left out. Leave out nodes that you do not plan with"].assert_eq(&import.diagnostics[0].to_string());
}

#[test]
fn counts_that_go_up_and_down_for_ever() {
    let rows: String = (0..200).map(|time| format!("{time},{}\n", time % 2 * 65_536)).collect();
    let import = read(&[("in.csv", format!("timestamp,nodes\n{rows}").as_bytes())]);
    crate::assert_adds_up(&import);
    expect![[r#"
        in.csv: Node availability (counts), 65,536 nodes, 2,490,368 intervals; 200 rows read, 123 left out
        in.csv, rows 79, 80, 81, 82 and 119 more: 65536, 0. At most 5,000,000 nodes come and go. Row left out. Load a shorter time, or count in larger steps"#]].assert_eq(&format!("{}\n{}", import.files[0], import.diagnostics[0]));
}

#[test]
fn the_first_log_is_used() {
    let files: [(&str, &[u8]); 3] = [
        ("broken.csv", b"timestamp,nodes\n1,x\n"),
        ("one.csv", b"node,start_s,end_s\na,1,2\n"),
        ("two.csv", b"timestamp,nodes\n1,3\n"),
    ];
    expect![[r#"
        broken.csv: Node availability (counts). Not used. No row could be used; 1 row read, 1 left out
        one.csv: Node availability (intervals), 1 node, 1 interval; 1 row read
        two.csv: Node availability (counts). Not used. There is already an availability log, one.csv
        x broken.csv, row 2, nodes: x. Whole number from 0 to 65,536. Row left out. Write a number
        ! two.csv. One availability log at a time: one.csv is used. File not used. Load it by itself to use it instead
        # a 1 to 2
        # until 2
    "#]]
    .assert_eq(&as_text(&read(&files)));
}

#[test]
fn logs_cross_between_workers() {
    let import = read(&[("x.csv", b"node,start_s,end_s\na,1,2\nb,1,\n")]);
    let bytes = postcard::to_allocvec(&import).unwrap();
    assert_eq!(postcard::from_bytes::<elastiplan_formats::Import>(&bytes).unwrap(), import);
}
