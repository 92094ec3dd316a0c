//! Forks as text.

use elastiplan_scenario::{Conditions, Fork, ForkChange};
use proptest::prelude::*;

fn nodes(after_start_s: f64) -> Fork {
    Fork { after_start_s, change: ForkChange::Nodes(20) }
}

#[test]
fn forks_are_read_and_written() {
    let check = |text: &str, expected: Fork, written: &str, words: &str| {
        let read: Fork = text.parse().unwrap();
        assert_eq!((&read, read.to_string().as_str(), read.words().as_str()), (&expected, written, words));
    };
    check("at=2d4h nodes=20", nodes(187_200.0), "at=2d4h nodes=20", "from 2d 04h: 20 nodes");
    check("at=2d4h,nodes=20", nodes(187_200.0), "at=2d4h nodes=20", "from 2d 04h: 20 nodes");
    check(" at=90m   nodes= 20 ", nodes(5_400.0), "at=1h30m nodes=20", "from 1h 30m: 20 nodes");
    check("at=1h0.5m nodes=20", nodes(3_630.0), "at=1h30s nodes=20", "from 1h 01m: 20 nodes");
    check("at=12.25 nodes=20", nodes(12.25), "at=12.25 nodes=20", "from 12s: 20 nodes");
    check("at=0 nodes=20", nodes(0.0), "at=0 nodes=20", "from 0s: 20 nodes");
    let with = |change| Fork { after_start_s: 86_400.0, change };
    let policy = ForkChange::Policy("elastic-dp[delta_s=60,queue=true]".into());
    check(
        "at=1d policy=elastic-dp[delta_s=60,queue=true]",
        with(policy),
        "at=1d policy=elastic-dp[delta_s=60,queue=true]",
        "from 1d 00h: elastic-dp[delta_s=60,queue=true]",
    );
    let job = || String::from("my job = 3");
    check(
        "at=1d end=my job = 3",
        with(ForkChange::EndJob { job: job() }),
        "at=1d end=my job = 3",
        "from 1d 00h: my job = 3 ends",
    );
    check(
        "at=1d priority=2.5 job=my job = 3",
        with(ForkChange::Priority { job: job(), priority: 2.5 }),
        "at=1d priority=2.5 job=my job = 3",
        "from 1d 00h: my job = 3 has priority 2.5",
    );
    check(
        "at=1d,fails=3,for=6h",
        with(ForkChange::NodeFails { node: 3, for_s: 21_600.0 }),
        "at=1d fails=3 for=6h",
        "from 1d 00h: node 3 fails for 6h 00m",
    );
}

#[test]
fn what_cannot_be_read_is_named() {
    let check = |text: &str, expected: &str| {
        let error = text.parse::<Fork>().unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    };
    check("", "an empty text: write at=TIME, then the change");
    check("nodes=20", "nodes=20: write at=TIME");
    check("at=2d4h", "an empty text is not a change. There are: nodes=20, policy=tiresias");
    check("at=2d4h gpus=3", "gpus=3 is not a change");
    check("at=4h2d nodes=20", "4h2d is not a time: write 2d4h");
    check("at= nodes=20", "an empty text is not a time");
    check("at=ü nodes=20", "ü is not a time");
    check("at=-5 nodes=20", "fork at: -5 is not a time from 0");
    check("at=NaN nodes=20", "fork at: NaN is not a time from 0");
    check("at=1d nodes=many", "nodes: many is not a whole number");
    check("at=1d nodes=", "nodes: an empty text is not a whole number");
    check("at=1d nodes=70000", "nodes of the fork: 70000 is not a whole number from 1 to 65,536");
    check("at=1d policy=", "policy is missing, as in policy=tiresias");
    check("at=1d end= ", "the job is missing, as in end=JOB");
    check("at=1d priority=2", "job= is missing, as in priority=2 job=JOB");
    check("at=1d priority=0 job=a", "priority of the fork: 0 is not a number above 0");
    check("at=1d fails=3", "for= is missing, as in fails=3 for=6h");
    check("at=1d fails=x for=6h", "fails: x is not a whole number");
    check("at=1d fails=3 for=0", "time until the node is back: 0 is not a number of seconds above 0");
}

#[test]
fn conditions_check_their_forks() {
    let conditions = Conditions { forks: vec![nodes(0.0), nodes(-1.0)], ..Conditions::default() };
    assert_eq!(conditions.validate().unwrap_err().name, "fork at");
}

proptest! {
    #[test]
    fn text_is_read_back_to_the_bit(after_start_s in prop_oneof![0.0..1e11, (0..10_000_000_u32).prop_map(f64::from)]) {
        let fork = nodes(after_start_s);
        prop_assert_eq!(fork.to_string().parse::<Fork>().unwrap(), fork);
    }

    #[test]
    fn no_text_panics(text in "(at=)?[0-9a-zü.= ]{0,24}") {
        let _ = text.parse::<Fork>();
    }
}
