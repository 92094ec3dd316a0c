//! The sample, the what-ifs, and the tables, as a person would see them.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

use elastiplan_metrics::Bounds;
use elastiplan_model::Workload;
use elastiplan_policies::REGISTRY;
use elastiplan_scenario::{PolicyRun, Scenario, WhatIf, run, sample, tables};
use expect_test::{Expect, expect, expect_file};

fn run_all(scenario: &Scenario, policies: &[&str]) -> (Vec<PolicyRun>, Workload) {
    let (workload, _) = scenario.workload();
    let result = |policy: &&str| run(scenario, &workload, &policy.parse().unwrap()).unwrap();
    (policies.iter().map(result).collect(), workload)
}

fn check(actual: &str, expected: Expect) {
    expected.assert_eq(actual);
}

/// The first lines of a table, without the numbers' last digits mattering to a reader.
fn head(table: &[u8], lines: usize) -> String {
    String::from_utf8_lossy(table).lines().take(lines).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_sample_is_the_same_everywhere() {
    let jobs = elastiplan_formats::export::write_jobs(&sample::trace(sample::SEED));
    check(
        &head(&jobs, 6),
        expect![[r#"
        job_id,submit_s,model,gpus,samples,duration_s,deadline_s
        alexnet-1,0,AlexNet,16,,1698,1996
        mnasnet-2,548,MnasNet,4,,1727,2835
        mobilenets-3,1406,MobileNets,8,,3318,5759
        shufflenet-4,1728,ShuffleNet,64,,383,2360
        vgg-16-5,2042,VGG-16,8,,542,3008
    "#]],
    );
    assert_eq!(sample::trace(sample::SEED).jobs().len(), 48);
    assert_ne!(sample::trace(4), sample::trace(sample::SEED));
}

/// The browser's test (crates/worker/tests) expects the same file.
#[test]
fn samples_have_these_digests() {
    let mut digests = String::new();
    for seed in 1..=8 {
        let policies =
            ["fixed", "fixed[backfill=true]", "equal-share", "elastic-dp", "elastic-dp[delta_s=60,queue=false]"];
        for run in run_all(&sample::scenario(seed), &policies).0 {
            digests += &format!("{seed} {} {}\n", run.policy, run.digest);
        }
    }
    expect_file!["digests.txt"].assert_eq(&digests);
}

#[test]
fn tables_read_like_this() {
    let (runs, workload) = run_all(&sample::scenario(sample::SEED), &["fixed", "equal-share"]);
    check(
        &head(&tables::jobs(&runs, &workload), 3),
        expect![[r#"
        policy,job_id,model,gpus_requested,submit_s,deadline_s,outcome,start_s,end_s,jct_s,deadline_met,queueing_s,gpu_seconds,rescale_gpu_seconds,rescales,preemptions
        fixed,alexnet-1,AlexNet,16,0,1996,completed,0,1698,1698,true,0,27168,0,0,0
        fixed,mnasnet-2,MnasNet,4,548,2835,completed,548,2275,1727,true,0,6908,0,0,0
    "#]],
    );
    check(
        &head(&tables::spans(&runs, workload.trace()), 3),
        expect![[r#"
        policy,job_id,start_s,end_s,gpus,state
        fixed,alexnet-1,0,1698,16,running
        fixed,mnasnet-2,548,2275,4,running
    "#]],
    );
    check(
        &head(&tables::series(&runs), 4),
        expect![[r#"
        policy,time_s,gpus_in_use,jobs_running,jobs_waiting
        fixed,0,16,1,0
        fixed,548,20,2,0
        fixed,1406,28,3,0
    "#]],
    );
    let metrics = String::from_utf8(tables::metrics(&runs)).unwrap();
    assert_eq!(metrics.lines().count(), 3);
    assert!(metrics.starts_with("policy,digest,jobs_total,jobs_completed,"));
}

#[test]
fn jobs_arrive_faster_and_keep_their_slack() {
    let mut scenario = sample::scenario(sample::SEED);
    scenario.what_if.arrival_rate = 2.0;
    let (workload, _) = scenario.workload();
    let pairs = || scenario.trace.jobs().iter().zip(workload.trace().jobs());
    assert!(pairs().all(|(before, after)| after.submit_s == before.submit_s / 2.0));
    let slack = |submit_s: f64, deadline_s: Option<f64>| deadline_s.map(|deadline_s| deadline_s - submit_s);
    for (before, after) in pairs() {
        let (before, after) = (slack(before.submit_s, before.deadline_s), slack(after.submit_s, after.deadline_s));
        assert!(before.zip(after).is_none_or(|(before, after)| (before - after).abs() < 1e-6));
        assert_eq!(before.is_some(), after.is_some());
    }
}

#[test]
fn deadlines_move_from_the_submission() {
    let mut scenario = sample::scenario(sample::SEED);
    scenario.what_if.deadline_slack = 0.5;
    let (workload, _) = scenario.workload();
    for (before, after) in scenario.trace.jobs().iter().zip(workload.trace().jobs()) {
        assert_eq!(before.submit_s, after.submit_s);
        let expected = before.deadline_s.map(|deadline_s| before.submit_s + (deadline_s - before.submit_s) * 0.5);
        assert_eq!(after.deadline_s, expected);
    }
}

#[test]
fn nothing_asked_changes_nothing() {
    let scenario = sample::scenario(sample::SEED);
    assert_eq!(scenario.workload().0.trace(), &scenario.trace);
}

#[test]
fn a_dearer_rescale_costs_more() {
    let cost = |rescale_cost_s| {
        let mut scenario = sample::scenario(sample::SEED);
        scenario.what_if.rescale_cost_s = rescale_cost_s;
        run_all(&scenario, &["equal-share"]).0[0].summary.metrics.rescale_gpu_s
    };
    assert_eq!(cost(0.0), 0.0);
    assert!(cost(30.0) < cost(120.0));
}

#[test]
fn what_ifs_out_of_range_are_named() {
    let check = |what_if: WhatIf, expected: &str| {
        assert_eq!(what_if.validate().unwrap_err().to_string(), expected);
        let scenario = Scenario { what_if, ..sample::scenario(sample::SEED) };
        let (workload, _) = scenario.workload();
        assert_eq!(run(&scenario, &workload, &"fixed".parse().unwrap()).unwrap_err().to_string(), expected);
    };
    let what_if = WhatIf::default();
    check(WhatIf { arrival_rate: 0.0, ..what_if }, "arrival rate: 0 is not a number from 0.01 to 100");
    check(WhatIf { deadline_slack: f64::NAN, ..what_if }, "deadlines: NaN is not a number from 0.01 to 100");
    let rule = "rescale cost: -1 is not a number of seconds from 0 to 31,536,000";
    check(WhatIf { rescale_cost_s: -1.0, ..what_if }, rule);
}

#[test]
fn no_policy_gets_below_the_bounds() {
    for seed in 1..=8 {
        let scenario = sample::scenario(seed);
        let policies: Vec<&str> = REGISTRY.iter().map(|entry| entry.name).collect();
        let (runs, workload) = run_all(&scenario, &policies);
        let bounds = Bounds::of(&workload, scenario.cluster.gpus_total()).unwrap();
        for run in runs {
            let metrics = &run.summary.metrics;
            assert_eq!(metrics.jobs_completed, 48);
            assert!(metrics.avg_jct_s.unwrap() >= bounds.avg_jct_s, "{}, seed {seed}", run.policy);
            assert!(metrics.makespan_s.unwrap() >= bounds.makespan_s, "{}, seed {seed}", run.policy);
        }
    }
}
