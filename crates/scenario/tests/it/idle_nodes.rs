//! Drawn logs of idle nodes are what the paper tells of Summit's.

use std::collections::BTreeSet;

use elastiplan_model::Availability;
use elastiplan_scenario::generate::IdleNodes;

/// Moments at which nodes join and at which nodes leave, an hour.
fn changes_per_h(log: &Availability) -> (f64, f64) {
    let moments = |up: bool| -> BTreeSet<u64> {
        let changes = log.changes().iter().filter(|change| change.up == up && change.time_s > 0.0);
        changes.map(|change| change.time_s as u64).collect()
    };
    let per_h = |moments: BTreeSet<u64>| moments.len() as f64 / (log.end_s() / 3600.0);
    (per_h(moments(true)), per_h(moments(false)))
}

#[test]
fn a_whole_machine_is_idle_as_the_paper_says() {
    let drawn = IdleNodes { nodes: 4608, days: 14.0, ..IdleNodes::default() };
    let log = drawn.log();
    assert_eq!((log.nodes(), log.end_s()), (4608, 14.0 * 86_400.0));
    let lengths: Vec<f64> =
        log.intervals().iter().map(|interval| interval.end_s.unwrap_or(log.end_s()) - interval.start_s).collect();
    let idle_s: f64 = lengths.iter().sum();
    let short: Vec<f64> = lengths.iter().copied().filter(|length_s| *length_s < 600.0).collect();
    let (joins, departures) = changes_per_h(&log);
    let found = [
        ("idle nodes, share", idle_s / log.end_s() / 4608.0, 0.086, 0.008),
        ("joins an hour", joins, 42.0, 2.0),
        ("departures an hour", departures, 31.0, 2.0),
        ("stretches below 10 minutes, share", short.len() as f64 / lengths.len() as f64, 0.58, 0.02),
        ("node-time in them, share", short.iter().sum::<f64>() / idle_s, 0.10, 0.01),
    ];
    for (what, here, there, within) in found {
        println!("{what}: {here:.3}, there {there}");
        assert!((here - there).abs() <= within, "{what}: {here}, there {there}");
    }
}

#[test]
fn some_nodes_see_as_much_and_fewer_changes() {
    let of = |nodes: u32| IdleNodes { nodes, ..IdleNodes::default() }.log();
    for nodes in [1, 100, 1024] {
        let log = of(nodes);
        let idle_s: f64 = log.intervals().iter().map(|at| at.end_s.unwrap_or(log.end_s()) - at.start_s).sum();
        let share = idle_s / log.end_s() / f64::from(nodes);
        assert!(nodes < 1000 || (0.07..0.1).contains(&share), "{nodes} nodes: {share}");
        let (joins, departures) = changes_per_h(&log);
        assert!(joins < 42.0 && departures < 31.0, "{nodes} nodes: {joins}, {departures}");
    }
}

#[test]
fn the_same_seed_draws_the_same_log() {
    let of = |seed: u64| IdleNodes { nodes: 64, seed, ..IdleNodes::default() }.log();
    assert_eq!(of(3), of(3));
    assert_ne!(of(3), of(4));
}

#[test]
fn whatever_is_asked_for_makes_a_log() {
    for (nodes, days, idle_share, joins_per_h, departures_per_h) in [
        (0, 0.0, 0.0, 0.0, 0.0),
        (3, 1.0, 0.5, 360.0, 0.1),
        (4608, 0.01, 0.001, 0.1, 360.0),
        (9, -1.0, f64::NAN, 1.0, 1.0),
    ] {
        let drawn = IdleNodes { nodes, days, idle_share, joins_per_h, departures_per_h, seed: 1 };
        assert_eq!(drawn.log().nodes(), if drawn.fault().is_none() { nodes } else { 1024 });
    }
    assert_eq!(IdleNodes { nodes: 0, ..IdleNodes::default() }.fault().unwrap().0, "nodes");
    assert_eq!(IdleNodes { days: f64::NAN, ..IdleNodes::default() }.fault().unwrap().0, "days");
}
