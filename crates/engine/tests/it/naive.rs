//! A second engine, written down as plainly as can be: no heap, no sets, no foreseen times. It moves every job forward
//! from each instant to the next and looks at all of them each time. Both engines are given a policy that plays random
//! answers on a cluster of nodes with one or two GPUs that come and go. Jobs on several nodes may be in each other's way,
//! and samples may be worth less in the larger of two batch sizes, more so early on. Everything that the engines leave
//! behind must be equal.
//!
//! Times, speeds, worths and amounts of work are such that all arithmetic is exact, so that equal means equal.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use elastiplan_engine::{
    Action, Cadence, Charging, LossCause, NodeGpus, OnLoss, Outcome, Policy, Run, Simulation, Span, SpanState, View,
};
use elastiplan_model::{
    Availability, Cluster, Curve, CurveKey, Curves, Efficiency, Job, JobId, ModelId, Trace, Work, Workload,
};
use elastiplan_scenario::Conditions;
use proptest::prelude::*;

/// The batch sizes at which the model was measured; samples count in full at the first.
const BATCHES: [u32; 2] = [6, 48];
/// Noise scales at which a sample of the larger batch is worth an eighth, a quarter and half of one.
const NOISE: [f64; 3] = [0.0, 8.0, 36.0];

/// What a policy sees of a job, in order of submission.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    job: u32,
    /// The node of each GPU that it holds.
    on: Vec<u32>,
    gpus_min: u32,
    started: bool,
    admitted: bool,
    samples_left: f64,
    gpu_seconds: f64,
    rescale_left_s: f64,
}

/// When it was asked, and what it saw: the node of each free GPU, jobs, jobs that lost GPUs.
type Asked = Vec<(f64, Vec<u32>, Vec<Seen>, Vec<u32>)>;

/// Random answers that are always possible: each number decides for one job.
#[derive(Clone, Debug)]
struct Dice {
    numbers: Vec<u32>,
    next: usize,
}

impl Dice {
    fn answer(&mut self, time_s: f64, jobs: &[Seen], free: &[u32]) -> Vec<Action> {
        let mut actions = Vec::new();
        let mut free = free.to_vec();
        for seen in jobs {
            let number = self.numbers[self.next % self.numbers.len()];
            self.next += 1;
            let job = JobId(seen.job);
            let most = free.len() as u32 + seen.on.len() as u32;
            match number % 16 {
                0 if !seen.started => actions.push(Action::Drop { job }),
                0..=2 => {
                    actions.push(Action::Place { job, on: Vec::new() });
                    free.extend(&seen.on);
                }
                3..=12 if most >= seen.gpus_min => {
                    let gpus = seen.gpus_min + number / 16 % (most - seen.gpus_min + 1);
                    // What it has first, or what is free first: the latter moves it.
                    let (first, then) = match (number / 64).is_multiple_of(4) {
                        true => (&free, &seen.on),
                        false => (&seen.on, &free),
                    };
                    let mut nodes = [first.as_slice(), then.as_slice()].concat();
                    let left = nodes.split_off(gpus as usize);
                    nodes.sort_unstable();
                    let on =
                        nodes.chunk_by(PartialEq::eq).map(|gpus| NodeGpus { node: gpus[0], gpus: gpus.len() as u32 });
                    actions.push(Action::Place { job, on: on.collect() });
                    free = left;
                }
                13 => actions.push(Action::Admit { job }),
                14 => actions.push(Action::WakeAt { time_s: time_s + f64::from(1 + number / 16 % 8) }),
                15 => {
                    let batch_global = BATCHES[(number / 16 % 2) as usize];
                    actions.push(Action::SetBatch { job, batch_global });
                }
                _ => {}
            }
            free.sort_unstable();
        }
        actions
    }
}

#[derive(Clone)]
struct Gambler {
    cadence: Cadence,
    on_loss: OnLoss,
    charging: Charging,
    dice: Dice,
    asked: Rc<RefCell<Asked>>,
}

impl Policy for Gambler {
    fn cadence(&self) -> Cadence {
        self.cadence
    }

    fn on_loss(&self) -> OnLoss {
        self.on_loss
    }

    fn charging(&self) -> Charging {
        self.charging
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let mut jobs: Vec<Seen> = view
            .running()
            .chain(view.waiting())
            .map(|job| Seen {
                job: job.id.0,
                on: view.place_of(job.id).iter().flat_map(|held| times(held.node, held.gpus())).collect(),
                gpus_min: job.bound.gpus_min,
                started: job.started,
                admitted: job.admitted(),
                samples_left: job.samples_left,
                gpu_seconds: job.gpu_seconds(),
                rescale_left_s: job.rescale_left_s(),
            })
            .collect();
        jobs.sort_by_key(|seen| seen.job);
        let held: u32 = jobs.iter().map(|seen| seen.on.len() as u32).sum();
        assert_eq!(view.gpus_free() + held, view.gpus_total());
        let free: Vec<u32> = (0..view.nodes()).flat_map(|node| times(node, view.gpus_free_on(node))).collect();
        actions.extend(self.dice.answer(view.time_s(), &jobs, &free));
        let lost = view.lost().iter().map(|job| job.0).collect();
        self.asked.borrow_mut().push((view.time_s(), free, jobs, lost));
    }
}

/// A node, once for each of so many GPUs.
fn times(node: u32, gpus: u32) -> impl Iterator<Item = u32> {
    std::iter::repeat_n(node, gpus as usize)
}

#[derive(Clone, Debug, Default)]
struct NaiveJob {
    present: bool,
    outcome: Option<Outcome>,
    on: Vec<u32>,
    /// The batch size that the policy chose.
    batch: Option<u32>,
    started_s: Option<f64>,
    admitted_s: Option<f64>,
    ended_s: Option<f64>,
    samples_left: f64,
    /// Seconds still to pay for nodes that left, and after those for changes.
    to_recover_s: f64,
    to_pay_s: f64,
    evicted: bool,
    /// What was left to pay for nodes that left when it was suspended, in seconds.
    owed_s: f64,
    /// Seconds of training since the last change, with the work a second in them.
    trained: Vec<(f64, f64)>,
    gpu_seconds: f64,
    work_lost: f64,
    rescales: u32,
    preemptions: u32,
    evictions: u32,
    spans: Vec<Span>,
    /// A change was made: the next span is one of its own.
    changed: bool,
}

impl NaiveJob {
    /// Adds a span, or makes the last one longer if nothing changed.
    fn add_span(&mut self, span: Span) {
        if span.start_s == span.end_s {
            return;
        }
        let changed = std::mem::take(&mut self.changed);
        match self.spans.last_mut() {
            Some(last) if !changed && (last.gpus, last.state) == (span.gpus, span.state) => last.end_s = span.end_s,
            _ => self.spans.push(span),
        }
    }

    fn gpus(&self) -> u32 {
        self.on.len() as u32
    }

    fn is_distributed(&self) -> bool {
        self.on.iter().any(|node| *node != self.on[0])
    }

    /// What was done since the last checkpoint.
    fn unsaved(&self, interval_s: f64) -> f64 {
        let trained_s: f64 = self.trained.iter().map(|(seconds, _)| seconds).sum();
        let mut left_s = trained_s % interval_s;
        let mut work = 0.0;
        for (seconds, work_per_s) in self.trained.iter().rev() {
            work += seconds.min(left_s) * work_per_s;
            left_s -= seconds.min(left_s);
        }
        work
    }
}

struct Naive<'a> {
    workload: &'a Workload,
    case: &'a Case,
    time_s: f64,
    present: Vec<bool>,
    jobs: Vec<NaiveJob>,
    /// Which of them are slower because of others.
    disturbed: Vec<bool>,
    lost: Vec<u32>,
    wake_s: Option<f64>,
    asked: Asked,
    decisions_s: Vec<f64>,
    /// Time, job, batch size.
    batches: Vec<(f64, u32, u32)>,
    /// Time, GPUs present, GPUs in use, jobs running, jobs waiting.
    series: Vec<(f64, u32, u32, u32, u32)>,
}

impl Naive<'_> {
    fn batch(&self, job: usize) -> u32 {
        self.jobs[job].batch.or(self.workload.trace().jobs()[job].batch_global).unwrap()
    }

    /// Samples in a second.
    fn speed(&self, job: usize) -> f64 {
        let (gpus_min, speeds) = &self.case.curve;
        let last = speeds.len() - 1;
        let speed = speeds[(self.jobs[job].gpus() - gpus_min).min(last as u32) as usize];
        let faster = if self.batch(job) == BATCHES[0] { 1.0 } else { self.case.speedup };
        let factor = if self.disturbed[job] { 1.0 - self.case.slowdown } else { 1.0 };
        speed * faster * factor
    }

    /// Samples in a second, and what each is worth.
    fn pace(&self, job: usize) -> (f64, f64) {
        (self.speed(job), self.worth(job))
    }

    /// Looks at all jobs and nodes, whatever has happened. A job that continues with another batch size writes a checkpoint
    /// where that makes a difference to its pace; one whose interference changes writes none.
    fn find_disturbed(&mut self, new_batches: &[(usize, (f64, f64))]) {
        let distributed_on =
            |node: u32| self.jobs.iter().filter(move |job| job.is_distributed() && job.on.contains(&node));
        let is_disturbed =
            |job: &NaiveJob| job.is_distributed() && job.on.iter().any(|on| distributed_on(*on).count() > 1);
        let disturbed: Vec<bool> = self.jobs.iter().map(is_disturbed).collect();
        for (job, before) in new_batches {
            if *before != self.pace(*job) {
                (self.jobs[*job].trained, self.jobs[*job].changed) = (Vec::new(), true);
            }
        }
        let before = std::mem::replace(&mut self.disturbed, disturbed);
        for (job, before) in before.into_iter().enumerate() {
            self.jobs[job].changed |= before != self.disturbed[job] && self.case.slowdown > 0.0;
        }
    }

    /// How much work is left when stages end.
    fn stage_ends(&self, job: usize) -> impl Iterator<Item = f64> {
        let total = self.workload.jobs()[job].samples;
        self.case.stages.iter().map(move |(until, _)| total * (1.0 - until))
    }

    /// What a sample is worth now.
    fn worth(&self, job: usize) -> f64 {
        let mut noise = self.case.stages.last().map(|(_, noise)| *noise);
        for (at, left_then) in self.stage_ends(job).enumerate().collect::<Vec<_>>().into_iter().rev() {
            if self.jobs[job].samples_left > left_then {
                noise = Some(self.case.stages[at].1);
            }
        }
        noise.map_or(1.0, |noise| (noise + f64::from(BATCHES[0])) / (noise + f64::from(self.batch(job))))
    }

    /// When so much work is left, if nothing changes before.
    fn reaches_s(&self, job: usize, left: f64) -> Option<f64> {
        let state = &self.jobs[job];
        let runs = state.present && !state.on.is_empty();
        let train_s = || (state.samples_left - left) / (self.speed(job) * self.worth(job));
        runs.then(|| self.time_s + state.to_recover_s + state.to_pay_s + train_s())
    }

    /// When the stage it is in ends; in the last one it is done before.
    fn stage_s(&self, job: usize) -> Option<f64> {
        let not_last = self.case.stages.len().saturating_sub(1);
        let left_then = self.stage_ends(job).take(not_last).find(|left| self.jobs[job].samples_left > *left)?;
        self.reaches_s(job, left_then)
    }

    fn completion_s(&self, job: usize) -> Option<f64> {
        if self.stage_s(job).is_some() { None } else { self.reaches_s(job, 0.0) }
    }

    /// Moves every job forward to `time_s`.
    fn pass(&mut self, time_s: f64) {
        for job in 0..self.jobs.len() {
            let speed = if self.jobs[job].on.is_empty() { 0.0 } else { self.speed(job) };
            let worth = self.worth(job);
            let from_s = self.time_s;
            let state = &mut self.jobs[job];
            if !state.present {
                continue;
            }
            let gpus = state.gpus();
            let passes_s = time_s - from_s;
            let recovers_s = state.to_recover_s.min(passes_s);
            let pays_s = state.to_pay_s.min(passes_s - recovers_s);
            let idle = if state.started_s.is_some() { SpanState::Preempted } else { SpanState::Waiting };
            let what = if gpus > 0 { SpanState::Running } else { idle };
            let trains_s = passes_s - recovers_s - pays_s;
            state.to_recover_s -= recovers_s;
            state.to_pay_s -= pays_s;
            state.samples_left -= speed * worth * trains_s;
            state.trained.push((trains_s, speed * worth));
            state.gpu_seconds += f64::from(gpus) * passes_s;
            let span = |start_s: f64, length_s: f64, state, samples_per_s| Span {
                start_s,
                end_s: start_s + length_s,
                gpus,
                state,
                samples_per_s,
                work_per_s: samples_per_s * worth,
            };
            state.add_span(span(from_s, recovers_s, SpanState::Recovering, 0.0));
            state.add_span(span(from_s + recovers_s, pays_s, SpanState::Rescaling, 0.0));
            state.add_span(span(from_s + recovers_s + pays_s, trains_s, what, speed));
        }
        self.time_s = time_s;
    }

    fn end(&mut self, job: usize, outcome: Outcome) {
        let time_s = self.time_s;
        let state = &mut self.jobs[job];
        (state.present, state.outcome, state.ended_s) = (false, Some(outcome), Some(time_s));
        state.on.clear();
    }

    fn node_leaves(&mut self, nodes: &[u32]) {
        for job in 0..self.jobs.len() {
            if !self.jobs[job].on.iter().any(|node| nodes.contains(node)) {
                continue;
            }
            self.lost.push(job as u32);
            let costs = &self.case.costs;
            let gpus_min = self.workload.jobs()[job].gpus_min;
            let down_s = costs.rescale_down_s.unwrap_or(costs.rescale_cost_s);
            let charged = self.charged(job, down_s);
            let state = &mut self.jobs[job];
            state.samples_left += charged;
            state.work_lost += charged;
            if let Some(interval_s) = costs.checkpoint_interval_s {
                let lost = state.unsaved(interval_s);
                state.samples_left += lost;
                state.work_lost += lost;
            }
            (state.trained, state.changed) = (Vec::new(), true);
            state.evictions += 1;
            state.on.retain(|node| !nodes.contains(node));
            if self.case.on_loss == OnLoss::Shrink && state.gpus() >= gpus_min {
                let unpaid_s = state.to_recover_s + state.to_pay_s;
                let pay_s = if self.case.charging == Charging::Time { down_s } else { 0.0 };
                state.to_recover_s = state.to_recover_s.max(pay_s);
                state.to_pay_s = (unpaid_s - state.to_recover_s).max(0.0);
            } else {
                state.on.clear();
                state.preemptions += 1;
                (state.evicted, state.to_recover_s, state.to_pay_s) = (true, 0.0, 0.0);
            }
        }
    }

    /// Carries out one action; whether it changes what a job holds.
    fn carry_out(&mut self, action: &Action) -> bool {
        let time_s = self.time_s;
        match action {
            Action::Drop { job } => self.end(job.index(), Outcome::Dropped),
            Action::Admit { job } => {
                self.jobs[job.index()].admitted_s.get_or_insert(time_s);
                return false;
            }
            Action::WakeAt { time_s } => {
                self.wake_s = Some(self.wake_s.map_or(*time_s, |wake_s| wake_s.min(*time_s)));
                return false;
            }
            Action::Place { job, on } => {
                let mut nodes: Vec<u32> = on.iter().flat_map(|place| times(place.node, place.gpus)).collect();
                nodes.sort_unstable();
                return self.place(job.index(), nodes);
            }
            Action::SetBatch { job, batch_global } => return self.set_batch(job.index(), *batch_global),
            _ => unreachable!("the dice do not ask for that"),
        }
        true
    }

    fn set_batch(&mut self, job: usize, batch: u32) -> bool {
        if self.jobs[job].batch == Some(batch) {
            return false;
        }
        self.jobs[job].batch = Some(batch);
        self.batches.push((self.time_s, job as u32, batch));
        true
    }

    /// The work that so many seconds are charged as.
    fn charged(&self, job: usize, seconds: f64) -> f64 {
        let is_charged = self.case.charging == Charging::Work && !self.jobs[job].on.is_empty();
        if is_charged { seconds * self.speed(job) * self.worth(job) } else { 0.0 }
    }

    fn place(&mut self, job: usize, nodes: Vec<u32>) -> bool {
        let (time_s, costs) = (self.time_s, &self.case.costs);
        if nodes == self.jobs[job].on {
            return false;
        }
        let shrinks = nodes.len() < self.jobs[job].on.len();
        let pay_s = match costs.rescale_down_s {
            Some(down_s) if shrinks => down_s,
            _ => costs.rescale_cost_s,
        };
        let charged = self.charged(job, pay_s);
        let in_time = f64::from(u8::from(self.case.charging == Charging::Time));
        let pay_s = pay_s * in_time;
        let state = &mut self.jobs[job];
        state.samples_left += charged;
        state.work_lost += charged;
        (state.on, state.trained, state.changed) = (nodes, Vec::new(), true);
        if state.on.is_empty() {
            state.preemptions += 1;
            state.owed_s = state.owed_s.max(state.to_recover_s);
            (state.to_recover_s, state.to_pay_s) = (0.0, 0.0);
        } else if state.started_s.is_none() {
            state.started_s = Some(time_s);
            state.admitted_s.get_or_insert(time_s);
            state.to_pay_s = costs.start_delay_s * in_time;
        } else {
            if state.evicted {
                (state.evicted, state.to_recover_s) = (false, pay_s);
            } else if state.owed_s > 0.0 {
                state.rescales += 1;
                state.to_recover_s = state.owed_s.min(pay_s);
                state.to_pay_s = pay_s - state.to_recover_s;
            } else {
                state.rescales += 1;
                state.to_pay_s = pay_s;
            }
            state.owed_s = 0.0;
        }
        true
    }

    fn record_counts(&mut self) {
        let present = || self.jobs.iter().filter(|job| job.present);
        let running = present().filter(|job| !job.on.is_empty()).count() as u32;
        let waiting = present().count() as u32 - running;
        let nodes = self.present.iter().filter(|present| **present).count() as u32;
        let row = (self.time_s, nodes * self.case.gpus_per_node, present().map(NaiveJob::gpus).sum(), running, waiting);
        if self.series.last().is_none_or(|last| (last.1, last.2, last.3, last.4) != (row.1, row.2, row.3, row.4)) {
            self.series.push(row);
        }
    }

    fn seen(&self) -> Vec<Seen> {
        let present = (0..).zip(&self.jobs).filter(|(_, state)| state.present);
        let seen = |(job, state): (u32, &NaiveJob)| Seen {
            job,
            on: state.on.clone(),
            gpus_min: self.workload.jobs()[job as usize].gpus_min,
            started: state.started_s.is_some(),
            admitted: state.admitted_s.is_some(),
            samples_left: state.samples_left,
            gpu_seconds: state.gpu_seconds,
            rescale_left_s: state.to_recover_s + state.to_pay_s,
        };
        present.map(seen).collect()
    }

    /// The node of each free GPU.
    fn free_gpus(&self) -> Vec<u32> {
        let held = |node: u32| self.jobs.iter().flat_map(|job| &job.on).filter(|on| **on == node).count() as u32;
        let present = (0..self.present.len() as u32).filter(|node| self.present[*node as usize]);
        present.flat_map(|node| times(node, self.case.gpus_per_node - held(node))).collect()
    }
}

/// Whether `time_s` is one of the rounds.
fn is_round(time_s: f64, start_s: f64, interval_s: f64) -> bool {
    ((time_s - start_s) / interval_s).fract() == 0.0
}

/// The first round that is not before `time_s`, found by counting.
fn round_from(time_s: f64, start_s: f64, interval_s: f64) -> f64 {
    let mut round_s = start_s;
    while round_s < time_s {
        round_s += interval_s;
    }
    round_s
}

/// The whole run, in one loop.
fn naive<'a>(case: &'a Case, workload: &'a Workload) -> (Naive<'a>, f64) {
    let jobs = workload.jobs().iter().map(|job| NaiveJob { samples_left: job.samples, ..NaiveJob::default() });
    let submit_s: Vec<f64> = workload.trace().jobs().iter().map(|job| job.submit_s).collect();
    let start_s = submit_s.first().copied().unwrap_or(0.0);
    let log = case.availability();
    let mut changes: Vec<(f64, u32, bool)> = Vec::new();
    if let Some(log) = &log {
        changes = log.changes().iter().map(|c| (c.time_s - log.start_s() + start_s, c.node, c.up)).collect();
    }
    let in_log = log.map_or(0, |log| log.nodes());
    let mut naive = Naive {
        workload,
        case,
        time_s: start_s,
        present: (0..case.nodes_total).map(|node| node >= in_log).collect(),
        disturbed: vec![false; jobs.len()],
        jobs: jobs.collect(),
        lost: Vec::new(),
        wake_s: None,
        asked: Vec::new(),
        decisions_s: Vec::new(),
        batches: Vec::new(),
        series: Vec::new(),
    };
    let mut dice = case.dice.clone();
    let (mut answer_s, mut asked_s): (Option<f64>, Option<f64>) = (None, None);
    let mut submitted = 0;
    loop {
        let busy = naive.jobs.iter().any(|job| job.present);
        let ticks = match case.cadence {
            Cadence::Ticks { interval_s } | Cadence::OnEventsAndTicks { interval_s } if busy => {
                Some(round_from(naive.time_s.next_up(), start_s, interval_s))
            }
            _ => None,
        };
        let is_over = !busy && submitted == submit_s.len();
        let due = (0..naive.jobs.len()).filter_map(|job| naive.stage_s(job).or(naive.completion_s(job)));
        let to_ask = [answer_s, ticks, naive.wake_s, changes.first().map(|change| change.0)];
        let to_ask = to_ask.into_iter().flatten().filter(|_| !is_over);
        let next_s = due.chain(submit_s.get(submitted).copied()).chain(to_ask).min_by(f64::total_cmp);
        let Some(next_s) = next_s else {
            let end_s = naive.time_s;
            return (naive, end_s);
        };
        if let Some(until_s) = case.until_s.filter(|until_s| next_s > *until_s) {
            let end_s = until_s.max(start_s);
            naive.pass(end_s);
            return (naive, end_s);
        }
        let done: Vec<usize> = (0..naive.jobs.len()).filter(|job| naive.completion_s(*job) == Some(next_s)).collect();
        let staged: Vec<usize> = (0..naive.jobs.len()).filter(|job| naive.stage_s(*job) == Some(next_s)).collect();
        naive.pass(next_s);
        for job in staged {
            (naive.jobs[job].trained, naive.jobs[job].changed) = (Vec::new(), true);
        }
        let mut happened = !done.is_empty();
        for job in done {
            naive.end(job, Outcome::Completed);
        }
        let before = naive.present.clone();
        while changes.first().is_some_and(|change| change.0 <= next_s) {
            let (_, node, up) = changes.remove(0);
            naive.present[node as usize] = up;
        }
        let nodes = 0..case.nodes_total;
        let gone: Vec<u32> = nodes.filter(|n| before[*n as usize] && !naive.present[*n as usize]).collect();
        naive.node_leaves(&gone);
        while submit_s.get(submitted).is_some_and(|submit_s| *submit_s == next_s) {
            naive.jobs[submitted].present = true;
            submitted += 1;
            happened = true;
        }
        let busy = naive.jobs.iter().any(|job| job.present);
        happened |= busy && before != naive.present;
        let woken = naive.wake_s.take_if(|wake_s| *wake_s <= next_s).is_some();
        let ask = match case.cadence {
            Cadence::OnEvents => happened,
            Cadence::Ticks { interval_s } => busy && is_round(next_s, start_s, interval_s),
            Cadence::OnEventsAndTicks { interval_s } => happened || (busy && is_round(next_s, start_s, interval_s)),
            Cadence::Every { interval_s } | Cadence::AtMostEvery { interval_s } => {
                if !busy {
                    answer_s = None;
                } else if happened && answer_s.is_none() {
                    answer_s = Some(match case.cadence {
                        Cadence::Every { .. } => round_from(next_s, start_s, interval_s),
                        _ => asked_s.map_or(next_s, |asked_s| asked_s + interval_s).max(next_s),
                    });
                }
                answer_s.take_if(|answer_s| *answer_s <= next_s).is_some()
            }
        };
        let mut new_batches = Vec::new();
        if ask || woken {
            asked_s = Some(next_s);
            let (jobs, free) = (naive.seen(), naive.free_gpus());
            let actions = dice.answer(next_s, &jobs, &free);
            let mut lost = std::mem::take(&mut naive.lost);
            lost.retain(|job| naive.jobs[*job as usize].present);
            lost.sort_unstable();
            lost.dedup();
            naive.asked.push((next_s, free, jobs, lost));
            for action in &actions {
                if let Action::SetBatch { job, .. } = action
                    && !naive.jobs[job.index()].on.is_empty()
                {
                    new_batches.push((job.index(), naive.pace(job.index())));
                }
            }
            let changes = actions.iter().filter(|action| naive.carry_out(action)).count();
            if changes > 0 {
                naive.decisions_s.push(next_s);
            }
        }
        naive.find_disturbed(&new_batches);
        naive.record_counts();
    }
}

#[derive(Clone, Debug)]
struct CaseJob {
    submit_s: u32,
    samples: u32,
    gpus_min: u32,
    /// Whether it is submitted with the larger batch.
    large: bool,
}

#[derive(Clone, Debug)]
struct Case {
    nodes_total: u32,
    gpus_per_node: u32,
    slowdown: f64,
    /// The fewest GPUs the model runs on, and its speed on each number from there.
    curve: (u32, Vec<f64>),
    /// So many times as fast in the larger batch.
    speedup: f64,
    /// Until which share of the work which noise scale holds.
    stages: Vec<(f64, f64)>,
    jobs: Vec<CaseJob>,
    /// For each of the first nodes: seconds away and seconds there, in turn; 0 there: never again.
    nodes: Vec<Vec<(u32, u32)>>,
    costs: Conditions,
    until_s: Option<f64>,
    cadence: Cadence,
    on_loss: OnLoss,
    charging: Charging,
    dice: Dice,
}

impl Case {
    fn workload(&self) -> Workload {
        let job = |(index, job): (usize, &CaseJob)| Job {
            name: index.to_string(),
            source_row: 0,
            submit_s: f64::from(job.submit_s),
            model: ModelId(0),
            batch_global: Some(BATCHES[usize::from(job.large)]),
            gpus_requested: job.gpus_min,
            gpus_min: Some(job.gpus_min),
            gpus_max: None,
            work: Work::Samples(f64::from(job.samples)),
            deadline_s: None,
            user: None,
            rescale: None,
            batch_range: None,
            priority: None,
        };
        let trace = Trace::new(vec!["m".into()], self.jobs.iter().enumerate().map(job).collect()).unwrap();
        let curve = |batch: u32, faster: f64| {
            let key = CurveKey { model: "m".into(), batch_global: Some(batch) };
            let points = (self.curve.0..).zip(self.curve.1.iter().map(|speed| speed * faster));
            let curve = Curve::new(key, points).unwrap();
            match self.stages.is_empty() {
                true => curve,
                false => {
                    let efficiency = Efficiency::of_noise(BATCHES[0], self.stages.iter().copied());
                    curve.with_efficiency(efficiency).unwrap()
                }
            }
        };
        Workload::bind(&trace, &Curves::from_iter([curve(BATCHES[0], 1.0), curve(BATCHES[1], self.speedup)])).0
    }

    fn availability(&self) -> Option<Arc<Availability>> {
        let node = |(number, times): (usize, &Vec<(u32, u32)>)| {
            let mut time_s = 0.0;
            let mut intervals = Vec::new();
            for &(away, there) in times {
                let start_s = time_s + f64::from(away);
                time_s = start_s + f64::from(there);
                intervals.push((start_s, (there > 0).then_some(time_s)));
                if there == 0 {
                    break;
                }
            }
            (number.to_string(), intervals)
        };
        let nodes: Vec<_> = self.nodes.iter().enumerate().map(node).take(self.nodes_total as usize).collect();
        Availability::from_intervals(nodes, 500.0).ok().map(Arc::new)
    }
}

fn cadence() -> impl Strategy<Value = Cadence> {
    let interval_s = prop::sample::select(vec![0.5, 1.0, 4.0, 16.0]);
    (0..6u32, interval_s).prop_map(|(kind, interval_s)| match kind {
        0 | 1 => Cadence::OnEvents,
        2 => Cadence::Every { interval_s },
        3 => Cadence::AtMostEvery { interval_s },
        4 => Cadence::Ticks { interval_s },
        _ => Cadence::OnEventsAndTicks { interval_s },
    })
}

fn costs() -> impl Strategy<Value = Conditions> {
    let seconds = || prop::sample::select(vec![0.0, 1.0, 3.0, 16.0]);
    let interval_s = prop::option::of(prop::sample::select(vec![1.0, 2.0, 8.0]));
    (seconds(), seconds(), seconds(), interval_s).prop_map(|(up_s, down_s, start_delay_s, checkpoint_interval_s)| {
        Conditions {
            rescale_cost_s: up_s,
            rescale_down_s: Some(down_s),
            start_delay_s,
            checkpoint_interval_s,
            ..Conditions::default()
        }
    })
}

fn case() -> impl Strategy<Value = Case> {
    let speed = prop::sample::select(vec![0.5, 1.0, 2.0, 4.0]);
    let curve = (1..=2u32, prop::collection::vec(speed, 6));
    let speedup = prop::sample::select(vec![1.0, 2.0, 4.0]);
    let noise = prop::collection::vec(prop::sample::select(NOISE.to_vec()), 4);
    let stages = (noise, prop::sample::subsequence(vec![0.25, 0.5, 0.75, 1.0], 0..=4));
    let stages = stages.prop_map(|(noise, ends)| ends.into_iter().zip(noise).collect());
    let job = (0..24u32, 1..60u32, 1..=3u32, any::<bool>());
    let job = job.prop_map(|(submit_s, samples, gpus_min, large)| CaseJob { submit_s, samples, gpus_min, large });
    let jobs = prop::collection::vec(job, 0..7);
    let node = prop::collection::vec((1..12u32, 0..20u32), 1..5);
    let nodes = prop::collection::vec(node, 0..4);
    let until_s = prop::option::weighted(0.3, (0..80u32).prop_map(f64::from));
    let dice = prop::collection::vec(any::<u32>(), 1..40).prop_map(|numbers| Dice { numbers, next: 0 });
    let on_loss = prop::sample::select(vec![OnLoss::Shrink, OnLoss::Preempt]);
    // Work is charged at the pace that a job had, which within an instant depends on which jobs have moved already: the two
    // engines need not agree on that. And a job may then go back to an earlier stage again and again, with a few more
    // digits each time, until there are more than a number holds.
    let slowdown = prop::sample::select(vec![0.0, 0.5, 0.75]).prop_map(|slowdown| (slowdown, Charging::Time));
    let disturbing = prop_oneof![3 => slowdown, 1 => Just((0.0, Charging::Work))];
    let cluster = (1..=6u32, 1..=2u32, disturbing);
    let model = (curve, speedup, stages);
    (cluster, model, jobs, nodes, costs(), until_s, cadence(), on_loss, dice).prop_map(
        |(cluster, (curve, speedup, stages), jobs, nodes, costs, until_s, cadence, on_loss, dice)| {
            let (nodes_total, gpus_per_node, (slowdown, charging)) = cluster;
            let stages = if charging == Charging::Work { Vec::new() } else { stages };
            // A job that is resized again and again, whatever happens, may never be done.
            let until_s = until_s.or(Some(300.0));
            Case {
                nodes_total,
                gpus_per_node,
                slowdown,
                curve,
                speedup,
                stages,
                jobs,
                nodes,
                costs,
                until_s,
                cadence,
                on_loss,
                charging,
                dice,
            }
        },
    )
}

fn check(case: &Case) {
    let workload = case.workload();
    let (expected, end_s) = naive(case, &workload);

    let asked = Rc::new(RefCell::new(Asked::new()));
    let (cadence, on_loss, charging) = (case.cadence, case.on_loss, case.charging);
    let gambler = Gambler { cadence, on_loss, charging, dice: case.dice.clone(), asked: Rc::clone(&asked) };
    let cluster = Cluster::new(case.nodes_total, case.gpus_per_node).unwrap();
    let (until_s, costs, availability) = (case.until_s, case.costs.clone(), case.availability());
    let interference_slowdown = case.slowdown;
    let settings = Conditions { until_s, availability, interference_slowdown, ..costs };
    let run =
        Simulation::new(&workload, cluster, settings, "gambler", Box::new(gambler)).unwrap().run_to_end().unwrap();

    assert_eq!(*asked.borrow(), expected.asked);
    assert_eq!(run.decisions.time_s, expected.decisions_s);
    assert_eq!((run.end_s, run.finished), (end_s, true));
    assert_eq!(rows(&run), expected.series);
    let batches = &run.batch_sizes;
    let batches = batches.time_s.iter().zip(&batches.job).zip(&batches.batch_global);
    let batches: Vec<_> = batches.map(|((time_s, job), batch)| (*time_s, *job, *batch)).collect();
    assert_eq!(batches, expected.batches);
    let spans = || expected.jobs.iter().flat_map(|job| &job.spans);
    let has_efficiency = spans().any(|span| span.work_per_s != span.samples_per_s);
    assert_eq!(run.spans.work_per_s.len(), if has_efficiency { run.spans.len() } else { 0 });
    for (index, job) in expected.jobs.iter().enumerate() {
        assert_eq!(run.spans.of(JobId(index as u32)).collect::<Vec<_>>(), job.spans, "job {index}");
        let records = &run.jobs;
        assert_eq!(records.outcome[index], job.outcome.unwrap_or(Outcome::Unfinished));
        assert_eq!((records.start_s[index], records.end_s[index]), (job.started_s, job.ended_s));
        assert_eq!(records.admitted_s[index], job.admitted_s);
        assert_eq!((records.rescales[index], records.preemptions[index]), (job.rescales, job.preemptions));
        assert_eq!((records.evictions[index], records.work_lost[index]), (job.evictions, job.work_lost));
        assert_eq!(records.work_left[index], job.samples_left);
        let seconds = |keep: fn(&Span) -> bool, weight: fn(&Span) -> f64| -> f64 {
            job.spans.iter().filter(|span| keep(span)).map(|span| (span.end_s - span.start_s) * weight(span)).sum()
        };
        assert_eq!(records.queueing_s[index], seconds(|span| span.gpus == 0, |_| 1.0));
        assert_eq!(records.gpu_seconds[index], job.gpu_seconds);
        assert_eq!(records.samples[index], seconds(|_| true, |span| span.samples_per_s));
        let rescaling = seconds(|span| span.state == SpanState::Rescaling, |span| f64::from(span.gpus));
        let lost = |cause: LossCause| -> f64 {
            let losses = (0..run.losses.job.len()).filter(|at| run.losses.job[*at] as usize == index);
            losses.filter(|at| run.losses.cause[*at] == cause).map(|at| run.losses.gpu_seconds[at]).sum()
        };
        assert_eq!(records.rescale_gpu_seconds[index], rescaling + lost(LossCause::Rescale));
        let recovering = seconds(|span| span.state == SpanState::Recovering, |span| f64::from(span.gpus));
        assert_eq!(records.preemption_gpu_seconds[index], recovering + lost(LossCause::NodeLeft));
    }
}

fn rows(run: &Run) -> Vec<(f64, u32, u32, u32, u32)> {
    let series = &run.series;
    let row = |at: usize| {
        let counts = (series.jobs_running[at], series.jobs_waiting[at]);
        (series.time_s[at], series.gpus_present[at], series.gpus_in_use[at], counts.0, counts.1)
    };
    (0..series.time_s.len()).map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn both_engines_leave_the_same_behind(case in case()) {
        check(&case);
    }
}
