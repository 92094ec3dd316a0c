//! What `bftrainer` and the replayer's equal share decide in small clusters. A job does 1 sample/s on every GPU where no
//! curve says otherwise.

use expect_test::expect;

use crate::check;

#[test]
fn a_change_must_pay_within_the_time_looked_ahead() {
    // One of a's GPUs is worth .3 a second more to b; the change costs a 3.4 times 2 samples.
    for (t_fwd_s, expected) in [
        (
            22,
            expect![[r#"
        a 4444444?
        b   .....?
    "#]],
        ),
        (
            23,
            expect![[r#"
        a 44~~333?
        b   11111?
    "#]],
        ),
    ] {
        check(
            &format!(
                "
                policy bftrainer[t_fwd_s={t_fwd_s}]
                rescale 2
                until 7
                4 GPUs
                curve a 1:1 2:1.9 3:2.7 4:3.4
                curve b 1:1 2:1.2
                a work=99 curve=a
                b at=2 work=99 curve=b
                "
            ),
            expected,
        );
    }
}

#[test]
fn no_job_changes_for_nothing() {
    // All divisions gain the same: jobs that have GPUs keep them.
    check(
        "
        policy bftrainer
        rescale 1
        4 GPUs
        a work=16
        b at=1 work=4
        ",
        expect![[r#"
            a 4444
            b  ...4
        "#]],
    );
}

#[test]
fn trainers_enter_in_order_and_stay() {
    // While the first two are there, c must wait, although the second is given nothing.
    check(
        "
        policy bftrainer[max_trainers=2]
        2 GPUs
        curve quick 1:3 2:6
        a work=24 curve=quick
        b work=4
        c work=6 curve=quick
        ",
        expect![[r#"
            a 2222
            b .....22
            c ....2
        "#]],
    );
}

#[test]
fn by_speed_the_fast_model_gets_all_and_by_speedup_the_one_that_scales() {
    for (objective, expected) in [
        (
            "throughput",
            expect![[r#"
            a 4444?
            b ....?
        "#]],
        ),
        (
            "scaling-efficiency",
            expect![[r#"
            a 1111?
            b 3333?
        "#]],
        ),
        (
            "weighted",
            expect![[r#"
            a 3333?
            b 1111?
        "#]],
        ),
    ] {
        check(
            &format!(
                "
                policy bftrainer[objective={objective}]
                until 4
                4 GPUs
                curve fast 1:9 2:13 3:16 4:18
                curve scales 1:1 2:2 3:3 4:4
                a work=999 curve=fast gpus=4
                b work=999 curve=scales
                "
            ),
            expected,
        );
    }
}

#[test]
fn nodes_that_leave_are_made_up_for_where_that_pays() {
    check(
        "
        policy bftrainer[t_fwd_s=10]
        rescale up=2 down=1
        until 14
        4 x 1 GPUs
        node 0-4 8-
        node 0-6 8-
        a work=99 min=2 max=3
        b work=99 max=2
        nodes
        ",
        expect![[r#"
            a 3333^2^^222222?
            b 111111--~~2222?
            0.0 aaaa....bbbbbb
            1.0 aaaaaa..bbbbbb
            2.0 aaaaaaaaaaaaaa
            3.0 bbbbbbaaaaaaaa
        "#]],
    );
}

#[test]
fn the_replayer_decides_only_when_nodes_come_or_go() {
    for (policy, expected) in [
        (
            "bftrainer",
            expect![[r#"
            a 1111
            b 11111111?
            c   ..1133?
            0.0 a.....cc
            1.0 b.....cc
            2.0 .aaacccc
            3.0 .bbbbbbb
        "#]],
        ),
        (
            "bftrainer[replayer=true]",
            expect![[r#"
            a 1111
            b 11111111?
            c   ....33?
            0.0 a.....cc
            1.0 b.....cc
            2.0 .aaa..cc
            3.0 .bbbbbbb
        "#]],
        ),
        (
            "equal-share",
            expect![[r#"
            a 1111
            b 11111111?
            c   ..1133?
            0.0 a.....cc
            1.0 b.....cc
            2.0 .aaacccc
            3.0 .bbbbbbb
        "#]],
        ),
        (
            "equal-share[share=replayer]",
            expect![[r#"
            a 1111
            b 11111111?
            c   ....33?
            0.0 a.....cc
            1.0 b.....cc
            2.0 .aaa..cc
            3.0 .bbbbbbb
        "#]],
        ),
    ] {
        check(
            &format!(
                "
                policy {policy}
                until 8
                4 x 1 GPUs
                node 0-1 6-
                node 0-1 6-
                a work=4 max=1
                b work=99 max=1
                c at=2 work=99
                nodes
                "
            ),
            expected,
        );
    }
}

#[test]
fn the_replayers_equal_share_gives_nothing_where_it_is_not_above_the_minimum() {
    for (gpus, expected) in [
        (
            3,
            expect![[r#"
        a 222?
        b 111?
    "#]],
        ),
        (
            5,
            expect![[r#"
        a 222?
        b 333?
    "#]],
        ),
    ] {
        check(
            &format!(
                "
                policy equal-share[share=replayer]
                until 3
                {gpus} GPUs
                a work=99 max=2
                b work=99
                "
            ),
            expected,
        );
    }
}

#[test]
fn the_longest_there_are_given_up_first() {
    check(
        "
        policy equal-share[share=replayer]
        until 8
        4 x 1 GPUs
        node 2-
        node 0-
        node 4-
        node 4-
        a work=99
        b at=1 work=99
        nodes
        ",
        expect![[r#"
            a 11222222?
            b  ...2222?
            0.0 ..aaaaaa
            1.0 aaaaaaaa
            2.0 ....bbbb
            3.0 ....bbbb
        "#]],
    );
}
