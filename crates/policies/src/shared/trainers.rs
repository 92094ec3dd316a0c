//! Trainers as BFTrainer lets them in: in order of submission, at most so many at a time, for good.

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_rank;

use crate::parameters::Parameter;
use crate::shared::arrivals::Arrivals;

/// The same as a parameter; where nothing is said, as many as `default`.
pub(crate) const fn max_trainers(default: f64, help: &'static str) -> Parameter {
    Parameter::count("max_trainers", help, default, 0.0..=1000.0)
}

/// What a value of that parameter allows; 0: no limit.
pub(crate) fn most_at_a_time(value: f64) -> usize {
    if value == 0.0 { usize::MAX } else { value as usize }
}

/// Who is in: whoever was let in stays until it ends, whether it holds anything or not.
#[derive(Clone)]
pub(crate) struct Trainers {
    most: usize,
    active: Vec<JobId>,
    arrivals: Arrivals,
}

impl Trainers {
    /// At most so many at a time; 0: no limit.
    pub fn new(most: f64) -> Self {
        Self { most: most_at_a_time(most), active: Vec::new(), arrivals: Arrivals::new() }
    }

    /// To be called at every decision. Those that are in, in order of submission. Whoever runs is in, if another policy
    /// started it; jobs that can never start are dropped.
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

    /// Why a job is not in; `None` if it is.
    pub fn reason_outside(&self, job: JobId) -> Option<String> {
        let is_outside = self.active.binary_search(&job).is_err();
        is_outside.then(|| "Waits: as many jobs as may share the cluster came before it".into())
    }
}
