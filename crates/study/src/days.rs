//! A recorded trace with its days drawn anew: one trace has one draw, its whole days have many.
//!
//! Whole days keep what belongs together: mornings are busy, jobs come in bursts. Days are drawn with replacement, as many
//! as there are (Efron's bootstrap with blocks of a day; Künsch, Annals of Statistics 17(3), 1989, on blocks).

use elastiplan_model::{Job, Trace};
use elastiplan_text::calendar::is_unix_time;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A day in seconds.
const DAY_S: f64 = 86_400.0;
/// With fewer days, drawing them anew says little about other weeks.
pub const DAYS_MIN: usize = 5;

/// How many whole days a trace has: those from its first submission to its last, begun ones included. Of a clock that
/// shows Unix time they begin at midnight, UTC; otherwise with the first submission.
pub fn days(trace: &Trace) -> usize {
    trace.jobs().last().map_or(0, |last| day(trace, last) + 1)
}

/// The trace with its days drawn anew by a seed: the same days for the same seed. Jobs keep their time of day, and what
/// they are due after; `212` is `212 (day 3)` where its day stands on the third.
/// `None` with fewer than [`DAYS_MIN`] days.
pub fn days_resampled(trace: &Trace, seed: u64) -> Option<Trace> {
    let count = days(trace);
    if count < DAYS_MIN {
        return None;
    }
    let mut of_days: Vec<Vec<&Job>> = vec![Vec::new(); count];
    for job in trace.jobs() {
        of_days.get_mut(day(trace, job))?.push(job);
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut jobs = Vec::with_capacity(trace.jobs().len());
    for to in 0..count {
        let from = random.random_range(0..count);
        jobs.extend(of_days.get(from)?.iter().map(|job| moved(job, from, to)));
    }
    Trace::new(trace.models().to_vec(), jobs).ok()
}

/// A job on another day.
fn moved(job: &Job, from: usize, to: usize) -> Job {
    let by_s = (to as f64 - from as f64) * DAY_S;
    let name = format!("{} (day {})", job.name, to + 1);
    Job { name, submit_s: job.submit_s + by_s, deadline_s: job.deadline_s.map(|at_s| at_s + by_s), ..job.clone() }
}

/// The day of a job, counted from that of the first submission.
fn day(trace: &Trace, job: &Job) -> usize {
    ((job.submit_s - begin_s(trace)) / DAY_S).floor().max(0.0) as usize
}

/// When the first day begins.
fn begin_s(trace: &Trace) -> f64 {
    let first_s = trace.start_s();
    if is_unix_time(first_s) { (first_s / DAY_S).floor() * DAY_S } else { first_s }
}

#[cfg(test)]
mod tests;
