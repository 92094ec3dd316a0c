//! Availability logs: what is one, its order, and moving it in time.

use elastiplan_model::{Availability, AvailabilityError, NodeChange};
use expect_test::{Expect, expect};
use proptest::prelude::*;

type Intervals = Vec<(f64, Option<f64>)>;

fn node(name: &str, intervals: &[(f64, Option<f64>)]) -> (String, Intervals) {
    (name.into(), intervals.to_vec())
}

/// The changes of a log, or what is wrong with the intervals: made, and read from storage.
fn check(nodes: Vec<(String, Intervals)>, end_s: f64, expected: Expect) {
    let text = match Availability::from_intervals(nodes, end_s) {
        Ok(log) => {
            let stored = serde_json::to_string(&log).unwrap();
            assert_eq!(serde_json::from_str::<Availability>(&stored).unwrap(), log);
            changes_as_text(&log)
        }
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&text);
}

/// `0 +a, 5 -a, 9`: what comes and goes when, and the end.
fn changes_as_text(log: &Availability) -> String {
    let change = |change: &NodeChange| {
        let sign = if change.up { '+' } else { '-' };
        format!("{} {sign}{}, ", change.time_s, log.name(change.node).unwrap())
    };
    log.changes().iter().map(change).collect::<String>() + &log.end_s().to_string()
}

#[test]
fn changes_are_in_order_of_time_departures_first() {
    let a = node("a", &[(0.0, Some(5.0)), (7.0, None)]);
    let b = node("b", &[(5.0, Some(7.0))]);
    let c = node("c", &[(5.0, Some(9.0))]);
    check(vec![c, b, a], 9.0, expect!["0 +a, 5 -a, 5 +c, 5 +b, 7 -b, 7 +a, 9 -c, 9"]);
    check(vec![node("never", &[]), node("late", &[(3.0, None)])], 3.0, expect!["3 +late, 3"]);
    check(vec![node("never", &[])], 3.0, expect!["3"]);
}

#[test]
fn intervals_that_touch_become_one() {
    check(vec![node("a", &[(0.0, Some(5.0)), (5.0, Some(6.0)), (6.0, Some(8.0))])], 8.0, expect!["0 +a, 8 -a, 8"]);
    check(vec![node("a", &[(0.0, Some(5.0)), (5.0, None)])], 8.0, expect!["0 +a, 8"]);
}

#[test]
fn intervals_that_make_no_log() {
    let a = |intervals: &[(f64, Option<f64>)]| vec![node("a", intervals)];
    check(vec![], 9.0, expect!["no nodes"]);
    check(vec![node("", &[])], 9.0, expect!["node number 0 has no name"]);
    check(vec![node("a", &[]), node("a", &[])], 9.0, expect!["node a is there twice: names must be unique"]);
    check(a(&[(-1.0, None)]), 9.0, expect!["node a: -1 s must be a number of seconds from 0 to 1e11"]);
    check(a(&[(f64::NAN, None)]), 9.0, expect!["node a: NaN s must be a number of seconds from 0 to 1e11"]);
    check(a(&[(0.0, Some(2e11))]), 9.0, expect!["node a: 200000000000 s must be a number of seconds from 0 to 1e11"]);
    check(
        a(&[(5.0, Some(5.0))]),
        9.0,
        expect!["node a: an interval from 5 s must end later than it starts, not at 5 s"],
    );
    check(
        a(&[(0.0, Some(5.0)), (4.0, None)]),
        9.0,
        expect!["node a: an interval starts at 4 s, but the one before it ends at 5 s"],
    );
    check(
        a(&[(3.0, Some(5.0)), (0.0, Some(1.0))]),
        9.0,
        expect!["node a: an interval starts at 0 s, but the one before it ends at 5 s"],
    );
    check(
        a(&[(0.0, None), (4.0, None)]),
        9.0,
        expect!["node a: an interval starts at 4 s, but the one before it never ends"],
    );
    check(a(&[(0.0, Some(10.0))]), 9.0, expect!["node a: 10 s is later than the end of the log, 9 s"]);
    check(a(&[(10.0, None)]), 9.0, expect!["node a: 10 s is later than the end of the log, 9 s"]);
    check(a(&[]), f64::INFINITY, expect!["the end of the log, inf s, must be a number of seconds from 0 to 1e11"]);
    let many = (0..65_537).map(|number| node(&number.to_string(), &[])).collect();
    check(many, 9.0, expect!["65537 nodes are more than 65536"]);
}

#[test]
fn stored_logs_are_checked_when_they_are_read() {
    let read = |changes: &str| {
        let stored = format!(r#"{{"names":["a"],"changes":[{changes}],"end_s":9.0}}"#);
        serde_json::from_str::<Availability>(&stored)
            .map_or_else(|error| error.to_string(), |log| changes_as_text(&log))
    };
    let change = |time_s: f64, node: u32, up: bool| format!(r#"{{"time_s":{time_s},"node":{node},"up":{up}}}"#);
    expect!["1 +a, 9"].assert_eq(&read(&change(1.0, 0, true)));
    expect!["a change of node number 1, which is not in the list of 1"].assert_eq(&read(&change(1.0, 1, true)));
    expect!["node a: the change at 1 s changes nothing"].assert_eq(&read(&change(1.0, 0, false)));
    let twice = [change(1.0, 0, true), change(2.0, 0, true)].join(",");
    expect!["node a: the change at 2 s changes nothing"].assert_eq(&read(&twice));
    let backwards = [change(5.0, 0, true), change(2.0, 0, false)].join(",");
    expect!["node a: an interval from 5 s must end later than it starts, not at 2 s"].assert_eq(&read(&backwards));
}

fn log(nodes: Vec<(String, Intervals)>, end_s: f64) -> Availability {
    Availability::from_intervals(nodes, end_s).unwrap()
}

#[test]
fn names_and_numbers() {
    let log = log(vec![node("b", &[(1.0, None)]), node("a", &[])], 2.0);
    assert_eq!((log.nodes(), log.name(0), log.name(1), log.name(2)), (2, Some("b"), Some("a"), None));
    assert!(matches!(Availability::from_intervals(vec![], 0.0), Err(AvailabilityError::Empty)));
}

/// Intervals of one node.
fn intervals() -> impl Strategy<Value = Intervals> {
    (prop::collection::btree_set(0..1000_u32, 0..20), any::<bool>(), -6..6_i32).prop_map(|(times, open, unit)| {
        let times: Vec<f64> = times.into_iter().map(|time| f64::from(time) * 2.0_f64.powi(unit)).collect();
        let closed = times.len() - usize::from(open && !times.is_empty() && times.len().is_multiple_of(2));
        times[..closed].chunks(2).map(|pair| (pair[0], pair.get(1).copied())).collect()
    })
}

proptest! {
    #[test]
    fn logs_hold_together(nodes in prop::collection::vec(intervals(), 1..6)) {
        let named: Vec<_> = nodes.iter().enumerate().map(|(at, own)| (format!("n{at}"), own.clone())).collect();
        let log = log(named, 1e6);
        for (node, own) in (0..).zip(&nodes) {
            let read = log.intervals().into_iter().filter(|interval| interval.node == node);
            let read: Intervals = read.map(|interval| (interval.start_s, interval.end_s)).collect();
            prop_assert_eq!(&read, own);
        }
        let first_s = log.changes().first().map_or(log.end_s(), |change| change.time_s);
        prop_assert_eq!(log.start_s(), first_s);
        let stored = serde_json::to_string(&log).unwrap();
        prop_assert_eq!(serde_json::from_str::<Availability>(&stored).unwrap(), log);
    }
}
