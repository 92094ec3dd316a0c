//! What holds for any availability log.

use elastiplan_formats::Import;
use elastiplan_formats::export::write_availability;
use elastiplan_model::{Availability, Severity};
use proptest::prelude::*;

use crate::{assert_adds_up, read};

/// Logs as importers make them: names in order, no node that is never there, times of any size.
fn log() -> impl Strategy<Value = Availability> {
    let node = (prop::collection::btree_set(0..4000_u32, 1..12), any::<bool>());
    let nodes = prop::collection::btree_map("[a-e ,\"é]{0,2}[f-z]", node, 1..8);
    let unit = prop_oneof![Just(1.0), Just(0.1), Just(1e-9), Just(1e7)];
    (nodes, unit, 0..3_u32).prop_map(|(nodes, unit, rest)| {
        let at = |time: u32| f64::from(time) * unit;
        let last = nodes.values().filter_map(|(times, _)| times.last()).max().copied().unwrap_or(0);
        let intervals = |times: Vec<u32>, open: bool| -> Vec<(f64, Option<f64>)> {
            let closed = times.len() - usize::from(open && times.len().is_multiple_of(2));
            let pairs = times[..closed].chunks(2);
            pairs.map(|pair| (at(pair[0]), pair.get(1).map(|&end| at(end)))).collect()
        };
        let named = |(name, (times, open)): (String, (std::collections::BTreeSet<u32>, bool))| {
            (name.trim().to_string(), intervals(times.into_iter().collect(), open))
        };
        let mut nodes: Vec<_> = nodes.into_iter().map(named).collect();
        #[allow(clippy::disallowed_methods)]
        nodes.sort_by(|a, b| a.0.cmp(&b.0));
        nodes.dedup_by(|a, b| a.0 == b.0);
        Availability::from_intervals(nodes, at(last + rest)).unwrap()
    })
}

/// Cells as CSV.
fn row(cells: &[String]) -> String {
    let quoted: Vec<String> = cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
    quoted.join(",") + "\n"
}

/// A log as events, with a row for the end of the log.
fn events(log: &Availability) -> Vec<String> {
    let name = |node| log.name(node).unwrap().to_string();
    let change = |time: f64, node, up: bool| row(&[time.to_string(), name(node), u8::from(up).to_string()]);
    let mut rows: Vec<String> = log.changes().iter().map(|it| change(it.time_s, it.node, it.up)).collect();
    let last = log.changes().iter().rfind(|change| change.node == 0).unwrap();
    if last.time_s < log.end_s() {
        rows.push(change(log.end_s(), 0, last.up));
    }
    rows
}

/// A log as a matrix: a row for each moment at which something changes, and one for its end.
fn matrix(log: &Availability) -> (String, Vec<String>) {
    let names: Vec<String> = (0..log.nodes()).map(|node| log.name(node).unwrap().to_string()).collect();
    let header = row(&[&["time_s".to_string()], names.as_slice()].concat());
    let mut state = vec!["0".to_string(); names.len()];
    let mut rows = Vec::new();
    for moment in log.changes().chunk_by(|a, b| a.time_s == b.time_s) {
        for change in moment {
            state[change.node as usize] = u8::from(change.up).to_string();
        }
        rows.push(row(&[&[moment[0].time_s.to_string()], state.as_slice()].concat()));
    }
    rows.push(row(&[&[log.end_s().to_string()], state.as_slice()].concat()));
    (header, rows)
}

fn read_rows(header: &str, rows: &[String]) -> Import {
    let import = read(&[("x.csv", format!("{header}{}", rows.concat()).as_bytes())]);
    assert_adds_up(&import);
    import
}

/// The log of these rows, and nothing worse to tell than their order.
fn log_of(header: &str, rows: &[String]) -> Availability {
    let import = read_rows(header, rows);
    assert!(import.diagnostics.iter().all(|found| found.severity == Severity::Info), "{:?}", import.diagnostics);
    import.availability.unwrap()
}

/// Rows of broken intervals: few nodes and times, so that they overlap.
fn broken_rows() -> impl Strategy<Value = Vec<String>> {
    let cell = || prop_oneof![8 => (0..20_u32).prop_map(|time| time.to_string()), 1 => Just(String::new()), 1 => Just("x".into())];
    let cells = ("[ab]?", cell(), cell());
    prop::collection::vec(cells.prop_map(|(node, start, end)| row(&[node, start, end])), 0..30)
}

proptest! {
    #[test]
    fn intervals_read_back_the_same(log in log()) {
        let import = read(&[("x.csv", &write_availability(&log))]);
        assert_adds_up(&import);
        prop_assert_eq!(&import.diagnostics, &[]);
        prop_assert_eq!(import.availability.unwrap(), log);
    }

    #[test]
    fn events_read_back_the_same(log in log()) {
        prop_assert_eq!(log_of("time_s,node,up\n", &events(&log)), log);
    }

    #[test]
    fn a_matrix_reads_back_the_same(log in log()) {
        let (header, rows) = matrix(&log);
        prop_assert_eq!(log_of(&header, &rows), log);
    }

    #[test]
    fn counts_are_kept(log in log()) {
        let mut there = 0_i32;
        let mut counts: Vec<(f64, i32)> = Vec::new();
        for moment in log.changes().chunk_by(|a, b| a.time_s == b.time_s) {
            there += moment.iter().map(|change| if change.up { 1 } else { -1 }).sum::<i32>();
            counts.push((moment[0].time_s, there));
        }
        let rows: Vec<String> = counts.iter().map(|(time, count)| format!("{time},{count}\n")).collect();
        let read = log_of("time_s,nodes\n", &rows);
        for (time, count) in counts {
            let until = read.changes().iter().filter(|change| change.time_s <= time);
            prop_assert_eq!(until.map(|change| if change.up { 1 } else { -1 }).sum::<i32>(), count);
        }
    }

    #[test]
    fn the_order_of_rows_does_not_matter(log in log(), seed in any::<u64>()) {
        let (matrix_header, matrix_rows) = matrix(&log);
        let intervals = String::from_utf8(write_availability(&log)).unwrap();
        let (interval_header, interval_rows) = intervals.split_once('\n').unwrap();
        let interval_rows: Vec<String> = interval_rows.lines().map(|line| format!("{line}\n")).collect();
        let interval_header = format!("{interval_header}\n");
        for (header, rows) in [
            ("time_s,node,up\n", events(&log)),
            (&matrix_header, matrix_rows),
            (&interval_header, interval_rows),
        ] {
            prop_assert_eq!(log_of(header, &shuffled(rows, seed)), log.clone());
        }
    }

    #[test]
    fn broken_rows_in_any_order_give_the_same(rows in broken_rows(), seed in any::<u64>()) {
        for header in ["node,start_s,end_s\n", "node,time_s,nodes\n"] {
            let one = read_rows(header, &rows);
            let other = read_rows(header, &shuffled(rows.clone(), seed));
            prop_assert_eq!(one.availability, other.availability);
            prop_assert_eq!(one.files[0].rows_rejected, other.files[0].rows_rejected);
        }
    }

    #[test]
    fn contradicting_events_in_any_order_give_the_same(
        rows in prop::collection::vec((0..6_u32, "[ab]", "[01x]"), 0..30), seed in any::<u64>()
    ) {
        let rows: Vec<String> = rows.into_iter().map(|(time, node, up)| row(&[time.to_string(), node, up])).collect();
        let read = |rows: &[String]| read_rows("time_s,node,up\n", rows).availability;
        prop_assert_eq!(read(&rows), read(&shuffled(rows.clone(), seed)));
    }
}

/// The rows in an order that the seed gives.
fn shuffled(mut rows: Vec<String>, seed: u64) -> Vec<String> {
    let mut state = seed;
    #[allow(clippy::disallowed_methods)]
    rows.sort_by_cached_key(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    });
    rows
}
