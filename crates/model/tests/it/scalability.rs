//! What a job scalability analyzer measures: between measurements, beyond them, and what it refuses.

use elastiplan_model::{AllReduceGrid, Estimate, Origin, ProcessingTimes, ScalabilityError, ScalingTimes};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use Origin::{Assumed, Interpolated, Measured};

fn grid(rows: &[(f64, u32, f64)]) -> AllReduceGrid {
    AllReduceGrid::new(rows.iter().copied()).unwrap()
}

fn at(grid: &AllReduceGrid, weights: f64, gpus: u32) -> Option<(f64, Origin)> {
    let model = ProcessingTimes::new(weights, [(8, 1.0)]).ok()?;
    let estimate = ScalingTimes::measured(&model, Some(grid)).all_reduce(gpus);
    estimate.map(|Estimate { time_s, origin }| (time_s, origin))
}

#[test]
fn between_measured_weights_and_gpus_times_lie_on_straight_lines() {
    let grid = grid(&[(10.0, 2, 2.0), (20.0, 2, 4.0), (10.0, 4, 3.0), (20.0, 4, 7.0)]);
    assert_eq!(at(&grid, 10.0, 2), Some((2.0, Measured)));
    assert_eq!(at(&grid, 15.0, 2), Some((3.0, Interpolated)));
    assert_eq!(at(&grid, 10.0, 3), Some((2.5, Interpolated)));
    assert_eq!(at(&grid, 15.0, 3), Some((4.0, Interpolated)));
}

#[test]
fn one_gpu_takes_no_time_and_more_than_measured_do_not_run() {
    let grid = grid(&[(10.0, 4, 2.0)]);
    assert_eq!(at(&grid, 10.0, 1), Some((0.0, Measured)));
    assert_eq!(at(&grid, 10.0, 2), Some((2.0, Assumed))); // not between one GPU and four: that would flatter it
    assert_eq!(at(&grid, 10.0, 5), None);
    assert_eq!(at(&grid, 10.0, 0), None);
    assert_eq!(at(&grid, f64::NAN, 4), None);
}

#[test]
fn beyond_the_measured_weights_the_nearest_are_held() {
    let grid = grid(&[(10.0, 2, 2.0), (20.0, 2, 4.0), (10.0, 4, 3.0), (20.0, 4, 7.0)]);
    assert_eq!(at(&grid, 5.0, 2), Some((2.0, Assumed)));
    assert_eq!(at(&grid, 40.0, 4), Some((7.0, Assumed)));
    assert_eq!(at(&grid, 40.0, 3), Some((5.5, Assumed)));
}

#[test]
fn a_hole_is_filled_by_weights_where_they_surround_it_and_by_gpus_where_those_do() {
    let all = [(10.0, 2, 1.0), (20.0, 2, 2.0), (30.0, 2, 3.0), (10.0, 4, 2.0), (30.0, 4, 6.0)];
    assert_eq!(at(&grid(&all), 20.0, 4), Some((4.0, Interpolated)));
    let edge = [(10.0, 2, 1.0), (30.0, 2, 3.0), (10.0, 4, 2.0), (10.0, 8, 5.0), (30.0, 8, 9.0)];
    assert_eq!(at(&grid(&edge), 30.0, 4), Some((5.0, Interpolated))); // a third of the way from 2 to 8 GPUs
    assert_eq!(at(&grid(&edge[..3]), 30.0, 4), Some((2.0, Assumed))); // nothing beyond it: 10 weights are held
}

#[test]
fn fewer_samples_than_measured_take_as_long_and_more_do_not_fit() {
    let times = ScalingTimes::measured(&ProcessingTimes::new(1e6, [(64, 0.4), (16, 0.1)]).unwrap(), None);
    let at = |samples| times.processing(samples).map(|estimate| (estimate.time_s, estimate.origin));
    assert_eq!(
        [8, 16, 40, 64, 65, 0].map(at),
        [Some((0.1, Assumed)), Some((0.1, Measured)), Some((0.25, Interpolated)), Some((0.4, Measured)), None, None]
    );
}

#[test]
fn both_together_are_the_times_of_a_model() {
    let grid = grid(&[(10e6, 2, 0.02), (20e6, 2, 0.04), (10e6, 4, 0.03), (20e6, 4, 0.05)]);
    let model = ProcessingTimes::new(15e6, [(32, 0.1), (64, 0.2)]).unwrap();
    let times = ScalingTimes::measured(&model, Some(&grid));
    assert_eq!(times.processing_s, [(32.0, 0.1), (64.0, 0.2)]);
    assert_eq!(times.all_reduce_s, [(2, 0.03), (4, 0.04)]);
    assert_eq!(times.all_reduce_estimated, [(2, Interpolated), (4, Interpolated)]);
    assert_eq!(times.processing(48), Some(Estimate { time_s: 0.15000000000000002, origin: Interpolated }));
    assert_eq!(times.processing(96), None);
    assert!(ScalingTimes::measured(&model, None).all_reduce_s.is_empty());
}

#[test]
fn what_is_no_measurement_is_refused_by_name() {
    let grid = |rows: &[(f64, u32, f64)]| AllReduceGrid::new(rows.iter().copied()).unwrap_err();
    let model = |weights, points: &[(u32, f64)]| ProcessingTimes::new(weights, points.iter().copied()).unwrap_err();
    let cases: [(ScalabilityError, &str); 11] = [
        (grid(&[]), "no measurement"),
        (grid(&[(0.0, 2, 1.0)]), "0 weights must be above 0 and at most 1e18"),
        (grid(&[(5.0, 1, 1.0)]), "1 GPUs is not a whole number from 2 to 4,096"),
        (grid(&[(5.0, 2, 0.0)]), "5 weights on 2 GPUs: 0 s must be above 0 and at most 1e9"),
        (grid(&[(5.0, 2, f64::NAN)]), "5 weights on 2 GPUs: NaN s must be above 0 and at most 1e9"),
        (grid(&[(5.0, 2, 1.0), (6.0, 2, 1.0), (5.0, 2, 2.0)]), "5 weights on 2 GPUs are there twice"),
        (model(1.0, &[]), "no measurement"),
        (model(f64::INFINITY, &[(1, 1.0)]), "inf weights must be above 0 and at most 1e18"),
        (model(1.0, &[(0, 1.0)]), "0 samples is not a whole number from 1 to 2^30"),
        (model(1.0, &[(8, -1.0)]), "8 samples: -1 s must be above 0 and at most 1e9"),
        (model(1.0, &[(8, 1.0), (4, 1.0), (8, 1.0)]), "8 samples are there twice"),
    ];
    for (error, words) in cases {
        assert_eq!(error.to_string(), words);
    }
}

/// The grid as a full table of weights and GPUs, filled cell by cell as the documentation says.
fn naive(rows: &[(f64, u32, f64)], weights: f64, gpus: u32) -> Option<(f64, Origin)> {
    let mut counts: Vec<u32> = rows.iter().map(|row| row.1).collect();
    #[allow(clippy::disallowed_methods)]
    counts.sort_unstable();
    counts.dedup();
    if gpus == 1 {
        return Some((0.0, Measured));
    }
    let higher = *counts.iter().find(|count| **count >= gpus)?;
    if higher == gpus {
        return Some(naive_measured(rows, &counts, weights, gpus));
    }
    match counts.iter().rev().find(|count| **count < gpus) {
        None => Some((naive_measured(rows, &counts, weights, higher).0, Assumed)),
        Some(&lower) => {
            let ends = [lower, higher].map(|count| (count, naive_measured(rows, &counts, weights, count)));
            Some(mean(ends, gpus))
        }
    }
}

fn naive_measured(rows: &[(f64, u32, f64)], counts: &[u32], weights: f64, gpus: u32) -> (f64, Origin) {
    if let Some(found) = reached(rows, weights, gpus) {
        return found;
    }
    let lower = counts.iter().filter(|count| **count < gpus).rev();
    let lower = lower.filter_map(|count| Some((*count, reached(rows, weights, *count)?))).next();
    let higher = counts.iter().filter(|count| **count > gpus);
    let higher = higher.filter_map(|count| Some((*count, reached(rows, weights, *count)?))).next();
    if let (Some(lower), Some(higher)) = (lower, higher) {
        return mean([lower, higher], gpus);
    }
    let here = rows.iter().filter(|row| row.1 == gpus);
    let nearest = here.min_by(|a, b| (a.0 - weights).abs().total_cmp(&(b.0 - weights).abs())).unwrap();
    (nearest.2, Assumed)
}

/// What was measured on so many GPUs with at least and at most so many weights says.
fn reached(rows: &[(f64, u32, f64)], weights: f64, gpus: u32) -> Option<(f64, Origin)> {
    let here = || rows.iter().filter(|row| row.1 == gpus);
    let below = here().filter(|row| row.0 <= weights).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let above = here().filter(|row| row.0 >= weights).min_by(|a, b| a.0.total_cmp(&b.0))?;
    if below.0 == above.0 {
        return Some((below.2, Measured));
    }
    let share = (weights - below.0) / (above.0 - below.0);
    Some((below.2 * (1.0 - share) + above.2 * share, Interpolated))
}

fn mean(ends: [(u32, (f64, Origin)); 2], gpus: u32) -> (f64, Origin) {
    let [(low, (from, a)), (high, (to, b))] = ends;
    let share = f64::from(gpus - low) / f64::from(high - low);
    (from * (1.0 - share) + to * share, if a == Assumed || b == Assumed { Assumed } else { Interpolated })
}

/// Grids with holes: few numbers of weights and GPUs, so that cells meet.
fn any_rows() -> impl Strategy<Value = Vec<(f64, u32, f64)>> {
    let cell = (1_u32..6, 2_u32..9);
    btree_map(cell, 0.001..10.0, 1..20).prop_map(|cells| {
        cells.into_iter().map(|((weights, gpus), time_s)| (f64::from(weights) * 10.0, gpus, time_s)).collect()
    })
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_grid_says_what_the_rule_says(rows in any_rows(), asked in vec((0_u32..70, 1_u32..11), 20)) {
        let grid = grid(&rows);
        for (weights, gpus) in asked {
            let weights = f64::from(weights) + 1.0;
            let (found, expected) = (at(&grid, weights, gpus), naive(&rows, weights, gpus));
            prop_assert_eq!(found.map(|found| found.1), expected.map(|expected| expected.1));
            prop_assert!(close(found.map_or(0.0, |found| found.0), expected.map_or(0.0, |expected| expected.0)));
        }
    }

    #[test]
    fn the_line_through_a_models_times_is_the_grids(rows in any_rows(), weights in 1.0..70.0) {
        let grid = grid(&rows);
        let model = ProcessingTimes::new(weights, [(8, 1.0)]).unwrap();
        let all = ScalingTimes::measured(&model, Some(&grid));
        let times = &all.all_reduce_s;
        for gpus in 2..=grid.gpus().last().unwrap() {
            let low = times.iter().rfind(|(count, _)| *count <= gpus).or(times.first()).unwrap();
            let high = times.iter().find(|(count, _)| *count >= gpus).unwrap();
            let share = f64::from(gpus.saturating_sub(low.0)) / f64::from((high.0 - low.0).max(1));
            prop_assert!(close(low.1 + share * (high.1 - low.1), all.all_reduce(gpus).unwrap().time_s));
        }
    }

    #[test]
    fn what_was_measured_is_found_and_nothing_else(rows in any_rows()) {
        let grid = grid(&rows);
        for (weights, gpus) in (0..70).flat_map(|weights| (1..11).map(move |gpus| (f64::from(weights), gpus))) {
            let row = rows.iter().find(|row| row.0 == weights && row.1 == gpus);
            prop_assert_eq!(grid.measured(weights, gpus), row.map(|row| row.2));
        }
    }

    #[test]
    fn the_order_of_rows_does_not_count(rows in any_rows().prop_shuffle()) {
        let mut sorted = rows.clone();
        #[allow(clippy::disallowed_methods)]
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        prop_assert_eq!(grid(&rows), grid(&sorted));
    }
}
