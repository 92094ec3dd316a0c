mod generated;

use std::rc::Rc;

use elastiplan_engine::{Outcome, Progress};
use elastiplan_model::{Cluster, Workload};
use elastiplan_planner::{PolicyRun, run};
use elastiplan_scenario::{Scenario, sample};

use super::*;
use crate::goal::GoalKind;
use crate::runs::{RunFailure, RunState};

const DEADLINES: Goal = Goal::best(GoalKind::Deadlines);
const MEAN: Goal = Goal::best(GoalKind::MeanCompletion);

fn runs(scenario: &Scenario, policies: &[&str]) -> (Vec<RunEntry>, Workload) {
    let (workload, _) = scenario.workload();
    let entry = |(slot, policy): (usize, &&str)| {
        let policy: elastiplan_policies::PolicySpec = policy.parse().unwrap();
        RunEntry::finished(slot, run(scenario, &workload, &policy).unwrap())
    };
    (policies.iter().enumerate().map(entry).collect(), workload)
}

fn sample_of(policies: &[&str]) -> (Vec<RunEntry>, Workload) {
    runs(&sample::scenario(sample::SEED), policies)
}

fn change(entry: &mut RunEntry, change: impl FnOnce(&mut PolicyRun)) {
    let mut run = PolicyRun::clone(entry.result.as_ref().unwrap());
    change(&mut run);
    entry.result = Some(Rc::new(run));
}

/// Deadlines met of 1,000, cost, mean completion and makespan in seconds.
fn set(entry: &mut RunEntry, met: u64, cost: f64, mean_s: f64, makespan_s: f64) {
    change(entry, |run| {
        let summary = &mut run.summary;
        (summary.deadlines_met, summary.deadlines_total) = (met, 1000);
        summary.metrics.deadline_satisfactory_ratio = Some(met as f64 / 1000.0);
        summary.metrics.deadline_ratio_bound = Some(1.0);
        summary.metrics.cost_dollars = Some(cost);
        summary.metrics.avg_jct_s = Some(mean_s);
        summary.metrics.p99_jct_s = Some(mean_s * 6.0);
        summary.metrics.makespan_s = Some(makespan_s);
    });
}

fn decline(entry: &mut RunEntry, jobs: usize) {
    change(entry, |run| {
        run.run.jobs.outcome[..jobs].fill(Outcome::Dropped);
        run.summary.metrics.jobs_dropped = jobs as u64;
        run.summary.metrics.jobs_completed -= jobs as u64;
    });
}

/// The runs of the design's picture.
fn drawn() -> (Vec<RunEntry>, Workload) {
    let (mut entries, workload) = sample_of(&["fixed", "equal-share", "elastic-dp", "elasticflow"]);
    set(&mut entries[0], 577, 371_000.0, 32_160.0, 1_200_000.0);
    set(&mut entries[1], 807, 355_000.0, 21_900.0, 1_180_000.0);
    set(&mut entries[2], 980, 396_000.0, 20_700.0, 1_380_000.0);
    set(&mut entries[3], 995, 387_000.0, 21_240.0, 1_256_160.0);
    // The sample may decline by itself: here, just these.
    for entry in &mut entries {
        change(entry, |run| {
            run.run.jobs.outcome.fill(Outcome::Completed);
            run.summary.metrics.jobs_completed = 48;
            run.summary.metrics.jobs_dropped = 0;
        });
    }
    decline(&mut entries[3], 9);
    (entries, workload)
}

fn second(verdict: &Verdict) -> String {
    verdict.second.iter().map(|phrase| phrase.text.as_str()).collect()
}

#[track_caller]
fn check(entries: &[RunEntry], workload: &Workload, goal: &str, headline: &str, second_line: &str) {
    let verdict = Verdict::of(entries, workload, &goal.parse().unwrap());
    assert_eq!((verdict.headline.as_str(), second(&verdict).as_str()), (headline, second_line));
}

#[test]
fn the_run_that_meets_the_goal_is_named_with_its_price() {
    let (entries, workload) = drawn();
    check(
        &entries,
        &workload,
        "deadlines ≥ 99%",
        "elasticflow meets 99.5% of deadlines, the only one of 4 runs to reach 99%",
        "Its price: 9 jobs declined, the last job ends 15h 36m later, $387k instead of $371k (+4.3%). \
         Cheapest: equal-share, $355k and 80.7%. ",
    );
    check(
        &entries,
        &workload,
        "deadlines",
        "elasticflow meets 99.5% of deadlines, the most of 4 runs",
        "Its price: 9 jobs declined, the last job ends 15h 36m later, $387k instead of $371k (+4.3%). \
         Cheapest: equal-share, $355k and 80.7%. ",
    );
}

#[test]
fn without_a_run_that_meets_it_the_nearest_is_named_with_the_bound() {
    let (mut entries, workload) = drawn();
    let verdict = Verdict::of(&entries, &workload, &Goal::within(GoalKind::Deadlines, 0.999));
    assert_eq!(verdict.headline, "No run reaches 99.9% of deadlines; elasticflow comes nearest with 99.5%");
    assert!(second(&verdict).starts_with("The bound for any policy on 16 nodes is 100%. Its price: "));
    assert_eq!(verdict.named, [0; 0]);
    for entry in &mut entries {
        change(entry, |run| run.summary.metrics.deadline_ratio_bound = Some(0.997));
    }
    let verdict = Verdict::of(&entries, &workload, &Goal::within(GoalKind::Deadlines, 0.999));
    let bound = "The bound for any policy on 16 nodes is 99.7%: out of reach for every policy. ";
    assert_eq!(verdict.second[0].text, bound);
}

#[test]
fn of_several_that_meet_it_the_cheapest_is_named() {
    let (mut entries, workload) = drawn();
    entries[2].differs = vec!["72 nodes".into()];
    let verdict = Verdict::of(&entries, &workload, &Goal::within(GoalKind::Deadlines, 0.98));
    let headline =
        "elasticflow and elastic-dp with 72 nodes both meet 98% of deadlines; elasticflow is cheaper by $9,000";
    assert_eq!(verdict.headline, headline);
    let price = "Its price: 9 jobs declined, mean completion 5h 54m instead of 5h 45m, p99 completion ";
    assert!(second(&verdict).starts_with(price), "{}", second(&verdict));
    assert_eq!(verdict.named, [3, 2]);
    let verdict = Verdict::of(&entries, &workload, &Goal::within(GoalKind::Deadlines, 0.5));
    assert_eq!(verdict.headline, "4 of 4 runs meet 50% of deadlines; equal-share is the cheapest at $355k");
}

#[test]
fn the_goal_decides_who_is_best() {
    let (entries, workload) = drawn();
    let headline = |goal: &str| Verdict::of(&entries, &workload, &goal.parse().unwrap()).headline;
    assert_eq!(headline("cost"), "equal-share costs $355k, 4.3% less than fixed");
    assert_eq!(headline("mean completion"), "elastic-dp finishes the average job in 5h 45m, 36% sooner than fixed");
    assert_eq!(
        headline("mean completion ≤ 6h"),
        "elastic-dp finishes the average job in 5h 45m, the only one of 4 runs to stay within 6h"
    );
    assert_eq!(headline("cost ≤ $300k"), "No run costs at most $300,000; equal-share comes nearest with $355k");
}

#[test]
fn a_goal_without_data_says_what_to_do() {
    let (mut entries, workload) = sample_of(&["fixed", "equal-share"]);
    check(
        &entries,
        &workload,
        "cost",
        "What these runs cost is not known",
        "Set a price per GPU-hour, or choose another goal. ",
    );
    for entry in &mut entries {
        change(entry, |run| run.summary.metrics.deadline_satisfactory_ratio = None);
    }
    check(&entries, &workload, "deadlines", "No job has a deadline", "Choose another goal, such as mean completion. ");
}

#[test]
fn no_winner_while_a_run_is_on_its_way() {
    let (mut entries, workload) = drawn();
    let start_s = workload.trace().start_s();
    let (time_s, last_submit_s) = (start_s + 367_200.0, start_s + 1_209_600.0);
    entries[0].state = RunState::Running(Progress { time_s, last_submit_s, jobs_ended: 3, jobs_total: 48 });
    check(
        &entries,
        &workload,
        "deadlines",
        "3 of 4 runs finished; fixed is at 4d 06h of 14d",
        "So far 99.5% of deadlines under elasticflow, 98.0% under elastic-dp. \
         The answer follows when all runs have ended. ",
    );
    entries[0].is_hidden = true;
    let verdict = Verdict::of(&entries, &workload, &DEADLINES);
    assert_eq!(verdict.named, [3], "a hidden run holds up nothing");
}

#[test]
fn changed_inputs_are_named() {
    let (entries, workload) = drawn();
    let verdict = Verdict::of(&entries, &workload, &DEADLINES);
    let changed = |now: &str, before: &str| Changed { now: now.into(), before: before.into() };
    let check = |changes: &[Changed], headline: &str, second_line: &str| {
        let stale = verdict.for_changed_inputs(changes);
        assert_eq!((stale.headline.as_str(), second(&stale).as_str()), (headline, second_line));
        assert!(stale.named.is_empty() && stale.outcomes == verdict.outcomes);
    };
    check(
        &[changed("72 nodes", "64 nodes")],
        "Inputs changed: 72 nodes, results are for 64",
        "The results below are for 64 nodes and stay until the new ones stand.",
    );
    let rest = "The results below are for the earlier inputs and stay until the new ones stand.";
    let all =
        [changed("72 nodes", "64 nodes"), changed("seed 3", "seed 2"), changed("rescale cost 60s", "rescale cost 30s")];
    check(&all, "Inputs changed: 72 nodes and 2 more", rest);
    check(&all[..2], "Inputs changed: 72 nodes and seed 3", rest);
    check(&[], "Inputs changed", rest);
}

#[test]
fn runs_without_a_difference_have_no_winner() {
    let (mut entries, workload) = sample_of(&["fixed", "fixed"]);
    let mean = entries[0].result.as_ref().unwrap().summary.metrics.avg_jct_s.unwrap();
    let mean = elastiplan_text::format::duration(mean);
    let rest = format!("Each is no different from fixed A: mean completion {mean}. ");
    check(
        &entries,
        &workload,
        "mean completion",
        "fixed A and fixed B: no job ends more than 1m sooner or later",
        &rest,
    );
    for entry in &mut entries {
        change(entry, |run| run.summary.metrics.avg_queueing_s = Some(0.0));
    }
    let rest = "No job ever waits on 16 nodes, so the order does not matter. ";
    check(
        &entries,
        &workload,
        "mean completion",
        "fixed A and fixed B: no job ends more than 1m sooner or later",
        rest,
    );
    // At another cost they do differ.
    change(&mut entries[0], |run| run.summary.metrics.cost_dollars = Some(2423.0));
    change(&mut entries[1], |run| run.summary.metrics.cost_dollars = Some(2923.0));
    let verdict = Verdict::of(&entries, &workload, &MEAN);
    assert!(verdict.headline.ends_with("; fixed A is cheaper by $500"), "{}", verdict.headline);
}

#[test]
fn what_a_field_changes_is_said_first() {
    let (mut entries, workload) = sample_of(&["elastic-dp", "elastic-dp"]);
    set(&mut entries[0], 900, 2423.0, 4560.0, 34_000.0);
    set(&mut entries[1], 975, 2923.0, 3960.0, 33_000.0);
    change(&mut entries[0], |run| run.summary.metrics.gpu_utilization = Some(0.71));
    change(&mut entries[1], |run| {
        run.summary.metrics.gpu_utilization = Some(0.59);
        run.run.gpus_total = 160;
        run.run.jobs.end_s[0] = run.run.jobs.end_s[0].map(|end_s| end_s - 100.0);
    });
    entries[0].differs = vec!["16 nodes".into()];
    entries[1].differs = vec!["20 nodes".into()];
    check(
        &entries,
        &workload,
        "mean completion",
        "With 20 nodes instead of 16, elastic-dp finishes the average job in 1h 06m, 13% sooner",
        "Its price: 25% more GPUs, $2,923 instead of $2,423 (+21%), utilisation 71% to 59%. \
         975 of 1,000 deadlines met, 900 under elastic-dp with 16 nodes. \
         Cheapest: elastic-dp with 16 nodes, $2,423 and 1h 16m. ",
    );
    let verdict = Verdict::of(&entries, &workload, &Goal::within(GoalKind::Deadlines, 0.95));
    assert_eq!(verdict.headline, "With 20 nodes instead of 16, elastic-dp meets 97.5% of deadlines, 90.0% before");
    assert!(second(&verdict).starts_with("Only this meets the goal, deadlines ≥ 95%. Its price: "));
    entries[0].differs = Vec::new();
    let verdict = Verdict::of(&entries, &workload, &MEAN);
    assert!(verdict.headline.starts_with("With 20 nodes, elastic-dp finishes"), "{}", verdict.headline);
}

#[test]
fn runs_that_do_not_compare_stand_side_by_side() {
    let (mut entries, workload) = drawn();
    entries.truncate(2);
    entries[1].differs = vec!["end simulation after 2d".into()];
    change(&mut entries[0], |run| run.run.end_s = run.run.start_s + 1_209_600.0);
    change(&mut entries[1], |run| {
        run.run.end_s = run.run.start_s + 172_800.0;
        run.run.jobs.outcome[40] = Outcome::Unfinished;
        run.summary.metrics.jobs_unfinished = 1;
    });
    let verdict = Verdict::of(&entries, &workload, &DEADLINES);
    assert_eq!(verdict.headline, "These runs end at different times: 14d and 2d");
    assert!(second(&verdict).starts_with("Numbers stand side by side without differences. "));
    assert!(verdict.named.is_empty() && verdict.outcomes.is_none());

    let (mut entries, workload) = drawn();
    entries.truncate(2);
    let fewer = workload.trace().jobs().iter().take(9).cloned().collect();
    let trace = elastiplan_model::Trace::new(workload.trace().models().to_vec(), fewer).unwrap();
    let curves = workload.curves().iter().cloned().collect::<elastiplan_model::Curves>();
    entries[1].own_workload = Some(Rc::new(Workload::bind(&trace, &curves).0));
    let verdict = Verdict::of(&entries, &workload, &DEADLINES);
    assert_eq!(verdict.headline, "These runs have different jobs: 48 and 9");
}

#[test]
fn a_failed_run_is_named_beside_the_best_of_the_others() {
    let (mut entries, workload) = drawn();
    let failure = RunFailure { message: "it asked for 9 GPUs of 8 for job 812".into(), detail: String::new() };
    change(&mut entries[1], |run| run.run.end_s = run.run.start_s + 266_400.0);
    entries[1].state = RunState::Failed(failure);
    let verdict = Verdict::of(&entries, &workload, &DEADLINES);
    assert_eq!(verdict.headline, "elasticflow meets 99.5% of deadlines, the most of 3 runs");
    let failed = "equal-share failed at 3d 02h: it asked for 9 GPUs of 8 for job 812. ";
    assert!(verdict.second.iter().any(|phrase| phrase.text == failed && phrase.tone == Tone::Bad), "{verdict:?}");
    for entry in &mut entries {
        entry.state = RunState::Cancelled;
    }
    let verdict = Verdict::of(&entries, &workload, &DEADLINES);
    assert_eq!(verdict.headline, "Stopped before any run finished");
    assert!(second(&verdict).starts_with("fixed was stopped at "), "{}", second(&verdict));
}

#[test]
fn a_run_that_was_stopped_at_once_has_completed_nothing() {
    let (mut entries, workload) = drawn();
    entries[1].state = RunState::Cancelled;
    change(&mut entries[1], |run| {
        run.run.end_s = run.run.start_s + 461.0;
        run.summary.metrics.jobs_completed = 0;
    });
    let words = second(&Verdict::of(&entries, &workload, &DEADLINES));
    assert!(words.contains("equal-share was stopped at 7m 41s, before a job had completed. "), "{words}");
}

#[test]
fn nothing_loaded_asks_the_question() {
    let empty = elastiplan_model::Trace::new(Vec::new(), Vec::new()).unwrap();
    let nothing = Workload::bind(&empty, &elastiplan_model::Curves::default()).0;
    let question = "Which scheduler, on how many GPUs, for how much?";
    check(&[], &nothing, "deadlines", question, "Drop a job trace, or look at a finished comparison first.");
    let (entries, workload) = sample_of(&["fixed"]);
    assert_eq!(Verdict::of(&[], &workload, &MEAN).headline, "Add a policy to see what it does with these jobs");
    assert_eq!(Verdict::of(&entries, &nothing, &MEAN).headline, "No jobs: nothing to compare");
}

#[test]
fn what_can_be_done_next_is_offered() {
    let (mut entries, workload) = drawn();
    let acts = |entries: &[RunEntry], workload: &Workload, goal: Goal| Verdict::of(entries, workload, &goal).acts;
    assert_eq!(acts(&entries, &workload, DEADLINES), []);
    for entry in &mut entries {
        change(entry, |run| run.summary.metrics.deadline_satisfactory_ratio = None);
    }
    assert_eq!(acts(&entries, &workload, DEADLINES), [Act::JudgeBy(GoalKind::MeanCompletion)]);
    let empty = elastiplan_model::Trace::new(Vec::new(), Vec::new()).unwrap();
    let nothing = Workload::bind(&empty, &elastiplan_model::Curves::default()).0;
    assert_eq!(acts(&[], &nothing, MEAN), [Act::AddFiles, Act::UseSample]);
    entries.truncate(2);
    entries[1].differs = vec!["end simulation after 2d".into()];
    change(&mut entries[1], |run| {
        run.run.end_s = run.run.start_s + 1_800.0;
        run.run.jobs.outcome[40] = Outcome::Unfinished;
    });
    assert_eq!(acts(&entries, &workload, DEADLINES), [Act::EndAllAfter(1_800.0)]);
}

#[test]
fn runs_on_their_way_have_a_bar() {
    let (mut entries, workload) = drawn();
    let progress = |jobs_ended| Progress { time_s: 60.0, last_submit_s: 600.0, jobs_ended, jobs_total: 48 };
    let check = |entries: &[RunEntry], words: &str, share: f64| {
        let going = Verdict::of(entries, &workload, &DEADLINES).going.unwrap();
        assert_eq!((going.words.as_str(), going.share), (words, share));
    };
    assert_eq!(Verdict::of(&entries, &workload, &DEADLINES).going, None);
    entries[0].state = RunState::Running(progress(24));
    check(&entries, "fixed", 3.5 / 4.0);
    entries[0].left_s = Some(6.2);
    check(&entries, "fixed, about 6s left", 3.5 / 4.0);
    entries[1].state = RunState::Started;
    check(&entries, "2 runs", 2.5 / 4.0);
    entries[1].is_hidden = true;
    check(&entries, "fixed, about 6s left", 2.5 / 3.0);
}

#[test]
fn a_price_of_nothing_decides_nothing() {
    let (mut entries, workload) = sample_of(&["fixed", "equal-share"]);
    for entry in &mut entries {
        change(entry, |run| run.summary.metrics.cost_dollars = Some(0.0));
    }
    check(
        &entries,
        &workload,
        "cost",
        "These runs cost nothing: the price is 0",
        "Set a price per GPU-hour above 0, or choose another goal. ",
    );
    let words = second(&Verdict::of(&entries, &workload, &MEAN));
    assert!(!words.contains('$') && !words.contains("Cheapest"), "{words}");
}

#[test]
fn times_that_differ_by_seconds_are_told_apart() {
    let (mut entries, workload) = drawn();
    entries.truncate(2);
    set(&mut entries[0], 577, 371_000.0, 1_695.0, 1_200_000.0);
    set(&mut entries[1], 577, 371_000.0, 1_680.0, 1_200_000.0);
    for entry in &mut entries {
        change(entry, |run| run.summary.metrics.p95_queueing_s = run.summary.metrics.avg_jct_s);
    }
    let headline = Verdict::of(&entries, &workload, &Goal::best(GoalKind::P95Waiting)).headline;
    assert_eq!(headline, "Under equal-share 95% of jobs wait at most 28m 00s, 28m 15s under fixed");
}

#[test]
fn one_run_gives_facts() {
    let (entries, workload) = sample_of(&["elastic-dp"]);
    let verdict = Verdict::of(&entries, &workload, &MEAN);
    assert!(verdict.outcomes.is_none() && !verdict.headline.contains("than"), "{}", verdict.headline);
    assert!(second(&verdict).contains(" deadlines met. Half of the jobs take at most "), "{}", second(&verdict));
    let verdict = Verdict::of(&entries, &workload, &Goal::within(GoalKind::MeanCompletion, 60.0));
    assert!(verdict.headline.ends_with(", above 1m"), "{}", verdict.headline);
    assert!(second(&verdict).contains(": out of reach for every policy. "), "{}", second(&verdict));
}

#[test]
fn a_run_that_declines_jobs_never_wins_by_the_times_of_the_rest() {
    let (mut entries, workload) = drawn();
    set(&mut entries[3], 995, 300_000.0, 60.0, 1_000_000.0);
    for (goal, winner) in [("mean completion", "elastic-dp"), ("cost", "equal-share")] {
        let verdict = Verdict::of(&entries, &workload, &goal.parse().unwrap());
        assert!(verdict.headline.starts_with(winner), "{}", verdict.headline);
        assert!(second(&verdict).contains(" but completes 39 of 48 jobs. "), "{}", second(&verdict));
    }
    let mut scenario = sample::scenario(sample::SEED);
    scenario.cluster = Cluster::new(2, 8).unwrap();
    let (entries, workload) = runs(&scenario, &["fixed", "equal-share"]);
    let headline = Verdict::of(&entries, &workload, &MEAN).headline;
    assert!(headline.starts_with("equal-share finishes the average job in "), "{headline}");
    assert!(headline.contains(" and completes 48 of 48 jobs, fixed "), "{headline}");
}

#[test]
fn jobs_that_are_left_and_runs_without_progress_get_a_remark() {
    let (mut entries, workload) = sample_of(&["fixed", "equal-share"]);
    for entry in &mut entries {
        change(entry, |run| run.run.stalled = true);
    }
    let words = second(&Verdict::of(&entries, &workload, &MEAN));
    assert!(words.contains("fixed and equal-share were ended: no job made progress any more. Let nodes"), "{words}");

    let (mut entries, workload) = sample_of(&["fixed", "equal-share"]);
    change(&mut entries[1], |run| {
        run.run.end_s = run.run.start_s + 172_800.0;
        run.run.absences.start_s = vec![0.0];
        run.summary.metrics.jobs_unfinished = 32;
        run.summary.metrics.jobs_total = 300;
    });
    let words = second(&Verdict::of(&entries, &workload, &MEAN));
    let expected = "Under equal-share, 32 of 300 jobs are still running or waiting when the log ends at 2d. ";
    assert!(words.contains(expected), "{words}");
}

#[test]
fn a_price_never_says_that_something_rises_to_what_it_was() {
    let (mut entries, workload) = drawn();
    entries.truncate(2);
    // 2d 17h each, and 0.9% apart.
    set(&mut entries[0], 577, 371_000.0, 233_000.0, 1_200_000.0);
    set(&mut entries[1], 807, 371_100.0, 235_100.0, 1_200_030.0);
    change(&mut entries[0], |run| run.summary.metrics.p99_jct_s = Some(300_000.0));
    change(&mut entries[1], |run| run.summary.metrics.p99_jct_s = Some(300_000.0));
    check(
        &entries,
        &workload,
        "deadlines",
        "equal-share meets 80.7% of deadlines, fixed 57.7%",
        "Its price: mean completion 0.9% longer. ",
    );
}

#[test]
fn names_of_any_length_and_script_fit() {
    let (mut entries, workload) = drawn();
    entries[3].label = Some("x".repeat(200));
    entries[0].label = Some("مجدول".into());
    let verdict = Verdict::of(&entries, &workload, &DEADLINES);
    assert!(verdict.headline.starts_with(&format!("{}… meets", "x".repeat(48))), "{}", verdict.headline);
    assert_eq!(verdict.outcomes.unwrap().baseline, "\u{2068}مجدول\u{2069}");
}
