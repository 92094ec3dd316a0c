//! Trainers as BFTrainer admits them: in order of submission, at most so many at a time, until they end.

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_rank;

use crate::parameters::Parameter;
use crate::shared::arrivals::Arrivals;

/// The limit to the Trainers at a time, as a parameter.
pub(crate) const fn max_trainers(default: f64, help: &'static str) -> Parameter {
    Parameter::count("max_trainers", help, default, 0.0..=1000.0)
}

/// The admitted Trainers. Each stays until it ends, whether it holds GPUs or not.
#[derive(Clone)]
pub(crate) struct Trainers {
    most: usize,
    active: Vec<JobId>,
    arrivals: Arrivals,
}

impl Trainers {
    /// At most `most` at a time.
    pub fn new(most: u32) -> Self {
        Self { most: most as usize, active: Vec::new(), arrivals: Arrivals::default() }
    }

    /// Call at every decision. Returns the admitted jobs in order of submission. Jobs that another policy started are
    /// admitted; jobs that can never start are dropped.
    pub fn admit<'a>(&mut self, view: &View<'a>, actions: &mut Vec<Action>) -> Vec<JobView<'a>> {
        self.arrivals.admit(view, |job| job.bound.gpus_min, actions);
        self.active.retain(|job| view.job(*job).is_some());
        let is_new = |active: &[JobId], job: JobId| active.binary_search(&job).is_err();
        let running: Vec<JobId> = view.running().map(|job| job.id).filter(|job| is_new(&self.active, *job)).collect();
        self.add(running);
        let places = self.most.saturating_sub(self.active.len());
        let can_start = |job: &JobView<'_>| job.started || job.bound.gpus_min <= view.gpus_most();
        let waiting = view.waiting().filter(can_start).map(|job| job.id).filter(|job| is_new(&self.active, *job));
        let waiting: Vec<JobId> = waiting.take(places).collect();
        self.add(waiting);
        self.active.iter().filter_map(|job| view.job(*job)).collect()
    }

    fn add(&mut self, jobs: Vec<JobId>) {
        self.active.extend(jobs);
        sort_by_rank(&mut self.active, |job| job.0.into());
    }

    /// The reason for which a job is not admitted; `None` if it is.
    pub fn reason_outside(&self, job: JobId) -> Option<String> {
        let is_outside = self.active.binary_search(&job).is_err();
        is_outside.then(|| "Waits: as many jobs as may share the cluster came before it".into())
    }
}
