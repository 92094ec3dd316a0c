//! Changes in the middle of a run.

use elastiplan_engine::{Run, RunError, Simulation};
use expect_test::{Expect, expect};

use crate::{Script, check, drawing};

/// Two jobs on two of three nodes, and one that waits.
const CASE: &str = "
    3 x 2 GPUs
    nodes
    a gpus=2 work=20
    b gpus=2 work=20
    c at=4 gpus=2 work=8
    0: a=2 b=2
    4: c=2
";

fn made(case: &drawing::Case) -> Result<Run, String> {
    let policy = Box::new(Script::new(&case.other_lines, &case.workload));
    let simulation = Simulation::new(&case.workload, case.cluster, case.settings.clone(), "script", policy);
    simulation.map_err(|error| error.to_string())?.run_to_end().map_err(|error: RunError| error.to_string())
}

#[test]
fn nodes_leave_for_good_and_others_join() {
    check(
        &format!("{CASE} fork at=5 nodes=1\n fork at=8 nodes=4\n 5:\n 8: b=2 c=2"),
        expect![[r#"
        a 2222222222
        b 22222---22222
        c     2---222
        0.0 aaaaaaaaaa...
        0.1 aaaaaaaaaa...
        1.0 bbbbb...bbbbb
        1.1 bbbbb...bbbbb
        2.0 ....c...ccc..
        2.1 ....c...ccc..
    "#]],
    );
}

#[test]
fn a_node_fails_and_is_back() {
    check(
        &format!("{CASE} fork at=5 fails=0 for=3\n 5:\n 8: a=2"),
        expect![[r#"
        a 22222---22222
        b 2222222222
        c     2222
        0.0 aaaaa...aaaaa
        0.1 aaaaa...aaaaa
        1.0 bbbbbbbbbb...
        1.1 bbbbbbbbbb...
        2.0 ....cccc.....
        2.1 ....cccc.....
    "#]],
    );
}

/// Two nodes that fail at one instant, in two forks, cost the job what it would have made in 2 s on all of its GPUs.
#[test]
fn departures_at_one_instant_are_paid_once() {
    let case = "
        3 x 1 GPUs
        rescale 2
        curve m 1:1 2:2 3:3
        shrink
        work-charged
        a gpus=3 work=60 curve=m
        0: a=3
    ";
    let paid = |forks: &str| made(&drawing::parse(&format!("{case}{forks}"))).unwrap().losses.samples;
    assert_eq!(paid("fork at=5 fails=1 for=50"), [6.0]);
    assert_eq!(paid("fork at=5 fails=1 for=50\n fork at=5 fails=2 for=50"), [6.0]);
    assert_eq!(paid("fork at=5 fails=1 for=50\n fork at=6 fails=2 for=50"), [6.0, 4.0]);
}

#[test]
fn a_user_cancels_a_job() {
    check(
        &format!("{CASE} fork at=5 end=b"),
        expect![[r#"
        a 2222222222
        b 22222/
        c     2222
        0.0 aaaaaaaaaa
        0.1 aaaaaaaaaa
        1.0 bbbbb.....
        1.1 bbbbb.....
        2.0 ....cccc..
        2.1 ....cccc..
    "#]],
    );
}

/// Of what happens at one time a fork comes first: `a` would have ended at 10 s, `c` is submitted at 4 s.
#[test]
fn a_fork_comes_before_everything_else_at_its_time() {
    check(
        &format!("{CASE} fork at=10 end=a"),
        expect![[r#"
        a 2222222222/
        b 2222222222
        c     2222
        0.0 aaaaaaaaaa
        0.1 aaaaaaaaaa
        1.0 bbbbbbbbbb
        1.1 bbbbbbbbbb
        2.0 ....cccc..
        2.1 ....cccc..
    "#]],
    );
    let error = |fork: &str, expected: Expect| {
        expected.assert_eq(&made(&drawing::parse(&format!("{CASE} fork {fork}"))).unwrap_err());
    };
    error("at=4 end=c", expect!["script, fork from 4s: c ends: the job is submitted only at 4s"]);
}

#[test]
fn what_cannot_be_done_is_said() {
    let check = |fork: &str, expected: Expect| {
        expected.assert_eq(&made(&drawing::parse(&format!("{CASE} {fork}"))).unwrap_err());
    };
    check("fork at=5 nodes=0", expect!["fork from 5s: 0 nodes: a cluster has from 1 to 65536 nodes"]);
    check("fork at=5 end=d", expect!["fork from 5s: d ends: no job has this name"]);
    check("fork at=5 priority=2 job=d", expect!["fork from 5s: d has priority 2: no job has this name"]);
    check("fork at=9 end=c", expect!["script, fork from 9s: c ends: the job ended at 8s"]);
    check("fork at=9 priority=2 job=c", expect!["script, fork from 9s: c has priority 2: the job ended at 8s"]);
    check("fork at=5 fails=7 for=3", expect!["script, fork from 5s: node 7 fails for 3s: node 7 is not there then"]);
    check(
        "fork at=5 fails=1 for=3\n fork at=6 fails=1 for=3\n 5:\n 8: b=2",
        expect!["script, fork from 6s: node 1 fails for 3s: node 1 is not there then"],
    );
    check("fork at=5 policy=other", expect!["script, fork from 5s: other: other is not a policy of this build"]);
    check(
        "fork at=500 nodes=2",
        expect!["script, fork from 8m 20s: 2 nodes: the run ends at 10s: choose an earlier time"],
    );
    check("until 5\n fork at=6 nodes=2", expect!["fork from 6s: 2 nodes: the simulation stops at 5s"]);
}

/// What changes nothing leaves no trace, not even in the time at which the run ends.
#[test]
fn a_fork_that_changes_nothing_is_no_instant() {
    let origin = made(&drawing::parse(CASE)).unwrap();
    for fork in ["at=0 nodes=3", "at=7 nodes=3", "at=7 policy=script", "at=4 priority=1 job=c", "at=9.5 nodes=3"] {
        let run = made(&drawing::parse(&format!("{CASE} fork {fork}"))).unwrap();
        assert_eq!((run.digest(), &run), (origin.digest(), &origin), "{fork}");
    }
}

/// A fork at the very start is as if the cluster had been so from the beginning, but for the nodes that were there never.
#[test]
fn a_fork_at_the_start_is_as_another_cluster() {
    let other = |nodes: u32| CASE.replace("3 x 2", &format!("{nodes} x 2"));
    for nodes in [2, 3, 5, 70] {
        let expected = made(&drawing::parse(&other(nodes)));
        let run = made(&drawing::parse(&format!("{CASE} fork at=0 nodes={nodes}")));
        let parts = |run: Result<Run, String>| {
            run.map(|run| (run.spans, run.jobs, run.series, run.decisions, run.holdings.job, run.end_s))
        };
        assert_eq!(parts(run), parts(expected), "{nodes}");
    }
}
