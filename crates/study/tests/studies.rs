//! Studies from their text to the answer, over runs whose metrics are made up.
#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests do both, but not what tests share.

use std::sync::Arc;

use elastiplan_metrics::Metrics;
use elastiplan_model::{Job, Trace};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::{Scenario, sample};
use elastiplan_statistics::feasibility::Feasibility;
use elastiplan_study::{Confirmation, Difference, Gap, Outcome, Results, Spec, Study, Unconfirmed, Unit};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The answer in words.
fn sentence(study: &Study, results: &Results) -> Option<String> {
    elastiplan_present::study::sentence(study, results, &study.answers(results))
}

fn study(json: &str, policies: &[&str]) -> Study {
    let policies: Vec<PolicySpec> = policies.iter().map(|policy| policy.parse().unwrap()).collect();
    Study::new(&serde_json::from_str::<Spec>(json).unwrap(), &policies, 0).unwrap()
}

/// Runs all that is wanted, with a share of deadlines met of `ratio` and some noise that follows from the seed.
fn finish(study: &Study, noise: f64, ratio: impl Fn(Unit) -> f64) -> Results {
    let mut results = Results::default();
    for _ in 0..20 {
        let units = study.next(&results);
        if units.is_empty() {
            return results;
        }
        for unit in units {
            assert!(results.get(unit).is_none(), "{unit:?} is wanted twice");
            let mut random = ChaCha8Rng::seed_from_u64(u64::from(unit.seed) * 1000 + u64::from(unit.point));
            let noise = noise * (random.random::<f64>() - 0.5);
            let ratio = (ratio(unit) + noise).clamp(0.0, 1.0);
            let metrics = Metrics { deadline_satisfactory_ratio: Some(ratio), ..Metrics::default() };
            let digest = if noise == 0.0 { "one".into() } else { format!("{unit:?}") };
            results.add(unit, Outcome::Ended { digest, metrics: Box::new(metrics) }).unwrap();
        }
    }
    panic!("the study never ends")
}

const NODES: &str = r#"{"axes": {"cluster.nodes": {"from": 8, "to": 24}}, "seeds": {"at_least": 10, "at_most": 40},
    "goals": [{"metric": "deadline_satisfactory_ratio", "at_least": 0.9}]}"#;

#[test]
fn the_smallest_cluster_is_found_and_confirmed() {
    let study = study(NODES, &["fixed", "elastic-dp"]);
    let results = finish(&study, 0.1, |unit| [0.5, 0.7][unit.policy as usize] + 0.03 * f64::from(unit.point));
    let answers = study.answers(&results);
    let found: Vec<_> = answers.iter().map(|answer| (answer.answer.smallest, answer.answer.largest_missed)).collect();
    assert_eq!(found, [(Some(14), Some(13)), (Some(7), Some(6))]);
    assert!(answers.iter().all(|answer| matches!(answer.confirmation, Confirmation::Confirmed { .. })), "{answers:?}");
    let expected = "deadlines met ≥ 90%, with 95% confidence: fixed from 22 nodes on; elastic-dp from 15 nodes on.";
    assert_eq!(sentence(&study, &results).unwrap(), expected);
    assert!(results.len() < 17 * 2 * 40, "seeds are added only where the question is open: {}", results.len());
}

#[test]
fn sizes_that_fresh_seeds_do_not_confirm_stay_open_and_are_named() {
    let study = study(NODES, &["fixed"]);
    // From 10 nodes on the goal is met, but up to some size not by the seeds that confirm.
    let unconfirmed_to = |last: u32| {
        finish(&study, 0.001, |unit| match (unit.point, unit.seed) {
            (0 | 1, _) => 0.5,
            (point, seed) if point <= last && seed as usize >= study.seeds.most() => 0.5,
            _ => 0.95,
        })
    };
    let words =
        "fixed meets the goal at 3 points from 10 nodes to 12 nodes, but not with as many fresh seeds: they stay open";
    let several = study.answers(&unconfirmed_to(4));
    assert_eq!(elastiplan_present::study::unconfirmed_words(&study, &several), [words]);
    let results = unconfirmed_to(2);
    let answers = study.answers(&results);
    assert_eq!(answers[0].unconfirmed, [Unconfirmed { point: 2, seeds: 10 }]);
    assert_eq!(answers[0].known[..4], [Feasibility::Missed, Feasibility::Missed, Feasibility::Open, Feasibility::Met]);
    assert_eq!(answers[0].answer.smallest, Some(3));
    let words = "fixed with 10 nodes meets the goal with 10 seeds, but not with 10 fresh ones: it stays open";
    assert_eq!(elastiplan_present::study::unconfirmed_words(&study, &answers), [words]);
}

#[test]
fn the_largest_load_is_the_smallest_cluster_turned_round() {
    let json = NODES.replace("cluster.nodes", "what_if.arrival_rate");
    let json = json.replacen('{', r#"{"find": {"largest": "what_if.arrival_rate"}, "#, 1);
    let study = study(&json, &["fixed"]);
    let check = |ratio: fn(u32) -> f64, expected: (Option<usize>, Option<usize>, &[usize]), words: &str| {
        let results = finish(&study, 0.02, |unit| ratio(unit.point));
        let answer = &study.answers(&results)[0].answer;
        assert_eq!((answer.smallest, answer.largest_missed, &answer.isolated[..]), expected);
        let said = sentence(&study, &results).unwrap();
        assert!(said.contains(words), "{said}");
        study.worse(&results).iter().map(|worse| (worse.point, worse.neighbour)).collect::<Vec<_>>()
    };
    let falling = |point: u32| 0.99 - 0.02 * f64::from(point);
    assert!(check(falling, (Some(4), Some(5), &[]), "fixed up to arrival rate 12.").is_empty());
    check(|_| 0.99, (Some(16), None, &[]), "fixed up to arrival rate 24, the most that was tried");
    check(|_| 0.5, (None, Some(0), &[]), "fixed not even at arrival rate 8");
    let dip = |point: u32| if point > 9 || point == 2 { 0.5 } else { 0.97 };
    let worse = check(dip, (Some(1), Some(2), &[3, 4, 5, 6, 7, 8, 9]), "but not at all below");
    assert_eq!(worse, [(2, 3)], "less load, and it got worse");
}

#[test]
fn a_size_that_is_better_than_a_larger_one_is_told_as_such() {
    let study = study(NODES, &["fixed"]);
    let results = finish(&study, 0.1, |unit| if unit.point == 5 || unit.point > 9 { 0.97 } else { 0.6 });
    let answer = &study.answers(&results)[0].answer;
    assert_eq!((answer.smallest, &answer.isolated[..]), (Some(10), &[5][..]));
    assert!(sentence(&study, &results).unwrap().contains("(also at 13, but not at all above)"));
}

#[test]
fn where_seeds_make_no_difference_three_are_enough() {
    let study = study(NODES, &["fixed"]);
    let results = finish(&study, 0.0, |unit| if unit.point > 3 { 0.95 } else { 0.5 });
    assert_eq!(results.len(), 17 * 3);
    let expected = "deadlines met ≥ 90%, on this one draw: fixed from 12 nodes on.";
    assert_eq!(sentence(&study, &results).unwrap(), expected);
}

#[test]
fn a_policy_that_the_axis_does_not_concern_has_one_draw_at_all_its_values() {
    let json = r#"{"axes": {"elastic-dp.delta_s": [60, 300, 600]},
        "goals": [{"metric": "deadline_satisfactory_ratio", "at_least": 0.9}]}"#;
    let study = study(json, &["fixed", "elastic-dp"]);
    let results = finish(&study, 0.0, |_| 0.95);
    assert!(study.answers(&results).iter().all(|answer| answer.confirmation == Confirmation::None));
    assert!(!sentence(&study, &results).unwrap().contains("to be confirmed"));
}

#[test]
fn goals_that_all_meet_or_none() {
    let study = study(NODES, &["fixed"]);
    let all = finish(&study, 0.02, |_| 0.95);
    assert!(sentence(&study, &all).unwrap().contains("fixed from 8 nodes on, the least that was tried"));
    let none = finish(&study, 0.02, |_| 0.5);
    assert!(sentence(&study, &none).unwrap().contains("fixed not up to 24 nodes"));
}

#[test]
fn runs_that_fail_are_counted_and_the_rest_stands() {
    let study = study(NODES, &["fixed"]);
    let mut results = Results::default();
    while let units @ [_, ..] = &study.next(&results)[..] {
        for &unit in units {
            let metrics = Metrics { deadline_satisfactory_ratio: Some(0.95), ..Metrics::default() };
            let digest = format!("{unit:?}");
            let ended = Outcome::Ended { digest, metrics: Box::new(metrics) };
            let failed = Outcome::Failed { message: "no GPUs".into() };
            results.add(unit, if unit.point == 0 { failed } else { ended }).unwrap();
        }
    }
    assert_eq!(study.answers(&results)[0].answer.smallest, Some(1));
}

/// Runs all that is wanted: what a unit gives is its share of deadlines met, none, or the reason why it failed.
fn finish_with(study: &Study, result: impl Fn(Unit) -> Result<Option<f64>, &'static str>) -> Results {
    let mut results = Results::default();
    while let units @ [_, ..] = &study.next(&results)[..] {
        for &unit in units {
            let outcome = match result(unit) {
                Ok(deadline_satisfactory_ratio) => Outcome::Ended {
                    digest: format!("{unit:?}"),
                    metrics: Box::new(Metrics { deadline_satisfactory_ratio, ..Metrics::default() }),
                },
                Err(message) => Outcome::Failed { message: message.into() },
            };
            results.add(unit, outcome).unwrap();
        }
    }
    results
}

#[test]
fn what_failed_or_has_no_value_is_open_and_never_missed() {
    let study = study(NODES, &["fixed"]);
    let at = |gap: u32, result: Result<Option<f64>, &'static str>| {
        let results = finish_with(&study, |unit| {
            let noise = 0.001 * f64::from(unit.seed % 7);
            let is_gap = unit.point == gap && (gap != 11 || unit.seed == 2);
            if is_gap { result } else { Ok(Some(0.5 + noise + if unit.point > 8 { 0.45 } else { 0.0 })) }
        });
        let found = &study.answers(&results)[0];
        assert_eq!(found.known[gap as usize], Feasibility::Open, "{gap}");
        let words = match study.gap(&results, gap, 0) {
            Some(Gap::Failed { runs, of, message }) => format!("{runs} of {of} failed: {message}"),
            Some(Gap::NoValue { metric, runs, of }) => format!("{runs} of {of} without {}", metric.key),
            None => "none".into(),
        };
        (found.answer.smallest, found.answer.largest_missed, words)
    };
    // Above the answer, a gap moves it; below, the rest stands.
    assert_eq!(at(12, Err("no GPUs")), (Some(13), Some(8), "3 of 3 failed: no GPUs".into()));
    assert_eq!(at(2, Err("no GPUs")), (Some(9), Some(8), "3 of 3 failed: no GPUs".into()));
    assert_eq!(at(11, Err("no GPUs")), (Some(12), Some(8), "1 of 10 failed: no GPUs".into()));
    assert_eq!(at(16, Ok(None)), (None, Some(8), "10 of 10 without deadline_satisfactory_ratio".into()));
    let none = finish_with(&study, |_| Ok(None));
    assert_eq!(study.answers(&none)[0].answer.largest_missed, None, "nothing is missed that has no value");
}

#[test]
fn goals_that_no_run_has_a_value_for_are_named_before_any_is_made() {
    let check = |metric: &str, axis: &str, with_seed: fn(u64) -> Scenario, expected: &str| {
        let json = format!(r#"{{"axes": {{"{axis}": [1, 2]}}, "goals": [{{"metric": "{metric}", "at_least": 0.9}}]}}"#);
        let found = study(&json, &["fixed"]).check_goals(with_seed).map_err(|error| error.to_string());
        assert_eq!(found.err().unwrap_or_default(), expected, "{metric}, {axis}");
    };
    let late = |seed: u64| if seed == 2 { sample_with(seed) } else { recorded(seed) };
    check("deadline_satisfactory_ratio", "cluster.nodes", sample_with, "");
    check("deadline_satisfactory_ratio", "cluster.nodes", late, "");
    check("avg_jct_s", "cluster.nodes", recorded, "");
    let none = "study.goals[0]: deadlines met is not a goal for these jobs: no job has a deadline. Use jobs with deadlines \
                (a column deadline_s, or a best-effort share below 1), or another goal";
    check("deadline_satisfactory_ratio", "cluster.nodes", recorded, none);
    let free =
        "study.goals[0]: cost is not a goal for these jobs: no price is set. Set a price per GPU-hour, or another goal";
    check("cost_dollars", "cluster.nodes", sample_with, free);
    check("cost_dollars", "conditions.price_per_gpu_hour", sample_with, "");
    let mixed = "study.goals[0]: mean best-effort completion is not a goal for these jobs: no job has a deadline. Use jobs of \
                 which some have a deadline and some have none, or another goal";
    check("best_effort_avg_jct_s", "cluster.nodes", recorded, mixed);
}

#[test]
fn seeds_that_would_decide_an_open_point_are_told() {
    let json = NODES.replace(r#"{"at_least": 10, "at_most": 40}"#, "5");
    let study = study(&json, &["fixed"]);
    let results = finish(&study, 0.1, |unit| 0.6 + 0.02 * f64::from(unit.point));
    for point in 0..17 {
        let (judged, seeds) = (study.judge(&results, point, 0), study.seeds_to_decide(&results, point, 0));
        assert_eq!(seeds.is_some(), judged == Feasibility::Open, "{point}: {judged:?}, {seeds:?}");
        assert!(seeds.is_none_or(|seeds| seeds > 5), "{point}: {seeds:?}");
    }
}

#[test]
fn a_parameter_of_one_policy_is_run_once_for_the_others() {
    let json = r#"{"axes": {"cluster.nodes": [8, 16], "elastic-dp.delta_s": [60, 300, 600]}, "seeds": 3}"#;
    let study = study(json, &["fixed", "elastic-dp"]);
    let units = study.next(&Results::default());
    let of = |policy| units.iter().filter(|unit| unit.policy == policy).count();
    assert_eq!((of(0), of(1)), (2 * 3, 6 * 3));
    let unit = Unit { point: 4, policy: 1, seed: 2 };
    assert_eq!(study.policy(unit).unwrap().to_string(), "elastic-dp[delta_s=300]");
    let scenario = study.scenario(unit, sample_with);
    assert_eq!((scenario.cluster.nodes(), scenario.conditions.seed), (16, 2));
    let note = "The delta of elastic-dp changes nothing for fixed: run once for all its values";
    assert_eq!(study.notes(), [note]);
}

#[test]
fn what_got_worse_is_found_and_nothing_else() {
    let check = |json: &str, noise: f64, ratio: fn(u32) -> f64, expected: &[(u32, u32)]| {
        let study = study(json, &["fixed"]);
        let results = finish(&study, noise, |unit| ratio(unit.point));
        let worse = study.worse(&results);
        let found: Vec<(u32, u32)> = worse.iter().map(|worse| (worse.point, worse.neighbour)).collect();
        assert_eq!(found, expected, "{json}");
        worse
    };
    let rising = |point: u32| 0.6 + 0.02 * f64::from(point);
    check(NODES, 0.02, rising, &[]);
    let dip = |point: u32| 0.6 + 0.02 * f64::from(point) - if point == 5 { 0.1 } else { 0.0 };
    let worse = check(NODES, 0.02, dip, &[(5, 4)]);
    let Difference::Absolute(interval) = worse[0].difference else { panic!("a share's difference is absolute") };
    assert!(interval.holds(-0.08) && interval.high < 0.0, "{interval:?}");
    assert_eq!((worse[0].seeds_worse, worse[0].seeds), (10, 10));
    // One draw: as it is.
    let worse = check(NODES, 0.0, dip, &[(5, 4)]);
    assert_eq!((worse[0].seeds_worse, worse[0].seeds, worse[0].worst_seed), (1, 1, 0));
}

#[test]
fn seeds_in_which_more_made_it_worse_are_counted() {
    let study = study(NODES, &["fixed"]);
    // Every fourth seed falls back at 20 nodes, seed 8 most.
    let back = |seed: u32| if seed.is_multiple_of(4) { 0.1 + 0.01 * f64::from(seed == 8) } else { 0.0 };
    let mut results = Results::default();
    for seed in 0..10 {
        for point in 0..17 {
            let met = 0.6 + 0.02 * f64::from(point) - if point == 12 { back(seed) } else { 0.0 };
            let metrics = Metrics { deadline_satisfactory_ratio: Some(met), ..Metrics::default() };
            let outcome = Outcome::Ended { digest: format!("{point} {seed}"), metrics: Box::new(metrics) };
            results.add(Unit { point, policy: 0, seed }, outcome).unwrap();
        }
    }
    let [reversal] = study.reversals(&results)[..] else { panic!("one policy, one line") };
    assert_eq!((reversal.seeds_reversed, reversal.seeds), (3, 10));
    assert_eq!((reversal.point, reversal.neighbour, reversal.worst_seed), (12, 11, 8));
    assert!(study.worse(&results).is_empty(), "the mean does not show it");
}

fn sample_with(seed: u64) -> Scenario {
    let mut scenario = sample::scenario(seed);
    scenario.conditions.seed = seed;
    scenario
}

/// A study of three policies at one point, whose share of deadlines met is drawn by the seed.
fn contest(shares: [f64; 3], noise: f64) -> (Study, Results) {
    let json = r#"{"axes": {"cluster.nodes": [8]}, "seeds": 20,
        "goals": [{"metric": "deadline_satisfactory_ratio", "at_least": 0.5}]}"#;
    let study = study(json, &["fixed", "equal-share", "elastic-dp"]);
    let results = finish(&study, noise, |unit| shares[unit.policy as usize] + 0.001 * f64::from(unit.seed % 3) * noise);
    (study, results)
}

#[test]
fn the_best_policy_is_within_a_point() {
    let check = |shares: [f64; 3], noise: f64, expected: &[u32]| {
        let (study, results) = contest(shares, noise);
        let best = study.best(&results, 0).unwrap();
        assert_eq!(best.left, expected, "{shares:?}");
        best.seeds
    };
    assert_eq!(check([0.7, 0.9, 0.6], 0.1, &[1]), 20);
    assert_eq!(check([0.7, 0.9, 0.9], 0.1, &[1, 2]), 20);
    // One draw: as it is, within a point.
    assert_eq!(check([0.7, 0.9, 0.6], 0.0, &[1]), 1);
    assert_eq!(check([0.7, 0.9, 0.895], 0.0, &[1, 2]), 1);
}

#[test]
fn times_are_compared_where_the_same_jobs_completed() {
    let json = r#"{"axes": {"cluster.nodes": [8]}, "seeds": 10}"#;
    let study = study(json, &["fixed", "elasticflow"]);
    let check = |dropped: u64, expected: usize| {
        let mut results = Results::default();
        for unit in (0..2).flat_map(|policy| (0..10).map(move |seed| Unit { point: 0, policy, seed })) {
            let (avg_jct_s, jobs_dropped) = match unit.policy {
                0 => (900.0 + f64::from(unit.seed), 0),
                _ => (600.0 + 3.0 * f64::from(unit.seed % 4), if unit.seed == 7 { dropped } else { 0 }),
            };
            let jobs_completed = 10 - jobs_dropped;
            let metrics = Metrics { avg_jct_s: Some(avg_jct_s), jobs_dropped, jobs_completed, ..Metrics::default() };
            results.add(unit, Outcome::Ended { digest: format!("{unit:?}"), metrics: Box::new(metrics) }).unwrap();
        }
        let metric = Metrics::info("avg_jct_s").unwrap();
        assert_eq!(study.seeds_with_other_jobs(&results, 0, 1), expected);
        assert_eq!(study.points_not_compared(&results), expected.min(1));
        assert_eq!(study.difference(&results, 0, 1, metric).is_none(), expected > 0);
        assert_eq!(study.best(&results, 0).map(|best| best.left), (expected == 0).then(|| vec![1]));
        let counts = Metrics::info("jobs_completed").unwrap();
        assert!(study.difference(&results, 0, 1, counts).is_some(), "what is not over completed jobs is compared");
    };
    check(0, 0);
    check(1, 1);
}

/// A recorded trace: the sample's jobs of one seed, over ten days.
fn recorded(seed: u64) -> Scenario {
    let mut scenario = sample_with(0);
    scenario.conditions.seed = seed;
    let trace = &scenario.trace;
    let later = |(at, job): (usize, &Job)| Job {
        submit_s: job.submit_s + 20_000.0 * at as f64,
        deadline_s: None,
        ..job.clone()
    };
    let jobs = trace.jobs().iter().enumerate().map(later).collect();
    scenario.trace = Arc::new(Trace::new(trace.models().to_vec(), jobs).unwrap());
    scenario
}

#[test]
fn every_point_has_the_same_days() {
    let json = r#"{"axes": {"cluster.nodes": [8, 16]}, "seeds": 5, "draws": "days"}"#;
    let study = study(json, &["fixed", "edf"]);
    let jobs = |point, policy, seed| study.scenario(Unit { point, policy, seed }, recorded).trace;
    for seed in 0..5 {
        assert_eq!(jobs(0, 0, seed), jobs(1, 1, seed));
    }
    assert_ne!(jobs(0, 0, 0), jobs(0, 0, 1));
    let key = |seed| study.key(Unit { point: 0, policy: 0, seed }, recorded);
    assert_ne!(key(0), key(1));
}

#[test]
fn what_a_seed_draws_is_said() {
    let check = |draws: &str, scenario: &Scenario, are_drawn: bool, expected: Option<&str>| {
        let json = format!(r#"{{"axes": {{"cluster.nodes": [8]}}, "draws": "{draws}"}}"#);
        let note = study(&json, &["fixed"]).note_on_draws(scenario, are_drawn);
        assert_eq!(note.as_deref(), expected, "{draws}, {are_drawn}");
    };
    let (long, short) = (recorded(0), sample_with(0));
    check("seeds", &short, true, None);
    check("seeds", &long, false, Some("One draw: the jobs are the same with every seed"));
    check("seeds", &short, false, Some("One draw: the jobs are the same with every seed"));
    check("days", &long, false, None);
    let few = "The trace has 1 day, too few to be drawn anew: 5 at least. Its jobs are as recorded with every seed";
    check("days", &short, false, Some(few));
    check("days", &long, true, Some("Each seed draws its own jobs already; then their days are drawn anew, too"));
    let mut failing = long.clone();
    failing.conditions.faults.node_mtbf_s = Some(1e6);
    check("seeds", &failing, false, None);
}

#[test]
fn jobs_and_curves_are_varied_too() {
    let json = r#"{"axes": {"jobs.share": [0.25, 1], "curves.power.factor": [0.5, 1]}, "seeds": 1}"#;
    let study = study(json, &["fixed"]);
    let at = |point| study.scenario(Unit { point, policy: 0, seed: 0 }, sample_with);
    assert_eq!((at(0).trace.jobs().len(), at(2).trace.jobs().len()), (12, 48));
    let speeds = |point: u32| {
        let curve = at(point).curves.as_slice()[0].clone();
        let gpus = curve.gpus_largest();
        (gpus, curve.samples_per_s(gpus) / curve.samples_per_s(1))
    };
    let ((gpus, none), (_, whole)) = (speeds(0), speeds(1));
    assert!((none - 1.0).abs() < 1e-9 && (whole - f64::from(gpus)).abs() < 1e-9, "{gpus}: {none}, {whole}");
}

#[test]
fn the_same_outcomes_in_any_order_say_the_same() {
    let study = study(NODES, &["fixed", "elastic-dp"]);
    let results = finish(&study, 0.1, |unit| 0.6 + 0.03 * f64::from(unit.point));
    let mut turned = Results::default();
    for (unit, outcome) in results.iter().collect::<Vec<_>>().into_iter().rev() {
        turned.add(unit, outcome.clone()).unwrap();
    }
    assert_eq!(study.answers(&turned), study.answers(&results));
    assert!(study.next(&turned).is_empty());
}

#[test]
fn two_outcomes_of_one_run_are_a_fault() {
    let mut results = Results::default();
    let unit = Unit { point: 0, policy: 0, seed: 0 };
    let outcome = |message: &str| Outcome::Failed { message: message.into() };
    results.add(unit, outcome("a")).unwrap();
    results.add(unit, outcome("a")).unwrap();
    assert_eq!(results.add(unit, outcome("b")).unwrap_err().0, unit);
}

#[test]
fn what_cannot_be_varied_is_named() {
    let check = |json: &str, expected: &str| {
        let policies = ["fixed".parse().unwrap(), "elastic-dp".parse().unwrap()];
        let spec: Spec = serde_json::from_str(json).unwrap();
        assert_eq!(Study::new(&spec, &policies, 0).map(|_| ()).unwrap_err().to_string(), expected, "{json}");
    };
    let nothing = "study.axes: an empty list is not at least one field or parameter with its values";
    check(r#"{"axes": {}}"#, nothing);
    let unknown = "study.axes: cluster.node is not a field of the scenario or a parameter of one of its policies; did you \
                   mean cluster.nodes?";
    check(r#"{"axes": {"cluster.node": [1]}}"#, unknown);
    check(r#"{"axes": {"cluster.nodes": [0]}}"#, "study.axes.cluster.nodes: 0 is not a whole number from 1 to 65,536");
    check(
        r#"{"axes": {"cluster.nodes": [2, 2]}}"#,
        "study.axes.cluster.nodes: 2 is not a value that stands there once",
    );
    let seeds = "study.seeds.at_most: 5 is not 10 or more";
    check(r#"{"axes": {"cluster.nodes": [2]}, "seeds": {"at_least": 10, "at_most": 5}}"#, seeds);
    let metric = "study.goals[0].metric: avg_jct is not a metric; did you mean avg_jct_s?";
    check(r#"{"axes": {"cluster.nodes": [2]}, "goals": [{"metric": "avg_jct", "at_most": 5}]}"#, metric);
    let limit = "study.goals[0]: no limit is not one of at_least and at_most";
    check(r#"{"axes": {"cluster.nodes": [2]}, "goals": [{"metric": "avg_jct_s"}]}"#, limit);
    let find = "study.goals: an empty list is not at least one goal for the smallest value to meet";
    check(r#"{"axes": {"cluster.nodes": [2]}, "find": {"smallest": "cluster.nodes"}}"#, find);
    let many = r#"{"axes": {"cluster.nodes": {"from": 1, "to": 2000}, "jobs.share": {"from": 0.001, "to": 1, "step": 0.001}}}"#;
    let grid = "study.axes: a grid of 2000000 points is not at most 1000000 points: vary less at a time, or take larger \
                steps";
    check(many, grid);
}
