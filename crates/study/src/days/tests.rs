use std::collections::BTreeMap;

use elastiplan_model::order::sort_by;
use elastiplan_model::{ModelId, Work};
use proptest::prelude::*;

use super::*;

fn job(name: usize, submit_s: f64) -> Job {
    Job {
        name: name.to_string(),
        source_row: name as u64 + 1,
        submit_s,
        model: ModelId(0),
        batch_global: None,
        batch_range: None,
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(1.0),
        deadline_s: Some(submit_s + 7_200.0),
        user: None,
        rescale: None,
        priority: None,
    }
}

fn trace(submits_s: &[f64]) -> Trace {
    let jobs = submits_s.iter().enumerate().map(|(name, &submit_s)| job(name, submit_s)).collect();
    Trace::new(vec!["bert".into()], jobs).unwrap()
}

#[test]
fn days_begin_at_midnight_of_dates_and_with_the_first_job_of_other_clocks() {
    let check = |submits_s: &[f64], expected: usize| assert_eq!(days(&trace(submits_s)), expected, "{submits_s:?}");
    check(&[], 0);
    check(&[500.0], 1);
    check(&[500.0, 86_400.0], 1);
    check(&[500.0, 86_900.0], 2);
    // 2023-11-14 22:13:20 UTC, and two hours later: the next day.
    check(&[1_700_000_000.0, 1_700_000_000.0 + 7_200.0], 2);
}

#[test]
fn too_few_days_are_not_drawn() {
    let four: Vec<f64> = (0..4).map(|day| f64::from(day) * DAY_S).collect();
    assert_eq!(days_resampled(&trace(&four), 0), None);
}

#[test]
fn every_day_is_drawn_about_as_often() {
    let week: Vec<f64> = (0..7).map(|day| f64::from(day) * DAY_S + 60.0 * f64::from(day)).collect();
    let trace = trace(&week);
    let mut drawn = [0_u32; 7];
    for seed in 0..1_000 {
        for job in days_resampled(&trace, seed).unwrap().jobs() {
            drawn[(job.submit_s % DAY_S / 60.0).round() as usize] += 1;
        }
    }
    // 1,000 each, with a standard deviation of about 29.
    assert!(drawn.iter().all(|&times| (880..1_120).contains(&times)), "{drawn:?}");
}

proptest! {
    /// An oracle that knows nothing of the generator: whatever day stands at a place has all jobs of one day of the
    /// recording, at their times of day, and no other.
    #[test]
    fn each_day_is_one_of_the_recording(
        offsets in prop::collection::vec(0.0..10.0 * DAY_S, 1..80),
        is_dated in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let clock_s = if is_dated { 1_700_000_000.0 } else { 1_234.0 };
        let submits_s: Vec<f64> = offsets.iter().map(|offset| (clock_s + offset).floor()).collect();
        let recorded = trace(&submits_s);
        let count = days(&recorded);
        prop_assume!(count >= DAYS_MIN);
        let first_s = if is_dated { (recorded.start_s() / DAY_S).floor() * DAY_S } else { recorded.start_s() };
        let by_day = |trace: &Trace| {
            let mut days: BTreeMap<i64, Vec<(String, i64)>> = BTreeMap::new();
            for job in trace.jobs() {
                let since_s = job.submit_s - first_s;
                let name = job.name.split(' ').next().unwrap().to_string();
                let of_day = (name, since_s.rem_euclid(DAY_S) as i64);
                days.entry((since_s / DAY_S).floor() as i64).or_default().push(of_day);
            }
            days.values_mut().for_each(|jobs| sort_by(jobs, |a, b| a.cmp(b)));
            days
        };
        let drawn = days_resampled(&recorded, seed).unwrap();
        prop_assert_eq!(&drawn, &days_resampled(&recorded, seed).unwrap());
        let (recorded_days, drawn_days) = (by_day(&recorded), by_day(&drawn));
        prop_assert!(drawn_days.keys().all(|day| (0..count as i64).contains(day)));
        for jobs in drawn_days.values() {
            prop_assert!(recorded_days.values().any(|of| of == jobs), "{jobs:?} is no day of the recording");
        }
        let most = recorded_days.values().map(Vec::len).max().unwrap();
        prop_assert!(drawn.jobs().len() <= count * most);
        prop_assert!(drawn.jobs().iter().all(|job| job.deadline_s == Some(job.submit_s + 7_200.0)));
    }
}
