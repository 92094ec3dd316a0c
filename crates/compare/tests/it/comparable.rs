//! What runs can be compared on.

use elastiplan_compare::{Aspect, Candidate, Comparability, RunEnd};
use elastiplan_engine::{Outcome, Run, SpanState};
use elastiplan_model::Workload;

use crate::runs::sampled;
use crate::stories::{JobStory, job, record, three_jobs};
use Aspect::{Counts, Jobs, OverTime, Spread, Times};
use Outcome::{Completed, Dropped, Unfinished};
use SpanState::{Running, Waiting};

fn candidate<'a>(name: &'a str, run: &'a Run, workload: &'a Workload) -> Candidate<'a> {
    Candidate { name, trace: workload.trace(), run: Some(run), end: RunEnd::Whole }
}

/// The aspects that are left, and the words.
fn check(candidates: &[Candidate<'_>], allowed: &[Aspect], words: &[&str]) {
    let found = Comparability::of(candidates);
    let told: Vec<String> = found.obstacles.iter().map(|obstacle| obstacle.words()).collect();
    assert_eq!(told, words);
    for aspect in [Jobs, Counts, Times, Spread, OverTime] {
        assert_eq!(found.allows(aspect), allowed.contains(&aspect), "{aspect:?}: {told:?}");
    }
}

const ALL: [Aspect; 5] = [Jobs, Counts, Times, Spread, OverTime];

#[test]
fn whole_runs_of_the_same_jobs_can_be_compared_on_everything() {
    let (runs, workload) = sampled(&["fixed", "elastic-dp"]);
    check(&[candidate("fixed", &runs[0], &workload), candidate("elastic-dp", &runs[1], &workload)], &ALL, &[]);
    check(&[], &ALL, &[]);
    check(&[candidate("fixed", &runs[0], &workload)], &[], &["One run: add another to compare"]);
}

#[test]
fn runs_that_are_not_whole() {
    let (runs, workload) = sampled(&["fixed", "elastic-dp"]);
    let fixed = candidate("fixed", &runs[0], &workload);
    let other = candidate("elastic-dp", &runs[1], &workload);
    let stopped = Candidate { end: RunEnd::Stopped, ..other };
    let at = elastiplan_text::format::duration(runs[1].end_s - runs[1].start_s);
    check(&[fixed, stopped], &[OverTime], &[&format!("elastic-dp stopped at {at}: its differences are not shown")]);
    let failed = Candidate { end: RunEnd::Failed, ..other };
    check(&[fixed, failed], &[OverTime], &[&format!("elastic-dp failed at {at}: its differences are not shown")]);
    let running = Candidate { end: RunEnd::Running, ..other };
    check(
        &[fixed, running],
        &[OverTime],
        &[&format!("elastic-dp is at {at}: differences follow when it has finished")],
    );
    let none = Candidate { run: None, end: RunEnd::Running, ..other };
    check(&[fixed, none], &[], &["elastic-dp has no results yet"]);
}

#[test]
fn runs_of_other_jobs() {
    let (runs, workload) = sampled(&["fixed"]);
    let (three, of_three) = three_jobs();
    let fixed = candidate("fixed", &runs[0], &workload);
    check(
        &[fixed, candidate("old", &three, &of_three)],
        &[],
        &["old ran 3 other jobs, the baseline 48: differences are not shown"],
    );
}

#[test]
fn runs_in_which_little_completes() {
    let jobs = |outcomes: [Outcome; 2]| -> (Run, Workload) {
        let told = |outcome| match outcome {
            Completed => job(0.0, None, &[(Running, 1, 5.0)], Completed),
            Dropped => job(0.0, None, &[], Dropped),
            other => job(0.0, None, &[(Waiting, 0, 5.0)], other),
        };
        record(4, &outcomes.map(told))
    };
    let (all, workload) = jobs([Completed, Completed]);
    let all = candidate("all", &all, &workload);
    let with = |outcomes, allowed: &[Aspect], words: &[&str]| {
        let (run, _) = jobs(outcomes);
        check(&[all, candidate("b", &run, &workload)], allowed, words);
    };
    with([Dropped, Dropped], &[Jobs, Counts, OverTime], &["b declines every job: it has no times"]);
    with([Unfinished, Dropped], &[Jobs, Counts, OverTime], &["b completes no job: it has no times"]);
    let words = "b completes 1 jobs, the baseline 2: times are over the jobs that each completes";
    with([Completed, Dropped], &[Jobs, Counts, Spread, OverTime], &[&words.replace("1 jobs", "1 job")]);
    let (run, _) = jobs([Dropped, Completed]);
    let (baseline, _) = jobs([Completed, Dropped]);
    let pair = [candidate("a", &baseline, &workload), candidate("b", &run, &workload)];
    let words = "b completes other jobs than the baseline: times are over the jobs that each completes";
    check(&pair, &[Jobs, Counts, Spread, OverTime], &[words]);
    let (mut stalled, _) = jobs([Completed, Completed]);
    stalled.stalled = true;
    let words = ["b was ended: no job made progress any more"];
    check(&[all, candidate("b", &stalled, &workload)], &[Jobs, Counts, Spread, OverTime], &words);
}

#[test]
fn one_job_or_none() {
    let one: [JobStory; 1] = [job(0.0, None, &[(Running, 1, 5.0)], Completed)];
    let (run, workload) = record(4, &one);
    let pair = [candidate("a", &run, &workload), candidate("b", &run, &workload)];
    check(&pair, &[Jobs, Counts, Times, OverTime], &["One job: percentiles and distributions say nothing more"]);
    let (run, workload) = record(4, &[]);
    let pair = [candidate("a", &run, &workload), candidate("b", &run, &workload)];
    check(&pair, &[], &["No jobs: nothing to compare"]);
}
