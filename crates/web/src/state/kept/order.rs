//! The page's inputs with all runs of the list, as a worker writes them.

use std::collections::BTreeMap;
use std::sync::Arc;

use elastiplan_engine::Run;
use elastiplan_model::{Availability, Curves, Trace};
use elastiplan_policies::PolicySpec;
use elastiplan_present::runs::RunState;
use elastiplan_text::words::counted;
use elastiplan_worker::keeping::{
    DataSource, KnownResult, ListedPoint, ListedRun, OrderedData, OrderedWorld, PinnedRun, WorkOrder,
};
use elastiplan_workloads::DrawnJobs;

use crate::state::data::{Data, Origin};
use crate::state::inputs::Inputs;
use crate::state::page::Page;
use crate::state::run_spec::RunSpec;
use crate::state::world::World;

/// Points of the picture of a work.
const PICTURE_POINTS: usize = 96;

/// Data that a worker has written, by what they are.
#[derive(Clone, Debug)]
pub struct KnownData {
    part: Part,
    source: Option<DataSource>,
}

/// Data by what they are; jobs with the seed that may have drawn them.
#[derive(Clone, Debug)]
enum Part {
    Jobs(Arc<Trace>, Option<u64>),
    Curves(Arc<Curves>),
    Log(Arc<Availability>),
}

impl Part {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Part::Jobs(own, seed), Part::Jobs(other, other_seed)) => Arc::ptr_eq(own, other) && seed == other_seed,
            (Part::Curves(own), Part::Curves(other)) => Arc::ptr_eq(own, other),
            (Part::Log(own), Part::Log(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl KnownData {
    /// Whether both are the same data.
    pub fn is_same(&self, other: &Self) -> bool {
        self.part.is_same(&other.part)
    }

    /// The data with their source.
    pub fn with(self, source: DataSource) -> Self {
        Self { source: Some(source), ..self }
    }

    /// Whether one of these hashes is of one of their files.
    pub fn is_of(&self, hashes: &[String]) -> bool {
        self.source.as_ref().is_some_and(|source| source.is_of(hashes))
    }
}

/// Whether a run follows the inputs in everything but its policy.
pub(in crate::state) fn is_plain(run: &RunSpec) -> bool {
    !run.is_pinned() && run.overrides.is_empty() && run.forks.is_empty()
}

/// Jobs, machines and policies in words.
pub(super) fn contents(inputs: &Inputs) -> String {
    let jobs = counted(inputs.data.trace.jobs().len() as u64, "job", "jobs");
    let log = if inputs.data.log.is_some() { "node log · " } else { "" };
    let machines = format!("{} × {}", inputs.cluster.nodes(), inputs.cluster.gpus_per_node());
    let runs = counted(inputs.runs().len() as u64, "run", "runs");
    format!("{jobs} · {log}{machines} · {runs}")
}

/// The GPUs in use at equal steps of time, in percent of all.
pub(super) fn picture(run: &Run) -> Vec<u8> {
    let length_s = run.end_s - run.start_s;
    if length_s <= 0.0 || run.gpus_total == 0 {
        return Vec::new();
    }
    let point = |at: usize| {
        let time_s = run.start_s + length_s * (at as f64 + 0.5) / PICTURE_POINTS as f64;
        let row = run.series.row_at(time_s);
        let gpus = row.and_then(|row| run.series.gpus_in_use.get(row)).copied().unwrap_or_default();
        (f64::from(gpus) * 100.0 / f64::from(run.gpus_total)).round().min(100.0) as u8
    };
    (0..PICTURE_POINTS).map(point).collect()
}

/// The data of an order so far.
struct Parts<'a> {
    known: &'a [KnownData],
    ordered: Vec<OrderedData>,
    data: Vec<KnownData>,
}

impl Parts<'_> {
    fn place(&mut self, part: Part, new: impl FnOnce() -> OrderedData) -> u32 {
        let place = self.data.iter().position(|data| data.part.is_same(&part)).unwrap_or_else(|| {
            let source = self.known.iter().find(|data| data.part.is_same(&part)).and_then(|data| data.source.clone());
            self.ordered.push(source.map_or_else(new, OrderedData::Known));
            self.data.push(KnownData { part, source: None });
            self.data.len() - 1
        });
        place as u32
    }

    fn world(&mut self, title: &str, world: &World) -> OrderedWorld {
        let Data { trace, trace_origin, curves, curves_origin, log, .. } = &world.data;
        let seed = world.conditions.seed;
        let drawn = match trace_origin {
            Origin::Sample => Some((DrawnJobs::Sample, seed)),
            Origin::Generated(spec) => Some((DrawnJobs::Generated(spec.clone()), seed)),
            Origin::Published(_) | Origin::Files(_) => None,
        };
        let name = match curves_origin {
            Origin::Published(info) => Some(info.name.clone()),
            _ => None,
        };
        let of_jobs = Part::Jobs(Arc::clone(trace), drawn.is_some().then_some(seed));
        let mut data = vec![
            self.place(of_jobs, || OrderedData::Jobs(Arc::clone(trace), drawn)),
            self.place(Part::Curves(Arc::clone(curves)), || OrderedData::Curves(Arc::clone(curves), name)),
        ];
        if let Some(log) = log {
            let log = &log.availability;
            data.push(self.place(Part::Log(Arc::clone(log)), || OrderedData::Log(Arc::clone(log))));
        }
        let mut scenario = world.scenario().without_data();
        scenario.conditions.availability = None;
        let nodes_in_log = log.as_ref().map_or(0, |log| log.availability.nodes());
        OrderedWorld { title: title.into(), scenario, nodes_in_log, data }
    }
}

impl Page {
    /// The inputs with all runs, and their data: those that are known are named.
    pub(in crate::state) fn work_order(&self, known: &[KnownData]) -> (WorkOrder, Vec<KnownData>) {
        let inputs = self.planner.inputs();
        let mut parts = Parts { known, ordered: Vec::new(), data: Vec::new() };
        let mut worlds = vec![parts.world(&inputs.name, &inputs.world())];
        let places: BTreeMap<u32, usize> = inputs.runs().iter().enumerate().map(|(at, run)| (run.id, at)).collect();
        let shown = self.planner.shown.as_ref().filter(|_| !self.planner.is_stale());
        let digest = |slot: usize| {
            let entry = shown?.entries.get(slot).filter(|entry| entry.state == RunState::Finished)?;
            Some(entry.result.as_ref()?.digest.clone())
        };
        let mut runs = Vec::new();
        for (slot, run) in inputs.runs().iter().enumerate() {
            let pinned = run.pinned.as_ref().map(|pinned| {
                worlds.push(parts.world(&pinned.name, &pinned.world));
                let point = pinned.from_study.as_ref();
                let point = point.map(|point| ListedPoint { values: point.values.clone(), seed: point.seed });
                PinnedRun { document: worlds.len() as u32 - 1, wants_twin: pinned.wants_twin, point }
            });
            runs.push(ListedRun {
                name: run.name.clone(),
                hidden: run.is_hidden,
                set_aside: run.is_set_aside,
                fields: run.overrides.iter().map(|(key, value)| format!("{key}={value}")).collect(),
                forks: run.forks.clone(),
                origin: run.origin.and_then(|id| places.get(&id).copied()),
                pinned,
                digest: digest(slot),
                ..ListedRun::of(run.policy.clone())
            });
        }
        let known = self.known_results(inputs.conditions.seed);
        let order = WorkOrder {
            worlds,
            data: parts.ordered,
            runs,
            policies: plain_policies(inputs),
            study: inputs.study.clone(),
            view: self.shown_view(),
            known,
            build: self.build_id.to_string(),
        };
        (order, parts.data)
    }

    /// Digests of shown runs that follow the inputs.
    fn known_results(&self, seed: u64) -> Vec<KnownResult> {
        let Some(set) = self.planner.shown.as_ref().filter(|_| !self.planner.is_stale()) else { return Vec::new() };
        let mut results: Vec<KnownResult> = Vec::new();
        for (run, entry) in set.inputs.runs().iter().zip(&set.entries) {
            let policy = entry.policy.to_string();
            let is_known = results.iter().any(|other| other.policy == policy);
            if let Some(result) = entry.result.as_ref().filter(|_| entry.state == RunState::Finished)
                && is_plain(run)
                && !is_known
            {
                results.push(KnownResult { policy, seed, digest: result.digest.clone() });
            }
        }
        results
    }
}

/// The policies of a scenario by itself: of runs that follow the inputs, if there are any.
fn plain_policies(inputs: &Inputs) -> Vec<PolicySpec> {
    let is_any_plain = inputs.runs().iter().any(is_plain);
    let mut policies: Vec<PolicySpec> = Vec::new();
    for run in inputs.runs().iter().filter(|run| !is_any_plain || is_plain(run)) {
        if !policies.contains(&run.policy) {
            policies.push(run.policy.clone());
        }
    }
    if policies.is_empty() {
        policies.extend("fixed".parse::<PolicySpec>());
    }
    policies
}
