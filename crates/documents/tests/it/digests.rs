//! The digests that the browser's and Node's tests (crates/worker/tests) expect too.

use elastiplan_documents::PRESETS;
use elastiplan_planner::run;
use elastiplan_policies::REGISTRY;
use elastiplan_scenario::sample;
use expect_test::expect_file;

use crate::run_all;

/// Beside every policy of the registry as it is by default.
const VARIANTS: [&str; 2] = ["fixed[backfill=true]", "elastic-dp[delta_s=60,queue=false]"];

/// Every policy on three samples, and every preset with its first seed.
#[test]
fn runs_have_these_digests() {
    let names: Vec<&str> = REGISTRY.iter().map(|entry| entry.name).chain(VARIANTS).collect();
    let mut digests = String::new();
    for seed in 1..=3 {
        for run in run_all(&sample::scenario(seed), &names).0 {
            digests += &format!("{seed} {} {}\n", run.policy, run.digest);
        }
    }
    for preset in PRESETS {
        let resolved = preset.document().unwrap().resolve(&|_| None).unwrap();
        let (workload, _) = resolved.scenario.workload();
        // Those that the page shows first: enough, and quick.
        for policy in resolved.policies.iter().take(4) {
            let run = run(&resolved.scenario, &workload, policy).unwrap();
            let metrics = &run.summary.metrics;
            // Only policies with admission control drop jobs, only faults end them otherwise; some presets are about
            // what is done until then.
            let ended = metrics.jobs_completed + metrics.jobs_dropped + metrics.jobs_failed + metrics.jobs_cancelled;
            let stops = resolved.scenario.conditions.until_s.is_some();
            assert!(stops || ended == metrics.jobs_total, "{}: {policy}", preset.name);
            digests += &format!("{} {policy} {}\n", preset.name, run.digest);
        }
    }
    expect_file!["../digests.txt"].assert_eq(&digests);
}
