//! The engine by itself, with policies that play a script: schedules drawn as text, errors as a person reads them, and
//! a second, naive engine that must agree.
#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.

mod drawing;
mod edges;
mod errors;
mod naive;
mod schedules;

use elastiplan_engine::{Action, Cadence, Policy, View};
use elastiplan_model::JobId;
use expect_test::Expect;

/// Runs a case with the script in it, and compares the drawing.
///
/// A line `3: a=2 b=drop` is what the policy answers when it is asked at 3 s; asked at other times it answers nothing.
/// The line `every 10` makes it decide in rounds.
fn check(input: &str, expected: Expect) {
    let case = drawing::parse(input);
    let policy = Script::new(&case.other_lines, &case.workload);
    expected.assert_eq(&case.draw("script", Box::new(policy)));
}

#[derive(Clone)]
struct Script {
    cadence: Cadence,
    answers: Vec<(f64, Vec<Action>)>,
}

impl Script {
    fn new(lines: &[String], workload: &elastiplan_model::Workload) -> Self {
        let mut script = Self { cadence: Cadence::OnEvents, answers: Vec::new() };
        // A name that is a number may be one of no job.
        let number = |name: &str| workload.trace().jobs().iter().position(|job| job.name == name);
        let id = |name: &str| JobId(number(name).map_or_else(|| name.parse().unwrap(), |at| at as u32));
        let action = |word: &str| match word.split_once('=').unwrap() {
            (name, "drop") => Action::Drop { job: id(name) },
            (name, gpus) => Action::Allocate { job: id(name), gpus: gpus.parse().unwrap() },
        };
        for line in lines {
            if let Some(interval_s) = line.strip_prefix("every ") {
                script.cadence = Cadence::Every { interval_s: interval_s.parse().unwrap() };
            } else {
                let (time_s, words) = line.split_once(':').unwrap();
                let actions = words.split_whitespace().map(action).collect();
                script.answers.push((time_s.parse().unwrap(), actions));
            }
        }
        script
    }
}

impl Policy for Script {
    fn cadence(&self) -> Cadence {
        self.cadence
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let now = |answer: &&(f64, Vec<Action>)| answer.0 == view.time_s();
        actions.extend(self.answers.iter().find(now).into_iter().flat_map(|answer| &answer.1));
    }
}
