//! The most GPUs in use at once.

use elastiplan_model::order::sort_by_number;

use super::PEAK_JOBS_MAX;

/// Runs of jobs, each from its start for its duration.
#[derive(Default)]
pub(super) struct Peak {
    /// Ends and starts: when, and by how many GPUs the use changes.
    ends: Vec<(f64, i64)>,
    starts: Vec<(f64, i64)>,
    has_more: bool,
}

impl Peak {
    /// Adds a run.
    pub fn add(&mut self, start_s: f64, end_s: f64, gpus: u32) {
        if self.starts.len() >= PEAK_JOBS_MAX {
            self.has_more = true;
            return;
        }
        self.ends.push((end_s, -i64::from(gpus)));
        self.starts.push((start_s, i64::from(gpus)));
    }

    /// The most GPUs in use at once; a run that begins when another ends takes over its GPUs. `None` without a run, and
    /// where there were more runs than are kept.
    pub fn gpus(self) -> Option<u64> {
        if self.has_more || self.starts.is_empty() {
            return None;
        }
        // Of one time the ends come first, as the sort keeps the order of equals.
        let mut changes = self.ends;
        changes.extend(self.starts);
        sort_by_number(&mut changes, |(time, _)| *time);
        let (mut now, mut most) = (0, 0);
        for (_, change) in changes {
            now += change;
            most = most.max(now);
        }
        u64::try_from(most).ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn peak(runs: &[(f64, f64, u32)]) -> Option<u64> {
        let mut peak = Peak::default();
        runs.iter().for_each(|&(start, end, gpus)| peak.add(start, end, gpus));
        peak.gpus()
    }

    #[test]
    fn a_run_takes_over_the_gpus_of_one_that_ends() {
        assert_eq!(peak(&[]), None);
        assert_eq!(peak(&[(0.0, 10.0, 8), (10.0, 20.0, 4)]), Some(8));
        assert_eq!(peak(&[(0.0, 10.0, 8), (9.0, 20.0, 4), (9.5, 9.6, 1)]), Some(13));
    }

    proptest! {
        /// The use is largest at some start: it is counted there, run by run.
        #[test]
        fn as_counted_at_every_start(runs in prop::collection::vec((0..20u32, 1..9u32, 1..9u32), 1..30)) {
            let runs: Vec<(f64, f64, u32)> =
                runs.into_iter().map(|(at, length, gpus)| (f64::from(at), f64::from(at + length), gpus)).collect();
            let at = |time: f64| -> u64 {
                let running = runs.iter().filter(|(start, end, _)| *start <= time && time < *end);
                running.map(|(_, _, gpus)| u64::from(*gpus)).sum()
            };
            prop_assert_eq!(peak(&runs), runs.iter().map(|(start, ..)| at(*start)).max());
        }
    }
}
