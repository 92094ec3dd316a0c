//! ElasticFlow in small: the figures of its paper, and what becomes of jobs that ask for the impossible.

use elastiplan_engine::{Outcome, Simulation};
use elastiplan_model::JobId;
use elastiplan_policies::PolicySpec;
use expect_test::{Expect, expect};

use crate::{check, drawing};

/// Speeds of Figures 3 and 4.
const CURVE: &str = "curve m 1:1 2:1.5 4:2";

/// What became of each job, and what was noted about it.
fn check_outcomes(policy: &str, case: &str, expected: Expect) {
    let case = drawing::parse(case);
    let spec: PolicySpec = policy.parse().unwrap();
    let policy = spec.build(0).unwrap();
    let simulation =
        Simulation::new(&case.workload, case.cluster, case.settings.clone(), spec.to_string(), policy).unwrap();
    let run = simulation.run_to_end().unwrap_or_else(|error| panic!("{error}"));
    let line = |(at, job): (usize, &elastiplan_model::Job)| {
        let end_s = run.jobs.end_s[at].filter(|_| run.jobs.outcome[at] == Outcome::Completed);
        let end = end_s.map_or_else(|| run.jobs.outcome[at].word().to_string(), |end_s| format!("done at {end_s:.1}"));
        let remark = run.remarks.of(JobId(at as u32)).map(|text| format!(". {text}")).unwrap_or_default();
        format!("{}: {end}{remark}\n", job.name)
    };
    let outcomes: String = case.workload.trace().jobs().iter().enumerate().map(line).collect();
    expected.assert_eq(&outcomes);
}

#[test]
fn one_gpu_each_meets_both_deadlines_of_figure_3() {
    check(
        "
        policy elasticflow[interval_s=0]
        2 GPUs
        curve m 1:1 2:1.5
        a work=3 curve=m deadline=3.1
        b work=3 curve=m deadline=3.5
        ",
        expect![[r#"
            a 111
            b 111
        "#]],
    );
    check(
        "
        policy edf[interval_s=0]
        2 GPUs
        curve m 1:1 2:1.5
        a work=3 curve=m deadline=3.1
        b work=3 curve=m deadline=3.5
        ",
        expect![[r#"
            a 22
            b ..22
        "#]],
    );
}

#[test]
fn job_c_of_figure_4_needs_one_gpu_first_and_four_afterwards() {
    check(
        &format!(
            "
            policy elasticflow[interval_s=0]
            4 GPUs
            {CURVE}
            a work=10 max=1 deadline=10.1
            b work=20 max=2 min=2 deadline=10.1
            c work=30 curve=m deadline=20.1
            "
        ),
        expect![[r#"
            a 1111111111
            b 2222222222
            c 11111111114444444444
        "#]],
    );
}

/// Work that fits exactly is admitted and in time: nothing is lost to what plans keep for rounding.
#[test]
fn figure_4_is_admitted_with_the_deadlines_as_they_stand_in_the_paper() {
    for hour_s in [1.0, 10.0, 3_600.0, 1e6] {
        let (a_s, c_s) = (hour_s, 2.0 * hour_s);
        check_outcomes(
            "elasticflow[interval_s=0]",
            &format!(
                "
                4 GPUs
                {CURVE}
                a work={a_s} max=1 deadline={a_s}
                b work={c_s} max=2 min=2 deadline={a_s}
                c work={} curve=m deadline={c_s}
                ",
                3.0 * hour_s
            ),
            match hour_s {
                1.0 => expect![[r#"
                    a: done at 1.0
                    b: done at 1.0
                    c: done at 2.0
                "#]],
                10.0 => expect![[r#"
                    a: done at 10.0
                    b: done at 10.0
                    c: done at 20.0
                "#]],
                3_600.0 => expect![[r#"
                    a: done at 3600.0
                    b: done at 3600.0
                    c: done at 7200.0
                "#]],
                _ => expect![[r#"
                    a: done at 1000000.0
                    b: done at 1000000.0
                    c: done at 2000000.0
                "#]],
            },
        );
    }
}

#[test]
fn what_is_left_goes_to_the_job_that_scales_best() {
    check(
        "
        policy elasticflow[interval_s=0]
        4 GPUs
        curve good 1:1 2:2
        curve poor 1:1 2:1.25
        a work=9 curve=poor deadline=20
        b work=8 curve=good deadline=20
        c work=8 max=1 deadline=20
        ",
        expect![[r#"
            a 11112222
            b 2222
            c 11111111
        "#]],
    );
}

/// Running on one GPU now rather than later saves nothing, for either job: the one submitted first gets the GPU, and not
/// the one whose saving happens to be above 0 in the last digit.
#[test]
fn of_equal_savings_the_first_job_gets_the_gpu() {
    let check = |a: (f64, f64), b: (f64, f64)| {
        let text = format!(
            "
            2 GPUs
            r work=10 max=1 deadline=10
            a work={} max=1 deadline={}
            b work={} max=1 deadline={}
            ",
            a.0, a.1, b.0, b.1
        );
        let case = drawing::parse(&text);
        let policy: PolicySpec = "elasticflow[interval_s=0]".parse().unwrap();
        let name = policy.to_string();
        let policy = policy.build(0).unwrap();
        let run = Simulation::new(&case.workload, case.cluster, case.settings.clone(), name, policy).unwrap();
        let run = run.run_to_end().unwrap_or_else(|error| panic!("{error}"));
        let first_s = (a.0).min(10.0);
        assert_eq!(run.jobs.start_s, [Some(0.0), Some(0.0), Some(first_s)], "{text}");
    };
    for at in 0..100 {
        let step = f64::from(at);
        check((7.3 + step / 7.0, 100.0 + step * 1.3), (5.1 + step / 3.0, 120.0 + step * 1.7));
    }
}

#[test]
fn best_effort_jobs_get_a_gpu_before_a_job_is_made_faster_and_make_way_for_promises() {
    check(
        "
        policy elasticflow[interval_s=0]
        2 GPUs
        a work=12
        b at=2 work=6 deadline=13
        c at=4 work=8 deadline=9
        ",
        expect![[r#"
            a 2211----11112
            b   11----1111
            c     2222
        "#]],
    );
}

#[test]
fn changes_are_paid_for_in_plans() {
    check(
        "
        policy elasticflow[interval_s=0]
        2 GPUs
        rescale 3
        a work=12 deadline=12.1
        b at=2 work=2 deadline=20
        ",
        expect![[r#"
            a 222222
            b   ....2
        "#]],
    );
}

#[test]
fn declined_jobs_get_a_reason() {
    let case = format!(
        "
        4 GPUs
        {CURVE}
        large gpus=8 min=8 work=8 deadline=99
        overdue at=5 work=6 curve=m deadline=4
        tight at=5 work=60 curve=m deadline=20
        first at=6 work=40 curve=m deadline=30
        second at=7 work=40 curve=m deadline=30
        effort at=8 work=5
        "
    );
    check_outcomes(
        "elasticflow[interval_s=0]",
        &case,
        expect![[r#"
            large: dropped. Declined: it needs at least 8 GPUs, the cluster has 4
            overdue: dropped. Declined: its deadline was over when it was submitted; 3s after submission would do
            tight: dropped. Declined: even alone on 4 GPUs it takes 30s; a deadline 15s later would do
            first: done at 26.0
            second: dropped. Declined: not beside what is promised; a deadline 16s later would do
            effort: done at 27.2
        "#]],
    );
    check_outcomes(
        "elasticflow[interval_s=0,soft_deadlines=true]",
        &case,
        expect![[r#"
        large: dropped. Declined: it needs at least 8 GPUs, the cluster has 4
        overdue: done at 30.5
        tight: done at 63.5
        first: done at 26.0
        second: done at 54.2
        effort: done at 30.8
    "#]],
    );
}

#[test]
fn a_user_gets_no_more_than_the_quota() {
    check_outcomes(
        "elasticflow[interval_s=0,user_jobs_per_day=1]",
        "
        4 GPUs
        a work=5 deadline=50 user=ada
        b at=1 work=5 deadline=50 user=ada
        c at=2 work=5 deadline=50 user=bob
        d at=3 work=5 user=ada
        ",
        expect![[r#"
            a: done at 1.2
            b: dropped. Declined: ada has had a job admitted within 24 h; a later submission would do
            c: done at 3.2
            d: dropped. Declined: ada has had a job admitted within 24 h; a later submission would do
        "#]],
    );
}

#[test]
fn no_promise_is_based_on_the_reserve_but_it_is_used() {
    check(
        "
        policy elasticflow[interval_s=0,reserve_gpus=2]
        4 GPUs
        a work=12 deadline=6.1
        b work=8 deadline=20
        ",
        expect![[r#"
            a 444
            b ...44
        "#]],
    );
}

#[test]
fn a_curve_that_falls_is_used_up_to_its_peak() {
    check(
        "
        policy elasticflow[interval_s=0]
        4 GPUs
        curve m 1:1 2:2 4:1
        a work=8 curve=m deadline=20
        ",
        expect![[r#"
            a 2222
        "#]],
    );
}
