//! What goes wrong, as text.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

use elastiplan_scenario::{Faults, FaultsText};
use proptest::prelude::*;

fn error(text: &str) -> String {
    text.parse::<FaultsText>().unwrap_err().to_string()
}

const KNOWN: &str =
    "There are: node_mtbf_s, node_repair_s, bug_share, bug_within_s, cancel_share, estimate_error, profiling_noise";

#[test]
fn every_fault_is_read_and_written() {
    let text = "node_mtbf_s=86400,node_repair_s=600,bug_share=0.15,bug_within_s=300,cancel_share=0.1,\
                estimate_error=0.2,profiling_noise=0.05";
    let faults = Faults {
        node_mtbf_s: Some(86400.0),
        node_repair_s: 600.0,
        bug_share: 0.15,
        bug_within_s: 300.0,
        cancel_share: 0.1,
        estimate_error: 0.2,
        profiling_noise: 0.05,
    };
    assert_eq!(text.parse(), Ok(FaultsText(faults)));
    assert_eq!(FaultsText(faults).to_string(), text);
}

#[test]
fn no_fault_is_read_and_written() {
    assert_eq!(FaultsText::default().to_string(), "none");
    for text in ["", "none", " , "] {
        assert_eq!(text.parse(), Ok(FaultsText::default()));
    }
}

#[test]
fn mistakes_are_named() {
    assert_eq!(error("bug_share"), format!("bug_share: write faults as key=number,key=number. {KNOWN}"));
    assert_eq!(error("bugs=1"), format!("bugs is not a fault. {KNOWN}"));
    assert_eq!(error("bug_share=0.1,bug_share=0.1"), "bug_share is given twice");
    assert_eq!(error("bug_share=few"), "bug_share: few is not a number");
    assert_eq!(error("bug_share="), "bug_share: an empty value is not a number");
    assert_eq!(error("bug_share=2"), "bug_share: 2 is not a number from 0 to 1");
    assert_eq!(error("bug_share=NaN"), "bug_share: NaN is not a number from 0 to 1");
    assert_eq!(error("node_mtbf_s=100"), "node_repair_s: 0 is not at least 1 s where nodes fail");
}

proptest! {
    #[test]
    fn text_goes_round(
        mtbf_s in proptest::option::of(1.0..1e11_f64),
        repair_s in 1.0..1e11_f64,
        shares in proptest::array::uniform4(0.0..0.99_f64),
        within_s in 0.0..1e11_f64,
    ) {
        let [bug_share, cancel_share, estimate_error, profiling_noise] = shares;
        let faults = Faults {
            node_mtbf_s: mtbf_s,
            node_repair_s: repair_s,
            bug_share,
            bug_within_s: within_s,
            cancel_share,
            estimate_error,
            profiling_noise,
        };
        let text = FaultsText(faults).to_string();
        prop_assert_eq!(text.parse(), Ok(FaultsText(faults)));
    }

    #[test]
    fn no_text_panics(text in ".{0,60}") {
        let _ = text.parse::<FaultsText>();
    }
}
