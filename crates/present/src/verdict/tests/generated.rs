//! Generated sets of runs: what the verdict names is what the table shows.

use proptest::prelude::*;

use super::*;
use crate::run_table::RunTable;

/// What is generated of a run: state, whether it is hidden, deadlines met of 1,000, cost, mean in minutes, jobs
/// declined, what differs.
type Drawn = (u8, bool, u64, Option<u32>, u32, usize, u8);

fn drawn_run() -> impl Strategy<Value = Drawn> {
    let state = prop::sample::select(vec![0, 0, 0, 0, 0, 1, 2, 3, 4]);
    let hidden = prop::bool::weighted(0.15);
    let declined = prop::sample::select(vec![0, 0, 0, 1, 2]);
    (state, hidden, 985..1001_u64, prop::option::weighted(0.8, 1..4_u32), 58..62_u32, declined, 0..4_u8)
}

fn goal() -> impl Strategy<Value = Goal> {
    let kinds = prop::sample::select(GoalKind::ALL.to_vec());
    (kinds, prop::option::of(0..5_u32)).prop_map(|(kind, step)| {
        let limit = |step: u32| match kind {
            GoalKind::Deadlines => 0.985 + f64::from(step) * 0.004,
            GoalKind::MeanCompletion => 3480.0 + 60.0 * f64::from(step),
            GoalKind::P95Waiting => 300.0 * f64::from(step),
            GoalKind::Cost => f64::from(step) * 1000.0,
        };
        Goal { kind, limit: step.map(limit) }
    })
}

fn generated(base: &[RunEntry], drawn: &[Drawn]) -> Vec<RunEntry> {
    let entry = |(slot, (state, is_hidden, met, cost, mean, declined, differs)): (usize, &Drawn)| {
        let mut entry = RunEntry { slot, is_hidden: *is_hidden && slot > 0, ..base[slot % base.len()].clone() };
        set(&mut entry, *met, 0.0, f64::from(*mean) * 60.0, 3600.0 * f64::from(*mean));
        change(&mut entry, |run| run.summary.metrics.cost_dollars = cost.map(|cost| f64::from(cost) * 1000.0));
        decline(&mut entry, *declined);
        let progress = Progress { time_s: 50.0, last_submit_s: 9.0 * f64::from(*mean), jobs_ended: 1, jobs_total: 48 };
        entry.state = match state {
            1 => RunState::Running(progress),
            2 => RunState::Cancelled,
            3 => RunState::Failed(RunFailure::default()),
            4 => RunState::Started,
            _ => RunState::Finished,
        };
        if *state == 4 {
            entry.result = None;
        }
        entry.differs = (0..*differs / 2).map(|field| format!("{} nodes {field}", 60 + differs)).collect();
        entry
    };
    drawn.iter().enumerate().map(entry).collect()
}

#[test]
fn what_the_verdict_names_is_what_the_table_shows() {
    let (base, workload) = sample_of(&["fixed", "equal-share", "elastic-dp"]);
    let check = |drawn: Vec<Drawn>, goal: Goal| {
        let entries = generated(&base, &drawn);
        let verdict = Verdict::of(&entries, &workload, &goal);
        let columns = RunTable::default_columns(&entries, &goal);
        let table = RunTable::of(&entries, &workload, &goal, &columns, None);
        let slots = |of: &dyn Fn(&crate::run_table::RunCell) -> bool| -> Vec<usize> {
            table.rows.iter().filter(|row| of(&row.cells[0])).map(|row| row.slot).collect()
        };
        let (best, meeting) = (slots(&|cell| cell.is_best), slots(&|cell| cell.meets_goal == Some(true)));
        let shown: Vec<&RunEntry> = entries.iter().filter(|entry| !entry.is_hidden).collect();
        let whole = shown.iter().filter(|entry| entry.whole().is_some()).count();
        assert!(!verdict.headline.is_empty() && !verdict.second.is_empty(), "{verdict:?}");
        let words = second(&verdict);
        for (before, after) in words.split(" instead of ").zip(words.split(" instead of ").skip(1)) {
            let (from, to) = (before.rsplit(", ").next().unwrap(), after.split([',', '(', '.']).next().unwrap());
            assert!(!from.ends_with(to.trim()) || to.trim().is_empty(), "{words}");
        }
        if shown.iter().any(|entry| entry.is_running()) {
            assert!(verdict.named.is_empty() && best.is_empty(), "{verdict:?}");
            return;
        }
        let most = shown.iter().filter_map(|entry| entry.whole()).map(|run| run.summary.metrics.jobs_completed).max();
        for slot in &verdict.named {
            let entry = entries.iter().find(|entry| entry.slot == *slot).unwrap();
            assert!(!entry.is_hidden && entry.whole().is_some(), "{verdict:?}");
            let completed = entry.whole().unwrap().summary.metrics.jobs_completed;
            assert!(goal.kind == GoalKind::Deadlines || Some(completed) == most, "{verdict:?}");
        }
        if whole > 1 && !verdict.named.is_empty() {
            assert!(verdict.named.iter().any(|slot| best.contains(slot)), "{verdict:?}, the table {best:?}");
            match goal.limit {
                None => assert!(verdict.named.iter().all(|slot| best.contains(slot)), "{verdict:?}, {best:?}"),
                Some(_) if verdict.headline.starts_with("With ") => {}
                Some(_) => assert!(verdict.named.iter().all(|slot| meeting.contains(slot)), "{verdict:?}, {meeting:?}"),
            }
        }
        assert!(!verdict.headline.starts_with("No run ") || meeting.is_empty(), "{verdict:?}, {meeting:?}");
    };
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) };
    proptest!(config, |(drawn in prop::collection::vec(drawn_run(), 0..7), goal in goal())| check(drawn, goal));
}
