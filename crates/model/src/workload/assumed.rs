//! What of a job was assumed because its trace does not say it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Workload;
use crate::{Job, JobId, limits};

/// Something that was assumed of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// Its speed, by a law or by the curve of another model.
    Speed,
    /// Its model, which was drawn.
    Model,
    /// Its deadline, which was drawn.
    Deadline,
    /// The batch sizes that it may have.
    Batches,
    /// Its user, who was drawn.
    User,
}

/// All that was assumed of one job; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumptions(u8);

impl Assumptions {
    /// Whether it is among them.
    pub fn has(self, assumption: Assumption) -> bool {
        self.0 & assumption.bit() != 0
    }

    /// Adds one.
    pub fn add(&mut self, assumption: Assumption) {
        self.0 |= assumption.bit();
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Assumption {
    fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl From<Assumption> for Assumptions {
    fn from(assumption: Assumption) -> Self {
        Self(assumption.bit())
    }
}

impl Workload {
    /// The jobs of which something was assumed.
    pub fn jobs_assuming(&self, assumption: Assumption) -> usize {
        self.jobs.iter().filter(|job| job.assumed.has(assumption)).count()
    }

    /// Notes that something was assumed of a job.
    pub fn note_assumption(&mut self, job: JobId, assumption: Assumption) {
        if let Some(job) = self.jobs.get_mut(job.index()) {
            job.assumed.add(assumption);
        }
    }

    /// Gives deadlines to jobs without one: `deadline_s` gets a job and its run time in seconds on the GPUs that it asks
    /// for. Deadlines are kept within [`limits::TIME_MAX_S`].
    pub fn add_deadlines(&mut self, mut deadline_s: impl FnMut(&Job, f64) -> f64) {
        let curves = self.curves.as_slice();
        for (job, bound) in self.trace.jobs_mut().iter_mut().zip(&mut self.jobs) {
            let samples_per_s = curves.get(bound.curve as usize).map(|curve| curve.samples_per_s(bound.gpus_requested));
            let run_s = samples_per_s.map(|speed| bound.samples / speed).filter(|run_s| run_s.is_finite());
            if let (None, Some(run_s)) = (job.deadline_s, run_s) {
                job.deadline_s = Some(deadline_s(job, run_s).clamp(0.0, limits::TIME_MAX_S));
                bound.assumed.add(Assumption::Deadline);
            }
        }
    }

    /// What the speed of a job follows where its model has no curve: `by amdahl:0.05`, or `like bert`.
    pub fn speed_in_words(&self, job: JobId) -> Option<String> {
        self.jobs.get(job.index()).filter(|bound| bound.assumed.has(Assumption::Speed))?;
        let own = self.trace.jobs().get(job.index()).map(|job| self.trace.model_name(job.model))?;
        let used = &self.curve_of(job)?.key().model;
        let law = used.strip_prefix(own).and_then(|law| law.strip_prefix(' ')).filter(|law| law.starts_with("by "));
        Some(law.map_or_else(|| format!("like {used}"), String::from))
    }

    /// What was assumed of how many jobs: `speed by amdahl:0.05 for 200 jobs`.
    pub fn assumptions_in_words(&self) -> Vec<String> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (id, _) in self.trace.iter() {
            if self.jobs.get(id.index()).is_none_or(|bound| bound.assumed.is_empty()) {
                continue;
            }
            for words in self.assumed_in_words(id).split("; ") {
                // Curves by Sevcik's law differ with the work of a job.
                let (words, _) = words.split_once(" with ").unwrap_or((words, ""));
                *counts.entry(words.into()).or_default() += 1;
            }
        }
        let words = |(words, count): (String, usize)| {
            format!("{words} for {count} {}", if count == 1 { "job" } else { "jobs" })
        };
        counts.into_iter().map(words).collect()
    }

    /// What was assumed of a job: `speed by amdahl:0.05; deadline drawn`. Empty where nothing was.
    pub fn assumed_in_words(&self, job: JobId) -> String {
        let assumed = self.jobs.get(job.index()).map(|job| job.assumed).unwrap_or_default();
        let speed = self.speed_in_words(job).map(|law| format!("speed {law}"));
        let others = [
            (Assumption::Model, "model drawn"),
            (Assumption::Deadline, "deadline drawn"),
            (Assumption::Batches, "batch sizes assumed"),
            (Assumption::User, "user drawn"),
        ];
        let others = others.into_iter().filter(|(known, _)| assumed.has(*known)).map(|(_, words)| words.to_string());
        speed.into_iter().chain(others).collect::<Vec<_>>().join("; ")
    }
}
