//! What a scheduling policy sees.

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
    /// Its id.
    pub id: JobId,
    /// As it stands in the trace.
    pub job: &'a Job,
    /// GPUs asked for and possible.
    pub bound: &'a WorkloadJob,
    /// Its throughput curve, as it was profiled.
    pub curve: &'a Curve,
    /// GPUs it holds now.
    pub gpus: u32,
    /// Whether it has ever held GPUs.
    pub started: bool,
    /// An estimate of the work left, in samples: exact unless the scenario says that estimates are off.
    pub samples_left: f64,
    held: &'a [Held],
    state: &'a JobState,
    time_s: f64,
}

impl JobView<'_> {
    /// GPUs held times seconds until now: the service it has got.
    pub fn gpu_seconds(&self) -> f64 {
        self.state.gpu_seconds_at(self.time_s)
    }

    /// Samples processed until now.
    pub fn samples_done(&self) -> f64 {
        self.state.samples_at(self.time_s)
    }

    /// Its GPUs were changed, or it came back from a preemption, so often.
    pub fn rescales(&self) -> u32 {
        self.state.rescales
    }

    /// Seconds without progress still to come after the last change.
    pub fn rescale_left_s(&self) -> f64 {
        self.state.unpaid_s(self.time_s)
    }

    /// When it first held GPUs.
    pub fn first_start_s(&self) -> Option<f64> {
        self.state.first_start_s
    }

    /// Whether it was promised to run.
    pub fn admitted(&self) -> bool {
        self.state.admitted_s.is_some()
    }

    /// How its batch is split over the GPUs it holds, and how long one step of one pass takes there: what it could
    /// measure. `None` for a job that waits, and where speed is not known by steps.
    pub fn steps(&self) -> Option<(Split, StepTimes)> {
        let shape: Vec<u32> = self.held.iter().map(Held::gpus).collect();
        let (gpus, nodes, batch_global) = (self.gpus, shape.len() as u32, self.batch_global());
        let configuration = Configuration { gpus, nodes, packed: false, batch_global, shape: &shape };
        self.held.first().and_then(|_| self.curve.steps_in(&configuration))
    }

    /// Nodes that its GPUs are on.
    pub fn nodes(&self) -> u32 {
        self.held.len() as u32
    }

    /// Gradient statistics at a batch size, at this point of its training; `None` where they are not known.
    pub fn gradients(&self, batch_global: u32) -> Option<Gradients> {
        let left = self.state.work_left_at(self.time_s);
        self.curve.efficiency()?.gradients(batch_global, left, self.bound.samples)
    }

    /// Throughput on one GPU: the baseline of its scaling factors.
    pub fn samples_per_s_single(&self) -> f64 {
        self.curve.samples_per_s_single_at(self.bound.batches.map(|range| range.most))
    }

    /// The batch size it trains with, in samples, where that is known.
    pub fn batch_global(&self) -> Option<u32> {
        self.state.batch_global.or(self.job.batch_global).or(self.curve.key().batch_global)
    }
}

/// The cluster at the moment of a decision: read-only.
pub struct View<'a> {
    pub(crate) workload: &'a Workload,
    pub(crate) profiled: &'a Curves,
    pub(crate) state: &'a State,
    pub(crate) places: &'a Places,
    pub(crate) conditions: &'a Conditions,
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

    /// When the first job is submitted: rounds are counted from then.
    pub fn first_submit_s(&self) -> f64 {
        self.workload.trace().start_s()
    }

    /// How many jobs have been submitted until now, ended ones included: their ids are below this number.
    pub fn jobs_submitted(&self) -> u32 {
        self.jobs_submitted
    }

    /// GPUs of the nodes that are there now.
    pub fn gpus_total(&self) -> u32 {
        self.places.gpus_present()
    }

    /// The most GPUs that the cluster can have: those of all its nodes.
    pub fn gpus_most(&self) -> u32 {
        self.places.nodes() * self.places.gpus_per_node()
    }

    /// GPUs that no job holds.
    pub fn gpus_free(&self) -> u32 {
        self.places.gpus_free()
    }

    /// Nodes that the cluster can have; they are counted from 0.
    pub fn nodes(&self) -> u32 {
        self.places.nodes()
    }

    /// GPUs of each node.
    pub fn gpus_per_node(&self) -> u32 {
        self.places.gpus_per_node()
    }

    /// Nodes that were ordered, where a policy sizes the cluster: those on the way included.
    pub fn nodes_ordered(&self) -> u32 {
        self.nodes_ordered
    }

    /// Nodes that were ordered and are being provisioned.
    pub fn nodes_coming(&self) -> u32 {
        self.nodes_coming
    }

    /// Within what limits a policy sizes the cluster; `None` where its size is fixed. The most nodes are
    /// [`View::nodes`].
    pub fn cloud(&self) -> Option<&'a Cloud> {
        self.conditions.cloud.as_ref()
    }

    /// What a GPU costs now, in dollars an hour; `None` in a scenario without prices.
    pub fn price_per_gpu_hour(&self) -> Option<f64> {
        self.conditions.prices.as_deref().map(|prices| prices.at(self.time_s))
    }

    /// Prices as somebody knows them who sees so many seconds ahead: since the first submission, and at least until the
    /// price changes next. `None` in a scenario without prices.
    pub fn prices(&self, foresight_s: f64) -> Option<KnownPrices<'a>> {
        self.conditions
            .prices
            .as_deref()
            .map(|prices| KnownPrices::new(prices, self.first_submit_s(), self.time_s, foresight_s))
    }

    /// Whether a node is there.
    pub fn is_node_present(&self, node: u32) -> bool {
        self.places.is_present(node)
    }

    /// GPUs of a node that no job holds; 0 if it is away.
    pub fn gpus_free_on(&self, node: u32) -> u32 {
        self.places.free_mask(node).count_ones()
    }

    /// Jobs that hold GPUs of a node.
    pub fn jobs_on(&self, node: u32) -> &'a [JobId] {
        self.places.jobs_on(node)
    }

    /// Where a job is, in order of nodes.
    pub fn place_of(&self, job: JobId) -> &'a [Held] {
        self.places.of(job)
    }

    /// Jobs that nodes which left took GPUs from since the last decision and that have not ended, in order of
    /// submission.
    pub fn lost(&self) -> &'a [JobId] {
        self.lost
    }

    /// Seconds without progress if a job went from so many GPUs to so many; from `None` it is its first start. Nothing
    /// for a job that keeps what it has, or loses all.
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
        let look = self.look();
        self.state.running().filter_map(move |job| look.at(job))
    }

    /// Jobs that hold none, in order of submission: those that wait and those that were preempted.
    pub fn waiting(&self) -> impl Iterator<Item = JobView<'a>> + use<'a> {
        let look = self.look();
        self.state.waiting().filter_map(move |job| look.at(job))
    }

    /// One job; `None` if it was not submitted yet or has ended.
    pub fn job(&self, job: JobId) -> Option<JobView<'a>> {
        let present = self.state.is_present(job);
        present.then(|| self.look().at(job)).flatten()
    }

    /// The curve of a job's model at another batch size, as it was profiled; `None` if there is none.
    pub fn curve_at(&self, job: JobId, batch_global: u32) -> Option<&'a Curve> {
        let index = self.workload.curve_at(job, batch_global)?;
        self.profiled.as_slice().get(index as usize)
    }

    /// The batch sizes that a job may have, with their speeds as they were profiled; `None` where there is no choice.
    pub fn batch_choices(&self, job: &JobView<'_>) -> Option<BatchChoices<'a>> {
        BatchChoices::of(self.profiled, self.workload.trace().model_name(job.job.model), job.bound.batches?)
    }

    fn look(&self) -> Look<'a> {
        let View { workload, profiled, state, places, time_s, .. } = *self;
        Look { workload, profiled, state, places, time_s }
    }
}

/// What a view of one job is made from.
#[derive(Clone, Copy)]
struct Look<'a> {
    workload: &'a Workload,
    profiled: &'a Curves,
    state: &'a State,
    places: &'a Places,
    time_s: f64,
}

impl<'a> Look<'a> {
    fn at(&self, id: JobId) -> Option<JobView<'a>> {
        let state = self.state.get(id)?;
        Some(JobView {
            id,
            job: self.workload.trace().jobs().get(id.index())?,
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
