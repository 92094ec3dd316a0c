//! The engine by itself, with policies that play a script: schedules drawn as text, errors as a person reads them, and
//! a second, naive engine that must agree.
#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.
#![allow(clippy::disallowed_methods)] // Tests need no small code: they sort as the standard library does.

mod capacity;
mod checkpoints;
mod drawing;
mod edges;
mod errors;
mod faults;
mod forks;
mod interference;
mod naive;
mod placing;
mod schedules;
mod unnoticed;

use elastiplan_engine::{Action, Cadence, Charging, NodeGpus, OnLoss, Policy, View};
use elastiplan_model::JobId;
use expect_test::Expect;

/// Runs a case with the script in it, and compares the drawing.
///
/// A line `3: a=2 b=drop` is what the policy answers when it is asked at 3 s; asked at other times it answers nothing.
/// It may also say `a=admit`, `a=0:2,1:1` (2 GPUs of node 0 and 1 of node 1), `a=batch64`, `cluster=3` and `wake=7`.
/// The line `every 10` makes it decide in rounds, `at-most-every 10`, `ticks 10` and `events-and-ticks 10` likewise;
/// `shrink` lets jobs continue on the GPUs that a leaving node leaves them.
fn check(input: &str, expected: Expect) {
    let case = drawing::parse(input);
    let policy = Script::new(&case.other_lines, &case.workload);
    expected.assert_eq(&case.draw("script", Box::new(policy)));
}

#[derive(Clone)]
struct Script {
    cadence: Cadence,
    on_loss: OnLoss,
    charging: Charging,
    answers: Vec<(f64, Vec<Action>)>,
}

impl Script {
    fn new(lines: &[String], workload: &elastiplan_model::Workload) -> Self {
        let (cadence, on_loss, charging) = (Cadence::OnEvents, OnLoss::Preempt, Charging::Time);
        let mut script = Script { cadence, on_loss, charging, answers: Vec::new() };
        // A name that is a number may be one of no job.
        let number = |name: &str| workload.trace().jobs().iter().position(|job| job.name == name);
        let id = |name: &str| JobId(number(name).map_or_else(|| name.parse().unwrap(), |at| at as u32));
        let action = |word: &str| match word.split_once('=').unwrap() {
            (name, "drop") => Action::Drop { job: id(name) },
            (name, "admit") => Action::Admit { job: id(name) },
            ("cluster", nodes) => Action::ResizeCluster { nodes: nodes.parse().unwrap() },
            ("wake", time_s) => Action::WakeAt { time_s: time_s.parse().unwrap() },
            (name, batch) if batch.starts_with("batch") => {
                Action::SetBatch { job: id(name), batch_global: batch[5..].parse().unwrap() }
            }
            (name, on) if on.contains(':') => Action::Place { job: id(name), on: on.split(',').map(place).collect() },
            (name, gpus) => Action::Allocate { job: id(name), gpus: gpus.parse().unwrap() },
        };
        for line in lines {
            if line == "shrink" {
                script.on_loss = OnLoss::Shrink;
            } else if line == "work-charged" {
                script.charging = Charging::Work;
            } else if let Some((kind, interval_s)) = line.split_once(' ').filter(|(kind, _)| !kind.ends_with(':')) {
                let interval_s = interval_s.parse().unwrap();
                script.cadence = match kind {
                    "every" => Cadence::Every { interval_s },
                    "at-most-every" => Cadence::AtMostEvery { interval_s },
                    "ticks" => Cadence::Ticks { interval_s },
                    "events-and-ticks" => Cadence::OnEventsAndTicks { interval_s },
                    _ => panic!("{kind} is no cadence"),
                };
            } else {
                let (time_s, words) = line.split_once(':').unwrap();
                let actions = words.split_whitespace().map(action).collect();
                script.answers.push((time_s.parse().unwrap(), actions));
            }
        }
        script
    }
}

/// `0:2`: 2 GPUs of node 0.
fn place(text: &str) -> NodeGpus {
    let (node, gpus) = text.split_once(':').unwrap();
    NodeGpus { node: node.parse().unwrap(), gpus: gpus.parse().unwrap() }
}

impl Policy for Script {
    fn cadence(&self) -> Cadence {
        self.cadence
    }

    fn on_loss(&self) -> OnLoss {
        self.on_loss
    }

    fn charging(&self) -> Charging {
        self.charging
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let now = |answer: &&(f64, Vec<Action>)| answer.0 == view.time_s();
        actions.extend(self.answers.iter().find(now).into_iter().flat_map(|answer| &answer.1).cloned());
    }
}
