//! The sample, the what-ifs, and the tables, as a person would see them.

use elastiplan_metrics::{Bounds, JobMetrics};
use elastiplan_model::{Curves, Job, Trace};
use elastiplan_planner::{run, tables};
use elastiplan_policies::REGISTRY;
use elastiplan_scenario::{Conditions, Scenario, sample};
use expect_test::{Expect, expect};

use crate::run_all;

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

/// A run of other jobs has its own names in its rows, and what differs stands beside the policy.
#[test]
fn runs_of_one_policy_are_told_apart_in_tables() {
    let scenario = sample::scenario(sample::SEED);
    let mut other = scenario.clone();
    other.trace = scenario.trace.filtered(|id, _| id.index() % 2 == 1).into();
    let (runs, workload) = run_all(&scenario, &["fixed"]);
    let (others, own) = run_all(&other, &["fixed"]);
    let differs = "every second job".to_string();
    let second = tables::Listed { run: &others[0], own_workload: Some(&own), differs };
    let listed = || [tables::Listed::from(&runs[0]), second.clone()];
    let first_of = |table: &[u8], columns: usize| {
        let text = String::from_utf8_lossy(table).into_owned();
        let row = text.lines().find(|line| line.contains("every second job")).unwrap().to_string();
        row.split(',').take(columns).collect::<Vec<_>>().join(",")
    };
    assert_eq!(first_of(&tables::jobs(listed(), &workload), 4), "fixed,every second job,mnasnet-2,MnasNet");
    assert_eq!(first_of(&tables::spans(listed(), &workload), 3), "fixed,every second job,mnasnet-2");
    assert_eq!(first_of(&tables::series(listed()), 2), "fixed,every second job");
    let digest = &others[0].digest;
    assert_eq!(first_of(&tables::metrics(listed(), &workload), 3), format!("fixed,every second job,{digest}"));
    let rows = String::from_utf8_lossy(&tables::jobs(listed(), &workload)).lines().count();
    assert_eq!(rows, 1 + 48 + 24);
}

#[test]
fn tables_read_like_this() {
    let (runs, workload) = run_all(&sample::scenario(sample::SEED), &["fixed", "equal-share"]);
    check(
        &head(&tables::jobs(&runs, &workload), 3),
        expect![[r#"
            policy,job_id,model,gpus_requested,submit_s,deadline_s,outcome,start_s,end_s,jct_s,deadline_met,queueing_s,gpu_seconds,rescale_gpu_seconds,rescales,preemptions,remark
            fixed,alexnet-1,AlexNet,16,0,1996,completed,0,1698,1698,true,0,27168,0,0,0,
            fixed,mnasnet-2,MnasNet,4,548,2835,completed,548,2275,1727,true,0,6908,0,0,0,
        "#]],
    );
    check(
        &head(&tables::spans(&runs, &workload), 3),
        expect![[r#"
            policy,job_id,start_s,end_s,gpus,state,samples_per_s,work_per_s,efficiency
            fixed,alexnet-1,0,1698,16,running,74000,,
            fixed,mnasnet-2,548,2275,4,running,11500,,
        "#]],
    );
    check(
        &head(&tables::series(&runs), 4),
        expect![[r#"
        policy,time_s,gpus_in_use,jobs_running,jobs_waiting,gpus_present
        fixed,0,16,1,0,128
        fixed,548,20,2,0,128
        fixed,1406,28,3,0,128
    "#]],
    );
    check(
        &head(&tables::nodes(&runs, workload.trace()), 5),
        expect![[r#"
            policy,node,node_name,job_id,gpus,first_gpu,gpu_mask,start_s,end_s
            fixed,0,,alexnet-1,8,0,0xff,0,1698
            fixed,0,,shufflenet-4,8,0,0xff,1728,2111
            fixed,0,,vgg-16-6,8,0,0xff,2313,3879
            fixed,0,,resnet18-13,8,0,0xff,4047,6926
        "#]],
    );
    check(
        &head(&tables::decisions(&runs), 3),
        expect![[r#"
        policy,time_s,started,rescaled,preempted,dropped
        fixed,0,1,0,0,0
        fixed,548,1,0,0,0
    "#]],
    );
    assert_eq!(tables::losses(&runs, workload.trace()), None);
    let metrics = String::from_utf8(tables::metrics(&runs, &workload)).unwrap();
    assert_eq!(metrics.lines().count(), 3);
    assert!(metrics.starts_with("policy,digest,jobs_total,jobs_admitted,jobs_completed,"));
}

/// What was assumed stands in every table of jobs and of metrics.
#[test]
fn tables_name_what_was_assumed() {
    let assumed = |change: fn(&mut Scenario)| {
        let mut scenario = sample::scenario(sample::SEED);
        change(&mut scenario);
        let (runs, workload) = run_all(&scenario, &["fixed"]);
        let [jobs, metrics] = [tables::jobs(&runs, &workload), tables::metrics(&runs, &workload)];
        [jobs, metrics].map(|table| {
            let text = String::from_utf8(table).unwrap();
            let mut rows = text.lines().filter_map(|line| line.rsplit_once(','));
            let is_column = rows.next().is_some_and(|(_, last)| last == "assumed");
            rows.next().filter(|_| is_column).map_or("", |(_, last)| last).to_string()
        })
    };
    let check = |change: fn(&mut Scenario), expected: [&str; 2]| assert_eq!(assumed(change), expected);
    let sample = sample::trace(sample::SEED);
    let count = |lacks: fn(&Trace, &Job) -> bool| sample.jobs().iter().filter(|job| lacks(&sample, job)).count();
    let of_alexnet = count(|trace, job| trace.model_name(job.model) == "AlexNet");
    let without_deadline = count(|_, job| job.deadline_s.is_none());
    check(|_| {}, ["", ""]);
    let without_curves = |scenario: &mut Scenario| {
        scenario.curves = Default::default();
        scenario.conditions.law = "amdahl:0.05".parse().ok();
    };
    check(without_curves, ["speed by amdahl:0.05", "speed by amdahl:0.05 for 48 jobs"]);
    let both = |scenario: &mut Scenario| {
        let others = scenario.curves.as_slice().iter().filter(|curve| curve.key().model != "AlexNet");
        scenario.curves = others.cloned().collect::<Curves>().into();
        scenario.conditions.law = "like:DenseNet".parse().ok();
        scenario.conditions.deadline_tightness = "1..2".parse().ok();
    };
    let all = format!("deadline drawn for {without_deadline} jobs; speed like DenseNet for {of_alexnet} jobs");
    check(both, ["speed like DenseNet", &all]);
}

#[test]
fn jobs_arrive_faster_and_keep_their_slack() {
    let mut scenario = sample::scenario(sample::SEED);
    scenario.conditions.arrival_rate = 2.0;
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
    scenario.conditions.deadline_slack = 0.5;
    let (workload, _) = scenario.workload();
    for (before, after) in scenario.trace.jobs().iter().zip(workload.trace().jobs()) {
        assert_eq!(before.submit_s, after.submit_s);
        let expected = before.deadline_s.map(|deadline_s| before.submit_s + (deadline_s - before.submit_s) * 0.5);
        assert_eq!(after.deadline_s, expected);
    }
}

#[test]
fn twice_the_work_takes_twice_as_long() {
    let run_s = |work| {
        let mut scenario = sample::scenario(sample::SEED);
        (scenario.conditions.rescale_cost_s, scenario.conditions.work) = (0.0, work);
        let (runs, workload) = run_all(&scenario, &["fixed"]);
        JobMetrics::of(&runs[0].run, &workload).run_s
    };
    for (before_s, after_s) in run_s(1.0).into_iter().zip(run_s(2.0)) {
        assert!((after_s / before_s - 2.0).abs() < 1e-9, "{before_s} s, then {after_s} s");
    }
}

#[test]
fn nothing_asked_changes_nothing() {
    let scenario = sample::scenario(sample::SEED);
    assert_eq!(scenario.workload().0.trace(), &*scenario.trace);
}

#[test]
fn a_dearer_rescale_costs_more() {
    let cost = |rescale_cost_s| {
        let mut scenario = sample::scenario(sample::SEED);
        scenario.conditions.rescale_cost_s = rescale_cost_s;
        run_all(&scenario, &["equal-share"]).0[0].summary.metrics.rescale_gpu_s
    };
    assert_eq!(cost(0.0), 0.0);
    assert!(cost(30.0) < cost(120.0));
}

#[test]
fn what_ifs_out_of_range_are_named() {
    let check = |conditions: Conditions, expected: &str| {
        assert_eq!(conditions.validate().unwrap_err().to_string(), expected);
        let scenario = Scenario { conditions, ..sample::scenario(sample::SEED) };
        let (workload, _) = scenario.workload();
        assert_eq!(run(&scenario, &workload, &"fixed".parse().unwrap()).unwrap_err().to_string(), expected);
    };
    let factor = |arrival_rate, deadline_slack| Conditions { arrival_rate, deadline_slack, ..Conditions::default() };
    check(factor(0.0, 1.0), "arrival rate: 0 is not a number from 0.01 to 100");
    check(factor(1.0, f64::NAN), "deadlines: NaN is not a number from 0.01 to 100");
    let rule = "rescale cost: -1 is not a number of seconds from 0 to 31,536,000";
    check(Conditions::with_rescale_cost_s(-1.0), rule);
}

#[test]
fn no_policy_gets_below_the_bounds() {
    for seed in 1..=8 {
        let scenario = sample::scenario(seed);
        // The bounds are of all jobs: who drops some can be faster with the others.
        let that_drops_none =
            |name: &'static str| if name == "elasticflow" { "elasticflow[admission=false]" } else { name };
        let policies: Vec<&str> = REGISTRY.iter().map(|entry| that_drops_none(entry.name)).collect();
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

#[test]
fn what_nodes_take_with_them_is_a_table() {
    let mut scenario = sample::scenario(sample::SEED);
    scenario.conditions.checkpoint_interval_s = Some(600.0);
    scenario.conditions.faults.node_mtbf_s = Some(20_000.0);
    scenario.conditions.faults.node_repair_s = 600.0;
    let (runs, workload) = run_all(&scenario, &["fixed", "equal-share"]);
    let losses = tables::losses(&runs, workload.trace()).unwrap();
    check(
        &head(&losses, 3),
        expect![[r#"
        policy,time_s,job_id,lost_gpu_seconds,lost_samples,cause
        fixed,1580.1479429683204,alexnet-1,6082.367087493127,28130947.77965571,node-left
        fixed,1888.2825042715165,mobilenets-3,3858.260034172132,10610215.093973363,node-left
    "#]],
    );
    let lost = |policy: &str| -> f64 {
        let text = String::from_utf8_lossy(&losses);
        let rows = text.lines().filter(|line| line.starts_with(policy));
        rows.map(|line| line.split(',').nth(3).unwrap().parse::<f64>().unwrap()).sum()
    };
    for run in &runs {
        let expected = run.summary.metrics.lost_gpu_s;
        assert!((lost(&run.policy.to_string()) - expected).abs() < 1e-6 * expected);
    }
}

/// In the nodes' table, every job has at every moment the GPUs that the jobs' table gives it.
#[test]
fn nodes_and_jobs_tell_the_same() {
    let mut scenario = sample::scenario(4);
    scenario.conditions.faults.node_mtbf_s = Some(20_000.0);
    scenario.conditions.faults.node_repair_s = 600.0;
    for run in run_all(&scenario, &["fixed", "equal-share", "elastic-dp"]).0 {
        let mut by_job = vec![0.0; run.run.jobs.outcome.len()];
        let holdings = &run.run.holdings;
        for at in 0..holdings.job.len() {
            let seconds = holdings.end_s[at] - holdings.start_s[at];
            by_job[holdings.job[at] as usize] += seconds * f64::from(holdings.mask[at].count_ones());
        }
        for (held, expected) in by_job.iter().zip(&run.run.jobs.gpu_seconds) {
            assert!((held - expected).abs() <= 1e-9 * expected, "{held} and {expected}");
        }
    }
}

#[test]
fn conditions_out_of_range_are_named() {
    let check = |change: fn(&mut Conditions), expected: &str| {
        let mut conditions = Conditions::default();
        change(&mut conditions);
        assert_eq!(conditions.validate().unwrap_err().to_string(), expected);
    };
    check(|c| c.rescale_down_s = Some(-1.0), "rescale_down_s: -1 is not a number of seconds from 0 to 31,536,000");
    check(|c| c.start_delay_s = f64::NAN, "start_delay_s: NaN is not a number of seconds from 0 to 31,536,000");
    let rule = "rescale_per_doubling_s: 1000000000 is not a number of seconds from 0 to 31,536,000";
    check(|c| c.rescale_per_doubling_s = 1e9, rule);
    let rule = "checkpoint_interval_s: 0 is not a number of seconds above 0, at most 1e11";
    check(|c| c.checkpoint_interval_s = Some(0.0), rule);
    let rule = "rescale_by_model.bert.down_s: -1 is not a number of seconds from 0 to 31,536,000";
    let add_model = |c: &mut Conditions| {
        let seconds = elastiplan_model::RescaleSeconds { up_s: 1.0, down_s: -1.0 };
        c.rescale_by_model.insert("bert".into(), seconds);
    };
    check(add_model, rule);
    assert_eq!(Conditions { rescale_down_s: Some(0.0), ..Conditions::default() }.validate(), Ok(()));
}

/// The sample with forks, to be run by one policy.
fn forked(policy: &str, forks: &[&str]) -> Result<elastiplan_planner::PolicyRun, String> {
    let mut scenario = sample::scenario(sample::SEED);
    scenario.conditions.forks = forks.iter().map(|fork| fork.parse().unwrap()).collect();
    let (workload, _) = scenario.workload();
    run(&scenario, &workload, &policy.parse().unwrap()).map_err(|error| error.to_string())
}

#[test]
fn a_fork_to_the_policy_that_decides_changes_nothing() {
    let origin = forked("elastic-dp", &[]).unwrap().digest;
    // Written otherwise, it is the same policy.
    for policy in ["elastic-dp", "elastic-dp[]"] {
        let fork = format!("at=90m policy={policy}");
        assert_eq!(forked("elastic-dp", &[&fork]).unwrap().digest, origin, "{policy}");
    }
    assert_ne!(forked("elastic-dp", &["at=90m policy=fixed"]).unwrap().digest, origin);
}

#[test]
fn forks_that_cannot_be_made_are_named() {
    let error = |fork: &str| forked("fixed", &[fork]).unwrap_err();
    assert!(error("at=1h policy=none").starts_with("fork to none: "), "{}", error("at=1h policy=none"));
    assert_eq!(error("at=1h end=nobody"), "fork from 1h 00m: nobody ends: no job has this name");
    let ended = "fixed, fork from 9d 00h: 20 nodes: the run ends at 8h 21m: choose an earlier time";
    assert_eq!(error("at=9d nodes=20"), ended);
}
