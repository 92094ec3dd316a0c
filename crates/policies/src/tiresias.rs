//! `tiresias`: the job that has had the least GPU time goes first, in three queues, on the GPUs it asked for, preemptive.
//!
//! Two-dimensional least attained service with discretised queues (Gu et al., "Tiresias: A GPU Cluster Manager for
//! Distributed Deep Learning", NSDI 2019, section 3.2), as ElasticFlow compares itself with it (section 6.1). A job
//! starts in the first queue and moves down when the GPU time it has had reaches the limit of its queue; it never moves
//! up. Jobs run in order of their queues and, within one, of submission; one that does not fit is skipped. Neither run
//! times nor deadlines are known to it.
//!
//! With `artifact=true` it does what the published simulator of ElasticFlow does where that differs: see
//! docs/fidelity.md.
//!
//! With `two_queues=true` it is the rival in Pollux: two queues with one limit, decided on in fixed rounds.
//!
//! ```text
//! 1 GPU, limits 3 and 9 GPU-seconds; a takes 5 s, b comes at 2 and takes 2 s
//! a 111--11   b   .11        at 3 a moves to the second queue, and b comes first
//! ```

mod two_queues;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use elastiplan_engine::{Action, Cadence, JobView, Policy, View};
use elastiplan_model::JobId;

use crate::artifact::merged_events::MergedEvents;
use crate::artifact::overheads::ArtifactOverheads;
use crate::parameters::{Entry, Parameter, Parameters};
use crate::shared::arrivals::{Arrivals, gpus_rigid};
use crate::shared::rivals::{ARTIFACT, INTERVAL, LAST_SUBMIT};
use two_queues::TwoQueues;

const FIRST_LIMIT_GPU_S: Parameter =
    Parameter::number("first_limit_gpu_s", "GPU-seconds after which a job leaves the first queue", 3250.0, 0.0..=1e12);
const SECOND_LIMIT_GPU_S: Parameter = Parameter::number(
    "second_limit_gpu_s",
    "GPU-seconds after which a job leaves the second queue",
    7200.0,
    0.0..=1e12,
);
const TWO_QUEUES: Parameter =
    Parameter::flag("two_queues", "Two queues, decided on in rounds of interval_s, as the rival in Pollux", false);
const TWO_QUEUE_LIMIT_GPU_S: Parameter = Parameter::number(
    "two_queue_limit_gpu_s",
    "With two_queues=true: GPU-seconds after which a job leaves the first queue",
    57_600.0,
    0.0..=1e12,
);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "tiresias",
    summary: "The least GPU time so far first, on the GPUs each job asked for, with interruptions",
    source: "Tiresias, section 3.2 (2D-LAS with queues), as the rival in ElasticFlow, section 6.1",
    is_elastic: false,
    has_program: false,
    parameters: &[
        INTERVAL,
        FIRST_LIMIT_GPU_S,
        SECOND_LIMIT_GPU_S,
        ARTIFACT,
        LAST_SUBMIT,
        TWO_QUEUES,
        TWO_QUEUE_LIMIT_GPU_S,
    ],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let interval_s = parameters.number(&INTERVAL);
    if parameters.flag(&TWO_QUEUES) {
        return Box::new(TwoQueues::new(interval_s, parameters.number(&TWO_QUEUE_LIMIT_GPU_S)));
    }
    Box::new(Tiresias {
        interval_s,
        limits_gpu_s: [parameters.number(&FIRST_LIMIT_GPU_S), parameters.number(&SECOND_LIMIT_GPU_S)],
        published: parameters.flag(&ARTIFACT).then(|| Published {
            merged: MergedEvents::with_ends_apart(interval_s, parameters.number(&LAST_SUBMIT)),
            overheads: ArtifactOverheads::new(interval_s),
            debts_s: BTreeMap::new(),
            paying: BTreeMap::new(),
            running: BTreeSet::new(),
        }),
        queues: Default::default(),
        alarm_s: None,
        arrivals: Arrivals::new(),
    })
}

/// How much below its limit GPU time may be to count as there: the clock has only so many digits.
const TOLERANCE_GPU_S: f64 = 1e-6;

#[derive(Clone)]
struct Tiresias {
    interval_s: f64,
    limits_gpu_s: [f64; 2],
    published: Option<Published>,
    /// In order of service.
    queues: [Vec<JobId>; 3],
    /// When the next job moves down.
    alarm_s: Option<f64>,
    arrivals: Arrivals,
}

/// As the published simulator. A start is charged at the next decision: a job that ends before pays nothing.
#[derive(Clone)]
struct Published {
    merged: MergedEvents,
    overheads: ArtifactOverheads,
    /// What jobs that run, or did, have not paid for their last start.
    debts_s: BTreeMap<JobId, f64>,
    /// Until when jobs pay, and how much of it they owed before.
    paying: BTreeMap<JobId, (f64, f64)>,
    running: BTreeSet<JobId>,
}

impl Policy for Tiresias {
    fn cadence(&self) -> Cadence {
        match &self.published {
            Some(_) => Cadence::OnEvents,
            None => Cadence::AtMostEvery { interval_s: self.interval_s },
        }
    }

    fn explain(&self, view: &View<'_>, job: JobId) -> Option<String> {
        let job = view.job(job)?;
        let (queue, place) = self.queues.iter().enumerate().find_map(|(number, queue)| {
            let place = queue.iter().position(|other| *other == job.id)?;
            Some((number + 1, place))
        })?;
        let had = job.gpu_seconds().round();
        let ahead = self.queues.iter().take(queue - 1).map(Vec::len).sum::<usize>() + place;
        Some(match job.gpus {
            0 => format!(
                "Waits in queue {queue} for {}, {ahead} before it: has had {had} GPU-seconds",
                job.bound.gpus_requested
            ),
            gpus => format!("Runs on the {gpus} it asked for, from queue {queue}: has had {had} GPU-seconds"),
        })
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        if let Some(published) = &mut self.published {
            if !published.merged.is_due(view, self.alarm_s, actions) {
                published.overheads.give(view, actions);
                return;
            }
            published.stop_paying(view.time_s());
        }
        let arrived = self.arrivals.admit(view, |job| job.bound.gpus_requested, actions);
        for queue in &mut self.queues {
            queue.retain(|job| view.job(*job).is_some());
        }
        let [first, ..] = &mut self.queues;
        first.extend(arrived.iter().map(|job| job.id));
        self.move_down(view);
        let wanted = self.serve(view);
        let running: BTreeSet<JobId> = wanted.iter().filter(|(_, gpus)| *gpus > 0).map(|(job, _)| job.id).collect();
        self.set_alarm(view, &running, actions);
        match &mut self.published {
            Some(published) => published.carry_out(view, &wanted, running, actions),
            None => {
                let changed = wanted.into_iter().filter(|(job, gpus)| *gpus != job.gpus);
                actions.extend(changed.map(|(job, gpus)| Action::Allocate { job: job.id, gpus }));
            }
        }
    }
}

impl Tiresias {
    /// The GPU time that counts. The published simulator leaves out what was spent on starting.
    fn served_gpu_s(&self, job: &JobView<'_>) -> f64 {
        let gpus = job.bound.gpus_requested;
        let speed = job.curve.samples_per_s(gpus);
        match &self.published {
            Some(published) if speed > 0.0 => {
                let debt_s = published.debts_s.get(&job.id).copied().unwrap_or(0.0);
                (job.samples_done() / speed - debt_s).max(0.0) * f64::from(gpus)
            }
            _ => job.gpu_seconds(),
        }
    }

    /// Moves jobs that have had enough to the end of the next queue. The published simulator moves a job by one queue
    /// at a time, and only one that runs.
    fn move_down(&mut self, view: &View<'_>) {
        let order = if self.published.is_some() { [1, 0] } else { [0, 1] };
        for number in order {
            let Some(limit_gpu_s) = self.limits_gpu_s.get(number).copied() else { continue };
            let queue = self.queues.get_mut(number).map(std::mem::take).unwrap_or_default();
            let has_had_enough = |job: &JobId| {
                let runs = self.published.as_ref().is_none_or(|published| published.running.contains(job));
                view.job(*job)
                    .filter(|_| runs)
                    .is_some_and(|job| self.served_gpu_s(&job) + TOLERANCE_GPU_S >= limit_gpu_s)
            };
            let (mut down, stay) = queue.into_iter().partition::<Vec<JobId>, _>(has_had_enough);
            // The widest first: there they come in this order.
            down.sort_by_key(|job| (Reverse(view.job(*job).map_or(0, |job| job.bound.gpus_requested)), *job));
            if let Some(queue) = self.queues.get_mut(number) {
                *queue = stay;
            }
            if let Some(next) = self.queues.get_mut(number + 1) {
                next.extend(down);
            }
        }
    }

    /// Whom there is room for, in order of the queues: what each job gets.
    fn serve<'a>(&mut self, view: &View<'a>) -> Vec<(JobView<'a>, u32)> {
        let mut free = view.gpus_total();
        let mut wanted = Vec::new();
        for queue in &mut self.queues {
            if self.published.is_none() {
                queue.sort_unstable();
            }
            let mut passed_over = Vec::new();
            queue.retain(|id| {
                let Some(job) = view.job(*id) else { return false };
                // What another policy started goes on as it is.
                let gpus = if job.gpus > 0 { job.gpus } else { gpus_rigid(&job, view.gpus_most()) };
                let runs = gpus <= free;
                let gpus = if runs { gpus } else { 0 };
                free -= gpus;
                wanted.push((job, gpus));
                if !runs {
                    passed_over.push(*id);
                }
                runs
            });
            // Whoever waits does so behind those that run: the order of the published simulator.
            queue.extend(passed_over);
        }
        wanted
    }

    /// When the first of those that run will have had enough for its queue.
    fn set_alarm(&mut self, view: &View<'_>, running: &BTreeSet<JobId>, actions: &mut Vec<Action>) {
        let now_s = view.time_s();
        let mut alarm_s = f64::INFINITY;
        for (queue, limit_gpu_s) in self.queues.iter().zip(self.limits_gpu_s) {
            for job in queue.iter().filter(|job| running.contains(job)).filter_map(|job| view.job(*job)) {
                let gpus = f64::from(job.bound.gpus_requested);
                let served_gpu_s = self.served_gpu_s(&job);
                let left_s = match &self.published {
                    // It takes the seconds that the job has run for GPU-seconds: right for one GPU, late for more.
                    Some(_) => ((limit_gpu_s - (served_gpu_s / gpus).round()) / gpus).ceil(),
                    None => (limit_gpu_s - served_gpu_s) / f64::from(job.gpus.max(job.bound.gpus_requested)),
                };
                alarm_s = alarm_s.min(now_s + left_s.max(0.0));
            }
        }
        let soonest_s = match &self.published {
            Some(published) => published.merged.no_sooner_than_allowed(alarm_s),
            None => alarm_s.max(now_s + self.interval_s),
        };
        self.alarm_s = (soonest_s > now_s && soonest_s <= 1e12).then_some(soonest_s);
        actions.extend(self.alarm_s.map(|time_s| Action::WakeAt { time_s }));
    }
}

impl Published {
    /// What was left to pay is forgotten, but not what was owed before.
    fn stop_paying(&mut self, now_s: f64) {
        self.overheads.forget();
        let unpaid = std::mem::take(&mut self.paying).into_iter().filter(|(_, (until_s, _))| *until_s > now_s);
        self.debts_s.extend(unpaid.map(|(job, (until_s, debt_s))| (job, debt_s.min(until_s - now_s))));
    }

    fn carry_out(
        &mut self,
        view: &View<'_>,
        wanted: &[(JobView<'_>, u32)],
        running: BTreeSet<JobId>,
        actions: &mut Vec<Action>,
    ) {
        let round = self.overheads.next_round(view);
        self.debts_s.retain(|job, _| view.job(*job).is_some());
        for (job, gpus) in wanted.iter().copied() {
            if gpus == 0 {
                if job.gpus > 0 {
                    actions.push(Action::Allocate { job: job.id, gpus });
                }
                continue;
            }
            let debt_s = self.debts_s.remove(&job.id).unwrap_or(0.0);
            let mut pay_s = debt_s;
            if round.restarts {
                pay_s += round.overhead_s(gpus, false);
            } else if !self.running.contains(&job.id) {
                self.debts_s.insert(job.id, round.overhead_s(gpus, false));
            }
            let action = Action::Allocate { job: job.id, gpus };
            if pay_s > 0.0 {
                self.paying.insert(job.id, (view.time_s() + pay_s, debt_s));
                self.overheads.charge(view, job.id, pay_s, action, actions);
            } else if gpus != job.gpus {
                actions.push(action);
            }
        }
        self.overheads.wake(actions);
        self.merged.decided(view, running.iter().copied().collect(), 0);
        self.running = running;
    }
}
