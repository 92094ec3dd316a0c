//! Several rows of one job: parts of it that ran beside each other, or runs one after the other.

use elastiplan_model::order::sort_by_rank;
use elastiplan_model::{Job, Work};

use super::slurm::STEP;
use crate::format::JobRows;
use crate::text::findings::{Effect, Finding, Findings, ROW_OUT, UsedRow};
use crate::text::names::hash;

pub(crate) const PART: Finding = Finding::new(
    Effect::Excluded,
    "One row for a job",
    "Added to the job's first row: GPUs together, from the first submission to the last end",
    "Nothing to do: the job keeps its GPUs",
);
pub(crate) const EARLIER_RUN: Finding = Finding::new(
    Effect::Excluded,
    "One run for a job: the last, where it was requeued",
    ROW_OUT,
    "Nothing to do, if runs begin anew; else add the lost time to the job",
);

/// What becomes of several rows with one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    /// They are jobs of their own.
    None,
    /// They are parts of one job, which has the GPUs of all.
    Parts,
    /// They are runs of one job, of which the last is kept; rows of Slurm's steps are left out.
    LastRun,
}

/// Joins rows of the same name, with a finding for each row that is gone.
pub(crate) fn fold(rows: &mut JobRows, how: Fold, findings: &mut Findings) {
    if how == Fold::None {
        return;
    }
    if how == Fold::LastRun {
        let steps = rows.jobs.iter().zip(0..).filter(|(job, _)| is_step(&job.name)).map(|(_, at)| at).collect();
        leave_out(rows, steps, STEP, findings);
    }
    let mut gone: Vec<u32> = Vec::new();
    for group in same_names(&rows.jobs) {
        let [first, others @ ..] = group.as_slice() else { continue };
        if how == Fold::Parts {
            let parts: Vec<Job> = group.iter().filter_map(|&at| rows.jobs.get(at as usize).cloned()).collect();
            if let Some(job) = rows.jobs.get_mut(*first as usize) {
                join(job, &parts);
            }
            gone.extend(others);
        } else {
            // The rows of a log follow one another in time.
            gone.extend(group.iter().take(group.len() - 1));
        }
    }
    leave_out(rows, gone, if how == Fold::Parts { PART } else { EARLIER_RUN }, findings);
}

/// Whether a name is that of a step of a job of Slurm: `1234.batch`, `1234_7.0`, `1234+1.extern`.
pub(crate) fn is_step(name: &str) -> bool {
    let Some((job, step)) = name.split_once('.') else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_job = job.split(['_', '+']).all(is_number);
    is_job && (is_number(step) || ["batch", "extern", "interactive"].contains(&step))
}

/// Leaves jobs out, by their places, with a finding for the row of each.
fn leave_out(rows: &mut JobRows, mut gone: Vec<u32>, finding: Finding, findings: &mut Findings) {
    sort_by_rank(&mut gone, |at| u64::from(*at));
    let named = gone.iter().filter_map(|&at| {
        let (job, defaulted) = (rows.jobs.get(at as usize)?, *rows.defaulted.get(at as usize)?);
        Some((UsedRow { line: job.source_row, defaulted }, job.name.clone()))
    });
    findings.deferred(finding, &named.collect::<Vec<_>>());
    let mut is_gone = vec![false; rows.jobs.len()];
    gone.iter().filter_map(|&at| is_gone.get_mut(at as usize).map(|gone| *gone = true)).for_each(drop);
    let mut at = 0..;
    let mut stays = || at.next().and_then(|at: usize| is_gone.get(at)) != Some(&true);
    rows.jobs.retain(|_| stays());
    let mut at = 0..;
    let mut stays = || at.next().and_then(|at: usize| is_gone.get(at)) != Some(&true);
    rows.defaulted.retain(|_| stays());
}

/// The positions of jobs that share a name, rising, a group for each name.
fn same_names(jobs: &[Job]) -> Vec<Vec<u32>> {
    let mut hashes: Vec<(u64, u32)> = jobs.iter().map(|job| hash(&job.name)).zip(0..).collect();
    sort_by_rank(&mut hashes, |(hash, _)| *hash);
    let mut groups = Vec::new();
    for group in hashes.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        let mut rest: Vec<u32> = group.iter().map(|(_, at)| *at).collect();
        sort_by_rank(&mut rest, |at| u64::from(*at));
        // Names that differ and have one hash are told apart.
        while let Some(&first) = rest.first() {
            let name = |at: u32| jobs.get(at as usize).map(|job| job.name.as_str());
            let (same, others): (Vec<u32>, Vec<u32>) = rest.iter().partition(|&&at| name(at) == name(first));
            if same.len() > 1 {
                groups.push(same);
            }
            rest = others;
        }
    }
    groups
}

/// One job of several parts: their GPUs together, from the first submission until the last ends.
fn join(job: &mut Job, parts: &[Job]) {
    let seconds = |part: &Job| if let Work::DurationOnRequested(seconds) = part.work { seconds } else { 0.0 };
    let end_s = parts.iter().map(|part| part.submit_s + seconds(part)).fold(f64::NEG_INFINITY, f64::max);
    job.submit_s = parts.iter().map(|part| part.submit_s).fold(f64::INFINITY, f64::min);
    job.gpus_requested = parts.iter().map(|part| part.gpus_requested).fold(0, u32::saturating_add);
    job.work = Work::DurationOnRequested(end_s - job.submit_s);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_slurm_are_known_by_their_names() {
        let check = |name: &str, expected: bool| assert_eq!(is_step(name), expected, "{name}");
        for step in ["12.batch", "12.extern", "12.0", "12_7.0", "12+1.batch", "12.interactive"] {
            check(step, true);
        }
        for job in ["12", "12_7", "12_[3-5]", "train.py", "12.py", "a.0", ".0", "12.", "v1.2.3", "1.2.3"] {
            check(job, false);
        }
    }
}
