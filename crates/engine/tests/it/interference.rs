//! Jobs on several nodes that share one are slower there.

use elastiplan_engine::Simulation;
use elastiplan_scenario::Conditions;
use expect_test::expect;

use crate::{Script, check, drawing};

#[test]
fn two_jobs_that_share_a_node_and_have_others_are_slower_until_one_is_done() {
    check(
        "
        3 x 2 GPUs
        interference 0.5
        a work=4
        b at=1 work=6
        0: a=0:1,1:1
        1: b=1:1,2:1
        nodes
        ",
        // b: 1 sample/s while a is there, which does 2 samples in its first second and 1 in each of the next two.
        expect![[r#"
            a 222
            b  2222
            0.0 aaa..
            0.1 .....
            1.0 aaa..
            1.1 .bbbb
            2.0 .bbbb
            2.1 .....
        "#]],
    );
}

#[test]
fn a_job_on_one_node_does_not_interfere() {
    check(
        "
        2 x 3 GPUs
        interference 0.5
        a work=8
        b work=4
        c at=2 work=4
        0: a=0:1,1:1 b=1:2
        2: c=0:2
        ",
        expect![[r#"
            a 2222
            b 22
            c   22
        "#]],
    );
}

#[test]
fn a_job_that_is_moved_away_sets_the_other_free() {
    check(
        "
        4 x 2 GPUs
        interference 0.75
        rescale 3
        a work=10
        b work=14
        c at=4 work=1
        0: a=0:1,1:1 b=1:1,2:1
        4: b=2:2 c=3:1
        ",
        // Both do 2 samples in 4 s; then 2 a second, b after it has paid for the move.
        expect![[r#"
            a 22222222
            b 2222~~~222222
            c     1
        "#]],
    );
}

#[test]
fn a_node_that_leaves_ends_what_happened_on_it() {
    check(
        "
        3 x 2 GPUs
        shrink
        interference 0.5
        node 0-
        node 0-4
        a work=10
        b work=12
        0: a=0:2,1:1 b=1:1,2:2
        ",
        // 1.5 samples/s on three GPUs each, then 2 on two.
        expect![[r#"
            a 333322
            b 3333222
        "#]],
    );
}

#[test]
fn interference_writes_no_checkpoint() {
    check(
        "
        3 x 2 GPUs
        interference 0.5
        checkpoint 4
        node 0-6 10-
        a work=20
        b at=1 work=2
        0: a=0:1,1:1
        1: b=1:1,2:1
        10: a=0:1,1:1
        ",
        // b is there from 1 s to 3 s. Until the checkpoint at 4 s a has done 2 + 1 + 1 + 2 samples, 14 are left.
        expect![[r#"
            a 222222----2222222
            b  22
        "#]],
    );
}

#[test]
fn a_slowdown_is_from_nothing_to_less_than_all() {
    for (slowdown, is_good) in [(0.0, true), (0.99, true), (1.0, false), (-0.1, false), (f64::NAN, false)] {
        let settings = Conditions { interference_slowdown: slowdown, ..Conditions::default() };
        assert_eq!(settings.validate().is_ok(), is_good, "{slowdown}");
    }
    let settings = Conditions { interference_slowdown: 1.0, ..Conditions::default() };
    let message = settings.validate().unwrap_err().to_string();
    assert_eq!(message, "interference_slowdown: 1 is not a number from 0 to below 1");
}

/// Goodput falls with speed, whatever a sample is worth.
#[test]
fn work_and_samples_fall_alike() {
    let text = "3 x 2 GPUs\n curve m 1:1 2:2\n stages m base=8 0.5:8 1:24\n a work=8 curve=m batch=16\n b work=99\n
        until 8\n 0: a=0:1,1:1 b=1:1,2:1";
    let end_s = |slowdown: f64| {
        let mut case = drawing::parse(text);
        case.settings.interference_slowdown = slowdown;
        let policy = Box::new(Script::new(&case.other_lines, &case.workload));
        let simulation =
            Simulation::new(&case.workload, case.cluster, case.settings.clone(), "script", policy).unwrap();
        simulation.run_to_end().unwrap().jobs.end_s[0]
    };
    // Half of the work at 2 x (8 + 8) / (8 + 16), the other half at 2 x (24 + 8) / (24 + 16).
    assert_eq!(end_s(0.0), Some(2.0 * 1.5 + 2.0 * 1.25));
    assert_eq!(end_s(0.25), Some((2.0 * 1.5 + 2.0 * 1.25) / 0.75));
}
