//! What Pollux and its rivals decide in small clusters. A job does 1 sample/s on every GPU where no curve says otherwise.

mod optimus {
    use expect_test::expect;

    use crate::check;

    #[test]
    fn the_next_gpu_goes_where_it_saves_most_time() {
        // The second GPU saves a 5 s and b 1 s.
        check(
            "
            policy optimus[interval_s=1]
            3 GPUs
            a work=10
            b work=2
            ",
            expect![[r#"
                a 2233
                b 11
            "#]],
        );
    }

    #[test]
    fn all_jobs_have_the_fewest_before_one_has_more() {
        check(
            "
            policy optimus[interval_s=1]
            4 GPUs
            a work=100 min=2
            b work=3
            c work=3
            d work=3
            until 8
            ",
            expect![[r#"
                a 22233344?
                b 111
                c 111
                d ...111
            "#]],
        );
    }

    #[test]
    fn a_gpu_that_saves_no_time_stays_free() {
        check(
            "
            policy optimus[interval_s=1]
            4 GPUs
            curve m 1:1 2:2 4:2
            a work=6 curve=m
            nodes
            ",
            expect![[r#"
                a 222
                0.0 aaa
                0.1 aaa
                0.2 ...
                0.3 ...
            "#]],
        );
    }

    #[test]
    fn a_job_that_keeps_its_number_keeps_its_place_and_the_others_go_to_the_emptiest_node() {
        check(
            "
            policy optimus[interval_s=1]
            2 x 2 GPUs
            a work=8 max=1
            b work=4 max=1
            c at=2 work=4 max=2
            nodes
            ",
            expect![[r#"
                a 11111111
                b 1111
                c   22
                0.0 aaaaaaaa
                0.1 ..cc....
                1.0 bbbb....
                1.1 ..cc....
            "#]],
        );
    }
}

mod tiresias_with_two_queues {
    use expect_test::expect;

    use crate::check;

    #[test]
    fn a_job_that_has_had_enough_stands_behind_the_others_for_good() {
        check(
            "
            policy tiresias[two_queues=true,interval_s=1,two_queue_limit_gpu_s=4]
            2 GPUs
            a gpus=2 work=12
            b at=1 gpus=2 work=8
            ",
            expect![[r#"
                a 22--2222
                b  .22----22
            "#]],
        );
    }

    #[test]
    fn jobs_that_fit_run_too() {
        check(
            "
            policy tiresias[two_queues=true,interval_s=1,two_queue_limit_gpu_s=100]
            3 GPUs
            a gpus=2 work=8
            b gpus=2 work=4
            c gpus=1 work=3
            ",
            expect![[r#"
                a 2222
                b ....22
                c 111
            "#]],
        );
    }
}

mod pollux {
    use expect_test::expect;

    use crate::check;

    #[test]
    fn gpus_go_to_the_jobs_that_gain_most() {
        // A second GPU would be worth 0.2 to b, less than the 0.25 that a restart costs, and a third is worth 1 to a.
        check(
            "
            policy pollux[interval_s=1,report_s=1]
            4 GPUs
            curve steep 1:1 2:2 3:3 4:4
            curve flat 1:1 2:1.2 3:1.3 4:1.4
            a work=99 curve=steep
            b work=99 curve=flat
            until 9
            ",
            expect![[r#"
                a 333333333?
                b 111111111?
            "#]],
        );
    }

    #[test]
    fn a_change_must_be_worth_its_restart() {
        // Another GPU is worth 0.2 to a, less than the 0.25 of a restart.
        check(
            "
            policy pollux[interval_s=1,report_s=1]
            2 GPUs
            curve m 1:1 2:1.2
            a work=8 curve=m
            b work=3 curve=m
            ",
            expect![[r#"
                a 11111111
                b 111
            "#]],
        );
    }

    #[test]
    fn jobs_on_several_nodes_are_kept_apart() {
        check(
            "
            policy pollux[interval_s=1,report_s=1]
            3 x 2 GPUs
            a min=3 max=3 work=12
            b min=3 max=3 work=12
            nodes
            ",
            expect![[r#"
                a ....3333
                b 3333
                0.0 bbbbaaaa
                0.1 bbbbaaaa
                1.0 ........
                1.1 ........
                2.0 bbbbaaaa
                2.1 ........
            "#]],
        );
        check(
            "
            policy pollux[interval_s=1,report_s=1,avoid_interference=false]
            3 x 2 GPUs
            a min=3 max=3 work=12
            b min=3 max=3 work=12
            nodes
            ",
            expect![[r#"
                a 3333
                b 3333
                0.0 bbbb
                0.1 bbbb
                1.0 aaaa
                1.1 aaaa
                2.0 aaaa
                2.1 bbbb
            "#]],
        );
    }

    #[test]
    fn a_job_that_has_had_much_weighs_less() {
        check(
            "
            policy pollux[interval_s=1,report_s=1,weight_threshold_gpu_h=0.001,weight_decay=1,restart_penalty=0]
            1 GPUs
            a work=12
            b at=6 work=4
            ",
            expect![[r#"
                a 111111----111111
                b       1111
            "#]],
        );
    }

    #[test]
    fn the_genetic_search_never_leaves_a_cluster_idle_that_a_job_can_run_on() {
        check(
            "
            policy pollux[interval_s=1,report_s=1,genetic=true,population=2,rounds=1]
            2 x 2 GPUs
            a work=8 min=4
            b at=1 work=8 min=4
            ",
            expect![[r#"
                a 44
                b  .44
            "#]],
        );
    }

    #[test]
    fn as_many_nodes_are_rented_as_are_used_well() {
        check(
            "
            policy pollux[interval_s=1,report_s=1]
            2 GPUs
            cloud 1 of 4 after 2
            curve m 1:1 2:2 4:3 8:4
            a work=99 curve=m
            until 12
            nodes
            ",
            expect![[r#"
                a 226666666666?
                0.0 aaaaaaaaaaaa
                0.1 aaaaaaaaaaaa
                1.0 ..aaaaaaaaaa
                1.1 ..aaaaaaaaaa
                2.0 ..aaaaaaaaaa
                2.1 ..aaaaaaaaaa
                3.0 ............
                3.1 ............
            "#]],
        );
    }
}
