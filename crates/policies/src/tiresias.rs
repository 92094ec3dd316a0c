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
//! ```text
//! 1 GPU, limits 3 and 9 GPU-seconds; a takes 5 s, b comes at 2 and takes 2 s
//! a 111--11   b   .11        at 3 a moves to the second queue, and b comes first
//! ```

use std::cmp::Reverse;
use std::collections::BTreeSet;

use elastiplan_engine::{Action, Cadence, JobView, Policy, View};
use elastiplan_model::JobId;

use crate::arrivals::{Arrivals, gpus_rigid};
use crate::merged_events::MergedEvents;
use crate::spec::{Entry, Kind, Parameter, Parameters};

/// In the registry.
pub const ENTRY: Entry = Entry {
    name: "tiresias",
    summary: "The least GPU time so far first, on the GPUs each job asked for, with interruptions",
    source: "Tiresias, section 3.2 (2D-LAS with queues), as the rival in ElasticFlow, section 6.1",
    is_elastic: false,
    parameters: &[
        Parameter {
            name: "interval_s",
            help: "The fewest seconds between decisions",
            kind: Kind::Number { default: 60.0, min: 0.0, max: 31_536_000.0, whole: false },
        },
        Parameter {
            name: "first_limit_gpu_s",
            help: "GPU-seconds after which a job leaves the first queue",
            kind: Kind::Number { default: 3250.0, min: 0.0, max: 1e12, whole: false },
        },
        Parameter {
            name: "second_limit_gpu_s",
            help: "GPU-seconds after which a job leaves the second queue",
            kind: Kind::Number { default: 7200.0, min: 0.0, max: 1e12, whole: false },
        },
        Parameter {
            name: "artifact",
            help: "As the published simulator, where that departs from the paper",
            kind: Kind::Flag { default: false },
        },
    ],
    build,
};

fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let interval_s = parameters.number("interval_s");
    Box::new(Tiresias {
        interval_s,
        limits_gpu_s: [parameters.number("first_limit_gpu_s"), parameters.number("second_limit_gpu_s")],
        merged: parameters.flag("artifact").then(|| MergedEvents::new(interval_s)),
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
    /// As the published simulator.
    merged: Option<MergedEvents>,
    /// In order of service.
    queues: [Vec<JobId>; 3],
    /// When the next job moves down.
    alarm_s: Option<f64>,
    arrivals: Arrivals,
}

impl Policy for Tiresias {
    fn cadence(&self) -> Cadence {
        match self.merged {
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
            0 => format!("Waits in queue {queue} for {}, {ahead} before it: has had {had} GPU-seconds", job.bound.gpus_requested),
            gpus => format!("Runs on the {gpus} it asked for, from queue {queue}: has had {had} GPU-seconds"),
        })
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        if let Some(merged) = &mut self.merged
            && !merged.is_due(view, self.alarm_s, actions)
        {
            return;
        }
        let arrived = self.arrivals.admit(view, |job| job.bound.gpus_requested, actions);
        for queue in &mut self.queues {
            queue.retain(|job| view.job(*job).is_some());
        }
        let [first, ..] = &mut self.queues;
        first.extend(arrived.iter().map(|job| job.id));
        self.move_down(view);
        let running = self.serve(view, actions);
        self.set_alarm(view, &running, actions);
        if let Some(merged) = &mut self.merged {
            merged.decided(view, running);
        }
    }
}

impl Tiresias {
    /// The GPU time that counts. The published simulator leaves out what was spent on starting.
    fn served_gpu_s(&self, job: &JobView<'_>) -> f64 {
        let speed = job.curve.samples_per_s(job.bound.gpus_requested);
        match self.merged {
            Some(_) if speed > 0.0 => job.samples_done() / speed * f64::from(job.bound.gpus_requested),
            _ => job.gpu_seconds(),
        }
    }

    /// Moves jobs that have had enough to the end of the next queue. The published simulator moves a job by one queue
    /// at a time, and only one that runs.
    fn move_down(&mut self, view: &View<'_>) {
        let order = if self.merged.is_some() { [1, 0] } else { [0, 1] };
        for number in order {
            let Some(limit_gpu_s) = self.limits_gpu_s.get(number).copied() else { continue };
            let queue = self.queues.get_mut(number).map(std::mem::take).unwrap_or_default();
            let has_had_enough = |job: &JobId| {
                let job = view.job(*job);
                let job = job.filter(|job| self.merged.is_none() || job.gpus > 0);
                job.is_some_and(|job| self.served_gpu_s(&job) + TOLERANCE_GPU_S >= limit_gpu_s)
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

    /// Starts whom there is room for in order of the queues and suspends the others; says who runs.
    fn serve(&mut self, view: &View<'_>, actions: &mut Vec<Action>) -> Vec<JobId> {
        let mut free = view.gpus_total();
        let mut running = Vec::new();
        for queue in &mut self.queues {
            if self.merged.is_none() {
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
                if gpus != job.gpus {
                    actions.push(Action::Allocate { job: *id, gpus });
                }
                match runs {
                    true => running.push(*id),
                    false => passed_over.push(*id),
                }
                runs
            });
            // Whoever waits does so behind those that run: the order of the published simulator.
            queue.extend(passed_over);
        }
        running
    }

    /// When the first of those that run will have had enough for its queue.
    fn set_alarm(&mut self, view: &View<'_>, running: &[JobId], actions: &mut Vec<Action>) {
        let now_s = view.time_s();
        let running: BTreeSet<JobId> = running.iter().copied().collect();
        let mut alarm_s = f64::INFINITY;
        for (queue, limit_gpu_s) in self.queues.iter().zip(self.limits_gpu_s) {
            for job in queue.iter().filter(|job| running.contains(job)).filter_map(|job| view.job(*job)) {
                let gpus = f64::from(job.bound.gpus_requested);
                let served_gpu_s = self.served_gpu_s(&job);
                let left_s = match self.merged {
                    // It takes the seconds that the job has run for GPU-seconds: right for one GPU, late for more.
                    Some(_) => ((limit_gpu_s - (served_gpu_s / gpus).round()) / gpus).ceil(),
                    None => (limit_gpu_s - served_gpu_s) / f64::from(job.gpus.max(job.bound.gpus_requested)),
                };
                alarm_s = alarm_s.min(now_s + left_s.max(0.0));
            }
        }
        let soonest_s = match &self.merged {
            Some(merged) => merged.no_sooner_than_allowed(alarm_s),
            None => alarm_s.max(now_s + self.interval_s),
        };
        self.alarm_s = (soonest_s > now_s && soonest_s <= 1e12).then_some(soonest_s);
        actions.extend(self.alarm_s.map(|time_s| Action::WakeAt { time_s }));
    }
}
