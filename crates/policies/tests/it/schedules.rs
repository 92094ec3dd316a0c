//! What each policy decides in small clusters. A job does 1 sample/s on every GPU where no curve says otherwise.

mod fixed {
    use expect_test::expect;

    use crate::check;

    #[test]
    fn no_job_overtakes() {
        check(
            "
            policy fixed
            4 GPUs
            a gpus=3 work=9
            b gpus=2 work=4
            c gpus=1 work=2
            ",
            expect![[r#"
                a 333
                b ...22
                c ...11
            "#]],
        );
    }

    #[test]
    fn with_backfill_a_job_overtakes_if_the_first_could_not_have_started_anyway() {
        check(
            "
            policy fixed[backfill=true]
            4 GPUs
            a gpus=3 work=9
            b gpus=2 work=4
            c gpus=1 work=2
            ",
            expect![[r#"
                a 333
                b ...22
                c 11
            "#]],
        );
    }

    #[test]
    fn a_reservation_is_kept() {
        // b will start at 3 on all GPUs: c would delay it by a second, d is done by then.
        check(
            "
            policy fixed[backfill=true]
            4 GPUs
            a gpus=3 work=9
            b gpus=4 work=8
            c gpus=1 work=4
            d gpus=1 work=3
            ",
            expect![[r#"
                a 333
                b ...44
                c .....1111
                d 111
            "#]],
        );
    }

    #[test]
    fn beside_a_reservation_there_is_room_for_long_jobs() {
        // Of the 5 GPUs that are free at 3, b takes 3: c and d may keep one each.
        check(
            "
            policy fixed[backfill=true]
            5 GPUs
            a gpus=3 work=9
            b gpus=3 work=6
            c gpus=1 work=9
            d gpus=1 work=9
            e gpus=1 work=1
            ",
            expect![[r#"
                a 333
                b ...33
                c 111111111
                d 111111111
                e .....1
            "#]],
        );
    }

    #[test]
    fn all_that_ends_when_the_first_can_start_counts_as_free_beside_it() {
        // a's GPUs alone are enough for c; b ends at the same time, and leaves one for d.
        check(
            "
            policy fixed[backfill=true]
            4 GPUs
            a gpus=2 work=6
            b gpus=1 work=3
            c gpus=3 work=6
            d gpus=1 work=9
            ",
            expect![[r#"
                a 222
                b 111
                c ...33
                d 111111111
            "#]],
        );
    }

    #[test]
    fn a_reservation_is_for_the_first_time_at_which_enough_have_ended() {
        check(
            "
            policy fixed[backfill=true]
            4 GPUs
            a gpus=1 work=9
            b gpus=2 work=4
            c gpus=3 work=3
            d gpus=1 work=2
            e gpus=1 work=3
            ",
            expect![[r#"
                a 111111111
                b 22
                c ..3
                d 11
                e ...111
            "#]],
        );
    }

    #[test]
    fn an_oversize_job_is_dropped_at_submission_wherever_it_stands_in_the_queue() {
        for policy in ["fixed", "fixed[backfill=true]"] {
            check(
                &format!(
                    "
                    policy {policy}
                    4 GPUs
                    a gpus=5 work=9
                    b gpus=4 work=12
                    c gpus=4 work=4
                    d gpus=5 work=9 at=1
                    e gpus=4 work=8 at=1
                    "
                ),
                expect![[r#"
                    a x
                    b 444
                    c ...4
                    d  x
                    e  ...44
                "#]],
            );
        }
    }

    #[test]
    fn limits_and_rescale_costs_mean_nothing_to_it() {
        check(
            "
            policy fixed
            rescale 5
            4 GPUs
            a gpus=3 work=9 max=1
            b gpus=1 work=2
            ",
            expect![[r#"
                a 333
                b 11
            "#]],
        );
    }
}

mod equal_share {
    use expect_test::expect;

    use crate::check;

    #[test]
    fn as_nearly_equal_as_limits_allow() {
        check(
            "
            policy equal-share
            8 GPUs
            a work=6 max=2
            b work=9
            c work=9
            ",
            expect![[r#"
                a 222
                b 333
                c 333
            "#]],
        );
    }

    #[test]
    fn what_does_not_divide_goes_to_the_earliest() {
        check(
            "
            policy equal-share
            until 3
            8 GPUs
            a work=99
            b work=99
            c work=99
            ",
            expect![[r#"
                a 333?
                b 333?
                c 222?
            "#]],
        );
    }

    #[test]
    fn a_large_minimum_takes_from_the_others() {
        check(
            "
            policy equal-share
            until 3
            8 GPUs
            a work=99
            b work=99 gpus=5 min=5
            c work=99
            ",
            expect![[r#"
                a 222?
                b 555?
                c 111?
            "#]],
        );
    }

    #[test]
    fn jobs_enter_in_order_while_their_minima_fit() {
        // b does not fit beside a, and c does not overtake.
        check(
            "
            policy equal-share
            4 GPUs
            a work=8 gpus=2 min=2
            b work=7 gpus=3 min=3
            c work=1
            ",
            expect![[r#"
                a 44
                b ..34
                c ..1
            "#]],
        );
    }

    #[test]
    fn more_jobs_than_gpus() {
        check(
            "
            policy equal-share
            2 GPUs
            a work=2
            b work=3
            c work=2
            d work=1
            ",
            expect![[r#"
                a 11
                b 111
                c ..11
                d ...1
            "#]],
        );
    }

    #[test]
    fn shares_are_recomputed_at_every_submission_and_completion() {
        check(
            "
            policy equal-share
            4 GPUs
            a work=20
            b at=2 work=4
            ",
            expect![[r#"
                a 442244
                b   22
            "#]],
        );
    }

    #[test]
    fn it_never_counts_what_a_change_costs() {
        check(
            "
            policy equal-share
            rescale 3
            4 GPUs
            a work=20
            b at=2 work=4
            ",
            expect![[r#"
                a 44~~~~~444
                b   22
            "#]],
        );
    }

    #[test]
    fn it_never_looks_at_a_curve() {
        check(
            "
            policy equal-share
            4 GPUs
            curve flat 1:1 4:1
            a work=4 curve=flat
            b work=8
            ",
            expect![[r#"
                a 2222
                b 2222
            "#]],
        );
    }

    #[test]
    fn a_job_whose_minimum_is_more_than_the_cluster_is_dropped() {
        check(
            "
            policy equal-share
            4 GPUs
            curve large 8:8
            a work=4 curve=large
            b work=8 gpus=64
            ",
            expect![[r#"
                a x
                b 44
            "#]],
        );
    }
}

mod elastic_dp {
    use expect_test::expect;

    use crate::check;

    #[test]
    fn the_division_with_the_greatest_sum_of_scaling_factors() {
        check(
            "
            policy elastic-dp
            until 3
            4 GPUs
            curve a 1:1 2:2 4:2
            curve b 1:1 4:1.9
            a work=99 curve=a
            b work=99 curve=b
            ",
            expect![[r#"
                a 222?
                b 222?
            "#]],
        );
    }

    #[test]
    fn a_factor_is_relative_to_the_speed_on_one_gpu() {
        // b is a hundred times as fast, and scales worse.
        check(
            "
            policy elastic-dp
            until 3
            4 GPUs
            curve a 1:1 4:4
            curve b 1:100 4:300
            a work=99 curve=a
            b work=9999 curve=b
            ",
            expect![[r#"
                a 333?
                b 111?
            "#]],
        );
    }

    #[test]
    fn gpus_that_speed_no_job_up_stay_free() {
        check(
            "
            policy elastic-dp
            until 3
            4 GPUs
            curve peak 1:1 2:1.5 3:1.2
            a work=99 curve=peak
            ",
            expect![[r#"
                a 222?
            "#]],
        );
    }

    #[test]
    fn a_step_that_only_pays_when_taken_whole() {
        // a gains nothing from a second GPU, and 3 from the next two.
        check(
            "
            policy elastic-dp
            until 3
            5 GPUs
            curve step 1:1 3:1 4:4
            curve even 1:1 2:1.9 3:2.7 4:3.4
            a work=99 curve=step
            b work=99 curve=even
            ",
            expect![[r#"
                a 444?
                b 111?
            "#]],
        );
    }

    #[test]
    fn decisions_are_made_every_delta_s() {
        // b comes at 2 and waits for the round at 5; what a leaves at 7 is divided at 10.
        check(
            "
            policy elastic-dp[delta_s=5]
            4 GPUs
            a work=26
            b at=2 work=13
            ",
            expect![[r#"
                a 4444433
                b   ...1111144
            "#]],
        );
    }

    #[test]
    fn between_rounds_it_is_decided_when_enough_jobs_have_ended() {
        // As above, but half of two jobs have ended at 7: b need not wait for the round at 10. Nothing had ended at 2.
        check(
            "
            policy elastic-dp[delta_s=5,ended_share=0.5]
            4 GPUs
            a work=26
            b at=2 work=10
            ",
            expect![[r#"
                a 4444433
                b   ...1144
            "#]],
        );
    }

    #[test]
    fn too_few_that_have_ended_wait_for_the_round() {
        // a ends at 1, one of four, and b at 3, two of four. What comes at 4 waits for the round at 5.
        check(
            "
            policy elastic-dp[delta_s=5,ended_share=0.5]
            until 7
            4 GPUs
            a work=1
            b work=3
            c work=99
            d work=99 max=1
            e at=4 work=99
            ",
            expect![[r#"
                a 1
                b 111
                c 1113322?
                d 1111111?
                e     .11?
            "#]],
        );
    }

    #[test]
    fn a_change_costs_and_is_not_counted() {
        check(
            "
            policy elastic-dp[delta_s=5]
            rescale 2
            4 GPUs
            a work=26
            b at=2 work=13
            ",
            expect![[r#"
                a 44444~~33
                b   ...11111~~44
            "#]],
        );
    }

    #[test]
    fn the_queue_stops_at_the_first_job_that_does_not_fit() {
        // b needs 3 and finds 2; c would fit.
        check(
            "
            policy elastic-dp[delta_s=2]
            4 GPUs
            curve large 3:3
            a work=8 gpus=2 min=2
            b work=9 curve=large
            c work=1
            ",
            expect![[r#"
                a 44
                b ..333
                c ..1
            "#]],
        );
    }

    #[test]
    fn without_a_queue_what_does_not_fit_is_dropped() {
        check(
            "
            policy elastic-dp[delta_s=2,queue=false]
            4 GPUs
            curve large 3:3
            a work=8 gpus=2 min=2 max=2
            b work=9 curve=large
            c work=4
            d at=1 work=4
            ",
            expect![[r#"
                a 2222
                b x
                c 22
                d  .22
            "#]],
        );
    }

    #[test]
    fn more_jobs_than_gpus_wait_for_a_completion() {
        check(
            "
            policy elastic-dp[delta_s=1]
            2 GPUs
            a work=2
            b work=3
            c work=3
            ",
            expect![[r#"
                a 11
                b 111
                c ..12
            "#]],
        );
    }

    #[test]
    fn no_job_gets_more_than_gpus_max() {
        check(
            "
            policy elastic-dp[gpus_max=2]
            until 3
            8 GPUs
            a work=99
            b work=99 gpus=3 min=3
            c work=99 max=1
            ",
            expect![[r#"
                a 222?
                b 333?
                c 111?
            "#]],
        );
    }

    #[test]
    fn a_job_whose_minimum_is_more_than_the_cluster_is_dropped() {
        for policy in ["elastic-dp[delta_s=1]", "elastic-dp[delta_s=1,queue=false]"] {
            check(
                &format!(
                    "
                    policy {policy}
                    4 GPUs
                    curve large 8:8
                    a work=4 curve=large
                    b work=8
                    "
                ),
                expect![[r#"
                    a x
                    b 44
                "#]],
            );
        }
    }
}

mod shortest_first {
    use expect_test::expect;

    use crate::check;

    #[test]
    fn the_shortest_starts_first() {
        check(
            "
            policy shortest-first
            2 GPUs
            a gpus=2 work=8
            b gpus=1 work=3
            c gpus=1 work=2
            ",
            expect![[r#"
                a ...2222
                b 111
                c 11
            "#]],
        );
    }

    #[test]
    fn no_job_overtakes_the_next_and_equals_keep_their_order() {
        check(
            "
            policy shortest-first
            4 GPUs
            a gpus=3 work=9
            b gpus=2 work=4
            c gpus=2 work=4
            d gpus=1 work=3
            ",
            expect![[r#"
                a ..333
                b 22
                c 22
                d ..111
            "#]],
        );
    }

    #[test]
    fn a_job_that_is_too_large_is_dropped() {
        check(
            "
            policy shortest-first
            2 GPUs
            a gpus=3 work=1
            b gpus=1 work=3
            ",
            expect![[r#"
                a x
                b 111
            "#]],
        );
    }
}
