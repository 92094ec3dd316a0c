use proptest::prelude::*;

use super::*;
use crate::study::testing::{any_view, goal, load_study, nodes_study};
use crate::study::{AnswerView, Failed};

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
