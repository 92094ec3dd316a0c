//! Drawn logs of idle nodes are what the paper tells of Summit's.

use elastiplan_metrics::{FragmentLengths, IdleNodes};
use elastiplan_workloads::generate::IdleNodesSpec;

/// Moments at which nodes join and at which nodes leave, an hour.
fn changes_per_h(found: &IdleNodes) -> (f64, f64) {
    (found.per_hour(found.events_joining).unwrap(), found.per_hour(found.events_leaving).unwrap())
}

#[test]
fn a_whole_machine_is_idle_as_the_paper_says() {
    let drawn = IdleNodesSpec { nodes: 4608, days: 14.0, ..IdleNodesSpec::default() };
    let log = drawn.log();
    assert_eq!((log.nodes(), log.end_s()), (4608, 14.0 * 86_400.0));
    let found = IdleNodes::of(&log);
    let short = FragmentLengths::of(&log).share_shorter_than(600.0).unwrap();
    let (joins, departures) = changes_per_h(&found);
    let found = [
        ("idle nodes, share", found.ratio().unwrap(), 0.086, 0.008),
        ("joins an hour", joins, 42.0, 2.0),
        ("departures an hour", departures, 31.0, 2.0),
        ("stretches below 10 minutes, share", short.by_count, 0.58, 0.02),
        ("node-time in them, share", short.by_node_time.unwrap(), 0.10, 0.01),
    ];
    for (what, here, there, within) in found {
        println!("{what}: {here:.3}, there {there}");
        assert!((here - there).abs() <= within, "{what}: {here}, there {there}");
    }
}

#[test]
fn some_nodes_see_as_much_and_fewer_changes() {
    for nodes in [1, 100, 1024] {
        let found = IdleNodes::of(&IdleNodesSpec { nodes, ..IdleNodesSpec::default() }.log());
        let share = found.ratio().unwrap();
        assert!(nodes < 1000 || (0.07..0.1).contains(&share), "{nodes} nodes: {share}");
        let (joins, departures) = changes_per_h(&found);
        assert!(joins < 42.0 && departures < 31.0, "{nodes} nodes: {joins}, {departures}");
    }
}

#[test]
fn the_same_seed_draws_the_same_log() {
    let of = |seed: u64| IdleNodesSpec { nodes: 64, seed, ..IdleNodesSpec::default() }.log();
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
        let drawn = IdleNodesSpec { nodes, days, idle_share, joins_per_h, departures_per_h, seed: 1 };
        assert_eq!(drawn.log().nodes(), if drawn.fault().is_none() { nodes } else { 1024 });
    }
    assert_eq!(IdleNodesSpec { nodes: 0, ..IdleNodesSpec::default() }.fault().unwrap().0, "nodes");
    assert_eq!(IdleNodesSpec { days: f64::NAN, ..IdleNodesSpec::default() }.fault().unwrap().0, "days");
}
