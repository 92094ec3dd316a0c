//! How two runs differ at any time.

use elastiplan_engine::Run;
use elastiplan_metrics::{Line, Steps, over_time};

/// The quantity that is compared over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// GPUs held by jobs.
    GpusInUse,
    /// Jobs that hold nothing.
    JobsWaiting,
    /// Jobs completed so far.
    JobsCompleted,
}

/// A quantity under the run minus the same under the baseline, from the start of both until the one that lasts longer
/// ends; if a run is on its way, until its record does. It goes straight from point to point; steps have two points at
/// one time.
pub fn difference_over_time(run: &Run, baseline: &Run, quantity: Quantity) -> Line {
    let end_s = common_end_s(run, baseline);
    let of: fn(&Run) -> Steps = match quantity {
        Quantity::GpusInUse => over_time::gpus_in_use,
        Quantity::JobsWaiting => over_time::jobs_waiting,
        Quantity::JobsCompleted => over_time::jobs_completed,
    };
    stairs(&subtracted(&of(run), &of(baseline)), end_s)
}

/// Until when both are known.
fn common_end_s(run: &Run, baseline: &Run) -> f64 {
    let open_s = [run, baseline].into_iter().filter(|run| !run.finished).map(|run| run.end_s);
    open_s.min_by(f64::total_cmp).unwrap_or(run.end_s.max(baseline.end_s))
}

/// One minus the other; what has no value yet counts 0.
fn subtracted(one: &Steps, other: &Steps) -> Steps {
    let mut rows = Vec::with_capacity(one.time_s.len() + other.time_s.len());
    let (mut ours, mut theirs) = (rows_of(one), rows_of(other));
    let (mut a, mut b) = (0.0, 0.0);
    loop {
        let (ours_s, theirs_s) = (ours.peek().map(|row| row.0), theirs.peek().map(|row| row.0));
        let Some(time_s) = ours_s.into_iter().chain(theirs_s).min_by(f64::total_cmp) else { break };
        while let Some((_, value)) = ours.next_if(|row| row.0 <= time_s) {
            a = value;
        }
        while let Some((_, value)) = theirs.next_if(|row| row.0 <= time_s) {
            b = value;
        }
        rows.push((time_s, a - b));
    }
    Steps::from_rows(rows)
}

fn rows_of(steps: &Steps) -> std::iter::Peekable<impl Iterator<Item = (f64, f64)>> {
    steps.time_s.iter().copied().zip(steps.value.iter().copied()).peekable()
}

fn stairs(steps: &Steps, end_s: f64) -> Line {
    let mut line = Line::default();
    let mut push = |time_s: f64, value: f64| {
        line.time_s.push(time_s);
        line.value.push(value);
    };
    let mut last = None;
    for (time_s, value) in rows_of(steps).take_while(|(time_s, _)| *time_s <= end_s) {
        last.into_iter().for_each(|last| push(time_s, last));
        push(time_s, value);
        last = Some(value);
    }
    last.into_iter().for_each(|last| push(end_s, last));
    line
}
