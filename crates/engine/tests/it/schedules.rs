//! What the engine makes of a policy's answers.

use expect_test::expect;

use crate::check;

#[test]
fn a_job_runs_from_start_to_end() {
    check(
        "
        a work=6
        0: a=2
        ",
        expect![[r#"
            a 222
        "#]],
    );
}

#[test]
fn a_job_waits_until_the_policy_allocates_gpus() {
    check(
        "
        a work=6
        b at=2 work=4
        0: a=2
        3: b=4
        ",
        expect![[r#"
            a 222
            b   .4
        "#]],
    );
}

#[test]
fn a_new_size_changes_the_speed_from_then_on() {
    check(
        "
        a work=8
        b at=2 work=1
        0: a=1
        2: a=2
        ",
        expect![[r#"
            a 11222
            b   ...?
        "#]],
    );
}

#[test]
fn a_change_costs_seconds_without_progress() {
    check(
        "
        rescale 3
        a work=8
        b at=2 work=1
        0: a=1
        2: a=2
        ",
        expect![[r#"
            a 11~~~222
            b   ......?
        "#]],
    );
}

#[test]
fn the_first_start_costs_nothing_and_resuming_does() {
    check(
        "
        rescale 2
        a work=8
        b at=2 work=3
        0: a=2
        2: a=0 b=1
        5: a=2
        ",
        expect![[r#"
            a 22---~~22
            b   111
        "#]],
    );
}

#[test]
fn a_change_during_a_change_starts_paying_anew() {
    check(
        "
        rescale 4
        a work=6
        b at=1 work=9
        c at=3 work=9
        0: a=1
        1: a=2
        3: a=1
        ",
        expect![[r#"
            a 1~~~~~~11111
            b  ...........?
            c    .........?
        "#]],
    );
}

#[test]
fn a_job_preempted_while_it_is_rescaled_loses_nothing_but_time() {
    check(
        "
        rescale 4
        a work=7
        b at=1 work=9
        c at=3 work=9
        d at=5 work=9
        0: a=1
        1: a=2
        3: a=0
        5: a=2
        ",
        expect![[r#"
            a 1~~--~~~~222
            b  ...........?
            c    .........?
            d      .......?
        "#]],
    );
}

#[test]
fn a_change_may_cost_more_than_the_rest_of_the_job() {
    check(
        "
        rescale 9
        a work=4
        b at=2 work=1
        0: a=1
        2: a=2
        ",
        expect![[r#"
            a 11~~~~~~~~~2
            b   ..........?
        "#]],
    );
}

#[test]
fn a_job_that_completes_frees_its_gpus_for_one_submitted_at_that_moment() {
    check(
        "
        a work=12
        b at=3 work=8
        0: a=4
        3: b=4
        ",
        expect![[r#"
            a 444
            b    44
        "#]],
    );
}

#[test]
fn jobs_that_complete_together_are_answered_together() {
    check(
        "
        a work=6
        b work=3
        c work=4
        0: a=2 b=1
        3: c=4
        ",
        expect![[r#"
            a 222
            b 111
            c ...4
        "#]],
    );
}

#[test]
fn actions_take_effect_together() {
    check(
        "
        a work=20
        b at=2 work=6
        0: a=4
        2: b=3 a=1
        ",
        expect![[r#"
            a 44111111111111
            b   33
        "#]],
    );
}

#[test]
fn an_allocation_that_equals_the_present_one_is_no_change() {
    check(
        "
        rescale 5
        a work=6
        b at=1 work=2
        0: a=2
        1: a=2 b=0
        ",
        expect![[r#"
            a 222
            b  ..?
        "#]],
    );
}

#[test]
fn dropped_jobs_and_jobs_that_are_never_started() {
    check(
        "
        a work=4
        b work=4
        c at=1 work=4
        0: a=2 b=drop
        ",
        expect![[r#"
            a 22
            b x
            c  .?
        "#]],
    );
}

#[test]
fn a_policy_that_never_answers_ends_with_the_last_submission() {
    check(
        "
        a work=4
        b at=5 work=4
        ",
        expect![[r#"
            a .....?
            b      ?
        "#]],
    );
}

#[test]
fn a_completion_that_a_change_made_void_is_no_event() {
    // On 1 GPU it would have lasted until 20.
    check(
        "
        a work=20
        b at=4 work=99
        0: a=1
        4: a=4
        ",
        expect![[r#"
            a 11114444
            b     ....?
        "#]],
    );
}

#[test]
fn the_time_to_stop_ends_all_spans() {
    check(
        "
        rescale 3
        until 7
        a work=99
        b at=2 work=99
        c at=4 work=99
        d at=9 work=1
        0: a=2
        2: b=1
        4: b=2
        ",
        expect![[r#"
            a 2222222?
            b   11~~~?
            c     ...?
            d          ?
        "#]],
    );
}

#[test]
fn events_at_the_time_to_stop_are_handled() {
    check(
        "
        until 4
        a work=4
        b at=4 work=4
        0: a=1
        4: b=1
        ",
        expect![[r#"
            a 1111
            b     ?
        "#]],
    );
}

#[test]
fn rounds_are_counted_from_the_first_submission() {
    // Rounds at 3, 13, 23, ...; at 23 nothing has happened since 13.
    check(
        "
        every 10
        a at=3 work=4
        b at=5 work=20
        c at=28 work=1
        3: a=1
        13: b=1
        23: b=4
        33: c=1
        ",
        expect![[r#"
            a 1111
            b   ........11111111111111111111
            c                          .....1
        "#]],
    );
}

#[test]
fn events_at_a_round_are_answered_in_it() {
    check(
        "
        every 5
        a work=10
        b at=5 work=13
        0: a=1
        5: b=1
        10: b=4
        ",
        expect![[r#"
            a 1111111111
            b      1111144
        "#]],
    );
}
