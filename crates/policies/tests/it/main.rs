//! Every policy: schedules drawn as text, what must hold for all of them, and their ids.
#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.
#![allow(clippy::disallowed_methods)] // Tests need no small code: they sort as the standard library does.

mod artifact;
mod autoscaling;
mod bftrainer;
mod bftrainer_replay;
mod bftrainer_schedules;
#[path = "../../../../tests/data_pack.rs"]
mod data_pack;
#[path = "../../../engine/tests/it/drawing.rs"]
mod drawing;
mod edf_by_the_letter;
mod elasticflow;
mod elasticflow_rivals;
mod elasticflow_schedules;
mod explained;
mod forks;
mod kept_decisions;
mod modelarts;
mod naive_metrics;
mod optimal;
mod pollux;
mod pollux_schedules;
mod promises;
mod properties;
mod real_data;
mod reservations;
mod rival_schedules;
mod schedules;
mod schedules_in_rounds;
mod sound;
mod specs;
mod spot;
mod undone;

use elastiplan_policies::PolicySpec;
use expect_test::Expect;

/// Runs a case under the policy in its line `policy ...`, and compares the drawing.
fn check(input: &str, expected: Expect) {
    let case = drawing::parse(input);
    let [line] = &case.other_lines[..] else { panic!("lines not understood: {:?}", case.other_lines) };
    let spec: PolicySpec = line.strip_prefix("policy ").unwrap().parse().unwrap();
    expected.assert_eq(&case.draw(&spec.to_string(), spec.build(0).unwrap()));
}
