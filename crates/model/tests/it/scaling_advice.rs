//! Best batch sizes, scaling factors, and which batch sizes finish in time.

use elastiplan_model::{BatchRange, BatchVerdict, Origin, ScalingTimes};
use proptest::collection::btree_map;
use proptest::prelude::*;

/// 0.1 s for up to 32 samples, 0.4 s for 128; all-reduces of 0.1 s on two GPUs and 0.3 s on four, of which the latter
/// was measured with fewer weights.
fn times() -> ScalingTimes {
    ScalingTimes {
        processing_s: vec![(32.0, 0.1), (128.0, 0.4)],
        all_reduce_s: vec![(2, 0.1), (4, 0.3)],
        all_reduce_estimated: vec![(4, Origin::Assumed)],
    }
}

#[test]
fn scaling_factors_are_those_of_the_best_batch_over_the_largest_on_one_gpu() {
    let all = BatchRange { least: 32, most: 512 };
    let rows: Vec<_> = (1..=5).map(|gpus| times().scaling_row(all, gpus)).collect();
    let one = rows[0].unwrap();
    assert_eq!((one.batch_global, one.batch_per_gpu, one.scaling_factor), (32, 32, 1.0)); // as fast as with 128
    let two = rows[1].unwrap();
    assert_eq!((two.batch_global, two.batch_per_gpu, two.samples_per_s), (256, 128, 512.0));
    assert_eq!((two.scaling_factor, two.efficiency), (1.6, 0.8));
    assert_eq!((two.iteration.time_s, two.iteration.origin), (0.5, Origin::Measured));
    // Between two and four GPUs it is no more certain than on four.
    assert_eq!(rows[2].unwrap().all_reduce.origin, Origin::Assumed);
    assert_eq!(rows[4], None);
}

#[test]
fn a_range_that_does_not_fit_on_few_gpus_begins_with_more() {
    let large = BatchRange { least: 300, most: 300 };
    let factors = |gpus| times().scaling_row(large, gpus).map(|row| row.batch_per_gpu);
    assert_eq!([1, 2, 3, 4].map(factors), [None, None, Some(100), Some(75)]);
}

#[test]
fn batch_sizes_that_are_late_everywhere_are_ruled_out() {
    let ranges = BatchRange { least: 16, most: 1024 };
    let within_s = 330.0;
    let verdicts: Vec<_> = times()
        .training_times(ranges, 8, 102_400.0)
        .into_iter()
        .map(|batch| {
            let seconds: Vec<_> =
                batch.training.iter().map(|time| time.map(|time| (time.time_s * 10.0).round() / 10.0)).collect();
            (batch.batch_global, seconds, batch.verdict(within_s))
        })
        .collect();
    let s = Some;
    assert_eq!(
        verdicts,
        [
            (16, vec![s(640.0), s(1280.0), s(1920.0), s(2560.0)], BatchVerdict::Late),
            (32, vec![s(320.0), s(640.0), s(960.0), s(1280.0)], BatchVerdict::On(vec![1])),
            (64, vec![s(320.0), s(320.0), s(480.0), s(640.0)], BatchVerdict::On(vec![1, 2])),
            (128, vec![s(320.0), s(240.0), s(267.5), s(320.0)], BatchVerdict::Always),
            (256, vec![None, s(200.0), s(187.5), s(200.0)], BatchVerdict::Always),
            (512, vec![None, None, None, s(140.0)], BatchVerdict::Always),
            (1024, vec![None; 4], BatchVerdict::RunsNowhere),
        ]
    );
}

#[test]
fn verdicts_in_words() {
    let words =
        [BatchVerdict::Always, BatchVerdict::On(vec![1, 3, 4, 5, 9]), BatchVerdict::Late].map(|v| v.to_string());
    assert_eq!(words, ["always", "on 1, 3 to 5, 9", "never: rule out"]);
}

#[test]
fn the_range_of_what_was_measured() {
    assert_eq!(times().batch_range(), BatchRange { least: 32, most: 512 });
    let alone = ScalingTimes { all_reduce_s: vec![], ..times() };
    assert_eq!(alone.batch_range(), BatchRange { least: 32, most: 128 });
    assert_eq!(BatchRange { least: 64, most: 64 }.ladder(), [64]);
    assert_eq!(BatchRange { least: 1, most: 9 }.ladder(), [1, 2, 4, 8, 9]);
}

fn any_times() -> impl Strategy<Value = ScalingTimes> {
    let processing = btree_map(1_u32..24, 0.01..1.0, 1..6);
    let all_reduce = btree_map(2_u32..7, (0.0..0.5, prop::option::of(prop::sample::select(&Origin::ALL[1..]))), 0..5);
    (processing, all_reduce).prop_map(|(processing, all_reduce)| ScalingTimes {
        processing_s: processing.into_iter().map(|(samples, time_s)| (f64::from(samples), time_s)).collect(),
        all_reduce_s: all_reduce.iter().map(|(gpus, (time_s, _))| (*gpus, *time_s)).collect(),
        all_reduce_estimated: all_reduce.iter().filter_map(|(gpus, (_, origin))| Some((*gpus, (*origin)?))).collect(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Every batch size of the range, one by one.
    #[test]
    fn no_batch_size_has_a_higher_factor(times in any_times(), least in 1_u32..40, more in 0_u32..80, gpus in 1_u32..8) {
        let range = BatchRange { least, most: least + more };
        let (largest, alone_s) = times.processing_s.last().unwrap();
        let baseline = largest / alone_s;
        let factor = |batch: u32| {
            let time_s = times.iteration(gpus, batch)?.time_s;
            Some(f64::from(batch) / time_s / baseline)
        };
        let best = (range.least..=range.most).filter_map(factor).fold(None, |best: Option<f64>, next| {
            Some(best.map_or(next, |best| best.max(next)))
        });
        let row = times.scaling_row(range, gpus);
        prop_assert_eq!(row.is_some(), best.is_some());
        if let (Some(row), Some(best)) = (row, best) {
            prop_assert!((row.scaling_factor - best).abs() <= 1e-12 * best, "{row:?} {best}");
            prop_assert!((factor(row.batch_global).unwrap() - best).abs() <= 1e-12 * best);
            prop_assert!(range.contains(row.batch_global));
        }
    }

    /// The engine's speed and the time of an iteration are the same formula.
    #[test]
    fn iterations_take_as_long_as_speeds_say(times in any_times(), batch in 1_u32..200, gpus in 1_u32..8) {
        let speed = times.iteration(gpus, batch).map_or(0.0, |iteration| f64::from(batch) / iteration.time_s);
        prop_assert_eq!(speed, times.samples_per_s(gpus, batch));
    }
}
