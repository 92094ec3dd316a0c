//! Nodes that come and go, places, costs and batch sizes, drawn.

use expect_test::expect;

use crate::check;

#[test]
fn a_leaving_node_preempts_its_jobs() {
    check(
        "
        2 x 2 GPUs
        node 0-3 5-
        rescale 1
        nodes
        a work=18
        0: a=4
        3: a=2
        5: a=4
        ",
        expect![[r#"
            a 444^2~4
            0.0 aaa..aa
            0.1 aaa..aa
            1.0 aaaaaaa
            1.1 aaaaaaa
        "#]],
    );
}

#[test]
fn a_leaving_node_shrinks_its_jobs_if_the_policy_says_so() {
    check(
        "
        2 x 2 GPUs
        node 0-3 5-
        rescale up=2 down=1
        shrink
        nodes
        a work=22
        0: a=4
        5: a=4
        ",
        expect![[r#"
            a 444^2~~44
            0.0 aaa..aaaa
            0.1 aaa..aaaa
            1.0 aaaaaaaaa
            1.1 aaaaaaaaa
        "#]],
    );
}

#[test]
fn a_job_that_would_be_left_with_too_few_waits() {
    check(
        "
        2 x 2 GPUs
        node 0-3 5-
        shrink
        a min=3 work=20
        0: a=4
        5: a=4
        ",
        expect![[r#"
            a 444--44
        "#]],
    );
}

#[test]
fn work_since_the_last_checkpoint_is_lost() {
    check(
        "
        2 x 1 GPUs
        node 0-7
        checkpoint 4
        a work=10
        0: a=1
        7: a=1
        ",
        expect![[r#"
            a 1111111111111
        "#]],
    );
}

#[test]
fn paying_for_a_node_that_left_comes_before_paying_for_a_change() {
    check(
        "
        3 x 1 GPUs
        node 0-2
        rescale up=3 down=2
        shrink
        a work=12
        0: a=2
        2: a=2
        ",
        expect![[r#"
            a 22^^~~~2222
        "#]],
    );
}

#[test]
fn a_node_that_joins_and_leaves_at_once_has_no_effect() {
    check(
        "
        2 x 1 GPUs
        node 0-2 2-9
        nodes
        a work=6
        0: a=2
        ",
        expect![[r#"
            a 222
            0.0 aaa
            1.0 aaa
        "#]],
    );
}

#[test]
fn nodes_are_ordered_and_returned() {
    check(
        "
        1 x 2 GPUs
        cloud 1 of 3 after 4
        nodes
        a work=68
        b at=12 work=2
        0: a=2 cluster=3
        4: a=6
        12: a=4 cluster=2
        ",
        expect![[r#"
            a 222266666666444
            b             ...?
            0.0 aaaaaaaaaaaaaaa
            0.1 aaaaaaaaaaaaaaa
            1.0 ....aaaaaaaaaaa
            1.1 ....aaaaaaaaaaa
            2.0 ....aaaaaaaa...
            2.1 ....aaaaaaaa...
        "#]],
    );
}

#[test]
fn nodes_being_provisioned_are_returned_first() {
    check(
        "
        1 x 2 GPUs
        cloud 1 of 3 after 4
        nodes
        a work=16
        b at=1 work=1
        0: a=2 cluster=3
        1: cluster=2
        4: a=4
        ",
        expect![[r#"
            a 222244
            b  .....?
            0.0 aaaaaa
            0.1 aaaaaa
            1.0 ....aa
            1.1 ....aa
            2.0 ......
            2.1 ......
        "#]],
    );
}

#[test]
fn costs_by_direction_start_and_size() {
    check(
        "
        rescale up=2 down=1 start=3
        a work=24
        b at=5 work=1
        c at=10 work=1
        d at=15 work=4
        0: a=1
        5: a=4
        10: a=2
        15: a=0 d=4
        ",
        expect![[r#"
            a ~~~11~~444~2222----?
            b      ..............?
            c           .........?
            d                ~~~4
        "#]],
    );
}

#[test]
fn a_doubling_costs_more() {
    check(
        "
        rescale up=1 down=1 doubling=2
        a work=9
        b at=1 work=1
        0: a=1
        1: a=4
        ",
        expect![[r#"
            a 1~~~~~44
            b  .......?
        "#]],
    );
}

#[test]
fn policies_may_choose_the_places() {
    check(
        "
        3 x 2 GPUs
        rescale 1
        nodes
        a work=14
        b at=2 work=4
        c at=4 work=4
        0: a=0:1,1:1
        2: b=0:1,2:1
        4: a=2:1,1:1
        ",
        expect![[r#"
            a 2222~222
            b   22
            c     ....?
            0.0 aaaa....
            0.1 ..bb....
            1.0 aaaaaaaa
            1.1 ........
            2.0 ..bbaaaa
            2.1 ........
        "#]],
    );
}

#[test]
fn speed_may_depend_on_the_place() {
    check(
        "
        2 x 2 GPUs
        curve m 1:1 2:2 4:4
        spread m 2:1
        a work=7 curve=m
        b at=3 work=1 curve=m
        0: a=0:1,1:1
        3: a=0:2
        ",
        expect![[r#"
            a 22222
            b    ..?
        "#]],
    );
}

#[test]
fn samples_are_worth_more_later_in_training() {
    check(
        "
        curve m 1:2
        stages m base=8 0.5:0 1:24
        a work=16 curve=m batch=16
        0: a=1
        ",
        expect![[r#"
            a 1111111111111
        "#]],
    );
}

#[test]
fn a_policy_is_woken_at_the_requested_time() {
    check(
        "
        a work=12
        0: a=1 wake=4
        4: a=2 wake=6
        6: a=4
        ",
        expect![[r#"
            a 1111224
        "#]],
    );
}

#[test]
fn events_wait_where_decisions_are_at_most_every_so_often() {
    check(
        "
        at-most-every 4
        a at=1 work=4
        b at=2 work=4
        c at=6 work=4
        d at=30 work=1
        1: a=1
        5: b=1
        9: c=1
        30: d=1
        ",
        expect![[r#"
            a 1111
            b  ...1111
            c      ...1111
            d                              1
        "#]],
    );
}

#[test]
fn rounds_come_whether_something_happens_or_not() {
    check(
        "
        ticks 3
        a at=1 work=21
        b at=20 work=1
        1: a=1
        4: a=2
        7: a=3
        22: b=1
        ",
        expect![[r#"
            a 1112223333
            b                    ..1
        "#]],
    );
    check(
        "
        events-and-ticks 3
        a at=1 work=21
        b at=2 work=1
        1: a=1
        2: b=1
        4: a=2
        ",
        expect![[r#"
            a 111222222222
            b  1
        "#]],
    );
}

#[test]
fn requested_places_and_counts_mix_under_every_placer() {
    check(
        "
        2 x 4 GPUs
        placement buddy
        nodes
        a work=8
        b work=16
        c at=2 work=8
        0: a=2 b=4
        2: b=2 c=0:2
        ",
        expect![[r#"
            a 2222
            b 442222
            c   2222
            0.0 bbbbbb
            0.1 bbbbbb
            0.2 bbcccc
            0.3 bbcccc
            1.0 aaaa..
            1.1 aaaa..
            1.2 ......
            1.3 ......
        "#]],
    );
}

#[test]
fn nodes_being_provisioned_count_as_returned() {
    check(
        "
        1 x 2 GPUs
        cloud 1 of 3 after 4
        nodes
        a work=16
        b at=5 work=1
        c at=6 work=1
        0: a=2 cluster=2
        5: cluster=3
        6: cluster=1
        ",
        expect![[r#"
            a 22222222
            b      ...?
            c       ..?
            0.0 aaaaaaaa
            0.1 aaaaaaaa
            1.0 ........
            1.1 ........
            2.0 ........
            2.1 ........
        "#]],
    );
}
