//! A job trace: jobs in order of submission, with the names of their models.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::order::{sort_by, sort_by_number, sort_by_rank};
use crate::{Job, JobError};

/// A job's place in its trace, in order of submission. All columns of a run are indexed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JobId(pub u32);

impl JobId {
    /// As an index into a column.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A model's place in its trace's list of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ModelId(pub u32);

/// Jobs in order of submission; jobs submitted at the same time keep the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Trace {
    models: Vec<String>,
    /// Shared: a scenario and its workload have the same jobs, and there may be millions.
    jobs: Arc<Vec<Job>>,
}

/// The stored form of a trace, not validated.
#[derive(Deserialize)]
#[serde(rename = "Trace")]
struct Unchecked {
    models: Vec<String>,
    jobs: Vec<Job>,
}

impl TryFrom<Unchecked> for Trace {
    type Error = TraceError;

    fn try_from(stored: Unchecked) -> Result<Self, TraceError> {
        Self::new(stored.models, stored.jobs)
    }
}

/// The reason why jobs make no trace.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TraceError {
    /// A job breaks a rule of its own.
    #[error(transparent)]
    Job(#[from] JobError),
    /// Two jobs have one name.
    #[error("job {0} is there twice: names must be unique")]
    DuplicateName(String),
    /// A job's model is not in the list of models.
    #[error("job {job} trains model number {model}, but only {models} models are listed")]
    UnknownModel {
        /// The job's name.
        job: String,
        /// The number it gives.
        model: u32,
        /// The number of models.
        models: usize,
    },
    /// More jobs than a job id can count.
    #[error("{0} jobs are more than a trace can hold")]
    TooManyJobs(usize),
}

impl Trace {
    /// The model of jobs whose table does not name one.
    pub const NO_MODEL: &str = "unknown";

    /// Checks the jobs and puts them in order of submission.
    pub fn new(models: Vec<String>, mut jobs: Vec<Job>) -> Result<Self, TraceError> {
        if u32::try_from(jobs.len()).is_err() {
            return Err(TraceError::TooManyJobs(jobs.len()));
        }
        for job in &jobs {
            job.validate()?;
            if job.model.0 as usize >= models.len() {
                let job_name = job.name.clone();
                return Err(TraceError::UnknownModel { job: job_name, model: job.model.0, models: models.len() });
            }
        }
        if let Some(name) = repeated_name(&jobs) {
            return Err(TraceError::DuplicateName(name.into()));
        }
        sort_by_number(&mut jobs, |job| job.submit_s);
        Ok(Self { models, jobs: Arc::new(jobs) })
    }

    /// The models that jobs train, in order of first appearance in the file.
    pub fn models(&self) -> &[String] {
        &self.models
    }

    /// The jobs, in order of submission.
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// The jobs, for changes that keep them valid and in order.
    pub(crate) fn jobs_mut(&mut self) -> &mut [Job] {
        Arc::make_mut(&mut self.jobs).as_mut_slice()
    }

    /// The name of a model; empty for a number that is not in the list.
    pub fn model_name(&self, model: ModelId) -> &str {
        self.models.get(model.0 as usize).map_or("", String::as_str)
    }

    /// Every job with its id.
    pub fn iter(&self) -> impl Iterator<Item = (JobId, &Job)> {
        (0..).map(JobId).zip(self.jobs.iter())
    }

    /// When the first job was submitted; 0 for an empty trace.
    pub fn start_s(&self) -> f64 {
        self.jobs.first().map_or(0.0, |job| job.submit_s)
    }

    /// The jobs for which `keep` holds, with all models kept in place.
    pub fn filtered(&self, mut keep: impl FnMut(JobId, &Job) -> bool) -> Self {
        let is_kept: Vec<bool> = self.iter().map(|(id, job)| keep(id, job)).collect();
        if is_kept.iter().all(|is_kept| *is_kept) {
            return self.clone();
        }
        let jobs = self.jobs.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(job, _)| job.clone()).collect();
        Self { models: self.models.clone(), jobs: Arc::new(jobs) }
    }
}

/// Whether every name is longer than the one before it, or follows it in the order of bytes, as the names of numbered rows
/// do. Then no two jobs have one name, which takes no sorting to find.
pub fn names_rise(jobs: &[Job]) -> bool {
    jobs.is_sorted_by(|a, b| (a.name.len(), a.name.as_bytes()) < (b.name.len(), b.name.as_bytes()))
}

/// A name that two jobs have. Sorted hashes find it in a tenth of the time that a tree of names takes: traces may have
/// millions of jobs.
fn repeated_name(jobs: &[Job]) -> Option<&str> {
    if names_rise(jobs) {
        return None;
    }
    let hash = |job: &Job| {
        let mut hasher = DefaultHasher::new();
        job.name.hash(&mut hasher);
        hasher.finish()
    };
    let mut hashes: Vec<(u64, u32)> = jobs.iter().map(hash).zip(0..).collect();
    sort_by_rank(&mut hashes, |(hash, _)| *hash);
    let name = |index: u32| jobs.get(index as usize).map_or("", |job| job.name.as_str());
    hashes.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1).find_map(|group| {
        let mut names: Vec<&str> = group.iter().map(|&(_, index)| name(index)).collect();
        sort_by(&mut names, |a, b| a.cmp(b));
        names.windows(2).find(|pair| pair.first() == pair.last()).and_then(|pair| pair.first().copied())
    })
}
