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
        let jobs = self.jobs.into_iter().filter(is_shown).collect();
        Self::from_jobs(trace, jobs)
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
        Self { jobs, row_of }
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
