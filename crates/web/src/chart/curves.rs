//! The lines of the distribution: for each run, the share of all jobs that completed within a time.

use elastiplan_metrics::{Distribution, completion_distribution};
use elastiplan_model::Workload;
use elastiplan_scene::{TimeScale, TimeWindow, axis};

use crate::runs::RunEntry;
use crate::timeline::picture::{policy_of, short_name};

/// The axis reaches to this share of the slowest policy's completed jobs, where its last few would squash the rest.
const TAIL_SHARE: f64 = 0.99;
/// But to the very last job if that is at most this much farther.
const TAIL_NEAR: f64 = 1.25;

/// One run's line.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The badge.
    pub letter: char,
    /// The policy's name without parameters.
    pub name: String,
    /// The number of its colour and dashes.
    pub policy: u8,
    /// Its steps.
    pub steps: Distribution,
}

impl Curve {
    /// What the line is labelled with.
    pub fn label(&self) -> String {
        format!("{} {}", self.letter, self.name)
    }

    /// The time within which `share` of all jobs complete; `None` if fewer do.
    pub fn time_s_at(&self, share: f64) -> Option<f64> {
        // Shares are quotients of counts: a little less is still all of them.
        let at = self.steps.shares.partition_point(|&reached| reached < share - 1e-9);
        self.steps.values.get(at).copied()
    }

    /// The corners of its steps from time 0 to `end_s`, as seconds and percent.
    pub fn corners(&self, end_s: f64) -> Vec<(f64, f64)> {
        let mut corners = vec![(0.0, 0.0)];
        let mut percent = 0.0;
        let steps = self.steps.values.iter().zip(&self.steps.shares);
        for (&time_s, &share) in steps.take_while(|(time_s, _)| **time_s <= end_s) {
            corners.push((time_s, percent));
            percent = share * 100.0;
            corners.push((time_s, percent));
        }
        corners.push((end_s, percent));
        corners
    }
}

/// A line for each run that has a record.
pub fn curves(runs: &[RunEntry], workload: &Workload) -> Vec<Curve> {
    let curve = |entry: &RunEntry| {
        let run = &entry.result.as_ref()?.run;
        Some(Curve {
            letter: entry.letter(),
            name: short_name(entry),
            policy: policy_of(entry),
            steps: completion_distribution(run, workload.trace()),
        })
    };
    runs.iter().filter_map(curve).collect()
}

/// Where the time axis ends: a round time that shows nearly all of every line. `None` if no job has completed.
pub fn axis_end_s(curves: &[Curve]) -> Option<f64> {
    let last_s = curves.iter().filter_map(|curve| curve.steps.values.last().copied()).reduce(f64::max)?;
    let tail_s = curves.iter().filter_map(|curve| {
        let completed = curve.steps.shares.last()?;
        curve.time_s_at(completed * TAIL_SHARE)
    });
    let tail_s = tail_s.reduce(f64::max)?;
    let reach_s = if last_s <= tail_s * TAIL_NEAR { last_s } else { tail_s };
    let reach_s = if reach_s > 0.0 { reach_s } else { 1.0 };
    // Rounded up to a fifth of the step between labels on an axis of usual width.
    let step_s = axis::step_s(&TimeScale::new(TimeWindow::new(0.0, reach_s), 0.0, 320.0), 64.0) / 5.0;
    Some((reach_s / step_s).ceil() * step_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(values: &[f64], shares: &[f64]) -> Curve {
        let steps = Distribution { values: values.into(), shares: shares.into() };
        Curve { letter: 'A', name: "fixed".into(), policy: 0, steps }
    }

    #[test]
    fn the_axis_ends_after_the_last_job_if_that_is_near() {
        let end_s = axis_end_s(&[curve(&[600.0, 3500.0], &[0.5, 1.0])]).unwrap();
        assert!((3500.0..4200.0).contains(&end_s), "{end_s}");
    }

    #[test]
    fn a_long_tail_does_not_squash_the_plot() {
        let mut values: Vec<f64> = (1..=999).map(f64::from).collect();
        values.push(1e6);
        let shares: Vec<f64> = (1..=1000).map(|at| f64::from(at) / 1000.0).collect();
        assert!(axis_end_s(&[curve(&values, &shares)]).unwrap() < 1500.0);
    }

    #[test]
    fn nothing_completed_has_no_axis_and_no_percentiles() {
        let empty = curve(&[], &[]);
        assert_eq!(axis_end_s(std::slice::from_ref(&empty)), None);
        assert_eq!(empty.time_s_at(0.1), None);
    }

    #[test]
    fn equal_times_make_one_step() {
        let equal = curve(&[60.0], &[1.0]);
        assert_eq!(equal.corners(100.0), [(0.0, 0.0), (60.0, 0.0), (60.0, 100.0), (100.0, 100.0)]);
        assert_eq!(equal.time_s_at(1.0), Some(60.0));
        assert!(axis_end_s(&[curve(&[0.0], &[1.0])]).unwrap() > 0.0);
    }

    #[test]
    fn percentiles_count_jobs_that_never_complete() {
        let half = curve(&[60.0, 120.0], &[0.25, 0.5]);
        assert_eq!(half.time_s_at(0.5), Some(120.0));
        assert_eq!(half.time_s_at(0.6), None);
    }
}
