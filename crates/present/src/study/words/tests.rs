use proptest::prelude::*;

use super::*;
use crate::study::testing::{any_view, goal, load_study, nodes_study};
use crate::study::{AnswerView, Failed, NoValue};

/// A study after a change, with its headline and the sentences below it.
fn check(change: impl FnOnce(&mut StudyView), headline: &str, rest: &[&str]) {
    let mut view = nodes_study();
    change(&mut view);
    let words = words(&view);
    let found: Vec<&str> = words.rest.iter().map(|(sentence, _)| sentence.as_str()).collect();
    assert_eq!((words.headline.as_str(), found.as_slice()), (headline, rest));
}

/// The answers of the policies by their places; `None` for none within.
fn answers(view: &mut StudyView, places: &[Option<u32>]) {
    for (answer, place) in view.answers.iter_mut().zip(places) {
        *answer = AnswerView { answer: *place, bracket: place.map(|at| (at, at)), is_settled: true, ..answer.clone() };
    }
}

const SURE: &str = "With 95% confidence, 10 draws of the days in your trace.";

#[test]
fn the_headline_names_the_two_best_and_the_baseline() {
    check(
        |view| answers(view, &[Some(18), Some(15), Some(8), Some(3)]),
        "95% of deadlines need 46 nodes under elasticflow, 56 under elastic-dp, 76 under fixed",
        &[SURE, "elasticflow declines 1.2% of jobs at 46 nodes.", "30 nodes fewer save $94.6k."],
    );
    check(
        |view| answers(view, &[Some(18), Some(8), Some(8), Some(0)]),
        "95% of deadlines need at most 40 nodes under elasticflow, 56 under equal-share, 76 under fixed",
        &[SURE, "elasticflow declines 2.4% of jobs at 40 nodes.", "36 nodes fewer save $105k."],
    );
}

#[test]
fn what_meets_no_goal_is_said() {
    let saved = [SURE, "elasticflow declines 1.2% of jobs at 46 nodes."];
    check(
        |view| answers(view, &[None, Some(15), Some(8), Some(3)]),
        "95% of deadlines need 46 nodes under elasticflow, 56 under elastic-dp; fixed does not meet it within 80 nodes",
        &[saved[0], saved[1], "10 nodes fewer than under elastic-dp save $27.7k."],
    );
    check(|view| answers(view, &[None; 4]), "No policy meets 95% of deadlines within 80 nodes", &[SURE]);
    let alone = |view: &mut StudyView| {
        view.policies.truncate(1);
        answers(view, &[None]);
    };
    check(alone, "fixed does not meet 95% of deadlines within 80 nodes", &[SURE]);
}

#[test]
fn all_sizes_may_meet_it() {
    check(
        |view| answers(view, &[Some(0); 4]),
        "All sizes meet it: 40 nodes are enough for 95% of deadlines",
        &[SURE, "elasticflow declines 2.4% of jobs at 40 nodes."],
    );
}

#[test]
fn what_is_open_is_said_with_its_range() {
    let open = |view: &mut StudyView| {
        for (answer, bracket) in view.answers.iter_mut().zip([None, Some((5, 7)), None, Some((1, 3))]) {
            (answer.answer, answer.bracket, answer.is_settled) = (None, bracket, false);
        }
    };
    check(
        open,
        "Not decided yet: 42 to 46 nodes under elasticflow, 50 to 54 under equal-share; not decided yet under fixed",
        &[SURE],
    );
    let nothing = |view: &mut StudyView| view.answers.clear();
    check(nothing, "Not decided yet: 40 to 80 nodes", &[SURE]);
    let early = |view: &mut StudyView| {
        answers(view, &[Some(18), None, None, Some(3)]);
        view.policies.truncate(1);
        (view.progress.stage, view.draws) = (Stage::Points, DrawsView::Seeds);
        view.seeds = vec![3; 21];
    };
    check(
        early,
        "So far: 95% of deadlines need 76 nodes under fixed",
        &["Means of 3 seeds, first pass: no confidence is claimed below 5 seeds."],
    );
}

#[test]
fn nothing_asked_and_nothing_run() {
    let nothing_asked = |view: &mut StudyView| view.goals.clear();
    let asked = "No goal is set: add one to ask which of them is enough.";
    check(nothing_asked, "40 to 80 nodes under 4 policies", &[asked, SURE]);
    check(|view| view.progress.runs = 0, "No run has finished yet", &[]);
}

#[test]
fn ends_failures_and_draws_are_said() {
    let stopped = |view: &mut StudyView| {
        answers(view, &[None; 4]);
        view.progress.stage = Stage::Over(Ended::Stopped);
        (view.progress.runs, view.progress.runs_wanted) = (612, 840);
    };
    let none = "No policy meets 95% of deadlines within 80 nodes";
    check(stopped, none, &[SURE, "Stopped at 612 of 840 runs: 8 points stay open."]);
    let used = |view: &mut StudyView| {
        answers(view, &[None; 4]);
        (view.progress.stage, view.progress.open) = (Stage::Over(Ended::BudgetUsed), 1);
        view.draws = DrawsView::One;
        view.failed = vec![Failed { policy: 0, point: 0, runs: 10, message: String::new() }; 2];
    };
    let one = "One draw: every seed gives the same run, so this holds for it alone.";
    let rest = [one, "2 points failed; the rest stands.", "The time budget is used up: 1 point stays open."];
    check(used, none, &rest);
}

/// The sentences below the headline after a change, without those about the answer itself.
fn warned(change: impl FnOnce(&mut StudyView)) -> (String, Vec<String>) {
    let mut view = nodes_study();
    change(&mut view);
    let words = words(&view);
    let is_of_answer =
        |text: &str| text.starts_with("With 95%") || text.contains(" declines ") || text.contains("save");
    (words.headline, words.rest.into_iter().map(|(text, _)| text).filter(|text| !is_of_answer(text)).collect())
}

#[test]
fn failed_runs_are_said_with_the_first_reason() {
    let check = |runs: &[u32], expected: &str| {
        let failed = |(at, runs): (usize, &u32)| Failed {
            policy: 1,
            point: 3 + at as u32,
            runs: *runs,
            message: "no GPUs.".into(),
        };
        let (_, rest) = warned(|view| view.failed = runs.iter().enumerate().map(failed).collect());
        assert_eq!(rest, [format!("{expected} equal-share at 46 nodes: no GPUs.")]);
    };
    check(&[10], "1 point failed; the rest stands.");
    check(&[10, 10], "2 points failed; the rest stands.");
    check(&[3], "Some runs failed at 1 point, which stays open; the rest stands.");
    check(&[3, 10], "1 point failed, at 1 point some runs; the rest stands.");
}

#[test]
fn points_without_values_are_open_and_say_why() {
    let none = |point: u32| NoValue { policy: 0, point, metric: "avg_jct_s".into(), runs: 10 };
    let (_, rest) = warned(|view| view.no_value = vec![none(0), none(1)]);
    assert_eq!(rest, ["Mean completion has no value at 2 points: no job completed. They stay open."]);
    let (headline, _) = warned(|view| {
        view.cells.fill(Cell::NoValue);
        view.no_value = vec![none(0)];
    });
    assert_eq!(headline, "Mean completion has no value at any point: no job completed");
    let (headline, _) = warned(|view| {
        view.cells.fill(Cell::Failed);
        view.failed = vec![Failed { policy: 0, point: 0, runs: 10, message: "no GPUs".into() }];
    });
    assert_eq!(headline, "Every run failed: no GPUs");
}

#[test]
fn what_a_finished_study_leaves_undecided_is_said_with_the_seeds_it_takes() {
    let check = |stage: Stage, seeds_most: u32, expected: &[&str]| {
        let (_, rest) = warned(|view| {
            view.progress = Progress { stage, open: 2, seeds_most, ..view.progress.clone() };
            view.seeds_to_decide = vec![20, 60];
        });
        assert_eq!(rest, expected);
    };
    let words = "2 points are not decided against the goal with 10 seeds; about 60 seeds would decide all of them.";
    check(Stage::Over(Ended::Complete), 10, &[words]);
    check(Stage::Over(Ended::Complete), 3, &[]);
    check(Stage::Open, 10, &[]);
}

#[test]
fn a_size_that_is_smaller_but_costs_more_is_a_warning() {
    let change = |view: &mut StudyView| {
        answers(view, &[Some(18), None, None, Some(3)]);
        let cost = view.metrics.iter_mut().find(|metric| metric.key == "cost_dollars").unwrap();
        cost.estimates[3 * 21 + 3].as_mut().unwrap().mean = 1e6;
    };
    let mut view = nodes_study();
    change(&mut view);
    let words = words(&view);
    let found = words.rest.iter().find(|(sentence, _)| sentence.contains("fewer")).unwrap();
    assert_eq!(*found, ("30 nodes fewer than under fixed, and yet $737k more.".into(), true));
}

#[test]
fn the_largest_value_is_asked_with_other_words() {
    let check = |places: &[Option<u32>], expected: &str| {
        let mut view = load_study();
        (view.is_largest, view.find) = (true, 1);
        view.axes.remove(0);
        (view.find, view.goals) = (0, vec![goal("p95_queueing_s", 1800.0, false, "")]);
        view.answers = (0..4)
            .map(|policy| AnswerView {
                policy,
                line: (0..7).collect(),
                answer: None,
                bracket: None,
                isolated: Vec::new(),
                confirmed: None,
                is_settled: true,
                words: String::new(),
            })
            .collect();
        answers(&mut view, places);
        view.seeds = vec![10; 28];
        view.progress.stage = Stage::Over(Ended::Complete);
        assert_eq!(words(&view).headline, expected);
    };
    check(
        &[Some(3), None, Some(5), Some(6)],
        "P95 waiting of at most 30m holds up to at least arrival rate × 1.3 under elasticflow, × 1.2 under elastic-dp, \
         × 1.0 under fixed",
    );
    check(&[None; 4], "No policy meets p95 waiting of at most 30m even at arrival rate × 0.7");
    check(&[Some(6); 4], "All values meet it: p95 waiting of at most 30m holds up to arrival rate × 1.3");
}

#[test]
fn two_axes_begin_with_the_value_of_the_other() {
    let view = load_study();
    let check = |load: usize, start: &str| {
        let headline = words_at(&view, view.point(&[0, load])).headline;
        assert!(headline.starts_with(start), "{headline}");
    };
    check(5, "With 20% more load, 95% of deadlines need ");
    check(3, "With the load as it is, 95% of deadlines need ");
    check(1, "With 20% less load, 95% of deadlines need ");
    assert_eq!(words(&view).headline, words_at(&view, 3).headline, "a factor of 1 is usual");
}

#[test]
fn a_worse_point_names_its_neighbour() {
    let view = nodes_study();
    let difference = Against { is_ratio: false, mean: -0.008, low: -0.012, high: -0.004 };
    let found = worse_words(&view, &view.worse[0], &difference);
    assert_eq!(found, "60 nodes: two more than 58, and it got worse. −0.8pt, in 8 of 10 seeds");
}

#[test]
fn goals_are_named_but_not_those_that_only_guard() {
    let check = |goals: &[(&str, f64, bool)], expected: &str| {
        let mut view = nodes_study();
        view.goals = goals.iter().map(|(metric, limit, is_least)| goal(metric, *limit, *is_least, "")).collect();
        assert_eq!(subject(&view).text, expected);
    };
    check(&[("deadline_satisfactory_ratio", 0.995, true), ("job_drop_ratio", 0.05, false)], "99.5% of deadlines");
    check(&[("job_drop_ratio", 0.07, false)], "share declined of at most 7%");
    check(
        &[("avg_jct_s", 9000.0, false), ("cost_dollars", 400.0, false)],
        "mean completion of at most 2h 30m and cost of at most $400",
    );
    let goals = [("avg_jct_s", 9000.0, false), ("cost_dollars", 400.0, false), ("p95_queueing_s", 60.0, false)];
    check(&goals, "all 3 goals");
}

/// Numbers in sentences: `elasticflow declines 2.5% of jobs at 46 nodes.` has 2.5 and 46.
fn numbers(text: &str) -> Vec<f64> {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.' || letter == ',';
    let words = text.split(|letter: char| !is_part(letter));
    words.filter_map(|word| word.trim_matches(['.', ',']).replace(',', "").parse().ok()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn sentences_never_fail_and_say_what_the_view_says(view in any_view()) {
        let words = words(&view);
        let all: Vec<&str> =
            std::iter::once(words.headline.as_str()).chain(words.rest.iter().map(|(text, _)| text.as_str())).collect();
        prop_assert!(!words.headline.is_empty());
        for sentence in &all {
            prop_assert!(!sentence.contains("NaN") && !sentence.contains("inf"), "{sentence}");
            prop_assert!(!sentence.contains("  ") && !sentence.contains("[delta"), "{sentence}");
        }
        // Whatever place is named after a policy is its answer.
        for point in 0..view.points() {
            let headline = words_at(&view, point).headline;
            let axis = &view.axes[view.find];
            for answer in view.answers.iter().filter(|answer| answer.line.contains(&(point as u32))) {
                let name = policy_name(&view, answer.policy as usize);
                let alone = format!("under {name}");
                let Some((before, _)) = headline.split_once(&alone).filter(|_| headline.matches(&alone).count() == 1) else {
                    continue;
                };
                let Some(place) = answer.answer else { continue };
                // Policies with one answer share it: the value stands before the first of them.
                let named = before.rsplit(", ").next().unwrap_or(before);
                prop_assert!(named.contains(&short(axis, place as usize)), "{headline}: {answer:?}");
            }
        }
        // Shares and costs in the other sentences are those of estimates.
        for (sentence, _) in words.rest.iter().filter(|(sentence, _)| sentence.contains(" declines ")) {
            let percent = numbers(sentence)[0];
            let estimates = &view.metric("job_drop_ratio").unwrap().estimates;
            let is_there = estimates.iter().flatten().any(|of| (of.mean * 100.0 - percent).abs() <= 0.5001);
            prop_assert!(is_there, "{sentence}");
        }
    }
}
