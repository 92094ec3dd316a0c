//! What ModelArts' two allocators decide in small clusters. Where no curve says otherwise a job does 1 sample/s on every
//! GPU; the curve `paper` is that of Figure 6.

use expect_test::expect;

use crate::check;

#[test]
fn figure_4_above_two_idle_nodes_go_to_the_shortest_job() {
    check(
        "
        policy modelarts-greedy[interval_s=4]
        until 8
        8 GPUs
        a work=99 max=2
        x work=4 max=2
        y work=2 max=2
        b work=99 max=4
        d at=1 work=18 max=4
        ",
        expect![[r#"
            a 22222222?
            x 22
            y 2
            b 22222222?
            d  222444
        "#]],
    );
}

#[test]
fn figure_4_below_the_longest_job_is_halved_for_the_one_that_waits() {
    check(
        "
        policy modelarts-greedy[interval_s=2]
        until 4
        8 GPUs
        e work=99 max=4
        f work=20 max=2
        g work=20 max=2
        h at=1 work=9
        ",
        expect![[r#"
            e 4422?
            f 2222?
            g 2222?
            h  .22?
        "#]],
    );
}

#[test]
fn one_job_is_halved_at_a_decision_or_as_many_as_it_takes() {
    for policy in ["modelarts-greedy[interval_s=2]", "modelarts-greedy[interval_s=2,halve_all=true]"] {
        let expected = match policy.contains("halve_all") {
            false => expect![[r#"
                a 442222?
                d 444444?
                b  .2211?
                c  ...11?
            "#]],
            true => expect![[r#"
                a 442222?
                d 442222?
                b  .2222?
                c  .2222?
            "#]],
        };
        check(
            &format!(
                "
                policy {policy}
                until 6
                8 GPUs
                a work=99 max=4
                d work=90 max=4
                b at=1 work=99
                c at=1 work=99
                "
            ),
            expected,
        );
    }
}

#[test]
fn between_decisions_idle_gpus_go_to_the_queue() {
    // Figure 8: a is done at 2, b has been waiting since 1 and gets what a leaves.
    for policy in ["modelarts-greedy[interval_s=5]", "modelarts[interval_s=5]"] {
        let expected = match policy.contains("greedy") {
            false => expect![[r#"
                a 4444
                b  444488?
            "#]],
            true => expect![[r#"
                a 88
                b  .88888?
            "#]],
        };
        check(
            &format!(
                "
                policy {policy}
                until 7
                8 GPUs
                a work=16
                b at=1 work=99
                "
            ),
            expected,
        );
    }
}

#[test]
fn what_is_nearly_done_comes_first() {
    check(
        "
        policy modelarts[interval_s=5,horizon=2]
        4 GPUs
        curve paper 1:1 2:1.6 4:2.56
        a work=40 curve=paper
        b work=8 curve=paper
        ",
        expect![[r#"
            a 2222244444444442222
            b 22222
        "#]],
    );
}

#[test]
fn more_jobs_than_gpus_wait_in_order() {
    check(
        "
        policy modelarts[interval_s=2]
        2 GPUs
        a work=4
        b work=2
        c work=2
        d work=2
        ",
        expect![[r#"
            a 1111
            b 11
            c ..11
            d ....11
        "#]],
    );
}

#[test]
fn a_minimum_that_is_no_power_of_two_is_raised_to_the_next_and_kept_if_there_is_none() {
    check(
        "
        policy modelarts[interval_s=2]
        until 4
        8 GPUs
        a work=99 min=3
        b work=99 min=3 max=3
        ",
        expect![[r#"
            a 4444?
            b 3333?
        "#]],
    );
}
