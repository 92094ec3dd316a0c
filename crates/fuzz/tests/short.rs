//! A short run of every target, and all inputs that once failed.

use std::time::Duration;

use elastiplan_fuzz::{TARGETS, fuzz};

#[test]
fn every_parser_survives_a_second_of_damage() {
    for target in TARGETS {
        let outcome = fuzz(target, Duration::from_secs(1), 7).unwrap();
        assert!(outcome.failure.is_none(), "{}: {outcome}", target.name);
    }
}
