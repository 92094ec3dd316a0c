//! What the policies that decide in rounds decide in small clusters.

mod themis {
    use expect_test::expect;

    use crate::check;

    #[test]
    fn jobs_that_never_ran_come_first_and_then_those_that_ran_least_for_their_share() {
        check(
            "
            policy themis[interval_s=1]
            2 GPUs
            a gpus=2 work=8
            b gpus=1 work=2
            c gpus=1 work=2
            ",
            expect![[r#"
                a .2-222
                b 1-1
                c 1-1
            "#]],
        );
    }

    #[test]
    fn what_fits_runs_without_turns() {
        check(
            "
            policy themis[interval_s=2]
            4 GPUs
            a gpus=2 work=8
            b at=1 gpus=2 work=4
            ",
            expect![[r#"
                a 2222
                b  .22
            "#]],
        );
    }

    #[test]
    fn a_job_that_waited_longer_gets_more() {
        check(
            "
            policy themis[interval_s=2]
            1 GPUs
            a gpus=1 work=12
            b at=6 gpus=1 work=6
            ",
            expect![[r#"
                a 111111----11--1111
                b       1111--11
            "#]],
        );
    }

    #[test]
    fn the_artifact_does_not_count_rounds() {
        check(
            "
            policy themis[interval_s=2,artifact=true]
            1 GPUs
            a gpus=1 work=12
            b at=6 gpus=1 work=6
            ",
            expect![[r#"
                a 111111--11--1111
                b       11--11----11
            "#]],
        );
    }

    #[test]
    fn no_job_is_interrupted_before_its_start_was_worth_it() {
        // A start costs 3 s, three rounds. Whoever has a turn works for 3 s as well.
        check(
            "
            policy themis[interval_s=1]
            rescale up=3 down=3 start=3
            1 GPUs
            a gpus=1 work=8
            b gpus=1 work=8
            ",
            expect![[r#"
                a ~~~111------~~~111------~~~11
                b ......~~~111------~~~111-----~~~11
            "#]],
        );
    }

    #[test]
    fn a_job_that_is_too_large_is_dropped() {
        check(
            "
            policy themis[interval_s=1]
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

    #[test]
    fn when_a_node_leaves_its_jobs_wait_for_the_next_round() {
        check(
            "
            policy themis[interval_s=4]
            2 x 2 GPUs
            node 0-5 9-
            node 0-
            a gpus=2 work=20
            b gpus=2 work=20
            ",
            expect![[r#"
                a 22222---22222
                b 22222222----22
            "#]],
        );
    }
}

mod chronus {
    use expect_test::expect;

    use crate::check;

    #[test]
    fn what_is_leased_is_not_given_away() {
        check(
            "
            policy chronus[lease_s=2]
            2 GPUs
            a gpus=2 work=8
            b at=2 gpus=2 work=4 deadline=10
            ",
            expect![[r#"
                a 22--22
                b   22
            "#]],
        );
    }

    #[test]
    fn as_much_as_can_be_is_used_now_if_no_job_was_refused() {
        check(
            "
            policy chronus[lease_s=2]
            2 GPUs
            a gpus=1 work=3 deadline=20
            b gpus=1 work=3 deadline=20
            c gpus=2 work=4 deadline=20
            ",
            expect![[r#"
                a ..111
                b ..111
                c 22
            "#]],
        );
    }

    #[test]
    fn leases_wait_for_the_last_moment_if_a_job_was_refused() {
        // With the margin b needs five leases before 10 and has no more than four: it is refused, and may be in time.
        check(
            "
            policy chronus[lease_s=2]
            1 GPUs
            a gpus=1 work=4 deadline=20
            b gpus=1 work=6 deadline=9
            ",
            expect![[r#"
                a ......1111
                b 111111
            "#]],
        );
    }

    #[test]
    fn of_others_the_shortest_runs_first_and_late_ones_come_last() {
        check(
            "
            policy chronus[lease_s=2]
            1 GPUs
            a gpus=1 work=6
            b gpus=1 work=3
            c gpus=1 work=2 deadline=1
            ",
            expect![[r#"
                a ....111111
                b 111
                c ..........11
            "#]],
        );
    }

    #[test]
    fn the_artifact_counts_leases_from_zero_and_books_one_later() {
        check(
            "
            policy chronus[lease_s=2,artifact=true]
            1 GPUs
            a at=1 gpus=1 work=3 deadline=20
            ",
            expect![[r#"
                a ...111
            "#]],
        );
    }

    #[test]
    fn a_promise_that_a_node_took_away_is_taken_back() {
        check(
            "
            policy chronus[lease_s=2]
            2 x 1 GPUs
            node 0-3
            node 0-
            a gpus=1 work=7 deadline=10
            b gpus=1 work=7 deadline=10
            ",
            expect![[r#"
                a 111-----1111
                b 1111111
            "#]],
        );
    }

    #[test]
    fn a_job_that_is_too_large_is_dropped() {
        check(
            "
            policy chronus[lease_s=1]
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
