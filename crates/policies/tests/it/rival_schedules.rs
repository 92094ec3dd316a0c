//! What ElasticFlow's rivals decide in small clusters. A job does 1 sample/s on every GPU where no curve says otherwise.

mod edf {
    use expect_test::expect;

    use crate::check;

    #[test]
    fn the_earliest_deadline_first_on_all_it_can_use() {
        check(
            "
            policy edf[interval_s=0]
            4 GPUs
            curve m 1:1 2:2 4:2.5
            a gpus=1 work=8 max=2 deadline=9
            b gpus=1 work=5 curve=m deadline=5
            ",
            expect![[r#"
                a ..2222
                b 44
            "#]],
        );
    }

    #[test]
    fn a_job_with_an_earlier_deadline_takes_gpus_from_the_others() {
        check(
            "
            policy edf[interval_s=0]
            4 GPUs
            rescale 1
            a work=14 deadline=30
            b at=2 work=4 max=2 deadline=9
            c at=3 work=8 deadline=6
            ",
            expect![[r#"
                a 44~--~2~4
                b   2--~2
                c    44
            "#]],
        );
    }

    #[test]
    fn jobs_get_no_more_gpus_than_make_them_faster() {
        // The curve falls after 2: the artifact takes 4 all the same.
        check(
            "
            policy edf[interval_s=0]
            4 GPUs
            curve m 1:1 2:2 4:1.5
            a work=4 curve=m deadline=9
            b work=4 curve=m deadline=9
            ",
            expect![[r#"
                a 22
                b 22
            "#]],
        );
    }

    #[test]
    fn the_artifact_takes_what_there_is_whatever_the_speed() {
        check(
            "
            policy edf[artifact=true,interval_s=2]
            4 GPUs
            curve m 1:1 2:2 4:1
            a work=4 curve=m deadline=9
            b work=2 curve=m deadline=9
            ",
            expect![[r#"
                a 4444
                b ....44
            "#]],
        );
    }

    #[test]
    fn jobs_without_a_deadline_come_last_in_order_of_submission() {
        check(
            "
            policy edf[interval_s=0]
            2 GPUs
            a work=4
            b work=4
            c at=1 work=2 deadline=2
            ",
            expect![[r#"
                a 2-2
                b ...22
                c  2
            "#]],
        );
    }

    #[test]
    fn without_admission_a_deadline_that_has_passed_is_the_earliest() {
        check(
            "
            policy edf[interval_s=0]
            2 GPUs
            a work=4 deadline=3
            b at=1 work=2 deadline=0
            ",
            expect![[r#"
                a 2-2
                b  2
            "#]],
        );
    }

    #[test]
    fn a_job_that_would_miss_its_deadline_is_dropped() {
        // c would delay no job, but is too late itself; b alone would be in time, and make a late.
        check(
            "
            policy edf[admission=true,interval_s=0]
            2 GPUs
            a work=8 deadline=5
            b at=1 work=4 deadline=4
            c at=1 work=4 deadline=5
            d at=1 work=2 deadline=5
            e at=1 work=2
            ",
            expect![[r#"
                a 2222
                b  x
                c  x
                d  ...2
                e  ....2
            "#]],
        );
    }

    #[test]
    fn new_jobs_are_tested_one_by_one() {
        check(
            "
            policy edf[admission=true,interval_s=0]
            2 GPUs
            a work=4 deadline=2
            b work=4 deadline=2
            c work=2 deadline=3
            ",
            expect![[r#"
                a 22
                b x
                c ..2
            "#]],
        );
    }

    #[test]
    fn decisions_are_so_many_seconds_apart() {
        check(
            "
            policy edf[interval_s=4]
            2 GPUs
            a work=4 max=1 deadline=20
            b at=1 work=4 deadline=9
            ",
            expect![[r#"
                a 1111
                b  ...22
            "#]],
        );
    }

    #[test]
    fn what_a_leaving_node_leaves_is_used() {
        check(
            "
            policy edf[interval_s=0]
            2 x 2 GPUs
            node 0-2 5-
            a work=12 deadline=9
            b work=6 deadline=10
            ",
            expect![[r#"
                a 4422
                b ....24
            "#]],
        );
    }
}

mod tiresias {
    use expect_test::expect;

    use crate::check;

    #[test]
    fn a_job_that_has_had_its_share_makes_way() {
        check(
            "
            policy tiresias[interval_s=0,first_limit_gpu_s=3,second_limit_gpu_s=9]
            1 GPUs
            a work=5
            b at=2 work=2
            ",
            expect![[r#"
                a 111--11
                b   .11
            "#]],
        );
    }

    #[test]
    fn wide_jobs_reach_the_limit_sooner() {
        check(
            "
            policy tiresias[interval_s=0,first_limit_gpu_s=4,second_limit_gpu_s=8]
            2 GPUs
            a gpus=2 work=20
            b gpus=1 work=5
            c gpus=1 work=5
            ",
            expect![[r#"
                a 22----22-222222
                b ..1111--1
                c ..1111--1
            "#]],
        );
    }

    #[test]
    fn one_that_does_not_fit_is_skipped() {
        check(
            "
            policy tiresias[interval_s=0]
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
    fn a_resumption_is_paid_for() {
        check(
            "
            policy tiresias[interval_s=0,first_limit_gpu_s=3,second_limit_gpu_s=9]
            rescale 1
            1 GPUs
            a work=5
            b at=2 work=2
            ",
            expect![[r#"
                a 111--~11
                b   .11
            "#]],
        );
    }

    #[test]
    fn decisions_are_so_many_seconds_apart() {
        check(
            "
            policy tiresias[interval_s=5]
            1 GPUs
            a work=2
            b at=1 work=2
            ",
            expect![[r#"
                a 11
                b  ....11
            "#]],
        );
    }

    #[test]
    fn an_oversize_job_is_dropped() {
        check(
            "
            policy tiresias
            4 GPUs
            a gpus=5 work=5
            b gpus=4 work=8
            ",
            expect![[r#"
                a x
                b 44
            "#]],
        );
    }
}

mod gandiva {
    use expect_test::expect;

    use crate::check;

    #[test]
    fn jobs_of_one_size_share_a_node_and_take_turns() {
        check(
            "
            policy gandiva[interval_s=0,slice_s=10]
            nodes
            1 x 2 GPUs
            a gpus=2 work=30
            b gpus=2 work=30
            ",
            expect![[r#"
                a 2222222222----------22222
                b ..........2222222222-----22222
                0.0 aaaaaaaaaabbbbbbbbbbaaaaabbbbb
                0.1 aaaaaaaaaabbbbbbbbbbaaaaabbbbb
            "#]],
        );
    }

    #[test]
    fn another_size_waits_for_a_node() {
        check(
            "
            policy gandiva[interval_s=0,slice_s=10]
            nodes
            2 x 2 GPUs
            a gpus=1 work=3
            b gpus=2 work=10
            c gpus=1 work=4
            d gpus=2 work=6
            ",
            expect![[r#"
                a 111
                b 22222
                c 1111
                d ....222
                0.0 aaa.ddd
                0.1 ccccddd
                1.0 bbbbb..
                1.1 bbbbb..
            "#]],
        );
    }

    #[test]
    fn a_class_grows_when_a_node_is_free() {
        // c shares the node of b until that of a is free.
        check(
            "
            policy gandiva[interval_s=0,slice_s=10]
            nodes
            2 x 2 GPUs
            a gpus=1 work=4
            b gpus=2 work=20
            c gpus=2 work=6
            ",
            expect![[r#"
                a 1111
                b 2222222222
                c ....222
                0.0 aaaaccc...
                0.1 ....ccc...
                1.0 bbbbbbbbbb
                1.1 bbbbbbbbbb
            "#]],
        );
    }

    #[test]
    fn a_class_shrinks_when_another_needs_its_nodes() {
        check(
            "
            policy gandiva[interval_s=0,slice_s=10]
            nodes
            3 x 2 GPUs
            a gpus=1 work=12
            b gpus=1 work=3
            c gpus=1 work=3
            d gpus=1 work=12
            e gpus=4 work=20 at=1
            ",
            expect![[r#"
                a 111111111111
                b 111
                c 111
                d 111111111111
                e  ..44444
                0.0 aaaeeeee....
                0.1 bbbeeeee....
                1.0 cccaaaaaaaaa
                1.1 dddddddddddd
                2.0 ...eeeee....
                2.1 ...eeeee....
            "#]],
        );
    }

    #[test]
    fn a_job_of_several_nodes_has_them_alone() {
        check(
            "
            policy gandiva[interval_s=0]
            nodes
            3 x 2 GPUs
            a gpus=3 work=9
            b gpus=1 work=3
            ",
            expect![[r#"
                a 333
                b 111
                0.0 aaa
                0.1 aaa
                1.0 aaa
                1.1 ...
                2.0 bbb
                2.1 ...
            "#]],
        );
    }

    #[test]
    fn a_turn_in_which_much_is_paid_lasts_longer() {
        check(
            "
            policy gandiva[interval_s=0,slice_s=10]
            rescale 12
            1 GPUs
            a work=25
            b work=25
            ",
            expect![[r#"
                a 1111111111----------~~~~~~~~~~~~11111111--------------------~~~~~~~~~~~~1111111
                b ..........1111111111--------------------~~~~~~~~~~~~11111111-------------------~~~~~~~~~~~~1111111
            "#]],
        );
    }

    #[test]
    fn nodes_that_go_take_their_jobs_places() {
        check(
            "
            policy gandiva[interval_s=0,slice_s=10]
            nodes
            2 x 2 GPUs
            node 0-3 8-
            a gpus=2 work=10
            b gpus=2 work=20
            ",
            expect![[r#"
                a 222-----22
                b 2222222222
                0.0 aaa.....aa
                0.1 aaa.....aa
                1.0 bbbbbbbbbb
                1.1 bbbbbbbbbb
            "#]],
        );
    }
}
