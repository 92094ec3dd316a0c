//! Which job has which row. All strips of a comparison share one order, so that a job lies at the same height in each.

use elastiplan_engine::Run;
use elastiplan_model::{JobId, ModelId, Trace};

/// What rows are sorted by; ties keep the order of submission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowSort {
    /// When jobs were submitted.
    #[default]
    Submission,
    /// When jobs ended under one run; those that did not, last.
    End,
    /// Time without GPUs under one run, longest first.
    Queueing,
    /// GPU-time under one run, most first.
    GpuTime,
    /// GPUs asked for, most first.
    GpusRequested,
    /// Deadline, earliest first; jobs without one last.
    Deadline,
    /// Model, in order of appearance.
    Model,
}

impl RowSort {
    /// How the page names it.
    pub fn label(self) -> &'static str {
        match self {
            RowSort::Submission => "by submission",
            RowSort::End => "by completion",
            RowSort::Queueing => "by waiting, longest first",
            RowSort::GpuTime => "by GPU-hours, most first",
            RowSort::GpusRequested => "by GPUs asked for, most first",
            RowSort::Deadline => "by deadline",
            RowSort::Model => "by model",
        }
    }
}

/// Jobs in the order of their rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    jobs: Vec<JobId>,
    row_of: Vec<Option<u32>>,
    groups: Vec<RowGroup>,
}

/// Rows that stand together: from the first one until the next group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowGroup {
    /// What they are called.
    pub name: String,
    /// The first row.
    pub first: usize,
}

impl Rows {
    /// All jobs in order of submission.
    pub fn by_submission(trace: &Trace) -> Self {
        Self::from_jobs(trace, trace.iter().map(|(job, _)| job).collect())
    }

    /// All jobs, sorted. `run` is the run that a sort by an outcome refers to.
    pub fn sorted(trace: &Trace, run: &Run, sort: RowSort) -> Self {
        let key = |job: JobId| -> f64 {
            let at = job.index();
            let of_trace = trace.jobs().get(at);
            let key = match sort {
                RowSort::Submission => None,
                RowSort::End => run.jobs.end_s.get(at).copied().flatten(),
                RowSort::Queueing => run.jobs.queueing_s.get(at).map(|queueing_s| -queueing_s),
                RowSort::GpuTime => run.jobs.gpu_seconds.get(at).map(|gpu_seconds| -gpu_seconds),
                RowSort::GpusRequested => of_trace.map(|job| -f64::from(job.gpus_requested)),
                RowSort::Deadline => of_trace.and_then(|job| job.deadline_s),
                RowSort::Model => of_trace.map(|job| f64::from(job.model.0)),
            };
            key.unwrap_or(f64::INFINITY)
        };
        let mut keyed: Vec<(f64, JobId)> = trace.iter().map(|(job, _)| (key(job), job)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Self::from_jobs(trace, keyed.into_iter().map(|(_, job)| job).collect())
    }

    /// Only the jobs of models for which `shown` holds.
    pub fn of_models(self, trace: &Trace, shown: impl Fn(ModelId) -> bool) -> Self {
        let is_shown = |job: &JobId| trace.jobs().get(job.index()).is_some_and(|job| shown(job.model));
        // How many rows are left before each row.
        let mut left = vec![0];
        left.extend(self.jobs.iter().scan(0, |left, job| {
            *left += usize::from(is_shown(job));
            Some(*left)
        }));
        let place = |group: RowGroup| RowGroup { first: left.get(group.first).copied().unwrap_or(0), ..group };
        let mut groups: Vec<RowGroup> = self.groups.into_iter().map(place).collect();
        // Of groups that begin at one row, all but the last have none left.
        let firsts: Vec<usize> = groups.iter().skip(1).map(|group| group.first).collect();
        let mut next = firsts.into_iter().chain([left.last().copied().unwrap_or(0)]);
        groups.retain(|group| next.next().is_some_and(|next| next > group.first));
        let jobs = self.jobs.into_iter().filter(is_shown).collect();
        Self { groups, ..Self::from_jobs(trace, jobs) }
    }

    /// The same rows, in groups; the first begins at row 0.
    pub fn in_groups(self, groups: Vec<RowGroup>) -> Self {
        Self { groups, ..self }
    }

    /// The groups, in order; none where rows do not stand together.
    pub fn groups(&self) -> &[RowGroup] {
        &self.groups
    }

    /// These jobs, in this order; unknown and repeated ones are left out.
    pub fn from_jobs(trace: &Trace, mut jobs: Vec<JobId>) -> Self {
        let mut row_of = vec![None; trace.jobs().len()];
        let mut row = 0;
        jobs.retain(|job| match row_of.get_mut(job.index()) {
            Some(place @ None) => {
                *place = Some(row);
                row += 1;
                true
            }
            _ => false,
        });
        Self { jobs, row_of, groups: Vec::new() }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// The jobs, first row to last.
    pub fn jobs(&self) -> &[JobId] {
        &self.jobs
    }

    /// The job of a row.
    pub fn job_at(&self, row: usize) -> Option<JobId> {
        self.jobs.get(row).copied()
    }

    /// The row of a job; `None` if it is not shown.
    pub fn row_of(&self, job: JobId) -> Option<usize> {
        self.row_of.get(job.index()).copied().flatten().map(|row| row as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_shrink_with_their_rows() {
        let job = |number: u32, model: u32| elastiplan_model::Job {
            name: number.to_string(),
            source_row: 0,
            submit_s: f64::from(number),
            model: ModelId(model),
            batch_global: None,
            gpus_requested: 1,
            gpus_min: None,
            gpus_max: None,
            work: elastiplan_model::Work::Samples(1.0),
            deadline_s: None,
            user: None,
            rescale: None,
            batch_range: None,
            priority: None,
        };
        let jobs = [0, 1, 1, 2, 0].into_iter().enumerate().map(|(number, model)| job(number as u32, model)).collect();
        let trace = Trace::new(vec!["a".into(), "b".into(), "c".into()], jobs).unwrap();
        let group = |name: &str, first: usize| RowGroup { name: name.into(), first };
        let rows = Rows::by_submission(&trace).in_groups(vec![group("early", 0), group("middle", 1), group("late", 3)]);
        assert_eq!(
            rows.clone().of_models(&trace, |model| model.0 != 1).groups(),
            [group("early", 0), group("late", 1)]
        );
        assert_eq!(rows.clone().of_models(&trace, |model| model.0 == 2).groups(), [group("late", 0)]);
        assert_eq!(rows.of_models(&trace, |_| false).groups(), []);
    }
}
