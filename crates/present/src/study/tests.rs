use proptest::prelude::*;

use super::testing::{SMALL, any_view, goal, load_study, nodes_study};
use super::*;
use crate::figure::points::PointId;
use crate::figure::table::Copied;

const SLOTS: [usize; 4] = [0, 1, 2, 3];
const MET: &str = "deadline_satisfactory_ratio";

#[test]
fn values_are_never_written_on_the_other_side_of_the_goal() {
    let check = |metric: &str, limit: f64, value: f64, text: &str, cell: &str| {
        let view = StudyView { goals: vec![goal(metric, limit, metric == MET, "")], ..StudyView::default() };
        let measure = Measure::of(&view, metric).unwrap();
        assert_eq!((measure.text(value).as_str(), measure.cell_text(value).as_str()), (text, cell));
    };
    check(MET, 0.95, 0.9497, "94.9%", "94.9");
    check(MET, 0.95, 0.95, "95.0%", "95.0");
    check(MET, 0.95, 0.241, "24.1%", "24");
    check(MET, 0.95, 1.0, "100%", "100");
    check(MET, 0.95, 0.9999, "99.9%", "99.9");
    check("job_drop_ratio", 0.05, 0.0502, "5.1%", "5.1");
    check("job_drop_ratio", 0.05, 0.0, "0%", "0");
    check("avg_jct_s", 7200.0, 7201.0, "2h 00m 01s", "2h 00m 01s");
    check("avg_jct_s", 7200.0, 7560.0, "2h 06m", "2.1h");
    check("avg_jct_s", 7200.0, 1300.0, "22m", "22m");
    check("avg_jct_s", 7200.0, 0.2, "0.2s", "0.2s");
    check("avg_jct_s", 7200.0, 310_000.0, "3d 14h", "3.6d");
    check("cost_dollars", 387_000.0, 387_200.0, "$387,200", "$387,200");
    check("rescale_count", 5.0, 5.004, "5.004", "5.004");
    check("rescale_count", 5.0, 4.5, "4.5", "4.5");
}

#[test]
fn rows_of_answers_have_words() {
    let view = nodes_study();
    let check =
        |answer: Option<u32>, bracket: Option<(u32, u32)>, isolated: &[u32], is_settled: bool, expected: &str| {
            let isolated = isolated.to_vec();
            let answer = AnswerView { answer, bracket, isolated, is_settled, ..view.answers[0].clone() };
            assert_eq!(answer_words(&view, &answer), expected);
        };
    check(Some(3), Some((3, 3)), &[], true, "46, settled");
    check(Some(3), Some((1, 3)), &[], false, "46, may be 42");
    check(Some(3), Some((3, 5)), &[], false, "46, may be 50");
    check(Some(3), Some((1, 5)), &[], false, "46, may be 42 to 50");
    check(Some(3), Some((3, 3)), &[], false, "46, to be confirmed");
    check(None, Some((1, 3)), &[], false, "42 to 46, open");
    check(None, None, &[], true, "not within 80");
    check(None, None, &[], false, "open");
    check(Some(8), Some((8, 8)), &[4], true, "56, settled; 48 alone also meets it");
    check(Some(8), Some((8, 8)), &[2, 4], true, "56, settled; 2 others also meet it");
}

#[test]
fn a_strip_has_a_cell_for_each_value_about_its_place_on_the_curve() {
    let view = nodes_study();
    let strip = strip(&view, &SLOTS, 7);
    assert_eq!((strip.columns.len(), strip.rows.len()), (21, 4));
    for (place, column) in strip.columns.iter().enumerate() {
        let middle = (column.left + column.right) / 2.0;
        assert!((middle - place as f64 / 20.0).abs() < 1e-9 && column.right > column.left, "{column:?}");
    }
    let row = &strip.rows[0];
    assert_eq!(row.cells[0].known, Cell::Misses);
    assert_eq!(
        (row.letter.as_str(), row.answer, row.words.as_str()),
        ("A", view.answers[0].answer.map(|at| at as usize), &*view.answers[0].words)
    );
    assert!(row.spoken.starts_with("A fixed: ") && row.spoken.contains("misses them at 40 to "), "{}", row.spoken);
    let failed = StudyView { cells: vec![Cell::Failed; 84], answers: Vec::new(), ..view.clone() };
    assert_eq!(super::strip(&failed, &SLOTS, 0).rows[1].spoken, "B equal-share: failed at all values");
}

#[test]
fn policies_stand_side_by_side_on_paper() {
    let view = nodes_study();
    let rows = side_by_side(&view, "deadline_satisfactory_ratio");
    let policies = view.policies.len();
    assert_eq!(rows[0].len(), view.axes.len() + policies);
    assert_eq!(rows[0][view.axes.len()..], view.policies[..]);
    assert!(rows.len() > 2 && rows.iter().all(|row| row.len() == rows[0].len()));
    assert!(rows[1][1].contains("% (") && rows[1][1].contains(" to "), "{:?}", rows[1]);
    assert!(side_by_side(&view, "no such metric").is_empty());
}

#[test]
fn failed_points_stand_in_curve_strip_panel_and_table() {
    let mut view = nodes_study();
    let at = view.at(1, 2);
    view.cells[at] = Cell::Failed;
    view.failed = vec![super::Failed { policy: 1, point: 2, runs: view.seeds[at], message: "no GPUs".into() }];
    for metric in &mut view.metrics {
        metric.estimates[at] = None;
    }
    let why = "Every run failed: no GPUs";
    let figure = super::curves(&view, &SLOTS, "deadline_satisfactory_ratio", 0).unwrap();
    let curve = figure.curves().nth(1).unwrap().1;
    assert_eq!(curve.points[2].mark, crate::figure::points::PointMark::Gap);
    assert!(super::strip(&view, &SLOTS, 0).rows[1].cells[2].is_gap);
    let row = &super::panel(&view, &SLOTS, "deadline_satisfactory_ratio", 2)[1];
    assert_eq!((row.goal.as_str(), row.gap.as_deref(), row.mean.as_str()), ("failed", Some(why), "—"));
    let table = super::table(&view, "deadline_satisfactory_ratio").copied(crate::figure::table::Copied::Csv);
    assert!(table.contains(why), "{table}");
    // In some runs only.
    view.cells[at] = Cell::Open;
    view.failed[0].runs = 2;
    assert_eq!(view.gap_words(1, 2).unwrap(), format!("2 of {} runs failed: no GPUs", view.seeds[at]));
    assert_eq!(super::verdict(&view, crate::figure::points::PointId { policy: 1, point: 2 }), "open, some failed");
}

#[test]
fn what_is_not_compared_is_said() {
    let document = super::testing::SMALL
        .replace("deadline_satisfactory_ratio\", \"at_least\": 0.9", "avg_jct_s\", \"at_most\": 36000");
    let view = super::testing::made(&document, &["avg_jct_s"], 20);
    let is_said = view.notes.iter().any(|note| note.ends_with("and are not compared there"));
    let is_left_out = |estimate: &&super::PointEstimate| estimate.against.is_none();
    let points = view.points();
    let others = view.metrics[0].estimates.iter().skip(points).flatten();
    assert_eq!(is_said, others.clone().any(|estimate| is_left_out(&estimate)), "{:?}", view.notes);
}

#[test]
fn intervals_are_shown_within_what_is_possible() {
    let mut view = nodes_study();
    let estimate = view.metrics[0].estimates[0].as_mut().unwrap();
    (estimate.mean, estimate.interval) = (0.96, Some((0.9, 1.02)));
    assert_eq!(view.metrics[0].key, "deadline_satisfactory_ratio");
    let figure = super::curves(&view, &SLOTS, "deadline_satisfactory_ratio", 0).unwrap();
    let band = figure.curves().next().unwrap().1.points[0].band.unwrap();
    assert!((band.0 - 90.0).abs() < 1e-9 && band.1 == 100.0, "{band:?}");
    let table = super::table(&view, "deadline_satisfactory_ratio");
    let shown = table.copied(crate::figure::table::Copied::Markdown);
    assert!(shown.contains("100%") && !shown.contains("102%"), "{shown}");
    assert!(table.copied(crate::figure::table::Copied::Csv).contains("1.02"), "numbers are those of the statistics");
}

#[test]
fn arrow_keys_go_to_known_points() {
    let mut view = nodes_study();
    let unknown = view.at(2, 5);
    (view.seeds[unknown], view.cells[unknown]) = (0, Cell::Unknown);
    let check = |view: &StudyView, from: (u32, u32), key: PointStep, to: (u32, u32)| {
        let of = |(policy, point)| PointId { policy, point };
        assert_eq!(step(view, of(from), key), of(to), "{from:?} {key:?}");
    };
    check(&view, (2, 4), PointStep::Right, (2, 6));
    check(&view, (2, 6), PointStep::Left, (2, 4));
    check(&view, (1, 5), PointStep::Down, (3, 5));
    check(&view, (0, 5), PointStep::Up, (0, 5));
    check(&view, (0, 20), PointStep::Right, (0, 20));
    check(&view, (9, 99), PointStep::Left, (3, 19));
    // In maps, up and down are rows: larger values are above.
    let view = load_study();
    check(&view, (1, 0), PointStep::Right, (1, 7));
    check(&view, (1, 0), PointStep::Up, (1, 1));
    check(&view, (1, 6), PointStep::Up, (1, 6));
    check(&view, (1, 3), PointStep::Down, (1, 2));
}

#[test]
fn small_curves_are_what_no_goal_asks() {
    let view = nodes_study();
    let keys = ["avg_jct_s", "p95_queueing_s", "cost_dollars", "gpu_utilization"];
    assert_eq!(multiples(&view, MET), keys);
    assert_eq!(multiples(&view, "avg_jct_s"), ["p95_queueing_s", "cost_dollars", "gpu_utilization", "job_drop_ratio"]);
    let mut free = view.clone();
    free.metrics.retain(|metric| metric.key != "cost_dollars");
    assert_eq!(multiples(&free, MET), ["avg_jct_s", "p95_queueing_s", "gpu_utilization", "job_drop_ratio"]);
}

#[test]
fn a_map_parts_at_the_goal() {
    let scale = |goal| MapScale { worst: 0.4, best: 1.0, goal, words: Default::default() };
    let check = |goal: Option<f64>, value: f64, expected: f64| {
        assert!((scale(goal).shade(value) - expected).abs() < 1e-9, "{value}: {}", scale(goal).shade(value));
    };
    check(Some(0.9), 0.4, -1.0);
    check(Some(0.9), 0.65, -0.5);
    check(Some(0.9), 0.9, 0.0);
    check(Some(0.9), 0.95, 0.5);
    check(None, 0.7, 0.0);
    check(None, 1.0, 1.0);
    assert!(scale(Some(0.9)).shade(0.8999999) < 0.0);
    assert!((scale(Some(0.9)).goal_share().unwrap() - 5.0 / 6.0).abs() < 1e-9);
    let lower = MapScale { worst: 100.0, best: 20.0, goal: Some(40.0), words: Default::default() };
    assert_eq!((lower.shade(70.0), lower.shade(30.0), lower.shade(40.0)), (-0.5, 0.5, 0.0));
}

#[test]
fn tables_have_all_points_with_values_in_full() {
    let mut view = nodes_study();
    view.reversals = view.worse.clone();
    let csv = table(&view, MET).copied(Copied::Csv);
    let mut lines = csv.lines();
    assert_eq!(
        lines.next().unwrap(),
        "cluster.nodes,policy,seeds,deadline_satisfactory_ratio,deadline_satisfactory_ratio_low,\
         deadline_satisfactory_ratio_high,deadline_satisfactory_ratio_difference,\
         deadline_satisfactory_ratio_difference_low,deadline_satisfactory_ratio_difference_high,goals,got_worse,\
         got_worse_in_seed,gap"
    );
    assert_eq!(lines.clone().count(), 84);
    let row: Vec<&str> =
        lines.find(|line| line.starts_with("60,elastic-dp[delta_s=300],")).unwrap().split(',').collect();
    let estimate = view.estimate(MET, 2, 10).unwrap();
    assert_eq!(row[3].parse(), Ok(estimate.mean));
    assert_eq!(row[6].parse(), Ok(estimate.against.unwrap().mean));
    assert_eq!((row[10], row[11]), ("yes", "6"));
    assert!(table(&view, "avg_jct_s").copied(Copied::Csv).contains("avg_jct_s_ratio_low"));
    assert_eq!(points_table(&view).rows.len(), 84);
}

#[test]
fn the_panel_says_what_each_policy_does_at_a_point() {
    let view = nodes_study();
    let rows = panel(&view, &SLOTS, MET, 7);
    let row = &rows[1];
    assert_eq!((row.letter.as_str(), row.mean.as_str(), row.half.as_deref()), ("B", "78.0%", Some("± 2.6")));
    assert_eq!((row.paired.as_deref(), row.judged, row.goal.as_str()), (Some("+29.8pt"), Judged::Better, "misses"));
    assert_eq!((rows[0].paired.as_deref(), rows[0].judged), (None, Judged::Unclear));
    assert_eq!(twin(&view, &SLOTS, MET, 7)[7].cells, rows);
    let markdown = panel_table(&view, &SLOTS, MET, 7).copied(Copied::Markdown);
    assert!(markdown.contains("| B equal-share | 78.0% | ± 2.6 | +29.8pt | misses |"), "{markdown}");
}

#[test]
fn the_smallest_cluster_stands_by_load() {
    let view = load_study();
    let table = smallest_by(&view, &SLOTS, 0);
    let heads: Vec<&str> = table.columns.iter().map(|column| column.label.as_str()).collect();
    assert_eq!(heads, ["Arrival rate", "× 0.7", "× 0.8", "× 0.9", "× 1.0", "× 1.1", "× 1.2", "× 1.3"]);
    for row in &table.rows {
        let name = row[0].words();
        let policy = (0..4).find(|policy| label(&view, &SLOTS, *policy) == name).unwrap();
        for (load, cell) in row[1..].iter().enumerate() {
            let answer = view
                .answers
                .iter()
                .find(|answer| answer.policy as usize == policy && answer.line[0] as usize == view.point(&[0, load]));
            let expected = match answer.unwrap().answer {
                Some(0) => "≤ 40".to_string(),
                Some(at) => view.axes[0].values[at as usize].shown.clone(),
                None => "> 96".into(),
            };
            assert_eq!(cell.words(), expected, "{name} {load}");
        }
    }
}

#[test]
fn a_study_that_was_run_says_what_its_runs_say() {
    let keys = [MET, "job_drop_ratio", "avg_jct_s", "p95_queueing_s", "gpu_utilization"];
    let view = testing::made(SMALL, &keys, usize::MAX);
    assert_eq!((view.points(), view.policies.len()), (8, 3));
    let figure = curves(&view, &SLOTS[..3], MET, 0).unwrap();
    assert_eq!(figure.curve_points().filter(|point| point.y.is_some()).count(), 24);
    // Every mean of the figure is that of its table.
    for (point, row) in table(&view, MET).rows.iter().enumerate().map(|(at, row)| (at / 3, row)) {
        let policy = view.policies.iter().position(|policy| *policy == row[1].words()).unwrap();
        let estimate = view.estimate(MET, policy, point).unwrap();
        assert_eq!(row[3].words(), Measure::of(&view, MET).unwrap().text(estimate.mean));
    }
}

/// A point is on the front if no other is as good in both and better in one.
fn naive_front(trades: &[Trade]) -> Vec<bool> {
    let beats =
        |a: &Trade, b: &Trade| a.cost <= b.cost && a.missed <= b.missed && (a.cost < b.cost || a.missed < b.missed);
    trades.iter().map(|trade| !trades.iter().any(|other| beats(other, trade))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_front_is_that_of_the_definition(view in any_view(), point in 0..50_usize) {
        let trades = trades(&view, point % view.points());
        let found: Vec<bool> = trades.iter().map(|trade| trade.is_on_front).collect();
        prop_assert_eq!(found, naive_front(&trades));
    }

    #[test]
    fn pictures_and_tables_of_any_study_can_be_made(view in any_view(), point in 0..50_usize) {
        let point = point % view.points();
        let slots: Vec<usize> = (0..view.policies.len()).map(|policy| policy * 3).collect();
        let figures = [MET, "avg_jct_s", "cost_dollars"].iter().flat_map(|metric| {
            [
                curves(&view, &slots, metric, point),
                small_curves(&view, &slots, metric, point),
                heat(&view, &slots, 0, metric, point),
                front(&view, &slots, point),
                Some(parallel(&view, &slots, &[Brush { axis: 0, from: 0.2, to: 0.9 }])),
            ]
        });
        for figure in figures.flatten() {
            for share in [figure.x.share(figure.x.from), figure.x.share(figure.x.to), figure.y.share(figure.y.to)] {
                prop_assert!(share.is_finite(), "{} {:?} {:?}", figure.name, figure.x, figure.y);
            }
            for point in figure.curve_points().filter(|point| point.y.is_some()) {
                let (x, y) = (figure.x.share(point.x), figure.y.share(point.y.unwrap_or_default()));
                prop_assert!((-1e-9..=1.0 + 1e-9).contains(&x) && (-1e-9..=1.0 + 1e-9).contains(&y), "{} {x} {y}", figure.name);
            }
            let markdown = figure.table.copied(Copied::Markdown);
            prop_assert!(!markdown.contains("NaN") && !figure.summary.contains("NaN"), "{markdown}");
        }
        let strip = strip(&view, &slots, point);
        prop_assert!(strip.rows.iter().all(|row| row.cells.len() == strip.columns.len() && !row.spoken.is_empty()));
        for key in [PointStep::Left, PointStep::Right, PointStep::Up, PointStep::Down] {
            let from = PointId { policy: 0, point: point as u32 };
            let to = step(&view, from, key);
            prop_assert!(to == from || is_known(&view, to));
        }
    }

    #[test]
    fn texts_beside_a_limit_are_on_its_side(value in 0.0..1.2_f64, limit in 0.0..1.0_f64, metric in 0..3_usize) {
        let key = [MET, "avg_jct_s", "rescale_count"][metric];
        let scale = [1.0, 10_000.0, 100.0][metric];
        let view = StudyView { goals: vec![goal(key, limit * scale, true, "")], ..StudyView::default() };
        let value = if metric == 0 { value.min(1.0) } else { value * scale };
        let text = Measure::of(&view, key).unwrap().text(value);
        if metric != 1 {
            let percent = if metric == 0 { 100.0 } else { 1.0 };
            let shown: f64 = text.trim_end_matches('%').replace(',', "").parse().unwrap();
            let (value, limit) = (value * percent, limit * scale * percent);
            // Values that differ from the limit by less than the finest text can show are beyond words.
            if (value - limit).abs() > 1e-4 {
                prop_assert_eq!(shown >= limit - 1e-9, value >= limit, "{} {} {}", text, value, limit);
            }
        }
    }
}

#[test]
fn a_drag_along_a_parallel_axis_chooses_a_part_of_it() {
    let view = load_study();
    let figure = parallel(&view, &[0, 1, 2, 3], &[]);
    let plot = elastiplan_scene::Frame { left: 0.0, top: 0.0, width: 700.0, height: 100.0 };
    let x = figure.x.share(1.0) * plot.width;
    let at = |dx: f64, y: f64| elastiplan_scene::Point { x: x + dx, y };
    let check = |from, to, expected: Option<Brush>| assert_eq!(Brush::between(&figure, &plot, from, to), expected);
    check(at(5.0, 75.0), at(40.0, 25.0), Some(Brush { axis: 1, from: 0.25, to: 0.75 }));
    check(at(0.0, 25.0), at(0.0, 200.0), Some(Brush { axis: 1, from: 0.0, to: 0.75 }));
    check(at(0.0, 97.0), at(0.0, 50.0), Some(Brush { axis: 1, from: 0.0, to: 0.5 }));
    check(at(0.0, 50.0), at(0.0, 2.0), Some(Brush { axis: 1, from: 0.5, to: 1.0 }));
    check(at(0.0, 50.0), at(0.0, 52.0), None);
    check(at(40.0, 75.0), at(40.0, 25.0), None);
}

#[test]
fn keys_move_the_ends_of_a_part_of_an_axis_from_value_to_value() {
    let view = load_study();
    let check = |chosen: Option<(f64, f64)>, (axis, is_upper): (usize, bool), how: EndMove, expected: &str| {
        let brushes: Vec<Brush> = chosen.into_iter().map(|(from, to)| Brush { axis, from, to }).collect();
        let figure = parallel(&view, &SLOTS, &brushes);
        let moved = Brush::with_end_moved(&figure, axis, is_upper, how).unwrap();
        assert_eq!(brush_words(&view, &moved).unwrap(), expected, "{chosen:?} {how:?}");
        assert_eq!(moved.is_whole(), how == EndMove::Whole);
    };
    let nodes = |share: f64| 40.0 + share * 56.0;
    assert_eq!((nodes(0.0), nodes(1.0)), (40.0, 96.0));
    check(None, (0, true), EndMove::By(-1), "Nodes 40 to 88");
    check(None, (0, false), EndMove::By(2), "Nodes 56 to 96");
    check(Some((0.0, 0.5)), (0, true), EndMove::First, "Nodes 40");
    check(Some((0.4, 0.5)), (0, false), EndMove::By(1), "Nodes 64");
    check(Some((0.3, 0.6)), (0, true), EndMove::By(1), "Nodes 64 to 80");
    // An end stops at the other one, and at the end of the axis.
    check(Some((0.0, 1.0 / 7.0)), (0, true), EndMove::By(-5), "Nodes 40");
    check(Some((0.5, 0.8)), (0, true), EndMove::By(5), "Nodes 72 to 96");
    check(Some((0.5, 0.8)), (0, false), EndMove::Whole, "Nodes 40 to 96");
    assert_eq!(Brush::with_end_moved(&parallel(&view, &SLOTS, &[]), 99, true, EndMove::First), None);
}

#[test]
fn a_curve_passes_over_points_that_are_still_to_come_and_breaks_at_failed_ones() {
    let mut view = nodes_study();
    let points = view.points();
    let metric = view.metrics.iter().position(|metric| metric.key == MET).unwrap();
    // Of the first policy, the second point is still to come, and all runs of the fourth have failed.
    for (place, runs) in [(1, 0), (3, 10)] {
        view.seeds[place] = runs;
        view.metrics[metric].estimates[place] = None;
    }
    let figure = curves(&view, &SLOTS, MET, 0).unwrap();
    let (_, curve) = figure.curves().next().unwrap();
    let known: Vec<(u32, bool)> = curve.points.iter().map(|point| (point.id.point, point.y.is_some())).collect();
    assert_eq!(known[..4], [(0, true), (2, true), (3, false), (4, true)]);
    assert_eq!(known.len(), points - 1);
}

#[test]
fn metrics_that_are_the_same_everywhere_give_way_to_others() {
    let mut view = nodes_study();
    let first = multiples(&view, MET)[0].to_string();
    let metric = view.metrics.iter_mut().find(|metric| metric.key == first).unwrap();
    metric.estimates.iter_mut().flatten().for_each(|estimate| estimate.mean = 0.0);
    let rest = multiples(&view, MET);
    assert!(rest.first() != Some(&first.as_str()), "{rest:?}");
}

#[test]
fn cost_against_quality_is_that_of_the_values_that_are_looked_at() {
    let view = load_study();
    let title = |through: usize| front(&view, &SLOTS, through).unwrap().title;
    let last = view.points() - 1;
    assert!(title(0).ends_with(", × 0.7") && title(last).ends_with(", × 1.3"), "{} {}", title(0), title(last));
    let costs = |through: usize| trades(&view, through).iter().map(|trade| trade.id.point).collect::<Vec<u32>>();
    assert_ne!(costs(0), costs(last));
}

#[test]
fn a_settled_answer_has_no_brackets() {
    let mut view = nodes_study();
    let bracket = |view: &StudyView| strip(view, &[0, 1, 2, 3], 0).rows[0].bracket;
    view.answers[0] = AnswerView { bracket: Some((1, 3)), is_settled: false, ..view.answers[0].clone() };
    assert_eq!(bracket(&view), Some((1, 3)));
    view.answers[0].is_settled = true;
    assert_eq!(bracket(&view), None);
}
