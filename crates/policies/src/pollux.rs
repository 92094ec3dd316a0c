//! `pollux`: GPUs and batch sizes together, so that the most training gets done in the cluster.
//!
//! Qiao et al., "Pollux: Co-adaptive Cluster Scheduling for Goodput-Optimized Deep Learning". Each job measures how
//! long its steps take and how noisy its gradients are, and fits a model of its goodput to that (sections 3 and 4.1).
//! In every round the allocation with the largest weighted mean of speed-ups is searched, in which restarts cost
//! something and no node has two jobs that are spread over several (section 4.2); then every job takes the batch size
//! that gets most done on what it has. A job whose batch size can be chosen starts on one GPU and may at most double
//! what it has had.
//!
//! The search exchanges a few jobs at a time, which finds better allocations sooner than the paper's; `genetic=true` is
//! the paper's. The speed of jobs whose batch size cannot be chosen is that of their curve. `artifact=true` is the
//! published simulator where that departs from the paper: `artifact/pollux.rs`.
//!
//! Where the nodes are rented, it orders as many as are used well: so many that the sum of speed-ups over all GPUs is
//! between `low_utility` and `high_utility` (section 4.2.2).
//!
//! ```text
//! 4 GPUs, in rounds of 1 s; a is as many times faster as it has GPUs, b 1.2 times on two
//! a 3333   b 1111      a second GPU would be worth less to b than a restart costs
//! ```

pub(crate) mod agent;
mod fits;
pub(crate) mod rules;
mod search;

use std::collections::BTreeMap;

use elastiplan_engine::{Action, JobView, NodeGpus, Policy, View};
use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_number;
use elastiplan_solvers::placement_search::{Problem, SearchJob, weight};

use agent::Agent;
use fits::Fits;
use rules::Rules;
use search::Search;

use crate::artifact;
use crate::parameters::{Entry, Parameter, Parameters, YEAR_S};
use crate::shared::actions::set_batch;
use crate::shared::arrivals::Arrivals;
use crate::shared::node_count::{Band, HIGH_UTILITY, LOW_UTILITY, resize};
use crate::shared::places::{gpus_held, present_nodes};
use crate::shared::rivals::ARTIFACT;
use crate::shared::rounds::{INTERVAL, Rounds};
use crate::shared::words;

const REPORT_S: Parameter = Parameter::number(
    "report_s",
    "Seconds between reports, in which a job fits its model anew and chooses its batch size",
    30.0,
    0.0..=YEAR_S,
);
const POWER: Parameter = Parameter::number(
    "power",
    "Which mean of speed-ups is to be largest: 1 the arithmetic (the paper), 0 the geometric, -1 the harmonic",
    1.0,
    -10.0..=1.0,
);
const WEIGHT_DECAY: Parameter = Parameter::number(
    "weight_decay",
    "How fast jobs lose weight with the GPU time that they have had: lambda in eq. 16",
    0.5,
    0.0..=10.0,
);
const WEIGHT_THRESHOLD_GPU_H: Parameter =
    Parameter::number("weight_threshold_gpu_h", "GPU-hours after which a job begins to lose weight", 4.0, 0.0..=1e9);
const RESTART_PENALTY: Parameter =
    Parameter::number("restart_penalty", "What a restart takes from a job's speed-up", 0.25, 0.0..=1e6);
const AVOID_INTERFERENCE: Parameter =
    Parameter::flag("avoid_interference", "No node has two jobs that are spread over several nodes", true);
const GENETIC: Parameter = Parameter::flag("genetic", "Search as the paper does", false);
const POPULATION: Parameter = Parameter::count(
    "population",
    "With genetic=true: how many allocations live on from generation to generation",
    100.0,
    2.0..=10_000.0,
);
const ROUNDS: Parameter = Parameter::count(
    "rounds",
    "How long to search at most: generations, or rounds of 100 exchanges",
    5.0,
    1.0..=1000.0,
);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "pollux",
    summary: "GPUs and batch sizes together, so that the most training gets done",
    source: "Pollux, sections 3 and 4",
    is_elastic: true,
    parameters: &[
        INTERVAL,
        REPORT_S,
        POWER,
        WEIGHT_DECAY,
        WEIGHT_THRESHOLD_GPU_H,
        RESTART_PENALTY,
        AVOID_INTERFERENCE,
        GENETIC,
        POPULATION,
        ROUNDS,
        LOW_UTILITY,
        HIGH_UTILITY,
        ARTIFACT,
    ],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let rules = match parameters.flag(&ARTIFACT) {
        true => artifact::pollux::RULES,
        false => Rules::of_paper(parameters.number(&POWER), parameters.number(&WEIGHT_DECAY)),
    };
    Box::new(Pollux {
        rounds: Rounds::new(parameters.number(&INTERVAL)),
        reports: Rounds::new(parameters.number(&REPORT_S)),
        rules,
        weight_threshold_gpu_s: parameters.number(&WEIGHT_THRESHOLD_GPU_H) * 3600.0,
        restart_penalty: parameters.number(&RESTART_PENALTY),
        avoid_interference: parameters.flag(&AVOID_INTERFERENCE),
        band: Band { low: parameters.number(&LOW_UTILITY), high: parameters.number(&HIGH_UTILITY) },
        search: Search::new(
            parameters.flag(&GENETIC).then(|| (rules.breeding, parameters.number(&POPULATION) as usize)),
            parameters.number(&ROUNDS) as u32,
            parameters.seed,
        ),
        settled: None,
        agents: BTreeMap::new(),
        fits: Fits::default(),
        arrivals: Arrivals::default(),
    })
}

#[derive(Clone)]
struct Pollux {
    rounds: Rounds,
    reports: Rounds,
    rules: Rules,
    weight_threshold_gpu_s: f64,
    restart_penalty: f64,
    avoid_interference: bool,
    band: Band,
    search: Search,
    /// GPUs of nodes and jobs for which the search found nothing better than the current allocation.
    settled: Option<(Vec<u16>, Vec<SearchJob>)>,
    agents: BTreeMap<JobId, Agent>,
    fits: Fits,
    arrivals: Arrivals,
}

impl Policy for Pollux {
    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        let agent = self.agents.get(&job.id)?;
        if job.gpus == 0 {
            return Some("Waits: others make more of the GPUs, or nothing is free yet".into());
        }
        let speed = |gpus: u32, nodes: u32| agent.speed(job, view, gpus, nodes, &self.rules.agents);
        let times = speed(job.gpus, job.nodes()) / speed(1, 1);
        let batch = job.batch_global().map(|batch| format!(", with a batch of {batch}")).unwrap_or_default();
        Some(format!("Gets {times:.1} times as much done on {} as it would on one{batch}", words::gpus(job.gpus)))
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let (to_schedule, to_report) = (self.rounds.is_due(view, actions), self.reports.is_due(view, actions));
        if to_schedule || to_report {
            for job in view.running() {
                self.agents.entry(job.id).or_default().observe(&job, &self.rules.agents, &self.fits);
            }
        }
        if !to_schedule {
            if to_report {
                self.choose_batches(view, actions);
            }
            return;
        }
        for job in self.arrivals.admit(view, |job| job.bound.gpus_min, actions) {
            self.agents.entry(job.id).or_default();
        }
        self.agents.retain(|job, _| view.job(*job).is_some());
        let mut jobs: Vec<JobView<'_>> = self.agents.keys().filter_map(|job| view.job(*job)).collect();
        // Jobs are in order of submission, and stay so with equal GPU time: of two that interfere, the first one stays.
        sort_by_number(&mut jobs, JobView::gpu_seconds);
        let rows = self.rows(view, &jobs, actions);
        let is_of_use = |(job, row): (&JobView<'_>, &Vec<u16>)| {
            let (gpus, nodes) = extent(row);
            self.agents.get(&job.id).is_some_and(|agent| agent.runs_on(gpus, nodes))
        };
        if !jobs.iter().zip(&rows).any(is_of_use) {
            self.start_one(view, &jobs, actions);
            return;
        }
        for (job, row) in jobs.iter().zip(rows) {
            self.settle(view, job, &row, actions);
        }
    }
}

impl Pollux {
    /// GPUs on each node for each job.
    fn rows(&mut self, view: &View<'_>, jobs: &[JobView<'_>], actions: &mut Vec<Action>) -> Vec<Vec<u16>> {
        let candidates: Vec<SearchJob> = jobs.iter().map(|job| self.candidate(view, job, jobs.len())).collect();
        let per_node = view.gpus_per_node() as u16;
        let mut node_gpus = vec![0; view.nodes() as usize];
        for node in self.nodes(view, jobs, &candidates, actions) {
            if let Some(gpus) = node_gpus.get_mut(node as usize) {
                *gpus = per_node;
            }
        }
        let current = || candidates.iter().map(|job| job.current.clone()).collect::<Vec<_>>();
        // The last search found nothing better, and nothing has changed since.
        if self.settled.as_ref().is_some_and(|(gpus, jobs)| *gpus == node_gpus && *jobs == candidates) {
            return current();
        }
        let rows = match Problem::new(&node_gpus, candidates.clone(), self.rules.mean, self.avoid_interference) {
            Ok(problem) => {
                let ids: Vec<JobId> = jobs.iter().map(|job| job.id).collect();
                self.search.best(&problem, &ids)
            }
            // The numbers have no mean: the allocation stays as it is.
            Err(_) => current(),
        };
        self.settled = (rows == current()).then_some((node_gpus, candidates));
        rows
    }

    /// The nodes to use: the present ones or, in a cloud, those that stay. Orders as many as are used well (section
    /// 4.2.2).
    fn nodes(
        &self,
        view: &View<'_>,
        jobs: &[JobView<'_>],
        candidates: &[SearchJob],
        actions: &mut Vec<Action>,
    ) -> Vec<u32> {
        let Some(cloud) = view.cloud() else {
            return present_nodes(view).collect();
        };
        let per_node = view.gpus_per_node() as u16;
        let first = jobs.iter().min_by_key(|job| job.id).map_or(0, |job| job.bound.gpus_min);
        let utility = |nodes: u32| self.search.utility(candidates, nodes, per_node, self.rules.mean);
        resize(view, cloud.nodes_min, jobs, first, self.band, utility, actions)
    }

    fn candidate(&mut self, view: &View<'_>, job: &JobView<'_>, jobs: usize) -> SearchJob {
        let mut current = vec![0; view.nodes() as usize];
        for held in view.place_of(job.id) {
            if let Some(gpus) = current.get_mut(held.node as usize) {
                *gpus = held.gpus() as u16;
            }
        }
        let rules = self.rules;
        let agent = self.agents.entry(job.id).or_default();
        let gpus_max = agent.gpus_max(job, view.gpus_most()).max(job.gpus);
        let base = (rules.base_speed)(agent, view, job, jobs);
        let times = |speed: f64| if base > 0.0 { speed / base } else { 0.0 };
        let speeds = agent.speeds(job, view, gpus_max, &rules.agents);
        let on_one_node = speeds.on_one_node.iter().map(|speed| times(*speed)).collect();
        let on_several = speeds.on_several.iter().map(|speed| times(*speed)).collect();
        SearchJob {
            current,
            weight: self.weight(job),
            on_one_node,
            on_several,
            restart: (rules.restart)(view, job, self.restart_penalty),
        }
    }

    fn weight(&self, job: &JobView<'_>) -> f64 {
        weight(job.gpu_seconds(), self.weight_threshold_gpu_s, self.rules.weight_decay).max(1e-9)
    }

    /// Starts the first job that fits on its fewest GPUs. Used when a short search found nothing that any job runs on.
    fn start_one(&self, view: &View<'_>, jobs: &[JobView<'_>], actions: &mut Vec<Action>) {
        let fewest = |job: &JobView<'_>| {
            let mut left = job.bound.gpus_min;
            let mut take = |node: u32| {
                let gpus = left.min(view.gpus_per_node());
                left -= gpus;
                (gpus > 0).then_some(NodeGpus { node, gpus })
            };
            let on: Vec<NodeGpus> = present_nodes(view).map_while(&mut take).collect();
            let agent = self.agents.get(&job.id)?;
            (left == 0 && agent.runs_on(job.bound.gpus_min, on.len() as u32)).then_some((job.id, on))
        };
        let started = jobs.iter().find_map(fewest);
        let others = jobs.iter().filter(|job| job.gpus > 0 && started.as_ref().is_none_or(|(id, _)| *id != job.id));
        actions.extend(others.map(|job| Action::Place { job: job.id, on: Vec::new() }));
        actions.extend(started.map(|(job, on)| Action::Place { job, on }));
    }

    /// Lets running jobs choose their batch sizes between rounds.
    fn choose_batches(&self, view: &View<'_>, actions: &mut Vec<Action>) {
        for job in view.running() {
            let agent = self.agents.get(&job.id);
            let batch = agent.and_then(|agent| agent.batch(&job, view, job.gpus, job.nodes(), &self.rules.agents));
            set_batch(&job, batch, actions);
        }
    }

    /// Places a job on its row, and chooses its batch size.
    fn settle(&self, view: &View<'_>, job: &JobView<'_>, row: &[u16], actions: &mut Vec<Action>) {
        let moved = (0..).zip(row).any(|(node, gpus)| gpus_held(view, job.id, node) != u32::from(*gpus));
        let taken = (0..).zip(row).filter(|(_, gpus)| **gpus > 0);
        let mut on: Vec<NodeGpus> = taken.map(|(node, gpus)| NodeGpus { node, gpus: u32::from(*gpus) }).collect();
        let (gpus, nodes) = extent(row);
        let Some(agent) = self.agents.get(&job.id) else { return };
        // The search may give a job spare GPUs on which it does not run.
        let is_of_use = agent.runs_on(gpus, nodes);
        if moved && !is_of_use {
            on.clear();
        }
        if moved && (is_of_use || job.gpus > 0) {
            actions.push(Action::Place { job: job.id, on });
        }
        if !is_of_use {
            return;
        }
        set_batch(job, agent.batch(job, view, gpus, nodes, &self.rules.agents), actions);
    }
}

/// GPUs and nodes of a row.
fn extent(row: &[u16]) -> (u32, u32) {
    let taken = row.iter().filter(|gpus| **gpus > 0);
    taken.fold((0, 0), |(gpus, nodes), taken| (gpus + u32::from(*taken), nodes + 1))
}
