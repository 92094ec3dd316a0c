//! The jobs that metrics are about.

use elastiplan_engine::Run;
use elastiplan_model::JobId;

/// Jobs of a run: all, or some.
pub(crate) struct Selection {
    /// In order of submission, each once.
    pub jobs: Vec<JobId>,
    /// Whether each job of the run is among them; `None` if all are.
    chosen: Option<Vec<bool>>,
}

impl Selection {
    pub fn all(run: &Run) -> Self {
        Self { jobs: run.job_ids().collect(), chosen: None }
    }

    /// The jobs of the run that are in the list, whatever its order.
    pub fn of(run: &Run, jobs: &[JobId]) -> Self {
        let mut chosen = vec![false; run.jobs.outcome.len()];
        for job in jobs {
            if let Some(flag) = chosen.get_mut(job.index()) {
                *flag = true;
            }
        }
        let is_chosen = |job: &JobId| chosen.get(job.index()) == Some(&true);
        Self { jobs: run.job_ids().filter(is_chosen).collect(), chosen: Some(chosen) }
    }

    pub fn is_all(&self) -> bool {
        self.chosen.is_none()
    }

    /// Whether a job is among them.
    pub fn has(&self, job: u32) -> bool {
        self.chosen.as_ref().is_none_or(|chosen| chosen.get(job as usize) == Some(&true))
    }

    /// The values of a column with one row a job.
    pub fn rows<'a, T>(&'a self, column: &'a [T]) -> impl Iterator<Item = &'a T> + 'a {
        self.jobs.iter().filter_map(|job| column.get(job.index()))
    }
}
