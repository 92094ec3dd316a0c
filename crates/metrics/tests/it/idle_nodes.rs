//! What a log of nodes that come and go amounts to: by hand, and second by second on random logs.

use elastiplan_metrics::{FragmentLengths, IdleNodes, idle_period_s, idle_periods};
use elastiplan_model::Availability;
use proptest::prelude::*;

const HOUR_S: f64 = 3600.0;

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// Two nodes at the start, one of which leaves as another comes; one is still there at the end.
fn by_hand() -> Availability {
    let nodes = vec![
        ("a".into(), vec![(100.0, Some(400.0)), (700.0, None)]),
        ("b".into(), vec![(100.0, Some(1000.0))]),
        ("c".into(), vec![(400.0, Some(600.0))]),
        ("never".into(), vec![]),
    ];
    Availability::from_intervals(nodes, 1100.0).unwrap()
}

#[test]
fn a_log_is_counted() {
    let found = IdleNodes::of(&by_hand());
    let expected = IdleNodes {
        nodes: 4,
        span_s: 1000.0,
        // 400: c for a. 600: c leaves. 700: a is back. 1000: b leaves.
        events: 4,
        events_joining: 2,
        events_leaving: 3,
        node_seconds: 300.0 + 900.0 + 200.0 + 400.0,
        nodes_most: 2,
        fragments: 4,
        fragments_from_start: 2,
        fragments_open: 1,
    };
    assert_eq!(found, expected);
    assert_eq!(found.equivalent_nodes(), Some(1.8));
    assert_eq!(found.ratio(), Some(0.45));
    assert_eq!(found.node_hours(), 0.5);
    assert!(close(found.per_hour(found.events).unwrap(), 14.4));
    assert_eq!(found.fragment_mean_s(), Some(450.0));
}

#[test]
fn fragments_by_length() {
    let found = FragmentLengths::of(&by_hand());
    assert_eq!(found.lengths_s, [200.0, 300.0, 400.0, 900.0]);
    assert_eq!(found.median_s(), Some(350.0));
    let shares = |length_s: f64| {
        let shares = found.share_shorter_than(length_s).unwrap();
        (shares.by_count, shares.by_node_time.unwrap())
    };
    assert_eq!(shares(200.0), (0.0, 0.0), "no longer than that is not shorter");
    assert_eq!(shares(300.1), (0.5, 500.0 / 1800.0));
    assert_eq!(shares(1e9), (1.0, 1.0));
    assert_eq!(found.share_at_row(1), found.share_shorter_than(300.1));
    assert_eq!(found.share_at_row(4), None);
}

#[test]
fn a_log_by_periods() {
    let periods: Vec<(f64, f64, f64, u64)> = idle_periods(&by_hand(), 300.0)
        .into_iter()
        .map(|period| (period.start_s, period.end_s, period.nodes_mean, period.events))
        .collect();
    // What happens at 400 and 700 belongs to the periods that begin there; the last one is shorter.
    let expected =
        [(100.0, 400.0, 2.0, 0), (400.0, 700.0, 500.0 / 300.0, 2), (700.0, 1000.0, 2.0, 1), (1000.0, 1100.0, 1.0, 1)];
    assert_eq!(periods, expected);
    // What happens when the log ends belongs to its last period.
    assert_eq!(
        idle_periods(&Availability::from_intervals(vec![("a".into(), vec![(0.0, Some(9.0))])], 9.0).unwrap(), 9.0)[0]
            .events,
        1
    );
}

#[test]
fn a_log_of_a_single_instant_has_no_rates() {
    let log = Availability::from_intervals(vec![("a".into(), vec![(7.0, None)])], 7.0).unwrap();
    let (found, lengths) = (IdleNodes::of(&log), FragmentLengths::of(&log));
    assert_eq!((found.nodes_most, found.events, found.fragments_open), (1, 0, 1));
    assert_eq!((found.equivalent_nodes(), found.ratio(), found.per_hour(3)), (None, None, None));
    assert_eq!(lengths.lengths_s, [0.0]);
    let shares = lengths.share_shorter_than(1.0).unwrap();
    assert_eq!((shares.by_count, shares.by_node_time), (1.0, None));
    assert!(idle_periods(&log, 10.0).is_empty());
    let never = Availability::from_intervals(vec![("a".into(), vec![])], 50.0).unwrap();
    assert_eq!((IdleNodes::of(&never).fragment_mean_s(), FragmentLengths::of(&never).median_s()), (None, None));
    assert_eq!(FragmentLengths::of(&never).share_shorter_than(1.0), None);
}

#[test]
fn periods_are_round() {
    let check = |span_s: f64, period_s: f64| assert_eq!(idle_period_s(span_s), period_s, "{span_s}");
    check(0.0, 60.0);
    check(2.0 * HOUR_S, 600.0);
    check(24.0 * HOUR_S, HOUR_S);
    check(168.0 * HOUR_S, 6.0 * HOUR_S);
    check(14.0 * 24.0 * HOUR_S, 6.0 * HOUR_S);
    check(61.0 * 24.0 * HOUR_S, 168.0 * HOUR_S);
    assert!(1e11 / idle_period_s(1e11) <= 60.0);
    // A period that is none, or too short for the clock.
    for period_s in [0.0, -1.0, f64::NAN, 1e-20] {
        assert!(idle_periods(&by_hand(), period_s).is_empty());
    }
}

const SECONDS: usize = 60;

/// Which of a few nodes are there in each second from 0 on: runs of seconds, so that some stay for long.
fn presence() -> impl Strategy<Value = Vec<Vec<bool>>> {
    let node = prop::collection::vec((any::<bool>(), 1..12_usize), 1..20).prop_map(|runs| {
        let seconds = runs.into_iter().flat_map(|(is_there, length)| std::iter::repeat_n(is_there, length));
        let mut seconds: Vec<bool> = seconds.take(SECONDS).collect();
        seconds.resize(SECONDS, false);
        seconds
    });
    prop::collection::vec(node, 1..6)
}

/// Stretches of seconds in which a node is there; `None` for an end that is that of the log.
fn stretches(seconds: &[bool]) -> Vec<(usize, Option<usize>)> {
    let mut found: Vec<(usize, Option<usize>)> = Vec::new();
    for second in 0..SECONDS {
        let (now, before) = (seconds[second], second > 0 && seconds[second - 1]);
        match (before, now) {
            (false, true) => found.push((second, None)),
            (true, false) => found.last_mut().unwrap().1 = Some(second),
            _ => {}
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn counting_equals_looking_at_every_second(presence in presence(), period in 1..40_usize, shorter in 0..70_usize) {
        let node = |(at, seconds): (usize, &Vec<bool>)| {
            let intervals = stretches(seconds).into_iter().map(|(from, to)| (from as f64, to.map(|to| to as f64)));
            (format!("n{at}"), intervals.collect())
        };
        let log = Availability::from_intervals(presence.iter().enumerate().map(node).collect(), SECONDS as f64).unwrap();
        let there = |second: usize| presence.iter().filter(|seconds| seconds[second]).count();
        let Some(start) = (0..SECONDS).find(|second| there(*second) > 0) else { return Ok(()) };

        let found = IdleNodes::of(&log);
        let (mut events, mut joining, mut leaving) = (0, 0, 0);
        for second in start + 1..SECONDS {
            let changes = |is_there: bool| presence.iter().any(|of| of[second] == is_there && of[second - 1] != is_there);
            events += u64::from(changes(true) || changes(false));
            joining += u64::from(changes(true));
            leaving += u64::from(changes(false));
        }
        let node_seconds: usize = (start..SECONDS).map(there).sum();
        let span = SECONDS - start;
        prop_assert_eq!((found.events, found.events_joining, found.events_leaving), (events, joining, leaving));
        prop_assert!(close(found.node_seconds, node_seconds as f64));
        prop_assert_eq!(found.nodes_most as usize, (start..SECONDS).map(there).max().unwrap());
        prop_assert_eq!(found.span_s, span as f64);
        prop_assert_eq!(found.fragments_from_start as usize, there(start));
        prop_assert_eq!(found.fragments_open as usize, there(SECONDS - 1));

        let mut lengths: Vec<usize> = presence
            .iter()
            .flat_map(|seconds| stretches(seconds))
            .map(|(from, to)| to.unwrap_or(SECONDS) - from)
            .collect();
        lengths.sort_unstable();
        prop_assert_eq!(found.fragments as usize, lengths.len());
        prop_assert!(close(found.fragment_mean_s().unwrap(), node_seconds as f64 / lengths.len() as f64));
        let fragments = FragmentLengths::of(&log);
        let median = (lengths[(lengths.len() - 1) / 2] + lengths[lengths.len() / 2]) as f64 / 2.0;
        prop_assert!(close(fragments.median_s().unwrap(), median));
        let shares = fragments.share_shorter_than(shorter as f64).unwrap();
        let below: Vec<usize> = lengths.iter().copied().filter(|length| *length < shorter).collect();
        prop_assert!(close(shares.by_count, below.len() as f64 / lengths.len() as f64));
        prop_assert!(close(shares.by_node_time.unwrap(), below.iter().sum::<usize>() as f64 / node_seconds as f64));

        let periods = idle_periods(&log, period as f64);
        prop_assert_eq!(periods.len(), span.div_ceil(period));
        for (nth, found) in periods.iter().enumerate() {
            let (from, to) = (start + nth * period, (start + (nth + 1) * period).min(SECONDS));
            prop_assert_eq!((found.start_s, found.end_s), (from as f64, to as f64));
            let mean = (from..to).map(there).sum::<usize>() as f64 / (to - from) as f64;
            prop_assert!(close(found.nodes_mean, mean));
            let changed = |second: &usize| presence.iter().any(|of| of[*second] != of[*second - 1]);
            prop_assert_eq!(found.events as usize, (from.max(start + 1)..to).filter(changed).count());
        }
    }
}
