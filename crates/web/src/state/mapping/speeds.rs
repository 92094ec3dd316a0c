//! Laws of speedup through the one point that a table gives of a job: so many GPUs, so long.

use elastiplan_formats::mapping::KnownPoint;
use elastiplan_model::SpeedupLaw;
use elastiplan_model::order::{sort_by, sort_by_key};

/// The numbers of GPUs up to which a law is shown at least.
const GPUS_SHOWN: u32 = 64;
/// The most.
const GPUS_MOST: u32 = 4_096;
/// Points of a curve from a number of GPUs to twice as many.
const STEPS: u32 = 6;

/// The point of a job through which laws are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The job's name; `None` for an example.
    pub name: Option<String>,
    /// Its GPUs.
    pub gpus: u32,
    /// How long it takes on them, in seconds.
    pub duration_s: f64,
}

impl Point {
    /// The point of a table; an example where it has none.
    pub fn of(known: Option<&KnownPoint>) -> Self {
        let example = || Self { name: None, gpus: 8, duration_s: 3_600.0 };
        known.map_or_else(example, |known| Self {
            name: Some(known.name.clone()),
            gpus: known.gpus.max(1),
            duration_s: known.duration_s,
        })
    }

    /// How many times as fast the job is on so many GPUs as on its own; `None` where it cannot run on them, or where a
    /// law says nothing.
    pub fn speed(&self, law: &SpeedupLaw, gpus: u32) -> Option<f64> {
        let work_s = match law {
            SpeedupLaw::Rigid => return (gpus == self.gpus).then_some(1.0),
            SpeedupLaw::Sevcik(law) => law.work_s(f64::from(self.gpus), self.duration_s)?,
            _ => self.duration_s,
        };
        Some(law.speedup(gpus, work_s)? / law.speedup(self.gpus, work_s)?)
    }

    /// How long it takes on so many GPUs, in seconds.
    pub fn time_s(&self, law: &SpeedupLaw, gpus: u32) -> Option<f64> {
        self.speed(law, gpus).map(|speed| self.duration_s / speed)
    }

    /// The numbers of GPUs that are shown: powers of two from 1 on, to four times its own.
    pub fn gpus_shown(&self) -> Vec<u32> {
        let most = self.gpus.min(GPUS_MOST / 4).next_power_of_two() * 4;
        let most = most.clamp(GPUS_SHOWN, GPUS_MOST);
        (0..=most.ilog2()).map(|power| 1 << power).collect()
    }

    /// A law as points: numbers of GPUs with the speed on them.
    pub fn curve(&self, law: &SpeedupLaw) -> Vec<(u32, f64)> {
        let shown = self.gpus_shown();
        let between = |gpus: u32| (0..STEPS).map(move |step| gpus + gpus * step / STEPS);
        let last = shown.last().copied().unwrap_or(1);
        let mut at: Vec<u32> = shown.into_iter().filter(|gpus| *gpus < last).flat_map(between).collect();
        at.extend([last, self.gpus]);
        sort_by_key(&mut at, |gpus| *gpus);
        at.dedup();
        at.into_iter().filter_map(|gpus| Some((gpus, self.speed(law, gpus)?))).collect()
    }
}

/// Moves labels apart, so that none is nearer than `gap` to the next and none below `least` or above `most`: each as
/// near to its place as the ones before it in this order allow.
pub fn apart(places: &[f64], gap: f64, (least, most): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    let place = |at: &usize| places.get(*at).copied().unwrap_or(least);
    sort_by(&mut order, |a, b| place(a).total_cmp(&place(b)));
    let mut moved = vec![least; places.len()];
    let mut next = least;
    for at in &order {
        let own = place(at).max(next);
        next = own + gap;
        moved.iter_mut().skip(*at).take(1).for_each(|moved| *moved = own);
    }
    let mut last = most;
    for at in order.iter().rev() {
        moved.iter_mut().skip(*at).take(1).for_each(|moved| {
            *moved = moved.min(last);
            last = *moved - gap;
        });
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(gpus: u32, duration_s: f64) -> Point {
        Point { name: None, gpus, duration_s }
    }

    #[test]
    fn laws_pass_through_the_known_point() {
        for law in ["rigid", "linear", "amdahl:0.06", "downey:32,1", "sevcik:1.3,25,25", "power:0.8"] {
            let law: SpeedupLaw = law.parse().unwrap();
            for gpus in [1, 2, 3, 8, 48] {
                let known = point(gpus, 11_100.0);
                assert_eq!(known.speed(&law, gpus), Some(1.0), "{law} on {gpus}");
                assert!(known.curve(&law).contains(&(gpus, 1.0)), "{law} on {gpus}");
            }
        }
    }

    #[test]
    fn times_on_other_numbers_of_gpus() {
        let check = |law: &str, gpus: u32, expected: Option<f64>| {
            let law: SpeedupLaw = law.parse().unwrap();
            let time_s = point(8, 3_600.0).time_s(&law, gpus);
            assert_eq!(time_s.map(|time_s| time_s.round()), expected, "{law} on {gpus}");
        };
        check("linear", 1, Some(28_800.0));
        check("linear", 16, Some(1_800.0));
        check("rigid", 16, None);
        // 0.1 + 0.9 / n of the time on one GPU.
        check("amdahl:0.1", 1, Some(16_941.0));
        check("amdahl:0.1", 64, Some(1_932.0));
        check("power:0.8", 16, Some(2_250.0));
        check("sevcik:1,4000,0", 16, None);
        check("like:bert", 16, None);
    }

    #[test]
    fn curves_go_to_four_times_the_jobs_own_gpus() {
        let check = |gpus: u32, expected: u32| {
            assert_eq!(point(gpus, 60.0).gpus_shown().last(), Some(&expected), "{gpus}");
        };
        check(1, 64);
        check(16, 64);
        check(17, 128);
        check(1_000_000, 4_096);
    }

    #[test]
    fn labels_do_not_touch() {
        let check = |places: &[f64], expected: &[f64]| {
            assert_eq!(apart(places, 10.0, (0.0, 100.0)), expected, "{places:?}");
        };
        check(&[], &[]);
        check(&[50.0, 20.0], &[50.0, 20.0]);
        check(&[50.0, 52.0, 51.0], &[50.0, 70.0, 60.0]);
        check(&[99.0, 98.0], &[100.0, 90.0]);
        check(&[-5.0, 3.0], &[0.0, 10.0]);
    }
}
