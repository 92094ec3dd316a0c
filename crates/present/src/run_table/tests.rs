use std::rc::Rc;

use elastiplan_engine::{Outcome, Progress};
use elastiplan_model::JobId;
use elastiplan_planner::PolicyRun;

use super::*;
use crate::goal::GoalKind;
use crate::testing::sample_runs;

const DEADLINES: Goal = Goal::best(GoalKind::Deadlines);

/// Changes the record of a run.
fn change(entry: &mut RunEntry, change: impl FnOnce(&mut PolicyRun)) {
    let mut run = PolicyRun::clone(entry.result.as_ref().unwrap());
    change(&mut run);
    entry.result = Some(Rc::new(run));
}

fn table(entries: &[RunEntry], workload: &Workload, goal: &Goal) -> RunTable {
    let columns = RunTable::default_columns(entries, goal);
    RunTable::of(entries, workload, goal, &columns, None)
}

fn cell<'a>(table: &'a RunTable, row: usize, key: &str) -> &'a RunCell {
    let column = table.columns.iter().position(|column| column.key == key).unwrap();
    &table.rows[row].cells[column]
}

#[test]
fn runs_are_rows_and_the_goal_comes_first() {
    let (entries, workload) = sample_runs(&["fixed", "elastic-dp", "fixed"]);
    let table = table(&entries, &workload, &DEADLINES);
    let labels: Vec<&str> = table.columns.iter().map(|column| column.label).collect();
    let expected = ["Deadlines met", "Mean completion", "p99 completion", "p95 waiting", "Rescale GPU-h"];
    assert_eq!(labels, expected, "no price is known and no job declined");
    assert!(table.columns[0].is_goal && !table.columns[1].is_goal && !table.columns[0].help.is_empty());
    assert!(table.rows[0].is_baseline && table.rows[0].cells.iter().all(|cell| cell.difference.is_none()));
    let cell = cell(&table, 1, "avg_jct_s");
    assert!(cell.is_best && cell.difference.as_ref().unwrap().is_better == Some(true), "{cell:?}");
}

#[test]
fn only_the_goals_column_says_who_meets_it() {
    let (entries, workload) = sample_runs(&["fixed", "elastic-dp"]);
    let met = |run: usize| entries[run].result.as_ref().unwrap().summary.metrics.deadline_satisfactory_ratio.unwrap();
    let goal = Goal::within(GoalKind::Deadlines, (met(0) + met(1)) / 2.0);
    let table = table(&entries, &workload, &goal);
    let meets: Vec<Option<bool>> = table.rows.iter().map(|row| row.cells[0].meets_goal).collect();
    assert_eq!(meets, [Some(met(0) > met(1)), Some(met(1) > met(0))]);
    assert!(table.rows.iter().all(|row| row.cells[1..].iter().all(|cell| cell.meets_goal.is_none())));
    let deadlines = &table.rows[0].cells[0];
    assert_eq!(deadlines.of.unwrap().to_string(), format!("{} of 43", deadlines.of.unwrap().part));
}

#[test]
fn a_share_just_below_the_goal_does_not_look_like_it() {
    let (mut entries, workload) = sample_runs(&["fixed", "elastic-dp"]);
    change(&mut entries[1], |run| run.summary.metrics.deadline_satisfactory_ratio = Some(0.9497));
    let table = table(&entries, &workload, &Goal::within(GoalKind::Deadlines, 0.95));
    assert_eq!((table.rows[1].cells[0].value.as_str(), table.rows[1].cells[0].meets_goal), ("94.9%", Some(false)));
}

#[test]
fn hidden_runs_are_left_out_and_slots_stay() {
    let (mut entries, workload) = sample_runs(&["fixed", "elastic-dp", "equal-share"]);
    entries[1].is_hidden = true;
    let shown = table(&entries, &workload, &DEADLINES);
    assert_eq!(shown.rows.iter().map(|row| row.slot).collect::<Vec<_>>(), [0, 2]);
    let pair = [entries[0].clone(), entries[2].clone()];
    assert_eq!(shown, table(&pair, &workload, &DEADLINES), "a hidden run changes no number");
}

#[test]
fn nothing_is_best_while_a_run_is_on_its_way() {
    let (mut entries, workload) = sample_runs(&["fixed", "elastic-dp", "equal-share"]);
    let progress = Progress { time_s: 60.0, last_submit_s: 600.0, jobs_ended: 1, jobs_total: 48 };
    entries[2].state = RunState::Running(progress);
    let table = table(&entries, &workload, &DEADLINES);
    assert!(table.rows.iter().flat_map(|row| &row.cells).all(|cell| !cell.is_best));
    assert!(cell(&table, 2, "avg_jct_s").is_so_far && !cell(&table, 1, "avg_jct_s").is_so_far);
    assert!(cell(&table, 1, "avg_jct_s").difference.as_ref().unwrap().is_better.is_some());
}

#[test]
fn a_run_that_declines_jobs_is_not_best_by_the_times_of_the_rest() {
    let (mut entries, workload) = sample_runs(&["fixed", "elastic-dp", "equal-share"]);
    change(&mut entries[1], |run| {
        run.run.jobs.outcome[..8].fill(Outcome::Dropped);
        run.summary.metrics.jobs_completed = 40;
        run.summary.metrics.jobs_dropped = 8;
        run.summary.metrics.avg_jct_s = Some(60.0);
    });
    let table = table(&entries, &workload, &Goal::within(GoalKind::MeanCompletion, 3600.0));
    let mean = cell(&table, 1, "avg_jct_s");
    assert_eq!((mean.is_best, mean.meets_goal), (false, Some(false)));
    let difference = mean.difference.as_ref().unwrap();
    assert!(difference.text.starts_with('−') && difference.is_better.is_none(), "a fact, not a merit: {difference:?}");
    let declined = cell(&table, 1, "jobs_dropped");
    assert_eq!((declined.value.as_str(), declined.difference.as_ref().unwrap().text.as_str()), ("8", "+8"));
    assert_eq!(cell(&table, 0, "jobs_dropped").of.unwrap().to_string(), "0 of 48");
}

#[test]
fn ties_are_all_best_and_one_run_is_not() {
    let (entries, workload) = sample_runs(&["fixed", "fixed"]);
    let table = table(&entries, &workload, &DEADLINES);
    assert!(table.rows.iter().all(|row| row.cells[0].is_best && row.cells[1].is_best));
    assert_eq!(cell(&table, 1, "avg_jct_s").difference.as_ref().unwrap().text, format::DASH);
    let alone = super::RunTable::of(&entries[..1], &workload, &DEADLINES, &["avg_jct_s"], None);
    assert!(alone.rows[0].cells.iter().all(|cell| !cell.is_best && cell.difference.is_none()));
}

#[test]
fn metrics_of_a_filter_are_of_its_jobs() {
    let (entries, workload) = sample_runs(&["fixed", "elastic-dp"]);
    let jobs: Vec<JobId> = (0..5).map(JobId).collect();
    let columns = ["jobs_total", "avg_jct_s", "no_such_metric"];
    let table = RunTable::of(
        &entries,
        &workload,
        &Goal::best(GoalKind::P95Waiting),
        &columns,
        Some(&OfJobs::of(&entries, &workload, &jobs, OfJobs::default(), 9)),
    );
    assert_eq!(table.columns.len(), 3);
    assert_eq!(table.rows[0].cells[1].value, "5");
    let run = &entries[1].result.as_ref().unwrap().run;
    let jct_s = |job: &JobId| run.jobs.end_s[job.index()].unwrap() - workload.trace().jobs()[job.index()].submit_s;
    let mean_s = jobs.iter().map(jct_s).sum::<f64>() / 5.0;
    assert_eq!(table.rows[1].cells[2].value, format::duration(mean_s));
}

#[test]
fn a_run_of_other_jobs_has_values_but_no_differences() {
    let (mut entries, workload) = sample_runs(&["fixed", "elastic-dp"]);
    let fewer = workload.trace().jobs().iter().take(9).cloned().collect();
    let trace = elastiplan_model::Trace::new(workload.trace().models().to_vec(), fewer).unwrap();
    let curves = workload.curves().iter().cloned().collect::<elastiplan_model::Curves>();
    entries[1].own_workload = Some(Rc::new(Workload::bind(&trace, &curves).0));
    let table = table(&entries, &workload, &DEADLINES);
    for cell in &table.rows[1].cells {
        assert_eq!(cell.difference.as_ref().unwrap().text, format::DASH);
        assert!(cell.value != format::DASH && !cell.is_best);
    }
}

#[test]
fn two_runs_are_turned_with_the_changed_fields_first() {
    let (mut entries, workload) = sample_runs(&["elastic-dp", "elastic-dp"]);
    entries[0].differs = vec!["16 nodes".into()];
    entries[1].differs = vec!["20 nodes".into(), "rescale cost 60s".into()];
    change(&mut entries[0], |run| (run.summary.deadlines_met, run.summary.deadlines_total) = (36, 40));
    change(&mut entries[1], |run| (run.summary.deadlines_met, run.summary.deadlines_total) = (39, 40));
    let turned = table(&entries, &workload, &DEADLINES).turned(&entries).unwrap();
    assert_eq!(turned.names, ["elastic-dp with 16 nodes", "elastic-dp with 20 nodes and rescale cost 60s"]);
    let check = |row: usize, label: &str, values: [&str; 2], difference: &str| {
        let row = &turned.rows[row];
        let own = [row.cells[0].value.as_str(), row.cells[1].value.as_str()];
        assert_eq!((row.label.as_str(), own, row.difference.text.as_str()), (label, values, difference));
    };
    check(0, "Nodes", ["16", "20"], "+4");
    check(1, "Rescale cost", ["—", "60s"], "—");
    check(2, "Deadlines met", ["36 / 40", "39 / 40"], "+3");
    assert_eq!(turned.heads, ["16 nodes", "20 nodes, rescale cost 60s"]);
    let labels: Vec<&str> = turned.rows[3..].iter().map(|row| row.label.as_str()).collect();
    let rest = ["Mean completion", "p50 completion", "p99 completion", "p95 waiting", "Makespan", "Utilisation"];
    assert_eq!(labels[..6], rest, "metrics are rows: there is room for more of them");
    assert!(turned.rows[0].is_changed && turned.rows[2].is_goal && !turned.rows[2].is_changed);
    let (three, workload) = sample_runs(&["fixed", "elastic-dp", "equal-share"]);
    assert_eq!(table(&three, &workload, &DEADLINES).turned(&three), None);
}

#[test]
fn runs_are_ordered_by_a_column_of_the_jobs_that_are_shown() {
    let (mut entries, workload) = sample_runs(&["fixed", "equal-share", "elastic-dp", "edf"]);
    let mean = |entry: &RunEntry| entry.result.as_ref().unwrap().summary.metrics.avg_jct_s.unwrap();
    let mut by_mean: Vec<usize> = vec![0, 1, 2, 3];
    order::sort_by_number(&mut by_mean, |slot| mean(&entries[*slot]));
    let worst_first: Vec<usize> = by_mean.iter().rev().copied().collect();
    let all = table(&entries, &workload, &DEADLINES);
    let check = |table: &RunTable, key: &str, is_best_first: bool, expected: &[usize]| {
        assert_eq!(table.order(key, is_best_first), expected, "{key}");
    };
    check(&all, "avg_jct_s", true, &by_mean);
    check(&all, "avg_jct_s", false, &worst_first);
    check(&all, "no such column", true, &[0, 1, 2, 3]);

    // What a filter finds may be ordered in another way than all jobs are.
    let jobs = [JobId(7)];
    let end_s = |slot: &usize| entries[*slot].result.as_ref().unwrap().run.jobs.end_s[7].unwrap();
    let mut by_job: Vec<usize> = vec![0, 1, 2, 3];
    order::sort_by_number(&mut by_job, end_s);
    let of_jobs = OfJobs::of(&entries, &workload, &jobs, OfJobs::default(), 9);
    check(&RunTable::of(&entries, &workload, &DEADLINES, &["avg_jct_s"], Some(&of_jobs)), "avg_jct_s", true, &by_job);
    assert_ne!(by_job, by_mean, "the job was chosen for that");

    entries[by_mean[0]].result = None;
    entries[by_mean[1]].is_hidden = true;
    let fewer = table(&entries, &workload, &DEADLINES);
    check(&fewer, "avg_jct_s", true, &[by_mean[2], by_mean[3], by_mean[0]]);
}

#[test]
fn values_of_a_column_that_differ_read_differently() {
    let (mut entries, workload) = sample_runs(&["fixed", "elastic-dp", "equal-share"]);
    for (entry, mean_s) in entries.iter_mut().zip([1_680.0, 1_695.0, 4_620.0]) {
        change(entry, |run| run.summary.metrics.avg_jct_s = Some(mean_s));
    }
    let table = table(&entries, &workload, &Goal::best(GoalKind::MeanCompletion));
    let cells = (0..3).map(|row| cell(&table, row, "avg_jct_s"));
    let found: Vec<(&str, bool)> = cells.map(|cell| (cell.value.as_str(), cell.is_best)).collect();
    assert_eq!(found, [("28m 00s", true), ("28m 15s", false), ("1h 17m", false)]);
}

#[test]
fn nothing_is_best_until_the_numbers_of_all_runs_are_known() {
    let (entries, workload) = sample_runs(&["fixed", "elastic-dp"]);
    let jobs: Vec<JobId> = (0..5).map(JobId).collect();
    let of = OfJobs::of(&entries, &workload, &jobs, OfJobs::default(), 1);
    let table = RunTable::of(&entries, &workload, &DEADLINES, &["jobs_total"], Some(&of));
    assert_eq!(
        (cell(&table, 0, "jobs_total").value.as_str(), cell(&table, 1, "jobs_total").value.as_str()),
        ("5", "—")
    );
    assert!(table.rows.iter().flat_map(|row| &row.cells).all(|cell| !cell.is_best));
}
