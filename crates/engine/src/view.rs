//! The read-only view of the cluster that a policy decides on.

use std::collections::BTreeMap;
use std::sync::Arc;

use elastiplan_model::{
    BatchChoices, Configuration, Curve, Curves, Gradients, Job, JobId, KnownPrices, Split, StepTimes, Workload,
    WorkloadJob,
};

use elastiplan_scenario::{Cloud, Conditions};

use crate::places::{Held, Places};
use crate::state::{JobState, State};

/// A job as a policy sees it.
#[derive(Clone, Copy, Debug)]
pub struct JobView<'a> {
    /// The job's id.
    pub id: JobId,
    /// The job as it is in the trace.
    pub job: &'a Job,
    /// GPUs requested and possible.
    pub bound: &'a WorkloadJob,
    /// The job's throughput curve, as profiled.
    pub curve: &'a Curve,
    /// GPUs that the job holds.
    pub gpus: u32,
    /// Whether the job has ever held GPUs.
    pub started: bool,
    /// Estimate of the work left, in samples: exact unless the scenario has estimation errors.
    pub samples_left: f64,
    held: &'a [Held],
    state: &'a JobState,
    time_s: f64,
}

impl JobView<'_> {
    /// GPU-seconds held until now: the service attained.
    pub fn gpu_seconds(&self) -> f64 {
        self.state.gpu_seconds_at(self.time_s)
    }

    /// Samples processed until now.
    pub fn samples_done(&self) -> f64 {
        self.state.samples_at(self.time_s)
    }

    /// Number of changes of its GPUs, resumptions included.
    pub fn rescales(&self) -> u32 {
        self.state.rescales
    }

    /// Rest of the pause after the last change, in seconds.
    pub fn rescale_left_s(&self) -> f64 {
        self.state.unpaid_s(self.time_s)
    }

    /// Time at which the job first held GPUs.
    pub fn first_start_s(&self) -> Option<f64> {
        self.state.first_start_s
    }

    /// Whether the job was admitted.
    pub fn admitted(&self) -> bool {
        self.state.admitted_s.is_some()
    }

    /// The split of the batch over the GPUs that the job holds, and the time of one step of one pass there, as the job
    /// could measure it. `None` for a waiting job, and for a curve that does not know steps.
    pub fn steps(&self) -> Option<(Split, StepTimes)> {
        let shape: Vec<u32> = self.held.iter().map(Held::gpus).collect();
        let (gpus, nodes, batch_global) = (self.gpus, shape.len() as u32, self.batch_global());
        let configuration = Configuration { gpus, nodes, packed: false, batch_global, shape: &shape };
        self.held.first().and_then(|_| self.curve.steps_in(&configuration))
    }

    /// Whether the job runs on so many GPUs with its present batch size or its own.
    pub fn runs_on(&self, gpus: u32) -> bool {
        let is_chosen = self.bound.batches.is_some() && self.state.batch_global.is_some();
        let with_chosen = || gpus >= self.job.gpus_min.unwrap_or(1) && self.curve.samples_per_s(gpus) > 0.0;
        gpus >= self.bound.gpus_min || is_chosen && with_chosen()
    }

    /// Number of nodes that the job runs on.
    pub fn nodes(&self) -> u32 {
        self.held.len() as u32
    }

    /// Gradient statistics at a batch size, at this point of the training; `None` if they are unknown.
    pub fn gradients(&self, batch_global: u32) -> Option<Gradients> {
        let left = self.state.work_left_at(self.time_s);
        self.curve.efficiency()?.gradients(batch_global, left, self.bound.samples)
    }

    /// Throughput on one GPU: the baseline of scaling factors.
    pub fn samples_per_s_single(&self) -> f64 {
        self.curve.samples_per_s_single_at(self.bound.batches.map(|range| range.most))
    }

    /// Present batch size in samples; `None` if it is unknown.
    pub fn batch_global(&self) -> Option<u32> {
        self.state.batch_global.or(self.job.batch_global).or(self.curve.key().batch_global)
    }
}

/// The cluster at the time of a decision.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(crate) workload: &'a Workload,
    pub(crate) profiled: &'a Curves,
    pub(crate) state: &'a State,
    pub(crate) places: &'a Places,
    pub(crate) conditions: &'a Conditions,
    /// Jobs that a fork has changed.
    pub(crate) changed_jobs: &'a BTreeMap<JobId, Arc<Job>>,
    pub(crate) lost: &'a [JobId],
    pub(crate) nodes_ordered: u32,
    pub(crate) nodes_coming: u32,
    pub(crate) time_s: f64,
    pub(crate) jobs_submitted: u32,
}

impl<'a> View<'a> {
    /// Now, in seconds on the clock of the trace.
    pub fn time_s(&self) -> f64 {
        self.time_s
    }

    /// First submission, from which rounds are counted.
    pub fn first_submit_s(&self) -> f64 {
        self.workload.trace().start_s()
    }

    /// Number of jobs submitted until now, ended ones included: their ids are below it.
    pub fn jobs_submitted(&self) -> u32 {
        self.jobs_submitted
    }

    /// GPUs of the nodes that are present.
    pub fn gpus_total(&self) -> u32 {
        self.places.gpus_present()
    }

    /// GPUs of all nodes of the cluster, absent ones included.
    pub fn gpus_most(&self) -> u32 {
        self.places.nodes() * self.places.gpus_per_node()
    }

    /// GPUs that no job holds.
    pub fn gpus_free(&self) -> u32 {
        self.places.gpus_free()
    }

    /// Nodes of the cluster, absent ones included; they are counted from 0.
    pub fn nodes(&self) -> u32 {
        self.places.nodes()
    }

    /// GPUs of each node.
    pub fn gpus_per_node(&self) -> u32 {
        self.places.gpus_per_node()
    }

    /// Nodes ordered from the cloud, those being provisioned included.
    pub fn nodes_ordered(&self) -> u32 {
        self.nodes_ordered
    }

    /// Nodes being provisioned.
    pub fn nodes_coming(&self) -> u32 {
        self.nodes_coming
    }

    /// Limits within which a policy resizes the cluster; `None` if its size is fixed. The most nodes are
    /// [`View::nodes`].
    pub fn cloud(&self) -> Option<&'a Cloud> {
        self.conditions.cloud.as_ref()
    }

    /// Prices since the first submission and for `foresight_s` seconds ahead, at least until the next change. `None` in
    /// a scenario without prices.
    pub fn prices(&self, foresight_s: f64) -> Option<KnownPrices<'a>> {
        let prices = self.conditions.prices.as_deref()?;
        Some(KnownPrices::new(prices, self.first_submit_s(), self.time_s, foresight_s))
    }

    /// Whether a node is present.
    pub fn is_node_present(&self, node: u32) -> bool {
        self.places.is_present(node)
    }

    /// Free GPUs of a node; 0 if it is absent.
    pub fn gpus_free_on(&self, node: u32) -> u32 {
        self.places.free_mask(node).count_ones()
    }

    /// The GPUs that a job holds, in order of nodes.
    pub fn place_of(&self, job: JobId) -> &'a [Held] {
        self.places.of(job)
    }

    /// Jobs that lost GPUs to leaving nodes since the last decision and have not ended, in order of submission.
    pub fn lost(&self) -> &'a [JobId] {
        self.lost
    }

    /// The pause for a change from `gpus_before` to `gpus_after` GPUs, in seconds; from `None` it is the first start. 0
    /// if the number stays, or becomes 0.
    pub fn change_s(&self, job: &JobView<'_>, gpus_before: Option<u32>, gpus_after: u32) -> f64 {
        match gpus_before {
            _ if gpus_after == 0 || gpus_before == Some(gpus_after) => 0.0,
            None => self.conditions.first_start_s(gpus_after),
            Some(gpus_before) => {
                let model = self.workload.trace().model_name(job.job.model);
                self.conditions.rescale_s(Some(job.job), model, gpus_before, gpus_after)
            }
        }
    }

    /// Jobs that hold GPUs, in order of submission.
    pub fn running(&self) -> impl Iterator<Item = JobView<'a>> + use<'a> {
        let view = *self;
        self.state.running().filter_map(move |job| view.known_job(job))
    }

    /// Jobs that hold no GPUs, in order of submission: waiting and preempted ones.
    pub fn waiting(&self) -> impl Iterator<Item = JobView<'a>> + use<'a> {
        let view = *self;
        self.state.waiting().filter_map(move |job| view.known_job(job))
    }

    /// One job; `None` before its submission and after its end.
    pub fn job(&self, job: JobId) -> Option<JobView<'a>> {
        let present = self.state.is_present(job);
        present.then(|| self.known_job(job)).flatten()
    }

    /// The curve of a job's model at another batch size, as profiled; `None` if there is none.
    pub fn curve_at(&self, job: JobId, batch_global: u32) -> Option<&'a Curve> {
        let index = self.workload.curve_at(job, batch_global)?;
        self.profiled.as_slice().get(index as usize)
    }

    /// The batch sizes that a job may have, with their speeds as profiled; `None` if there is no choice.
    pub fn batch_choices(&self, job: &JobView<'_>) -> Option<BatchChoices<'a>> {
        BatchChoices::of(self.profiled, self.workload.trace().model_name(job.job.model), job.bound.batches?)
    }

    /// The view of a job that is known to exist.
    #[inline]
    fn known_job(&self, id: JobId) -> Option<JobView<'a>> {
        let found = self.find(id);
        // Checked in place: passing a view through `require` would copy it once more for each job of each decision.
        self.state.invariants().check(found.is_some(), "the job with its curve", Some(id));
        found
    }

    /// The job as it is in the trace, or as a fork has changed it.
    #[inline]
    fn job_as_changed(&self, id: JobId) -> Option<&'a Job> {
        let changed = self.changed_jobs.get(&id).map(AsRef::as_ref);
        changed.or_else(|| self.workload.trace().jobs().get(id.index()))
    }

    #[inline]
    fn find(&self, id: JobId) -> Option<JobView<'a>> {
        let state = self.state.get(id)?;
        Some(JobView {
            id,
            job: self.job_as_changed(id)?,
            bound: self.workload.jobs().get(id.index())?,
            curve: self.profiled.as_slice().get(state.curve as usize)?,
            gpus: state.gpus,
            started: state.first_start_s.is_some(),
            samples_left: state.work_left_at(self.time_s) * self.state.estimate_factor(id),
            held: self.places.of(id),
            state,
            time_s: self.time_s,
        })
    }
}
